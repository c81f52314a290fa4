//! Reads the games of a PGN file. Some games are split off ahead, and replayed on all threads.

use std::{collections::VecDeque, io::BufReader};

use rayon::prelude::*;

use super::{
    replay::{self, GameKind},
    source::{self, Source},
    split::{self, GameSplitter, GameText},
};
use crate::error::{Error, Result};

/// Games in PGN, in the order of the file.
pub(super) struct PgnReader {
    splitter: GameSplitter<BufReader<Source>>,
    /// Games that are replayed, and an error of the stream after them.
    ahead: VecDeque<Result<GameKind>>,
    /// Games that were split off.
    split: usize,
}

impl PgnReader {
    pub(super) fn new(input: BufReader<Source>) -> PgnReader {
        PgnReader { splitter: GameSplitter::new(input), ahead: VecDeque::new(), split: 0 }
    }

    /// The next game; none at the end of the file.
    pub(super) fn read(&mut self) -> Result<Option<GameKind>> {
        if self.ahead.is_empty() {
            self.read_ahead();
        }
        self.ahead.pop_front().transpose()
    }

    fn read_ahead(&mut self) {
        let (mut texts, mut bytes, mut failed) = (Vec::new(), 0, None);
        while bytes < READ_AHEAD {
            match self.splitter.read_game() {
                Ok(Some(text)) => {
                    self.split += 1;
                    bytes += text.bytes.len() + 1;
                    texts.push((self.split, text.into_owned()));
                }
                Ok(None) => break,
                Err(error) => {
                    failed = Some(source::cannot_read(error).in_game(self.split + 1));
                    break;
                }
            }
        }
        let replayed: Vec<GameKind> =
            texts.par_iter().map(|(number, text)| replayed(*number, text)).collect();
        self.ahead.extend(replayed.into_iter().map(Ok));
        self.ahead.extend(failed.map(Err));
    }

    /// The digest of the bytes read so far.
    pub(super) fn digest(&self) -> String {
        self.splitter.get_ref().get_ref().digest()
    }
}

/// Bytes of games that are read before they are replayed.
const READ_AHEAD: usize = 1 << 18;

/// A game, the `number`-th of its file.
fn replayed(number: usize, text: &GameText) -> GameKind {
    if text.is_too_long {
        let limit = format!("a game of at most {} MiB", split::LONGEST_GAME >> 20);
        return GameKind::Broken(Error::expected(limit, "a longer one").at_line(text.first_line));
    }
    replay::read_game(text, number as u32)
}
