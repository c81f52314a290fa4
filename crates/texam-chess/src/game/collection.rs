//! The positions in which the eventual winner moved, or the player asked for, of all games of a file.

use texam_fit::limits;

use super::{
    Entry, Game, GameFiles, GameHead, GameOptions, Games, Shard, Skipped, Tally, TreeHead, WinnerPosition,
    digest_of_moves, player::PlayerGames,
};
use crate::error::{Error, Result};

/// Bytes of all games of a file and of their positions, as they are kept in memory.
const MOST_BYTES: u64 = 8 << 30;

/// The positions of a file: the winner's, or those with a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection<P = WinnerPosition> {
    /// The decisive games, or those of the player; [`WinnerPosition::game`] is an index into them. None where
    /// only a [`Shard`] of the positions is kept, or with labels.
    pub games: Vec<GameHead>,
    /// A digest of the moves of each of these games, whether its positions are kept or not. With labels, drawn
    /// games count too; a line of EPD counts as a game, and its digest is that of position and label.
    pub digests: Vec<u64>,
    /// The positions, in the order of the file.
    pub positions: Vec<P>,
    /// How many games there were of each kind. With labels, only the decisive and the skipped are counted.
    pub tally: Tally,
    /// Whether these are the built-in games and not those of a file.
    pub is_built_in: bool,
    /// The names of the files that a database was made of, as they stand in a `.stat`; none for games in PGN.
    pub origins: Option<Vec<String>>,
    /// What the stored trees of a database were grown by; none where there are none. The trees stay in the
    /// file.
    pub trees: Option<Box<TreeHead>>,
}

impl<P> Default for Collection<P> {
    fn default() -> Collection<P> {
        Collection {
            games: Vec::new(),
            digests: Vec::new(),
            positions: Vec::new(),
            tally: Tally::default(),
            is_built_in: false,
            origins: None,
            trees: None,
        }
    }
}

/// Reads all games of a file and keeps each `every`-th of the winner's positions, counted through the whole
/// file and beginning with the first; 1 keeps all. The errors of skipped games go to `on_skipped`.
///
/// ```
/// use std::path::Path;
/// use texam_chess::game::{GameOptions, SHIPPED, load};
///
/// // Every 100th position in which Kasparov was to move, from his first move on.
/// let options = GameOptions { player: Some("Kasparov".to_string()), skip_moves: 0, ..GameOptions::default() };
/// let positions = load(Path::new(SHIPPED), &options, 100, &mut |error| eprintln!("{error}"))?.positions;
/// assert!(!positions.is_empty());
/// # Ok::<(), texam_chess::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`Games::open`]; the stream cannot be read to its end; `every` is 0.
pub fn load(
    files: impl Into<GameFiles>,
    options: &GameOptions,
    every: usize,
    on_skipped: &mut dyn FnMut(&Error),
) -> Result<Collection> {
    collect(Games::open(files)?, options, every, on_skipped)
}

/// [`load`] for games that are open already.
///
/// # Errors
///
/// The stream cannot be read to its end; `every` is 0; the player asked for is in no game, or may be several.
pub fn collect(
    mut games: Games,
    options: &GameOptions,
    every: usize,
    on_skipped: &mut dyn FnMut(&Error),
) -> Result<Collection> {
    if every == 0 {
        return Err(Error::expected("each 1st position or each Nth", "each 0th"));
    }
    games.any_result = options.player.is_some();
    let collection = Collection {
        is_built_in: games.are_built_in(),
        origins: games.origins().map(<[String]>::to_vec),
        ..Collection::default()
    };
    let mut collector = Collector { collection, options, every, seen: 0, used: 0, bytes: 0 };
    let mut player_games = options.player.as_deref().map(PlayerGames::new);
    for entry in games.by_ref() {
        match (entry?, &mut player_games) {
            (Entry::Skipped(Skipped { error, .. }), _) => on_skipped(&error),
            (Entry::Decisive(game), Some(player_games)) => player_games.add(game)?,
            (Entry::Decisive(game), None) => collector.add(game)?,
        }
    }
    if let Some(player_games) = player_games {
        games.check_draws()?;
        let all = player_games.finish().map_err(|error| error.in_file(&games.name))?;
        all.into_iter().try_for_each(|game| collector.add(game))?;
    }
    let Collector { mut collection, used, .. } = collector;
    collection.trees = games.trees().cloned().map(Box::new);
    collection.tally = games.tally();
    collection.tally.undecided += collection.tally.decisive - used as usize;
    collection.tally.decisive = used as usize;
    Ok(collection)
}

struct Collector<'a> {
    collection: Collection,
    options: &'a GameOptions,
    every: usize,
    /// Positions seen so far.
    seen: usize,
    /// Games of the collection so far.
    used: u32,
    bytes: usize,
}

impl Collector<'_> {
    fn add(&mut self, game: Game) -> Result<()> {
        // Nobody chose a move in a game without moves: it counts as one without a winner.
        if game.played.moves.is_empty() {
            return Ok(());
        }
        let Collector { collection, options, every, seen, used, bytes } = self;
        let first = collection.positions.len();
        if options.shard.has(game.number) {
            game.for_each_choice(options.skip_moves, |position, played, fullmove| {
                if seen.is_multiple_of(*every) {
                    collection.positions.push(WinnerPosition::new(position, played, *used, fullmove));
                }
                *seen += 1;
            });
        } else {
            *seen += game.count_choices(options.skip_moves);
        }
        *bytes += size_of_val(&collection.positions[first..]);
        collection.digests.push(digest_of_moves(&game.played.start, &game.played.moves));
        if options.shard == Shard::ALL {
            let head = game.into_head();
            *bytes += head.bytes();
            collection.games.push(head);
        }
        *used += 1;
        check_memory(*used as usize, *bytes)
    }
}

/// Checks the memory for the games of a file and their positions.
///
/// # Errors
///
/// They take more than [`MOST_BYTES`].
pub(super) fn check_memory(games: usize, bytes: usize) -> Result<()> {
    Ok(limits::check(|| format!("the positions of {games} games of this file"), bytes as u64, MOST_BYTES)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_beyond_the_limit_are_an_error_with_their_number_and_both_sizes() {
        check_memory(3, 8 << 30).unwrap();
        let error = check_memory(3, (8 << 30) + 1).unwrap_err().to_string();
        assert_eq!(
            error,
            "the positions of 3 games of this file would need 8589934593 bytes, more than the limit of 8589934592"
        );
    }
}
