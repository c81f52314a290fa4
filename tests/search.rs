//! The fast search finds the value and the leaf of the reference, everywhere.

use fastrand::Rng;
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use strum::VariantArray;
use texam::{
    eval,
    feature::{Extras, Key, Quantised, Weights},
    game::{self, GameOptions, WinnerPosition},
    par,
    phase::{PhaseAt, PhaseScheme},
    position::CompactMove,
    search::{
        MoveHints, RootKind, Settings,
        alphabeta::{AlphaBeta, BoundedValue, HALF_PAWN, Prepared},
        in_bound,
        minimax::Minimax,
    },
    value::{is_mate, taper},
};

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// Random legal moves from the start; captures are preferred now and then, to thin the board out.
fn random_position(seed: u64, plies: usize) -> Chess {
    let mut rng = Rng::with_seed(seed);
    let mut position = Chess::default();
    for _ in 0..plies {
        let moves = position.legal_moves();
        let captures: Vec<_> = moves.iter().copied().filter(|mv| mv.is_capture()).collect();
        let mv = if !captures.is_empty() && rng.usize(..3) == 0 {
            captures[rng.usize(..captures.len())]
        } else if !moves.is_empty() {
            moves[rng.usize(..moves.len())]
        } else {
            break;
        };
        let mut after = position.clone();
        after.play_unchecked(mv);
        if after.legal_moves().is_empty() {
            break;
        }
        position = after;
    }
    position
}

/// Number of kinds of [`weights`].
const KINDS: u8 = 9;

/// Weights of nine kinds: the start, all zero, all equal, random, all as large as a weight may be, of either
/// sign, random ones of either sign with large magnitudes, and the two tuned sets.
fn weights(kind: u8, seed: u64) -> Quantised {
    if kind > 6 {
        return tuned(["best", "gm1988"][usize::from(kind) - 7]).quantised();
    }
    let mut weights = Weights::start();
    let mut rng = Rng::with_seed(seed);
    if kind > 2 && seed % 2 == 1 {
        Key::optional().iter().for_each(|&key| weights.turn_on(key));
    }
    if kind > 0 {
        for &key in Key::ALL {
            let material = key.feature().key.starts_with("mat_");
            let setting = weights.setting_mut(key);
            for weight in setting.open.iter_mut().chain(&mut setting.end) {
                *weight = match kind {
                    1 => 0.0,
                    2 => 8.0,
                    4 => 8192.0,
                    5 => -8192.0,
                    6 => rng.usize(..6001) as f64 / 50.0 - 60.0,
                    _ if material => *weight,
                    _ => rng.usize(..4001) as f64 / 100.0 - 20.0,
                };
            }
        }
    }
    weights.quantised()
}

fn tuned(name: &str) -> Weights {
    par::read(format!("{}/params/{name}.par", env!("CARGO_MANIFEST_DIR"))).unwrap().weights
}

fn assert_same(position: &Chess, settings: Settings, weights: &Quantised) {
    let mut plain = Minimax::new(settings, weights);
    let prepared = Prepared::new(settings, weights);
    let mut fast = AlphaBeta::new(&prepared);
    for &kind in RootKind::VARIANTS {
        assert_eq!(fast.root(position, kind), plain.root(position, kind), "{kind} of {position:?}");
    }
    let expected = plain.all_moves(position);
    assert_eq!(fast.all_moves(position), expected, "{position:?}");
    let (root, bounded) = fast.bounded_moves(position, RootKind::Quiescence, Some(HALF_PAWN));
    for (exact, (mv, bounded)) in expected.iter().zip(bounded) {
        assert_eq!(exact.mv, mv);
        let inside = in_bound(exact.leaf.value, root.value, Some(HALF_PAWN));
        match bounded {
            BoundedValue::Inside(leaf) => assert_eq!(leaf, exact.leaf),
            // A mate is out of bound even where the root is the same mate.
            BoundedValue::Above => assert!(!inside && exact.leaf.value > root.value.min(MATE_IN_SIGHT)),
            BoundedValue::Below => assert!(!inside && exact.leaf.value < root.value.max(-MATE_IN_SIGHT)),
        }
        assert_eq!(inside, matches!(bounded_kind(&mut fast, position, mv), Some(true)));
    }
    for threshold in [Some(HALF_PAWN), None] {
        for played in expected.iter().map(|m| m.mv).step_by(5) {
            let choice = |kind| -> [_; 2] {
                [
                    AlphaBeta::new(&prepared).search_choice(position, played, kind, threshold),
                    Minimax::new(settings, weights).search_choice(position, played, kind, threshold),
                ]
            };
            let [quick, slow] = choice(RootKind::Quiescence);
            assert_eq!(quick, slow, "{played} in {position:?}");
            let mut replies = learnt_elsewhere(position, settings);
            for _ in 0..2 {
                let again = fast.search_choice_with_hints(
                    position,
                    played,
                    RootKind::Quiescence,
                    threshold,
                    &mut replies,
                );
                assert_eq!(again, slow, "{played} in {position:?}");
            }
        }
    }
}

/// What a search of the position by other weights hands on.
fn learnt_elsewhere(position: &Chess, settings: Settings) -> MoveHints {
    let mut searcher = AlphaBeta::new(&Prepared::new(settings, &weights(3, 1988)));
    let mut replies = MoveHints::default();
    let played = CompactMove::from(position.legal_moves()[0]);
    searcher.search_choice_with_hints(position, played, RootKind::Quiescence, None, &mut replies);
    replies
}

/// Below every mate and above every evaluation.
const MATE_IN_SIGHT: i64 = texam::value::MATE * 7 / 8;

fn bounded_kind(fast: &mut AlphaBeta, position: &Chess, mv: CompactMove) -> Option<bool> {
    let (_, moves) = fast.bounded_moves(position, RootKind::Quiescence, Some(HALF_PAWN));
    moves.into_iter().find(|(m, _)| *m == mv).map(|(_, b)| matches!(b, BoundedValue::Inside(_)))
}

fn settings(depth: u32, phase: PhaseScheme, phase_at: PhaseAt) -> Settings {
    Settings { depth, phase, phase_at, ..Settings::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..Default::default() })]

    #[test]
    fn fast_search_finds_value_and_leaf_of_the_reference_in_random_positions(
        seed in any::<u64>(),
        plies in 0usize..160,
        depth in 1u32..=2,
        kind in 0..KINDS,
        scheme in prop::sample::select(&PhaseScheme::ALL[..]),
        at_root in any::<bool>(),
        checks in 0u32..=2,
    ) {
        let phase_at = if at_root { PhaseAt::Root } else { PhaseAt::Leaf };
        let position = random_position(seed, plies);
        prop_assume!(!position.legal_moves().is_empty());
        let settings = Settings { checks, ..settings(depth, scheme, phase_at) };
        assert_same(&position, settings, &weights(kind, seed));
    }
}

/// In check, promotions, en passant, stalemate and mate near, one legal move, bare kings; checks by
/// discovery, moves of the last ply that stalemate, captures that leave insufficient material.
const TRAPS: [&str; 22] = [
    "4k3/8/8/8/7b/8/3PP3/3QK3 w - - 0 1",
    "8/P6k/8/8/8/8/6Kp/8 w - - 0 1",
    "8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - d3 0 1",
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R b - - 0 1",
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/5n2/3K4/8/8 w - - 0 1",
    "8/8/4k3/3p4/8/3K4/4B3/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "3q1rk1/1P3ppp/8/8/8/8/5PPP/5RK1 w - - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
    "7k/7p/7P/6K1/8/8/8/5Q2 w - - 0 1",
    "8/8/4k3/8/3p4/2B5/8/4K3 w - - 0 1",
    "8/8/8/3k4/3r4/2K5/8/4N3 w - - 0 1",
    "4k3/8/8/8/4N3/8/3b4/4R1K1 w - - 0 1",
    "4k3/2p5/8/1p2B3/8/2n5/1P6/R3K3 w Q - 0 1",
    "7k/8/8/8/8/1p6/1Rr5/K7 w - - 0 1",
    "6k1/1R1P4/8/3r4/8/8/2p5/6K1 b - - 0 1",
];

#[test]
fn fast_search_finds_value_and_leaf_of_the_reference_in_traps_at_three_and_four_plies() {
    for (number, fen) in TRAPS.into_iter().enumerate() {
        // Each position with every second kind of weights.
        for kind in (number as u8 % 2..KINDS).step_by(2) {
            let weights = weights(kind, 7);
            let position = position(fen);
            let phase_at = if kind / 2 % 2 == 0 { PhaseAt::Leaf } else { PhaseAt::Root };
            if !position.legal_moves().is_empty() {
                let depth = if position.board().occupied().count() <= 4 { 4 } else { 3 };
                assert_same(&position, settings(depth, PhaseScheme::Fruit, phase_at), &weights);
            }
        }
    }
}

/// Positions of the games shipped, and how deep the reference can go there in little time.
fn real_positions() -> Vec<(Chess, u32)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/games/gm1988.pgn");
    let all = game::load(path, &GameOptions::default(), 1, &mut |_| {}).unwrap();
    let units_on = |position: &Chess| position.board().occupied().count();
    let positions: Vec<Chess> = all.positions.iter().map(WinnerPosition::position).collect();
    let spread = positions.iter().step_by(1000).map(|position| (position.clone(), 1));
    let thin = positions.iter().filter(|position| units_on(position) <= 12).step_by(250);
    let bare = positions.iter().filter(|position| units_on(position) <= 6).step_by(30);
    let barest = positions.iter().filter(|position| units_on(position) <= 5).step_by(20);
    let deep = bare.map(|p| (p.clone(), 3)).chain(barest.map(|p| (p.clone(), 4)));
    spread.chain(thin.map(|p| (p.clone(), 2))).chain(deep).collect()
}

#[test]
fn fast_search_finds_value_and_leaf_of_the_reference_in_real_positions_to_four_plies() {
    let positions = real_positions();
    for depth in 1..=4 {
        let count = positions.iter().filter(|(_, to)| *to == depth).count();
        assert!(count >= 5, "{count} positions for depth {depth}");
    }
    for (number, (position, depth)) in positions.iter().enumerate() {
        let phase_at = if number / 4 % 2 == 0 { PhaseAt::Leaf } else { PhaseAt::Root };
        let weights = weights(number as u8 % KINDS, number as u64);
        assert_same(position, settings(*depth, PhaseScheme::ALL[number / 3 % 4], phase_at), &weights);
    }
}

#[test]
fn without_quiescence_the_reference_visits_as_many_leaves_as_perft_counts() {
    let weights = Weights::start().quantised();
    let plain = Settings { quiescence: false, ..Settings::default() };
    for (fen, leaves) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 8_902),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2_812),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 62_379),
    ] {
        let mut search = Minimax::new(plain, &weights);
        search.all_moves(&position(fen));
        assert_eq!(search.leaves, leaves, "{fen}");
    }
}

#[test]
fn quiet_checks_are_searched_in_as_many_plies_of_quiescence_as_asked() {
    let weights = Weights::start().quantised();
    let values = |fen: &str| {
        [0, 1, 2, 3].map(|checks| {
            let settings = Settings { depth: 1, checks, ..Settings::default() };
            assert_same(&position(fen), settings, &weights);
            let moves = AlphaBeta::new(&Prepared::new(settings, &weights)).all_moves(&position(fen));
            moves.into_iter().map(|m| (m.mv.to_string(), m.leaf.value)).collect::<Vec<_>>()
        })
    };
    // After any move but those of the pawns on f, g and h, a check on the last rank mates at once.
    let [none, one, ..] = values("6k1/p4ppp/8/8/8/8/8/K2R4 b - - 0 1");
    for ((mv, without), (_, with)) in none.iter().zip(&one) {
        assert!(!is_mate(*without), "{mv}");
        assert_eq!(is_mate(*with), mv.starts_with('a') || mv == "g8h8", "{mv}");
    }
    // Mate by two checks: Rb7 in the first ply of quiescence, Ra8 in the third.
    let mates = values("8/4k3/R7/1R6/7p/8/8/K7 b - - 0 1").map(|values| {
        let (_, value) = values.into_iter().find(|(mv, _)| mv == "h4h3").unwrap();
        is_mate(value)
    });
    assert_eq!(mates, [false, false, false, true]);
}

#[test]
fn a_stalemating_line_is_worth_nothing_and_has_no_features() {
    let weights = Weights::start().quantised();
    let prepared = Prepared::new(Settings { depth: 1, ..Settings::default() }, &weights);
    let position = position("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1");
    let moves = AlphaBeta::new(&prepared).all_moves(&position);
    let stalemate = moves.iter().find(|m| m.mv.to_string() == "g5g6").unwrap();
    assert_eq!(stalemate.leaf.value, 0);
    assert!(stalemate.leaf.terminal && stalemate.leaf.features(Extras::ALL).is_empty());
}

#[test]
fn no_weights_that_a_file_may_hold_make_an_evaluation_a_mate_or_overflow() {
    for weights in [weights(4, 1), weights(5, 1)] {
        for odd in crate::export::positions::all() {
            // In builds with checks, an overflow of a sum panics.
            let (open, end) = eval::evaluate(&odd.placement(), &weights);
            for phase in [0, 128, 256] {
                assert!(!is_mate(taper(open, end, phase)), "{}", odd.fen());
            }
        }
    }
}

#[test]
fn counts_are_so_small_that_sums_of_the_largest_weights_fit() {
    let largest = i64::from(i32::MAX) / (8192 * 256);
    for odd in crate::export::positions::all() {
        let counts = eval::features(&odd.placement(), Extras::ALL);
        let sum: i64 = counts.iter().map(|(_, count)| i64::from(count).abs()).sum();
        assert!(sum <= largest, "{sum} in {}", odd.fen());
    }
}
