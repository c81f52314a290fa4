//! The list of games: number, players, year, result and first moves, and the event where there is room.

use ratatui::layout::Rect;

use super::{number, pages, pen::Pen};
use crate::{
    game::GameHead,
    screen::{
        app::{App, Finder},
        keys::Target,
        layout::List,
        theme::Theme,
    },
};

/// Columns from which there is room for the event.
const ROOM_FOR_EVENT: u16 = 110;

/// Columns of an event.
const EVENT: usize = 24;

/// Columns of number, year and result with the blanks behind them.
const FIXED: usize = 8 + 6 + 5;

/// Plies that the line of a game may have room for.
const OPENING: usize = 30;

/// Draws the games that match what is typed.
pub fn draw(pen: &mut Pen, app: &App, body: Rect) {
    let Some(finder) = app.finder.as_ref() else { return };
    let theme = pen.theme;
    let library = &app.browser.library;
    let title = format!("Games: {} of {} match", finder.found.len(), library.games());
    pen.within(1, body.y, body.width - 2, &title, theme.title());
    let columns = Columns::new(body.width);
    let head = columns.row(["game", "White", "Black", "year", "", "event", "moves"], theme);
    pen.within(1, body.y + 1, body.width - 2, &head, theme.title());
    let list = list(finder, body);
    let top = list.top_around(finder.chosen.unwrap_or(0));
    for (at, &game) in finder.found.iter().enumerate().skip(top).take(list.height) {
        let style = if finder.chosen == Some(at) { theme.chosen() } else { theme.plain() };
        let text = columns.game(library.head(game), theme);
        let y = body.y + 2 + (at - top) as u16;
        pen.within(1, y, body.width - 2, &text, style);
        pen.target(Rect { y, height: 1, ..body }, Target::Line(at));
    }
    if finder.found.is_empty() {
        let text = "no game: words are those of players, event, year and result, all of one game";
        pen.within(1, body.y + 2, body.width - 2, text, theme.plain());
    }
    pages::draw_more(pen, body, list.hidden(top), theme);
}

/// The games that match, below title and heads.
pub fn list(finder: &Finder, body: Rect) -> List {
    List::new(finder.found.len(), usize::from(body.height).saturating_sub(3))
}

/// The widths of the columns that depend on the screen.
struct Columns {
    player: usize,
    event: usize,
    moves: usize,
}

impl Columns {
    fn new(width: u16) -> Columns {
        let event = if width < ROOM_FOR_EVENT { 0 } else { EVENT + 2 };
        let room = usize::from(width).saturating_sub(2 + FIXED + event);
        let player = (room / 3).clamp(8, 24);
        Columns { player, event, moves: room.saturating_sub(2 * (player + 2)) }
    }

    fn row(&self, [number, white, black, year, result, event, moves]: [&str; 7], theme: Theme) -> String {
        let Columns { player, event: event_width, .. } = *self;
        let [white, black] = [white, black].map(|name| number::cut(name, player, theme));
        let event = number::cut(event, event_width.saturating_sub(2), theme);
        format!(
            "{number:>6}  {white:<player$}  {black:<player$}  {year:<4}  {result:<3}  {event:<event_width$}{moves}"
        )
    }

    fn game(&self, head: &GameHead, theme: Theme) -> String {
        let year = head.year().unwrap_or("?");
        let moves = self.moves_that_fit(head);
        let number = head.number.to_string();
        self.row(
            [&number, &head.white, &head.black, year, &head.result.to_string(), &head.event, &moves],
            theme,
        )
    }

    /// The first moves of a game, none of them cut.
    fn moves_that_fit(&self, head: &GameHead) -> String {
        let mut text = String::new();
        for mv in head.opening(OPENING) {
            if text.len() + mv.len() + 1 > self.moves {
                break;
            }
            text += &mv;
            text.push(' ');
        }
        text
    }
}
