use std::io::Cursor;

use super::*;
use crate::{
    error::ErrorKind,
    game::{self, Collection, Entry, GameOptions, Games, Tally},
};

/// Games of all kinds: with and without a winner, from a position, of a variant, broken.
const PGN: &str = "[White \"A\"]\n[Black \"B \\\"x\\\" \u{e9}\"]\n[Event \"E\"]\n[Date \"1988.??.??\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n\
    [White \"C\"]\n\n1. d4 d5 1/2-1/2\n\n\
    [Variant \"Atomic\"]\n\n1. d4 d5 1-0\n\n\
    [Event \"broken\"]\n\n1. e4 e4 1-0\n\n\
    [FEN \"4k3/P7/8/3pP3/8/8/8/R3K2R w KQ d6 7 30\"]\n\n1. exd6 Kd7 2. O-O-O Kc6 3. a8=N Kb7 0-1\n";

fn games(bytes: &[u8]) -> Result<Games, crate::error::Error> {
    Games::from_reader(Cursor::new(bytes.to_vec()), "input")
}

/// What was read of a file: entries with their hints, and counts. Or the first error.
type Read = (Vec<(String, Vec<(u32, Vec<u8>)>)>, Tally);

fn read(bytes: &[u8]) -> Result<Read, crate::error::Error> {
    let mut games = games(bytes)?;
    let mut entries = Vec::new();
    while let Some(entry) = games.next() {
        let text = match entry? {
            Entry::Decisive(game) => format!("{game:?}"),
            Entry::Skipped(skipped) => {
                let place = skipped.error.place().clone();
                format!(
                    "{} {:?} {}",
                    skipped.variant,
                    (place.game, place.fullmove, place.line),
                    skipped.error.message()
                )
            }
        };
        entries.push((text, games.hints().map(|(fullmove, hints)| (fullmove, hints.to_vec())).collect()));
    }
    Ok((entries, games.tally()))
}

/// The database of some games, with some hints for each move from the second on.
fn database(pgn: &str) -> Vec<u8> {
    let mut games = games(pgn.as_bytes()).unwrap();
    let mut writer = DatabaseWriter::new(Vec::new(), "games/a.pgn").unwrap();
    for entry in games.by_ref() {
        match entry.unwrap() {
            Entry::Decisive(game) => {
                let winner = game.winner_positions(1, 0);
                let hints = |fullmove: u32| (fullmove, vec![fullmove as u8; 3]);
                let hints: Vec<_> = winner.iter().map(|position| hints(position.fullmove)).collect();
                writer.game(&game, &hints).unwrap();
            }
            Entry::Skipped(skipped) => writer.skipped(&skipped).unwrap(),
        }
    }
    writer.finish(&games.tally()).unwrap()
}

#[test]
fn a_database_gives_the_games_errors_and_counts_of_its_pgn() {
    let (of_pgn, tally) = read(PGN.as_bytes()).unwrap();
    let (stored, stored_tally) = read(&database(PGN)).unwrap();
    let entries = |read: &[(String, Vec<_>)]| read.iter().map(|(entry, _)| entry.clone()).collect::<Vec<_>>();
    assert_eq!(entries(&stored), entries(&of_pgn));
    assert_eq!((tally.games, tally.decisive, tally.undecided), (5, 2, 1));
    assert_eq!(stored_tally, tally);
    let hints: Vec<_> = stored.into_iter().map(|(_, hints)| hints).collect();
    let second = vec![(2, vec![2; 3])];
    assert_eq!(hints, [second, vec![], vec![], vec![(2, vec![2; 3]), (3, vec![3; 3])]]);
}

#[test]
fn hints_are_found_by_position_for_any_choice_of_positions() {
    let collect = |skip_moves, every| -> Collection {
        let games = games(&database(PGN)).unwrap();
        game::collect(games, &GameOptions { skip_moves, ..GameOptions::default() }, every, &mut |_| {})
            .unwrap()
    };
    for (skip_moves, every) in [(0, 1), (0, 2), (1, 1), (2, 1), (9, 1)] {
        let collection = collect(skip_moves, every);
        for position in &collection.positions {
            let expected = if position.fullmove >= 2 { vec![position.fullmove as u8; 3] } else { Vec::new() };
            assert_eq!(collection.hints.get(position), expected, "skip {skip_moves}, every {every}");
        }
    }
    assert_eq!(collect(0, 1).origin.as_deref(), Some("games/a.pgn"));
    assert!(collect(9, 1).hints.is_empty());
}

#[test]
fn every_cut_and_every_flipped_bit_is_an_error_that_says_what_is_wrong() {
    let whole = database(PGN);
    for length in TELLING_LENGTH..whole.len() {
        let error = read(&whole[..length]).expect_err("a file that was cut off");
        assert_eq!(error.kind(), ErrorKind::Database, "{length}: {error}");
        assert!(error.to_string().starts_with("input: expected "), "{error}");
    }
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << bit;
            match read(&damaged) {
                Err(error) => assert!(error.to_string().starts_with("input: "), "{at}: {error}"),
                // Without its first bytes it is no database, and holds no game in PGN.
                Ok((_, tally)) => assert!(at < TELLING_LENGTH && tally.decisive == 0, "{at}"),
            }
        }
    }
    let longer = [&whole[..], b"x"].concat();
    assert!(
        read(&longer).unwrap_err().to_string().contains("the end of a database of games, but found more")
    );
}

/// So many bytes tell a database from PGN.
const TELLING_LENGTH: usize = 5;

#[test]
fn another_version_and_another_byte_order_are_named() {
    let with = |at: usize, bytes: [u8; 4]| {
        let mut other = database(PGN);
        other[at..at + 4].copy_from_slice(&bytes);
        read(&other).unwrap_err().to_string()
    };
    assert_eq!(
        with(12, [2, 0, 0, 0]),
        "input: expected a database of games of version 1, but found version 2"
    );
    assert_eq!(
        with(8, [1, 2, 3, 4]),
        "input: expected a database of games in little-endian byte order, but found big-endian byte order"
    );
}

#[test]
fn blocks_that_are_left_out_or_swapped_are_noticed() {
    let whole = database(PGN);
    let mut places = vec![16];
    while let Some(&at) = places.last().filter(|at| **at < whole.len()) {
        let length = u32::from_le_bytes(whole[at + 1..at + 5].try_into().unwrap());
        places.push(at + 5 + length as usize + 4);
    }
    let blocks: Vec<&[u8]> = places.windows(2).map(|ends| &whole[ends[0]..ends[1]]).collect();
    assert_eq!(blocks.len(), 6);
    let with = |order: &[usize]| {
        let chosen = order.iter().flat_map(|&block| blocks[block].iter().copied());
        read(&whole[..16].iter().copied().chain(chosen).collect::<Vec<u8>>())
    };
    assert!(with(&[0, 1, 2, 3, 4, 5]).is_ok());
    for order in [&[0, 1, 2, 3, 5][..], &[0, 2, 1, 3, 4, 5], &[0, 1, 1, 2, 3, 4, 5], &[1, 2, 3, 4, 5]] {
        assert!(with(order).unwrap_err().to_string().contains("checksum"), "{order:?}");
    }
}

#[test]
fn content_that_makes_no_sense_is_refused_in_spite_of_its_checksum() {
    use super::blocks::BlockWriter;
    let with = |blocks: &[(BlockKind, &[u8])]| {
        let mut writer = BlockWriter::new(Vec::new()).unwrap();
        blocks.iter().try_for_each(|(kind, content)| writer.write(*kind, content)).unwrap();
        read(&writer.into_inner()).unwrap_err().to_string()
    };
    let origin = (BlockKind::Origin, &b"\x01\0\0\0a"[..]);
    assert!(with(&[(BlockKind::Game, b"")]).contains("the name of the games in the first block"));
    assert!(with(&[(BlockKind::Origin, b"\xff\xff\xff\xffa")]).contains("the name of the games"));
    assert!(with(&[origin, (BlockKind::Game, b"\x01\0\0\0")]).contains("a game with legal moves"));
    assert!(with(&[origin, (BlockKind::Skipped, b"\x01")]).contains("the error of a skipped game"));
    assert!(with(&[origin, (BlockKind::End, &[0; 71])]).contains("the counts of the games"));
    assert!(with(&[origin, (BlockKind::End, &[1; 72])]).contains("the counts of the games before"));
    assert!(with(&[origin, origin]).contains("a block of kind 1"));
    assert!(with(&[origin]).contains("cut off"));
    // A game whose moves are said to be four thousand million.
    let mut game = vec![1, 0, 0, 0, 0];
    game.extend([0; 5 * 4]);
    game.extend([0xff; 4]);
    assert!(with(&[origin, (BlockKind::Game, &game)]).contains("a game with legal moves"));
}
