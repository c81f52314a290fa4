//! What `texam fit --json` prints of a run.

use serde::Serialize;
use texam_fit::{Difference, Figures, ObjectiveName, Pass, PassReport};

use crate::run::stat::Trend;

#[derive(Serialize)]
pub struct FitCommandReport {
    pub name: String,
    pub objective: ObjectiveName,
    /// In 1/128 pawn; none for the objective `force`.
    pub temperature: Option<f64>,
    pub passes: Vec<PassSummary>,
    /// The weights that were tuned; none where no fit was made.
    pub weights: Vec<WeightSummary>,
    /// Number of the best pass, and of the last.
    pub best: usize,
    pub last: usize,
    pub stopped: &'static str,
    /// What the games held out say against the weights, if anything.
    pub warning: Option<&'static str>,
    pub files: Vec<String>,
}

#[derive(Serialize)]
pub struct PassSummary {
    #[serde(rename = "match")]
    match_rate: Option<f64>,
    match_se: Option<f64>,
    mean_rank: Option<f64>,
    holdout_match: Option<f64>,
    holdout_mean_rank: Option<f64>,
    in_bound_positions: u64,
    spread: f64,
    mean_gain: f64,
    loss: Option<f64>,
    loss_se: Option<f64>,
    holdout_loss: Option<f64>,
    holdout_loss_se: Option<f64>,
    /// Strength of the ridge of the fit before, where it was to be chosen.
    ridge: Option<f64>,
    /// On the positions held out, or fitted where none are; none for pass 0.
    against_start: Option<StartDifference>,
    /// Standard errors of the run; none where no groups of games were left out.
    run_se: Option<FigureErrors>,
    search_seconds: f64,
    fit_seconds: f64,
}

/// A weight over the whole run, in 1/128 pawn.
#[derive(Serialize)]
pub struct WeightSummary {
    weight: String,
    from: f64,
    to: f64,
    /// Standard error of the run; none where no groups of games were left out.
    se_run: Option<f64>,
    /// Positions that bear on it in the last fit, and games.
    support: u32,
    games: Option<u64>,
    /// Share of its free step that the ridge held back in the last fit; none where it kept its value.
    held: Option<f64>,
}

impl From<&Trend> for WeightSummary {
    fn from(trend: &Trend) -> WeightSummary {
        let ends = [trend.values.first(), trend.values.last()];
        let [from, to] = ends.map(|value| value.copied().unwrap_or_default());
        let &Trend { support, games, held, .. } = trend;
        let (weight, se_run) = (trend.name.clone(), trend.run_error());
        WeightSummary { weight, from, to, se_run, support, games, held }
    }
}

/// Standard errors of the run, of the figures of a pass.
#[derive(Serialize)]
pub struct FigureErrors {
    #[serde(rename = "match")]
    match_rate: Option<f64>,
    mean_rank: Option<f64>,
    loss: Option<f64>,
    holdout_match: Option<f64>,
    holdout_mean_rank: Option<f64>,
    holdout_loss: Option<f64>,
}

impl From<Figures> for FigureErrors {
    fn from(Figures { match_rate, mean_rank, loss }: Figures) -> FigureErrors {
        FigureErrors {
            match_rate: match_rate[0],
            mean_rank: mean_rank[0],
            loss: loss[0],
            holdout_match: match_rate[1],
            holdout_mean_rank: mean_rank[1],
            holdout_loss: loss[1],
        }
    }
}

/// Agreement of a pass less that of the start, paired by position, with standard errors by game.
#[derive(Serialize)]
pub struct StartDifference {
    #[serde(rename = "match")]
    match_rate: f64,
    match_se: f64,
    mean_rank: f64,
    mean_rank_se: f64,
}

impl From<Difference> for StartDifference {
    fn from(difference: Difference) -> StartDifference {
        let Difference { match_rate, match_error, mean_rank, mean_rank_error } = difference;
        StartDifference { match_rate, match_se: match_error, mean_rank, mean_rank_se: mean_rank_error }
    }
}

/// A pass, with its report as the file has it.
pub fn pass_summary((Pass { report, timing, .. }, stored): (&Pass, &PassReport)) -> PassSummary {
    let has_choices = report.criterion.has_choices();
    let of_choices = |figure: f64| has_choices.then_some(figure);
    let held_out_loss = report.loss.and_then(|loss| loss.held_out);
    PassSummary {
        match_rate: of_choices(report.fitted.match_rate()),
        match_se: of_choices(report.fitted.match_error()),
        mean_rank: of_choices(report.fitted.mean_rank()),
        holdout_match: report.held_out.as_ref().and_then(|held_out| of_choices(held_out.match_rate())),
        holdout_mean_rank: report.held_out.as_ref().and_then(|held_out| of_choices(held_out.mean_rank())),
        in_bound_positions: report.fitted.kept_choices,
        spread: report.spread,
        mean_gain: stored.mean_gain,
        loss: report.loss.map(|loss| loss.fitted.mean),
        loss_se: report.loss.map(|loss| loss.fitted.error),
        holdout_loss: held_out_loss.map(|loss| loss.mean),
        holdout_loss_se: held_out_loss.map(|loss| loss.error),
        ridge: report.ridges.chosen(),
        against_start: stored.change().map(StartDifference::from),
        run_se: stored.run_errors.map(FigureErrors::from),
        search_seconds: timing.search,
        fit_seconds: timing.fit,
    }
}
