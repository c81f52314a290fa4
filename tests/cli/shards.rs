//! `texam fit --shard`, `texam merge`, and the script that makes a whole run of them.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use crate::support::*;

/// Makes a run by the script, in a folder of its own, and gives its files.
fn by_script(bench: &Bench, out: &str, shards: u32, options: &str) -> BTreeMap<String, Vec<u8>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/shards.sh");
    let mut command = Command::new(script);
    command.env("TEXAM", env!("CARGO_BIN_EXE_texam")).arg(bench.path(&format!("{out}/run")));
    command.arg(shards.to_string()).args(words(options)).arg(bench.games());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    bench.files(out)
}

#[test]
fn a_run_in_shards_has_the_files_of_one_process() {
    let bench = Bench::new(30);
    let cases = [
        (3, "--min-support 5 --iterations 3 --tune *,table:pass"),
        (1, "--min-support 5 --iterations 1 --errors off --variance off --holdout none"),
        (2, "--min-support 5 --iterations 2 --objective softmax --holdout 1/4 --tune *,attack --every 2"),
        (40, "--min-support 5 --iterations 1 --objective pairs --temperature 80"),
        (4, "--min-support 5 --iterations 2 --objective logistic --inner 3"),
        (2, "--min-support 5 --iterations 5 --patience 1 --force none"),
        (2, "--iterations 0"),
    ];
    for (case, (shards, options)) in cases.into_iter().enumerate() {
        let (alone, split) = (format!("alone-{case}"), format!("shards-{case}"));
        let depth = if options.contains("logistic") { "" } else { "--depth 1" };
        let options = format!("{options} {depth}");
        let mut args = bench.bare_fit(&alone, &format!("--name run {options}"));
        args.push(bench.games().to_string());
        succeeds(&args);
        assert_same_files(&by_script(&bench, &split, shards, &options), &bench.files(&alone));
    }
}

/// Searches a shard into the folder.
fn shard(bench: &Bench, shard: &str, more: &str, output: &str) -> String {
    let line = format!(
        "fit {} --depth 1 --min-support 5 --shard {shard} {more} -o {}",
        bench.games(),
        bench.path(output)
    );
    succeeds(&words(&line))
}

#[test]
fn files_that_do_not_belong_together_are_named_and_nothing_is_written() {
    let bench = Bench::new(20);
    let path = |name: &str| bench.path(name);
    let shown = shard(&bench, "1/2", "", "a1");
    assert!(shown.starts_with("shard 1/2: ") && shown.contains("wrote "), "{shown}");
    shard(&bench, "2/2", "", "a2");
    shard(&bench, "2/2", "--ridge 7", "b2");
    shard(&bench, "2/3", "", "c2");
    let merge = |sums: &[&str], output: &str| -> Vec<String> {
        let sums = sums.iter().map(|name| path(name));
        ["merge".to_string()].into_iter().chain(sums).chain(["-o".to_string(), path(output)]).collect()
    };
    fails(&merge(&["a1"], "out/run-01.par"), &["all 2 shards", "none of 2/2"]);
    fails(&merge(&["a1", "a2", "a1"], "out/run-01.par"), &["each shard once", "1/2 also in", "a1"]);
    fails(&merge(&["a1", "b2"], "out/run-01.par"), &["b2", "other options than in", "a1"]);
    fails(&merge(&["a1", "c2"], "out/run-01.par"), &["c2", "other numbers of shards"]);
    fails(&merge(&["a1", "games.pgn"], "out/run-01.par"), &["games.pgn", "a file of sums"]);
    fails(&merge(&["a1", "none"], "out/run-01.par"), &["none", "cannot read"]);
    fails(&merge(&["a1", "a2"], "out/run.par"), &["NAME-NN.par"]);
    fails(&merge(&["a1", "a2"], "out/run-00.par"), &["from NAME-01.par on"]);
    fails(&merge(&["a1", "a2"], "out/run-02.par"), &["run.stat"]);
    let mut cut = fs::read(path("a2")).unwrap();
    cut.truncate(cut.len() - 5);
    bench.write("cut", cut);
    fails(&merge(&["a1", "cut"], "out/run-01.par"), &["cut", "make them again"]);
    assert!(bench.names("out").is_empty(), "{:?}", bench.names("out"));
    succeeds(&merge(&["a1", "a2"], "out/run-01.par"));
    assert_eq!(bench.names("out"), ["run-00.par", "run-01.fit", "run-01.par", "run.stat"]);
    let before = bench.files("out");
    fails(&merge(&["a1", "a2"], "out/run-01.par"), &["there is a run of this name"]);
    fails(&merge(&["a1", "a2"], "out/run-02.par"), &["run-01.par", "sums under others"]);
    assert_same_files(&bench.files("out"), &before);
}

#[test]
fn a_merge_that_was_interrupted_is_made_again() {
    let bench = Bench::new(20);
    let pass = bench.path("out/run-01.par");
    let merge = |output: &str| succeeds(&["merge", &bench.path("a1"), "-o", &bench.path(output)]);
    shard(&bench, "1/1", "--iterations 2", "a1");
    merge("out/run-01.par");
    let of_first = bench.files("out");
    shard(&bench, "1/1", &format!("--iterations 2 --overwrite --pass {pass}"), "a1");
    merge("out/run-02.par");
    let of_second = bench.files("out");
    // All that the second merge wrote but its last file, and the fit before it, which goes last.
    fs::remove_file(bench.path("out/run-02.par")).unwrap();
    fs::write(bench.path("out/run-01.fit"), &of_first["run-01.fit"]).unwrap();
    merge("out/run-02.par");
    assert_same_files(&bench.files("out"), &of_second);
}

#[test]
fn a_shard_refuses_what_it_has_no_use_for() {
    let bench = Bench::new(2);
    let line = |more: &str| format!("fit {} {more}", bench.games());
    for (more, parts) in [
        ("--shard 3/2 -o x", &["--shard", "3/2"][..]),
        ("--shard 1/2", &["--output"]),
        ("--pass a.par", &["--shard"]),
        ("--shard 1/2 -o x --name run", &["cannot be used with"]),
        ("--shard 1/2 -o x --resume run", &["cannot be used with"]),
        ("--shard 1/2 -o x --pass none.par", &["none.par"]),
    ] {
        fails(&words(&line(more)), parts);
    }
    let games = bench.games().to_string();
    fails(&["fit", &games, "--shard", "1/2", "-o", &games], &["an input"]);
    bench.write("x", "kept");
    fails(&["fit", &games, "--shard", "1/2", "-o", &bench.path("x")], &["--overwrite"]);
    assert_eq!(fs::read(bench.path("x")).unwrap(), b"kept");
}
