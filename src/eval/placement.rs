//! Placement.
use super::{Side, Sink};
use shakmaty::Role;
pub(super) fn man<S: Sink>(_role: Role, _square: u32, _sink: &mut S) {}
pub(super) fn side<S: Sink>(_side: &Side, _sink: &mut S) {}
