//! Sums over parts of the choices. They are integers, so threads and processes on several machines may sum
//! parts, which are then merged in any order.

use crate::error::Result;

/// Sums over some choices.
pub(crate) trait Merge: Sized {
    /// Adds the sums over other choices.
    ///
    /// # Errors
    ///
    /// The sums might not fit.
    fn merge(&mut self, other: Self) -> Result<()>;
}

impl Merge for () {
    fn merge(&mut self, (): ()) -> Result<()> {
        Ok(())
    }
}
