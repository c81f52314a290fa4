//! What `texam fit` prints of a run, and what it has others write down.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use texam_fit::{
    Agreement, Criterion, Difference, FOLDS, Figures, Fit, Loss, LossReport, MeanLoss, ObjectiveName,
    Observer, Pass, PassReport, RidgeLoss, StopReason, Suspicion, TEMPERATURE_BOUNDS, Temperature,
    TemperatureOrigin, Timing, Warning, extreme,
};

use super::{
    super::{
        Outcome, print, print_json,
        progress::{Progress, interrupted},
    },
    advice,
};
use crate::{
    error::Result,
    run::{
        GroupObserver, GroupRuns, Holdout, Recorder, RunSpec, RunWeights, count, label_warnings,
        stat::{Header, RunDocument, RunRecord, error_text, warning_text},
    },
};

/// Saves each pass of a run and prints a line on it.
pub struct RunPrinter<'a> {
    pub recorder: Recorder<'a>,
    pub start: &'a RunWeights,
    pub spec: &'a RunSpec,
    /// Positions of a pass, for its progress; none where they are not known.
    positions: Option<usize>,
    pub progress: Progress,
    is_json: bool,
    /// Whether the titles of the columns are printed.
    has_titles: AtomicBool,
}

impl<'a> RunPrinter<'a> {
    /// For a run that has begun or goes on.
    pub fn new(
        recorder: Recorder<'a>,
        start: &'a RunWeights,
        spec: &'a RunSpec,
        is_json: bool,
    ) -> RunPrinter<'a> {
        let positions = recorder.header.positions.iter().sum::<u64>() as usize;
        let positions = (!spec.is_on_rows()).then_some(positions);
        let (progress, has_titles) = (Progress::new(), AtomicBool::new(false));
        RunPrinter { recorder, start, spec, positions, progress, is_json, has_titles }
    }

    /// Prints text unless JSON was requested.
    fn say(&self, text: &str) -> Result<()> {
        if self.is_json { Ok(()) } else { print(text) }
    }

    /// Says what the run is made from, and where it goes on.
    pub fn open(&self, summary: Option<String>) -> Result<()> {
        let finished = self.recorder.passes().len();
        let begins = finished == 0;
        // Otherwise a temperature, or what the first pass counts, comes before the titles.
        let with_titles =
            !begins || (summary.is_some() && self.spec.settings.objective == ObjectiveName::Force);
        let mut text = summary.map_or_else(String::new, |summary| summary + "\n");
        if !begins {
            text += &format!("{} continues after pass {}\n", self.recorder.files.name, finished - 1);
        }
        if self.spec.groups > 0 {
            let runs = count(self.spec.groups.into(), "more run");
            text += &format!("after it {runs}, each without one group of games, for the standard errors\n");
        }
        if with_titles {
            text += &self.titles();
        }
        self.say(&text)
    }

    /// Says which runs without groups are to be made, and how long they take where the time of the run is
    /// known.
    pub fn open_groups(&self, runs: &GroupRuns, passes: &[Pass]) -> Result<()> {
        let (groups, made) = (self.spec.groups, runs.made());
        let seconds: f64 = passes.iter().map(|pass| pass.timing.search + pass.timing.fit).sum();
        let share = f64::from(groups - 1) / f64::from(groups) * f64::from(groups - made);
        // The passes before a run was resumed have no time.
        let is_timed = passes.iter().all(|pass| pass.timing != Timing::default());
        let time = if is_timed { format!(", about {}", duration(seconds * share)) } else { String::new() };
        let begin = if made == 0 { String::new() } else { format!(" from group {} on", made + 1) };
        self.say(&format!("errors   the run again without each of {groups} groups of games{begin}{time}\n"))
    }

    /// The titles of the columns, once.
    fn titles(&self) -> String {
        match self.has_titles.swap(true, Ordering::Relaxed) {
            true => String::new(),
            false => {
                let is_squared = self.spec.settings.objective == ObjectiveName::Logistic
                    && self.spec.settings.loss == Loss::Squared;
                let loss = if is_squared { "loss     half the squared error\n" } else { "" };
                format!("{loss}{}\n", titles(self.spec.settings.objective))
            }
        }
    }

    /// What the first pass has counted, where it was not known before.
    fn counted(&self) -> String {
        let Some(Header { decisive, held_out_games, positions: [fitted, held_out], .. }) =
            self.recorder.counted_header()
        else {
            return String::new();
        };
        let what =
            if self.spec.settings.objective == ObjectiveName::Logistic { "position" } else { "choice" };
        let games = count(decisive - held_out_games, "game");
        let mut text = format!("{} of {games} to fit", count(fitted, what));
        if held_out > 0 {
            text += &format!("; {} of {} held out", count(held_out, what), count(held_out_games, "game"));
        }
        text + "\n"
    }

    /// What is to be said about the rows, once: after the first pass, and after the first fit.
    fn advice(&self, report: &PassReport, fit: Option<&Fit>) -> String {
        let of_games = self.recorder.counted_header().filter(|_| report.number == 0);
        let of_games = of_games.and_then(|h| advice::one_game(h.decisive, h.positions.iter().sum()));
        let (name, text) = match report.number {
            0 if self.spec.is_on_rows() && report.criterion.has_choices() => {
                ("rows", Suspicion::of(&report.fitted).map(advice::suspicion))
            }
            _ => ("", None),
        };
        let of_fit = fit.filter(|_| report.number == 1).map(|fit| {
            let has_labels = self.spec.settings.objective == ObjectiveName::Logistic;
            let known = has_labels.then(|| self.recorder.header.clone());
            let header = self.recorder.counted_header().or(known);
            let games = header.map(|header| count(header.decisive - header.held_out_games, "game"));
            let effective = games.map(|games| advice::effective(fit, &games));
            effective.into_iter().chain(report.warnings.clone())
        });
        let holds_none = report.number == 0 && report.held_out.is_none();
        let of_games = of_games.or_else(|| match self.spec.holdout {
            Holdout::EveryGame(every) if holds_none && self.spec.is_on_rows() => {
                Some(advice::none_held_out(every))
            }
            _ => None,
        });
        let line = |(name, text): (&str, Option<String>)| text.map(|text| format!("{name:<9}{text}\n"));
        let counts = self.recorder.row_counts();
        let repeats = counts.duplicates.warning("rows").filter(|_| report.number == 0);
        let has_labels = report.number == 0 && counts.labels.rows > 0;
        let warnings = has_labels.then(|| label_warnings(&counts.labels)).into_iter().flatten();
        let unseen = has_labels.then(|| advice::QUIET_IS_UNSEEN.to_string());
        let of_labels = warnings.chain(unseen).map(|text| ("labels", Some(text)));
        let texts = [("games", of_games), ("games", repeats), (name, text)];
        let of_fit = of_fit.into_iter().flatten().map(|text| ("weights", Some(text)));
        of_labels.chain(texts).chain(of_fit).filter_map(line).collect()
    }

    fn begin(&self, title: String, pass: u32) {
        if let Some(positions) = self.positions {
            self.progress.begin(title, self.spec.work_of_pass(pass, positions));
        }
    }

    /// Counts a position that was searched. Says whether to go on.
    pub fn tick(&self) -> bool {
        if self.positions.is_some() { self.progress.tick() } else { !interrupted() }
    }
}

impl Observer for RunPrinter<'_> {
    fn begins(&self, pass: u32) {
        self.begin(format!("pass {pass} of {}", self.spec.iterations), pass);
    }

    fn temperature(&self, temperature: Temperature) {
        self.progress.clear();
        // An output that is closed is noticed when the pass is printed.
        let labels = match temperature {
            Temperature { value, origin: TemperatureOrigin::AtBound }
                if self.spec.settings.objective == ObjectiveName::Logistic
                    && value == TEMPERATURE_BOUNDS[1] =>
            {
                advice::LABELS_BY_CHANCE
            }
            _ => "",
        };
        let _ = self.say(&format!("{}\n{labels}", describe(temperature)));
    }

    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> texam_fit::Result<()> {
        self.progress.clear();
        let report = &pass.report;
        let written = self.recorder.measured(pass, fit).and_then(|()| {
            let counted = if report.number == 0 { self.counted() } else { String::new() };
            let titles = self.titles();
            let notes = ridge(report) + &self.advice(report, fit);
            self.say(&format!("{counted}{titles}{notes}{}", line(report, pass.timing)))
        });
        written.map_err(texam_fit::Error::external)
    }
}

impl GroupObserver for RunPrinter<'_> {
    fn begins(&self, group: u32, pass: u32) {
        let (group, groups, last) = (group + 1, self.spec.groups, self.recorder.passes().len() - 1);
        self.begin(format!("group {group} of {groups}, pass {pass} of {last}"), pass);
    }

    fn made(&self, runs: &GroupRuns) -> Result<()> {
        self.recorder.group_made(runs)
    }
}

/// The ridge that was chosen, if one was to be, and the losses that chose it.
fn ridge(report: &PassReport) -> String {
    let Some(reason) = report.ridges.reason() else { return String::new() };
    let mut text = format!(
        "ridge    {reason}, by {FOLDS} groups of games of which each is measured by a fit to the others\n"
    );
    text += &format!("{:>13}{:>10}{:>15}{:>9}\n", "ridge", "loss", "above lowest", "s.e.");
    for tried @ RidgeLoss { loss, above, .. } in &report.ridges.tried {
        let (strength, error) = (tried.strength(), error_text(above.error, 6));
        text += &format!("{strength:>13}{loss:>10.6}{:>15.6}{error:>9}\n", above.mean);
    }
    text
}

/// The temperature, and where it is from.
fn describe(temperature: Temperature) -> String {
    let origin = match temperature.origin {
        TemperatureOrigin::Given => "as given",
        TemperatureOrigin::Estimated => "estimated from the values of the start",
        TemperatureOrigin::AtBound => "the bound nearest to the estimate from the values of the start",
        TemperatureOrigin::Undetermined => "the default: the values of the start are all tied",
    };
    format!("temperature {:.4} units, {origin}", temperature.value)
}

/// Titles of the columns of [`line`]: the sets of games, and below them the figures.
fn titles(objective: ObjectiveName) -> &'static str {
    match objective {
        ObjectiveName::Force => {
            "      fitted games       held-out games     change from pass 0\n\
             pass   match  mean rank   match  mean rank    match    s.e.     rank    s.e.  spread    gain   search     fit"
        }
        ObjectiveName::Softmax | ObjectiveName::Pairs => {
            "      fitted games                held-out games              change from pass 0\n\
             pass   match  mean rank     loss   match  mean rank     loss    match    s.e.     rank    s.e.   search     fit"
        }
        ObjectiveName::Logistic => {
            "      fitted games        held-out games      change from pass 0\n\
             pass      loss      s.e.      loss      s.e.       loss      s.e.   search     fit"
        }
    }
}

/// What a pass measured.
fn line(report: &PassReport, timing: Timing) -> String {
    let [fitted, held_out] = [Some(&report.fitted), report.held_out.as_ref()].map(agreement);
    let change = || difference(report.change());
    let figures = match &report.loss {
        Some(loss) if !report.criterion.has_choices() => {
            let [change, error] = loss.judged().1.map_or(["-"; 2].map(String::from), |change| {
                [format!("{:+.6}", change.mean), error_text(change.error, 6)]
            });
            format!("{}  {change:>9}  {error:>8}", losses(loss))
        }
        Some(loss) => {
            let held_out_loss = loss.held_out.map_or("-".to_string(), |loss| format!("{:.5}", loss.mean));
            format!("{fitted}  {:>7.5}  {held_out}  {held_out_loss:>7}  {}", loss.fitted.mean, change())
        }
        None => {
            format!("{fitted}  {held_out}  {}  {:>6.2}  {:>+6.2}", change(), report.spread, report.mean_gain)
        }
    };
    let Timing { search, fit } = timing;
    format!("{:>4}  {figures}  {search:>6.2}s  {fit:>5.2}s\n", report.number)
}

/// Match and mean rank.
fn agreement(agreement: Option<&Agreement>) -> String {
    let figures = agreement.map(|set| [set.match_rate(), set.mean_rank()]);
    let [rate, rank] =
        figures.map_or(["-"; 2].map(String::from), |figures| figures.map(|figure| format!("{figure:.4}")));
    format!("{rate:>6}  {rank:>9}")
}

/// The differences of match and mean rank, each with its standard error.
fn difference(difference: Option<Difference>) -> String {
    let [rate, rate_error, rank, rank_error] = match difference {
        Some(Difference { match_rate, match_error, mean_rank, mean_rank_error }) => [
            format!("{match_rate:+.4}"),
            error_text(match_error, 4),
            format!("{mean_rank:+.4}"),
            error_text(mean_rank_error, 4),
        ],
        None => ["-"; 4].map(String::from),
    };
    format!("{rate:>7}  {rate_error:>6}  {rank:>7}  {rank_error:>6}")
}

fn losses(loss: &LossReport) -> String {
    let fields = |loss: MeanLoss| format!("{:>8.6}  {:>8}", loss.mean, error_text(loss.error, 6));
    let held_out = loss.held_out.map_or(format!("{:>8}  {:>8}", "-", "-"), fields);
    format!("{}  {held_out}", fields(loss.fitted))
}

impl RunPrinter<'_> {
    /// Says how a run has ended, of which an earlier part had made `begun` passes. Complete unless the games
    /// held out speak against its weights.
    pub fn report(&self, passes: &[Pass], stopped: StopReason, begun: usize) -> Result<Outcome> {
        let files = self.recorder.files;
        let is_cancelled = stopped == StopReason::Cancelled;
        let last = passes.len() - 1;
        let name = |path: &Path| path.display().to_string();
        let weights = |pass: usize| name(&self.start.path(files, pass as u32));
        let record = RunRecord::read(files)?;
        let best = record.best();
        let warning = Warning::of(&record.reports).filter(|_| !is_cancelled);
        let outcome = Outcome::complete_if(warning != Some(Warning::Worse));
        if self.is_json {
            let mut document = RunDocument::of(&record);
            let others = [files.data(), files.stat(), files.games()].into_iter().filter(|file| file.exists());
            let others = others.map(|file| name(&file));
            document.files = Some(others.chain((0..passes.len()).map(weights)).collect());
            (document.name, document.stopped) = (Some(&*files.name), Some(stopped));
            for (document, pass) in document.passes.iter_mut().zip(passes) {
                document.timing = Some(pass.timing);
            }
            print_json(&document)?;
            return Ok(outcome);
        }
        let mut text = rule_table(&record) + &errors_table(&record, self.spec.groups);
        text += &loss_change(&record.reports[last]);
        if begun == passes.len() && !is_cancelled {
            text += "nothing to fit: all passes are there; give more --iterations to go on\n";
        }
        let reason = match stopped {
            StopReason::Iterations => "iterations",
            StopReason::Patience => "patience",
            StopReason::Cancelled => "cancelled",
        };
        text += &format!("stopped  {reason}\n");
        for (what, pass) in best.map(|best| ("best", best)).into_iter().chain([("last", last)]) {
            let report = &passes[pass].report;
            let judged_on = if report.held_out.is_some() { "held out" } else { "fitted" };
            let judged_by = match report.criterion {
                Criterion::Rank => format!("mean rank {:.4}", report.judged_by()),
                Criterion::Match => format!("match {:.4}", report.judged_by()),
                Criterion::Loss => format!("loss {:.6}", report.judged_by()),
            };
            text += &format!("{what:<9}pass {pass:<4} {}  {judged_by} {judged_on}\n", weights(pass));
        }
        text += &format!("record   {}\n", name(&files.stat()));
        if is_cancelled {
            text += &format!("go on    texam fit --resume {} --out {}\n", files.name, files.folder.display());
        }
        if let Some(warning) = warning {
            text += &format!("warning  {}\n", warning_text(warning));
        }
        print(&text)?;
        Ok(outcome)
    }
}

/// By how much the mean rank on the games held out lies above the lowest, with the standard error that
/// decides, up to the best pass: the rule is to be applied by hand. Nothing for other rules.
fn rule_table(record: &RunRecord) -> String {
    let RunRecord { reports, .. } = record;
    let Some(best) = record.best() else { return String::new() };
    let lowest = extreme(&reports.iter().collect::<Vec<_>>());
    let errors = &reports[lowest].rank_errors;
    if reports[0].criterion != Criterion::Rank || errors.iter().all(Option::is_none) {
        return String::new();
    }
    let mut text =
        format!("mean rank held out, minus that of pass {lowest}, the lowest\npass     rank    s.e.\n");
    for (report, error) in reports.iter().zip(errors).take(best + 1) {
        let above = report.judged_by() - reports[lowest].judged_by();
        let verdict = if report.number as usize == best { "  within one s.e.: the best" } else { "" };
        let error = error_text(error.unwrap_or(f64::NAN), 4);
        text += &format!("{:>4}  {above:>+7.4}  {error:>6}{verdict}\n", report.number);
    }
    text
}

/// The standard errors of the run in each pass, and how many weights have moved by more than twice theirs;
/// nothing where no groups were left out.
fn errors_table(record: &RunRecord, groups: u32) -> String {
    if !record.has_errors() {
        return String::new();
    }
    let named = |errors: &Figures| {
        [("match", errors.match_rate), ("mean rank", errors.mean_rank), ("loss", errors.loss)]
    };
    let errors: Vec<Figures> = record.reports.iter().filter_map(|report| report.run_errors).collect();
    let is_shown = |column: usize| errors.iter().any(|errors| named(errors)[column].1[0].is_some());
    let shown: Vec<usize> = (0..3).filter(|&column| is_shown(column)).collect();
    let cells = |cell: &dyn Fn(usize, usize) -> String| {
        let of_set = |set: usize| shown.iter().map(move |&column| format!("  {:>9}", cell(column, set)));
        [0, 1].into_iter().flat_map(of_set).collect::<String>()
    };
    let width = 11 * shown.len() - 2;
    let mut text = format!(
        "standard errors of the run, from {groups} groups of games\n      {:<width$}  held-out games\npass{}\n",
        "fitted games",
        cells(&|column, _| named(&Figures::default())[column].0.to_string()),
    );
    for (report, errors) in record.reports.iter().zip(&errors) {
        let figure = |column: usize, set: usize| {
            named(errors)[column].1[set].map_or("-".to_string(), |error| format!("{error:.5}"))
        };
        text += &format!("{:>4}{}\n", report.number, cells(&figure));
    }
    let weights = &record.trends.weights;
    if !weights.is_empty() {
        let (clear, all) = (weights.iter().filter(|trend| trend.is_clear()).count(), weights.len());
        text += &format!("{clear} of {all} weights changed by more than twice their standard error\n");
    }
    text
}

/// The loss of the last pass with its change from the start, and their standard errors; nothing where there
/// is none.
fn loss_change(report: &PassReport) -> String {
    let Some((loss, Some(change))) = report.loss.map(|loss| loss.judged()) else { return String::new() };
    let error = |of: MeanLoss| error_text(of.error, 6);
    let [loss_error, change_error] = [loss, change].map(error);
    let judged_on = if report.held_out.is_some() { "held out" } else { "fitted" };
    let loss = format!("{:.6} +- {loss_error} {judged_on}", loss.mean);
    format!("loss     {loss}, {:+.6} +- {change_error} from pass 0; standard errors by game\n", change.mean)
}

/// A time in words.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
