//! Openings of matches: balanced positions from games.
//!
//! Positions are taken from games after a fixed number of plies, each position once, and only if a short
//! search with the start weights scores it as balanced. Those after the smallest number of plies come first;
//! the others are later positions of the same games, for long matches.

use std::collections::HashSet;

use rayon::prelude::*;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError, Setup, fen::Epd, fen::Fen,
};

use crate::engine::{GameState, Limits, Score, Searcher};
use texam_chess::{
    error::{Error, Result},
    feature::Weights,
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
    with_counters_reset(position.to_setup(EnPassantMode::Legal)).ok()
}

/// The position with its move counters reset, since an EPD has none.
fn with_counters_reset(mut setup: Setup) -> Result<Chess> {
    (setup.halfmoves, setup.fullmoves) = (0, std::num::NonZeroU32::MIN);
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| Error::expected("a legal position", error))
}

/// The four fields of an EPD: pieces and pawns, side to move, castling rights and en passant square.
pub fn epd(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// The positions of an EPD file, one on each line. Only the first four fields are read. Empty lines, lines
/// that start with `#` and duplicates are skipped.
///
/// # Errors
///
/// Names the first line that is not a legal position with a legal move.
pub fn parse_epd(text: &str) -> Result<Vec<Chess>> {
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let fields: Vec<_> = line.split_whitespace().take(4).collect();
        if fields.is_empty() || fields[0].starts_with('#') {
            continue;
        }
        let position = parse_line(&fields.join(" ")).map_err(|error| error.at_line(number + 1))?;
        if seen.insert(epd(&position)) {
            positions.push(position);
        }
    }
    Ok(positions)
}

fn parse_line(text: &str) -> Result<Chess> {
    let error_because = |why: &dyn std::fmt::Display| {
        Error::expected("a position in EPD in which a move can be made", format!("{text:?} ({why})"))
    };
    let fen: Fen = text.parse().map_err(|error| error_because(&error))?;
    let position = with_counters_reset(fen.into_setup()).map_err(|error| error_because(&error))?;
    match position.legal_moves().is_empty() {
        true => Err(error_because(&"no legal move")),
        false => Ok(position),
    }
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
        let positions = parse_epd(EPD).unwrap();
        assert_eq!(positions.len(), 3);
        assert_eq!(positions[0], Chess::default());
        assert_eq!(positions[2].halfmoves(), 0);
        let text: String = positions.iter().map(|position| epd(position) + "\n").collect();
        assert_eq!(parse_epd(&text).unwrap(), positions);
    }

    #[test]
    fn a_line_that_is_no_position_is_named() {
        for line in ["nonsense", "8/8/8/8/8/8/8/8 w - -", "7k/5Q2/6K1/8/8/8/8/8 b - -"] {
            let error = parse_epd(&format!("{EPD}{line}\n")).unwrap_err().to_string();
            assert!(error.contains("line 7") && error.contains("EPD"), "{error}");
        }
    }

    #[test]
    fn one_sided_positions_are_left_out_and_the_order_kept() {
        let positions = parse_epd(EPD).unwrap();
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
