//! The run shown: its passes, the one chosen among them, and the standard errors of its last fit.
//!
//! Knows nothing of how the run was made: it may be going on, have ended here, or have been read from its
//! files.

use std::path::Path;

use texam_fit::{Criterion, Fit, ObjectiveName, PassReport, Reason};

use crate::{
    error::Result,
    feature::Weights,
    par,
    parameters::Parameter,
    run::{
        Files, StoredRun, StoredWeights,
        stat::{MOSTLY_HELD, RunRecord, Trend},
    },
    screen::{keys::Action, layout::List},
};

/// What the last fit of a run says about a weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Standard error in units; none if the fit did not solve for the weight, or was asked for no errors.
    pub standard_error: Option<f64>,
    /// Number of choices that touch the weight.
    pub support: u32,
    /// Standard deviation of its count over the rows.
    pub deviation: f64,
    /// Whether the ridge held back more than half of its free step.
    pub is_mostly_held: bool,
    /// Why the weight kept its value, if it did.
    pub frozen: Option<Reason>,
    /// Standard error of the run in each pass after the first, in units; empty where no groups of games were
    /// left out.
    pub run_errors: Vec<f64>,
}

/// What a fit says about each weight.
pub type Estimates = Vec<(Parameter, Estimate)>;

/// The estimates of a fit.
pub fn estimates_of(fit: &Fit) -> Estimates {
    let estimate = |report: &texam_fit::ParameterReport| {
        let texam_fit::ParameterReport { standard_error, support, deviation, held, frozen, .. } = *report;
        let (run_errors, is_mostly_held) = (Vec::new(), frozen.is_none() && held > MOSTLY_HELD);
        let estimate = Estimate { standard_error, support, deviation, is_mostly_held, frozen, run_errors };
        (Parameter::of(report), estimate)
    };
    fit.parameters.iter().map(estimate).collect()
}

#[derive(Debug, Clone)]
pub struct RunPass {
    /// What was measured.
    pub report: PassReport,
    /// The weights it was measured with; none if the `.par` of the pass cannot be read.
    pub weights: Option<Weights>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    Running,
    /// All its fits were made.
    Finished,
    /// It ended early, and can be resumed if it has files.
    Unfinished,
}

/// A run: its passes, of which one is chosen.
#[derive(Debug, Clone)]
pub struct RunHistory {
    pub(crate) objective: ObjectiveName,
    /// Whether its passes walk through stored trees.
    pub(crate) walks_trees: bool,
    passes: Vec<RunPass>,
    pub(crate) estimates: Estimates,
    files: Option<Files>,
    /// What of its files could not be used.
    pub(super) left_out: Option<String>,
    pub(crate) state: RunState,
    /// Index of the pass chosen.
    chosen: usize,
}

impl RunHistory {
    /// A run without passes yet.
    pub(super) fn begin(objective: ObjectiveName) -> RunHistory {
        RunHistory {
            objective,
            walks_trees: false,
            passes: Vec::new(),
            estimates: Vec::new(),
            files: None,
            left_out: None,
            state: RunState::Running,
            chosen: 0,
        }
    }

    /// Reads a run from its data and the `.par` files beside them.
    pub fn read(path: &Path) -> Result<(RunRecord, RunHistory)> {
        let run = StoredRun::open(path)?;
        let StoredWeights { mut passes, left_out } = run.weights(&mut |_| {});
        let StoredRun { files, record } = run;
        let pass =
            |report: &PassReport| RunPass { report: report.clone(), weights: passes.remove(&report.number) };
        let passes = record.reports.iter().map(pass).collect();
        let history = RunHistory { left_out, ..RunHistory::of_record(&record, passes, files) };
        Ok((record, history))
    }

    fn of_record(record: &RunRecord, passes: Vec<RunPass>, files: Files) -> RunHistory {
        let frozen = |trend: &Trend| {
            let entry = record.trends.frozen.iter().find(|entry| entry.name == trend.name)?;
            Some(match entry.support? {
                0 => Reason::Untouched,
                count => Reason::TooFewChoices(count),
            })
        };
        let estimate = |trend: &Trend| {
            // A feature of another version of the program has no place on the screen.
            let parameter = trend.name.parse().ok()?;
            let Trend { standard_error, support, change, moves, ref run_errors, .. } = *trend;
            let deviation = if change == 0.0 { 0.0 } else { moves / change.abs() };
            let (frozen, run_errors, is_mostly_held) =
                (frozen(trend), run_errors.clone(), trend.is_mostly_held());
            let estimate =
                Estimate { standard_error, support, deviation, is_mostly_held, frozen, run_errors };
            Some((parameter, estimate))
        };
        let state = if record.is_finished() { RunState::Finished } else { RunState::Unfinished };
        let mut history = RunHistory {
            walks_trees: record.header.walks_trees(),
            estimates: record.trends.weights.iter().filter_map(estimate).collect(),
            passes,
            files: Some(files),
            state,
            ..RunHistory::begin(record.header.objective())
        };
        history.choose(history.last());
        history
    }

    /// Adds a pass, and what the fit that led to it says about the weights. The pass is chosen if the one
    /// before it was.
    pub(super) fn add(&mut self, pass: RunPass, estimates: Option<Estimates>) {
        let follows = self.chosen == self.last();
        self.passes.push(pass);
        if let Some(estimates) = estimates {
            self.estimates = estimates;
        }
        if follows {
            self.chosen = self.last();
        }
    }

    /// The last pass, and what the fit that led to it says about the weights.
    pub(in crate::screen) fn into_last_pass(mut self) -> (RunPass, Estimates) {
        (self.passes.pop().expect("a run that was read has a pass"), self.estimates)
    }

    /// Ends the run, with its files if it wrote some.
    pub(super) fn end(&mut self, state: RunState, files: Option<Files>) {
        self.state = state;
        self.files = files;
    }

    /// All passes, from pass 0. A run that has just begun has none.
    pub fn passes(&self) -> &[RunPass] {
        &self.passes
    }

    /// Index of the [best](texam_fit::best) pass, if there is one.
    pub fn best(&self) -> Option<usize> {
        texam_fit::best(self.passes.iter().map(|pass| &pass.report))
    }

    /// Index of the last pass.
    pub fn last(&self) -> usize {
        self.passes.len().saturating_sub(1)
    }

    /// Index of the pass chosen.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// The weights before the first fit.
    pub fn start_weights(&self) -> Option<&Weights> {
        self.passes.first()?.weights.as_ref()
    }

    /// The weights of the last pass, if they are known, and their source.
    pub fn last_pass(&self) -> Option<(Weights, String)> {
        let weights = self.passes.last()?.weights.clone()?;
        Some((weights, self.source_of(self.last())))
    }

    /// The shipped run `gm1988`, with the weights that are built in: those of its start and of its best pass.
    pub(super) fn shipped() -> Result<RunHistory> {
        let record = RunRecord::from_json(include_str!("../../../stats/gm1988.json"))?;
        let mut history =
            RunHistory::of_record(&record, Vec::new(), Files::new(Path::new("stats"), "gm1988")?);
        let best = texam_fit::best(record.reports.iter()).unwrap_or(0);
        for (at, report) in record.reports.into_iter().enumerate() {
            let name = if at == 0 { "start" } else { "gm1988" };
            let weights = (at == 0 || at == best).then(|| par::read(par::path_of(name))).transpose()?;
            history.passes.push(RunPass { report, weights: weights.map(|par| par.weights) });
        }
        history.choose(best);
        Ok(history)
    }

    /// Whether games are held out.
    pub fn has_held_out(&self) -> bool {
        self.passes.first().is_some_and(|pass| pass.report.held_out.is_some())
    }

    /// Whether positions have moves to compare, and not only results.
    pub fn has_choices(&self) -> bool {
        self.objective != ObjectiveName::Logistic
    }

    /// Whether the objective has a loss that is measured in every pass.
    pub fn has_loss(&self) -> bool {
        self.passes.first().is_some_and(|pass| pass.report.loss.is_some())
    }

    /// The name of the `.stat`, where there is one.
    pub fn stat(&self) -> Option<String> {
        self.files.as_ref().map(|files| files.stat().display().to_string())
    }

    /// Whether the weights of each pass are in a `.par`.
    pub(super) fn has_files(&self) -> bool {
        self.files.is_some()
    }

    /// Where the weights of a pass come from: the name of its `.par`, or a description.
    pub(super) fn source_of(&self, pass: usize) -> String {
        match &self.files {
            Some(files) => files.par(pass as u32).display().to_string(),
            None => format!("a fit, pass {pass}"),
        }
    }

    /// Chooses a pass; returns whether it was chosen already.
    pub(super) fn choose(&mut self, pass: usize) -> bool {
        let pass = pass.min(self.last());
        std::mem::replace(&mut self.chosen, pass) == pass
    }

    /// Chooses the pass that an arrow key leads to.
    pub(super) fn move_choice(&mut self, action: Action) {
        if let Some(pass) = List::new(self.passes.len(), 1).choose(action, self.chosen) {
            self.chosen = pass;
        }
    }

    /// The name of the run: its `.stat`, or that it is one fit.
    pub fn name(&self) -> String {
        self.stat().unwrap_or_else(|| "one fit without files".to_string())
    }

    /// The rule by which [`best`](texam_fit::best) takes a pass of this run.
    fn best_rule(&self) -> String {
        let on = if self.has_held_out() { "held out" } else { "fitted" };
        match self.passes[0].report.criterion {
            Criterion::Rank => {
                "the earliest within one standard error of the lowest mean rank held out".to_string()
            }
            Criterion::Match => format!("the highest match on the games {on}"),
            Criterion::Loss => "the lowest loss on the games held out".to_string(),
        }
    }

    /// The weights that a finished run leaves on the screen, and the next step.
    pub(super) fn summary(&self) -> String {
        let last = self.last();
        let take = match self.best() {
            Some(best) if best == last => format!("the best: {}", self.best_rule()),
            Some(best) => format!("the last; b takes pass {best}, the best: {}", self.best_rule()),
            None => "the last; without games held out none is the best".to_string(),
        };
        let files = self.stat().map_or(String::new(), |stat| format!(", written to {stat}"));
        format!("weights of pass {last}, {take}; h shows the run{files}; u takes the change back")
    }

    /// Adds what a fit says about a weight.
    #[cfg(test)]
    pub(in crate::screen) fn add_estimate(&mut self, parameter: Parameter, estimate: Estimate) {
        self.estimates.push((parameter, estimate));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::app::tests::pass;

    fn run(passes: u32) -> RunHistory {
        let mut run = RunHistory::begin(ObjectiveName::default());
        (0..passes).for_each(|number| run.add(pass(number, &Weights::start()), None));
        run.end(RunState::Finished, None);
        run
    }

    /// Pass 2 has the highest match and the lowest mean rank, but pass 1 is within one standard error of its
    /// mean rank.
    #[test]
    fn the_pass_that_is_called_the_best_is_that_of_the_rule_that_is_named() {
        let summary = |criterion| {
            let mut run = RunHistory::begin(ObjectiveName::default());
            for (number, (rank_sum, matched)) in
                [(350, 30), (305, 31), (300, 32), (320, 29)].into_iter().enumerate()
            {
                let mut pass = pass(number as u32, &Weights::start());
                let held_out = texam_fit::Agreement { choices: 100, rank_sum, matched, ..Default::default() };
                pass.report.held_out = Some(held_out);
                pass.report.criterion = criterion;
                pass.report.rank_errors = vec![Some(0.1); number];
                run.add(pass, None);
            }
            run.end(RunState::Finished, None);
            run.summary()
        };
        let (by_rank, by_match) = (summary(Criterion::Rank), summary(Criterion::Match));
        assert!(by_rank.contains("b takes pass 1, ") && by_rank.contains("mean rank"), "{by_rank}");
        assert!(by_match.contains("b takes pass 2, ") && by_match.contains("highest match"), "{by_match}");
    }

    #[test]
    fn the_last_pass_is_chosen_first_and_arrows_stop_at_the_ends() {
        let mut run = run(3);
        assert_eq!((run.chosen(), run.last()), (2, 2));
        run.move_choice(Action::Down);
        assert_eq!(run.chosen(), 2);
        for expected in [1, 0, 0] {
            run.move_choice(Action::Up);
            assert_eq!(run.chosen(), expected);
        }
        run.choose(9);
        assert_eq!(run.chosen(), 2);
    }

    #[test]
    fn the_choice_follows_a_run_that_goes_on_until_another_pass_is_chosen() {
        let mut run = run(3);
        run.add(pass(3, &Weights::start()), None);
        assert_eq!(run.chosen(), 3);
        run.choose(1);
        run.add(pass(4, &Weights::start()), None);
        assert_eq!(run.chosen(), 1);
    }

    #[test]
    fn without_files_a_pass_is_named_as_the_source_of_its_weights() {
        assert_eq!((run(2).source_of(1), run(2).stat()), ("a fit, pass 1".to_string(), None));
    }

    #[test]
    fn a_run_is_read_from_its_files_and_a_missing_par_leaves_its_pass_without_weights() {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let path = folder.path().join("small.json");
        std::fs::copy(data.join("small.json"), &path).unwrap();
        std::fs::copy(data.join("small-00.par"), folder.path().join("small-00.par")).unwrap();
        let (record, run) = RunHistory::read(&path).unwrap();
        assert_eq!(run.passes().len(), record.reports.len());
        assert!(run.start_weights().is_some() && run.passes()[1].weights.is_none());
        assert!(run.estimates.iter().any(|(_, estimate)| estimate.standard_error.is_some()));
        assert_eq!(run.state, RunState::Finished);
    }

    #[test]
    fn a_stat_without_a_pass_says_what_to_do() {
        let error = RunHistory::read(Path::new("no/such.stat")).unwrap_err().to_string();
        assert!(error.contains("no/such.stat"), "{error}");
    }
}
