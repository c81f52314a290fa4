//! Exported data, read back by other means than those that wrote it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use texam::{
    eval,
    feature::{Cell, Extras, Key, Mode, Weights, cell_name, table_signature},
    par,
    phase::PhaseScheme,
    show::export::{ExportUnit, Format},
    value::taper,
};

use super::{positions, sets};
use crate::schema;

/// Opening and endgame weight by the name of the cell.
type Sheet = BTreeMap<String, [i64; 2]>;

fn named(key: &str, cell: &str) -> String {
    if cell.is_empty() { key.to_string() } else { format!("{key}[{cell}]") }
}

/// Both sums of a position by counts and a sheet.
fn sums(position: &positions::Odd, sheet: &Sheet, extras: Extras) -> [i64; 2] {
    let features = eval::features(&position.placement(), extras);
    features.iter().fold([0, 0], |[open, end], (cell, count)| {
        let weight = sheet[&cell_name(cell)];
        [open + i64::from(count) * weight[0], end + i64::from(count) * weight[1]]
    })
}

fn assert_sums_like_here(sheet: &Sheet, weights: &Weights) {
    for position in positions::all() {
        let (open, end) = eval::evaluate(&position.placement(), &weights.quantised());
        assert_eq!(sums(position, sheet, weights.extras()), [open, end].map(i64::from), "{}", position.fen());
    }
}

fn assert_same_weights(sheet: &Sheet, weights: &Weights) {
    let quantised = weights.quantised();
    assert_eq!(sheet.len(), weights.extras().runs().flatten().count());
    for cell in weights.extras().runs().flatten() {
        let expected = [quantised.open(cell), quantised.end(cell)].map(i64::from);
        assert_eq!(sheet[&cell_name(cell)], expected, "{}", cell_name(cell));
    }
}

// JSON

fn exported(name: &str, weights: &Weights, unit: ExportUnit) -> Value {
    serde_json::from_str(&sets::export(name, weights, Format::Json, unit)).unwrap()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn pair(open: &Value, end: &Value) -> [i64; 2] {
    [open.as_i64().unwrap(), end.as_i64().unwrap()]
}

/// The weights of a JSON export; those that are folded are left out if asked for.
fn sheet_of(export: &Value, with_folded: bool) -> Sheet {
    let features = array(&export["features"]).iter();
    let features = features.filter(|feature| with_folded || feature["folded"] == false);
    let entries = features.flat_map(|feature| {
        array(&feature["cells"]).iter().map(|cell| {
            let name = named(feature["key"].as_str().unwrap(), cell["cell"].as_str().unwrap_or_default());
            (name, pair(&cell["open"], &cell["end"]))
        })
    });
    entries.collect()
}

#[test]
fn json_keeps_to_its_schema() {
    let schema = schema::of_exports();
    for (name, weights) in sets::all() {
        for unit in [ExportUnit::Exact, ExportUnit::Pawn(100), ExportUnit::Pawn(1)] {
            let export = exported(&name, &weights, unit);
            assert!(schema::is_valid(&schema, &export), "{name}");
        }
    }
}

/// Where something stands in an export, and what is put there.
type Damage = (&'static str, Value);

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = schema::of_exports();
    let good = exported("a.par", &Weights::start(), ExportUnit::Exact);
    let damages: [Damage; 12] = [
        ("/format", json!("other")),
        ("/version", json!(2)),
        ("/source/digest", json!("xyz")),
        ("/unit/pawn", json!(100)),
        ("/unit/largest_error", json!(0.25)),
        ("/features/0/key", json!("Mat P")),
        ("/features/0/reason", json!("it is folded")),
        ("/features/5/reason", json!(null)),
        ("/features/5/cells", json!([])),
        ("/features/5/cells/0/open", json!(1.5)),
        ("/tables/0/squares/0", json!([1])),
        ("/tables/0/man", json!("duke")),
    ];
    for (place, wrong) in damages {
        let mut export = good.clone();
        *export.pointer_mut(place).unwrap() = wrong;
        assert!(!schema::is_valid(&schema, &export), "{place}");
    }
    for field in ["source", "unit", "features", "tables"] {
        let mut export = good.clone();
        export.as_object_mut().unwrap().remove(field);
        assert!(!schema::is_valid(&schema, &export), "{field}");
    }
}

#[test]
fn the_weights_of_json_times_the_counts_are_the_evaluation() {
    for (name, weights) in sets::all() {
        let sheet = sheet_of(&exported(&name, &weights, ExportUnit::Exact), true);
        assert_same_weights(&sheet, &weights);
        assert_sums_like_here(&sheet, &weights);
    }
}

/// What an engine does with the tables: each man once, and the terms that are not folded.
#[test]
fn the_tables_of_json_and_the_terms_that_are_not_folded_are_the_evaluation() {
    for (name, weights) in sets::all() {
        let export = exported(&name, &weights, ExportUnit::Exact);
        let mut rest = sheet_of(&export, false);
        for key in array(&export["tables"]).iter().flat_map(|table| array(&table["folded"])) {
            let key = Key::from_name(key.as_str().unwrap()).unwrap();
            let cells = key.cell()..key.cell() + key.feature().layout.cells() as Cell;
            let doubled = cells.filter_map(|cell| rest.insert(cell_name(cell), [0, 0])).next();
            assert!(doubled.is_none(), "{key:?} is folded and is not");
        }
        for position in positions::all() {
            let placement = position.placement();
            let mut sum = sums(position, &rest, weights.extras());
            for (role, table) in array(&export["tables"]).iter().enumerate() {
                for square in (0..64).filter(|square| placement.roles[role] >> square & 1 != 0) {
                    let is_white = placement.colors[0] >> square & 1 != 0;
                    let seen = if is_white { square } else { square ^ 56 };
                    let entry = array(&table["squares"][seen]);
                    let [open, end] = pair(&entry[0], &entry[1]);
                    let sign = if is_white { 1 } else { -1 };
                    sum = [sum[0] + sign * open, sum[1] + sign * end];
                }
            }
            let (open, end) = eval::evaluate(&placement, &weights.quantised());
            assert_eq!(sum, [open, end].map(i64::from), "{name}: {}", position.fen());
        }
    }
}

#[test]
fn json_says_where_the_weights_come_from_and_what_is_tuned() {
    let (name, weights) = sets::all().swap_remove(2);
    let export = exported(&name, &weights, ExportUnit::Exact);
    assert_eq!(export["source"]["file"], "params/best.par");
    assert_eq!(export["source"]["digest"], par::digest(&weights));
    assert_eq!(export["source"]["features"], table_signature());
    // Optional terms that are off are left out: the full piece-square tables.
    let on: Vec<Key> = Key::ALL.iter().copied().filter(|&key| weights.is_on(key)).collect();
    assert!(on.contains(&Key::MobN) && !on.contains(&Key::PstN));
    assert_eq!(array(&export["features"]).len(), on.len());
    for (&key, feature) in on.iter().zip(array(&export["features"])) {
        let setting = weights.setting(key);
        assert_eq!(feature["key"], key.feature().key);
        assert_eq!(feature["meaning"], key.feature().meaning);
        for (index, cell) in array(&feature["cells"]).iter().enumerate() {
            let entry = if setting.mode == Mode::Cells { index } else { 0 };
            assert_eq!(cell["tune"], setting.tune[entry], "{}", key.feature().key);
        }
    }
}

#[test]
fn a_rounded_export_says_so_and_is_never_off_by_more_than_it_says() {
    let (name, weights) = sets::all().swap_remove(1);
    let exact = sheet_of(&exported(&name, &weights, ExportUnit::Exact), true);
    let export = exported(&name, &weights, ExportUnit::Pawn(100));
    assert_eq!((&export["unit"]["pawn"], &export["unit"]["exact"]), (&json!(100), &json!(false)));
    let bound = export["unit"]["largest_error"].as_f64().unwrap();
    for (name, rounded) in sheet_of(&export, true) {
        for (rounded, exact) in rounded.iter().zip(exact[&name]) {
            assert!((*rounded as f64 - exact as f64 / 327.68).abs() <= bound + 1e-12, "{name}");
        }
    }
    let words = export["unit"]["meaning"].as_str().unwrap();
    assert!(words.contains("1/100 pawn, rounded: each number is off by at most 0."), "{words}");
}

// CSV

/// The fields of a text after RFC 4180: commas between fields, CR and LF behind each line, and quotes around
/// what holds any of these, doubled within.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => {
                assert!(field.is_empty(), "a quote within a field: {field}");
                loop {
                    match signs.next() {
                        Some('"') if signs.next_if_eq(&'"').is_some() => field.push('"'),
                        Some('"') => break,
                        Some(sign) => field.push(sign),
                        None => panic!("no end of a quoted field: {field}"),
                    }
                }
                assert!(matches!(signs.peek(), Some(',' | '\r')), "something behind a quoted field: {field}");
            }
            ',' => record.push(std::mem::take(&mut field)),
            '\r' => {
                assert_eq!(signs.next(), Some('\n'));
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            '\n' => panic!("the end of a line without CR"),
            sign => field.push(sign),
        }
    }
    assert!(field.is_empty() && record.is_empty(), "the last line has no end");
    records
}

#[test]
fn the_reader_of_this_test_takes_quotes_apart() {
    let text = "a,\"b,\"\"c\"\"\",\r\n\"\r\n\",x,y\r\n";
    assert_eq!(records(text), [["a", "b,\"c\"", ""], ["\r\n", "x", "y"]]);
}

/// The lines of a CSV export by the names of their columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut records = records(text).into_iter();
    let columns = records.next().unwrap();
    let row = |fields: Vec<String>| {
        assert_eq!(fields.len(), columns.len(), "{fields:?}");
        columns.iter().cloned().zip(fields).collect()
    };
    records.map(row).collect()
}

#[test]
fn csv_read_back_gives_the_weights_and_their_flags() {
    for (name, weights) in sets::all() {
        let rows = rows(&sets::export(&name, &weights, Format::Csv, ExportUnit::Exact));
        let number = |text: &str| text.parse().unwrap();
        let sheet = rows.iter().map(|row| (named(&row["key"], &row["cell"]), [&row["open"], &row["end"]]));
        let sheet: Sheet =
            sheet.map(|(name, weights)| (name, weights.map(|weight| number(weight)))).collect();
        assert_same_weights(&sheet, &weights);
        assert_sums_like_here(&sheet, &weights);
        for (cell, row) in weights.extras().runs().flatten().zip(&rows) {
            let (key, index) = Key::of_cell(cell);
            let (feature, setting) = (key.feature(), weights.setting(key));
            let entry = if setting.mode == Mode::Cells { index } else { 0 };
            assert_eq!(row["tune"], if setting.tune[entry] { "yes" } else { "no" });
            assert_eq!((&*row["group"], &*row["meaning"]), (feature.group.name(), feature.meaning));
            assert_eq!(
                (row["ends"].as_str(), row["folded"] == "yes"),
                (feature.ends.name(), row["reason"].is_empty())
            );
        }
    }
}

#[test]
fn an_evaluation_is_the_taper_of_both_sums() {
    let weights = Weights::start();
    let sheet = sheet_of(&exported("a.par", &weights, ExportUnit::Exact), true);
    for position in positions::all().iter().take(500) {
        let [open, end] = sums(position, &sheet, weights.extras());
        let phase = PhaseScheme::Fruit.phase(position.placement().piece_counts());
        let total =
            eval::features(&position.placement(), weights.extras()).value(&weights.quantised(), phase);
        assert_eq!(i64::from(256 - phase) * open + i64::from(phase) * end, total);
        assert_eq!(taper(open as i32, end as i32, phase), total);
    }
}
