//! `texam match`: games between two sets of weights.

mod curve;
mod openings;
mod report;
mod tournament;

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use shakmaty::Chess;

use super::{Outcome, output::OutputFile, progress, read_par};
use crate::{
    commands::cli::MatchArgs,
    engine::Limits,
    error::{Error, Result},
    feature::Weights,
    matches::{
        pgn::{self, MatchTags, Tag},
        play::GameSettings,
        runner::{self, MatchPlan},
        score::Tally,
        sprt::Sprt,
    },
    par,
    phase::{PhaseAt, PhaseScheme},
    position::Evaluation,
    printable::printable,
    run::DEFAULT_GAMES,
};

/// Default number of games of a match.
const GAMES: u64 = 500;

/// Default number of nodes for each move.
const NODES: u64 = 3_000;

/// Number of pairs after which the games are saved during a match.
const SAVE_EVERY: usize = 10;

pub(super) fn run(args: &MatchArgs) -> Result<Outcome> {
    if let Some(path) = &args.write_openings {
        return openings::write(args, path);
    }
    if let Some(run) = &args.run {
        return tournament::run(args, run);
    }
    let (Some(first), Some(second)) = (&args.first, &args.second) else {
        return Err(Error::expected("two sets of weights", "fewer"));
    };
    let weights = [read_par(first)?, read_par(second)?];
    let players = [0, 1].map(|side| player(args, &weights[side], side));
    let sprt = sprt(args)?;
    let pairs = args.games.map_or(GAMES, |games| games.0) as usize / 2;
    let (openings, of_openings) = openings::read(args, pairs)?;
    let tags = MatchTags {
        names: names(args, [first, second]),
        of_players: [0, 1].map(|side| player_tags(args, &weights[side], side)),
        of_match: match_tags(args, of_openings),
    };
    let mut file = match &args.pgn {
        Some(path) => Some(GameFile::open(args, path)?),
        None => None,
    };
    let before = match (&file, args.so_far) {
        (Some(file), None) if args.resume => {
            pgn::tally(&file.text, &tags, &openings).map_err(|error| error.in_file(file.path))?
        }
        (_, so_far) => so_far.map_or_else(Tally::default, |so_far| so_far.0),
    };
    if before.pairs() as usize > pairs {
        let found = format!("{} pairs played", before.pairs());
        return Err(Error::expected(format!("at most the {pairs} pairs of --games"), found));
    }
    let setup = MatchSetup { args, tags, sprt, openings: &openings, before };
    progress::handle_interrupts();
    let tally = setup.play([&players[0], &players[1]], file.as_mut())?;
    let ended = sprt.is_some_and(|sprt| report::is_decided(&sprt, &tally)) || tally.pairs() as usize == pairs;
    report::print_match(&setup, &tally, ended)?;
    Ok(Outcome::complete_if(ended))
}

/// The evaluation of a player: its weights with its phase options.
fn player(args: &MatchArgs, weights: &Weights, side: usize) -> Evaluation {
    let (phase, phase_at) = phase_options(args, side);
    Evaluation::new(&weights.quantised(), phase, phase_at)
}

fn phase_options(args: &MatchArgs, side: usize) -> (PhaseScheme, PhaseAt) {
    let phase = args.phase.map_or_else(Default::default, |phase| phase.0[side]);
    let phase_at = args.phase_at.map_or_else(Default::default, |phase_at| phase_at.0[side]);
    (phase, phase_at)
}

/// What tells a player from others.
fn player_tags(args: &MatchArgs, weights: &Weights, side: usize) -> Vec<Tag> {
    let (phase, phase_at) = phase_options(args, side);
    vec![("Weights", par::digest(weights)), ("Phase", format!("{phase} at {phase_at}"))]
}

/// What tells a match from others between the same players.
fn match_tags(args: &MatchArgs, of_openings: String) -> Vec<Tag> {
    let limit = match args.movetime {
        Some(milliseconds) => ("MoveTime", milliseconds.to_string()),
        None => ("Nodes", args.nodes.unwrap_or(NODES).to_string()),
    };
    let adjudication = if args.adjudicate { "on" } else { "off" };
    vec![
        limit,
        ("Hash", args.hash.to_string()),
        ("Adjudication", adjudication.to_string()),
        ("Seed", args.seed.to_string()),
        ("Openings", of_openings),
    ]
}

/// Names of the players: the file name, with the phase options in which the players differ.
fn names(args: &MatchArgs, paths: [&PathBuf; 2]) -> [String; 2] {
    [0, 1].map(|side| {
        let mut name = paths[side].file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(phase) = args.phase.filter(|phase| phase.0[0] != phase.0[1]) {
            name = format!("{name} {}", phase.0[side]);
        }
        if let Some(phase_at) = args.phase_at.filter(|phase_at| phase_at.0[0] != phase_at.0[1]) {
            name = format!("{name} {}", phase_at.0[side]);
        }
        name
    })
}

fn sprt(args: &MatchArgs) -> Result<Option<Sprt>> {
    match args.sprt.as_deref() {
        None => Ok(None),
        Some(&[elo0, elo1]) if elo0 < elo1 && elo0 > -1000.0 && elo1 < 1000.0 => {
            Ok(Some(Sprt { elo0, elo1 }))
        }
        Some(found) => {
            let expected = "--sprt E0 E1 with E0 below E1, both between -1000 and 1000";
            let found: Vec<_> = found.iter().map(f64::to_string).collect();
            Err(Error::expected(expected, found.join(" ")))
        }
    }
}

/// Limits of each move.
fn limits(args: &MatchArgs) -> Limits {
    match args.movetime {
        Some(milliseconds) => Limits::movetime(Duration::from_millis(milliseconds)),
        None => Limits::nodes(args.nodes.unwrap_or(NODES)),
    }
}

/// The limits of each move as text.
fn limits_in_words(args: &MatchArgs) -> String {
    match args.movetime {
        Some(milliseconds) => format!("{milliseconds} ms a move"),
        None => format!("{} nodes a move", args.nodes.unwrap_or(NODES)),
    }
}

fn threads(args: &MatchArgs) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    args.output.threads.map_or_else(cores, |threads| threads as usize)
}

/// Settings of a match between two players.
struct MatchSetup<'a> {
    args: &'a MatchArgs,
    tags: MatchTags,
    sprt: Option<Sprt>,
    openings: &'a [Chess],
    before: Tally,
}

impl MatchSetup<'_> {
    /// Plays the match, with a progress bar on a terminal.
    fn play(&self, players: [&Evaluation; 2], mut file: Option<&mut GameFile>) -> Result<Tally> {
        let plan = MatchPlan {
            players,
            openings: self.openings,
            before: self.before,
            game_settings: GameSettings { limits: limits(self.args), adjudicate: self.args.adjudicate },
            hash: self.args.hash as usize,
            threads: threads(self.args),
            sprt: self.sprt,
        };
        let bar = bar(&self.tags.names, self.openings.len());
        let mut failure = None;
        let tally = runner::run(&plan, &progress::interrupted, |pair, tally| {
            bar.set_position(tally.pairs());
            bar.set_message(report::score_line(tally));
            if let Some(file) = &mut file {
                file.text.push_str(&pgn::pair(pair, &self.tags));
                if pair.number % SAVE_EVERY == 0 {
                    failure = failure.take().or(file.save().err());
                }
            }
        });
        bar.finish_and_clear();
        let saved = file.map_or(Ok(()), |file| file.save());
        failure.map_or(saved, Err)?;
        tally
    }
}

/// The PGN file with the games of a match.
struct GameFile<'a> {
    path: &'a Path,
    output: OutputFile<'a>,
    text: String,
}

impl<'a> GameFile<'a> {
    /// A new file; a continued match adds to its existing file.
    fn open(args: &MatchArgs, path: &'a Path) -> Result<GameFile<'a>> {
        let goes_on = args.resume || args.so_far.is_some_and(|so_far| so_far.0.pairs() > 0);
        let openings = args.openings.as_deref().unwrap_or(Path::new(DEFAULT_GAMES));
        let inputs = args.first.iter().chain(&args.second).map(|path| &**path).chain([openings]);
        let output = OutputFile::new(path, goes_on || args.overwrite, inputs)?;
        // A long match has more games than a text file of another kind may have bytes.
        let text = match goes_on && path.exists() {
            true => fs::read_to_string(path)
                .map_err(|error| Error::io("cannot read this file", error).in_file(path))?,
            false => String::new(),
        };
        let file = GameFile { path, output, text };
        // A file that cannot be written is found before the games are played.
        file.save()?;
        Ok(file)
    }

    fn save(&self) -> Result<()> {
        self.output.write(self.text.as_bytes())
    }
}

fn bar(names: &[String; 2], pairs: usize) -> ProgressBar {
    let bar = ProgressBar::new(pairs as u64);
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} pairs, {eta} left  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_prefix(printable(&format!("{} - {}", names[0], names[1])).into_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
