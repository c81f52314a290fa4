//! Any text as a table of another program's weights: a name that is accepted comes back from every file that
//! holds it.

use std::sync::LazyLock;

use texam::{
    run::stat::{FittedWeight, RunRecord},
    show::export::{self, Format},
};
use texam_fit::{Parameter, limits::LONGEST_NAME, read_weights, write_weights};

crate::target!("names", check, 400, 1200);

fn check(bytes: &[u8]) {
    let model = match read_weights(bytes) {
        Ok(model) => model,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let names: Vec<&str> = model.parameters().iter().map(|weight| &*weight.name).collect();
    assert!(names.iter().all(|name| name.len() <= LONGEST_NAME && !name.contains(char::is_control)));
    let mut table = Vec::new();
    write_weights(&model, &mut table).expect("memory can be written");
    assert_eq!(read_weights(&table[..]).expect("weights that were written can be read"), model);
    assert_survive_a_run(&names);
    assert_survive_exports(model.parameters(), &names);
}

/// The names in place of those of a record, as many as it has.
fn assert_survive_a_run(names: &[&str]) {
    static RECORD: LazyLock<RunRecord> = LazyLock::new(|| {
        RunRecord::from_json(include_str!("../../stats/gm1988.json")).expect("the shipped data can be read")
    });
    let mut record = RECORD.clone();
    record.trends.frozen.clear();
    record.trends.weights.truncate(names.len());
    for (trend, name) in record.trends.weights.iter_mut().zip(names) {
        trend.name = (*name).to_string();
    }
    let read = RunRecord::from_json(&record.to_json().expect("the data can be written"));
    assert_eq!(read.unwrap_or_else(|error| panic!("{error}: {names:?}")), record);
    assert!(!record.to_string().contains(|letter: char| letter.is_control() && letter != '\n'), "{names:?}");
}

fn assert_survive_exports(weights: &[Parameter], names: &[&str]) {
    let text = |format| {
        let weights = weights.iter().map(FittedWeight::of).collect();
        export::table::text(weights, "table.csv", format, None, None).expect("weights can be exported")
    };
    let json: serde_json::Value = serde_json::from_str(&text(Format::Json)).expect("JSON");
    let found = json["weights"].as_array().expect("a list").iter().map(|weight| weight["weight"].as_str());
    assert!(found.eq(names.iter().map(|name| Some(*name))), "{names:?}");
    for format in [Format::C, Format::Rust, Format::Csv] {
        assert!(
            !text(format).contains(|letter: char| letter.is_control() && !"\r\n".contains(letter)),
            "{names:?}"
        );
    }
}
