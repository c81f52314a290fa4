use std::io::Cursor;

use texam_fit::blocks::BlockPlace;

use super::*;
use crate::{
    error::ErrorKind,
    game::{self, Entry, GameOptions, Games, Tally},
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

/// What was read of a file: entries and counts. Or the first error.
fn read(bytes: &[u8]) -> Result<(Vec<String>, Tally), crate::error::Error> {
    let mut games = games(bytes)?;
    let mut entries = Vec::new();
    for entry in games.by_ref() {
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
        entries.push(text);
    }
    Ok((entries, games.tally()))
}

/// The database of some games.
fn database(pgn: &str) -> Vec<u8> {
    let mut games = games(pgn.as_bytes()).unwrap();
    let mut writer = DatabaseWriter::new(Vec::new(), &["games/a.pgn".to_string()]).unwrap();
    for entry in games.by_ref() {
        match entry.unwrap() {
            Entry::Decisive(game) => writer.game(&game).unwrap(),
            Entry::Skipped(skipped) => writer.skipped(&skipped).unwrap(),
        }
    }
    writer.finish(&games.tally()).unwrap()
}

#[test]
fn a_database_gives_the_games_errors_and_counts_of_its_pgn() {
    let (of_pgn, tally) = read(PGN.as_bytes()).unwrap();
    let (stored, stored_tally) = read(&database(PGN)).unwrap();
    assert_eq!(stored, of_pgn);
    assert_eq!((tally.games, tally.decisive, tally.undecided), (5, 2, 1));
    assert_eq!(stored_tally, tally);
    let games = games(&database(PGN)).unwrap();
    let collection = game::collect(games, &GameOptions::default(), 1, &mut |_| {}).unwrap();
    assert_eq!(collection.origins, Some(vec!["games/a.pgn".to_string()]));
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
fn another_version_is_named() {
    let with = |at: usize, bytes: [u8; 4]| {
        let mut other = database(PGN);
        other[at..at + 4].copy_from_slice(&bytes);
        read(&other).unwrap_err().to_string()
    };
    assert_eq!(
        with(8, [2, 0, 0, 0]),
        "input: expected a database of games of version 3, but found version 2"
    );
}

#[test]
fn blocks_that_are_left_out_or_swapped_are_noticed() {
    let whole = database(PGN);
    let mut places = vec![12];
    while let Some(&at) = places.last().filter(|at| **at < whole.len()) {
        let length = u32::from_le_bytes(whole[at..at + 4].try_into().unwrap());
        places.push(at + 4 + length as usize + 4);
    }
    let blocks: Vec<&[u8]> = places.windows(2).map(|ends| &whole[ends[0]..ends[1]]).collect();
    assert_eq!(blocks.len(), 6);
    let with = |order: &[usize]| {
        let chosen = order.iter().flat_map(|&block| blocks[block].iter().copied());
        read(&whole[..12].iter().copied().chain(chosen).collect::<Vec<u8>>())
    };
    assert!(with(&[0, 1, 2, 3, 4, 5]).is_ok());
    for order in [&[0, 1, 2, 3, 5][..], &[0, 2, 1, 3, 4, 5], &[0, 1, 1, 2, 3, 4, 5], &[1, 2, 3, 4, 5]] {
        assert!(with(order).unwrap_err().to_string().contains("checksum"), "{order:?}");
    }
}

#[test]
fn content_that_makes_no_sense_is_refused_in_spite_of_its_checksum() {
    let with = |blocks: &[&[u8]]| {
        let mut writer = BlockWriter::new(Vec::new(), &FORMAT).unwrap();
        blocks.iter().try_for_each(|content| writer.write(content)).unwrap();
        read(&writer.into_inner()).unwrap_err().to_string()
    };
    let origin = &b"\x00\x01a"[..];
    let end = |digest| packed(&Block::End([1; 5], digest));
    assert!(with(&[&end("")]).contains("the name of the games in the first block"));
    assert!(with(&[b"\x00\xff\xff\xffa"]).contains("the name of the games"));
    assert!(with(&[origin, b"\x01\x01"]).contains("a game or the end of the games"));
    assert!(with(&[origin, b"\x02\x01"]).contains("a game or the end of the games"));
    assert!(with(&[origin, b"\x09"]).contains("a game or the end of the games"));
    assert!(with(&[origin, &end(&"0".repeat(64))]).contains("the counts of the games before"));
    assert!(with(&[origin, origin]).contains("a second name"));
    assert!(with(&[origin]).contains("cut off"));
    let game = |moves: &[u8]| {
        let text = "";
        let (white, black, event, date, start) = (text, text, text, text, text);
        packed(&Block::Game(StoredGame {
            number: 1,
            black_won: false,
            white,
            black,
            event,
            date,
            start,
            moves,
        }))
    };
    let legal = PackedUciMove::pack("e2e4".parse().unwrap()).to_bytes();
    let illegal = PackedUciMove::pack("e2e5".parse().unwrap()).to_bytes();
    assert!(with(&[origin, &game(&legal)]).contains("cut off"), "a good game, and no end");
    for bad in [game(&illegal), game(&legal[..1])] {
        assert!(with(&[origin, &bad]).contains("a game with legal moves"));
    }
    let tall = [b"\x01\x01\x00\x00\x00\x00\x00\x00".as_slice(), b"\xff\xff\xff\xff\x07"].concat();
    assert!(with(&[origin, &tall]).contains("a game or the end"), "two thousand million moves");
}

fn packed(block: &Block) -> Vec<u8> {
    let mut writer = BlockWriter::resume(Vec::new(), BlockPlace::default());
    writer.write_value(block).unwrap();
    let framed = writer.into_inner();
    framed[4..framed.len() - 4].to_vec()
}

#[test]
fn the_name_of_the_games_is_a_text_of_one_line() {
    let long = "n".repeat(LONGEST_ORIGIN + 1);
    for origin in ["a\u{1b}[2J", "a\n b", " a", &long] {
        let mut writer = DatabaseWriter::new(Vec::new(), &[origin.to_string()]).unwrap();
        writer.blocks.write_value(&Block::End([0; 5], "")).unwrap();
        let error = games(&writer.blocks.into_inner()).err().expect("a wrong name").to_string();
        assert!(error.contains("the names of the games, one a line"), "{error}");
    }
    assert!(
        games(&DatabaseWriter::new(Vec::new(), &["a b.pgn".to_string()]).unwrap().blocks.into_inner())
            .is_ok()
    );
}
