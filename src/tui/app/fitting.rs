//! A fit that runs beside the screen: its beginning, its news and its end.
//!
//! Knows what the worker tells of it, not how it is run.

use texam_fit::{Fit, ParameterReport, StopReason};

use super::{App, Effect, Ended, Job};
use crate::{
    error::Result,
    feature::Weights,
    parameters::Parameter,
    run::{self, Files},
    tuner::Pass,
};

/// How far the running pass is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Number of the pass; 0 measures the start.
    pub pass: u32,
    /// Fits to be made.
    pub fits: u32,
    /// Positions searched in it, and all that there are.
    pub searched: usize,
    pub positions: usize,
    /// Positions counted so far, and those matched.
    pub counted: usize,
    pub matched: usize,
    /// Seconds since the pass began.
    pub seconds: f64,
}

impl Progress {
    /// Seconds that are left if all goes on at this pace; none at the beginning.
    pub fn seconds_left(&self) -> Option<f64> {
        let passes = f64::from(self.fits.saturating_sub(self.pass));
        let left =
            (self.positions - self.searched.min(self.positions)) as f64 + passes * self.positions as f64;
        (self.searched > 0 && self.seconds > 0.5).then(|| left * self.seconds / self.searched as f64)
    }

    /// Share of positions matched so far.
    pub fn match_so_far(&self) -> f64 {
        if self.counted == 0 { 0.0 } else { self.matched as f64 / self.counted as f64 }
    }
}

/// A fit that runs.
#[derive(Debug, Default)]
pub struct Fitting {
    pub files: bool,
    pub progress: Option<Progress>,
    /// Passes measured so far.
    pub passes: Vec<Pass>,
    /// Of the last of them.
    pub fit: Option<Fit>,
    pub cancelled: bool,
}

/// A fit that has ended.
#[derive(Debug)]
pub struct Story {
    /// The `.stat`, where there is one.
    pub stat: Option<String>,
    pub passes: Vec<Pass>,
    /// What the fit that led to the last pass did to the tuned parameters.
    pub reports: Vec<(Parameter, ParameterReport)>,
    /// Index of the best pass.
    pub best: usize,
    files: Option<Files>,
}

impl Story {
    /// The weights before the fit.
    pub fn before(&self) -> Option<&Weights> {
        self.passes.first().map(|pass| &pass.weights)
    }
}

impl App {
    pub(super) fn begin_fit(&mut self, files: bool) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let checked = self.spec.validate().and_then(|()| run::some_tuned(&self.weights));
        let checked = checked.and_then(|()| if files { Files::check(&self.place) } else { Ok(()) });
        if let Err(error) = checked {
            self.complain(error);
            return Vec::new();
        }
        let spec = self.spec.clone();
        let is_start = self.weights == self.start;
        self.fitting = Some(Fitting { files, ..Fitting::default() });
        vec![Effect::Fit(Box::new(Job {
            spec: if is_start { spec } else { spec.from_other_weights() },
            place: self.place.clone(),
            collection: self.library.collection.clone(),
            weights: self.weights.clone(),
            files,
        }))]
    }

    pub(super) fn measured(&mut self, pass: Pass, fit: Option<Box<Fit>>) -> Vec<Effect> {
        if let Some(fitting) = &mut self.fitting {
            fitting.passes.push(pass);
            fitting.fit = fit.map(|fit| *fit);
        }
        Vec::new()
    }

    pub(super) fn ended(&mut self, ended: Result<Box<Ended>>) -> Vec<Effect> {
        let Some(fitting) = self.fitting.take() else { return Vec::new() };
        let ended = match ended {
            Ok(ended) => *ended,
            Err(error) => {
                self.complain(format!("the fit failed, and the weights stay as they are: {error}"));
                return Vec::new();
            }
        };
        let Ended { run, files } = ended;
        let files = files.and_then(|(folder, name)| Files::new(&folder, &name).ok());
        let stat = files.as_ref().map(|files| files.stat().display().to_string());
        let kept = stat.as_ref().map_or(String::new(), |stat| format!("; finished passes are in {stat}"));
        // It may have ended before it was told to.
        if fitting.cancelled || run.stopped == StopReason::Cancelled {
            self.say(format!("the fit is cancelled, and the weights stay as they are{kept}"));
            return Vec::new();
        }
        if run.passes.len() < 2 {
            self.say(format!("--iterations 0 makes no fit, and the weights stay as they are{kept}"));
            return Vec::new();
        }
        let best = run.best();
        let last = run.passes.len() - 1;
        let reports = fitting.fit.into_iter().flat_map(|fit| fit.parameters);
        let reports = reports.map(|report| (Parameter::of(&report), report)).collect();
        let story = Story { stat, passes: run.passes, reports, best, files };
        let effects = self.take_pass(&story, last);
        self.say(summary(&story));
        self.story = Some(story);
        effects
    }

    /// Takes the weights of a pass.
    pub(super) fn take_pass(&mut self, story: &Story, pass: usize) -> Vec<Effect> {
        let weights = &story.passes[pass].weights;
        let what = if story.files.is_some() { "the run" } else { "the fit" };
        let effects = self.change(weights.clone(), format!("the weights of pass {pass} of {what}"));
        match &story.files {
            Some(files) => {
                self.source = files.par(pass as u32).display().to_string();
                self.saved.clone_from(weights);
            }
            None => self.source = format!("a fit, pass {pass}"),
        }
        effects
    }

    /// Takes the weights of a pass of the last run.
    pub(super) fn take_from_story(&mut self, pass: usize) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let Some(story) = self.story.take() else { return Vec::new() };
        let pass = pass.min(story.passes.len() - 1);
        let effects = self.take_pass(&story, pass);
        self.story = Some(story);
        self.say(format!("weights of pass {pass}; u takes back the change"));
        effects
    }
}

/// What came of a fit, in a line.
fn summary(story: &Story) -> String {
    let rate = |pass: usize| 100.0 * story.passes[pass].report.judged_by();
    let last = story.passes.len() - 1;
    let on = if story.passes[0].report.held_out.is_some() { "held out" } else { "fitted" };
    let best = if story.best == last { String::new() } else { format!(", best pass {}", story.best) };
    let files = story.stat.as_ref().map_or(String::new(), |stat| format!("; {stat}"));
    format!(
        "pass {last}: match {:.1} % {on}, {:.1} % before{best}{files}; h tells more, u takes it back",
        rate(last),
        rate(0)
    )
}
