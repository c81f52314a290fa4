//! Going on with an interrupted run: its options from its `.stat`, its weights from its `.par` files.

use texam_fit::Timing;

use super::read_par;
use crate::{
    cli::FitArgs,
    error::{Error, Result},
    feature::Weights,
    file, par,
    run::{Files, begun_with, options},
    stat::{self, Header, Story},
    tuner::Pass,
};

/// The part of a run that is finished.
pub(super) struct Finished {
    pub name: String,
    pub passes: Vec<Pass>,
    header: Header,
}

/// Options that a run is not bound to.
const FREE: [&str; 2] = ["iterations", "patience"];

/// Reads a run back: the arguments it was begun with, save those that `args` may change, and its passes.
pub(super) fn prepare(args: &FitArgs, name: &str) -> Result<(FitArgs, Finished)> {
    let files = Files::new(&args.run.out, name)?;
    let path = files.stat();
    let story = file::read_text(&path)?;
    if story.is_empty() {
        let found = "one stopped in its first: begin it anew with --name and --overwrite";
        return Err(Error::expected("a run with a pass to go on from", found).in_file(path));
    }
    let Story { header, reports, .. } = stat::parse(&story).map_err(|error| error.in_file(&path))?;
    if reports.is_empty() {
        return Err(Error::expected("passes of a run", "none; begin a new run").in_file(path));
    }
    let mut resumed = begun_with(&header.games, &header.options).map_err(|error| error.in_file(&path))?;
    no_contradiction(args, &resumed)?;
    resumed.run.iterations = enough_iterations(args, &resumed, reports.len() as u32 - 1)?;
    resumed.run.patience = args.run.patience.or(resumed.run.patience);
    resumed.run.threads = args.run.threads;
    resumed.run.json = args.run.json;
    resumed.run.out = args.run.out.clone();
    if is_given(args, "games") {
        resumed.games.games = args.games.games.clone();
    }
    let mut passes = Vec::new();
    for report in reports {
        let weights = read_par(&files.par(report.number))?;
        passes.push(Pass { report, weights, timing: Timing::default() });
    }
    let finished = Finished { name: name.to_string(), passes, header };
    if par::digest(finished.start()?) != finished.header.start {
        let found = "other weights: put back the file of the run, or begin a new one";
        return Err(Error::expected("the start weights of the run", found).in_file(files.par(0)));
    }
    Ok((resumed, finished))
}

impl Finished {
    /// The weights the run began with.
    pub fn start(&self) -> Result<&Weights> {
        let first = self.passes.first();
        first
            .map(|pass| &pass.weights)
            .ok_or_else(|| Error::expected("a pass to go on from", "none; begin a new run"))
    }

    /// The name by which the run knows its games; they may stand elsewhere by now.
    pub fn games(&self) -> &str {
        &self.header.games
    }

    /// Insists on the games that the run was begun with.
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

/// Whether an argument stands on the command line.
fn is_given(args: &FitArgs, name: &str) -> bool {
    args.given.iter().any(|given| given == name)
}

/// Refuses options that would change the run.
fn no_contradiction(args: &FitArgs, resumed: &FitArgs) -> Result<()> {
    if let Some(name) = ["par", "tune", "freeze"].into_iter().find(|name| is_given(args, name)) {
        let found = format!("--{name}; begin a new run to change weights");
        return Err(Error::expected("no weights with --resume: the run has its own", found));
    }
    let own = options(resumed);
    let bound =
        options(args).into_iter().filter(|(name, _)| is_given(args, name) && !FREE.contains(&&**name));
    for (name, value) in bound {
        let kept = own.iter().find(|(other, _)| *other == name).map_or("", |(_, value)| value);
        if kept != value {
            let found = format!(
                "--{name} {value}; only --iterations, --patience, --threads and --json may be given anew"
            );
            return Err(Error::expected(format!("--{name} {kept} as in the run to go on with"), found));
        }
    }
    Ok(())
}

/// The fits to make, no fewer than those that were made.
fn enough_iterations(args: &FitArgs, resumed: &FitArgs, made: u32) -> Result<Option<u32>> {
    match args.run.iterations {
        None => Ok(resumed.run.iterations),
        Some(wanted) if wanted >= made => Ok(Some(wanted)),
        Some(wanted) => {
            Err(Error::expected(format!("--iterations of at least {made}, which the run has made"), wanted))
        }
    }
}
