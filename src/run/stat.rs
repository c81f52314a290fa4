//! What a run measured in every pass: its data, which are read from NAME.json, and NAME.stat, the same as
//! text for people.
//!
//! Neither contains times, so the same run gives the same bytes. The complete weights of every pass are in
//! the `.par` files in the same folder. This module formats and reads numbers; it does not compute them.

mod data;
mod fitted;
mod print;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod trends;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use texam_fit::{Criterion, Model, ObjectiveName, Outcome, PassReport, StopReason, best};

pub use data::{PairedDifference, RunDocument, warning_text};
pub use fitted::FittedWeight;
pub use print::error_text;
pub use trends::{FrozenWeight, MOSTLY_HELD, Trend, Trends, by_weight, is_clear, not_tuned, not_tuned_of};

/// The search of this version, by the signature that `texam bench` prints. Ranks that another search has
/// found are not its own.
pub const SEARCH: &str = "8b66006aa4cbe07b";

/// Number of columns for the moves ahead of the played one; the last column also counts all positions with
/// more.
pub const AHEAD_PLACES: usize = 16;

/// Positions by the number of moves ahead of the played one, from a histogram with a place for each number.
pub fn ahead_counts(histogram: &[u64]) -> [u64; AHEAD_PLACES] {
    let mut counts = [0_u64; AHEAD_PLACES];
    for (ahead, &count) in histogram.iter().enumerate() {
        let place = &mut counts[ahead.min(AHEAD_PLACES - 1)];
        *place = place.saturating_add(count);
    }
    counts
}

/// A list of which a single text stands for itself.
mod one_or_several {
    use super::*;

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Texts {
        One(String),
        Several(Vec<String>),
    }

    pub fn serialize<S: Serializer>(texts: &[String], to: S) -> Result<S::Ok, S::Error> {
        match texts {
            [one] if to.is_human_readable() => one.serialize(to),
            texts => texts.serialize(to),
        }
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<String>, D::Error> {
        if !from.is_human_readable() {
            return Vec::deserialize(from);
        }
        Ok(match Texts::deserialize(from)? {
            Texts::One(text) => vec![text],
            Texts::Several(texts) => texts,
        })
    }
}

/// What a run is made of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Header {
    /// The [search](SEARCH) that found the ranks of its positions; none if it is not known.
    pub search: Option<String>,
    /// The files of games as given on the command line; a file or the command of rows.
    #[serde(with = "one_or_several")]
    pub games: Vec<String>,
    /// SHA-256 of the decompressed games, in hexadecimal.
    pub digest: String,
    /// Number of decisive games in the file.
    pub decisive: u64,
    /// Number of games that could not be used: unreadable games and chess variants.
    pub skipped: u64,
    /// Number of games held out.
    pub held_out_games: u64,
    /// Numbers of fitted and of held-out positions.
    pub positions: [u64; 2],
    /// Digest of the start weights ([`crate::par::digest`]).
    pub start: String,
    /// Every option with its value, as on the command line, without the leading dashes.
    #[serde(with = "as_object")]
    pub options: Vec<(String, String)>,
}

/// Pairs of texts as an object, whose order is kept.
mod as_object {
    use std::{fmt, iter};

    use serde::{
        Deserializer, Serializer,
        de::{MapAccess, Visitor},
    };

    type Pairs = Vec<(String, String)>;

    pub fn serialize<S: Serializer>(pairs: &Pairs, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        struct Texts;
        impl<'de> Visitor<'de> for Texts {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                iter::from_fn(|| map.next_entry().transpose()).collect()
            }
        }
        deserializer.deserialize_map(Texts)
    }
}

impl Header {
    /// The objective of the run; a run without this option has that of 1988.
    pub fn objective(&self) -> ObjectiveName {
        self.option("objective").and_then(|value| value.parse().ok()).unwrap_or_default()
    }

    /// The value of an option of the run, if the run has an option of this name.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Whether its passes walked through stored trees, so that match, rank and all else were measured there.
    pub fn walks_trees(&self) -> bool {
        self.option("trees") == Some("on")
    }

    /// Whether the run was made on rows of another program.
    pub fn is_on_rows(&self) -> bool {
        self.option("choices").or(self.option("choices-from")).is_some()
    }

    /// The unit of weights and values.
    pub fn unit(&self) -> &'static str {
        if self.is_on_rows() { "unit of the weights" } else { "1/128 pawn" }
    }

    /// Whether positions have several moves. Labelled positions do not.
    fn has_moves(&self) -> bool {
        self.criterion().has_choices()
    }

    /// Whether the file has a histogram of the misses: its steps are fractions of our pawn.
    fn has_misses(&self) -> bool {
        self.has_moves() && !self.is_on_rows()
    }

    /// How the passes of the run are compared.
    fn criterion(&self) -> Criterion {
        match self.objective() {
            ObjectiveName::Logistic => Criterion::Loss,
            _ if self.option("preset") == Some("1988") => Criterion::Match,
            ObjectiveName::Force | ObjectiveName::Softmax | ObjectiveName::Pairs => Criterion::Rank,
        }
    }
}

/// The data of a run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RunRecord {
    /// Search, games and options of the run.
    pub header: Header,
    /// Why the run has ended; none while it goes on, and after it was interrupted.
    pub stopped: Option<StopReason>,
    /// The measurements of each pass.
    #[serde(rename = "passes")]
    pub reports: Vec<PassReport>,
    /// The values of the weights over the run.
    #[serde(flatten)]
    pub trends: Trends,
}

impl RunRecord {
    /// The value of an option of the run, if the run has an option of this name.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.header.option(name)
    }

    /// Notes the standard errors of the run in each pass, on the parameters of `model`; no passes, that there
    /// are none.
    pub fn set_errors(&mut self, model: &Model, errors: &[Outcome]) {
        for (pass, report) in self.reports.iter_mut().enumerate() {
            report.run_errors = errors.get(pass).map(|errors| errors.figures);
        }
        self.trends.set_run_errors(model, errors);
    }

    /// Whether all its fits were made, or the agreement has not risen for the number of fits that `patience`
    /// allows.
    pub fn is_finished(&self) -> bool {
        self.stopped.is_some()
    }

    /// Whether each pass has the standard errors of the run.
    pub fn has_errors(&self) -> bool {
        self.reports.iter().all(|report| report.run_errors.is_some())
    }

    /// Whether the run was made on rows of another program.
    pub fn is_on_rows(&self) -> bool {
        self.header.is_on_rows()
    }

    /// Index of the [best] pass; none without games held out, but by match.
    pub fn best(&self) -> Option<usize> {
        best(self.reports.iter())
    }

    /// Indices of the first, the best or else the last, and the last pass; none if no pass was measured.
    pub fn shown_passes(&self) -> Option<[usize; 3]> {
        let last = self.reports.len().checked_sub(1)?;
        Some([0, self.best().unwrap_or(last), last])
    }
}
