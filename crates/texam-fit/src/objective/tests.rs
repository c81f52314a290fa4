//! Tests of the objectives with a temperature: derivatives, steps, temperature.

use super::*;
use crate::{
    Error, FitOptions, Ridge, TEMPERATURE_BOUNDS, TemperatureOrigin, VALUE_UNIT,
    model::Model,
    step::{Fit, ParameterReport},
    synthetic::{self, Kind},
    temperature,
    units::ONE,
};

const OBJECTIVES: [&dyn Objective; 4] =
    [&Softmax, &Pairs, &Logistic { loss: Loss::CrossEntropy }, &Logistic { loss: Loss::Squared }];

const BARE: FitOptions = FitOptions { inner: 30, temperature: Some(40.0), ..synthetic::BARE };

/// A choice with these values in 2^-32 unit and this label.
fn choice(values: &[i64], label: f64) -> Choice {
    let mut choice = Choice::default();
    choice.begin_labelled(0, label).unwrap();
    values.iter().for_each(|&value| choice.push(value, []).unwrap());
    choice
}

fn judge(objective: &dyn Objective, choice: &Choice, temperature: f64) -> (f64, Judged) {
    let mut judged = Judged::default();
    judged.reset(choice.len());
    let loss = objective.judge(choice, temperature, &mut judged);
    (loss, judged)
}

/// Labelled rows for logistic regression and choices for the others. The best row of another model is the
/// chosen one in most of them, so that no parameters agree with all choices.
fn data(objective: &dyn Objective, model: &Model) -> Vec<Choice> {
    let player = synthetic::random_model(77, model.parameters().len());
    let labelled = objective.criterion() == Criterion::Loss;
    let kind =
        Kind { choices: 700, clusters: 40, alternatives: if labelled { 0 } else { 4 }, ..Kind::default() };
    let noise = |at: usize| (at * 7919 % 100) as f64 / 100.0;
    let prepared = |(at, choice): (usize, &Choice)| {
        let mut rows = synthetic::rows_of(choice);
        if labelled {
            let expected = 1.0 / (1.0 + libm::exp(-crate::in_units(choice.values()[0]) / 60.0));
            let label = if noise(at) < expected { 1.0 } else { 0.5 * f64::from(at.is_multiple_of(3)) };
            let mut choice = Choice::default();
            choice.begin_labelled(at as u64 % 40, label).unwrap();
            choice.push(model.value(rows[0].iter().copied()), rows[0].iter().copied()).unwrap();
            return choice;
        }
        let best = (0..rows.len()).max_by_key(|&at| choice.values()[at]).unwrap();
        rows.swap(0, if noise(at) < 0.7 { best } else { at % 5 });
        synthetic::of_rows(choice.cluster(), &rows, model)
    };
    synthetic::choices(3, &kind, &player).iter().enumerate().map(prepared).collect()
}

fn fit(objective: &dyn Objective, options: &FitOptions) -> (Model, Fit) {
    let model = synthetic::random_model(1, 12);
    let fit = synthetic::fit(&data(objective, &model), &model, objective, options, None).unwrap();
    (model, fit)
}

#[test]
fn pulls_are_minus_the_derivatives_of_the_loss_by_finite_differences() {
    let temperature = 37.5;
    let step = VALUE_UNIT / 16;
    for objective in OBJECTIVES {
        let rows = if objective.criterion() == Criterion::Loss { 1 } else { 4 };
        for label in [0.0, 0.5, 0.8, 1.0] {
            let values = [12, -40, 60, 11].map(|units| units * VALUE_UNIT)[..rows].to_vec();
            let (_, judged) = judge(objective, &choice(&values, label), temperature);
            for row in 0..rows {
                let at = |change: i64| {
                    let mut values = values.clone();
                    values[row] += change;
                    judge(objective, &choice(&values, label), temperature)
                };
                let ([above, below], width) = ([at(step), at(-step)], 2.0 / 16.0);
                let slope = (above.0 - below.0) / width * temperature;
                assert!((slope + judged.pulls[row]).abs() < 1e-6, "{} row {row}", objective.name());
                // The curvature of the squared loss is not its Gauss-Newton weight.
                if objective.name() == "logistic" && judged.weights[0] < 0.1 {
                    continue;
                }
                let bend = (below.1.pulls[row] - above.1.pulls[row]) / width * temperature;
                let weight = match judged.centre {
                    Centre::Root => judged.weights[row],
                    Centre::Mean => judged.weights[row] * (1.0 - judged.weights[row]),
                    Centre::Chosen if row == 0 => judged.weights.iter().sum(),
                    Centre::Chosen => judged.weights[row],
                };
                assert!((bend - weight).abs() < 1e-5, "{} row {row}: {bend} {weight}", objective.name());
            }
        }
    }
}

#[test]
fn pulls_of_a_choice_add_up_to_zero_and_large_leads_do_not_overflow() {
    for objective in [&Softmax as &dyn Objective, &Pairs] {
        let (loss, judged) = judge(objective, &choice(&[0, 1 << 56, -(1 << 56), 5], 0.0), 4.0);
        assert!(loss.is_finite() && loss > 1e5);
        assert!(judged.pulls.iter().sum::<f64>().abs() < 1e-12, "{:?}", judged.pulls);
    }
    let (loss, judged) = judge(&Logistic::default(), &choice(&[-(1 << 56)], 1.0), 4.0);
    assert!(loss.is_finite() && (judged.pulls[0] - 1.0).abs() < 1e-12);
}

#[test]
fn steps_without_ridge_end_where_the_gradient_is_below_a_thousandth_of_that_at_the_start() {
    for objective in OBJECTIVES {
        let (_, fit) = fit(objective, &BARE);
        let descent = fit.descent.unwrap();
        let [start, end] = descent.gradients;
        assert!(end < start / 1000.0, "{}: {start} to {end}", objective.name());
        assert!(descent.loss < fit.loss && descent.steps > 1 && descent.steps < 30, "{descent:?}");
        assert!(fit.parameters.iter().all(|parameter| parameter.standard_error.unwrap() > 0.0));
    }
}

#[test]
fn a_parameter_at_its_bound_lets_the_others_go_on() {
    for objective in OBJECTIVES {
        let (model, free) = fit(objective, &BARE);
        let growth = |of: &&ParameterReport| of.after.abs() - of.before.abs();
        let far = free.parameters.iter().max_by(|a, b| growth(a).total_cmp(&growth(b))).unwrap();
        let bound = (far.before.abs() + far.after.abs()) / 2.0;
        assert!(growth(&far) > 1.0, "{}", objective.name());
        let mut parameters = model.parameters().to_vec();
        parameters[far.index].bound = bound;
        let bounded = Model::new(parameters.clone()).unwrap();
        let choices = data(objective, &model);
        let found = synthetic::fit(&choices, &bounded, objective, &BARE, None).unwrap();
        assert_eq!(found.values[far.index], bound.copysign(far.after), "{}", objective.name());
        // The others end where they do when this one is held there from the start.
        parameters[far.index].value = bound.copysign(far.after);
        parameters[far.index].tune = false;
        let held = Model::new(parameters).unwrap();
        let mut changes = vec![0.0; 12];
        changes[far.index] = held.used(far.index) - model.used(far.index);
        let mut moved = choices;
        moved.iter_mut().for_each(|choice| choice.revalue(&changes, 1));
        let expected = synthetic::fit(&moved, &held, objective, &BARE, None).unwrap();
        for (a, b) in found.values.iter().zip(&expected.values) {
            assert!((a - b).abs() < 0.01, "{}: {:?} {:?}", objective.name(), found.values, expected.values);
        }
    }
}

#[test]
fn the_gradient_reported_is_that_of_the_loss_by_finite_differences() {
    for objective in OBJECTIVES {
        let model = synthetic::random_model(1, 12);
        let choices = data(objective, &model);
        let options = FitOptions { inner: 1, ..BARE };
        let fit = synthetic::fit(&choices, &model, objective, &options, None).unwrap();
        let loss = |index: usize, change: f64| -> f64 {
            let mut changes = vec![0.0; 12];
            changes[index] = change;
            let moved = choices.iter().cloned().map(|mut choice| {
                choice.revalue(&changes, 1);
                judge(objective, &choice, 40.0).0
            });
            moved.sum()
        };
        let slopes = (0..12).map(|index| ((loss(index, 0.01) - loss(index, -0.01)) / 0.02).abs());
        let largest = slopes.fold(0.0, f64::max);
        let [reported, _] = fit.descent.unwrap().gradients;
        assert!((largest / reported - 1.0).abs() < 1e-3, "{}: {largest} {reported}", objective.name());
    }
}

#[test]
fn any_number_of_threads_and_any_order_of_choices_gives_the_same_bytes() {
    let model = synthetic::random_model(1, 12);
    for objective in OBJECTIVES {
        let all = data(objective, &model);
        let mut reversed = all.clone();
        reversed.reverse();
        let on = |threads, choices: &[Choice]| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = FitOptions { ridge: Ridge::Fixed(10.0), ..BARE };
            let fit = pool.install(|| synthetic::fit(choices, &model, objective, &options, None).unwrap());
            format!("{fit:?}")
        };
        assert_eq!(on(1, &all), on(4, &all));
        assert_eq!(on(1, &all), on(3, &reversed));
    }
}

#[test]
fn a_strong_ridge_holds_the_parameters_and_a_parameter_that_is_not_tuned_stays() {
    let largest = |options: &FitOptions| fit(&Softmax, options).1.max_change;
    assert!(largest(&FitOptions { ridge: Ridge::Fixed(1e9), ..BARE }) < 1e-3);
    assert!(largest(&BARE) > 1.0);
    let model = synthetic::tuning(&synthetic::random_model(1, 12), &[0, 3, 4]);
    let choices = data(&Pairs, &model);
    let fit = synthetic::fit(&choices, &model, &Pairs, &BARE, None).unwrap();
    assert_eq!((fit.solved, fit.parameters.len()), (3, 3));
    assert_eq!(fit.values[1].to_bits(), model.values()[1].to_bits());
    let options = FitOptions { min_support: 10_000, ..BARE };
    let error = synthetic::fit(&choices, &model, &Pairs, &options, None).unwrap_err();
    assert!(matches!(error, Error::NoSupport { least: 10_000 }));
}

#[test]
fn standard_errors_shrink_with_the_root_of_the_number_of_clusters() {
    let model = synthetic::random_model(1, 12);
    let one = data(&Softmax, &model);
    // Each cluster four times under other names: the fit is the same, its errors are half as large.
    let four: Vec<Choice> = (0..4_u64)
        .flat_map(|copy| one.iter().map(move |choice| (copy, choice)))
        .map(|(copy, choice)| {
            synthetic::of_rows(choice.cluster() + 1000 * copy, &synthetic::rows_of(choice), &model)
        })
        .collect();
    let [one, four] =
        [one, four].map(|choices| synthetic::fit(&choices, &model, &Softmax, &BARE, None).unwrap());
    for (a, b) in one.parameters.iter().zip(&four.parameters) {
        assert!((a.after - b.after).abs() < 0.01, "{} {}", a.after, b.after);
        let ratio = a.standard_error.unwrap() / b.standard_error.unwrap();
        assert!((ratio - 2.0).abs() < 0.1, "{ratio}");
    }
}

fn estimated(objective: &dyn Objective, choices: &[Choice]) -> crate::Temperature {
    let model = synthetic::random_model(1, 12);
    synthetic::searched(choices, &model, objective, |searchers, _| temperature::estimate(searchers)).unwrap()
}

#[test]
fn the_temperature_is_that_of_the_smallest_loss() {
    for objective in OBJECTIVES {
        let choices = data(objective, &synthetic::random_model(77, 12));
        let found = estimated(objective, &choices);
        assert_eq!(found.origin, TemperatureOrigin::Estimated, "{} {found:?}", objective.name());
        let loss = |temperature: f64| -> f64 {
            choices.iter().map(|choice| judge(objective, choice, temperature).0).sum()
        };
        let least = loss(found.value);
        assert!(least < loss(found.value * 1.01) && least < loss(found.value / 1.01), "{}", objective.name());
    }
}

#[test]
fn a_temperature_that_the_values_do_not_determine_is_64_and_one_beyond_the_bounds_is_a_bound() {
    let ties = [choice(&[5, 5, 5], 0.0), choice(&[7], 0.0)];
    let found = estimated(&Softmax, &ties);
    assert_eq!((found.value, found.origin), (64.0, TemperatureOrigin::Undetermined));
    let unit = VALUE_UNIT;
    let clear = [choice(&[50 * unit, 0], 0.0)];
    let found = estimated(&Softmax, &clear);
    assert_eq!((found.value, found.origin), (TEMPERATURE_BOUNDS[0], TemperatureOrigin::AtBound));
    let wrong = [choice(&[0, 50 * unit], 0.0)];
    let found = estimated(&Pairs, &wrong);
    assert_eq!((found.value, found.origin), (TEMPERATURE_BOUNDS[1], TemperatureOrigin::AtBound));
}

#[test]
fn a_label_is_kept_and_must_be_from_0_to_1() {
    assert_eq!(choice(&[], 0.5).label(), ONE / 2);
    for wrong in [-0.1, 1.5, f64::NAN] {
        assert!(Choice::default().begin_labelled(0, wrong).is_err());
    }
}
