//! The stored trees of many positions, in a file that each pass reads anew.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use tempfile::NamedTempFile;
use texam_fit::Standing;

use super::{Sampling, Tick};
use crate::{
    error::{Error, ErrorKind, Result},
    feature::Weights,
    game::{DatabaseWriter, StoredTree, Tally, TreeReader, WinnerPosition},
    search::{
        Settings,
        alphabeta::{AlphaBeta, Prepared},
        tree::Margin,
    },
};

/// Bytes of trees that are in memory while they are walked; as many are read meanwhile.
const CHUNK_BYTES: usize = 32 << 20;

/// Positions whose trees are grown before they are written.
const GROWN_AT_A_TIME: usize = 512;

/// The stored trees of the positions fitted and of those held out, through which passes walk.
pub(super) struct Trees {
    pub forests: [Forest; 2],
    pub margin: Margin,
    /// After so many passes the trees are grown anew; 0 never.
    pub regrow: u32,
    /// Passes that were made.
    pub passes: u32,
    /// Weights under which the trees of a run that is resumed were last grown anew.
    pub last_grown: Option<Weights>,
}

impl Trees {
    /// Grows the trees anew where that is due before a pass under these weights. Says whether it was not
    /// cancelled.
    pub fn grow_where_due(
        &mut self,
        positions: [&[WinnerPosition]; 2],
        weights: &Weights,
        sampling: &Sampling,
        tick: Tick,
    ) -> texam_fit::Result<bool> {
        let is_due = self.passes > 0 && self.passes.checked_rem(self.regrow) == Some(0);
        self.passes += 1;
        let last_grown = self.last_grown.take();
        if let Some(weights) = if is_due { Some(weights) } else { last_grown.as_ref() } {
            for (forest, positions) in self.forests.iter_mut().zip(positions) {
                // Growing is no pass: it counts no position.
                let goes_on = |_: &Standing| tick(&Standing::default());
                let grown = Forest::grow(positions, weights, sampling.search, self.margin, &goes_on);
                match grown.map_err(texam_fit::Error::external)? {
                    Some(grown) => *forest = grown,
                    None => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

/// A file with the trees of positions.
pub struct Forest {
    path: PathBuf,
    /// Where the trees were grown anew by the run itself.
    _temporary: Option<NamedTempFile>,
}

impl Forest {
    /// The trees of a database.
    pub fn new(path: impl Into<PathBuf>) -> Forest {
        Forest { path: path.into(), _temporary: None }
    }

    /// Grows the trees of positions anew, in a temporary file. None where `tick` says no.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or a tree is too large.
    pub fn grow(
        positions: &[WinnerPosition],
        weights: &Weights,
        settings: Settings,
        margin: Margin,
        tick: Tick,
    ) -> Result<Option<Forest>> {
        let failed = |error| {
            Error::io(
                "cannot write the trees to a temporary file; make room, or set TMPDIR to another folder",
                error,
            )
        };
        let prepared = Prepared::new(settings, &weights.quantised());
        let mut file = tempfile::Builder::new().prefix("texam-").suffix(".dbf").tempfile().map_err(failed)?;
        let mut writer = DatabaseWriter::new(BufWriter::new(file.as_file_mut()), &[]).map_err(failed)?;
        for some in positions.chunks(GROWN_AT_A_TIME) {
            let Some(trees) = grow_all(some, &prepared, margin, tick)? else { return Ok(None) };
            let written: io::Result<()> =
                some.iter().zip(&trees).try_for_each(|(position, tree)| writer.tree(position, tree));
            written.map_err(failed)?;
        }
        let mut out = writer.finish(&Tally::default()).map_err(failed)?;
        out.flush().map_err(failed)?;
        drop(out);
        Ok(Some(Forest { path: file.path().to_path_buf(), _temporary: Some(file) }))
    }

    /// The file, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins to read the trees of positions, which come in the order of the file.
    pub(super) fn chunks<'a>(&'a self, positions: &'a [WinnerPosition]) -> Result<Chunks<'a>> {
        Ok(Chunks { reader: TreeReader::open(&self.path)?, path: &self.path, rest: positions })
    }
}

/// The trees of positions, in their order, by all threads. None where `tick` says no.
///
/// # Errors
///
/// A tree is too large.
pub fn grow_all(
    positions: &[WinnerPosition],
    prepared: &Prepared,
    margin: Margin,
    tick: Tick,
) -> Result<Option<Vec<Vec<u8>>>> {
    let grow = |searcher: &mut AlphaBeta, position: &WinnerPosition| {
        let tree = searcher
            .grow(&position.position(), margin)
            .map_err(|error| error.in_game(position.game as usize + 1).at_move(position.fullmove))?;
        Ok(tick(&Standing::default()).then_some(tree))
    };
    positions.par_iter().map_init(|| AlphaBeta::new(prepared), grow).collect()
}

/// Positions of whole games, with their trees.
type Chunk<'a> = (&'a [WinnerPosition], Vec<Vec<u8>>);

/// Reads the trees of positions, those of whole games at a time.
pub(super) struct Chunks<'a> {
    reader: TreeReader,
    path: &'a Path,
    rest: &'a [WinnerPosition],
}

impl<'a> Chunks<'a> {
    /// The next positions, those of whole games, with their trees; none at the end.
    pub fn read(&mut self) -> Result<Option<Chunk<'a>>> {
        let (mut trees, mut bytes) = (Vec::new(), 0);
        let positions = self.rest;
        while let Some(position) = positions.get(trees.len()) {
            let before = trees.len().checked_sub(1).map(|last| &positions[last]);
            let is_new_game = before.is_some_and(|before| before.game != position.game);
            if is_new_game && bytes > CHUNK_BYTES {
                break;
            }
            let tree = self.tree_of(position)?;
            bytes += tree.len();
            trees.push(tree);
        }
        self.rest = &positions[trees.len()..];
        Ok((!trees.is_empty()).then(|| (&positions[..trees.len()], trees)))
    }

    fn tree_of(&mut self, position: &WinnerPosition) -> Result<Vec<u8>> {
        let wanted = (position.game, position.fullmove);
        loop {
            match self.reader.read().map_err(|error| error.in_file(self.path))? {
                Some(StoredTree { place, bytes }) if place == wanted => return Ok(bytes),
                Some(StoredTree { place, .. }) if place < wanted => {}
                _ => {
                    let expected = format!("a tree of move {} of decisive game {}", wanted.1, wanted.0 + 1);
                    return Err(Error::expected(expected, "none")
                        .of_kind(ErrorKind::NoTrees)
                        .in_file(self.path));
                }
            }
        }
    }
}
