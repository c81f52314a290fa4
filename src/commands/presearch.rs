//! `texam presearch`: searches games once and stores them with the best moves found.

use std::io::{self, Write};

use serde::Serialize;
use texam_fit::Standing;

use super::{
    Outcome, count, on_threads,
    output::OutputFile,
    print, print_json,
    progress::{self, Progress},
    start_or, warn, weights,
};
use crate::{
    commands::cli::PresearchArgs,
    error::{Error, Result},
    file::Unfilled,
    game::{DatabaseWriter, Entry, Game, Games, Skipped, Tally, WinnerPosition},
    run::{SkippedGames, path_to_text},
    sample::Presearch,
    search::MoveHints,
};

#[derive(Serialize)]
struct PresearchReport {
    games: usize,
    games_skipped: usize,
    positions: u64,
    moves_stored: u64,
    /// Bytes of all trees; none where none are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree_bytes: Option<u64>,
    bytes: u64,
    file: String,
}

/// Games that are in memory at a time.
const GAMES_AT_A_TIME: usize = 256;

/// The same with their trees.
const GAMES_WITH_TREES: usize = 16;

pub(super) fn run(args: &PresearchArgs) -> Result<Outcome> {
    let output = OutputFile::new(&args.output, args.overwrite, start_or(&args.par).chain([&*args.games]))?;
    let sets = match args.par.as_slice() {
        [] => vec![weights(None)?.0],
        pars => pars.iter().map(|par| Ok(weights(Some(par))?.0)).collect::<Result<_>>()?,
    };
    let presearch = Presearch::new(&sets, args.options.spec().sampling(), args.least_nodes);
    progress::handle_interrupts();
    let work = || output.write_in_pieces(|out| Pipeline::new(args, &presearch, out)?.finish());
    let (tally, skipped, stored) = on_threads(args.run.threads, work)??;
    let report = PresearchReport {
        games: tally.decisive,
        games_skipped: skipped,
        positions: stored.positions,
        moves_stored: stored.moves,
        tree_bytes: args.trees.then_some(stored.tree_bytes),
        bytes: stored.bytes,
        file: args.output.display().to_string(),
    };
    if args.run.json {
        print_json(&report)?;
    } else {
        let trees = match report.tree_bytes {
            Some(bytes) => format!(", trees of {}", count(bytes, "byte")),
            None => String::new(),
        };
        print(&format!(
            "{}: {} with a winner, {} searched, {} stored{trees}\n{}: {} bytes\n",
            args.games.display(),
            count(report.games as u64, "game"),
            count(report.positions, "position"),
            count(report.moves_stored, "best move"),
            report.file,
            report.bytes,
        ))?;
    }
    Ok(Outcome::complete_if(skipped == 0))
}

/// What was stored.
#[derive(Default)]
struct Stored {
    positions: u64,
    moves: u64,
    tree_bytes: u64,
    bytes: u64,
}

/// Reads games, searches them and writes them, some at a time.
struct Pipeline<'a> {
    args: &'a PresearchArgs,
    presearch: &'a Presearch,
    games: Games,
    writer: DatabaseWriter<CountedBytes<'a>>,
    /// Games with a winner that were read.
    decisive: u32,
    /// Games with a winner that are still to be searched, with what was read between them.
    waiting: Vec<Waiting>,
    stored: Stored,
    progress: Progress,
}

/// An entry that is still to be written.
enum Waiting {
    Game(Game, Vec<(WinnerPosition, MoveHints)>),
    Skipped(Skipped),
}

impl<'a> Pipeline<'a> {
    fn new(
        args: &'a PresearchArgs,
        presearch: &'a Presearch,
        out: &'a mut dyn Write,
    ) -> Result<Pipeline<'a>, Unfilled> {
        let games = Games::open(&args.games)?;
        let origin = games.origin().map_or_else(|| path_to_text(&args.games), String::from);
        let mut writer = DatabaseWriter::new(CountedBytes { out, count: 0 }, &origin)?;
        if args.trees {
            writer.tree_head(&presearch.tree_head(args.margin.0))?;
        }
        let (stored, progress) = (Stored::default(), Progress::new());
        let (decisive, waiting) = (0, Vec::new());
        Ok(Pipeline { args, presearch, games, writer, decisive, waiting, stored, progress })
    }

    /// Does all the work. Returns the counts of the games, the number of those that were skipped, and what was stored.
    fn finish(mut self) -> Result<(Tally, usize, Stored), Unfilled> {
        let mut warn = warn;
        let mut skipped_games = SkippedGames::new(&mut warn);
        while let Some(entry) = self.games.next() {
            match entry? {
                Entry::Decisive(game) => {
                    let positions = self.positions(&game);
                    self.decisive += 1;
                    self.waiting.push(Waiting::Game(game, positions));
                }
                Entry::Skipped(skipped) => {
                    skipped_games.note(&skipped.error);
                    self.waiting.push(Waiting::Skipped(skipped));
                }
            }
            let at_a_time = if self.args.trees { GAMES_WITH_TREES } else { GAMES_AT_A_TIME };
            if self.waiting.len() >= at_a_time {
                self.write_waiting()?;
            }
        }
        self.write_waiting()?;
        self.progress.clear();
        let tally = self.games.tally();
        let skipped = skipped_games.finish(&self.args.games, &tally)?;
        self.stored.bytes = self.writer.finish(&tally)?.count;
        Ok((tally, skipped, self.stored))
    }

    /// The positions of a game that was just read, with the hints stored for them.
    fn positions(&self, game: &Game) -> Vec<(WinnerPosition, MoveHints)> {
        // The built-in games begin anew, as their PGN does, so that the result is the same in every folder.
        let is_built_in = self.games.are_built_in();
        let mut stored = self.games.hints().filter(|_| !is_built_in).peekable();
        let positions = game.winner_positions(self.args.skip_moves, self.decisive).into_iter();
        let with_hints = positions.map(|position| {
            while stored.next_if(|&(fullmove, _)| fullmove < position.fullmove).is_some() {}
            let found = stored.next_if(|&(fullmove, _)| fullmove == position.fullmove);
            (position, found.map_or_else(MoveHints::default, |(_, hints)| MoveHints::from_stored(hints)))
        });
        with_hints.collect()
    }

    /// Searches and writes the games that wait.
    fn write_waiting(&mut self) -> Result<(), Unfilled> {
        let mut searches = Vec::new();
        for entry in &mut self.waiting {
            if let Waiting::Game(_, positions) = entry {
                searches.push(std::mem::take(positions));
            }
        }
        let of_game =
            |game: &Vec<(WinnerPosition, MoveHints)>| game.iter().map(|&(position, _)| position).collect();
        let positions: Vec<Vec<WinnerPosition>> = searches.iter().map(of_game).collect();
        let all = positions.concat();
        let first = self.decisive as usize + 1 - searches.len();
        let times = if self.args.trees { 2 } else { 1 };
        self.progress.begin(format!("game {first} and on"), times * all.len());
        let tick = |_: &Standing| self.progress.tick();
        let cancelled = || Error::new("cancelled; nothing was written");
        let hints = self.presearch.hints(searches, &tick).ok_or_else(cancelled)?;
        let trees = match self.args.trees {
            true => self.presearch.trees(&all, self.args.margin.0, &tick)?.ok_or_else(cancelled)?,
            false => Vec::new(),
        };
        let mut trees = trees.into_iter();
        let mut searched = positions.into_iter().zip(hints);
        for entry in self.waiting.drain(..) {
            match entry {
                Waiting::Skipped(skipped) => self.writer.skipped(&skipped)?,
                Waiting::Game(game, _) => {
                    let (positions, hints) = searched.next().unwrap_or_default();
                    self.stored.positions += hints.len() as u64;
                    self.stored.moves += hints.iter().map(|hints| hints.len() as u64).sum::<u64>();
                    let stored = hints.iter().map(MoveHints::to_stored);
                    let fullmoves = positions.iter().map(|position| position.fullmove);
                    self.writer.game(&game, &fullmoves.zip(stored).collect::<Vec<_>>())?;
                    for (position, tree) in positions.iter().zip(&mut trees) {
                        self.stored.tree_bytes += tree.len() as u64;
                        self.writer.tree(position, &tree)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Counts the bytes that are written.
struct CountedBytes<'a> {
    out: &'a mut dyn Write,
    count: u64,
}

impl Write for CountedBytes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
