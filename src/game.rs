//! Games in PGN become the positions in which the eventual winner was to move.
//!
//! First step of the program: reads a file and yields [`Game`]s one by one, and with them the
//! [`WinnerPosition`]s that all later steps use. A file is read as a stream: opened and unpacked (`source`), cut
//! into games (`split`, `pgn`), read (`tags`, `movetext`) and played (`replay`). A game that cannot be read is reported
//! and skipped as a whole, and the reading goes on. Knows nothing of evaluations, and prints nothing.
//!
//! A database of pre-searched games (`database`) gives the same games without parsing, and what searches found in them.
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

mod database;
mod hints;
mod labelled;
mod movetext;
mod pgn;
mod replay;
mod shard;
mod source;
mod split;
mod tags;

use std::{
    io::{BufReader, Read},
    path::{Path, PathBuf},
};

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, PositionError,
    packed::{PackedSetup, PackedUciMove},
    uci::UciMove,
};

pub use self::{
    database::DatabaseWriter,
    hints::StoredHints,
    labelled::{LabelledCollection, LabelledPosition, load_labelled},
    shard::Shard,
    source::{SHIPPED, digest_of, unpacked},
};
use self::{
    database::{DatabaseReader, StoredEntry},
    pgn::PgnReader,
    replay::GameKind,
    source::Source,
};
use crate::error::{Error, ErrorKind, Result};

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

/// A game that is not used, and why.
#[derive(Debug)]
pub struct Skipped {
    /// The error, with file, game, move and line.
    pub error: Error,
    /// Whether it is a game of a chess variant. Otherwise it is broken.
    pub variant: bool,
}

/// A game of a file. Undecided games are only counted.
#[derive(Debug)]
pub enum Entry {
    /// A game with a winner.
    Decisive(Game),
    /// A game that is not used.
    Skipped(Skipped),
}

/// How many games of which kind a file has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// All games: the sum of the four below.
    pub games: usize,
    /// With a winner.
    pub decisive: usize,
    /// Drawn, or without a known result.
    pub undecided: usize,
    /// Broken.
    pub skipped: usize,
    /// Of a chess variant.
    pub variants: usize,
    /// SHA-256 of the unpacked bytes, in hexadecimal.
    pub digest: String,
}

/// Reads the games of a file one by one. Only one game at a time is in memory.
///
/// The iterator ends after the first error, which is one of the stream. Broken games are entries. A database of
/// pre-searched games gives the same entries as the PGN that it was made of.
pub struct Games {
    name: PathBuf,
    input: Input,
    tally: Tally,
    is_built_in: bool,
    done: bool,
}

/// The two formats of games.
enum Input {
    Pgn(PgnReader),
    Database(DatabaseReader<BufReader<Source>>),
}

/// So many bytes tell the two formats apart.
const TELLING_BYTES: usize = 8;

/// The size of reads from files.
const BUFFER_BYTES: usize = 1 << 16;

impl Games {
    /// Opens a file, plain or packed (.gz, .bz2, .zst), of PGN or pre-searched; `-` is standard input. If there is no
    /// file [`SHIPPED`], that name opens the built-in copy.
    ///
    /// # Errors
    ///
    /// The file is missing, is a directory, may not be read, is packed in another format, or is a database that is
    /// damaged at its begin.
    pub fn open(path: &Path) -> Result<Games> {
        let name = source::name_of(path);
        let games =
            Source::open(path).and_then(|source| Games::new(source, name.clone())).and_then(|games| {
                let is_named_so =
                    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("dbf"));
                if is_named_so && matches!(games.input, Input::Pgn(_)) {
                    let error = Error::expected("a database of games, as its name says", "other bytes");
                    return Err(error.of_kind(ErrorKind::Database));
                }
                Ok(games)
            });
        games.map_err(|error| error.in_file(name))
    }

    /// Opens the built-in games.
    ///
    /// # Errors
    ///
    /// Their copy in the program is damaged.
    pub fn built_in() -> Result<Games> {
        Source::built_in()
            .and_then(|source| Games::new(source, PathBuf::from(SHIPPED)))
            .map_err(|error| error.in_file(SHIPPED))
    }

    /// Reads games from `input`, plain or packed, PGN or pre-searched. Errors name it `name`.
    ///
    /// # Errors
    ///
    /// The first bytes cannot be read, or are those of another format.
    pub fn from_reader(input: impl Read + Send + 'static, name: &str) -> Result<Games> {
        let games = Source::new(Box::new(input)).and_then(|source| Games::new(source, PathBuf::from(name)));
        games.map_err(|error| error.in_file(name))
    }

    /// Whether these are the built-in games and not those of a file.
    pub fn are_built_in(&self) -> bool {
        self.is_built_in
    }

    /// The name of the file that a database was made of, as it stands in a `.stat`; none for games in PGN.
    pub fn origin(&self) -> Option<&str> {
        match &self.input {
            Input::Pgn(_) => None,
            Input::Database(reader) => Some(reader.origin()),
        }
    }

    /// What is stored for the positions of the game that was read last: the number of the move, and bytes. Nothing for
    /// games in PGN.
    pub fn hints(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let reader = match &self.input {
            Input::Pgn(_) => None,
            Input::Database(reader) => Some(reader),
        };
        reader.into_iter().flat_map(DatabaseReader::hints)
    }

    fn new(mut source: Source, name: PathBuf) -> Result<Games> {
        let is_built_in = source.is_built_in();
        let is_database = database::is_database(&source.peek(TELLING_BYTES));
        let input = BufReader::with_capacity(BUFFER_BYTES, source);
        let input = match is_database {
            true => Input::Database(DatabaseReader::new(input)?),
            false => Input::Pgn(PgnReader::new(input)),
        };
        Ok(Games { name, input, tally: Tally::default(), is_built_in, done: false })
    }

    /// Counts the games read so far: those of the whole file, digest included, once the iterator has ended. For a
    /// database they are the counts and the digest of the file that it was made of.
    pub fn tally(&self) -> Tally {
        match &self.input {
            Input::Pgn(reader) => Tally { digest: reader.digest(), ..self.tally.clone() },
            Input::Database(reader) => reader.tally().clone(),
        }
    }

    /// Reads the next game that is no undecided one; `None` at the end of the file.
    fn read_entry(&mut self) -> Result<Option<Entry>> {
        loop {
            let game = match &mut self.input {
                Input::Pgn(reader) => reader.read(),
                Input::Database(reader) => {
                    return match reader.read_game() {
                        Ok(Some(StoredEntry::Game(game))) => Ok(Some(Entry::Decisive(game))),
                        Ok(Some(StoredEntry::Skipped(skipped))) => Ok(Some(Entry::Skipped(skipped))),
                        Ok(None) => Ok(None),
                        Err(error) => Err(error.in_file(&self.name)),
                    };
                }
            };
            let Some(game) = game.map_err(|error| error.in_file(&self.name))? else { return Ok(None) };
            if let Some(entry) = self.count_game(game) {
                return Ok(Some(entry));
            }
        }
    }

    /// Counts a game, and returns its entry unless it is undecided.
    fn count_game(&mut self, game: GameKind) -> Option<Entry> {
        self.tally.games += 1;
        let (error, variant) = match game {
            GameKind::Decisive(game) => {
                self.tally.decisive += 1;
                return Some(Entry::Decisive(game));
            }
            GameKind::Undecided(_) => {
                self.tally.undecided += 1;
                return None;
            }
            GameKind::Variant(error) => (error, true),
            GameKind::Broken(error) => (error, false),
        };
        *if variant { &mut self.tally.variants } else { &mut self.tally.skipped } += 1;
        let error = error.in_game(self.tally.games).in_file(&self.name);
        Some(Entry::Skipped(Skipped { error, variant }))
    }
}

impl Iterator for Games {
    type Item = Result<Entry>;

    fn next(&mut self) -> Option<Result<Entry>> {
        if self.done {
            return None;
        }
        let entry = self.read_entry().transpose();
        self.done = !matches!(entry, Some(Ok(_)));
        entry
    }
}

/// The winner's positions of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collection {
    /// The decisive games; [`WinnerPosition::game`] is an index into them. None where only a [`Shard`] of the positions is
    /// kept.
    pub games: Vec<GameHead>,
    /// The positions, in the order of the file.
    pub positions: Vec<WinnerPosition>,
    /// How many games there were of each kind.
    pub tally: Tally,
    /// Whether these are the built-in games and not those of a file.
    pub is_built_in: bool,
    /// The name of the file that a database was made of, as it stands in a `.stat`; none for games in PGN.
    pub origin: Option<String>,
    /// What searches stored for the positions in a database.
    pub hints: StoredHints,
}

impl Collection {
    /// Keeps the hints of a game for its positions, which begin at `first`.
    fn take_hints<'a>(&mut self, first: usize, hints: impl Iterator<Item = (u32, &'a [u8])>) {
        let mut positions = self.positions[first..].iter().peekable();
        for (fullmove, hints) in hints {
            while positions.next_if(|position| position.fullmove < fullmove).is_some() {}
            if let Some(position) = positions.next_if(|position| position.fullmove == fullmove) {
                self.hints.push(position, hints);
            }
        }
    }
}

/// Reads all games of a file and keeps each `every`-th of the winner's positions, counted through the whole
/// file and beginning with the first; 1 keeps all. The errors of skipped games go to `on_skipped`. If the games are the
/// shipped ones, the hints are those of the copy that is built in.
///
/// # Errors
///
/// Those of [`Games::open`]; the stream cannot be read to its end; `every` is 0.
pub fn load(
    path: &Path,
    options: &GameOptions,
    every: usize,
    on_skipped: &mut dyn FnMut(&Error),
) -> Result<Collection> {
    let mut collection = collect(Games::open(path)?, options, every, on_skipped)?;
    if collection.origin.is_none() && collection.tally.digest == source::SHIPPED_DIGEST {
        collection.hints = shipped_hints(options, every)?;
    }
    Ok(collection)
}

/// The hints that the built-in games have for the same positions of their PGN.
fn shipped_hints(options: &GameOptions, every: usize) -> Result<StoredHints> {
    Ok(collect(Games::built_in()?, options, every, &mut |_| {})?.hints)
}

/// [`load`] for games that are open already.
///
/// # Errors
///
/// The stream cannot be read to its end; `every` is 0.
pub fn collect(
    mut games: Games,
    options: &GameOptions,
    every: usize,
    on_skipped: &mut dyn FnMut(&Error),
) -> Result<Collection> {
    if every == 0 {
        return Err(Error::expected("each 1st position or each Nth", "each 0th"));
    }
    let mut collection = Collection {
        is_built_in: games.are_built_in(),
        origin: games.origin().map(String::from),
        ..Collection::default()
    };
    let (mut seen, mut index) = (0, 0);
    while let Some(entry) = games.next() {
        let game = match entry? {
            Entry::Decisive(game) => game,
            Entry::Skipped(Skipped { error, .. }) => {
                on_skipped(&error);
                continue;
            }
        };
        let first = collection.positions.len();
        let is_kept = options.shard.has(game.number);
        if is_kept {
            game.for_each_choice(options.skip_moves, |position, played, fullmove| {
                if seen % every == 0 {
                    collection.positions.push(WinnerPosition::new(position, played, index, fullmove));
                }
                seen += 1;
            });
        } else {
            seen += game.count_choices(options.skip_moves);
        }
        collection.take_hints(first, games.hints());
        if options.shard == Shard::ALL {
            collection.games.push(game.into_head());
        }
        index += 1;
    }
    collection.tally = games.tally();
    Ok(collection)
}

/// Finds the decisive game with this number in its file, all games counted.
///
/// # Errors
///
/// Those of [`Games::open`]; the stream cannot be read; the game is broken, has no winner, or is missing.
pub fn find(path: &Path, number: u32) -> Result<Game> {
    let mut games = Games::open(path)?;
    let mut near = Vec::new();
    for entry in games.by_ref() {
        match entry? {
            Entry::Decisive(game) if game.number == number => return Ok(game),
            Entry::Decisive(game) => {
                near.push(game.number);
                if game.number > number {
                    break;
                }
            }
            Entry::Skipped(skipped) if skipped.error.place().game == Some(number as usize) => {
                return Err(skipped.error);
            }
            Entry::Skipped(_) => {}
        }
    }
    let near: Vec<String> = near[near.len().saturating_sub(2)..].iter().map(u32::to_string).collect();
    let near = if near.is_empty() { "there is none".to_string() } else { near.join(", ") };
    let found = format!("{number}; near it: {near}");
    Err(Error::expected("the number of a game with a winner", found).in_file(games.name))
}

#[cfg(test)]
mod tests;
