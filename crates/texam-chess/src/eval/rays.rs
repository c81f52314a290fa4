//! Attacks of sliding pieces in a few lines, for the export in Rust, which depends on no crate. The program itself
//! looks them up in tables, which is faster; a test compares the two.

/// Steps of a rook: files, ranks.
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// Steps of a bishop.
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Squares that a bishop attacks; the first occupied square of each diagonal is the last one.
pub fn bishop_attacks(square: u32, occupied: u64) -> u64 {
    rays(square, occupied, DIAGONAL)
}

/// Squares that a rook attacks.
pub fn rook_attacks(square: u32, occupied: u64) -> u64 {
    rays(square, occupied, STRAIGHT)
}

fn rays(square: u32, occupied: u64, steps: [(i32, i32); 4]) -> u64 {
    let mut attacked = 0;
    for (files, ranks) in steps {
        let (mut file, mut rank) = ((square & 7) as i32 + files, (square >> 3) as i32 + ranks);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let target = 1_u64 << (8 * rank + file);
            attacked |= target;
            if occupied & target != 0 {
                break;
            }
            file += files;
            rank += ranks;
        }
    }
    attacked
}

#[cfg(test)]
mod tests {
    use super::super::chess;
    use crate::position::SplitMix64;

    #[test]
    fn they_are_those_of_shakmaty() {
        let mut random = SplitMix64(5);
        for round in 0..20_000 {
            let (square, occupied) = (round % 64, random.next() & random.next());
            assert_eq!(super::bishop_attacks(square, occupied), chess::bishop_attacks(square, occupied));
            assert_eq!(super::rook_attacks(square, occupied), chess::rook_attacks(square, occupied));
        }
    }
}
