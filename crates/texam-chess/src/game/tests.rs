//! Whole files through the reader: what is readable, what is damaged, and what becomes of it.

use std::{
    collections::BTreeSet,
    io::{self, Read},
    path::Path,
};

use shakmaty::{fen::Fen, san::San};

use super::*;
use crate::file::packing::Format;

const MATE: &str = "1. f3 e5 2. g4 Qh4# 0-1";

/// All games and all complaints in `input`, and the tally.
fn read(input: impl Into<Vec<u8>>) -> (Vec<Game>, Vec<String>, Tally) {
    let mut games = Games::from_reader(io::Cursor::new(input.into()), "a.pgn").unwrap();
    let (mut decisive, mut complaints) = (Vec::new(), Vec::new());
    for entry in games.by_ref() {
        match entry.unwrap() {
            Entry::Decisive(game) => decisive.push(game),
            Entry::Skipped(skipped) => complaints.push(skipped.error.to_string()),
        }
    }
    let tally = games.tally();
    assert_eq!(tally.games, tally.decisive + tally.undecided + tally.skipped + tally.variants);
    assert_eq!((tally.decisive, tally.skipped + tally.variants), (decisive.len(), complaints.len()));
    (decisive, complaints, tally)
}

fn moves(game: &Game) -> String {
    let mut position = game.played.start.clone();
    let mut text = Vec::new();
    for &played in &game.played.moves {
        text.push(San::from_move(&position, played).to_string());
        position.play_unchecked(played);
    }
    text.join(" ")
}

/// The one complaint about a game that stands between two good ones, which must not suffer from it.
fn complaint(game: &str) -> String {
    let good = format!("[Event \"good\"]\n[Result \"0-1\"]\n\n{MATE}\n\n");
    let (games, complaints, tally) = read(format!("{good}{game}\n\n{good}"));
    assert_eq!(games.len(), 2, "{game}: {complaints:?}");
    assert_eq!((games[1].number, tally.games), (3, 3), "{game}: {complaints:?}");
    assert_eq!(complaints.len(), 1, "{game}: {complaints:?}");
    complaints[0].clone()
}

#[test]
fn a_packed_tar_archive_is_refused_and_not_taken_for_games() {
    let mut archive = vec![0; 512];
    archive[..5].copy_from_slice(b"a.pgn");
    archive[257..262].copy_from_slice(b"ustar");
    archive.extend(b"[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n");
    let error = Games::from_reader(std::io::Cursor::new(archive), "a.tar.gz").err().unwrap().to_string();
    assert_eq!(error, "a.tar.gz: expected games, plain or packed, but found a tar archive: unpack it first");
}

#[test]
fn a_damaged_game_is_named_and_its_neighbours_are_read() {
    let cases = [
        (
            "[Event \"a\"]\n\n1. e4 e5 2. Nf3",
            "move 2, line 8: expected a result, but found the end of the game",
        ),
        (
            "[Result \"1-0\"]\n\n1. d4 d5 2. Nf3 Nf6 3. Nd2 1-0",
            "move 3, line 8: expected a move that only one piece can make, but found \"Nd2\"",
        ),
        (
            "[Result \"1-0\"]",
            "move 1, line 6: expected a result after the moves, but found the end of the game",
        ),
        ("[Event \"a\"]\n[Site \"b\"]", "move 1, line 7: expected a result, but found the end of the game"),
        (
            "[Result \"1-0\"]\n\n1. e4 { oh e5 1-0",
            "move 1, line 8: expected closed comments, and tags of less than 16 kB, but found an unterminated comment",
        ),
        (
            "[Result \"1-0\"]\n\n1. e4 (1. d4 e5 1-0",
            "move 1, line 8: expected \")\" to close a variation, but found the end of the game",
        ),
        ("[Result \"1-0\"]\n\n1. e4 e5 0-1", "move 2, line 8: expected 1-0 as in the tags, but found 0-1"),
        (
            "[Result \"1/2-1/2\"]\n\n1. e4 e5 0-1",
            "move 2, line 8: expected 1/2-1/2 as in the tags, but found 0-1",
        ),
        ("[Event \"a\"]\n\n1. e4 e5 0-1 1-0", "move 2, line 8: expected one result, but found 0-1 and 1-0"),
        (
            "[Event \"a\"]\n\n1. e4 1-0 e5",
            "move 1, line 8: expected the end of the game after 1-0, but found \"e5\"",
        ),
        (
            "[Result \"1/2-1/2\"]\n\n1. f3 e5 2. g4 Qh4# 0-1",
            "move 3, line 8: expected 1/2-1/2 as in the tags, but",
        ),
        ("[FEN \"8/8 w\"]\n\n1. e4 1-0", "game 2, line 6: expected a FEN, but found \"8/8 w\" ("),
        (
            "[FEN \"8/8/8/8/8/8/8/8 w - -\"]\n\n1. e4 1-0",
            "game 2, line 6: expected a legal position of standard chess, but found \"8/8/8/8/",
        ),
        (
            "\u{1}\u{2}garbage \u{3}{{[%( \n\u{7f}\n",
            "move 1, line 6: expected a legal move, but found \"\\u{1}\\u{2}gar",
        ),
    ];
    for (game, expected) in cases {
        let complaint = complaint(game);
        assert!(complaint.starts_with("a.pgn, game 2"), "{complaint}");
        assert!(complaint.contains(expected), "expected {expected}\n   found {complaint}");
    }
    for (number, moves, word) in [
        (2, "1. e4 e5 2. Nf9 Nc6 1-0", "Nf9"),
        (2, "1. e4 e5 2. Ke3 1-0", "Ke3"),
        (1, "1. e4 -- 2. d4 1-0", "--"),
        (1, "1. e4 Z0 2. d4 1-0", "Z0"),
        (1, "1. e4 <> 2. d4 1-0", "<>"),
        (1, "1. e4 @@@@ 1-0", "@@@@"),
        (1, "1. e4 null 1-0", "null"),
        (1, "1. e2-e4 0-0 1-0", "0-0"),
        (1, "1. e4 N@e5 1-0", "N@e5"),
        (2, "1. e4 e5 2. Nf", "Nf"),
        (1, "1. e4 ) e5 1-0", ")"),
        (1, "1. e4 {a {b} c} e5 1-0", "c"),
    ] {
        let complaint = complaint(&format!("[Result \"1-0\"]\n\n{moves}"));
        let expected = format!("move {number}, line 8: expected a legal move, but found {word:?}");
        assert!(complaint.starts_with("a.pgn, game 2") && complaint.contains(&expected), "{complaint}");
    }
}

#[test]
fn the_line_is_that_of_the_word_at_fault_or_an_end_of_the_game() {
    let cases = [
        ("\n\n{ a\n}\n[Result \"1-0\"]\r\n% no\r\n\r\n1. e4 {\r\n} e5\r\n2. Ke3 1-0", "move 2, line 10: "),
        ("[Result \"1-0\"]\n\n1. e4\n{ open\n\n1-0", "move 1, line 6: "),
        ("[Result \"1-0\"]\n\n1. e4\n(1. d4 (\n) 1-0", "move 1, line 5: "),
        ("[Result \"1-0\"]\n1. e4\ne5\n\n0-1\n\n", "move 2, line 5: "),
        ("[Event \"a\"]\n\n1. e4\ne5\n\n{ no more }\n", "move 2, line 6: "),
        ("[Event \"a\"]\n[Variant \"Atomic\"]\n\n*", "game 1, line 1: "),
        ("\n[Event \"a\"]\n\n[FEN \"bad\"]\n\n1-0", "game 1, line 2: "),
        ("{ never closed\n[Event \"a\"]\n\nNf9", "game 1, move 1, line 1: "),
    ];
    for (text, place) in cases {
        let (_, complaints, _) = read(text);
        assert!(complaints[0].contains(place), "expected {place}\n   found {complaints:?}");
    }
    let too_long = format!("1. e4 *\n\n[Event \"a\"]\n{}", "\n".repeat(split::LONGEST_GAME));
    assert!(read(too_long).1[0].starts_with("a.pgn, game 2, line 3: expected a game of at most 16 MiB"));
}

#[test]
fn games_on_one_line_end_at_the_event_after_a_result_and_lines_keep_their_numbers() {
    let line = format!("[Event \"a\"] [Result \"0-1\"] {MATE}");
    let (games, complaints, _) =
        read(format!("{line} {line} [Event \"b\"] 1. e5 1-0 {line}\n{line}\n[Event \"c\"]\n1. e5 1-0"));
    assert_eq!(games.len(), 4);
    assert!(complaints[0].starts_with("a.pgn, game 3, move 1, line 1: "), "{complaints:?}");
    assert!(complaints[1].starts_with("a.pgn, game 6, move 1, line 4: "), "{complaints:?}");
    let many = line.clone() + " " + &format!("{line} ").repeat(20_000);
    assert_eq!(read(many).0.len(), 20_001);
    assert_eq!(read("1. f3 e5 2. g4 { 1-0 [Event \"x\"] } Qh4# 0-1").0.len(), 1);
}

#[test]
fn variants_are_counted_apart_from_broken_games() {
    let start960 = "[FEN \"nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1\"]\n\n1. e4 1-0";
    for (game, found) in [
        ("[Variant \"Crazyhouse\"]\n\n1. e4 N@e5 1-0", "\"Crazyhouse\""),
        ("[Variant \"Chess960\"]\n\n1. e4 1-0", "\"Chess960\""),
        (start960, "a position of chess960"),
    ] {
        let (games, complaints, tally) = read(game);
        assert_eq!((games.len(), tally.variants, tally.skipped), (0, 1, 0), "{game}");
        assert!(complaints[0].contains("expected a game of standard chess, but found"), "{complaints:?}");
        assert!(complaints[0].contains(found), "{complaints:?}");
    }
    for name in ["Standard", "normal", "From Position", "", "?"] {
        assert_eq!(read(format!("[Variant \"{name}\"]\n\n{MATE}")).2.decisive, 1, "{name}");
    }
}

#[test]
fn undecided_games_are_counted_and_not_looked_at() {
    for game in [
        "[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2",
        "[Result \"1/2-1/2\"]\n\n1. Ke8 1/2-1/2",
        "[Result \"1/2-1/2\"]\n\n1. Nf9 and so on",
        "[Result \"1/2-1/2\"]\n[FEN \"bad\"]\n\n*",
        "[Result \"*\"]\n\n1. e4 --",
        "[Event \"a\"]\n\n1. e4 *",
        "1. e4 ½-½",
        "*",
    ] {
        let (_, complaints, tally) = read(game);
        assert_eq!((tally.games, tally.undecided), (1, 1), "{game}: {complaints:?}");
    }
}

#[test]
fn the_result_is_that_of_the_tag_or_else_that_after_the_moves() {
    for (tag, token, winner) in [
        ("1-0", "1-0", Color::White),
        ("1-0", "*", Color::White),
        ("*", "0-1", Color::Black),
        ("?", "0-1", Color::Black),
        ("", "0-1", Color::Black),
        ("+:-", "1-0", Color::White),
        ("0-1 (time)", "0-1", Color::Black),
    ] {
        let (games, complaints, _) = read(format!("[Result \"{tag}\"]\n\n1. e4 e5 {token}\n"));
        assert_eq!(games.first().map(|game| game.chooser), Some(winner), "{tag} {token}: {complaints:?}");
    }
}

#[test]
fn a_mate_outranks_the_winner_that_is_written() {
    for (tag, token) in [("1-0", "1-0"), ("1-0", "0-1"), ("0-1", ""), ("?", ""), ("*", "*"), ("0-1", "1-0")] {
        let (games, complaints, _) = read(format!("[Result \"{tag}\"]\n\n1. f3 e5 2. g4 Qh4# {token}\n"));
        assert_eq!(
            games.first().map(|game| game.chooser),
            Some(Color::Black),
            "{tag} {token}: {complaints:?}"
        );
    }
    let undecided = read("[Result \"1/2-1/2\"]\n\n1. f3 e5 2. g4 Qh4# 1/2-1/2").2.undecided;
    assert_eq!(undecided, 1);
}

#[test]
fn every_readable_way_to_write_a_game_is_read() {
    let (games, complaints, tally) = read(include_str!("../../../../tests/data/tricky.pgn"));
    assert_eq!(complaints, [""; 0]);
    assert_eq!((tally.games, tally.decisive), (8, 8));
    let found: Vec<_> = games.iter().map(|game| (game.number, moves(game))).collect();
    let expected = [
        (1, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7"),
        (2, "f3 e5 g4 Qh4"),
        (3, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4"),
        (4, "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Nf6 d4 exd4 e5 Ne4 Re1 Nc5 c4 dxc3"),
        (5, "d5 exd6 Kd7 a8=Q Kxd6 h8=N Kd7 Qa7"),
        (6, "O-O Ke7 Rf5"),
        (7, "f3 e5 g4 Qh4"),
        (8, ""),
    ];
    assert_eq!(found, expected.map(|(number, moves)| (number, moves.to_string())));
    assert_eq!(
        (games[1].white.as_str(), games[1].black.as_str()),
        ("Joe \"The Rook\" Doe", "A \"backslash\"")
    );
    assert_eq!((games[2].white.as_str(), games[2].date.as_str()), ("?", "?"));
}

#[test]
fn marks_line_ends_and_old_encodings_change_nothing() {
    let text = "[Event \"Málaga\"]\n[White \"Müller\"]\n[Result \"0-1\"]\n\n1. f3 {é} e5\n2. g4 Qh4# 0-1\n";
    let (expected, ..) = read(text);
    assert_eq!(expected[0].white, "Müller");
    assert_eq!(read(text.replace('\n', "\r\n")).0, expected);
    assert_eq!(read(format!("\u{feff}{text}")).0, expected);
    let latin1: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    assert_eq!(read(latin1).0, expected);
}

/// What a reader that looks at the rest of its input again for each of them takes minutes for.
const REPEATED: &str = " |\n|\r|\r\n|\t\n|\0|\u{feff}|\u{feff}\n|{|{}|}|(|()|)|( { ) }|;|;\n|%|%\n|[|[A |[A] |[A \"1\"] |\
                        [White \"1\"]\n|[White \"|\"|\" |\\|$1|$|!?|*|1-0 |1.|1\u{2026}|-|e4|N ";

/// A guard: should it not end, the reading takes more than linear time.
#[test]
fn a_part_repeated_half_a_million_times_is_read_in_linear_time() {
    for part in REPEATED.split('|') {
        let repeated = part.repeat((1 << 19) / part.len());
        for (before, after) in [
            ("", "[Event \"a\"]\n\n1. e4 1-0"),
            ("[Event \"a\"]\n", "\n1. e4 1-0"),
            ("[Event \"", "\"]\n\n1. e4 1-0"),
            ("[Event \"a\"]\n\n1. e4 ", " 1-0"),
            ("[Event \"a\"]\n\n1. e4 {", "} 1-0"),
        ] {
            let (_, _, tally) = read(format!("{before}{repeated}{after}\n\n[Event \"b\"]\n\n{MATE}"));
            assert!(tally.decisive >= 1 || part.contains(['{', '"']), "{before}{part}{after}: {tally:?}");
        }
    }
}

#[test]
fn a_packed_file_of_nothing_or_of_blanks_only_is_read_to_its_end() {
    for format in Format::ALL {
        let packed = |text: &[u8]| format.pack(text);
        let game = packed(MATE.as_bytes());
        let empty = packed(b"").repeat(10_000);
        assert_eq!(read([empty, game.clone()].concat()).2.decisive, 1, "{format:?}");
        let blanks = packed(&vec![b' '; 2 * split::LONGEST_GAME]);
        assert!(blanks.len() < 1 << 20, "{format:?}: {} bytes", blanks.len());
        assert_eq!(read([blanks, packed(b"\n"), game].concat()).2.decisive, 1, "{format:?}");
    }
}

#[test]
fn extremely_long_comments_are_read_and_extremely_long_tags_are_reported() {
    let comment = format!("{{{}}}", "long ".repeat(100_000));
    let game = |white: &str| format!("[White \"{white}\"]\n\n1. f3 {comment} e5 2. g4 Qh4# {comment} 0-1");
    let (games, ..) = read(game(&"x".repeat(10_000)));
    assert_eq!((games[0].white.len(), games[0].played.moves.len()), (10_000, 4));
    // Tags without quotes have the same limit, and what has to be escaped is read up to it.
    let (games, ..) = read(game(&"\"".repeat(16_000)));
    assert_eq!(games[0].white.len(), 16_000);
    let long = "x".repeat(70_000);
    for text in
        [game(&long), game(&long).replacen('"', "", 2), format!("[{long} \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1")]
    {
        assert!(complaint(&text).ends_with("but found an unterminated tag"), "{}", &text[..20]);
    }
}

#[test]
fn a_word_that_cannot_be_read_breaks_its_game_and_does_not_shorten_it() {
    let words = "Nf N1 Sf3 Nf3Nc6 Nf3=Nc6 g1:f3 Nf3\0 e9 o-o 0000 0-0-1 0\u{2013}0 exd6e.p. e8Q e8(Q) } ) [Event [%clk";
    for word in words.split(' ') {
        for moves in [format!("1. e4 e5 2. {word} 1-0"), format!("1. e4 e5 2. {word} d6 1-0")] {
            let complaint = complaint(&format!("[Event \"a\"]\n\n{moves}"));
            assert!(complaint.contains("game 2, move 2, line 8: expected "), "{moves}: {complaint}");
        }
    }
}

/// Some games of the shipped file, as text.
fn some_games(count: usize) -> String {
    let text = include_str!("../../../../games/gm1988.pgn");
    let end = text.match_indices("[Event ").nth(count).map_or(text.len(), |(at, _)| at);
    text[..end].into()
}

#[test]
fn a_file_cut_anywhere_loses_the_game_it_is_cut_in_and_no_other() {
    let text = some_games(3);
    let (whole, ..) = read(text.as_str());
    for end in 0..text.len() {
        let (games, complaints, tally) = read(&text[..end]);
        // The result of the tag holds for the moves that are left.
        let last = games.len().saturating_sub(1);
        assert_eq!(games[..last], whole[..last], "cut at {end}");
        // A move may be cut, too: `O-O-O` to `O-O`.
        let moves = games.last().and_then(|game| game.played.moves.split_last());
        let moves = moves.map_or(&[][..], |(_, moves)| moves);
        assert!(whole[last].played.moves.starts_with(moves), "cut at {end}");
        assert!(tally.unended <= 1 && tally.unended + complaints.len() <= 1, "cut at {end}: {tally:?}");
        assert!(complaints.len() <= 1, "cut at {end}: {complaints:?}");
        let begun = text[..end].matches("[Event \"").count();
        assert!((begun..=begun + 1).contains(&tally.games), "cut at {end}: {} games", tally.games);
    }
}

/// A game written with spellings that are drawn for each tag, number, move and result.
fn spelled_at_random(game: &Game, seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut draw = |forms: &[&str]| forms[rng.usize(..forms.len())].to_string();
    let mut text = draw(&["", "[Site \"a \"b\" c\"]\n", "[Site \"a\"] [White \"\\\"A\\\" ]b\"]"]);
    text += &draw(&["", "[Round 2]\n", "[ WhiteElo 2400 ]\n\n"]);
    let mut position = game.played.start.clone();
    for &played in &game.played.moves {
        if position.turn().is_white() {
            text += &format!("{}{}", position.fullmoves(), draw(&[".", ". ", ")", " ", ".\n", "\u{2026}"]));
        } else if draw(&["", "number"]) == "number" {
            text += &format!("{}{}", position.fullmoves(), draw(&["...", "... ", " .. "]));
        }
        let dash = draw(&["-", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}", "\u{2212}"]);
        let mut word = San::from_move(&position, played).to_string();
        match played {
            Move::Castle { .. } => word = word.replace('O', &draw(&["O", "0", "o"])).replace('-', &dash),
            Move::Normal { role, from, capture, to, .. } if draw(&["short", "long"]) == "long" => {
                let piece = role.upper_char().to_string().replace('P', "");
                let between = if capture.is_some() { draw(&["x", ":", "\u{d7}", "", &dash]) } else { dash };
                let promoted = word.split_once('=').map_or(String::new(), |(_, piece)| format!("={piece}"));
                word = format!("{piece}{from}{between}{to}{promoted}");
            }
            _ => word = word.replace('x', &draw(&["x", ":", ""])),
        }
        if let Some((to, piece)) = word.clone().split_once('=') {
            word = format!("{to}{}", draw(&["=P", "P", "(P)", "/P", "=(P)"]).replace('P', piece));
        }
        if draw(&["letters", "figurines"]) == "figurines" {
            let figurines = draw(&["♔♕♖♗♘", "♚♛♜♝♞"]);
            let pieces = "KQRBN".chars().zip(figurines.chars());
            word = pieces.fold(word, |word, (letter, figurine)| word.replace(letter, &figurine.to_string()));
        }
        if matches!(played, Move::EnPassant { .. }) {
            word += &draw(&["", "ep", "e.p.", " e.p.", " ep"]);
        }
        let marks = [
            "", "", "+", "++", "#", "ch", " ch", "mate", " dbl ch.", "†", "!", " ?!", "±", " $14", " N", " D",
        ];
        text += &format!(
            "{word}{}{}",
            draw(&marks),
            draw(&[" ", "\n", " {a 1-0} ", " (1. e4 {)} e5) ", " ; 1-0\n"])
        );
        position.play_unchecked(played);
    }
    let [white, black] =
        [["1-0", "1:0", "1\u{2013}0", "1 - 0"], ["0-1", "0:1", "0\u{2212}1", "0 \u{2013} 1"]];
    text + &draw(if game.result.winner() == Some(Color::White) { &white } else { &black })
}

/// En passant and promotions, with captures and without.
const PROMOTIONS: &str =
    "1. e4 c5 2. e5 d5 3. exd6 c4 4. dxe7 cxb3 5. exd8=Q+ Kxd8 6. Nf3 bxa2 7. Nd4 axb1=N 8. Bb2 1-0";

proptest::proptest! {
    #[test]
    fn games_with_spellings_of_every_kind_are_read_as_plain_ones(seed in proptest::num::u64::ANY) {
        let (plain, ..) = read(some_games(12) + "\n" + PROMOTIONS);
        let texts: Vec<String> = plain.iter().map(|game| spelled_at_random(game, seed ^ u64::from(game.number))).collect();
        for between in ["\n\n", "\n\n[Event \"b\"]\n", " [Event \"b\"] "] {
            let text = texts.join(between);
            let (games, complaints, _) = read(text.clone());
            proptest::prop_assert_eq!(complaints, [""; 0], "{}", text);
            proptest::prop_assert_eq!(games.len(), plain.len());
            for (game, plain) in games.iter().zip(&plain) {
                proptest::prop_assert_eq!(moves(game), moves(plain), "{}", text);
                proptest::prop_assert_eq!(game.result, plain.result);
            }
        }
    }

    #[test]
    fn no_damage_stops_the_reading(
        damage in proptest::collection::vec((0..4000_usize, proptest::num::u8::ANY), 1..20)
    ) {
        let text = some_games(6);
        let mut bytes = text.clone().into_bytes();
        for (at, byte) in damage {
            bytes[at % text.len()] = byte;
        }
        let sound = format!("\n\n[Event \"sound\"]\n[Result \"0-1\"]\n\n{MATE}\n");
        bytes.extend_from_slice(sound.as_bytes());
        let (games, ..) = read(bytes);
        proptest::prop_assert_eq!(&games.last().unwrap().event, "sound");
    }

    #[test]
    fn no_bytes_at_all_stop_the_reading(
        bytes in proptest::collection::vec(proptest::sample::select(b"[]{}();%*\"\\ \n\r.-10/2eRN8=Q".as_slice()), 0..200)
    ) {
        read(bytes);
    }
}

#[test]
fn a_file_without_games_has_an_empty_tally() {
    for input in ["", "\n", "\n\n  \r\n", "{ nothing }\n", "; no\n", "% no\n", "\u{feff}"] {
        assert_eq!(read(input).2.games, 0, "{input:?}");
    }
}

#[test]
fn moves_of_a_game_with_a_fen_have_the_numbers_of_their_positions() {
    let fen = "4k3/8/8/8/8/8/8/4K2R b - - 0 30";
    let (mut games, ..) = read(format!("[FEN \"{fen}\"]\n\n30... Kd7 31. Rh8 Kd6 32. Rh7 1-0"));
    let game = games.remove(0);
    for (skip_moves, numbers) in [(0, &[31, 32][..]), (8, &[31, 32]), (31, &[32]), (32, &[])] {
        let positions = game.winner_positions(skip_moves, 5);
        assert_eq!(positions.iter().map(|position| position.fullmove).collect::<Vec<_>>(), numbers);
        assert_eq!(game.count_choices(skip_moves), numbers.len());
        for position in positions {
            assert_eq!(position.position().fullmoves().get(), position.fullmove);
            let before = game.position_before(position.fullmove, Color::White).unwrap();
            assert_eq!(before.board(), position.position().board());
        }
    }
    let error = game.position_before(4, Color::White).unwrap_err().to_string();
    assert!(error.ends_with("found 4; it has the moves 30 to 32"), "{error}");
    assert!(
        game.position_before(30, Color::White).is_err() && game.position_before(30, Color::Black).is_ok()
    );
    let head = game.into_head();
    assert_eq!([31, 32].map(|number| head.ply_of(number)), [1, 3]);
}

#[test]
fn a_packed_position_is_that_of_the_game_with_the_move_that_was_played() {
    let fens = [
        ("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", "exd6"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N"),
    ];
    for (fen, san) in fens {
        let start: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let played = san.parse::<San>().unwrap().to_move(&start).unwrap();
        let packed = WinnerPosition::new(&start, played, 0, 1);
        assert_eq!(packed.position(), start, "{fen}");
        assert_eq!(packed.played(), played, "{fen}");
    }
    assert_eq!(size_of::<WinnerPosition>(), 36);
}

#[test]
fn a_stream_that_breaks_is_an_error_with_file_and_game() {
    struct Breaks(io::Cursor<Vec<u8>>);
    impl Read for Breaks {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.read(buffer)?;
            if count == 0 { Err(io::Error::other("the cable is out")) } else { Ok(count) }
        }
    }
    let text = format!("[Event \"a\"]\n\n{MATE}\n\n[Event \"b\"]\n\n1. e4");
    let mut games = Games::from_reader(Breaks(io::Cursor::new(text.into())), "a.pgn").unwrap();
    assert!(matches!(games.next(), Some(Ok(Entry::Decisive(_)))));
    let error = games.next().unwrap().unwrap_err().to_string();
    assert!(error.starts_with("a.pgn, game 2: cannot read on"), "{error}");
    assert!(error.ends_with("the cable is out"), "{error}");
    assert!(games.next().is_none());
}

#[test]
fn a_packed_file_that_is_cut_off_or_corrupt_is_an_error() {
    let text: String = (0..2000).map(|number| format!("[Event \"{number}\"]\n\n{MATE}\n\n")).collect();
    for format in Format::ALL {
        let mut bytes = format.pack(text.as_bytes());
        assert_eq!(read(bytes.clone()).2.decisive, 2000, "{format:?}");
        let mut inputs = vec![bytes[..bytes.len() / 2].to_vec(), bytes[..bytes.len() - 3].to_vec()];
        if format != Format::Zstd {
            // zstd has a checksum only on request: what is changed in it may pass for other text.
            let middle = bytes.len() / 2;
            bytes[middle..middle + 8].fill(0xaa);
            inputs.push(bytes);
        }
        for input in inputs {
            let mut games = Games::from_reader(io::Cursor::new(input), "a.pgn").unwrap();
            let error = games.find_map(Result::err).unwrap_or_else(|| panic!("{format:?} was read"));
            assert!(error.place().game.is_some(), "{error}");
        }
    }
}

fn shipped(every: usize) -> Collection {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gm1988.pgn");
    load(&path, &GameOptions::default(), every, &mut |error| panic!("{error}")).unwrap()
}

#[test]
fn the_shipped_games_are_868_decisive_ones_and_none_is_skipped() {
    let all = shipped(1);
    assert_eq!(all.games.len(), 868);
    assert_eq!(all.tally.games, 868);
    assert_eq!(all.tally.decisive, 868);
    assert_eq!(all.positions.len(), 31_353);
    let games: BTreeSet<u32> = all.positions.iter().map(|position| position.game).collect();
    assert_eq!(games.len(), 868);
    for packed in &all.positions {
        let position = packed.position();
        assert_eq!(position.turn(), all.games[packed.game as usize].chooser);
        assert!(position.is_legal(packed.played_in(&position)));
        assert!(packed.fullmove > 8);
    }
}

#[test]
fn every_nth_position_is_counted_through_the_whole_file() {
    let all = shipped(1).positions;
    let tenth: Vec<_> = all.iter().copied().step_by(10).collect();
    assert_eq!(shipped(10).positions, tenth);
    assert_eq!(shipped(all.len() + 1).positions, all[..1]);
    let zeroth = load(Path::new(SHIPPED), &GameOptions::default(), 0, &mut |_| {});
    assert!(zeroth.is_err());
}

#[test]
fn a_game_with_a_winner_and_without_moves_is_counted_and_not_kept() {
    let text = format!("[Result \"1-0\"]\n\n1-0\n\n{MATE}\n\n[Result \"0-1\"]\n\n0-1\n");
    let games = Games::from_reader(io::Cursor::new(text), "test").unwrap();
    let collection = collect(games, &GameOptions::default(), 1, &mut |error| panic!("{error}")).unwrap();
    let Tally { games, decisive, undecided, .. } = collection.tally;
    assert_eq!((games, decisive, undecided), (3, 1, 2));
    assert_eq!(collection.games.iter().map(|game| game.number).collect::<Vec<_>>(), [2]);
}

#[test]
fn a_game_is_found_by_its_number_and_no_other_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, format!("{MATE}\n\n1. e4 *\n\n1. e5 1-0\n\n{MATE}\n")).unwrap();
    assert_eq!([1, 4].map(|number| find(&path, number, None).unwrap().number), [1, 4]);
    for (number, part) in [(2, "2; near it: 1, 4"), (3, "game 3, move 1"), (0, "0; near it: 1"), (9, "1, 4")]
    {
        let error = find(&path, number, None).unwrap_err().to_string();
        assert!(error.contains("a.pgn") && error.contains(part), "{error}");
    }
    std::fs::write(&path, "").unwrap();
    assert!(find(&path, 1, None).unwrap_err().to_string().contains("near it: there is none"));
}

#[test]
fn the_built_in_games_are_those_of_the_shipped_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(SHIPPED);
    for (skip_moves, every) in [(8, 1), (12, 7)] {
        let options = GameOptions { skip_moves, ..GameOptions::default() };
        let file = load(&path, &options, every, &mut |error| panic!("{error}")).unwrap();
        // There is no such file in the folder of this package.
        let built_in = load(Path::new(SHIPPED), &options, every, &mut |error| panic!("{error}")).unwrap();
        assert!(built_in.is_built_in && !file.is_built_in);
        assert!(file.games == built_in.games && file.positions == built_in.positions);
        assert_eq!(file.tally, built_in.tally);
    }
}

#[test]
fn the_unknown_parts_of_a_date_are_left_out() {
    for (date, known) in [
        ("1948.??.??", Some("1948")),
        ("1948.04.??", Some("1948.04")),
        ("1948.04.27", Some("1948.04.27")),
        ("????.??.??", None),
        ("19??.??.??", None),
        ("?", None),
    ] {
        assert_eq!(known_date(date), known);
    }
}

#[test]
fn several_files_are_one_collection_and_messages_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [format!("{MATE}\n\n1. d4 1/2-1/2\n\n"), format!("1. e5 1-0\n\n{MATE}\n\n{MATE}\n")];
    let files = [0, 1].map(|at| folder.path().join(format!("{at} games.pgn")));
    files.iter().zip(&texts).for_each(|(file, text)| std::fs::write(file, text).unwrap());
    let path = &GameFiles::new(files.clone());
    let mut errors = Vec::new();
    let options = GameOptions { skip_moves: 0, ..GameOptions::default() };
    let all = load(path, &options, 1, &mut |error| errors.push(error.to_string())).unwrap();
    assert_eq!(all.games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 4, 5]);
    assert_eq!((all.tally.games, all.tally.undecided, all.tally.skipped, all.positions.len()), (5, 1, 1, 6));
    assert!(errors[0].starts_with(&format!("{}, game 1, move 1", files[1].display())), "{errors:?}");
    assert_eq!(all.tally.digest, read(texts.concat()).2.digest);
    assert_eq!(find(path, 5, None).unwrap().number, 5);
    let labelled = load_labelled(path, &options, 1, &mut |_| {}).unwrap();
    assert_eq!((labelled.digests.len(), labelled.positions.len()), (4, 13));
    assert_eq!(labelled.tally.digest, all.tally.digest);
    std::fs::remove_file(&files[1]).unwrap();
    let missing = load(path, &options, 1, &mut |_| {}).unwrap_err().to_string();
    assert!(missing.starts_with(&format!("{}: cannot read this file", files[1].display())), "{missing}");
}
