//! `texam positions`: quiet positions with the result of their game, for a fit of results by texam or another
//! tuner.

use std::{collections::BTreeMap, io::Write, path::Path};

use rayon::prelude::*;
use serde::Serialize;
use shakmaty::{Chess, Position};
use texam_fit::Pool;

use super::{
    Outcome, count, on_threads,
    output::OutputFile,
    print_result,
    progress::{self, interrupted},
    start_or, warn, weights,
};
use crate::{
    commands::cli::PositionsArgs,
    error::{Error, ErrorKind, Result},
    fen,
    file::Unfilled,
    game::{DRAWN, Games, Moves},
    position::SplitMix64,
    run::SkippedGames,
    sample::{Sampling, quiet_value},
    search::alphabeta::{AlphaBeta, Prepared},
    value::in_units,
};

/// Games that are in memory at a time.
const GAMES_AT_A_TIME: usize = 256;

/// Why positions are left out: the name in JSON, and the text.
const REASONS: [(&str, &str); 6] = [
    ("opening", "in the opening"),
    ("in_check", "with the side to move in check"),
    ("after_capture", "just after a capture"),
    ("not_quiet", "with a capture or promotion to make, or drawn for want of material"),
    ("decided", "decided"),
    ("other", "quiet, but more than --per-game"),
];
const OPENING: usize = 0;
const IN_CHECK: usize = 1;
const AFTER_CAPTURE: usize = 2;
const NOT_QUIET: usize = 3;
const DECIDED: usize = 4;
const OTHER: usize = 5;

#[derive(Default, Serialize)]
struct PositionsReport {
    file: String,
    /// Games with a result.
    games: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    games_without_result: u64,
    /// Games with a result of which no position was written.
    games_without_position: u64,
    games_skipped: usize,
    positions: u64,
    left_out: BTreeMap<&'static str, u64>,
}

pub(super) fn run(args: &PositionsArgs) -> Result<Outcome> {
    let inputs = start_or(&args.par).map(Path::to_path_buf).chain(args.games().paths().to_vec());
    let output = OutputFile::new(&args.output, args.overwrite, inputs)?;
    let (weights, _) = weights(args.par.as_deref())?;
    let prepared = Prepared::new(Sampling::default().search, &weights.quantised());
    progress::handle_interrupts();
    let work = || output.write_in_pieces(|out| write(args, &prepared, out));
    let report = on_threads(args.run.threads, work)??;
    print_result(&report, args.run.json, |report| Ok(text(report)))?;
    Ok(Outcome::complete_if(report.games_skipped == 0))
}

/// Writes the positions of all games, some games at a time.
fn write(args: &PositionsArgs, prepared: &Prepared, to: &mut dyn Write) -> Result<PositionsReport, Unfilled> {
    let mut games = Games::open(args.games())?;
    let mut warn = warn;
    let mut skipped = SkippedGames::new(&mut warn);
    let mut report = PositionsReport { file: args.output.display().to_string(), ..Default::default() };
    REASONS.iter().for_each(|(name, _)| _ = report.left_out.insert(name, 0));
    let (mut random, searchers) = (SplitMix64(args.seed), Pool::default());
    loop {
        let mut batch = Vec::new();
        while batch.len() < GAMES_AT_A_TIME
            && let Some(game) = games.next_result()?
        {
            match game {
                Ok(game) => batch.push(game),
                Err(found) => skipped.note(&found.error),
            }
        }
        if batch.is_empty() {
            break;
        }
        let search = |(moves, _): &_| {
            searchers.with(|| AlphaBeta::new(prepared), |searcher| sift(searcher, moves, args))
        };
        let sifted: Vec<Sifted> = batch.par_iter().map(search).collect();
        if interrupted() {
            return Err(Error::new("cancelled; nothing was written").into());
        }
        for ((_, label), game) in batch.iter().zip(sifted) {
            write_game(to, game, *label, args, &mut random, &mut report)?;
        }
    }
    let tally = games.tally();
    report.games_without_result = tally.undecided as u64 - report.draws;
    report.games_skipped = skipped.finish(&args.games(), &tally)?;
    if report.positions == 0 {
        let error = Error::expected("quiet positions after the opening", "none");
        return Err(error.of_kind(ErrorKind::NoPositions).in_file(&args.games()).into());
    }
    Ok(report)
}

/// The positions of a game that may be written, with their values in centipawns from the view of White, and
/// how many others there are for each of the [`REASONS`].
type Sifted = (Vec<(Chess, i64)>, [u64; REASONS.len()]);

fn sift(searcher: &mut AlphaBeta, Moves { start, moves }: &Moves, args: &PositionsArgs) -> Sifted {
    let (mut kept, mut left_out) = Sifted::default();
    let (mut position, mut after_capture) = (start.clone(), false);
    for &mv in moves {
        match centipawns(searcher, &position, after_capture, args) {
            Ok(value) => kept.push((position.clone(), value)),
            Err(reason) => left_out[reason] += 1,
        }
        after_capture = mv.is_capture();
        position.play_unchecked(mv);
    }
    (kept, left_out)
}

/// The value of a position from the view of White, or why it is left out.
fn centipawns(
    searcher: &mut AlphaBeta,
    position: &Chess,
    after_capture: bool,
    args: &PositionsArgs,
) -> Result<i64, usize> {
    if position.fullmoves().get() <= args.skip_moves {
        return Err(OPENING);
    }
    if position.is_check() {
        return Err(IN_CHECK);
    }
    if after_capture {
        return Err(AFTER_CAPTURE);
    }
    let value = quiet_value(searcher, position).ok_or(NOT_QUIET)?;
    let value = (in_units(position.turn().fold_wb(value, -value)) / 1.28).round() as i64;
    if value.unsigned_abs() > args.limit.into() { Err(DECIDED) } else { Ok(value) }
}

/// Draws the positions of a game and writes them in the order of the game.
fn write_game(
    out: &mut dyn Write,
    (mut kept, mut left_out): Sifted,
    label: f32,
    args: &PositionsArgs,
    random: &mut SplitMix64,
    report: &mut PositionsReport,
) -> Result<(), Unfilled> {
    report.games += 1;
    while kept.len() > args.per_game as usize {
        kept.remove(random.below(kept.len()));
        left_out[OTHER] += 1;
    }
    for (position, value) in &kept {
        let fen = fen::format(position);
        match args.scores {
            true => write!(out, "{fen} | {value} | {label:.1}")?,
            false => write!(out, "{fen} [{label:.1}]")?,
        }
        if args.name_games {
            write!(out, " # game:{}", report.games)?;
        }
        writeln!(out)?;
    }
    report.positions += kept.len() as u64;
    report.games_without_position += u64::from(kept.is_empty());
    *(match label {
        DRAWN => &mut report.draws,
        label if label > DRAWN => &mut report.white_wins,
        _ => &mut report.black_wins,
    }) += 1;
    for ((name, _), count) in REASONS.iter().zip(left_out) {
        *report.left_out.entry(name).or_default() += count;
    }
    Ok(())
}

fn text(report: &PositionsReport) -> String {
    let PositionsReport { file, games, white_wins, draws, black_wins, games_without_result, .. } = report;
    let positions = count(report.positions, "position");
    let of_games = match report.games_without_position {
        0 => count(*games, "game"),
        none => format!("{} of {}", games - none, count(*games, "game")),
    };
    let mut text = format!("{file}: {positions} of {of_games} with a result\n");
    text += &format!("White won {white_wins}, {draws} drawn, Black won {black_wins}\n");
    text += &format!("left out\n{games_without_result:>9}  games without a result\n");
    for (name, reason) in REASONS {
        text += &format!("{:>9}  positions {reason}\n", report.left_out[name]);
    }
    text
}
