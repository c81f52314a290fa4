use std::{cell::RefCell, io};

use super::*;
use crate::{
    Agreement, Choice, Sink, Standing,
    objective::{Force, Forces},
    synthetic::{self, Kind},
};

/// Stored choices, valued anew in every pass.
pub(crate) struct Stored {
    choices: Vec<Choice>,
    held_out: Vec<Choice>,
    /// Passes that are still answered.
    passes: usize,
}

impl Stored {
    pub fn new(choices: &[Choice]) -> Stored {
        let mut choices = choices.to_vec();
        choices.sort_by_key(Choice::cluster);
        Stored { choices, held_out: Vec::new(), passes: usize::MAX }
    }
}

fn standing(choice: &Choice) -> Standing {
    let (chosen, others) = choice.values().split_first().unwrap();
    let count =
        |counts: fn(&i64, &i64) -> bool| others.iter().filter(|other| counts(other, chosen)).count() as u32;
    Standing {
        alternatives: choice.len() as u32,
        ahead: count(|other, chosen| other > chosen),
        tied: count(|other, chosen| other == chosen),
        rows: choice.len() as u32,
    }
}

impl Source for Stored {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let Some(left) = self.passes.checked_sub(1) else { return Ok(None) };
        self.passes = left;
        let agreement = |choices: &[Choice]| {
            let standings: Vec<Standing> = synthetic::revalued(choices, model).iter().map(standing).collect();
            Agreement::of(&standings)
        };
        for cluster in self.choices.chunk_by(|a, b| a.cluster() == b.cluster()) {
            sink.accept(&synthetic::revalued(cluster, model))?;
        }
        if sink.wants_held_out() {
            sink.accept_held_out(&synthetic::revalued(&self.held_out, model))?;
        }
        let held_out = (!self.held_out.is_empty()).then(|| agreement(&self.held_out));
        Ok(Some(Measured { fitted: agreement(&self.choices), held_out, ..Measured::default() }))
    }
}

/// Notes what it sees, and fails at a pass.
#[derive(Default)]
struct Witness {
    begun: RefCell<Vec<u32>>,
    measured: RefCell<Vec<u32>>,
    fail_at: Option<u32>,
}

impl Observer for Witness {
    fn begins(&self, pass: u32) {
        self.begun.borrow_mut().push(pass);
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        let number = pass.report.number;
        assert_eq!(fit.is_some(), number > 0);
        assert!(fit.is_none_or(|fit| fit.values == pass.values));
        self.measured.borrow_mut().push(number);
        if self.fail_at == Some(number) {
            Err(Error::external(io::Error::other("the disk is full")))
        } else {
            Ok(())
        }
    }
}

fn start() -> Model {
    synthetic::random_model(1, 12)
}

/// Choices of a player with other weights; some are held out.
fn source() -> Stored {
    let player = synthetic::random_model(2, 12);
    let of_player = |seed| -> Vec<Choice> {
        let kind = Kind { choices: 300, clusters: 20, ..Kind::default() };
        let random = synthetic::choices(seed, &kind, &player);
        random.iter().map(|choice| synthetic::best_first(choice, &player)).collect()
    };
    Stored { held_out: of_player(4), ..Stored::new(&of_player(3)) }
}

fn plan(iterations: u32) -> Plan {
    Plan { options: FitOptions::default(), keep_spread: true, iterations, patience: None, by_match: false }
}

const FORCES: Forces =
    Forces { force: Force::Linear, strength: 64.0, scale: 32.0, balance: crate::Balance::All };

pub(crate) fn tune(
    source: &mut dyn Source,
    objective: &dyn Objective,
    start: &Model,
    plan: &Plan,
    observer: &dyn Observer,
) -> Result<Run> {
    Job { objective, start, plan, finished: Vec::new(), observer }.run(source)
}

/// Goes on after the passes that are finished.
fn resume(
    objective: &dyn Objective,
    plan: &Plan,
    finished: Vec<Pass>,
    observer: &dyn Observer,
) -> Result<Run> {
    Job { objective, start: &start(), plan, finished, observer }.run(&mut source())
}

fn run(plan: &Plan, witness: &Witness) -> Run {
    tune(&mut source(), &FORCES, &start(), plan, witness).unwrap()
}

/// All of a run that does not depend on the clock.
fn timeless(run: &Run) -> (Vec<(&PassReport, &Vec<f64>)>, StopReason) {
    (run.passes.iter().map(|pass| (&pass.report, &pass.values)).collect(), run.stopped)
}

#[test]
fn three_fits_are_four_measured_passes_and_agreement_rises() {
    let witness = Witness::default();
    let run = run(&plan(3), &witness);
    assert_eq!(run.stopped, StopReason::Iterations);
    assert_eq!(*witness.begun.borrow(), [0, 1, 2, 3]);
    assert_eq!(*witness.measured.borrow(), [0, 1, 2, 3]);
    for (number, pass) in run.passes.iter().enumerate() {
        assert_eq!((pass.report.number as usize, pass.report.fit.is_some()), (number, number > 0));
    }
    assert_eq!(run.passes[0].values, start().values());
    let rank = |pass: usize| run.passes[pass].report.judged_by();
    assert!(rank(3) < rank(0) - 0.1, "{} to {}", rank(0), rank(3));
}

#[test]
fn without_fits_the_start_is_measured_and_that_is_all() {
    let run = run(&plan(0), &Witness::default());
    assert_eq!((run.passes.len(), run.stopped), (1, StopReason::Iterations));
    assert!(run.passes[0].report.spread > 0.0 && run.passes[0].report.misses.rms > 0.0);
}

#[test]
fn without_a_force_nothing_moves_and_patience_runs_out() {
    for patience in [1, 3] {
        let plan = Plan { patience: Some(patience), ..plan(9) };
        let run = tune(&mut source(), &Forces::none(), &start(), &plan, &Witness::default()).unwrap();
        assert_eq!((run.passes.len() as u32, run.stopped), (1 + patience, StopReason::Patience));
        for pass in &run.passes[1..] {
            assert_eq!(pass.report.fit.unwrap().max_change, 0.0);
            assert_eq!(pass.report.fitted, run.passes[0].report.fitted);
        }
    }
}

#[test]
fn patience_counts_from_the_best_pass() {
    let run = run(&Plan { patience: Some(2), ..plan(60) }, &Witness::default());
    let reports: Vec<&PassReport> = run.passes.iter().map(|pass| &pass.report).collect();
    let best = extreme(&reports);
    assert_eq!((run.stopped, run.passes.len() - 1 - best), (StopReason::Patience, 2));
}

#[test]
fn a_pass_that_is_cancelled_is_dropped_and_the_others_stay() {
    let whole = run(&plan(3), &Witness::default());
    for passes in 0..4 {
        let mut source = Stored { passes, ..source() };
        let witness = Witness::default();
        let broken = tune(&mut source, &FORCES, &start(), &plan(3), &witness).unwrap();
        assert_eq!((broken.stopped, broken.passes.len()), (StopReason::Cancelled, passes));
        assert_eq!(timeless(&broken).0, timeless(&whole).0[..passes]);
        assert_eq!(witness.measured.borrow().len(), passes);
    }
}

#[test]
fn a_resumed_run_is_the_same_as_an_unbroken_one() {
    let whole = run(&plan(3), &Witness::default());
    for finished in 0..=4 {
        let witness = Witness::default();
        let passes = whole.passes[..finished].to_vec();
        let resumed = resume(&FORCES, &plan(3), passes, &witness).unwrap();
        assert_eq!(timeless(&resumed), timeless(&whole), "after {finished} passes");
        assert_eq!(*witness.measured.borrow(), (finished as u32..4).collect::<Vec<u32>>());
    }
}

#[test]
fn a_pass_with_other_values_than_it_was_measured_with_is_not_gone_on_from() {
    let mut short = run(&plan(1), &Witness::default());
    short.passes[1].values = synthetic::random_model(9, 12).values();
    let refused = resume(&FORCES, &plan(3), short.passes, &Witness::default());
    assert!(matches!(refused, Err(Error::OtherPass(1))));
}

#[test]
fn an_observer_that_fails_ends_the_run() {
    let witness = Witness { fail_at: Some(1), ..Witness::default() };
    let error = tune(&mut source(), &FORCES, &start(), &plan(3), &witness).unwrap_err();
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(*witness.measured.borrow(), [0, 1]);
}

#[test]
fn what_is_held_out_does_not_change_the_values() {
    let mut alone = Stored { held_out: Vec::new(), ..source() };
    let alone = tune(&mut alone, &FORCES, &start(), &plan(2), &Witness::default()).unwrap();
    let both = run(&plan(2), &Witness::default());
    for (alone, both) in alone.passes.iter().zip(&both.passes) {
        assert_eq!((&alone.values, &alone.report.fitted), (&both.values, &both.report.fitted));
        assert_eq!((alone.report.held_out.is_some(), both.report.held_out.is_some()), (false, true));
    }
}

#[test]
fn nothing_to_tune_is_found_before_anything_is_searched() {
    let model = synthetic::tuning(&start(), &[]);
    let witness = Witness::default();
    assert!(matches!(tune(&mut source(), &FORCES, &model, &plan(1), &witness), Err(Error::NothingTuned)));
    assert!(witness.begun.borrow().is_empty());
    assert!(tune(&mut source(), &FORCES, &model, &plan(0), &witness).is_ok());
}

/// A plan for an objective with a temperature.
fn newton_plan(iterations: u32) -> Plan {
    Plan { options: FitOptions { min_support: 1, inner: 2, ..FitOptions::default() }, ..plan(iterations) }
}

/// Remembers the temperature.
#[derive(Default)]
struct Thermometer(RefCell<Vec<Temperature>>);

impl Observer for Thermometer {
    fn temperature(&self, temperature: Temperature) {
        self.0.borrow_mut().push(temperature);
    }

    fn measured(&self, _: &Pass, _: Option<&Fit>) -> Result<()> {
        Ok(())
    }
}

#[test]
fn softmax_and_pairs_raise_agreement_and_lower_the_loss_of_choices_held_out() {
    for objective in [&crate::Softmax as &dyn Objective, &crate::Pairs] {
        let thermometer = Thermometer::default();
        let run = tune(&mut source(), objective, &start(), &newton_plan(2), &thermometer).unwrap();
        let [first, .., last] = &run.passes[..] else { panic!("three passes") };
        let [before, after] = [first, last].map(|pass| pass.report.loss.unwrap());
        assert!(after.fitted.mean < before.fitted.mean, "{}", objective.name());
        assert!(after.held_out.unwrap().mean < before.held_out.unwrap().mean, "{}", objective.name());
        assert!(last.report.judged_by() < first.report.judged_by() - 0.1, "{}", objective.name());
        let [temperature] = thermometer.0.borrow()[..] else { panic!("one temperature") };
        assert!(run.passes.iter().all(|pass| pass.report.loss.unwrap().temperature == temperature.value));
        assert!(last.report.fit.unwrap().residual.is_none());
    }
}

#[test]
fn a_run_with_a_temperature_goes_on_as_if_it_had_not_been_interrupted() {
    let whole =
        tune(&mut source(), &crate::Pairs, &start(), &newton_plan(3), &Thermometer::default()).unwrap();
    let half = whole.passes[..2].to_vec();
    let resumed = resume(&crate::Pairs, &newton_plan(3), half.clone(), &Thermometer::default());
    assert_eq!(timeless(&whole), timeless(&resumed.unwrap()));
    let mut other = half;
    if let Some(loss) = &mut other[1].report.loss {
        loss.fitted.mean += 0.01;
    }
    let error = resume(&crate::Pairs, &newton_plan(3), other, &Thermometer::default());
    assert!(matches!(error, Err(Error::OtherPass(1))));
}

#[test]
fn a_temperature_that_is_given_is_used() {
    let mut plan = newton_plan(1);
    plan.options.temperature = Some(123.456_789);
    let thermometer = Thermometer::default();
    let run = tune(&mut source(), &crate::Softmax, &start(), &plan, &thermometer).unwrap();
    assert_eq!(run.passes[1].report.loss.unwrap().temperature, 123.4568);
    assert_eq!(thermometer.0.borrow()[0].origin, TemperatureOrigin::Given);
}
