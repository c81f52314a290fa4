#![doc = include_str!("../README.md")]

#[macro_use]
mod error;

mod advice;
mod agreement;
pub mod blocks;
mod choice;
mod clock;
mod collect;
mod descent;
mod difference;
mod duplicates;
mod first_pass;
mod grid;
mod jackknife;
mod kept_rows;
mod labels;
pub mod limits;
mod loss;
mod merge;
mod model;
mod moments;
mod normal;
mod objective;
mod path;
mod penalty;
mod plan;
mod pool;
mod report;
mod row_fit;
mod row_source;
mod row_table;
mod rows;
mod sandwich;
mod searchers;
mod settings;
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

pub use advice::{Suspicion, Warning};
pub use agreement::{Agreement, ClusterCounts, ClusterSets, Standing};
pub use choice::{Choice, Row};
pub use clock::{Moment, set_clock};
pub use difference::Difference;
pub use duplicates::{Duplicates, Seen};
pub use error::{Error, Result, shorten};
pub use first_pass::{Begun, FirstPass};
pub use jackknife::{LeftOut, Outcome, run_errors, standard_error};
pub use kept_rows::KeptRows;
pub use labels::LabelCounts;
pub use loss::{ClusterLoss, LossReport, LossSets, MeanLoss};
pub use model::{Model, Parameter};
pub use objective::*;
pub use path::{FOLDS, RidgeLoss, RidgePath};
pub use plan::{ARRIVES, FitOptions, Plan, Ridge, RidgeTo};
pub use pool::Pool;
pub use report::{Figures, FitReport, Pass, PassReport, Run, StopReason, Timing, best, extreme};
pub use row_fit::{RowFit, RowOptions, fit};
pub use row_source::{
    Labels, Place, RowCounts, RowInput, RowKind, RowReader, RowSource, Rows, VALUE_TOLERANCE, is_usable_entry,
};
pub use row_table::{RowParts, RowTable};
pub use searchers::{Follower, follow};
pub use settings::{FIT_OPTIONS, FitOption, SWITCH, Settings, read_number, read_switch, switch_text};
pub use source::{Measured, Sink, Source};
pub use statistics::{MISS_PLACES, MISS_STEP, Misses, Spread};
pub use step::{DescentReport, Fit, ParameterReport, Reason};
pub use team::{Communicator, Team};
pub use temperature::{DEFAULT_TEMPERATURE, TEMPERATURE_BOUNDS, Temperature, TemperatureOrigin};
pub use tuner::{Job, Observer, fit_once};
pub use units::{PRODUCT, QUANTA, VALUE_UNIT, in_units};
pub use weights::{read_weights, write_weights};
