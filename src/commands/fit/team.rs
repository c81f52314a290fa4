//! `texam fit` on several processes: all that a run of one process has no need of.

use std::path::Path;

use serde::{Deserialize, Serialize};
use texam_fit::{Communicator, Job, Run, Source, follow};

use super::super::{on_threads, print_error, resume::ResumedRun, warn};
use crate::{
    error::{Error, Result},
    game::Shard,
    par,
    run::{
        RunPlace, RunSpec, RunWeights, Training, game_files_to_texts, interrupt,
        ranks::{self, Ranks},
        stat::Header,
    },
};

/// The processes of a run: this one, and those that it leads where several were started together.
pub(super) struct Team {
    /// Threads of this process.
    pub threads: Option<u32>,
    others: Option<texam_fit::Team>,
}

/// The message that begins a run. The other processes read the games of the run and those held out, and no
/// other file.
#[derive(Serialize, Deserialize)]
struct Setup {
    games: Vec<String>,
    options: Vec<(String, String)>,
    start: String,
}

/// What each process answers: what it has read, which must be the same everywhere, and how many positions its
/// share has; or its error.
type Share = std::result::Result<(String, [u64; 3]), String>;

impl Team {
    /// Joins the processes that were started together with this one. None if another one leads, and its run
    /// has ended.
    pub fn join(place: &RunPlace) -> Result<Option<Team>> {
        let Some(Ranks { communicator, threads }) = ranks::join()? else {
            return Ok(Some(Team { threads: place.threads, others: None }));
        };
        let threads = place.threads.or(Some(threads));
        if communicator.rank() == 0 {
            return Ok(Some(Team { threads, others: Some(texam_fit::Team::new(communicator)) }));
        }
        if let Err(error) = on_threads(threads, || follow_leader(&*communicator)).flatten() {
            print_error(&format!("error: rank {}: {error}", communicator.rank()));
            communicator.abort();
        }
        Ok(None)
    }

    /// Refuses what needs a process that is alone.
    pub fn check(&self, spec: &RunSpec, resumed: Option<&ResumedRun>) -> Result<()> {
        if self.others.is_none() {
            return Ok(());
        }
        if spec.groups > 0 {
            let expected = "no --groups for a run of several processes: leave it out";
            return Err(Error::expected(expected, spec.groups));
        }
        if spec.inputs().iter().any(|path| path == Path::new("-")) {
            return Err(Error::expected("files that all processes can read", "standard input"));
        }
        let error = match resumed {
            _ if spec.is_on_rows() => Error::new(
                "a run with --choices or --choices-from needs one process: start texam without mpirun or srun",
            ),
            Some(_) if spec.regrow > 0 => Error::expected(
                "one process to resume this run",
                format!("--regrow {} and several: start texam without mpirun or srun", spec.regrow),
            ),
            _ => return Ok(()),
        };
        Err(match resumed {
            Some(run) => error.in_file(run.files.stat()),
            None => error,
        })
    }

    /// Reads what a run is made from, and has the others read their shares.
    pub fn read(&self, spec: &RunSpec, start: &RunWeights) -> Result<Training<'static>> {
        let Some(team) = &self.others else { return Training::read(spec, start, Shard::ALL, &mut warn) };
        let communicator = team.communicator();
        let values = start.weights(&start.model().values());
        let setup = Setup {
            games: game_files_to_texts(&spec.games),
            options: spec.options(),
            start: values.map_or_else(String::new, |start| par::format(&start, &[])),
        };
        communicator.broadcast(serde_json::to_vec(&setup).expect("text is valid JSON"));
        let training = Training::read(spec, start, shard(communicator), &mut warn);
        // Every process sends its share, whatever the others have read.
        let shares: Vec<Vec<u8>> = (1..communicator.size()).map(|rank| communicator.receive(rank)).collect();
        let mut training = training?;
        training.set_counts(add_shares(share(&training), &shares)?);
        Ok(training)
    }

    /// Runs a job over the choices of all; `source` has the share of this process.
    pub fn run(&self, job: Job, source: &mut dyn Source) -> texam_fit::Result<Run> {
        job.lead(self.others.as_ref(), source)
    }
}

/// The share of the games of a process.
fn shard(communicator: &dyn Communicator) -> Shard {
    Shard::of_rank(communicator.rank(), communicator.size())
}

/// What a process has read, whatever its share.
fn share(training: &Training) -> (String, [u64; 3]) {
    let header = Header { positions: [0; 2], ..training.header().clone() };
    (serde_json::to_string(&header).expect("text is valid JSON"), training.counts())
}

/// Checks that the others have read the same games as this process, and adds up the positions of all.
fn add_shares((header, mut counts): (String, [u64; 3]), others: &[Vec<u8>]) -> Result<[u64; 3]> {
    for (rank, message) in (1..).zip(others) {
        let share = serde_json::from_slice(message).unwrap_or_else(|error| Share::Err(error.to_string()));
        let message = match share {
            Ok((other, of_rank)) if other == header => {
                counts.iter_mut().zip(of_rank).for_each(|(to, count)| *to += count);
                continue;
            }
            Ok(_) => "it has other input, or another version of the program, than rank 0".to_string(),
            Err(message) => message,
        };
        return Err(texam_fit::Error::Rank { rank, message }.into());
    }
    Ok(counts)
}

/// Searches for the leader until its run has ended, who prints the errors of the search.
fn follow_leader(communicator: &dyn Communicator) -> Result<()> {
    let message = communicator.broadcast(Vec::new());
    if message.is_empty() {
        return Ok(());
    }
    let Setup { games, options, start } = serde_json::from_slice(&message)
        .map_err(|_| Error::expected("the same version of texam on all processes", "another"))?;
    let read = || {
        // The leader says so.
        interrupt::end_in_order("");
        let spec = RunSpec::from_options(&games, &options)?;
        let start = RunWeights::own(par::parse(&start)?.weights)?;
        let training = Training::read(&spec, &start, shard(communicator), &mut |_| {})?;
        Ok((training, spec, start))
    };
    let read: Result<_> = read();
    let answer: Share = read.as_ref().map(|(training, ..)| share(training)).map_err(ToString::to_string);
    communicator.send(0, serde_json::to_vec(&answer).expect("text is valid JSON"));
    let Ok((mut training, spec, start)) = read else {
        // The leader ends the run.
        communicator.broadcast(Vec::new());
        return Ok(());
    };
    let go_on = |_: &_| !interrupt::is_requested();
    let mut source = training.source(&spec, &start, spec.sampling(), &go_on, None);
    Ok(follow(communicator, &mut *source, spec.settings.method().objective(), start.model())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_the_same_games_are_added_and_a_process_with_other_games_is_named() {
        let share = |games: &str| Ok((games.to_string(), [5, 1, 0]));
        let add = |others: [Share; 2]| {
            let others = others.map(|share| serde_json::to_vec(&share).unwrap());
            add_shares(("a".to_string(), [10, 2, 0]), &others).map_err(|error| error.to_string())
        };
        assert_eq!(add([share("a"), share("a")]), Ok([20, 4, 0]));
        assert_eq!(add([share("a"), Err("no file".to_string())]), Err("rank 2: no file".to_string()));
        assert!(add([share("b"), share("a")]).unwrap_err().starts_with("rank 1: it has other input"));
    }
}
