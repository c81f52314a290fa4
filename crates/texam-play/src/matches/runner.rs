//! A match: pairs of games from the same opening with colours reversed, played on several threads.
//!
//! Pairs are counted in the order of their numbers, so that the result does not depend on the speed of the
//! threads. A match can stop after any pair, when the SPRT decides or the user cancels it, and be resumed
//! from there.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use shakmaty::Chess;

use super::{
    play::{self, GameSettings, PlayedGame},
    score::Tally,
    sprt::{Sprt, Verdict},
};
use crate::engine::Searcher;
use texam_chess::{
    error::{Error, ErrorKind, Result},
    position::Evaluation,
};

/// A match to be played.
pub struct MatchPlan<'a> {
    /// The two players.
    pub players: [&'a Evaluation; 2],
    /// The openings, one for each pair.
    pub openings: &'a [Chess],
    /// Results of the pairs played before; the same number of openings is skipped.
    pub before: Tally,
    /// Settings of the games.
    pub game_settings: GameSettings,
    /// Number of threads, each of which plays one game at a time; none for one on each core.
    pub threads: Option<u32>,
    /// Test that stops the match as soon as it decides.
    pub sprt: Option<Sprt>,
}

/// A pair of games. The first player has White in the first game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Number of the pair, from 1.
    pub number: usize,
    /// The two games.
    pub games: [PlayedGame; 2],
}

/// Size of the hash table of each player, in megabytes.
const HASH: usize = 4;

/// Stack of a playing thread, in bytes. The search recurses up to 128 plies.
const STACK: usize = 16 << 20;

/// Plays the match and returns its result. `observe` is called for each pair in order, with the result so
/// far. When `cancelled` returns true, running games are dropped and the complete pairs counted.
///
/// # Errors
///
/// A thread cannot be started.
pub fn run(
    plan: &MatchPlan,
    cancelled: &(dyn Fn() -> bool + Sync),
    mut observe: impl FnMut(&Pair, &Tally),
) -> Result<Tally> {
    let mut tally = plan.before;
    let begun = tally.pairs() as usize;
    let next = AtomicUsize::new(begun);
    let over = AtomicBool::new(is_decided(plan.sprt, &tally));
    let is_over = || over.load(Ordering::Relaxed) || cancelled();
    let mut waiting = BTreeMap::new();
    let mut count = |pair: Pair| {
        waiting.insert(pair.number, pair);
        while let Some(pair) = waiting.remove(&(tally.pairs() as usize + 1)) {
            if is_decided(plan.sprt, &tally) {
                break;
            }
            tally.add([pair.games[0].outcome, pair.games[1].outcome]);
            observe(&pair, &tally);
        }
        if is_decided(plan.sprt, &tally) {
            over.store(true, Ordering::Relaxed);
        }
    };
    if cfg!(target_family = "wasm") {
        // There are no threads.
        work(plan, &next, &is_over, count);
        return Ok(tally);
    }
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let cores = || thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        for _ in 0..plan.threads.unwrap_or_else(cores) {
            let sender = sender.clone();
            // If the receiver is gone the match is over, and the pair is not needed.
            let (next, is_over) = (&next, &is_over);
            let work = move || work(plan, next, is_over, |pair| _ = sender.send(pair));
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            thread.map_err(|error| {
                over.store(true, Ordering::Relaxed);
                Error::io("cannot start a thread", error).of_kind(ErrorKind::Threads)
            })?;
        }
        drop(sender);
        receiver.into_iter().for_each(&mut count);
        Ok::<_, Error>(())
    })?;
    Ok(tally)
}

/// Whether the test, if there is one, has ended.
pub fn is_decided(sprt: Option<Sprt>, tally: &Tally) -> bool {
    sprt.is_some_and(|sprt| sprt.verdict(&tally.pentanomial) != Verdict::Open)
}

/// Plays pairs until none is left or the match is over.
fn work(plan: &MatchPlan, next: &AtomicUsize, is_over: &dyn Fn() -> bool, mut deliver: impl FnMut(Pair)) {
    let mut players = plan.players.map(|player| Searcher::new(player, HASH));
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(opening) = plan.openings.get(index) else { return };
        let mut play = |white| play::play(&mut players, white, opening, &plan.game_settings, is_over);
        let (Some(first), Some(second)) = (play(0), play(1)) else { return };
        deliver(Pair { number: index + 1, games: [first, second] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::Limits, matches::openings};
    use std::sync::atomic::AtomicU32;
    use texam_chess::feature::Weights;

    fn evaluation(weights: Weights) -> Evaluation {
        Evaluation::new(&weights.quantised(), Default::default(), Default::default())
    }

    /// Positions after each first move.
    fn openings() -> Vec<Chess> {
        use shakmaty::Position;
        let start = Chess::default();
        let after = |mv| start.clone().play(mv).unwrap();
        openings::shuffled(start.legal_moves().into_iter().map(after).collect(), 3)
    }

    fn plan<'a>(players: &'a [Evaluation; 2], openings: &'a [Chess], threads: u32) -> MatchPlan<'a> {
        MatchPlan {
            players: [&players[0], &players[1]],
            openings,
            before: Tally::default(),
            game_settings: GameSettings { limits: Limits::nodes(150), adjudicate: false },
            threads: Some(threads),
            sprt: None,
        }
    }

    fn players() -> [Evaluation; 2] {
        [evaluation(Weights::start()), evaluation(Weights::material_only())]
    }

    fn all(plan: &MatchPlan) -> (Tally, Vec<Pair>) {
        let mut pairs = Vec::new();
        let tally = run(plan, &|| false, |pair, _| pairs.push(pair.clone())).unwrap();
        (tally, pairs)
    }

    #[test]
    fn any_number_of_threads_plays_the_same_games_in_the_same_order() {
        let (players, openings) = (players(), &openings()[..6]);
        let one = all(&plan(&players, openings, 1));
        assert_eq!(one, all(&plan(&players, openings, 3)));
        assert_eq!(one.1.iter().map(|pair| pair.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(one.0.games(), 12);
    }

    #[test]
    fn a_player_against_itself_scores_the_same_with_either_colour() {
        let player = [evaluation(Weights::start()), evaluation(Weights::start())];
        let (tally, pairs) = all(&plan(&player, &openings()[..4], 2));
        assert!(pairs.iter().all(|pair| pair.games[0] == pair.games[1]));
        assert_eq!((tally.wins, tally.pentanomial), (tally.losses, [0, 0, 4, 0, 0]));
    }

    #[test]
    fn a_cancelled_match_resumes_after_its_last_pair() {
        let (players, openings) = (players(), &openings()[..6]);
        let whole = all(&plan(&players, openings, 2));
        let count = AtomicU32::new(0);
        let mut first = Vec::new();
        let cancelled = || count.load(Ordering::Relaxed) >= 2;
        let before = run(&plan(&players, openings, 2), &cancelled, |pair, _| {
            first.push(pair.clone());
            count.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        assert!(before.pairs() >= 2 && before.pairs() as usize == first.len());
        let (after, rest) = all(&MatchPlan { before, ..plan(&players, openings, 2) });
        assert_eq!(after, whole.0);
        first.extend(rest);
        assert_eq!(first, whole.1);
    }

    #[test]
    fn the_test_stops_the_match_at_the_same_pair_on_any_number_of_threads() {
        let (players, openings) = (players(), openings());
        let sprt = Some(Sprt { elo0: -400.0, elo1: 0.0 });
        let one = all(&MatchPlan { sprt, ..plan(&players, &openings, 1) });
        assert_eq!(one, all(&MatchPlan { sprt, ..plan(&players, &openings, 3) }));
        assert!((one.0.pairs() as usize) < openings.len(), "{:?}", one.0);
        let again = all(&MatchPlan { sprt, before: one.0, ..plan(&players, &openings, 2) });
        assert_eq!(again, (one.0, Vec::new()));
    }
}
