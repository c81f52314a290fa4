//! Pawn structure, and facts about the pawns that other terms use.
//!
//! [`PawnFacts`] and [`structure`] depend on pawns only, so both can be cached by pawn structure. Passed
//! pawns are found here; their terms are in `passed`.

use super::geometry::{
    CORNER_COLOR, KING_WING, QUEEN_WING, ahead, behind, beside, bit, file, file_class, files, fill_down,
    fill_up, flip, on_files, rank, ranks, size,
};
use super::side::squares;
use super::{Key, KingView, OwnView, Sink};

/// Squares c3 to f4, the own half of the wider centre.
const HOLES: u64 = ranks(3, 4) & CENTER_FILES;
/// Files c to f.
const CENTER_FILES: u64 = on_files(0b0011_1100);

/// Facts that depend on the pawns of both sides only, from the view of one side. The terms of pieces and
/// kings use them too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PawnFacts {
    /// Own pawns.
    pub own: u64,
    /// Enemy pawns.
    pub enemy: u64,
    /// Squares that own pawns attack.
    pub own_attacks: u64,
    /// Squares that enemy pawns attack.
    pub enemy_attacks: u64,
    /// Squares that enemy pawns attack, or can after advancing.
    pub enemy_span: u64,
    /// Own passed pawns.
    pub passed: u64,
    /// Enemy passed pawns.
    pub enemy_passed: u64,
    /// Enemy pawns that are isolated or backward.
    pub enemy_weak: u64,
    /// Files with own pawns; bit 0 is the a-file.
    pub own_files: u8,
    /// Files with enemy pawns.
    pub enemy_files: u8,
    /// Sign of own less enemy pawns on files a to c, and on files f to h.
    pub majorities: [i8; 2],
    /// Own pawns on squares of the colour of a1, and of the other; files c to f count twice.
    pub color_load: [u8; 2],
}

impl PawnFacts {
    /// The facts about `own` and `enemy` pawns, both from the view of the owner.
    #[inline(always)]
    pub fn new(own: u64, enemy: u64) -> PawnFacts {
        let (seen_own, seen_enemy) = (flip(own), flip(enemy));
        let majority = |wing: u8| (size(own & on_files(wing)) - size(enemy & on_files(wing))).signum() as i8;
        let load = |color: u64| (size(own & color) + size(own & color & CENTER_FILES)) as u8;
        PawnFacts {
            own,
            enemy,
            own_attacks: attacks(own),
            enemy_attacks: flip(attacks(seen_enemy)),
            enemy_span: flip(attack_span(seen_enemy)),
            passed: passed(own, enemy),
            enemy_passed: flip(passed(seen_enemy, seen_own)),
            enemy_weak: flip(isolated(seen_enemy) | backward(seen_enemy, flip(attacks(own)))),
            own_files: files(own),
            enemy_files: files(enemy),
            majorities: [majority(QUEEN_WING), majority(KING_WING)],
            color_load: [load(CORNER_COLOR), load(!CORNER_COLOR)],
        }
    }

    /// Files without own pawns.
    #[inline(always)]
    pub fn without_own(&self) -> u64 {
        on_files(!self.own_files)
    }

    /// Files without any pawns.
    #[inline(always)]
    pub fn without_any(&self) -> u64 {
        on_files(!(self.own_files | self.enemy_files))
    }
}

/// Squares that pawns attack.
#[inline(always)]
const fn attacks(pawns: u64) -> u64 {
    beside(pawns << 8)
}

/// Squares that pawns attack now or after advancing.
#[inline(always)]
const fn attack_span(pawns: u64) -> u64 {
    beside(ahead(pawns))
}

/// Pawns with no enemy pawn ahead on their own and the adjacent files, and no own pawn ahead on their
/// file: of doubled pawns only the front one can be passed.
#[inline(always)]
const fn passed(own: u64, enemy: u64) -> u64 {
    let stopped = behind(enemy);
    own & !(stopped | beside(stopped) | behind(own))
}

/// Pawns with no own pawn on an adjacent file.
#[inline(always)]
const fn isolated(own: u64) -> u64 {
    own & !on_files(neighbors(files(own)))
}

/// Pawns that are not isolated, have no own pawn beside or behind them on an adjacent file, and whose
/// next square an enemy pawn attacks.
#[inline(always)]
const fn backward(own: u64, enemy_attacks: u64) -> u64 {
    own & !isolated(own) & !beside(fill_up(own)) & (enemy_attacks >> 8)
}

/// Files next to some file of a set.
const fn neighbors(files: u8) -> u8 {
    (files << 1) | (files >> 1)
}

/// Terms of pawns among pawns, passed pawns apart.
#[inline(always)]
pub(super) fn structure<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    doubled_pawns(facts, sink);
    isolated_pawns(facts, sink);
    backward_pawns(facts, sink);
    neighboring_pawns(facts, sink);
    islands(facts, sink);
    levers(facts, sink);
    candidates(facts, sink);
    holes(facts, sink);
}

/// Terms of pawns that depend on pieces.
#[inline(always)]
pub(super) fn side<S: Sink>(view: &OwnView, sink: &mut S) {
    blocked_center(view, sink);
}

/// Reports every pawn of a set to the cell of its file class.
#[inline(always)]
fn by_file_class<S: Sink>(pawns: u64, key: Key, sink: &mut S) {
    squares(pawns).for_each(|square| sink.add(key.cell_at(file_class(square) as usize), 1));
}

/// Reports every pawn of a set to the cell of its rank, from the second on.
#[inline(always)]
pub(super) fn by_rank<S: Sink>(pawns: u64, key: Key, sink: &mut S) {
    squares(pawns).for_each(|square| sink.add(key.cell_at(rank(square) as usize - 1), 1));
}

/// `dbl`, `trip`: pawns on one file cannot defend each other, and the rear one is held up by the front
/// one. On each file the pawns beyond the first (by file class), and once more those beyond the second.
#[inline(always)]
fn doubled_pawns<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    let doubled = facts.own & behind(facts.own);
    by_file_class(doubled, Key::Dbl, sink);
    sink.add(Key::Trip.cell(), size(doubled & behind(doubled)));
}

/// `iso`: no pawn can ever defend an isolated pawn, nor the square ahead of it. `iso_open`: worse with
/// no enemy pawn anywhere on its file, ahead or behind, for rooks get at it. `iso_dbl`: worse when
/// doubled; every pawn of such a pile counts, the front one as well.
#[inline(always)]
fn isolated_pawns<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    let isolated = isolated(facts.own);
    by_file_class(isolated, Key::Iso, sink);
    sink.add(Key::IsoOpen.cell(), size(isolated & !on_files(facts.enemy_files)));
    let on_shared_files = behind(isolated) | ahead(isolated);
    sink.add(Key::IsoDbl.cell(), size(isolated & on_shared_files));
}

/// `back`: a pawn whose neighbours have all gone ahead, while an enemy pawn guards its next square, must
/// be defended by pieces. `back_open`: worse with no enemy pawn ahead on its file.
#[inline(always)]
fn backward_pawns<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    let backward = backward(facts.own, facts.enemy_attacks);
    by_file_class(backward, Key::Back, sink);
    sink.add(Key::BackOpen.cell(), size(backward & !behind(facts.enemy)));
}

/// `duo`: two pawns side by side guard the four squares ahead of them. Each pair counts once, by its
/// rank; three in a row are two pairs. `chain`: pawns that a pawn defends, each once.
#[inline(always)]
fn neighboring_pawns<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    let left_of_pair = facts.own & (facts.own >> 1) & !on_files(0b1000_0000);
    by_rank(left_of_pair, Key::Duo, sink);
    sink.add(Key::Chain.cell(), size(facts.own & facts.own_attacks));
}

/// `island`: the fewer groups of neighbouring files the pawns stand on, the better they hold together.
/// Groups beyond the first; 0 without pawns.
#[inline(always)]
fn islands<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    let left_ends = facts.own_files & !(facts.own_files << 1);
    let islands = left_ends.count_ones() as i32;
    sink.add(Key::Island.cell(), (islands - 1).max(0));
}

/// `lever`: a pawn beyond the fourth rank that attacks an enemy pawn opens lines where the enemy is at
/// home. Pawns count, not pairs: one that attacks two counts once.
#[inline(always)]
fn levers<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    sink.add(Key::Lever.cell(), size(levering(facts) & ranks(5, 8)));
}

/// Own pawns that attack an enemy pawn: they stand where that pawn attacks.
#[inline(always)]
pub(super) fn levering(facts: &PawnFacts) -> u64 {
    facts.own & facts.enemy_attacks
}

/// `cand`: a pawn that is not passed yet will be, if no enemy pawn is ahead on its file and its helpers
/// (own pawns on adjacent files, beside or behind it) are as many as the enemy's guards (pawns on
/// adjacent files, ahead of it). By rank. An own pawn ahead does not hinder: a rear doubled pawn, never
/// passed itself, can be a candidate.
#[inline(always)]
fn candidates<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    let unopposed = facts.own & !facts.passed & !behind(facts.enemy);
    for square in squares(unopposed) {
        let pawn = bit(square);
        let helpers = facts.own & beside(fill_down(pawn));
        let guards = facts.enemy & beside(ahead(pawn));
        if size(helpers) >= size(guards) {
            by_rank(pawn, Key::Cand, sink);
        }
    }
}

/// `weak_hole`: enemy pieces settle for good on squares that no own pawn attacks or can come to attack.
/// The squares c3 to f4 count.
#[inline(always)]
fn holes<S: Sink>(facts: &PawnFacts, sink: &mut S) {
    sink.add(Key::WeakHole.cell(), size(HOLES & !attack_span(facts.own)));
}

/// `ctr_blk`: a centre pawn on d2 or e2 that is blocked by a piece or pawn of either side shuts in a bishop.
#[inline(always)]
fn blocked_center<S: Sink>(view: &OwnView, sink: &mut S) {
    sink.add(Key::CtrBlk.cell(), size(view.blocked_center_pawns()));
}

/// `maj_q`: more pawns than the enemy far from the own king make a passed pawn where the enemy king is
/// late. Only the sign of the difference counts: on files a to c with the own king on e to h, else on f
/// to h.
#[inline(always)]
pub(super) fn majority<S: Sink>(king: &KingView, facts: &PawnFacts, sink: &mut S) {
    let far_wing = usize::from(file(king.square) < 4);
    sink.add(Key::MajQ.cell(), i32::from(facts.majorities[far_wing]));
}

#[cfg(test)]
mod tests {
    use super::super::geometry::set;
    use super::super::testing::{black, count, white, white_cells};
    use super::*;
    use crate::eval::SymbolicSink;
    use crate::position::SplitMix64;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_starting_position_has_seven_pairs_on_the_second_rank_and_no_weakness() {
        assert_eq!(white_cells(START, Key::Duo), [(0, 7)]);
        for key in [Key::Dbl, Key::Trip, Key::Iso, Key::Back, Key::Island, Key::Cand, Key::WeakHole] {
            assert_eq!(white(START, key), 0, "{key:?}");
        }
    }

    #[test]
    fn doubled_pawns_count_beyond_the_first_and_tripled_beyond_the_second() {
        // Three on the c-file, two on the h-file.
        let fen = "4k3/8/8/2P5/2P5/2P4P/4P2P/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Dbl), [(0, 1), (2, 2)]);
        assert_eq!(white(fen, Key::Trip), 1);
    }

    #[test]
    fn isolated_pawns_count_by_class_and_on_files_without_enemy_pawns() {
        // a2, c2, c4 and e4 have no neighbours; g3 and h2 have. Black has pawns on a and e.
        let fen = "4k3/p7/8/8/2P1P3/4p1P1/P1P4P/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Iso), [(0, 1), (2, 2), (3, 1)]);
        // The e-file is not open: the enemy pawn behind e4 counts.
        assert_eq!(white(fen, Key::IsoOpen), 2);
        assert_eq!(white(fen, Key::IsoDbl), 2);
    }

    #[test]
    fn a_backward_pawn_has_its_neighbours_ahead_and_its_stop_guarded() {
        // d3 behind c4 and e4, d4 guarded from e5; no black d-pawn.
        let fen = "4k3/8/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Back), [(3, 1)]);
        assert_eq!(white(fen, Key::BackOpen), 1);
        // With a black pawn on d7 it is not open.
        let fen = "4k3/3p4/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1";
        assert_eq!((white(fen, Key::Back), white(fen, Key::BackOpen)), (1, 0));
        // A neighbour beside it, or no guard, and it is not backward.
        assert_eq!(white("4k3/8/8/4p3/2P5/3PP3/8/4K3 w - - 0 1", Key::Back), 0);
        assert_eq!(white("4k3/8/8/6p1/2P1P3/3P4/8/4K3 w - - 0 1", Key::Back), 0);
    }

    #[test]
    fn pairs_count_once_by_rank_and_do_not_wrap_around() {
        // a3 and b3 are one pair; d5, e5, f5 are two.
        let fen = "4k3/8/8/3PPP2/8/PP6/7P/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Duo), [(1, 1), (3, 2)]);
        assert_eq!(white("4k3/8/8/8/P7/7P/8/4K3 w - - 0 1", Key::Duo), 0);
    }

    #[test]
    fn chained_pawns_are_defended_by_a_pawn() {
        // b2 defends c3, c3 and e3 defend d4: c3 and d4 count, d4 once.
        assert_eq!(white("4k3/8/8/8/3P4/2P1P3/1P6/4K3 w - - 0 1", Key::Chain), 2);
    }

    #[test]
    fn islands_count_beyond_the_first_and_no_pawns_make_none() {
        assert_eq!(white("4k3/8/8/8/2P5/8/PP2P1P1/4K3 w - - 0 1", Key::Island), 2);
        assert_eq!(white("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Key::Island), 0);
        assert_eq!(count("4k3/p1p5/8/8/8/8/8/4K3 w - - 0 1", Key::Island), -1);
    }

    #[test]
    fn levers_count_beyond_the_fourth_rank_only() {
        // e5 attacks d6 and f6; b4 attacks c5 but stands on the fourth rank. Black's pawns d6 and f6
        // stand on their third, c5 on its fourth.
        let fen = "4k3/8/3p1p2/2p1P3/1P6/8/8/4K3 w - - 0 1";
        assert_eq!(white(fen, Key::Lever), 1);
        assert_eq!(black(fen, Key::Lever), 0);
    }

    #[test]
    fn a_candidate_has_as_many_helpers_as_the_enemy_has_guards() {
        // c4 with helper b4 against guard b7: a candidate. b4 is opposed by b7.
        let fen = "4k3/1p6/8/8/1PP5/8/8/4K3 w - - 0 1";
        assert_eq!(white_cells(fen, Key::Cand), [(2, 1)]);
        // The helper gone ahead helps no more.
        assert_eq!(white("4k3/1p6/8/1P6/2P5/8/8/4K3 w - - 0 1", Key::Cand), 0);
        // Two guards against one helper.
        assert_eq!(white("4k3/1p1p4/8/8/1PP5/8/8/4K3 w - - 0 1", Key::Cand), 0);
        // A guard beside it guards no more, and the pawn is passed.
        assert_eq!(white("4k3/8/8/8/1pP5/8/8/4K3 w - - 0 1", Key::Cand), 0);
        // The rear one of doubled pawns is not passed, but no enemy pawn stops it.
        assert_eq!(white_cells("4k3/8/8/8/2P5/2P5/8/4K3 w - - 0 1", Key::Cand), [(1, 1)]);
    }

    #[test]
    fn center_pawns_are_blocked_by_men_of_either_colour() {
        assert_eq!(white("4k3/8/8/8/8/3Bn3/3PP3/6K1 w - - 0 1", Key::CtrBlk), 2);
        assert_eq!(white("4k3/8/8/8/3Bn3/2N5/2PPP3/6K1 w - - 0 1", Key::CtrBlk), 0);
        assert_eq!(count("4k3/4p3/4N3/8/8/8/8/4K3 w - - 0 1", Key::CtrBlk), -1);
    }

    #[test]
    fn a_majority_counts_on_the_wing_away_from_the_own_king() {
        let queen_side = "4k3/pp3ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1";
        assert_eq!((white(queen_side, Key::MajQ), black(queen_side, Key::MajQ)), (1, -1));
        // King on d1: files f to h, where both have three.
        assert_eq!(white("4k3/pp3ppp/8/8/8/8/PPP2PPP/3K4 w - - 0 1", Key::MajQ), 0);
        assert_eq!(white("4k3/p4ppp/8/8/8/8/PPP3PP/3K4 w - - 0 1", Key::MajQ), -1);
    }

    #[test]
    fn holes_are_squares_of_the_own_centre_that_no_pawn_can_come_to_attack() {
        // The pawn on d3 can attack c4, e4 and beyond: c3, d3, e3, f3, d4, f4 are left.
        assert_eq!(white("4k3/8/8/8/8/3P4/8/4K3 w - - 0 1", Key::WeakHole), 6);
        assert_eq!(black("4k3/8/8/8/8/3P4/8/4K3 w - - 0 1", Key::WeakHole), 8);
    }

    /// The definitions once more, pawn by pawn on files and ranks, for comparison.
    struct Plain {
        own: u64,
        enemy: u64,
    }

    impl Plain {
        fn at(pawns: u64, file: i32, rank: i32) -> bool {
            (0..8).contains(&file) && (0..8).contains(&rank) && pawns & bit((rank * 8 + file) as u32) != 0
        }

        fn any(pawns: u64, files: &[i32], mut ranks: std::ops::Range<i32>) -> bool {
            ranks.any(|rank| files.iter().any(|&file| Plain::at(pawns, file, rank)))
        }

        fn number(pawns: u64, files: &[i32], ranks: std::ops::Range<i32>) -> usize {
            ranks
                .flat_map(|r| files.iter().map(move |&f| (f, r)))
                .filter(|&(f, r)| Plain::at(pawns, f, r))
                .count()
        }

        fn attacked_by_enemy(&self, f: i32, r: i32) -> bool {
            Plain::at(self.enemy, f - 1, r + 1) || Plain::at(self.enemy, f + 1, r + 1)
        }

        fn is_passed(&self, f: i32, r: i32) -> bool {
            !Plain::any(self.enemy, &[f - 1, f, f + 1], r + 1..8) && !Plain::any(self.own, &[f], r + 1..8)
        }

        fn is_isolated(&self, f: i32) -> bool {
            !Plain::any(self.own, &[f - 1, f + 1], 0..8)
        }

        fn is_backward(&self, f: i32, r: i32) -> bool {
            !self.is_isolated(f)
                && !Plain::any(self.own, &[f - 1, f + 1], 0..r + 1)
                && self.attacked_by_enemy(f, r + 1)
        }

        fn is_candidate(&self, f: i32, r: i32) -> bool {
            let helpers = Plain::number(self.own, &[f - 1, f + 1], 0..r + 1);
            let guards = Plain::number(self.enemy, &[f - 1, f + 1], r + 1..8);
            !self.is_passed(f, r) && !Plain::any(self.enemy, &[f], r + 1..8) && helpers >= guards
        }

        fn report(&self, sink: &mut SymbolicSink) {
            for square in squares(self.own) {
                let (f, r) = (file(square) as i32, rank(square) as i32);
                let class = file_class(square) as usize;
                let mut add = |key: Key, index: usize, holds: bool| {
                    sink.add(key.cell_at(index), i32::from(holds));
                };
                let behind_it = Plain::number(self.own, &[f], 0..r);
                let on_file = Plain::number(self.own, &[f], 0..8);
                add(Key::Dbl, class, behind_it > 0);
                add(Key::Trip, 0, behind_it > 1);
                let isolated = self.is_isolated(f);
                add(Key::Iso, class, isolated);
                add(Key::IsoOpen, 0, isolated && !Plain::any(self.enemy, &[f], 0..8));
                add(Key::IsoDbl, 0, isolated && on_file > 1);
                let backward = self.is_backward(f, r);
                add(Key::Back, class, backward);
                add(Key::BackOpen, 0, backward && !Plain::any(self.enemy, &[f], r + 1..8));
                let step = (r - 1) as usize;
                add(Key::Duo, step, Plain::at(self.own, f + 1, r));
                add(Key::Chain, 0, Plain::any(self.own, &[f - 1, f + 1], r - 1..r));
                let lever = Plain::any(self.enemy, &[f - 1, f + 1], r + 1..r + 2);
                add(Key::Lever, 0, r >= 4 && lever);
                if self.is_candidate(f, r) {
                    add(Key::Cand, step, true);
                }
            }
            let starts =
                (0..8).filter(|&f| Plain::any(self.own, &[f], 0..8) && !Plain::any(self.own, &[f - 1], 0..8));
            sink.add(Key::Island.cell(), (starts.count() as i32 - 1).max(0));
            let holes = (2..4).flat_map(|r| (2..6).map(move |f| (f, r)));
            let open = holes.filter(|&(f, r)| !Plain::any(self.own, &[f - 1, f + 1], 0..r));
            sink.add(Key::WeakHole.cell(), open.count() as i32);
        }
    }

    fn random_pawns(random: &mut SplitMix64) -> (u64, u64) {
        let inner = ranks(2, 7);
        let density = random.below(3);
        let mut draw = || (0..=density).fold(inner, |set, _| set & random.next());
        let (own, enemy) = (draw(), draw());
        (own & !enemy, enemy)
    }

    #[test]
    fn structure_on_random_pawns_is_what_the_definitions_say_pawn_by_pawn() {
        let mut random = SplitMix64(1);
        for _ in 0..3000 {
            let (own, enemy) = random_pawns(&mut random);
            let (mut fast, mut plain) = (SymbolicSink::new(), SymbolicSink::new());
            structure(&PawnFacts::new(own, enemy), &mut fast);
            Plain { own, enemy }.report(&mut plain);
            assert_eq!(fast.into_vector(), plain.into_vector(), "{own:#x} against {enemy:#x}");
        }
    }

    #[test]
    fn facts_on_random_pawns_are_what_the_definitions_say_pawn_by_pawn() {
        let mut random = SplitMix64(2);
        for _ in 0..3000 {
            let (own, enemy) = random_pawns(&mut random);
            let facts = PawnFacts::new(own, enemy);
            let (mine, theirs) = (Plain { own, enemy }, Plain { own: flip(enemy), enemy: flip(own) });
            for square in 0..64 {
                let (f, r) = (file(square) as i32, rank(square) as i32);
                let holds = |set: u64| set & bit(square) != 0;
                assert_eq!(holds(facts.enemy_attacks), mine.attacked_by_enemy(f, r));
                assert_eq!(holds(facts.own_attacks), theirs.attacked_by_enemy(f, 7 - r));
                assert_eq!(holds(facts.enemy_span), Plain::any(enemy, &[f - 1, f + 1], r + 1..8));
                assert_eq!(holds(facts.passed), holds(own) && mine.is_passed(f, r));
                assert_eq!(holds(facts.enemy_passed), holds(enemy) && theirs.is_passed(f, 7 - r));
                let weak = theirs.is_isolated(f) || theirs.is_backward(f, 7 - r);
                assert_eq!(holds(facts.enemy_weak), holds(enemy) && weak);
                assert_eq!(holds(facts.without_own()), !Plain::any(own, &[f], 0..8));
                assert_eq!(holds(facts.without_any()), !Plain::any(own | enemy, &[f], 0..8));
            }
        }
    }

    #[test]
    fn colour_loads_count_central_files_twice() {
        // a1's colour: a3, c3 (twice); the other: e4 (twice), h3.
        let own = set("a3 c3 e4 h3");
        assert_eq!(PawnFacts::new(own, 0).color_load, [3, 3]);
    }
}
