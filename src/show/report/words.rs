//! Description of a run in sentences, from the header and the options of its `.stat` file.
//!
//! Options that this module does not know are skipped; the page also has a list of all options.

use std::path::Path;

use texam_fit::ObjectiveName;

use crate::run::stat::{RunRecord, State};

/// A topic and a sentence about it.
pub(super) type RunFact = (&'static str, String);

pub(super) fn facts(record: &RunRecord) -> Vec<RunFact> {
    let mut facts = vec![("Games", games(record)), ("Positions", positions(record))];
    facts.extend(match record.header.objective() {
        ObjectiveName::Force if record.is_on_rows() => vec![("Force", force(record))],
        _ if record.is_on_rows() => vec![("Objective", objective(record))],
        ObjectiveName::Logistic => {
            vec![("Phase", phase(record)), ("Objective", objective(record))]
        }
        ObjectiveName::Softmax | ObjectiveName::Pairs => {
            vec![("Search", search(record)), ("In bound", bound(record)), ("Objective", objective(record))]
        }
        ObjectiveName::Force => {
            vec![("Search", search(record)), ("In bound", bound(record)), ("Force", force(record))]
        }
    });
    facts.extend([("Solving", solving(record)), ("Fits", fits(record))]);
    facts
}

/// All options of the run by name. Absolute paths are shortened as in [`shown_path`].
pub(super) fn options(record: &RunRecord) -> Vec<(&str, String)> {
    record.header.options.iter().map(|(name, value)| (name.as_str(), shown_path(value))).collect()
}

/// A path without private folder names: of an absolute path only the file name is kept.
pub fn shown_path(path: &str) -> String {
    let path = Path::new(path);
    match path.file_name() {
        Some(name) if path.is_absolute() => name.to_string_lossy().into_owned(),
        _ => path.display().to_string(),
    }
}

/// A count with commas between thousands.
pub(super) fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun in singular or plural.
pub(super) fn count(number: u64, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", thousands(number))
}

/// The value of an option; `?` if the run has no option of this name.
fn option<'a>(record: &'a RunRecord, name: &str) -> &'a str {
    record.option(name).unwrap_or("?")
}

fn games(record: &RunRecord) -> String {
    let header = &record.header;
    let name = if header.games == "-" { "standard input".to_string() } else { shown_path(&header.games) };
    let games = match header.objective() {
        _ if record.is_on_rows() => {
            format!("{} in the rows of another program", count(header.decisive, "game"))
        }
        ObjectiveName::Logistic => "Games or lines with a result".to_string(),
        _ => format!("{} with a winner", count(header.decisive, "game")),
    };
    let mut text = format!("{games}, from {name}");
    let held_out = header.held_out_games;
    text += &match option(record, "holdout") {
        "none" => "; none was held out".to_string(),
        holdout => match holdout.strip_prefix("1/") {
            Some(every) => format!("; {} of them, one of {every}, held out", thousands(held_out)),
            None => format!("; {} from {} held out", count(held_out, "game"), shown_path(holdout)),
        },
    };
    if header.skipped > 0 {
        text += &format!("; {} could not be used", count(header.skipped, "game"));
    }
    text + "."
}

fn positions(record: &RunRecord) -> String {
    let [fitted, held_out] = record.header.positions;
    let kind = match record.header.objective() {
        _ if record.is_on_rows() => "as that program saw them",
        ObjectiveName::Logistic => "labelled with the result of the game, quiet ones only",
        _ => "with the winner to move",
    };
    let mut text = format!("{} {kind}", count(fitted, "position"));
    if held_out > 0 {
        text += &format!(", and {} to measure and never to fit", thousands(held_out));
    }
    if record.is_on_rows() {
        return text + ".";
    }
    let every = option(record, "every");
    if every != "1" {
        text += &format!("; only each {} of the file", ordinal(every));
    }
    match option(record, "skip-moves") {
        "0" => text + ".",
        "1" => text + ". The first move of each game is left out.",
        moves => text + &format!(". The first {moves} moves of each game are left out."),
    }
}

/// An ordinal number, such as `2nd`.
fn ordinal(number: &str) -> String {
    let ending = match number.as_bytes() {
        [.., b'1', _] => "th",
        [.., b'1'] => "st",
        [.., b'2'] => "nd",
        [.., b'3'] => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn search(record: &RunRecord) -> String {
    let plies = match option(record, "depth") {
        "1" => "1 ply".to_string(),
        depth => format!("{depth} plies"),
    };
    let quiescence = match (record.option("quiescence"), record.option("checks")) {
        (Some("off"), _) => "without quiescence".to_string(),
        (_, None | Some("0")) => "with quiescence".to_string(),
        (_, Some("1")) => "with quiescence, which searches quiet checks too in its first ply".to_string(),
        (_, Some(checks)) => {
            format!("with quiescence, which searches quiet checks too in its first {checks} plies")
        }
    };
    let trees = match record.option("regrow") {
        _ if !record.header.walks_trees() => String::new(),
        None | Some("0") => " Walked in stored trees, where all figures are measured.".to_string(),
        Some(passes) => {
            let every =
                if passes == "1" { "each pass".to_string() } else { format!("every {passes} passes") };
            format!(" Walked in stored trees, grown anew after {every}, where all figures are measured.")
        }
    };
    format!("{plies} of full minimax {quiescence}.{trees} {}", phase(record))
}

fn phase(record: &RunRecord) -> String {
    match option(record, "phase") {
        "none" => "No phases: opening weights only.".to_string(),
        scheme => format!("Phase of the game by the scheme {scheme}, at the {}.", option(record, "phase-at")),
    }
}

fn objective(record: &RunRecord) -> String {
    let loss = match record.header.objective() {
        ObjectiveName::Force => "least squares with a force",
        ObjectiveName::Softmax => "minus the log-likelihood of the played move (multinomial logit)",
        ObjectiveName::Pairs => "a logistic loss for each pair of the played move and an alternative",
        ObjectiveName::Logistic if option(record, "loss") == "squared" => {
            "squared error of the expected result"
        }
        ObjectiveName::Logistic => "cross-entropy of the result and the expected result",
    };
    let temperature = record.reports.first().and_then(|report| Some(report.loss?.temperature));
    let temperature = temperature.map_or(String::new(), |t| format!("; temperature {t:.1} units"));
    let steps = option(record, "inner");
    format!(
        "{}: {loss}{temperature}; up to {steps} Newton steps on the rows of a pass.",
        record.header.objective()
    )
}

fn bound(record: &RunRecord) -> String {
    let root = match option(record, "root") {
        "quiescence" => "by quiescence",
        "static" => "as it stands",
        _ => "by its best move",
    };
    match option(record, "threshold") {
        "none" => "Every move but mates is used.".to_string(),
        units => format!("Moves within {units} units of the value before the choice ({root}) are used."),
    }
}

fn force(record: &RunRecord) -> String {
    let force = option(record, "force");
    if force == "none" {
        return "None: each fit gives back the weights it was made with.".to_string();
    }
    let balance = match option(record, "balance") {
        "all" => "borne by all alternatives",
        "ahead" => "borne by the alternatives ahead of the played move",
        _ => "borne by none",
    };
    let spread = match option(record, "variance") {
        "on" => "; the spread of the values is held",
        _ => "",
    };
    let (strength, scale) = (option(record, "strength"), option(record, "scale"));
    format!("The {force} one: strength {strength}, scale {scale} units, {balance}{spread}.")
}

fn solving(record: &RunRecord) -> String {
    let ridge = match option(record, "ridge") {
        "0" => "no ridge".to_string(),
        ridge => match option(record, "ridge-to") {
            "start" => format!("ridge {ridge} towards the start weights"),
            _ => format!("ridge {ridge} towards the current weights"),
        },
    };
    let smooth = match option(record, "smooth") {
        "0" => String::new(),
        _ if record.is_on_rows() => String::new(),
        smooth => format!("; neighbouring cells smoothed by {smooth}"),
    };
    let support = option(record, "min-support");
    let method = match record.header.objective() {
        ObjectiveName::Force => "Least squares",
        _ => "Newton steps",
    };
    format!("{method} over the weights that {support} positions or more bear on; {ridge}{smooth}.")
}

fn fits(record: &RunRecord) -> String {
    let made = thousands(record.reports.len().saturating_sub(1) as u64);
    let wanted = option(record, "iterations");
    let mut text = match made == wanted {
        true => format!("All {made} fits completed"),
        false => format!("{made} of {wanted} fits completed"),
    };
    if let Some(patience) = record.option("patience") {
        text += &format!("; the run stops early if {patience} in a row bring no better agreement");
    }
    if record.state == State::Unfinished {
        text += "; the run is not finished";
    }
    text + &format!(". Made by texam {}; start weights {}.", record.header.version, record.header.start)
}

#[cfg(test)]
mod tests {
    use texam_fit::{LossReport, MeanLoss};

    use super::*;
    use crate::run::stat::testing::shipped_record;

    #[test]
    fn thousands_are_set_apart() {
        let shown: Vec<String> = [0, 999, 1000, 31353, 1234567].map(thousands).into();
        assert_eq!(shown, ["0", "999", "1,000", "31,353", "1,234,567"]);
    }

    #[test]
    fn a_path_from_the_root_is_shown_by_its_name() {
        let shown = ["games/gm1988.pgn", "/home/me/games.pgn", "../x.pgn"].map(shown_path);
        assert_eq!(shown, ["games/gm1988.pgn", "games.pgn", "../x.pgn"]);
    }

    #[test]
    fn numbers_of_a_row_end_as_they_are_spoken() {
        let spoken = ["2", "3", "4", "11", "12", "21", "60", "113"].map(ordinal);
        assert_eq!(spoken, ["2nd", "3rd", "4th", "11th", "12th", "21st", "60th", "113th"]);
    }

    /// Options with their values.
    type Options<'a> = &'a [(&'a str, &'a str)];

    /// The shipped run with other options.
    fn with(options: Options) -> RunRecord {
        let mut record = shipped_record();
        for &(name, value) in options {
            record.header.options.retain(|(other, _)| other != name);
            record.header.options.push((name.to_string(), value.to_string()));
        }
        record
    }

    /// Compares what a sentence says for some options.
    fn assert_says(sentence: fn(&RunRecord) -> String, cases: &[(Options, &str)]) {
        for (options, expected) in cases {
            assert_eq!(sentence(&with(options)), *expected, "{options:?}");
        }
    }

    #[test]
    fn games_are_told_with_those_held_out_and_those_that_could_not_be_used() {
        assert_says(
            games,
            &[
                (&[], "868 games with a winner, from games/gm1988.pgn; 86 of them, one of 10, held out."),
                (
                    &[("holdout", "none")],
                    "868 games with a winner, from games/gm1988.pgn; none was held out.",
                ),
                (
                    &[("holdout", "/a/b.pgn")],
                    "868 games with a winner, from games/gm1988.pgn; 86 games from b.pgn held out.",
                ),
                (
                    &[("objective", "logistic")],
                    "Games or lines with a result, from games/gm1988.pgn; 86 of them, one of 10, held out.",
                ),
                (
                    &[("choices", "rows.txt"), ("holdout", "none")],
                    "868 games in the rows of another program, from games/gm1988.pgn; none was held out.",
                ),
            ],
        );
        let mut record = with(&[("holdout", "none")]);
        record.header.games = "-".to_string();
        record.header.skipped = 1;
        let expected =
            "868 games with a winner, from standard input; none was held out; 1 game could not be used.";
        assert_eq!(games(&record), expected);
    }

    #[test]
    fn positions_are_told_with_how_they_were_picked() {
        let counts = "28,160 positions with the winner to move, and 3,193 to measure and never to fit";
        let skipped = ". The first 8 moves of each game are left out.";
        let cases = [
            (vec![], format!("{counts}{skipped}")),
            (vec![("every", "20")], format!("{counts}; only each 20th of the file{skipped}")),
            (vec![("skip-moves", "0")], format!("{counts}.")),
            (vec![("skip-moves", "1")], format!("{counts}. The first move of each game is left out.")),
            (
                vec![("objective", "logistic"), ("skip-moves", "0")],
                "28,160 positions labelled with the result of the game, quiet ones only, and 3,193 to measure and \
                 never to fit."
                    .to_string(),
            ),
            (
                vec![("choices-from", "engine")],
                "28,160 positions as that program saw them, and 3,193 to measure and never to fit.".to_string(),
            ),
        ];
        for (options, expected) in cases {
            assert_eq!(positions(&with(&options)), expected);
        }
        let mut record = with(&[("skip-moves", "0")]);
        record.header.positions = [1, 0];
        assert_eq!(positions(&record), "1 position with the winner to move.");
    }

    #[test]
    fn the_search_is_told_with_its_depth_its_checks_and_the_phase() {
        let phase = "Phase of the game by the scheme fruit, at the leaf.";
        let plain = format!("3 plies of full minimax with quiescence. {phase}");
        let check = format!(
            "1 ply of full minimax with quiescence, which searches quiet checks too in its first ply. {phase}"
        );
        let checks = format!(
            "3 plies of full minimax with quiescence, which searches quiet checks too in its first 2 plies. {phase}"
        );
        let no_quiescence = format!("1 ply of full minimax without quiescence. {phase}");
        let no_phase = "3 plies of full minimax with quiescence. No phases: opening weights only.";
        let trees = |how: &str| {
            format!(
                "3 plies of full minimax with quiescence. Walked in stored trees{how}, where all figures are measured. {phase}"
            )
        };
        assert_says(
            search,
            &[
                (&[], &plain),
                (&[("depth", "1"), ("checks", "1")], &check),
                (&[("checks", "2")], &checks),
                (&[("depth", "1"), ("quiescence", "off")], &no_quiescence),
                (&[("phase", "none")], no_phase),
                (&[("trees", "on")], &trees("")),
                (&[("trees", "on"), ("regrow", "1")], &trees(", grown anew after each pass")),
                (&[("trees", "on"), ("regrow", "5")], &trees(", grown anew after every 5 passes")),
                (&[("preset", "1988"), ("trees", "off")], &plain),
            ],
        );
    }

    #[test]
    fn the_bound_is_told_with_the_value_it_is_around() {
        let around =
            |how: &str| format!("Moves within 64 units of the value before the choice ({how}) are used.");
        assert_says(
            bound,
            &[
                (&[], &around("by quiescence")),
                (&[("root", "static")], &around("as it stands")),
                (&[("root", "search")], &around("by its best move")),
                (&[("threshold", "none")], "Every move but mates is used."),
            ],
        );
    }

    #[test]
    fn the_force_is_told_with_who_pays_for_it() {
        assert_says(
            force,
            &[
                (
                    &[],
                    "The linear one: strength 512, scale 32 units, borne by all alternatives; the spread of the values is held.",
                ),
                (
                    &[("variance", "off"), ("balance", "ahead")],
                    "The linear one: strength 512, scale 32 units, borne by the alternatives ahead of the played move.",
                ),
                (
                    &[("variance", "off"), ("balance", "none")],
                    "The linear one: strength 512, scale 32 units, borne by none.",
                ),
                (&[("force", "none")], "None: each fit gives back the weights it was made with."),
            ],
        );
    }

    #[test]
    fn each_objective_is_told_by_its_loss() {
        let steps = "; up to 4 Newton steps on the rows of a pass.";
        let cases: [(Options, &str); 5] = [
            (&[("objective", "force")], "force: least squares with a force"),
            (
                &[("objective", "softmax")],
                "softmax: minus the log-likelihood of the played move (multinomial logit)",
            ),
            (
                &[("objective", "pairs")],
                "pairs: a logistic loss for each pair of the played move and an alternative",
            ),
            (&[("objective", "logistic")], "logistic: cross-entropy of the result and the expected result"),
            (
                &[("objective", "logistic"), ("loss", "squared")],
                "logistic: squared error of the expected result",
            ),
        ];
        for (options, expected) in cases {
            let options = [options, &[("inner", "4")]].concat();
            assert_eq!(objective(&with(&options)), format!("{expected}{steps}"));
        }
        let mut record = with(&[("objective", "softmax"), ("inner", "4")]);
        let mean = MeanLoss { mean: 2.0, error: 0.1 };
        record.reports[0].loss = Some(LossReport { temperature: 51.5, fitted: mean, held_out: None });
        assert!(objective(&record).contains("; temperature 51.5 units; up to 4"), "{}", objective(&record));
    }

    #[test]
    fn the_solution_is_told_with_its_ridge_and_its_smoothing() {
        let weights = "over the weights that 20 positions or more bear on";
        assert_says(
            solving,
            &[
                (&[], &format!("Least squares {weights}; ridge 100 towards the current weights.")),
                (
                    &[("ridge-to", "start"), ("smooth", "300")],
                    &format!(
                        "Least squares {weights}; ridge 100 towards the start weights; neighbouring cells smoothed by 300."
                    ),
                ),
                (&[("objective", "softmax"), ("ridge", "0")], &format!("Newton steps {weights}; no ridge.")),
                (
                    &[("choices", "rows.txt"), ("smooth", "300"), ("ridge", "0")],
                    &format!("Least squares {weights}; no ridge."),
                ),
            ],
        );
    }

    #[test]
    fn the_fits_are_told_with_whether_the_run_is_complete() {
        let made =
            format!(". Made by texam {}; start weights 6fae3b445078e757.", shipped_record().header.version);
        assert_says(
            fits,
            &[
                (&[], &format!("All 15 fits completed{made}")),
                (
                    &[("iterations", "30"), ("patience", "3")],
                    &format!(
                        "15 of 30 fits completed; the run stops early if 3 in a row bring no better agreement{made}"
                    ),
                ),
            ],
        );
        let mut record = with(&[("iterations", "30")]);
        record.state = State::Unfinished;
        assert_eq!(fits(&record), format!("15 of 30 fits completed; the run is not finished{made}"));
    }

    #[test]
    fn each_kind_of_run_is_told_by_the_topics_that_concern_it() {
        let topics = |options: Options| -> Vec<&str> {
            facts(&with(options)).into_iter().map(|(topic, _)| topic).collect()
        };
        let [first, last] = [["Games", "Positions"], ["Solving", "Fits"]];
        let cases: [(Options, &[&str]); 5] = [
            (&[], &["Search", "In bound", "Force"]),
            (&[("objective", "pairs")], &["Search", "In bound", "Objective"]),
            (&[("objective", "logistic")], &["Phase", "Objective"]),
            (&[("choices", "rows.txt")], &["Force"]),
            (&[("choices", "rows.txt"), ("objective", "softmax")], &["Objective"]),
        ];
        for (options, between) in cases {
            assert_eq!(topics(options), [&first, between, &last].concat(), "{options:?}");
        }
    }
}
