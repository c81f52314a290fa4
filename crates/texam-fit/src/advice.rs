//! What speaks against rows and weights, for those who show a run to people.

use std::fmt;

use crate::{
    agreement::Agreement,
    difference::Difference,
    objective::Criterion,
    report::PassReport,
    step::{Fit, ParameterReport},
};

/// A mean rank of more than this share of that by chance is no better than chance.
const LIKE_CHANCE: f64 = 0.9;

/// Names of weights that are listed at most.
const MOST_NAMES: usize = 8;

/// So many directions are named.
const MOST_DIRECTIONS: usize = 3;

/// What is suspicious in how the chosen rows stand under the start weights. Those who know what rows are may
/// say it in their own words.
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

/// What speaks against the weights of a fit, whose pass has this report.
pub(crate) fn fit_warnings(report: &PassReport, fit: &Fit) -> Vec<String> {
    let undetermined = separation(report, fit).or_else(|| open_weights(fit));
    // Weights that begin near 0 have no size to compare with.
    let has_size = fit.largest > report.loss.map_or(0.0, |loss| loss.temperature);
    let left = fit.descent.and_then(|descent| Some((descent.steps, descent.left?)));
    let stopped = left.map(|(steps, left)| {
        format!("stopped at the limit of {steps} steps: the loss may still fall by {left:.2e}")
    });
    let few = fit.few_clusters.map(|games| {
        let least = fit.solved + 1;
        format!(
            "no standard errors: {} weights need the rows of {least} games or more, and there are {games}",
            fit.solved
        )
    });
    let large = large_changes(fit).filter(|_| has_size);
    let warnings = [undetermined, fallen_match(report), large, stopped, few];
    warnings.into_iter().flatten().collect()
}

/// That the match on the choices fitted is below that of the start by more than two standard errors.
fn fallen_match(report: &PassReport) -> Option<String> {
    let Difference { match_rate, match_error, .. } = report.against_start[0]?;
    let text = format!(
        "match fitted {match_rate:+.4} +- {match_error:.4} from pass 0: these weights agree less than those of the start"
    );
    (match_rate < -2.0 * match_error).then_some(text)
}

/// The weights that have changed by more than the largest of the start.
fn large_changes(fit: &Fit) -> Option<String> {
    let change = |weight: &ParameterReport| weight.after - weight.before;
    let is_large = |weight: &&ParameterReport| change(weight).abs() > fit.largest;
    let named = |weight: &ParameterReport| format!("{} by {:+.0}", weight.name, change(weight));
    let names: Vec<String> = fit.parameters.iter().filter(is_large).map(named).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text =
        format!("changed by more than the largest weight of the start, {}: {}", fit.largest, listed(&names));
    (!names.is_empty()).then_some(text)
}

/// The weights that the rows of a fit hardly tell apart, if there are any, by the directions along which they
/// may move.
fn open_weights(fit: &Fit) -> Option<String> {
    let names = |places: &Vec<usize>| {
        let names: Vec<&str> = places.iter().map(|&place| &*fit.parameters[place].name).collect();
        listed(&names)
    };
    let (told, more) = fit.open_directions.split_at(fit.open_directions.len().min(MOST_DIRECTIONS));
    let told: Vec<String> = told.iter().map(names).collect();
    let more = if more.is_empty() { String::new() } else { format!("; and {} more such sets", more.len()) };
    let text = format!("the rows hardly tell these weights apart: {}{more}", told.join("; "));
    (!told.is_empty()).then_some(text)
}

/// A mean loss below this is that of choices that the weights separate.
const NO_LOSS: f64 = 1e-3;

/// What is to be said if a fit without a ridge has left no loss, or weights that grow without end: then there
/// is no best value of the weights that separate the choices. Names them, or those that have grown most.
fn separation(report: &PassReport, fit: &Fit) -> Option<String> {
    if fit.ridge > 0.0 {
        return None;
    }
    let names = |which: &dyn Fn(&ParameterReport) -> bool| -> Vec<&str> {
        fit.parameters.iter().filter(|weight| which(weight)).map(|weight| &*weight.name).collect()
    };
    let (why, names) = if report.loss?.fitted.mean < NO_LOSS {
        let what =
            if report.criterion.has_choices() { "every chosen row is ahead" } else { "every label is met" };
        (what, names(&|weight| (weight.after - weight.before).abs() > fit.max_change / 2.0))
    } else {
        ("nearly every row is far ahead", names(&|weight| weight.grows))
    };
    let text = format!("{why}, so these weights grow without end: {}; use a ridge", listed(&names));
    (!names.is_empty()).then_some(text)
}

/// The first names, and how many more there are.
fn listed(names: &[&str]) -> String {
    let (listed, more) = names.split_at(names.len().min(MOST_NAMES));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    format!("{}{more}", listed.join(", "))
}

/// What the choices held out say against the last weights of a run. Those who know what choices are may say
/// it in their own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Warning {
    /// They are worse there than the start by more than two standard errors.
    Worse,
    /// They are better by less than two standard errors, or not at all.
    NoClearGain,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Warning::Worse => "worse on rows not fitted: do not use these weights",
            Warning::NoClearGain => {
                "no clear difference on rows not fitted: keep the start weights, or fit more rows"
            }
        })
    }
}

impl Warning {
    /// What there is to say against the weights of a run with these reports, if anything.
    pub fn of(reports: &[PassReport]) -> Option<Warning> {
        let [start, .., last] = reports else { return None };
        let error = last.error_against_start()?;
        let gain = if last.criterion == Criterion::Match { 1.0 } else { -1.0 }
            * (last.judged_by() - start.judged_by());
        if gain < -2.0 * error {
            Some(Warning::Worse)
        } else {
            (gain < 2.0 * error).then_some(Warning::NoClearGain)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{agreement::ClusterCounts, difference::Difference};

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
                against_start: [None, Some(Difference { mean_rank_error: error, ..Difference::default() })],
                ..PassReport::default()
            };
            Warning::of(&ranks.iter().enumerate().map(report).collect::<Vec<_>>())
        };
        assert_eq!(run(&[300, 280, 310], 0.04), Some(Warning::Worse));
        assert_eq!(run(&[300, 280, 310], 0.3), Some(Warning::NoClearGain));
        assert_eq!(run(&[300, 280, 290], 0.3), Some(Warning::NoClearGain));
        // A single cluster held out tells no error.
        assert_eq!(run(&[300, 280, 900], f64::NAN), None);
        assert_eq!(run(&[300, 280, 290], 0.01), None);
        // Nothing was fitted, or nothing held out.
        assert_eq!(run(&[300], 0.0), None);
        assert_eq!(Warning::of(&[PassReport::default(), PassReport::default()]), None);
    }

    /// Two passes whose ranks have the same distribution, in clusters whose choices resemble each other.
    #[test]
    fn where_nothing_has_changed_at_most_one_run_in_twenty_is_called_worse() {
        let mut random = fastrand::Rng::with_seed(1988);
        let mut pass = || -> Vec<ClusterCounts> {
            let mut cluster = |cluster| {
                let level = random.u64(0..8);
                let doubled_rank = (0..20).map(|_| level + random.u64(0..12)).sum();
                ClusterCounts { cluster, choices: 20, doubled_rank, ..ClusterCounts::default() }
            };
            (0..40).map(&mut cluster).collect()
        };
        let report = |clusters: &[ClusterCounts], start: &[ClusterCounts]| PassReport {
            held_out: Some(Agreement {
                choices: 800,
                tied_sum: clusters.iter().map(|counts| counts.doubled_rank).sum(),
                ..Agreement::default()
            }),
            against_start: [None, Difference::between(clusters, start)],
            ..PassReport::default()
        };
        let runs = 2000;
        let worse = (0..runs).filter(|_| {
            let (start, last) = (pass(), pass());
            Warning::of(&[report(&start, &start), report(&last, &start)]) == Some(Warning::Worse)
        });
        let worse = worse.count();
        assert!((runs / 100..=runs / 20).contains(&worse), "{worse} of {runs}");
    }
}
