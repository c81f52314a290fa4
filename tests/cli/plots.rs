//! `texam plot`: pictures and text of runs and weights.

use std::fs;

use crate::support::*;

const RUN: &str = "stats/gm1988.stat";

/// The data of the same run.
const DATA: &str = "stats/gm1988.json";
const WEIGHTS: &str = "params/best.par";

/// Draws into the folder of a test; the bytes of the picture.
fn drawn(bench: &Bench, line: &str, name: &str) -> Vec<u8> {
    let path = bench.path(name);
    let mut args = words(line);
    args.extend(["-o", &path, "--overwrite"]);
    let replaced = if fs::exists(&path).unwrap() { ", in place of an older file" } else { "" };
    assert_eq!(succeeds(&args), format!("wrote {path}{replaced}\n"), "{line}");
    fs::read(path).unwrap()
}

fn svg(bench: &Bench, line: &str) -> String {
    let svg = text(&drawn(bench, line, "picture.svg")).to_string();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{line}");
    assert_eq!(svg.matches("<svg ").count(), svg.matches("</svg>").count(), "{line}");
    svg
}

/// Text of the picture that is text.
fn has_text(svg: &str, text: &str) -> bool {
    svg.contains(&format!(">{text}</text>"))
}

#[test]
fn a_run_is_drawn_with_all_that_it_tells() {
    let bench = Bench::new(0);
    let svg = svg(&bench, &format!("plot {RUN}"));
    for title in [
        "gm1988",
        "Agreement with the winners",
        "Mean rank of the played move",
        "Spread of the values",
        "Size of the misses",
        "Moves ahead of the played one",
        "Errors of positions in bound",
        "Forces",
        "linear 512 (run)",
        "Weights that moved the values most, clear changes first",
        "trade_pc: −15.5 ± 2.1",
        "best: 7",
    ] {
        assert!(has_text(&svg, title), "no {title:?}");
    }
    // 12 weights at 16 passes, whose weights stand beside the run, 2 curves of 2 sets and 2 of one.
    assert_eq!(svg.matches("<circle").count(), 12 * 16 + 2 * 2 * 16 + 2 * 16);
}

#[test]
fn a_run_without_its_weights_is_drawn_from_its_story() {
    let bench = Bench::new(0);
    let alone = bench.write("alone.json", fs::read(DATA).unwrap());
    let svg = svg(&bench, &format!("plot {alone} --panel trends"));
    // The start, the quarters of 15 passes, one of which is the best, and the end.
    assert_eq!(svg.matches("<circle").count(), 12 * 5);
    fails(&words(&format!("plot {alone} --panel heat")), &["alone-07.par", "the weights of pass 7"]);
}

#[test]
fn weights_beside_a_run_that_are_not_its_own_are_left_out_with_a_warning() {
    let bench = Bench::new(0);
    let story = bench.write("run.json", fs::read(DATA).unwrap());
    for (par, part) in [("texam-par 1\nmat_p 128 128 frozen\n", "line 2"), ("", "run-00.par")] {
        let start = if par.is_empty() { fs::read_to_string(WEIGHTS).unwrap() } else { par.to_string() };
        bench.write("run-00.par", start);
        let output = run(&["plot", &story, "--panel", "trends"]);
        assert_eq!(output.status.code(), Some(1));
        let warning = text(&output.stderr);
        assert!(
            warning.starts_with("warning: drawn without weights: ") && warning.contains(part),
            "{warning}"
        );
        assert!(text(&output.stdout).contains("k_moved.o"), "{}", text(&output.stdout));
    }
}

#[test]
fn weights_are_drawn_beside_the_start_or_beside_others() {
    let bench = Bench::new(0);
    let beside_start = svg(&bench, &format!("plot {WEIGHTS} --table p_adv,pass"));
    for title in [
        "best",
        "beside start; tables: p_adv, pass",
        "opening, start",
        "opening, best",
        "endgame, change",
        "passed pawns by rank",
    ] {
        assert!(has_text(&beside_start, title), "no {title:?}");
    }
    let beside_other = svg(&bench, &format!("plot {WEIGHTS} --table p_adv --against params/gm1988.par"));
    assert!(has_text(&beside_other, "opening, gm1988") && !has_text(&beside_other, "opening, start"));
    assert!(!has_text(&beside_other, "passed pawns by rank"));
    let all = svg(&bench, &format!("plot {WEIGHTS}"));
    for key in [
        "p_adv", "n_cen", "b_cen", "k_cen", "dbl", "iso", "back", "duo", "cand", "pass", "r_open", "sh",
        "storm",
    ] {
        assert!(has_text(&all, key), "no {key}");
    }
    assert!(!all.contains(">pst"), "tables that are off");
}

#[test]
fn a_table_of_all_squares_is_drawn_once_it_is_on() {
    let bench = Bench::new(0);
    let on = bench.path("on.par");
    succeeds(&["params", "--tune", "table:pst64_q", "-o", &on]);
    let svg = svg(&bench, &format!("plot {on} --table pst64_q --panel heat"));
    assert!(has_text(&svg, "square of each queen by file and rank, left and right apart"));
    // Three boards of 64 cells, all 0, for each end of the game, and the middle of the scale.
    assert_eq!(svg.matches(">0.0</text>").count(), 6 * 64 + 1);
}

#[test]
fn cells_that_the_last_fit_kept_are_marked_with_what_that_means() {
    let bench = Bench::new(20);
    let fit = bench.fit("out", "--tune table:k_cen,table:pass --iterations 1 --name run --force constant");
    run(&fit);
    let (few, untuned) = ("kept by the last fit: too few positions", "kept by the last fit: not tuned");
    for file in ["out/run.stat", "out/run-01.par"] {
        let svg = svg(&bench, &format!("plot {} --panel heat --table k_cen", bench.path(file)));
        assert!(has_text(&svg, few) && has_text(&svg, untuned), "{file}");
    }
    let shown = succeeds(&["plot", &bench.path("out/run.stat"), "--panel", "heat,list"]);
    assert!(shown.contains("* kept by the last fit: too few positions\n"), "{shown}");
    let titles: Vec<_> = shown.lines().filter(|line| ["k_cen", "pass", "p_adv"].contains(line)).collect();
    assert_eq!(titles, ["k_cen", "pass"], "only what was free");
    // Without the story nobody knows what was kept.
    fs::remove_file(bench.path("out/run.json")).unwrap();
    let alone = svg(&bench, &format!("plot {} --table k_cen", bench.path("out/run-01.par")));
    assert!(!alone.contains("kept by"));
}

#[cfg(not(feature = "png"))]
#[test]
fn without_the_feature_a_png_is_refused_with_a_remedy() {
    let bench = Bench::new(0);
    fails(&["plot", RUN, "-o", &bench.path("a.png")], &["draw an .svg", "--features png"]);
    assert!(!bench.folder.path().join("a.png").exists());
}

#[test]
fn without_an_output_a_run_is_printed() {
    insta::assert_snapshot!(succeeds(&["plot", RUN, "--panel", "agreement,misses,trends"]));
}

#[test]
fn text_has_as_many_columns_as_asked_for_and_colours_only_where_these_are_wanted() {
    let args = ["plot", WEIGHTS, "--table", "k_cen"];
    let widest = |width: Option<&str>, columns: usize| {
        let shown = succeeds(&[&args[..], &width.map_or(vec![], |width| vec!["--width", width])].concat());
        let widest = shown.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns && !shown.contains('\x1b'), "{widest} of {columns}");
        widest
    };
    let [narrow, plain, wide] =
        [(Some("60"), 60), (None, 100), (Some("130"), 130)].map(|(width, columns)| widest(width, columns));
    assert!(narrow < plain && plain < wide, "{narrow}, {plain}, {wide}");
    let coloured = |no_color: &str| {
        let output =
            texam().args(args).env("CLICOLOR_FORCE", "1").env("NO_COLOR", no_color).output().unwrap();
        text(&output.stdout).contains("\x1b[0;38;5;")
    };
    assert!(coloured("") && !coloured("1"));
}

#[test]
fn what_cannot_be_drawn_is_an_error_and_leaves_no_file() {
    let bench = Bench::new(0);
    let out = bench.path("out.svg");
    let damaged = bench.write("damaged.json", fs::read_to_string(DATA).unwrap().replacen("868", "869", 1));
    let alone = bench.write("alone.stat", "");
    let bad = bench.write("bad.par", "texam-par 1\n");
    let other = bench.write("games.pgn", "");
    for (line, parts) in [
        (
            format!("plot {damaged} -o {out}"),
            &["damaged.json: expected the data of a run", "cut off or changed"][..],
        ),
        (
            format!("plot {alone} -o {out}"),
            &["alone.json: expected the data of the run", "only", "alone.stat"],
        ),
        (format!("plot {bad} -o {out}"), &["bad.par, line "]),
        (format!("plot {other} -o {out}"), &["games.pgn: expected a file that ends in .stat or .par"]),
        (format!("plot {WEIGHTS} --against {bad} -o {out}"), &["bad.par, line "]),
        (format!("plot {WEIGHTS} --panel agreement -o {out}"), &["something to draw as agreement"]),
        (format!("plot {RUN} --panel agrement -o {out}"), &["one of agreement, rank"]),
        (format!("plot {WEIGHTS} --table n_cem -o {out}"), &["did you mean \"n_cen\""]),
        (format!("plot {WEIGHTS} --table mat_q -o {out}"), &["a feature with a table", "mat_q"]),
        (format!("plot {WEIGHTS} --table pst64_n -o {out}"), &["a table that counts", "pst64_n", "is off"]),
        (format!("plot {WEIGHTS} --width 100 -o {out}"), &["--width from 280 to 4000"]),
        (format!("plot {WEIGHTS} --width 20"), &["--width of at least 60"]),
        (format!("plot {WEIGHTS} --width 0"), &["--width"]),
        (format!("plot {WEIGHTS} --dark"), &["--output"]),
    ] {
        fails(&words(&line), parts);
    }
    for name in ["out.jpg", "out", "out.svg.gz"] {
        fails(&["plot", RUN, "-o", &bench.path(name)], &[name, "a picture that ends in .svg or .png"]);
    }
    assert_eq!(bench.names("."), ["alone.stat", "bad.par", "damaged.json", "games.pgn"]);
}

#[test]
fn a_picture_that_cannot_be_written_leaves_the_old_one() {
    let bench = Bench::new(0);
    let old = bench.write("old.svg", "old");
    fails(&["plot", "no/such.stat", "-o", &old, "--overwrite"], &["no/such.stat"]);
    fails(&["plot", RUN, "-o", &bench.path("no/such/folder.svg")], &["make the folder"]);
    fails(&["plot", RUN, "-o", &bench.path("")], &["a picture that ends in"]);
    assert_eq!(fs::read(old).unwrap(), b"old");
}

#[test]
fn a_run_of_one_pass_is_drawn_too() {
    let bench = Bench::new(10);
    run(&bench.fit("out", "--iterations 0 --name run --holdout none"));
    let svg = svg(&bench, &format!("plot {}", bench.path("out/run.stat")));
    assert!(!has_text(&svg, "best: 0") && has_text(&svg, "pass 0: start, last"));
    assert!(!has_text(&svg, "Weights that changed most"));
    succeeds(&["plot", &bench.path("out/run.stat")]);
}

/// The pictures of a page that its commands draw: each is compared with the file.
fn drawn_pictures(page: &str) -> Vec<String> {
    let bench = Bench::new(0);
    let mut pictures: Vec<String> = Vec::new();
    let is_drawn = |line: &&str| line.starts_with("texam ") && line.contains(" -o docs/");
    for line in page.lines().filter(is_drawn) {
        let (command, picture) = line.split_once(" -o ").unwrap();
        let picture = picture.strip_suffix(" --overwrite").unwrap();
        let committed = fs::read(picture).unwrap();
        let same = drawn(&bench, command.strip_prefix("texam ").unwrap(), "picture.svg") == committed;
        assert!(same, "{picture} is not what this draws; run it again, and look: {line}");
        assert!(committed.len() < 150_000, "{picture} has {} bytes", committed.len());
        pictures.push(picture.strip_prefix("docs/").unwrap().to_string());
    }
    for picture in &pictures {
        assert!(page.contains(&format!("]({picture})")), "{picture} is not shown");
    }
    pictures
}

#[test]
fn the_pictures_of_the_documentation_are_what_their_commands_draw() {
    let page = fs::read_to_string("docs/PLOTS.md").unwrap();
    assert!(drawn_pictures(&page).len() > 4);
}

#[test]
fn every_picture_of_the_documentation_is_shown_on_a_page() {
    let folders = [".", "docs", "docs/lessons", "docs/teachers"];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(Result::unwrap);
    let is_page = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "md");
    let paths = entries.map(|entry| entry.path()).filter(is_page);
    let pages: String = paths.map(|path| fs::read_to_string(path).unwrap()).collect();
    let entries = fs::read_dir("docs/pictures").unwrap().map(Result::unwrap);
    let is_picture = |entry: &fs::DirEntry| entry.path().extension().is_some_and(|end| end != "txt");
    for entry in entries.filter(is_picture) {
        let name = entry.file_name().into_string().unwrap();
        assert!(pages.contains(&format!("pictures/{name})")), "no page shows docs/pictures/{name}");
    }
}
