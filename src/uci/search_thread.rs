//! Runs searches on another thread, so that commands can be read meanwhile.

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

/// Output shared by both threads. The lock is held for a whole line.
pub(super) type Output = Arc<Mutex<dyn Write + Send>>;

/// Writes a line. Write errors are ignored: if the output is closed there is nowhere to report them.
pub(super) fn send_line(output: &Output, line: &str) {
    if let Ok(mut output) = output.lock() {
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    }
}

/// Stack of the thread, in bytes. The search recurses up to 128 plies.
const STACK: usize = 16 << 20;

/// Interval at which a finished search checks whether it may send its best move.
const PAUSE: Duration = Duration::from_millis(1);

/// A searcher and the thread that uses it.
pub(super) struct SearchThread {
    signals: Signals,
    state: State,
    output: Output,
}

enum State {
    Idle(Box<Searcher>),
    Searching(JoinHandle<Box<Searcher>>),
    /// The thread could not be started, or panicked.
    Crashed,
}

impl SearchThread {
    /// An idle searcher that writes to `output`.
    pub fn new(searcher: Searcher, output: Output) -> SearchThread {
        let signals = searcher.signals().clone();
        SearchThread { signals, state: State::Idle(Box::new(searcher)), output }
    }

    /// Starts a search, which sends its own reports and best move. With `infinite` the best move is sent only
    /// after the search is stopped.
    ///
    /// # Errors
    ///
    /// An earlier search has crashed, or the thread cannot be started.
    pub fn go(&mut self, game: GameState, limits: Limits, infinite: bool) -> Result<()> {
        self.wait(true);
        let State::Idle(mut searcher) = std::mem::replace(&mut self.state, State::Crashed) else {
            return Err(SearchThread::crashed());
        };
        self.signals.reset(limits.ponder);
        let (output, signals) = (Arc::clone(&self.output), self.signals.clone());
        let work = move || {
            let result =
                searcher.think(&game, &limits, &mut |found| send_line(&output, &report::info(found)));
            // UCI forbids `bestmove` during `go infinite` and `go ponder`.
            while (infinite || signals.is_pondering()) && !signals.is_stopped() {
                thread::sleep(PAUSE);
            }
            send_line(&output, &report::best_move(&result));
            searcher
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn(work);
        self.state = State::Searching(thread.map_err(|error| Error::io("cannot start a thread", error))?);
        Ok(())
    }

    /// The error after a crash of the search.
    pub fn crashed() -> Error {
        Error::new("the search has crashed; restart the engine")
    }

    /// The signals that stop the search.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Waits for the end of the search; with `stop` it is stopped first.
    pub fn wait(&mut self, stop: bool) {
        if stop {
            self.signals.stop();
        }
        self.state = match std::mem::replace(&mut self.state, State::Crashed) {
            State::Searching(thread) => thread.join().map_or(State::Crashed, State::Idle),
            state => state,
        };
    }

    /// The idle searcher; a running search is stopped first. None after a crash.
    pub fn searcher(&mut self) -> Option<&mut Searcher> {
        self.wait(true);
        match &mut self.state {
            State::Idle(searcher) => Some(searcher),
            State::Searching(_) | State::Crashed => None,
        }
    }
}
