//! Any bytes through the reader of pre-searched games, as they are and with checksums that are right: every
//! position is legal, and games that are accepted are written and read back unchanged.

use std::io::Cursor;

use texam::game::{DatabaseWriter, Entry, Game, Games, Tally};

crate::target!("database", check, 200, 600);

/// Length of signature and version.
const HEAD: usize = 12;

/// Length of the length of a block, and of its checksum.
const BLOCK_HEAD: usize = 4;
const CHECKSUM: usize = 4;

fn check(bytes: &[u8]) {
    check_games(bytes);
    check_games(&with_checksums(bytes));
}

/// The same bytes with right lengths and checksums, so that what is damaged within a block is read.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let (mut at, mut number) = (HEAD, 0_u32);
    while at + BLOCK_HEAD + CHECKSUM <= bytes.len() {
        let length = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
        let length = length.min(bytes.len() - at - BLOCK_HEAD - CHECKSUM);
        bytes[at..at + BLOCK_HEAD].copy_from_slice(&(length as u32).to_le_bytes());
        let end = at + BLOCK_HEAD + length;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&number.to_le_bytes());
        hasher.update(&bytes[at..end]);
        let checksum = hasher.finalize().to_le_bytes();
        bytes[end..end + CHECKSUM].copy_from_slice(&checksum);
        (at, number) = (end + CHECKSUM, number + 1);
    }
    bytes
}

/// The games with a winner, the counts, and the file written anew; none where there was an error.
fn read(bytes: &[u8]) -> Option<(Vec<Game>, Tally, Vec<u8>)> {
    let mut games = Games::from_reader(Cursor::new(bytes.to_vec()), "input").ok()?;
    let mut writer = DatabaseWriter::new(Vec::new(), games.origins()?).expect("memory can be written");
    let mut stored = Vec::new();
    for entry in games.by_ref() {
        match entry {
            Ok(Entry::Decisive(game)) => {
                writer.game(&game).expect("memory can be written");
                stored.push(game);
            }
            Ok(Entry::Skipped(skipped)) => writer.skipped(&skipped).expect("memory can be written"),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return None;
            }
        }
    }
    let tally = games.tally();
    let written = writer.finish(&tally).expect("memory can be written");
    Some((stored, tally, written))
}

fn check_games(bytes: &[u8]) {
    let Some((stored, tally, written)) = read(bytes) else { return };
    assert_eq!(tally.games, tally.decisive + tally.undecided + tally.skipped + tally.variants);
    assert_eq!(tally.decisive, stored.len());
    stored.iter().for_each(crate::pgn::assert_legal);
    let again = read(&written).expect("what was written is read");
    assert_eq!((again.0, again.1), (stored, tally));
    assert!(again.2 == written, "a second copy differs from the first");
}
