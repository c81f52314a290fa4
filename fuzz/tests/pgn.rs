//! Any bytes through the reader of games: every position is legal, and the time is in proportion to the
//! bytes.

use std::{
    io::Cursor,
    time::{Duration, Instant},
};

use shakmaty::Position;
use texam::game::{Entry, Game, Games, Tally};

crate::target!("pgn", check, 200, 600);

/// Time allowed for any input, and for each of its bytes. A build without optimisation gets ten times as
/// much.
const TIME: Duration = Duration::from_millis(50);
const TIME_PER_BYTE: Duration = Duration::from_micros(20);
const FACTOR: u32 = if cfg!(debug_assertions) { 10 } else { 1 };

/// Attempts to read an input in time: on a busy machine the first may take long.
const ATTEMPTS: usize = 10;

/// First bytes of packed files. Their unpacked size is not known here, so their time is not checked.
const PACKED: [&[u8]; 2] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd"];

fn check(bytes: &[u8]) {
    let limit = FACTOR * (TIME + TIME_PER_BYTE * bytes.len() as u32);
    let is_packed = PACKED.iter().any(|magic| bytes.starts_with(magic));
    let mut times = Vec::new();
    while times.len() < ATTEMPTS {
        let began = Instant::now();
        let read = read(bytes);
        times.push(began.elapsed());
        if times.len() == 1 {
            check_games(&read);
        }
        if is_packed || times.last() <= Some(&limit) {
            return;
        }
    }
    panic!("{} bytes took {times:?}, where {limit:?} are allowed", bytes.len());
}

/// The decisive games and the counts; none if the first bytes are those of another format.
fn read(bytes: &[u8]) -> Option<(Vec<Game>, Tally, usize)> {
    let mut games = Games::from_reader(Cursor::new(bytes.to_vec()), "input").ok()?;
    let (mut decisive, mut skipped) = (Vec::new(), 0);
    for entry in games.by_ref() {
        match entry {
            Ok(Entry::Decisive(game)) => decisive.push(game),
            Ok(Entry::Skipped(game)) => {
                assert!(!game.error.to_string().is_empty());
                skipped += 1;
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    Some((decisive, games.tally(), skipped))
}

fn check_games(read: &Option<(Vec<Game>, Tally, usize)>) {
    let Some((games, tally, skipped)) = read else { return };
    assert_eq!(tally.games, tally.decisive + tally.undecided + tally.skipped + tally.variants);
    assert_eq!((tally.decisive, tally.skipped + tally.variants), (games.len(), *skipped));
    games.iter().for_each(assert_legal);
}

/// All moves of a game are legal, also from the packed positions of its winner.
pub fn assert_legal(game: &Game) {
    let mut position = game.played.start.clone();
    for &mv in &game.played.moves {
        assert!(position.is_legal(mv), "{mv} in {position:?}");
        position.play_unchecked(mv);
    }
    for winner in game.winner_positions(0, 0) {
        let position = winner.position();
        assert_eq!(position.turn(), game.chooser);
        assert!(position.is_legal(winner.played_in(&position)));
    }
}
