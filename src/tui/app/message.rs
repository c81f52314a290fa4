//! What the state is told, and what it asks for. Nothing here does anything.

use std::{path::PathBuf, sync::Arc};

use crossterm::event::KeyEvent;
use texam_fit::Fit;

use super::{Comparison, Progress};
use crate::{
    error::Error,
    feature::Weights,
    game::{Collection, WinnerPosition},
    par::Par,
    run::{RunPlace, RunSpec},
    sample::Sampling,
    tui::found::Found,
    tuner::{Pass, Run},
};

/// What comes in.
#[derive(Debug)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has another size.
    Resize(u16, u16),
    /// A worker has something to tell.
    Report(Report),
    /// The program is to end: a signal said so.
    End,
    /// The program was asked to stop for a while.
    Suspend,
    /// It goes on after that.
    Continue,
    /// A thread has failed beyond repair.
    Broken(String),
}

/// What workers tell.
#[derive(Debug)]
pub enum Report {
    /// A position was searched.
    Found { epoch: u64, index: usize, found: Arc<Found> },
    /// How far a fit is.
    Progress(Progress),
    /// A pass of a fit is measured.
    Measured(Box<Pass>, Option<Box<Fit>>),
    /// A fit has ended.
    Ended(Result<Box<Ended>, Error>),
    /// A `.par` was read.
    Restored(String, Result<Box<Par>, Error>),
    /// A `.par` was written.
    Saved(String, Result<(), Error>),
    /// There is a file of this name already.
    Taken(String),
    /// The weights were compared with those of a `.par`.
    Compared(String, Result<Box<Comparison>, Error>),
    /// Games were read again, under other options.
    Read(Box<RunSpec>, Result<Box<Collection>, Error>),
}

/// How a fit ended.
#[derive(Debug)]
pub struct Ended {
    /// Its passes.
    pub run: Run,
    /// Folder and name of its files, where it wrote some.
    pub files: Option<(PathBuf, String)>,
}

/// What the event loop is to do.
#[derive(Debug)]
pub enum Effect {
    /// Search what [`App::wanted`](super::App::wanted) names.
    Search,
    /// Begin a fit.
    Fit(Box<Job>),
    /// Cancel it.
    Cancel,
    /// Write weights to a `.par`.
    Save { path: String, weights: Box<Weights>, replace: bool },
    /// Read a `.par`.
    Restore(String),
    /// Compare the weights with those of a `.par` on some positions.
    Compare { path: String, weights: Box<Weights>, sampling: Sampling, positions: Vec<WinnerPosition> },
    /// Read the games again under these options.
    Read(Box<RunSpec>),
    /// Stop until the shell says `fg`.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Leave.
    Quit,
}

/// A fit to be made.
#[derive(Debug)]
pub struct Job {
    pub spec: RunSpec,
    pub place: RunPlace,
    pub collection: Arc<Collection>,
    pub weights: Weights,
    /// Whether it writes a `.par` for each pass and a `.stat`; else it is a single fit.
    pub files: bool,
}
