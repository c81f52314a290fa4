//! What a run reports: one [`Pass`] after the other, and which of them is the best.

use serde::{Deserialize, Serialize};

use crate::{
    agreement::{Agreement, ClusterSets},
    difference::{Difference, finite_or_null},
    loss::{LossReport, LossSets, MeanLoss},
    objective::Criterion,
    path::RidgePath,
    statistics::Misses,
    step::Fit,
};

/// What one pass measured.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PassReport {
    /// Number of the pass; 0 is the start.
    pub number: u32,
    /// Agreement on the choices fitted.
    pub fitted: Agreement,
    /// Agreement on the choices held out, where there are some.
    pub held_out: Option<Agreement>,
    /// Spread of the kept values, in units.
    pub spread: f64,
    /// Mean value of the rows, in units.
    pub mean_gain: f64,
    /// The misses of the choices.
    pub misses: Misses,
    /// The fit that led to these values; none at the start.
    pub fit: Option<FitReport>,
    /// The loss, for an objective with a temperature.
    #[serde(rename = "losses")]
    pub loss: Option<LossReport>,
    /// How the pass is compared with others.
    pub criterion: Criterion,
    /// Agreement less that of the start, on the choices fitted and on those held out; none at the start, and
    /// where there are no choices.
    #[serde(rename = "changes")]
    pub against_start: [Option<Difference>; 2],
    /// Standard error of the mean rank on the choices held out less that of each pass before, paired; none
    /// where it is not known.
    pub rank_errors: Vec<Option<f64>>,
    /// The ridges that the fit before tried, where it was to choose one.
    pub ridges: RidgePath,
    /// Standard errors of the whole run, by leaving out groups of clusters; none where none were left out.
    pub run_errors: Option<Figures>,
    /// What speaks against the weights that the fit before led to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl PassReport {
    /// The number by which passes are compared, on the choices held out where there are some: the mean rank,
    /// the match rate, or the mean loss.
    pub fn judged_by(&self) -> f64 {
        let agreement = self.held_out.as_ref().unwrap_or(&self.fitted);
        match (self.criterion, &self.loss) {
            (Criterion::Loss, Some(loss)) => loss.held_out.unwrap_or(loss.fitted).mean,
            (Criterion::Match, _) => agreement.match_rate(),
            (Criterion::Rank | Criterion::Loss, _) => agreement.mean_rank(),
        }
    }

    /// Whether the pass is better than another, by its criterion.
    pub fn is_better_than(&self, other: &PassReport) -> bool {
        match self.criterion {
            Criterion::Match => self.judged_by() > other.judged_by(),
            Criterion::Rank | Criterion::Loss => self.judged_by() < other.judged_by(),
        }
    }

    /// Standard error of [`judged_by`](PassReport::judged_by) less that of the start, on the choices held
    /// out; none where nothing is held out, or too little to tell it. It is that of the paired difference, by
    /// cluster.
    pub(crate) fn error_against_start(&self) -> Option<f64> {
        let change = self.against_start[1];
        let error = match self.criterion {
            Criterion::Rank => change?.mean_rank_error,
            Criterion::Match => change?.match_error,
            Criterion::Loss => self.loss?.changes[1]?.error,
        };
        error.is_finite().then_some(error)
    }

    /// The agreement less that of the start, on the choices held out where there are some.
    pub fn change(&self) -> Option<Difference> {
        let [fitted, held_out] = self.against_start;
        if self.held_out.is_some() { held_out } else { fitted }
    }
}

/// What the fit before a pass did, in short.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FitReport {
    /// Parameters solved for.
    pub solved: usize,
    /// Rank of the equations.
    pub rank: usize,
    /// Condition number.
    #[serde(with = "finite_or_null")]
    pub condition: f64,
    /// Root mean square of the residuals, in units; none where no errors were asked for.
    pub residual: Option<f64>,
    /// Largest change of a parameter, in units.
    pub max_change: f64,
    /// [Effective number](Fit::effective) of weights.
    pub effective: Option<f64>,
    /// By how much the mean loss may [still fall](crate::DescentReport::left).
    pub left: Option<f64>,
}

impl FitReport {
    pub(crate) fn of(fit: &Fit) -> FitReport {
        FitReport {
            solved: fit.solved,
            rank: fit.rank,
            condition: fit.condition,
            residual: fit.residual,
            max_change: fit.max_change,
            effective: Some(fit.effective),
            left: fit.descent.and_then(|descent| descent.left),
        }
    }
}

/// What a pass is judged by, on the clusters fitted and on those held out; or the standard errors of these
/// figures.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Match rate, 0 to 1.
    pub match_rate: [Option<f64>; 2],
    /// Mean rank.
    pub mean_rank: [Option<f64>; 2],
    /// Mean loss.
    pub loss: [Option<f64>; 2],
}

impl Figures {
    /// Those of a report.
    pub fn of(report: &PassReport) -> Figures {
        let agreements = [Some(&report.fitted), report.held_out.as_ref()];
        let agreements = agreements.map(|set| set.filter(|_| report.criterion.has_choices()));
        let losses =
            report.loss.map_or([None; 2], |LossReport { fitted, held_out, .. }| [Some(fitted), held_out]);
        Figures {
            match_rate: agreements.map(|set| Some(set?.match_rate())),
            mean_rank: agreements.map(|set| Some(set?.mean_rank())),
            loss: losses.map(|loss: Option<MeanLoss>| Some(loss?.mean)),
        }
    }

    /// What `of` makes of each figure of several.
    pub(crate) fn each(all: &[Figures], of: impl Fn(&[f64]) -> f64) -> Figures {
        let figure = |figure: fn(&Figures) -> [Option<f64>; 2]| {
            [0, 1].map(|set| {
                let values: Option<Vec<f64>> = all.iter().map(|figures| figure(figures)[set]).collect();
                values.map(|values| of(&values))
            })
        };
        Figures {
            match_rate: figure(|figures| figures.match_rate),
            mean_rank: figure(|figures| figures.mean_rank),
            loss: figure(|figures| figures.loss),
        }
    }
}

/// Where the time of a pass went.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Timing {
    /// Seconds of searching and summing.
    #[serde(rename = "search_seconds")]
    pub search: f64,
    /// Seconds of the fit that led to the pass.
    #[serde(rename = "fit_seconds")]
    pub fit: f64,
}

/// One measured pass.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pass {
    /// What was measured.
    pub report: PassReport,
    /// The values of all parameters it was measured with, in units.
    pub values: Vec<f64>,
    /// Where the time went.
    pub timing: Timing,
    /// What the clusters count, in the order of their numbers.
    pub clusters: ClusterSets,
    /// The losses of the clusters in the same order; of the first pass only, with which others are compared.
    pub losses: LossSets,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// All passes, those of an earlier part of a resumed run included.
    pub passes: Vec<Pass>,
    /// Why it ended.
    pub stopped: StopReason,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// All fits were made.
    Iterations,
    /// Agreement has not risen for long enough.
    Patience,
    /// The source was cancelled; the pass that ran is dropped.
    Cancelled,
}

/// Index of the best report by its [criterion](Criterion).
///
/// By mean rank it is the earliest whose mean rank on the choices held out is within one standard error of
/// the lowest, with the standard error of the paired difference (the one-standard-error rule of Breiman and
/// others, 1984). By match or loss it is the highest or lowest, and the earliest of equals. Without choices
/// held out there is none, but by match, as in 1988.
pub fn best<'a>(reports: impl Iterator<Item = &'a PassReport>) -> Option<usize> {
    let reports: Vec<&PassReport> = reports.collect();
    let extreme = extreme(&reports);
    let report = reports.get(extreme)?;
    let is_judged = report.held_out.is_some() || report.criterion == Criterion::Match;
    is_judged.then(|| match report.criterion {
        Criterion::Rank => {
            let is_near = |(pass, other): (usize, &&PassReport)| {
                let error = report.rank_errors.get(pass).copied().flatten();
                error.is_some_and(|error| other.judged_by() - report.judged_by() <= error)
            };
            reports[..extreme].iter().enumerate().position(is_near).unwrap_or(extreme)
        }
        Criterion::Match | Criterion::Loss => extreme,
    })
}

/// Index of the report that no other is better than; the earliest of equals.
pub fn extreme(reports: &[&PassReport]) -> usize {
    let mut best = 0;
    for (index, report) in reports.iter().enumerate() {
        if report.is_better_than(reports[best]) {
            best = index;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(matched: u64, held_out: Option<u64>) -> PassReport {
        let agreement = |matched| Agreement { choices: 100, matched, ..Agreement::default() };
        PassReport {
            number: 0,
            fitted: agreement(matched),
            held_out: held_out.map(agreement),
            spread: 0.0,
            mean_gain: 0.0,
            misses: Misses::default(),
            fit: None,
            loss: None,
            criterion: Criterion::Match,
            against_start: [None; 2],
            rank_errors: Vec::new(),
            run_errors: None,
            warnings: Vec::new(),
            ridges: RidgePath::default(),
        }
    }

    /// A pass with this sum of ranks in 100 choices held out, and the errors of its differences to those
    /// before.
    fn ranked(rank_sum: u64, rank_errors: &[f64]) -> PassReport {
        let held_out = Agreement { choices: 100, rank_sum, ..Agreement::default() };
        let rank_errors = rank_errors.iter().copied().map(Some).collect();
        PassReport { held_out: Some(held_out), criterion: Criterion::Rank, rank_errors, ..report(0, None) }
    }

    #[test]
    fn the_best_pass_is_the_earliest_within_one_error_of_the_lowest_mean_rank() {
        let first = ranked(350, &[]);
        let second = ranked(306, &[0.09]);
        let far =
            [first.clone(), second.clone(), ranked(300, &[0.09, 0.05]), ranked(303, &[0.09, 0.05, 0.01])];
        let near = [first.clone(), second, ranked(300, &[0.09, 0.07]), ranked(303, &[0.09, 0.07, 0.01])];
        let unknown = [first, PassReport { rank_errors: vec![None], ..ranked(300, &[]) }];
        let none_held_out =
            [1, 2, 3].map(|matched| PassReport { criterion: Criterion::Rank, ..report(matched, None) });
        assert_eq!([best(far.iter()), best(near.iter()), best(unknown.iter())], [Some(2), Some(1), Some(1)]);
        assert_eq!((best(none_held_out.iter()), best(none_held_out[..0].iter())), (None, None));
        let by_match = near.map(|report| PassReport { criterion: Criterion::Match, ..report });
        assert_eq!(best(by_match.iter()), Some(0));
    }

    #[test]
    fn the_best_pass_is_the_earliest_of_equals() {
        let best_of =
            |matched: &[u64]| best(matched.iter().map(|&m| report(m, None)).collect::<Vec<_>>().iter());
        assert_eq!(
            [best_of(&[30, 32, 32, 31]), best_of(&[5, 5]), best_of(&[1, 2, 3]), best_of(&[])],
            [Some(1), Some(0), Some(2), None]
        );
    }

    #[test]
    fn the_best_pass_is_judged_on_choices_held_out_where_there_are_some() {
        let reports = [report(30, Some(20)), report(40, Some(19)), report(35, Some(21))];
        assert_eq!(best(reports.iter()), Some(2));
        assert_eq!((reports[1].judged_by(), report(40, None).judged_by()), (0.19, 0.4));
    }

    #[test]
    fn with_the_criterion_of_the_loss_the_smallest_is_best() {
        let report = |mean: f64| {
            let loss = |mean| crate::MeanLoss { mean, error: 0.0 };
            let held_out = Some(loss(mean));
            let losses = LossReport { temperature: 64.0, fitted: loss(-mean), held_out, changes: [None; 2] };
            PassReport { loss: Some(losses), criterion: Criterion::Loss, ..report(0, Some(0)) }
        };
        assert_eq!(best([report(0.5), report(0.3), report(0.4), report(0.3)].iter()), Some(1));
    }
}
