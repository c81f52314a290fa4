//! `texam report GAMES --player NAME`: one player beside an evaluation.

use super::{ComparisonProgress, Progress};
use crate::{
    commands::{
        Outcome, cli::ReportArgs, games, on_threads, output::OutputFile, print, progress, some_positions,
        weights,
    },
    error::{Error, Result},
    feature::Weights,
    game::Collection,
    run::{Files, RunSpec},
    show::report::{
        player::{self, Choices},
        shown_path,
    },
};

/// Each how many positions of the built-in games one is taken.
const EVERY: u32 = 20;

pub(super) fn run(args: &ReportArgs, name: &str) -> Result<Outcome> {
    let files = args.all_games();
    if let Some(path) = files.only().filter(|path| Files::is_run(path)) {
        return Err(Error::expected("games for --player", "the .stat of a run").in_file(path));
    }
    let Some(output) = &args.output else {
        return Err(Error::expected("-o FILE.html with --player", "no name for the page"));
    };
    let spec =
        RunSpec { games: files, par: args.par.clone(), player: Some(name.to_string()), ..RunSpec::default() };
    let output = OutputFile::new(output, args.overwrite, spec.inputs())?;
    progress::handle_interrupts();
    let (set, par) = weights(args.par.as_deref())?;
    let (own, outcome) = games(&spec)?;
    some_positions(&own)?;
    let others = RunSpec { every: EVERY, ..RunSpec::default() };
    let (others, _) = games(&others)?;
    let page = on_threads(args.threads, || compare(args, [&own, &others], &set, &par, &spec))??;
    output.write(page.as_bytes())?;
    print(&output.summary())?;
    Ok(outcome)
}

fn compare(
    args: &ReportArgs,
    [own, others]: [&Collection; 2],
    set: &Weights,
    par: &str,
    spec: &RunSpec,
) -> Result<String> {
    let mut sampling = spec.sampling();
    sampling.search.depth = args.depth;
    let names = ["the player", "the player's terms", "the winners", "the winners' terms"];
    let observer = ComparisonProgress { progress: Progress::new(), names: names.map(String::from).to_vec() };
    let measure = |collection, round| Choices::measure(collection, set, &sampling, round, &observer);
    let choices = measure(own, 0).and_then(|own| Some((own, measure(others, 2)?)));
    observer.progress.clear();
    let stopped = || Error::new("cancelled before all positions were searched; nothing was written");
    let (own, others) = choices.ok_or_else(stopped)?;
    let files: Vec<String> =
        spec.games.paths().iter().map(|path| shown_path(&path.display().to_string())).collect();
    player::page(&own, &others, &files.join(" and "), par, args.positions as usize)
}
