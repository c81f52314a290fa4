//! What can go wrong in a fit. The messages name no option of a command line: the caller knows its own.

use std::io;

use strum::VariantNames;

/// Why a fit has no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No choice has two rows.
    #[error("there is nothing to fit: all positions are held out, or none has two rows")]
    NoChoices,
    /// No parameter of the model is tuned.
    #[error("the model has no tuned parameter")]
    NothingTuned,
    /// No tuned parameter has enough support.
    #[error("no tuned parameter occurs in {least} or more positions")]
    NoSupport {
        /// The least support that was asked for.
        least: u32,
    },
    /// A ridge is to be chosen by cross-validation, and there are too few clusters for its groups.
    #[error("a ridge is chosen by {least} or more clusters, but there are {found} to fit")]
    TooFewClusters {
        /// The fewest that tell.
        least: usize,
        /// How many there are.
        found: usize,
    },
    /// A ridge is to be chosen, and all labels are the same.
    #[error("all labels are the same, so they choose no ridge")]
    SameLabels,
    /// It was asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// A ridge is to be chosen by its loss, and the objective has none.
    #[error("the objective has no loss by which the ridge is chosen")]
    NoLoss,
    /// An option has a value that makes no sense.
    #[error("expected a {name} {expected}, but found {}", shorten(.found))]
    Option {
        /// Name of the option.
        name: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: f64,
    },
    /// A value of the model or of a choice cannot be used.
    #[error("expected {expected}, but found {found}")]
    Input {
        /// What is needed.
        expected: String,
        /// What there is.
        found: String,
    },
    /// A pull of the objective is too large to be summed.
    #[error("the objective pulls a row by {} units, more than the fit can sum", shorten(.0))]
    Pull(f64),
    /// A number from outside would take too much memory.
    #[error("{what} would need {bytes} bytes, more than the limit of {most}")]
    TooLarge {
        /// What would take the memory.
        what: String,
        /// How much it would take.
        bytes: u64,
        /// How much it may take.
        most: u64,
    },
    /// The sums might not fit into 126 bits.
    #[error("the sums of the fit would not fit into 126 bits; use fewer choices")]
    SumsTooLarge,
    /// The temperature is not a usable number.
    #[error("expected a temperature from {least} to {most}, but found {}", shorten(.found))]
    Temperature {
        /// The smallest.
        least: f64,
        /// The largest.
        most: f64,
        /// What it is.
        found: f64,
    },
    /// The penalty is not a finite number.
    #[error("the penalty is not finite")]
    Penalty,
    /// The equations have no solution that a weight could have.
    #[error("the equations have no solution within 2^22 units")]
    NoSolution,
    /// The same, where a column has much larger entries than the others.
    #[error(
        "the equations have no solution within 2^22 units: entries of {0} are far from 0; subtract their mean"
    )]
    FarColumn(String),
    /// The new value of a parameter is beyond its bound.
    #[error("the fit moves {name} to {value:.1} units, beyond its bound of {bound} units")]
    BeyondBound {
        /// The parameter.
        name: String,
        /// Its new value in units.
        value: f64,
        /// Its largest absolute value in units.
        bound: f64,
    },
    /// The temporary file of rows cannot be written or read.
    #[error("cannot use the temporary file of rows in {folder}: {source}")]
    Spill {
        /// The folder of temporary files.
        folder: String,
        /// Why.
        source: io::Error,
    },
    /// A line of a file of rows cannot be used.
    #[error("line {line}: expected {expected}, but found {found}")]
    Line {
        /// Number of the line, from 1.
        line: u64,
        /// What is needed.
        expected: String,
        /// What there is.
        found: String,
    },
    /// A row of arrays cannot be used.
    #[error("row {row}: expected {expected}, but found {found}")]
    Row {
        /// Its index, from 0.
        row: u64,
        /// What is needed.
        expected: String,
        /// What there is.
        found: String,
    },
    /// A file of rows cannot be read on.
    #[error("cannot read line {line}: {source}")]
    Read {
        /// Number of the line, from 1.
        line: u64,
        /// Why.
        source: io::Error,
    },
    /// A pass that is searched again does not agree with what was measured then.
    #[error("pass {0} does not agree with what was measured of it before")]
    OtherPass(u32),
    /// Another process of the run has failed.
    #[error("rank {rank}: {message}")]
    Rank {
        /// Its number, from 0.
        rank: usize,
        /// What it says.
        message: String,
    },
    /// The source or the observer has failed.
    #[error(transparent)]
    External(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Wraps the error of a source or of an observer.
    pub fn external(error: impl std::error::Error + Send + Sync + 'static) -> Error {
        Error::External(Box::new(error))
    }

    pub(crate) fn input(expected: impl Into<String>, found: impl ToString) -> Error {
        Error::Input { expected: expected.into(), found: shorten(&found) }
    }
}

/// What was found as a message shows it: a long number by its power of ten, a long text by its beginning.
pub fn shorten(found: &impl ToString) -> String {
    const LONGEST: usize = 100;
    const LONGEST_NUMBER: usize = 24;
    let text = found.to_string();
    if text.len() <= LONGEST_NUMBER {
        return text;
    }
    if let Some(number) = text.parse().ok().filter(|number: &f64| number.is_finite()) {
        return format!("{number:e}");
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// The error of a name that is none of an enum's.
pub(crate) fn unknown_name<T: VariantNames>(name: &str) -> Error {
    Error::input(format!("one of {}", T::VARIANTS.join(", ")), format!("{name:?}"))
}

/// An enum whose values are words in the options, in files and in JSON.
macro_rules! option_enum {
    ($(#[$meta:meta])* pub enum $name:ident { $($values:tt)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
        #[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
        #[derive(strum::VariantArray, strum::VariantNames)]
        #[serde(rename_all = "kebab-case")]
        #[strum(
            serialize_all = "kebab-case",
            parse_err_ty = $crate::error::Error,
            parse_err_fn = $crate::error::unknown_name::<$name>
        )]
        pub enum $name { $($values)* }
    };
}

/// The result of a step that may fail.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn what_was_found_is_short_in_a_message() {
        for (found, shown) in [
            ("1.5", "1.5".to_string()),
            (&f64::MAX.to_string(), "1.7976931348623157e308".to_string()),
            (&(-1e-300).to_string(), "-1e-300".to_string()),
            (&"9".repeat(400), format!("{}...", "9".repeat(100))),
            (&"é".repeat(100), "é".repeat(100)),
            (&"é".repeat(101), format!("{}...", "é".repeat(100))),
        ] {
            assert_eq!(shorten(&found), shown);
        }
    }
}
