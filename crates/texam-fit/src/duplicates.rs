//! Clusters that occur more than once. Where one copy is fitted and another held out, what is held out is not
//! new.

use std::collections::HashMap;

/// The clusters seen so far, by a digest of what they hold: how many are fitted, and how many held out.
#[derive(Debug, Clone, Default)]
pub struct Seen(HashMap<u64, [u64; 2]>);

/// How many clusters occur more than once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Those that repeat an earlier one.
    pub repeats: u64,
    /// Those held out that are fitted too.
    pub also_fitted: u64,
}

impl Duplicates {
    /// What there is to say about games that occur more than once; `parts` are what a game consists of. None
    /// if there are no such games.
    pub fn warning(self, parts: &str) -> Option<String> {
        let Duplicates { repeats, also_fitted } = self;
        let games = if repeats == 1 { "game has" } else { "games have" };
        let what = format!("{repeats} {games} the same {parts} as an earlier one");
        (repeats > 0)
            .then(|| format!("{what}, {also_fitted} held out are also fitted: leave out the repeats"))
    }
}

impl Seen {
    /// Counts a cluster of set 0, fitted, or 1, held out. Says whether it is new.
    pub fn insert(&mut self, digest: u64, set: usize) -> bool {
        let sets = self.0.entry(digest).or_default();
        sets[set] += 1;
        sets.iter().sum::<u64>() == 1
    }

    /// What has been found.
    pub fn duplicates(&self) -> Duplicates {
        let mut found = Duplicates::default();
        for &[fitted, held_out] in self.0.values() {
            found.repeats += fitted + held_out - 1;
            found.also_fitted += if fitted > 0 { held_out } else { 0 };
        }
        found
    }
}
