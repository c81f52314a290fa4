//! What stored trees cost and what they leave out, by margin: prints the table of benches/README.md.
//!
//! `cargo run --release -p texam-benches --example trees -- 10` takes each 10th game. For each margin,
//! fifteen fits are made on trees that stand still. Then the weights after some of these fits search the same
//! positions anew: this tells in how many choices the walk has the value and leaf of the search for each kept
//! move, and what the match is by search. Times are of one process in turn, so their ratios hold on a machine
//! that is evenly busy.

use std::{env, fs, time::Instant};

use texam::{
    feature::Weights,
    game::{self, Collection, GameOptions},
    parameters::Parameters,
    position::CompactMove,
    sample::{Forest, PositionSource, Sampling},
    search::{
        SearchedMoves,
        alphabeta::{AlphaBeta, Prepared},
        tree::{Margin, Walker},
    },
    value::UNIT,
};
use texam_fit::{Forces, Job, Plan};

const MARGINS: [i64; 6] = [0, 4, 8, 16, 32, 64];
const FITS: [usize; 3] = [1, 5, 15];
/// Positions of all 868 games.
const ALL: f64 = 31_353.0;

fn main() {
    let step =
        env::args().nth(1).map_or(10, |step| step.parse().expect("the number of games from one to the next"));
    let mut games = game::load("games/gm1988.pgn", &GameOptions::default(), 1, &mut |_| {})
        .expect("the games are shipped");
    games.positions.retain(|position| position.game % step == 0);
    let positions = games.positions.len() as f64;
    let start = Weights::start();
    let (searched, search) = timed(|| search(&games, &start));
    println!("{positions} positions; a search takes {:.2} ms", 1e3 * search / positions);
    print!("|    M | MB for all | grow / search | search / walk |");
    println!("{}", FITS.map(|fits| format!(" same after {fits} | match by search |")).concat());
    for margin in MARGINS {
        print!("| {margin:4} |{}", row(&games, &start, Some(margin * UNIT), search, &searched));
    }
}

/// The columns of a margin.
fn row(
    games: &Collection,
    start: &Weights,
    margin: Margin,
    search_time: f64,
    searched: &[SearchedMoves],
) -> String {
    let sampling = Sampling::default();
    let prepared = Prepared::new(sampling.search, &start.quantised());
    let count = games.positions.len() as f64;
    let (trees, grow) = timed(|| {
        let mut searcher = AlphaBeta::new(&prepared);
        games
            .positions
            .iter()
            .map(|position| searcher.grow(&position.position(), margin))
            .collect::<Result<Vec<_>, _>>()
    });
    let trees = trees.expect("trees below the limit");
    let (walked, walk_time) = timed(|| walk(games, start, &trees));
    assert!(
        walked.iter().zip(searched).all(|(walk, search)| is_same(walk, search)),
        "the walk under the weights of the trees"
    );

    let parameters = Parameters::new(start).expect("weights of the start");
    let tick = &|_: &_| true;
    let forest = Forest::grow(&games.positions, start, sampling.search, margin, tick)
        .expect("a temporary file")
        .expect("not cancelled");
    let none = Forest::grow(&[], start, sampling.search, margin, tick)
        .expect("a temporary file")
        .expect("not cancelled");
    let bytes = fs::metadata(forest.path()).expect("its file").len() as f64;
    let mut source = PositionSource::new([&games.positions, &[]], &parameters, sampling, tick);
    source.walk([forest, none], margin, 0, (0, None));
    let mut plan = Plan::default();
    (plan.keep_spread, plan.iterations) = (true, 15);
    let job = Job {
        objective: &Forces::default(),
        start: parameters.model(),
        plan: &plan,
        finished: Vec::new(),
        observer: &(),
    };
    let run = job.run(&mut source).expect("fifteen fits");

    let megabytes = bytes / count * ALL / 1e6;
    let mut columns =
        format!(" {megabytes:10.1} | {:13.2} | {:13.1} |", grow / search_time, search_time / walk_time);
    for fits in FITS {
        let weights = parameters.weights(&run.passes[fits].values);
        let anew = search(games, &weights);
        let walked = walk(games, &weights, &trees);
        let same =
            anew.iter().zip(&walked).filter(|(search, walk)| is_same(search, walk)).count() as f64 / count;
        let matches =
            anew.iter().filter(|moves| moves.legal > 1 && moves.ahead + moves.tied == 0).count() as f64;
        let choices = anew.iter().filter(|moves| moves.legal > 1).count() as f64;
        columns += &format!(" {:11.3} | {:15.4} |", same, matches / choices);
    }
    columns + "\n"
}

/// Searches all positions under these weights.
fn search(games: &Collection, weights: &Weights) -> Vec<SearchedMoves> {
    let Sampling { search, root, threshold } = Sampling::default();
    let prepared = Prepared::new(search, &weights.quantised());
    let mut searcher = AlphaBeta::new(&prepared);
    let positions =
        games.positions.iter().map(|winner| (winner.position(), CompactMove::from(winner.played())));
    positions.map(|(position, played)| searcher.search_choice(&position, played, root, threshold)).collect()
}

/// Walks through the trees of all positions under these weights.
fn walk(games: &Collection, weights: &Weights, trees: &[Vec<u8>]) -> Vec<SearchedMoves> {
    let Sampling { search, root, threshold } = Sampling::default();
    let prepared = Prepared::new(search, &weights.quantised());
    let mut walker = Walker::new(&prepared);
    let positions =
        games.positions.iter().map(|winner| (winner.position(), CompactMove::from(winner.played())));
    let walk =
        |((position, played), tree): (_, &Vec<u8>)| walker.choice(&position, played, root, threshold, tree);
    positions.zip(trees).map(walk).collect::<Result<_, _>>().expect("the trees of these positions")
}

/// Whether the kept moves are the same, with the same values and leaves.
fn is_same(a: &SearchedMoves, b: &SearchedMoves) -> bool {
    a.kept == b.kept
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let done = work();
    (done, begin.elapsed().as_secs_f64())
}
