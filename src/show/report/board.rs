//! Diagram of a position in SVG, seen from either side, with arrows for moves.
//!
//! The drawing uses the symbols of [`pieces`](super::pieces) and the classes of the page's style sheet.

use std::fmt::Write;

use shakmaty::{Chess, Color, Move, Position};

use super::pieces;
use crate::position::CompactMove;

/// Side of a square, in units of the drawing.
const SQUARE: f64 = 45.0;

/// Room for the names of the ranks at the left, and for those of the files below.
const MARGIN: f64 = 16.0;

/// Meaning of an arrow; its name is its class in the style sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Mark {
    Played,
    /// The best move under the weights of the start.
    Before,
    /// The best move under the weights of the pass.
    After,
    /// The best move under both sets of weights.
    Both,
}

/// Draws a position with arrows, with the side `below` at the foot; later arrows cover earlier ones. `label` is the text for screen readers and
/// must not contain markup.
pub(crate) fn diagram(position: &Chess, below: Color, arrows: &[(Move, Mark)], label: &str) -> String {
    let side = MARGIN + 8.0 * SQUARE;
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"{label}\">\n\
         <use href=\"#squares\" x=\"{MARGIN}\" width=\"360\" height=\"360\"/>\n"
    );
    write(&mut svg, position, below, arrows).expect("writing to a string does not fail");
    svg + "</svg>"
}

fn write(svg: &mut String, position: &Chess, below: Color, arrows: &[(Move, Mark)]) -> std::fmt::Result {
    for &(mv, _) in arrows.iter().filter(|(_, mark)| *mark == Mark::Played) {
        for square in ends(mv) {
            let (x, y) = corner(square, below);
            writeln!(
                svg,
                "<rect class=\"lit\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>"
            )?;
        }
    }
    for (square, piece) in position.board() {
        let (x, y) = corner(square.into(), below);
        let (colour, name) =
            (if piece.color.is_white() { "white" } else { "black" }, pieces::name(piece.role));
        writeln!(
            svg,
            "<use class=\"{colour}\" href=\"#{name}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>"
        )?;
    }
    for &(mv, mark) in arrows {
        writeln!(svg, "<path class=\"arrow {}\" d=\"{}\"/>", mark, arrow(mv, mark, below))?;
    }
    for index in 0..8u8 {
        let from_white = [b'8' - index, b'a' + index];
        let [rank, file] = below.fold_wb(from_white, [b'1' + index, b'h' - index]).map(char::from);
        let middle = (f64::from(index) + 0.5) * SQUARE;
        writeln!(svg, "<text x=\"7\" y=\"{}\">{rank}</text>", middle + 4.0)?;
        writeln!(svg, "<text x=\"{}\" y=\"{}\">{file}</text>", MARGIN + middle, 8.0 * SQUARE + 13.0)?;
    }
    Ok(())
}

/// Origin and target square; for castling those of the king.
fn ends(mv: Move) -> [u32; 2] {
    let mv = CompactMove::from(mv);
    [mv.origin(), mv.target()]
}

/// The upper left corner of a square.
fn corner(square: u32, below: Color) -> (f64, f64) {
    let square = below.fold_wb(square, 63 - square);
    (MARGIN + f64::from(square % 8) * SQUARE, f64::from(7 - square / 8) * SQUARE)
}

/// The outline of an arrow from near the middle of one square to the middle of another.
fn arrow(mv: Move, mark: Mark, below: Color) -> String {
    let (width, head) = if mark == Mark::Played { (6.0, 15.0) } else { (2.5, 9.0) };
    let [from, to] = ends(mv).map(|square| {
        let (x, y) = corner(square, below);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    });
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = libm::hypot(dx, dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // Distance along the arrow, and to its right.
    let at = |along: f64, aside: f64| {
        format!("{:.1} {:.1}", from.0 + ux * along - uy * aside, from.1 + uy * along + ux * aside)
    };
    let (tail, neck) = (SQUARE * 0.2, length - 1.4 * head);
    let outline = [
        at(tail, -width),
        at(neck, -width),
        at(neck, -head),
        at(length, 0.0),
        at(neck, head),
        at(neck, width),
        at(tail, width),
    ];
    format!("M{}z", outline.join("L"))
}

/// The empty board as a symbol, defined once in the page.
pub(crate) fn squares() -> String {
    let dark = (0..64).filter(|square| (square / 8 + square % 8) % 2 == 1);
    let path: String =
        dark.map(|square| format!("M{} {}h45v45h-45z", square % 8 * 45, square / 8 * 45)).collect();
    format!(
        "<symbol id=\"squares\" viewBox=\"0 0 360 360\"><path class=\"light\" d=\"M0 0h360v360h-360z\"/>\
         <path class=\"dark\" d=\"{path}\"/></symbol>\n"
    )
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn drawn(fen: &str, san: &str, mark: Mark) -> String {
        let position = position(fen);
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        diagram(&position, Color::White, &[(mv, mark)], "a label")
    }

    #[test]
    fn every_man_stands_on_its_square_with_either_side_below() {
        let svg = diagram(&Chess::default(), Color::White, &[], "the start");
        assert_eq!(svg.matches("class=\"white\"").count(), 16);
        assert_eq!(svg.matches("href=\"#man-p\"").count(), 16);
        assert!(svg.contains("<use class=\"white\" href=\"#man-r\" x=\"16\" y=\"315\""), "{svg}");
        assert!(svg.contains("<use class=\"black\" href=\"#man-k\" x=\"196\" y=\"0\""), "{svg}");
        let svg = diagram(&Chess::default(), Color::Black, &[], "the start");
        assert!(svg.contains("<use class=\"black\" href=\"#man-k\" x=\"151\" y=\"315\""), "{svg}");
        assert!(
            svg.contains("<text x=\"7\" y=\"26.5\">1</text>\n<text x=\"38.5\" y=\"373\">h</text>"),
            "{svg}"
        );
    }

    #[test]
    fn an_arrow_points_at_the_middle_of_the_square_it_leads_to() {
        let svg = drawn("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4", Mark::Played);
        assert!(svg.contains("class=\"arrow played\""));
        assert!(svg.contains("L218.5 202.5L"), "{svg}");
        assert_eq!(svg.matches("class=\"lit\"").count(), 2);
    }

    #[test]
    fn castling_is_drawn_as_the_way_of_the_king() {
        let svg = drawn("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", Mark::After);
        assert!(svg.contains(&format!("L{:.1} 337.5L", 16.0 + 6.5 * SQUARE)), "{svg}");
        assert!(!svg.contains("class=\"lit\""));
    }

    #[test]
    fn the_corner_of_the_first_rank_on_the_left_is_dark() {
        assert!(squares().contains("M0 315h45v45h-45z") && !squares().contains("M0 0h45"));
    }
}
