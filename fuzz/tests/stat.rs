//! Any text as the data of a run: a copy with a change is refused, or its data are the same.

use std::sync::LazyLock;

use texam::run::stat::RunRecord;

crate::target!("stat", check, 200, 400);

fn check(bytes: &[u8]) {
    static WHOLE: LazyLock<RunRecord> = LazyLock::new(|| {
        let text = include_str!("__fuzz__/stat/corpus/one-fit.json");
        RunRecord::from_json(text).expect("the file of the corpus can be read")
    });
    match RunRecord::from_json(&String::from_utf8_lossy(bytes)) {
        Ok(record) => assert_eq!(record, *WHOLE),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
