//! `texam uci` in conversation, each written as the script that a runner would follow.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
    time::{Duration, Instant},
};

use shakmaty::{Chess, Position, uci::UciMove};

use crate::support::*;

/// What the engine says to a script that ends with the end of its lines.
fn answers(script: &str) -> Vec<String> {
    let output = run_with_input("uci", script.as_bytes());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{script}");
    text(&output.stdout).lines().map(ToString::to_string).collect()
}

fn starting_with<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    lines.iter().map(String::as_str).filter(|line| line.starts_with(word)).collect()
}

fn best_move(lines: &[String]) -> String {
    let found = starting_with(lines, "bestmove");
    assert_eq!(found.len(), 1, "{lines:?}");
    found[0].split_whitespace().nth(1).unwrap().to_string()
}

/// The word after a name in a line of information.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    line.split_whitespace()
        .skip_while(|&word| word != name)
        .nth(1)
        .unwrap_or_else(|| panic!("{name}: {line}"))
}

/// An engine that is spoken to line by line.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = texam().arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Engine { child, input, output }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Lines up to the first that starts with `word`.
    fn wait_for(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "ended before {word}: {lines:?}");
            lines.push(line.trim_end().to_string());
            if line.starts_with(word) {
                return lines;
            }
        }
    }

    fn quit(mut self) {
        self.tell("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_bare_start_without_a_terminal_speaks_uci() {
    let output = run_with_input("", b"uci\n");
    assert!(text(&output.stdout).ends_with("uciok\n"));
}

#[test]
fn the_introduction_names_the_engine_and_the_options_that_runners_want() {
    let lines = answers("uci\nisready\n");
    assert!(lines[0].starts_with("id name texam ") && lines[1].starts_with("id author "));
    assert_eq!(lines[lines.len() - 2..], ["uciok", "readyok"]);
    for option in ["Hash type spin", "Threads type spin", "ParFile type string", "Phase type combo"] {
        let wanted = format!("option name {option}");
        assert_eq!(starting_with(&lines, &wanted).len(), 1, "{option} in {lines:?}");
    }
}

#[test]
fn a_search_tells_every_iteration_and_then_a_legal_move() {
    let lines = answers("position startpos moves e2e4 c7c5\ngo depth 7\n");
    let infos = starting_with(&lines, "info depth");
    assert_eq!(infos.len(), 7);
    for (number, info) in infos.iter().enumerate() {
        assert_eq!(field(info, "depth"), (number + 1).to_string());
        for name in ["seldepth", "nodes", "nps", "hashfull", "time", "cp"] {
            assert!(field(info, name).parse::<i64>().is_ok(), "{info}");
        }
    }
    let mut position = Chess::default();
    for uci in ["e2e4", "c7c5", &best_move(&lines)] {
        let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
    }
    assert_eq!(field(infos[6], "pv"), best_move(&lines));
}

#[test]
fn the_same_conversation_has_the_same_answers_but_for_times() {
    let untimed = |script: &str| {
        let strip = |line: &String| {
            let words: Vec<_> = line.split_whitespace().collect();
            let at = |name| words.iter().position(|&word| word == name);
            match (at("nps"), at("hashfull"), at("time"), at("pv")) {
                (Some(nps), Some(hash), Some(time), Some(pv)) => {
                    [&words[..nps], &words[hash..time], &words[pv..]].concat().join(" ")
                }
                _ => words.join(" "),
            }
        };
        answers(script).iter().map(strip).collect::<Vec<_>>()
    };
    let script = "ucinewgame\nposition startpos\ngo nodes 20000\n";
    assert_eq!(untimed(script), untimed(script));
}

#[test]
fn lines_that_make_no_sense_are_answered_and_the_conversation_goes_on() {
    let lines = answers(
        "good morning\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\nposition startpos moves e2e5\nposition\n\
         go depth many\ngo searchmoves e2e5\nsetoption name Colour value red\nsetoption\n\
         setoption name ParFile value no/such.par\n\u{fffd}\u{0}\n\nisready\nposition startpos\ngo depth 1\n",
    );
    let told = starting_with(&lines, "info string ");
    assert_eq!(told.len(), 13, "{lines:?}");
    for word in ["good morning", "legal position", "e2e5", "many", "Colour", "no/such.par"] {
        assert!(told.iter().any(|line| line.contains(word)), "{word} in {told:?}");
    }
    assert!(lines.contains(&"readyok".to_string()));
    assert_eq!(starting_with(&lines, "bestmove").len(), 3, "{lines:?}");
}

#[test]
fn every_go_is_answered_by_a_best_move_whatever_its_arguments() {
    let all = "depth x; depth; depth -1; depth 0; nodes 0; nodes 99999999999999999999999; movetime soon; \
               wtime x btime 100; wtime x; mate one; perft x; perft 100000; searchmoves e2e5; \
               searchmoves e2e5 d7d5 0000; searchmoves e2e5 depth 2; nodes depth 2";
    for arguments in all.split("; ") {
        let lines = answers(&format!("position startpos\ngo {arguments}\n"));
        assert_eq!(best_move(&lines).len(), 4, "{arguments}: {lines:?}");
        let is_wrong = !["depth 0", "nodes 0"].contains(&arguments);
        assert_eq!(!starting_with(&lines, "info string ").is_empty(), is_wrong, "{arguments}: {lines:?}");
    }
    let lines = answers("position startpos\ngo searchmoves e2e5 h2h4 depth 2\n");
    assert_eq!(best_move(&lines), "h2h4");
    assert_eq!(starting_with(&lines, "info string ").len(), 1, "{lines:?}");
}

#[test]
fn a_refused_position_leaves_the_one_before() {
    for refused in [
        "fen QQQQQQQK/Q6Q/Q6Q/Q6Q/Q6Q/QQ5Q/NNQ4Q/kNQQQQQQ w - - 0 1",
        "fen QQQQQQQQ/QQ5Q/Q3K3/8/8/8/8/k6Q b - - 0 1",
        "fen 8/PPPPPPPP/PPPP4/8/k7/8/8/K7 w - - 0 1",
        "startpos moves e2e4 e2e4",
    ] {
        let only = "position fen k7/8/8/8/8/8/1q6/K7 w - - 0 1";
        let lines = answers(&format!("{only}\nposition {refused}\ngo depth 1\n"));
        assert_eq!(best_move(&lines), "a1b2", "{refused}");
        assert_eq!(starting_with(&lines, "info string expected a legal ").len(), 1, "{lines:?}");
    }
}

/// Checks that the last line with a variation before the best move begins with it.
fn assert_best_move_is_that_of_the_last_line(lines: &[String], case: &str) {
    let infos: Vec<_> = lines.iter().filter(|line| line.contains(" pv ")).collect();
    let last = infos.last().unwrap_or_else(|| panic!("{case}: no line of information in {lines:?}"));
    let line: Vec<_> = last.split_whitespace().skip_while(|&word| word != "pv").skip(1).collect();
    let answer: Vec<_> = lines.last().unwrap().split_whitespace().collect();
    assert_eq!(answer[1], line[0], "{case}: {lines:?}");
    assert_eq!(answer.get(3), line.get(1), "{case}: {lines:?}");
    assert!(field(last, "score") == "cp" || field(last, "score") == "mate", "{case}: {last}");
}

#[test]
fn the_best_move_begins_the_last_variation_wherever_the_search_is_stopped() {
    let positions = [
        "startpos",
        "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "fen 2r3k1/pp3ppp/2n1b3/3pP3/3P4/P4N2/1P3PPP/2R2BK1 b - - 1 22",
        "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
        "fen k7/8/8/8/8/8/1q6/K7 w - - 0 1",
    ];
    let mut engine = Engine::start();
    engine.tell("setoption name Hash value 1");
    let mut ask = |position: &str, limit: String| {
        engine.tell(&format!("ucinewgame\nposition {position}\ngo {limit}"));
        assert_best_move_is_that_of_the_last_line(
            &engine.wait_for("bestmove"),
            &format!("{position}, {limit}"),
        );
    };
    for nodes in 0..=2000 {
        ask(positions[nodes % positions.len()], format!("nodes {nodes}"));
    }
    for position in positions {
        for milliseconds in 7..=17 {
            ask(position, format!("movetime {milliseconds}"));
        }
        ask(position, "wtime 1 btime 1".to_string());
        ask(position, "depth 0".to_string());
    }
    engine.quit();
}

#[test]
fn perft_hears_commands() {
    let mut engine = Engine::start();
    engine.tell("position startpos\ngo perft 12\nisready");
    assert_eq!(engine.wait_for("readyok"), ["readyok"]);
    engine.tell("stop");
    assert_eq!(engine.wait_for("info string").last().unwrap(), "info string perft was stopped");
    engine.tell("go perft 12");
    let began = Instant::now();
    engine.quit();
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_line_that_is_too_long_is_skipped() {
    let mut engine = Engine::start();
    engine.tell("position fen k7/8/8/8/8/8/1q6/K7 w - - 0 1");
    let repeated = "e2e4 ".repeat(1 << 20);
    engine.input.write_all(b"position startpos moves ").unwrap();
    for _ in 0..20 {
        engine.input.write_all(repeated.as_bytes()).unwrap();
    }
    engine.tell("\nisready");
    let lines = engine.wait_for("readyok");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("info string expected a line of at most 65536 bytes"), "{lines:?}");
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).unwrap();
        let peak: u64 = field(&status, "VmHWM:").parse().unwrap();
        assert!(peak < 80_000, "{peak} kB for a line of 100 MB");
    }
    engine.tell("go depth 1");
    assert_eq!(best_move(&engine.wait_for("bestmove")), "a1b2");
    engine.quit();
}

#[test]
fn control_characters_are_not_repeated_as_they_are() {
    let escape = "\u{1b}[31m\u{7}";
    for line in [
        format!("hello{escape}"),
        format!("position fen {escape}"),
        format!("position startpos moves {escape}"),
        format!("position {escape}"),
        format!("go depth {escape}"),
        format!("setoption name {escape} value 1"),
        format!("setoption name Hash value {escape}"),
        format!("setoption name Phase value {escape}"),
        format!("setoption name ParFile value {escape}.par"),
    ] {
        let lines = answers(&format!("{line}\n"));
        assert!(
            starting_with(&lines, "info string ").iter().any(|told| told.contains("\\u{1b}[31m")),
            "{lines:?}"
        );
        assert!(!lines.concat().contains(char::is_control), "{lines:?}");
    }
}

#[test]
fn bytes_that_are_no_text_do_not_end_the_conversation() {
    let output = run_with_input("uci", b"\xff\xfe\nisready\n");
    assert!(text(&output.stdout).ends_with("readyok\n"));
}

#[test]
fn an_endless_search_answers_meanwhile_and_ends_when_it_is_stopped() {
    let mut engine = Engine::start();
    engine.tell("position startpos\ngo infinite");
    engine.wait_for("info depth 3");
    engine.tell("isready");
    let lines = engine.wait_for("readyok");
    assert!(starting_with(&lines, "bestmove").is_empty());
    engine.tell("stop");
    best_move(&engine.wait_for("bestmove"));
    engine.tell("stop\nisready");
    assert_eq!(engine.wait_for("readyok"), ["readyok"]);
    engine.quit();
}

#[test]
fn an_endless_search_that_has_come_to_its_end_still_waits_for_the_stop() {
    let mut engine = Engine::start();
    // Stalemate: there is nothing to search.
    engine.tell("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\nisready");
    assert_eq!(engine.wait_for("readyok"), ["readyok"]);
    engine.tell("stop");
    assert_eq!(best_move(&engine.wait_for("bestmove")), "0000");
    engine.quit();
}

#[test]
fn pondering_keeps_its_move_until_the_opponent_has_made_his() {
    let mut engine = Engine::start();
    engine.tell("position startpos moves e2e4 e7e5\ngo ponder wtime 100 btime 100");
    engine.wait_for("info depth 8");
    engine.tell("isready");
    let lines = engine.wait_for("readyok");
    assert!(starting_with(&lines, "bestmove").is_empty());
    engine.tell("ponderhit");
    best_move(&engine.wait_for("bestmove"));
    engine.tell("go ponder depth 2\nstop");
    best_move(&engine.wait_for("bestmove"));
    engine.quit();
}

#[test]
fn quitting_ends_a_search() {
    let mut engine = Engine::start();
    engine.tell("go infinite");
    engine.wait_for("info depth 2");
    engine.quit();
}

#[test]
fn every_kind_of_limit_ends_in_a_move() {
    let all = "wtime 100; btime 100; wtime 0 btime 0; wtime -40 btime 100; wtime 100 btime 100 winc 10 binc 10; \
               wtime 200 btime 200 movestogo 1; wtime 100 btime 100 winc 100 binc 100 movestogo 40; \
               movetime 50; nodes 1; depth 1; mate 1 nodes 5000";
    for limits in all.split("; ") {
        for moves in ["", " moves e2e4"] {
            best_move(&answers(&format!("position startpos{moves}\ngo {limits}\n")));
        }
    }
}

#[test]
fn mates_are_told_as_mates_and_a_finished_game_has_no_move() {
    let mate = answers("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo depth 4\n");
    assert_eq!(field(starting_with(&mate, "info depth").last().unwrap(), "mate"), "1");
    assert_eq!(best_move(&mate), "a1a8");
    let mated = answers("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\ngo depth 4\n");
    assert_eq!(mated, ["info depth 0 score mate 0", "bestmove 0000"]);
    let stalemate = answers("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo movetime 20\n");
    assert_eq!(stalemate, ["info depth 0 score cp 0", "bestmove 0000"]);
}

#[test]
fn weights_and_phase_change_what_is_thought() {
    let score = |options: &str| {
        let position = "2r3k1/pp3ppp/2n1b3/3pP3/3P4/P4N2/1P3PPP/2R2BK1 b - - 1 22";
        let lines = answers(&format!("{options}position fen {position}\ngo depth 5\n"));
        assert_eq!(starting_with(&lines, "info string"), [""; 0]);
        field(starting_with(&lines, "info depth").last().unwrap(), "cp").parse::<i32>().unwrap()
    };
    let start = score("");
    assert_ne!(start, score("setoption name ParFile value params/material.par\n"));
    assert_eq!(start, score("setoption name ParFile value params/start.par\n"));
    assert_ne!(start, score("setoption name Phase value none\n"));
    assert_eq!(start, score("setoption name Hash value 1\nsetoption name Clear Hash\n"));
}

#[test]
fn counts_of_moves_are_the_published_ones() {
    let lines = answers("position startpos\ngo perft 4\n");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 197281");
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 21);
}
