//! Openings of matches: balanced positions from games.
//!
//! Positions are taken from games after a fixed number of plies, each position once, and only if a short
//! search with the start weights scores it as balanced. Those after the smallest number of plies come first;
//! the others are later positions of the same games, for long matches.

use std::collections::HashSet;

use rayon::prelude::*;
use shakmaty::{Chess, EnPassantMode, Position, fen::Epd};

use crate::engine::{GameState, Limits, Score, Searcher};
use texam_chess::{
    error::{Error, Result},
    feature::Weights,
    fen,
    game::Moves,
    phase::{PhaseAt, PhaseScheme},
    position::{Evaluation, SplitMix64},
};

/// Numbers of plies after which positions are taken from a game.
pub const PLIES: [usize; 3] = [16, 22, 28];

/// Largest absolute score of a balanced position, in units of 1/128 pawn: half a pawn. Hand-set.
const BALANCED: Score = 64;

/// Nodes of the search that decides whether a position is balanced. Hand-set.
const NODES: u64 = 2_000;

/// Positions searched at a time, so that the search can stop soon after enough have been found.
const BATCH: usize = 64;

/// Positions of the games after each of [`PLIES`] plies, without duplicates.
pub fn candidates(games: &[Moves]) -> Vec<Chess> {
    let mut seen = HashSet::new();
    let positions = PLIES.iter().flat_map(|&plies| games.iter().filter_map(move |game| after(game, plies)));
    positions.filter(|position| seen.insert(epd(position))).collect()
}

/// The position of a game after a number of plies; none if the game ended before or there. Of a line as short
/// as those of books it is the last one.
fn after(game: &Moves, plies: usize) -> Option<Chess> {
    let plies = match game.moves.len() {
        0 => return None,
        length if length <= PLIES[0] => length,
        length if length <= plies => return None,
        _ => plies,
    };
    let mut position = game.start.clone();
    game.moves[..plies].iter().for_each(|&mv| position.play_unchecked(mv));
    // Its move counters are those of the start, since an EPD has none.
    fen::parse(&epd(&position)).ok()
}

/// The four fields of an EPD: pieces and pawns, side to move, castling rights and en passant square.
pub fn epd(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// The positions of an EPD file, one on each line. Only the first four fields are read. Titles, empty lines,
/// lines that start with `#` and duplicates are skipped. The first line with castling rights that cannot be goes to
/// `warn`.
///
/// # Errors
///
/// Names the first line that is not a legal position with a legal move.
pub fn parse_epd(text: &str, warn: &mut dyn FnMut(&Error)) -> Result<Vec<Chess>> {
    let (mut seen, mut positions, mut warned) = (HashSet::new(), Vec::new(), false);
    for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line.trim())) {
        let are_titles = number == 1 && !line.contains('/');
        if line.is_empty() || line.starts_with('#') || are_titles {
            continue;
        }
        let mut fields = fen::split(line).0;
        fields.truncate(4);
        let fields = fields.join(" ");
        let position = fen::parse_warning(&fields, &mut |note| {
            if !std::mem::replace(&mut warned, true) {
                warn(&Error::new(note).at_line(number));
            }
        });
        let position = position.map_err(|error| error.at_line(number))?;
        if position.legal_moves().is_empty() {
            let found = format!("{fields:?}, which has none");
            return Err(Error::expected("a position with a legal move", found).at_line(number));
        }
        if seen.insert(epd(&position)) {
            positions.push(position);
        }
    }
    Ok(positions)
}

/// The positions in a random order given by the seed.
pub fn shuffled(mut positions: Vec<Chess>, seed: u64) -> Vec<Chess> {
    let mut random = SplitMix64(seed);
    // The shuffle of Fisher and Yates, from the end.
    for end in (1..positions.len()).rev() {
        positions.swap(end, random.below(end + 1));
    }
    positions
}

/// The first `wanted` balanced positions in their order, or all if there are fewer. Positions are searched in
/// batches on all threads of the pool, until enough have been found.
pub fn balanced(positions: Vec<Chess>, wanted: usize) -> Vec<Chess> {
    let weights = Weights::start().quantised();
    let evaluation = Evaluation::new(&weights, PhaseScheme::Fruit, PhaseAt::Leaf);
    let mut found = Vec::new();
    for batch in positions.chunks(BATCH) {
        if found.len() >= wanted {
            break;
        }
        let is_balanced: Vec<bool> =
            batch.par_iter().map_init(|| Searcher::new(&evaluation, 1), is_balanced).collect();
        found.extend(batch.iter().zip(is_balanced).filter(|(_, balanced)| *balanced).map(|(p, _)| p.clone()));
    }
    found.truncate(wanted);
    found
}

fn is_balanced(searcher: &mut Searcher, position: &Chess) -> bool {
    searcher.new_game();
    let result = searcher.think(&GameState::new(position.clone()), &Limits::nodes(NODES), &mut |_| {});
    result.best_move().is_some() && result.score.abs() <= BALANCED
}

#[cfg(test)]
mod tests {
    use super::*;

    const EPD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
        # a remark\n\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 3;\n\
        4k3/8/8/8/8/8/8/QQQQK3 w - - 5 40\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 9 9\n";

    #[test]
    fn positions_come_back_from_a_file_once_each_with_their_counters_at_the_start() {
        let positions = parse_epd(EPD, &mut |_| {}).unwrap();
        assert_eq!(parse_epd(&format!("fen,score\n{EPD}"), &mut |_| {}).unwrap(), positions);
        assert_eq!(positions.len(), 3);
        assert_eq!(positions[0], Chess::default());
        assert_eq!(positions[2].halfmoves(), 0);
        let text: String = positions.iter().map(|position| epd(position) + "\n").collect();
        assert_eq!(parse_epd(&text, &mut |_| {}).unwrap(), positions);
    }

    #[test]
    fn a_line_that_is_no_position_is_named() {
        for line in ["nonsense", "8/8/8/8/8/8/8/8 w - -", "7k/5Q2/6K1/8/8/8/8/8 b - -"] {
            let error = parse_epd(&format!("{EPD}{line}\n"), &mut |_| {}).unwrap_err().to_string();
            assert!(error.contains("line 7: expected a "), "{error}");
        }
    }

    #[test]
    fn one_sided_positions_are_left_out_and_the_order_kept() {
        let positions = parse_epd(EPD, &mut |_| {}).unwrap();
        assert_eq!(balanced(positions.clone(), 10), positions[..2]);
        assert_eq!(balanced(positions.clone(), 1), positions[..1]);
    }

    #[test]
    fn the_seed_decides_the_order_and_nothing_is_lost() {
        let mut start = Chess::default();
        let positions: Vec<Chess> = (0..20)
            .map(|n| {
                let moves = start.legal_moves();
                start.play_unchecked(moves[n % moves.len()]);
                start.clone()
            })
            .collect();
        let [first, second] = [1, 2].map(|seed| shuffled(positions.clone(), seed));
        assert_eq!(first, shuffled(positions.clone(), 1));
        assert_ne!(first, second);
        let sorted = |positions: &[Chess]| {
            let mut names: Vec<_> = positions.iter().map(epd).collect();
            names.sort();
            names
        };
        assert_eq!(sorted(&first), sorted(&positions));
    }
}
