//! The openings of a match, from EPD positions or from games.

use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};
use shakmaty::Chess;

use super::super::{Outcome, count, on_threads, output::OutputFile, print_result, warn};
use crate::{
    commands::cli::MatchArgs,
    error::{Error, Result},
    game::{Book, read_book},
    matches::openings::{balanced, candidates, epd, parse_epd, shuffled},
    run::DEFAULT_GAMES,
};

/// An opening for each pair of games, shuffled by the seed, and a digest of all openings that there are.
pub(super) fn read(args: &MatchArgs, pairs: usize) -> Result<(Vec<Chess>, String)> {
    let (positions, are_games) = positions(args)?;
    let digest = digest(&positions);
    let mut found = shuffled(positions, args.seed);
    if are_games {
        found = on_threads(args.output.threads, || balanced(found, pairs))?;
    }
    found.truncate(pairs);
    if found.len() < pairs {
        return Err(Error::expected(
            format!("{}, one for each pair of games", count(pairs as u64, "opening")),
            format!("{} of them; play fewer --games, or give more --openings", found.len()),
        ));
    }
    Ok((found, digest))
}

/// A short digest of positions.
fn digest(positions: &[Chess]) -> String {
    let mut hasher = Sha256::new();
    positions.iter().for_each(|position| hasher.update(epd(position) + "\n"));
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Serialize)]
struct WrittenOpenings<'a> {
    openings: usize,
    judged: usize,
    file: &'a Path,
}

/// Writes all balanced openings to a file.
pub(super) fn write(args: &MatchArgs, path: &Path) -> Result<Outcome> {
    let output = OutputFile::new(path, args.overwrite, [book_of(args)])?;
    let (positions, _) = positions(args)?;
    let judged = positions.len();
    let positions = on_threads(args.output.threads, || balanced(positions, usize::MAX))?;
    let text: String = positions.iter().map(|position| epd(position) + "\n").collect();
    output.write(text.as_bytes())?;
    let written = WrittenOpenings { openings: positions.len(), judged, file: path };
    print_result(&written, args.output.json, |written| {
        let what = count(written.openings as u64, "balanced opening");
        Ok(format!("{what} of {judged} positions in {}\n", path.display()))
    })?;
    Ok(Outcome::Complete)
}

fn book_of(args: &MatchArgs) -> &Path {
    args.openings.as_deref().unwrap_or(Path::new(DEFAULT_GAMES))
}

/// The positions of the book, and whether they are those of games.
fn positions(args: &MatchArgs) -> Result<(Vec<Chess>, bool)> {
    let path = book_of(args);
    let (games, skipped) = match read_book(path)? {
        Book::Lines(text) => {
            let lines = parse_epd(&text, &mut |note| warn(&format!("{}, {note}", path.display())));
            return Ok((lines.map_err(|error| error.in_file(path))?, false));
        }
        Book::Games(games, skipped) => (games, skipped),
    };
    if skipped > 0 {
        warn(&format!("{}: skipped {}", path.display(), count(skipped, "game")));
    }
    let positions = candidates(&games);
    if positions.is_empty() {
        let found = "none: is this a file of games in PGN, or of positions in EPD or FEN?";
        return Err(Error::expected("games or positions to take openings from", found).in_file(path));
    }
    Ok((positions, true))
}
