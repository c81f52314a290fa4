//! A game between two searchers.

use shakmaty::{Chess, Move, Position};

use super::{
    outcome::{Outcome, Reason},
    referee::Referee,
};
use crate::engine::{GameState, Limits, Score, Searcher};

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// The opening.
    pub start: Chess,
    /// The moves from the opening.
    pub moves: Vec<Move>,
    /// The result.
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: Reason,
}

/// Settings of the games of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSettings {
    /// Limits of the search of each move.
    pub limits: Limits,
    /// Whether games are adjudicated when both sides have agreed on the result for long enough.
    pub adjudicate: bool,
}

/// Plays a game in which the player with index `white` has White. None if `cancelled` returned true before
/// its end.
pub fn play(
    players: &mut [Searcher; 2],
    white: usize,
    start: &Chess,
    settings: &GameSettings,
    cancelled: &dyn Fn() -> bool,
) -> Option<PlayedGame> {
    for player in players.iter_mut() {
        player.new_game();
    }
    let mut game = GameState::new(start.clone());
    let mut referee = Referee::new(start);
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    loop {
        let settled = if settings.adjudicate { adjudicated(&scores) } else { None };
        let ended =
            referee.result(game.position()).or(settled.map(|outcome| (outcome, Reason::Adjudication)));
        if let Some((outcome, reason)) = ended {
            return Some(PlayedGame { start: start.clone(), moves, outcome, reason });
        }
        if cancelled() {
            return None;
        }
        let turn = usize::from(game.position().turn().is_black());
        let result = players[turn ^ white].think(&game, &settings.limits, &mut |_| {});
        let mv = result.best_move().and_then(|mv| game.find(mv));
        let mv = mv.expect("a search of a position with a legal move returns a legal move");
        scores.push(if turn == 0 { result.score } else { -result.score });
        game.play(mv);
        referee.record(game.position());
        moves.push(mv);
    }
}

/// A game is won when this number of successive scores reaches this many units of 1/128 pawn. Hand-set.
const WON: (Score, usize) = (1000, 6);

/// A game is drawn when this number of successive scores stays within this many units of 0. Hand-set.
const DRAWN: (Score, usize) = (10, 16);

/// Number of scores (plies) before which no game is adjudicated as drawn.
const EARLIEST_DRAW: usize = 60;

/// The result of a game, if the last scores from White's view decide it.
fn adjudicated(scores: &[Score]) -> Option<Outcome> {
    let all = |(_, count): (Score, usize), holds: &dyn Fn(Score) -> bool| {
        scores.len() >= count && scores[scores.len() - count..].iter().all(|&score| holds(score))
    };
    if all(WON, &|score| score >= WON.0) {
        Some(Outcome::White)
    } else if all(WON, &|score| score <= -WON.0) {
        Some(Outcome::Black)
    } else if scores.len() >= EARLIEST_DRAW && all(DRAWN, &|score| score.abs() <= DRAWN.0) {
        Some(Outcome::Draw)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use texam_chess::{feature::Weights, position::Evaluation};

    fn players() -> [Searcher; 2] {
        [Weights::start(), Weights::material_only()].map(|weights| {
            Searcher::new(&Evaluation::new(&weights.quantised(), Default::default(), Default::default()), 1)
        })
    }

    fn settings(adjudicate: bool) -> GameSettings {
        GameSettings { limits: Limits::nodes(300), adjudicate }
    }

    fn position(fen: &str) -> Chess {
        texam_chess::fen::parse(fen).unwrap()
    }

    #[test]
    fn a_game_is_played_by_legal_moves_to_an_end_under_the_rules() {
        let game = play(&mut players(), 0, &Chess::default(), &settings(false), &|| false).unwrap();
        let mut position = game.start.clone();
        for &mv in &game.moves {
            assert!(position.is_legal(mv));
            position.play_unchecked(mv);
        }
        assert_eq!(position.is_checkmate(), game.reason == Reason::Mate);
        assert_ne!(game.reason, Reason::Adjudication);
    }

    #[test]
    fn the_same_players_play_the_same_game_again_and_another_with_colours_changed() {
        let mut players = players();
        let mut once =
            |white| play(&mut players, white, &Chess::default(), &settings(false), &|| false).unwrap();
        let first = once(0);
        let turned = once(1);
        assert_eq!(first, once(0));
        assert_ne!(first.moves, turned.moves);
    }

    #[test]
    fn a_queen_more_wins_with_either_colour() {
        for white in [0, 1] {
            let start = position("4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1");
            let settings = GameSettings { limits: Limits::nodes(3000), adjudicate: false };
            let game = play(&mut players(), white, &start, &settings, &|| false).unwrap();
            assert_eq!((game.outcome, game.reason), (Outcome::White, Reason::Mate));
        }
    }

    #[test]
    fn adjudication_ends_a_won_game_early_and_only_when_it_is_asked_for() {
        let start = position("4k3/8/8/8/8/8/PPPP4/3QK3 w - - 0 1");
        let whole = play(&mut players(), 0, &start, &settings(false), &|| false).unwrap();
        let cut = play(&mut players(), 0, &start, &settings(true), &|| false).unwrap();
        assert_eq!((cut.outcome, cut.reason), (Outcome::White, Reason::Adjudication));
        assert!(cut.moves.len() < whole.moves.len());
        assert_eq!(whole.moves[..cut.moves.len()], cut.moves);
    }

    #[test]
    fn a_cancelled_game_is_none() {
        assert_eq!(play(&mut players(), 0, &Chess::default(), &settings(false), &|| true), None);
    }
}
