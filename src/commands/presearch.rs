//! `texam presearch`: searches games once and stores them with the trees of their positions.

use std::{
    io::{self, Write},
    path::Path,
};

use serde::Serialize;
use texam_fit::Standing;

use super::{
    Outcome, count, on_threads,
    output::OutputFile,
    print_result,
    progress::{self, Progress},
    start_or, warn, weights,
};
use crate::{
    commands::cli::PresearchArgs,
    error::{Error, Result},
    file::Unfilled,
    game::{DatabaseWriter, Entry, Games, Tally, TreeHead, WinnerPosition},
    par,
    run::{SkippedGames, game_files_to_texts},
    sample::grow_all,
    search::alphabeta::Prepared,
};

#[derive(Serialize)]
struct PresearchReport {
    games: usize,
    games_skipped: usize,
    #[serde(flatten)]
    stored: Stored,
    file: String,
}

/// Games that are in memory at a time, with their trees.
const GAMES_AT_A_TIME: usize = 16;

pub(super) fn run(args: &PresearchArgs) -> Result<Outcome> {
    let inputs = start_or(&args.par).map(Path::to_path_buf).chain(args.games().paths().to_vec());
    let output = OutputFile::new(&args.output, args.overwrite, inputs)?;
    let (weights, _) = weights(args.par.as_deref())?;
    let settings = args.options.spec().sampling().search;
    let prepared = Prepared::new(settings, &weights.quantised());
    let head = TreeHead::new(&settings, args.margin.0, par::digest_of_values(&weights));
    progress::handle_interrupts();
    let work = || output.write_in_pieces(|out| Pipeline::new(args, &prepared, &head, out)?.finish());
    let (tally, skipped, stored) = on_threads(args.run.threads, work)??;
    let report = PresearchReport {
        games: tally.decisive,
        games_skipped: skipped,
        stored,
        file: args.output.display().to_string(),
    };
    print_result(&report, args.run.json, |report| {
        let PresearchReport { stored: Stored { positions, tree_bytes, bytes }, file, .. } = report;
        let (games, positions) = (count(report.games as u64, "game"), count(*positions, "position"));
        let searched = format!("{games} with a winner, {positions} searched");
        let trees = count(*tree_bytes, "byte");
        Ok(format!("{}: {searched}, trees of {trees}\n{file}: {bytes} bytes\n", args.games()))
    })?;
    Ok(Outcome::complete_if(skipped == 0))
}

/// What was stored.
#[derive(Default, Serialize)]
struct Stored {
    positions: u64,
    /// Bytes of all trees.
    tree_bytes: u64,
    bytes: u64,
}

/// Reads games, grows the trees of their positions and writes both, some games at a time.
struct Pipeline<'a> {
    args: &'a PresearchArgs,
    prepared: &'a Prepared,
    games: Games,
    writer: DatabaseWriter<CountedBytes<'a>>,
    /// Games with a winner that were written.
    written: u32,
    /// What was read and is still to be written.
    waiting: Vec<Entry>,
    /// The positions of the games among it.
    positions: Vec<WinnerPosition>,
    stored: Stored,
    progress: Progress,
}

impl<'a> Pipeline<'a> {
    fn new(
        args: &'a PresearchArgs,
        prepared: &'a Prepared,
        head: &TreeHead,
        out: &'a mut dyn Write,
    ) -> Result<Pipeline<'a>, Unfilled> {
        let games = Games::open(args.games())?;
        let origins = games.origins().map_or_else(|| game_files_to_texts(&args.games()), <[String]>::to_vec);
        let mut writer = DatabaseWriter::new(CountedBytes { out, count: 0 }, &origins)?;
        writer.tree_head(head)?;
        Ok(Pipeline {
            args,
            prepared,
            games,
            writer,
            written: 0,
            waiting: Vec::new(),
            positions: Vec::new(),
            stored: Stored::default(),
            progress: Progress::new(),
        })
    }

    /// Does all the work. Returns the counts of the games, the number of those that were skipped, and what
    /// was stored.
    fn finish(mut self) -> Result<(Tally, usize, Stored), Unfilled> {
        let mut warn = warn;
        let mut skipped_games = SkippedGames::new(&mut warn);
        let mut decisive = 0;
        while let Some(entry) = self.games.next() {
            let entry = entry?;
            match &entry {
                Entry::Decisive(game) => {
                    self.positions.extend(game.winner_positions(self.args.skip_moves, decisive));
                    decisive += 1;
                }
                Entry::Skipped(skipped) => skipped_games.note(&skipped.error),
            }
            self.waiting.push(entry);
            if self.waiting.len() >= GAMES_AT_A_TIME {
                self.write_waiting()?;
            }
        }
        self.write_waiting()?;
        self.progress.clear();
        let tally = self.games.tally();
        let skipped = skipped_games.finish(&self.args.games(), &tally)?;
        self.stored.bytes = self.writer.finish(&tally)?.count;
        Ok((tally, skipped, self.stored))
    }

    /// Grows the trees of the games that wait, and writes all that waits.
    fn write_waiting(&mut self) -> Result<(), Unfilled> {
        self.progress.begin(format!("game {} and on", self.written + 1), self.positions.len());
        let tick = |_: &Standing| self.progress.tick();
        let grown = grow_all(&self.positions, self.prepared, self.args.margin.0, &tick)?;
        let trees = grown.ok_or_else(|| Error::new("cancelled; nothing was written"))?;
        self.stored.positions += trees.len() as u64;
        self.stored.tree_bytes += trees.iter().map(|tree| tree.len() as u64).sum::<u64>();
        let mut grown = self.positions.drain(..).zip(trees).peekable();
        for entry in self.waiting.drain(..) {
            match entry {
                Entry::Skipped(skipped) => self.writer.skipped(&skipped)?,
                Entry::Decisive(game) => {
                    self.writer.game(&game)?;
                    while let Some((position, tree)) = grown.next_if(|(of, _)| of.game == self.written) {
                        self.writer.tree(&position, &tree)?;
                    }
                    self.written += 1;
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
