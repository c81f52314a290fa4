//! Reads the games of a PGN file. Some texts are split off ahead, and read on all threads.

use std::{collections::VecDeque, io::BufReader};

use rayon::prelude::*;

use super::{
    replay::{self, GameKind},
    source::GameBytes,
    split::GameSplitter,
};
use crate::{error::Result, file};

/// Games in PGN, in the order of the file.
pub(super) struct PgnReader {
    splitter: GameSplitter<BufReader<GameBytes>>,
    /// Games that were read, and an error of the stream after them.
    ahead: VecDeque<Result<GameKind>>,
    /// Games that were read so far.
    games: usize,
    /// The stream has ended, or cannot be read.
    is_at_end: bool,
}

impl PgnReader {
    pub(super) fn new(input: BufReader<GameBytes>) -> PgnReader {
        PgnReader { splitter: GameSplitter::new(input), ahead: VecDeque::new(), games: 0, is_at_end: false }
    }

    /// The next game; none at the end of the file.
    pub(super) fn read(&mut self) -> Result<Option<GameKind>> {
        while self.ahead.is_empty() && !self.is_at_end {
            self.read_ahead();
        }
        self.ahead.pop_front().transpose()
    }

    fn read_ahead(&mut self) {
        let (mut texts, mut bytes, mut failure) = (Vec::new(), 0, None);
        while bytes < READ_AHEAD && !self.is_at_end {
            match self.splitter.read_text() {
                Ok(Some(text)) => {
                    bytes += text.bytes.len();
                    texts.push(text);
                }
                Ok(None) => self.is_at_end = true,
                Err(error) => (failure, self.is_at_end) = (Some(error), true),
            }
        }
        let games = texts.par_chunks(TEXTS_AT_ONCE).flat_map_iter(replay::read_games);
        let games: Vec<GameKind> = games.collect();
        let before = self.ahead.len();
        self.ahead.extend(games.into_iter().map(Ok));
        self.games += self.ahead.len() - before;
        let failure = failure.map(|error| file::cannot_read_on(error).in_game(self.games + 1));
        self.ahead.extend(failure.map(Err));
    }

    /// The bytes that are read.
    pub(super) fn bytes(&self) -> &GameBytes {
        self.splitter.get_ref().get_ref()
    }
}

/// Bytes of games that are read before they are replayed.
const READ_AHEAD: usize = 1 << 18;

/// Texts that a reader gets at once.
const TEXTS_AT_ONCE: usize = 64;
