//! `texam bench`: a fixed workload, its speed, and a signature of what was found.

use std::time::Instant;

use serde::Serialize;
use sha2::{Digest, Sha256};
use shakmaty::Chess;

use super::{Outcome, games, print_result, read_par, some_positions, weights};
use crate::{
    commands::cli::BenchArgs,
    error::Result,
    feature::{Extras, Quantised},
    game::WinnerPosition,
    position::CompactMove,
    sample::Sampling,
    search::{
        Leaf, MoveHints, SearchedMoves,
        alphabeta::{AlphaBeta, Prepared},
        minimax::Minimax,
    },
};

#[derive(Serialize)]
struct BenchReport {
    positions: usize,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    positions_per_second: f64,
    signature: String,
}

/// One round over all positions.
struct Round {
    searched: Vec<SearchedMoves>,
    nodes: u64,
}

/// Minimum duration of all rounds of the fast search, in seconds.
const SECONDS: f64 = 1.0;

pub(super) fn run(args: &BenchArgs) -> Result<Outcome> {
    let (weights, _) = weights(args.par.as_deref())?;
    let (collection, outcome) = games(args.options.spec())?;
    some_positions(&collection)?;
    let positions = spread_evenly(&collection.positions, args.positions as usize);
    let sampling = args.options.spec().sampling();
    let weights = weights.quantised();
    let mut known = vec![MoveHints::default(); positions.len()];
    if let Some(file) = &args.after {
        search(&positions, &sampling, &read_par(file)?.quantised(), &mut known);
    }
    let search = || match args.plain {
        true => search_plainly(&positions, &sampling, &weights),
        false => search(&positions, &sampling, &weights, &mut known.clone()),
    };
    let rounds = args.rounds.or(args.plain.then_some(1));
    let (round, seconds) = repeat(rounds, search);
    let output = BenchReport {
        positions: positions.len(),
        nodes: round.nodes,
        seconds,
        nodes_per_second: round.nodes as f64 / seconds,
        positions_per_second: positions.len() as f64 / seconds,
        signature: signature(&round.searched, weights.extras()),
    };
    print_result(&output, args.json, |output| {
        Ok(format!(
            "positions  {}\nseconds    {:.3}\nspeed      {:.1} positions/s on one core\nsignature  {}\n{} nodes {:.0} nps\n",
            output.positions,
            output.seconds,
            output.positions_per_second,
            output.signature,
            output.nodes,
            output.nodes_per_second
        ))
    })?;
    Ok(outcome)
}

/// The result of `work`, done so many times or else until [`SECONDS`] have passed, and the mean seconds of a
/// round.
fn repeat<T>(rounds: Option<u32>, mut work: impl FnMut() -> T) -> (T, f64) {
    let began = Instant::now();
    let mut done = 1;
    let mut result = work();
    while rounds.map_or(began.elapsed().as_secs_f64() < SECONDS, |rounds| done < rounds) {
        result = work();
        done += 1;
    }
    (result, began.elapsed().as_secs_f64() / f64::from(done))
}

/// `count` positions at equal distances, or all if there are fewer.
fn spread_evenly(all: &[WinnerPosition], count: usize) -> Vec<WinnerPosition> {
    let count = count.min(all.len());
    (0..count).map(|i| all[i * all.len() / count]).collect()
}

fn search(
    positions: &[WinnerPosition],
    sampling: &Sampling,
    weights: &Quantised,
    hints: &mut [MoveHints],
) -> Round {
    let mut searcher = AlphaBeta::new(&Prepared::new(sampling.search, weights));
    let searched = positions.iter().zip(hints).map(|(position, hints)| {
        let (root, played) = root_and_played(position);
        searcher.search_choice_with_hints(&root, played, sampling.root, sampling.threshold, hints)
    });
    Round { searched: searched.collect(), nodes: searcher.nodes }
}

fn search_plainly(positions: &[WinnerPosition], sampling: &Sampling, weights: &Quantised) -> Round {
    let mut searcher = Minimax::new(sampling.search, weights);
    let searched = positions.iter().map(|position| {
        let (root, played) = root_and_played(position);
        searcher.search_choice(&root, played, sampling.root, sampling.threshold)
    });
    Round { searched: searched.collect(), nodes: searcher.nodes }
}

fn root_and_played(position: &WinnerPosition) -> (Chess, CompactMove) {
    let root = position.position();
    let played = CompactMove::from(position.played_in(&root));
    (root, played)
}

/// Digest of the data that a fit would use: values and leaves in bound, and ranks.
fn signature(searched: &[SearchedMoves], extras: Extras) -> String {
    let mut digest = Sha256::new();
    let leaf = |digest: &mut Sha256, leaf: &Leaf| {
        digest.update(leaf.value.to_le_bytes());
        digest.update(leaf.phase.to_le_bytes());
        leaf.line.iter().for_each(|mv| digest.update(mv.to_string()));
        for (cell, count) in leaf.features(extras).iter() {
            digest.update(cell.to_le_bytes());
            digest.update(count.to_le_bytes());
        }
    };
    for moves in searched {
        leaf(&mut digest, &moves.root);
        for count in [moves.legal, moves.ahead, moves.tied] {
            digest.update(count.to_le_bytes());
        }
        for kept in &moves.kept {
            digest.update(kept.mv.to_string());
            leaf(&mut digest, &kept.leaf);
        }
    }
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_as_often_as_asked_for_or_for_a_second() {
        let mut calls = 0;
        let (last, _) = repeat(Some(3), || {
            calls += 1;
            calls
        });
        assert_eq!((last, calls), (3, 3));
        let began = Instant::now();
        let (_, seconds) = repeat(None, || std::thread::sleep(std::time::Duration::from_millis(300)));
        assert!(began.elapsed().as_secs_f64() >= SECONDS && seconds >= 0.3);
    }
}
