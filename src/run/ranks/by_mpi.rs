//! The processes that `mpirun` has started.

use std::panic;

use mpi::{
    Threading,
    collective::SystemOperation,
    datatype::PartitionMut,
    environment::Universe,
    topology::SimpleCommunicator,
    traits::{Communicator as _, CommunicatorCollectives, Root},
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
        root.broadcast_into(&mut message[..]);
        message
    }

    fn gather(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        let (world, length) = (world(), message.len() as i32);
        let root = world.process_at_rank(0);
        if world.rank() > 0 {
            root.gather_into(&length);
            root.gather_varcount_into(&message[..]);
            return Vec::new();
        }
        let mut lengths = vec![0; self.size()];
        root.gather_into_root(&length, &mut lengths[..]);
        let starts: Vec<i32> = (0..lengths.len()).map(|rank| lengths[..rank].iter().sum()).collect();
        let mut all = vec![0; lengths.iter().sum::<i32>() as usize];
        let mut places = PartitionMut::new(&mut all[..], &lengths[..], &starts[..]);
        root.gather_varcount_into_root(&message[..], &mut places);
        let message = |(&start, &length): (&i32, &i32)| all[start as usize..][..length as usize].to_vec();
        starts.iter().zip(&lengths).map(message).collect()
    }

    fn abort(&self) -> ! {
        world().abort(2)
    }

    fn reduce_sum(&self, numbers: Vec<i64>) -> Vec<i64> {
        let world = world();
        let root = world.process_at_rank(0);
        if world.rank() > 0 {
            root.reduce_into(&numbers[..], SystemOperation::sum());
            return numbers;
        }
        let mut sum = vec![0; numbers.len()];
        root.reduce_into_root(&numbers[..], &mut sum[..], SystemOperation::sum());
        sum
    }
}
