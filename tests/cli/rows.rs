//! `texam rows`, and fits on the rows of other programs.

use std::{collections::HashSet, fs, path::Path, process::Command};

use proptest::{collection::vec, prelude::*, sample};
use serde_json::Value;
use texam::run::stat::RunRecord;
use texam_fit::{Model, Parameter};

use crate::support::*;

/// The choices of the games at one ply, with their weights, in the folder.
fn rows(bench: &Bench, more: &str) -> String {
    let line = format!("rows {} --depth 1 {more} -o {}", bench.games(), bench.path("choices.txt"));
    succeeds(&words(&line))
}

/// Arguments of a fit of the choices in the folder.
fn fit_rows(bench: &Bench, more: &str) -> Vec<String> {
    let mut args = bench.bare_fit("out", more);
    if !more.contains("--objective") {
        args.extend(["--objective".into(), "force".into()]);
    }
    args.extend([
        "--choices".into(),
        bench.path("choices.txt"),
        "--weights".into(),
        bench.path("weights.csv"),
    ]);
    args
}

/// Arguments of a fit of what a command prints, on the weights `a` and `b`.
fn fit_command(bench: &Bench, command: &str, more: &str) -> Vec<String> {
    bench.write("ab.csv", "name,value,tune\na,1,true\nb,2,true\n");
    let mut args = bench.bare_fit("out", more);
    args.extend(["--choices-from".into(), command.into(), "--weights".into(), bench.path("ab.csv")]);
    args
}

/// Names and values of a table of weights.
fn table(path: &str) -> Vec<(String, f64)> {
    let model = texam_fit::read_weights(fs::File::open(path).unwrap()).unwrap();
    model.parameters().iter().map(|weight| (weight.name.clone(), weight.value)).collect()
}

#[test]
fn a_fit_of_the_rows_is_the_fit_of_the_games() {
    let bench = Bench::new(30);
    let shown = rows(&bench, "");
    assert!(shown.contains(" choices with ") && shown.contains("weights.csv: "), "{shown}");
    succeeds(&fit_rows(&bench, "--name rows --min-support 5"));
    succeeds(&bench.fit("out", "--name games --min-support 5 --iterations 1"));
    for pass in ["00", "01"] {
        let ours = texam::par::read(bench.path(&format!("out/games-{pass}.par"))).unwrap().weights;
        let parameters = texam::parameters::Parameters::new(&ours).unwrap();
        let values = parameters.values(&ours);
        let found = table(&bench.path(&format!("out/rows-{pass}.csv")));
        assert_eq!(found.len(), values.len());
        for ((name, found), value) in found.iter().zip(values) {
            // A search rounds pulls to 2^-24 unit.
            assert!((found - value).abs() <= 1e-7, "{name} in pass {pass}: {found} for {value}");
        }
        assert!(pass == "00" || found.iter().any(|(name, _)| name == "p_adv.o"));
    }
    let [rows, games] = ["rows", "games"].map(|name| bench.record(&format!("out/{name}")));
    for (row, game) in rows.trends.weights.iter().zip(&games.trends.weights) {
        assert_eq!((&row.name, row.support, row.games), (&game.name, game.support, game.games));
        let pairs = row.values.iter().zip(&game.values).chain([(&row.moves, &game.moves)]);
        assert!(pairs.into_iter().all(|(row, game)| (row - game).abs() <= 1e-7), "{row:?} {game:?}");
    }
    assert_eq!(rows.reports[0].spread, games.reports[0].spread);
    let fit = |record: &RunRecord| {
        record.reports[1].fit.map(|fit| (fit.solved, fit.rank, (fit.max_change * 1e4).round()))
    };
    assert_eq!(fit(&rows), fit(&games));
}

#[test]
fn a_ridge_is_chosen_by_cross_validation_and_fits_like_the_same_given() {
    let bench = Bench::new(90);
    rows(&bench, "");
    let options = "--name run --overwrite --min-support 5 --objective softmax --holdout none";
    let fit = object(&succeeds(&fit_rows(&bench, &format!("{options} --ridge auto --json"))));
    let pass = &list(&fit, "passes")[1];
    let stat = fs::read_to_string(bench.path("out/run.stat")).unwrap();
    let chosen = bench.record("out/run").reports[1].ridges.chosen().unwrap();
    let strength = chosen.ridge.expect("the games of masters show a gain");
    assert_eq!(number(pass, "ridge"), strength);
    assert_eq!(list(pass, "ridges")[0]["ridge"], serde_json::Value::Null, "an infinite ridge is tried first");
    assert!(stat.contains("\n[ridges]\n") && stat.contains("\nridge        auto\n"), "{stat}");
    for weight in list(&fit, "weights") {
        assert!(weight["held"].as_f64().is_none_or(|held| (0.0..=1.0).contains(&held)), "{weight}");
    }
    let weights = fs::read(bench.path("out/run-01.csv")).unwrap();
    let shown = succeeds(&fit_rows(&bench, &format!("{options} --ridge auto")));
    assert!(shown.contains(&format!("\nridge    {strength}")), "{shown}");
    assert!(shown.contains(&format!("{:>10.6}{:>15.6}", chosen.loss, chosen.above.mean)), "{shown}");
    succeeds(&fit_rows(&bench, &format!("{options} --ridge {strength}")));
    assert_eq!(fs::read(bench.path("out/run-01.csv")).unwrap(), weights);
    fails(&fit_rows(&bench, "--ridge auto"), &["option ridge", "objective force"]);
}

#[test]
fn rows_that_say_little_are_told_of() {
    let bench = Bench::new(1);
    bench.write("weights.csv", "name,value,tune\na,10,true\nb,20,true\n");
    let fit = |row: &dyn Fn(usize, usize) -> String| {
        let line = |at: usize, row_number: usize| {
            let label = usize::from(row_number == 0);
            format!("{label} qid:{at} {} # game:{}\n", row(at, row_number), at / 4)
        };
        let lines = (1..200).flat_map(|at| (0..4).map(move |row_number| line(at, row_number)));
        bench.write("choices.txt", lines.collect::<String>());
        text(&run(&fit_rows(&bench, "--objective softmax --name run --overwrite")).stdout).to_string()
    };
    let count = |at: usize, row: usize| (at * 7 + row * 5) % 11;
    let good = fit(&|at, row| format!("1:{} 2:{}", count(at, row), if row == 0 { 3 } else { at % 3 }));
    assert!(!good.contains("\nrows ") && !good.contains("hardly tell"), "{good}");
    assert!(good.contains("\nweights  2 fitted, with the ridge an effective number of 1."), "{good}");
    let trends = bench.record("out/run").trends;
    // 199 positions of 50 games, of which 5 are held out.
    assert_eq!(trends.weights.iter().map(|weight| weight.games).collect::<Vec<_>>(), [Some(45); 2]);
    let tied = fit(&|at, _| format!("1:{} 2:1", at % 5));
    assert!(tied.contains("\nrows     all moves of a position have the same value"), "{tied}");
    let chance = fit(&|at, row| format!("1:{} 2:{}", count(at, row), count(at + 1, row)));
    assert!(chance.contains("\nrows     the played moves rank no better than by chance"), "{chance}");
    let alike = fit(&|at, row| {
        let counted = if row == 0 { 9 } else { count(at, row) };
        format!("1:{counted} 2:{}", 2 * counted)
    });
    assert!(alike.contains("\nweights  the rows hardly tell these weights apart: a, b\n"), "{alike}");
}

#[test]
fn a_value_is_checked_with_the_weights_that_its_rows_are_made_for() {
    let bench = Bench::new(1);
    bench.write("weights.csv", "name,value,tune\na,10,true\nb,20,false\n");
    let row = |at: usize, row: usize, wrong: i64| {
        let (a, b) = ((at * 7 + row * 5) % 11, row % 3);
        let value = (10 * a + 20 * b) as i64 + wrong;
        let label = usize::from(row == 0);
        format!("{label} qid:{at} weight:0.5 value:{value} 1:{a} 2:{b} # game:{at}\n")
    };
    let text =
        |wrong: i64| (1..100).flat_map(|at| (0..4).map(move |n| row(at, n, wrong))).collect::<String>();
    bench.write("choices.txt", text(0));
    // Pass 1 has other weights, which the values are not for.
    succeeds(&fit_rows(&bench, "--objective softmax"));
    bench.write("choices.txt", text(0) + &row(200, 0, 3) + &row(200, 1, 0));
    fails(
        &fit_rows(&bench, "--objective softmax"),
        &["choices.txt", "line 397", "give the value 33 of the row"],
    );
}

#[test]
fn all_three_objectives_of_choices_fit_rows_and_json_and_plot_tell_of_it() {
    let bench = Bench::new(20);
    rows(&bench, "--threshold none");
    for objective in ["force", "softmax", "pairs"] {
        let line = format!("--objective {objective} --name {objective} --min-support 5 --json");
        let fit = json(&fit_rows(&bench, &line));
        let [first, last] = list(&fit, "passes") else { panic!("{fit}") };
        assert!(number(last, "match") > number(first, "match"), "{objective}: {fit}");
        let files: Vec<_> = list(&fit, "files").iter().map(|file| file.as_str().unwrap()).collect();
        assert!(files[4].ends_with(&format!("{objective}-01.csv")), "{files:?}");
        let shown = succeeds(&["plot", &bench.path(&format!("out/{objective}.stat"))]);
        assert!(shown.contains("Agreement"), "{shown}");
        let page = bench.path("page.html");
        succeeds(&["report", &bench.path(&format!("out/{objective}.stat")), "-o", &page, "--overwrite"]);
        let page = fs::read_to_string(page).unwrap();
        assert!(page.contains("<dt>Games</dt><dd>choices.txt, "), "{objective}");
        assert!(!page.contains("<code>--depth</code>") && !page.contains(".par files"), "{objective}");
    }
    assert_eq!(bench.names("out").len(), 15);
}

#[test]
fn the_first_row_of_a_position_names_it_and_its_rows_are_its_legal_moves() {
    let bench = Bench::new(3);
    rows(&bench, "--phase none --threshold none");
    let text = fs::read_to_string(bench.path("choices.txt")).unwrap();
    let mut named = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (row, remark) = line.split_once(" # ").unwrap();
        let query = row.split(' ').nth(1).map(str::to_string);
        let is_first = named.as_ref().is_none_or(|(before, _)| *before != query);
        assert_eq!(is_first, remark.contains(" fen "), "{line}");
        if let Some((_, fen)) = remark.split_once(" fen ") {
            named = Some((query, texam::fen::parse(fen).unwrap()));
        }
        let mv: shakmaty::uci::UciMove = remark.split(' ').nth(1).unwrap().parse().unwrap();
        assert!(mv.to_move(&named.as_ref().unwrap().1).is_ok(), "{line}");
    }
    assert!(named.is_some());
}

#[test]
fn rows_replace_no_file_and_a_broken_line_is_named() {
    let bench = Bench::new(6);
    rows(&bench, "");
    let line = format!("rows {} --depth 1 -o {}", bench.games(), bench.path("choices.txt"));
    fails(&words(&line), &["choices.txt", "--overwrite"]);
    fails(&words(&format!("rows {0} -o {0} --overwrite", bench.games())), &["that of an input"]);
    let both = format!("rows {} -o {} --overwrite", bench.games(), bench.path("./weights.csv"));
    fails(&words(&both), &["one name for both"]);
    let text = fs::read_to_string(bench.path("choices.txt")).unwrap();
    bench.write("choices.txt", text.replacen("qid:2 ", "qid:x ", 1));
    let number = 1 + text.lines().position(|line| line.contains("qid:2 ")).unwrap();
    fails(
        &fit_rows(&bench, ""),
        &["choices.txt", &format!("line {number}: expected qid: and a whole number")],
    );
    assert!(bench.names("out").is_empty());
}

#[test]
fn labelled_rows_are_fitted_by_logistic() {
    let bench = Bench::new(1);
    let line = |number: usize| {
        let (a, b) = (number % 7, number % 5);
        let label = if 2 * a + b > 8 { 1.0 } else { 0.0 };
        format!("{label} 1:{a} 2:-{b} # game:{}\n", number / 10)
    };
    bench.write("choices.txt", (0..700).map(line).collect::<String>());
    bench.write("weights.csv", "name,value,tune\na,50,true\nb,-10,true\n");
    let fit = json(&fit_rows(&bench, "--objective logistic --inner 8 --json"));
    let [first, last] = list(&fit, "passes") else { panic!("{fit}") };
    assert!(number(last, "holdout_loss") < number(first, "holdout_loss"), "{fit}");
    bench.write("choices.txt", "1 qid:1 1:1\n");
    fails(&fit_rows(&bench, "--objective logistic"), &["line 1", "a labelled row, which has no qid:"]);
}

#[test]
#[cfg(unix)]
fn a_command_is_asked_before_every_pass_and_a_resumed_run_is_the_same() {
    let bench = Bench::new(1);
    // The first weight decides what is chosen; the command notes the weights that it was given.
    let choices: String = (1..200)
        .flat_map(|query| {
            (0..4).map(move |row| {
                let (a, b) = ((query * 7 + row * 3) % 11, (query * 5 + row) % 7);
                let best = (0..4).max_by_key(|row| ((query * 7 + row * 3) % 11, *row)).unwrap();
                format!("{} qid:{query} 1:{a} 2:{b} # game:{}\n", i32::from(row == best), query / 3)
            })
        })
        .collect();
    let (file, log) = (bench.write("printed.txt", choices), bench.path("log"));
    let command = format!("sed -n 2p {{weights}} >> {log}; cat {file}");
    let fit = |name: &str, iterations: u32| {
        let line = format!("--objective softmax --iterations {iterations} --name {name}");
        succeeds(&fit_command(&bench, &command, &line))
    };
    let shown = fit("whole", 4);
    assert!(shown.contains("of 60 games to fit") && shown.contains("of 7 games held out"), "{shown}");
    let log = fs::read_to_string(log).unwrap();
    let asked: Vec<&str> = log.lines().collect();
    assert_eq!((asked.len(), asked[0]), (5, "a,1.0,true"));
    let found = table(&bench.path("out/whole-04.csv"));
    assert!(found[0].0 == "a" && found[0].1 > 4.0 * found[1].1.abs(), "{found:?}");
    fit("part", 2);
    succeeds(&bench.bare_fit("out", "--resume part --iterations 4"));
    let files = bench.files("out");
    for pass in 0..=4 {
        assert_eq!(files[&format!("whole-{pass:02}.csv")], files[&format!("part-{pass:02}.csv")], "{pass}");
    }
    assert_eq!((&files["whole.stat"], &files["whole.json"]), (&files["part.stat"], &files["part.json"]));
    bench.change_record("out/part", |record| record.stopped = None);
    succeeds(&bench.bare_fit("out", "--resume part"));
    assert_same_files(&bench.files("out"), &files);
    bench.write("out/part-00.csv", "name,value,tune\na,3,true\nb,2,true\n");
    fails(
        &bench.bare_fit("out", "--resume part --iterations 5"),
        &["part-00.csv", "the start weights of the run"],
    );
}

#[test]
#[cfg(unix)]
fn a_command_that_fails_is_told_of_and_earlier_passes_stay() {
    let bench = Bench::new(1);
    fails(&fit_command(&bench, "cat a.txt", "--objective softmax"), &["option choices-from", "{weights}"]);
    // What the command says comes before the error.
    let has_failed = |output: &std::process::Output, parts: &[&str]| {
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("error: "), "{said}");
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    };
    for (command, parts) in [
        ("exit 3", &["the command that gives choices failed", "exit status: 3"][..]),
        ("echo oops >&2; echo nonsense; exit 2", &["line 1", "\"nonsense\"", "exit status: 2", "oops"]),
        ("echo nonsense; sleep 60", &["line 1", "\"nonsense\""]),
        ("echo", &["expected rows, but found none"]),
        ("echo '1 qid:1 9:1'", &["columns up to 2", "found 9"]),
        ("no-such-program-at-all", &["failed", "not found"]),
    ] {
        // The path of the weights, to no effect.
        let command = format!(": {{weights}}; {command}");
        has_failed(&run(&fit_command(&bench, &command, "--objective softmax")), parts);
        assert!(bench.names("out").is_empty(), "{command}");
    }
    // It fails at the second pass.
    let (file, once) = (bench.write("printed.txt", "1 qid:1 1:1\n0 qid:1 2:1\n"), bench.path("once"));
    let command = format!(
        ": {{weights}}; if [ -e {once} ]; then echo no more >&2; exit 1; fi; touch {once}; cat {file}"
    );
    let args = fit_command(&bench, &command, "--objective softmax --holdout none --min-support 0 --name a");
    has_failed(&run(&args), &["exit status: 1", "no more"]);
    assert_eq!(bench.names("out"), ["a-00.csv", "a.games", "a.json", "a.stat"]);
}

#[test]
fn options_of_games_and_those_of_rows_do_not_mix() {
    let bench = Bench::new(4);
    rows(&bench, "");
    for (more, parts) in [
        ("--depth 2", &["option depth", "rows of another program"][..]),
        ("--every 2", &["option every"]),
        ("--tune n_x*", &["option tune", "which no weight of the table has"]),
        ("--freeze n_cem.o", &["option freeze", "did you mean \"n_cen.o\"?"]),
        ("--iterations 3", &["option iterations", "0 or 1"]),
        ("--holdout other.pgn", &["option holdout", "1/K or none"]),
    ] {
        fails(&fit_rows(&bench, more), parts);
    }
    fails(&bench.bare_fit("out", &format!("--choices {}", bench.path("choices.txt"))), &["option weights"]);
    fails(
        &bench.fit("out", &format!("--weights {}", bench.path("weights.csv"))),
        &["option weights", "choices"],
    );
    let with = |choices: &str, weights: &str| {
        let line = format!("--choices {choices} --weights {weights} --objective pairs");
        bench.bare_fit("out", &line)
    };
    let unnamed = format!("--choices {} --weights {}", bench.path("choices.txt"), bench.path("weights.csv"));
    fails(&bench.bare_fit("out", &unnamed), &["option objective", "softmax, pairs, force or logistic"]);
    let (choices, weights) = (bench.path("choices.txt"), bench.path("weights.csv"));
    fails(&with("-", &weights), &["option choices", "standard input"]);
    fails(&with("no-such.txt", &weights), &["no-such.txt: cannot read this file; check the name"]);
    let fixed = bench.write("fixed.csv", "name,value,tune\na,1,false\n");
    fails(&with(&choices, &fixed), &["fixed.csv", "a weight with tune true"]);
}

#[test]
fn patterns_say_which_weights_of_another_program_are_tuned() {
    let bench = Bench::new(20);
    rows(&bench, "");
    succeeds(&fit_rows(&bench, "--name run --min-support 5 --tune n_*,b_pair.o --freeze n_fwd.?"));
    let record = bench.record("out/run");
    let names: Vec<&str> = record.trends.weights.iter().map(|weight| &*weight.name).collect();
    assert!(names.contains(&"n_cen.e") && names.contains(&"b_pair.o"), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("n_") || *name == "b_pair.o"), "{names:?}");
    assert!(!names.contains(&"n_fwd.o") && record.option("tune") == Some("n_*,b_pair.o"), "{names:?}");
}

#[test]
fn the_engine_of_the_examples_is_tuned() {
    let program = Path::new(env!("CARGO_BIN_EXE_texam")).with_file_name("examples").join("foreign");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "cargo test builds the examples; with a filter: cargo build --example foreign");
    let bench = Bench::new(40);
    let start = Command::new(&program).arg("start").output().unwrap();
    let weights = bench.write("start.csv", start.stdout);
    succeeds(&words(&format!(
        "rows {} --depth 1 --phase none --threshold none --every 5 -o {}",
        bench.games(),
        bench.path("moves.txt")
    )));
    let moves = fs::read_to_string(bench.path("moves.txt")).unwrap();
    let played = moves.lines().filter_map(|row| row.strip_prefix("1 ")?.split_once("# game:"));
    let first = |row: &str| Some(row.split_once(" fen ")?.1.to_string());
    let fens: Vec<String> = moves.lines().filter_map(first).collect();
    let lines = fens.iter().zip(played).map(|(fen, (_, remark))| {
        let mut words = remark.split(' ');
        let (game, mv) = (words.next().unwrap(), words.next().unwrap());
        format!("{fen};{mv};{game}\n")
    });
    let positions = bench.write("positions.txt", lines.collect::<String>());
    // Every value is checked against the counts, and the search takes the weights of each pass.
    let command = format!("'{}' rows '{positions}' {{weights}}", program.display());
    let mut args =
        bench.bare_fit("out", "--objective softmax --iterations 2 --min-support 5 --name a --json");
    args.extend(["--choices-from".into(), command, "--weights".into(), weights]);
    let fit = json(&args);
    let [first, .., last] = list(&fit, "passes") else { panic!("{fit}") };
    assert!(number(last, "match") > number(first, "match") + 0.05, "{fit}");
    assert!(number(last, "holdout_match") > number(first, "holdout_match"), "{fit}");
    let found = table(&bench.path("out/a-01.csv"));
    assert_eq!((found.len(), found[0].clone()), (5 + 6 * 32, ("p".to_string(), 128.0)));
}

/// Names that another program may have given its weights. Blanks at their ends are no part of them.
fn names() -> impl Strategy<Value = Vec<String>> {
    let any = || "\\PC{1,60}".prop_map(|name| name.chars().filter(|letter| !letter.is_control()).collect());
    let signs = "[-,\"#\\[\\]\\\\ =:;'<&*/a]{1,8}";
    const KNOWN: [&str; 11] = [
        "rook open,1,true",
        "[frozen]",
        "[weights]",
        "\"q\"",
        "# a",
        "-",
        "all",
        "a.o",
        "a[0]",
        "*/",
        "\u{202e}x",
    ];
    let name =
        prop_oneof![any(), signs.prop_map(String::from), sample::select(&KNOWN[..]).prop_map(String::from)];
    let name = name.prop_map(|name: String| name.trim().to_string());
    let name = name.prop_filter("a name", |name| !name.is_empty() && name.len() <= 200);
    let different = vec(name, 2..16).prop_map(|names| {
        let mut seen = HashSet::new();
        names.into_iter().filter(|name| seen.insert(name.clone())).collect()
    });
    different.prop_filter("two names", |names: &Vec<String>| names.len() > 1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// A run that one of these names breaks could never be shown or gone on with.
    #[test]
    fn every_name_of_a_weight_comes_back_from_the_files_of_its_run(names in names()) {
        let bench = Bench::new(0);
        let mut weights: Vec<_> = names.iter().map(|name| Parameter::new(name.clone(), 2.0)).collect();
        weights[0].tune = false;
        let mut table = Vec::new();
        texam_fit::write_weights(&Model::new(weights).unwrap(), &mut table).unwrap();
        bench.write("weights.csv", table);
        let column = |at: usize| at % names.len() + 1;
        let choice = |q: usize| format!("1 qid:{q} {}:1 # game:{q}\n0 qid:{q} {}:1 # game:{q}\n", column(q), column(q + 1));
        let few = |q: usize| format!("1 qid:{q} {}:1 # game:{q}\n0 qid:{q} # game:{q}\n", column(1));
        bench.write("choices.txt", (1..60).map(choice).chain((60..70).map(few)).collect::<String>());
        let done = |args: &[String]| {
            let output = run(args);
            assert!(output.status.code().unwrap() < 2, "{names:?} {args:?}: {}", text(&output.stderr));
            text(&output.stdout).to_string()
        };
        let line = |line: &str| -> Vec<String> {
            line.split(' ').map(|word| word.replace('~', &bench.path("out"))).collect()
        };
        done(&fit_rows(&bench, "--name run --objective softmax --min-support 3 --groups 2"));
        done(&line("fit --resume run --out ~"));
        let record = bench.record("out/run");
        let found: Vec<&str> = record.trends.weights.iter().map(|trend| &*trend.name).collect();
        assert_eq!(found, names[1..].iter().map(String::as_str).collect::<Vec<_>>());
        assert!(record.trends.frozen.iter().any(|frozen| frozen.name == names[0]), "{names:?}");
        let found: Vec<String> = table_names(&bench.path("out/run-01.csv"));
        assert_eq!(found, names);
        done(&line("plot ~/run.stat"));
        done(&line("plot ~/run.stat -o ~/run.svg"));
        done(&line("report ~/run.stat"));
        let exported = object(&done(&line("export ~/run-01.csv --to json")));
        let found: Vec<&str> = list(&exported, "weights").iter().map(|w| w["weight"].as_str().unwrap()).collect();
        assert_eq!(found, names);
        for format in ["c", "rust", "csv"] {
            done(&line(&format!("export ~/run-01.csv --to {format}")));
        }
        let found = object(&done(&line("diff ~/run-00.csv ~/run-01.csv --json")));
        let changes: Vec<&str> = list(&found, "changes").iter().map(|w| w["weight"].as_str().unwrap()).collect();
        assert!(changes.iter().all(|name| names.iter().any(|other| other == name)), "{names:?} {changes:?}");
        assert_eq!((&found["only_a"], &found["only_b"]), (&Value::Array(vec![]), &Value::Array(vec![])));
        done(&line("diff ~/run-00.csv ~/run-01.csv"));
    }
}

fn table_names(path: &str) -> Vec<String> {
    table(path).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_name_that_no_file_could_hold_is_refused_with_its_line() {
    let bench = Bench::new(0);
    bench.write("choices.txt", "1 qid:1 1:1\n0 qid:1\n");
    let long = "n".repeat(201);
    for (name, part) in
        [("\"a\nb\"", "line 3"), ("a\u{1b}[2J", "control characters"), (&long, "at most 200 bytes")]
    {
        bench.write("weights.csv", format!("name,value,tune\nx,1,true\n{name},2,true\n"));
        fails(&fit_rows(&bench, "--objective softmax"), &["weights.csv: line 3", part]);
    }
}

#[test]
fn a_command_that_a_stat_could_not_hold_is_refused() {
    let bench = Bench::new(0);
    for command in ["cat {weights}\ncat", " cat {weights}"] {
        fails(
            &fit_command(&bench, command, "--objective softmax"),
            &["--choices-from", "a text of one line"],
        );
    }
}

#[test]
fn many_choices_of_one_game_are_said_to_be_so() {
    let bench = Bench::new(0);
    bench.write("weights.csv", "name,value,tune\na,1,true\nb,2,true\n");
    let write = |game: fn(usize) -> usize| {
        let choice = |q: usize| format!("1 qid:{q} 2:1 # game: {0}\n0 qid:{q} 1:1 # game: {0}\n", game(q));
        bench.write("choices.txt", (0..30).map(choice).collect::<String>());
        text(&run(&fit_rows(&bench, "--objective softmax --name run --overwrite --min-support 0")).stdout)
            .to_string()
    };
    let line = "games    all 30 positions are of one game, so none can be held out";
    assert!(write(|_| 7).contains(line));
    assert!(!write(|q| q / 2).contains("are of one game"));
}

#[test]
fn a_table_of_too_many_tuned_weights_is_an_error_with_the_bytes() {
    let bench = Bench::new(0);
    let names: String = (0..30_000).map(|at| format!("w{at},1,true\n")).collect();
    bench.write("weights.csv", format!("name,value,tune\n{names}"));
    bench.write("choices.txt", "1 qid:1 1:1\n0 qid:1 2:1\n");
    let parts = ["the sums over 30000 tuned weights would need 10800360000 bytes", "limit of 1073741824"];
    fails(&fit_rows(&bench, "--objective softmax --holdout none"), &parts);
    let few = fit_rows(&bench, "--objective softmax --holdout none --min-support 0 --tune w0,w1");
    assert!(run(&few).status.code().unwrap() < 2);
}

/// Rows of fractions take sums of their own, in which products are rounded before they are added.
#[test]
fn rows_of_fractions_give_the_same_bytes_on_any_number_of_threads() {
    let bench = Bench::new(0);
    let mut random = fastrand::Rng::with_seed(3);
    let names: String = (0..40).map(|at| format!("w{at},{},true\n", at % 7 - 3)).collect();
    bench.write("many.csv", format!("name,value,tune\n{names}"));
    for (objective, start) in [("logistic", "{label}"), ("softmax", "{chosen} qid:{query}")] {
        let text: String = (0..4_000)
            .map(|row| {
                let start = start
                    .replace("{label}", ["0", "0.5", "1"][random.usize(..3)])
                    .replace("{chosen}", if row % 5 == 0 { "1" } else { "0" })
                    .replace("{query}", &(row / 5).to_string());
                let entry = |column| format!(" {column}:{}", random.f64() - 0.5);
                let entries: String = (1..=40).map(entry).collect();
                format!("{start}{entries} # game:{}\n", row / 20)
            })
            .collect();
        bench.write("many.txt", &text);
        let files = |threads: u32| {
            let folder = format!("{objective}-{threads}");
            let more = format!("--objective {objective} --ridge auto --threads {threads}");
            let mut args = bench.bare_fit(&folder, &more);
            for (option, file) in [("--choices", "many.txt"), ("--weights", "many.csv")] {
                args.extend([option.to_string(), bench.path(file)]);
            }
            succeeds(&args);
            bench.files(&folder)
        };
        let one = files(1);
        for threads in [2, 3, 7] {
            assert_same_files(&files(threads), &one);
        }
    }
}

/// A softmax fit without a ridge of four weights to choices of four rows, whose first row is the best by the
/// sum of the first two counts and a noise. Text of the terminal, and what `fit --json` prints.
fn causes(clusters: usize, row: impl Fn(&mut fastrand::Rng, bool) -> [f64; 4]) -> (String, Value) {
    let bench = Bench::new(0);
    let weights = bench.write("w.csv", "name,value,tune\nw0,0,true\nw1,0,true\nw2,0,true\nw3,0,true\n");
    let mut random = fastrand::Rng::with_seed(5);
    let mut text = String::new();
    for query in 0..200 {
        let mut rows: Vec<[f64; 4]> = (0..4).map(|at| row(&mut random, at == 0)).collect();
        let mut score = |row: &[f64; 4]| row[0] + row[1] + 4.0 * random.f64();
        let scores: Vec<f64> = rows.iter().map(&mut score).collect();
        let best = (0..4).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
        rows.swap(0, best);
        for (at, row) in rows.iter().enumerate() {
            let row: String = (1..).zip(row).map(|(column, entry)| format!(" {column}:{entry}")).collect();
            text += &format!("{} qid:{query}{row} # game:{}\n", u8::from(at == 0), query * clusters / 200);
        }
    }
    let choices = bench.write("c.txt", text);
    let options = "--objective softmax --temperature 10 --ridge 0 --min-support 1 --holdout none --overwrite";
    let mut args = bench.bare_fit("out", options);
    for (option, file) in [("--choices", choices), ("--weights", weights)] {
        args.extend([option.to_string(), file]);
    }
    let shown = succeeds(&args);
    args.push("--json".to_string());
    (shown, json(&args))
}

#[test]
fn what_weights_cannot_be_trusted_for_is_said_by_its_cause() {
    let plain = |random: &mut fastrand::Rng| [0; 4].map(|_| f64::from(random.i32(-3..=3)));
    let values = |fit: &Value, field: &str| -> Vec<Option<f64>> {
        list(fit, "weights").iter().map(|weight| weight[field].as_f64()).collect()
    };
    let (shown, all) = causes(50, |random, _| plain(random));
    assert!(!shown.contains("warning") && !shown.contains("weights  no"), "{shown}");
    assert!(values(&all, "se_step").iter().all(Option::is_some), "{all}");

    let (shown, few) = causes(4, |random, _| plain(random));
    let warning = "no standard errors: 4 weights need the rows of 5 games or more, and there are 4";
    assert!(shown.contains(warning), "{shown}");
    assert_eq!(list(&few, "passes")[1]["warnings"][0], warning);
    assert_eq!((values(&few, "se_step"), values(&few, "to")), (vec![None; 4], values(&all, "to")));

    let (_, far) = causes(50, |random, _| {
        let [a, b, c, d] = plain(random);
        [a, b + 1e6, c, d]
    });
    let apart = values(&far, "to").into_iter().zip(values(&all, "to"));
    assert!(apart.into_iter().all(|(far, near)| (far.unwrap() - near.unwrap()).abs() < 1e-6), "{far}");

    let (shown, _) = causes(50, |random, is_first| {
        let [a, b, c, _] = plain(random);
        [a + 100.0 * f64::from(is_first), b, c, 7.0]
    });
    assert!(shown.contains("every chosen row is ahead, so these weights grow without end: w0"), "{shown}");
}
