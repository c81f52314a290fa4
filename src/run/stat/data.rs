//! The data of a run as JSON: what is written to NAME.json and read from it, and what `texam fit --json`
//! prints.

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use texam_fit::{Difference, Figures, ObjectiveName, PassReport, StopReason, Timing, Warning};

use super::{FrozenWeight, Header, RunRecord, Trend};
use crate::{
    error::{Error, Result},
    run::json_text,
};

/// Before the SHA-256 of all the text before it, in hexadecimal.
const CHECKSUM: &str = ",\n  \"checksum\": \"";

impl RunRecord {
    /// The text of NAME.json.
    pub fn to_json(&self) -> Result<String> {
        let text = json_text(&RunDocument::of(self))?;
        let body = text.trim_end_matches("\n}\n");
        Ok(format!("{body}{CHECKSUM}{}\"\n}}\n", checksum(body)))
    }

    /// Reads the text of NAME.json, in which nothing may have changed since it was written.
    pub fn from_json(text: &str) -> Result<RunRecord> {
        let is_whole = |(body, end): &(&str, &str)| end.trim_end() == format!("{}\"\n}}", checksum(body));
        if text.rsplit_once(CHECKSUM).filter(is_whole).is_none() {
            let found = "a file that was cut off or changed; put it back as it was, or make the run again";
            return Err(Error::expected("the data of a run with the checksum of its text", found));
        }
        serde_json::from_str(text).map_err(|error| {
            let found = format!("those of another version ({error}); make the run again");
            Error::expected("the data of a run of this version of texam", found)
        })
    }
}

pub(super) fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The data of a run, and what follows from them.
#[derive(Serialize)]
pub struct RunDocument<'a> {
    /// The name of the run, which only `fit --json` has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    objective: ObjectiveName,
    /// In units; none for the objective `force`.
    temperature: Option<f64>,
    pub passes: Vec<PassDocument<'a>>,
    weights: Vec<WeightDocument<'a>>,
    /// Number of the best pass, if there is one, and of the last.
    best: Option<usize>,
    last: usize,
    pub stopped: Option<StopReason>,
    /// What the games held out say against the weights, if anything.
    warning: Option<&'static str>,
    /// The files of the run, which only `fit --json` has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    header: &'a Header,
    value_passes: &'a [u32],
    frozen: &'a [FrozenWeight],
}

/// A pass, and the figures that follow from its counts.
#[derive(Serialize)]
pub struct PassDocument<'a> {
    #[serde(rename = "match")]
    match_rate: Option<f64>,
    match_se: Option<f64>,
    mean_rank: Option<f64>,
    holdout_match: Option<f64>,
    holdout_mean_rank: Option<f64>,
    in_bound_positions: u64,
    loss: Option<f64>,
    loss_se: Option<f64>,
    holdout_loss: Option<f64>,
    holdout_loss_se: Option<f64>,
    /// The loss less that of the start, on the positions held out, or fitted where none are; none for pass 0.
    loss_change: Option<f64>,
    loss_change_se: Option<f64>,
    /// Strength of the ridge of the fit before, where it was to be chosen; none too where it is infinite.
    ridge: Option<f64>,
    /// On the positions held out, or fitted where none are; none for pass 0.
    against_start: Option<PairedDifference>,
    /// Standard errors of the run; none where no groups of games were left out.
    #[serde(serialize_with = "by_name")]
    run_se: Option<Figures>,
    /// Where the time went, which only `fit --json` has.
    #[serde(flatten)]
    pub timing: Option<Timing>,
    #[serde(flatten)]
    report: &'a PassReport,
}

/// A weight over the whole run, in units.
#[derive(Serialize)]
struct WeightDocument<'a> {
    from: f64,
    to: f64,
    /// Standard error of the run; none where no groups of games were left out.
    se_run: Option<f64>,
    #[serde(flatten)]
    trend: &'a Trend,
}

/// Agreement less that of other weights, paired by position, with standard errors by game.
#[derive(Clone, Copy, Serialize)]
pub struct PairedDifference {
    #[serde(rename = "match")]
    pub match_rate: f64,
    pub match_se: f64,
    pub mean_rank: f64,
    pub mean_rank_se: f64,
}

impl RunDocument<'_> {
    /// The data of a run as they stand in its file.
    pub fn of(record: &RunRecord) -> RunDocument<'_> {
        let RunRecord { header, stopped, reports, trends } = record;
        let warning = Warning::of(reports).filter(|_| record.is_finished());
        RunDocument {
            name: None,
            objective: header.objective(),
            temperature: reports.first().and_then(|report| Some(report.loss?.temperature)),
            passes: reports.iter().map(PassDocument::of).collect(),
            weights: trends.weights.iter().map(WeightDocument::of).collect(),
            best: record.best(),
            last: reports.len().saturating_sub(1),
            stopped: *stopped,
            warning: warning.map(warning_text),
            files: None,
            header,
            value_passes: &trends.passes,
            frozen: &trends.frozen,
        }
    }
}

/// What the games held out say against the weights.
pub fn warning_text(warning: Warning) -> &'static str {
    match warning {
        Warning::Worse => "worse on games not fitted: do not use these weights",
        Warning::NoClearGain => {
            "no clear difference on games not fitted: keep the start weights, or fit more games"
        }
    }
}

impl PassDocument<'_> {
    fn of(report: &PassReport) -> PassDocument<'_> {
        let of_choices = |figure: f64| Some(figure).filter(|_| report.criterion.has_choices());
        let loss_change = report.loss.and_then(|loss| loss.judged().1);
        let held_out_loss = report.loss.and_then(|loss| loss.held_out);
        PassDocument {
            match_rate: of_choices(report.fitted.match_rate()),
            match_se: of_choices(report.fitted.match_error()),
            mean_rank: of_choices(report.fitted.mean_rank()),
            holdout_match: report.held_out.as_ref().and_then(|held_out| of_choices(held_out.match_rate())),
            holdout_mean_rank: report.held_out.as_ref().and_then(|held_out| of_choices(held_out.mean_rank())),
            in_bound_positions: report.fitted.kept_choices,
            loss: report.loss.map(|loss| loss.fitted.mean),
            loss_se: report.loss.map(|loss| loss.fitted.error),
            holdout_loss: held_out_loss.map(|loss| loss.mean),
            holdout_loss_se: held_out_loss.map(|loss| loss.error),
            loss_change: loss_change.map(|change| change.mean),
            loss_change_se: loss_change.map(|change| change.error),
            ridge: report.ridges.chosen().and_then(|chosen| chosen.ridge),
            against_start: report.change().map(PairedDifference::from),
            run_se: report.run_errors,
            timing: None,
            report,
        }
    }
}

impl WeightDocument<'_> {
    fn of(trend: &Trend) -> WeightDocument<'_> {
        let [from, to] =
            [trend.values.first(), trend.values.last()].map(|value| value.copied().unwrap_or_default());
        WeightDocument { from, to, se_run: trend.run_error(), trend }
    }
}

/// Figures on the positions fitted and on those held out, each by its name.
fn by_name<S: Serializer>(figures: &Option<Figures>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(Figures { match_rate, mean_rank, loss }) = figures else { return serializer.serialize_none() };
    serializer.collect_map([
        ("match", match_rate[0]),
        ("mean_rank", mean_rank[0]),
        ("loss", loss[0]),
        ("holdout_match", match_rate[1]),
        ("holdout_mean_rank", mean_rank[1]),
        ("holdout_loss", loss[1]),
    ])
}

impl From<Difference> for PairedDifference {
    fn from(difference: Difference) -> PairedDifference {
        let Difference { match_rate, match_error, mean_rank, mean_rank_error } = difference;
        PairedDifference { match_rate, match_se: match_error, mean_rank, mean_rank_se: mean_rank_error }
    }
}
