//! The thread that searches positions: the one shown first, then those that may be shown next.
//!
//! There is one slot for what is wanted. A new wish replaces the old one, and is taken up after the position
//! that is just being searched.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc::Sender};

use super::{Gate, spawn};
use crate::{
    feature::Weights,
    game::WinnerPosition,
    sample::Sampling,
    search::alphabeta::{AlphaBeta, Prepared},
    tui::{
        app::{Event, Report},
        found::Found,
    },
};

/// What is to be searched, and under which weights.
pub struct Wanted {
    /// Changes with weights and sampling.
    pub epoch: u64,
    pub weights: Weights,
    pub sampling: Sampling,
    /// Positions with their indices, the most wanted first.
    pub positions: Vec<(usize, WinnerPosition)>,
    /// Whether someone waits for the first of them.
    pub urgent: bool,
}

#[derive(Default)]
struct Slot {
    wanted: Mutex<Option<Wanted>>,
    filled: Condvar,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Option<Wanted>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Wanted {
        let mut slot = self.lock();
        loop {
            match slot.take() {
                Some(wanted) => return wanted,
                None => slot = self.filled.wait(slot).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// The screen's end of the thread.
pub struct Searcher {
    slot: Arc<Slot>,
    gate: Arc<Gate>,
}

impl Searcher {
    /// Starts the thread.
    pub fn start(events: Sender<Event>, gate: Arc<Gate>) -> Searcher {
        let slot = Arc::new(Slot::default());
        let (its_slot, its_gate) = (Arc::clone(&slot), Arc::clone(&gate));
        spawn(events, move |events| work(&its_slot, &its_gate, events));
        Searcher { slot, gate }
    }

    /// Replaces what is wanted.
    pub fn want(&self, wanted: Wanted) {
        self.gate.set(wanted.urgent);
        *self.slot.lock() = Some(wanted);
        self.slot.filled.notify_one();
    }
}

fn work(slot: &Slot, gate: &Gate, events: &Sender<Event>) {
    let mut ready: Option<(u64, AlphaBeta)> = None;
    loop {
        let wanted = slot.take();
        let (epoch, searcher) = match &mut ready {
            Some((epoch, searcher)) if *epoch == wanted.epoch => (*epoch, searcher),
            _ => {
                let prepared = Prepared::new(wanted.sampling.search, &wanted.weights.quantised());
                let (epoch, searcher) = ready.insert((wanted.epoch, AlphaBeta::new(&prepared)));
                (*epoch, searcher)
            }
        };
        for (index, position) in wanted.positions {
            if slot.lock().is_some() {
                break;
            }
            let found = Arc::new(Found::search(&position, &wanted.sampling, searcher));
            if slot.lock().is_none() {
                gate.set(false);
            }
            if events.send(Event::Report(Report::Found { epoch, index, found })).is_err() {
                return;
            }
        }
    }
}
