//! `texam agree`: how often the evaluation chooses the winner's move.

use std::fmt::Write;

use serde::Serialize;

use super::{
    Ending, games, on_threads, print, print_json, progress::Progress, sampling, some_positions, weights,
};
use crate::{
    cli::AgreeArgs,
    error::{Error, Result},
    feature::Weights,
    fit,
    game::Collection,
    sample::{self, Agreement, Sample, Sampling},
};

#[derive(Serialize)]
struct Output {
    games: usize,
    games_skipped: usize,
    #[serde(flatten)]
    measured: Measured,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Measured>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// One set of weights, measured.
#[derive(Serialize)]
struct Measured {
    par: String,
    positions: u64,
    moves: u64,
    #[serde(rename = "match")]
    match_rate: f64,
    match_se: f64,
    mean_rank: f64,
    histogram: Vec<u64>,
    in_bound_positions: u64,
    spread: f64,
}

/// The first set less the second, paired on the same positions.
#[derive(Serialize)]
struct Difference {
    #[serde(rename = "match")]
    match_rate: f64,
    match_se: f64,
    mean_rank: f64,
    /// Positions that only the first set matches, and only the second.
    only_first: u64,
    only_second: u64,
}

impl Difference {
    /// Of shares measured on the same N positions: with b and c the positions that one set alone matches,
    /// the difference is (b - c)/N and its variance (b + c - (b - c)^2/N)/N^2, as for McNemar's test.
    fn of(first: &[Sample], second: &[Sample]) -> Difference {
        let (mut positions, mut ranks, mut only_first, mut only_second) = (0u64, 0i64, 0, 0);
        for (a, b) in first.iter().zip(second).filter(|(a, _)| a.legal >= 2) {
            positions += 1;
            ranks += i64::from(a.ahead) - i64::from(b.ahead);
            match (sample::is_match(a), sample::is_match(b)) {
                (true, false) => only_first += 1,
                (false, true) => only_second += 1,
                _ => {}
            }
        }
        let n = positions.max(1) as f64;
        let (b, c) = (only_first as f64, only_second as f64);
        Difference {
            match_rate: (b - c) / n,
            match_se: (b + c - (b - c).powi(2) / n).max(0.0).sqrt() / n,
            mean_rank: ranks as f64 / n,
            only_first,
            only_second,
        }
    }
}

pub(super) fn run(args: &AgreeArgs) -> Result<Ending> {
    let first = weights(args.par.as_deref())?;
    let second = args.against.as_deref().map(|path| weights(Some(path))).transpose()?;
    let (collection, ending) = games(&args.games)?;
    some_positions(&collection)?;
    let sampling = sampling(&args.search, &args.bound);
    let measure = |(weights, name): (Weights, String)| {
        let mut samples =
            on_threads(args.output.threads, || search(&collection, &weights, &sampling, &name))?;
        Ok((summary(&mut samples, name), samples))
    };
    let (measured, samples) = measure(first)?;
    let against = second.map(measure).transpose()?;
    let difference = against.as_ref().map(|(_, other)| Difference::of(&samples, other));
    let output = Output {
        games: collection.games.len(),
        games_skipped: collection.tally.skipped + collection.tally.variants,
        measured,
        against: against.map(|(measured, _)| measured),
        difference,
    };
    if args.output.json {
        print_json(&output)?
    } else {
        print(&text(&output)?)?
    }
    Ok(ending)
}

fn search(collection: &Collection, weights: &Weights, sampling: &Sampling, name: &str) -> Vec<Sample> {
    let progress = Progress::new();
    progress.begin(name.to_string(), collection.positions.len());
    let samples = sample::pass(&collection.positions, weights, sampling, &|_| progress.tick());
    progress.clear();
    samples.unwrap_or_default()
}

/// Measures samples, and lets go of their decisions, which take much room.
fn summary(samples: &mut [Sample], par: String) -> Measured {
    let agreement = Agreement::of(&*samples);
    let decisions: Vec<_> = samples.iter_mut().filter_map(|sample| sample.decision.take()).collect();
    Measured {
        par,
        positions: agreement.positions,
        moves: agreement.moves,
        match_rate: agreement.match_rate(),
        match_se: agreement.match_error(),
        mean_rank: agreement.mean_rank(),
        in_bound_positions: agreement.in_bound_positions,
        histogram: agreement.histogram,
        spread: fit::spread(&decisions),
    }
}

/// Columns that a set of weights takes, and more where its name is longer.
const NARROWEST: usize = 20;

/// Rows of the histogram that are printed.
const RANKS: usize = 15;

fn text(output: &Output) -> Result<String> {
    let mut text = String::new();
    let sets: Vec<&Measured> = std::iter::once(&output.measured).chain(&output.against).collect();
    let width = sets.iter().map(|set| set.par.chars().count()).max().unwrap_or(0).max(NARROWEST);
    let mut row = |name: &str, cell: &dyn Fn(&Measured) -> String| {
        write!(text, "{name:<16}")?;
        sets.iter().try_for_each(|set| write!(text, "  {:>width$}", cell(set)))?;
        writeln!(text)
    };
    let in_bound = |set: &Measured| {
        let share = set.in_bound_positions as f64 / set.positions.max(1) as f64;
        format!("{} ({:.1} %)", set.in_bound_positions, 100.0 * share)
    };
    let all_rows = || -> std::fmt::Result {
        row("weights", &|set| set.par.clone())?;
        row("positions", &|set| set.positions.to_string())?;
        row("moves", &|set| set.moves.to_string())?;
        row("match", &|set| format!("{:.4} +- {:.4}", set.match_rate, set.match_se))?;
        row("mean rank", &|set| format!("{:.3}", set.mean_rank))?;
        row("in bound", &in_bound)?;
        row("spread", &|set| format!("{:.2}", set.spread))?;
        row("moves ahead", &|_| "positions".to_string())?;
        for rank in 0..RANKS {
            row(&format!("  {rank}"), &|set| set.histogram.get(rank).copied().unwrap_or(0).to_string())?;
        }
        row(&format!("  {RANKS} and more"), &|set| set.histogram.iter().skip(RANKS).sum::<u64>().to_string())
    };
    let written = { all_rows }().and_then(|()| match &output.difference {
        Some(d) => writeln!(
            text,
            "difference        match {:+.4} +- {:.4} (paired: {} against {} positions), mean rank {:+.3}",
            d.match_rate, d.match_se, d.only_first, d.only_second, d.mean_rank
        ),
        None => Ok(()),
    });
    written.map_err(|_| Error::new("cannot lay out the result"))?;
    Ok(text)
}
