//! Games in PGN become the positions in which the eventual winner was to move.
//!
//! First step of the program: reads a file and yields [`Game`]s one by one, and with them the
//! [`WinnerPosition`]s that all later steps use. A file is read as a stream: opened and unpacked (`source`), cut
//! into games (`split`), and read by pgn-reader and played (`replay`); `words` finds what pgn-reader passes over. `pgn`
//! puts these steps together, and `collection` keeps the positions. A game that cannot be read is reported and skipped
//! as a whole, and the reading goes on. Knows nothing of evaluations, and prints nothing.
//!
//! A database of pre-searched games (`database`) gives the same games without parsing, and the trees of their positions.
//!
//! Reading takes time in proportion to the unpacked bytes, whatever they are, and the memory of one game of at
//! most 16 MiB, or of 256 kB of small games, which are replayed on all threads.
//!
//! These rules decide which games are used:
//!
//! - The result is that of the Result tag, or, if there is none or it is `*` or `?`, the one after the moves. If
//!   both name a result and the two differ, the game is broken. Only a mate outranks both: then the side that
//!   gave it has won, whatever is written (unless that is a draw).
//! - A game without a winner is *undecided*. Errors in it are not reported.
//! - A decisive game must end with a result or with a mate. Otherwise it was cut off, and is broken.
//! - Moves are counted from 1 at the first of the game, two plies each, also if a FEN tag says that the game
//!   starts at move 20 or with Black to move.

mod book;
mod collection;
mod database;
mod labelled;
mod listing;
mod pgn;
mod reader;
mod replay;
mod shard;
mod source;
mod split;
mod trees;
mod words;

use std::hash::{DefaultHasher, Hash, Hasher};

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, PositionError,
    packed::{PackedSetup, PackedUciMove},
    uci::UciMove,
};

pub use self::{
    book::{Book, read_book},
    collection::{Collection, collect, load},
    database::DatabaseWriter,
    labelled::{LabelMix, LabelledCollection, LabelledPosition, load_labelled},
    listing::GameFilter,
    reader::{Entry, Games, Skipped, Tally, find},
    replay::Moves,
    shard::Shard,
    source::{SHIPPED, digest_of, path_of},
    trees::{StoredTree, TreeHead, TreeReader},
};
use crate::error::{Error, Result};

/// Which games and positions are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameOptions {
    /// Full moves at the start of each game that are left out, as opening theory.
    pub skip_moves: u32,
    /// The games whose positions are kept; the others are counted only.
    pub shard: Shard,
}

impl Default for GameOptions {
    fn default() -> GameOptions {
        GameOptions { skip_moves: 8, shard: Shard::ALL }
    }
}

/// A decisive game. All its moves are legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Number in its file, from 1, all games counted.
    pub number: u32,
    /// Value of the White tag; `?` without the tag, as for the next three.
    pub white: String,
    /// Value of the Black tag.
    pub black: String,
    /// Value of the Event tag.
    pub event: String,
    /// Value of the Date tag.
    pub date: String,
    /// The side that won.
    pub winner: Color,
    /// The start of standard chess, or the position of the FEN tag.
    pub start: Chess,
    /// The moves from the start to the end.
    pub moves: Vec<Move>,
}

/// The part of a date in PGN that is known: `1948` of `1948.??.??`.
pub fn known_date(date: &str) -> Option<&str> {
    let known = date.find('?').map_or(date, |unknown| &date[..unknown]);
    Some(known.trim_end_matches('.')).filter(|known| known.len() >= 4)
}

/// A game as it is kept beside its positions: two bytes a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameHead {
    /// Number in its file, from 1, all games counted.
    pub number: u32,
    /// Value of the White tag; `?` without the tag, as for the next three.
    pub white: String,
    /// Value of the Black tag.
    pub black: String,
    /// Value of the Event tag.
    pub event: String,
    /// Value of the Date tag.
    pub date: String,
    /// The side that won.
    pub winner: Color,
    /// The position of the FEN tag; none for the start of standard chess.
    start: Option<Box<Chess>>,
    moves: Vec<[u8; PackedUciMove::BYTES]>,
}

impl GameHead {
    /// Bytes that it takes in memory.
    fn bytes(&self) -> usize {
        let texts = [&self.white, &self.black, &self.event, &self.date].map(String::len);
        let start = self.start.as_ref().map_or(0, |_| size_of::<Chess>());
        size_of::<GameHead>() + texts.iter().sum::<usize>() + start + size_of_val(&*self.moves)
    }

    /// The position before the first move.
    pub fn start(&self) -> Chess {
        self.start.as_deref().cloned().unwrap_or_default()
    }

    /// All moves, each with the position before it.
    pub fn moves(&self) -> impl Iterator<Item = (Chess, Move)> {
        let mut position = self.start();
        self.moves.iter().map(move |&bytes| {
            let before = position.clone();
            let mv = PackedUciMove::from_bytes(bytes).unpack().to_move(&before);
            let mv = mv.expect("the move was legal when it was packed");
            position.play_unchecked(mv);
            (before, mv)
        })
    }

    /// Plies before move `fullmove` of the winner, both counted from the start of the game.
    pub fn ply_of(&self, fullmove: u32) -> usize {
        2 * (fullmove as usize - 1) + usize::from(self.start().turn() != self.winner)
    }
}

impl Game {
    /// The positions with the winner to move after the first `skip_moves` moves, each with the move played.
    /// `game_index` becomes their [`WinnerPosition::game`].
    pub fn winner_positions(&self, skip_moves: u32, game_index: u32) -> Vec<WinnerPosition> {
        let mut positions = Vec::new();
        self.for_each_choice(skip_moves, |position, played, fullmove| {
            positions.push(WinnerPosition::new(position, played, game_index, fullmove));
        });
        positions
    }

    /// The game in the form in which it is kept beside its positions.
    pub fn into_head(self) -> GameHead {
        let Game { number, white, black, event, date, winner, start, moves } = self;
        let packed = |mv| PackedUciMove::pack(UciMove::from_standard(mv)).to_bytes();
        let start = (start != Chess::default()).then(|| Box::new(start));
        let moves = moves.into_iter().map(packed).collect();
        GameHead { number, white, black, event, date, winner, start, moves }
    }

    /// The position before a move, numbered as players do: if Black begins, its first move is `1...` and the next one is
    /// `2.` of White. The move after the last one names the final position.
    ///
    /// # Errors
    ///
    /// The game has no such move. The error says how many it has.
    pub fn position_before(&self, fullmove: u32, mover: Color) -> Result<Chess> {
        let offset = usize::from(self.start.turn().is_black());
        let ply = (2 * fullmove as usize + usize::from(mover.is_black())).checked_sub(2 + offset);
        let Some(before) = ply.and_then(|ply| self.moves.get(..ply)) else {
            let dots = if mover.is_black() { ".." } else { "" };
            let moves = (self.moves.len() + offset).div_ceil(2);
            let found = format!("{fullmove}{dots}; it has {moves} moves");
            return Err(Error::expected("a move of the game", found).in_game(self.number as usize));
        };
        let mut position = self.start.clone();
        before.iter().for_each(|&mv| position.play_unchecked(mv));
        Ok(position)
    }

    /// Calls `visit` with each position in which the winner was to move, the move played and its number.
    fn for_each_choice(&self, skip_moves: u32, mut visit: impl FnMut(&Chess, Move, u32)) {
        let mut position = self.start.clone();
        for (ply, &played) in self.moves.iter().enumerate() {
            let fullmove = fullmove_of(ply);
            if fullmove > skip_moves && position.turn() == self.winner {
                visit(&position, played, fullmove);
            }
            position.play_unchecked(played);
        }
    }

    /// How many positions [`for_each_choice`](Game::for_each_choice) visits.
    fn count_choices(&self, skip_moves: u32) -> usize {
        let first = usize::from(self.start.turn() != self.winner);
        let plies = (first..self.moves.len()).step_by(2);
        plies.filter(|&ply| fullmove_of(ply) > skip_moves).count()
    }
}

/// A digest of the start and the moves of a game, by which games that occur twice are found, whatever their names.
fn digest_of_moves(start: &Chess, moves: &[Move]) -> u64 {
    let mut hasher = DefaultHasher::new();
    WinnerPosition::pack(start).hash(&mut hasher);
    for &mv in moves {
        PackedUciMove::pack(UciMove::from_standard(mv)).to_bytes().hash(&mut hasher);
    }
    hasher.finish()
}

/// Number of the full move at a ply, counted from the first of the game.
fn fullmove_of(ply: usize) -> u32 {
    (ply / 2 + 1) as u32
}

/// A position in which the eventual winner was to move, and the move that was played. It takes 36 bytes, because
/// there may be millions.
///
/// The halfmove clock is left out: the method has no rule that needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WinnerPosition {
    setup: [u8; WinnerPosition::SETUP_BYTES],
    played: [u8; PackedUciMove::BYTES],
    /// Index of the game among the decisive games of the file, from 0.
    pub game: u32,
    /// Number of the move in its game, from 1.
    pub fullmove: u32,
}

impl WinnerPosition {
    /// Squares in use, a bit each, and four bits for each of at most 32 pieces.
    const SETUP_BYTES: usize = 8 + 32 / 2;

    /// Packs `position` and the legal move `played` in it.
    pub fn new(position: &Chess, played: Move, game: u32, fullmove: u32) -> WinnerPosition {
        let played = PackedUciMove::pack(UciMove::from_standard(played)).to_bytes();
        WinnerPosition { setup: WinnerPosition::pack(position), played, game, fullmove }
    }

    fn pack(position: &Chess) -> [u8; WinnerPosition::SETUP_BYTES] {
        let packed = PackedSetup::pack_standard_normalized(&position.to_setup(EnPassantMode::Always))
            .expect("a legal position of standard chess can be packed");
        let mut setup = [0; WinnerPosition::SETUP_BYTES];
        // Trailing zeros are cut off; a legal position has no more than 32 pieces.
        setup[..packed.as_bytes().len()].copy_from_slice(packed.as_bytes());
        setup
    }

    /// The position. Its halfmove clock is 0 and its move number is that of the game.
    pub fn position(&self) -> Chess {
        WinnerPosition::unpack(&self.setup, self.fullmove)
    }

    fn unpack(setup: &[u8; WinnerPosition::SETUP_BYTES], fullmove: u32) -> Chess {
        let packed = PackedSetup::try_from_bytes(setup).expect("the setup is short enough");
        let mut setup = packed.unpack_standard().expect("the setup was packed");
        setup.fullmoves = fullmove.try_into().unwrap_or(setup.fullmoves);
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .expect("the position was legal when it was packed")
    }

    /// The move that was played.
    pub fn played(&self) -> Move {
        self.played_in(&self.position())
    }

    /// The move that was played. For callers that already have the [`WinnerPosition::position`].
    pub fn played_in(&self, position: &Chess) -> Move {
        let played = PackedUciMove::from_bytes(self.played).unpack();
        played.to_move(position).expect("the move was legal when it was packed")
    }
}

#[cfg(test)]
mod tests;
