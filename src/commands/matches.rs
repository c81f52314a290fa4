//! `texam match`: games between two sets of weights.

mod openings;
mod report;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{Outcome, output::OutputFile, progress, read_par};
use crate::{
    commands::cli::MatchArgs,
    engine::Limits,
    error::{Error, Result},
    feature::Weights,
    matches::{
        pgn::{self, MatchTags},
        play::GameSettings,
        runner::{self, MatchPlan},
        score::Tally,
        sprt::Sprt,
    },
    par,
    position::Evaluation,
    printable::printable,
    run::DEFAULT_GAMES,
};

/// Number of pairs after which the games are saved during a match.
const SAVE_EVERY: usize = 10;

pub(super) fn run(args: &MatchArgs) -> Result<Outcome> {
    if let Some(path) = &args.write_openings {
        return openings::write(args, path);
    }
    let (Some(first), Some(second)) = (&args.first, &args.second) else {
        return Err(Error::expected("two sets of weights", "fewer"));
    };
    let weights = [read_par(first)?, read_par(second)?];
    let (phase, phase_at) = (args.phase.0, args.phase_at.0);
    let players = [0, 1].map(|side| Evaluation::new(&weights[side].quantised(), phase[side], phase_at[side]));
    let sprt = sprt(args)?;
    let pairs = args.games as usize / 2;
    let (openings, of_openings) = openings::read(args, pairs)?;
    let tags = tags(args, [first, second], &weights, of_openings);
    let mut file = args.pgn.as_deref().map(|path| GameFile::open(args, path)).transpose()?;
    let before = match &file {
        Some(file) if args.resume => {
            pgn::tally(&file.text, &tags, &openings).map_err(|error| error.in_file(file.path))?
        }
        _ => Tally::default(),
    };
    if before.pairs() as usize > pairs {
        let found = format!("{} pairs played", before.pairs());
        return Err(Error::expected(format!("at most the {pairs} pairs of --games"), found));
    }
    let plan = MatchPlan {
        players: [&players[0], &players[1]],
        openings: &openings,
        before,
        game_settings: GameSettings { limits: Limits::nodes(args.nodes), adjudicate: args.adjudicate },
        threads: args.output.threads,
        sprt,
    };
    progress::handle_interrupts();
    let tally = play(&plan, &tags, file.as_mut())?;
    let ended = runner::is_decided(sprt, &tally) || tally.pairs() as usize == pairs;
    report::print_match(args, tags.names, sprt, &tally, ended)?;
    Ok(Outcome::complete_if(ended))
}

/// What tells the match and its players from others.
fn tags(args: &MatchArgs, paths: [&PathBuf; 2], weights: &[Weights; 2], openings: String) -> MatchTags {
    let of_player = |side: usize| {
        let phase = format!("{} at {}", args.phase.0[side], args.phase_at.0[side]);
        vec![("Weights", par::digest(&weights[side])), ("Phase", phase)]
    };
    let adjudication = if args.adjudicate { "on" } else { "off" };
    MatchTags {
        names: names(args, paths),
        of_players: [0, 1].map(of_player),
        of_match: vec![
            ("Nodes", args.nodes.to_string()),
            ("Adjudication", adjudication.to_string()),
            ("Seed", args.seed.to_string()),
            ("Openings", openings),
        ],
    }
}

/// Names of the players: the file name, with the phase options in which the players differ.
fn names(args: &MatchArgs, paths: [&PathBuf; 2]) -> [String; 2] {
    let [phase, phase_at] =
        [args.phase.0.map(|phase| phase.to_string()), args.phase_at.0.map(|place| place.to_string())];
    [0, 1].map(|side| {
        let mut name = paths[side].file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for option in [&phase, &phase_at].into_iter().filter(|option| option[0] != option[1]) {
            name = format!("{name} {}", option[side]);
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

/// Plays the match, with a progress bar on a terminal.
fn play(plan: &MatchPlan, tags: &MatchTags, mut file: Option<&mut GameFile>) -> Result<Tally> {
    let bar = progress::bar(plan.openings.len() as u64, "{pos}/{len} pairs, {eta} left  {msg}");
    bar.set_prefix(printable(&tags.names.join(" - ")).into_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut failure = None;
    let tally = runner::run(plan, &progress::interrupted, |pair, tally| {
        bar.set_position(tally.pairs());
        bar.set_message(report::score_line(tally));
        if let Some(file) = &mut file {
            file.text.push_str(&pgn::pair(pair, tags));
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

/// The PGN file with the games of a match.
struct GameFile<'a> {
    path: &'a Path,
    output: OutputFile<'a>,
    text: String,
}

impl<'a> GameFile<'a> {
    /// A new file; a continued match adds to its existing file.
    fn open(args: &MatchArgs, path: &'a Path) -> Result<GameFile<'a>> {
        let openings = args.openings.as_deref().unwrap_or(Path::new(DEFAULT_GAMES));
        let inputs = args.first.iter().chain(&args.second).map(|path| &**path).chain([openings]);
        let output = OutputFile::new(path, args.resume || args.overwrite, inputs)?;
        // A long match has more games than a text file of another kind may have bytes.
        let text = match args.resume && path.exists() {
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
