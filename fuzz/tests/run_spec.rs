//! Any list of options as a run: what is accepted survives being written and read.
//!
//! The first line of an input names the games; each further line is a name, a blank and a value.

use texam::run::{RunSpec, game_files_to_texts};

crate::target!("run_spec", check, 500, 1500);

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let games = [lines.next().unwrap_or_default().to_string()];
    let options: Vec<(String, String)> = lines
        .map(|line| line.split_once(' ').unwrap_or((line, "")))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    if let Ok(spec) = RunSpec::from_options(&games, &options) {
        assert_survives(&spec);
    }
    let mut spec = RunSpec::default();
    for (name, value) in &options {
        if let Ok(changed) = spec.with(name, value) {
            spec = changed;
            assert_survives(&spec);
        }
    }
}

fn assert_survives(spec: &RunSpec) {
    spec.validate().expect("a run that is accepted is valid");
    spec.plan().expect("a valid run has a plan");
    // The default strength of a force counts as not chosen.
    let mut expected = spec.clone();
    let fit = &mut expected.settings;
    fit.strength = fit.strength.filter(|&strength| strength != fit.forces.force.default_strength());
    let options = spec.options();
    // As in a `.stat`: the text of a path with quotes is not the path.
    let read = RunSpec::from_options(&game_files_to_texts(&spec.games), &options);
    let read = read.unwrap_or_else(|error| panic!("{error} in {options:?}"));
    assert_eq!(read, expected, "{options:?}");
    assert_eq!(read.entries(), spec.entries());
}
