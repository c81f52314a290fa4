//! Terms.
use super::{PawnFacts, Side, Sink};
pub(super) fn side<S: Sink>(_side: &Side, _facts: &PawnFacts, _sink: &mut S) {}
