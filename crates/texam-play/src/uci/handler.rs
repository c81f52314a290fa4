//! Reads UCI commands and executes them.

use std::{
    io::{BufRead, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use shakmaty::Position;
use texam_fit::Moment;

use super::{
    lines::{self, Line},
    options::EngineSettings,
    parse::{self, Command, Go},
    search_thread::{Output, SearchThread, send_line},
};
use crate::engine::{GameState, Limits};
use texam_chess::error::{Error, Result};

/// Time that a search is given to end by itself after the end of the input.
const GRACE: Duration = Duration::from_secs(10);

/// The state of the engine between UCI commands: options, current game and searcher.
pub struct UciHandler {
    settings: EngineSettings,
    game: GameState,
    search_thread: SearchThread,
    output: Output,
    /// Whether the last search ends by itself.
    is_finite: bool,
}

impl UciHandler {
    /// An engine that writes its answers to `output`.
    pub fn new(settings: EngineSettings, output: impl Write + Send + 'static) -> UciHandler {
        let output: Output = Arc::new(Mutex::new(output));
        let mut search_thread = SearchThread::new(Arc::clone(&output));
        // The tables are built now, since the clock runs during the first `go`.
        search_thread.searcher(&settings);
        UciHandler { settings, game: GameState::default(), search_thread, output, is_finite: true }
    }

    /// Reads and executes lines until `quit` or the end of the input. `quit` stops a search at once, and so
    /// does the end of the input unless the search ends by itself: then it is stopped after 10 seconds.
    ///
    /// # Errors
    ///
    /// A line cannot be read.
    pub fn run(&mut self, mut input: impl BufRead) -> Result<()> {
        let end = loop {
            match lines::read(&mut input) {
                Ok(Line::Text(line)) => {
                    if !self.handle_line(&line) {
                        break Ok(());
                    }
                }
                Ok(Line::TooLong) => {
                    let (expected, found) = (lines::MAX_LENGTH, "a longer one; it is ignored");
                    let error = Error::expected(format!("a line of at most {expected} bytes"), found);
                    self.send(&format!("info string {error}"));
                }
                Ok(Line::End) => {
                    self.finish(GRACE);
                    break Ok(());
                }
                Err(error) => break Err(Error::io("cannot read the next UCI command", error)),
            }
        };
        self.search_thread.stop();
        end
    }

    /// Ends the search: after this time at the latest if it ends by itself, otherwise at once.
    fn finish(&mut self, grace: Duration) {
        let ends_by_itself = self.is_finite && !self.search_thread.signals().is_pondering();
        self.search_thread.stop_after(if ends_by_itself { grace } else { Duration::ZERO });
    }

    /// Executes a line. Returns false for `quit`.
    fn handle_line(&mut self, line: &str) -> bool {
        let received_at = Moment::now();
        let command = match parse::parse(line) {
            Ok(Command::Quit) => return false,
            command => command,
        };
        if let Err(error) = command.and_then(|command| self.execute(command, received_at)) {
            self.send(&format!("info string {error}"));
        }
        let note = self.settings.note.take();
        self.send_notes(note);
        true
    }

    fn execute(&mut self, command: Command, received_at: Moment) -> Result<()> {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.send("readyok"),
            Command::NewGame => {
                self.search_thread.searcher(&self.settings).new_game();
                self.game = GameState::default();
            }
            Command::SetOption { name, value } => self.set(&name, &value)?,
            Command::Position(game, notes) => {
                self.game = *game;
                self.send_notes(notes);
            }
            Command::Go(go) => self.go(*go, received_at),
            Command::Perft(depth) => {
                self.is_finite = true;
                self.search_thread.perft(&self.settings, self.game.clone(), depth)?;
            }
            Command::Eval => {
                let value = self.settings.evaluate(self.game.position());
                let pawns = f64::from(value) / 128.0;
                self.send(&format!(
                    "evaluation {value} in units of 1/128 pawn ({pawns:+.2} pawns) for the side to move"
                ));
            }
            Command::PonderHit => self.search_thread.signals().ponder_hit(),
            Command::Stop => self.search_thread.stop(),
            Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    fn send(&self, line: &str) {
        send_line(&self.output, line);
    }

    fn send_notes(&self, notes: impl IntoIterator<Item = String>) {
        notes.into_iter().for_each(|note| self.send(&format!("info string {note}")));
    }

    fn identify(&self) {
        self.send(concat!("id name texam ", env!("CARGO_PKG_VERSION")));
        self.send("id author the authors of texam");
        for line in self.settings.declarations() {
            self.send(&line);
        }
        self.send("uciok");
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let change = self.settings.set(name, value)?;
        let hash = change(&self.settings, self.search_thread.searcher(&self.settings));
        if let Some(found) = hash.filter(|&found| found < self.settings.hash) {
            let expected = format!("memory for {} MB of hash table", self.settings.hash);
            return Err(Error::expected(expected, format!("{found} MB, which are used; set Hash to less")));
        }
        Ok(())
    }

    fn go(&mut self, go: Go, requested_at: Moment) {
        let side_to_move = usize::from(self.game.position().turn().is_black());
        let infinite = go.infinite;
        let (limits, notes) = go.limits_for(&self.game, side_to_move);
        // The best move of an earlier search comes before the notes.
        self.search_thread.stop();
        self.send_notes(notes);
        let limits = Limits { requested_at: Some(requested_at), ..limits };
        self.is_finite = limits.is_finite();
        self.search_thread.go(&self.settings, self.game.clone(), limits, infinite);
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use std::time::Instant;

    use super::*;
    use texam_chess::feature::Weights;

    /// An output that can be read while it is written.
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What is written for a line and the end of the input, with this grace.
    fn answers(line: &str, grace: Duration) -> String {
        let written = Written::default();
        let mut handler = UciHandler::new(EngineSettings::new(Weights::start(), None), written.clone());
        assert!(handler.handle_line(line));
        handler.finish(grace);
        String::from_utf8(written.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn an_evaluation_is_answered_at_once_for_the_side_to_move() {
        let value = |fen: &str| {
            let position = texam_chess::fen::parse(fen).unwrap();
            EngineSettings::new(Weights::start(), None).evaluate(&position)
        };
        let white = value("4k3/pp6/8/8/8/8/PPP5/R3K3 w Q - 0 1");
        assert!(white > 512, "{white}");
        assert_eq!(value("r3k3/ppp5/8/8/8/8/PP6/4K3 b q - 0 1"), white, "colours exchanged");
        assert!(value("4k3/pp6/8/8/8/8/PPP5/R3K3 b Q - 0 1") < -512);
        let answer = answers("eval", Duration::ZERO);
        assert!(answer.starts_with("evaluation ") && answer.ends_with(" for the side to move\n"), "{answer}");
    }

    #[test]
    fn at_the_end_of_the_input_a_search_may_finish_but_not_go_on_for_ever() {
        let (short, long) = (Duration::from_millis(50), Duration::from_secs(600));
        for line in ["go depth 100", "go nodes 1000000000000", "go movetime 10000000", "go perft 12"] {
            let began = Instant::now();
            let end = match line {
                "go perft 12" => "info string perft was stopped",
                _ => "bestmove ",
            };
            assert!(answers(line, short).lines().last().unwrap().starts_with(end), "{line}");
            assert!(began.elapsed() >= short);
        }
        for line in ["go", "go infinite", "go ponder depth 2"] {
            let began = Instant::now();
            assert!(answers(line, long).lines().last().unwrap().starts_with("bestmove "), "{line}");
            assert!(began.elapsed() < long);
        }
        assert!(answers("go depth 4", long).contains("info depth 4 "));
        assert!(answers("go perft 3", long).ends_with("Nodes searched: 8902\n"));
    }
}
