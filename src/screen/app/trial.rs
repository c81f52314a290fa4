//! The question whether the weights on the screen are better than another set: agreement with the winners on
//! all games, and a match between the two.
//!
//! Knows the reports of the worker and what an answer to the prompt means, not how anything is measured.

use std::sync::Arc;

use texam_fit::Agreement;

use super::{App, Effect, Page, Progress, Purpose, Question, answers::file_name};
use crate::{
    error::Result,
    feature::Weights,
    game::Collection,
    matches::score::Tally,
    par,
    sample::{Difference, Sampling},
};

/// Games of the match.
pub const TRIAL_GAMES: usize = 200;

/// Nodes of each move of the match.
pub const TRIAL_NODES: u64 = 1_000;

/// The set that the prompt proposes where the weights come from no run.
const START: &str = "start";

/// The set that the weights on the screen are compared with.
#[derive(Debug)]
pub enum OtherSet {
    File(String),
    /// Those from before a fit that wrote no files.
    Weights(Box<Weights>),
}

/// A trial to be carried out.
#[derive(Debug)]
pub struct TrialRequest {
    pub other: OtherSet,
    /// The weights on the screen.
    pub weights: Weights,
    /// How positions are searched.
    pub sampling: Sampling,
    pub collection: Arc<Collection>,
    /// Number of threads; none for one on each core.
    pub threads: Option<u32>,
}

#[derive(Debug)]
pub enum TrialReport {
    /// More positions were searched, or games played.
    Progress(Progress),
    /// Agreement of the set on the screen and of the other one, and the difference between them.
    Agreement([Agreement; 2], Difference),
    /// The games so far, from the view of the set on the screen.
    Games(Tally),
    /// It has ended; says whether it was carried through.
    Ended(Result<bool>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrialState {
    Running,
    /// It goes on until the worker knows that it is given up.
    BeingGivenUp,
    /// Both parts are done.
    Finished,
    /// The user gave it up.
    GivenUp,
    /// An error ended it.
    Failed(String),
}

/// A trial: what is measured so far.
#[derive(Debug)]
pub struct Trial {
    /// Where the set on the screen and the other one come from.
    pub names: [String; 2],
    pub state: TrialState,
    /// How far the part that runs is.
    pub progress: Option<Progress>,
    /// Agreement of both sets and the difference between them, once it is measured.
    pub agreement: Option<([Agreement; 2], Difference)>,
    /// The games so far, from the view of the set on the screen.
    pub games: Tally,
}

impl Trial {
    /// A trial of these two sets that has begun.
    fn new(names: [String; 2]) -> Trial {
        Trial { names, state: TrialState::Running, progress: None, agreement: None, games: Tally::default() }
    }

    /// Whether the worker is at it.
    pub fn is_running(&self) -> bool {
        matches!(self.state, TrialState::Running | TrialState::BeingGivenUp)
    }
}

impl App {
    /// Opens the page of the trial; asks for the other set where there is no trial, or on the page of one
    /// that has ended.
    pub(super) fn open_trial(&mut self) {
        match &self.trial {
            Some(trial) if trial.is_running() || self.page != Page::Trial => self.page = Page::Trial,
            _ => self.prompt_for(Purpose::Trial),
        }
    }

    /// Whether a trial runs that is not being given up.
    pub(super) fn has_trial_to_give_up(&self) -> bool {
        self.trial.as_ref().is_some_and(|trial| trial.state == TrialState::Running)
    }

    /// Label and text of the prompt: it proposes the weights from before the run that the present ones come
    /// from.
    pub(super) fn trial_prompt(&self) -> (String, String) {
        let positions = 2 * self.browser.games().collection.positions.len();
        let label = format!("is this set better than ({positions} searches, then {TRIAL_GAMES} games)");
        let before = self.run_of_weights().map(|run| run.source_of(0));
        (label, before.unwrap_or_else(|| START.to_string()))
    }

    /// Begins the trial that the answer to the prompt describes.
    pub(super) fn accept_trial(&mut self, text: &str) -> Result<Vec<Effect>> {
        let name = file_name(text, "a .par or a built-in set, such as start")?;
        let run = self.run_of_weights().filter(|run| run.source_of(0) == name);
        let other = match run.and_then(|run| run.start_weights()) {
            Some(weights) => OtherSet::Weights(Box::new(weights.clone())),
            None => OtherSet::File(par::path_of(&name).display().to_string()),
        };
        self.trial = Some(Trial::new([self.editor.source().to_string(), name]));
        self.page = Page::Trial;
        Ok(vec![Effect::BeginTrial(Box::new(TrialRequest {
            other,
            weights: self.editor.weights().clone(),
            sampling: self.options.sampling(),
            collection: Arc::clone(&self.browser.games().collection),
            threads: self.options.setup.place.threads,
        }))])
    }

    /// Gives the trial up; what it has measured stays on its page.
    pub(super) fn give_up_trial(&mut self) -> Vec<Effect> {
        let Some(trial) = self.trial.as_mut().filter(|trial| trial.is_running()) else { return Vec::new() };
        trial.state = TrialState::BeingGivenUp;
        vec![Effect::CancelTrial]
    }

    /// Takes a report of the worker.
    pub(super) fn trial_reported(&mut self, report: TrialReport) {
        let Some(trial) = &mut self.trial else { return };
        match report {
            TrialReport::Progress(progress) => trial.progress = Some(progress),
            TrialReport::Agreement(agreements, difference) => {
                trial.agreement = Some((agreements, difference))
            }
            TrialReport::Games(tally) => trial.games = tally,
            TrialReport::Ended(result) => self.trial_ended(result),
        }
    }

    fn trial_ended(&mut self, result: Result<bool>) {
        let Some(mut trial) = self.trial.take() else { return };
        self.dialog.withdraw(&Question::GiveUpTrial);
        let text = match &result {
            Ok(true) => "both parts of the comparison are done: v shows the result",
            _ => "the comparison is given up: v shows what it has measured",
        };
        trial.state = match result {
            Ok(true) => TrialState::Finished,
            Ok(false) => TrialState::GivenUp,
            Err(error) if trial.progress.is_none() => {
                // Nothing was measured: the answer to the prompt was wrong.
                if self.page == Page::Trial {
                    self.page = Page::Main;
                }
                let [_, name] = trial.names;
                return self.prompt_again(Purpose::Trial, &name, Some(error.to_string()));
            }
            Err(error) => TrialState::Failed(error.to_string()),
        };
        if self.page != Page::Trial {
            self.dialog.inform(text);
        }
        self.trial = Some(trial);
    }
}
