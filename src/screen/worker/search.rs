//! The search of the position shown, and of those that may be shown next.

use std::sync::Arc;

use crate::{
    game::WinnerPosition,
    screen::{
        analysis::Analysis,
        app::{Place, Report, SearchRequest},
    },
    search::alphabeta::{AlphaBeta, Prepared},
};

/// Searches positions; what it has prepared is used again while weights and sampling are the same.
#[derive(Default)]
pub struct Analyser(Option<(u64, AlphaBeta)>);

impl Analyser {
    /// Searches a position of a request, as its report.
    pub fn search(&mut self, request: &SearchRequest, place: Place, position: &WinnerPosition) -> Report {
        let epoch = request.epoch;
        let searcher = match &mut self.0 {
            Some((prepared_for, searcher)) if *prepared_for == epoch => searcher,
            other => {
                let prepared = Prepared::new(request.sampling.search, &request.weights.quantised());
                &mut other.insert((epoch, AlphaBeta::new(&prepared))).1
            }
        };
        let analysis = Arc::new(Analysis::search(position, &request.sampling, searcher));
        Report::Analysed { epoch, place, analysis }
    }
}
