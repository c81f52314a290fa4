//! What is broken, missing, full, closed or nonsense: an error or a warning, never a panic.

use std::{
    fs::{self, File},
    io::Write,
    process::{Output, Stdio},
};

use crate::support::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Commands that read games, at one ply.
const READERS: [&str; 4] =
    ["fit --depth 1 --iterations 0", "check --depth 1", "agree --depth 1", "bench --depth 1"];

/// Arguments of a command on games; a fit is into the folder `out`.
fn on_games(bench: &Bench, line: &str, games: &str) -> Vec<String> {
    let out = if line.starts_with("fit ") { format!("--out {}", bench.path("out")) } else { String::new() };
    words(&format!("{line} {out} {games}")).into_iter().map(String::from).collect()
}

fn each_reader_fails_on(bench: &Bench, games: &str, parts: &[&str]) {
    READERS.iter().for_each(|reader| fails(&on_games(bench, reader, games), parts));
}

#[test]
fn a_game_of_a_chess_variant_is_as_silent_as_a_drawn_game_but_named_if_it_is_alone() {
    let bench = Bench::new(1);
    let variant = "[Variant \"Crazyhouse\"]\n\n1. e4 N@e5 1-0\n\n";
    let mixed = bench.write("mixed.pgn", variant.repeat(3) + &first_games(12));
    let alone = bench.write("alone.pgn", variant);
    for reader in READERS {
        let output = run(&on_games(&bench, reader, &mixed));
        let warnings = text(&output.stderr);
        assert!(output.status.success(), "{reader}: {warnings}");
        assert!(!warnings.contains("warning"), "{reader}: {warnings}");
    }
    each_reader_fails_on(&bench, &alone, &["1 of a chess variant (the first: "]);
    assert_eq!(json(&["agree", "--depth", "1", "--json", &mixed])["games_skipped"], 3);
}

#[test]
fn a_broken_game_is_named_and_skipped_and_the_end_is_1() {
    let bench = Bench::new(1);
    let damaged = first_games(12).replacen("9. Qe2", "9. Qa8", 1).replacen("20. Bf4", "20. O-O-O", 9);
    let damaged = bench.write("damaged.pgn", damaged);
    for reader in READERS {
        let output = run(&on_games(&bench, reader, &damaged));
        let warnings = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{reader}: {warnings}");
        assert!(warnings.lines().all(|line| line.starts_with("warning: ")), "{warnings}");
        assert!(warnings.contains("damaged.pgn, game 1, move 9, line 10: "), "{warnings}");
        assert!(warnings.contains("of 12 games, which are broken"), "{warnings}");
        assert!(!output.stdout.is_empty());
    }
    let output = run(&["agree", "--depth", "1", "--json", &damaged]);
    let agree = object(text(&output.stdout));
    assert!(number(&agree, "games_skipped") >= 1.0);
    assert_eq!(number(&agree, "games_skipped") + number(&agree, "games"), 12.0);
}

#[test]
fn a_missing_file_is_called_missing_and_a_folder_a_folder() {
    let bench = Bench::new(1);
    let readers = [
        ("agree --depth 1 --par", "par"),
        ("diff start --weights-only", "par"),
        ("export --to csv", "par"),
        ("match start", "par"),
        ("plot", "par"),
        ("plot", "stat"),
        ("report", "stat"),
        ("report", "html"),
        ("games --games", "pgn"),
        ("presearch -o x.dbf", "pgn"),
        ("bench", "dbf"),
        ("match start start --openings", "pgn"),
        ("match start start --openings", "epd"),
    ];
    for (reader, extension) in readers {
        let file = bench.path(&format!("none.{extension}"));
        let output = run(&[&words(reader)[..], &[&file]].concat());
        let error = text(&output.stderr);
        assert_failed(&output, reader, &[&format!("none.{extension}: ")]);
        let is_called_missing = ["check the name", "check the name", "no file of this name"];
        assert!(is_called_missing.iter().any(|words| error.contains(words)), "{reader}: {error}");
        let folder = bench.path(&format!("folder.{extension}"));
        fs::create_dir_all(&folder).unwrap();
        let output = run(&[&words(reader)[..], &[&folder]].concat());
        let error = text(&output.stderr);
        assert!(error.contains("a folder") || error.contains("a directory"), "{reader}: {error}");
    }
    let run = bench.write("run.stat", "");
    fails(&["report", run.strip_suffix(".stat").unwrap()], &["did you mean", "run.stat?"]);
    fails(
        &["report", &run],
        &["run.json: expected the data of the run, but found only ", "run.stat, which is"],
    );
    fails(&["plot", &bench.path("none")], &["nothing of this name"]);
}

#[test]
fn files_without_a_game_to_use_are_told_apart() {
    let bench = Bench::new(1);
    let empty = bench.write("empty.pgn", "");
    let drawn = bench.write("drawn.pgn", "[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n");
    let broken = bench.write("broken.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n");
    let short = bench.write("short.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n");
    each_reader_fails_on(&bench, &empty, &["empty.pgn: ", "one game with a winner", "no game at all"]);
    each_reader_fails_on(&bench, &drawn, &["drawn.pgn: ", "1 game: 1 without a winner, 0 broken"]);
    each_reader_fails_on(&bench, &broken, &["game 1, move 2", "1 game: 0 without a winner, 1 broken"]);
    for reader in &READERS[1..] {
        fails(&[&words(reader)[..], &[&short]].concat(), &["after the opening", "fewer --skip-moves"]);
    }
    fails(&["agree", "-"], &["standard input: ", "no game at all"]);
}

#[test]
fn packed_games_are_read_and_those_cut_off_are_an_error() {
    let bench = Bench::new(4);
    let mut gzip = std::process::Command::new("gzip");
    let packed = gzip.arg("-c").arg(&bench.games).output().unwrap().stdout;
    let whole = bench.write("games.pgn.gz", &packed);
    let cut = bench.write("cut.pgn.gz", &packed[..packed.len() * 2 / 3]);
    let read = |games: &str| succeeds(&["agree", "--depth", "1", "--json", games]);
    assert_eq!(read(&whole), read(bench.games()));
    each_reader_fails_on(&bench, &cut, &["cut.pgn.gz, game ", "damaged or cut off"]);
    assert!(!fs::exists(bench.path("out")).unwrap() || bench.names("out").is_empty());
}

#[test]
fn what_is_no_file_is_named_with_a_remedy() {
    let bench = Bench::new(1);
    let folder = bench.folder.path().to_str().unwrap();
    each_reader_fails_on(&bench, folder, &["found a folder"]);
    each_reader_fails_on(&bench, &bench.path("none.pgn"), &["none.pgn: ", "check the name"]);
    if cfg!(unix) {
        each_reader_fails_on(&bench, "/dev/zero", &["found a device, which may have no end"]);
    }
    let games = bench.games();
    let missing = bench.path("none.par");
    for command in ["agree", "check", "bench", "fit"] {
        fails(&[command, games, "--par", folder], &["found a folder"]);
        fails(&[command, games, "--par", &missing], &["none.par: cannot read", "check the name"]);
        fails(&[command, games, "--par", games], &["line 1: expected \"texam-par 1\""]);
    }
    for command in ["eval", "search", "tables"] {
        fails(&[command, START, "--par", &missing], &["none.par: cannot read"]);
    }
    fails(&["agree", games, "--against", &missing], &["none.par: cannot read"]);
    fails(&["fit", games, "--holdout", "none", "--out", games], &["cannot make this folder", "--out"]);
    fails(&["params", "--output", folder], &["found a folder"]);
    fails(&["params", "--output", &bench.path("no/a.par")], &["make the folder"]);
}

#[test]
fn damaged_weights_are_an_error_with_a_line() {
    let bench = Bench::new(1);
    let start = fs::read_to_string("params/start.par").unwrap();
    let damaged = |from: &str, to: &str| {
        assert!(start.contains(from), "{from}");
        bench.write("damaged.par", start.replacen(from, to, 1))
    };
    let knight = start.lines().find(|line| line.starts_with("mat_n")).unwrap();
    for (to, part) in [
        (knight.replacen("416", "NaN", 1), "line "),
        (knight.replacen("416", "inf", 1), "line "),
        (knight.replacen("416", "4l6", 1), "line "),
        (knight.replacen("mat_n", "mat_x", 1), "mat_x"),
        (knight.replacen("frozen", "maybe", 1), "line "),
        (format!("{knight}\n{knight}"), "mat_n"),
        ("\0\x01".to_string(), "line "),
    ] {
        let par = damaged(knight, &to);
        fails(&["eval", START, "--par", &par], &["damaged.par", part]);
    }
    let within_a_line = start.find("\nn_fwd ").unwrap() + "\nn_fwd ".len();
    let cut = bench.write("cut.par", &start[..within_a_line]);
    fails(&["agree", bench.games(), "--par", &cut], &["cut.par"]);
    let headless = damaged("features ", "");
    fails(&["params", "--par", &headless], &["damaged.par, line "]);
}

#[test]
fn wrong_usage_names_the_argument_and_what_will_do() {
    let bench = Bench::new(2);
    let games = bench.games();
    for (line, parts) in [
        ("agree --every 0", &["--every", "1 or more"][..]),
        ("agree --every x", &["--every"]),
        ("agree --threads 0", &["--threads", "1..=1024"]),
        ("agree --depth 6", &["--depth", "1 to 5"]),
        ("agree --depth 0", &["--depth", "1 to 5"]),
        ("agree --skip-moves -1", &["--skip-moves", "0 or more"]),
        ("agree --threshold -1", &["--threshold", "none, or units"]),
        ("agree --threshold nan", &["--threshold"]),
        ("agree --root leaf", &["--root", "quiescence, static, search"]),
        ("agree --phase late", &["--phase", "fruit"]),
        ("agree --phase-at end", &["--phase-at", "leaf"]),
        ("agree --nonsense", &["--nonsense"]),
        ("check --ridge -1", &["--ridge", "from 0 to 1e12"]),
        ("check --ridge nan", &["--ridge", "from 0 to 1e12"]),
        ("check --ridge 1e300", &["--ridge", "from 0 to 1e12"]),
        ("check --smooth inf", &["--smooth", "from 0 to 1e12"]),
        ("check --tune nonsense", &["\"nonsense\"", "texam params"]),
        ("check --freeze nonsense", &["\"nonsense\"", "texam params"]),
        ("check --freeze *", &["weights to tune", "--tune"]),
        ("check --min-support 100000", &["lower --min-support"]),
        ("fit --holdout 1/1", &["--holdout", "1/K"]),
        ("fit --holdout 1/x", &["--holdout", "1/K"]),
        ("fit --holdout 0.1", &["--holdout", "1/K", "check the name"]),
        ("fit --holdout 1/3", &["at least 3 games", "--holdout none"]),
        ("fit --force strong", &["--force", "linear"]),
        ("fit --strength -3", &["--strength", "from 0 to 1e12"]),
        ("fit --scale 0", &["--scale", "above 0"]),
        ("fit --balance some", &["--balance", "ahead"]),
        ("fit --variance maybe", &["--variance", "off"]),
        ("fit --errors maybe", &["--errors", "off"]),
        ("fit --ridge-to end", &["--ridge-to", "current, start"]),
        ("fit --patience 0", &["--patience"]),
        ("fit --tune p_adv,nonsense", &["\"nonsense\""]),
        ("fit --freeze *", &["weights to tune"]),
        ("fit --tune phase --phase-at root", &["phase-at: expected leaf", "points of the phase", "root"]),
        ("check --tune *,phase --phase rustic", &["phase: expected fruit", "points of the phase", "rustic"]),
        ("rows --tune phase -o rows.txt", &["--freeze phase"]),
        ("fit --name a/b", &["plain name", "a/b"]),
        ("fit --name .hidden", &["plain name"]),
        ("fit --name a:b", &["plain name", "a:b"]),
        ("fit --name nul", &["plain name", "nul"]),
        ("fit --name Com1.a", &["plain name", "Com1.a"]),
        ("fit --name a.", &["plain name"]),
        ("fit --resume ../a", &["plain name"]),
        ("fit --resume a --name b", &["--resume", "--name"]),
        ("fit --resume a --overwrite", &["--resume", "--overwrite"]),
        ("bench --positions 0", &["--positions"]),
    ] {
        let out = bench.path("out");
        fails(&on_games(&bench, line, games), parts);
        assert!(!fs::exists(&out).unwrap() || bench.names("out").is_empty(), "{line} left files");
    }
    fails(&["nonsense"], &["nonsense"]);
    fails(&["eval"], &["<FEN|GAMES:NUMBER>"]);
    fails(&["search", START, "--plain", "--window"], &["--plain", "--window"]);
    fails(&["fit", games, "none.pgn"], &["none.pgn: cannot read this file; check the name"]);
    fails(&["games", "none.pgn"], &["none.pgn: cannot read this file; check the name"]);
}

#[test]
fn nonsense_for_a_position_is_an_error_that_says_why() {
    for (fen, why) in [
        ("", "FEN"),
        ("nonsense", "FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "empty board"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/KK6 w - - 0 1", "kings"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "opposite check"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "backrank"),
        ("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "castling"),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "castling"),
        ("3k4/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1", "more than 16 pieces for white"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 and more", "FEN"),
        ("9/8/8/8/8/8/8/4K2k w - - 0 1", "FEN"),
    ] {
        for command in ["eval", "search", "tables"] {
            fails(&[command, fen], &[why, fen]);
        }
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let bench = Bench::new(2);
    let fit = bench.fit("out", "--iterations 0 --holdout none");
    let fit: Vec<&str> = fit.iter().map(String::as_str).collect();
    for args in [&["params"][..], &["search", START, "--depth", "1"], &["agree", "--help"], &fit] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = texam().args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args:?}");
    }
    assert_eq!(bench.names("out"), ["run-001-00.par", "run-001.games", "run-001.json", "run-001.stat"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_on_standard_output_and_none_on_standard_error() {
    let bench = Bench::new(2);
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let fit = bench.fit("out", "--iterations 0 --holdout none");
    let fit: Vec<&str> = fit.iter().map(String::as_str).collect();
    let agree = ["agree", bench.games(), "--depth", "1"];
    for args in [&["params"][..], &["eval", START, "--json"], &["search", START, "--depth=1"], &agree, &fit] {
        let output = texam().args(args).stdout(full()).output().unwrap();
        assert_failed(&output, &format!("{args:?}"), &["cannot write to standard output"]);
    }
    assert!(bench.names("out").is_empty());
    let missing = texam().args(["agree", &bench.path("none")]).stderr(full()).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    let broken = bench.write("broken.pgn", first_games(4).replacen("9. Qe2", "9. Qa8", 1));
    let warned = texam().args(["agree", "--depth=1", &broken]).stderr(full()).output().unwrap();
    assert_eq!(warned.status.code(), Some(1));
    fails(&["params", "--output", "/dev/full"], &["/dev/full: cannot write", "make room"]);
}

#[test]
fn many_warnings_are_cut_short_and_still_counted() {
    let bench = Bench::new(1);
    let mut file = File::options().append(true).open(&bench.games).unwrap();
    for _ in 0..30 {
        file.write_all(b"\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n").unwrap();
    }
    let output = run(&["agree", "--depth", "1", bench.games()]);
    let warnings = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(warnings.lines().count(), 21, "{warnings}");
    assert!(warnings.contains("skipped 30 of 31 games, which are broken"), "{warnings}");
}

#[test]
fn control_characters_from_outside_reach_no_terminal_and_no_page() {
    const HOSTILE: &str = "\u{1b}[31m\u{7}\u{9b}x";
    let bench = Bench::new(0);
    let games = first_games(4).replace("[White \"", &format!("[White \"{HOSTILE}"));
    let pgn = bench.write("hostile\u{1b}.pgn", &games);
    let broken =
        bench.write("broken.pgn", format!("[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {HOSTILE} 1-0\n"));
    let shown = |output: &Output| {
        let printed = [text(&output.stdout), text(&output.stderr)].concat();
        let hostile = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        assert!(!printed.contains(hostile), "{printed:?}");
        printed
    };
    let traced = shown(&run(&["eval", "--trace", &format!("{pgn}:1"), "--depth", "1"]));
    assert!(traced.contains("\\u{1b}[31m\\u{7}\\u{9b}x"), "{traced}");
    shown(&run(&["eval", "--trace", &format!("{pgn}:1"), "--depth", "1", "--json"]));
    shown(&run(&["agree", "--depth", "1", &broken]));
    shown(&run(&["params", "--tune", HOSTILE]));
    shown(&run(&["plot", &format!("{HOSTILE}.stat")]));
    let fit = words("fit --depth 1 --iterations 1 --min-support 1 --name run --holdout none");
    shown(&run(&[&fit[..], &["--out", &bench.path("out"), &pgn]].concat()));
    shown(&run(&["report", &bench.path("out/run.stat")]));
    let page = fs::read_to_string(bench.path("out/run.html")).unwrap();
    let hostile: Vec<char> = page.chars().filter(|c| c.is_control() && !"\n\t".contains(*c)).collect();
    assert!(page.contains("\\u{1b}") && hostile.is_empty(), "{hostile:?}");
}
