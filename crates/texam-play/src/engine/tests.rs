//! Tests of the engine: mates, tactics, draws and limits.

use std::time::Duration;

use shakmaty::Position;

use super::{testing::*, *};
use texam_chess::position::CompactMove;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MIDDLE: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

fn best(fen: &str, depth: u32) -> String {
    think(fen, &Limits::depth(depth)).best_move().unwrap().to_string()
}

/// Every move of a line is legal, and the game is not over before its last.
fn assert_playable(game: &GameState, line: &[CompactMove]) {
    let mut game = game.clone();
    for &mv in line {
        let mv = game.find(mv).unwrap_or_else(|| panic!("{mv} of {line:?} is not legal"));
        assert!(game.position().halfmoves() < 100 && !game.position().is_insufficient_material());
        game.play(mv);
    }
}

#[test]
fn mates_are_found_with_their_length() {
    for (fen, depth, mate, first) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 3, 1, Some("a1a8")),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 6, 3, Some("f6a6")),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 5, 2, Some("a1a6")),
        ("8/8/8/8/8/3k4/3q4/3K4 w - - 0 1", 1, 0, None),
        ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", 4, -1, None),
    ] {
        let result = think(fen, &Limits::depth(depth));
        assert_eq!(mate_in(result.score), Some(mate), "{fen}: {result:?}");
        if let Some(first) = first {
            assert_eq!(result.best_move().unwrap().to_string(), first, "{fen}");
        }
    }
}

#[test]
fn a_mate_comes_with_its_whole_line() {
    let fen = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
    let result = think(fen, &Limits::depth(8));
    let mut game = game(fen, "");
    assert_playable(&game, &result.line);
    for mv in &result.line {
        game.play(game.find(*mv).unwrap());
    }
    assert!(game.position().is_checkmate(), "{result:?}");
}

#[test]
fn tactics_are_found_within_a_few_plies() {
    // Win at Chess (Reinfeld 1945), numbers 1, 3, 4 and 6, and a fork of our own.
    for (fen, depth, expected) in [
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 6, "g3g6"),
        ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", 8, "e3g3"),
        ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", 6, "h6h7"),
        ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", 6, "b6b7"),
        ("4k3/8/q7/3N4/8/8/8/4K3 w - - 0 1", 4, "d5c7"),
    ] {
        assert_eq!(best(fen, depth), expected, "{fen}");
    }
}

#[test]
fn a_stalemate_is_neither_lost_nor_walked_into() {
    let result = think("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &Limits::depth(5));
    assert_eq!((result.best_move(), result.score), (None, 0));
    let result = think("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", &Limits::depth(5));
    assert_eq!(mate_in(result.score), Some(1), "{result:?}");
    // The pawn on the rook's file with the king before it: a draw, whatever the material.
    let result = think("7k/8/6KP/8/8/8/8/8 w - - 0 1", &Limits::depth(12));
    assert!(mate_in(result.score).is_none());
}

#[test]
fn bare_kings_and_a_lone_minor_are_drawn() {
    for fen in ["8/8/4k3/8/8/3K4/8/8 w - - 0 1", "8/8/4k3/8/8/3KN3/8/8 w - - 0 1"] {
        assert_eq!(think(fen, &Limits::depth(6)).score, 0, "{fen}");
    }
    // The only way to keep the point is to take the last pawn.
    let result = think("8/8/8/8/8/3n2k1/P7/K7 b - - 0 1", &Limits::depth(3));
    assert!(mate_in(result.score).is_none());
}

#[test]
fn the_side_that_is_behind_repeats_and_the_side_ahead_does_not() {
    // Black, about to be mated, can check for ever on e1 and e5.
    let perpetual = think("6k1/RR3ppp/8/4q3/8/7P/6P1/6K1 b - - 0 1", &Limits::depth(9));
    assert_eq!(perpetual.score, 0, "{perpetual:?}");
    // White, a queen up, has had this position twice: he must not bring it about a third time.
    let game = game("7k/8/8/8/8/8/Q7/K7 w - - 0 1", "a2a3 h8g8 a3a2 g8h8 a2a3 h8g8 a3a2 g8h8");
    let result = searcher().think(&game, &Limits::depth(6), &mut |_| {});
    assert!(result.score > 500, "{result:?}");
}

#[test]
fn fifty_moves_without_progress_are_a_draw_but_a_mate_comes_before() {
    let drawn = think("7k/8/8/3K4/8/8/Q7/8 w - - 99 120", &Limits::depth(5));
    assert_eq!(drawn.score, 0);
    let mate = think("7k/8/5K2/8/8/8/6Q1/8 w - - 99 120", &Limits::depth(5));
    assert_eq!(mate_in(mate.score), Some(1));
    let progress = think("7k/8/8/3K4/8/8/Q6P/8 w - - 99 120", &Limits::depth(5));
    assert!(progress.score > 500 && progress.best_move().unwrap().origin() == 15, "{progress:?}");
}

#[test]
fn lines_are_legal_and_end_where_the_game_ends() {
    let mut searcher = searcher();
    for fen in [
        START,
        MIDDLE,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "7k/8/8/3K4/8/8/Q7/8 w - - 93 120",
        "8/8/8/8/8/3n2k1/P7/K7 b - - 0 1",
    ] {
        let game = game(fen, "");
        let mut last = 0;
        searcher.think(&game, &Limits::depth(9), &mut |report| {
            assert_playable(&game, &report.line);
            assert!(!report.line.is_empty() && report.depth == last + 1);
            last = report.depth;
        });
        assert_eq!(last, 9, "{fen}");
    }
}

#[test]
fn the_limit_of_nodes_is_exact_and_the_same_limit_gives_the_same_choice() {
    for nodes in [1, 2, 100, 3_000, 20_000] {
        let first = think(MIDDLE, &Limits::nodes(nodes));
        assert_eq!(first.nodes, nodes);
        assert_eq!(first, think(MIDDLE, &Limits::nodes(nodes)));
        assert!(first.best_move().is_some());
    }
}

#[test]
fn a_new_game_leaves_nothing_of_the_last() {
    let mut used = searcher();
    used.think(&game(START, "e2e4 e7e5"), &Limits::nodes(30_000), &mut |_| {});
    used.new_game();
    let limits = Limits::nodes(10_000);
    assert_eq!(used.think(&game(MIDDLE, ""), &limits, &mut |_| {}), think(MIDDLE, &limits));
}

#[test]
fn only_the_moves_named_are_searched() {
    let only = vec![move_of(START, "h2h4"), move_of(START, "a2a3")];
    let result = think(START, &Limits { root_moves: only.clone(), ..Limits::depth(5) });
    assert!(only.contains(&result.best_move().unwrap()));
}

#[test]
fn a_stop_ends_an_endless_search_with_the_best_move_so_far() {
    let mut searcher = searcher();
    let signals = searcher.signals().clone();
    let mut last = None;
    let result = searcher.think(&game(MIDDLE, ""), &Limits::default(), &mut |report| {
        last = report.line.first().copied();
        if report.depth == 6 {
            signals.stop();
        }
    });
    assert_eq!((result.depth, result.best_move()), (6, last));
}

#[test]
fn a_stop_before_the_first_iteration_still_gives_a_legal_move() {
    let mut searcher = searcher();
    searcher.signals().stop();
    let result = searcher.think(&game(MIDDLE, ""), &Limits::default(), &mut |_| {});
    assert!(game(MIDDLE, "").find(result.best_move().unwrap()).is_some());
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let result = think(fen, &Limits { mate: Some(2), ..Limits::default() });
    assert_eq!(mate_in(result.score), Some(2));
}

#[test]
fn a_forced_move_takes_no_time_from_the_clock() {
    let clock = Clock { remaining: Duration::from_secs(3600), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let forced = think("k7/8/8/8/8/8/1q6/K7 w - - 0 1", &limits);
    assert_eq!((forced.depth, forced.best_move().unwrap().to_string().as_str()), (1, "a1b2"));
}

#[test]
fn several_lines_are_exact_and_the_first_is_that_of_a_search_of_one() {
    let mates = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1";
    for (fen, depth, lines, count) in
        [(START, 6, 3, 3), (MIDDLE, 6, 4, 4), (mates, 4, 5, 5), ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", 4, 9, 1)]
    {
        let reports = |lines| {
            let mut searcher = searcher();
            searcher.set_lines(lines);
            let mut reports = Vec::new();
            // The second search finds the tables of the first.
            for depth in [depth - 1, depth] {
                searcher
                    .think(&game(fen, ""), &Limits::depth(depth), &mut |report| reports.push(report.clone()));
            }
            reports
        };
        let (one, several) = (reports(1), reports(lines));
        let shown = |report: &IterationReport| (report.depth, report.score, report.line.clone());
        let firsts: Vec<_> = several.iter().filter(|report| report.number == Some(1)).map(shown).collect();
        assert_eq!(firsts, one.iter().map(shown).collect::<Vec<_>>(), "{fen}");
        assert!(one.iter().all(|report| report.number.is_none()));
        for iteration in several.chunks(count) {
            let numbers: Vec<_> = iteration.iter().filter_map(|report| report.number).collect();
            assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "{fen}");
            let first_moves: std::collections::BTreeSet<_> =
                iteration.iter().map(|report| report.line[0].to_string()).collect();
            assert_eq!(first_moves.len(), count, "{fen}");
            assert!(
                iteration.iter().all(|report| report.depth == iteration[0].depth && !report.is_lower_bound)
            );
            assert!(iteration[1..].is_sorted_by_key(|report| -report.score), "{fen}");
            iteration.iter().for_each(|report| assert_playable(&game(fen, ""), &report.line));
        }
    }
    let mut searcher = searcher();
    searcher.set_lines(3);
    let mut scores = Vec::new();
    searcher.think(&game(mates, ""), &Limits::depth(3), &mut |report| scores.push(mate_in(report.score)));
    assert_eq!(scores[6..], [Some(1), Some(1), None], "either rook mates, and no other move");
}
