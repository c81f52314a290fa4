//! The thread that searches all positions for those that a single term decides.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Background, CancelFlag, Gate, Outbox, lower_priority, pace::Pace};
use crate::{
    game::WinnerPosition,
    run,
    screen::{
        analysis::Analysis,
        app::{DecisionRequest, Report, decisions},
    },
    search::alphabeta::{AlphaBeta, Prepared},
};

/// Positions that a searcher is made for.
const BATCH: usize = 256;

/// Runs the search to its end, which is reported.
pub fn run_decisions(outbox: &Outbox, gate: Arc<Gate>, cancel_flag: CancelFlag, request: &DecisionRequest) {
    let pace = Pace::new(0, 0);
    let progress = Report::DecisionsProgress;
    let work = Background { outbox: outbox.clone(), gate, cancel_flag, pace, progress };
    let searched = run::on_prepared_threads(request.threads, lower_priority, || search(&work, request));
    work.send(Report::DecisionsEnded(request.epoch, searched.is_ok_and(|is_whole| is_whole)));
}

/// Searches all positions, and reports those of each batch; says whether it was not given up.
fn search(work: &Background, request: &DecisionRequest) -> bool {
    let positions = &request.collection.positions;
    work.begin(0, positions.len());
    let prepared = Prepared::new(request.sampling.search, &request.weights.quantised());
    let batch = |(batch, positions): (usize, &[WinnerPosition])| {
        let mut searcher = AlphaBeta::new(&prepared);
        let mut found = Vec::new();
        for (at, position) in positions.iter().enumerate() {
            if !work.goes_on() {
                return false;
            }
            let analysis = Analysis::search(position, &request.sampling, &mut searcher);
            found.extend(decisions(batch * BATCH + at, &analysis, &request.weights));
            work.tick();
        }
        work.send(Report::Decisions(request.epoch, found));
        true
    };
    positions.par_chunks(BATCH).enumerate().map(batch).all(|is_whole| is_whole)
}
