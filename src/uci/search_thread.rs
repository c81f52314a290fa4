//! Thinks on a thread of its own, so that the conversation goes on.

use std::{
    io::Write,
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::Duration,
};

use super::report;
use crate::{
    engine::{GameState, Limits, Searcher, Signals},
    error::{Error, Result},
};

/// Where lines go; whole lines, from either thread.
pub(super) type Output = Arc<Mutex<dyn Write + Send>>;

/// Writes a line. Where nobody listens any more, nobody is left to be told.
pub(super) fn send_line(output: &Output, line: &str) {
    if let Ok(mut output) = output.lock() {
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    }
}

/// Bytes of the stack of the thread: a search goes some hundred plies deep.
const STACK: usize = 16 << 20;

/// How often a search that came to its end looks whether it may say so.
const PAUSE: Duration = Duration::from_millis(1);

/// A searcher, at rest or at work.
pub(super) struct SearchThread {
    signals: Signals,
    state: State,
    output: Output,
}

enum State {
    Idle(Box<Searcher>),
    Searching(JoinHandle<Box<Searcher>>),
    /// The thread could not be started, or ended badly.
    Lost,
}

impl SearchThread {
    pub fn new(searcher: Searcher, output: Output) -> SearchThread {
        let signals = searcher.signals().clone();
        SearchThread { signals, state: State::Idle(Box::new(searcher)), output }
    }

    /// Begins a search; its reports and its result are said by themselves. `endless` keeps the result back
    /// until the search is stopped.
    ///
    /// # Errors
    ///
    /// There is no searcher, or no thread to be had.
    pub fn go(&mut self, game: GameState, limits: Limits, endless: bool) -> Result<()> {
        self.wait(true);
        let State::Idle(mut searcher) = std::mem::replace(&mut self.state, State::Lost) else {
            return Err(Error::new("the searcher was lost; start the engine anew"));
        };
        self.signals.reset(limits.ponder);
        let (output, signals) = (Arc::clone(&self.output), self.signals.clone());
        let work = move || {
            let result =
                searcher.think(&game, &limits, &mut |found| send_line(&output, &report::info(found)));
            // The protocol wants no answer before it is asked for.
            while (endless || signals.is_pondering()) && !signals.is_stopped() {
                thread::sleep(PAUSE);
            }
            send_line(&output, &report::best_move(&result));
            searcher
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn(work);
        self.state = State::Searching(thread.map_err(|error| Error::io("cannot start a thread", error))?);
        Ok(())
    }

    /// The signals of the search.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Waits for the end of the search, which `stop` brings about.
    pub fn wait(&mut self, stop: bool) {
        if stop {
            self.signals.stop();
        }
        self.state = match std::mem::replace(&mut self.state, State::Lost) {
            State::Searching(thread) => thread.join().map_or(State::Lost, State::Idle),
            state => state,
        };
    }

    /// The searcher at rest; a running search is stopped.
    pub fn searcher(&mut self) -> Option<&mut Searcher> {
        self.wait(true);
        match &mut self.state {
            State::Idle(searcher) => Some(searcher),
            State::Searching(_) | State::Lost => None,
        }
    }
}
