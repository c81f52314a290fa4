//! `texam report GAMES --player NAME`: one player beside an evaluation.

use std::path::Path;

use super::{ComparisonProgress, Progress};
use crate::{
    commands::{Outcome, cli::ReportArgs, games, on_threads, output::OutputFile, print, progress, weights},
    error::{Error, Result},
    feature::Weights,
    game::Collection,
    run::{Files, RunSpec},
    show::report::{
        player::{self, Choices},
        shown_path,
    },
};

/// Weights where none are named.
const BEST_PAR: &str = "params/best.par";

/// Each how many positions of the built-in games one is taken, where their shares are not known.
const EVERY: u32 = 20;

pub(super) fn run(args: &ReportArgs, name: &str) -> Result<Outcome> {
    let files = args.all_games();
    if let Some(path) = files.only().filter(|path| Files::is_run(path)) {
        return Err(Error::expected("games for --player", "the .stat of a run").in_file(path));
    }
    let Some(output) = &args.output else {
        return Err(Error::expected("-o FILE.html with --player", "no name for the page"));
    };
    let (par, player) = (args.par.clone(), Some(name.to_string()));
    let spec = RunSpec { games: files, par, player, every: args.every, ..RunSpec::default() };
    let output = OutputFile::new(output, args.overwrite, spec.inputs())?;
    progress::handle_interrupts();
    let (set, par) = weights(args.par.as_deref().or(Some(Path::new(BEST_PAR))))?;
    let (own, outcome) = games(&spec)?;
    if own.positions.is_empty() {
        let what = format!("moves of {name} after move {}", spec.skip_moves);
        return Err(Error::expected(what, "none: all games are shorter"));
    }
    let (page, losses) = on_threads(args.threads, || compare(args, &own, &set, &par, &spec))??;
    output.write(page.as_bytes())?;
    print(&format!("{}{losses}", output.summary()))?;
    Ok(outcome)
}

/// The page, and the lines of moves that lose half a pawn.
fn compare(
    args: &ReportArgs,
    own: &Collection,
    set: &Weights,
    par: &str,
    spec: &RunSpec,
) -> Result<(String, String)> {
    let mut sampling = spec.sampling();
    sampling.search.depth = args.depth;
    let names = ["the player", "the player's terms", "the winners", "the winners' terms"];
    let observer = ComparisonProgress { progress: Progress::new(), names: names.map(String::from).to_vec() };
    let measure = |collection, round| {
        let choices = Choices::measure(collection, set, &sampling, round, &observer);
        observer.progress.clear();
        choices.ok_or_else(|| Error::new("cancelled before all positions were searched; nothing was written"))
    };
    let sample;
    let own = measure(own, 0)?;
    let shares = own.shares();
    let (others, yardstick) = match player::of_winners(set, sampling.search) {
        Some(others) => (others, "all positions"),
        None => {
            (sample, _) = games(&RunSpec { every: EVERY, ..RunSpec::default() })?;
            (measure(&sample, 2)?.shares(), "every 20th position")
        }
    };
    let files: Vec<String> =
        spec.games.paths().iter().map(|path| shown_path(&path.display().to_string())).collect();
    let most = args.positions as usize;
    let page = player::page(&own, [&shares, &others], yardstick, &files.join(" and "), par, most)?;
    let lines = player::losses(&shares, &others);
    let lines = lines.iter().map(|(title, text)| format!("{:<10} {text}\n", title.to_lowercase()));
    Ok((page, format!("moves that lose more than half a pawn at once\n{}", lines.collect::<String>())))
}
