//! Two sets of weights on the same positions: by how much the one agrees better with the winners.
//!
//! Most positions are matched by both sets or by neither. Only the others tell the sets apart, so a paired
//! difference is far surer than the difference of two shares.

use texam_fit::Standing;

/// The first of two sets less the second, paired position by position.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// Positions with at least two legal moves.
    pub positions: u64,
    /// Difference of the match rates.
    pub match_rate: f64,
    /// Its standard error.
    pub match_error: f64,
    /// Difference of the mean ranks, ties counted half; below 0 if the first set ranks the played moves better.
    pub mean_rank: f64,
    /// Its standard error.
    pub mean_rank_error: f64,
    /// Positions that only the first set matches.
    pub only_first: u64,
    /// Positions that only the second set matches.
    pub only_second: u64,
}

impl Difference {
    /// Compares the standings of the same positions in the same order.
    ///
    /// With b and c the positions that one set alone matches, the difference of the rates over N positions
    /// is (b - c)/N and its variance (b + c - (b - c)^2/N)/N^2, as for McNemar's test.
    pub fn of(first: &[Standing], second: &[Standing]) -> Difference {
        let (mut matches, mut doubled_ranks) = (Sums::default(), Sums::default());
        let (mut positions, mut only_first, mut only_second) = (0, 0, 0);
        for (a, b) in first.iter().zip(second).filter(|(a, _)| a.legal >= 2) {
            positions += 1;
            let [one, other] = [a.is_match(), b.is_match()];
            only_first += u64::from(one && !other);
            only_second += u64::from(other && !one);
            matches.add(i64::from(one) - i64::from(other));
            doubled_ranks.add(a.doubled_rank() as i64 - b.doubled_rank() as i64);
        }
        Difference {
            positions,
            match_rate: matches.mean(positions),
            match_error: matches.error(positions),
            mean_rank: doubled_ranks.mean(positions) / 2.0,
            mean_rank_error: doubled_ranks.error(positions) / 2.0,
            only_first,
            only_second,
        }
    }
}

/// Sums of differences and of their squares.
#[derive(Default)]
struct Sums {
    plain: i64,
    squares: i64,
}

impl Sums {
    fn add(&mut self, difference: i64) {
        self.plain += difference;
        self.squares += difference * difference;
    }

    fn mean(&self, count: u64) -> f64 {
        self.plain as f64 / count.max(1) as f64
    }

    fn error(&self, count: u64) -> f64 {
        let n = count.max(1) as f64;
        let scatter = self.squares as f64 - (self.plain as f64).powi(2) / n;
        scatter.max(0.0).sqrt() / n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(all: &[(u32, u32, u32)]) -> Vec<Standing> {
        all.iter().map(|&(legal, ahead, tied)| Standing { legal, ahead, tied, rows: 0 }).collect()
    }

    #[test]
    fn only_positions_that_one_set_alone_matches_count_and_forced_moves_do_not() {
        // Both, the first, the second, the first again, neither, and a forced move.
        let first = standings(&[(20, 0, 0), (20, 0, 0), (20, 3, 0), (20, 0, 0), (20, 0, 1), (1, 0, 0)]);
        let second = standings(&[(20, 0, 0), (20, 2, 0), (20, 0, 0), (20, 0, 2), (20, 1, 0), (1, 0, 0)]);
        let difference = Difference::of(&first, &second);
        assert_eq!((difference.positions, difference.only_first, difference.only_second), (5, 2, 1));
        assert!((difference.match_rate - 0.2).abs() < 1e-12);
        assert!((difference.match_error - (3.0f64 - 0.2).sqrt() / 5.0).abs() < 1e-12);
        // Ranks, ties counted half, differ by 0, -2, 3, -1 and -1/2.
        assert!((difference.mean_rank + 0.1).abs() < 1e-12);
        assert!((difference.mean_rank_error - 14.2f64.sqrt() / 5.0).abs() < 1e-12);
    }

    #[test]
    fn the_other_way_round_the_signs_turn_and_the_errors_stay() {
        let first = standings(&[(20, 0, 0), (20, 4, 0), (5, 1, 1)]);
        let second = standings(&[(20, 1, 0), (20, 1, 0), (5, 0, 0)]);
        let [there, back] = [Difference::of(&first, &second), Difference::of(&second, &first)];
        assert_eq!((there.match_rate, there.mean_rank), (-back.match_rate, -back.mean_rank));
        assert_eq!((there.match_error, there.mean_rank_error), (back.match_error, back.mean_rank_error));
        assert!(there.mean_rank > 0.0 && there.match_error > 0.0);
    }

    #[test]
    fn the_same_standings_and_none_at_all_differ_in_nothing() {
        let same = standings(&[(20, 0, 0), (20, 7, 1)]);
        assert_eq!(Difference::of(&same, &same), Difference { positions: 2, ..Difference::default() });
        assert_eq!(Difference::of(&[], &[]), Difference::default());
    }
}
