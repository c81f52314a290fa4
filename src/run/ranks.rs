//! The processes of a run that were started together, by `mpirun` or `srun`. Only programs built with the
//! feature `mpi` have any; all others are alone.

use std::env;

use texam_fit::Communicator;

use crate::error::{Error, Result};

/// The processes of a run, as one of them sees them.
pub struct Ranks {
    /// Connects them.
    pub communicator: Box<dyn Communicator>,
    /// Threads for this process: its share of the cores that it may use.
    pub threads: u32,
}

/// Joins the processes that were started together with this one; none where it is alone.
pub fn join() -> Result<Option<Ranks>> {
    #[cfg(feature = "mpi")]
    if let Some(ranks) = by_mpi::join()? {
        return Ok(Some(ranks));
    }
    // Each process would make the whole run.
    let started = STARTERS.into_iter().find_map(|name| env::var(name).ok()?.parse::<u32>().ok());
    match started {
        Some(processes @ 2..) => {
            let text = "but this texam cannot reach the others: build it with --features mpi for the MPI \
                        library that starts it, and choose that library with srun --mpi";
            Err(Error::new(format!("{processes} processes were started, {text}")))
        }
        _ => Ok(None),
    }
}

/// Variables in which programs that start processes tell their number: Open MPI, MPICH, `srun`, whose step is
/// not the batch job around a plain command, and Flux.
const STARTERS: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "FLUX_JOB_SIZE"];

#[cfg(feature = "mpi")]
mod by_mpi;
#[cfg(any(feature = "mpi", all(test, target_os = "linux")))]
mod cores;
