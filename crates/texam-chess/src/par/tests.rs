//! Both directions of the format against each other, the shipped files, and every way to be wrong.

use super::*;
use crate::feature::weights::{MAX_WEIGHT, UNIT};
use crate::feature::{Ends, Key, Mode, Setting, table_signature};
use proptest::prelude::*;

fn start() -> String {
    format(&Weights::start(), &[])
}

/// The start with some tables freed.
fn freed(keys: &[Key]) -> Weights {
    let mut weights = Weights::start();
    for &key in keys {
        weights.free_table(key).unwrap();
    }
    weights
}

/// The weights of a text with a line for every standard key.
#[track_caller]
fn whole(text: &str) -> Weights {
    let par = parse(text).unwrap();
    assert_eq!(par.missing, []);
    par.weights
}

/// The start without the lines of some keys, none of them held as cells.
fn start_without(keys: &[Key]) -> String {
    let is_left_out = |line: &&str| {
        let key = line.split_whitespace().next();
        keys.iter().any(|&left_out| key == Some(left_out.feature().key))
    };
    let text = start();
    let lines: Vec<_> = text.lines().filter(|line| !is_left_out(line)).collect();
    lines.join("\n") + "\n"
}

/// Line number of the first line that starts with these words.
fn line_of(text: &str, words: &str) -> usize {
    let starts = |line: &str| line.split_whitespace().take(words.split(' ').count()).eq(words.split(' '));
    1 + text.lines().position(starts).unwrap()
}

/// The text with one line made into others, or removed.
fn with_line(text: &str, number: usize, change: impl Fn(&str) -> Vec<String>) -> String {
    let lines = text.lines().enumerate();
    let changed =
        lines.flat_map(|(i, line)| if i + 1 == number { change(line) } else { vec![line.to_string()] });
    changed.map(|line| line + "\n").collect()
}

/// Replaces the line that starts with `words` by `by`, and expects an error at that line with these words.
#[track_caller]
fn assert_refused(text: &str, words: &str, by: &str, said: &str) {
    let number = line_of(text, words);
    let error = parse(&with_line(text, number, |_| vec![by.to_string()])).unwrap_err();
    assert_eq!(error.place().line, Some(number), "{error}");
    assert!(error.to_string().contains(said), "{error}");
}

/// A weight within the limit over `scale`: of every size, and often a round one.
fn weight(scale: f64) -> impl Strategy<Value = f64> {
    let largest = MAX_WEIGHT / scale;
    prop_oneof![
        4 => -largest..=largest,
        2 => (-40i32..=40).prop_map(f64::from),
        1 => any::<f64>().prop_map(move |any| if any.abs() <= largest { any } else { 0.0 }),
        1 => prop::sample::select(vec![0.0, -0.0, largest, -largest, f64::MIN_POSITIVE, 5e-324, 1e-5, 9.9e-6]),
    ]
}

fn setting(key: Key) -> impl Strategy<Value = Setting> {
    let feature = key.feature();
    let may_be_free = feature.layout.is_table() || key.is_optional();
    let free = may_be_free.then_some(()).map_or(Just(false).boxed(), |()| any::<bool>().boxed());
    free.prop_flat_map(move |free| {
        let (mode, entries) = match (feature.layout.is_table(), free) {
            (_, false) if key.is_optional() => (Mode::Off, 0),
            (false, _) => (Mode::Scalar, 1),
            (true, false) => (Mode::Gradient, 1),
            (true, true) => (Mode::Cells, feature.layout.cells()),
        };
        let steepest = feature.shape.iter().flat_map(|side| side.iter()).map(|s| s.abs()).max().unwrap();
        let scale = if mode == Mode::Gradient { f64::from(steepest) } else { 1.0 };
        let entry = (weight(scale), weight(scale), any::<bool>());
        prop::collection::vec(entry, entries).prop_map(move |entries| {
            let open: Vec<f64> = entries.iter().map(|entry| entry.0).collect();
            let end = match feature.ends {
                Ends::Pair => entries.iter().map(|entry| entry.1).collect(),
                Ends::Single => open.clone(),
                Ends::OpeningOnly => vec![0.0; open.len()],
            };
            Setting { mode, open, end, tune: entries.iter().map(|entry| entry.2).collect() }
        })
    })
}

prop_compose! {
    fn weights()(settings in Key::ALL.iter().map(|&key| setting(key)).collect::<Vec<_>>()) -> Weights {
        let mut weights = Weights::start();
        for (&key, setting) in Key::ALL.iter().zip(settings).filter(|(key, _)| **key != UNIT) {
            *weights.setting_mut(key) = setting;
        }
        weights
    }
}

/// All numbers, to the bit.
fn bits(weights: &Weights) -> Vec<u64> {
    let settings = Key::ALL.iter().map(|&key| weights.setting(key));
    settings.flat_map(|s| s.open.iter().chain(&s.end)).map(|number| number.to_bits()).collect()
}

#[test]
fn optional_tables_are_written_when_they_are_on_and_may_be_missing() {
    let start = format(&Weights::start(), &[]);
    assert!(!start.contains("pst") && !start.contains("# 9 squares"));
    let mut weights = Weights::start();
    weights.free_table(Key::PstR).unwrap();
    weights.free_table(Key::Pst64K).unwrap();
    weights.setting_mut(Key::Pst64K).end[4 * 8 + 3] = 7.25;
    let text = format(&weights, &[]);
    assert_eq!(whole(&text), weights);
    let board: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("pst64_k")).take(21).collect();
    assert_eq!(board[1].split_whitespace().collect::<Vec<_>>().join(" "), "open a b c d e f g h");
    assert!(board[10].trim_start().starts_with("end"));
    assert_eq!(board[15].split_whitespace().nth(5), Some("7.25"), "{board:#?}");
}

#[test]
fn an_optional_table_has_no_gradient() {
    let text = format(&Weights::start(), &[]) + "pst_n gradient 1 1 tune\n";
    let message = parse(&text).unwrap_err().to_string();
    assert!(message.contains("\"cells\" after pst_n"), "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_weights_come_back_to_the_bit(weights in weights(), remark in "[^\u{0}]{0,60}") {
        weights.validate().unwrap();
        let text = format(&weights, &[remark]);
        let back = whole(&text);
        prop_assert_eq!(bits(&back), bits(&weights));
        prop_assert_eq!(back, weights);
    }

    #[test]
    fn mangled_text_is_read_or_refused_with_a_line(at in any::<prop::sample::Index>(), by in "\\PC{0,9}|[ \n#-]") {
        let text = format(&freed(&[Key::PAdv, Key::Sh, Key::Pass]), &[]);
        let at = at.index(text.len());
        let mangled = [&text[..at], &by, &text[at + 1..]].concat();
        if let Err(error) = parse(&mangled) {
            prop_assert!(error.place().line.is_some(), "{error}");
        }
    }
}

#[test]
fn a_line_left_out_is_a_missing_key_or_an_error() {
    let text = format(&freed(&[Key::PAdv, Key::Sh, Key::Pass]), &[]);
    for (index, line) in text.lines().enumerate() {
        let words: Vec<_> = line.split_whitespace().collect();
        let rest = parse(&with_line(&text, index + 1, |_| vec![]));
        match words.first().copied() {
            None => assert_eq!(rest.unwrap().missing, []),
            Some(word) if word.starts_with('#') => assert_eq!(rest.unwrap().missing, []),
            Some(word) => match Key::from_name(word) {
                // The rows of the table would be left over.
                Some(_) if words[1] == CELLS => assert!(rest.is_err(), "{line}"),
                Some(key) => assert_eq!(rest.unwrap().missing, [key]),
                None => assert!(rest.is_err(), "{line}"),
            },
        }
    }
}

#[test]
fn a_text_cut_short_lacks_the_keys_of_its_end_and_is_refused_within_a_table() {
    let text = format(&freed(&[Key::PAdv]), &[]);
    let first = line_of(&text, "p_adv");
    let table = first..first + 3 * 7;
    for kept in 2..text.lines().count() - 1 {
        let cut: String = text.split_inclusive('\n').take(kept).collect();
        match parse(&cut) {
            Ok(par) => {
                assert!(!table.contains(&kept), "{cut}");
                assert_eq!(par.missing.last(), Key::standard().last());
            }
            Err(error) => {
                assert!(table.contains(&kept), "{error}");
                assert_eq!(error.place().line, Some(kept), "{error}");
            }
        }
    }
}

/// The files that are made from the feature table.
const MADE: [&str; 2] = ["start.par", "material.par"];

fn built_in_text(name: &str) -> String {
    shipped::built_in(&Path::new("params").join(name)).unwrap()
}

#[test]
fn every_file_of_params_is_a_built_in_set_and_has_a_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../params");
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".par")?.to_string())).collect();
    let mut sets = SETS.map(|set| set.name);
    names.sort();
    sets.sort();
    assert_eq!(names, sets);
    for set in SETS {
        assert!(read(set.name).unwrap() == read(set.path()).unwrap());
        assert_eq!(path_of(path_of(set.name)), set.path());
    }
}

#[test]
fn a_word_that_is_no_set_is_an_error_that_names_a_near_one_and_how_to_list_them() {
    for (word, near) in
        [("bset", "best"), ("larg", "large"), ("gm1989.par", "gm1988"), ("tables.par", "tables")]
    {
        let error = read(word).unwrap_err().to_string();
        assert!(error.contains(&format!("did you mean \"{near}\"? the built-in sets are start")), "{error}");
    }
    let error = read("nothing-like-it").unwrap_err().to_string();
    assert!(!error.contains("did you mean") && error.contains("the built-in sets are"), "{error}");
    let error = read("folder/bset.par").unwrap_err().to_string();
    assert!(error.contains("folder/bset.par: cannot read this file; check the name"), "{error}");
    assert_eq!(path_of("./best"), Path::new("./best"), "a path, not a name");
}

#[test]
fn the_shipped_files_are_what_the_code_gives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../params");
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        for name in MADE {
            file::write_whole(folder.join(name), built_in_text(name).as_bytes()).unwrap();
        }
    }
    let files = MADE.map(|name| {
        let file = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(
            built_in_text(name) == file,
            "params/{name} is another text; INSTA_UPDATE=always writes it anew"
        );
        file
    });
    assert_eq!(whole(&files[0]), Weights::start());
    assert_eq!(whole(&files[1]), Weights::material_only());
    // Weights of another table of features are recognised by the signature of the shipped files.
    let signature = format!("\n{SIGNATURE} {}\n", table_signature());
    assert!(files.iter().all(|file| file.contains(&signature)));
}

/// A written text as the table of features of `file` would give it: with the signature of `file`, and without
/// the keys that it does not know.
fn for_table_of(file: &str, written: &str, missing: &[Key]) -> String {
    let is_signature = |line: &&str| line.starts_with(SIGNATURE);
    let signature = file.lines().find(is_signature).unwrap();
    let is_unknown = |line: &&str| {
        let word = line.split_whitespace().next();
        missing.iter().any(|key| word == Some(key.feature().key))
    };
    let lines = written.lines().filter(|line| !is_unknown(line));
    lines.map(|line| format!("{}\n", if is_signature(&line) { signature } else { line })).collect()
}

#[test]
fn every_shipped_set_is_read_and_printed_to_the_same_bytes() {
    let sets = ["params", "stats"].map(|folder| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|end| end == "par")).collect::<Vec<_>>()
    });
    assert!(sets[0].iter().any(|path| path.ends_with("best.par")), "{sets:?}");
    assert!(sets[1].iter().any(|path| path.ends_with("gm1988-00.par")), "{sets:?}");
    for path in sets.into_iter().flatten() {
        let text = std::fs::read_to_string(&path).unwrap();
        let remarks = text.lines().map_while(|line| line.strip_prefix("# ")).map(str::to_owned);
        let remarks: Vec<_> = remarks.collect();
        let par = parse(&text).unwrap();
        let expected = for_table_of(&text, &format(&par.weights, &remarks), &par.missing);
        assert_eq!(expected, text, "{}", path.display());
        let is_current = text.lines().any(|line| line == format!("{SIGNATURE} {}", table_signature()));
        assert!(!is_current || read(&path).unwrap().note(&path).is_none(), "{}", path.display());
    }
}

#[test]
fn the_samples_of_the_documentation_are_what_the_code_gives() {
    let mut weights = freed(&[Key::PAdv, Key::Pass]);
    weights.setting_mut(Key::NFwd).open[0] = 2.5;
    let text = format(&weights, &[]);
    let docs = include_str!("../../../../docs/FORMATS.md");
    let samples: Vec<&str> =
        docs.split("```par\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(samples.len() >= 2);
    for sample in samples {
        let mut rest = &*text;
        for part in sample.split("...\n") {
            let at = rest.find(part).unwrap_or_else(|| panic!("not in this order: {part}"));
            rest = &rest[at + part.len()..];
        }
    }
    // The signature depends on the table of features, so the documentation shows an example.
    let signature = docs.lines().find_map(|line| line.strip_prefix("features ")).unwrap();
    assert_eq!(signature.len(), table_signature().len());
    assert!(signature.chars().all(|c| c.is_ascii_hexdigit()));
}

#[test]
fn no_line_ends_in_a_blank_and_fitted_sets_differ_only_where_their_weights_do() {
    let mut one = freed(&[Key::PAdv, Key::Sh, Key::Pass]);
    one.setting_mut(Key::NFwd).open[0] = 1.0 / 3.0;
    let mut two = one.clone();
    two.setting_mut(Key::NRim).open[0] = -200.0 / 3.0;
    let [one, two] = [&one, &two].map(|weights| format(weights, &[]));
    assert!(one.lines().all(|line| line == line.trim_end()));
    let differing: Vec<_> = one.lines().zip(two.lines()).filter(|(a, b)| a != b).collect();
    assert_eq!(differing.len(), 1, "{differing:?}");
}

#[test]
fn other_line_ends_a_byte_order_mark_blanks_and_another_order_of_keys_do_no_harm() {
    let windows = format!("\u{feff}{}", start().replace('\n', "  \t\r\n"));
    assert_eq!(whole(&windows), Weights::start());
    let text = start();
    let mut lines: Vec<_> = text.lines().collect();
    lines[2..].reverse();
    assert_eq!(whole(&lines.join("\n")), Weights::start());
}

#[test]
fn remarks_of_several_lines_are_comments() {
    let text = format(&Weights::start(), &["one\nmat_p 1\r\n".to_string(), "two".to_string()]);
    assert!(text.starts_with("# one\n# mat_p 1\n# two\ntexam-par 1\n"), "{text}");
    assert_eq!(whole(&text), Weights::start());
}

#[test]
fn an_empty_text_or_another_kind_of_file_is_refused() {
    for text in ["", "\n\n", "# only a remark"] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains("expected \"texam-par 1\" as first line, but found the end"), "{error}");
    }
    let error = parse("[Event \"Interzonal\"]\n").unwrap_err().to_string();
    assert_eq!(
        error,
        "line 1: expected \"texam-par 1\" as first line, but found \"[Event \\\"Interzonal\\\"]\"; is this a .par file?"
    );
}

#[test]
fn another_version_or_a_header_without_a_signature_is_refused() {
    assert_refused(&start(), "texam-par 1", "texam-par 2", "another version of the program");
    let signature = format!("features {}", table_signature());
    for line in [
        "mat_p 128 128 frozen",
        "features",
        "features 01234567 89abcdef",
        "features 01234",
        "features 0123456789abcdeg",
    ] {
        assert_refused(&start(), &signature, line, &format!("{signature}\" as second line, but found"));
        assert_refused(&start(), &signature, line, "add this line");
    }
}

#[test]
fn a_file_of_another_feature_table_is_read_by_key() {
    let other = |text: &str| text.replacen(&table_signature(), "0123456789abcdef", 1);
    let mut weights = freed(&[Key::PAdv, Key::PstN]);
    weights.setting_mut(Key::NFwd).open[0] = -0.1;
    assert_eq!(whole(&other(&format(&weights, &[]))), weights);
    let par = parse(&other(&start_without(&[Key::PassSup]))).unwrap();
    let note = "a.par: it was written for other features (signature 0123456789abcdef), so its values may differ; \
                no line for pass_sup; it takes its start weights";
    assert_eq!(par.note("a.par").unwrap(), note);
    assert_eq!((par.weights, par.missing), (Weights::start(), vec![Key::PassSup]));
    let number = line_of(&start(), "n_fwd");
    let unknown = with_line(&other(&start()), number, |line| vec![line.replace("n_fwd", "n_fwt")]);
    let error = parse(&unknown).unwrap_err();
    assert_eq!(error.place().line, Some(number));
    assert!(error.to_string().contains("found \"n_fwt\"; did you mean \"n_fwd\"?"), "{error}");
}

#[test]
fn a_second_line_for_a_key_is_refused_with_that_of_the_first() {
    let first = line_of(&start(), "n_cen");
    let said = format!("a second \"n_cen\" after that of line {first}; remove one");
    assert_refused(&start(), "n_fwd", "n_cen gradient 5 4 tune", &said);
}

#[test]
fn missing_keys_take_their_start_weights_and_flags_and_are_named() {
    let one = parse(&start_without(&[Key::NFwd])).unwrap();
    assert_eq!((&one.weights, &one.missing), (&Weights::start(), &vec![Key::NFwd]));
    assert_eq!(one.note("a/b.par").unwrap(), "a/b.par: no line for n_fwd; it takes its start weights");
    // A frozen key, a table and a scalar.
    let missing = [Key::Tempo, Key::NCen, Key::PassSup];
    let rest = start_without(&missing);
    let changed = with_line(&rest, line_of(&rest, "n_fwd"), |_| vec!["n_fwd 7 1 tune".to_string()]);
    let several = parse(&changed).unwrap();
    let mut expected = Weights::start();
    expected.setting_mut(Key::NFwd).open[0] = 7.0;
    assert_eq!((&several.weights, &several.missing[..]), (&expected, &missing[..]));
    let note = "b.par: no line for tempo, n_cen, pass_sup; they take their start weights";
    assert_eq!(several.note("b.par").unwrap(), note);
    let header: String = start().split_inclusive('\n').take(2).collect();
    let none = parse(&header).unwrap();
    assert_eq!((&none.weights, &none.missing[..]), (&Weights::start(), Key::standard()));
}

#[test]
fn optional_tables_that_are_missing_stay_off_without_a_note() {
    let par = parse(&start()).unwrap();
    assert!(Key::ALL.iter().filter(|key| key.is_optional()).all(|&key| !par.weights.is_on(key)));
    assert_eq!((par.note("a.par"), par.missing), (None, vec![]));
}

#[test]
fn a_line_that_is_wrong_is_refused_with_what_was_expected() {
    let names = "expected 3 columns after n_fwd (opening weight, endgame weight, tune or frozen), but found";
    for (key, line, said) in [
        ("n_fwd", "n_fwt 2 1 tune", "found \"n_fwt\"; did you mean \"n_fwd\"?"),
        ("n_fwd", "castling 2 1 tune", "found \"castling\""),
        ("n_fwd", "n_fwd 2 tune", &format!("{names} 2: \"2 tune\"")),
        ("n_fwd", "n_fwd 2 1 0 tune", &format!("{names} 4")),
        ("n_fwd", "n_fwd", &format!("{names} 0")),
        ("n_fwd", "n_fwd 2 1 yes", "expected \"tune\" or \"frozen\", but found \"yes\""),
        ("n_fwd", "n_fwd gradient 2 1 tune", "n_fwd has no table, but found \"gradient\""),
        ("n_cen", "n_cen gradient 5", "expected 3 columns after gradient"),
        ("n_cen", "n_cen 5 4 tune", "\"gradient\" or \"cells\" after n_cen, which has a table"),
        ("n_cen", "n_cen", "\"gradient\" or \"cells\" after n_cen"),
        ("n_cen", "n_cen cells 5", "expected 0 columns after cells"),
        ("trade_pc", "trade_pc 6 6 tune", "one weight for both phases, but found \"6\"; write -"),
        ("sh_ctr", "sh_ctr -20 1 tune", "counts in the opening only, but found \"1\"; write 0"),
        ("sh_ctr", "sh_ctr -20 - tune", "write 0"),
        ("mat_p", "mat_p 100 128 frozen", "128, 128, frozen for mat_p"),
        ("mat_p", "mat_p 128 128 tune", "the unit of all weights"),
    ] {
        assert_refused(&start(), key, line, said);
    }
    let next = line_of(&start(), "n_fwd");
    let error = parse(&with_line(&start(), next - 1, |_| vec!["n_cen cells".to_string()])).unwrap_err();
    assert_eq!(error.place().line, Some(next));
    assert!(error.to_string().contains("the row \"open\" of n_cen, but found \"n_fwd\""), "{error}");
}

#[test]
fn what_is_no_weight_is_refused() {
    for word in ["NaN", "inf", "-inf", "1e999", "9000", "-8193", "1,5", "x", "-"] {
        let said = format!("expected a number from -8192 to 8192 as opening weight, but found \"{word}\"");
        assert_refused(&start(), "n_fwd", &format!("n_fwd {word} 1 tune"), &said);
    }
    assert_refused(&start(), "n_fwd", "n_fwd 1 - tune", "as endgame weight");
    assert_refused(&start(), "pass", "pass gradient 100 1 tune", "weights of pass[r7] between");
    let long = "9".repeat(1000);
    assert_refused(&start(), "n_fwd", &format!("n_fwd {long} 1 tune"), "9999\"..");
}

#[test]
fn rows_and_columns_of_a_table_are_refused_where_they_are_wrong() {
    let text = format(&freed(&[Key::PAdv, Key::Pass]), &[]);
    for (words, line, said) in [
        ("open ah", "open bg ah cf de", "the columns ah bg cf de of p_adv, but found \"bg ah cf de\""),
        ("r7", "r7 1 2 3", "expected 4 columns after r7, but found 3: \"1 2 3\""),
        ("r6", "r6 1 2 3 4 5", "expected 4 columns after r6, but found 5"),
        ("r6", "r5 1 2 3 4", "the row \"r6\" of p_adv, but found \"r5\"; keep all rows"),
        ("r6", "r6 1 2 x 4", "as opening weight, but found \"x\""),
        ("end ah", "tune ah bg cf de", "the row \"end\" of p_adv"),
        ("r2 frozen", "r2 frozen tune tune no", "found \"no\""),
        ("r7 90", "r7 90 tune", "expected 3 columns after r7"),
    ] {
        assert_refused(&text, words, line, said);
    }
}

#[test]
fn files_are_written_and_read_and_their_errors_name_them() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("a.par");
    let weights = freed(&[Key::KCen]);
    write(&path, &weights, &["by hand".to_string()]).unwrap();
    assert_eq!(read(&path).unwrap(), Par { weights, missing: vec![], other_table: None });
    file::write_whole(&path, b"texam-par 1\nmat_p 128 128 frozen\n").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("a.par, line 2: expected \"features "), "{error}");
}

#[test]
fn weights_that_could_not_be_read_again_are_not_written() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("a.par");
    let mut weights = Weights::start();
    weights.setting_mut(Key::NFwd).end[0] = f64::NAN;
    let error = write(&path, &weights, &[]).unwrap_err().to_string();
    assert!(error.contains("a.par: expected weights of n_fwd"), "{error}");
    assert!(!path.exists());
}

#[test]
fn a_number_wider_than_its_column_stays_apart_from_the_one_before_it() {
    let mut weights = Weights::start();
    weights.free_table(Key::Pass).unwrap();
    for key in [Key::PcAttp, Key::NCen, Key::Pass] {
        let setting = weights.setting_mut(key);
        setting.open.fill(-1e-300);
        setting.end.fill(-1.25e-300);
    }
    assert_eq!(parse(&format(&weights, &[])).unwrap().weights, weights);
}
