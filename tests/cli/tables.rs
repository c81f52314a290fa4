//! Weights of another program after a fit: `texam diff` and `texam export` of `.csv`.

use std::fs;

use crate::support::*;

const NAMES: [&str; 5] = ["knight.o", "knight.e", "rank[0]", "rank[1]", "tempo"];

/// A run on rows of five weights, of which the last is not tuned; the prefix of its files.
fn fitted(bench: &Bench) -> String {
    let mut choices = String::from("# texam-choices 1\n");
    for choice in 1..=40 {
        // Three choices of four have the better move in the same columns, so that the optimum is finite.
        let [better, worse] = if choice % 4 == 0 { [0, 1] } else { [1, 0] };
        let column = 1 + choice % 4;
        let second = column + 1;
        choices += &format!("{better} qid:{choice} {column}:1 {second}:0.5\n");
        choices += &format!("{worse} qid:{choice} {second}:{}\n", 1 + choice % 3);
    }
    let values = NAMES.map(|name| format!("{name},10,{}\n", name != "tempo"));
    let rows = bench.write("rows.txt", choices);
    let weights = bench.write("weights.csv", format!("name,value,tune\n{}", values.concat()));
    let line = format!(
        "fit --choices {rows} --weights {weights} --objective softmax --min-support 1 --holdout none"
    );
    let out = format!("--groups 3 --name run --out {}", bench.path("out"));
    succeeds(&words(&format!("{line} {out}")));
    bench.path("out/run")
}

/// Names and values of a table.
fn values(path: &str) -> Vec<(String, f64)> {
    let model = texam_fit::read_weights(fs::File::open(path).unwrap()).unwrap();
    model.parameters().iter().map(|weight| (weight.name.clone(), weight.value)).collect()
}

fn export(path: &str, more: &str) -> String {
    succeeds(&[&["export", path][..], &words(more)].concat())
}

#[test]
fn an_export_has_the_values_of_the_table_and_what_the_run_knows_of_them() {
    let bench = Bench::new(0);
    let prefix = fitted(&bench);
    let [start, end] = ["00", "01"].map(|pass| format!("{prefix}-{pass}.csv"));
    let object = object(&export(&end, "--to json"));
    require(&object, &["format", "version", "program", "file", "round", "weights"]);
    let weights = list(&object, "weights");
    let names: Vec<_> = weights.iter().map(|weight| weight["weight"].as_str().unwrap()).collect();
    assert_eq!(names, NAMES);
    for ((weight, (_, from)), (_, to)) in weights.iter().zip(values(&start)).zip(values(&end)) {
        assert_eq!((number(weight, "from"), number(weight, "to")), (from, to));
        let is_tuned = weight["tuned"].as_bool().unwrap();
        assert_eq!(is_tuned, weight["weight"] != "tempo");
        for field in ["se_run", "se_step", "support", "games", "held"] {
            assert_eq!(weight[field].is_number(), is_tuned, "{field}: {weight}");
        }
        assert!(!is_tuned || from != to, "{weight}");
    }

    let csv = export(&end, "--to csv --round 0.5");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "weight,from,to,se_run,se_step,support,games,held,tuned");
    for (line, (name, value)) in lines[1..].iter().zip(values(&end)) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!((fields[0], fields[1]), (&*name, "10"));
        let rounded: f64 = fields[2].parse().unwrap();
        assert!((rounded - value).abs() <= 0.25 && (2.0 * rounded).fract() == 0.0, "{line}: {value}");
    }
    assert_eq!(lines[5], "tempo,10,10,,,,,,no");
}

#[test]
fn a_table_without_a_run_is_exported_with_its_values_alone() {
    let bench = Bench::new(0);
    let path = bench.write("own.csv", "name,value,tune\na.o,1.5,true\na.e,-2,false\n");
    assert_eq!(export(&path, "--to csv").lines().nth(1), Some("a.o,,1.5,,,,,,yes"));
    assert!(export(&path, "--to c").contains(" w_a = S(1.5, -2.0);\n"));
    assert!(export(&path, "--to c --prefix my_").contains(" my_a = S(1.5, -2.0);\n"));
    assert!(export(&path, "--to rust --round 1").contains("pub const A: S = S(2, -2);\n"));

    // A table that another run has left beside the record.
    let prefix = fitted(&bench);
    fs::write(format!("{prefix}-01.csv"), "name,value,tune\na,1,true\n").unwrap();
    let output = run(&["export", &format!("{prefix}-01.csv"), "--to", "c"]);
    assert_eq!(output.status.code(), Some(0));
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.contains("run.json: expected the record of the run that the table is of"), "{warning}");
}

#[test]
fn a_diff_of_tables_tells_changes_with_their_errors_and_what_moves_values_most_first() {
    let bench = Bench::new(0);
    let prefix = fitted(&bench);
    let [start, end] = ["00", "01"].map(|pass| format!("{prefix}-{pass}.csv"));
    let diff = |a: &str, b: &str| json(&["diff", a, b, "--json"]);
    let found = diff(&start, &end);
    require(&found, &["a", "b", "differ", "equal", "only_a", "only_b", "changes"]);
    assert_eq!((number(&found, "differ"), number(&found, "equal")), (4.0, 1.0));
    let moves: Vec<f64> = list(&found, "changes").iter().map(|change| number(change, "moves")).collect();
    assert!(moves.len() == 4 && moves.is_sorted_by(|a, b| a >= b), "{moves:?}");
    for change in list(&found, "changes") {
        require(
            change,
            &["weight", "from", "to", "change", "moves", "se_run", "se_step", "support", "games", "held"],
        );
        assert_eq!(number(change, "change"), number(change, "to") - number(change, "from"));
    }
    let text = succeeds(&["diff", &start, &end]);
    assert!(text.contains("\n4 of 5 weights differ\n") && text.contains("s.e. of run"), "{text}");

    let other = bench.write("other.csv", "name,value,tune\ntempo,10,true\nbishop,3,true\n");
    let found = diff(&start, &other);
    assert_eq!((number(&found, "differ"), number(&found, "equal")), (0.0, 1.0));
    assert_eq!(found["only_b"], serde_json::json!(["bishop"]));
    assert_eq!(found["only_a"], serde_json::json!(NAMES[..4]));
}

#[test]
fn options_that_mean_nothing_for_a_table_are_refused() {
    let bench = Bench::new(0);
    let table = bench.write("own.csv", "name,value,tune\na,1.5,true\n");
    let start = "params/start.par";
    let refused = |line: &str, parts: &[&str]| fails(&words(line), parts);
    refused(&format!("export {table} --to c --pawn 100"), &["option pawn: expected a .par"]);
    refused(&format!("export {start} --to c --prefix w_"), &["option prefix: expected a .csv"]);
    refused(&format!("export {table} --to json --prefix w_"), &["option prefix: expected --to c or rust"]);
    for prefix in ["", "_", "1a", "a-b", "ä"] {
        let line = ["export", &table, "--to", "c", "--prefix", prefix];
        fails(&line, &["option prefix: expected letters of English, digits and _"]);
    }
    refused(
        &format!("export {start} --to c --round 1"),
        &["option round: expected a .csv of another program"],
    );
    for step in ["0", "-1", "nan", "inf"] {
        refused(&format!("export {table} --to c --round={step}"), &["option round: expected a step above 0"]);
    }
    for [a, b] in [[&*table, start], [start, &table]] {
        refused(
            &format!("diff {a} {b}"),
            &["start.par", "expected two tables of weights, .csv, or two of our sets"],
        );
    }
    for option in ["depth 2", "every 3"] {
        let name = option.split(' ').next().unwrap();
        let expected = format!("option {name}: expected no option of games");
        refused(&format!("diff {table} {table} --{option}"), &[&expected]);
    }
}
