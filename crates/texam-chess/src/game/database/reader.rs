//! Reads games and what searches found in them.

use std::{io::Read, ops::Range, path::Path};

use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, Position, PositionError, fen::Fen, packed::PackedUciMove,
};

use super::{
    BlockKind, DIGEST_BYTES,
    blocks::{BlockReader, Fields, damaged},
};
use crate::{
    error::{Error, Result},
    game::{Game, Skipped, Tally, source},
};

/// A game of a database.
pub(in crate::game) enum StoredEntry {
    Game(Game),
    Skipped(Skipped),
}

/// Reads a database of games, one game after another.
pub(in crate::game) struct DatabaseReader<R> {
    blocks: BlockReader<R>,
    origin: String,
    /// Number of the game read last.
    number: u32,
    /// The games read so far; after the last block those of the file.
    tally: Tally,
    /// Hints of the game read last: number of the move, and place in its block.
    hints: Vec<(u32, Range<usize>)>,
    /// All games were read.
    done: bool,
}

impl<R: Read> DatabaseReader<R> {
    /// Reads the begin of a database.
    ///
    /// # Errors
    ///
    /// Another version, another byte order, or damage.
    pub(in crate::game) fn new(input: R) -> Result<DatabaseReader<R>> {
        let mut blocks = BlockReader::new(input)?;
        if blocks.read()? != BlockKind::Origin as u8 {
            return Err(damaged("the name of the games in the first block", "another block"));
        }
        let mut fields = Fields(blocks.content());
        let origin = fields.text().filter(|_| fields.0.is_empty());
        let origin = origin.ok_or_else(|| damaged("the name of the games", "other bytes"))?.to_string();
        Ok(DatabaseReader {
            blocks,
            origin,
            number: 0,
            tally: Tally::default(),
            hints: Vec::new(),
            done: false,
        })
    }

    /// The name of the file that the games come from.
    pub(in crate::game) fn origin(&self) -> &str {
        &self.origin
    }

    /// Counts of the games; complete, digest included, after the last game.
    pub(in crate::game) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The hints of the game read last: number of the move in its game, and bytes; in ascending order.
    pub(in crate::game) fn hints(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.hints.iter().map(|(fullmove, place)| (*fullmove, &self.blocks.content()[place.clone()]))
    }

    /// Reads a game; `None` at the end.
    ///
    /// # Errors
    ///
    /// The file is damaged, cut off or cannot be read.
    pub(in crate::game) fn read_game(&mut self) -> Result<Option<StoredEntry>> {
        self.hints.clear();
        if self.done {
            return Ok(None);
        }
        let kind = self.blocks.read()?;
        let content = self.blocks.content();
        let unreadable = |what: &str| damaged(what, "bytes that are none");
        let entry = if kind == BlockKind::Game as u8 {
            let game =
                read_game(content, &mut self.hints).ok_or_else(|| unreadable("a game with legal moves"))?;
            StoredEntry::Game(game)
        } else if kind == BlockKind::Skipped as u8 {
            let skipped = read_skipped(content).ok_or_else(|| unreadable("the error of a skipped game"))?;
            StoredEntry::Skipped(skipped)
        } else if kind == BlockKind::End as u8 {
            let whole = read_end(content).ok_or_else(|| unreadable("the counts of the games"))?;
            self.finish(whole)?;
            return Ok(None);
        } else {
            return Err(damaged("a game or the end of the games", format!("a block of kind {kind}")));
        };
        self.count(entry).map(Some)
    }

    /// Counts a game, and completes its error.
    fn count(&mut self, entry: StoredEntry) -> Result<StoredEntry> {
        let number = match &entry {
            StoredEntry::Game(game) => game.number,
            StoredEntry::Skipped(skipped) => skipped.error.place().game.unwrap_or(0) as u32,
        };
        if number <= self.number {
            return Err(damaged(format!("a game after game {}", self.number), format!("game {number}")));
        }
        self.number = number;
        Ok(match entry {
            StoredEntry::Game(game) => {
                self.tally.decisive += 1;
                StoredEntry::Game(game)
            }
            StoredEntry::Skipped(Skipped { error, variant }) => {
                *if variant { &mut self.tally.variants } else { &mut self.tally.skipped } += 1;
                let error = error.in_file(source::name_of(Path::new(&self.origin)));
                StoredEntry::Skipped(Skipped { error, variant })
            }
        })
    }

    /// Checks the counts at the end against those of the games.
    fn finish(&mut self, whole: Tally) -> Result<()> {
        let kinds = |tally: &Tally| [tally.decisive, tally.skipped, tally.variants];
        let sum = kinds(&whole).iter().try_fold(whole.undecided, |sum, &count| sum.checked_add(count));
        if kinds(&whole) != kinds(&self.tally)
            || sum != Some(whole.games)
            || (self.number as usize) > whole.games
        {
            return Err(damaged("the counts of the games before", "others"));
        }
        self.tally = whole;
        self.done = true;
        self.blocks.end()
    }
}

/// A game, and the places of its hints. None for anything else, such as an illegal move.
fn read_game(content: &[u8], hints: &mut Vec<(u32, Range<usize>)>) -> Option<Game> {
    let mut fields = Fields(content);
    let number = fields.u32()?;
    let winner = match fields.u8()? {
        0 => Color::White,
        1 => Color::Black,
        _ => return None,
    };
    let mut text = || fields.text().map(String::from);
    let [white, black, event, date] = [text()?, text()?, text()?, text()?];
    let start = match fields.text()? {
        "" => Chess::default(),
        fen => start_of(fen)?,
    };
    let count = fields.u32()? as usize;
    let packed = fields.bytes(count.checked_mul(PackedUciMove::BYTES)?)?;
    let mut moves = Vec::with_capacity(count);
    let mut position = start.clone();
    for &bytes in packed.as_chunks().0 {
        let mv = PackedUciMove::from_bytes(bytes).unpack().to_move(&position).ok()?;
        position.play_unchecked(mv);
        moves.push(mv);
    }
    let mut last = 0;
    while !fields.0.is_empty() {
        let fullmove = u32::from(fields.u16()?);
        let length = usize::from(fields.u16()?);
        let at = content.len() - fields.0.len();
        fields.bytes(length)?;
        if fullmove <= last {
            return None;
        }
        last = fullmove;
        hints.push((fullmove, at..at + length));
    }
    Some(Game { number, white, black, event, date, winner, start, moves })
}

/// A position that was the start of a game in PGN.
fn start_of(fen: &str) -> Option<Chess> {
    let setup = Fen::from_ascii(fen.as_bytes()).ok()?.into_setup();
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_invalid_ep_square).ok()
}

fn read_skipped(content: &[u8]) -> Option<Skipped> {
    let mut fields = Fields(content);
    let number = fields.u32()? as usize;
    let variant = match fields.u8()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let (fullmove, line) = (fields.u32()?, fields.u64()?);
    let mut error = Error::new(fields.text()?).in_game(number);
    if fullmove > 0 {
        error = error.at_move(fullmove);
    }
    if line > 0 {
        error = error.at_line(usize::try_from(line).ok()?);
    }
    fields.0.is_empty().then_some(Skipped { error, variant })
}

fn read_end(content: &[u8]) -> Option<Tally> {
    let mut fields = Fields(content);
    let digest = fields.bytes(DIGEST_BYTES)?.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut count = || fields.u64().and_then(|count| usize::try_from(count).ok());
    let [games, decisive, undecided, skipped, variants] = [count()?, count()?, count()?, count()?, count()?];
    fields.0.is_empty().then_some(Tally { games, decisive, undecided, skipped, variants, digest })
}
