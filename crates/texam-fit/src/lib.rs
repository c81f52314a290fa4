//! Choices in, weights out.
//!
//! This crate fits the weights of a linear evaluation to choices: positions in which one of several moves was
//! chosen. It searches positions by a [`Source`], pulls the chosen moves ahead by an [`Objective`], solves one
//! linear least-squares problem for all weights, and repeats with the new weights. It knows no chess: a choice
//! is a list of sparse integer rows, a model a list of named numbers.
//!
//! ```text
//! Source -> Choice -> rows (objective) -> exact sums -> solve (penalty) -> standard errors -> new values
//! ```
//!
//! - **Exact.** Rows, values, pulls and weights are integers in fixed units, so the sums are too. The result is the
//!   same, to the last bit, for any number of threads and any order in which choices arrive.
//! - **Flat memory.** Choices are summed as they come and then dropped. Standard errors need a second look at them:
//!   for that they are packed into memory and, beyond 48 MiB, into a temporary file.
//! - **Teams.** All that a fit takes from the choices are sums of integers. So a [`Team`] of processes can share a pass,
//!   and the result is the same.
//! - **Objectives.** [`Forces`] are those of 1988, solved by linear least squares. [`Softmax`], [`Pairs`] and [`Logistic`] are
//!   functions of the values divided by a temperature, which is estimated; they take Newton steps.
//! - **The identity.** Without a pull a fit gives back the weights that the choices were searched with, because the
//!   right side is formed from the searched values and the new weights themselves are solved for.
//!
//! # Example
//!
//! Someone took one of three sweets, four times. The starting weights believe that sugar matters most; the fit
//! learns that size does.
//!
//! ```
//! use texam_fit::*;
//!
//! /// Counts of (sugar, size) of the sweets on the table, the one that was taken first.
//! const TABLES: [[[i64; 2]; 3]; 4] =
//!     [[[1, 6], [3, 1], [2, 2]], [[2, 7], [4, 2], [1, 1]], [[0, 5], [3, 0], [2, 2]], [[3, 8], [4, 5], [5, 1]]];
//!
//! struct Tables;
//!
//! impl Source for Tables {
//!     fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
//!         let mut agreement = Agreement::default();
//!         for (number, table) in TABLES.iter().enumerate() {
//!             // Entries are in 1/256 count, values in 1/65536 unit.
//!             let rows = table.map(|counts| counts.map(|count| 256 * count));
//!             let value = |row: &[i64; 2]| row[0] * model.quantised()[0] + row[1] * model.quantised()[1];
//!             let ahead = rows[1..].iter().filter(|row| value(row) > value(&rows[0])).count() as u32;
//!             let tied = rows[1..].iter().filter(|row| value(row) == value(&rows[0])).count() as u32;
//!             agreement.count(&Standing { alternatives: 3, ahead, tied, rows: 3 });
//!             let mut choice = Choice::default();
//!             choice.begin(number as u64, ahead);
//!             for row in &rows {
//!                 choice.push(value(row), [(0, row[0]), (1, row[1])])?;
//!             }
//!             sink.accept(&[choice])?;
//!         }
//!         Ok(Some(Measured { fitted: agreement, ..Measured::default() }))
//!     }
//! }
//!
//! struct Silent;
//!
//! impl Observer for Silent {
//!     fn measured(&self, _: &Pass, _: Option<&Fit>) -> Result<()> {
//!         Ok(())
//!     }
//! }
//!
//! let start = Model::new(vec![Parameter::new("sugar", 10.0), Parameter::new("size", 2.0)])?;
//! let options = FitOptions { min_support: 1, ridge: Ridge::Fixed(1.0), ..FitOptions::default() };
//! let plan = Plan { options, keep_spread: false, iterations: 8, patience: None, by_match: false };
//! let forces = Forces { strength: 128.0, ..Forces::default() };
//!
//! let job = Job { objective: &forces, start: &start, plan: &plan, finished: Vec::new(), observer: &Silent };
//! let run = job.run(&mut Tables)?;
//! let [first, .., last] = &run.passes[..] else { panic!("nine passes") };
//! assert_eq!(first.report.fitted.match_rate(), 0.0);
//! assert_eq!(last.report.fitted.match_rate(), 1.0);
//! let [sugar, size] = last.values[..] else { panic!("two values") };
//! assert!(size > 2.0 && sugar < 10.0);
//! # Ok::<(), texam_fit::Error>(())
//! ```
//!
//! # Extending
//!
//! A new objective is one file that implements [`Objective`]; a new source is a type that implements [`Source`].
//! Neither changes anything else in the crate; a name in [`Method`] makes an objective known to command lines.

mod advice;
mod agreement;
pub mod blocks;
mod choice;
mod collect;
mod descent;
mod difference;
mod error;
mod jackknife;
pub mod limits;
mod local;
mod loss;
mod model;
mod moments;
mod normal;
mod numbers;
mod objective;
mod path;
mod penalty;
mod plan;
mod pool;
mod report;
mod row_source;
mod row_table;
mod rows;
mod sandwich;
mod searchers;
mod solve;
mod source;
mod spill;
mod statistics;
mod step;
pub mod svmrank;
#[cfg(test)]
mod synthetic;
mod team;
mod temperature;
mod triangle;
mod tuner;
mod units;
mod variance;
mod weights;

pub use advice::{Suspicion, Warning, open_weights, rounded_entries};
pub use agreement::{Agreement, ClusterCounts, ClusterSets, Standing};
pub use choice::{Choice, Row};
pub use difference::Difference;
pub use error::{Error, Result};
pub use jackknife::{LeftOut, Outcome, run_errors, standard_error};
pub use loss::{LossReport, MeanLoss};
pub use model::{Model, Parameter};
pub use objective::*;
pub use path::RidgePath;
pub use plan::{FitOptions, Plan, Ridge, RidgeScale, RidgeTo};
pub use pool::Pool;
pub use report::{Figures, FitReport, Pass, PassReport, Run, StopReason, Timing, best};
pub use row_source::{
    Labels, Place, RowCounts, RowInput, RowKind, RowReader, RowSource, Rows, VALUE_TOLERANCE, is_usable_entry,
};
pub use row_table::{RowParts, RowTable};
pub use source::{Measured, Sink, Source};
pub use statistics::{MISS_PLACES, MISS_STEP, Misses, Spread};
pub use step::{DescentReport, Fit, ParameterReport, Reason};
pub use team::{Communicator, Team, agree, follow};
pub use temperature::{DEFAULT_TEMPERATURE, TEMPERATURE_BOUNDS, Temperature, TemperatureOrigin};
pub use tuner::{Job, Observer, fit_once};
pub use units::{QUANTA, VALUE_UNIT, in_units};
pub use weights::{read_weights, write_weights};
