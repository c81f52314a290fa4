//! Elo with its error, and likelihood of superiority (LOS), from pairs of games.
//!
//! The two games of a pair share an opening, so they are not independent, but pairs are. Let p_k be the
//! share of pairs with k half points, k = 0 to 4, and x_k = k/4 the score. With the mean m and the variance
//! v of x over N pairs, the error of m is s = sqrt(v/N), and
//!
//! - Elo = -400 log10(1/m - 1), the logistic scale of Arpad Elo;
//! - its 95 % interval goes from Elo(m - 1.96 s) to Elo(m + 1.96 s), and the error is half its width;
//! - the likelihood that the first is better is the normal distribution function at (m - 1/2)/s.
//!
//! Source: Michel Van den Bergh, "A Practical Introduction to the GSPRT" and the statistics of fishtest;
//! fastchess computes the same.

use serde::{Deserialize, Serialize};

use super::outcome::Outcome;

/// Result of a match from the view of the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Number of pairs by points of the first player: 0, 1/2, 1, 3/2, 2.
    pub pentanomial: [u64; 5],
}

/// Quantile of the normal distribution for a 95 % interval.
const QUANTILE: f64 = 1.959_963_984_540_054;

impl Tally {
    /// Adds a pair: the first player has White in the first game and Black in the second.
    pub fn add(&mut self, outcomes: [Outcome; 2]) {
        let mut points = 0;
        for (outcome, own) in outcomes.into_iter().zip([Outcome::White, Outcome::Black]) {
            if outcome == Outcome::Draw {
                self.draws += 1;
                points += 1;
            } else if outcome == own {
                self.wins += 1;
                points += 2;
            } else {
                self.losses += 1;
            }
        }
        self.pentanomial[points] += 1;
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// Mean score of a game, from 0 to 1, and its standard error; none if there are no games.
    pub fn mean(&self) -> Option<(f64, f64)> {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return None;
        }
        let over = |f: &dyn Fn(f64) -> f64| {
            let terms = self.pentanomial.iter().zip(0..).map(|(&n, k)| n as f64 * f(f64::from(k) / 4.0));
            terms.sum::<f64>() / pairs
        };
        let mean = over(&|x| x);
        let variance = over(&|x| (x - mean).powi(2));
        Some((mean, (variance / pairs).sqrt()))
    }

    /// Elo difference; infinite if one side won all games, none if there are no games.
    pub fn elo(&self) -> Option<f64> {
        self.mean().map(|(mean, _)| elo_of(mean))
    }

    /// Half the width of the 95 % interval of [`Tally::elo`], in Elo. None if it is infinite, or if all pairs
    /// have the same score, so that their variance cannot be estimated.
    pub fn elo_error(&self) -> Option<f64> {
        let (mean, error) = self.mean()?;
        let half = (elo_of(mean + QUANTILE * error) - elo_of(mean - QUANTILE * error)) / 2.0;
        (error > 0.0 && half.is_finite()).then_some(half)
    }

    /// Likelihood that the first player is the stronger one, from 0 to 1; none where Elo has no error,
    /// because the games are too few or all alike.
    pub fn superiority(&self) -> Option<f64> {
        self.elo_error()?;
        let (mean, error) = self.mean()?;
        Some(normal((mean - 0.5) / error))
    }
}

/// Elo difference of a mean score; infinite at or beyond 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Equal to -400 log10(1/m - 1), but 1/2 gives 0 instead of -0.
        400.0 * libm::log10(score / (1.0 - score))
    }
}

/// Expected score, from 0 to 1, of an Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// Distribution function of the standard normal distribution: the series of the error function where it
/// converges fast, the continued fraction in the tails (Abramowitz and Stegun 7.1.5, 7.1.14).
pub fn normal(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let upper = if z < 2.5 {
        let mut term = z;
        let mut sum = z;
        for n in 1..100 {
            let n = f64::from(n);
            term *= -z * z / n;
            sum += term / (2.0 * n + 1.0);
        }
        0.5 - sum / std::f64::consts::PI.sqrt()
    } else {
        let fraction = (1..60).rev().fold(z, |below, n| z + f64::from(n) / 2.0 / below);
        libm::exp(-z * z) / fraction / (2.0 * std::f64::consts::PI.sqrt())
    };
    if x > 0.0 { 1.0 - upper } else { upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pentanomial: [u64; 5]) -> Tally {
        Tally { pentanomial, ..Tally::default() }
    }

    fn assert_near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, but {expected} is expected");
    }

    #[test]
    fn elo_its_error_and_superiority_are_those_of_fastchess() {
        // The tests of fastchess, app/tests/elo_test.cpp, "EloPentanomial"; there pairs of two draws stand
        // apart from pairs of a win and a loss.
        for (pairs, elo, error, superiority) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 1.0000),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, 0.0505),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, 0.0),
        ] {
            let tally = tally(pairs);
            assert_near(tally.elo().unwrap(), elo, 0.01);
            assert_near(tally.elo_error().unwrap(), error, 0.01);
            assert_near(tally.superiority().unwrap(), superiority, 0.00006);
        }
    }

    #[test]
    fn elo_and_score_are_inverse_functions_and_follow_the_published_table() {
        // FIDE's table of expected scores, to its two places: 100 points give 0.64, 200 0.76, 400 0.91 by
        // the logistic curve.
        for (elo, score) in [(0.0, 0.5), (100.0, 0.64), (200.0, 0.76), (400.0, 0.91)] {
            assert_near(score_of(elo), score, 0.005);
            assert_near(elo_of(score_of(elo)), elo, 1e-9);
            assert_near(score_of(-elo), 1.0 - score_of(elo), 1e-12);
        }
    }

    #[test]
    fn the_normal_distribution_follows_its_table() {
        // Abramowitz and Stegun, table 26.1.
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (1.96, 0.975_002_105),
            (3.0, 0.998_650_102),
            (4.0, 0.999_968_329),
        ] {
            assert_near(normal(x), p, 1e-9);
            assert_near(normal(-x), 1.0 - p, 1e-9);
        }
    }

    #[test]
    fn no_games_have_no_elo_and_only_wins_have_no_finite_one() {
        assert_eq!((Tally::default().elo(), Tally::default().superiority()), (None, None));
        let wins = tally([0, 0, 0, 0, 7]);
        assert_eq!(wins.elo(), Some(f64::INFINITY));
        assert_eq!((wins.elo_error(), wins.superiority()), (None, None));
        let draws = tally([0, 0, 9, 0, 0]);
        assert_eq!((draws.elo(), draws.elo_error(), draws.superiority()), (Some(0.0), None, None));
        assert_eq!(tally([0, 0, 0, 1, 3]).elo_error(), None);
    }

    #[test]
    fn pairs_are_counted_from_the_side_of_the_first() {
        let mut tally = Tally::default();
        tally.add([Outcome::White, Outcome::Black]);
        tally.add([Outcome::White, Outcome::White]);
        tally.add([Outcome::Draw, Outcome::White]);
        tally.add([Outcome::Draw, Outcome::Draw]);
        let expected = Tally { wins: 3, losses: 2, draws: 3, pentanomial: [0, 1, 2, 0, 1] };
        assert_eq!(tally, expected);
    }
}
