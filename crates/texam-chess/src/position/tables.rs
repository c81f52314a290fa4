//! Fast evaluation: tables computed from the weights, incremental sums, and caches.
//!
//! Piece-square tables are computed from the weights before a pass, as those of 1988 were before a search.
//! The board keeps their sum. The other terms are cached by what they depend on. The result equals
//! [`eval::evaluate`]; a test compares them.
//!
//! An opening and an endgame sum are packed into one 64-bit integer, the endgame sum in the upper half.

use shakmaty::{Color, Role};

use super::board::{BISHOP, Board, DARK_SQUARES, KING, PAWN, PIECE_KEYS, QUEEN, ROOK, Sums};
use super::{CompactMove, SplitMix64};
use crate::{
    eval::{self, KingView, PawnFacts, Side, Sink, WINNING_LEAD, squares},
    feature::{CELLS, Cell, Extras, Quantised},
    phase::{PhaseAt, PhaseScheme},
    value::{Value, taper},
};

/// Roles by index.
const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// The tables of a set of weights. They do not change during a pass and are shared by all threads.
pub(crate) struct Tables {
    weights: Box<[i64; CELLS]>,
    /// The tables of the sums that the board keeps.
    pub sums: Sums,
    scheme: PhaseScheme,
    phase_at: PhaseAt,
    /// The optional features that are on.
    pub extras: Extras,
    /// Whether the processor has the instructions POPCNT, BMI1 and BMI2.
    #[cfg(target_arch = "x86_64")]
    has_popcount: bool,
    /// The same, and no attack term is on.
    #[cfg(target_arch = "x86_64")]
    is_plain: bool,
}

#[inline]
fn pack(open: i32, end: i32) -> i64 {
    ((end as i64) << 32) + open as i64
}

#[inline]
fn unpack(packed: i64) -> (i32, i32) {
    (packed as i32, ((packed + 0x8000_0000) >> 32) as i32)
}

/// Sums packed weights times counts, with the sign of the side that reports them.
struct PackedSink<'a, const SIGN: i64> {
    weights: &'a [i64; CELLS],
    sum: i64,
}

impl<const SIGN: i64> Sink for PackedSink<'_, SIGN> {
    #[inline(always)]
    fn add(&mut self, cell: Cell, count: i32) {
        self.sum += SIGN * self.weights[cell as usize] * i64::from(count);
    }
}

impl Tables {
    /// Tables for these weights.
    pub fn new(weights: &Quantised, scheme: PhaseScheme, phase_at: PhaseAt) -> Tables {
        let scheme = weights.scheme(scheme);
        let mut packed = Box::new([0; CELLS]);
        for (cell, weight) in packed.iter_mut().enumerate() {
            *weight = pack(weights.open(cell as Cell), weights.end(cell as Cell));
        }
        let mut tables = Tables {
            weights: packed,
            sums: Sums { piece_square: Box::new([[[0; 64]; 6]; 2]), phase_points: phase_points(scheme) },
            scheme,
            phase_at,
            extras: weights.extras(),
            #[cfg(target_arch = "x86_64")]
            has_popcount: eval::has_popcount(),
            #[cfg(target_arch = "x86_64")]
            is_plain: eval::has_popcount() && !weights.extras().has_attacks(),
        };
        for (number, role) in ROLES.into_iter().enumerate() {
            // No pawn stands on the first or the last rank.
            for square in if role == Role::Pawn { 8..56 } else { 0..64 } {
                let mut sink = tables.sink::<1>();
                eval::piece_square(role, square, &mut sink);
                let sum = sink.sum;
                tables.sums.piece_square[0][number][square as usize] = sum;
                tables.sums.piece_square[1][number][square as usize ^ 56] = -sum;
            }
        }
        tables
    }

    #[inline(always)]
    fn sink<const SIGN: i64>(&self) -> PackedSink<'_, SIGN> {
        PackedSink { weights: &self.weights, sum: 0 }
    }

    /// Phase that the evaluation of a position uses, given the phase of the root.
    #[inline]
    pub fn phase(&self, board: &Board, root_phase: u16) -> u16 {
        match self.phase_at {
            PhaseAt::Root => root_phase,
            PhaseAt::Leaf => self.phase_of_board(board),
        }
    }

    /// Phase of a position.
    #[inline]
    pub fn phase_of_board(&self, board: &Board) -> u16 {
        self.scheme.phase_of_points(board.phase_points)
    }

    /// Value in 1/65536 unit, from the view of the side to move.
    #[inline]
    pub fn evaluate(&self, board: &Board, root_phase: u16, caches: &mut Caches) -> Value {
        let sum = board.piece_square + self.relation_terms(board, caches);
        let (open, end) = unpack(sum);
        let value = taper(open, end, self.phase(board, root_phase));
        if board.us() == 0 { value } else { -value }
    }

    /// What the piece-square terms of a piece or pawn gain by a quiet move, by opening weights, in units of
    /// 1/128 pawn.
    #[inline]
    pub fn square_gain(&self, board: &Board, mv: CompactMove) -> i32 {
        let us = board.us();
        let squares = &self.sums.piece_square[us][board.mailbox[mv.origin() as usize] as usize];
        let (gain, _) = unpack(squares[mv.target() as usize] - squares[mv.origin() as usize]);
        (if us == 0 { gain } else { -gain }) >> 8
    }

    /// Packed sum of all terms that are not piece-square terms, from White's view.
    fn relation_terms(&self, board: &Board, caches: &mut Caches) -> i64 {
        #[cfg(target_arch = "x86_64")]
        if self.is_plain {
            // SAFETY: `is_plain` is true only if the processor has the instructions that the function uses.
            return unsafe { self.walk_with_popcount(board, caches) };
        }
        self.relation_terms_with_attacks(board, caches)
    }

    /// [`Self::relation_terms`] with attack terms, if any is on.
    #[inline(never)]
    fn relation_terms_with_attacks(&self, board: &Board, caches: &mut Caches) -> i64 {
        #[cfg(target_arch = "x86_64")]
        if self.has_popcount {
            // SAFETY: `has_popcount` is true only if the processor has the instructions that the function
            // uses.
            return unsafe { self.walk_attacks_with_popcount(board, caches) };
        }
        self.walk(board, caches) + self.attack_terms(board)
    }

    /// [`Self::walk`] and the attack terms, compiled with POPCNT, BMI1 and BMI2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn walk_attacks_with_popcount(&self, board: &Board, caches: &mut Caches) -> i64 {
        self.walk(board, caches) + self.attack_terms(board)
    }

    /// Packed sum of the attack terms, from White's view. They depend on the whole board and are not cached.
    #[inline(always)]
    fn attack_terms(&self, board: &Board) -> i64 {
        if !self.extras.has_attacks() {
            return 0;
        }
        let (white, black) = (self.side::<1>(board), self.side::<-1>(board));
        let (mut own, mut enemy) = (self.sink::<1>(), self.sink::<-1>());
        let of_white = eval::piece_attacks(&white, &mut own);
        let of_black = eval::piece_attacks(&black, &mut enemy);
        eval::threats(&white, &of_white, &of_black.flipped(), &mut own);
        eval::threats(&black, &of_black, &of_white.flipped(), &mut enemy);
        own.sum + enemy.sum
    }

    /// [`Self::walk`] compiled with POPCNT, BMI1 and BMI2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn walk_with_popcount(&self, board: &Board, caches: &mut Caches) -> i64 {
        self.walk(board, caches)
    }

    /// Packed sum of all terms that are not piece-square terms, from the caches where they have them.
    #[inline(always)]
    fn walk(&self, board: &Board, caches: &mut Caches) -> i64 {
        let Caches { pawns, sides, terms } = caches;
        let pawns = pawns.place(board.pawn_key);
        if pawns.key != board.pawn_key {
            self.compute_pawn_entry(board, pawns);
        }
        let [white, black] = &pawns.facts;
        let mut sum = pawns.structure;
        sum += self.side_terms::<1>(board, white, sides, terms);
        sum += self.side_terms::<-1>(board, black, sides, terms);
        sum += self.passed_pawns::<1>(board, white);
        sum += self.passed_pawns::<-1>(board, black);
        let mut sink = self.sink::<1>();
        eval::balance(&board.placement, board.lead, &mut sink);
        sum + sink.sum
    }

    /// Terms of one side except piece-square terms, pawn structure and passed pawns; `SIGN` is -1 for Black.
    /// They depend on nothing that is not in the key: [`OwnView`](eval::OwnView) holds all that they may
    /// read.
    #[inline(always)]
    fn side_terms<const SIGN: i64>(
        &self,
        board: &Board,
        facts: &PawnFacts,
        sides: &mut Cache<TermEntry>,
        terms: &mut Cache<TermEntry>,
    ) -> i64 {
        let us = usize::from(SIGN < 0);
        let enemy_king = PIECE_KEYS[us ^ 1][KING][board.king(us ^ 1) as usize];
        let key =
            board.pawn_key ^ board.non_pawn_keys[us] ^ enemy_king ^ VIEW_KEYS[enemy_view_index(board, us)];
        let entry = sides.place(key);
        if entry.key != key {
            *entry = TermEntry { key, sum: self.compute_side_terms::<SIGN>(board, facts, terms) };
        }
        entry.sum
    }

    /// Computes what [`Self::side_terms`] caches. The terms of each piece among the pawns have a cache of
    /// their own.
    #[inline(always)]
    fn compute_side_terms<const SIGN: i64>(
        &self,
        board: &Board,
        facts: &PawnFacts,
        terms: &mut Cache<TermEntry>,
    ) -> i64 {
        let us = usize::from(SIGN < 0);
        let view = self.side::<SIGN>(board).own_view();
        let mut sum = self.king_and_pawns::<SIGN>(board, &view.king_view(), facts, terms);
        let enemy_king = board.king(us ^ 1);
        let key = board.pawn_key ^ PIECE_KEYS[us ^ 1][KING][enemy_king as usize];
        let pieces =
            board.placement.colors[us] & !(board.placement.roles[PAWN] | board.placement.roles[KING]);
        let flip = if SIGN < 0 { 56 } else { 0 };
        for square in squares(pieces) {
            let role = board.mailbox[square as usize] as usize;
            let key = key ^ PIECE_KEYS[us][role][square as usize];
            let term = terms.place(key);
            if term.key != key {
                let sum = self.compute_piece_terms::<SIGN>(role, square ^ flip, facts, enemy_king ^ flip);
                *term = TermEntry { key, sum };
            }
            sum += term.sum;
        }
        let mut sink = self.sink::<SIGN>();
        eval::whole_side(&view, facts, &mut sink);
        sum + sink.sum
    }

    /// Terms of one king among the pawns, from the cache if it has them.
    #[inline(always)]
    fn king_and_pawns<const SIGN: i64>(
        &self,
        board: &Board,
        view: &KingView,
        facts: &PawnFacts,
        terms: &mut Cache<TermEntry>,
    ) -> i64 {
        let us = usize::from(SIGN < 0);
        let kind = 2 * usize::from(view.enemy_queen) + usize::from(view.enemy_rook);
        let key = board.pawn_key ^ PIECE_KEYS[us][KING][board.king(us) as usize] ^ VIEW_KEYS[kind];
        let term = terms.place(key);
        if term.key != key {
            *term = TermEntry { key, sum: self.compute_king_terms::<SIGN>(view, facts) };
        }
        term.sum
    }

    /// Terms of the passed pawns of one side. They depend on the whole board and are not cached.
    #[inline(always)]
    fn passed_pawns<const SIGN: i64>(&self, board: &Board, facts: &PawnFacts) -> i64 {
        if facts.passed == 0 {
            return 0;
        }
        let mut sink = self.sink::<SIGN>();
        eval::passed_pawns(&self.side::<SIGN>(board), facts, &mut sink);
        sink.sum
    }

    #[inline(always)]
    fn side<const SIGN: i64>(&self, board: &Board) -> Side {
        Side::new(&board.placement, if SIGN < 0 { Color::Black } else { Color::White }, board.lead)
    }

    // What the caches do not have is computed in functions of their own: the frequent path, in which the
    // caches have it, is shorter without their code.

    /// Terms of one piece among the pawns. Squares are from the view of the side.
    #[inline(never)]
    fn compute_piece_terms<const SIGN: i64>(
        &self,
        role: usize,
        square: u32,
        facts: &PawnFacts,
        enemy_king: u32,
    ) -> i64 {
        let mut sink = self.sink::<SIGN>();
        eval::piece_among_pawns(ROLES[role], square, facts, enemy_king, &mut sink);
        sink.sum
    }

    /// Terms of one king among the pawns.
    #[inline(never)]
    fn compute_king_terms<const SIGN: i64>(&self, view: &KingView, facts: &PawnFacts) -> i64 {
        #[cfg(target_arch = "x86_64")]
        if self.has_popcount {
            // SAFETY: `has_popcount` is true only if the processor has the instructions that the function
            // uses.
            return unsafe { self.king_terms_with_popcount::<SIGN>(view, facts) };
        }
        self.king_terms::<SIGN>(view, facts)
    }

    /// [`Self::king_terms`] compiled with POPCNT, BMI1 and BMI2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn king_terms_with_popcount<const SIGN: i64>(&self, view: &KingView, facts: &PawnFacts) -> i64 {
        self.king_terms::<SIGN>(view, facts)
    }

    #[inline(always)]
    fn king_terms<const SIGN: i64>(&self, view: &KingView, facts: &PawnFacts) -> i64 {
        let mut sink = self.sink::<SIGN>();
        eval::king_and_pawns(view, facts, &mut sink);
        sink.sum
    }

    /// Computes an entry of the pawn cache.
    #[inline(never)]
    fn compute_pawn_entry(&self, board: &Board, entry: &mut PawnEntry) {
        #[cfg(target_arch = "x86_64")]
        if self.has_popcount {
            // SAFETY: `has_popcount` is true only if the processor has the instructions that the function
            // uses.
            return unsafe { self.walk_pawns_with_popcount(board, entry) };
        }
        self.walk_pawns(board, entry);
    }

    /// [`Self::walk_pawns`] compiled with POPCNT, BMI1 and BMI2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn walk_pawns_with_popcount(&self, board: &Board, entry: &mut PawnEntry) {
        self.walk_pawns(board, entry);
    }

    #[inline(always)]
    fn walk_pawns(&self, board: &Board, entry: &mut PawnEntry) {
        let [white, black] = [0, 1].map(|color| board.pieces(color, PAWN));
        let facts = [PawnFacts::new(white, black), PawnFacts::new(black.swap_bytes(), white.swap_bytes())];
        let mut own = self.sink::<1>();
        eval::pawn_structure(&facts[0], &mut own);
        let mut enemy = self.sink::<-1>();
        eval::pawn_structure(&facts[1], &mut enemy);
        *entry = PawnEntry { key: board.pawn_key, structure: own.sum + enemy.sum, facts };
    }
}

/// What the terms of one side depend on besides its own pieces, the pawns and the enemy king, as a number
/// below 1024: the other fields of [`OwnView`](eval::OwnView), and the colour of the side. The colour is
/// needed where both sides have a king only, whose keys are the same for White and Black.
#[inline(always)]
fn enemy_view_index(board: &Board, us: usize) -> usize {
    let enemy = board.placement.colors[us ^ 1];
    let roles = &board.placement.roles;
    let lead = if us == 0 { board.lead } else { -board.lead };
    // d3 and e3, or d6 and e6.
    let stops = (enemy >> if us == 0 { 19 } else { 43 }) as usize & 3;
    let rights = usize::from(board.placement.castling >> (2 * us)) & 3;
    usize::from(roles[ROOK] & enemy != 0)
        | usize::from(roles[QUEEN] & enemy != 0) << 1
        | usize::from(roles[BISHOP] & enemy & DARK_SQUARES != 0) << 2
        | usize::from(roles[BISHOP] & enemy & !DARK_SQUARES != 0) << 3
        | usize::from(lead >= WINNING_LEAD) << 4
        | stops << 5
        | rights << 7
        | us << 9
}

/// Hash keys of the results of [`enemy_view_index`].
static VIEW_KEYS: [u64; 1024] = {
    let mut keys = [0; 1024];
    let mut view = 0;
    while view < keys.len() {
        keys[view] = SplitMix64::nth(31_001 + view as u64);
        view += 1;
    }
    keys
};

/// Points of each role for the game phase.
fn phase_points(scheme: PhaseScheme) -> [i32; 6] {
    let [knight, bishop, rook, queen] = scheme.points();
    [0, knight, bishop, rook, queen, 0]
}

/// Cached terms and facts of a pawn structure.
#[derive(Clone, Copy)]
struct PawnEntry {
    key: u64,
    structure: i64,
    facts: [PawnFacts; 2],
}

/// Cached terms of one side, or of one king or piece among the pawns.
#[derive(Clone, Copy)]
struct TermEntry {
    key: u64,
    sum: i64,
}

/// Caches of terms: by pawn structure, by side, and by king or piece among the pawns. Each thread has its
/// own.
pub(crate) struct Caches {
    pawns: Cache<PawnEntry>,
    sides: Cache<TermEntry>,
    terms: Cache<TermEntry>,
}

// Entries of each cache, powers of two. The search of a root meets some hundred pawn structures, so 2,048
// entries keep nearly all of them; larger caches would not fit into the fast levels of the processor's cache.
const PAWN_ENTRIES: usize = 2048;
const SIDE_ENTRIES: usize = 16_384;
const TERM_ENTRIES: usize = 16_384;

/// Key of an empty entry. That a real key equals it is as unlikely as any other collision of 64 bits.
const NO_KEY: u64 = SplitMix64::nth(30_001);

impl Caches {
    /// Empty caches.
    pub fn new() -> Caches {
        let none = PawnFacts::new(0, 0);
        Caches {
            pawns: Cache::new(PAWN_ENTRIES, PawnEntry { key: NO_KEY, structure: 0, facts: [none, none] }),
            sides: Cache::new(SIDE_ENTRIES, TermEntry { key: NO_KEY, sum: 0 }),
            terms: Cache::new(TERM_ENTRIES, TermEntry { key: NO_KEY, sum: 0 }),
        }
    }
}

/// A direct-mapped cache: each key has one entry, which the last key written to it owns.
struct Cache<T> {
    entries: Vec<T>,
}

impl<T: Copy> Cache<T> {
    fn new(entries: usize, empty: T) -> Cache<T> {
        Cache { entries: vec![empty; entries] }
    }

    /// The entry of a key. It may hold another key.
    #[inline(always)]
    fn place(&mut self, key: u64) -> &mut T {
        let place = key as usize & (self.entries.len() - 1);
        &mut self.entries[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::{Placement, testing::random_positions},
        feature::{Key, Weights},
    };

    /// Weights that differ between cells.
    fn distinct_weights() -> Quantised {
        let mut weights = Weights::start();
        for (number, &key) in Key::ALL.iter().enumerate() {
            weights.turn_on(key);
            if key.feature().layout.is_table() {
                weights.free_table(key).unwrap();
            }
            let setting = weights.setting_mut(key);
            for (cell, weight) in setting.open.iter_mut().chain(&mut setting.end).enumerate() {
                *weight = (number * number % 97) as f64 + (cell * 7 % 31) as f64 / 4.0 - 50.0;
            }
        }
        weights.quantised()
    }

    #[test]
    fn the_value_is_that_of_the_walk_whatever_the_caches_hold() {
        let weights = distinct_weights();
        let tables = Tables::new(&weights, PhaseScheme::Fruit, PhaseAt::Leaf);
        let mut caches = Caches::new();
        let bare_kings = ["8/8/3k4/8/8/3K4/8/8 w - - 0 1", "8/8/3k4/3p4/3P4/3K4/8/8 b - - 0 1"];
        let bare_kings = bare_kings.map(|fen| crate::fen::parse(fen).unwrap());
        for position in random_positions().iter().chain(&bare_kings) {
            let placement = Placement::from(position);
            let board = Board::new(position, &tables.sums);
            let (open, end) = eval::evaluate(&placement, &weights);
            let value = taper(open, end, tables.phase_of_board(&board));
            let expected = if placement.turn.is_white() { value } else { -value };
            assert_eq!(tables.evaluate(&board, 0, &mut caches), expected, "{position:?}");
        }
    }

    #[test]
    fn the_points_kept_give_the_phase_that_the_pieces_give_through_captures_and_promotions() {
        for scheme in PhaseScheme::ALL {
            let weights = distinct_weights();
            let (tables, own) = (Tables::new(&weights, scheme, PhaseAt::Leaf), weights.scheme(scheme));
            for position in random_positions() {
                let board = Board::new(&position, &tables.sums);
                for mv in crate::position::canonical_moves(&position) {
                    let after = board.make(mv.into(), &tables.sums);
                    let pieces = after.placement.piece_counts();
                    assert_eq!(
                        tables.phase_of_board(&after),
                        own.phase(pieces),
                        "{scheme}: {mv} in {position:?}"
                    );
                }
            }
        }
    }
}
