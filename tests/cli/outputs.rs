//! What commands write: no file that they read is ever replaced, and another only with `--overwrite`.

use std::{collections::BTreeSet, fs, path::Path};

use clap::{CommandFactory, builder::ValueParser};
use texam::commands::cli::Cli;

use crate::support::*;

/// Every option that names a file to write, with a command line that writes it as OUT, the ending that the
/// file must have, and the files that this line reads. `~` is the folder of the test.
const OUTPUTS: &[(&str, &str, &str, &str, &[&str])] = &[
    (
        "eval",
        "output",
        "eval --trace ~/games.pgn:1 --par ~/a.par --depth 1 -o OUT",
        ".svg",
        &["games.pgn", "a.par"],
    ),
    ("params", "output", "params --par ~/a.par -o OUT", "", &["a.par"]),
    ("positions", "output", "positions ~/games.pgn --par ~/a.par -o OUT", "", &["games.pgn", "a.par"]),
    (
        "presearch",
        "output",
        "presearch ~/games.pgn --par ~/a.par --depth 1 -o OUT",
        "",
        &["games.pgn", "a.par"],
    ),
    ("rows", "output", "rows ~/games.pgn --par ~/a.par --depth 1 -o OUT", "", &["games.pgn", "a.par"]),
    (
        "rows",
        "weights_out",
        "rows ~/games.pgn --par ~/a.par --depth 1 -o ~/choices --weights-out OUT",
        "",
        &["games.pgn", "a.par"],
    ),
    (
        "match",
        "pgn",
        "match ~/a.par ~/b.par --openings ~/open.epd --games 2 --nodes 20 --pgn OUT",
        "",
        &["a.par", "b.par", "open.epd"],
    ),
    ("match", "write_openings", "match --openings ~/open.epd --write-openings OUT", "", &["open.epd"]),
    ("export", "output", "export ~/run-01.par --to json -o OUT", "", &RUN),
    (
        "plot",
        "output",
        "plot ~/run.stat --against ~/a.par -o OUT",
        ".svg",
        &["run.json", "run.stat", "run.games", "run-00.par", "run-01.par", "a.par"],
    ),
    (
        "report",
        "output",
        "report ~/run.stat --games ~/games.pgn --holdout ~/held.pgn --positions 1 -o OUT",
        "",
        &["games.pgn", "held.pgn", "run.json", "run.stat", "run.games", "run-00.par", "run-01.par"],
    ),
];

/// The files of a run: who reads one of them may read the others.
const RUN: [&str; 5] = ["run.json", "run.stat", "run.games", "run-00.par", "run-01.par"];

/// Options that name files or folders in another way: to be read, or a new or empty folder.
const OTHERS: &[(&str, &[&str])] = &[
    ("agree", &["against", "held_out_of", "par"]),
    ("diff", &["a", "b", "held_out_of"]),
    ("games", &["games"]),
    ("eval", &["par"]),
    ("search", &["par"]),
    ("tables", &["par", "output"]),
    ("bench", &["par", "after"]),
    ("positions", &["games", "par"]),
    ("presearch", &["games", "par"]),
    ("uci", &["par"]),
    ("match", &["first", "second", "openings"]),
    ("export", &["par"]),
    ("plot", &["file", "against"]),
    ("report", &["sources", "par", "games", "holdout"]),
    ("man", &["out"]),
];

fn is_path(parser: &ValueParser) -> bool {
    parser.type_id() == ValueParser::path_buf().type_id()
}

#[test]
fn every_option_that_names_a_file_is_known_here() {
    let mut found = BTreeSet::new();
    let cli = Cli::command();
    for command in cli.get_subcommands() {
        let paths = command.get_arguments().filter(|arg| is_path(arg.get_value_parser()));
        found.extend(paths.map(|arg| (command.get_name(), arg.get_id().as_str())));
    }
    let outputs = OUTPUTS.iter().map(|&(command, option, ..)| (command, option));
    let others = OTHERS.iter().flat_map(|&(command, options)| options.iter().map(move |&o| (command, o)));
    assert_eq!(found, outputs.chain(others).collect());
}

/// Files of every kind that commands read.
fn inputs() -> Bench {
    let bench = Bench::new(12);
    succeeds(&["params", "-o", &bench.path("a.par")]);
    succeeds(&["params", "--multiply", "2", "-o", &bench.path("b.par")]);
    bench.write("held.pgn", games_from(20, 6));
    bench.write("open.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    let run = format!("--name run --iterations 1 --min-support 5 --holdout {}", bench.path("held.pgn"));
    assert_succeeded(&crate::support::run(&bench.fit("", &run)), "the run");
    bench
}

fn line(bench: &Bench, line: &str, output: &str, more: &str) -> Vec<String> {
    let line = line.replace('~', &bench.path("")).replace("OUT", output);
    words(&format!("{line} {more}")).into_iter().map(String::from).collect()
}

#[test]
fn no_output_replaces_an_input_and_an_older_file_only_with_overwrite() {
    let bench = inputs();
    for &(command, option, arguments, ending, inputs) in OUTPUTS {
        let what = format!("{command} {option}");
        let output = bench.path(&format!("{command}-{option}{ending}"));
        let remove = || {
            ["out.json", "out.stat", "choices", "weights.csv"]
                .map(|name| _ = fs::remove_file(bench.path(name)))
        };
        fs::write(&output, "of another program").unwrap();
        fails(&line(&bench, arguments, &output, ""), &["--overwrite"]);
        assert_eq!(fs::read_to_string(&output).unwrap(), "of another program", "{what}");
        fs::remove_file(&output).unwrap();
        for input in inputs {
            let input = bench.path(input);
            let before = fs::read(&input).unwrap();
            let mut names = vec![];
            #[cfg(unix)]
            {
                let [hard, soft] = ["hard", "soft"].map(|name| bench.path(&format!("{name}{ending}")));
                fs::hard_link(&input, &hard).unwrap();
                std::os::unix::fs::symlink(&input, &soft).unwrap();
                names.extend([hard, soft]);
            }
            if ending.is_empty() {
                names.push(input.clone());
            }
            for name in &names {
                let is_named = "expected another name for the output, but found that of";
                fails(&line(&bench, arguments, name, "--overwrite"), &[is_named]);
                assert_eq!(fs::read(&input).unwrap(), before, "{what} {input}");
            }
            names.iter().filter(|name| **name != input).for_each(|name| fs::remove_file(name).unwrap());
        }
        remove();
        fs::write(&output, "of another program").unwrap();
        let done = run(&line(&bench, arguments, &output, "--overwrite"));
        assert!(done.status.code().unwrap() < 2, "{what}: {}", text(&done.stderr));
        assert!(fs::read(&output).unwrap() != b"of another program", "{what}");
        fs::remove_file(&output).unwrap();
        remove();
    }
}

#[test]
fn a_page_beside_the_stat_and_a_page_of_the_manual_are_replaced_only_with_overwrite() {
    let bench = inputs();
    let report = |more: &str| line(&bench, "report ~/run.stat --positions 0", "", more);
    succeeds(&report(""));
    fails(&report(""), &["run.html: expected the name of a new file", "--overwrite"]);
    assert!(succeeds(&report("--overwrite")).contains("in place of an older file"));
    let man = |more: &str| line(&bench, "man --out ~/man", "", more);
    succeeds(&man(""));
    let page = bench.path("man/texam-rows.1");
    fs::write(&page, "another").unwrap();
    fs::remove_file(bench.path("man/texam.1")).unwrap();
    fails(&man(""), &["--overwrite"]);
    assert_eq!(fs::read_to_string(&page).unwrap(), "another");
    assert!(!Path::new(&bench.path("man/texam.1")).exists(), "all pages or none");
    succeeds(&man("--overwrite"));
    assert!(fs::read_to_string(&page).unwrap().contains("rows"));
}

#[test]
fn a_stream_is_written_into_whatever_it_leads_to() {
    let bench = Bench::new(0);
    let listed = succeeds(&["export", "start", "--to", "csv"]);
    let to_pipe = succeeds(&["export", "start", "--to", "csv", "-o", "/dev/stdout"]);
    assert_eq!(to_pipe, format!("{listed}wrote /dev/stdout\n"));
    let path = bench.path("out");
    let mut command = texam();
    command
        .args(["export", "start", "--to", "csv", "-o", "/dev/stdout"])
        .stdout(fs::File::create(&path).unwrap());
    assert!(command.status().unwrap().success());
    assert!(fs::read_to_string(&path).unwrap().contains("mat_n"));
    let mut null = words("export start --to csv -o /dev/null");
    succeeds(&null);
    null.push("--overwrite");
    succeeds(&null);
}
