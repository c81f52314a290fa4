//! The method as a whole, on positions of the shipped games: what must hold whatever the weights.

use std::{path::Path, sync::OnceLock};

use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position};
use texam::{
    decision::Decision,
    feature::{FeatureVector, Key, Weights},
    fit::{self, Balance, Fit, FitOptions, Force},
    game::{self, GameOptions, WinnerPosition},
    par,
    phase::{PhaseAt, PhaseScheme},
    sample::{self, Sample, Sampling},
    search::{
        CompactMove, RootKind, Settings,
        alphabeta::{AlphaBeta, Prepared},
    },
    stat::{self, Header, State},
    tuner::{self, Data, Observer, Pass, Plan, Run},
    value::{UNIT, in_units, is_mate},
};

/// Every `step`th of the winners' positions.
fn positions(step: usize) -> Vec<WinnerPosition> {
    static ALL: OnceLock<Vec<WinnerPosition>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/gm1988.pgn");
        game::load(&path, &GameOptions::default(), 1, &mut |error| panic!("{error}")).unwrap().positions
    });
    all.iter().copied().step_by(step).collect()
}

fn sampling(depth: u32) -> Sampling {
    Sampling { search: Settings { depth, ..Settings::default() }, ..Sampling::default() }
}

fn samples(positions: &[WinnerPosition], weights: &Weights, sampling: &Sampling) -> Vec<Sample> {
    sample::pass(positions, weights, sampling, &|_| true).unwrap()
}

fn decisions(positions: &[WinnerPosition], weights: &Weights, sampling: &Sampling) -> Vec<Decision> {
    samples(positions, weights, sampling).into_iter().filter_map(|sample| sample.decision).collect()
}

/// The start with weights that a fit might have left behind: much changed, and not on the grid of 1/256.
fn moved() -> Weights {
    let mut weights = planted();
    for &key in Key::standard() {
        let setting = weights.setting_mut(key);
        if setting.tune[0] && key.feature().ends == texam::feature::Ends::Pair {
            setting.open[0] += 0.123_456;
            setting.end[0] -= 0.098_765;
        }
    }
    weights.validate().unwrap();
    weights
}

/// The start with some weights and gradients changed so much that other moves become the best.
fn planted() -> Weights {
    let mut weights = Weights::start();
    for (key, open, end) in [
        (Key::PAdv, 2.5, 2.0),
        (Key::NCen, 0.0, 0.0),
        (Key::ROpen, 3.0, 3.0),
        (Key::KCen, 2.0, 12.0),
        (Key::Iso, 2.5, 0.0),
        (Key::CasK, -10.0, 0.0),
        (Key::KMoved, 0.0, 0.0),
        (Key::Chain, 12.0, 12.0),
        (Key::QAdv, 6.0, -4.0),
    ] {
        (weights.setting_mut(key).open[0], weights.setting_mut(key).end[0]) = (open, end);
    }
    weights
}

fn with_free_tables(mut weights: Weights) -> Weights {
    for &key in Key::ALL.iter().filter(|key| key.feature().layout.is_table()) {
        weights.free_table(key).unwrap();
    }
    weights
}

#[test]
fn without_a_force_a_fit_of_real_decisions_gives_back_its_weights() {
    let positions = positions(30);
    for (weights, least) in [
        (Weights::start(), 140),
        (moved(), 140),
        (with_free_tables(Weights::start()), 300),
        (with_free_tables(moved()), 300),
    ] {
        let decisions = decisions(&positions, &weights, &sampling(1));
        for (ridge, min_support) in [(100.0, 20), (0.0, 20), (0.0, 1)] {
            let options = FitOptions { ridge, min_support, ..FitOptions::default() }.identity();
            let fit = fit::fit(&decisions, &weights, &weights, &options).unwrap();
            assert!(fit.solved > least, "{}", fit.solved);
            assert!(fit.max_change < 1e-6, "ridge {ridge}, {} weights: {}", fit.solved, fit.max_change);
            assert!(fit.residual < 1e-6, "ridge {ridge}: {}", fit.residual);
        }
    }
}

#[test]
fn every_leaf_is_worth_its_features_times_the_weights_of_the_search() {
    let positions = positions(150);
    let weights = moved();
    let quantised = weights.quantised();
    let mut leaves = 0;
    for depth in [1, 2] {
        for (phase, phase_at) in [
            (PhaseScheme::Fruit, PhaseAt::Leaf),
            (PhaseScheme::Fruit, PhaseAt::Root),
            (PhaseScheme::Madchess, PhaseAt::Leaf),
            (PhaseScheme::None, PhaseAt::Leaf),
        ] {
            for root in RootKind::ALL {
                let search = Settings { depth, phase, phase_at, ..Settings::default() };
                let sampling = Sampling { search, root, ..Sampling::default() };
                for decision in decisions(&positions, &weights, &sampling) {
                    for leaf in decision.kept().chain([&decision.root]) {
                        let product = i64::from(decision.sign) * leaf.features.value(&quantised, leaf.phase);
                        assert_eq!(leaf.value, product, "{sampling:?}");
                        leaves += 1;
                    }
                }
            }
        }
    }
    assert!(leaves > 40_000, "{leaves}");
}

/// The same position with the colours changed.
fn mirrored(position: &WinnerPosition) -> WinnerPosition {
    let chess = position.position();
    let setup = chess.to_setup(EnPassantMode::Always).into_mirrored();
    let flipped = Chess::from_setup(setup, CastlingMode::Standard).unwrap();
    WinnerPosition::new(&flipped, position.played().to_mirrored(), position.game, position.fullmove)
}

fn negated(features: &FeatureVector) -> FeatureVector {
    features.iter().map(|(cell, count)| (cell, -count)).collect()
}

#[test]
fn a_decision_is_the_same_for_the_other_colour_with_opposite_features() {
    let positions = positions(100);
    let flipped: Vec<WinnerPosition> = positions.iter().map(mirrored).collect();
    for depth in [1, 2] {
        let [plain, flipped] = [&positions, &flipped].map(|p| samples(p, &moved(), &sampling(depth)));
        for (plain, flipped) in plain.iter().zip(&flipped) {
            assert_eq!(
                (plain.legal, plain.ahead, plain.tied, plain.decision.is_some()),
                (flipped.legal, flipped.ahead, flipped.tied, flipped.decision.is_some())
            );
            let (Some(plain), Some(flipped)) = (&plain.decision, &flipped.decision) else { continue };
            assert_eq!((plain.sign, plain.rank), (-flipped.sign, flipped.rank));
            assert_eq!(plain.alternatives.len(), flipped.alternatives.len());
            let both = plain.kept().chain([&plain.root]).zip(flipped.kept().chain([&flipped.root]));
            for (plain, flipped) in both {
                assert_eq!((plain.value, plain.phase), (flipped.value, flipped.phase));
                assert_eq!(negated(&plain.features), flipped.features);
            }
        }
    }
}

/// Follows no run.
struct Nobody;

impl Observer for Nobody {
    fn measured(&self, _: &Pass, _: Option<&Fit>) -> texam::Result<()> {
        Ok(())
    }
}

fn plan(iterations: u32) -> Plan {
    Plan {
        sampling: sampling(1),
        fit: FitOptions { strength: 64.0, ..FitOptions::default() },
        keep_spread: true,
        iterations,
        patience: None,
    }
}

fn tune(training: &[WinnerPosition], plan: &Plan) -> Run {
    let data = Data { training, held_out: &[] };
    tuner::tune(data, &Weights::start(), plan, &Nobody).unwrap()
}

/// The values of all legal moves of each position.
fn values(positions: &[WinnerPosition], weights: &Weights) -> Vec<Vec<i64>> {
    let prepared = Prepared::new(sampling(1).search, &weights.quantised());
    let values = |searcher: &mut AlphaBeta, position: &WinnerPosition| {
        searcher.all_moves(&position.position()).iter().map(|found| found.leaf.value).collect()
    };
    positions.par_iter().map_init(|| AlphaBeta::new(&prepared), values).collect()
}

/// The positions, played by someone who follows `weights`.
fn played_by(positions: &[WinnerPosition], weights: &Weights) -> Vec<WinnerPosition> {
    let prepared = Prepared::new(sampling(1).search, &weights.quantised());
    let play = |searcher: &mut AlphaBeta, position: &WinnerPosition| {
        let chess = position.position();
        let moves = searcher.all_moves(&chess);
        let best = moves.iter().max_by_key(|found| found.leaf.value).unwrap().mv;
        let legal = chess.legal_moves();
        let played = legal.into_iter().find(|&mv| CompactMove::from(mv) == best).unwrap();
        WinnerPosition::new(&chess, played, position.game, position.fullmove)
    };
    positions.par_iter().map_init(|| AlphaBeta::new(&prepared), play).collect()
}

/// Root mean square of how the differences between the moves of a position differ from the true ones, in
/// units, over the moves that are within a pawn of the truly best one.
fn distance(values: &[Vec<i64>], truth: &[Vec<i64>]) -> f64 {
    let (mut squares, mut freedom) = (0.0, 0);
    for (values, truth) in values.iter().zip(truth) {
        let best = *truth.iter().max().unwrap();
        let pairs = values.iter().zip(truth);
        let near = pairs.filter(|&(&v, &t)| !is_mate(v) && !is_mate(t) && best - t <= 128 * UNIT);
        let errors: Vec<f64> = near.map(|(v, t)| in_units(v - t)).collect();
        if errors.len() >= 2 {
            let mean = errors.iter().sum::<f64>() / errors.len() as f64;
            squares += errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>();
            freedom += errors.len() - 1;
        }
    }
    (squares / freedom as f64).sqrt()
}

#[test]
fn weights_that_chose_the_moves_are_approached() {
    let chosen = played_by(&positions(20), &planted());
    let mut plan = plan(6);
    plan.fit = FitOptions { strength: 256.0, ridge: 10.0, ..plan.fit };
    let run = tune(&chosen, &plan);
    let unseen = positions(97);
    let truth = values(&unseen, &planted());
    let distances: Vec<f64> =
        run.passes.iter().map(|pass| distance(&values(&unseen, &pass.weights), &truth)).collect();
    let (first, last) = (distances[0], distances[6]);
    assert!(first > 12.0, "the planted weights choose by other differences: {distances:?}");
    assert!(last < 0.6 * first, "{distances:?}");
    assert!(distances[2] < distances[0] && distances[4] < distances[2], "{distances:?}");
    let rates: Vec<f64> = run.passes.iter().map(|pass| pass.report.training.match_rate()).collect();
    assert!(rates[6] > rates[0] + 0.12, "{rates:?}");
    let rank = |pass: usize| run.passes[pass].report.training.mean_rank();
    assert!(rank(6) < 0.5 * rank(0), "{} to {}", rank(0), rank(6));
}

/// Six fits of the winners' own moves.
fn six_fits(force: Force, balance: Balance, keep_spread: bool) -> Run {
    let mut plan = Plan { keep_spread, ..plan(6) };
    (plan.fit.force, plan.fit.balance) = (force, balance);
    tune(&positions(30), &plan)
}

fn change(run: &Run, figure: impl Fn(&tuner::IterationReport) -> f64) -> f64 {
    figure(&run.passes.last().unwrap().report) - figure(&run.passes[0].report)
}

#[test]
fn values_inflate_without_balance_and_not_with_it() {
    for force in [Force::Constant, Force::Linear] {
        let gain = |balance| change(&six_fits(force, balance, true), |report| report.mean_gain);
        let (all, none) = (gain(Balance::All), gain(Balance::None));
        assert!(all < 0.4, "{force}: with balance, moves gain {all} units more on their roots");
        assert!(none > all + 0.8, "{force}: {none} without balance, {all} with it");
    }
}

#[test]
fn variance_compensation_holds_the_spread_nearer_to_that_of_the_start() {
    // The constant force drives the values of good and bad moves apart, the linear one together.
    for (force, balance, sign) in
        [(Force::Constant, Balance::All, 1.0), (Force::Linear, Balance::Ahead, -1.0)]
    {
        let drift = |keep| sign * change(&six_fits(force, balance, keep), |report| report.spread);
        let (with, without) = (drift(true), drift(false));
        assert!(without > 2.0, "{force}: {without}");
        assert!(with.abs() < 0.75 * without, "{force}: {with} with compensation, {without} without");
    }
}

#[test]
fn a_run_that_is_read_back_from_its_files_goes_on_as_if_it_had_never_stopped() {
    let all = positions(60);
    let (held_out, training) = all.split_at(all.len() / 5);
    let data = Data { training, held_out };
    let start = moved();
    let whole = tuner::tune(data, &start, &plan(4), &Nobody).unwrap();
    let header = Header {
        version: "1".to_string(),
        games: "games/gm1988.pgn".to_string(),
        digest: "none".to_string(),
        decisive: 868,
        skipped: 0,
        held_out_games: 1,
        positions: [training.len() as u64, held_out.len() as u64],
        start: par::digest(&start),
        options: Vec::new(),
    };
    let written = |passes: &[Pass]| stat::format(&header, State::Unfinished, passes, None);
    for kept in 1..=4 {
        let reports = stat::parse(&written(&whole.passes[..kept])).unwrap().reports;
        let finished = reports.into_iter().zip(&whole.passes).map(|(report, pass)| {
            let weights = par::parse(&par::format(&pass.weights, &[])).unwrap();
            Pass { report, weights, timing: Default::default() }
        });
        let resumed = tuner::resume(data, &start, &plan(4), finished.collect(), &Nobody).unwrap();
        for (resumed, whole) in resumed.passes.iter().zip(&whole.passes) {
            assert_eq!(resumed.weights, whole.weights);
        }
        assert_eq!(written(&resumed.passes), written(&whole.passes), "after {kept} passes");
    }
}
