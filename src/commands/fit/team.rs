//! `texam fit` on several processes: what they tell each other before the run, and what those do that do not lead it.

use serde::{Deserialize, Serialize};
use texam_fit::{Exchange, agree};

use super::super::{Outcome, on_threads, progress};
use crate::{
    error::{Error, ErrorKind, Result},
    feature::Weights,
    game::Shard,
    par,
    ranks::Ranks,
    run::{RunSpec, Training, path_to_text},
    stat::Header,
    tuner,
};

/// What the others need to know of a run. They read its games, and no other file.
#[derive(Serialize, Deserialize)]
struct Setup {
    games: String,
    options: Vec<(String, String)>,
    start: String,
}

/// Tells the others of a run; none if there is no run after all.
pub(super) fn announce(exchange: &dyn Exchange, run: Option<(&RunSpec, &Weights)>) {
    let setup = run.map(|(spec, start)| Setup {
        games: path_to_text(&spec.games),
        options: spec.options(),
        start: par::format(start, &[]),
    });
    exchange.broadcast(serde_json::to_vec(&setup).expect("text is valid JSON"));
}

/// The share of the games of this process.
pub(super) fn shard(exchange: &dyn Exchange) -> Shard {
    Shard::new(exchange.rank() as u32 + 1, exchange.size() as u32).expect("ranks are below their number")
}

/// Checks that all processes have read their share of the same games, and counts the positions of all of them.
pub(super) fn together<'a>(exchange: &dyn Exchange, training: Result<Training<'a>>) -> Result<Training<'a>> {
    let games = training.as_ref().map(|training| {
        let header = Header { positions: [0; 2], ..training.header().clone() };
        serde_json::to_vec(&header).expect("text is valid JSON")
    });
    let agreed = agree(exchange, games.as_deref().map_err(ToString::to_string));
    let mut training = training?;
    agreed?;
    let counts = exchange.add(training.counts().map(|count| count as i64).to_vec());
    let [fitted, held_out, read] = counts[..] else { return Err(Error::new("three counts were sent")) };
    training.set_counts([fitted, held_out, read].map(|count| count as u64));
    if exchange.rank() == 0 && fitted == 0 {
        return Err(Error::expected("at least one position to fit", "none").of_kind(ErrorKind::NoPositions));
    }
    Ok(training)
}

/// Searches for the leader until its run has ended. What goes wrong is told to the leader, who prints it.
pub(super) fn follow(ranks: &Ranks, threads: Option<u32>) -> Result<Outcome> {
    let exchange = &*ranks.exchange;
    let setup: Option<Setup> = serde_json::from_slice(&exchange.broadcast(Vec::new()))
        .map_err(|_| Error::expected("the same version of texam on all processes", "another"))?;
    let Some(Setup { games, options, start }) = setup else { return Ok(Outcome::Complete) };
    let read = || {
        progress::handle_interrupts()?;
        let spec = RunSpec::from_options(&games, &options)?;
        let start = par::parse(&start)?.weights;
        let training = Training::read_shard(&spec, &start, shard(exchange), &mut |_| {})?;
        Ok((training, spec, start))
    };
    let (training, run) = match read() {
        Ok((training, spec, start)) => (Ok(training), Some((spec, start))),
        Err(error) => (Err(error), None),
    };
    if let (Ok(training), Some((spec, start))) = (together(exchange, training), run) {
        let plan = spec.plan()?;
        let go_on = |_: &_| !progress::is_interrupted();
        let follow = || tuner::follow(exchange, training.positions(), &start, &plan, &go_on);
        on_threads(threads.or(Some(ranks.threads)), follow)??;
    }
    Ok(Outcome::Complete)
}
