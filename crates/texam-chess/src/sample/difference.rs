//! Two sets of weights on the same positions: by how much the one agrees better with the winners.
//!
//! Most positions are matched by both sets or by neither. Only the others tell the sets apart, so a paired
//! difference is far surer than the difference of two shares.

use texam_fit::Standing;

use crate::game::WinnerPosition;

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
        Difference::by_cluster(first, second, |one, other| one == other)
    }

    /// As [`Difference::of`], with standard errors clustered by game: positions of one game resemble each other.
    ///
    /// With d_g the sum of the differences in game g and n_g its positions, the variance of the mean d over N
    /// positions is sum (d_g - n_g d)^2 / N^2.
    pub fn by_game(first: &[Standing], second: &[Standing], positions: &[WinnerPosition]) -> Difference {
        Difference::by_cluster(first, second, |one, other| positions[one].game == positions[other].game)
    }

    /// Compares with errors over clusters of neighbouring positions. `is_same` says whether two neighbours are in one.
    fn by_cluster(
        first: &[Standing],
        second: &[Standing],
        is_same: impl Fn(usize, usize) -> bool,
    ) -> Difference {
        let (mut matches, mut doubled_ranks) = (Sums::default(), Sums::default());
        let (mut only_first, mut only_second) = (0, 0);
        for (at, (a, b)) in first.iter().zip(second).enumerate() {
            if at > 0 && !is_same(at - 1, at) {
                matches.end_cluster();
                doubled_ranks.end_cluster();
            }
            if a.legal < 2 {
                continue;
            }
            let [one, other] = [a.is_match(), b.is_match()];
            only_first += u64::from(one && !other);
            only_second += u64::from(other && !one);
            matches.add(i64::from(one) - i64::from(other));
            doubled_ranks.add(a.doubled_rank() as i64 - b.doubled_rank() as i64);
        }
        let (positions, match_rate, match_error) = matches.finish();
        let (_, doubled_rank, doubled_error) = doubled_ranks.finish();
        Difference {
            positions,
            match_rate,
            match_error,
            mean_rank: doubled_rank / 2.0,
            mean_rank_error: doubled_error / 2.0,
            only_first,
            only_second,
        }
    }
}

/// Sums over clusters, each with its number of positions n and its sum of differences d.
#[derive(Default)]
struct Sums {
    /// n and d of the cluster that is being summed.
    open: [i64; 2],
    /// Sums of n and of d.
    plain: [i64; 2],
    /// Sums of n n, n d and d d.
    products: [i64; 3],
}

impl Sums {
    fn add(&mut self, difference: i64) {
        self.open[0] += 1;
        self.open[1] += difference;
    }

    fn end_cluster(&mut self) {
        let [n, d] = std::mem::take(&mut self.open);
        self.plain = [self.plain[0] + n, self.plain[1] + d];
        let [nn, nd, dd] = self.products;
        self.products = [nn + n * n, nd + n * d, dd + d * d];
    }

    /// The number of positions, the mean difference and its standard error.
    fn finish(mut self) -> (u64, f64, f64) {
        self.end_cluster();
        let [positions, sum] = self.plain;
        let n = positions.max(1) as f64;
        let mean = sum as f64 / n;
        let [nn, nd, dd] = self.products.map(|product| product as f64);
        let scatter = dd - 2.0 * mean * nd + mean * mean * nn;
        (positions as u64, mean, scatter.max(0.0).sqrt() / n)
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
    fn differences_that_a_whole_game_shares_count_as_one() {
        let first = standings(&[(20, 0, 0); 6]);
        let second = standings(&[(20, 1, 0), (20, 1, 0), (20, 1, 0), (20, 0, 0), (20, 0, 0), (20, 0, 0)]);
        let positions = crate::sample::testing::positions(60);
        let in_games = |games: [u32; 6]| {
            let position = |game| {
                let mut position = positions[0];
                position.game = game;
                position
            };
            Difference::by_game(&first, &second, &games.map(position))
        };
        let alone = Difference::of(&first, &second);
        assert_eq!(in_games([0, 1, 2, 3, 4, 5]), alone);
        // Two clusters of three: (3 - 3/2)^2 + (0 - 3/2)^2 = 4.5.
        let shared = in_games([0, 0, 0, 1, 1, 1]);
        assert_eq!((shared.match_rate, shared.only_first), (alone.match_rate, 3));
        assert!((shared.match_error - 4.5f64.sqrt() / 6.0).abs() < 1e-12);
        assert!(shared.match_error > alone.match_error);
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
