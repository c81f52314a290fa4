//! Resuming an interrupted run: its options come from its `.stat`, its weights from its `.par` files.

use texam_fit::{PassReport, Timing};

use super::read_par;
use crate::{
    cli::FitArgs,
    error::{Error, Result},
    feature::Weights,
    par,
    run::{self, Files, NONE, RunSpec, START_OPTIONS},
    stat::{Header, RunRecord},
    tuner::Pass,
};

/// The finished part of a run that is resumed.
pub(super) struct ResumedRun {
    pub passes: Vec<Pass>,
    header: Header,
}

/// Options that may be changed when a run is resumed.
const FREE: [&str; 2] = ["iterations", "patience"];

/// Reads a run: its passes, and its options with the changes in `args`.
pub(super) fn prepare(args: &FitArgs, name: &str) -> Result<(RunSpec, ResumedRun)> {
    let files = Files::new(&args.run.place.out, name)?;
    let path = files.stat();
    let record = run::read_record(&path)?;
    if record.is_on_rows() {
        return Err(needs_one_process().in_file(path));
    }
    let RunRecord { header, reports, .. } = record;
    if reports.is_empty() {
        return Err(Error::expected("passes of a run", "none; begin a new run").in_file(path));
    }
    let own = RunSpec::from_options(&header.games, &header.options).map_err(|error| {
        Error::new(format!("{error}; this version of texam cannot resume the run: begin a new one"))
            .in_file(&path)
    })?;
    let spec = with_given_anew(args, own, reports.len() as u32 - 1)?;
    let mut passes = Vec::new();
    for report in reports {
        passes.push(pass_of_run(&files, report, passes.first())?);
    }
    let finished = ResumedRun { passes, header };
    if par::digest(finished.start()?) != finished.header.start {
        let found = "other weights: put back the file of the run, or begin a new one";
        return Err(Error::expected("the start weights of the run", found).in_file(files.par(0)));
    }
    Ok((spec, finished))
}

/// Several processes were started for a run on rows of another program.
pub(super) fn needs_one_process() -> Error {
    Error::new("a run with --choices or --choices-from needs one process: start texam without mpirun or srun")
}

/// A pass of a run that began with `first`, with the weights in its file.
pub(super) fn pass_of_run(files: &Files, report: PassReport, first: Option<&Pass>) -> Result<Pass> {
    let path = files.par(report.number);
    let weights = read_par(&path)?;
    first.map_or(Ok(()), |first| first.weights.check_modes(&weights)).map_err(|error| error.in_file(path))?;
    Ok(Pass { report, weights, timing: Timing::default() })
}

impl ResumedRun {
    /// The start weights of the run.
    pub fn start(&self) -> Result<&Weights> {
        let first = self.passes.first();
        first
            .map(|pass| &pass.weights)
            .ok_or_else(|| Error::expected("a pass to go on from", "none; begin a new run"))
    }

    /// The path of the games when the run began; the file may have been moved since.
    pub fn games(&self) -> &str {
        &self.header.games
    }

    /// Checks that the games are those of the run.
    pub fn same_games(&self, now: &Header) -> Result<()> {
        if self.header.digest == now.digest && self.header.positions == now.positions {
            return Ok(());
        }
        Err(Error::expected(
            format!("the games the run was begun with (SHA-256 {})", self.header.digest),
            format!("others (SHA-256 {}); put them back, or begin a new run", now.digest),
        ))
    }
}

/// The options of a run with the changes in `args`. The run has made `made` fits.
pub(super) fn with_given_anew(args: &FitArgs, own: RunSpec, made: u32) -> Result<RunSpec> {
    let is_given = |name: &str| args.given.iter().any(|given| given == name);
    if let Some(name) = START_OPTIONS.into_iter().find(|name| is_given(name)) {
        let found = format!("--{name}; begin a new run to change weights");
        return Err(Error::expected("no weights with --resume: the run has its own", found));
    }
    let asked = args.spec();
    let is_bound = |name: &str| is_given(name) && !FREE.contains(&name);
    for ((name, kept), (_, asked)) in own.entries().into_iter().zip(asked.entries()) {
        if is_bound(&name) && kept != asked {
            let [kept, asked] = [kept, asked].map(|text| text.unwrap_or_else(|| NONE.to_string()));
            let found = format!(
                "--{name} {asked}; only --iterations, --patience, --threads and --json may be given anew"
            );
            return Err(Error::expected(format!("--{name} {kept} as in the run to resume"), found));
        }
    }
    if is_given("iterations") && asked.iterations < made {
        let expected = format!("--iterations of at least {made}, which the run has made");
        return Err(Error::expected(expected, asked.iterations));
    }
    Ok(RunSpec {
        games: if is_given("games") { asked.games } else { own.games },
        iterations: if is_given("iterations") { asked.iterations } else { own.iterations },
        patience: asked.patience.or(own.patience),
        ..own
    })
}
