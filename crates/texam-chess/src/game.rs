//! Games in PGN become the positions in which the eventual winner was to move.
//!
//! First step of the program: reads a file and yields [`Game`]s one by one, and with them the
//! [`WinnerPosition`]s that all later steps use. A file is read as a stream: opened and unpacked (`source`), cut
//! into games (`split`), these into moves (`words`), which are played (`replay`). `pgn` puts these steps together,
//! and `collection` keeps the positions. A game that cannot be read is reported and skipped as a whole, and the
//! reading goes on. Knows nothing of evaluations, and prints
//! nothing.
//!
//! A database of pre-searched games (`database`) gives the same games without parsing, and the trees of their
//! positions.
//!
//! Reading takes time in proportion to the unpacked bytes, whatever they are, and the memory of one game of
//! at most 16 MiB, or of 256 kB of small games, which are replayed on all threads.
//!
//! These rules decide which games are used:
//!
//! - The result is that of the Result tag, or, if there is none or it is `*` or `?`, the one after the moves.
//!   If both name a result and the two differ, the game is broken. Only a mate outranks both: then the side
//!   that gave it has won, whatever is written (unless that is a draw).
//! - A game without a winner is *undecided*. Errors in it are not reported.
//! - If there is no result after the moves of a decisive game, that of the tag holds. Such games are counted,
//!   because they may have been cut off.
//! - Moves have the numbers of their positions: they count from that of the FEN tag, or from 1.

mod book;
mod collection;
mod database;
mod labelled;
mod listing;
mod outcome;
mod pgn;
mod player;
mod reader;
mod replay;
mod shard;
mod source;
mod split;
mod trees;
mod words;

use std::hash::{DefaultHasher, Hash, Hasher};

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Outcome, Position, PositionError,
    packed::{PackedSetup, PackedUciMove},
    uci::UciMove,
};

pub use self::{
    book::{Book, read_book},
    collection::{Collection, collect, load},
    database::DatabaseWriter,
    labelled::{DRAWN, LabelledCollection, LabelledPosition, load_labelled},
    listing::{GameFilter, move_number},
    reader::{Entry, Games, Skipped, Tally, find},
    shard::Shard,
    source::{GameFiles, SHIPPED, digest_of, is_shipped, path_of},
    trees::{StoredTree, TreeHead, TreeReader},
};
use crate::error::{Error, Result};

/// Which games and positions are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOptions {
    /// Number of the last move that is left out of each game, as opening theory.
    pub skip_moves: u32,
    /// The games whose positions are kept; the others are counted only.
    pub shard: Shard,
    /// Part of the name of the player whose moves are choices, in all his games whatever their result; none
    /// takes the moves of the winners.
    pub player: Option<String>,
}

impl Default for GameOptions {
    fn default() -> GameOptions {
        GameOptions { skip_moves: 8, shard: Shard::ALL, player: None }
    }
}

/// A game with a winner, or of the player asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game<M = Moves> {
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
    /// Value of the Site or Link tag, if it is the address of a page.
    pub link: Option<String>,
    /// The result by the rules above.
    pub result: Outcome,
    /// The side whose moves are choices: the winner, or the player asked for. White where it is neither.
    pub chooser: Color,
    /// Its moves.
    pub played: M,
}

/// The moves of a game, whatever its result. All of them are legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    /// The start of standard chess, or the position of the FEN tag.
    pub start: Chess,
    /// From the start to the end.
    pub moves: Vec<Move>,
}

/// A game as it is kept beside its positions.
pub type GameHead = Game<PackedMoves>;

/// The moves of a game in two bytes each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedMoves {
    /// None for the start of standard chess.
    start: Option<Box<Chess>>,
    moves: Vec<[u8; PackedUciMove::BYTES]>,
}

/// A legal move in two bytes.
fn pack_move(mv: Move) -> [u8; PackedUciMove::BYTES] {
    PackedUciMove::pack(UciMove::from_standard(mv)).to_bytes()
}

/// The part of a date in PGN that is known: `1948` of `1948.??.??`.
pub fn known_date(date: &str) -> Option<&str> {
    let known = date.find('?').map_or(date, |unknown| &date[..unknown]);
    Some(known.trim_end_matches('.')).filter(|known| known.len() >= 4)
}

impl GameHead {
    /// Bytes that it takes in memory.
    fn bytes(&self) -> usize {
        let texts = [&self.white, &self.black, &self.event, &self.date].map(String::len);
        let start = self.played.start.as_ref().map_or(0, |_| size_of::<Chess>());
        let link = self.link.as_ref().map_or(0, String::len);
        size_of::<GameHead>() + texts.iter().sum::<usize>() + link + start + size_of_val(&*self.played.moves)
    }

    /// The position before the first move.
    pub fn start(&self) -> Chess {
        self.played.start.as_deref().cloned().unwrap_or_default()
    }

    /// All moves, each with the position before it.
    pub fn moves(&self) -> impl Iterator<Item = (Chess, Move)> {
        let mut position = self.start();
        self.played.moves.iter().map(move |&bytes| {
            let before = position.clone();
            let mv = PackedUciMove::from_bytes(bytes).unpack().to_move(&before);
            let mv = mv.expect("the move was legal when it was packed");
            position.play_unchecked(mv);
            (before, mv)
        })
    }

    /// Plies before move `fullmove` of the side whose moves are choices.
    pub fn ply_of(&self, fullmove: u32) -> usize {
        ply_of(&self.start(), fullmove, self.chooser).unwrap_or(0)
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
        let Game { number, white, black, event, date, link, result, chooser, played } = self;
        let start = (played.start != Chess::default()).then(|| Box::new(played.start));
        let played = PackedMoves { start, moves: played.moves.into_iter().map(pack_move).collect() };
        Game { number, white, black, event, date, link, result, chooser, played }
    }

    /// The position before a move with the number of its position. The move after the last one names the
    /// final position.
    ///
    /// # Errors
    ///
    /// The game has no such move. The error says how many it has.
    pub fn position_before(&self, fullmove: u32, mover: Color) -> Result<Chess> {
        let Moves { start, moves } = &self.played;
        let Some(before) = ply_of(start, fullmove, mover).and_then(|ply| moves.get(..ply)) else {
            let dots = if mover.is_black() { ".." } else { "" };
            let [first, last] = [0, moves.len().saturating_sub(1)].map(|ply| fullmove_at(start, ply));
            let found = format!("{fullmove}{dots}; it has the moves {first} to {last}");
            return Err(Error::expected("a move of the game", found).in_game(self.number as usize));
        };
        let mut position = start.clone();
        before.iter().for_each(|&mv| position.play_unchecked(mv));
        Ok(position)
    }

    /// Calls `visit` with each position in which a move is a choice, the move played and its number.
    fn for_each_choice(&self, skip_moves: u32, mut visit: impl FnMut(&Chess, Move, u32)) {
        let mut position = self.played.start.clone();
        for &played in &self.played.moves {
            let fullmove = position.fullmoves().get();
            if fullmove > skip_moves && position.turn() == self.chooser {
                visit(&position, played, fullmove);
            }
            position.play_unchecked(played);
        }
    }

    /// How many positions [`for_each_choice`](Game::for_each_choice) visits.
    fn count_choices(&self, skip_moves: u32) -> usize {
        let Moves { start, moves } = &self.played;
        let plies = (usize::from(start.turn() != self.chooser)..moves.len()).step_by(2);
        plies.filter(|&ply| fullmove_at(start, ply) > skip_moves).count()
    }
}

/// A digest of the start and the moves of a game, by which games that occur twice are found, whatever their
/// names.
fn digest_of_moves(start: &Chess, moves: &[Move]) -> u64 {
    let mut hasher = DefaultHasher::new();
    WinnerPosition::pack(start).hash(&mut hasher);
    moves.iter().for_each(|&mv| pack_move(mv).hash(&mut hasher));
    hasher.finish()
}

/// Number of the full move at a ply of a game that begins with this position.
fn fullmove_at(start: &Chess, ply: usize) -> u32 {
    let moves = (ply + usize::from(start.turn().is_black())) / 2;
    start.fullmoves().get().saturating_add(moves as u32)
}

/// The ply at which a side makes its move of this number; none before the first one.
fn ply_of(start: &Chess, fullmove: u32, mover: Color) -> Option<usize> {
    let moves = fullmove.checked_sub(start.fullmoves().get())? as usize;
    (2 * moves + usize::from(mover.is_black())).checked_sub(start.turn().is_black().into())
}

/// A position in which the eventual winner was to move, or the player asked for, and the move that was
/// played. It takes 36 bytes, because there may be millions.
///
/// The halfmove clock is left out: the method has no rule that needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WinnerPosition {
    setup: [u8; WinnerPosition::SETUP_BYTES],
    played: [u8; PackedUciMove::BYTES],
    /// Index of the game among the decisive games of the file, from 0.
    pub game: u32,
    /// Number of the move, that of its position.
    pub fullmove: u32,
}

impl WinnerPosition {
    /// Squares in use, a bit each, and four bits for each of at most 32 pieces.
    const SETUP_BYTES: usize = 8 + 32 / 2;

    /// Packs `position` and the legal move `played` in it.
    pub fn new(position: &Chess, played: Move, game: u32, fullmove: u32) -> WinnerPosition {
        WinnerPosition { setup: WinnerPosition::pack(position), played: pack_move(played), game, fullmove }
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
