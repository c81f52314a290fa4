//! The thread that searches positions: the one shown first, then those that may be shown next.
//!
//! There is one slot for a request. A new request replaces the old one; it is taken after the position that is
//! being searched.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc::Sender};

use super::{Gate, spawn};
use crate::{
    screen::{
        analysis::Analysis,
        app::{Event, Report, SearchRequest},
    },
    search::alphabeta::{AlphaBeta, Prepared},
};

#[derive(Default)]
struct Slot {
    request: Mutex<Option<SearchRequest>>,
    filled: Condvar,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Option<SearchRequest>> {
        self.request.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> SearchRequest {
        let mut slot = self.lock();
        loop {
            match slot.take() {
                Some(request) => return request,
                None => slot = self.filled.wait(slot).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

pub struct AnalysisThread {
    slot: Arc<Slot>,
    gate: Arc<Gate>,
}

impl AnalysisThread {
    pub fn start(events: Sender<Event>, gate: Arc<Gate>) -> AnalysisThread {
        let slot = Arc::new(Slot::default());
        let (own_slot, own_gate) = (Arc::clone(&slot), Arc::clone(&gate));
        spawn(events, move |events| search_requests(&own_slot, &own_gate, events));
        AnalysisThread { slot, gate }
    }

    /// Searches these positions in the place of all that were requested before.
    pub fn request(&self, request: SearchRequest) {
        self.gate.set_closed(request.is_urgent);
        *self.slot.lock() = Some(request);
        self.slot.filled.notify_one();
    }
}

fn search_requests(slot: &Slot, gate: &Gate, events: &Sender<Event>) {
    let mut ready: Option<(u64, AlphaBeta)> = None;
    loop {
        let request = slot.take();
        let (epoch, searcher) = match &mut ready {
            Some((epoch, searcher)) if *epoch == request.epoch => (*epoch, searcher),
            _ => {
                let prepared = Prepared::new(request.sampling.search, &request.weights.quantised());
                let (epoch, searcher) = ready.insert((request.epoch, AlphaBeta::new(&prepared)));
                (*epoch, searcher)
            }
        };
        for (place, position) in request.positions {
            if slot.lock().is_some() {
                break;
            }
            let analysis = Arc::new(Analysis::search(&position, &request.sampling, searcher));
            if slot.lock().is_none() {
                gate.set_closed(false);
            }
            if events.send(Event::Report(Report::Analysed { epoch, place, analysis })).is_err() {
                return;
            }
        }
    }
}
