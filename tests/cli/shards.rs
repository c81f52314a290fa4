//! `texam fit --shard`, `texam merge`, and the script that makes a whole run of them.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Output, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::support::*;

/// Makes a run by the script, in a folder of its own.
fn script(bench: &Bench, out: &str, shards: u32, arguments: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/shards.sh");
    let mut command = Command::new(script);
    command.env("TEXAM", env!("CARGO_BIN_EXE_texam")).arg(bench.path(&format!("{out}/run")));
    command.arg(shards.to_string()).args(arguments).output().unwrap()
}

#[test]
fn a_run_in_shards_has_the_files_of_one_process() {
    let bench = Bench::new(30);
    let other = bench.write("other.pgn", games_from(30, 5));
    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 c9 \"1-0\";\n\
               rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2 c9 \"0-1\";\n";
    let epd = bench.write("a.epd", epd.repeat(20));
    let database = bench.path("games.dbf");
    succeeds(&["presearch", bench.games(), "-o", &database, "--depth", "1"]);
    let games = bench.games();
    let cases = [
        (3, games, "--depth 1 --min-support 5 --iterations 3 --tune *,table:pass --every 3".to_string()),
        (
            1,
            games,
            "--depth 1 --min-support 5 --iterations 1 --errors off --variance off --holdout none".into(),
        ),
        (
            2,
            games,
            "--depth 1 --min-support 5 --iterations 2 --objective softmax --holdout 1/4 --tune *,attack,phase"
                .into(),
        ),
        (40, games, "--depth 1 --min-support 5 --iterations 1 --objective pairs --temperature 80".into()),
        (4, games, "--min-support 5 --iterations 2 --objective logistic --inner 3 --every 2".into()),
        (3, &epd, "--min-support 5 --iterations 1 --objective logistic --holdout none".into()),
        (2, &database, format!("--depth 1 --min-support 5 --iterations 1 --holdout {other}")),
        (2, games, "--depth 1 --min-support 5 --iterations 5 --patience 1 --force none".into()),
        (2, games, "--depth 1 --iterations 0 --freeze *".into()),
    ];
    for (case, (shards, games, options)) in cases.iter().enumerate() {
        let (alone, split) = (format!("alone-{case}"), format!("shards-{case}"));
        let mut args = bench.bare_fit(&alone, &format!("--name run {options}"));
        args.push(games.to_string());
        succeeds(&args);
        let output = script(&bench, &split, *shards, &[&[*games][..], &words(options)].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_same_files(&bench.files(&split), &bench.files(&alone));
        assert!(!Path::new(&bench.path(&format!("{split}/.run.lock"))).exists());
    }
}

#[test]
#[cfg(unix)]
fn the_script_reaches_machines_by_ssh_and_quotes_names_for_them() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new(0);
    // A program named ssh that runs the command here, a folder and a file of games with signs of the shell in their
    // names, and a last game that is broken.
    let ssh = bench.write("ssh", "#!/bin/sh\necho $1 >> \"$HOSTS_SEEN\"\nshift\nexec sh -c \"$*\"\n");
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).unwrap();
    let folder = bench.path("it's; $here");
    fs::create_dir(&folder).unwrap();
    let games =
        bench.write("my friend's *.pgn", format!("{}\n[Event \"?\"]\n\n1. e4 e9 1-0\n", first_games(20)));
    let options = ["--depth", "1", "--min-support", "5", "--iterations", "1", "--tune", "*,table:pass"];
    let seen = bench.path("seen");
    let path = format!("{}:{}", bench.folder.path().display(), std::env::var("PATH").unwrap());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/shards.sh");
    let mut command = Command::new(script);
    command.current_dir(&folder).env("TEXAM", env!("CARGO_BIN_EXE_texam")).env("PATH", path);
    command.env("HOSTS", "one two three").env("HOSTS_SEEN", &seen);
    let output = command.args(["out/run", "4", &games]).args(options).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut args = bench.bare_fit("alone", "--name run");
    args.extend(options.map(String::from).into_iter().chain([games]));
    assert_eq!(run(&args).status.code(), Some(1), "a game was skipped");
    assert_same_files(&bench.files("it's; $here/out"), &bench.files("alone"));
    let seen = fs::read_to_string(seen).unwrap();
    let count = |host: &str| seen.lines().filter(|line| *line == host).count();
    assert_eq!(["one", "two", "three"].map(count), [4, 2, 2]);
}

#[test]
fn the_script_goes_on_with_a_run_and_begins_none_in_the_place_of_another() {
    let bench = Bench::new(20);
    let arguments = [bench.games(), "--depth", "1", "--min-support", "5", "--iterations", "3"];
    succeeds(&bench.fit("alone", "--name run --min-support 5 --iterations 3"));
    // Two passes of a run that was interrupted.
    let sums = bench.path("sums");
    for pass in ["", &format!("--pass {}", bench.path("out/run-01.par"))] {
        shard(&bench, "1/1", &format!("--iterations 3 --overwrite {pass}"), "sums");
        let next = if pass.is_empty() { "out/run-01.par" } else { "out/run-02.par" };
        succeeds(&["merge", &sums, "-o", &bench.path(next)]);
    }
    // Another run that was interrupted, whose name begins alike.
    for name in ["run-2-01.par", "run-2-01.fit"] {
        fs::copy(bench.path("out/run-02.par"), bench.path(&format!("out/{name}"))).unwrap();
    }
    let output = script(&bench, "out", 2, &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for name in ["run-2-01.par", "run-2-01.fit"] {
        fs::remove_file(bench.path(&format!("out/{name}"))).unwrap();
    }
    assert_same_files(&bench.files("out"), &bench.files("alone"));
    let output = script(&bench, "out", 2, &arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("give another name"));
    assert_same_files(&bench.files("out"), &bench.files("alone"));
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
    fails(&merge(&["a1", "b2"], "out/run-01.par"), &["b2", "other options (--ridge) than in", "a1"]);
    fails(&merge(&["a1", "c2"], "out/run-01.par"), &["c2", "other numbers of shards"]);
    fails(&merge(&["a1", "games.pgn"], "out/run-01.par"), &["games.pgn", "a file of sums"]);
    fails(&merge(&["a1", "none"], "out/run-01.par"), &["none", "cannot read"]);
    fails(&merge(&["a1", "a2"], "out/run.par"), &["NAME-NN.par"]);
    fails(&merge(&["a1", "a2"], "out/run-00.par"), &["from NAME-01.par on"]);
    fails(&merge(&["a1", "a2"], "out/run-02.par"), &["run.stat"]);
    fs::copy(path("a1"), path("own-01.par")).unwrap();
    fails(&merge(&["own-01.par", "a2"], "own-01.par"), &["own-01.par", "an input"]);
    let mut cut = fs::read(path("a2")).unwrap();
    cut.truncate(cut.len() - 5);
    bench.write("cut", cut);
    fails(&merge(&["a1", "cut"], "out/run-01.par"), &["cut", "make it again"]);
    assert!(bench.names("out").is_empty(), "{:?}", bench.names("out"));
    succeeds(&merge(&["a1", "a2"], "out/run-01.par"));
    assert_eq!(bench.names("out"), ["run-00.par", "run-01.fit", "run-01.par", "run.games", "run.stat"]);
    let before = bench.files("out");
    fails(&merge(&["a1", "a2"], "out/run-01.par"), &["run.stat", "the name of a new run", "--overwrite"]);
    fails(
        &merge(&["a1", "a2"], "out/run-02.par"),
        &["run-01.par", "sums under others", "check the number after -o"],
    );
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
    fs::remove_file(&pass).unwrap();
    merge("out/run-01.par");
    assert_same_files(&bench.files("out"), &of_first);
    // All but the start weights is missing.
    for name in ["run.stat", "run-01.fit", "run-01.par"] {
        fs::remove_file(bench.path(&format!("out/{name}"))).unwrap();
    }
    merge("out/run-01.par");
    assert_same_files(&bench.files("out"), &of_first);
    shard(&bench, "1/1", &format!("--iterations 2 --overwrite --pass {pass}"), "a1");
    merge("out/run-02.par");
    let of_second = bench.files("out");
    // All that the second merge wrote but its last file, and the fit before it, which goes last.
    fs::remove_file(bench.path("out/run-02.par")).unwrap();
    fs::write(bench.path("out/run-01.fit"), &of_first["run-01.fit"]).unwrap();
    merge("out/run-02.par");
    assert_same_files(&bench.files("out"), &of_second);
    // Weights of an older run are no leftovers of a merge.
    fs::create_dir(bench.path("old")).unwrap();
    for name in ["run-00.par", "run-05.par"] {
        bench.write(&format!("old/{name}"), &of_first["run-00.par"]);
    }
    shard(&bench, "1/1", "--iterations 2", "b1");
    fails(&["merge", &bench.path("b1"), "-o", &bench.path("old/run-01.par")], &["a run of this name"]);
    assert_eq!(bench.names("old"), ["run-00.par", "run-05.par"]);
    // The script goes on from the same places.
    let arguments = [bench.games(), "--depth", "1", "--min-support", "5", "--iterations", "2"];
    succeeds(&bench.fit("alone", "--name run --min-support 5 --iterations 2"));
    let interrupted: [(_, &[&str]); 3] = [
        (&of_first, &["run.stat", "run-01.fit", "run-01.par"]),
        (&of_first, &["run-01.par"]),
        (&of_second, &["run-02.par"]),
    ];
    for (case, (files, missing)) in interrupted.into_iter().enumerate() {
        let out = format!("script-{case}");
        fs::create_dir(bench.path(&out)).unwrap();
        let left = files.iter().filter(|(name, _)| !missing.contains(&name.as_str()));
        left.for_each(|(name, bytes)| drop(bench.write(&format!("{out}/{name}"), bytes)));
        if missing == ["run-02.par"] {
            bench.write(&format!("{out}/run-01.fit"), &of_first["run-01.fit"]);
        }
        let output = script(&bench, &out, 2, &arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_same_files(&bench.files(&out), &bench.files("alone"));
    }
}

#[test]
fn a_run_that_one_process_went_on_with_is_not_continued_in_shards() {
    let bench = Bench::new(20);
    let pass = bench.path("out/run-01.par");
    let merge = |output: &str| ["merge".to_string(), bench.path("a1"), "-o".to_string(), bench.path(output)];
    shard(&bench, "1/1", "--iterations 3", "a1");
    succeeds(&merge("out/run-01.par"));
    let fit = fs::read(bench.path("out/run-01.fit")).unwrap();
    shard(&bench, "1/1", &format!("--iterations 3 --overwrite --pass {pass}"), "a1");
    succeeds(&bench.bare_fit("out", "--resume run"));
    succeeds(&bench.fit("alone", "--name run --min-support 5 --iterations 3"));
    assert_same_files(&bench.files("out"), &bench.files("alone"));
    fails(&merge("out/run-02.par"), &["a run that has come to pass 1", "texam fit --resume"]);
    bench.write("out/run-01.fit", fit);
    fails(&merge("out/run-02.par"), &["a run that has come to pass 1", "texam fit --resume"]);
    fails(&merge("out/run-01.par"), &["run-00.par", "check the number after -o"]);
}

#[test]
fn a_program_without_mpi_does_not_make_a_run_several_times() {
    let bench = Bench::new(2);
    let mut command = Command::new(env!("CARGO_BIN_EXE_texam"));
    let output = command.env("OMPI_COMM_WORLD_SIZE", "8").args(bench.fit("out", "")).output().unwrap();
    assert_failed(&output, "started 8 times", &["8 processes were started", "--features mpi"]);
    assert!(!Path::new(&bench.path("out")).exists());
}

#[test]
#[cfg(unix)]
fn the_script_takes_a_name_that_begins_with_a_dash() {
    let bench = Bench::new(12);
    succeeds(&bench.fit("alone", "--name=-lead --min-support 5 --iterations 2"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/shards.sh");
    std::fs::create_dir(bench.path("out")).unwrap();
    let mut command = Command::new(script);
    command.env("TEXAM", env!("CARGO_BIN_EXE_texam")).current_dir(bench.path("out"));
    command.args(["-lead", "2", bench.games()]).args(words("--min-support 5 --iterations 2 --depth 1"));
    assert_succeeded(&command.output().unwrap(), "-lead");
    assert_same_files(&bench.files("out"), &bench.files("alone"));
}

#[test]
fn the_script_refuses_what_is_no_number_of_shards() {
    let bench = Bench::new(0);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/shards.sh");
    for (count, part) in
        [(&[][..], "the number of shards is missing"), (&["0"], "found 0"), (&["few"], "found few")]
    {
        let output = Command::new(&script).arg(bench.path("out/run")).args(count).output().unwrap();
        assert!(!output.status.success(), "{count:?}");
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
    assert!(!Path::new(&bench.path("out")).exists());
}

#[test]
#[cfg(unix)]
fn an_end_of_the_script_ends_its_searches() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/shards.sh");
    for (signal, code) in [("-HUP", 129), ("-INT", 130), ("-TERM", 143)] {
        let bench = Bench::new(400);
        let mut command = Command::new(&script);
        command.env("TEXAM", env!("CARGO_BIN_EXE_texam"));
        command.args([&bench.path("out/run"), "2", bench.games(), "--threads", "1"]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        while !Path::new(&bench.path("out")).exists() {
            assert!(child.try_wait().unwrap().is_none(), "the script begins");
            sleep(Duration::from_millis(10));
        }
        sleep(Duration::from_millis(300));
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        // The searches hold the other end of the pipe as long as they run. At their end they would write their files.
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(bench.names("out").is_empty(), "{said}");
    }
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
        (
            "--shard 1/2 -o x --tune table:pass --pass params/start.par",
            &["params/start.par", "pass with a weight for each cell"],
        ),
    ] {
        fails(&words(&line(more)), parts);
    }
    let games = bench.games().to_string();
    fails(&["fit", &games, "--shard", "1/2", "-o", &games], &["an input"]);
    bench.write("x", "kept");
    fails(&["fit", &games, "--shard", "1/2", "-o", &bench.path("x")], &["--overwrite"]);
    assert_eq!(fs::read(bench.path("x")).unwrap(), b"kept");
}

#[test]
fn a_run_without_positions_is_refused_before_anything_is_written() {
    let bench = Bench::new(4);
    shard(&bench, "1/1", "--skip-moves 500 --holdout none", "a1");
    fails(
        &["merge", &bench.path("a1"), "-o", &bench.path("out/run-01.par")],
        &["at least one position to fit"],
    );
    assert!(!Path::new(&bench.path("out")).exists());
}

#[test]
fn a_merge_replaces_no_file_of_another_origin_under_the_name_of_its_fit() {
    let bench = Bench::new(12);
    shard(&bench, "1/1", "--iterations 3", "first");
    let merge = |sums: &str, fit: &str, more: &str| {
        let mut args = words("merge").into_iter().map(String::from).collect::<Vec<_>>();
        args.extend([bench.path(sums), "-o".into(), bench.path(fit)]);
        args.extend(words(more).into_iter().map(String::from));
        args
    };
    succeeds(&merge("first", "out/run-01.par", ""));
    shard(&bench, "1/1", &format!("--iterations 3 --pass {}", bench.path("out/run-01.par")), "second");
    let other = bench.write("out/run-02.par", "mine");
    fails(
        &merge("second", "out/run-02.par", ""),
        &["run-02.par: expected the name of a new file", "--overwrite"],
    );
    assert_eq!(std::fs::read(&other).unwrap(), b"mine");
    succeeds(&merge("second", "out/run-02.par", "--overwrite"));
}

/// The files of hints in a folder.
fn hints_in(bench: &Bench, folder: &str) -> Vec<String> {
    bench.names(folder).into_iter().filter(|name| name.ends_with(".hints")).collect()
}

#[test]
fn each_pass_of_a_shard_hands_best_moves_to_the_next_and_they_change_no_sum() {
    let bench = Bench::new(12);
    fs::create_dir(bench.path("sums")).unwrap();
    let search = |pass: &str, output: &str| {
        let line = format!(
            "fit {} --depth 2 --every 8 --min-support 5 --holdout 1/4 --iterations 2 --shard 1/1 {pass} -o {}",
            bench.games(),
            bench.path(output)
        );
        let output = run(&words(&line));
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stdout).to_string(), text(&output.stderr).to_string())
    };
    let (said, notes) = search("", "sums/first.bin");
    let names = hints_in(&bench, "sums");
    let [name] = &names[..] else { panic!("{names:?}") };
    assert!(name.starts_with("shard-1-of-1-") && said.contains(name) && notes.is_empty(), "{said}{notes}");
    assert!(!said.contains("best moves of the last pass"), "{said}");
    let hints = bench.path(&format!("sums/{name}"));
    let of_first = fs::read(&hints).unwrap();
    succeeds(&["merge", &bench.path("sums/first.bin"), "-o", &bench.path("out/run-01.par")]);
    let pass = format!("--pass {}", bench.path("out/run-01.par"));
    let (said, notes) = search(&pass, "sums/second.bin");
    assert!(said.contains("with the best moves of the last pass") && notes.is_empty(), "{said}{notes}");
    let sums = fs::read(bench.path("sums/second.bin")).unwrap();
    assert_ne!(fs::read(&hints).unwrap(), of_first);
    // A file that is missing is no news, a damaged one is replaced, and what is no file of hints stays.
    let mut damaged = of_first.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let cut = of_first[..of_first.len() / 2].to_vec();
    let cases = [(None, false), (Some(damaged), true), (Some(cut), true), (Some(b"mine".to_vec()), true)];
    for (case, (content, has_note)) in cases.into_iter().enumerate() {
        let is_foreign = content.as_deref() == Some(b"mine");
        match content {
            Some(content) => fs::write(&hints, content).unwrap(),
            None => fs::remove_file(&hints).unwrap(),
        }
        let output = format!("sums/again-{case}.bin");
        let (said, notes) = search(&pass, &output);
        assert!(!said.contains("best moves of the last pass"), "{said}");
        assert_eq!(notes.contains("note: ") && notes.contains(".hints: expected "), has_note, "{notes}");
        assert!(fs::read(bench.path(&output)).unwrap() == sums, "case {case}");
        assert_eq!(fs::read(&hints).unwrap() == b"mine", is_foreign);
        assert_eq!(notes.contains("left as it is"), is_foreign, "{notes}");
    }
}

#[test]
fn a_shard_without_a_search_of_moves_or_without_a_folder_leaves_no_best_moves() {
    let bench = Bench::new(12);
    for folder in ["labels", "trees", "device"] {
        fs::create_dir(bench.path(folder)).unwrap();
    }
    let sums = bench.path("labels/sums");
    let labels = ["--objective", "logistic", "--min-support", "0", "--shard", "1/2", "-o", &sums];
    succeeds(&[&["fit", bench.games()][..], &labels].concat());
    let trees = bench.path("trees.dbf");
    succeeds(&["presearch", bench.games(), "-o", &trees, "--depth", "1", "--trees"]);
    let sums = bench.path("trees/sums");
    succeeds(&[
        "fit",
        &trees,
        "--depth",
        "1",
        "--trees",
        "--min-support",
        "0",
        "--shard",
        "1/2",
        "-o",
        &sums,
    ]);
    assert_eq!([bench.names("labels"), bench.names("trees")], [["sums"], ["sums"]]);
    if cfg!(unix) {
        let said = shard(&bench, "1/2", "", "/dev/null");
        assert!(!said.contains(".hints"), "{said}");
    }
}
