//! Positions of the shipped games for tests.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Mutex, OnceLock},
};

use super::Sampling;
use crate::{
    game::{self, GameOptions, WinnerPosition},
    search::Settings,
};

/// Every `every`-th position of the shipped games.
pub fn positions(every: usize) -> &'static [WinnerPosition] {
    static POSITIONS: OnceLock<Mutex<HashMap<usize, &'static [WinnerPosition]>>> = OnceLock::new();
    let mut read = POSITIONS.get_or_init(Mutex::default).lock().unwrap();
    read.entry(every).or_insert_with(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gm1988.pgn");
        let games = game::load(&path, &GameOptions::default(), every, &mut |error| panic!("{error}"));
        games.unwrap().positions.leak()
    })
}

/// A search of one ply.
pub fn shallow() -> Sampling {
    Sampling { search: Settings { depth: 1, ..Settings::default() }, ..Sampling::default() }
}
