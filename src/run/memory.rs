//! Sizes of memory: as they are typed, and how much this machine has for the best moves of a run.

use std::{fmt, str::FromStr};

use crate::{
    error::{Error, Result},
    sample::DEFAULT_ROOM,
};

/// A number of bytes, typed and printed with a unit: `512M`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub u64);

impl ByteSize {
    /// What is expected of its text.
    pub const EXPECTED: &str = "a size in bytes, or with K, M or G (KiB, MiB, GiB), such as 512M";
}

/// The powers of 1024 with their units, as they are printed and in full.
const UNITS: [(u64, &str, &str); 3] = [(1 << 30, "G", "GiB"), (1 << 20, "M", "MiB"), (1 << 10, "K", "KiB")];

impl FromStr for ByteSize {
    type Err = Error;

    fn from_str(text: &str) -> Result<ByteSize> {
        let wrong = || Error::expected(ByteSize::EXPECTED, format!("{text:?}"));
        let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        let is_unit = |&&(_, short, long): &&(u64, &str, &str)| unit == short || unit == long;
        let factor = match UNITS.iter().find(is_unit) {
            Some(&(factor, ..)) => factor,
            None if unit.is_empty() => 1,
            None => return Err(wrong()),
        };
        number.checked_mul(factor).map(ByteSize).ok_or_else(wrong)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(factor, ..)| self.0 > 0 && self.0.is_multiple_of(*factor)) {
            Some((factor, unit, _)) => write!(f, "{}{unit}", self.0 / factor),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Bytes of best moves that a process keeps where no other number is chosen: a sixteenth of the memory of this machine,
/// shared among as many processes of the run, and not less than where the memory is unknown.
pub fn default_hints_memory(processes: u32) -> usize {
    let share = machine_memory().unwrap_or(0) / SHARE / u64::from(processes.max(1));
    usize::try_from(share).unwrap_or(usize::MAX).max(DEFAULT_ROOM)
}

/// The part of the memory that best moves may take.
const SHARE: u64 = 16;

/// Bytes of memory that this process may use; none if the system does not say.
#[cfg(target_os = "linux")]
fn machine_memory() -> Option<u64> {
    use std::{fs, path::Path};
    let total = of_meminfo(&fs::read_to_string("/proc/meminfo").ok()?)?;
    let group = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = group.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let limit = |folder: &Path| {
        fs::read_to_string(Path::new("/sys/fs/cgroup").join(folder).join("memory.max"))
            .ok()?
            .trim()
            .parse()
            .ok()
    };
    let limits = Path::new(group).ancestors().filter_map(limit);
    Some(limits.fold(total, u64::min))
}

#[cfg(not(target_os = "linux"))]
fn machine_memory() -> Option<u64> {
    None
}

/// The memory of the machine by a text such as that of `/proc/meminfo`.
#[cfg(target_os = "linux")]
fn of_meminfo(text: &str) -> Option<u64> {
    let words = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = words.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_printed_in_its_largest_unit_and_read_back() {
        for (text, bytes, printed) in [
            ("0", 0, "0"),
            ("1000", 1000, "1000"),
            ("1024", 1024, "1K"),
            ("1536M", 1536 << 20, "1536M"),
            ("64MiB", 64 << 20, "64M"),
            ("2048KiB", 2 << 20, "2M"),
            ("3GiB", 3 << 30, "3G"),
        ] {
            let size: ByteSize = text.parse().unwrap();
            assert_eq!((size, &*size.to_string()), (ByteSize(bytes), printed));
            assert_eq!(printed.parse::<ByteSize>().unwrap(), size);
        }
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for wrong in ["", "M", "-1", "1.5G", "64MB", "64 M", "64m", "64Mi", "1T", "99999999999G", "+1K"] {
            let error = wrong.parse::<ByteSize>().unwrap_err().to_string();
            assert!(error.contains("such as 512M, but found") && error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn processes_of_a_run_share_what_best_moves_may_take() {
        let [one, two, many] = [1, 2, u32::MAX].map(default_hints_memory);
        assert!(one >= two && two >= many && 2 * two >= one);
        assert_eq!(many, DEFAULT_ROOM);
        assert_eq!(machine_memory().is_some(), cfg!(target_os = "linux"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_memory_of_a_machine_is_read_in_kib() {
        assert_eq!(of_meminfo("MemTotal:       24594028 kB\nMemFree:  1 kB\n"), Some(24_594_028 << 10));
        for other in ["", "MemTotal: many kB", "MemTotal: 12", "MemFree: 12 kB"] {
            assert_eq!(of_meminfo(other), None);
        }
    }
}
