//! Writes games and what searches found in them.

use std::io::{self, Write};

use shakmaty::{Chess, EnPassantMode, fen::Fen, packed::PackedUciMove, uci::UciMove};

use super::{
    BlockKind, DIGEST_BYTES,
    blocks::{BlockWriter, LONGEST_BLOCK, push_text},
};
use crate::game::{Game, Skipped, Tally};

/// Writes a database of games, one game after another.
pub struct DatabaseWriter<W> {
    blocks: BlockWriter<W>,
}

impl<W: Write> DatabaseWriter<W> {
    /// Begins a database of the games of the file `origin`, which is written as in the header of a `.stat`.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn new(out: W, origin: &str) -> io::Result<DatabaseWriter<W>> {
        let mut blocks = BlockWriter::new(out)?;
        let mut content = Vec::new();
        push_text(&mut content, origin);
        blocks.write(BlockKind::Origin, &content)?;
        Ok(DatabaseWriter { blocks })
    }

    /// Writes a game, and the hints of its positions in ascending order of the number of their move. Hints that do not fit are left
    /// out.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn game(&mut self, game: &Game, hints: &[(u32, Vec<u8>)]) -> io::Result<()> {
        let mut content = Vec::new();
        content.extend(game.number.to_le_bytes());
        content.push(u8::from(game.winner.is_black()));
        for tag in [&game.white, &game.black, &game.event, &game.date] {
            push_text(&mut content, tag);
        }
        let is_standard = game.start == Chess::default();
        let fen = || Fen::from_position(&game.start, EnPassantMode::Always).to_string();
        push_text(&mut content, &if is_standard { String::new() } else { fen() });
        content.extend((game.moves.len() as u32).to_le_bytes());
        for &mv in &game.moves {
            content.extend(PackedUciMove::pack(UciMove::from_standard(mv)).to_bytes());
        }
        for (fullmove, hints) in hints {
            let (Ok(fullmove), Ok(length)) = (u16::try_from(*fullmove), u16::try_from(hints.len())) else {
                continue;
            };
            if length == 0 || content.len() + 4 + hints.len() > LONGEST_BLOCK {
                continue;
            }
            content.extend(fullmove.to_le_bytes());
            content.extend(length.to_le_bytes());
            content.extend(hints);
        }
        self.blocks.write(BlockKind::Game, &content)
    }

    /// Writes that a game was skipped, and why.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn skipped(&mut self, skipped: &Skipped) -> io::Result<()> {
        let place = skipped.error.place();
        let mut content = Vec::new();
        content.extend((place.game.unwrap_or(0) as u32).to_le_bytes());
        content.push(u8::from(skipped.variant));
        content.extend(place.fullmove.unwrap_or(0).to_le_bytes());
        content.extend((place.line.unwrap_or(0) as u64).to_le_bytes());
        push_text(&mut content, skipped.error.message());
        self.blocks.write(BlockKind::Skipped, &content)
    }

    /// Writes the counts and the digest of all games, and returns the output.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn finish(mut self, tally: &Tally) -> io::Result<W> {
        let digest = tally.digest.as_bytes().chunks(2).map(|pair| {
            let digits = str::from_utf8(pair).ok();
            digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())
        });
        let mut content: Vec<u8> = digest.map_while(|byte| byte).collect();
        content.resize(DIGEST_BYTES, 0);
        for count in [tally.games, tally.decisive, tally.undecided, tally.skipped, tally.variants] {
            content.extend((count as u64).to_le_bytes());
        }
        self.blocks.write(BlockKind::End, &content)?;
        Ok(self.blocks.into_inner())
    }
}
