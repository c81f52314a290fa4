//! What speaks against labels before weights are fitted to them, in sentences.

use texam_fit::LabelCounts;

/// More positions of a game hardly say what the first ones did not.
const POSITIONS_A_GAME: f64 = 10.0;

/// A mean label that is further from 0.5 than this, and than two standard errors, favours one side.
const UNEVEN: f64 = 0.1;

/// What is to be said about labels before weights are fitted to them.
pub fn label_warnings(counts: &LabelCounts) -> Vec<String> {
    let LabelCounts { rows, clusters, decided, bounds: [low, high], .. } = *counts;
    let mut texts = Vec::new();
    let mut say = |is_so, text: String| {
        if is_so {
            texts.push(text)
        }
    };
    let are_same = rows > 1 && low == high;
    say(are_same, "all labels are the same, so they cannot tell good positions from bad ones".to_string());
    let no_draws = rows > 1 && decided == rows && !are_same;
    let why = "is of a drawn game, so every lead looks like a win: add drawn games";
    say(no_draws, format!("none of {rows} positions {why}"));
    let mean = counts.mean();
    let is_uneven = (mean - 0.5).abs() > UNEVEN + 1.0 / (clusters as f64).sqrt() && !are_same;
    let why = "does one side win too often, or are the results those of the winner?";
    say(is_uneven, format!("the mean result is {mean:.2}: {why}"));
    let of_game = counts.weight_of_cluster();
    let more = "positions of a game share its result: take about five of each game, and more games";
    say(of_game > POSITIONS_A_GAME, format!("{of_game:.0} {more}"));
    texts
}
