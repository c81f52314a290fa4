//! The openings of a match, from EPD positions or from games.

use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};
use shakmaty::Chess;

use super::super::{Outcome, count, on_threads, output::OutputFile, print, print_error, print_json};
use crate::{
    commands::cli::MatchArgs,
    error::{Error, Result},
    file,
    game::Game,
    matches::openings::{balanced, candidates, epd, parse_epd, read_games, shuffled},
    run::DEFAULT_GAMES,
};

/// An opening for each pair of games, shuffled by the seed, and a digest of all openings that there are.
pub(super) fn read(args: &MatchArgs, pairs: usize) -> Result<(Vec<Chess>, String)> {
    let (found, digest) = match args.openings.as_deref().filter(|path| is_epd(path)) {
        Some(path) => {
            let positions = from_epd(path)?;
            let digest = digest(&positions);
            let mut positions = shuffled(positions, args.seed);
            positions.truncate(pairs);
            (positions, digest)
        }
        None => {
            let positions = from_games(args)?;
            let digest = digest(&positions);
            let positions = shuffled(positions, args.seed);
            (on_threads(args.output.threads, || balanced(positions, pairs))?, digest)
        }
    };
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
    let input = args.openings.as_deref().unwrap_or(Path::new(DEFAULT_GAMES));
    let output = OutputFile::new(path, args.overwrite, [input])?;
    let positions = match args.openings.as_deref().filter(|path| is_epd(path)) {
        Some(path) => from_epd(path)?,
        None => from_games(args)?,
    };
    let judged = positions.len();
    let positions = on_threads(args.output.threads, || balanced(positions, usize::MAX))?;
    let text: String = positions.iter().map(|position| epd(position) + "\n").collect();
    output.write(text.as_bytes())?;
    if args.output.json {
        print_json(&WrittenOpenings { openings: positions.len(), judged, file: path })?;
    } else {
        let what = count(positions.len() as u64, "balanced opening");
        print(&format!("{what} of {judged} positions in {}\n", path.display()))?;
    }
    Ok(Outcome::Complete)
}

fn is_epd(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("epd"))
}

fn from_epd(path: &Path) -> Result<Vec<Chess>> {
    parse_epd(&file::read_text(path)?).map_err(|error| error.in_file(path))
}

fn from_games(args: &MatchArgs) -> Result<Vec<Chess>> {
    let path = args.openings.as_deref().unwrap_or(Path::new(DEFAULT_GAMES));
    let positions = candidates(&games(path)?);
    if positions.is_empty() {
        let found = "none: are these games in PGN, or positions in a file whose name should end in .epd?";
        return Err(Error::expected("games with a winner to take openings from", found).in_file(path));
    }
    Ok(positions)
}

fn games(path: &Path) -> Result<Vec<Game>> {
    let (games, skipped) = read_games(path)?;
    if skipped > 0 {
        print_error(&format!("warning: {}: skipped {}", path.display(), count(skipped, "game")));
    }
    Ok(games)
}
