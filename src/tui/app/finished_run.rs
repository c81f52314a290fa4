//! The run shown: the passes of a finished run, and the one chosen among them.
//!
//! Knows nothing of how the run was made, so that it can be one fitted here or one read from a file.

use texam_fit::{Fit, ParameterReport};

use super::pages::line_after;
use crate::{
    feature::Weights,
    parameters::Parameter,
    run::Files,
    tui::keys::Action,
    tuner::{Pass, Run},
};

/// A finished run with at least one pass.
#[derive(Debug)]
pub struct FinishedRun {
    passes: Vec<Pass>,
    reports: Vec<(Parameter, ParameterReport)>,
    best: usize,
    files: Option<Files>,
    /// Index of the pass chosen.
    chosen: usize,
}

impl FinishedRun {
    /// A run with the fit that led to its last pass, and its files if it wrote some. The last pass is chosen.
    pub(super) fn new(run: Run, last_fit: Option<&Fit>, files: Option<Files>) -> FinishedRun {
        let reports = last_fit.into_iter().flat_map(|fit| fit.parameters.iter().cloned());
        let reports = reports.map(|report| (Parameter::of(&report), report)).collect();
        let (best, chosen) = (run.best(), run.passes.len() - 1);
        FinishedRun { passes: run.passes, reports, best, files, chosen }
    }

    /// All passes, from pass 0.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// The report on each tuned parameter by the fit that led to the last pass.
    pub fn reports(&self) -> &[(Parameter, ParameterReport)] {
        &self.reports
    }

    /// Index of the best pass.
    pub fn best(&self) -> usize {
        self.best
    }

    /// Index of the last pass.
    pub fn last(&self) -> usize {
        self.passes.len() - 1
    }

    /// Index of the pass chosen.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// The weights before the first fit.
    pub fn start_weights(&self) -> &Weights {
        &self.passes[0].weights
    }

    /// The weights of the last pass.
    pub fn last_weights(&self) -> &Weights {
        &self.passes[self.last()].weights
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

    /// Chooses a pass.
    pub(super) fn choose(&mut self, pass: usize) {
        self.chosen = pass.min(self.last());
    }

    /// Chooses the pass that an arrow key leads to.
    pub(super) fn move_choice(&mut self, action: Action) {
        let action = match action {
            Action::Left => Action::Up,
            Action::Right => Action::Down,
            other => other,
        };
        if let Some(pass) = line_after(action, self.chosen, self.passes.len()) {
            self.chosen = pass;
        }
    }

    /// The result in a line.
    pub(super) fn summary(&self) -> String {
        let rate = |pass: usize| 100.0 * self.passes[pass].report.judged_by();
        let last = self.last();
        let on = if self.passes[0].report.held_out.is_some() { "held out" } else { "fitted" };
        let best = if self.best == last { String::new() } else { format!(", best pass {}", self.best) };
        let files = self.stat().map_or(String::new(), |stat| format!("; {stat}"));
        format!(
            "pass {last}: match {:.1} % {on}, {:.1} % before{best}{files}; h tells more, u takes it back",
            rate(last),
            rate(0)
        )
    }

    /// Adds the report on a parameter.
    #[cfg(test)]
    pub(in crate::tui) fn add_report(&mut self, report: ParameterReport) {
        self.reports.push((Parameter::of(&report), report));
    }
}

#[cfg(test)]
mod tests {
    use texam_fit::StopReason;

    use super::*;
    use crate::tui::app::tests::pass;

    fn run(passes: u32) -> FinishedRun {
        let passes = (0..passes).map(|number| pass(number, &Weights::start())).collect();
        FinishedRun::new(Run { passes, stopped: StopReason::Iterations }, None, None)
    }

    #[test]
    fn the_last_pass_is_chosen_first_and_arrows_stop_at_the_ends() {
        let mut run = run(3);
        assert_eq!((run.chosen(), run.last()), (2, 2));
        run.move_choice(Action::Right);
        assert_eq!(run.chosen(), 2);
        for expected in [1, 0, 0] {
            run.move_choice(Action::Left);
            assert_eq!(run.chosen(), expected);
        }
        run.choose(9);
        assert_eq!(run.chosen(), 2);
    }

    #[test]
    fn without_files_a_pass_is_named_as_the_source_of_its_weights() {
        assert_eq!((run(2).source_of(1), run(2).stat()), ("a fit, pass 1".to_string(), None));
    }
}
