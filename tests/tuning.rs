//! The method as a whole, on positions of the shipped games: what must hold whatever the weights.

use std::{
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position};
use strum::VariantArray;
use texam::{
    commands::cli,
    feature::{Extras, FeatureVector, Key, POINTS, Weights, pattern},
    game::{self, GameOptions, WinnerPosition},
    parameters::Parameters,
    phase::{PhaseAt, PhaseScheme},
    position::CompactMove,
    sample::{self, PositionSource, Sampling, SingleFit, Tick},
    search::{
        MoveHints, RootKind, SearchedMoves, Settings,
        alphabeta::{AlphaBeta, Prepared},
    },
    value::{UNIT, in_units, is_mate},
};
use texam_fit::{
    Balance, Fit, FitOptions, Force, Forces, Job, Observer, Pass, PassReport, Plan, Run, Standing, StopReason,
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

/// How the played moves stand, and what their searches found.
fn searched(
    positions: &[WinnerPosition],
    weights: &Weights,
    sampling: &Sampling,
) -> Vec<(Standing, SearchedMoves)> {
    let prepared = Prepared::new(sampling.search, &weights.quantised());
    let search = |searcher: &mut AlphaBeta, position: &WinnerPosition| {
        sample::search(position, sampling, searcher, &mut MoveHints::default())
    };
    positions.par_iter().map_init(|| AlphaBeta::new(&prepared), search).collect()
}

fn fit_once(positions: &[WinnerPosition], weights: &Weights, options: &FitOptions) -> Fit {
    let parameters = Parameters::new(weights).unwrap();
    let how = (&Forces::none(), options);
    let fit = SingleFit::of(positions, &parameters, &sampling(1), how, &|_| true);
    fit.unwrap().unwrap().fit
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
fn without_a_force_a_fit_of_real_choices_gives_back_its_weights() {
    let positions = positions(30);
    for (weights, least) in [
        (Weights::start(), 140),
        (moved(), 140),
        (with_free_tables(Weights::start()), 300),
        (with_free_tables(moved()), 300),
    ] {
        for (ridge, min_support) in [(100.0, 20), (0.0, 20), (0.0, 1)] {
            let mut options = FitOptions::default();
            (options.ridge, options.min_support) = (texam_fit::Ridge::Fixed(ridge), min_support);
            let fit = fit_once(&positions, &weights, &options);
            assert!(fit.solved > least, "{}", fit.solved);
            assert!(fit.max_change < 1e-6, "ridge {ridge}, {} weights: {}", fit.solved, fit.max_change);
            let residual = fit.residual.unwrap();
            assert!(residual < 1e-6, "ridge {ridge}: {residual}");
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
            for &root in RootKind::VARIANTS {
                let search = Settings { depth, phase, phase_at, ..Settings::default() };
                let sampling = Sampling { search, root, ..Sampling::default() };
                let searched = searched(&positions, &weights, &sampling);
                for (position, (_, moves)) in positions.iter().zip(&searched) {
                    let sign = if position.position().turn().is_white() { 1 } else { -1 };
                    for leaf in moves.kept.iter().map(|kept| &kept.leaf).chain([&moves.root]) {
                        let features = leaf.features(weights.extras());
                        let product = sign * features.value(&quantised, leaf.phase);
                        assert!(leaf.terminal || leaf.value == product, "{sampling:?}");
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
fn a_choice_is_the_same_for_the_other_colour_with_opposite_features() {
    let positions = positions(100);
    let flipped: Vec<WinnerPosition> = positions.iter().map(mirrored).collect();
    for depth in [1, 2] {
        let [plain, flipped] = [&positions, &flipped].map(|p| searched(p, &moved(), &sampling(depth)));
        for ((standing, plain), (other, flipped)) in plain.iter().zip(&flipped) {
            assert_eq!(standing, other);
            assert_eq!(plain.kept.len(), flipped.kept.len());
            let leaves = |moves: &SearchedMoves| {
                let kept = moves.kept.iter().map(|kept| kept.leaf.clone());
                kept.chain([moves.root.clone()]).collect::<Vec<_>>()
            };
            for (plain, flipped) in leaves(plain).iter().zip(&leaves(flipped)) {
                assert_eq!((plain.value, plain.phase), (flipped.value, flipped.phase));
                let [plain, flipped] = [plain, flipped].map(|leaf| leaf.features(Extras::default()));
                assert_eq!(negated(&plain), flipped);
            }
        }
    }
}

/// A run on positions fitted and held out.
struct Trial<'a> {
    positions: [&'a [WinnerPosition]; 2],
    start: Weights,
    forces: Forces,
    plan: Plan,
    finished: Vec<Pass>,
}

fn trial(fitted: &[WinnerPosition], iterations: u32) -> Trial<'_> {
    let mut plan = Plan::default();
    (plan.keep_spread, plan.iterations) = (true, iterations);
    Trial {
        positions: [fitted, &[]],
        start: Weights::start(),
        forces: Forces { strength: 64.0, ..Forces::default() },
        plan,
        finished: Vec::new(),
    }
}

impl Trial<'_> {
    fn run(self) -> Run {
        self.followed(&(), &|_| true).unwrap()
    }

    fn followed(self, observer: &dyn Observer, tick: Tick) -> texam_fit::Result<Run> {
        let parameters = Parameters::new(&self.start).unwrap();
        let mut source = PositionSource::new(self.positions, &parameters, sampling(1), tick);
        let (objective, start) = (&self.forces, parameters.model());
        let job = Job { objective, start, plan: &self.plan, finished: self.finished, observer };
        job.run(&mut source)
    }
}

/// The start weights with the values of a pass.
fn weights_of(pass: &Pass) -> Weights {
    Parameters::new(&Weights::start()).unwrap().weights(&pass.values)
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
    let mut trial = trial(&chosen, 6);
    trial.forces.strength = 256.0;
    trial.plan.options.ridge = texam_fit::Ridge::Fixed(10.0);
    let run = trial.run();
    let unseen = positions(97);
    let truth = values(&unseen, &planted());
    let distances: Vec<f64> =
        run.passes.iter().map(|pass| distance(&values(&unseen, &weights_of(pass)), &truth)).collect();
    let (first, last) = (distances[0], distances[6]);
    assert!(first > 12.0, "the planted weights choose by other differences: {distances:?}");
    assert!(last < 0.6 * first, "{distances:?}");
    assert!(distances[2] < distances[0] && distances[4] < distances[2], "{distances:?}");
    let rates: Vec<f64> = run.passes.iter().map(|pass| pass.report.fitted.match_rate()).collect();
    assert!(rates[6] > rates[0] + 0.12, "{rates:?}");
    let rank = |pass: usize| run.passes[pass].report.fitted.mean_rank();
    assert!(rank(6) < 0.5 * rank(0), "{} to {}", rank(0), rank(6));
}

/// The positions, played by someone who draws each move with the probability that `softmax` gives it under
/// `weights`.
fn drawn_by(positions: &[WinnerPosition], weights: &Weights, temperature: f64) -> Vec<WinnerPosition> {
    let mut random = fastrand::Rng::with_seed(1988);
    let played = positions.iter().zip(values(positions, weights)).map(|(position, values)| {
        let chess = position.position();
        let legal = texam::position::canonical_moves(&chess);
        assert_eq!(legal.len(), values.len());
        let best = *values.iter().max().unwrap();
        let shares = values.iter().map(|value| libm::exp(in_units(value - best) / temperature));
        let shares: Vec<f64> = shares.collect();
        let mut rest = random.f64() * shares.iter().sum::<f64>();
        let drawn = shares.iter().position(|share| {
            rest -= share;
            rest < 0.0
        });
        WinnerPosition::new(&chess, legal[drawn.unwrap()], position.game, position.fullmove)
    });
    played.collect()
}

#[test]
fn points_of_the_phase_that_drew_the_moves_are_found_within_their_errors() {
    const TEMPERATURE: f64 = 4.0;
    let with_points = |points: [f64; 4]| {
        let mut weights = Weights::start();
        pattern::apply(&mut weights, &["phase".to_string()], &[]).unwrap();
        for (key, points) in POINTS.into_iter().zip(points) {
            let setting = weights.setting_mut(key);
            (setting.open[0], setting.end[0]) = (points, points);
        }
        weights
    };
    let truth = [2.0, 1.5, 1.0, 2.5];
    let drawn = drawn_by(&positions(10), &with_points(truth), TEMPERATURE);
    let mut weights = with_points([1.0, 1.0, 2.0, 4.0]);
    let mut options = FitOptions::default();
    (options.ridge, options.temperature) = (texam_fit::Ridge::Fixed(0.0), Some(TEMPERATURE));
    let mut errors = [f64::INFINITY; 4];
    for _ in 0..3 {
        let parameters = Parameters::new(&weights).unwrap();
        let mut source = PositionSource::new([&drawn, &[]], &parameters, sampling(1), &|_| true);
        let fit = texam_fit::fit_once(&mut source, &texam_fit::Softmax, parameters.model(), &options);
        let (_, fit) = fit.unwrap().unwrap();
        weights = parameters.weights(&fit.values);
        for (error, report) in errors.iter_mut().zip(&fit.parameters) {
            *error = report.standard_error.unwrap();
        }
    }
    let found = POINTS.map(|key| weights.setting(key).open[0]);
    for ((found_one, truth_one), error) in found.iter().zip(truth).zip(errors) {
        let miss = (found_one - truth_one).abs();
        assert!(miss < 3.0 * error && error < 0.2, "{found:?} +- {errors:?}, planted {truth:?}");
    }
}

/// Six fits of the winners' own moves.
fn six_fits(force: Force, balance: Balance, keep_spread: bool) -> Run {
    let positions = positions(30);
    let mut trial = trial(&positions, 6);
    trial.plan.keep_spread = keep_spread;
    trial.forces = Forces { force, balance, ..trial.forces };
    trial.run()
}

fn change(run: &Run, figure: impl Fn(&PassReport) -> f64) -> f64 {
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

/// All of a run that does not depend on the clock.
fn timeless(run: &Run) -> Vec<(&PassReport, &[f64])> {
    run.passes.iter().map(|pass| (&pass.report, &*pass.values)).collect()
}

#[test]
fn a_pass_that_is_stopped_is_dropped_and_the_others_stay() {
    let fitted = positions(150);
    let whole = trial(&fitted, 3).run();
    let all = fitted.len();
    for (limit, passes) in [(0, 0), (all / 2, 0), (all + 1, 1), (3 * all - 1, 2), (3 * all, 3)] {
        let searched = AtomicUsize::new(0);
        let tick = |_: &Standing| searched.fetch_add(1, Ordering::Relaxed) < limit;
        let broken = trial(&fitted, 3).followed(&(), &tick).unwrap();
        assert_eq!((broken.stopped, broken.passes.len()), (StopReason::Cancelled, passes));
        assert_eq!(timeless(&broken), timeless(&whole)[..passes]);
    }
}

#[test]
fn errors_of_a_fit_say_what_to_do() {
    let fitted = positions(300);
    let remedy = |trial: Trial| {
        let error = texam::Error::from(trial.followed(&(), &|_| true).unwrap_err());
        cli::remedy(&error).unwrap_or_default()
    };
    let forces = Forces { strength: 1e8, ..Forces::default() };
    assert!(remedy(Trial { forces, ..trial(&fitted, 1) }).contains("lower --strength"));
    assert!(remedy(Trial { positions: [&[], &fitted], ..trial(&[], 1) }).contains("more games"));
}
