//! Games between the sets of a run: Elo by pass, with the agreement of each pass.

use std::path::{Path, PathBuf};

use serde::Serialize;
use shakmaty::Chess;
use texam_fit::PassReport;

use super::{
    MatchSetup,
    curve::{self, PassResult},
    limits_in_words, openings, progress, read_par,
    report::ScoreFigures,
};
use crate::{
    commands::{
        Outcome,
        cli::{MatchArgs, Pairing, PerPlayer},
        print_result,
    },
    error::{Error, Result},
    matches::{pgn::MatchTags, rating, score::Tally},
    position::Evaluation,
    run,
};

/// Default number of games of each pairing.
const GAMES: u64 = 200;

/// A set of the run as a player.
struct TournamentPlayer {
    pass: u32,
    name: String,
    evaluation: Evaluation,
    report: PassReport,
    /// Results of all its games, from its side.
    tally: Tally,
}

#[derive(Serialize)]
struct TournamentReport {
    run: PathBuf,
    pairing: &'static str,
    passes: Vec<PassResult>,
    finished: bool,
    /// The command line for the remaining passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    go_on: Option<String>,
}

pub(super) fn run(args: &MatchArgs, run: &Path) -> Result<Outcome> {
    if args.pgn.is_some() {
        return Err(Error::new("--pgn saves the games of one match; leave it out with --run"));
    }
    let mut players = players(args, run)?;
    let (openings, _) = openings::read(args, args.games.map_or(GAMES, |games| games.0) as usize / 2)?;
    progress::handle_interrupts();
    let (results, left) = play_all(args, &mut players, &openings)?;
    let finished = left.is_empty();
    let left: Vec<String> = left.iter().map(ToString::to_string).collect();
    // Ratings of all against all cannot be combined from partial results.
    let goes_on = !finished && args.pairing == Pairing::Start;
    let output = TournamentReport {
        run: run.to_path_buf(),
        pairing: if args.pairing == Pairing::Start { "start" } else { "all" },
        passes: rows(args.pairing, players, &results),
        finished,
        go_on: goes_on.then(|| args.line_with("--passes", &left.join(","))),
    };
    print_result(&output, args.output.json, |output| Ok(text(args, output, openings.len())))?;
    Ok(Outcome::complete_if(finished))
}

/// The results of the sets against each other, and the passes whose matches were not finished.
fn play_all(
    args: &MatchArgs,
    players: &mut [TournamentPlayer],
    openings: &[Chess],
) -> Result<(Vec<Vec<rating::PairingResult>>, Vec<u32>)> {
    let mut results = vec![vec![rating::PairingResult::default(); players.len()]; players.len()];
    let mut left = Vec::new();
    for (first, second) in pairings(args.pairing, players.len()) {
        let tally = match progress::interrupted() {
            true => Tally::default(),
            false => play(args, players, openings, (first, second))?,
        };
        if tally.pairs() < openings.len() as u64 {
            left.push(players[first].pass);
        } else {
            add_result(players, &mut results, (first, second), &tally);
        }
    }
    Ok((results, left))
}

fn text(args: &MatchArgs, output: &TournamentReport, pairs: usize) -> String {
    let TournamentReport { run, pairing, passes, go_on, .. } = output;
    let (run, games, limits) = (run.display(), 2 * pairs, limits_in_words(args));
    let seed = args.seed;
    let mut text = format!("{run}, each against {pairing}, {games} games a pairing, {limits}, seed {seed}\n");
    text.push_str(&curve::text(passes));
    if let Some(go_on) = go_on {
        text.push_str(&format!("ended early; for the rest:\n{go_on}\n"));
    }
    text
}

/// The sets that play, the start first.
fn players(args: &MatchArgs, run: &Path) -> Result<Vec<TournamentPlayer>> {
    let with = |suffix: &str| {
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        run.with_file_name(format!("{name}{suffix}"))
    };
    let path = with(".stat");
    let record = run::read_record(&path)?;
    let phase = match (args.phase, record.option("phase")) {
        (Some(PerPlayer([phase, _])), _) => phase,
        (None, Some(value)) => value.parse().map_err(|error: Error| error.in_file(&path))?,
        (None, None) => Default::default(),
    };
    let phase_at = match (args.phase_at, record.option("phase-at")) {
        (Some(PerPlayer([phase_at, _])), _) => phase_at,
        (None, Some(value)) => value.parse().map_err(|error: Error| error.in_file(&path))?,
        (None, None) => Default::default(),
    };
    if let Some(passes) = &args.passes
        && let Some(missing) = passes.0.iter().find(|&&pass| record.reports.iter().all(|r| r.number != pass))
    {
        let last = record.reports.last().map_or(0, |report| report.number);
        return Err(Error::expected(format!("passes from 0 to {last}"), missing).in_file(&path));
    }
    let wanted = |number| number == 0 || args.passes.as_ref().is_none_or(|passes| passes.0.contains(&number));
    record
        .reports
        .into_iter()
        .filter(|report| wanted(report.number))
        .map(|report| {
            let weights = read_par(&with(&format!("-{:02}.par", report.number)))?;
            Ok(TournamentPlayer {
                pass: report.number,
                name: format!("pass {}", report.number),
                evaluation: Evaluation::new(&weights.quantised(), phase, phase_at),
                report,
                tally: Tally::default(),
            })
        })
        .collect()
}

/// Indices of the players of each match; the later pass is the first player.
fn pairings(pairing: Pairing, players: usize) -> Vec<(usize, usize)> {
    let opponents = |first: usize| 0..if pairing == Pairing::Start { first.min(1) } else { first };
    (1..players).flat_map(|first| opponents(first).map(move |second| (first, second))).collect()
}

fn play(
    args: &MatchArgs,
    players: &[TournamentPlayer],
    openings: &[Chess],
    (first, second): (usize, usize),
) -> Result<Tally> {
    let (first, second) = (&players[first], &players[second]);
    let names = [first.name.as_str(), second.name.as_str()];
    let names = names.map(String::from);
    let tags = MatchTags { names, ..MatchTags::default() };
    let setup = MatchSetup { args, tags, sprt: None, openings, before: Tally::default() };
    setup.play([&first.evaluation, &second.evaluation], None)
}

fn add_result(
    players: &mut [TournamentPlayer],
    results: &mut [Vec<rating::PairingResult>],
    (first, second): (usize, usize),
    tally: &Tally,
) {
    for (own, other, tally) in [(first, second, *tally), (second, first, tally.reversed())] {
        let points = tally.wins as f64 + tally.draws as f64 / 2.0;
        results[own][other] = rating::PairingResult { points, games: tally.games() as f64 };
        players[own].tally.merge(&tally);
    }
}

/// A result for each set. With pairing `start` the Elo difference is that of the match against the start. With
/// `all` it is the rating that fits all results best; its error is that of the score of the set.
fn rows(
    pairing: Pairing,
    players: Vec<TournamentPlayer>,
    results: &[Vec<rating::PairingResult>],
) -> Vec<PassResult> {
    let ratings = rating::elo(results);
    let row = |(player, rating): (TournamentPlayer, f64)| {
        let played_all = pairing == Pairing::All && player.tally.games() > 0;
        // Elo is relative to the start, so the score of the start itself is not a rating.
        let is_start = pairing == Pairing::Start && player.pass == 0;
        let tally = if is_start { Tally::default() } else { player.tally };
        let mut figures = ScoreFigures::new(&tally);
        if played_all {
            figures.elo = Some(rating);
        } else if is_start {
            figures.elo = Some(0.0);
        }
        PassResult {
            pass: player.pass,
            rate: player.report.fitted.match_rate(),
            holdout_match: player.report.held_out.as_ref().map(texam_fit::Agreement::match_rate),
            figures,
        }
    };
    players.into_iter().zip(ratings).map(row).collect()
}
