//! The stored trees of a database: what they were grown by, and their bytes, read one position after another.

use std::{
    io::{BufReader, Read},
    path::Path,
};

use serde::{Deserialize, Serialize};
use texam_fit::blocks::BlockReader;

use super::{
    database::{Block, FORMAT, of_database},
    reader::BUFFER_BYTES,
};
use crate::{
    error::{Error, ErrorKind, Result},
    file,
    search::{Settings, tree::Margin},
};

/// What stored trees were grown by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeHead {
    depth: u32,
    quiescence: bool,
    checks: u32,
    phase: String,
    phase_at: String,
    margin: Margin,
    /// Digest of the weights.
    weights: String,
}

impl TreeHead {
    /// Trees of searches with these settings, under weights with this [digest](crate::par::digest_of_values).
    pub fn new(settings: &Settings, margin: Margin, weights: String) -> TreeHead {
        let &Settings { depth, quiescence, checks, phase, phase_at } = settings;
        TreeHead {
            depth,
            quiescence,
            checks,
            phase: phase.name().to_string(),
            phase_at: phase_at.name().to_string(),
            margin,
            weights,
        }
    }

    /// Checks that the trees reach as far as a search with these settings.
    ///
    /// # Errors
    ///
    /// Names the settings that differ.
    pub fn check(&self, settings: &Settings) -> Result<()> {
        let &Settings { depth, quiescence, checks, .. } = settings;
        let words = |(depth, quiescence, checks)| match quiescence {
            true => format!("trees of depth {depth} with checks {checks}"),
            false => format!("trees of depth {depth} without quiescence"),
        };
        let (wanted, own) = ((depth, quiescence, checks), (self.depth, self.quiescence, self.checks));
        if wanted == own {
            return Ok(());
        }
        Err(Error::expected(words(wanted), words(own)).of_kind(ErrorKind::NoTrees))
    }

    /// How far a move may be from the best of its node to be stored.
    pub fn margin(&self) -> Margin {
        self.margin
    }

    /// Whether a walk under weights with this digest finds exactly what a search with these settings finds.
    pub fn is_exact_for(&self, settings: &Settings, weights: &str) -> bool {
        *self == TreeHead::new(settings, self.margin, weights.to_string())
    }
}

/// The stored tree of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTree {
    /// [Game](super::WinnerPosition::game) and number of the move of the position.
    pub place: (u32, u32),
    /// The bytes of [`tree`](crate::search::tree).
    pub bytes: Vec<u8>,
}

/// Reads the trees of a database in the order of its positions.
pub struct TreeReader {
    blocks: BlockReader<BufReader<Box<dyn Read + Send>>>,
}

impl TreeReader {
    /// Opens a database, plain or packed.
    ///
    /// # Errors
    ///
    /// It cannot be opened, or is no database.
    pub fn open(path: &Path) -> Result<TreeReader> {
        let input = BufReader::with_capacity(BUFFER_BYTES, file::open_unpacked(path)?);
        Ok(TreeReader { blocks: BlockReader::new(input, &FORMAT).map_err(of_database)? })
    }

    /// The next tree; none at the end.
    ///
    /// # Errors
    ///
    /// Those of reading, or damage.
    pub fn read(&mut self) -> Result<Option<StoredTree>> {
        loop {
            match self.blocks.read_value("a tree or the end of the games").map_err(of_database)? {
                Block::Tree(game, fullmove, bytes) => {
                    return Ok(Some(StoredTree { place: (game, fullmove), bytes: bytes.to_vec() }));
                }
                Block::End(..) => return Ok(None),
                Block::Origin(_) | Block::Game(_) | Block::Skipped(_) | Block::TreeHead(_) => {}
            }
        }
    }
}
