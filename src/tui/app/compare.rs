//! Two sets of weights side by side, with their agreement on the game shown.

use super::{App, Effect, Page, Purpose};
use crate::{
    error::Result,
    feature::{Key, Mode, Weights},
};

/// Agreement on the positions of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions with a choice.
    pub positions: usize,
    pub matched: usize,
    /// Sum of the moves above the played one.
    pub ahead: usize,
}

/// What the comparison found.
#[derive(Debug)]
pub struct Comparison {
    /// The name of the other set.
    pub path: String,
    pub other: Weights,
    /// The positions compared on, as indices of the game.
    pub game: String,
    /// Agreement of the present and of the other set.
    pub tallies: [Tally; 2],
    /// Positions that the one set alone matches, and the other alone.
    pub only: [usize; 2],
}

impl App {
    pub(super) fn compared(&mut self, path: &str, result: Result<Box<Comparison>>) -> Vec<Effect> {
        match result {
            Ok(mut comparison) => {
                let game = self.library.head(self.library.game_of(self.at));
                comparison.game = format!("game {}: {} - {}", game.number, game.white, game.black);
                self.comparison = Some(*comparison);
                self.page = Page::Compare { top: 0 };
                self.notice = None;
            }
            Err(error) => self.ask_again(Purpose::Compare, path, &error.to_string()),
        }
        Vec::new()
    }
}

/// The parameters in which two sets differ, each with its cell where cells are free in either: name, weights
/// of the one, weights of the other.
pub(in crate::tui) fn differences(one: &Weights, other: &Weights) -> Vec<(String, [f64; 2], [f64; 2])> {
    let mut all = Vec::new();
    for &key in Key::ALL {
        let (a, b) = (one.setting(key), other.setting(key));
        if a.mode == b.mode && matches!(a.mode, Mode::Scalar | Mode::Gradient) {
            all.push((key.feature().key.to_string(), [a.open[0], a.end[0]], [b.open[0], b.end[0]]));
            continue;
        }
        for index in 0..key.feature().layout.cells() {
            let cell = key.cell_at(index);
            all.push((crate::feature::cell_name(cell), one.of_cell(cell), other.of_cell(cell)));
        }
    }
    all.retain(|(_, a, b)| a != b);
    all
}
