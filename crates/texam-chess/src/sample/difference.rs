//! Two sets of weights on the same positions: by how much the one agrees better with the winners.
//!
//! Most positions are matched by both sets or by neither. Only the others tell the sets apart, so a paired
//! difference is far surer than the difference of two shares.

use serde::{Deserialize, Serialize};
use texam_fit::ClusterCounts;

/// The first of two sets less the second, paired position by position.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
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
    /// Compares what the games of the same positions count, with standard errors clustered by game: positions
    /// of one game resemble each other.
    pub fn by_game(first: &[ClusterCounts], second: &[ClusterCounts]) -> Difference {
        let ranks = |games: &[ClusterCounts]| games.iter().flat_map(|game| game.ranks.clone()).collect();
        let [one, other]: [Vec<[u8; 2]>; 2] = [first, second].map(ranks);
        // A forced move has nothing ahead of it under either set.
        let only = |one: &[[u8; 2]], other: &[[u8; 2]]| {
            one.iter().zip(other).filter(|&(&one, &other)| one == [0, 0] && other != [0, 0]).count() as u64
        };
        Difference {
            positions: first.iter().map(|game| u64::from(game.choices)).sum(),
            means: texam_fit::Difference::between(first, second).unwrap_or_default(),
            only_first: only(&one, &other),
            only_second: only(&other, &one),
        }
    }
}

#[cfg(test)]
mod tests {
    use texam_fit::Standing;

    use super::*;

    /// What games of so many positions count, each with its legal moves, those ahead of the played one and
    /// those tied with it.
    fn games(all: &[(u32, u32, u32)], positions: usize) -> Vec<ClusterCounts> {
        let game = |(cluster, all): (u64, &[(u32, u32, u32)])| {
            let mut game = ClusterCounts::new(cluster);
            for &(alternatives, ahead, tied) in all {
                game.count(&Standing { alternatives, ahead, tied, rows: 0 });
            }
            game
        };
        (0..).zip(all.chunks(positions)).map(game).collect()
    }

    /// Each position is a game of its own: with b and c the positions that one set alone matches, the
    /// variance of the difference of the rates is (b + c - (b - c)^2/N)/N^2, as for McNemar's test.
    fn of(first: &[(u32, u32, u32)], second: &[(u32, u32, u32)]) -> Difference {
        Difference::by_game(&games(first, 1), &games(second, 1))
    }

    #[test]
    fn only_positions_that_one_set_alone_matches_count_and_forced_moves_do_not() {
        // Both, the first, the second, the first again, neither, and a forced move.
        let first = [(20, 0, 0), (20, 0, 0), (20, 3, 0), (20, 0, 0), (20, 0, 1), (1, 0, 0)];
        let second = [(20, 0, 0), (20, 2, 0), (20, 0, 0), (20, 0, 2), (20, 1, 0), (1, 0, 0)];
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
        let first = [(20, 0, 0); 6];
        let second = [(20, 1, 0), (20, 1, 0), (20, 1, 0), (20, 0, 0), (20, 0, 0), (20, 0, 0)];
        let alone = of(&first, &second);
        // Two clusters of three: (3 - 3/2)^2 + (0 - 3/2)^2 = 4.5.
        let shared = Difference::by_game(&games(&first, 3), &games(&second, 3));
        assert_eq!((shared.means.match_rate, shared.only_first), (alone.means.match_rate, 3));
        assert!((shared.means.match_error - 4.5f64.sqrt() / 6.0).abs() < 1e-12);
        assert!(shared.means.match_error > alone.means.match_error);
    }

    #[test]
    fn the_other_way_round_the_signs_turn_and_the_errors_stay() {
        let first = [(20, 0, 0), (20, 4, 0), (5, 1, 1)];
        let second = [(20, 1, 0), (20, 1, 0), (5, 0, 0)];
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
    fn the_same_ranks_and_none_at_all_differ_in_nothing() {
        let same = [(20, 0, 0), (20, 7, 1)];
        assert_eq!(of(&same, &same), Difference { positions: 2, ..Difference::default() });
        assert_eq!(of(&[], &[]), Difference::default());
    }
}
