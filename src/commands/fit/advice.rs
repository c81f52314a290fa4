//! What there is to say about games, moves and weights, in the words of chess.

use texam_fit::{Fit, Suspicion};

/// So many positions are of more than one game.
const MANY: u64 = 20;

/// What is to be said if all of many positions are of one game.
pub fn one_game(games: u64, positions: u64) -> Option<String> {
    let why = "so none can be held out: name the game of each with game: in its remark";
    (games == 1 && positions >= MANY).then(|| format!("all {positions} positions are of one game, {why}"))
}

/// That of games numbered up to fewer than `every` none is held out.
pub fn none_held_out(every: u32) -> String {
    format!("none is held out, because no game has a number that is a multiple of {every}")
}

/// What a start that does best at the highest temperature says about labels.
pub const LABELS_BY_CHANCE: &str =
    "labels   the start predicts these results no better than by chance: are they from the view of White?\n";

/// How many weights a fit has found, beside the games that it has found them by.
pub fn effective(fit: &Fit, games: &str) -> String {
    format!("{} fitted, with the ridge an effective number of {:.1}, by {games}", fit.solved, fit.effective)
}

/// What rows of labelled positions do not show.
pub const QUIET_IS_UNSEEN: &str =
    "rows do not show whether their positions are quiet, and a fit of others loses Elo";

pub fn suspicion(suspicion: Suspicion) -> String {
    String::from(match suspicion {
        Suspicion::AllTied => {
            "all moves of a position have the same value: are the counts those after the move?"
        }
        Suspicion::ByChance => {
            "the played moves rank no better than by chance: are the counts those after the move, seen by the side that moves?"
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_positions_are_not_of_one_game() {
        assert!(one_game(1, 20).unwrap().starts_with("all 20 positions are of one game"));
        assert_eq!([one_game(1, 19), one_game(2, 1000)], [None, None]);
    }
}
