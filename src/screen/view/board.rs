//! The board with the position itself, or with the leaf of the line shown.

use ratatui::{
    layout::Rect,
    style::{Modifier, Style},
};
use shakmaty::{Color, Role, Square};

use super::pen::Pen;
use crate::{
    eval::Placement,
    screen::{
        analysis::Analysis,
        app::{App, ShownBoard},
        keys::Target,
        theme::Theme,
    },
};

/// The size of a square.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub width: u16,
    pub height: u16,
}

impl Size {
    /// Squares of the board that fits on every screen.
    pub const SMALL: Size = Size { width: 3, height: 1 };
    /// Squares of the board on larger screens.
    pub const LARGE: Size = Size { width: 5, height: 2 };

    /// Columns and lines of the board with the names of ranks and files.
    pub fn board_size(self) -> (u16, u16) {
        (8 * self.width + 2, 8 * self.height + 1)
    }
}

/// Signs around a marked square.
const SHOWN: [&str; 2] = ["[", "]"];
const PLAYED: [&str; 2] = ["(", ")"];
const LAST: [&str; 2] = ["<", ">"];

/// Draws eight ranks and the names of the files.
pub fn draw(pen: &mut Pen, app: &App, x: u16, y: u16, size: Size) {
    let Some(analysis) = app.browser.analysis() else {
        pen.text(x + 4, y + 3, "searching", pen.theme.faint());
        return;
    };
    let marks = Marks::new(app, analysis);
    let placement = match app.browser.board {
        ShownBoard::Root => &analysis.placement,
        ShownBoard::Leaf => &analysis.moves[app.browser.move_index(analysis)].leaf.placement,
    };
    for line in 0..8 {
        let rank = 7 - line;
        let y = y + line as u16 * size.height;
        pen.text(x, y, &format!("{}", rank + 1), pen.theme.faint());
        for file in 0..8 {
            let place =
                Rect { x: x + 2 + file as u16 * size.width, y, width: size.width, height: size.height };
            square(pen, placement, &marks, rank * 8 + file, place);
        }
    }
    for file in 0..8u16 {
        let name = char::from(b'a' + file as u8).to_string();
        let middle = x + 2 + size.width / 2 + file * size.width;
        pen.text(middle, y + 8 * size.height, &name, pen.theme.faint());
    }
}

fn square(pen: &mut Pen, placement: &Placement, marks: &Marks, square: u32, place: Rect) {
    let is_light = Square::new(square).is_light();
    let signs = marks.signs(square);
    let style = pen.theme.square(is_light, signs.is_some());
    let [before, after] = signs.unwrap_or([" ", " "]);
    let (sign, sign_style) = square_sign(placement, square, is_light, pen.theme, style);
    let margin = usize::from(place.width.saturating_sub(3) / 2);
    let text = format!("{:margin$}{before}{sign}{after}{:margin$}", "", "");
    pen.text(place.x, place.y, &text, sign_style);
    pen.target(place, Target::Square(square));
    pen.fill(Rect { y: place.y + 1, height: place.height - 1, ..place }, style);
}

/// The sign of a piece, a pawn or an empty square, and its style.
fn square_sign(board: &Placement, square: u32, is_light: bool, theme: Theme, style: Style) -> (char, Style) {
    let bit = 1u64 << square;
    let role = Role::ALL.into_iter().zip(board.roles).find(|(_, units)| units & bit != 0);
    let Some((role, _)) = role else {
        let is_dotted = !theme.has_colours() && !is_light;
        return (if is_dotted { theme.dot().chars().next().unwrap_or('.') } else { ' ' }, style);
    };
    let color = if board.colors[0] & bit != 0 { Color::White } else { Color::Black };
    (unit_sign(role, color, theme), style.add_modifier(Modifier::BOLD))
}

/// The sign of a piece or pawn.
fn unit_sign(role: Role, color: Color, theme: Theme) -> char {
    match (theme.has_piece_signs(), color) {
        (false, Color::White) => role.upper_char(),
        (false, Color::Black) => role.char(),
        (true, _) => {
            let signs = ['♚', '♛', '♜', '♝', '♞', '♟', '♔', '♕', '♖', '♗', '♘', '♙'];
            signs[usize::from(Role::King) - usize::from(role) + if color.is_white() { 6 } else { 0 }]
        }
    }
}

/// Squares that are marked: the move shown and the played one, or the last move before the leaf.
struct Marks {
    shown: Option<[u32; 2]>,
    played: Option<[u32; 2]>,
    /// The move of the opponent that led to the position.
    last: Option<[u32; 2]>,
}

impl Marks {
    fn new(app: &App, analysis: &Analysis) -> Marks {
        let shown = &analysis.moves[app.browser.move_index(analysis)];
        match app.browser.board {
            ShownBoard::Leaf => {
                Marks { shown: shown.leaf.last.map(|(from, to)| [from, to]), played: None, last: None }
            }
            ShownBoard::Root => {
                let squares = |mv: crate::position::CompactMove| [mv.origin(), mv.target()];
                let last = app.browser.score_sheet().last.map(|(from, to)| [from, to]);
                Marks { shown: Some(squares(shown.mv)), played: Some(squares(analysis.played().mv)), last }
            }
        }
    }

    fn signs(&self, square: u32) -> Option<[&'static str; 2]> {
        let holds = |squares: Option<[u32; 2]>| squares.is_some_and(|squares| squares.contains(&square));
        let marks = [(self.shown, SHOWN), (self.played, PLAYED), (self.last, LAST)];
        marks.into_iter().find(|(squares, _)| holds(*squares)).map(|(_, signs)| signs)
    }
}
