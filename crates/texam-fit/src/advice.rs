//! What is to be said about rows and weights, in the words that all users show.

use crate::{
    agreement::Agreement,
    report::{PassReport, best},
    step::Fit,
};

/// A mean rank of more than this share of that by chance is no better than chance.
const LIKE_CHANCE: f64 = 0.9;

/// Names of weights that are listed at most.
const MOST_NAMES: usize = 8;

/// So many choices are of more than one game.
const MANY: u64 = 20;

/// What is to be said if all of many choices are of one game.
pub fn one_game(games: u64, choices: u64) -> Option<String> {
    let why = "so none can be held out: name the game of each with game: in its remark";
    (games == 1 && choices >= MANY).then(|| format!("all {choices} choices are of one game, {why}"))
}

/// What is suspicious in how the played moves stand under the start weights, if anything.
pub fn suspicion(agreement: &Agreement) -> Option<&'static str> {
    let Agreement { positions, moves, tied_sum, .. } = *agreement;
    let others = moves - positions;
    let by_chance = others as f64 / 2.0 / positions.max(1) as f64;
    if others == 0 {
        None
    } else if tied_sum == others {
        Some("all moves of a position have the same value: are the counts those after the move?")
    } else if agreement.mean_rank() > LIKE_CHANCE * by_chance {
        Some(
            "the played moves rank no better than by chance: are the counts those after the move, seen by the side that moves?",
        )
    } else {
        None
    }
}

/// The weights that the rows of a fit hardly tell apart, if there are any.
pub fn open_weights(fit: &Fit) -> Option<String> {
    let open: Vec<&str> =
        fit.parameters.iter().filter(|weight| weight.is_open).map(|weight| &*weight.name).collect();
    let (listed, more) = open.split_at(open.len().min(MOST_NAMES));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let text = format!("the rows hardly tell these weights apart: {}{more}", listed.join(", "));
    (!open.is_empty()).then_some(text)
}

/// What the clusters held out say against the weights of a run, if anything: that its best pass is the start.
pub fn warning(reports: &[PassReport]) -> Option<&'static str> {
    let [start, .., last] = reports else { return None };
    let is_held_out = start.held_out.is_some() || start.loss.is_some_and(|loss| loss.held_out.is_some());
    if !is_held_out || best(reports.iter()) > 0 {
        return None;
    }
    Some(match start.is_better_than(last) {
        true => "worse on games not fitted: do not use these weights",
        false => "no clear gain on games not fitted: keep the start weights, or fit more games",
    })
}

/// That so many entries were rounded, if some were.
pub fn rounded_entries(rounded: u64) -> Option<String> {
    (rounded > 0).then(|| format!("entries rounded to multiples of 1/256: {rounded}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Criterion;

    #[test]
    fn moves_that_are_tied_or_in_no_order_are_suspicious() {
        let agreement = |rank_sum, tied_sum| Agreement {
            positions: 10,
            moves: 110,
            rank_sum,
            tied_sum,
            ..Agreement::default()
        };
        assert!(suspicion(&agreement(0, 100)).unwrap().contains("same value"));
        assert!(suspicion(&agreement(49, 0)).unwrap().contains("by chance"));
        assert!(suspicion(&agreement(20, 59)).unwrap().contains("by chance"));
        assert_eq!(suspicion(&agreement(30, 10)), None);
        assert_eq!(suspicion(&Agreement::default()), None);
    }

    #[test]
    fn a_run_that_is_of_no_use_on_games_held_out_is_warned_of() {
        let held_out = |rank_sum| Agreement { positions: 100, rank_sum, ..Agreement::default() };
        let run = |ranks: &[u64], error: f64| {
            let report = |(pass, &rank): (usize, &u64)| PassReport {
                held_out: Some(held_out(rank)),
                criterion: Criterion::Rank,
                rank_errors: vec![Some(error); pass],
                ..PassReport::default()
            };
            warning(&ranks.iter().enumerate().map(report).collect::<Vec<_>>())
        };
        assert!(run(&[300, 280, 310], 0.3).unwrap().starts_with("worse on games not fitted"));
        assert!(run(&[300, 280, 290], 0.3).unwrap().starts_with("no clear gain on games not fitted"));
        assert_eq!(run(&[300, 280, 290], 0.01), None);
        // Nothing was fitted, or nothing held out.
        assert_eq!(run(&[300], 0.0), None);
        assert_eq!(warning(&[PassReport::default(), PassReport::default()]), None);
    }

    #[test]
    fn many_choices_are_not_of_one_game() {
        assert!(one_game(1, 20).unwrap().starts_with("all 20 choices are of one game"));
        assert_eq!([one_game(1, 19), one_game(2, 1000)], [None, None]);
    }
}
