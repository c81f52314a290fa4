//! Resuming an interrupted run: its options come from its data, its weights from the files beside it.

use std::path::{Path, PathBuf};

use texam_fit::Pass;

use super::note;
use crate::{
    commands::cli::FitArgs,
    error::{Error, Result},
    run::{Files, Group, NONE, OPTIONS, RunOption, RunSpec, RunWeights, StoredRun, stat::Header},
};

/// The finished part of a run that is resumed.
pub(super) struct ResumedRun {
    pub files: Files,
    /// Its games are named as when the run began; the file may have been moved since.
    pub header: Header,
    pub passes: Vec<Pass>,
}

/// Options that may be changed when a run is resumed.
const FREE: [&str; 3] = ["iterations", "patience", "groups"];

/// Reads a run: its options with the changes in `args`, its start weights and its passes.
pub(super) fn prepare(args: &FitArgs, name: &str) -> Result<(RunSpec, RunWeights, ResumedRun)> {
    let path = Files::new(&args.options.setup.place.out, name)?.data();
    let run = StoredRun::open(&path)?;
    let header = &run.record.header;
    let own = RunSpec::from_options(&header.games, &header.options).map_err(|error| {
        Error::new(format!("{error}; this version of texam cannot resume the run: begin a new one"))
            .in_file(&path)
    })?;
    let made = run.record.reports.len();
    let spec = with_given_anew(args, own, made as u32 - 1)?;
    check_recorded(args, &spec)?;
    let start = run.start()?;
    let passes = run.passes(&start, &mut note)?;
    let StoredRun { files, record } = run;
    Ok((spec, start, ResumedRun { files, header: record.header, passes }))
}

/// Refuses games that the data of the run name, unlike those of the command line, if they are no file: a
/// device has no end.
fn check_recorded(args: &FitArgs, spec: &RunSpec) -> Result<()> {
    let is_given =
        |path: &PathBuf| args.options.given.contains(&"games") && spec.games.paths().contains(path);
    let is_other =
        |path: &PathBuf| path.exists() && !path.is_file() && path != Path::new("-") && !is_given(path);
    match spec.inputs().into_iter().find(is_other) {
        Some(path) => {
            let found = "a pipe, a device or a folder; name the games behind --resume NAME";
            Err(Error::expected("a file, as the run had it", found).in_file(path))
        }
        None => Ok(()),
    }
}

impl ResumedRun {
    /// Checks that the games, or rows, are those of the run. Positions that are not counted yet are not
    /// compared.
    pub fn same_games(&self, now: &Header) -> Result<()> {
        let is_counted = now.positions != [0, 0];
        if self.header.digest == now.digest && (!is_counted || self.header.positions == now.positions) {
            return Ok(());
        }
        let what = if is_counted { "games" } else { "choices" };
        Err(Error::expected(
            format!("the {what} the run was begun with (SHA-256 {})", self.header.digest),
            format!("others (SHA-256 {}); put them back, or begin a new run", now.digest),
        ))
    }
}

/// The options of a run with the changes in `args`. The run has made `made` fits.
fn with_given_anew(args: &FitArgs, own: RunSpec, made: u32) -> Result<RunSpec> {
    let is_given = |name: &str| args.options.given.contains(&name);
    let of_start = OPTIONS.iter().filter(|option| option.group == Group::Weights);
    if let Some(RunOption { name, .. }) = of_start.into_iter().find(|option| is_given(option.name)) {
        let found = format!("--{name}; begin a new run to change weights");
        return Err(Error::expected("no weights with --resume: the run has its own", found));
    }
    let asked = args.spec();
    let is_bound = |name: &str| is_given(name) && !FREE.contains(&name);
    for ((name, kept), (_, asked)) in own.entries().into_iter().zip(asked.entries()) {
        if is_bound(name) && kept != asked {
            let [kept, asked] = [kept, asked].map(|text| text.unwrap_or_else(|| NONE.to_string()));
            let found = format!(
                "--{name} {asked}; only --iterations, --patience, --groups, --threads and --json may be given anew"
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
        groups: if is_given("groups") { asked.groups } else { own.groups },
        patience: asked.patience.or(own.patience),
        ..own
    })
}
