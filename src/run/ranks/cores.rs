//! The cores of a machine that several processes share.

use rustix::thread::sched_getaffinity;

/// Words of 64 bits in a list of cores: as many cores as Linux lists.
pub const CORES_LISTED: usize = 1024 / 64;

/// The cores that this process may use, a bit each.
pub fn own_cores() -> [u64; CORES_LISTED] {
    let mut cores = [0; CORES_LISTED];
    let allowed = sched_getaffinity(None).unwrap_or_default();
    for core in (0..64 * CORES_LISTED).filter(|&core| allowed.is_set(core)) {
        cores[core / 64] |= 1 << (core % 64);
    }
    cores
}

/// The share of one of several processes in the cores that they may use together, at least one.
pub fn share(cores: &[u64], processes: u32) -> u32 {
    (cores.iter().map(|word| word.count_ones()).sum::<u32>() / processes).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_share_the_cores_of_their_machine_whether_they_are_bound_to_some_or_to_none() {
        assert_eq!(share(&[0xffff, 0], 1), 16);
        assert_eq!(share(&[0xffff, 0xff], 8), 3);
        assert_eq!(share(&[3], 4), 1);
        assert!(own_cores().iter().any(|&word| word > 0));
    }
}
