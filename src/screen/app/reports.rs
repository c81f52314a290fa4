//! Reports of the workers: which part takes which, and what follows.

use super::{
    App, Effect, Estimates, Finder, FitResult, Page, Purpose, Question, Report, RunHistory, RunPass, Tour,
    editor::Origin, fit_job::FitOutcome,
};
use crate::{
    error::Result,
    game::Collection,
    par::Par,
    run::{self, RunSpec},
};

/// The notice where a key needs a run.
pub(super) const NO_RUN: &str = "no run yet: f makes one fit, F many, H opens the run of a .stat";

impl App {
    /// Hands a report to the part that waits for it.
    pub(super) fn report(&mut self, report: Report) -> Vec<Effect> {
        match report {
            Report::Analysed { epoch, place, analysis } => self.browser.insert(epoch, place, analysis),
            Report::Progress(progress) => {
                self.fit_job.iter_mut().for_each(|job| job.progress = Some(progress));
            }
            Report::PassMeasured(pass, estimates) => return self.pass_measured(*pass, estimates),
            Report::FitEnded(result) => return self.fit_ended(result),
            Report::Restored(path, result) => return self.restored(path, result),
            Report::RunOpened(path, result) => self.run_opened(&path, result),
            Report::Saved(path, result) => return self.saved(path, result),
            Report::FileExists(path) => {
                self.editor.save_failed();
                self.dialog.question = Some(Question::Overwrite(path));
            }
            Report::Trial(report) => self.trial_reported(report),
            Report::FolderListed(listing) => self.dialog.folder_listed(listing),
            Report::GamesRead(spec, result) => return self.games_read(*spec, result),
        }
        Vec::new()
    }

    /// Adds a pass to the current run, and shows its weights.
    fn pass_measured(&mut self, pass: RunPass, estimates: Option<Estimates>) -> Vec<Effect> {
        let Some(job) = &mut self.fit_job else { return Vec::new() };
        let number = pass.report.number;
        let weights = pass.weights.clone();
        job.history.add(pass, estimates);
        if number == 0 || job.is_cancelled {
            return Vec::new();
        }
        let Some(weights) = weights else { return Vec::new() };
        self.editor.preview(weights, format!("pass {number} of the running fit"));
        self.weights_replaced(true)
    }

    fn fit_ended(&mut self, result: Result<Box<FitResult>>) -> Vec<Effect> {
        let Some(job) = self.fit_job.take() else { return Vec::new() };
        self.dialog.withdraw(&Question::CancelFit);
        let mut effects = self.end_preview();
        let measured = job.progress.filter(|progress| progress.searched > 0);
        self.runs.pace = measured.map(|it| it.seconds / it.searched as f64).or(self.runs.pace);
        match job.end(result.map(|result| *result)) {
            FitOutcome::Finished(run) => {
                self.dialog.inform(run.summary());
                let pass = run.last();
                if let Some(index) = self.runs.end(Some(*run)) {
                    effects.extend(self.take_pass(index, pass));
                }
                effects.extend(self.follow_tour(None));
            }
            FitOutcome::Unchanged(notice, run) => {
                self.dialog.show(notice);
                if self.tour.asks_for(None) {
                    self.tour = Tour::default();
                }
                self.runs.end(run.map(|run| *run));
                if self.runs.all.is_empty() && matches!(self.page, Page::Run { .. }) {
                    self.page = Page::Main;
                }
            }
        }
        effects
    }

    /// Takes the weights of a pass, where they are known.
    fn take_pass(&mut self, index: usize, pass: usize) -> Vec<Effect> {
        let run = &self.runs.all[index];
        let Some(weights) = &run.passes()[pass].weights else { return Vec::new() };
        let kind = if run.has_files() { "the run" } else { "the fit" };
        let description = format!("the weights of pass {pass} of {kind}");
        let origin = Origin { source: run.source_of(pass), run: Some(index), is_saved: run.has_files() };
        let is_different = self.editor.take(weights, description, origin);
        self.weights_replaced(is_different)
    }

    /// Takes the weights of the best pass of the run on its page, or else of the last one.
    pub(super) fn take_best_pass(&mut self) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        if !matches!(self.page, Page::Run { .. }) {
            self.runs.show_last(false);
        }
        if let Some(run) = self.runs.shown_run_mut() {
            let Some(best) = run.best() else {
                self.dialog
                    .inform("without games held out no pass is the best; h shows them, enter takes one");
                return Vec::new();
            };
            run.choose(best);
        }
        self.take_chosen_pass()
    }

    /// Takes the weights of the chosen pass of the run shown.
    pub(super) fn take_chosen_pass(&mut self) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let Some(run) = self.runs.shown_run() else {
            self.dialog.inform(NO_RUN);
            return Vec::new();
        };
        let pass = run.chosen();
        match run.passes()[pass].weights {
            Some(_) => self.dialog.inform(format!("weights of pass {pass}; u takes back the change")),
            None => {
                let par = run.source_of(pass);
                self.dialog
                    .show_error(format!("{par}: this file cannot be read, so pass {pass} has no weights"));
            }
        }
        self.take_pass(self.runs.shown, pass)
    }

    fn run_opened(&mut self, path: &str, result: Result<Box<RunHistory>>) {
        match result {
            Ok(run) => {
                match &run.left_out {
                    Some(why) => self.dialog.show_error(format!("the run is shown {why}")),
                    None => self.dialog.notice = None,
                }
                self.runs.show(*run);
                self.page = Page::RUN;
            }
            Err(error) => self.prompt_again(Purpose::OpenRun, path, Some(error.to_string())),
        }
    }

    fn restored(&mut self, path: String, result: Result<Box<Par>>) -> Vec<Effect> {
        match result {
            Ok(par) => {
                self.tour = Tour::default();
                let edit = self.editor.restore(path, &par);
                self.finish_edit(edit)
            }
            Err(error) => {
                let error = format!("{error}; nothing was changed");
                self.prompt_again(Purpose::Restore, &path, Some(error));
                Vec::new()
            }
        }
    }

    fn saved(&mut self, path: String, result: Result<()>) -> Vec<Effect> {
        match result {
            Ok(()) => {
                self.dialog.inform(format!("saved to {path}"));
                self.editor.save_succeeded(path);
                if self.dialog.quits_after_save {
                    return vec![Effect::Quit];
                }
            }
            Err(error) => {
                self.editor.save_failed();
                self.prompt_again(Purpose::Save, &path, Some(error.to_string()));
            }
        }
        Vec::new()
    }

    fn games_read(&mut self, spec: RunSpec, result: Result<Box<Collection>>) -> Vec<Effect> {
        match self.options.finish_reading(spec, result) {
            Ok(collection) => {
                self.tour = Tour::default();
                let effects = self.browser.replace_games(collection);
                self.finder.iter_mut().for_each(Finder::reset);
                let library = &self.browser.library;
                let positions = run::count(library.collection.positions.len() as u64, "position");
                self.dialog.inform(format!("{positions} of {} games", library.games()));
                effects
            }
            Err(error) => {
                self.dialog.show_error(format!("{error}; the options stay as they were"));
                Vec::new()
            }
        }
    }
}
