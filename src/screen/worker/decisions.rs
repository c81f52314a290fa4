//! The thread that searches all positions for those that a single term decides.

use std::sync::{Arc, Mutex, mpsc::Sender};

use rayon::prelude::*;

use super::{Background, CancelFlag, Gate, lower_priority, pace::Pace, spawn};
use crate::{
    game::WinnerPosition,
    run,
    screen::{
        analysis::Analysis,
        app::{DecisionRequest, Event, Report, decisions},
    },
    search::alphabeta::{AlphaBeta, Prepared},
};

/// Positions that a searcher is made for.
const BATCH: usize = 256;

/// Begins the search; the flag returned can give it up.
pub fn start_decisions(events: Sender<Event>, gate: Arc<Gate>, request: DecisionRequest) -> CancelFlag {
    let cancel_flag = CancelFlag::default();
    let own_flag = cancel_flag.clone();
    spawn(events, move |events| {
        lower_priority();
        let work = Background {
            events: Mutex::new(events.clone()),
            gate,
            cancel_flag: own_flag,
            pace: Pace::new(0, 0),
            progress: Report::DecisionsProgress,
        };
        let searched = run::on_prepared_threads(request.threads, lower_priority, || search(&work, &request));
        work.send(Report::DecisionsEnded(request.epoch, searched.is_ok_and(|is_whole| is_whole)));
    });
    cancel_flag
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
