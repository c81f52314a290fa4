//! Any text as a FEN: both searches find the same values and the same leaves in every position that is
//! accepted, with weights that are derived from the text.

use fastrand::Rng;
use shakmaty::{Chess, Position, Role};
use texam::{
    eval::{self, Placement},
    feature::{Ends, Key, Mode, Quantised, Weights, weights::UNIT},
    fen,
    phase::{PhaseAt, PhaseScheme},
    search::{
        RootKind, Settings,
        alphabeta::{AlphaBeta, Prepared},
        minimax::Minimax,
    },
};

crate::target!("fen", check, 100, 60);

/// Largest absolute weight of a cell, in units, as a `.par` may have it.
const LARGEST_WEIGHT: f64 = 8192.0;

/// Largest value of the pieces of both sides, with 9 for a queen, in a position that is searched whatever the
/// weights and however many captures there are; 62 is that of the start. The reference looks at nearly all
/// orders of captures, and in a middle game full of them this takes seconds.
const FEW_PIECES: usize = 24;

/// Largest value of the pieces of any position that is searched.
const MOST_PIECES: usize = 66;

/// Largest number of captures, those of both sides together, in a position with more than few pieces.
const MOST_CAPTURES: usize = 5;

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = fen::parse(&text);
    let Ok(fen::Parsed { position, .. }) = fen::read(&text) else {
        assert!(parsed.is_err(), "{text:?}");
        return;
    };
    if let Ok(parsed) = parsed {
        assert_eq!(parsed, position);
    }
    assert_eq!(fen::parse(&fen::format(&position)).expect("a FEN that we wrote is read"), position);
    let mut rng = Rng::with_seed(texam_fuzz::seed_of(bytes));
    let pieces = value_of_pieces(&position);
    let weights = weights(pieces <= FEW_PIECES, &mut rng);
    check_evaluation(&position, &weights);
    if pieces <= FEW_PIECES || pieces <= MOST_PIECES && captures(&position) <= MOST_CAPTURES {
        check_searches(&position, &weights, &mut rng);
    }
}

/// Captures of the side to move and, if it is not in check, of the other side.
fn captures(position: &Chess) -> usize {
    let count = |position: &Chess| position.legal_moves().iter().filter(|mv| mv.is_capture()).count();
    count(position) + position.clone().swap_turn().map_or(0, |other| count(&other))
}

fn value_of_pieces(position: &Chess) -> usize {
    let count = |role| position.board().by_role(role).count();
    9 * count(Role::Queen) + 5 * count(Role::Rook) + 3 * (count(Role::Bishop) + count(Role::Knight))
}

/// Valid weights: the start, with none, some or all of them replaced by random numbers, and some tables free.
/// If they may not be any, the values of the pieces are those of the start and the others are small.
fn weights(may_be_any: bool, rng: &mut Rng) -> Quantised {
    let mut weights = Weights::start();
    let replaced = [0.0, 0.1, 1.0][rng.usize(..3)];
    let largest = if may_be_any { [4.0, 64.0, LARGEST_WEIGHT][rng.usize(..3)] } else { 4.0 };
    let keeps_values = !may_be_any || rng.bool();
    for &key in Key::ALL {
        let feature = key.feature();
        if key.is_optional() && rng.u8(..8) == 0 {
            weights.turn_on(key);
        }
        if feature.layout.is_table() && rng.u8(..8) == 0 {
            weights.free_table(key).expect("the feature has a table");
        }
        if key == UNIT || key.is_piece_value() && keeps_values {
            continue;
        }
        let setting = weights.setting_mut(key);
        for entry in 0..setting.open.len() {
            let mut random = |shape: &[i16]| {
                let steepest = shape.iter().map(|step| step.unsigned_abs()).max().unwrap_or(1).max(1);
                let factor = if setting.mode == Mode::Gradient { f64::from(steepest) } else { 1.0 };
                (2.0 * rng.f64() - 1.0) * largest / factor
            };
            let (open, end) = (random(feature.shape[0]), random(feature.shape[1]));
            if rng.f64() >= replaced {
                continue;
            }
            setting.open[entry] = open;
            setting.end[entry] = match feature.ends {
                Ends::Pair => end,
                Ends::Single => open,
                Ends::OpeningOnly => 0.0,
            };
        }
    }
    weights.validate().expect("the weights are within the rules");
    weights.quantised()
}

/// The sums of the evaluation are those of the feature vector.
fn check_evaluation(position: &Chess, weights: &Quantised) {
    let placement = Placement::from(position);
    let features = eval::features(&placement, weights.extras());
    let sum = |weight: &dyn Fn(u16) -> i32| -> i32 {
        features.iter().map(|(cell, count)| i32::from(count) * weight(cell)).sum()
    };
    let sums = (sum(&|cell| weights.open(cell)), sum(&|cell| weights.end(cell)));
    assert_eq!(eval::evaluate(&placement, weights), sums, "{position:?}");
}

fn check_searches(position: &Chess, weights: &Quantised, rng: &mut Rng) {
    let phase = PhaseScheme::ALL[rng.usize(..PhaseScheme::ALL.len())];
    let phase_at = if rng.bool() { PhaseAt::Leaf } else { PhaseAt::Root };
    let settings = Settings { depth: 1, checks: rng.u32(..=2), phase, phase_at, ..Settings::default() };
    let prepared = Prepared::new(settings, weights);
    let (mut fast, mut plain) = (AlphaBeta::new(&prepared), Minimax::new(settings, weights));
    for kind in [RootKind::Quiescence, RootKind::Static, RootKind::Search] {
        assert_eq!(fast.root(position, kind), plain.root(position, kind), "{kind} of {position:?}");
    }
    assert_eq!(fast.all_moves(position), plain.all_moves(position), "{position:?}");
}
