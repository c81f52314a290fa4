//! Any bytes through the reader of pre-searched games, as they are and with checksums that are right: every position is
//! legal, and games that are accepted are written and read back unchanged.

use std::io::Cursor;

use shakmaty::Position;
use texam::{
    game::{DatabaseWriter, Entry, Game, Games, Tally},
    search::MoveHints,
};

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
pub fn with_checksums(bytes: &[u8]) -> Vec<u8> {
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

type Stored = (Game, Vec<(u32, Vec<u8>)>);

/// The games with a winner and their hints, the counts, and the file written anew; none where there was an error.
fn read(bytes: &[u8]) -> Option<(Vec<Stored>, Tally, Vec<u8>)> {
    let mut games = Games::from_reader(Cursor::new(bytes.to_vec()), "input").ok()?;
    let mut writer = DatabaseWriter::new(Vec::new(), games.origin()?).expect("memory can be written");
    let mut stored = Vec::new();
    while let Some(entry) = games.next() {
        match entry {
            Ok(Entry::Decisive(game)) => {
                let hints: Vec<_> =
                    games.hints().map(|(fullmove, hints)| (fullmove, hints.to_vec())).collect();
                writer.game(&game, &hints).expect("memory can be written");
                stored.push((game, hints));
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
    for (game, hints) in &stored {
        let mut position = game.start.clone();
        for &mv in &game.moves {
            assert!(position.is_legal(mv), "{mv} in {position:?}");
            position.play_unchecked(mv);
        }
        for winner in game.winner_positions(0, 0) {
            let position = winner.position();
            assert!(position.is_legal(winner.played_in(&position)));
        }
        for (_, hints) in hints {
            let hints = MoveHints::from_stored(hints);
            assert_eq!(MoveHints::from_stored(&hints.to_stored()), hints);
        }
    }
    let again = read(&written).expect("what was written is read");
    let with_hints = |(game, hints): &Stored| {
        (game.clone(), hints.iter().filter(|(_, hints)| !hints.is_empty()).cloned().collect::<Vec<_>>())
    };
    let non_empty: Vec<_> = stored.iter().map(with_hints).collect();
    assert_eq!((again.0, again.1), (non_empty, tally));
    assert!(again.2 == written, "a second copy differs from the first");
}
