//! Reads the games of a file, which may be PGN or a database of pre-searched games.

use std::{
    collections::VecDeque,
    io::{BufReader, Read},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::{
    Game, GameFiles,
    database::{self, DatabaseReader},
    labelled,
    pgn::PgnReader,
    player::is_part_of,
    replay::GameKind,
    source::{self, GameBytes},
    trees::TreeHead,
};
use crate::error::{Error, ErrorKind, Result};

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
    /// A game with a winner; if any result will do, every game that can be read.
    Decisive(Game),
    /// A game that is not used.
    Skipped(Skipped),
}

/// How many games of which kind a file has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// All games: the sum of the four below.
    pub games: usize,
    /// With a winner, or of the player asked for.
    pub decisive: usize,
    /// Drawn, or without a known result; or of other players than the one asked for.
    pub undecided: usize,
    /// Broken.
    pub skipped: usize,
    /// Of a chess variant.
    pub variants: usize,
    /// Games with a winner that have their result in the tags alone.
    pub unended: usize,
    /// SHA-256 of the unpacked bytes, in hexadecimal.
    pub digest: String,
}

/// Reads the games of a file one by one.
///
/// The iterator ends after the first error, which is one of the stream. Broken games are entries. A database
/// of pre-searched games gives the same entries as the PGN that it was made of.
pub struct Games {
    /// The file that is read, as errors name it.
    pub(super) name: PathBuf,
    pub(super) input: Input,
    pub(super) tally: Tally,
    is_built_in: bool,
    /// Games without a winner are used too.
    pub(super) any_result: bool,
    done: bool,
    /// Games of the files before this one.
    before: usize,
    /// The files after it.
    rest: VecDeque<PathBuf>,
}

/// The two formats of games.
pub(super) enum Input {
    Pgn(PgnReader),
    Database(DatabaseReader<BufReader<GameBytes>>),
}

/// So many bytes tell the two formats apart, and from an archive and a table.
const TELLING_BYTES: usize = 4096;

/// Where a tar archive has its mark.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// The size of reads from files.
pub(super) const BUFFER_BYTES: usize = 1 << 16;

impl Games {
    /// Opens files, plain or packed (.gz, .zst), of PGN or one that is pre-searched; `-` is standard input.
    /// If there is no file [`SHIPPED`](super::SHIPPED), that name opens the built-in copy.
    ///
    /// # Errors
    ///
    /// The file is missing, is a directory, may not be read, is packed in another format, or is a database
    /// that is damaged at its begin.
    pub fn open(files: impl Into<GameFiles>) -> Result<Games> {
        let mut files = VecDeque::from(files.into().paths().to_vec());
        let first = files.pop_front().expect("there is a file");
        let games = Games::open_after(&first, Sha256::new())?;
        if matches!(games.input, Input::Database(_)) && !files.is_empty() {
            return Err(one_database(&first));
        }
        Ok(Games { rest: files, ..games })
    }

    /// Opens a file that is read after others.
    pub(super) fn open_after(path: &Path, hasher: Sha256) -> Result<Games> {
        let name = source::name_of(path);
        let source = GameBytes::open_after(path, hasher);
        let games = source.and_then(|source| Games::new(source, name.clone())).and_then(|games| {
            let is_named_so = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("dbf"));
            if is_named_so && matches!(games.input, Input::Pgn(_)) {
                let error = Error::expected("a database of games, as its name says", "other bytes");
                return Err(error.of_kind(ErrorKind::Database));
            }
            Ok(games)
        });
        games.map_err(|error| error.in_file(name))
    }

    /// Reads games from `input`, plain or packed, PGN or pre-searched. Errors name it `name`.
    ///
    /// # Errors
    ///
    /// The first bytes cannot be read, or are those of another format.
    pub fn from_reader(input: impl Read + Send + 'static, name: &str) -> Result<Games> {
        let games = GameBytes::new(input).and_then(|source| Games::new(source, PathBuf::from(name)));
        games.map_err(|error| error.in_file(name))
    }

    /// Checks that no drawn games were left out; a database tells it at its end.
    pub(super) fn check_draws(&self) -> Result<()> {
        if matches!(self.input, Input::Database(_)) && self.tally().undecided > 0 {
            let expected = "the PGN of the games, since drawn games count here";
            let error = Error::expected(expected, "a database, which leaves them out");
            return Err(error.in_file(&self.name));
        }
        Ok(())
    }

    /// Whether these are the built-in games and not those of a file.
    pub fn are_built_in(&self) -> bool {
        self.is_built_in
    }

    /// The names of the files that a database was made of, as they stand in a `.stat`; none for games in PGN.
    pub fn origins(&self) -> Option<&[String]> {
        match &self.input {
            Input::Pgn(_) => None,
            Input::Database(reader) => Some(reader.origins()),
        }
    }

    /// What the trees of a database were grown by; none where it has none, or before its first game is read.
    pub fn trees(&self) -> Option<&TreeHead> {
        match &self.input {
            Input::Pgn(_) => None,
            Input::Database(reader) => reader.trees(),
        }
    }

    pub(super) fn new(mut source: GameBytes, name: PathBuf) -> Result<Games> {
        let is_built_in = source.is_built_in();
        let head = source.peek(TELLING_BYTES);
        if head.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) {
            return Err(Error::expected("games, plain or packed", "a tar archive: unpack it first"));
        }
        let is_database = database::is_database(&head);
        if is_database {
            source.left = u64::MAX;
        } else if let Some(found) = labelled::table_in(&head) {
            return Err(Error::expected("games in PGN, or lines that begin with a FEN", found));
        }
        let input = BufReader::with_capacity(BUFFER_BYTES, source);
        let input = match is_database {
            true => Input::Database(DatabaseReader::new(input)?),
            false => Input::Pgn(PgnReader::new(input)),
        };
        Ok(Games {
            name,
            input,
            tally: Tally::default(),
            is_built_in,
            any_result: false,
            done: false,
            before: 0,
            rest: VecDeque::new(),
        })
    }

    /// Counts the games read so far: those of the whole file, digest included, once the iterator has ended.
    /// For a database they are the counts and the digest of the file that it was made of.
    pub fn tally(&self) -> Tally {
        match &self.input {
            Input::Pgn(reader) => Tally { digest: reader.bytes().digest(), ..self.tally.clone() },
            Input::Database(reader) => reader.tally().clone(),
        }
    }

    /// Reads the next game that is no undecided one; `None` at the end of the last file.
    fn read_entry(&mut self) -> Result<Option<Entry>> {
        if let Input::Database(reader) = &mut self.input {
            return reader.read_game().map_err(|error| error.in_file(&self.name));
        }
        while let Some(game) = self.read_pgn()? {
            if let Some(entry) = self.count_game(game) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// Reads the next game in PGN; none at the end of the last file, and of a database.
    pub(super) fn read_pgn(&mut self) -> Result<Option<GameKind>> {
        while let Input::Pgn(reader) = &mut self.input {
            let game = reader.read().map_err(|error| error.in_file(&self.name))?;
            if game.is_some() {
                return Ok(game);
            }
            let Some(path) = self.rest.pop_front() else { return Ok(None) };
            let next = Games::open_after(&path, reader.bytes().hasher())?;
            if matches!(next.input, Input::Database(_)) {
                return Err(one_database(&path));
            }
            (self.name, self.input, self.before) = (next.name, next.input, self.tally.games);
        }
        Ok(None)
    }

    /// Counts a game, and returns its entry unless it is undecided.
    pub(super) fn count_game(&mut self, game: GameKind) -> Option<Entry> {
        self.tally.games += 1;
        let (error, variant) = match game {
            GameKind::Read(game, _, _) if self.any_result => return Some(self.count_used(*game)),
            GameKind::Read(game, is_ended, None) if game.result.winner().is_some() => {
                self.tally.unended += usize::from(!is_ended);
                return Some(self.count_used(*game));
            }
            GameKind::Broken(error, is_undecided) if self.any_result || !is_undecided => (error, false),
            GameKind::Read(_, _, Some(error)) => (error, false),
            GameKind::Read(..) | GameKind::Broken(..) => {
                self.tally.undecided += 1;
                return None;
            }
            GameKind::Variant(error) => (error, true),
        };
        *if variant { &mut self.tally.variants } else { &mut self.tally.skipped } += 1;
        let error = error.in_game(self.tally.games - self.before).in_file(&self.name);
        Some(Entry::Skipped(Skipped { error, variant }))
    }

    fn count_used(&mut self, game: Game) -> Entry {
        self.tally.decisive += 1;
        Entry::Decisive(Game { number: self.tally.games as u32, ..game })
    }
}

/// The error of a database among several files.
pub(super) fn one_database(path: &Path) -> Error {
    let found = "a database among several files: give it alone, or make one of all of them";
    Error::expected("games in PGN", found).in_file(path)
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

/// Finds the decisive game with this number in its file, all games counted; or one of a player, by part of
/// his name, with any result. A database is read to its end, so that a damaged one is found.
///
/// # Errors
///
/// Those of [`Games::open`]; the stream cannot be read; the game is broken, has no winner, is not one of the
/// player, or is missing.
pub fn find(files: impl Into<GameFiles>, number: u32, player: Option<&str>) -> Result<Game> {
    let mut games = Games::open(files)?;
    games.any_result = player.is_some();
    let mut near = Vec::new();
    while let Some(entry) = games.next() {
        match entry? {
            Entry::Decisive(game) if game.number == number => {
                if games.origins().is_some() {
                    games.try_for_each(|entry| entry.map(drop))?;
                }
                let Game { white, black, .. } = &game;
                if player.is_none_or(|part| [white, black].iter().any(|name| is_part_of(part, name))) {
                    return Ok(game);
                }
                let expected = format!("a game of {}", player.unwrap_or_default());
                let error = Error::expected(expected, format!("one of {white} and {black}"));
                return Err(error.in_game(number as usize).in_file(games.name));
            }
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
    let expected =
        if player.is_some() { "the number of a game" } else { "the number of a game with a winner" };
    Err(Error::expected(expected, found).in_file(games.name))
}
