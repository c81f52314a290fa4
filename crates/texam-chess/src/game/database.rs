//! Pre-searched games: a binary file (`.dbf`) of games with the best moves that searches found in them.
//!
//! Takes the place of steps two and three of reading games: [`DatabaseReader`] returns the games that
//! [`DatabaseWriter`] stored, without parsing any PGN. All moves are checked for legality, so a file cannot contain
//! what a file in PGN could not. The hints of a position are bytes here; the search knows what they mean.
//!
//! docs/FORMATS.md describes the format. Its bytes come in blocks, each with a checksum. A file that is damaged, cut
//! off or of another version is refused as a whole.

mod blocks;
mod reader;
mod writer;

pub use self::writer::DatabaseWriter;
pub(super) use self::{
    blocks::is_database,
    reader::{DatabaseReader, StoredEntry},
};

/// What a block contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    /// The name of the file that the games come from. It is the first block.
    Origin = 1,
    /// A game with a winner, and hints for its positions.
    Game = 2,
    /// Why a game was skipped.
    Skipped = 3,
    /// Counts and digest of all games. It is the last block.
    End = 4,
}

/// Length of a SHA-256 in bytes.
const DIGEST_BYTES: usize = 32;

#[cfg(test)]
mod tests;
