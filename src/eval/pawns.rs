//! Pawns.
use super::{Side, Sink};
/// Facts.
#[derive(Debug, Clone, Copy)]
pub struct PawnFacts {}
impl PawnFacts {
    /// New.
    pub fn new(_own: u64, _enemy: u64) -> PawnFacts {
        PawnFacts {}
    }
}
pub(super) fn rook_pawn<S: Sink>(_square: u32, _sink: &mut S) {}
pub(super) fn structure<S: Sink>(_facts: &PawnFacts, _sink: &mut S) {}
pub(super) fn side<S: Sink>(_side: &Side, _facts: &PawnFacts, _sink: &mut S) {}
