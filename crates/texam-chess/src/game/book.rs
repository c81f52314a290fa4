//! A book of openings: games, whatever their result, or lines of EPD or FEN. The first line tells which.

use std::{io, path::Path};

use super::{
    Entry, Games, Moves,
    labelled::titles_of_lines,
    reader::Input,
    replay::GameKind,
    source::{self, GameBytes},
};
use crate::{error::Result, file};

/// What a book of openings holds.
#[derive(Debug)]
pub enum Book {
    /// Games, and the number of others, which cannot be read or are of a chess variant.
    Games(Vec<Moves>, u64),
    /// Lines of EPD or FEN.
    Lines(String),
}

/// Reads a book, plain or packed.
///
/// # Errors
///
/// Those of [`Games::open`], or the stream cannot be read to its end.
pub fn read_book(path: &Path) -> Result<Book> {
    let name = source::name_of(path);
    let read = || {
        let mut source = GameBytes::open(path)?;
        match titles_of_lines(&mut source) {
            Some(_) => io::read_to_string(source).map(Book::Lines).map_err(file::cannot_read_on),
            None => read_games(Games::new(source, name.clone())?),
        }
    };
    read().map_err(|error| error.in_file(&name))
}

fn read_games(mut games: Games) -> Result<Book> {
    let (mut found, mut skipped) = (Vec::new(), 0);
    if let Input::Pgn(_) = games.input {
        while let Some(game) = games.read_pgn()? {
            match game {
                GameKind::Read(game, ..) => found.push(game.played),
                _ => skipped += 1,
            }
        }
    } else {
        for entry in games {
            match entry? {
                Entry::Decisive(game) => found.push(game.played),
                Entry::Skipped(_) => skipped += 1,
            }
        }
    }
    Ok(Book::Games(found, skipped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::packing::Format;

    fn book(bytes: &[u8]) -> Book {
        let folder = tempfile::tempdir().unwrap();
        // The name tells nothing.
        let path = folder.path().join("book.epd");
        std::fs::write(&path, bytes).unwrap();
        read_book(&path).unwrap()
    }

    #[test]
    fn every_game_is_taken_whatever_its_result() {
        for result in ["1-0", "1/2-1/2", "*", ""] {
            let text = format!("[Event \"book\"]\n\n1. e4 c6 2. d4 {result}\n\n[Event \"b\"]\n\n1. Ke5 *\n");
            let Book::Games(games, skipped) = book(text.as_bytes()) else { panic!("games") };
            assert_eq!((games.len(), games[0].moves.len(), skipped), (1, 3, 1), "{result}");
        }
    }

    #[test]
    fn lines_of_positions_are_known_by_the_first_plain_or_packed() {
        let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        let packed = Format::ALL.map(|format| format.pack(line.as_bytes()));
        for bytes in packed.iter().map(Vec::as_slice).chain([line.as_bytes()]) {
            assert!(matches!(book(bytes), Book::Lines(text) if text == line));
        }
    }
}
