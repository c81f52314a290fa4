//! The screen in a real terminal: keys go in through a pseudo-terminal, and what stands on the screen and on
//! the disk is read back.
#![cfg(unix)]

use std::{fs, path::Path};

use portable_pty::CommandBuilder;
use tempfile::TempDir;
use texam::run::{Files, StoredRun};

use crate::{
    support::{assert_succeeded, fails, files, first_games, texam, words},
    terminal::Session,
};

/// A folder with the first of the shipped games.
fn folder(games: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("games.pgn"), first_games(games)).unwrap();
    folder
}

/// A screen on these games, with the first position searched.
fn open_games(folder: &TempDir, options: &[&str]) -> Session {
    let screen = Session::open(&[&["games.pgn"], options].concat(), folder.path());
    screen.wait_for("rank 0/48");
    screen
}

/// Runs a line in the folder to a good end.
fn succeeds_in(folder: &TempDir, line: &str) {
    let output = texam().args(words(line)).current_dir(folder.path()).output().unwrap();
    assert_succeeded(&output, line);
}

/// The weights that were saved have those that were typed for `n_fwd`.
fn assert_saved(folder: &TempDir) {
    let saved = fs::read_to_string(folder.path().join("mine.par")).unwrap();
    let line = saved.lines().find(|line| line.starts_with("n_fwd ")).unwrap();
    assert_eq!(words(line)[..4], ["n_fwd", "7", "3", "tune"]);
}

const OPTIONS: [&str; 8] = ["--depth", "1", "--iterations", "2", "--name", "demo", "--holdout", "1/5"];

/// Thins the positions of a fit. The screen shows all positions nevertheless.
const THINNED: &[&str] = &["--every", "3"];

#[test]
fn a_session_opens_steps_fits_saves_and_quits() {
    let folder = folder(20);
    let mut screen = open_games(&folder, &[&["--out", "screen"], THINNED, &OPTIONS[..]].concat());
    screen.wait_for("Game 1 of 20");
    screen.wait_for("position 1 of 32");
    screen.press(" ");
    screen.wait_for("board: before the move");
    screen.press("\t");
    screen.wait_for("board: the leaf");
    screen.press("n");
    screen.wait_for("position 2 of");
    screen.press("g7\r");
    screen.wait_for("Game 7 of 20");

    screen.press("Fy");
    screen.wait_for("weights of pass 2");
    screen.wait_for("The run: screen/demo.stat, finished");
    screen.press("q");
    screen.wait_for("Game 7 of 20");

    screen.press("/n_fwd\re");
    screen.wait_for("n_fwd: opening endgame");
    screen.press("\x157 3\r");
    screen.wait_for("not saved");
    screen.press("q");
    screen.wait_for("the weights are not saved");
    screen.press("y");
    screen.wait_for("save weights to: mine.par");
    screen.press("\r");
    screen.ends_with(0);

    assert_saved(&folder);
    succeeds_in(&folder, &format!("fit games.pgn --out command --every 3 {}", OPTIONS.join(" ")));
    let (screen, command) = (files(&folder.path().join("screen")), files(&folder.path().join("command")));
    assert_eq!(
        screen.keys().collect::<Vec<_>>(),
        ["demo-00.par", "demo-01.par", "demo-02.par", "demo.games", "demo.json", "demo.stat"]
    );
    assert_eq!(screen, command);
}

#[test]
fn a_database_opens_like_its_pgn_and_its_fits_leave_the_same_files() {
    let folder = folder(20);
    succeeds_in(&folder, "presearch games.pgn -o games.dbf --depth 2");
    succeeds_in(&folder, &format!("fit games.pgn --out command {}", OPTIONS.join(" ")));
    let mut screen =
        Session::open(&[&["games.dbf", "--out", "screen"], &OPTIONS[..]].concat(), folder.path());
    screen.wait_for("Game 1 of 20");
    screen.press("Fy");
    screen.wait_for("weights of pass 2");
    screen.wait_for("The run: screen/demo.stat, finished");
    screen.press("q");
    screen.wait_for("Game 1 of 20");
    screen.quit("q");
    assert_eq!(files(&folder.path().join("screen")), files(&folder.path().join("command")));
}

#[test]
fn a_run_opens_from_its_stat_with_its_games_and_weights() {
    let folder = folder(20);
    succeeds_in(&folder, &format!("fit games.pgn --out out --every 3 {}", OPTIONS.join(" ")));
    let mut screen = Session::open(&["out/demo.stat"], folder.path());
    screen.wait_for("The run: out/demo.stat, finished");
    screen.wait_for("weights out/demo-02.par");
    screen.press("\x1b[A\r");
    screen.wait_for("weights out/demo-01.par");
    screen.quit("qq");

    let other = fs::read_to_string(folder.path().join("games.pgn")).unwrap().replacen("[Site ", "[Place ", 1);
    fs::write(folder.path().join("games.pgn"), other).unwrap();
    let screen = Session::open(&["out/demo.stat"], folder.path());
    screen.wait_for("warning: games.pgn has other games than the run");
    screen.quit("qq");
    let mut run = StoredRun::open(&folder.path().join("out/demo.stat")).unwrap();
    run.record.header.options.push(("choices".to_string(), "x.txt".to_string()));
    run.record.write(&Files { name: "rows".to_string(), ..run.files }).unwrap();
    let lines = [
        (&["out/demo.stat", "--depth", "2"][..], "a .stat alone"),
        (&["no/such.stat"], "no/such.stat"),
        (&["out/rows.json"], "a run on games"),
    ];
    for (args, part) in lines {
        let mut session = Session::open(args, folder.path());
        session.wait_for("error: ");
        session.wait_for(part);
        let status = session.child.wait().unwrap();
        session.has_ended = true;
        assert_eq!(status.exit_code(), 2, "{args:?}");
    }
}

#[test]
fn a_fit_of_files_that_is_cancelled_leaves_no_name_taken() {
    let folder = folder(60);
    let mut screen = open_games(&folder, &["--out", "out"]);
    screen.press("Fy");
    screen.wait_for("fits: pass 0 of 15");
    // A wait for each answer: two keys at once would be read as one with Alt.
    screen.press("\x1b");
    screen.wait_until("the page of the run to close", |session| !session.contents().contains("The run"));
    screen.press("\x1b");
    screen.wait_for("a fit runs: y cancels it");
    screen.press("y");
    screen.wait_for("the fit is cancelled");
    screen.quit("q");
    assert!(!folder.path().join("out").exists());
}

#[test]
fn quitting_while_a_fit_of_files_runs_leaves_no_empty_file() {
    let folder = folder(60);
    let mut screen = open_games(&folder, &["--out", "out"]);
    screen.press("Fy");
    screen.wait_for("fits: pass 0 of 15");
    screen.press("qq");
    screen.wait_for("a fit runs");
    screen.press("y");
    screen.ends_with(0);
    let out = folder.path().join("out");
    assert!(!out.exists() || files(&out).values().all(|text| !text.is_empty()));
}

#[test]
fn a_terminal_that_goes_away_during_a_fit_ends_the_program_and_finished_passes_stay() {
    let folder = folder(20);
    let options = "--out out --name demo --depth 1 --holdout 1/5 --min-support 5 --iterations 10000";
    let mut screen = open_games(&folder, &words(options));
    screen.press("Fy");
    let out = folder.path().join("out");
    screen
        .wait_until("the first fit", |_| out.join("demo-01.par").exists() && out.join("demo.stat").exists());
    screen.ends_after_hang_up();
    let names: Vec<String> = files(&out).into_keys().collect();
    assert!(names.iter().all(|name| name.starts_with("demo")), "{names:?}");
    let passes = names.iter().filter(|name| name.ends_with(".par")).count();
    succeeds_in(&folder, &format!("fit --resume demo --out out --iterations {}", passes + 1));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_on_the_screen_and_nothing_is_lost() {
    let folder = folder(20);
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink("/dev/full", out.join("demo-00.par")).unwrap();
    let mut screen = open_games(&folder, &[&["--out", "out", "--overwrite"], THINNED, &OPTIONS[..]].concat());
    screen.press("/n_fwd\re");
    screen.wait_for("n_fwd: opening endgame");
    screen.press("\x157 3\r");
    screen.wait_for("not saved");
    screen.press("Fy");
    screen.wait_for("out/demo-00.par: cannot write this file; make room on the disk");
    screen.press("S\x15out/demo-00.par\r");
    screen.wait_for("out/demo-00.par is there already");
    screen.press("y");
    screen.wait_until("the error again", |session| {
        !session.contents().contains("demo-00.par is there already")
    });
    screen.wait_for("out/demo-00.par: cannot write this file");
    fs::remove_file(out.join("demo-00.par")).unwrap();
    screen.press("S\x15mine.par\r");
    screen.wait_for("mine.par");
    screen.wait_until("the weights to be saved", |session| !session.contents().contains("not saved"));
    screen.quit("q");
    assert_saved(&folder);
}

#[test]
fn the_window_can_change_its_size_while_the_screen_is_open() {
    let folder = folder(2);
    let screen = open_games(&folder, &[]);
    for (rows, cols, text) in [
        (24, 80, "page 1 of 4"),
        (20, 60, "page 1 of 8"),
        (10, 40, "texam needs 60 x 20"),
        (50, 200, "fia_hole"),
    ] {
        screen.resize(rows, cols);
        screen.wait_for(text);
    }
    screen.quit("q");
}

#[test]
fn control_c_and_signals_give_the_terminal_back() {
    let folder = folder(2);
    let mut screen = open_games(&folder, &[]);
    screen.press("\x03");
    screen.ends_with(0);
    for (signal, number) in [("TERM", 15), ("HUP", 1), ("INT", 2)] {
        let screen = open_games(&folder, &[]);
        screen.signal(signal);
        screen.ends_with(128 + number);
    }
}

#[test]
fn a_window_that_is_closed_ends_the_program_as_by_a_hang_up_even_without_the_signal() {
    let folder = folder(2);
    let program = shell_words::quote(env!("CARGO_BIN_EXE_texam"));
    let mut ways =
        vec![format!("exec {program} games.pgn"), format!("trap '' HUP; exec {program} games.pgn")];
    if cfg!(target_os = "linux") {
        // In a session of its own the program has no controlling terminal, so that no signal comes.
        ways.push(format!("trap '' HUP; exec setsid -w {program} games.pgn"));
    }
    for way in ways {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", &way]);
        command.cwd(folder.path());
        let screen = Session::run(command);
        screen.wait_for("rank 0/48");
        screen.ends_after_hang_up();
    }
}

#[test]
fn the_screen_reads_games_of_standard_input_and_keys_of_the_terminal() {
    let folder = folder(2);
    let mut command = CommandBuilder::new("sh");
    let program = shell_words::quote(env!("CARGO_BIN_EXE_texam"));
    command.args(["-c", &format!("cat games.pgn | {program} screen -")]);
    command.cwd(folder.path());
    let mut screen = Session::run(command);
    screen.wait_for("Game 1 of 2");
    screen.wait_for("rank 0/48");
    screen.press("n");
    screen.wait_for("position 2 of");
    screen.quit("q");
}

#[test]
fn control_z_gives_the_terminal_back_and_going_on_takes_it_again() {
    let folder = folder(2);
    let mut screen = open_games(&folder, &[]);
    for by_key in [true, false] {
        match by_key {
            true => screen.press("\x1a"),
            false => screen.signal("TSTP"),
        }
        screen.wait_until("the terminal to be given back", |session| !session.is_on_screen());
        screen.wait_until("the program to stop", Session::is_stopped);
        screen.signal("CONT");
        screen.wait_until("the screen to come back", Session::is_on_screen);
        screen.wait_for("Game 1 of 2");
    }
    screen.press("nq");
    screen.ends_with(0);
}

#[test]
fn the_shell_is_left_clean_after_a_stop_another_size_and_the_end() {
    let folder = folder(2);
    let mut command = CommandBuilder::new("sh");
    command.arg("-i");
    command.cwd(folder.path());
    command.env("PS1", "shell> ");
    command.env("ENV", "");
    let mut screen = Session::run(command);
    // Text that is typed before the prompt has come is echoed in front of it.
    let is_back =
        |session: &Session| !session.is_on_screen() && session.contents().trim_end().ends_with("shell>");
    screen.wait_until("the first prompt", is_back);
    screen.press(&format!("{} games.pgn\r", shell_words::quote(env!("CARGO_BIN_EXE_texam"))));
    screen.wait_for("rank 0/48");
    screen.press("\x1a");
    screen.wait_until("the shell to come back", is_back);
    screen.press("echo a$((1 + 1))b\r");
    screen.wait_for("a2b");
    screen.resize(24, 80);
    screen.press("fg\r");
    screen.wait_for("page 1 of 4");
    screen.press("q");
    screen.wait_until("the shell to come back", is_back);
    screen.press("echo c$((1 + 2))d\r");
    screen.wait_for("c3d");
    screen.wait_until("a clean prompt", is_back);
    let parser = screen.parser.lock().unwrap();
    assert!(!parser.screen().hide_cursor() && !parser.screen().bracketed_paste());
    let text = parser.screen().contents();
    drop(parser);
    let after: Vec<&str> = text.lines().skip_while(|line| !line.contains("fg")).collect();
    assert!(
        after.iter().any(|line| line.trim() == "c3d"),
        "typed text is seen, each line from its first column: {text}"
    );
    screen.press("exit\r");
    screen.ends_with(0);
}

#[test]
fn a_locale_without_unicode_has_a_screen_of_ascii() {
    let folder = folder(2);
    let screen = Session::open_with(&["games.pgn"], folder.path(), &[("LC_ALL", "C")]);
    screen.wait_for("rank 0/48");
    assert!(screen.contents().is_ascii(), "{}", screen.contents());
    screen.quit("q");
}

#[test]
fn a_terminal_that_cannot_place_text_is_refused_with_advice() {
    let folder = folder(2);
    let screen = Session::open_with(&["games.pgn"], folder.path(), &[("TERM", "dumb")]);
    screen.wait_for("TERM=dumb");
    screen.wait_for("texam fit");
    screen.ends_with(2);
}

#[test]
fn a_file_is_named_with_the_help_of_tab() {
    let folder = folder(2);
    fs::create_dir(folder.path().join("sets")).unwrap();
    let start = Path::new(env!("CARGO_MANIFEST_DIR")).join("params/start.par");
    fs::copy(start, folder.path().join("sets/first.par")).unwrap();
    let mut screen = open_games(&folder, &[]);
    screen.press("R");
    screen.wait_for("  sets/");
    // The built-in set start begins with an s too.
    screen.press("se\t");
    screen.wait_for("  first.par");
    screen.press("f\t\r");
    screen.wait_for("weights of sets/first.par");
    screen.quit("q");
}

#[test]
fn a_par_that_lacks_a_key_is_restored_with_a_note_and_a_damaged_one_is_refused() {
    let folder = folder(2);
    let start = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("params/start.par")).unwrap();
    let lines: Vec<_> = start.lines().filter(|line| !line.starts_with("pass_sup ")).collect();
    fs::write(folder.path().join("old.par"), lines.join("\n")).unwrap();
    fs::write(folder.path().join("bad.par"), "texam-par 1\nmat_p 128 128 frozen\n").unwrap();
    let mut screen = Session::open(&["games.pgn", "--par", "old.par"], folder.path());
    let note = "old.par: no line for pass_sup; it takes its start weights";
    screen.wait_for(&format!("note: {note}"));
    screen.wait_for("rank 0/48");
    screen.press("Rbad.par\r");
    screen.wait_for("bad.par, line 2: expected");
    screen.press("\x1b");
    screen.wait_until("the prompt to go", |session| !session.contents().contains("restore weights from"));
    screen.wait_for("weights old.par");
    screen.press("Rold.par\r");
    screen.wait_for(&format!("{note}; u takes back the change"));
    screen.quit("q");
}

#[test]
fn the_screen_opens_in_an_empty_folder_with_the_built_in_games() {
    let folder = TempDir::new().unwrap();
    let screen = Session::open(&[], folder.path());
    screen.wait_for("texam  games/gm1988.pgn (built in)  868 games, 31353 positions");
    screen.wait_for("weights built-in start");
    screen.quit("q");
}

#[test]
fn without_a_terminal_the_screen_says_what_it_needs() {
    fails(&["games.pgn"], &["error: expected a terminal"]);
}

/// Tells this program, run once more in a terminal of its own, to open a screen that panics.
const PANICS: &str = "TEXAM_TEST_PANICS";

#[test]
fn a_panic_gives_the_terminal_back_and_is_shown_there() {
    if std::env::var_os(PANICS).is_some() {
        // Without any position, which the screen must not be opened with.
        let _ = texam::screen::run(texam::screen::Opening::default());
        return;
    }
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "screen::a_panic_gives_the_terminal_back_and_is_shown_there", "--nocapture"]);
    command.env(PANICS, "1");
    let screen = Session::run(command);
    screen.wait_for("panicked at");
    screen.ends_with(101);
}

#[test]
fn the_tour_ends_with_the_move_of_fischer_on_top_and_the_shipped_run() {
    let folder = TempDir::new().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_texam"));
    command.cwd(folder.path());
    let mut screen = Session::run_on(command, 24, 80);
    screen.wait_for("i begins a tour");
    for (key, shown) in [
        ("i", "exd5   rank 0/35"),
        (" ", "Tour 2 of 7"),
        ("c", "E0-E1"),
        ("f", "Tour 5 of 7"),
        ("", "cxd5   rank 0/35"),
        ("h", "mean rank -"),
        ("H", "stats/gm1988.stat, finished"),
    ] {
        screen.press(key);
        screen.wait_for(shown);
    }
    screen.press("\x1b");
    screen.wait_until("the end of the tour", |session| !session.contents().contains("Tour"));
    screen.quit("qn");
}

#[test]
fn the_next_sitting_is_offered_the_place_of_the_last_one() {
    let folder = folder(20);
    let state = folder.path().join("state");
    let variables = [("XDG_STATE_HOME", state.to_str().unwrap())];
    let mut screen = Session::open_with(&["games.pgn"], folder.path(), &variables);
    screen.press("g7\rn");
    screen.wait_for("position 2 of");
    screen.quit("q");
    let mut screen = Session::open_with(&["games.pgn"], folder.path(), &variables);
    screen.wait_for("L goes to game 7, where you were last");
    screen.press("L");
    screen.wait_for("Game 7 of 20");
    screen.quit("q");
}

#[test]
fn an_answer_of_the_terminal_is_no_keys_whenever_it_comes_and_a_key_behind_it_counts() {
    let folder = folder(20);
    let mut screen = open_games(&folder, &[]);
    screen.press("\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\n");
    screen.wait_for("position 2 of");
    screen.quit("\x1b]11;rgb:0000/0000/0000\x07\x1b[?62;22cq");
}
