//! Draws the state. Reads only: the same state on the same size gives the same screen.
//!
//! From the size of `layout::whole` on, everything is on one screen: board, game, moves and deciding terms
//! above, all parameters below. A smaller terminal has pages. Each file draws one part into the area it is
//! given.

mod account;
mod board;
mod cells;
mod deciding;
mod foot;
mod game;
mod games;
mod help;
mod moves;
mod number;
mod pages;
mod pen;
mod run;
mod terms;
mod trial;

use ratatui::{buffer::Buffer, layout::Rect};

use self::{board::Size, pen::Pen};
pub use self::{foot::tour_text, run::reading};
use super::{
    app::{App, Event, Page},
    keys::{KeyCode, KeyEvent, MouseAction, MouseEvent, Target},
    layout::{self, List},
};

pub fn draw(buffer: &mut Buffer, app: &App) {
    let area = buffer.area;
    everything(&mut Pen::new(buffer, app.display.theme), app, area);
}

/// The event that a mouse stands for: a key, or a move or parameter that is chosen.
pub fn meaning_of(app: &App, mouse: MouseEvent) -> Option<Event> {
    let (width, height) = app.display.size;
    let area = Rect { x: 0, y: 0, width, height };
    let mut buffer = Buffer::empty(area);
    let mut pen = Pen::new(&mut buffer, app.display.theme);
    everything(&mut pen, app, area);
    let target = pen.target_at((mouse.column, mouse.line));
    let is_over_moves = app.page == Page::Main && matches!(target, Some(Target::Move(_)));
    let code = match (mouse.does, is_over_moves) {
        (MouseAction::Click, _) => return target.map(Event::Chosen),
        (MouseAction::WheelUp, true) => KeyCode::Backspace,
        (MouseAction::WheelDown, true) => KeyCode::Char(' '),
        (MouseAction::WheelUp, false) => KeyCode::Up,
        (MouseAction::WheelDown, false) => KeyCode::Down,
    };
    Some(Event::Key(KeyEvent::plain(code)))
}

fn everything(pen: &mut Pen, app: &App, area: Rect) {
    let (least_width, least_height) = layout::SMALLEST;
    if area.width < least_width || area.height < least_height {
        let needed = format!(
            "texam needs {least_width} x {least_height}, and this is {} x {}",
            area.width, area.height
        );
        pen.text(0, 0, &needed, app.display.theme.plain());
        return;
    }
    title(pen, app, area.width);
    let body = body(area);
    match app.page {
        Page::Main => main(pen, app, body),
        Page::Help => help::draw(pen, app, body),
        Page::Moves => moves::page(pen, app, body),
        Page::Games => games::draw(pen, app, body),
        Page::Cells { cell } => cells::draw(pen, app, body, cell),
        Page::Options { line } => pages::options(pen, app, body, line),
        Page::Run { part, top } => run::draw(pen, app, body, part, top),
        Page::Trial => trial::draw(pen, app, body),
    }
    foot::draw(pen, app, area);
}

/// The area between the title and the last two lines.
fn body(area: Rect) -> Rect {
    Rect { x: 0, y: 1, width: area.width, height: area.height.saturating_sub(3) }
}

/// The list on the open page, as it is drawn on the screen of this size; empty where the page has none. The
/// event loop gives it to the state.
pub fn list(app: &App) -> List {
    let (width, height) = app.display.size;
    if width < layout::SMALLEST.0 || height < layout::SMALLEST.1 {
        return List::default();
    }
    let body = body(Rect { x: 0, y: 0, width, height });
    match app.page {
        Page::Help => {
            let of = |finder| help::list(finder, body, app.display.theme);
            app.finder.as_ref().map_or_else(List::default, of)
        }
        Page::Run { part, .. } => run::list(app, body, part),
        Page::Options { .. } => pages::all_options(app, body),
        Page::Moves => moves::page_list(app, body),
        Page::Games => app.finder.as_ref().map_or_else(List::default, |finder| games::list(finder, body)),
        Page::Main | Page::Cells { .. } | Page::Trial => List::default(),
    }
}

fn title(pen: &mut Pen, app: &App, width: u16) {
    let theme = app.display.theme;
    pen.fill(Rect { x: 0, y: 0, width, height: 1 }, theme.bar_style());
    let library = app.browser.games();
    let changed = if app.editor.is_unsaved() { " (not saved)" } else { "" };
    let right = format!("weights {}{changed} ", app.editor.source());
    let origin = match (app.display.is_1988, library.collection.is_built_in) {
        (true, _) => "  a guess at the screen of 1988",
        (false, true) => " (built in)",
        (false, false) => "",
    };
    let left = format!(" texam  {}{origin}", app.options.setup.spec.games);
    let end = pen.text(0, 0, &left, theme.bar_style());
    let games = number::games(library.collection.games.len());
    let counts = format!("  {games}, {} positions", library.collection.positions.len());
    // Whether the weights are saved is more important than the counts.
    let is_wide = usize::from(end) + counts.len() + LONGEST_PAGE + right.chars().count() < usize::from(width);
    let end = if is_wide { pen.text(end, 0, &counts, theme.bar_style()) } else { end };
    let grid = app.grid();
    let page = match grid.pages {
        0 => String::new(),
        _ if app.page != Page::Main => String::new(),
        pages => format!("  page {} of {}", app.display.main_page + 1, pages + 1),
    };
    let end = pen.text(end, 0, &page, theme.bar_style());
    let room = usize::from(width.saturating_sub(end + 2));
    pen.right(width, 0, &number::cut(&right, room, theme), theme.bar_style());
}

/// Columns of the number of the page, with the blanks around it.
const LONGEST_PAGE: usize = 18;

/// Lines of the small board with its files: the least height of the band above the parameters.
const BOARD_LINES: u16 = 9;

/// Columns from which there is room for the large board, if there are lines for it.
const ROOM_FOR_BOARD: u16 = 170;

fn main(pen: &mut Pen, app: &App, body: Rect) {
    let grid = app.grid();
    let meaning = body.bottom() - 1;
    if grid.pages == 0 {
        let growth = body.height - (layout::whole().1 - 3);
        let band = Rect { height: BOARD_LINES + growth, ..body };
        top(pen, app, band);
        game::line(pen, app, band.bottom(), body.width);
        let rest = band.bottom() + 1;
        terms::grid(pen, app, Rect { y: rest, height: meaning - rest, ..body }, &grid.columns, grid.across);
        terms::meaning(pen, app, meaning, body.width);
    } else if app.display.main_page == 0 {
        small(pen, app, body);
    } else {
        let area = Rect { height: body.height - 1, ..body };
        terms::grid(pen, app, area, grid.page(app.display.main_page - 1), grid.across);
        terms::meaning(pen, app, meaning, body.width);
    }
    foot::progress(pen, app, meaning, body.width);
}

/// Columns of the small board with its margins.
const BOARD_WIDTH: u16 = 29;

/// Draws board, game, moves and deciding terms side by side.
fn top(pen: &mut Pen, app: &App, band: Rect) {
    let is_large = band.width >= ROOM_FOR_BOARD && band.height >= Size::LARGE.board_size().1;
    let size = if is_large { Size::LARGE } else { Size::SMALL };
    board::draw(pen, app, band.x + 1, band.y, size);
    let (columns, _) = size.board_size();
    let spare = band.width + BOARD_WIDTH - 3 - layout::whole().0 - columns;
    let game_width = 38 + spare / 8;
    let moves_width = 28 + spare * 3 / 7;
    if app.display.is_1988 {
        return game::draw(pen, app, Rect { x: columns + 3, width: band.width - columns - 4, ..band });
    }
    let game = Rect { x: columns + 3, width: game_width, ..band };
    let moves = Rect { x: game.right() + 1, width: moves_width, ..band };
    let panel = Rect { x: moves.right() + 1, width: band.width - moves.right() - 1, ..band };
    game::draw(pen, app, game);
    moves::list(pen, app, moves);
    deciding::draw(pen, app, panel);
}

/// Draws the first page of a small screen: the parameters are on other pages.
fn small(pen: &mut Pen, app: &App, body: Rect) {
    board::draw(pen, app, body.x + 1, body.y, Size::SMALL);
    let game = Rect { x: BOARD_WIDTH, width: body.width - BOARD_WIDTH, height: BOARD_LINES, ..body };
    game::draw(pen, app, game);
    game::line(pen, app, body.y + BOARD_LINES, body.width);
    let below = Rect { y: body.y + BOARD_LINES + 1, height: body.height - BOARD_LINES - 2, ..body };
    let left = Rect { width: body.width / 2 - 3, ..below };
    moves::list(pen, app, left);
    deciding::draw(pen, app, Rect { x: left.right() + 1, width: body.width - left.width - 1, ..below });
}

#[cfg(test)]
mod tests;
