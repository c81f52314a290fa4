//! The sequential probability ratio test (SPRT): play until one of two hypotheses about the Elo difference is
//! likely enough.
//!
//! Generalised sequential probability ratio test on pairs of games, with logistic Elo. The ratio compares the
//! most likely distributions of pair scores whose mean is that of elo1 and that of elo0. For a mean s that
//! distribution is p_k / (1 + t (x_k - s)), where t solves sum p_k (x_k - s) / (1 + t (x_k - s)) = 0 (Michel
//! Van den Bergh, "Comments on normalized Elo" and "support_MLE_multinomial", proposition 1.1, as in
//! fishtest's LLRcalc). As there, a count of 0 becomes 0.001, so that every distribution has a mean on both
//! sides.

use super::score::score_of;

/// Probability of each of the two errors, alpha and beta.
const ERROR: f64 = 0.05;

/// Replaces a count of 0.
const ALMOST_NONE: f64 = 1e-3;

/// The two hypotheses about the Elo difference that the test compares.
///
/// ```
/// use texam_play::matches::sprt::{Sprt, Verdict};
///
/// let sprt = Sprt { elo0: 0.0, elo1: 10.0 };
/// // Pairs of games by the points of the first player: 0, 1/2, 1, 3/2, 2.
/// assert_eq!(sprt.verdict(&[23, 23, 78, 20, 56]), Verdict::Open);
/// assert_eq!(sprt.verdict(&[230, 230, 780, 200, 560]), Verdict::Elo1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The lower Elo difference, H0.
    pub elo0: f64,
    /// The higher Elo difference, H1.
    pub elo1: f64,
}

/// State of the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// H0 is accepted.
    Elo0,
    /// H1 is accepted.
    Elo1,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// Bound of the log-likelihood ratio: the test ends at plus or minus this.
    pub fn bound() -> f64 {
        libm::log((1.0 - ERROR) / ERROR)
    }

    /// Log-likelihood ratio (LLR) of H1 to H0 for these pairs.
    pub fn log_likelihood_ratio(&self, pentanomial: &[u64; 5]) -> f64 {
        if pentanomial.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pentanomial.map(|count| if count == 0 { ALMOST_NONE } else { count as f64 });
        let [s0, s1] = [self.elo0, self.elo1].map(score_of);
        let [t0, t1] = [s0, s1].map(|s| solve_t(&counts, s));
        let log_ratio = |k: usize| {
            let x = k as f64 / 4.0;
            // ln p1 - ln p0; the observed share cancels.
            libm::log(1.0 + t0 * (x - s0)) - libm::log(1.0 + t1 * (x - s1))
        };
        counts.iter().enumerate().map(|(k, count)| count * log_ratio(k)).sum()
    }

    /// State of the test after these pairs.
    pub fn verdict(&self, pentanomial: &[u64; 5]) -> Verdict {
        let ratio = self.log_likelihood_ratio(pentanomial);
        if ratio >= Sprt::bound() {
            Verdict::Elo1
        } else if ratio <= -Sprt::bound() {
            Verdict::Elo0
        } else {
            Verdict::Open
        }
    }
}

/// Solves the equation for t by bisection: the sum falls from plus to minus infinity between the poles.
fn solve_t(counts: &[f64; 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let sum = |t: f64| {
        let term = |(k, count): (usize, &f64)| {
            let distance = k as f64 / 4.0 - mean;
            count * distance / (1.0 + t * distance)
        };
        counts.iter().enumerate().map(term).sum::<f64>()
    };
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if sum(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, but {expected} is expected");
    }

    #[test]
    fn ratios_are_those_of_fastchess() {
        // The tests of fastchess, app/tests/sprt_test.cpp, "logistic pentanomial", to their 1 per cent.
        for (elo0, elo1, pairs, expected) in [
            (0.5, 2.5, [223, 9863, 20279 + 1000, 10037, 246], -3.07),
            (0.0, 2.0, [871, 26175, 55003 + 980, 26678, 821], -4.98),
        ] {
            let ratio = Sprt { elo0, elo1 }.log_likelihood_ratio(&pairs);
            assert_near(ratio, expected, 0.01 * f64::abs(expected));
        }
    }

    #[test]
    fn the_bound_is_the_published_2_94() {
        assert_near(Sprt::bound(), 2.944_438_979, 1e-9);
    }

    #[test]
    fn for_small_differences_the_ratio_is_that_of_a_drift() {
        // Van den Bergh's approximation: N (s1 - s0) (2 m - s0 - s1) / (2 v).
        let pairs = [100, 700, 1500, 760, 120];
        let sprt = Sprt { elo0: 0.0, elo1: 5.0 };
        let n: u64 = pairs.iter().sum();
        let over = |f: &dyn Fn(f64) -> f64| {
            pairs.iter().zip(0..).map(|(&c, k)| c as f64 * f(f64::from(k) / 4.0)).sum::<f64>() / n as f64
        };
        let mean = over(&|x| x);
        let variance = over(&|x| (x - mean).powi(2));
        let [s0, s1] = [0.0, 5.0].map(score_of);
        let drift = n as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert_near(sprt.log_likelihood_ratio(&pairs), drift, 0.01);
    }

    #[test]
    fn results_seen_from_the_other_side_give_the_opposite_ratio() {
        let pairs = [3, 20, 50, 31, 9];
        let mut turned = pairs;
        turned.reverse();
        let ratio = Sprt { elo0: -5.0, elo1: 5.0 }.log_likelihood_ratio(&pairs);
        assert_near(Sprt { elo0: -5.0, elo1: 5.0 }.log_likelihood_ratio(&turned), -ratio, 1e-9);
        assert!(ratio > 0.0);
    }

    #[test]
    fn nothing_is_decided_without_games_and_one_sided_results_decide() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0 };
        assert_eq!(sprt.log_likelihood_ratio(&[0; 5]), 0.0);
        assert_eq!(sprt.verdict(&[0; 5]), Verdict::Open);
        assert_eq!(sprt.verdict(&[0, 0, 5, 20, 200]), Verdict::Elo1);
        assert_eq!(sprt.verdict(&[200, 20, 5, 0, 0]), Verdict::Elo0);
        assert!(sprt.log_likelihood_ratio(&[0, 0, 0, 0, 50]).is_finite());
    }
}
