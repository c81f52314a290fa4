//! A share of the games of a file, for one of several processes.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Each `count`-th game of a file, beginning with the `number`-th: games 3, 19, 35, .. for 3/16. Labelled positions count
/// the games or lines that are used, all others the games of the file. Every process reads all games and counts them,
/// so that the numbers of games and positions mean the same to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    number: u32,
    count: u32,
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = Error;

    fn try_from(text: String) -> Result<Shard> {
        text.parse()
    }
}

impl Shard {
    /// All games.
    pub const ALL: Shard = Shard { number: 1, count: 1 };

    /// Shard `number` of `count`, both from 1.
    ///
    /// # Errors
    ///
    /// The number is not from 1 to `count`.
    pub fn new(number: u32, count: u32) -> Result<Shard> {
        if (1..=count).contains(&number) {
            return Ok(Shard { number, count });
        }
        Err(Error::expected("I/N with I from 1 to N, such as 3/16", format!("{number}/{count}")))
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether a game is in the shard. Games are numbered from 1.
    pub fn has(self, game: u32) -> bool {
        game % self.count == self.number % self.count
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shard> {
        let parts = text
            .split_once('/')
            .and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        let (number, count) =
            parts.ok_or_else(|| Error::expected("a shard I/N, such as 3/16", format!("{text:?}")))?;
        Shard::new(number, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_is_in_one_shard() {
        let shards: Vec<Shard> = (1..=16).map(|number| Shard::new(number, 16).unwrap()).collect();
        for game in 1..100 {
            assert_eq!(shards.iter().filter(|shard| shard.has(game)).count(), 1);
            assert!(Shard::ALL.has(game));
        }
        let third: Vec<u32> = (1..60).filter(|&game| shards[2].has(game)).collect();
        assert_eq!(third, [3, 19, 35, 51]);
        assert!(shards[15].has(16) && shards[15].has(32));
    }

    #[test]
    fn shards_are_read_back_and_others_are_refused() {
        let shard: Shard = "3/16".parse().unwrap();
        assert_eq!((shard.to_string().as_str(), shard.number(), shard.count()), ("3/16", 3, 16));
        for wrong in ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/3", "1/2/3", "1/4294967296"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
