//! The processes of a run that were started together, by `mpirun` or `srun`. Only programs built with the feature `mpi`
//! have any; all others are alone.

use texam_fit::Communicator;

/// The processes of a run, as one of them sees them.
pub struct Ranks {
    /// Connects them.
    pub communicator: Box<dyn Communicator>,
    /// Threads for this process: its share of the cores that it may use.
    pub threads: u32,
}

/// Joins the processes that were started together with this one; none where it is alone.
///
/// # Errors
///
/// MPI cannot be used from more than one thread.
#[cfg(not(feature = "mpi"))]
pub fn join() -> crate::error::Result<Option<Ranks>> {
    Ok(None)
}

#[cfg(feature = "mpi")]
pub use by_mpi::join;

#[cfg(feature = "mpi")]
mod by_mpi;
