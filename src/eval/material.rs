//! Material.
use super::{Placement, Side, Sink};
use shakmaty::Role;
pub(super) fn man<S: Sink>(_role: Role, _sink: &mut S) {}
pub(super) fn side<S: Sink>(_side: &Side, _sink: &mut S) {}
pub(super) fn balance<S: Sink>(_placement: &Placement, _sink: &mut S) {}
