//! SplitMix64, a generator of random numbers for hash keys, the order of openings and tests.

/// The generator SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, 2014), started with a seed.
#[derive(Debug, Clone)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// Difference of successive states: 2^64 divided by the golden ratio, made odd.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The next 64 random bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next random number from 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Output number `n`, counted from 1, of the generator started with seed 0.
    pub const fn nth(n: u64) -> u64 {
        SplitMix64((n - 1).wrapping_mul(Self::STEP)).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        // The first outputs for seed 1234567 of splitmix64.c by Sebastiano Vigna, as listed by Rosetta Code.
        let mut random = SplitMix64(1_234_567);
        let found = [random.next(), random.next(), random.next()];
        assert_eq!(found, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
        let mut from_zero = SplitMix64(0);
        assert_eq!([1, 2, 3].map(SplitMix64::nth), [from_zero.next(), from_zero.next(), from_zero.next()]);
    }
}
