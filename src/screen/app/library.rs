//! The games, and which positions belong to which game. Knows nothing of searches.

use std::{ops::Range, sync::Arc};

use shakmaty::{Chess, Outcome, Position};

use crate::game::{Collection, Game, GameHead, Moves, WinnerPosition};

/// A position of a game, of either side: the one before the move of a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Index of the game, among those that have positions of the winner.
    pub game: usize,
    /// Moves before it, from the start of the game.
    pub ply: usize,
}

/// Games with the winner's positions, indexed by the games that have some.
pub struct Library {
    pub collection: Arc<Collection>,
    /// First position of each game that has positions, and the number of all.
    starts: Vec<usize>,
}

impl Library {
    /// Indexes a collection that has positions.
    pub fn new(collection: Arc<Collection>) -> Library {
        let positions = &collection.positions;
        let is_first = |&at: &usize| at == 0 || positions[at].game != positions[at - 1].game;
        let starts = (0..positions.len()).filter(is_first).chain([positions.len()]).collect();
        Library { collection, starts }
    }

    /// The only position of a game without moves before or after it. The move that counts as played is any.
    pub fn of_position(position: &Chess) -> Option<Library> {
        let mv = *position.legal_moves().first()?;
        let unknown = || "?".to_string();
        let game = Game {
            number: 0,
            white: unknown(),
            black: unknown(),
            event: unknown(),
            date: unknown(),
            link: None,
            result: Outcome::Unknown,
            chooser: position.turn(),
            played: Moves { start: position.clone(), moves: vec![mv] },
        };
        let positions = vec![WinnerPosition::new(position, mv, 0, position.fullmoves().get())];
        Some(Library::new(Arc::new(Collection {
            games: vec![game.into_head()],
            positions,
            ..Collection::default()
        })))
    }

    /// Number of games that have positions.
    pub fn games(&self) -> usize {
        self.starts.len() - 1
    }

    /// Index of the game of a position, among the games that have positions.
    pub fn game_of(&self, position: usize) -> usize {
        self.starts.partition_point(|&start| start <= position) - 1
    }

    /// First position of a game.
    pub fn first_of(&self, game: usize) -> Option<usize> {
        (game < self.games()).then(|| self.starts[game])
    }

    pub fn positions_of(&self, game: usize) -> Range<usize> {
        self.starts[game]..self.starts[game + 1]
    }

    /// The place of a position of the winner.
    pub fn place_of(&self, position: usize) -> Place {
        let game = self.game_of(position);
        Place { game, ply: self.head(game).ply_of(self.collection.positions[position].fullmove) }
    }

    /// The position at a place, with the move played in it; none after the last move of the game.
    pub fn position_at(&self, Place { game, ply }: Place) -> Option<WinnerPosition> {
        let (position, played) = self.head(game).moves().nth(ply)?;
        let game = self.collection.positions[self.starts[game]].game;
        Some(WinnerPosition::new(&position, played, game, position.fullmoves().get()))
    }

    /// Players, date and result of a game.
    pub fn head(&self, game: usize) -> &GameHead {
        &self.collection.games[self.collection.positions[self.starts[game]].game as usize]
    }

    /// The game with a number of the file.
    pub fn by_number(&self, number: u32) -> Result<usize, [Option<u32>; 2]> {
        let number_of = |game: usize| self.head(game).number;
        let next = (0..self.games()).position(|game| number_of(game) >= number).unwrap_or(self.games());
        if next < self.games() && number_of(next) == number {
            return Ok(next);
        }
        let before = next.checked_sub(1).map(number_of);
        Err([before, (next < self.games()).then(|| number_of(next))])
    }
}
