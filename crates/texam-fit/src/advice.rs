//! What speaks against rows and weights, for those who show a run to people.

use std::fmt;

use crate::{
    agreement::Agreement,
    report::{PassReport, best},
    step::Fit,
};

/// A mean rank of more than this share of that by chance is no better than chance.
const LIKE_CHANCE: f64 = 0.9;

/// Names of weights that are listed at most.
const MOST_NAMES: usize = 8;

/// What is suspicious in how the chosen rows stand under the start weights. Those who know what rows are may say it in
/// their own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Suspicion {
    /// All rows of each choice have the same value.
    AllTied,
    /// The chosen rows rank no better than by chance.
    ByChance,
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Suspicion::AllTied => "all rows of a choice have the same value: do they tell the alternatives apart?",
            Suspicion::ByChance => {
                "the chosen rows rank no better than by chance: do all rows count from the view of the chooser?"
            }
        })
    }
}

impl Suspicion {
    /// What is suspicious in the agreement of the start weights, if anything.
    pub fn of(agreement: &Agreement) -> Option<Suspicion> {
        let Agreement { choices, alternatives, tied_sum, .. } = *agreement;
        let others = alternatives - choices;
        let by_chance = others as f64 / 2.0 / choices.max(1) as f64;
        if others == 0 {
            None
        } else if tied_sum == others {
            Some(Suspicion::AllTied)
        } else {
            (agreement.mean_rank() > LIKE_CHANCE * by_chance).then_some(Suspicion::ByChance)
        }
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

/// What the choices held out say against the weights of a run whose best pass is the start. Those who know what choices
/// are may say it in their own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Warning {
    /// The last pass is worse there than the start.
    Worse,
    /// It is better, but not clearly.
    NoClearGain,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Warning::Worse => "worse on rows not fitted: do not use these weights",
            Warning::NoClearGain => {
                "no clear gain on rows not fitted: keep the start weights, or fit more rows"
            }
        })
    }
}

impl Warning {
    /// What there is to say against the weights of a run with these reports, if anything.
    pub fn of(reports: &[PassReport]) -> Option<Warning> {
        let [start, .., last] = reports else { return None };
        let is_held_out = start.held_out.is_some() || start.loss.is_some_and(|loss| loss.held_out.is_some());
        if !is_held_out || best(reports.iter()) > 0 {
            return None;
        }
        Some(if start.is_better_than(last) { Warning::Worse } else { Warning::NoClearGain })
    }
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
    fn rows_that_are_tied_or_in_no_order_are_suspicious() {
        let suspicion = |rank_sum, tied_sum| {
            let agreement =
                Agreement { choices: 10, alternatives: 110, rank_sum, tied_sum, ..Agreement::default() };
            Suspicion::of(&agreement)
        };
        assert_eq!(suspicion(0, 100), Some(Suspicion::AllTied));
        assert_eq!([suspicion(49, 0), suspicion(20, 59)], [Some(Suspicion::ByChance); 2]);
        assert_eq!(suspicion(30, 10), None);
        assert_eq!(Suspicion::of(&Agreement::default()), None);
    }

    #[test]
    fn a_run_that_is_of_no_use_on_choices_held_out_is_warned_of() {
        let held_out = |rank_sum| Agreement { choices: 100, rank_sum, ..Agreement::default() };
        let run = |ranks: &[u64], error: f64| {
            let report = |(pass, &rank): (usize, &u64)| PassReport {
                held_out: Some(held_out(rank)),
                criterion: Criterion::Rank,
                rank_errors: vec![Some(error); pass],
                ..PassReport::default()
            };
            Warning::of(&ranks.iter().enumerate().map(report).collect::<Vec<_>>())
        };
        assert_eq!(run(&[300, 280, 310], 0.3), Some(Warning::Worse));
        assert_eq!(run(&[300, 280, 290], 0.3), Some(Warning::NoClearGain));
        assert_eq!(run(&[300, 280, 290], 0.01), None);
        // Nothing was fitted, or nothing held out.
        assert_eq!(run(&[300], 0.0), None);
        assert_eq!(Warning::of(&[PassReport::default(), PassReport::default()]), None);
    }
}
