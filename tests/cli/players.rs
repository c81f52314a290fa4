//! One's own games: `--player`, in games that are won, drawn and lost.

use shakmaty::{CastlingMode, Chess, fen::Fen, san::San};

use crate::support::*;

/// A game won, drawn and lost by Anna, and one of others, as sites of games write them.
const OWN_GAMES: &str = r#"[Event "Rated blitz game"]
[Site "https://example.org/abc"]
[Date "2026.03.01"]
[White "Anna Lee"]
[Black "knight_rider"]
[Result "1-0"]

1. e4 { [%clk 0:03:00] } e5 { [%clk 0:03:00] } 2. Nf3 { [%eval 0.2] [%clk 0:02:58] } Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4
6. cxd4 Bb4+ 7. Nc3 Nxe4 1-0

[Event "Rated blitz game"]
[Site "example.org"]
[White "Bo"]
[Black "anna lee"]
[Result "1/2-1/2"]

1. d4 { [%clk 0:03:00] } d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 1/2-1/2

[Event "Rated blitz game"]
[White "Anna Lee"]
[Black "Annabel"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Rated blitz game"]
[White "Annabel"]
[Black "Bo"]
[Result "1-0"]

1. e4 c5 2. Nf3 d6 1-0
"#;

fn bench() -> (Bench, String) {
    let bench = Bench::new(0);
    let path = bench.write("me.pgn", OWN_GAMES);
    (bench, path)
}

#[test]
fn games_of_a_player_are_listed_whatever_their_result() {
    let (_bench, path) = bench();
    let shown = succeeds(&["games", &path, "--player", "LEE"]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 4, "{shown}");
    for (line, result) in lines.iter().zip(["1-0", "1/2-1/2", "0-1"]) {
        assert!(line.contains(result), "{shown}");
    }
    assert_eq!(lines[3], format!("3 games of \"LEE\" in {path}"));
    let listed = json(&["games", &path, "--player", "lee", "--json"]);
    assert_eq!((&listed["player"], number(&listed, "decisive")), (&"lee".into(), 3.0));
    let results: Vec<_> = list(&listed, "list").iter().map(|row| row["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["1-0", "1/2-1/2", "0-1"]);
    assert!(json(&["games", &path, "--json"]).get("player").is_none());
}

#[test]
fn agreement_with_a_player_counts_his_moves_and_that_with_winners_those_of_winners() {
    let (_bench, path) = bench();
    let measure = |more: &[&str]| {
        json(&[&["agree", &path, "--json", "--depth", "1", "--skip-moves", "1"][..], more].concat())
    };
    let (own, of_winners) = (measure(&["--player", "anna lee"]), measure(&[]));
    // Moves 2 to 7 as White, 2 to 6 as Black and the second one as White again.
    assert_eq!((number(&own, "games"), number(&own, "positions")), (3.0, 6.0 + 5.0 + 1.0));
    assert_eq!((number(&of_winners, "games"), number(&of_winners, "positions")), (3.0, 6.0 + 1.0 + 1.0));
}

#[test]
fn a_game_of_a_player_is_traced_also_if_it_is_drawn() {
    let (_bench, path) = bench();
    let trace = |game: u32, more: &[&str]| {
        let name = format!("{path}:{game}");
        [&["eval", "--trace", &name, "--depth", "1"][..], more]
            .concat()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let drawn = json(&trace(2, &["--player", "anna", "--json"]));
    assert_eq!((list(&drawn, "positions").len(), drawn["winner"].is_null()), (13, true));
    assert!(
        succeeds(&trace(2, &["--player", "anna"]))
            .starts_with(&format!("game 2 of {path}: Bo - anna lee, 1/2-1/2\n"))
    );
    fails(&trace(2, &[]), &["expected the number of a game with a winner"]);
    fails(
        &trace(4, &["--player", "lee"]),
        &["game 4", "expected a game of lee, but found one of Annabel and Bo"],
    );
}

#[test]
fn a_name_of_nobody_or_of_several_is_an_error_that_lists_names() {
    let (bench, path) = bench();
    for command in ["agree", "games"] {
        fails(
            &[command, &path, "--player", "anna"],
            &["me.pgn: ", "Anna Lee (2); Annabel (2); anna lee (1); give more letters"],
        );
        fails(&[command, &path, "--player", "karpov"], &["\"karpov\", which is in no name", "Bo (2)"]);
    }
    fails(&["agree", "--player", "a", "--held-out-of", "x.stat"], &["--held-out-of", "--player"]);
    let dbf = bench.path("me.dbf");
    succeeds(&["presearch", &path, "-o", &dbf, "--depth", "1", "--skip-moves", "1"]);
    fails(
        &["games", &dbf, "--player", "lee"],
        &["me.dbf", "the PGN of the games, since drawn games count here"],
    );
}

#[test]
fn built_in_games_are_found_by_the_name_of_a_player() {
    let fischer = json(&["games", "--player", "fischer", "--json"]);
    let words = json(&["games", "fischer", "--json"]);
    let drawn = list(&fischer, "list").iter().filter(|row| row["result"] == "1/2-1/2").count();
    let all: Vec<_> = list(&fischer, "list").iter().filter(|row| row["result"] != "1/2-1/2").collect();
    assert_eq!(
        (all, drawn > 0),
        (list(&words, "list").iter().collect(), false),
        "drawn games are not shipped"
    );
}

#[test]
fn the_worst_moves_are_listed_with_the_terms_that_decide() {
    let (_bench, path) = bench();
    let line = ["agree", &path, "--player", "lee", "--depth", "1", "--skip-moves", "1", "--worst", "3"];
    let agree = json(&[&line[..], &["--json"]].concat());
    let worst = list(&agree, "worst");
    assert_eq!(worst.len(), 3);
    for position in worst {
        let fields =
            ["game", "white", "black", "number", "fen", "played", "preferred", "rank", "legal", "terms"];
        require(position, &fields);
        let search = json(&["search", position["fen"].as_str().unwrap(), "--depth", "1", "--json"]);
        let moves = list(&search, "moves");
        let position_of = position["fen"].as_str().unwrap().parse::<Fen>().unwrap();
        let chess: Chess = position_of.into_position(CastlingMode::Standard).unwrap();
        let of = |name: &str| {
            let san = position[name].as_str().unwrap().parse::<San>().unwrap();
            let uci = san.to_move(&chess).unwrap().to_uci(CastlingMode::Standard).to_string();
            moves.iter().find(|row| row["move"] == uci).unwrap()
        };
        assert_eq!(
            (of("played")["rank"].clone(), of("preferred")["rank"].clone()),
            (position["rank"].clone(), 0.into())
        );
        assert_eq!(
            (&of("played")["value"], &of("preferred")["value"]),
            (&position["played_value"], &position["preferred_value"])
        );
        assert_eq!(of("played")["in_bound"], true);
        let better = number(position, "preferred_value") - number(position, "played_value");
        let terms: f64 = list(position, "terms").iter().map(|term| number(term, "value")).sum();
        assert!((terms - better).abs() < 0.06, "{position}");
    }
    let ranks: Vec<f64> = worst.iter().map(|position| number(position, "rank")).collect();
    assert!(ranks.is_sorted_by(|a, b| a >= b) && ranks[2] > 0.0, "{ranks:?}");
    let shown = succeeds(&line);
    let first = &worst[0];
    let played =
        format!("{}{}: rank {} of ", first["number"], first["played"], first["rank"]).replace('"', "");
    assert!(shown.contains(&format!("move {played}")), "{played} in {shown}");
    assert!(
        shown.contains("  https://example.org/abc\n") || worst.iter().all(|position| position["game"] != 1),
        "{shown}"
    );
    // Without a player, of the winners' moves.
    assert_eq!(
        list(
            &json(&["agree", &path, "--depth", "1", "--skip-moves", "1", "--worst", "2", "--json"]),
            "worst"
        )
        .len(),
        2
    );
    assert!(json(&["agree", &path, "--depth", "1", "--skip-moves", "1", "--json"]).get("worst").is_none());
}

#[test]
fn a_position_in_the_place_of_the_games_of_the_screen_is_checked() {
    fails(&["screen", "8/8/8/8/8/8/8/8 w - - 0 1"], &["expected a legal position of standard chess"]);
    fails(&["4k3/8/8/8/8/8/8/4K3 w - - 0 1"], &["expected a terminal for the screen"]);
    fails(&["a/b/c/d/e/f/g/h of mine.pgn"], &["expected a terminal for the screen"]);
    fails(&["screen", "stats/gm1988.stat", "--player", "x"], &["terminal"]);
}

/// The page of a player, as text in which blanks do not count.
fn page_of(bench: &Bench, args: &[&str]) -> String {
    let output = bench.path("page.html");
    let line = [&["report"][..], args, &["--depth", "1", "--overwrite", "-o", &output]].concat();
    assert!(succeeds(&line).starts_with(&format!("wrote {output}")));
    let page = std::fs::read_to_string(&output).unwrap();
    assert!(page.trim_end().ends_with("</html>"));
    assert!(!page.contains(bench.folder.path().to_str().unwrap()), "the page tells of a folder");
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_of_a_player_says_what_few_games_cannot_tell_and_shows_positions() {
    let bench = Bench::new(4);
    let page = page_of(&bench, &[bench.games(), "--player", "keres", "--par", "start"]);
    assert!(page.contains("beside those that the weights params/start.par prefer."));
    assert!(page.contains("terms nothing can be said: they differ in fewer than 10 games."));
    assert!(page.contains("drawn none"), "only games with a winner are shipped");
    assert!(!page.contains("id=\"shares\"") && !page.contains("<script"));
    let skipped = page_of(&bench, &[bench.games(), "--player", "keres", "--positions", "0"]);
    assert!(skipped.contains("<p>No position.</p>") && !skipped.contains("class=\"card\""));
}

#[test]
fn the_page_of_a_player_compares_each_term_with_the_winners() {
    let bench = Bench::new(0);
    let page = page_of(&bench, &["gm1988", "--player", "fischer", "--positions", "2"]);
    let agree = json(&["agree", "--player", "fischer", "--par", "best", "--depth", "1", "--json"]);
    let (rate, positions) = (100.0 * number(&agree, "match"), number(&agree, "positions"));
    assert!(page.contains(&format!("preferred in {rate:.1} % \u{b1}")), "best is the default");
    assert!(page.contains(&format!(" of {positions} positions; games: 19<")));
    let rows: Vec<&str> =
        page.split("<tr><th scope=\"row\">").skip(1).filter(|row| row.contains(" games</td>")).collect();
    assert!(rows.len() > 3);
    let cell =
        |row: &str, at: usize| row.split("<td>").nth(at).unwrap().split('<').next().unwrap().to_string();
    let mut errors = Vec::new();
    for row in &rows {
        let counts: Vec<f64> = words(&cell(row, 1)).iter().filter_map(|word| word.parse().ok()).collect();
        let shares: Vec<f64> = [2, 3].map(|at| words(&cell(row, at))[0].parse().unwrap()).to_vec();
        assert!((100.0 * counts[0] / counts[1] - shares[0]).abs() <= 0.5 && counts[2] >= 10.0, "{row}");
        let difference: f64 = cell(row, 4).replace('\u{2212}', "-").parse().unwrap();
        assert!((difference > 0.0) == (shares[0] > shares[1]) || difference.abs() < 0.2, "{row}");
        errors.push(difference.abs());
    }
    assert!(errors.is_sorted_by(|a, b| a >= b), "the surest difference stands first");
    assert!(errors.iter().all(|error| *error > 1.9), "the others are one line: {errors:?}");
    assert!(page.contains(&format!("by chance; {} do", rows.len())));
    let titles = page.matches("<h3>Worse more often").count() + page.matches("<h3>Worse less often").count();
    assert_eq!(titles, rows.len().min(6));
    assert!(page.contains("from the player&rsquo;s side") && page.contains("x=\"38.5\" y=\"373\">h</text>"));
    assert!(page.matches("class=\"card\"").count() >= 2 + titles);
}

#[test]
fn a_page_of_a_player_is_of_games_and_has_a_name() {
    let (bench, path) = bench();
    fails(&["report", &path, "--player", "lee"], &["-o FILE.html with --player"]);
    let output = bench.path("page.html");
    fails(&["report", "a.stat", "--player", "lee", "-o", &output], &["a.stat", "games for --player"]);
    fails(&["report", &path, "--player", "lee", "-o", &path, "--overwrite"], &["me.pgn"]);
    fails(&["report", &path, "--player", "anna", "-o", &output], &["give more letters"]);
    fails(&["report", "a.stat", "b.stat"], &["expected one .stat"]);
    fails(&["report", "a.stat", "--par", "best"], &["--player"]);
    fails(&["report", &path, "--player", "lee", "--pass", "2", "-o", &output], &["--pass", "--player"]);
}
