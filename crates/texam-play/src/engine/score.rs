//! Scores of the engine: whole units of 1/128 pawn from the view of the side to move, and mate scores.
//!
//! A score in whole units fits into two bytes of an entry of the hash table.

/// A score in units of 1/128 pawn, from the view of the side to move.
pub type Score = i32;

/// Score of a mate at the root, without its sign.
const MATE: Score = 30_000;

/// Larger than any score.
pub(super) const INFINITE: Score = 32_000;

/// Scores at or beyond this are mates. The distance to [`MATE`] exceeds the longest line by far.
const MATE_ZONE: Score = 29_000;

/// A draw.
pub(super) const DRAW: Score = 0;

/// Score for the side that is mated at `ply`, counted from the root.
pub(super) fn mated_at(ply: usize) -> Score {
    -(MATE - ply as Score)
}

/// Whether a score announces a mate.
pub(super) fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_ZONE
}

/// An evaluation limited to scores that are not mates, since the sum of large weights could reach them.
pub(super) fn clamped(evaluation: i32) -> Score {
    evaluation.clamp(-MATE_ZONE + 1, MATE_ZONE - 1)
}

/// A score as the hash table stores it: mates are counted from the stored position, not from the root.
pub(super) fn to_hash(score: Score, ply: usize) -> Score {
    if is_mate(score) { score + score.signum() * ply as Score } else { score }
}

/// The reverse of [`to_hash`].
pub(super) fn from_hash(score: Score, ply: usize) -> Score {
    if is_mate(score) { score - score.signum() * ply as Score } else { score }
}

/// Number of moves to mate, negative if the side to move is mated; none if the score is not a mate.
pub fn mate_in(score: Score) -> Option<i32> {
    is_mate(score).then(|| {
        let plies = MATE - score.abs();
        if score > 0 { (plies + 1) / 2 } else { -(plies / 2) }
    })
}

/// A score in hundredths of a pawn, the unit of UCI; rounded towards 0.
pub fn centipawns(score: Score) -> i32 {
    score * 100 / 128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_side_that_mates() {
        assert_eq!(mate_in(-mated_at(1)), Some(1));
        assert_eq!(mate_in(-mated_at(3)), Some(2));
        assert_eq!(mate_in(mated_at(0)), Some(0));
        assert_eq!(mate_in(mated_at(2)), Some(-1));
        assert_eq!(mate_in(clamped(1_000_000)), None);
    }

    #[test]
    fn a_mate_in_the_hash_is_the_same_mate_from_wherever_it_is_met() {
        let score = -mated_at(7);
        let stored = to_hash(score, 4);
        assert_eq!(from_hash(stored, 4), score);
        assert_eq!(from_hash(stored, 2), -mated_at(5));
        assert_eq!(from_hash(to_hash(77, 4), 9), 77);
    }

    #[test]
    fn a_pawn_of_128_units_is_100_centipawns() {
        assert_eq!((centipawns(128), centipawns(-64)), (100, -50));
    }
}
