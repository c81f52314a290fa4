//! `texam positions`: quiet positions with the results of their games, and what reads them.

use std::{collections::BTreeMap, fs};

use shakmaty::Position;
use texam::{
    feature::Weights,
    fen,
    game::Games,
    sample::{Sampling, quiet_value},
    search::alphabeta::{AlphaBeta, Prepared},
    value::in_units,
};

use crate::support::*;

/// Games of which every third is drawn, and one has no result.
fn games(count: usize) -> String {
    let all = games_from(0, count + 1);
    let games = all.split_inclusive("\n\n[Event ").enumerate().map(|(number, game)| match number {
        0 => game.replace("1-0", "*").replace("0-1", "*"),
        n if n % 3 == 0 => game.replace("1-0", "1/2-1/2").replace("0-1", "1/2-1/2"),
        _ => game.to_string(),
    });
    games.collect()
}

/// The result and the game of every position of a file that follows no capture; `None` where two games have
/// it.
fn positions_of(path: &str) -> BTreeMap<String, Option<(f32, u32)>> {
    let (mut found, mut number) = (BTreeMap::new(), 0);
    let mut games = Games::open(path).unwrap();
    while let Some(game) = games.next_result().unwrap() {
        let (game, label) = game.unwrap();
        number += 1;
        let (mut position, mut after_capture) = (game.start, false);
        for mv in game.moves {
            if !after_capture {
                let entry = found.entry(fen::format(&position)).or_insert(Some((label, number)));
                *entry = entry.filter(|&entry| entry == (label, number));
            }
            after_capture = mv.is_capture();
            position.play_unchecked(mv);
        }
    }
    found
}

#[test]
fn every_position_is_quiet_and_has_the_result_of_its_game() {
    let bench = Bench::new(1);
    let path = bench.write("all.pgn", games(12));
    let out = bench.path("quiet.txt");
    let report = json(&words(&format!(
        "positions {path} -o {out} --per-game 3 --limit 150 --scores --name-games --json"
    )));
    let all = positions_of(&path);
    let prepared = Prepared::new(Sampling::default().search, &Weights::start().quantised());
    let mut searcher = AlphaBeta::new(&prepared);
    let (mut per_game, mut draws, mut with_black) = (BTreeMap::new(), 0, 0);
    for line in fs::read_to_string(&out).unwrap().lines() {
        let (line, number) = line.split_once(" # game:").unwrap();
        let [fen, score, result] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position = fen::parse(fen).unwrap();
        assert!(position.fullmoves().get() > 8, "{line}");
        let value = quiet_value(&mut searcher, &position).expect("it is quiet");
        let value = in_units(value) / 1.28 * if position.turn().is_white() { 1.0 } else { -1.0 };
        let score: f64 = score.parse().unwrap();
        assert!((score - value).abs() <= 0.5 && score.abs() <= 150.0, "{line}: {value}");
        let game = all[fen].expect("no other game has this position after the opening");
        assert_eq!((result.parse(), number.parse()), (Ok(game.0), Ok(game.1)), "{line}");
        *per_game.entry(game.1).or_insert(0) += 1;
        draws += u32::from(result == "0.5");
        with_black += u32::from(position.turn().is_black());
    }
    assert!(draws > 0 && with_black > 0 && per_game.values().all(|&count| count <= 3), "{per_game:?}");
    let written: i32 = per_game.values().sum();
    let results = ["games", "games_without_result", "white_wins", "draws", "black_wins"];
    let [games, without, white, drawn, black] = results.map(|field| number(&report, field));
    assert_eq!((games, without, drawn), (12.0, 1.0, 4.0));
    assert_eq!((white + drawn + black, number(&report, "positions")), (games, f64::from(written)));
    let left_out = report["left_out"].as_object().unwrap().values().map(|count| count.as_f64().unwrap());
    let plies: usize = texam::game::load_labelled(
        &path,
        &texam::game::GameOptions { skip_moves: 0, ..Default::default() },
        1,
        &mut |_| {},
    )
    .unwrap()
    .positions
    .len();
    assert_eq!(left_out.sum::<f64>() + f64::from(written), plies as f64);
}

#[test]
fn the_same_command_writes_the_same_bytes_on_any_threads_and_the_seed_draws_others() {
    let bench = Bench::new(1);
    let path = bench.write("all.pgn", games(9));
    let write = |name: &str, more: &str| {
        succeeds(&words(&format!("positions {path} -o {} {more}", bench.path(name))));
        fs::read(bench.path(name)).unwrap()
    };
    let first = write("a", "--threads 1");
    assert_eq!(write("b", "--threads 3"), first);
    assert_ne!(write("c", "--seed 2"), first);
    let from_input =
        run_with_input(&format!("positions - -o {}", bench.path("d")), &fs::read(&path).unwrap());
    assert_eq!((from_input.status.code(), fs::read(bench.path("d")).unwrap()), (Some(0), first.clone()));
    assert_ne!(write("e", "--par material"), first);
    assert_eq!(fs::read_to_string(bench.path("a")).unwrap().lines().count(), 45);
}

#[test]
fn a_fit_takes_every_position_in_each_form_and_holds_out_whole_games() {
    let bench = Bench::new(1);
    let path = bench.write("all.pgn", games(40));
    for (number, form) in ["", "--scores", "--name-games", "--scores --name-games"].iter().enumerate() {
        let file = bench.path(&format!("{number}.epd"));
        let shown = succeeds(&words(&format!("positions {path} -o {file} {form}")));
        assert!(shown.contains(": 200 positions of 40 games with a result\nWhite won "), "{shown}");
        assert!(shown.contains("\nleft out\n        1  games without a result\n"), "{shown}");
        let line = format!("{file} --objective logistic --iterations 1 --ridge 100");
        let fit = succeeds_with_warnings(&bench.bare_fit(&format!("out-{number}"), &line));
        let games = if form.contains("games") { 40 } else { 200 };
        let expected =
            format!("{games} games with a result, 200 of 200 positions quiet, 180 positions to fit");
        assert!(fit.contains(&expected), "{fit}");
        assert!(fit.contains(&format!("20 positions of {} games held out", games / 10)), "{fit}");
    }
}

#[test]
fn input_that_gives_no_positions_is_an_error_that_leaves_no_file() {
    let bench = Bench::new(12);
    let out = bench.path("out");
    let database = bench.path("games.dbf");
    let drawn = bench.write("drawn.pgn", games(6));
    succeeds(&words(&format!("presearch {drawn} -o {database} --depth 1 --margin 0")));
    let short = bench.write("short.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n");
    let rows = bench.write("rows.txt", "1 qid:1 1:2 # game:1\n");
    for (line, parts) in [
        (format!("{} -o {out} --per-game 0", bench.games()), &["--per-game"][..]),
        (format!("{} -o {out} --limit -1", bench.games()), &["--limit"]),
        (format!("{} -o {out} --seed x", bench.games()), &["--seed"]),
        (format!("{} -o {out} --par none.par", bench.games()), &["none.par"]),
        (bench.games().to_string(), &["--output <FILE>"]),
        (format!("{short} -o {out}"), &["short.pgn: expected quiet positions", "fewer --skip-moves"]),
        (format!("{database} -o {out}"), &["games.dbf", "since drawn games count here"]),
        (format!("{rows} -o {out}"), &["rows.txt", "at least one game with a winner"]),
        (format!("{} -o {out}", bench.path("none.pgn")), &["none.pgn"]),
    ] {
        fails(&words(&format!("positions {line}")), parts);
        assert!(fs::metadata(&out).is_err(), "{line}");
    }
    let broken = bench.write("broken.pgn", first_games(13).replacen(" 10. ", " 10. Kh9 ", 1));
    let output = run(&words(&format!("positions {broken} -o {out} --json")));
    let warnings = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{warnings}");
    assert!(
        warnings.contains("broken.pgn, game ") && warnings.contains("skipped 1 of 13 games"),
        "{warnings}"
    );
    assert_eq!(number(&object(text(&output.stdout)), "games_skipped"), 1.0);
}

/// What a fit of two weights says of labels, for so many games with this number of rows each. With `draws` a
/// third of the games is drawn; one in `lost_every` of the others is lost. `N` in the remark of a row is the
/// number of its game.
fn of_rows(
    games: usize,
    rows: usize,
    draws: bool,
    lost_every: usize,
    weight: &str,
    remark: &str,
) -> Vec<String> {
    let bench = Bench::new(0);
    let weights = bench.write("weights.csv", "name,value,tune\na,50,true\nb,-10,true\n");
    let line = |game: usize, row: usize| {
        let (label, lead) = match game {
            n if draws && n % 3 == 0 => ("0.5", 0),
            n if n % lost_every == 1 => ("0", -1),
            _ => ("1", 1),
        };
        let (a, b) = (lead + ((game * 5 + row) % 7) as i32 - 3, (game * 3 + row) % 5);
        format!("{label} {weight} 1:{a} 2:-{b} {}\n", remark.replace('N', &game.to_string()))
    };
    let lines = (0..games).flat_map(|game| (0..rows).map(move |row| line(game, row)));
    let choices = bench.write("choices.txt", lines.collect::<String>());
    let options = format!("--choices {choices} --weights {weights} --objective logistic --holdout none");
    let shown = succeeds(&bench.bare_fit("out", &options));
    let mut said: Vec<String> =
        shown.lines().filter_map(|line| line.strip_prefix("labels   ")).map(String::from).collect();
    assert!(said.pop().unwrap().starts_with("rows do not show whether their positions are quiet"));
    said
}

#[test]
fn a_fit_of_rows_says_what_speaks_against_their_labels_and_nothing_against_good_ones() {
    let game = "# game:N";
    let none = [""; 0];
    assert_eq!(of_rows(120, 5, true, 2, "", game), none);
    assert_eq!(of_rows(600, 1, true, 2, "", ""), none);
    // With a part of the weight for each position, a game counts once.
    assert_eq!(of_rows(120, 12, true, 2, "weight:0.1", game), none);
    let one = |said: Vec<String>, expected: &str| assert_eq!(said, [expected]);
    let draws = "none of 600 positions is of a drawn game, so every lead looks like a win: add drawn games";
    one(of_rows(120, 5, false, 2, "", game), draws);
    let share = "12 positions of a game share its result: take about five of each game, and more games";
    one(of_rows(120, 12, true, 2, "", game), share);
    let uneven = "does one side win too often, or are the results those of the winner?";
    one(of_rows(120, 5, true, 200, "", game), &format!("the mean result is 0.82: {uneven}"));
    assert_eq!(of_rows(120, 5, false, 200, "", game)[1], format!("the mean result is 0.99: {uneven}"));
    // No game is lost where the first one lost is the thousandth.
    let same = "all labels are the same, so they cannot tell good positions from bad ones";
    assert_eq!(of_rows(1, 30, false, 1000, "", game)[0], same);
}

#[test]
fn a_fit_of_positions_says_so_too_and_how_many_are_quiet() {
    let bench = Bench::new(1);
    let said = |path: &str, out: &str| {
        let options = "--objective logistic --iterations 1 --ridge 100 --holdout none --tune b_pair";
        let output = run(&bench.bare_fit(out, &format!("{path} {options}")));
        let warnings = text(&output.stderr).lines().filter_map(|line| line.strip_prefix("warning: "));
        warnings.map(String::from).collect::<Vec<_>>()
    };
    let won = bench.write("won.pgn", first_games(12));
    let of_games = said(&won, "out-1");
    let parts = [" of a drawn game", " positions of a game share its result"];
    assert!(parts.iter().zip(&of_games).all(|(part, text)| text.contains(part)), "{of_games:?}");
    assert_eq!(of_games.len(), parts.len());
    let (all, quiet) = (bench.write("all.pgn", games(120)), bench.path("quiet.epd"));
    succeeds(&words(&format!("positions {all} -o {quiet} --name-games")));
    assert_eq!(said(&quiet, "out-2"), [""; 0]);
    let capture = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1 [1.0]\n";
    let mixed = bench.write("mixed.epd", fs::read_to_string(quiet).unwrap() + &capture.repeat(601));
    let few = "only 600 of 1201 positions are quiet, and the fit leaves out the others";
    assert!(said(&mixed, "out-3").iter().any(|text| text == few));
}
