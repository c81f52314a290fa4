//! Packs the shipped collections of games, which the program has built in.

use std::{env, error::Error, fs, io::Write, path::PathBuf};

use flate2::{Compression, write::GzEncoder};

/// The folder of the collections, from the folder of this package.
const GAMES: &str = "../../games";

/// The collections; each is packed under its name.
const COLLECTIONS: [&str; 2] = ["gm1988", "deep-thought"];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    for name in COLLECTIONS {
        let path = format!("{GAMES}/{name}.pgn");
        println!("cargo::rerun-if-changed={path}");
        let games = fs::read(&path).map_err(|error| format!("cannot read {path}: {error}"))?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&games)?;
        fs::write(folder.join(format!("{name}.pgn.gz")), encoder.finish()?)?;
    }
    Ok(())
}
