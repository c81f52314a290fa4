//! `texam match`: what it prints, that it can be repeated and continued, and what it refuses.

use serde_json::Value;

use crate::support::*;

const START: &str = "params/start.par";
const MATERIAL: &str = "params/material.par";

/// A match of start against material at few nodes, with more options.
fn played(options: &str) -> Value {
    json(&[&["match", START, MATERIAL, "--nodes", "60", "--json"], &words(options)[..]].concat())
}

fn pentanomial(result: &Value) -> Vec<u64> {
    list(result, "pentanomial").iter().map(|count| count.as_u64().unwrap()).collect()
}

#[test]
fn the_figures_of_a_match_belong_together() {
    let result = played("--games 20");
    require(&result, &["games", "wins", "losses", "draws", "pentanomial", "elo", "elo_error", "los"]);
    let [games, wins, losses, draws] = ["games", "wins", "losses", "draws"].map(|name| number(&result, name));
    assert_eq!((games, wins + losses + draws), (20.0, 20.0));
    let pairs = pentanomial(&result);
    assert_eq!(pairs.iter().sum::<u64>(), 10);
    let half_points: u64 = pairs.iter().zip(0..).map(|(count, points)| count * points).sum();
    assert_eq!(half_points as f64, 2.0 * wins + draws);
    let mean = half_points as f64 / 40.0;
    assert!((number(&result, "elo") + 400.0 * libm::log10(1.0 / mean - 1.0)).abs() < 1e-9);
    assert!(number(&result, "los") > 0.5 && result["finished"] == true);
}

#[test]
fn text_and_json_tell_the_same() {
    let result = played("--games 10");
    let shown = succeeds(&["match", START, MATERIAL, "--nodes", "60", "--games", "10"]);
    let figures = format!("won {}, lost {}, drawn {}", result["wins"], result["losses"], result["draws"]);
    assert!(shown.contains(&figures), "{shown}");
    assert!(shown.starts_with("start against material, 60 nodes a move, seed 1\n"), "{shown}");
}

#[test]
fn a_seed_gives_the_same_games_on_any_number_of_threads_and_another_others() {
    let bench = Bench::new(0);
    let games = |name: &str, options: &str| {
        let path = bench.path(name);
        played(&format!("--games 8 --pgn {path} {options}"));
        std::fs::read_to_string(path).unwrap()
    };
    let one = games("one.pgn", "--threads 1");
    assert_eq!(one, games("two.pgn", "--threads 2"));
    assert_ne!(one, games("three.pgn", "--seed 2"));
    assert_eq!(one.matches("[Event ").count(), 8);
}

#[test]
fn the_games_of_a_match_replace_no_file_unless_asked_to_and_never_an_input() {
    let bench = Bench::new(2);
    let pgn = bench.write("old.pgn", "old");
    let line = format!("match {START} {MATERIAL} --nodes 60 --games 2 --pgn {pgn}");
    fails(&words(&line), &["old.pgn: expected the name of a new file", "--overwrite"]);
    let openings = format!("match --write-openings {pgn}");
    fails(&words(&openings), &["old.pgn: expected the name of a new file"]);
    let own =
        format!("match {START} {MATERIAL} --openings {0} --pgn {0} --overwrite --games 2", bench.games());
    fails(&words(&own), &["games.pgn: expected another name for the output"]);
    assert_eq!(std::fs::read_to_string(&pgn).unwrap(), "old");
    succeeds(&words(&format!("{line} --overwrite")));
    assert_eq!(std::fs::read_to_string(&pgn).unwrap().matches("[Event ").count(), 2);
}

#[test]
fn a_match_goes_on_after_the_games_in_its_file() {
    let bench = Bench::new(0);
    let [whole, cut] = ["whole.pgn", "cut.pgn"].map(|name| bench.path(name));
    let all = played(&format!("--games 12 --pgn {whole}"));
    let text = std::fs::read_to_string(&whole).unwrap();
    let third_pair = text.find("[Round \"3.1\"]").unwrap();
    let end = text[..third_pair].rfind("[Event ").unwrap();
    std::fs::write(&cut, &text[..end]).unwrap();
    assert_eq!(played(&format!("--games 12 --resume --pgn {cut}")), all);
    assert_eq!(std::fs::read_to_string(&cut).unwrap(), text);
    let fewer = format!("match {START} {MATERIAL} --nodes 60 --games 10 --resume --pgn {cut}");
    fails(&words(&fewer), &["at most the 5 pairs of --games", "6 pairs"]);
    let line = format!("match {START} {MATERIAL} --nodes 60 --games 12 --seed 2 --resume --pgn {cut}");
    fails(&words(&line), &["cut.pgn, game 1: expected the tag Seed with \"2\"", "found \"1\""]);
    let begun = bench.path("begun.pgn");
    assert_eq!(played(&format!("--games 12 --resume --pgn {begun}")), all, "nothing was saved yet");
}

#[test]
fn a_match_goes_on_only_as_it_was_begun() {
    let bench = Bench::new(0);
    let epd = |name: &str, rest: &str| {
        let starts = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
                      rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\n";
        bench.write(name, format!("{starts}{rest}"))
    };
    let open = epd("open.epd", "");
    let pgn = bench.path("played.pgn");
    let other = bench.path("material.par");
    succeeds(&["params", "--multiply", "2", "-o", &other]);
    let line = |second: &str, openings: &str, more: &str| {
        format!("match {START} {second} --openings {openings} --games 2 --pgn {pgn} {more}")
    };
    succeeds(&words(&line(MATERIAL, &open, "--nodes 60")));
    let before = std::fs::read(&pgn).unwrap();
    let more = epd("more.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n");
    for (second, openings, options, tag) in [
        (&other[..], &open[..], "--nodes 60", "the tag BlackWeights with"),
        (MATERIAL, &open, "--nodes 61", "the tag Nodes with \"61\", as this match has it, but found \"60\""),
        (MATERIAL, &open, "--nodes 60 --phase none", "the tag WhitePhase with \"none at leaf\""),
        (MATERIAL, &open, "--nodes 60 --phase-at root", "the tag WhitePhase with \"fruit at root\""),
        (MATERIAL, &open, "--nodes 60 --adjudicate", "the tag Adjudication with \"on\""),
        (MATERIAL, &open, "--nodes 60 --seed 3", "the tag Seed with \"3\""),
        (MATERIAL, &more, "--nodes 60", "the tag Openings with"),
    ] {
        let line = line(second, openings, &format!("{options} --resume"));
        fails(&words(&line), &["played.pgn, game 1: expected", tag, "another match cannot be gone on with"]);
        assert_eq!(std::fs::read(&pgn).unwrap(), before);
    }
    let rest = line(MATERIAL, &open, "--nodes 60 --resume").replace("--games 2", "--games 4");
    succeeds(&words(&rest));
    assert!(std::fs::read(&pgn).unwrap().starts_with(&before));
}

#[test]
fn the_name_of_a_player_is_a_tag_of_one_line() {
    let bench = Bench::new(0);
    let (par, pgn) = (bench.path("a\n\"b\"\u{1b}.par"), bench.path("played.pgn"));
    std::fs::copy(MATERIAL, &par).unwrap();
    let line = |more: &'static str| {
        [&["match", &par, START, "--nodes", "60", "--pgn", &pgn][..], &words(more)].concat()
    };
    succeeds(&line("--games 2"));
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert!(text.contains("[White \"a\\\\u{a}\\\"b\\\"\\\\u{1b}\"]\n"), "{text}");
    succeeds(&line("--games 4 --resume"));
}

#[test]
fn a_set_against_itself_scores_half() {
    let result = json(&words("match params/start.par params/start.par --nodes 60 --games 8 --json"));
    assert_eq!((result["elo"].as_f64(), pentanomial(&result)), (Some(0.0), vec![0, 0, 4, 0, 0]));
    assert_eq!([&result["elo_error"], &result["los"]], [&Value::Null; 2]);
    let shown = succeeds(&words("match params/start.par params/start.par --nodes 60 --games 8"));
    assert!(shown.contains("los           -  "), "{shown}");
}

#[test]
fn the_phase_can_differ_from_side_to_side() {
    let bench = Bench::new(0);
    let play = |option: &str| {
        let pgn = bench.path("match.pgn");
        let line =
            format!("match {START} {START} --nodes 200 --games 8 --json --overwrite --pgn {pgn} {option}");
        let result = json(&words(&line));
        let games = std::fs::read_to_string(pgn).unwrap();
        let moves: Vec<String> = games.lines().filter(|l| !l.starts_with('[')).map(str::to_string).collect();
        (result, moves)
    };
    let (same, moves) = play("");
    assert_eq!(same["first"], same["second"]);
    for option in ["--phase fruit,none", "--phase-at leaf,root"] {
        let (result, others) = play(option);
        assert_ne!(result["first"], result["second"]);
        assert_ne!(moves, others, "{option}");
    }
    assert_eq!(moves, play("--phase fruit --phase-at leaf,leaf").1);
}

#[test]
fn saved_games_can_be_read_and_searched() {
    let bench = Bench::new(0);
    let path = bench.path("match.pgn");
    let result = played(&format!("--games 10 --pgn {path}"));
    let agree = json(&["agree", "--depth", "1", "--skip-moves", "0", "--json", &path]);
    assert_eq!(number(&agree, "games"), number(&result, "wins") + number(&result, "losses"));
    assert_eq!(number(&agree, "games_skipped"), 0.0);
}

#[test]
fn the_test_stops_a_match_that_is_decided() {
    let result = played("--games 400 --sprt 0 50");
    assert!(number(&result, "games") < 400.0);
    let sprt = &result["sprt"];
    assert_eq!((sprt["accepted"].as_str(), result["finished"].as_bool()), (Some("elo1"), Some(true)));
    assert!(number(sprt, "llr") >= number(sprt, "bound"));
    let other = json(&words(&format!("match {MATERIAL} {START} --nodes 60 --sprt -50 0 --json")));
    assert_eq!(other["sprt"]["accepted"], "elo0");
}

#[test]
fn openings_that_are_written_out_are_those_that_a_match_draws_from() {
    let bench = Bench::new(30);
    let path = bench.path("openings.epd");
    let written = json(&["match", "--write-openings", &path, "--openings", bench.games(), "--json"]);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: std::collections::BTreeSet<_> = text.lines().collect();
    assert_eq!(lines.len() as f64, number(&written, "openings"));
    assert_eq!(lines.len(), text.lines().count(), "each once");
    let pgn = bench.path("match.pgn");
    played(&format!("--games 12 --openings {} --pgn {pgn}", bench.games()));
    for fen in std::fs::read_to_string(&pgn).unwrap().lines().filter_map(|l| l.strip_prefix("[FEN \"")) {
        let epd = fen.trim_end_matches("\"]").trim_end_matches(" 0 1");
        assert!(lines.contains(epd), "{epd}");
    }
    assert_eq!(number(&played(&format!("--games 4 --openings {path}")), "games"), 4.0);
}

#[test]
fn what_cannot_be_played_is_refused_with_the_remedy() {
    let bench = Bench::new(3);
    let epd = bench.write("bad.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nnonsense\n");
    let few = bench.write("few.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    let fails_with = |options: &str, parts: &[&str]| {
        fails(&[&["match", START, MATERIAL], &words(options)[..]].concat(), parts);
    };
    fails_with("--games 7", &["even number", "\"7\""]);
    fails_with(&format!("--openings {epd}"), &["bad.epd, line 2", "a FEN"]);
    fails_with(&format!("--openings {few} --games 4"), &["2 openings", "1 of them", "--openings"]);
    fails_with("--openings no/such.pgn", &["no/such.pgn"]);
    fails_with("--sprt 5 0", &["E0 below E1"]);
    fails_with("--phase early", &["fruit, madchess, rustic, none"]);
    fails(&["match", START], &["B.par"]);
    fails(&["match", START, "no/such.par"], &["no/such.par"]);
}

#[test]
fn only_wins_have_no_finite_elo() {
    let wins = played("--games 2 --seed 1");
    assert_eq!([&wins["elo"], &wins["elo_error"], &wins["los"]], [&Value::Null; 3]);
    let shown = succeeds(&words(&format!("match {START} {MATERIAL} --nodes 60 --games 2 --seed 1")));
    assert!(shown.contains("+inf"), "{shown}");
}

#[cfg(unix)]
mod interrupted {
    use std::{
        fs,
        process::{Command, Stdio},
        time::Duration,
    };

    use super::*;

    #[test]
    fn a_match_that_is_interrupted_keeps_its_score_and_says_how_to_go_on() {
        let bench = Bench::new(0);
        let pgn = bench.path("match.pgn");
        let line = format!("match {START} {MATERIAL} --nodes 60 --games 1800 --pgn {pgn}");
        let mut command = texam();
        let command = command.args(words(&line)).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        while fs::metadata(&pgn).map_or(0, |file| file.len()) == 0 {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let shown = text(&output.stdout);
        assert!(shown.lines().last().unwrap().ends_with(&format!(" {line} --resume")), "{shown}");
        let saved = || fs::read_to_string(&pgn).unwrap().matches("[Event ").count();
        let games = saved();
        assert!(games >= 20 && shown.contains(&format!("\ngames  {games:>8}  ")), "{games}: {shown}");
        let rest = played(&format!("--games {} --resume --pgn {pgn}", games + 4));
        assert_eq!(rest, played(&format!("--games {}", games + 4)));
        assert_eq!(saved(), games + 4);
    }
}
