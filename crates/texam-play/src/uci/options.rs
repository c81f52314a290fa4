//! Options of the engine: their declarations, and how they are set.

use std::{path::PathBuf, time::Duration};

use shakmaty::Chess;
use strum::VariantArray;

use crate::engine::{LARGEST_HASH, SMALLEST_HASH, Score, Searcher};
use texam_chess::{
    error::{Error, Result},
    feature::Weights,
    par,
    phase::{PhaseAt, PhaseScheme},
    position::{Evaluation, Evaluator},
};

/// Settings of the engine.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// Weights to play with.
    pub weights: Weights,
    /// File of the weights; none for the built-in start weights.
    pub par: Option<PathBuf>,
    /// Scheme of the game phase.
    pub phase: PhaseScheme,
    /// Whether the phase is that of the leaf or of the root.
    pub phase_at: PhaseAt,
    /// Size of the hash table, in megabytes.
    pub hash: usize,
    /// Number of lines to search.
    pub lines: usize,
    /// Delay for each move between the clock of the game and the search.
    pub overhead: Duration,
    /// A note about the file of the weights that has not been sent yet.
    pub note: Option<String>,
}

/// Largest number of lines; no position has more legal moves than 218.
const MOST_LINES: u64 = 256;

/// Largest move overhead, in milliseconds.
const LONGEST_OVERHEAD: u64 = 5_000;

/// Applies an option that has been set to the searcher. Returns the size of its hash table, in megabytes, if
/// the option concerns it: there may be less memory.
pub(super) type Change = fn(&EngineSettings, &mut Searcher) -> Option<usize>;

const NO_CHANGE: Change = |_, _| None;

const NEW_EVALUATION: Change = |settings, searcher| {
    searcher.set_evaluation(&settings.evaluation());
    None
};

impl EngineSettings {
    /// Default settings with these weights.
    pub fn new(weights: Weights, par: Option<PathBuf>) -> EngineSettings {
        EngineSettings {
            weights,
            par,
            phase: PhaseScheme::default(),
            phase_at: PhaseAt::default(),
            hash: 16,
            lines: 1,
            overhead: Duration::from_millis(30),
            note: None,
        }
    }

    /// The evaluation tables of the weights.
    pub fn evaluation(&self) -> Evaluation {
        Evaluation::new(&self.weights.quantised(), self.phase, self.phase_at)
    }

    /// A searcher with these settings.
    pub(super) fn searcher(&self) -> Searcher {
        let mut searcher = Searcher::new(&self.evaluation(), self.hash);
        searcher.set_overhead(self.overhead);
        searcher.set_lines(self.lines);
        searcher
    }

    /// The evaluation of a position in units of 1/128 pawn, from the view of the side to move.
    pub(super) fn evaluate(&self, position: &Chess) -> Score {
        let mut evaluator = Evaluator::new(&self.evaluation());
        let root = evaluator.set_root(position);
        evaluator.evaluate(&root)
    }

    /// The lines that declare the options in the answer to `uci`.
    pub(super) fn declarations(&self) -> Vec<String> {
        let schemes: String = PhaseScheme::ALL.iter().map(|scheme| format!(" var {scheme}")).collect();
        let sources: String = PhaseAt::VARIANTS.iter().map(|at| format!(" var {at}")).collect();
        let par = self.par.as_ref().map_or("<empty>".to_string(), |path| path.display().to_string());
        [
            format!("Hash type spin default {} min {SMALLEST_HASH} max {LARGEST_HASH}", self.hash),
            format!("MultiPV type spin default {} min 1 max {MOST_LINES}", self.lines),
            "Threads type spin default 1 min 1 max 1".to_string(),
            "Clear Hash type button".to_string(),
            "Ponder type check default false".to_string(),
            format!(
                "Move Overhead type spin default {} min 0 max {LONGEST_OVERHEAD}",
                self.overhead.as_millis()
            ),
            format!("ParFile type string default {par}"),
            format!("Phase type combo default {}{schemes}", self.phase),
            format!("PhaseAt type combo default {}{sources}", self.phase_at),
        ]
        .map(|option| format!("option name {option}"))
        .into()
    }

    /// Sets an option; nothing is changed on an error.
    ///
    /// # Errors
    ///
    /// There is no option of this name, or the value is not allowed.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Change> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = spin(name, value, SMALLEST_HASH as u64, LARGEST_HASH as u64)? as usize;
                Ok(|settings, searcher| Some(searcher.set_hash(settings.hash)))
            }
            "multipv" => {
                self.lines = spin(name, value, 1, MOST_LINES)? as usize;
                Ok(|settings, searcher| Some(searcher.set_lines(settings.lines)))
            }
            "threads" => spin(name, value, 1, 1).map(|_| NO_CHANGE),
            "clear hash" => Ok(|_, searcher| {
                searcher.new_game();
                None
            }),
            "ponder" => Ok(NO_CHANGE),
            "move overhead" => {
                self.overhead = Duration::from_millis(spin(name, value, 0, LONGEST_OVERHEAD)?);
                Ok(|settings, searcher| {
                    searcher.set_overhead(settings.overhead);
                    None
                })
            }
            "parfile" => self.read_weights(value),
            "phase" => {
                self.phase = value.parse()?;
                Ok(NEW_EVALUATION)
            }
            "phaseat" => {
                self.phase_at = value.parse()?;
                Ok(NEW_EVALUATION)
            }
            _ => Err(Error::expected("an option that uci lists", format!("{name:?}"))),
        }
    }

    fn read_weights(&mut self, value: &str) -> Result<Change> {
        if value.is_empty() || value == "<empty>" {
            (self.weights, self.par, self.note) = (Weights::start(), None, None);
        } else {
            let path = par::path_of(value);
            let par = par::read(&path)?;
            self.note = par.note(&path);
            (self.weights, self.par) = (par.weights, Some(path));
        }
        Ok(NEW_EVALUATION)
    }
}

fn spin(name: &str, value: &str, least: u64, most: u64) -> Result<u64> {
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        Error::expected(format!("a number from {least} to {most} for {name}"), format!("{value:?}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> EngineSettings {
        EngineSettings::new(Weights::start(), None)
    }

    #[test]
    fn every_option_that_is_declared_can_be_set_to_its_default() {
        for line in settings().declarations() {
            let words: Vec<_> = line.split_whitespace().skip(2).collect();
            let kind = words.iter().position(|&word| word == "type").unwrap();
            let value = words.iter().skip_while(|&&word| word != "default").nth(1).unwrap_or(&"");
            assert!(settings().set(&words[..kind].join(" "), value).is_ok(), "{line}");
        }
    }

    #[test]
    fn names_are_read_without_regard_to_case_and_values_are_judged() {
        let mut settings = settings();
        assert!(settings.set("HASH", "64").is_ok());
        assert_eq!(settings.hash, 64);
        for (name, value) in
            [("Hash", "0"), ("Hash", "many"), ("Threads", "2"), ("Phase", "late"), ("Style", "bold")]
        {
            let error = settings.set(name, value).unwrap_err().to_string();
            assert!(error.contains("expected"), "{error}");
        }
        assert_eq!(settings.hash, 64);
    }

    #[test]
    fn a_par_that_cannot_be_read_leaves_the_weights_as_they_were() {
        let mut settings = EngineSettings::new(Weights::material_only(), None);
        assert!(settings.set("ParFile", "no/such.par").is_err());
        assert_eq!(settings.weights, Weights::material_only());
        assert!(settings.set("ParFile", "<empty>").is_ok());
        assert_eq!(settings.weights, Weights::start());
    }
}
