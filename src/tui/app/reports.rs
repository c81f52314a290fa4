//! Reports of the workers: which part takes which, and what follows.

use super::{
    App, Comparison, Effect, FinishedRun, FitResult, Page, Purpose, Question, Report, fit_job::Outcome,
};
use crate::{
    error::Result,
    game::Collection,
    par::Par,
    run::{self, RunSpec},
};

impl App {
    /// Hands a report to the part that waits for it.
    pub(super) fn report(&mut self, report: Report) -> Vec<Effect> {
        match report {
            Report::Analysed { epoch, index, analysis } => self.browser.insert(epoch, index, analysis),
            Report::Progress(progress) => {
                self.fit_job.iter_mut().for_each(|job| job.set_progress(progress));
            }
            Report::PassMeasured(pass, fit) => {
                if let Some(job) = &mut self.fit_job {
                    job.add_pass(*pass, fit.map(|fit| *fit));
                }
            }
            Report::FitEnded(result) => return self.fit_ended(result),
            Report::Restored(path, result) => return self.restored(path, result),
            Report::Saved(path, result) => return self.saved(path, result),
            Report::FileExists(path) => {
                self.editor.save_failed();
                self.dialog.ask(Question::Overwrite(path));
            }
            Report::Compared(path, result) => self.compared(&path, result),
            Report::FolderListed(listing) => self.dialog.folder_listed(listing),
            Report::GamesRead(spec, result) => return self.games_read(*spec, result),
        }
        Vec::new()
    }

    fn fit_ended(&mut self, result: Result<Box<FitResult>>) -> Vec<Effect> {
        let Some(job) = self.fit_job.take() else { return Vec::new() };
        match job.end(result.map(|result| *result)) {
            Outcome::Finished(run) => {
                let effects = self.take_pass(&run, run.last());
                self.dialog.inform(run.summary());
                self.finished_run = Some(run);
                effects
            }
            Outcome::Unchanged(notice) => {
                self.dialog.show(notice);
                Vec::new()
            }
        }
    }

    /// Takes the weights of a pass.
    fn take_pass(&mut self, run: &FinishedRun, pass: usize) -> Vec<Effect> {
        let kind = if run.has_files() { "the run" } else { "the fit" };
        let description = format!("the weights of pass {pass} of {kind}");
        let weights = &run.passes()[pass].weights;
        let is_different = self.editor.take(weights, description, run.source_of(pass), run.has_files());
        self.weights_replaced(is_different)
    }

    /// Takes the weights of the chosen pass of the last run.
    pub(super) fn take_chosen_pass(&mut self) -> Vec<Effect> {
        if !self.may_change() {
            return Vec::new();
        }
        let Some(run) = self.finished_run.take() else { return Vec::new() };
        let pass = run.chosen();
        let effects = self.take_pass(&run, pass);
        self.finished_run = Some(run);
        self.dialog.inform(format!("weights of pass {pass}; u takes back the change"));
        effects
    }

    fn restored(&mut self, path: String, result: Result<Box<Par>>) -> Vec<Effect> {
        match result {
            Ok(par) => {
                self.finished_run = None;
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
                if self.dialog.quits_after_save() {
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

    fn compared(&mut self, path: &str, result: Result<Box<Comparison>>) {
        match result {
            Ok(mut comparison) => {
                let game = self.browser.library().head(self.browser.game_index());
                comparison.game = format!("game {}: {} - {}", game.number, game.white, game.black);
                self.dialog.clear_notice();
                if let Some(note) = comparison.note.take() {
                    self.dialog.inform(note);
                }
                self.comparison = Some(*comparison);
                self.page = Page::Compare { top: 0 };
            }
            Err(error) => self.prompt_again(Purpose::Compare, path, Some(error.to_string())),
        }
    }

    fn games_read(&mut self, spec: RunSpec, result: Result<Box<Collection>>) -> Vec<Effect> {
        match self.options.finish_reading(spec, result) {
            Ok(collection) => {
                let effects = self.browser.replace_games(collection);
                let library = self.browser.library();
                let positions = run::count(library.collection().positions.len() as u64, "position");
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
