//! `texam agree`: how often the evaluation chooses the winner's move.

use std::fmt::{self, Write};

use serde::Serialize;

use super::{
    Outcome,
    agreement::{AgreementDifference, AgreementSummary, search},
    games_or_held_out, on_threads, print_result, some_positions, weights,
};
use crate::{
    commands::cli::AgreeArgs,
    error::Result,
    feature::Weights,
    run::{RunSpec, count, stat::error_text},
    sample::{Difference, Recall, Sampling, Searched},
    show::{
        deciding::{Line, format_tenths},
        disagreement::{Disagreement, Searcher},
    },
};

#[derive(Serialize)]
struct AgreeReport {
    games: usize,
    games_skipped: usize,
    #[serde(flatten)]
    measured: AgreementSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<AgreementSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<AgreementDifference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<Vec<Disagreement>>,
}

pub(super) fn run(args: &AgreeArgs) -> Result<Outcome> {
    let first = weights(args.par.as_deref())?;
    let second = args.against.as_deref().map_or_else(|| Ok(first.clone()), |path| weights(Some(path)))?;
    let spec = RunSpec { player: args.player.player.clone(), ..args.options.spec().clone() };
    let (collection, decisive, outcome) = games_or_held_out(&spec, args.held_out_of.as_deref())?;
    some_positions(&collection)?;
    let other_sampling = args.other_sampling();
    let mut recall = Recall::default();
    let mut measure = |(weights, name): &(Weights, String), sampling: &Sampling| -> Result<_> {
        let searched = on_threads(args.output.threads, || {
            search(&collection, weights, sampling, name, &mut recall, args.worst.is_some())
        })?;
        let Searched { agreement, spread, standings, games } = searched;
        Ok((AgreementSummary::new(agreement, spread.units(), name.clone(), sampling), standings, games))
    };
    let sampling = spec.sampling();
    let (measured, standings, games) = measure(&first, &sampling)?;
    let against = other_sampling.map(|sampling| measure(&second, &sampling)).transpose()?;
    let difference = against.as_ref();
    let difference =
        difference.map(|(.., other)| AgreementDifference::from(Difference::by_game(&games, other)));
    let searcher = Searcher::new(&collection, &first.0, &sampling);
    let worst =
        args.worst.map(|most| on_threads(args.output.threads, || searcher.worst(&standings, most as usize)));
    let output = AgreeReport {
        games: decisive,
        games_skipped: collection.tally.skipped + collection.tally.variants,
        measured,
        against: against.map(|(measured, ..)| measured),
        difference,
        worst: worst.transpose()?,
    };
    print_result(&output, args.output.json, text)?;
    Ok(outcome)
}

/// Smallest width of the column of a set of weights; a longer name widens it.
const NARROWEST: usize = 20;

/// Number of printed rows of the histogram before the last one.
const RANKS: usize = 15;

fn text(output: &AgreeReport) -> Result<String, fmt::Error> {
    let mut text = String::new();
    let sets: Vec<&AgreementSummary> = std::iter::once(&output.measured).chain(&output.against).collect();
    let width = sets.iter().map(|set| set.par.chars().count()).max().unwrap_or(0).max(NARROWEST);
    let mut row = |name: &str, cell: &dyn Fn(&AgreementSummary) -> String| {
        write!(text, "{name:<16}")?;
        sets.iter().try_for_each(|set| write!(text, "  {:>width$}", cell(set)))?;
        writeln!(text)
    };
    row("weights", &|set| set.par.clone())?;
    row("phase", &|set| format!("{} at {}", set.phase, set.phase_at))?;
    row("positions", &|set| set.positions.to_string())?;
    row("moves", &|set| set.moves.to_string())?;
    row("match", &|set| format!("{:.4} +- {}", set.match_rate, error_text(set.match_se, 4)))?;
    row("mean rank", &|set| format!("{:.3}", set.mean_rank))?;
    row("in bound", &AgreementSummary::in_bound)?;
    row("spread", &|set| format!("{:.2}", set.spread))?;
    row("moves ahead", &|_| "positions".to_string())?;
    for rank in 0..RANKS {
        row(&format!("  {rank}"), &|set| set.histogram.get(rank).copied().unwrap_or(0).to_string())?;
    }
    row(&format!("  {RANKS} and more"), &|set| set.histogram.iter().skip(RANKS).sum::<u64>().to_string())?;
    if let Some(d) = &output.difference {
        let by_match = format!("{:+.4} +- {}", d.means.match_rate, error_text(d.means.match_se, 4));
        let by_rank = format!("{:+.3} +- {}", d.means.mean_rank, error_text(d.means.mean_rank_se, 3));
        let paired = format!("paired: {} against {} positions", d.only_first, d.only_second);
        writeln!(text, "difference        match {by_match} ({paired}), mean rank {by_rank}")?;
    }
    output.worst.iter().try_for_each(|worst| list(&mut text, worst))?;
    Ok(text)
}

/// The positions with most moves ahead of the played one, each with the terms that decide.
fn list(text: &mut String, worst: &[Disagreement]) -> fmt::Result {
    let count = count(worst.len() as u64, "position");
    writeln!(
        text,
        "\n{count} with most moves ahead of the played one, which is in bound; values in 1/128 pawn"
    )?;
    for position in worst {
        let Disagreement { game, white, black, number, played, preferred, rank, legal, .. } = position;
        writeln!(text, "\ngame {game}, {white} - {black}, move {number}{played}: rank {rank} of {legal}")?;
        if let Some(link) = &position.link {
            writeln!(text, "  {link}")?;
        }
        writeln!(text, "  {}", position.fen)?;
        let (high, low) = (position.preferred_value, position.played_value);
        let better = high - low;
        writeln!(
            text,
            "  {preferred} ({high:+.1}) is better than {played} ({low:+.1}) by {better:.1}, from"
        )?;
        for Line { name, meaning, tenths } in &position.terms {
            writeln!(text, "  {:>8}  {name:<10} {meaning}", format_tenths(*tenths))?;
        }
    }
    Ok(())
}
