//! Pre-searched games: a binary file (`.dbf`) of games with the trees that searches grew for their positions.
//!
//! [`DatabaseReader`] returns the games that [`DatabaseWriter`] stored, without parsing any PGN. All moves
//! are checked for legality, so a file cannot contain what a file in PGN could not. The tree of a position is
//! bytes here; the search knows what they mean.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};
use shakmaty::{
    Chess, Color, EnPassantMode, KnownOutcome, Outcome, Position, fen::Fen, packed::PackedUciMove,
};
use texam_fit::blocks::{BlockReader, BlockWriter, Format};

use super::{Entry, Game, Moves, Skipped, Tally, WinnerPosition, pack_move, source, trees::TreeHead};
use crate::{
    error::{Error, ErrorKind, Result},
    fen,
    printable::is_hidden,
};

/// The largest game in PGN becomes a block of half of the longest.
pub(super) const FORMAT: Format =
    Format { letters: *b"DB", version: 3, name: "a database of games", longest: 64 << 20 };

/// So many bytes tell a database from games in PGN.
const TELLING: usize = 5;

/// Bytes of the name of the games: each byte of a path takes at most four.
const LONGEST_ORIGIN: usize = 4 * 4096;

/// Whether a file that begins with `bytes` is a database, maybe a damaged one.
pub(super) fn is_database(bytes: &[u8]) -> bool {
    bytes.starts_with(&FORMAT.signature()[..TELLING])
}

/// What a block contains.
#[derive(Serialize, Deserialize)]
pub(super) enum Block<'a> {
    /// The names of the files that the games come from, one a line. It is the first block.
    Origin(&'a str),
    /// A game with a winner.
    #[serde(borrow)]
    Game(StoredGame<'a>),
    /// Why a game was skipped.
    Skipped(StoredSkip<'a>),
    /// All games, those of each kind, and the digest. It is the last block.
    End([usize; 5], &'a str),
    /// What the trees were grown by. It is the second block of a database with trees.
    TreeHead(TreeHead),
    /// Index of a game among the decisive ones, from 0, number of a move, and the tree of its position. It
    /// follows its game.
    Tree(u32, u32, &'a [u8]),
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredGame<'a> {
    number: u32,
    black_won: bool,
    white: &'a str,
    black: &'a str,
    event: &'a str,
    date: &'a str,
    /// The FEN of the start, empty for the standard one.
    start: &'a str,
    /// Two bytes a move.
    moves: &'a [u8],
}

#[derive(Serialize, Deserialize)]
pub(super) struct StoredSkip<'a> {
    number: usize,
    is_variant: bool,
    fullmove: Option<u32>,
    line: Option<usize>,
    message: &'a str,
}

/// Writes a database of games, one game after another.
pub struct DatabaseWriter<W> {
    blocks: BlockWriter<W>,
}

impl<W: Write> DatabaseWriter<W> {
    /// Begins a database of the games of these files, whose names are written as in the data of a run.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn new(out: W, origins: &[String]) -> io::Result<DatabaseWriter<W>> {
        let mut blocks = BlockWriter::new(out, &FORMAT)?;
        blocks.write_value(&Block::Origin(&origins.join("\n")))?;
        Ok(DatabaseWriter { blocks })
    }

    /// Writes what the trees of all games are grown by, before the first game.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn tree_head(&mut self, head: &TreeHead) -> io::Result<()> {
        self.blocks.write_value(&Block::TreeHead(head.clone()))
    }

    /// Writes the tree of a position, after its game.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn tree(&mut self, position: &WinnerPosition, tree: &[u8]) -> io::Result<()> {
        self.blocks.write_value(&Block::Tree(position.game, position.fullmove, tree))
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn game(&mut self, game: &Game) -> io::Result<()> {
        let Moves { start, moves } = &game.played;
        let is_standard = *start == Chess::default();
        let fen_of_start = || Fen::from_position(start, EnPassantMode::Always).to_string();
        let moves: Vec<u8> = moves.iter().flat_map(|&mv| pack_move(mv)).collect();
        self.blocks.write_value(&Block::Game(StoredGame {
            number: game.number,
            black_won: game.chooser.is_black(),
            white: &game.white,
            black: &game.black,
            event: &game.event,
            date: &game.date,
            start: &if is_standard { String::new() } else { fen_of_start() },
            moves: &moves,
        }))
    }

    /// Writes that a game was skipped, and why.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn skipped(&mut self, skipped: &Skipped) -> io::Result<()> {
        let place = skipped.error.place();
        self.blocks.write_value(&Block::Skipped(StoredSkip {
            number: place.game.unwrap_or(0),
            is_variant: skipped.variant,
            fullmove: place.fullmove,
            line: place.line,
            message: skipped.error.message(),
        }))
    }

    /// Writes the counts and the digest of all games, and returns the output.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn finish(mut self, tally: &Tally) -> io::Result<W> {
        let Tally { games, decisive, undecided, skipped, variants, digest, .. } = tally;
        let counts = [games, decisive, undecided, skipped, variants].map(|&count| count);
        self.blocks.write_value(&Block::End(counts, digest))?;
        Ok(self.blocks.into_inner())
    }
}

/// Reads a database of games, one game after another.
pub(super) struct DatabaseReader<R> {
    blocks: BlockReader<R>,
    origins: Vec<String>,
    trees: Option<Box<TreeHead>>,
    /// Number of the game read last.
    number: usize,
    /// The games read so far; after the last block those of the file.
    tally: Tally,
    /// All games were read.
    done: bool,
}

impl<R: Read> DatabaseReader<R> {
    /// Reads the begin of a database.
    pub fn new(input: R) -> Result<DatabaseReader<R>> {
        let mut blocks = BlockReader::new(input, &FORMAT).map_err(of_database)?;
        let Block::Origin(origins) = blocks.read_value("the name of the games").map_err(of_database)? else {
            return Err(damaged("the name of the games in the first block", "another block"));
        };
        let origins: Vec<String> = origins.split('\n').map(String::from).collect();
        let is_a_name =
            |name: &String| name.len() <= LONGEST_ORIGIN && name.trim() == *name && !name.contains(is_hidden);
        if !origins.iter().all(is_a_name) {
            return Err(damaged("the names of the games, one a line", "another text"));
        }
        Ok(DatabaseReader { blocks, origins, trees: None, number: 0, tally: Tally::default(), done: false })
    }

    /// The names of the files that the games come from.
    pub fn origins(&self) -> &[String] {
        &self.origins
    }

    /// What the trees were grown by; none before the first game, and where there are none.
    pub fn trees(&self) -> Option<&TreeHead> {
        self.trees.as_deref()
    }

    /// Counts of the games; complete, digest included, after the last game.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Reads a game; `None` at the end.
    pub fn read_game(&mut self) -> Result<Option<Entry>> {
        if self.done {
            return Ok(None);
        }
        let block = loop {
            match self.blocks.read_value("a game or the end of the games").map_err(of_database)? {
                Block::TreeHead(head) if self.number == 0 && self.trees.is_none() => {
                    self.trees = Some(Box::new(head))
                }
                // Only fits that walk through the trees read them.
                Block::Tree(..) if self.trees.is_some() => {}
                block => break block,
            }
        };
        let entry = match block {
            Block::Game(stored) => {
                let game = stored.game().ok_or_else(|| damaged("a game with legal moves", "another one"))?;
                self.tally.decisive += 1;
                Entry::Decisive(game)
            }
            Block::Skipped(StoredSkip { number, is_variant: variant, fullmove, line, message }) => {
                *if variant { &mut self.tally.variants } else { &mut self.tally.skipped } += 1;
                let kind = if variant { ErrorKind::Variant } else { ErrorKind::Input };
                let mut error = Error::new(message)
                    .of_kind(kind)
                    .in_file(source::name_of(Path::new(&self.origins.join(" and "))));
                error = error.in_game(number);
                error = fullmove.into_iter().fold(error, Error::at_move);
                error = line.into_iter().fold(error, Error::at_line);
                Entry::Skipped(Skipped { error, variant })
            }
            Block::End([games, decisive, undecided, skipped, variants], digest) => {
                let digest = digest.to_string();
                self.finish(Tally { games, decisive, undecided, skipped, variants, digest, unended: 0 })?;
                return Ok(None);
            }
            Block::Origin(_) => {
                return Err(damaged("a game or the end of the games", "a second name of the games"));
            }
            Block::TreeHead(_) | Block::Tree(..) => {
                return Err(damaged("trees after what they were grown by", "others"));
            }
        };
        let number = match &entry {
            Entry::Decisive(game) => game.number as usize,
            Entry::Skipped(skipped) => skipped.error.place().game.unwrap_or(0),
        };
        if number <= self.number {
            return Err(damaged(format!("a game after game {}", self.number), format!("game {number}")));
        }
        self.number = number;
        Ok(Some(entry))
    }

    /// Checks the counts at the end against those of the games.
    fn finish(&mut self, whole: Tally) -> Result<()> {
        let kinds = |tally: &Tally| [tally.decisive, tally.skipped, tally.variants];
        let sum = kinds(&whole).iter().try_fold(whole.undecided, |sum, &count| sum.checked_add(count));
        let is_digest = whole.digest.len() == 64 && whole.digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        if kinds(&whole) != kinds(&self.tally)
            || sum != Some(whole.games)
            || self.number > whole.games
            || !is_digest
        {
            return Err(damaged("the counts of the games before", "others"));
        }
        self.tally = whole;
        self.done = true;
        self.blocks.end().map_err(of_database)
    }
}

impl StoredGame<'_> {
    /// The game; none if a move is illegal.
    fn game(&self) -> Option<Game> {
        let start = if self.start.is_empty() { Chess::default() } else { fen::parse(self.start).ok()? };
        let (packed, []) = self.moves.as_chunks() else { return None };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(packed.len());
        for &bytes in packed {
            let mv = PackedUciMove::from_bytes(bytes).unpack().to_move(&position).ok()?;
            position.play_unchecked(mv);
            moves.push(mv);
        }
        let winner = if self.black_won { Color::Black } else { Color::White };
        Some(Game {
            number: self.number,
            white: self.white.into(),
            black: self.black.into(),
            event: self.event.into(),
            date: self.date.into(),
            link: None,
            result: Outcome::Known(KnownOutcome::Decisive { winner }),
            chooser: winner,
            played: Moves { start, moves },
        })
    }
}

/// The error of a database that cannot be used.
pub(super) fn of_database(error: impl Into<Error>) -> Error {
    error.into().of_kind(ErrorKind::Database)
}

fn damaged(expected: impl std::fmt::Display, found: impl std::fmt::Display) -> Error {
    of_database(Error::expected(expected, found))
}

#[cfg(test)]
mod tests;
