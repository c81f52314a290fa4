//! The processes that `mpirun` has started.

use std::panic;

use mpi::{
    Threading,
    collective::SystemOperation,
    environment::Universe,
    topology::SimpleCommunicator,
    traits::{Communicator as _, CommunicatorCollectives, Destination, Root, Source},
};
use texam_fit::Communicator;

use super::{
    Ranks,
    cores::{CORES_LISTED, own_cores, share},
};
use crate::error::{Error, Result};

/// Joins the processes that were started together with this one; none where it is alone.
pub fn join() -> Result<Option<Ranks>> {
    let started = mpi::initialize_with_threading(Threading::Serialized);
    let Some((universe, threading)) = started else { return Ok(None) };
    if universe.world().size() == 1 {
        return Ok(None);
    }
    if threading < Threading::Serialized {
        let found = "one that allows calls of one thread only; use another";
        return Err(Error::expected("an MPI library for several threads", found));
    }
    // The others would wait for ever for a rank that fails on the way.
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        print(info);
        world().abort(101);
    }));
    let node = universe.world().split_shared(0);
    let mut cores = vec![0; CORES_LISTED];
    node.all_reduce_into(&own_cores()[..], &mut cores[..], SystemOperation::bitwise_or());
    let threads = share(&cores, node.size() as u32);
    Ok(Some(Ranks { communicator: Box::new(Mpi { _universe: universe }), threads }))
}

/// All processes that `mpirun` has started.
struct Mpi {
    /// MPI ends with it.
    _universe: Universe,
}

fn world() -> SimpleCommunicator {
    SimpleCommunicator::world()
}

impl Communicator for Mpi {
    fn rank(&self) -> usize {
        world().rank() as usize
    }

    fn size(&self) -> usize {
        world().size() as usize
    }

    fn broadcast(&self, mut message: Vec<u8>) -> Vec<u8> {
        let (world, mut length) = (world(), message.len() as u64);
        let root = world.process_at_rank(0);
        root.broadcast_into(&mut length);
        message.resize(length as usize, 0);
        if length > 0 {
            root.broadcast_into(&mut message[..]);
        }
        message
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        world().process_at_rank(to as i32).send(&message[..]);
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        world().process_at_rank(from as i32).receive_vec().0
    }

    fn abort(&self) -> ! {
        world().abort(2)
    }
}
