//! Jobs of the screen and their replies, as bytes between two instances of the program.
//!
//! A job is made of texts that exist otherwise: the options of a run, and weights as a `.par`. A pass comes
//! back as the data of the run and its `.par`.

use std::sync::Arc;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use texam_fit::{
    Agreement, StopReason, Team,
    blocks::{BlockReader, BlockWriter, Format},
};

use crate::{
    error::{Error, Result},
    feature::Weights,
    file,
    game::Collection,
    matches::score::Tally,
    par,
    run::{self, Files, RunPlace, RunSpec, path_from_text},
    sample::Difference,
    screen::{
        app::{Event, FitRequest, OtherSet, Progress, Report, TrialReport, TrialRequest},
        worker::{self, CancelFlag, FitHandle, Gate, Outbox},
    },
};

const FORMAT: Format = Format { letters: *b"JB", version: 1, name: "a job", longest: u32::MAX };

/// The kinds of jobs. One of each may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobKind {
    Fit,
    Trial,
}

/// What a job is made of.
#[derive(Serialize, Deserialize)]
pub(super) struct JobText {
    /// The paths of the games.
    pub games: Vec<String>,
    /// The options of the run, as in its data.
    pub options: Vec<(String, String)>,
    /// The weights on the screen, as a `.par`.
    pub weights: String,
    pub job: Job,
}

#[derive(Serialize, Deserialize)]
pub(super) enum Job {
    /// A fit whose files have this folder and name.
    Fit { folder: String, name: String },
    /// A trial against another set, as a `.par`.
    Trial(String),
}

/// What a job has to tell.
#[derive(Serialize, Deserialize)]
pub(super) enum Reply {
    Progress(JobKind, Progress),
    /// A member of a team has searched so many more positions of a fit.
    Searched(usize),
    /// The data of the run after a pass, and the weights of the pass.
    Pass {
        pass: u32,
        data: String,
        par: String,
    },
    /// Why a fit ended, and the data of the run as they are then; or the error.
    FitEnded(Result<(StopReason, Option<String>), String>),
    Agreement([Agreement; 2], Difference),
    Games(Tally),
    TrialEnded(Result<bool, String>),
}

pub(super) fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    let written = BlockWriter::new(Vec::new(), &FORMAT)
        .and_then(|mut blocks| blocks.write_value(value).map(|()| blocks.into_inner()));
    written.expect("memory can be written to")
}

pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    Ok(BlockReader::new(bytes, &FORMAT)?.read_value(FORMAT.name)?)
}

/// Takes replies.
pub(super) type Mailbox = Arc<dyn Fn(Reply) + Send + Sync>;

/// Does a job, and hands its replies to `send`. The games are read as the job names them.
pub fn run_job(job: &[u8], send: impl Fn(&[u8]) + Send + Sync + 'static) {
    let send: Mailbox = Arc::new(move |reply| send(&to_bytes(&reply)));
    match Work::read(job) {
        Ok(work) => work.run(&send, None),
        Err(reply) => send(*reply),
    }
}

impl Job {
    /// The reply where it cannot be done.
    fn failed(&self, error: impl ToString) -> Reply {
        let error = error.to_string();
        match self {
            Job::Fit { .. } => Reply::FitEnded(Err(error)),
            Job::Trial(_) => Reply::TrialEnded(Err(error)),
        }
    }
}

impl JobText {
    /// The run, and the weights that it begins with.
    pub fn settings(&self) -> Result<(RunSpec, Weights)> {
        Ok((RunSpec::from_options(&self.games, &self.options)?, par::parse(&self.weights)?.weights))
    }
}

/// A job with all that it names.
pub(super) struct Work {
    spec: RunSpec,
    weights: Weights,
    collection: Arc<Collection>,
    job: Job,
}

impl Work {
    /// Reads what a job names. The error is the reply that says so.
    pub fn read(job: &[u8]) -> Result<Work, Box<Reply>> {
        let text: JobText =
            from_bytes(job).map_err(|error| Box::new(Reply::FitEnded(Err(error.to_string()))))?;
        let read = || {
            let (spec, weights) = text.settings()?;
            let collection = Arc::new(run::all_positions(&spec, &mut |_| {})?.0);
            Ok((spec, weights, collection))
        };
        let (spec, weights, collection) = read().map_err(|error: Error| Box::new(text.job.failed(error)))?;
        Ok(Work { spec, weights, collection, job: text.job })
    }

    /// Does it to its end. A team that a fit leads makes its searches.
    pub fn run(&self, send: &Mailbox, team: Option<&Team>) {
        self.begin(send, team).unwrap_or_else(|error| send(self.job.failed(error)));
    }

    fn begin(&self, send: &Mailbox, team: Option<&Team>) -> Result<()> {
        let Work { spec, weights, collection, job } = self;
        let (weights, collection) = (weights.clone(), Arc::clone(collection));
        let gate = Arc::new(Gate::default());
        let outbox = |files: Option<Files>| -> Outbox {
            let send = Arc::clone(send);
            Arc::new(move |event| {
                let Event::Report(report) = event else { return };
                reply_of(report, files.as_ref()).into_iter().for_each(|reply| send(reply));
            })
        };
        match job {
            Job::Fit { folder, name } => {
                let out = path_from_text(folder);
                let outbox = outbox(Some(Files::new(&out, name)?));
                let place = RunPlace { out, name: Some(name.clone()), overwrite: true, threads: None };
                let spec = spec.clone();
                let request = FitRequest { spec, place, collection, weights, writes_files: true };
                worker::run_fit(&outbox, gate, &FitHandle::default(), &request, team);
            }
            Job::Trial(other) => {
                let other = OtherSet::Weights(Box::new(par::parse(other)?.weights));
                let sampling = spec.sampling();
                let request = TrialRequest { other, weights, sampling, collection, threads: None };
                worker::run_trial(&outbox(None), gate, CancelFlag::default(), &request);
            }
        }
        Ok(())
    }
}

/// The reply for a report; of a fit the files as they are now.
fn reply_of(report: Report, files: Option<&Files>) -> Option<Reply> {
    let text = |path| file::read_text(path).map_err(|error| error.to_string());
    Some(match report {
        Report::Progress(progress) => Reply::Progress(JobKind::Fit, progress),
        Report::PassMeasured(pass, _) => {
            let (files, pass) = (files?, pass.report.number);
            match text(files.data()).and_then(|data| Ok((data, text(files.par(pass))?))) {
                Ok((data, par)) => Reply::Pass { pass, data, par },
                Err(error) => Reply::FitEnded(Err(error)),
            }
        }
        Report::FitEnded(Ok(result)) => Reply::FitEnded(Ok((result.stopped, text(files?.data()).ok()))),
        Report::FitEnded(Err(error)) => Reply::FitEnded(Err(error.to_string())),
        Report::Trial(TrialReport::Progress(progress)) => Reply::Progress(JobKind::Trial, progress),
        Report::Trial(TrialReport::Agreement(agreements, difference)) => {
            Reply::Agreement(agreements, difference)
        }
        Report::Trial(TrialReport::Games(tally)) => Reply::Games(tally),
        Report::Trial(TrialReport::Ended(ended)) => {
            Reply::TrialEnded(ended.map_err(|error| error.to_string()))
        }
        _ => return None,
    })
}
