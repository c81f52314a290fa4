//! The threads of the workers: one that searches the positions shown, and one for each other work.
//!
//! For searches there is one slot for a request. A new request replaces the old one; it is taken after the
//! position that is being searched.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::{Analyser, CancelFlag, FitHandle, Gate, Outbox, carry_out, lower_priority, run_fit, run_trial};
use crate::screen::app::{Effect, Event, FitRequest, SearchRequest, TrialRequest};

/// Runs `work` in a thread of its own; if it panics, an event ends the screen.
pub(super) fn spawn(outbox: Outbox, work: impl FnOnce(&Outbox) + Send + 'static) {
    thread::spawn(move || {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&outbox))) {
            outbox(Event::ThreadFailed(panic_message(&*panic)));
        }
    });
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_string())
}

/// Reads or writes files for an effect in a thread of its own, so that no key waits for them.
pub fn start_task(outbox: Outbox, effect: Effect) {
    spawn(outbox, move |outbox| {
        carry_out(effect).into_iter().for_each(|report| outbox(Event::Report(report)));
    });
}

/// Begins a fit; the handle returned can cancel it.
pub fn start_fit(outbox: Outbox, gate: Arc<Gate>, request: FitRequest) -> FitHandle {
    let handle = FitHandle::default();
    let own_handle = handle.clone();
    spawn(outbox, move |outbox| run_fit(outbox, gate, &own_handle, &request, None));
    handle
}

/// Begins a trial; the flag returned can give it up.
pub fn start_trial(outbox: Outbox, gate: Arc<Gate>, request: TrialRequest) -> CancelFlag {
    let cancel_flag = CancelFlag::default();
    let own_flag = cancel_flag.clone();
    spawn(outbox, move |outbox| {
        // The threads that play inherit it.
        lower_priority();
        run_trial(outbox, gate, own_flag, &request);
    });
    cancel_flag
}

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
    pub fn start(outbox: Outbox, gate: Arc<Gate>) -> AnalysisThread {
        let slot = Arc::new(Slot::default());
        let (own_slot, own_gate) = (Arc::clone(&slot), Arc::clone(&gate));
        spawn(outbox, move |outbox| search_requests(&own_slot, &own_gate, outbox));
        AnalysisThread { slot, gate }
    }

    /// Searches these positions in the place of all that were requested before.
    pub fn request(&self, request: SearchRequest) {
        self.gate.set_closed(request.is_urgent);
        *self.slot.lock() = Some(request);
        self.slot.filled.notify_one();
    }
}

fn search_requests(slot: &Slot, gate: &Gate, outbox: &Outbox) {
    let mut analyser = Analyser::default();
    loop {
        let request = slot.take();
        for (place, position) in &request.positions {
            if slot.lock().is_some() {
                break;
            }
            let report = analyser.search(&request, *place, position);
            if slot.lock().is_none() {
                gate.set_closed(false);
            }
            outbox(Event::Report(report));
        }
    }
}
