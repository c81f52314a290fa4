//! Reads UCI commands and executes them.

use std::{
    io::{BufRead, Write},
    sync::{Arc, Mutex},
    time::Instant,
};

use shakmaty::Position;

use super::{
    options::{Change, EngineSettings},
    parse::{self, Command, Go},
    search_thread::{Output, SearchThread, send_line},
};
use crate::{
    engine::{GameState, Limits, Searcher, bench, perft},
    error::{Error, Result},
};

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
        let mut searcher = Searcher::new(&settings.evaluation(), settings.hash);
        searcher.set_overhead(settings.overhead);
        let search_thread = SearchThread::new(searcher, Arc::clone(&output));
        UciHandler { settings, game: GameState::default(), search_thread, output, is_finite: true }
    }

    /// Reads and executes lines until `quit` or the end of the input. At the end of the input a search that
    /// ends by itself is finished; `quit` stops it.
    ///
    /// # Errors
    ///
    /// A line cannot be read.
    pub fn run(&mut self, mut lines: impl BufRead) -> Result<()> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let length = lines
                .read_until(b'\n', &mut bytes)
                .map_err(|error| Error::io("cannot read the next UCI command", error))?;
            if length == 0 {
                let ends_by_itself = self.is_finite && !self.search_thread.signals().is_pondering();
                self.search_thread.wait(!ends_by_itself);
                return Ok(());
            }
            if !self.handle_line(&String::from_utf8_lossy(&bytes)) {
                self.search_thread.wait(true);
                return Ok(());
            }
        }
    }

    /// Executes a line. Returns false for `quit`.
    fn handle_line(&mut self, line: &str) -> bool {
        let received_at = Instant::now();
        let command = match parse::parse(line) {
            Ok(Command::Quit) => return false,
            command => command,
        };
        if let Err(error) = command.and_then(|command| self.execute(command, received_at)) {
            self.send(&format!("info string {error}"));
        }
        if let Some(note) = self.settings.note.take() {
            self.send(&format!("info string {note}"));
        }
        true
    }

    fn execute(&mut self, command: Command, received_at: Instant) -> Result<()> {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.send("readyok"),
            Command::NewGame => {
                self.searcher()?.new_game();
                self.game = GameState::default();
            }
            Command::SetOption { name, value } => self.set(&name, &value)?,
            Command::Position(game) => self.game = *game,
            Command::Go(go) => self.go(go, received_at)?,
            Command::Perft(depth) => self.perft(depth),
            Command::Bench => self.bench(),
            Command::PonderHit => self.search_thread.signals().ponder_hit(),
            Command::Stop => self.search_thread.wait(true),
            Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    fn send(&self, line: &str) {
        send_line(&self.output, line);
    }

    fn searcher(&mut self) -> Result<&mut Searcher> {
        self.search_thread.searcher().ok_or_else(SearchThread::crashed)
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
        let settings = self.settings.clone();
        let searcher = self.searcher()?;
        match change {
            Change::Nothing => {}
            Change::Hash => searcher.set_hash(settings.hash),
            Change::Evaluation => searcher.set_evaluation(&settings.evaluation()),
            Change::Overhead => searcher.set_overhead(settings.overhead),
            Change::Clear => searcher.new_game(),
        }
        Ok(())
    }

    fn go(&mut self, go: Go, requested_at: Instant) -> Result<()> {
        let side_to_move = usize::from(self.game.position().turn().is_black());
        let infinite = go.infinite;
        let limits = Limits { requested_at: Some(requested_at), ..go.limits_for(&self.game, side_to_move)? };
        self.is_finite = limits.is_finite();
        self.search_thread.go(self.game.clone(), limits, infinite)
    }

    fn perft(&self, depth: u32) {
        let counts = perft::perft(self.game.position(), depth);
        for (mv, count) in &counts {
            self.send(&format!("{mv}: {count}"));
        }
        self.send(&format!("\nNodes searched: {}", counts.iter().map(|(_, count)| count).sum::<u64>()));
    }

    fn bench(&self) {
        let began = Instant::now();
        let nodes = bench::run(&self.settings.evaluation());
        self.send(&format!("{nodes} nodes {:.0} nps", nodes as f64 / began.elapsed().as_secs_f64()));
    }
}
