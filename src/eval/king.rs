//! Terms.
use super::{Side, Sink};
pub(super) fn side<S: Sink>(_side: &Side, _sink: &mut S) {}
