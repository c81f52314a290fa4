//! Bitboard functions: sets of squares, files, fills and distances. Bit 0 is a1 from the view of the side
//! that owns a term, so "ahead" is always towards higher bits.

/// The a-file.
const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The h-file.
const FILE_H: u64 = FILE_A << 7;

/// Squares of the colour of a1 from the view of a side: dark for White, light for Black. Terms only compare
/// colours.
pub(super) const CORNER_COLOR: u64 = 0xAA55_AA55_AA55_AA55;
/// Files a to c, as a set of files.
pub(super) const QUEEN_WING: u8 = 0b0000_0111;
/// Files f to h, as a set of files.
pub(super) const KING_WING: u8 = 0b1110_0000;

/// The set of the named squares, separated by one blank: `set("c1 f1")`.
pub(super) const fn set(names: &str) -> u64 {
    let bytes = names.as_bytes();
    let (mut set, mut at) = (0, 0);
    while at < bytes.len() {
        set |= 1 << ((bytes[at + 1] - b'1') * 8 + (bytes[at] - b'a'));
        at += 3;
    }
    set
}

/// The ranks `low` to `high`, counted from 1.
pub(super) const fn ranks(low: u32, high: u32) -> u64 {
    (u64::MAX << (8 * (low - 1))) & (u64::MAX >> (8 * (8 - high)))
}

/// File of a square, 0 to 7.
#[inline(always)]
pub(super) const fn file(square: u32) -> u32 {
    square & 7
}

/// Rank of a square, 0 to 7.
#[inline(always)]
pub(super) const fn rank(square: u32) -> u32 {
    square >> 3
}

/// 0 for the a- and h-file to 3 for the d- and e-file.
#[inline(always)]
pub(super) fn file_class(square: u32) -> u32 {
    file(square).min(7 - file(square))
}

/// File class + rank class: 0 in the corners to 6 on the four central squares.
#[inline(always)]
pub(super) fn centrality(square: u32) -> u32 {
    file_class(square) + rank(square).min(7 - rank(square))
}

/// Chebyshev distance: moves of a king.
#[inline(always)]
pub(super) fn distance(a: u32, b: u32) -> u32 {
    file(a).abs_diff(file(b)).max(rank(a).abs_diff(rank(b)))
}

/// Taxicab distance: files plus ranks.
#[inline(always)]
pub(super) fn taxicab(a: u32, b: u32) -> u32 {
    file(a).abs_diff(file(b)) + rank(a).abs_diff(rank(b))
}

/// A set of one square.
#[inline(always)]
pub(super) const fn bit(square: u32) -> u64 {
    1 << square
}

/// Number of squares in a set.
#[inline(always)]
pub(super) const fn size(set: u64) -> i32 {
    set.count_ones() as i32
}

/// A set with all squares above it on its files.
#[inline(always)]
pub(super) const fn fill_up(mut set: u64) -> u64 {
    set |= set << 8;
    set |= set << 16;
    set | (set << 32)
}

/// A set with all squares below it on its files.
#[inline(always)]
pub(super) const fn fill_down(mut set: u64) -> u64 {
    set |= set >> 8;
    set |= set >> 16;
    set | (set >> 32)
}

/// Squares above some square of the set, on its file.
#[inline(always)]
pub(super) const fn ahead(set: u64) -> u64 {
    fill_up(set << 8)
}

/// Squares below some square of the set, on its file.
#[inline(always)]
pub(super) const fn behind(set: u64) -> u64 {
    fill_down(set >> 8)
}

/// Squares next to some square of the set, on its rank.
#[inline(always)]
pub(super) const fn beside(set: u64) -> u64 {
    ((set & !FILE_A) >> 1) | ((set & !FILE_H) << 1)
}

/// Files on which the set has a square; bit 0 is the a-file.
#[inline(always)]
pub(super) const fn files(set: u64) -> u8 {
    fill_down(set) as u8
}

/// All squares of a set of files.
#[inline(always)]
pub(super) const fn on_files(files: u8) -> u64 {
    files as u64 * FILE_A
}

/// A file (0 to 7) and its neighbours, as a set of files.
#[inline(always)]
pub(super) const fn around(file: u32) -> u8 {
    ((0b111 << file) >> 1) as u8
}

/// The set from the view of the other side.
#[inline(always)]
pub(super) const fn flip(set: u64) -> u64 {
    set.swap_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_named_and_counted_from_a1() {
        assert_eq!(set("a1 h8"), 1 | 1 << 63);
        assert_eq!(ranks(3, 4), 0xFFFF_0000);
        assert_eq!(ranks(1, 8), u64::MAX);
        assert_eq!(CORNER_COLOR & set("a1 b1 a2 b2 h8"), set("a1 b2 h8"));
    }

    #[test]
    fn distances_are_those_of_king_and_taxi() {
        let (a1, g4) = (0, 30);
        assert_eq!((distance(a1, g4), taxicab(a1, g4)), (6, 9));
    }

    #[test]
    fn centrality_runs_from_the_corner_to_the_four_central_squares() {
        let squares = [0, 63, 27, 28, 35, 36, 8, 1];
        assert_eq!(squares.map(centrality), [0, 0, 6, 6, 6, 6, 1, 1]);
    }

    #[test]
    fn fills_stay_on_their_files_and_shifts_do_not_wrap_around_the_board() {
        assert_eq!(ahead(set("a6 h7")), set("a7 a8 h8"));
        assert_eq!(behind(set("a3 h2")), set("a2 a1 h1"));
        assert_eq!(beside(set("a4 h5")), set("b4 g5"));
        assert_eq!((files(set("a4 c5 c7")), on_files(1)), (0b101, FILE_A));
        assert_eq!([0, 4, 7].map(around), [0b0000_0011, 0b0011_1000, 0b1100_0000]);
    }
}
