//! Any bytes as the stored tree of a position: a walk ends, gives the same twice, and through the tree that a
//! search has grown it finds what the search finds.

use shakmaty::{Chess, Position};
use texam::{
    feature::Weights,
    fen,
    position::{CompactMove, canonical_moves},
    search::{
        RootKind, Settings,
        alphabeta::{AlphaBeta, HALF_PAWN, Prepared},
        tree::Walker,
    },
    value::UNIT,
};

crate::target!("tree", check, 300, 3000);

/// Positions with castling, promotions, en passant, checks, mates and stalemates near.
const POSITIONS: [&str; 5] = [
    "r3k2r/pppq1ppp/2n5/3Pp3/8/2N5/PPP2PPP/R2QK2R w KQkq e6 0 1",
    "r3k2r/1P4p1/8/2pP4/8/8/6p1/R3K2R w KQkq c6 0 1",
    "7k/5Q2/6K1/8/8/8/1p6/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "8/8/4k3/8/3KP3/8/8/8 w - - 0 1",
];

/// The first byte names the position, the depth and the margin of the search; the others are the tree.
fn check(bytes: &[u8]) {
    let Some((&first, tree)) = bytes.split_first() else { return };
    let first = usize::from(first);
    let root: Chess = fen::parse(POSITIONS[first % POSITIONS.len()]).expect("a position");
    let depth = 1 + (first / POSITIONS.len() % 2) as u32;
    let margin = Some((first / POSITIONS.len() / 2 % 4) as i64 * 8 * UNIT);
    let prepared = Prepared::new(Settings { depth, ..Settings::default() }, &Weights::start().quantised());
    let played = CompactMove::from(canonical_moves(&root)[0]);
    let mut walker = Walker::new(&prepared);
    let mut walk = |kind| walker.choice(&root, played, kind, Some(HALF_PAWN), tree);
    let kinds = [RootKind::Quiescence, RootKind::Static, RootKind::Search];
    let mut searcher = AlphaBeta::new(&prepared);
    let grown = searcher.grow(&root, margin).expect("a small margin");
    for kind in kinds {
        match (walk(kind), walk(kind)) {
            (Ok(one), Ok(two)) => {
                assert_eq!(one, two);
                assert!(one.ahead + one.tied < one.legal && one.kept.len() <= one.legal as usize);
                if tree == grown {
                    assert_eq!(one.legal as usize, root.legal_moves().len());
                    assert_eq!(one, searcher.search_choice(&root, played, kind, Some(HALF_PAWN)));
                }
            }
            (Err(one), Err(two)) => {
                assert_eq!(one.to_string(), two.to_string());
                assert!(tree != grown, "{one}");
            }
            _ => panic!("two walks differ"),
        }
    }
}
