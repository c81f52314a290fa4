//! `texam export`: what it writes where, and how it refuses. What is exported is checked in `tests/export`.

use std::{fs, path::Path};

use crate::support::*;

const PAR: &str = "params/best.par";
const FORMATS: [&str; 4] = ["rust", "c", "json", "csv"];

#[test]
fn a_file_holds_what_standard_output_would() {
    let bench = Bench::new(0);
    for format in FORMATS {
        for more in [&[][..], &["--pawn", "100"]] {
            let line = [&["export", PAR, "--to", format][..], more].concat();
            let printed = succeeds(&line);
            let path = bench.path(&format!("out.{format}"));
            let shown = succeeds(&[&line[..], &["-o", &path, "--overwrite"]].concat());
            let replaced = if more.is_empty() { "" } else { ", in place of an older file" };
            assert_eq!(shown, format!("wrote {path}{replaced}\n"));
            assert_eq!(fs::read_to_string(&path).unwrap(), printed);
        }
    }
    assert_eq!(fs::read_dir(bench.folder.path()).unwrap().count(), 1 + FORMATS.len());
}

#[test]
fn the_source_names_the_weights_and_their_unit() {
    let digest = json(&["export", PAR, "--to", "json"])["source"]["digest"].as_str().unwrap().to_string();
    for format in ["rust", "c"] {
        let exact = succeeds(&["export", PAR, "--to", format]);
        let rounded = succeeds(&["export", PAR, "--to", format, "--pawn", "100"]);
        for text in [&exact, &rounded] {
            assert!(text.contains(&format!("- weights: \"{PAR}\", digest {digest}\n")), "{text}");
            assert!(text.contains("GPL-3.0-or-later"), "{text}");
        }
        assert!(exact.contains("a pawn is 32768; exact, nothing is rounded\n"), "{exact}");
        assert!(rounded.contains("1/100 pawn, rounded: each number is off by at most 0."), "{rounded}");
    }
}

/// The queen of the start: 1216 and 1248 of 128 are 950 and 975 hundredths.
#[test]
fn centipawns_are_the_weights_times_100_over_128() {
    let csv = succeeds(&["export", "params/start.par", "--to", "csv", "--pawn", "100"]);
    let line = csv.lines().find(|line| line.starts_with("mat_q,")).unwrap();
    assert!(line.starts_with("mat_q,,material,scalar,pair,950,975,no,yes,,"), "{line}");
}

#[test]
fn weights_of_a_material_set_leave_bare_values_in_the_tables() {
    let export = json(&["export", "params/material.par", "--to", "json", "--pawn", "128"]);
    for (table, value) in list(&export, "tables").iter().zip([[128, 128], [416, 416], [424, 432], [640, 672]])
    {
        let squares = list(table, "squares");
        assert!(squares[8..56].iter().all(|pair| *pair == serde_json::json!(value)), "{table}");
    }
}

#[test]
fn what_cannot_be_exported_is_said() {
    let bench = Bench::new(0);
    let broken = bench.write("broken.par", fs::read_to_string(PAR).unwrap().replace("b_pair ", "b_pear "));
    fails(&["export", &broken, "--to", "rust"], &["broken.par, line ", "b_pear", "b_pair"]);
    let points = bench.write("points.par", fs::read_to_string(PAR).unwrap() + "ph_q 4 - tune\n");
    fails(&["export", &points, "--to", "c"], &["points of its own", "ph_q"]);
    fails(&["export", PAR], &["--to"]);
    fails(&["export", "--to", "c"], &["FILE.par"]);
    fails(&["export", PAR, "--to", "pascal"], &["one of rust, c, json, csv", "pascal"]);
    for pawn in ["0", "-1", "32769", "1.5", "much"] {
        fails(&["export", PAR, "--to", "c", "--pawn", pawn], &["--pawn", pawn]);
    }
}

#[test]
fn nothing_is_left_where_nothing_can_be_written() {
    let bench = Bench::new(0);
    let old = bench.write("old.rs", "mine");
    let broken = bench.write("broken.par", "texam-par 1\n");
    fails(&["export", &broken, "--to", "rust", "-o", &old, "--overwrite"], &["broken.par"]);
    assert_eq!(fs::read_to_string(&old).unwrap(), "mine");
    let nowhere = bench.path("folder/out.rs");
    fails(&["export", PAR, "--to", "rust", "-o", &nowhere], &["make the folder"]);
    assert!(!Path::new(&nowhere).exists());
    assert_eq!(fs::read_dir(bench.folder.path()).unwrap().count(), 3);
}
