//! Two sets of weights on the same positions: by how much the one agrees better with the winners.
//!
//! Most positions are matched by both sets or by neither. Only the others tell the sets apart, so a paired
//! difference is far surer than the difference of two shares.

use texam_fit::{ClusterCounts, Standing};

use crate::game::WinnerPosition;

/// The first of two sets less the second, paired position by position.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// Positions with at least two legal moves.
    pub positions: u64,
    /// Differences of the match rates and of the mean ranks, with their standard errors.
    pub means: texam_fit::Difference,
    /// Positions that only the first set matches.
    pub only_first: u64,
    /// Positions that only the second set matches.
    pub only_second: u64,
}

impl Difference {
    /// Compares the standings of the same positions in the same order, with standard errors clustered by game: positions
    /// of one game resemble each other.
    pub fn by_game(first: &[Standing], second: &[Standing], positions: &[WinnerPosition]) -> Difference {
        Difference::by_cluster(first, second, |position| positions[position].game.into())
    }

    /// Compares with errors over clusters of neighbouring positions, by their numbers.
    pub fn by_cluster(first: &[Standing], second: &[Standing], cluster: impl Fn(usize) -> u64) -> Difference {
        let only = |one: &[Standing], other: &[Standing]| {
            one.iter().zip(other).filter(|(one, other)| one.is_match() && !other.is_match()).count() as u64
        };
        let counts = |standings: &[Standing]| {
            let mut clusters: Vec<ClusterCounts> = Vec::new();
            for (position, standing) in standings.iter().enumerate() {
                let cluster = cluster(position);
                if clusters.last().is_none_or(|last| last.cluster != cluster) {
                    clusters.push(ClusterCounts::new(cluster));
                }
                clusters.last_mut().expect("one was pushed").count(standing);
            }
            clusters
        };
        let [one, other] = [first, second].map(counts);
        Difference {
            positions: one.iter().map(|counts| u64::from(counts.choices)).sum(),
            means: texam_fit::Difference::between(&one, &other).unwrap_or_default(),
            only_first: only(first, second),
            only_second: only(second, first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(all: &[(u32, u32, u32)]) -> Vec<Standing> {
        all.iter()
            .map(|&(alternatives, ahead, tied)| Standing { alternatives, ahead, tied, rows: 0 })
            .collect()
    }

    /// Each position in a cluster of its own: with b and c the positions that one set alone matches, the variance of the
    /// difference of the rates is (b + c - (b - c)^2/N)/N^2, as for McNemar's test.
    fn of(first: &[Standing], second: &[Standing]) -> Difference {
        Difference::by_cluster(first, second, |position| position as u64)
    }

    #[test]
    fn only_positions_that_one_set_alone_matches_count_and_forced_moves_do_not() {
        // Both, the first, the second, the first again, neither, and a forced move.
        let first = standings(&[(20, 0, 0), (20, 0, 0), (20, 3, 0), (20, 0, 0), (20, 0, 1), (1, 0, 0)]);
        let second = standings(&[(20, 0, 0), (20, 2, 0), (20, 0, 0), (20, 0, 2), (20, 1, 0), (1, 0, 0)]);
        let difference = of(&first, &second);
        assert_eq!((difference.positions, difference.only_first, difference.only_second), (5, 2, 1));
        assert!((difference.means.match_rate - 0.2).abs() < 1e-12);
        assert!((difference.means.match_error - (3.0f64 - 0.2).sqrt() / 5.0).abs() < 1e-12);
        // Ranks, ties counted half, differ by 0, -2, 3, -1 and -1/2.
        assert!((difference.means.mean_rank + 0.1).abs() < 1e-12);
        assert!((difference.means.mean_rank_error - 14.2f64.sqrt() / 5.0).abs() < 1e-12);
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
        let alone = of(&first, &second);
        assert_eq!(in_games([0, 1, 2, 3, 4, 5]), alone);
        // Two clusters of three: (3 - 3/2)^2 + (0 - 3/2)^2 = 4.5.
        let shared = in_games([0, 0, 0, 1, 1, 1]);
        assert_eq!((shared.means.match_rate, shared.only_first), (alone.means.match_rate, 3));
        assert!((shared.means.match_error - 4.5f64.sqrt() / 6.0).abs() < 1e-12);
        assert!(shared.means.match_error > alone.means.match_error);
    }

    #[test]
    fn the_other_way_round_the_signs_turn_and_the_errors_stay() {
        let first = standings(&[(20, 0, 0), (20, 4, 0), (5, 1, 1)]);
        let second = standings(&[(20, 1, 0), (20, 1, 0), (5, 0, 0)]);
        let [there, back] = [of(&first, &second), of(&second, &first)];
        assert_eq!(
            (there.means.match_rate, there.means.mean_rank),
            (-back.means.match_rate, -back.means.mean_rank)
        );
        assert_eq!(
            (there.means.match_error, there.means.mean_rank_error),
            (back.means.match_error, back.means.mean_rank_error)
        );
        assert!(there.means.mean_rank > 0.0 && there.means.match_error > 0.0);
    }

    #[test]
    fn the_same_standings_and_none_at_all_differ_in_nothing() {
        let same = standings(&[(20, 0, 0), (20, 7, 1)]);
        assert_eq!(of(&same, &same), Difference { positions: 2, ..Difference::default() });
        assert_eq!(of(&[], &[]), Difference::default());
    }
}
