//! Sums as rows of integers. The sums of any parts of the choices of a pass add up, number by number, to those of all:
//! so parts may be summed by threads, or by processes on several machines.

use crate::error::{Error, Result};

/// The integers of some sums, to be taken in the order in which they were written.
pub(crate) struct Numbers<'a> {
    rest: &'a [i128],
}

impl<'a> Numbers<'a> {
    pub fn new(numbers: &'a [i128]) -> Numbers<'a> {
        Numbers { rest: numbers }
    }

    /// The next integers.
    pub fn take(&mut self, count: usize) -> Result<&'a [i128]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(other_sums)?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next integer, of a type that holds it.
    pub fn next<T: TryFrom<i128>>(&mut self) -> Result<T> {
        T::try_from(self.take(1)?[0]).map_err(|_| other_sums())
    }

    /// So many counts.
    pub fn counts(&mut self, count: usize) -> Result<Vec<u64>> {
        (0..count).map(|_| self.next()).collect()
    }

    /// Checks that nothing is left.
    pub fn end(&self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(other_sums()) }
    }
}

/// Bits of the lower two limbs of a number.
const LIMB_BITS: u32 = 44;

/// Numbers of 64 bits that can be added place by place, and then put together again: the two lower limbs of each number
/// have 44 bits, so that the limbs of 2^19 parts add up without overflow.
pub(crate) fn limbs(numbers: &[i128]) -> Vec<i64> {
    let mask = (1 << LIMB_BITS) - 1;
    let limbs = |&number: &i128| {
        [number & mask, (number >> LIMB_BITS) & mask, number >> (2 * LIMB_BITS)].map(|limb| limb as i64)
    };
    numbers.iter().flat_map(limbs).collect()
}

/// The numbers of [`limbs`] that were added up.
///
/// # Errors
///
/// A sum beyond 128 bits.
pub(crate) fn from_limbs(limbs: &[i64]) -> Result<Vec<i128>> {
    let number = |limbs: &[i64; 3]| {
        let [low, middle, high] = limbs.map(i128::from);
        let high = high.checked_mul(1 << (2 * LIMB_BITS)).ok_or(Error::SumsTooLarge)?;
        high.checked_add((middle << LIMB_BITS) + low).ok_or(Error::SumsTooLarge)
    };
    limbs.as_chunks::<3>().0.iter().map(number).collect()
}

fn other_sums() -> Error {
    Error::input("sums of the same fit", "others")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_their_order_and_no_more_of_them() {
        let mut numbers = Numbers::new(&[1, -2, 3, 4]);
        assert_eq!(numbers.next::<u64>().unwrap(), 1);
        assert!(numbers.end().is_err());
        assert_eq!(numbers.next::<i64>().unwrap(), -2);
        assert_eq!(numbers.counts(2).unwrap(), [3, 4]);
        numbers.end().unwrap();
        assert!(numbers.next::<i64>().is_err());
        assert!(Numbers::new(&[-1]).next::<u64>().is_err());
    }

    #[test]
    fn limbs_of_many_parts_add_up_to_their_numbers() {
        let large = i128::MAX / 4;
        let parts =
            [[large, -1, 5], [large, -large, 1 << 88], [-3, -large, -(1 << 44)], [0, i128::MIN / 4, 0]];
        let mut limbs_sum = vec![0; 9];
        let mut sum = vec![0; 3];
        for part in &parts {
            limbs_sum.iter_mut().zip(limbs(part)).for_each(|(to, limb)| *to += limb);
            sum.iter_mut().zip(part).for_each(|(to, number)| *to += number);
        }
        assert_eq!(from_limbs(&limbs_sum).unwrap(), sum);
        let too_large: Vec<i64> = limbs(&[i128::MAX]).iter().map(|limb| 2 * limb).collect();
        assert!(matches!(from_limbs(&too_large), Err(Error::SumsTooLarge)));
    }
}
