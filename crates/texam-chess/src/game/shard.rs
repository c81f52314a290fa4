//! A share of the games of a file, for one of several processes.

/// Each `size`-th game of a file, from game `rank + 1` on. Labelled positions count the games or lines that
/// are used, all others the games of the file. Every process reads all games and counts them, so that the
/// numbers of games and positions mean the same to all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shard {
    rank: u32,
    size: u32,
}

impl Shard {
    /// All games.
    pub const ALL: Shard = Shard { rank: 0, size: 1 };

    /// The share of process `rank`, counted from 0, of `size` processes.
    pub fn of_rank(rank: usize, size: usize) -> Shard {
        Shard { rank: rank as u32, size: size as u32 }
    }

    /// Whether a game is in the shard. Games are numbered from 1.
    pub fn has(self, game: u32) -> bool {
        game % self.size == (self.rank + 1) % self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_is_in_one_shard() {
        let shards: Vec<Shard> = (0..16).map(|rank| Shard::of_rank(rank, 16)).collect();
        for game in 1..200 {
            assert_eq!(shards.iter().filter(|shard| shard.has(game)).count(), 1);
            assert!(Shard::ALL.has(game));
        }
        let third: Vec<u32> = (1..60).filter(|&game| shards[2].has(game)).collect();
        assert_eq!(third, [3, 19, 35, 51]);
        assert!(shards[15].has(16) && shards[15].has(32));
    }
}
