//! The messages of the screen: events and reports that come in, effects and requests that go out.

use std::{path::PathBuf, sync::Arc};

use texam_fit::StopReason;

use super::{Estimates, FolderListing, Place, Progress, RunHistory, RunPass, TrialReport, TrialRequest};
use crate::{
    error::Error,
    feature::Weights,
    game::{Collection, WinnerPosition},
    par::Par,
    run::{RunPlace, RunSpec},
    sample::Sampling,
    screen::{
        analysis::Analysis,
        keys::{KeyEvent, MouseEvent, Target},
        theme::Ground,
    },
};

/// An event of the terminal, the system or a worker.
#[derive(Debug)]
#[cfg_attr(windows, expect(dead_code, reason = "Windows has no such signals"))]
pub enum Event {
    Key(KeyEvent),
    /// A mouse, whose meaning the view tells.
    Mouse(MouseEvent),
    /// Something on the screen was clicked.
    Chosen(Target),
    Paste(String),
    /// The terminal has another size.
    Resize(u16, u16),
    /// The terminal has said what its background is.
    Ground(Ground),
    Report(Report),
    /// A signal asks the program to end.
    End,
    /// A signal asks the program to stop for a while.
    Suspend,
    /// A thread has failed, and the program cannot go on.
    ThreadFailed(String),
}

/// A result of a worker.
#[derive(Debug)]
pub enum Report {
    /// A position was searched.
    Analysed {
        epoch: u64,
        place: Place,
        analysis: Arc<Analysis>,
    },
    /// A fit has searched more positions.
    Progress(Progress),
    /// A pass is measured; with what the fit that led to it says about the weights.
    PassMeasured(Box<RunPass>, Option<Estimates>),
    FitEnded(Result<Box<FitResult>, Error>),
    /// A `.par` was read.
    Restored(String, Result<Box<Par>, Error>),
    /// A run was read from its files.
    RunOpened(String, Result<Box<RunHistory>, Error>),
    /// A `.par` was written.
    Saved(String, Result<(), Error>),
    /// A `.par` was not written, since a file of this name exists.
    FileExists(String),
    /// A trial has made progress, or has ended.
    Trial(TrialReport),
    /// A folder was listed, for a prompt.
    FolderListed(FolderListing),
    /// The games were read again, for these options.
    GamesRead(Box<RunSpec>, Result<Box<Collection>, Error>),
}

#[derive(Debug)]
pub struct FitResult {
    /// Why it ended.
    pub stopped: StopReason,
    /// Folder and name of the files, where some were written.
    pub files: Option<(PathBuf, String)>,
    /// The run as its files tell it, where they tell more than was reported: the errors of the run.
    pub history: Option<RunHistory>,
}

/// Work for the event loop.
#[derive(Debug)]
pub enum Effect {
    /// Search what [`App::search_request`](super::App::search_request) names.
    Search,
    Fit(Box<FitRequest>),
    /// Cancel the fit that runs.
    Cancel,
    /// Write weights to a `.par`.
    Save {
        path: String,
        weights: Box<Weights>,
        /// Whether an existing file may be replaced.
        replace: bool,
    },
    /// Read a `.par`.
    Restore(String),
    /// List a folder: empty for the present one.
    ListFolder(String),
    /// Read a run from its `.stat` and the files beside it.
    OpenRun(String),
    /// Give a text to the clipboard of the terminal.
    Copy(String),
    BeginTrial(Box<TrialRequest>),
    /// Give up the trial that runs.
    CancelTrial,
    /// Read the games again for these options.
    Read(Box<RunSpec>),
    /// Stop until the shell continues the program.
    Suspend,
    /// Draw the whole screen again.
    Redraw,
    /// End the program.
    Quit,
}

#[derive(Debug)]
pub struct FitRequest {
    pub spec: RunSpec,
    pub place: RunPlace,
    pub collection: Arc<Collection>,
    pub weights: Weights,
    /// Whether to write a `.par` for each pass and a `.stat`.
    pub writes_files: bool,
}

impl FitRequest {
    /// Its passes, and the positions of each.
    pub(super) fn cost(&self) -> (u64, usize) {
        let RunSpec { iterations, groups, every, .. } = self.spec;
        let positions = self.collection.positions.len().div_ceil(every as usize);
        (u64::from(iterations + 1) * u64::from(groups + 1), positions)
    }
}

/// Positions to be searched, and under which weights.
#[derive(Debug)]
pub struct SearchRequest {
    /// Changes with weights and sampling.
    pub epoch: u64,
    pub weights: Weights,
    /// How positions are searched.
    pub sampling: Sampling,
    /// Positions with their places, the most urgent first.
    pub positions: Vec<(Place, WinnerPosition)>,
    /// Whether the screen waits for the first of them.
    pub is_urgent: bool,
}
