//! One conversation from its first line to `quit`.

use std::{
    io::{BufRead, Write},
    sync::{Arc, Mutex},
    time::Instant,
};

use shakmaty::Position;

use super::{
    options::{Change, Settings},
    parse::{self, Command, Go},
    thinker::{Output, Thinker, say},
};
use crate::{
    engine::{Limits, Searcher, Situation, bench, perft},
    error::{Error, Result},
};

/// The engine in conversation.
pub struct Conversation {
    settings: Settings,
    game: Situation,
    thinker: Thinker,
    output: Output,
    /// Whether the last search has a limit.
    bounded: bool,
}

impl Conversation {
    /// An engine that answers to `output`.
    pub fn new(settings: Settings, output: impl Write + Send + 'static) -> Conversation {
        let output: Output = Arc::new(Mutex::new(output));
        let mut searcher = Searcher::new(&settings.evaluation(), settings.hash);
        searcher.set_overhead(settings.overhead);
        let thinker = Thinker::new(searcher, Arc::clone(&output));
        Conversation { settings, game: Situation::default(), thinker, output, bounded: true }
    }

    /// Listens until `quit` or the end of the lines. At the end a search that ends by itself is waited for;
    /// `quit` ends any.
    ///
    /// # Errors
    ///
    /// A line cannot be read.
    pub fn listen(&mut self, mut lines: impl BufRead) -> Result<()> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let length = lines
                .read_until(b'\n', &mut bytes)
                .map_err(|error| Error::io("cannot read the next line of the conversation", error))?;
            if length == 0 {
                let ends_by_itself = self.bounded && !self.thinker.signals().is_pondering();
                self.thinker.rest(!ends_by_itself);
                return Ok(());
            }
            if !self.hear(&String::from_utf8_lossy(&bytes)) {
                self.thinker.rest(true);
                return Ok(());
            }
        }
    }

    /// Answers a line; false is the end.
    fn hear(&mut self, line: &str) -> bool {
        let heard_at = Instant::now();
        let command = match parse::parse(line) {
            Ok(Command::Quit) => return false,
            command => command,
        };
        if let Err(error) = command.and_then(|command| self.obey(command, heard_at)) {
            self.say(&format!("info string {error}"));
        }
        if let Some(note) = self.settings.note.take() {
            self.say(&format!("info string {note}"));
        }
        true
    }

    fn obey(&mut self, command: Command, heard_at: Instant) -> Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.say("readyok"),
            Command::NewGame => {
                self.searcher()?.new_game();
                self.game = Situation::default();
            }
            Command::SetOption { name, value } => self.set(&name, &value)?,
            Command::Position(game) => self.game = *game,
            Command::Go(go) => self.go(go, heard_at)?,
            Command::Perft(depth) => self.perft(depth),
            Command::Bench => self.bench(),
            Command::PonderHit => self.thinker.signals().ponder_hit(),
            Command::Stop => self.thinker.rest(true),
            Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    fn say(&self, line: &str) {
        say(&self.output, line);
    }

    fn searcher(&mut self) -> Result<&mut Searcher> {
        let lost = || Error::new("the searcher was lost; start the engine anew");
        self.thinker.searcher().ok_or_else(lost)
    }

    fn introduce(&self) {
        self.say(concat!("id name texam ", env!("CARGO_PKG_VERSION")));
        self.say("id author the authors of texam");
        for line in self.settings.declarations() {
            self.say(&line);
        }
        self.say("uciok");
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

    fn go(&mut self, go: Go, asked_at: Instant) -> Result<()> {
        let us = usize::from(self.game.position().turn().is_black());
        let endless = go.infinite;
        let limits = Limits { asked_at: Some(asked_at), ..go.limits_for(&self.game, us)? };
        self.bounded = limits.is_bounded();
        self.thinker.go(self.game.clone(), limits, endless)
    }

    fn perft(&self, depth: u32) {
        let counts = perft::perft(self.game.position(), depth);
        for (mv, count) in &counts {
            self.say(&format!("{mv}: {count}"));
        }
        self.say(&format!("\nNodes searched: {}", counts.iter().map(|(_, count)| count).sum::<u64>()));
    }

    fn bench(&self) {
        let began = Instant::now();
        let nodes = bench::run(&self.settings.evaluation());
        self.say(&format!("{nodes} nodes {:.0} nps", nodes as f64 / began.elapsed().as_secs_f64()));
    }
}
