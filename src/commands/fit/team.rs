//! `texam fit` on several processes: the messages before the run, and the processes that do not lead it.

use serde::{Deserialize, Serialize};
use texam_fit::{Communicator, agree, follow};

use super::super::{Outcome, on_threads, print_error};
use crate::{
    error::{Error, Result},
    game::Shard,
    par,
    run::{RunPlace, RunSpec, RunWeights, Training, interrupt, path_to_text, ranks::Ranks, stat::Header},
};

/// The message that begins a run. The other processes read the games of the run and those held out, and no other file.
#[derive(Serialize, Deserialize)]
struct Setup {
    games: String,
    options: Vec<(String, String)>,
    start: String,
}

/// Tells the others of a run; none if there is no run after all.
pub(super) fn announce(communicator: &dyn Communicator, run: Option<(&RunSpec, &RunWeights)>) {
    let setup = run.map(|(spec, start)| Setup {
        games: path_to_text(&spec.games),
        options: spec.options(),
        start: start
            .weights(&start.model().values())
            .map_or_else(String::new, |start| par::format(&start, &[])),
    });
    communicator.broadcast(serde_json::to_vec(&setup).expect("text is valid JSON"));
}

/// The share of the games of this process.
pub(super) fn shard(communicator: &dyn Communicator) -> Shard {
    Shard::of_rank(communicator.rank(), communicator.size())
}

/// Checks that all processes have read their share of the same games, and counts the positions of all of them.
pub(super) fn agree_on_games<'a>(
    communicator: &dyn Communicator,
    training: Result<Training<'a>>,
) -> Result<Training<'a>> {
    let games = training.as_ref().map(|training| {
        let header = Header { positions: [0; 2], ..training.header().clone() };
        serde_json::to_vec(&header).expect("text is valid JSON")
    });
    let agreed = agree(communicator, games.as_deref().map_err(ToString::to_string));
    let mut training = training?;
    agreed?;
    let counts = communicator.reduce_sum(training.counts().map(|count| count as i64).to_vec());
    let counts = <[i64; 3]>::try_from(counts).expect("three counts are sent");
    training.set_counts(counts.map(|count| count as u64));
    Ok(training)
}

/// Searches for the leader until its run has ended. The leader prints the errors.
pub(super) fn follow_leader(ranks: &Ranks, place: &RunPlace) -> Outcome {
    let communicator = &*ranks.communicator;
    let threads = place.threads.or(Some(ranks.threads));
    let followed = on_threads(threads, || answer_leader(communicator));
    if let Err(error) = followed.and_then(|followed| followed) {
        print_error(&format!("error: rank {}: {error}", communicator.rank()));
        communicator.abort();
    }
    Outcome::Complete
}

fn answer_leader(communicator: &dyn Communicator) -> Result<()> {
    let setup: Option<Setup> = serde_json::from_slice(&communicator.broadcast(Vec::new()))
        .map_err(|_| Error::expected("the same version of texam on all processes", "another"))?;
    let Some(Setup { games, options, start }) = setup else { return Ok(()) };
    let read = || {
        // The leader says so.
        interrupt::end_in_order("");
        let spec = RunSpec::from_options(&games, &options)?;
        let start = RunWeights::own(par::parse(&start)?.weights)?;
        let training = Training::read(&spec, &start, shard(communicator), &mut |_| {})?;
        Ok((training, (spec, start)))
    };
    let (training, run) = match read() {
        Ok((training, run)) => (Ok(training), Some(run)),
        Err(error) => (Err(error), None),
    };
    match (agree_on_games(communicator, training), run) {
        (Ok(mut training), Some((spec, start))) => {
            let go_on = |_: &_| !interrupt::is_requested();
            let mut source = training.source(&spec, &start, spec.sampling(), &go_on, None);
            Ok(follow(communicator, &mut *source, spec.settings.method().objective(), start.model())?)
        }
        _ => Ok(()),
    }
}
