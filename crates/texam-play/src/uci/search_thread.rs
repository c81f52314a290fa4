//! Runs searches on another thread, so that commands can be read meanwhile.

use std::{
    any::Any,
    io::Write,
    panic::{self, AssertUnwindSafe},
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use shakmaty::Position;

use super::{options::EngineSettings, report};
use crate::engine::{GameState, Limits, Searcher, Signals, perft};
use texam_chess::{
    error::{Error, Result},
    position::CompactMove,
    printable::printable,
};

/// Output shared by both threads. The lock is held for a whole line.
pub(super) type Output = Arc<Mutex<dyn Write + Send>>;

/// Writes a line. Ends of lines within it are escaped, so that text which is repeated in an answer cannot
/// begin a line of its own. Write errors are ignored: if the output is closed there is nowhere to report
/// them.
pub(super) fn send_line(output: &Output, line: &str) {
    let line = printable(line).replace('\n', "\\n");
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}

/// Stack of the thread, in bytes. The search recurses up to 128 plies.
const STACK: usize = 16 << 20;

/// Interval at which the state of a search is checked.
const PAUSE: Duration = Duration::from_millis(1);

/// A searcher and the thread that uses it.
pub(super) struct SearchThread {
    /// The signals of the last search.
    signals: Signals,
    /// The searcher, if it is not in use. After a crash there is none.
    idle: Option<Box<Searcher>>,
    /// The thread that uses the searcher, and returns it unless it crashes.
    thread: Option<JoinHandle<Option<Box<Searcher>>>>,
    output: Output,
}

impl SearchThread {
    /// No search, so far. Searches write to `output`.
    pub fn new(output: Output) -> SearchThread {
        SearchThread { signals: Signals::default(), idle: None, thread: None, output }
    }

    /// Starts a search, which sends its own reports and best move. With `infinite` the best move is sent only
    /// after the search is stopped. A best move is sent also if the search crashes or cannot be started.
    pub fn go(&mut self, settings: &EngineSettings, game: GameState, limits: Limits, infinite: bool) {
        let any_move = limits
            .root_moves
            .first()
            .copied()
            .or_else(|| game.position().legal_moves().first().map(|&mv| mv.into()));
        let started = self.start(settings, limits.ponder, move |searcher, output| {
            search(searcher, output, &game, &limits, infinite, any_move)
        });
        if let Err(error) = started {
            send_line(&self.output, &format!("info string {error}"));
            send_unsearched(&self.output, any_move);
        }
    }

    /// Starts to count the lines of legal moves, and sends the counts.
    ///
    /// # Errors
    ///
    /// The thread cannot be started.
    pub fn perft(&mut self, settings: &EngineSettings, game: GameState, depth: u32) -> Result<()> {
        self.start(settings, false, move |searcher, output| {
            let mut send = |mv, count| send_line(output, &format!("{mv}: {count}"));
            let signals = searcher.signals();
            let counted = catch_crash(output, || perft::perft(game.position(), depth, signals, &mut send));
            match counted {
                Some(Some(sum)) => {
                    send_line(output, "");
                    send_line(output, &format!("Nodes searched: {sum}"));
                }
                Some(None) => send_line(output, "info string perft was stopped"),
                None => {}
            }
            counted.is_some()
        })
    }

    /// Runs a task on the thread. The task returns whether the searcher can be used again.
    fn start(
        &mut self,
        settings: &EngineSettings,
        ponder: bool,
        task: impl FnOnce(&mut Searcher, &Output) -> bool + Send + 'static,
    ) -> Result<()> {
        let mut searcher = self.take(settings);
        self.signals = searcher.signals().clone();
        self.signals.reset(ponder);
        let output = Arc::clone(&self.output);
        let work = move || task(&mut searcher, &output).then_some(searcher);
        let thread = thread::Builder::new().stack_size(STACK).spawn(work);
        self.thread = Some(thread.map_err(|error| Error::io("cannot start a thread", error))?);
        Ok(())
    }

    /// The signals that stop the search.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Stops the search, and waits for its end.
    pub fn stop(&mut self) {
        self.signals.stop();
        if let Some(thread) = self.thread.take() {
            self.idle = thread.join().ok().flatten();
        }
    }

    /// Waits for the end of the search, and stops it when this time has passed.
    pub fn stop_after(&mut self, time: Duration) {
        let began = Instant::now();
        while self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) && began.elapsed() < time {
            thread::sleep(PAUSE);
        }
        self.stop();
    }

    /// The idle searcher; a running search is stopped first. After a crash it is a new one.
    pub fn searcher(&mut self, settings: &EngineSettings) -> &mut Searcher {
        let searcher = self.take(settings);
        self.idle.insert(searcher)
    }

    fn take(&mut self, settings: &EngineSettings) -> Box<Searcher> {
        self.stop();
        self.idle.take().unwrap_or_else(|| Box::new(settings.searcher()))
    }
}

/// Searches, and sends the reports and the best move. Returns whether the searcher can be used again.
fn search(
    searcher: &mut Searcher,
    output: &Output,
    game: &GameState,
    limits: &Limits,
    infinite: bool,
    any_move: Option<CompactMove>,
) -> bool {
    let signals = searcher.signals().clone();
    let mut reported = None;
    let result = catch_crash(output, || {
        searcher.think(game, limits, &mut |found| {
            send_line(output, &report::info(found));
            reported = found.line.first().copied();
        })
    });
    // UCI forbids `bestmove` during `go infinite` and `go ponder`.
    while (infinite || signals.is_pondering()) && !signals.is_stopped() {
        thread::sleep(PAUSE);
    }
    match (&result, reported) {
        (Some(result), _) => {
            if result.best_move().is_none() {
                send_line(output, &report::game_over(result));
            }
            send_line(output, &report::best_move(result.best_move(), result.ponder_move()));
        }
        (None, Some(best)) => send_line(output, &report::best_move(Some(best), None)),
        (None, None) => send_unsearched(output, any_move),
    }
    result.is_some()
}

/// Sends a best move that no search has found, or that there is no legal move.
fn send_unsearched(output: &Output, best: Option<CompactMove>) {
    if let Some(best) = best {
        send_line(output, &report::unsearched(best));
    }
    send_line(output, &report::best_move(best, None));
}

/// The result of `work`; none if it panics, which is reported.
fn catch_crash<T>(output: &Output, work: impl FnOnce() -> T) -> Option<T> {
    let panicked = |payload: Box<dyn Any + Send>| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        send_line(output, &format!("info string the search crashed ({text}); its hash table is lost"));
    };
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(panicked).ok()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use texam_chess::feature::Weights;

    /// An output that panics on the line that contains `text`.
    struct PanicsOn {
        text: &'static str,
        written: Arc<Mutex<String>>,
    }

    impl Write for PanicsOn {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains(self.text), "a panic of the test");
            self.written.lock().unwrap().push_str(&text);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn settings() -> EngineSettings {
        EngineSettings { hash: 1, ..EngineSettings::new(Weights::start(), None) }
    }

    /// What two searches to these depths write if writing `text` panics.
    fn lines_of_two(text: &'static str, depths: [u32; 2]) -> Vec<String> {
        let written = Arc::new(Mutex::new(String::new()));
        let output = PanicsOn { text, written: Arc::clone(&written) };
        let mut search_thread = SearchThread::new(Arc::new(Mutex::new(output)));
        for depth in depths {
            search_thread.go(&settings(), GameState::default(), Limits::depth(depth), false);
            search_thread.stop_after(Duration::from_secs(60));
        }
        let written = written.lock().unwrap();
        written.lines().map(ToString::to_string).collect()
    }

    fn position_of(lines: &[String], start: &str) -> Option<usize> {
        lines.iter().position(|line| line.starts_with(start))
    }

    #[test]
    fn a_crash_is_answered_by_the_last_reported_move_and_the_next_search_is_as_usual() {
        let lines = lines_of_two("info depth 4 ", [5, 3]);
        let crash = position_of(&lines, "info string the search crashed (a panic of the test)").unwrap();
        let reported = lines[crash - 1].split_once(" pv ").unwrap().1.split(' ').next().unwrap();
        assert_eq!(lines[crash + 1], format!("bestmove {reported}"));
        let next = &lines[crash + 2..];
        assert_eq!(position_of(next, "info depth 3 "), Some(2), "{lines:?}");
        assert_eq!(position_of(next, "bestmove"), Some(3), "{lines:?}");
    }

    #[test]
    fn a_crash_before_the_first_report_is_answered_by_a_legal_move() {
        let lines = lines_of_two("info depth 1 ", [1, 1]);
        assert_eq!(lines.len(), 6, "{lines:?}");
        for answer in lines.chunks(3) {
            assert!(answer[0].starts_with("info string the search crashed"), "{lines:?}");
            let best = answer[2].strip_prefix("bestmove ").unwrap();
            assert!(
                GameState::default()
                    .position()
                    .legal_moves()
                    .iter()
                    .any(|&mv| { CompactMove::from(mv).to_string() == best })
            );
            assert_eq!(answer[1], format!("info depth 0 score cp 0 nodes 0 time 0 pv {best}"));
        }
    }

    #[test]
    fn a_crash_of_perft_is_reported() {
        let written = Arc::new(Mutex::new(String::new()));
        let output = PanicsOn { text: "e2e4", written: Arc::clone(&written) };
        let mut search_thread = SearchThread::new(Arc::new(Mutex::new(output)));
        search_thread.perft(&settings(), GameState::default(), 2).unwrap();
        search_thread.stop_after(Duration::from_secs(60));
        assert!(written.lock().unwrap().contains("info string the search crashed"));
        search_thread.searcher(&settings()).new_game();
    }
}
