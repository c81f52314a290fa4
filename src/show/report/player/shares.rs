//! How often something is so among the choices of some games: moves that lose half a pawn at once, and moves
//! that are worse in a term than the preferred one.
//!
//! The shares of the winners of all built-in games are in `winners.csv`, because to search their positions takes
//! minutes. A test writes them and checks what they were made with.

use std::collections::BTreeMap;

use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position};

use crate::{feature::Weights, game::GameHead, par, phase::PhaseScheme, search::Settings};

/// The shares of the winners of all built-in games under `params/best.par`, after a line with the digest of these
/// weights.
const WINNERS: &str = include_str!("winners.csv");

/// The shares by their names: the keys of terms, and words for groups of moves.
pub type Shares = BTreeMap<&'static str, Share>;

/// The share of positions in which something is so.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    /// Positions in which it is so.
    pub yes: f64,
    /// Positions that are counted.
    pub positions: f64,
    pub games: usize,
    /// Standard error of the share.
    pub error: f64,
}

impl Share {
    /// From the positions in which it is so, and all that are counted, of each game. The error counts games as
    /// one observation each, and is at least that of the share with one more position on either side: where
    /// all positions are the same, chance is not gone.
    pub fn of(games: &[[f64; 2]]) -> Share {
        let [yes, positions] = [0, 1].map(|at| games.iter().map(|game| game[at]).sum::<f64>());
        let share = yes / positions.max(1.0);
        let squares: f64 = games.iter().map(|[yes, all]| (yes - share * all).powi(2)).sum();
        let count = games.len() as f64;
        let clustered = (squares * count / (count - 1.0).max(1.0)).sqrt() / positions.max(1.0);
        let near = (yes + 1.0) / (positions + 2.0);
        let least = (near * (1.0 - near) / positions.max(1.0)).sqrt();
        Share { yes, positions, games: games.len(), error: clustered.max(least) }
    }

    /// The share itself.
    pub fn value(self) -> f64 {
        self.yes / self.positions.max(1.0)
    }

    /// The share in per cent with its error.
    pub fn text(self, decimals: usize) -> String {
        format!("{:.decimals$} % \u{b1} {:.decimals$}", 100.0 * self.value(), 100.0 * self.error)
    }
}

/// Counts positions, by name and game.
#[derive(Default)]
pub(super) struct Counter(BTreeMap<&'static str, BTreeMap<u32, [f64; 2]>>);

impl Counter {
    pub fn count(&mut self, name: &'static str, game: u32, is_so: bool) {
        let [yes, all] = self.0.entry(name).or_default().entry(game).or_default();
        *yes += f64::from(u8::from(is_so));
        *all += 1.0;
    }

    pub fn shares(self) -> Shares {
        let share = |games: BTreeMap<u32, [f64; 2]>| Share::of(&games.into_values().collect::<Vec<_>>());
        self.0.into_iter().map(|(name, games)| (name, share(games))).collect()
    }
}

/// The groups that a move is counted in, besides `all`: the colour, the phase by the pieces on the board, and
/// the result for the player.
pub(super) fn groups(position: &Chess, game: &GameHead) -> impl Iterator<Item = &'static str> {
    let board = position.board();
    let pieces = [board.knights(), board.bishops(), board.rooks(), board.queens()];
    let phase = PhaseScheme::Fruit.phase(pieces.map(|squares| squares.count() as u32));
    let result = match game.result {
        Outcome::Known(KnownOutcome::Decisive { winner }) if winner == game.chooser => Some("won"),
        Outcome::Known(KnownOutcome::Decisive { .. }) => Some("lost"),
        Outcome::Known(KnownOutcome::Draw) => Some("drawn"),
        Outcome::Unknown => None,
    };
    let phase = ["opening", "middlegame", "endgame"][usize::from(phase) * 3 / 257];
    ["all", if game.chooser == Color::White { "White" } else { "Black" }, phase].into_iter().chain(result)
}

/// The shares of the winners of all built-in games, if they were counted under these weights and as deep.
pub fn of_winners(weights: &Weights, search: Settings) -> Option<Shares> {
    let digest = par::digest_of_values(weights);
    let rows = WINNERS.strip_prefix(&*digest)?;
    (search == Settings::default()).then(|| rows.lines().filter_map(share_of_row).collect())
}

fn share_of_row(row: &'static str) -> Option<(&'static str, Share)> {
    let mut cells = row.split(',');
    let name = cells.next()?;
    let mut number = || cells.next()?.parse::<f64>().ok();
    let [yes, positions, games, error] = [number()?, number()?, number()?, number()?];
    Some((name, Share { yes, positions, games: games as usize, error }))
}

#[cfg(test)]
mod tests {
    use super::{super::Choices, *};
    use crate::{
        feature::Key,
        game::{self, GameOptions},
        sample::Sampling,
        show::report::positions::ComparisonObserver,
    };

    /// All moves, two colours, three phases, and games won.
    const GROUPS: usize = 7;

    struct Patient;

    impl ComparisonObserver for Patient {
        fn begins(&self, _: usize, _: usize) {}

        fn searched(&self) -> bool {
            true
        }
    }

    /// The table of the winners, from every `every`-th position.
    fn table(weights: &Weights, every: usize) -> String {
        let games = game::load("games/gm1988.pgn", &GameOptions::default(), every, &mut |_| {}).unwrap();
        let sampling = Sampling::default();
        let choices = Choices::measure(&games, weights, &sampling, 0, &Patient).unwrap();
        let row = |(name, share): (&&str, &Share)| {
            let Share { yes, positions, games, error } = share;
            format!("{name},{yes},{positions},{games},{error:.6}\n")
        };
        let rows: String = choices.shares().iter().map(row).collect();
        format!("{}\nname,yes,positions,games,error\n{rows}", par::digest_of_values(weights))
    }

    #[test]
    fn the_shares_of_the_winners_are_those_of_the_shipped_games_terms_and_weights() {
        let weights = par::read("params/best.par").unwrap().weights;
        if std::env::var_os("UPDATE_WINNERS").is_some() {
            std::fs::write("src/show/report/player/winners.csv", table(&weights, 1)).unwrap();
            return;
        }
        let all = of_winners(&weights, Settings::default()).expect("the weights are those of the table");
        let terms = Key::ALL.iter().filter(|key| all.contains_key(key.feature().key)).count();
        assert_eq!(all.len() - terms, ["preferred", "compared"].len() + GROUPS, "a name is of no term");
        // Counts of some of the positions are at most those of all.
        let some = table(&weights, 1500);
        for (name, share) in some.lines().filter_map(|row| share_of_row(row.to_string().leak())) {
            let Share { yes, positions, games, .. } = all[name];
            assert!(share.yes <= yes && share.positions - share.yes <= positions - yes, "{name}");
            assert!(share.games <= games, "{name}");
        }
    }
}
