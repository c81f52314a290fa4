//! The method in one file, examples/tuner_1988.rs, has the definitions of the program: the same counts,
//! values and leaves on positions of the shipped games, and the same sums, weights and passes as texam-fit on
//! its rows.

use std::{collections::BTreeSet, fs, path::Path};

use nalgebra::{DMatrix, DVector};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, fen::Fen};
use texam::{
    eval::{self, Placement},
    feature::{Extras, FeatureVector, Key, Weights},
    game::{self, GameOptions, WinnerPosition},
    search::{
        RootKind, SearchedMoves, Settings,
        alphabeta::{AlphaBeta, HALF_PAWN, Prepared},
    },
    value::in_units,
};
use texam_fit::{
    Agreement, Choice, FitOptions, Forces, Job, Judged, Measured, Model, Objective, PRODUCT, Parameter, Plan,
    Ridge, Sink, Source, Standing, fit_once,
};

#[path = "../examples/tuner_1988.rs"]
#[allow(dead_code)]
mod example;

use example::{Counts, FIXED, TERMS};

/// Number of weights that the example fits.
const TUNED: usize = TERMS.len() - FIXED;

/// Every `step`th position of winners, as the program reads them.
fn positions(step: usize) -> Vec<WinnerPosition> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/gm1988.pgn");
    let all = game::load(&path, &GameOptions::default(), 1, &mut |error| panic!("{error}")).unwrap();
    all.positions.into_iter().step_by(step).collect()
}

/// A position in the form of the example, which counts games from 1.
fn as_read(position: &WinnerPosition) -> example::WinnerPosition {
    (position.game as usize + 1, position.position(), position.played())
}

/// Positions of winners with a choice, in the form of the example.
fn positions_with_choice(step: usize) -> Vec<example::WinnerPosition> {
    let all = positions(step).into_iter().map(|position| as_read(&position));
    all.filter(|(_, position, _)| position.legal_moves().len() > 1).collect()
}

/// The feature of the program for each term of the example.
fn keys() -> [Key; TERMS.len()] {
    TERMS.map(|(name, ..)| Key::from_name(name).expect("a feature of the program"))
}

/// How much a cell of a table counts in its term of the example.
fn factor(key: Key, cell: usize) -> i32 {
    let has_shape = ["n_cen", "b_cen", "p_adv"].contains(&key.feature().key);
    if has_shape { key.feature().shape[0][cell].into() } else { 1 }
}

/// The counts of the terms of the example in a vector of the program, for a side.
fn counts(vector: &FeatureVector, side: Color) -> Counts {
    let sign = if side.is_white() { 1 } else { -1 };
    keys().map(|key| {
        let cells = 0..key.feature().layout.cells();
        sign * cells.map(|i| factor(key, i) * i32::from(vector.get(key.cell_at(i)))).sum::<i32>()
    })
}

/// The set of the program that has the weights of the example, and 0 for all other features.
fn set(weights: &example::Weights) -> Weights {
    let mut set = Weights::material_only();
    for (key, weight) in keys().into_iter().zip(weights) {
        set.turn_on(key);
        if key.feature().layout.is_table() {
            set.free_table(key).unwrap();
        }
        let setting = set.setting_mut(key);
        for entries in [&mut setting.open, &mut setting.end] {
            entries.iter_mut().enumerate().for_each(|(i, entry)| *entry = weight * f64::from(factor(key, i)));
        }
    }
    set
}

fn start() -> example::Weights {
    TERMS.map(|(_, start, ..)| start)
}

/// Weights at random around the start, in 1/256 unit. Leaves with different counts then have different
/// values.
fn random_weights(seed: u64) -> example::Weights {
    let mut random = fastrand::Rng::with_seed(seed);
    start().map(|weight| weight + f64::from(random.i32(-2000..2000)) / 256.0)
}

/// The program lets a mate outrank the result that a file names. Game 85 has the result of the wrong side.
#[test]
fn the_games_and_their_positions_are_those_of_the_program() {
    const WRONG_RESULT: usize = 85;
    let others = |all: Vec<example::WinnerPosition>| -> Vec<(usize, Placement, Move)> {
        let others = all.into_iter().filter(|(game, ..)| *game != WRONG_RESULT);
        others.map(|(game, position, played)| (game, Placement::from(&position), played)).collect()
    };
    let read = others(example::read_games("games/gm1988.pgn").unwrap());
    assert!(read.len() > 30_000);
    let loaded = others(positions_with_choice(1));
    assert_eq!(read.iter().zip(&loaded).find(|(read, loaded)| read != loaded), None);
    assert_eq!(read.len(), loaded.len());
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_that_names_it() {
    let error = |path: &str| example::read_games(path).expect_err("an error");
    assert!(error("none.pgn").starts_with("none.pgn: "));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.pgn");
    fs::write(&path, "[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf6 1-0\n").unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(error(path), format!("{path}, game 2: expected a legal move, but found Nf6"));
}

#[test]
fn the_counts_are_those_of_the_program() {
    let mut seen = BTreeSet::new();
    for position in positions(5) {
        let chess = position.position();
        let expected = counts(&eval::features(&Placement::from(&chess), Extras::ALL), chess.turn());
        let found = example::count_terms(&chess);
        for (term, (name, ..)) in TERMS.iter().enumerate() {
            let at = || format!("{name} in {}", Fen::from_position(&chess, EnPassantMode::Legal));
            assert_eq!(found[term], expected[term], "{}", at());
            seen.extend((found[term] != 0).then_some((name, found[term] > 0)));
        }
    }
    assert_eq!(seen.len(), 2 * TERMS.len(), "each term has counts above and below 0: {seen:?}");
}

/// The rows of a choice of the program as counts and values, sorted but for the first.
fn rows_of(searched: &SearchedMoves, side: Color) -> Vec<(Counts, f64)> {
    let root = counts(&searched.root.features(Extras::ALL), side);
    let rows = searched.kept.iter().map(|kept| {
        let leaf = counts(&kept.leaf.features(Extras::ALL), side);
        let row = std::array::from_fn(|term| leaf[term] - root[term]);
        (row, in_units(kept.leaf.value - searched.root.value))
    });
    let mut rows: Vec<_> = rows.collect();
    rows.truncate(if rows.len() < 2 { 0 } else { rows.len() });
    sort_others(&mut rows);
    rows
}

fn sort_others(rows: &mut [(Counts, f64)]) {
    if let Some((_, others)) = rows.split_first_mut() {
        others.sort_by_key(|row| row.0);
    }
}

fn value(counts: &Counts, weights: &example::Weights) -> f64 {
    counts.iter().zip(weights).map(|(&count, weight)| f64::from(count) * weight).sum()
}

/// The fast search of the program has the values and leaves of its reference.
#[test]
fn the_choices_are_those_of_the_search_of_the_program() {
    let mut rows = 0;
    for (depth, step) in [(1, 150), (2, 3000)] {
        let weights = random_weights(depth.into());
        let prepared = Prepared::new(Settings { depth, ..Settings::default() }, &set(&weights).quantised());
        let mut searcher = AlphaBeta::new(&prepared);
        for position in positions_with_choice(step) {
            let (_, chess, played) = &position;
            let expected =
                searcher.search_choice(chess, (*played).into(), RootKind::Quiescence, Some(HALF_PAWN));
            let found = example::choice(&position, depth, &weights);
            assert_eq!(found.rank, f64::from(expected.ahead) + f64::from(expected.tied) / 2.0);
            let expected = rows_of(&expected, chess.turn());
            let mean = expected.iter().map(|row| row.1).sum::<f64>() / expected.len() as f64;
            let mut found: Vec<(Counts, f64)> =
                found.rows.iter().map(|row| (row.counts, row.deviation + mean)).collect();
            sort_others(&mut found);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.0, expected.0);
                assert!((found.1 - expected.1).abs() < 1e-9, "{found:?} {expected:?}");
                assert_eq!(value(&found.0, &weights), expected.1);
            }
            rows += found.len();
        }
    }
    assert!(rows > 1000, "{rows}");
}

#[test]
fn mates_draws_and_promotions_have_the_leaves_of_the_search_of_the_program() {
    let fens = [
        "k7/8/1K6/8/8/8/8/7R w - - 0 1",            // mate at once, or later
        "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",            // stalemate by most moves
        "8/8/4k3/8/8/3Kp3/8/4B3 w - - 0 1",         // no material is left to mate
        "8/P5k1/8/8/8/8/6K1/8 w - - 0 1",           // all promotions at the root
        "8/6k1/5b2/8/8/1Q6/p1K4P/8 w - - 0 1", // a knight would win the queen, but quiescence makes a queen
        "r3k2r/8/8/8/4pP2/8/8/R3K2R b KQkq f3 0 1", // castling and en passant
    ];
    for (depth, fen) in [1, 2].into_iter().flat_map(|depth| fens.map(|fen| (depth, fen))) {
        let weights = random_weights(100);
        let prepared = Prepared::new(Settings { depth, ..Settings::default() }, &set(&weights).quantised());
        let chess: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let expected = AlphaBeta::new(&prepared).all_moves(&chess);
        assert_eq!(expected.len(), chess.legal_moves().len());
        for mv in chess.legal_moves() {
            let found = example::follow(&chess, mv, 0, depth, example::OPEN, &weights);
            let expected = &expected.iter().find(|expected| expected.mv == mv.into()).unwrap().leaf;
            assert_eq!(found.value, in_units(expected.value), "{mv} in {fen} at depth {depth}");
            assert_eq!(found.counts, counts(&expected.features(Extras::ALL), chess.turn()), "{mv} in {fen}");
        }
    }
}

fn choices(positions: &[example::WinnerPosition], weights: &example::Weights) -> Vec<example::Choice> {
    positions.iter().map(|position| example::choice(position, 1, weights)).collect()
}

/// The weights of the example as a model of texam-fit.
fn model(weights: &example::Weights) -> Model {
    let parameters = TERMS.iter().zip(weights).enumerate().map(|(term, ((name, ..), &weight))| {
        let mut parameter = Parameter::new(*name, weight);
        parameter.tune = term >= FIXED;
        parameter
    });
    Model::new(parameters.collect()).unwrap()
}

/// The rows of the example as choices of texam-fit, each with a value in 1/65536 unit.
fn as_choices(choices: &[example::Choice], value: impl Fn(&Counts) -> i64) -> Vec<Choice> {
    let with_rows = (0..).zip(choices).filter(|(_, choice)| !choice.rows.is_empty());
    let made = with_rows.map(|(number, choice)| {
        let mut made = Choice::default();
        made.begin(number, 0);
        for row in &choice.rows {
            let entries = (0..).zip(row.counts.map(|count| 256 * i64::from(count)));
            made.push(PRODUCT * value(&row.counts), entries).unwrap();
        }
        made
    });
    made.collect()
}

/// Choices that are the same in every pass.
struct Fixed(Vec<Choice>);

impl Source for Fixed {
    fn pass(&mut self, _: &Model, sink: &dyn Sink) -> texam_fit::Result<Option<Measured>> {
        self.0.iter().try_for_each(|choice| sink.accept(std::slice::from_ref(choice)))?;
        Ok(Some(Measured::default()))
    }
}

/// With a ridge, and for few positions.
fn options(ridge: f64) -> FitOptions {
    let mut options = FitOptions::default();
    (options.ridge, options.min_support, options.errors) = (Ridge::Fixed(ridge), 1, false);
    options
}

/// The tuned values after a fit of texam-fit with a ridge towards the present ones.
fn fitted(choices: Vec<Choice>, model: &Model, objective: &dyn Objective, ridge: f64) -> DVector<f64> {
    let (_, fit) = fit_once(&mut Fixed(choices), objective, model, &options(ridge)).unwrap().unwrap();
    DVector::from_column_slice(&fit.values[FIXED..])
}

/// Whether two sums are the same but for rounding, which depends on the largest of them.
fn is_close(found: &DVector<f64>, expected: &DVector<f64>) -> bool {
    (found - expected).amax() < 1e-10 * expected.amax()
}

/// Pulls each row by the value that it has.
struct ByValue;

impl Objective for ByValue {
    fn name(&self) -> &'static str {
        "by value"
    }

    fn judge(&self, choice: &Choice, _: f64, judged: &mut Judged) -> f64 {
        judged
            .pulls
            .iter_mut()
            .zip(choice.values())
            .for_each(|(pull, &value)| *pull = texam_fit::in_units(value));
        0.0
    }
}

/// texam-fit keeps its sums to itself. With a ridge R, a fit of rows D with the pulls g and present values 0
/// has the solution x of (M + R) x = D^T g. Where g is a column of D, the right side is that column of M.
#[test]
fn the_matrix_is_that_of_texam_fit() {
    const RIDGE: f64 = 1000.0;
    let weights = random_weights(7);
    let choices = choices(&positions_with_choice(150), &weights);
    let (matrix, _) = example::equations(&choices, &weights, 0.0);
    assert!(matrix.iter().filter(|&&entry| entry != 0.0).count() > TUNED * TUNED - 10);
    let with_ridge = &matrix + DMatrix::identity(TUNED, TUNED) * RIDGE;
    let zero = model(&[0.0; TERMS.len()]);
    for column in 0..TUNED {
        let rows = as_choices(&choices, |counts| 65_536 * i64::from(counts[FIXED + column]));
        let solution = fitted(rows, &zero, &ByValue, RIDGE);
        assert!(is_close(&(&with_ridge * solution), &matrix.column(column).into_owned()), "{column}");
    }
}

fn value_in_quanta(counts: &Counts, model: &Model) -> i64 {
    counts.iter().zip(model.quantised()).map(|(&count, value)| 256 * i64::from(count) * value).sum()
}

#[test]
fn the_right_side_and_the_solution_are_those_of_texam_fit() {
    const RIDGE: f64 = 1000.0;
    let weights = random_weights(8);
    let choices = choices(&positions_with_choice(150), &weights);
    let (matrix, right) = example::equations(&choices, &weights, 0.0);
    let (model, forces) = (model(&weights), Forces::default());
    let rows = || as_choices(&choices, |counts| value_in_quanta(counts, &model));
    let present = DVector::from_column_slice(&weights[FIXED..]);

    let with_ridge = fitted(rows(), &model, &forces, RIDGE);
    let expected = &matrix * &with_ridge + (with_ridge - present) * RIDGE;
    assert!(is_close(&right, &expected), "{right} {expected}");

    let expected = fitted(rows(), &model, &forces, 0.0);
    let solved = example::fit(&choices, &weights, example::spread(&choices)).unwrap();
    assert_eq!(solved[..FIXED], weights[..FIXED]);
    for (solved, expected) in solved[FIXED..].iter().zip(&expected) {
        assert_eq!(*solved, (expected * 256.0).round() / 256.0);
    }
    assert!((expected - DVector::from_column_slice(&weights[FIXED..])).amax() > 5.0);
}

#[test]
fn without_a_force_the_fit_gives_back_its_weights() {
    let weights = random_weights(9);
    let mut choices = choices(&positions_with_choice(300), &weights);
    choices.iter_mut().flat_map(|choice| &mut choice.rows).for_each(|row| row.force = 0.0);
    assert_eq!(example::fit(&choices, &weights, example::spread(&choices)).unwrap(), weights);
}

/// Searches positions as the example does, and keeps its choices of each pass.
struct Searching {
    positions: Vec<example::WinnerPosition>,
    passes: Vec<(example::Weights, Vec<example::Choice>)>,
}

impl Source for Searching {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> texam_fit::Result<Option<Measured>> {
        let weights = std::array::from_fn(|term| model.used(term));
        let choices = choices(&self.positions, &weights);
        let mut fitted = Agreement::default();
        for choice in &choices {
            // In place of several tied moves: half a rank for an odd number of them.
            let (ahead, tied) = (choice.rank as u32, u32::from(choice.rank.fract() > 0.0));
            fitted.count(&Standing { alternatives: 30, ahead, tied, rows: choice.rows.len() as u32 });
        }
        let rows = as_choices(&choices, |counts| value_in_quanta(counts, model));
        rows.iter().try_for_each(|choice| sink.accept(std::slice::from_ref(choice)))?;
        self.passes.push((weights, choices));
        Ok(Some(Measured { fitted, ..Measured::default() }))
    }
}

#[test]
fn the_passes_of_a_run_are_those_of_texam_fit() {
    let mut plan = Plan::default();
    (plan.options, plan.keep_spread, plan.iterations) = (options(0.0), true, 3);
    let (start, forces) = (model(&start()), Forces::default());
    let job = Job { objective: &forces, start: &start, plan: &plan, finished: Vec::new(), observer: &() };
    let mut source = Searching { positions: positions_with_choice(60), passes: Vec::new() };
    let run = job.run(&mut source).unwrap();
    assert_eq!((run.passes.len(), source.passes.len()), (4, 4));

    let first = example::spread(&source.passes[0].1);
    for ((weights, choices), passes) in source.passes.iter().zip(run.passes.windows(2)) {
        let spread = example::spread(choices);
        assert!((spread - passes[0].report.spread).abs() < 1e-4);
        let fitted = example::fit(choices, weights, first).unwrap();
        for (fitted, expected) in fitted.iter().zip(&passes[1].values) {
            assert!((fitted - expected).abs() < 0.003, "{fitted} {expected}");
        }
    }
    let without =
        example::fit(&source.passes[1].1, &source.passes[1].0, example::spread(&source.passes[1].1));
    assert_ne!(without.unwrap(), source.passes[2].0, "the compensation changes the second fit");
    let rates: Vec<f64> = run.passes.iter().map(|pass| pass.report.fitted.match_rate()).collect();
    assert!(rates[3] > rates[0], "{rates:?}");
}
