//! Packs the shipped games, which the program has built in.

use std::{env, error::Error, fs, io::Write, path::PathBuf};

use flate2::{Compression, write::GzEncoder};

/// The games, from the folder of this package.
const GAMES: &str = "../../games/gm1988.pgn";

/// Name of the packed games in the folder for generated files.
const PACKED: &str = "gm1988.pgn.gz";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={GAMES}");
    let games = fs::read(GAMES).map_err(|error| format!("cannot read {GAMES}: {error}"))?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&games)?;
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(folder.join(PACKED), encoder.finish()?)?;
    Ok(())
}
