//! The rules of chess that end a game.

use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

use super::outcome::{Outcome, Reason};

/// Half-moves without a capture or pawn move after which a game is drawn.
const FIFTY_MOVES: u32 = 100;

/// Applies the rules to one game.
pub(super) struct Referee {
    /// Hash keys of the positions since the last capture or pawn move, the current one last.
    keys: Vec<Zobrist64>,
}

impl Referee {
    /// A game that begins with this position.
    pub fn new(start: &Chess) -> Referee {
        Referee { keys: vec![key(start)] }
    }

    /// Records the position after a move.
    pub fn record(&mut self, position: &Chess) {
        if position.halfmoves() == 0 {
            self.keys.clear();
        }
        self.keys.push(key(position));
    }

    /// Result of the game, if it has ended. A mate counts before a draw.
    pub fn result(&self, position: &Chess) -> Option<(Outcome, Reason)> {
        if position.legal_moves().is_empty() {
            return Some(match (position.is_check(), position.turn().is_white()) {
                (false, _) => (Outcome::Draw, Reason::Stalemate),
                (true, true) => (Outcome::Black, Reason::Mate),
                (true, false) => (Outcome::White, Reason::Mate),
            });
        }
        let here = self.keys.last();
        let reason = if position.is_insufficient_material() {
            Reason::Material
        } else if self.keys.iter().filter(|&key| Some(key) == here).count() >= 3 {
            Reason::Repetition
        } else if position.halfmoves() >= FIFTY_MOVES {
            Reason::FiftyMoves
        } else {
            return None;
        };
        Some((Outcome::Draw, reason))
    }
}

/// Hash key of a position. An en passant square counts only if the capture is legal, as the laws of chess
/// define repetition.
fn key(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::uci::UciMove;

    /// The verdict after these moves, and that there was none before.
    fn after(fen: &str, moves: &str) -> Option<(Outcome, Reason)> {
        let mut position: Chess = texam_chess::fen::parse(fen).unwrap();
        let mut referee = Referee::new(&position);
        for uci in moves.split_whitespace() {
            assert_eq!(referee.result(&position), None, "before {uci}");
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            referee.record(&position);
        }
        referee.result(&position)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_position_that_occurs_for_the_third_time_is_a_draw() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8";
        assert_eq!(after(START, there_and_back), None);
        let twice = format!("{there_and_back} {there_and_back}");
        assert_eq!(after(START, &twice), Some((Outcome::Draw, Reason::Repetition)));
    }

    #[test]
    fn a_right_to_castle_that_is_lost_makes_another_position() {
        let fen = "4k3/8/8/8/8/8/p7/4K2R w K - 0 1";
        assert_eq!(after(fen, "h1g1 e8e7 g1h1 e7e8 h1g1 e8e7 g1h1 e7e8"), None);
    }

    #[test]
    fn en_passant_counts_only_where_the_capture_is_legal() {
        // After a2a4 the pawn on b4 may take on a3 in the first; in the second it is pinned to its king. The
        // first of the three positions is another one if the capture is possible.
        let moves = "a2a4 h8g6 h1g1 g6h8 g1h1 h8g6 h1g1 g6h8 g1h1";
        assert_eq!(after("1k5n/8/8/8/1p6/8/P7/2R4K w - - 0 1", moves), None);
        let drawn = Some((Outcome::Draw, Reason::Repetition));
        assert_eq!(after("1k5n/8/8/8/1p6/8/P7/1R5K w - - 0 1", moves), drawn);
    }

    #[test]
    fn the_fiftieth_move_draws_unless_it_mates() {
        let fen = "7k/8/5K2/8/8/8/6Q1/8 w - - 99 120";
        assert_eq!(after(fen, "g2g3"), Some((Outcome::Draw, Reason::FiftyMoves)));
        assert_eq!(after(fen, "g2g7"), Some((Outcome::White, Reason::Mate)));
    }

    #[test]
    fn stalemate_and_bare_kings_are_draws() {
        assert_eq!(after("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"), Some((Outcome::Draw, Reason::Stalemate)));
        assert_eq!(after("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2"), Some((Outcome::Draw, Reason::Material)));
    }

    #[test]
    fn the_side_that_gives_mate_has_won() {
        assert_eq!(after(START, "f2f3 e7e5 g2g4 d8h4"), Some((Outcome::Black, Reason::Mate)));
    }
}
