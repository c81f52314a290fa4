use super::*;
use crate::{
    Choice, Objective, RidgeTo,
    objective::{Balance, Centre, Force, Forces, Judged},
    statistics::Statistics,
    synthetic::{
        self, BARE, Kind, Regression, choices, choices_over, fit, of_rows, revalued, rows_of, tuning,
    },
    units::in_units,
};

fn linear(strength: f64) -> Forces {
    Forces { strength, ..Forces::default() }
}

/// A wide model, a third of it not tuned.
fn mixed() -> Model {
    let tuned: Vec<usize> = (0..60).filter(|index| index % 3 != 2).collect();
    tuning(&synthetic::random_model(1, 60), &tuned)
}

fn wide() -> Kind {
    Kind { density: 20, clusters: 9, choices: 220, alternatives: 5 }
}

fn statistics(choices: &[Choice]) -> Statistics {
    let mut statistics = Statistics::default();
    choices.iter().for_each(|choice| statistics.add(choice));
    statistics
}

fn report<'a>(fit: &'a Fit, name: &str) -> &'a ParameterReport {
    fit.parameters.iter().find(|report| report.name == name).unwrap()
}

/// The model after a fit.
fn fitted(model: &Model, fit: &Fit) -> Model {
    model.with_values(&fit.values).unwrap()
}

#[test]
fn without_a_force_the_fit_gives_back_its_values() {
    let model = mixed();
    let choices = choices(1, &wide(), &model);
    for (ridge, smooth) in [(0.0, 0.0), (100.0, 0.0), (100.0, 30.0)] {
        let options = FitOptions { ridge: Ridge::Fixed(ridge), smooth, ..FitOptions::default() };
        let fit = fit(&choices, &model, &Forces::none(), &options, None).unwrap();
        assert!(fit.max_change < 1e-9, "ridge {ridge}, smooth {smooth}: {}", fit.max_change);
        assert!(fit.residual.unwrap() < 1e-9);
        assert_eq!((fit.rank, fit.solved, fit.choices, fit.rows), (40, 40, 220, 1320));
    }
}

#[test]
fn parameters_planted_in_the_values_are_recovered() {
    let current = mixed();
    let mut values: Vec<f64> = (0..60).map(|index| current.used(index)).collect();
    (values[0], values[30], values[57]) = (-7.5, 0.25, 40.0);
    let planted = current.with_values(&values).unwrap();
    let fit = fit(&choices(2, &wide(), &planted), &current, &Regression(&current), &BARE, None).unwrap();
    for report in &fit.parameters {
        let error = report.after - planted.used(report.index);
        assert!(error.abs() < 1e-9, "{}: {error}", report.name);
    }
}

#[test]
fn a_parameter_that_no_choice_touches_stays_to_the_last_bit() {
    let model = mixed();
    let touched: Vec<u32> = (0..30).collect();
    let choices = choices_over(3, &wide(), &model, &touched);
    let fit = fit(&choices, &model, &linear(512.0), &FitOptions::default(), None).unwrap();
    for report in &fit.parameters {
        let untouched = report.index >= 30;
        assert_eq!(report.frozen, untouched.then_some(Reason::Untouched), "{}", report.name);
        if untouched {
            assert_eq!(fit.values[report.index].to_bits(), model.values()[report.index].to_bits());
            assert_eq!(report.standard_error, None);
        }
    }
}

#[test]
fn parameters_with_little_support_stay_and_their_share_leaves_the_targets() {
    let model = synthetic::random_model(4, 3);
    let mut all = choices_over(4, &Kind { density: 2, ..Kind::default() }, &model, &[0, 1]);
    all.extend(choices_over(5, &Kind { choices: 3, ..Kind::default() }, &model, &[0, 2]));
    let options = FitOptions { min_support: 4, ..BARE };
    let held = fit(&all, &model, &Forces::none(), &options, None).unwrap();
    assert_eq!(report(&held, "w2").frozen, Some(Reason::TooFewChoices(3)));
    assert_eq!((report(&held, "w2").support, held.solved, held.parameters.len()), (3, 2, 3));
    assert!(held.max_change < 1e-9);
    let options = FitOptions { min_support: 3, ..BARE };
    assert_eq!(fit(&all, &model, &Forces::none(), &options, None).unwrap().solved, 3);
}

#[test]
fn any_number_of_threads_and_any_order_of_choices_gives_the_same_bytes() {
    let model = mixed();
    let all = choices(7, &Kind { clusters: 70, choices: 600, ..wide() }, &model);
    let mut reversed = all.clone();
    reversed.reverse();
    let options = FitOptions { smooth: 10.0, ..FitOptions::default() };
    let on = |threads, choices: &[Choice]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let fit = pool.install(|| fit(choices, &model, &linear(512.0), &options, Some(50.0)).unwrap());
        format!("{fit:?}")
    };
    assert_eq!(on(1, &all), on(4, &all));
    assert_eq!(on(1, &all), on(3, &reversed));
}

#[test]
fn standard_errors_can_be_left_out_and_change_nothing_else() {
    let model = mixed();
    let all = choices(8, &wide(), &model);
    let with = fit(&all, &model, &linear(512.0), &FitOptions::default(), None).unwrap();
    let mut source = crate::tuner::tests::Stored::new(&all);
    let options = FitOptions { errors: false, ..FitOptions::default() };
    let (_, without) = crate::fit_once(&mut source, &linear(512.0), &model, &options).unwrap().unwrap();
    assert_eq!(without.values, with.values);
    assert!(with.residual.is_some() && without.residual.is_none());
    assert!(without.parameters.iter().all(|report| report.standard_error.is_none()));
}

#[test]
fn forces_bring_the_moves_of_a_player_with_other_weights_ahead() {
    let mut model = mixed();
    let mut values = model.values();
    [0, 10, 21, 30].iter().for_each(|&index: &usize| values[index] = 20.0 - values[index]);
    let player = model.with_values(&values).unwrap();
    let random = choices(9, &Kind { choices: 1500, ..wide() }, &player);
    let choices: Vec<Choice> = random.iter().map(|choice| synthetic::best_first(choice, &player)).collect();
    let matched =
        |model: &Model| revalued(&choices, model).iter().filter(|choice| choice.miss() == 0).count();
    let before = matched(&model);
    let options = FitOptions { ridge: Ridge::Fixed(1.0), ..BARE };
    for _ in 0..8 {
        let fit = fit(&revalued(&choices, &model), &model, &linear(32.0), &options, None).unwrap();
        model = fitted(&model, &fit);
    }
    let after = matched(&model);
    assert!(after > before + 100, "{before} before, {after} after");
}

#[test]
fn values_inflate_without_balance_and_do_not_with_it() {
    let model = synthetic::random_model(10, 3);
    let pair = choices_over(10, &Kind { density: 2, ..Kind::default() }, &model, &[0, 1]);
    // Every row gains the same count of one feature: a way for all values to rise.
    let gaining = |choice: &Choice| {
        let mut rows = rows_of(choice);
        rows.iter_mut().for_each(|row| row.push((2, 256)));
        of_rows(choice.cluster(), &rows, &model)
    };
    let choices: Vec<Choice> = pair.iter().map(gaining).collect();
    let gain = |balance| {
        let forces = Forces { force: Force::Constant, strength: 32.0, balance, ..Forces::default() };
        let fit = fit(&choices, &model, &forces, &BARE, None).unwrap();
        statistics(&revalued(&choices, &fitted(&model, &fit))).mean_gain()
    };
    let before = statistics(&choices).mean_gain();
    assert!((gain(Balance::All) - before).abs() < 0.05);
    // 32 units on one of five rows.
    assert!((gain(Balance::None) - before - 32.0 / 5.0).abs() < 0.05);
}

#[test]
fn a_ridge_holds_to_the_present_values_or_to_the_start() {
    let mut parameters = synthetic::model(&[30.0, 4.0]).parameters().to_vec();
    parameters[0].prior = 2.0;
    let model = Model::new(parameters).unwrap();
    let all = choices(11, &Kind::default(), &model);
    let after = |ridge_to, ridge| {
        let options = FitOptions { ridge: Ridge::Fixed(ridge), ridge_to, ..BARE };
        report(&fit(&all, &model, &Forces::none(), &options, None).unwrap(), "w0").after
    };
    assert!((after(RidgeTo::Current, 1e9) - 30.0).abs() < 1e-9);
    assert!((after(RidgeTo::Start, 1e9) - 2.0).abs() < 1e-3);
    let between = after(RidgeTo::Start, 100.0);
    assert!(between > 3.0 && between < 29.9, "{between}");
}

#[test]
fn a_ridge_does_not_care_for_the_unit_of_all_weights() {
    let model = synthetic::model(&[8.0, 4.0, -2.0]);
    let all = choices(16, &Kind::default(), &model);
    let in_quarters = model.with_values(&[32.0, 16.0, -8.0]).unwrap();
    let rescaled = revalued(&all, &in_quarters);
    let of = |choices: &[Choice], model: &Model, temperature| {
        let options = FitOptions { ridge: Ridge::Fixed(30.0), temperature: Some(temperature), ..BARE };
        fit(choices, model, &crate::Softmax, &options, None).unwrap()
    };
    let (plain, rescaled) = (of(&all, &model, 20.0), of(&rescaled, &in_quarters, 80.0));
    for (a, b) in plain.parameters.iter().zip(&rescaled.parameters) {
        let pairs = [(a.after, b.after / 4.0), (a.standard_error.unwrap(), b.standard_error.unwrap() / 4.0)];
        assert!(pairs.iter().all(|(a, b)| (a - b).abs() < 1e-4 * (1.0 + a.abs())), "{a:?} {b:?}");
        assert!((a.held - b.held).abs() < 1e-5 && a.held > 0.01);
    }
}

#[test]
fn a_choice_of_half_the_weight_twice_is_the_choice() {
    let model = synthetic::random_model(19, 5);
    let all = choices(19, &Kind::default(), &model);
    let halves = |choice: &Choice| {
        let mut half = choice.clone();
        half.set_weight(0.5).unwrap();
        [half.clone(), half]
    };
    let halved: Vec<Choice> = all.iter().flat_map(halves).collect();
    let objectives: [&dyn Objective; 2] = [&linear(64.0), &crate::Softmax];
    for objective in objectives {
        let options = FitOptions { ridge: Ridge::Fixed(30.0), temperature: Some(20.0), ..BARE };
        let [once, twice] =
            [&all, &halved].map(|choices| fit(choices, &model, objective, &options, Some(3000.0)).unwrap());
        for (a, b) in once.values.iter().zip(&twice.values) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
        assert!((once.loss - twice.loss).abs() < 1e-6, "{} {}", once.loss, twice.loss);
        assert_eq!(twice.choices, 2 * once.choices);
        let error = |fit: &Fit| report(fit, "w1").standard_error.unwrap();
        assert!((error(&once) / error(&twice) - 1.0).abs() < 0.02, "{} {}", error(&once), error(&twice));
    }
}

#[test]
fn a_ridge_is_chosen_by_fits_that_have_not_seen_the_clusters_and_fits_like_the_same_given() {
    let model = synthetic::model(&[8.0, 4.0, -2.0]);
    let planted = model.with_values(&[12.0, 1.0, -2.0]).unwrap();
    let fitted =
        revalued(&choices(17, &Kind { choices: 240, clusters: 30, ..Kind::default() }, &planted), &model);
    let of = |ridge, choices: &[Choice]| {
        let options = FitOptions { ridge, temperature: Some(20.0), inner: 20, ..BARE };
        fit(choices, &model, &crate::Softmax, &options, None)
    };
    let chosen = of(Ridge::Auto, &fitted).unwrap();
    let (choice, lowest) = (chosen.path.chosen().unwrap(), chosen.path.lowest().unwrap());
    assert_eq!(choice.ridge, Some(chosen.ridge));
    assert!(chosen.ridge > 0.0 && chosen.ridge < 1e5, "{:?}", chosen.path);
    assert!(choice.above.mean <= choice.above.error && choice.ridge >= lowest.ridge, "{:?}", chosen.path);
    let fixed = of(Ridge::Fixed(chosen.ridge), &fitted).unwrap();
    assert_eq!((fixed.path, fixed.ridge), (RidgePath::default(), chosen.ridge));
    assert_eq!((&fixed.values, &fixed.parameters), (&chosen.values, &chosen.parameters));
    // What is above the lowest by hand: each fifth of the clusters, by a fit to the others.
    let mut clusters: Vec<u64> = fitted.iter().map(Choice::cluster).collect();
    clusters.sort_unstable();
    clusters.dedup();
    let by_hand = |ridge: f64| {
        let mut sum = 0.0;
        for fold in 0..5 {
            let is_out = |choice: &&Choice| clusters.binary_search(&choice.cluster()).unwrap() % 5 == fold;
            let (out, rest): (Vec<&Choice>, Vec<&Choice>) = fitted.iter().partition(is_out);
            let rest: Vec<Choice> = rest.into_iter().cloned().collect();
            let other = of(Ridge::Fixed(ridge), &rest).unwrap();
            let out: Vec<Choice> = out.into_iter().cloned().collect();
            let out = revalued(&out, &model.with_values(&other.values).unwrap());
            sum += of(Ridge::Fixed(1e9), &out).unwrap().loss * out.len() as f64;
        }
        sum / fitted.len() as f64
    };
    let found = by_hand(choice.ridge.unwrap());
    assert!((choice.loss - found).abs() < 1e-3, "{} {found}", choice.loss);
    let few = &fitted[..fitted.iter().take_while(|choice| choice.cluster() <= clusters[8]).count()];
    assert!(matches!(of(Ridge::Auto, few), Err(Error::TooFewClusters { least: 10, found: 9 })));
    let options = FitOptions { ridge: Ridge::Auto, ..BARE };
    assert!(matches!(fit(&fitted, &model, &Forces::none(), &options, None), Err(Error::NoLoss)));
}

#[test]
fn the_ridge_holds_a_parameter_alone_by_its_share_of_the_matrix() {
    let model = synthetic::model(&[3.0]);
    let all = vec![of_rows(0, &[vec![(0, 512)], vec![(0, -256)]], &model)];
    let held = |ridge| {
        let fit =
            fit(&all, &model, &Forces::none(), &FitOptions { ridge: Ridge::Fixed(ridge), ..BARE }, None)
                .unwrap();
        report(&fit, "w0").held
    };
    // Counts 2 and -1: a matrix of 4 + 1.
    assert!((held(15.0) - 0.75).abs() < 1e-12);
    assert_eq!((held(0.0), held(5.0)), (0.0, 0.5));
    let few = FitOptions { min_support: 2, ..BARE };
    assert!(fit(&all, &model, &Forces::none(), &few, None).is_err());
}

#[test]
fn smoothing_lets_a_parameter_that_is_hardly_seen_follow_its_neighbours() {
    let mut parameters = synthetic::model(&[5.0; 5]).parameters().to_vec();
    for (index, parameter) in parameters.iter_mut().enumerate() {
        parameter.neighbours = (0..5).filter(|other: &usize| other.abs_diff(index) == 1).collect();
    }
    let model = Model::new(parameters).unwrap();
    let planted = model.with_values(&[15.0; 5]).unwrap();
    let mut all = choices_over(12, &Kind::default(), &planted, &[0, 1, 3, 4]);
    all.push(of_rows(0, &[vec![(2, 256)], vec![(2, -256)]], &planted));
    let change = |smooth| {
        let options = FitOptions { ridge: Ridge::Fixed(100.0), smooth, ..BARE };
        let fit = fit(&all, &model, &Regression(&model), &options, None).unwrap();
        report(&fit, "w2").after - report(&fit, "w2").before
    };
    assert!(change(1e4) > 2.0 * change(0.0), "{} {}", change(1e4), change(0.0));
}

#[test]
fn alike_features_share_a_change_and_keep_their_difference() {
    let model = synthetic::model(&[2.0, 1.0, 9.0]);
    let planted = model.with_values(&[10.0, 9.0, 9.0]).unwrap();
    let twin = |choice: &Choice| {
        let rows = rows_of(choice).into_iter().map(|row| {
            let count = row.iter().find(|(column, _)| *column == 0).map_or(0, |(_, count)| *count);
            let last = row.iter().find(|(column, _)| *column == 2).map_or(0, |(_, count)| *count);
            vec![(0, count), (1, count), (2, last)]
        });
        of_rows(choice.cluster(), &rows.collect::<Vec<_>>(), &planted)
    };
    let alike: Vec<Choice> = choices_over(13, &Kind::default(), &planted, &[0, 2]).iter().map(twin).collect();
    let fit = fit(&alike, &model, &Regression(&model), &BARE, None).unwrap();
    assert_eq!((fit.solved, fit.rank), (3, 2));
    for (name, expected) in [("w0", 10.0), ("w1", 9.0)] {
        let report = report(&fit, name);
        assert!((report.after - expected).abs() < 1e-9, "{name}: {}", report.after);
        assert_eq!(report.standard_error, None);
    }
}

#[test]
fn variance_compensation_stretches_the_values_towards_the_spread_they_had() {
    let model = synthetic::random_model(14, 4);
    let all = choices(14, &Kind::default(), &model);
    let spread = statistics(&all).spread.units();
    let fit = fit(&all, &model, &Forces::none(), &BARE, Some(1.1 * spread)).unwrap();
    assert!((fit.compensation - 0.1).abs() < 1e-9);
    let after = statistics(&revalued(&all, &fitted(&model, &fit))).spread.units();
    assert!(after > 1.02 * fit.spread && after < 1.1 * fit.spread, "{after} {}", fit.spread);
}

#[test]
fn balanced_forces_change_the_right_side_by_the_played_move_less_the_mean() {
    let model = synthetic::model(&[2.0, 3.0]);
    let choices = choices(15, &Kind { density: 2, ..Kind::default() }, &model);
    // One row of one count, so strong a ridge that a step is the right side over the ridge.
    let options = FitOptions { ridge: Ridge::Fixed(1e9), ..BARE };
    let change = |forces: &Forces| {
        let fit = fit(&choices, &model, forces, &options, None).unwrap();
        fit.values[0] - 2.0
    };
    let entry = |row: &Vec<(u32, i64)>| {
        row.iter().find(|(column, _)| *column == 0).map_or(0.0, |(_, entry)| *entry as f64 / 256.0)
    };
    let expected: f64 = choices
        .iter()
        .map(|choice| {
            let entries: Vec<f64> = rows_of(choice).iter().map(entry).collect();
            let mean = entries[1..].iter().sum::<f64>() / (entries.len() - 1) as f64;
            in_units(choice.miss()) * (entries[0] - mean)
        })
        .sum();
    let found = change(&Forces { strength: 32.0, ..Forces::default() }) * 1e9;
    assert!((found - expected).abs() < 0.01 * expected.abs(), "{found} {expected}");
}

#[test]
fn standard_errors_are_those_of_the_formula() {
    let model = synthetic::model(&[6.0, -3.0]);
    let all = choices(16, &Kind { choices: 12, clusters: 4, density: 3, alternatives: 4 }, &model);
    let forces = linear(32.0);
    let options = FitOptions { ridge: Ridge::Fixed(5.0), ..BARE };
    let fit = fit(&all, &model, &forces, &options, None).unwrap();
    let after = [0, 1].map(|at| fit.parameters[at].after);

    let mut h = [[5.0, 0.0], [0.0, 5.0]];
    let (mut scores, mut squares) = (vec![[0.0; 2]; 4], 0.0);
    for choice in &all {
        let mut judged = Judged::default();
        judged.reset(choice.len());
        forces.judge(choice, 1.0, &mut judged);
        for (row, pull) in choice.rows().zip(&judged.pulls) {
            let mut d = [0.0; 2];
            row.iter().for_each(|(column, entry)| d[column] = f64::from(entry) / 256.0);
            let residual = in_units(row.value) + pull - d[0] * after[0] - d[1] * after[1];
            squares += residual * residual;
            for i in 0..2 {
                scores[choice.cluster() as usize][i] += d[i] * residual;
                (0..2).for_each(|j| h[i][j] += d[i] * d[j]);
            }
        }
    }
    let determinant = h[0][0] * h[1][1] - h[0][1] * h[1][0];
    let inverse = [[h[1][1], -h[0][1]], [-h[1][0], h[0][0]]].map(|row| row.map(|x| x / determinant));
    let factor = 4.0 / 3.0 * 59.0 / 58.0;
    let step = |line: usize, u: &[f64; 2]| inverse[line][0] * u[0] + inverse[line][1] * u[1];
    let covariance: f64 = scores.iter().map(|u| step(0, u) * step(1, u)).sum();
    let [Some(found)] = fit.parameters[0].covariances[..] else { panic!("one parameter behind the first") };
    assert!((found - factor * covariance).abs() < 1e-6 * (factor * covariance).abs());
    assert!(fit.parameters[1].covariances.is_empty());
    for (line, report) in fit.parameters.iter().enumerate() {
        let variance: f64 = scores.iter().map(|u| step(line, u).powi(2)).sum();
        let error = report.standard_error.unwrap();
        assert!((error - (factor * variance).sqrt()).abs() < 1e-6 * error, "{error}");
    }
    assert!((fit.residual.unwrap() - (squares / 60.0).sqrt()).abs() < 1e-6);
}

/// Half the squared distance of each row from the chosen one, where weights say so.
struct Pairs(Centre);

impl Objective for Pairs {
    fn name(&self) -> &'static str {
        "pairs of rows"
    }

    fn judge(&self, choice: &Choice, _: f64, judged: &mut Judged) -> f64 {
        judged.centre = self.0;
        let leads = choice.values().iter().map(|value| in_units(choice.values()[0] - value) - 40.0);
        for (pull, lead) in judged.pulls.iter_mut().zip(leads.clone()).skip(1) {
            *pull = lead;
        }
        judged.pulls[0] = -leads.clone().skip(1).sum::<f64>();
        leads.skip(1).map(|lead| lead * lead / 2.0).sum()
    }
}

#[test]
fn an_objective_with_another_centre_finds_the_minimum_of_its_own_quadratic_loss() {
    // The loss is quadratic in the values, so one step from anywhere ends where its gradient is zero.
    let model = synthetic::random_model(17, 5);
    let all = choices(17, &Kind::default(), &model);
    let objective = Pairs(Centre::Chosen);
    let gradient = |model: &Model| {
        let mut gradient = [0.0; 5];
        for choice in &revalued(&all, model) {
            let mut judged = Judged::default();
            judged.reset(choice.len());
            objective.judge(choice, 1.0, &mut judged);
            for (row, pull) in choice.rows().zip(&judged.pulls) {
                row.iter().for_each(|(column, entry)| gradient[column] -= f64::from(entry) / 256.0 * pull);
            }
        }
        gradient.iter().fold(0.0, |most: f64, slope| most.max(slope.abs()))
    };
    let fit = fit(&all, &model, &objective, &BARE, None).unwrap();
    let (before, after) = (gradient(&model), gradient(&fitted(&model, &fit)));
    assert!(after < 1e-3 * before, "{before} {after}");
    let loss = |model: &Model| {
        let next = synthetic::fit(&revalued(&all, model), model, &objective, &BARE, None).unwrap();
        next.loss
    };
    assert!(loss(&fitted(&model, &fit)) < fit.loss);
}

#[test]
fn nothing_to_fit_is_an_error_that_says_what_is_missing() {
    let model = synthetic::random_model(18, 3);
    let pair = choices_over(18, &Kind::default(), &model, &[0, 1]);
    let error = |choices: &[Choice], model: &Model, forces: &Forces| {
        fit(choices, model, forces, &BARE, None).unwrap_err()
    };
    let none = Forces::none();
    assert!(matches!(error(&[], &model, &none), Error::NoChoices));
    assert!(matches!(error(&pair, &tuning(&model, &[2]), &none), Error::NoSupport { least: 1 }));
    let mut parameters = model.parameters().to_vec();
    parameters[0].bound = 100.0;
    let bounded = Model::new(parameters).unwrap();
    let violent = Forces { force: Force::Constant, strength: 1e5, ..Forces::default() };
    match error(&pair, &bounded, &violent) {
        Error::BeyondBound { name, value, .. } => assert!(name == "w0" && value.abs() > 100.0),
        other => panic!("{other}"),
    }
}
