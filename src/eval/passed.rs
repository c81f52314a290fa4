//! Passed.
use super::{PawnFacts, Side, Sink};
pub(super) fn structure<S: Sink>(_facts: &PawnFacts, _sink: &mut S) {}
pub(super) fn side<S: Sink>(_side: &Side, _facts: &PawnFacts, _sink: &mut S) {}
