//! Terms of attacks, all of them optional: mobility, the centre, the enemy king, threats, space and pins. The
//! record names no part of Deep Thought's evaluation that saw attacks.
//!
//! A piece or pawn attacks a square that it could capture on; sliding pieces see up to the first piece or
//! pawn of either side. Pinned pieces attack like others, and nothing is seen through. *Pieces* are knights,
//! bishops, rooks and queens. A square is *safe* if no enemy pawn attacks it. All sets are from the view of
//! the side that owns the term.

use shakmaty::{Bitboard, Square, attacks};

use super::geometry::{beside, flip, on_files, ranks, size};
use super::side::squares;
use super::{Key, Side, SideBitboards, Sink};

/// d4, e4, d5 and e5.
const CENTER: u64 = on_files(0b0001_1000) & ranks(4, 5);

/// Squares that count as space: files c to f, ranks 2 to 4.
const SPACE: u64 = on_files(0b0011_1100) & ranks(2, 4);

/// The last cell of `ring_cnt`: so many pieces, or more.
const MOST_ON_RING: usize = 5;

/// Squares that a bishop attacks, with `occupied` as blockers.
#[inline(always)]
pub(crate) fn bishop_attacks(square: u32, occupied: u64) -> u64 {
    attacks::bishop_attacks(Square::new(square & 63), Bitboard(occupied)).0
}

/// Squares that a rook attacks, with `occupied` as blockers.
#[inline(always)]
pub(crate) fn rook_attacks(square: u32, occupied: u64) -> u64 {
    attacks::rook_attacks(Square::new(square & 63), Bitboard(occupied)).0
}

/// The squares that each kind of piece or pawn of one side attacks.
#[derive(Debug, Clone, Copy)]
pub struct Attacked {
    pawns: u64,
    knights: u64,
    bishops: u64,
    rooks: u64,
    queens: u64,
    king: u64,
    /// What a bishop and a rook would attack from the square of the king.
    king_lines: [u64; 2],
}

impl Attacked {
    fn by_pieces(&self) -> u64 {
        self.knights | self.bishops | self.rooks | self.queens
    }

    fn by_all(&self) -> u64 {
        self.pawns | self.by_pieces() | self.king
    }

    /// The same from the view of the other side.
    #[inline(always)]
    #[must_use]
    pub fn flipped(&self) -> Attacked {
        Attacked {
            pawns: flip(self.pawns),
            knights: flip(self.knights),
            bishops: flip(self.bishops),
            rooks: flip(self.rooks),
            queens: flip(self.queens),
            king: flip(self.king),
            king_lines: self.king_lines.map(flip),
        }
    }
}

/// Squares that a set of pawns attacks, towards higher ranks.
#[inline(always)]
const fn pawn_attacks(pawns: u64) -> u64 {
    beside(pawns) << 8
}

/// Squares that a set of enemy pawns attacks, towards lower ranks.
#[inline(always)]
const fn enemy_pawn_attacks(pawns: u64) -> u64 {
    beside(pawns) >> 8
}

/// Squares that a knight on one square attacks.
#[inline(always)]
const fn knight_attacks(knight: u64) -> u64 {
    let one = beside(knight);
    let two = beside(one) & !knight;
    (one << 16) | (one >> 16) | (two << 8) | (two >> 8)
}

#[inline(always)]
const fn king_attacks(king: u64) -> u64 {
    let row = king | beside(king);
    (row | (row << 8) | (row >> 8)) & !king
}

/// The keys of the terms of one kind of piece.
struct PieceKeys {
    mobility: Key,
    ring: Key,
    check: Key,
}

const KNIGHT: PieceKeys = PieceKeys { mobility: Key::MobN, ring: Key::RingN, check: Key::ChkN };
const BISHOP: PieceKeys = PieceKeys { mobility: Key::MobB, ring: Key::RingB, check: Key::ChkB };
const ROOK: PieceKeys = PieceKeys { mobility: Key::MobR, ring: Key::RingR, check: Key::ChkR };
const QUEEN: PieceKeys = PieceKeys { mobility: Key::MobQ, ring: Key::RingQ, check: Key::ChkQ };

/// What the pieces of one side do, counted piece by piece.
struct Counter<'a, S> {
    sink: &'a mut S,
    /// Squares that hold no own piece or pawn and that no enemy pawn attacks.
    free: u64,
    /// Squares next to the enemy king.
    ring: u64,
    /// Attacks on the centre.
    center: i32,
    /// Number of pieces that attack the ring.
    on_ring: usize,
}

impl<S: Sink> Counter<'_, S> {
    /// Counts the pieces of one kind; gives the squares that they attack.
    #[inline(always)]
    fn kind(&mut self, set: u64, keys: &PieceKeys, attacks: impl Fn(u32) -> u64) -> u64 {
        let (mut all, mut ring) = (0, 0);
        for square in squares(set) {
            let attacked = attacks(square);
            all |= attacked;
            self.sink.add(keys.mobility.cell_at(size(attacked & self.free) as usize), 1);
            self.center += size(attacked & CENTER);
            ring += size(attacked & self.ring);
            self.on_ring += usize::from(attacked & self.ring != 0);
        }
        self.sink.add(keys.ring.cell(), ring);
        all
    }
}

/// Terms of one side that need no more than its own attacks, which it gives.
///
/// - `mob_n` to `mob_q`: for each piece one cell, by the number of squares it attacks that hold no own piece
///   or pawn and that no enemy pawn attacks.
/// - `ctr_att`: attacks on d4, e4, d5 and e5. Each attack of each piece, pawn or king on each of them counts,
///   also on own pieces and pawns.
/// - `ring_n` to `ring_q`: attacks of each kind on the squares next to the enemy king, each piece by itself.
/// - `ring_cnt`: one cell, by the number of pieces with such an attack.
/// - `space`: safe squares on c2 to f4 without own pawns.
#[inline(always)]
pub fn piece_attacks<S: Sink>(side: &Side, sink: &mut S) -> Attacked {
    let (own, occupied) = (&side.own, side.occupied());
    let guarded = enemy_pawn_attacks(side.enemy.pawns);
    let free = !(own.all() | guarded);
    let ring = king_attacks(side.enemy.king);
    let mut counter = Counter { sink, free, ring, center: 0, on_ring: 0 };
    let king = own.king_square();
    let attacked = Attacked {
        pawns: pawn_attacks(own.pawns),
        knights: counter.kind(own.knights, &KNIGHT, |square| knight_attacks(1 << square)),
        bishops: counter.kind(own.bishops, &BISHOP, |square| bishop_attacks(square, occupied)),
        rooks: counter.kind(own.rooks, &ROOK, |square| rook_attacks(square, occupied)),
        queens: counter.kind(own.queens, &QUEEN, |square| {
            bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        }),
        king: king_attacks(own.king),
        king_lines: [bishop_attacks(king, occupied), rook_attacks(king, occupied)],
    };
    let to_left = (own.pawns & !on_files(0b1)) << 7;
    let to_right = (own.pawns & !on_files(0b1000_0000)) << 9;
    let Counter { sink, center, on_ring, .. } = counter;
    let pawns_and_king = size(to_left & CENTER) + size(to_right & CENTER) + size(attacked.king & CENTER);
    sink.add(Key::CtrAtt.cell(), center + pawns_and_king);
    sink.add(Key::RingCnt.cell_at(on_ring.min(MOST_ON_RING)), 1);
    sink.add(Key::Space.cell(), size(SPACE & !(own.pawns | guarded)));
    attacked
}

/// `chk_n` to `chk_q`: squares to which a piece of the kind can move, without an own piece or pawn there, and
/// from which it would attack the enemy king as the board is now; those that an enemy pawn attacks do not
/// count, and two pieces on one square count once.
#[inline(always)]
fn checks<S: Sink>(side: &Side, own: &Attacked, enemy: &Attacked, sink: &mut S) {
    let free = !(side.own.all() | enemy.pawns);
    let [diagonal, straight] = enemy.king_lines;
    for (set, from, keys) in [
        (own.knights, knight_attacks(side.enemy.king), &KNIGHT),
        (own.bishops, diagonal, &BISHOP),
        (own.rooks, straight, &ROOK),
        (own.queens, diagonal | straight, &QUEEN),
    ] {
        sink.add(keys.check.cell(), size(set & free & from));
    }
}

/// Terms of one side that need the attacks of both, all from its view.
///
/// - `thr_minor`: enemy rooks and queens that a knight or a bishop attacks.
/// - `thr_rook`: enemy queens that a rook attacks.
/// - `thr_loose`: enemy pieces and pawns that something attacks and nothing defends, by role.
/// - `thr_weak`: enemy pieces and pawns that a piece attacks and something defends, but no pawn.
/// - `thr_push`: enemy pieces that a pawn would attack after a safe push.
/// - `pin`, `chk_n` to `chk_q`: see the functions below.
#[inline(always)]
pub fn threats<S: Sink>(side: &Side, own: &Attacked, enemy: &Attacked, sink: &mut S) {
    let theirs = &side.enemy;
    let minors = own.knights | own.bishops;
    sink.add(Key::ThrMinor.cell(), size(minors & (theirs.rooks | theirs.queens)));
    sink.add(Key::ThrRook.cell(), size(own.rooks & theirs.queens));
    let targets = theirs.pawns | theirs.minors_and_majors();
    let loose = own.by_all() & !enemy.by_all() & targets;
    let weak = own.by_pieces() & enemy.by_all() & !enemy.pawns & targets;
    let roles = [theirs.pawns, theirs.knights, theirs.bishops, theirs.rooks, theirs.queens];
    for (set, key) in [(loose, Key::ThrLoose), (weak, Key::ThrWeak)] {
        if set != 0 {
            roles.iter().enumerate().for_each(|(index, role)| sink.add(key.cell_at(index), size(set & role)));
        }
    }
    let pushes = safe_pushes(side, own, enemy);
    sink.add(Key::ThrPush.cell(), size(pawn_attacks(pushes) & theirs.minors_and_majors()));
    sink.add(Key::Pin.cell(), size(pinned(side, enemy)));
    checks(side, own, enemy, sink);
}

/// Squares of safe pushes: no enemy pawn attacks the square, and if an enemy piece or king does, something of
/// the own side attacks it too. En passant is not considered.
#[inline(always)]
fn safe_pushes(side: &Side, own: &Attacked, enemy: &Attacked) -> u64 {
    let empty = !side.occupied();
    let once = (side.own.pawns << 8) & empty;
    let twice = ((once & ranks(3, 3)) << 8) & empty;
    (once | twice) & !enemy.pawns & (!enemy.by_all() | own.by_all())
}

/// Enemy pieces that stand alone between an own sliding piece and their king or a queen of theirs, on a line
/// on which the sliding piece attacks.
#[inline(always)]
fn pinned(side: &Side, enemy: &Attacked) -> u64 {
    let SideBitboards { bishops, rooks, queens, .. } = side.own;
    if bishops | rooks | queens == 0 {
        return 0;
    }
    let king = side.enemy.king_square();
    let mut pinned = pinned_to(side, king, enemy.king_lines);
    for queen in squares(side.enemy.queens) {
        let lines = [Line::Diagonal, Line::Straight].map(|line| line.attacks(queen, side.occupied()));
        pinned |= pinned_to(side, queen, lines);
    }
    pinned
}

/// Enemy pieces that are pinned to a target, from which these squares are seen on diagonals, and on files and
/// ranks.
#[inline(always)]
fn pinned_to(side: &Side, target: u32, seen: [u64; 2]) -> u64 {
    let SideBitboards { bishops, rooks, queens, .. } = side.own;
    let (pieces, occupied) = (side.enemy.minors_and_majors(), side.occupied());
    let sliders = [(Line::Diagonal, bishops | queens), (Line::Straight, rooks | queens)];
    let mut pinned = 0;
    for ((line, sliders), seen) in sliders.into_iter().zip(seen) {
        let blockers = seen & pieces;
        if blockers != 0 && sliders != 0 {
            let beyond = line.attacks(target, occupied ^ blockers) & !seen;
            for slider in squares(beyond & sliders) {
                pinned |= blockers & line.between(target, slider);
            }
        }
    }
    pinned
}

/// The lines of bishops and of rooks.
#[derive(Clone, Copy)]
enum Line {
    Diagonal,
    Straight,
}

impl Line {
    #[inline(always)]
    fn attacks(self, square: u32, occupied: u64) -> u64 {
        match self {
            Line::Diagonal => bishop_attacks(square, occupied),
            Line::Straight => rook_attacks(square, occupied),
        }
    }

    /// Squares between two squares of one line.
    #[inline(always)]
    fn between(self, a: u32, b: u32) -> u64 {
        let ends = (1 << a) | (1 << b);
        self.attacks(a, ends) & self.attacks(b, ends)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Chess, Color, Position, Role, Square, attacks};

    use super::super::testing::{attack_terms, black, black_cells, random_positions, white, white_cells};
    use super::super::{Placement, SymbolicSink};
    use super::*;

    #[test]
    fn mobility_is_a_cell_by_squares_without_own_men_and_enemy_pawn_attacks() {
        // The pawn on d5 may be taken; it guards e4.
        let fen = "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::MobN), [(7, 1)]);
        assert_eq!(white_cells("4k3/8/8/8/8/8/1P6/B3K3 w - - 0 1", Key::MobB), [(0, 1)]);
        assert_eq!(white_cells("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", Key::MobR), [(10, 1)]);
        assert_eq!(white_cells("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", Key::MobQ), [(27, 1)]);
        assert_eq!(white_cells("4k3/8/8/8/8/8/8/N3K2N w - - 0 1", Key::MobN), [(2, 2)]);
        // A rook in front of a rook: the squares behind are not seen.
        assert_eq!(white_cells("4k3/8/8/8/8/8/R7/R3K3 w - - 0 1", Key::MobR), [(3, 1), (13, 1)]);
    }

    #[test]
    fn every_attack_on_a_central_square_counts() {
        assert_eq!(white("4k3/8/8/8/4P3/5N2/8/4K3 w - - 0 1", Key::CtrAtt), 3);
        assert_eq!(white("4k3/8/8/8/8/3K4/8/8 w - - 0 1", Key::CtrAtt), 2);
        // Two pawns attack d5.
        assert_eq!(white("4k3/8/8/8/2P1P3/8/8/4K3 w - - 0 1", Key::CtrAtt), 2);
        assert_eq!(black("4k3/8/2p1p3/8/8/8/8/4K3 w - - 0 1", Key::CtrAtt), 2);
    }

    #[test]
    fn attacks_next_to_the_enemy_king_count_by_kind_and_by_piece() {
        // Next to g8: f7, g7, h7, f8, h8. The rook attacks f7 and f8, the knight f7.
        let fen = "6k1/8/8/4N3/8/8/8/4KR2 w - - 0 1";
        assert_eq!((white(fen, Key::RingR), white(fen, Key::RingN)), (2, 1));
        assert_eq!(white_cells(fen, Key::RingCnt), [(2, 1)]);
        assert_eq!(black_cells(fen, Key::RingCnt), [(0, 1)]);
        // Two queens attack g7 and h7; of the rooks only the last sees them.
        let fen = "7k/RRR5/8/8/8/8/8/QQQ3K1 b - - 0 1";
        assert_eq!((white(fen, Key::RingQ), white(fen, Key::RingR)), (2, 2));
        assert_eq!(white_cells(fen, Key::RingCnt), [(3, 1)]);
        // Six knights; the table ends at 5.
        assert_eq!(white_cells("4N2k/8/4NN2/5NNN/8/8/8/1K6 w - - 0 1", Key::RingCnt), [(5, 1)]);
    }

    #[test]
    fn squares_of_checks_count_once_and_not_where_an_enemy_pawn_attacks() {
        assert_eq!(white("6k1/8/8/3N4/8/8/8/4K3 w - - 0 1", Key::ChkN), 2);
        assert_eq!(white("6k1/6p1/8/3N4/8/8/8/4K3 w - - 0 1", Key::ChkN), 1);
        // Both knights reach f6.
        assert_eq!(white("6k1/8/8/3N3N/8/8/8/4K3 w - - 0 1", Key::ChkN), 2);
        assert_eq!(white("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", Key::ChkR), 1);
        assert_eq!(white("6k1/8/8/8/8/8/4B3/4K3 w - - 0 1", Key::ChkB), 1);
        assert_eq!(white("6k1/8/8/8/8/8/8/3QK3 w - - 0 1", Key::ChkQ), 4);
        // The rook reaches g1, but not a8, where an own knight stands.
        assert_eq!(white("N5k1/8/8/8/8/8/3K4/R7 w - - 0 1", Key::ChkR), 1);
    }

    #[test]
    fn pieces_attacked_by_lesser_ones_are_threatened() {
        let fork = "4k3/8/8/1q1r4/8/2N5/8/4K3 w - - 0 1";
        assert_eq!(white(fork, Key::ThrMinor), 2);
        assert_eq!(white("4k3/8/2r5/8/8/8/6B1/4K3 w - - 0 1", Key::ThrMinor), 1);
        assert_eq!(white("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1", Key::ThrRook), 1);
        assert_eq!(black("3rk3/8/8/8/8/8/8/3QK3 w - - 0 1", Key::ThrRook), 1);
    }

    #[test]
    fn what_is_attacked_is_loose_without_defence_and_weak_without_a_pawn() {
        let of = |fen: &str| (white_cells(fen, Key::ThrLoose), white_cells(fen, Key::ThrWeak));
        assert_eq!(of("4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1"), (vec![(3, 1)], vec![]));
        assert_eq!(of("8/8/3k4/3r4/8/2N5/8/4K3 w - - 0 1"), (vec![], vec![(3, 1)]));
        assert_eq!(of("4k3/8/4p3/3r4/8/2N5/8/4K3 w - - 0 1"), (vec![], vec![]));
        assert_eq!(of("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1"), (vec![(0, 1)], vec![]));
        // A king or a pawn attacks what is loose, but makes nothing weak.
        assert_eq!(of("4k3/8/8/8/8/8/3n4/4K3 w - - 0 1"), (vec![(1, 1)], vec![]));
        assert_eq!(of("4k3/8/8/8/8/2b5/3n4/4K3 w - - 0 1"), (vec![], vec![]));
        assert_eq!(of("4k3/8/8/3b4/4P3/8/8/4K3 w - - 0 1"), (vec![(2, 1)], vec![]));
    }

    #[test]
    fn safe_pushes_threaten_pieces() {
        let of = |fen: &str| white(fen, Key::ThrPush);
        assert_eq!(of("4k3/8/8/2n1n3/8/3P4/8/4K3 w - - 0 1"), 2);
        assert_eq!(of("4k3/8/8/2n1n3/8/8/3P4/4K3 w - - 0 1"), 2, "a double step");
        assert_eq!(of("4k3/8/8/2n1n3/8/3b4/3P4/4K3 w - - 0 1"), 0, "blocked");
        assert_eq!(of("4k3/8/8/2n1p3/8/3P4/8/4K3 w - - 0 1"), 0, "a pawn would take");
        assert_eq!(of("4k3/6b1/8/2n5/8/3P4/8/4K3 w - - 0 1"), 0, "a bishop would take");
        assert_eq!(of("4k3/6b1/8/2n5/8/3PK3/8/8 w - - 0 1"), 1, "the king takes back");
        assert_eq!(of("4k3/8/8/2p1p3/8/8/3P4/4K3 w - - 0 1"), 0, "pawns are no pieces");
    }

    #[test]
    fn space_counts_c2_to_f4_without_own_pawns_and_enemy_pawn_attacks() {
        assert_eq!(white("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Key::Space), 12);
        assert_eq!(white("4k3/8/8/3p4/8/8/3P4/4K3 w - - 0 1", Key::Space), 12 - 2 - 1);
    }

    #[test]
    fn a_pinned_piece_stands_alone_before_its_king_or_queen() {
        let of = |fen: &str| white(fen, Key::Pin);
        assert_eq!(of("4k3/8/8/8/4n3/8/8/4R1K1 w - - 0 1"), 1);
        assert_eq!(of("3q2k1/8/5n2/8/7B/8/8/6K1 w - - 0 1"), 1);
        assert_eq!(of("4k3/8/4b3/8/4n3/8/8/4R1K1 w - - 0 1"), 0, "two pieces");
        assert_eq!(of("4k3/8/8/8/4p3/8/8/4R1K1 w - - 0 1"), 0, "a pawn");
        assert_eq!(of("4k3/8/8/8/4n3/8/8/4B1K1 w - - 0 1"), 0, "a bishop on a file");
        assert_eq!(of("4k3/8/8/8/4n3/8/4N3/4R1K1 w - - 0 1"), 0, "an own piece between");
        // One knight before king and queen counts once.
        assert_eq!(of("q3k3/8/2n5/1B6/8/8/6B1/6K1 w - - 0 1"), 1);
    }

    /// White's counts of the terms that can be told square by square from shakmaty's attacks.
    fn by_squares(position: &Chess) -> Vec<(Key, usize)> {
        let board = position.board();
        let (own, enemy) = (board.by_color(Color::White), board.by_color(Color::Black));
        let attackers = |square, color| board.attacks_to(square, color, board.occupied());
        let is_guarded = |square| (attackers(square, Color::Black) & board.pawns()).any();
        let king = board.king_of(Color::Black).unwrap();
        let ring = attacks::king_attacks(king);
        let mut counts = Vec::new();
        let mut add = |key: Key, index: usize, count: usize| {
            counts.extend(std::iter::repeat_n((key, index), count));
        };
        let mut on_ring = 0;
        for square in own {
            let attacked = board.attacks_from(square);
            let center = [Square::D4, Square::E4, Square::D5, Square::E5];
            add(Key::CtrAtt, 0, center.into_iter().filter(|&square| attacked.contains(square)).count());
            let (mobility, of_ring) = match board.role_at(square).unwrap() {
                Role::Knight => (Key::MobN, Key::RingN),
                Role::Bishop => (Key::MobB, Key::RingB),
                Role::Rook => (Key::MobR, Key::RingR),
                Role::Queen => (Key::MobQ, Key::RingQ),
                Role::Pawn | Role::King => continue,
            };
            let moves = attacked.into_iter().filter(|&to| !own.contains(to) && !is_guarded(to)).count();
            add(mobility, moves, 1);
            add(of_ring, 0, (attacked & ring).count());
            on_ring += usize::from((attacked & ring).any());
        }
        add(Key::RingCnt, on_ring.min(5), 1);
        let minors = board.knights() | board.bishops();
        let pieces = minors | board.rooks_and_queens();
        for square in enemy {
            let role = board.role_at(square).unwrap();
            if role == Role::King {
                continue;
            }
            let (own, defenders) = (attackers(square, Color::White), attackers(square, Color::Black));
            let has = |set: Bitboard| usize::from(set.any());
            if matches!(role, Role::Rook | Role::Queen) {
                add(Key::ThrMinor, 0, has(own & minors));
            }
            if role == Role::Queen {
                add(Key::ThrRook, 0, has(own & board.rooks()));
            }
            let index = role as usize - 1;
            add(Key::ThrLoose, index, usize::from(own.any() && defenders.is_empty()));
            let is_weak = (own & pieces).any() && defenders.any() && (defenders & board.pawns()).is_empty();
            add(Key::ThrWeak, index, usize::from(is_weak));
            if role == Role::Pawn {
                continue;
            }
            let pins = (board.by_color(Color::White) & board.sliders()).into_iter().any(|slider| {
                let targets = (board.queens() & enemy).with(king).without(square);
                targets.into_iter().any(|target| {
                    let without_it = board.occupied().without(square);
                    let sees = |from, role| match role {
                        Role::Bishop => attacks::bishop_attacks(from, without_it),
                        Role::Rook => attacks::rook_attacks(from, without_it),
                        _ => attacks::queen_attacks(from, without_it),
                    };
                    attacks::between(slider, target).contains(square)
                        && sees(slider, board.role_at(slider).unwrap()).contains(target)
                })
            });
            add(Key::Pin, 0, usize::from(pins));
        }
        counts.sort_unstable();
        counts
    }

    #[test]
    fn counts_are_those_that_shakmaty_gives_square_by_square() {
        // The terms that are told square by square.
        let told = ["mob_", "ctr_att", "ring_", "thr_minor", "thr_rook", "thr_loose", "thr_weak", "pin"];
        let is_told = |key: &Key| told.iter().any(|start| key.feature().key.starts_with(start));
        for position in random_positions() {
            let mut sink = SymbolicSink::new();
            attack_terms(&Placement::from(&position), Color::White, &mut sink);
            let found = sink.into_vector();
            let cells = found.iter().flat_map(|(cell, count)| {
                let (key, index) = Key::of_cell(cell);
                std::iter::repeat_n((key, index), count as usize)
            });
            let cells: Vec<(Key, usize)> = cells.filter(|(key, _)| is_told(key)).collect();
            assert_eq!(cells, by_squares(&position), "{position:?}");
        }
    }
}
