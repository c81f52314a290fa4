//! The table of features: every key with its group, shape, starting weights and chess meaning.
//!
//! The evaluation, the `.par` and `.stat` files, the screen and the listing of parameters all use this table.
//! Only a few terms of the evaluation of Deep Thought are known to us: the list is a reconstruction, with
//! hand-set starting weights in units of 1/128 pawn.
//!
//! A *feature* is a row of the table (`n_cen`); its *cells* are the entries of its table, or the one count of
//! a scalar. The evaluation reports counts of cells, and the search multiplies them by weights. Whether a
//! table is tuned cell by cell or as one *gradient* times a fixed integer shape is a matter of
//! [`weights::Weights`] alone.
//!
//! The features of the last three groups, full piece-square tables, attack terms and the points of the phase,
//! are *optional*: they are not part of the reconstruction, and off by default. Turned on, they are scalars,
//! or tables of free cells, that start at 0. The points start at those of
//! [`PhaseScheme::Fruit`](crate::phase::PhaseScheme::Fruit). They are weights without a count: the evaluation
//! takes the phase from them, and does not add them.

mod extras;
mod layout;
mod nearest;
pub mod pattern;
mod signature;
pub mod vector;
pub mod weights;

pub use extras::Extras;
pub use layout::Layout;
pub use nearest::nearest;
pub use signature::table_signature;
pub use vector::FeatureVector;
pub use weights::{MAX_WEIGHT, Mode, Quantised, Setting, Weights};

use strum::{Display, IntoStaticStr, VariantArray};

use Layout::{File, FileRank, Number, Rank, Scalar, Shelter, Square, Storm};

/// Index of a cell among all cells of all features.
pub type Cell = u16;

/// Groups of features, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Group {
    /// Values of the pieces and pawns, the bishop pair, trades and the side to move.
    Material,
    /// Where each piece and pawn stands.
    Placement,
    /// Pawn structure.
    Pawns,
    /// Passed pawns.
    Passed,
    /// Rooks and queens on files and ranks.
    Rooks,
    /// Shelter of the king; opening weights only.
    King,
    /// Castling, development and minor pieces. The name is our guess: Deep Thought had "a few special bonus
    /// registers", and the record does not say what they held.
    Registers,
    /// Full piece-square tables; optional.
    Squares,
    /// Mobility, attacks on the king, threats; optional.
    Attack,
    /// Points of the pieces that give the phase; optional.
    Phase,
}

impl Group {
    /// Number in listings, from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// Whether its features are off by default.
    pub fn is_optional(self) -> bool {
        matches!(self, Group::Squares | Group::Attack | Group::Phase)
    }

    /// Whether its features are turned on by their names, and not as tables.
    pub fn is_named(self) -> bool {
        matches!(self, Group::Attack | Group::Phase)
    }

    /// Name on the command line and in listings.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Which parts of a tapered weight a feature has: opening, endgame or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Ends {
    /// An opening and an endgame weight, tuned separately.
    Pair,
    /// One weight, the same in both phases.
    Single,
    /// An opening weight; the endgame weight is 0 and never tuned.
    #[strum(serialize = "opening")]
    OpeningOnly,
}

impl Ends {
    /// Name in listings. It is part of the signature of the table.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Feature {
    /// Name in files and on the command line.
    pub key: &'static str,
    /// Group.
    pub group: Group,
    /// Which of the opening and the endgame weight the feature has.
    pub ends: Ends,
    /// How its cells are laid out.
    pub layout: Layout,
    /// Fixed integer shapes (opening, endgame) that the gradient of a table multiplies, one entry a cell;
    /// `[1]` for a scalar.
    pub shape: [&'static [i16]; 2],
    /// Starting weights (opening, endgame) of the scalar or of the gradient, in units.
    pub start: [f64; 2],
    /// Whether the feature is frozen by default.
    pub frozen: bool,
    /// Meaning in a few words.
    pub meaning: &'static str,
    /// What chess players call it, the most common word first; empty where they have no word.
    pub words: &'static str,
}

impl Feature {
    /// What chess players call it first, or else its key.
    pub fn called(&self) -> &'static str {
        self.words.split([',', ';']).next().filter(|word| !word.is_empty()).unwrap_or(self.key)
    }

    /// The meaning, and behind it what chess players call it.
    pub fn description(&self) -> String {
        let Feature { meaning, words, .. } = self;
        if words.is_empty() { meaning.to_string() } else { format!("{meaning}: {words}") }
    }
}

const CENTRALITY: [i16; 32] = centrality();
const P_ADV_OPEN: [i16; 24] = pawn_advance(true);
const P_ADV_END: [i16; 24] = pawn_advance(false);

/// File class + rank class of each cell of a board of file classes by ranks 1 to 8: 0 at the corner, 6
/// in the centre.
const fn centrality() -> [i16; 32] {
    let mut shape = [0; 32];
    let mut cell = 0;
    while cell < 32 {
        let (class, rank) = (cell / 8, cell % 8);
        let rank_class = if rank < 4 { rank } else { 7 - rank };
        shape[cell] = (class + rank_class) as i16;
        cell += 1;
    }
    shape
}

/// Opening `(r - 2)(1 + fc)`, endgame `4(r - 2) + fc`.
const fn pawn_advance(opening: bool) -> [i16; 24] {
    let mut shape = [0; 24];
    let mut cell = 0;
    while cell < 24 {
        let (class, steps) = ((cell / 6) as i16, (cell % 6) as i16);
        shape[cell] = if opening { steps * (1 + class) } else { 4 * steps + class };
        cell += 1;
    }
    shape
}

/// An optional feature: its weights start at 0 once it is turned on.
const fn off(layout: Layout) -> (Layout, [&'static [i16]; 2], [f64; 2]) {
    const NO_SHAPE: &[i16] = &[0; 64];
    (layout, [NO_SHAPE.split_at(layout.cells()).0; 2], [0.0; 2])
}

const fn scalar(open: f64, end: f64) -> (Layout, [&'static [i16]; 2], [f64; 2]) {
    (Layout::Scalar, [&[1], &[1]], [open, end])
}

const fn table(
    layout: Layout,
    open: &'static [i16],
    end: &'static [i16],
    gradient_open: f64,
    gradient_end: f64,
) -> (Layout, [&'static [i16]; 2], [f64; 2]) {
    assert!(open.len() == layout.cells() && end.len() == layout.cells());
    (layout, [open, end], [gradient_open, gradient_end])
}

macro_rules! features {
    ($($name:ident, $key:literal, $group:ident, $ends:ident, $make:ident($($arg:expr),*),
       $frozen:literal, $meaning:literal, $words:literal;)*) => {
        /// Name of a feature.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Key {
            $(#[doc = $meaning] $name,)*
        }

        impl Key {
            /// All keys in the order of the table.
            pub const ALL: &'static [Key] = &[$(Key::$name,)*];
        }

        /// All features in the order of the table.
        pub static FEATURES: [Feature; Key::ALL.len()] = [$({
            const MADE: (Layout, [&[i16]; 2], [f64; 2]) = $make($($arg),*);
            Feature {
                key: $key,
                group: Group::$group,
                ends: Ends::$ends,
                layout: MADE.0,
                shape: MADE.1,
                start: MADE.2,
                frozen: $frozen,
                meaning: $meaning,
                words: $words,
            }
        },)*];

        const LAYOUTS: [Layout; Key::ALL.len()] = [$($make($($arg),*).0,)*];
    };
}

#[rustfmt::skip]
features! {
    MatP, "mat_p", Material, Pair, scalar(128.0, 128.0), true, "pawns; the unit of all other weights, so never tuned", "pawn value";
    MatN, "mat_n", Material, Pair, scalar(416.0, 416.0), true, "knights", "knight value";
    MatB, "mat_b", Material, Pair, scalar(424.0, 432.0), true, "bishops", "bishop value";
    MatR, "mat_r", Material, Pair, scalar(640.0, 672.0), true, "rooks", "rook value";
    MatQ, "mat_q", Material, Pair, scalar(1216.0, 1248.0), true, "queens", "queen value";
    BPair, "b_pair", Material, Pair, scalar(32.0, 48.0), false, "bishops on squares of both colours", "bishop pair";
    TradePc, "trade_pc", Material, Single, scalar(6.0, 6.0), false, "lead in material, times half the pieces traded: who is ahead wants pieces off", "simplification, exchanges";
    TradePn, "trade_pn", Material, Single, scalar(-3.0, -3.0), false, "lead in material, times half the pawns traded: who is ahead keeps pawns", "pawn trades";
    Tempo, "tempo", Material, Pair, scalar(4.0, 4.0), true, "the move", "tempo, side to move";
    PAdv, "p_adv", Placement, Pair, table(FileRank { low: 2, ranks: 6 }, &P_ADV_OPEN, &P_ADV_END, 1.0, 1.0), false, "each pawn by file class and rank: the pawn advancement gradient", "pawn advance";
    NCen, "n_cen", Placement, Pair, table(FileRank { low: 1, ranks: 8 }, &CENTRALITY, &CENTRALITY, 5.0, 4.0), false, "centrality of each knight (file class + rank class, 0 to 6)", "centralization, centre, center";
    NFwd, "n_fwd", Placement, Pair, scalar(2.0, 1.0), false, "ranks a knight has advanced, up to the sixth", "advanced knight";
    NRim, "n_rim", Placement, Pair, scalar(-8.0, -4.0), false, "knights on the a- and h-file", "knight on the rim";
    NUndev, "n_undev", Placement, Pair, scalar(-12.0, 0.0), false, "knights still on b1, g1", "undeveloped knight, development";
    BCen, "b_cen", Placement, Pair, table(FileRank { low: 1, ranks: 8 }, &CENTRALITY, &CENTRALITY, 2.0, 2.0), false, "centrality of each bishop", "bishop centralization";
    BUndev, "b_undev", Placement, Pair, scalar(-12.0, 0.0), false, "bishops still on c1, f1", "undeveloped bishop, development";
    BFianch, "b_fianch", Placement, Pair, scalar(6.0, 0.0), false, "bishop on b2 or g2 behind its own pawn on b3 or g3", "fianchetto";
    RCen, "r_cen", Placement, Pair, scalar(3.0, 0.0), false, "file class of each rook: central files", "";
    RFwd, "r_fwd", Placement, Pair, scalar(0.0, 2.0), false, "ranks a rook has advanced, at most 5", "";
    QCen, "q_cen", Placement, Pair, scalar(0.0, 4.0), false, "centrality of each queen", "";
    QEarly, "q_early", Placement, Pair, scalar(-5.0, 0.0), false, "queens off d1, times own minors still at home", "early queen";
    QAdv, "q_adv", Placement, Pair, scalar(-2.0, 2.0), false, "ranks a queen stands beyond the third", "";
    KCen, "k_cen", Placement, Pair, table(FileRank { low: 1, ranks: 8 }, &CENTRALITY, &CENTRALITY, -6.0, 6.0), false, "square of the king by file class and rank: king centrality", "king centralization, active king";
    KRank, "k_rank", Placement, Pair, scalar(-12.0, 2.0), false, "ranks the king has left its back rank, at most 4", "king walk";
    NTrop, "n_trop", Placement, Pair, scalar(3.0, 1.0), false, "nearness of knights to the enemy king (7 - distance)", "king tropism";
    BTrop, "b_trop", Placement, Pair, scalar(1.0, 0.0), false, "nearness of bishops to the enemy king (7 - distance)", "bishop tropism";
    RTrop, "r_trop", Placement, Pair, scalar(2.0, 1.0), false, "nearness of rooks to the enemy king (14 - taxicab distance)", "rook tropism";
    QTrop, "q_trop", Placement, Pair, scalar(3.0, 1.0), false, "nearness of queens to the enemy king (14 - taxicab distance)", "queen tropism";
    KPawns, "k_pawns", Placement, Pair, scalar(0.0, -3.0), false, "mean distance of the king to all pawns, rounded", "king activity";
    KMopup, "k_mopup", Placement, Pair, scalar(0.0, 6.0), false, "with a lead of two pawns: enemy king at the edge, own king near it", "mop-up";
    Dbl, "dbl", Pawns, Pair, table(File, &[-14, -15, -15, -13], &[-20; 4], 1.0, 1.0), false, "pawns beyond the first on a file", "doubled pawn";
    Trip, "trip", Pawns, Pair, scalar(-8.0, -10.0), false, "pawns beyond the second on a file", "tripled pawn";
    Iso, "iso", Pawns, Pair, table(File, &[-15, -18, -20, -26], &[-14, -16, -18, -20], 1.0, 1.0), false, "pawns without own pawns on the adjacent files", "isolated pawn, isolani";
    IsoOpen, "iso_open", Pawns, Pair, scalar(-10.0, -5.0), false, "isolated pawns with no enemy pawn on their file", "";
    IsoDbl, "iso_dbl", Pawns, Pair, scalar(-8.0, -8.0), false, "pawns both isolated and doubled", "";
    Back, "back", Pawns, Pair, table(File, &[-7, -8, -9, -10], &[-5; 4], 1.0, 1.0), false, "pawns left behind by their neighbours, with an enemy pawn guarding the stop", "backward pawn";
    BackOpen, "back_open", Pawns, Pair, scalar(-10.0, -4.0), false, "backward pawns with no enemy pawn ahead on their file", "";
    Duo, "duo", Pawns, Pair, table(Rank { low: 2, ranks: 6 }, &[0, 4, 7, 10, 14, 18], &[0, 4, 7, 10, 14, 18], 1.0, 1.0), false, "pairs of pawns side by side, by rank", "phalanx, connected pawns";
    Chain, "chain", Pawns, Pair, scalar(5.0, 4.0), false, "pawns defended by a pawn", "pawn chain, protected pawn";
    Island, "island", Pawns, Pair, scalar(-5.0, -8.0), false, "groups of files with pawns, beyond the first", "pawn island";
    Lever, "lever", Pawns, Pair, scalar(4.0, 4.0), false, "pawns beyond the fourth rank that attack an enemy pawn", "pawn break";
    Cand, "cand", Pawns, Pair, table(Rank { low: 2, ranks: 5 }, &[2, 4, 8, 14, 22], &[4, 8, 14, 24, 40], 1.0, 1.0), false, "candidates: open file ahead, and as many helpers as enemy guards, by rank", "candidate passer";
    CtrBlk, "ctr_blk", Pawns, Pair, scalar(-19.0, 0.0), false, "pawns on d2, e2 with an occupied square ahead", "blocked centre";
    MajQ, "maj_q", Pawns, Pair, scalar(3.0, 6.0), false, "more pawns than the enemy on the wing away from the own king", "pawn majority";
    Rookpawn, "rookpawn", Pawns, Pair, scalar(-8.0, -6.0), true, "pawns on the a- and h-file", "rook pawn";
    WeakHole, "weak_hole", Pawns, Pair, scalar(-3.0, -1.0), false, "squares c3 to f4 that no own pawn can ever attack", "weak square, hole";
    Pass, "pass", Passed, Pair, table(Rank { low: 2, ranks: 6 }, &[4, 6, 12, 26, 52, 90], &[10, 16, 32, 64, 120, 200], 1.0, 1.0), false, "passed pawns by rank", "passed pawn, passer";
    PassSup, "pass_sup", Passed, Pair, scalar(8.0, 16.0), false, "passed pawns defended by a pawn", "protected passer";
    PassCon, "pass_con", Passed, Pair, scalar(8.0, 24.0), false, "passed pawns with a passed neighbour within one rank", "connected passers";
    PassOut, "pass_out", Passed, Pair, scalar(2.0, 14.0), false, "passed pawns with no other pawn near: outside passed pawns", "outside passer";
    PassBlkE, "pass_blk_e", Passed, Pair, scalar(-10.0, -22.0), false, "passed pawns blocked by an enemy piece", "blockade";
    PassBlkO, "pass_blk_o", Passed, Pair, scalar(-4.0, -8.0), false, "passed pawns blocked by an own piece", "";
    PassFree, "pass_free", Passed, Pair, scalar(2.0, 8.0), false, "ranks beyond the third of passed pawns with nothing at all ahead", "";
    PassRook, "pass_rook", Passed, Pair, scalar(6.0, 20.0), false, "own rook behind an own passed pawn", "";
    PassRookX, "pass_rook_x", Passed, Pair, scalar(-6.0, -16.0), false, "enemy rook behind an own passed pawn", "";
    PassKown, "pass_kown", Passed, Pair, scalar(0.0, -4.0), false, "distance of the own king to the stop of its advanced passed pawns", "";
    PassKopp, "pass_kopp", Passed, Pair, scalar(0.0, 6.0), false, "distance of the enemy king to the stop of advanced passed pawns", "";
    PassRun, "pass_run", Passed, Pair, scalar(0.0, 400.0), true, "passed pawn that a bare enemy king cannot catch", "unstoppable pawn, rule of the square";
    ROpen, "r_open", Rooks, Pair, table(File, &[18, 20, 22, 24], &[10; 4], 1.0, 1.0), false, "rooks on files without pawns", "open file";
    RHalf, "r_half", Rooks, Pair, table(File, &[8, 10, 12, 13], &[7; 4], 1.0, 1.0), false, "rooks on files with enemy pawns only", "half-open file, semi-open file";
    RShut, "r_shut", Rooks, Pair, scalar(-5.0, -2.0), false, "rooks behind their own pawn, which is no lever", "closed file";
    R7th, "r_7th", Rooks, Pair, scalar(24.0, 20.0), false, "rook on the seventh with the king on the eighth or pawns to eat", "seventh rank";
    R7th2, "r_7th2", Rooks, Pair, scalar(24.0, 16.0), false, "a second rook on the seventh under the same condition", "";
    RDbl, "r_dbl", Rooks, Pair, scalar(10.0, 5.0), false, "two rooks on one open or half-open file", "rook battery, doubled rooks";
    RWeak, "r_weak", Rooks, Pair, scalar(8.0, 4.0), false, "rook on a half-open file against an isolated or backward pawn", "";
    RKfile, "r_kfile", Rooks, Pair, scalar(10.0, 0.0), false, "rook on an open or half-open file at most one file from the enemy king", "";
    QOpen, "q_open", Rooks, Pair, scalar(4.0, 2.0), false, "queens on files without pawns", "";
    RTrap, "r_trap", Rooks, Pair, scalar(-32.0, -4.0), false, "rook shut in the corner by its own king", "trapped rook";
    Sh, "sh", King, OpeningOnly, table(Shelter, &[0, -6, -14, -26, 0, -4, -10, -18, 0, -3, -8, -14], &[0; 12], 1.0, 0.0), false, "shelter: nearest own pawn on the king's, the inner and the outer file", "king safety, pawn shield";
    ShCtr, "sh_ctr", King, OpeningOnly, scalar(-20.0, 0.0), false, "king on the d- or e-file at home with no castling left", "uncastled king, king safety";
    Storm, "storm", King, OpeningOnly, table(Storm, &[0, -3, -8, -14], &[0; 4], 1.0, 0.0), false, "foremost enemy pawn on each shelter file", "pawn storm";
    KOpen, "k_open", King, OpeningOnly, scalar(-20.0, 0.0), false, "shelter files without any pawn, against rook or queen", "open king, king safety";
    KHalf, "k_half", King, OpeningOnly, scalar(-10.0, 0.0), false, "shelter files without own pawns, against rook or queen", "";
    ShNoq, "sh_noq", King, OpeningOnly, scalar(6.0, 0.0), false, "shelter files without own pawns when the enemy has no queen: a refund", "";
    FiaHole, "fia_hole", King, OpeningOnly, scalar(-12.0, 0.0), false, "castled king, fianchetto pawn gone, and only the enemy has the bishop for it", "weak fianchetto";
    CasK, "cas_k", Registers, Pair, scalar(26.0, 0.0), false, "castled king-side, or as good as", "castling, kingside";
    CasQ, "cas_q", Registers, Pair, scalar(20.0, 0.0), false, "castled queen-side, or as good as", "queenside castling";
    RtK, "rt_k", Registers, Pair, scalar(10.0, 0.0), false, "right to castle king-side", "castling rights";
    RtQ, "rt_q", Registers, Pair, scalar(7.0, 0.0), false, "right to castle queen-side", "queenside castling rights";
    KMoved, "k_moved", Registers, Pair, scalar(-30.0, 0.0), false, "no right to castle, and not castled", "lost castling";
    Undev, "undev", Registers, Pair, scalar(-2.0, 0.0), false, "own minors on their home squares, squared", "development";
    BBad, "b_bad", Registers, Pair, scalar(-2.0, -3.0), false, "own pawns on the bishop's colour, files c to f twice", "bad bishop";
    BShut, "b_shut", Registers, Pair, scalar(-14.0, 0.0), false, "bishop on c1 or f1 behind a blocked d2 or e2 pawn", "buried bishop";
    BTrap, "b_trap", Registers, Pair, scalar(-110.0, -90.0), true, "bishop trapped on a7 or h7 (b8, g8) by pawns", "trapped bishop";
    NPost, "n_post", Registers, Pair, scalar(12.0, 8.0), false, "knights on ranks 4 to 6, defended by a pawn and safe from pawns for good", "outpost";
    BPost, "b_post", Registers, Pair, scalar(6.0, 3.0), false, "bishops on such an outpost", "bishop outpost";
    NWeak, "n_weak", Registers, Pair, scalar(4.0, 2.0), false, "knights on ranks 4 to 6 safe from pawns for good, not defended by one", "";
    MinBlk, "min_blk", Registers, Pair, scalar(8.0, 10.0), false, "minors right in front of an enemy passed pawn", "blockader";
    PcAttp, "pc_attp", Registers, Pair, scalar(-6.0, -2.0), false, "pieces attacked by a pawn", "attacked piece, en prise";
    BDiag, "b_diag", Registers, Pair, scalar(5.0, 0.0), false, "bishops on a long diagonal clear of own centre pawns", "long diagonal";
    BKnsame, "b_knsame", Registers, Pair, scalar(0.0, 4.0), false, "pawns on both wings, times bishops less knights", "bishop against knight";
    PstP, "pst_p", Squares, Pair, off(FileRank { low: 2, ranks: 6 }), false, "square of each pawn by file class and rank", "piece-square table";
    PstN, "pst_n", Squares, Pair, off(FileRank { low: 1, ranks: 8 }), false, "square of each knight by file class and rank", "";
    PstB, "pst_b", Squares, Pair, off(FileRank { low: 1, ranks: 8 }), false, "square of each bishop by file class and rank", "";
    PstR, "pst_r", Squares, Pair, off(FileRank { low: 1, ranks: 8 }), false, "square of each rook by file class and rank", "";
    PstQ, "pst_q", Squares, Pair, off(FileRank { low: 1, ranks: 8 }), false, "square of each queen by file class and rank", "";
    PstK, "pst_k", Squares, Pair, off(FileRank { low: 1, ranks: 8 }), false, "square of the king by file class and rank", "";
    Pst64P, "pst64_p", Squares, Pair, off(Square { low: 2, ranks: 6 }), false, "square of each pawn by file and rank, left and right apart", "";
    Pst64N, "pst64_n", Squares, Pair, off(Square { low: 1, ranks: 8 }), false, "square of each knight by file and rank, left and right apart", "";
    Pst64B, "pst64_b", Squares, Pair, off(Square { low: 1, ranks: 8 }), false, "square of each bishop by file and rank, left and right apart", "";
    Pst64R, "pst64_r", Squares, Pair, off(Square { low: 1, ranks: 8 }), false, "square of each rook by file and rank, left and right apart", "";
    Pst64Q, "pst64_q", Squares, Pair, off(Square { low: 1, ranks: 8 }), false, "square of each queen by file and rank, left and right apart", "";
    Pst64K, "pst64_k", Squares, Pair, off(Square { low: 1, ranks: 8 }), false, "square of the king by file and rank, left and right apart", "";
    MobN, "mob_n", Attack, Pair, off(Number { most: 8 }), false, "knights by mobility: squares attacked that hold no own piece or pawn and that no enemy pawn attacks", "mobility";
    MobB, "mob_b", Attack, Pair, off(Number { most: 13 }), false, "bishops by mobility", "bishop mobility";
    MobR, "mob_r", Attack, Pair, off(Number { most: 14 }), false, "rooks by mobility", "rook mobility";
    MobQ, "mob_q", Attack, Pair, off(Number { most: 27 }), false, "queens by mobility", "queen mobility";
    CtrAtt, "ctr_att", Attack, Pair, off(Scalar), false, "attacks on d4, e4, d5 and e5", "control of the centre, center";
    RingN, "ring_n", Attack, Pair, off(Scalar), false, "attacks of knights on squares next to the enemy king", "king attack, king safety";
    RingB, "ring_b", Attack, Pair, off(Scalar), false, "attacks of bishops on squares next to the enemy king", "";
    RingR, "ring_r", Attack, Pair, off(Scalar), false, "attacks of rooks on squares next to the enemy king", "";
    RingQ, "ring_q", Attack, Pair, off(Scalar), false, "attacks of queens on squares next to the enemy king", "";
    RingCnt, "ring_cnt", Attack, Pair, off(Number { most: 5 }), false, "number of pieces that attack a square next to the enemy king", "king attackers";
    ChkN, "chk_n", Attack, Pair, off(Scalar), false, "squares where a knight could give check next move, not attacked by enemy pawns", "safe checks";
    ChkB, "chk_b", Attack, Pair, off(Scalar), false, "squares where a bishop could give check next move, not attacked by enemy pawns", "";
    ChkR, "chk_r", Attack, Pair, off(Scalar), false, "squares where a rook could give check next move, not attacked by enemy pawns", "";
    ChkQ, "chk_q", Attack, Pair, off(Scalar), false, "squares where a queen could give check next move, not attacked by enemy pawns", "";
    ThrMinor, "thr_minor", Attack, Pair, off(Scalar), false, "enemy rooks and queens attacked by a knight or bishop", "threats";
    ThrRook, "thr_rook", Attack, Pair, off(Scalar), false, "enemy queens attacked by a rook", "";
    ThrLoose, "thr_loose", Attack, Pair, off(Layout::Role), false, "enemy pieces and pawns attacked and not defended at all", "hanging piece, loose piece";
    ThrWeak, "thr_weak", Attack, Pair, off(Layout::Role), false, "enemy pieces and pawns attacked by a piece and defended, but not by a pawn", "";
    ThrPush, "thr_push", Attack, Pair, off(Scalar), false, "enemy pieces that a safe push of a pawn would attack", "pawn threat";
    Space, "space", Attack, Pair, off(Scalar), false, "squares c2 to f4 without own pawns and not attacked by enemy pawns", "";
    Pin, "pin", Attack, Pair, off(Scalar), false, "enemy pieces alone between an own sliding piece and their king or queen", "";
    PhN, "ph_n", Phase, Single, scalar(1.0, 1.0), false, "points of a knight in the phase, of 24", "";
    PhB, "ph_b", Phase, Single, scalar(1.0, 1.0), false, "points of a bishop in the phase", "";
    PhR, "ph_r", Phase, Single, scalar(2.0, 2.0), false, "points of a rook in the phase", "";
    PhQ, "ph_q", Phase, Single, scalar(4.0, 4.0), false, "points of a queen in the phase", "";
}

const FIRST_CELLS: [Cell; Key::ALL.len() + 1] = {
    let mut first = [0; Key::ALL.len() + 1];
    let mut key = 0;
    while key < Key::ALL.len() {
        first[key + 1] = first[key] + LAYOUTS[key].cells() as Cell;
        key += 1;
    }
    first
};

/// Number of cells of all features together.
pub const CELLS: usize = FIRST_CELLS[Key::ALL.len()] as usize;

/// Number of features that are not optional, which come first.
const STANDARD: usize = Key::PstP as usize;

/// Number of cells of the features that are not optional.
pub const STANDARD_CELLS: usize = FIRST_CELLS[STANDARD] as usize;

/// The points of a knight, a bishop, a rook and a queen in the phase.
pub const POINTS: [Key; 4] = [Key::PhN, Key::PhB, Key::PhR, Key::PhQ];

impl Key {
    /// The row of the table.
    pub fn feature(self) -> &'static Feature {
        &FEATURES[self as usize]
    }

    /// The cell of a scalar, or the first cell of a table.
    pub const fn cell(self) -> Cell {
        FIRST_CELLS[self as usize]
    }

    /// Cell `index` of a table.
    pub const fn cell_at(self, index: usize) -> Cell {
        debug_assert!(index < LAYOUTS[self as usize].cells());
        FIRST_CELLS[self as usize] + index as Cell
    }

    /// The feature called `name`.
    pub fn from_name(name: &str) -> Option<Key> {
        Key::ALL.iter().copied().find(|key| key.feature().key == name)
    }

    /// Features that are not optional.
    pub fn standard() -> &'static [Key] {
        &Key::ALL[..STANDARD]
    }

    /// Features that are off by default.
    pub fn optional() -> &'static [Key] {
        &Key::ALL[STANDARD..]
    }

    /// Whether the feature is off by default.
    pub fn is_optional(self) -> bool {
        self as usize >= STANDARD
    }

    /// Whether this is the value of a pawn, knight, bishop, rook or queen.
    pub fn is_piece_value(self) -> bool {
        matches!(self, Key::MatP | Key::MatN | Key::MatB | Key::MatR | Key::MatQ)
    }

    /// The feature that `cell` belongs to, and its index there.
    pub fn of_cell(cell: Cell) -> (Key, usize) {
        let key = FIRST_CELLS.partition_point(|&first| first <= cell) - 1;
        (Key::ALL[key], (cell - FIRST_CELLS[key]) as usize)
    }
}

/// The name of an entry of a setting in this mode: [`cell_name`] where each cell is one, else the key.
pub fn entry_name(key: Key, mode: Mode, entry: usize) -> String {
    if mode == Mode::Cells { cell_name(key.cell_at(entry)) } else { key.feature().key.to_string() }
}

/// `key`, or `key[cell]` for a cell of a table.
pub fn cell_name(cell: Cell) -> String {
    let (key, index) = Key::of_cell(cell);
    let feature = key.feature();
    if feature.layout.is_table() {
        format!("{}[{}]", feature.key, feature.layout.label(index))
    } else {
        feature.key.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optional_features_come_last_and_names_are_unique() {
        assert!(Key::standard().len() + Key::optional().len() == Key::ALL.len());
        for &key in Key::ALL {
            assert_eq!(key.is_optional(), key.feature().group.is_optional());
            assert_eq!(Key::from_name(key.feature().key), Some(key));
        }
    }

    #[test]
    fn every_cell_knows_its_feature() {
        for &key in Key::ALL {
            for index in 0..key.feature().layout.cells() {
                assert_eq!(Key::of_cell(key.cell_at(index)), (key, index));
            }
        }
        let count = |keys: &[Key]| keys.iter().map(|key| key.feature().layout.cells()).sum::<usize>();
        assert_eq!((STANDARD_CELLS, CELLS), (count(Key::standard()), count(Key::ALL)));
    }

    #[test]
    fn cells_are_named_by_file_class_and_rank() {
        assert_eq!(cell_name(Key::MatN.cell()), "mat_n");
        assert_eq!(cell_name(Key::PAdv.cell_at(3 * 6 + 2)), "p_adv[de,r4]");
        assert_eq!(cell_name(Key::PstP.cell_at(3 * 6 + 2)), "pst_p[de,r4]");
        assert_eq!(cell_name(Key::Pst64N.cell_at(4 * 8 + 3)), "pst64_n[e,r4]");
        assert_eq!(cell_name(Key::Sh.cell_at(4)), "sh[inner,r2]");
        assert_eq!(cell_name(Key::Pass.cell_at(5)), "pass[r7]");
    }

    #[test]
    fn shapes_follow_their_formulas_at_the_corner_and_in_the_centre() {
        assert_eq!((CENTRALITY[0], CENTRALITY[3 * 8 + 3]), (0, 6));
        assert_eq!((P_ADV_OPEN[3 * 6 + 5], P_ADV_END[3 * 6 + 5]), (20, 23));
    }
}
