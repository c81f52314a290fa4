//! Maximum-likelihood Elo ratings of more than two players.
//!
//! The model is that of Bradley and Terry on the logistic scale; a draw counts as half a win and half a loss.
//! The strengths are computed by the iteration of Zermelo (1929): the strength of a player is the number of
//! points divided by the sum over all games of 1/(own strength + strength of the opponent).

/// Result of one player against another.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairingResult {
    /// Points of the player; a draw is half a point.
    pub points: f64,
    /// Number of games between the two.
    pub games: f64,
}

/// Largest number of iterations. With a dozen players far fewer are needed.
const ROUNDS: usize = 10_000;

/// Half a point for each side, that is one draw, is added to every pairing with games, so that a player who
/// won or lost all games has a finite rating.
const PRIOR: f64 = 0.5;

/// Elo of each player, relative to the first. `results[i][j]` is the result of player i against player j.
/// Players without games get 0.
pub fn elo(results: &[Vec<PairingResult>]) -> Vec<f64> {
    let number = results.len();
    let with_prior = |result: &PairingResult| match result.games > 0.0 {
        true => PairingResult { points: result.points + PRIOR, games: result.games + 2.0 * PRIOR },
        false => *result,
    };
    let results: Vec<Vec<PairingResult>> =
        results.iter().map(|row| row.iter().map(with_prior).collect()).collect();
    let mut strength = vec![1.0; number];
    for _ in 0..ROUNDS {
        let mut change: f64 = 0.0;
        for player in 0..number {
            let row = &results[player];
            let points: f64 = row.iter().map(|result| result.points).sum();
            let pairings = row.iter().zip(&strength);
            let share: f64 = pairings.map(|(r, other)| r.games / (strength[player] + other)).sum();
            if share > 0.0 {
                let better = points / share;
                change = change.max((better / strength[player]).ln().abs());
                strength[player] = better;
            }
        }
        if change < 1e-12 {
            break;
        }
    }
    let first = strength.first().copied().unwrap_or(1.0);
    let played = |row: &[PairingResult]| row.iter().any(|result| result.games > 0.0);
    let rating = |(row, strength): (&Vec<PairingResult>, &f64)| match played(row) {
        true => 400.0 * (strength / first).log10(),
        false => 0.0,
    };
    results.iter().zip(&strength).map(rating).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::score::{elo_of, score_of};

    /// What each of these ratings would score against each other in many games.
    fn expected(ratings: &[f64], games: f64) -> Vec<Vec<PairingResult>> {
        let against = |a: f64, b: f64| PairingResult { points: games * score_of(a - b), games };
        let row = |i: usize| {
            let cell =
                |j: usize| if i == j { PairingResult::default() } else { against(ratings[i], ratings[j]) };
            (0..ratings.len()).map(cell).collect()
        };
        (0..ratings.len()).map(row).collect()
    }

    #[test]
    fn ratings_that_made_the_results_are_found_again() {
        let ratings = [0.0, 120.0, -75.0, 300.0];
        for (found, planted) in elo(&expected(&ratings, 1e9)).into_iter().zip(ratings) {
            assert!((found - planted).abs() < 1e-3, "{found} {planted}");
        }
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let found = elo(&expected(&[0.0, 80.0], 1e9));
        assert!((found[1] - elo_of(score_of(80.0))).abs() < 1e-3);
    }

    #[test]
    fn a_player_who_won_all_games_and_one_without_games_have_finite_ratings() {
        let row = |points, games| PairingResult { points, games };
        let none = PairingResult::default();
        let results =
            [vec![none, row(0.0, 10.0), none], vec![row(10.0, 10.0), none, none], vec![none, none, none]];
        let found = elo(&results);
        assert!(found[1] > 100.0 && found.iter().all(|elo| elo.is_finite()), "{found:?}");
        assert_eq!(found[2], 0.0);
    }
}
