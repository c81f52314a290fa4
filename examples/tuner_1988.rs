//! The tuner of 1988 in one file: it learns the weights of a chess evaluation from games of grandmasters.
//!
//! Andreas Nowatzyk tuned the evaluation of Deep Thought in this way. The winner of a game has mostly chosen well. So
//! we search the positions in which the winner was to move, compare the move played with the others, and compute weights
//! under which it comes out ahead more often. The program texam does the same with three plies, many more terms, and all
//! positions (docs/ARCHITECTURE.md). To run this file: `cargo run --release --example tuner_1988`.
#![allow(missing_docs, clippy::missing_errors_doc)] // Public for the test that compares this file with the program.

use nalgebra::{DMatrix, DVector};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Outcome, Position, Role, Square};
use std::{array, cmp::Reverse, env, fs, ops::ControlFlow};

const SKIPPED_MOVES: usize = 8; // at the start of a game, since players know them by heart
const EVERY: usize = 8; // every 8th position is used, so that a run takes less than a minute
const HELD_OUT: usize = 5; // every 5th game is measured but not fitted: are the new weights better there, too?
const DEPTH: u32 = 1; // plies of full minimax; Deep Thought had 3, and each takes thirty times as long
const BOUND: f64 = 64.0; // half a pawn; if a move changes the value by more, that is tactics, which no weight explains
const FORCE: f64 = 16.0; // on a move played, for each unit by which another move is ahead of it
const FITS: usize = 5;
const CENTER: Bitboard = Bitboard(0x18_1800_0000); // d4, e4, d5, e5
const CORNER: Bitboard = Bitboard(0xc0); // g1, h1

// 1. The evaluation is a sum of counts times weights, in units of 1/128 pawn. Least squares needs such a sum.

/// Name, weight at the start, the pieces that count, and how much each of them counts. The board is turned so that they
/// are White's.
type Term = (&'static str, f64, fn(&Board) -> Bitboard, fn(Square, &Board) -> i32);

/// The first five weights are fixed, because moves within the bound hardly change material. The others are guesses at
/// the start: 10 if the term is good, -10 if it is bad. Their sizes are to be learned.
pub const FIXED: usize = 5;
pub const TERMS: [Term; 15] = [
    ("mat_p", 128.0, Board::pawns, |_, _| 1),
    ("mat_n", 416.0, Board::knights, |_, _| 1),
    ("mat_b", 424.0, Board::bishops, |_, _| 1),
    ("mat_r", 640.0, Board::rooks, |_, _| 1),
    ("mat_q", 1216.0, Board::queens, |_, _| 1),
    // Pieces near the centre, rooks on central files, and attacks on the four central squares.
    ("n_cen", 10.0, Board::knights, |knight, _| centrality(knight)),
    ("b_cen", 10.0, Board::bishops, |bishop, _| centrality(bishop)),
    ("q_cen", 10.0, Board::queens, |queen, _| centrality(queen)),
    ("r_cen", 10.0, Board::rooks, |rook, _| file_class(rook)),
    ("ctr_att", 10.0, Board::occupied, |square, board| (board.attacks_from(square) & CENTER).count() as i32),
    // Rooks on files without pawns, and a king that has castled on its side: no rook is beside it in the corner.
    ("r_open", 10.0, Board::rooks, |rook, board| (board.pawns() & rook.file()).is_empty() as i32),
    ("cas_k", 10.0, Board::kings, |king, board| {
        (CORNER.contains(king) && (board.rooks() & board.white() & CORNER).is_empty()) as i32
    }),
    // Advanced pawns, most of all in the centre; isolated pawns; passed pawns, which no other pawn can stop.
    ("p_adv", 10.0, Board::pawns, |pawn, _| (pawn.rank() as i32 - 1) * (1 + file_class(pawn))),
    ("iso", -10.0, Board::pawns, |pawn, board| {
        (board.pawns() & board.white() & beside(pawn)).is_empty() as i32
    }),
    ("pass", 10.0, Board::pawns, |pawn, board| {
        let stoppers = board.pawns() & (beside(pawn) & board.black() | pawn.file());
        stoppers.into_iter().all(|stopper| stopper.rank() <= pawn.rank()) as i32
    }),
];
pub type Counts = [i32; TERMS.len()];
pub type Weights = [f64; TERMS.len()];

/// 0 for the a- and h-file to 3 for the d- and e-file.
fn file_class(square: Square) -> i32 {
    (square.file() as i32).min(7 - square.file() as i32)
}

/// 0 in the corners to 6 on the four central squares.
fn centrality(square: Square) -> i32 {
    file_class(square) + (square.rank() as i32).min(7 - square.rank() as i32)
}

/// The files on both sides of a pawn.
fn beside(pawn: Square) -> Bitboard {
    let files = [-1, 1].into_iter().filter_map(|step| pawn.file().offset(step));
    files.fold(Bitboard::EMPTY, |set, file| set | file)
}

/// The counts of the side to move minus those of the other side.
pub fn count_terms(position: &Chess) -> Counts {
    let mut own = position.board().clone();
    if position.turn().is_black() {
        own.mirror();
    }
    let other = own.clone().into_mirrored();
    TERMS.map(|(_, _, pieces, count)| {
        let counts = |board| (pieces(board) & board.white()).into_iter().map(|square| count(square, board));
        counts(&own).sum::<i32>() - counts(&other).sum::<i32>()
    })
}

// 2. The search finds the leaf of a move, which is the position where best play ends, and carries its counts back to
// the root. They say what the value of the move is made of, and so how it changes with the weights.

/// Value and counts for the side to move. In a mate or a draw the counts are 0: its value depends on no weight.
pub struct Leaf {
    pub value: f64,
    pub counts: Counts,
}
const MATE: f64 = 30_000.0;
type Window = (f64, f64); // alpha and beta
pub const OPEN: Window = (f64::NEG_INFINITY, f64::INFINITY);

/// The leaf of best play from a position that is `ply` plies below the root. Down to `depth` this is full minimax. Then
/// quiescence follows, so that no leaf has a piece that is about to be taken: the side to move captures, promotes to a
/// queen, or stands pat, that is, accepts the evaluation. In check it may make any move but not stand pat; after six plies
/// checks are ignored, so that the search ends. Alpha and beta leave out only moves that cannot change the result.
pub fn search(position: &Chess, ply: u32, depth: u32, (alpha, beta): Window, weights: &Weights) -> Leaf {
    if ply <= depth && (position.is_stalemate() || position.is_insufficient_material()) {
        return Leaf { value: 0.0, counts: [0; TERMS.len()] };
    }
    let mut moves = position.legal_moves();
    let must_move = ply < depth || (position.is_check() && ply < depth + 6);
    let mut best = Leaf { value: f64::from(ply) - MATE, counts: [0; TERMS.len()] }; // mated, if there is no move
    if !must_move {
        best.counts = count_terms(position);
        best.value = best.counts.iter().zip(weights).map(|(&count, weight)| f64::from(count) * weight).sum();
        moves.retain(|mv| mv.promotion().map_or(mv.is_capture(), |role| role == Role::Queen));
    }
    // The most valuable piece is taken first, because then alpha and beta leave out the most.
    moves.sort_by_key(|mv| (Reverse(mv.capture()), mv.role()));
    for mv in moves {
        if best.value >= beta {
            break;
        }
        // In full minimax the window is open, and no move is left out.
        let window = if ply < depth { OPEN } else { (-beta, -alpha.max(best.value)) };
        let leaf = follow(position, mv, ply, depth, window, weights);
        if leaf.value > best.value {
            best = leaf;
        }
    }
    best
}

/// The leaf after a move, for the side that makes it.
pub fn follow(position: &Chess, mv: Move, ply: u32, depth: u32, window: Window, weights: &Weights) -> Leaf {
    let mut next = position.clone();
    next.play_unchecked(mv);
    let leaf = search(&next, ply + 1, depth, window, weights);
    Leaf { value: -leaf.value, counts: leaf.counts.map(|count| -count) }
}

// 3. The games: those with a winner, and in them the positions in which the winner had a choice.

pub type WinnerPosition = (usize, Chess, Move); // number of the game, position, and move played

pub fn read_games(path: &str) -> Result<Vec<WinnerPosition>, String> {
    let text = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let mut positions = Vec::new();
    for (number, game) in (1..).zip(Reader::new(&text[..]).read_games(&mut Game)) {
        let (winner, moves) = game.map_err(|error| format!("{path}: {error}"))?;
        let mut position = Chess::default();
        for (ply, san) in moves.into_iter().enumerate() {
            let error = |_| format!("{path}, game {number}: expected a legal move, but found {san}");
            let played = san.san.to_move(&position).map_err(error)?;
            let is_choice = winner == Some(position.turn()) && position.legal_moves().len() > 1;
            if is_choice && ply >= 2 * SKIPPED_MOVES {
                positions.push((number, position.clone(), played));
            }
            position.play_unchecked(played);
        }
    }
    Ok(positions)
}

/// What pgn-reader calls as it reads a game. It takes the winner from the tags, then the moves.
struct Game;

impl Visitor for Game {
    type Tags = Option<Color>;
    type Movetext = (Option<Color>, Vec<SanPlus>);
    type Output = (Option<Color>, Vec<SanPlus>);
    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(None)
    }
    fn tag(&mut self, winner: &mut Self::Tags, name: &[u8], value: RawTag) -> ControlFlow<Self::Output> {
        if name == b"Result" {
            *winner = Outcome::from_ascii(value.as_bytes()).ok().and_then(Outcome::winner);
        }
        ControlFlow::Continue(())
    }
    fn begin_movetext(&mut self, winner: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((winner, Vec::new()))
    }
    fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        game.1.push(san);
        ControlFlow::Continue(())
    }
    fn end_game(&mut self, game: Self::Movetext) -> Self::Output {
        game
    }
}

// 4. The choices. What does each move change, compared with the position before it, and what should it change?

pub struct Choice {
    pub rank: f64, // moves ahead of the move played; one with the same value counts half; 0 is a match
    pub rows: Vec<Row>, // the move played, then the others within the bound; none if there is nothing to compare
}
pub struct Row {
    pub counts: Counts, // of the leaf of the move, minus those of the leaf of the position before it
    pub deviation: f64, // value of the move, minus the mean value of the rows
    pub force: f64,     // by how much its value should rise
}

pub fn choice((_, position, played): &WinnerPosition, depth: u32, weights: &Weights) -> Choice {
    let root = search(position, 0, 0, OPEN, weights);
    let others = position.legal_moves().into_iter().filter(|mv| mv != played);
    let leaf = |mv| follow(position, mv, 0, depth, OPEN, weights);
    let leaves: Vec<Leaf> = [*played].into_iter().chain(others).map(leaf).collect();
    let value = leaves[0].value;
    let ahead = leaves.iter().filter(|leaf| leaf.value > value).count() as f64;
    let tied = leaves[1..].iter().filter(|leaf| leaf.value == value).count() as f64;
    let mut choice = Choice { rank: ahead + tied / 2.0, rows: Vec::new() };
    let is_mate = root.value.abs() > MATE / 2.0;
    let in_bound = |leaf: &&Leaf| !is_mate && (leaf.value - root.value).abs() <= BOUND;
    let kept: Vec<&Leaf> = leaves.iter().filter(in_bound).collect();
    if in_bound(&&leaves[0]) && kept.len() > 1 {
        let mean = kept.iter().map(|leaf| leaf.value).sum::<f64>() / kept.len() as f64;
        // The further another move is ahead, the more the move played should rise. The others pay for it in equal
        // parts: without this balance, the fit would learn that every move improves the position.
        let best = kept.iter().map(|leaf| leaf.value).fold(value, f64::max);
        let (force, others) = (FORCE * (best - value), (kept.len() - 1) as f64);
        choice.rows.extend(kept.into_iter().enumerate().map(|(number, leaf)| Row {
            counts: array::from_fn(|term| leaf.counts[term] - root.counts[term]),
            deviation: leaf.value - mean,
            force: if number == 0 { force } else { -force / others },
        }));
    }
    choice
}

// 5. The fit. Each row has a target, which its counts times the new weights should meet. No weights meet all targets,
// so we take those with the smallest sum of squared errors.

/// How far apart the values of the moves of a choice are: their standard deviation.
pub fn spread(choices: &[Choice]) -> f64 {
    let squares: f64 = choices.iter().flat_map(|choice| &choice.rows).map(|row| row.deviation.powi(2)).sum();
    let freedom: usize = choices.iter().map(|choice| choice.rows.len().saturating_sub(1)).sum();
    (squares / freedom as f64).sqrt()
}

/// The normal equations, as a matrix and a right side: the derivative of the sum by each weight is 0. If force and
/// stretch are 0, all targets are the present values, so the solution must be the present weights: a good test.
pub fn equations(choices: &[Choice], weights: &Weights, stretch: f64) -> (DMatrix<f64>, DVector<f64>) {
    let size = TERMS.len() - FIXED;
    let present = DVector::from_column_slice(&weights[FIXED..]);
    let (mut matrix, mut right) = (DMatrix::zeros(size, size), DVector::zeros(size));
    for row in choices.iter().flat_map(|choice| &choice.rows) {
        let counts = DVector::from_iterator(size, row.counts[FIXED..].iter().map(|&count| f64::from(count)));
        let target = counts.dot(&present) + row.force + stretch * row.deviation;
        matrix += &counts * counts.transpose();
        right += counts * target;
    }
    (matrix, right)
}

/// New weights. Fits tend to draw the values of good and bad moves together. So the compensation stretches them again, by
/// what is missing from the first spread, at most by a quarter. Weights in 1/256 unit make all sums exact.
pub fn fit(choices: &[Choice], weights: &Weights, first_spread: f64) -> Result<Weights, String> {
    let stretch = (first_spread / spread(choices) - 1.0).clamp(-0.25, 0.25);
    let (matrix, right) = equations(choices, weights, stretch);
    let factor = matrix.cholesky().ok_or("too few positions to determine all weights; use more games")?;
    let mut solved = *weights;
    solved[FIXED..].copy_from_slice(factor.solve(&right).as_slice());
    Ok(solved.map(|weight| (weight * 256.0).round() / 256.0))
}

// 6. The passes. With new weights the search finds other leaves. So after each fit all positions are searched again.

fn main() -> Result<(), String> {
    let path = env::args().nth(1).unwrap_or_else(|| "games/gm1988.pgn".to_string());
    let sample = read_games(&path)?.into_iter().step_by(EVERY);
    let (held_out, fitted): (Vec<_>, Vec<_>) = sample.partition(|(game, ..)| game.is_multiple_of(HELD_OUT));
    println!("{path}: {} positions to fit, {} held out", fitted.len(), held_out.len());
    println!("           fitted             held out\npass   match  mean rank   match  mean rank   spread");
    let start: Weights = TERMS.map(|(_, start, ..)| start);
    let (mut weights, mut first_spread) = (start, None);
    for pass in 0..=FITS {
        print!("{pass:4}");
        let [fitted, _] = [&fitted, &held_out].map(|set| {
            let choices: Vec<Choice> = set.iter().map(|position| choice(position, DEPTH, &weights)).collect();
            let matched = choices.iter().filter(|choice| choice.rank == 0.0).count() as f64;
            let ranks: f64 = choices.iter().map(|choice| choice.rank).sum();
            print!("{:8.4}{:11.4}", matched / choices.len() as f64, ranks / choices.len() as f64);
            choices
        });
        let spread = spread(&fitted);
        println!("{spread:9.2}");
        if pass < FITS {
            weights = fit(&fitted, &weights, *first_spread.get_or_insert(spread))?;
        }
    }
    println!("\nterm       start     now");
    for ((name, start, ..), now) in TERMS.iter().zip(weights) {
        println!("{name:8}{start:8.1}{now:8.1}");
    }
    Ok(())
}
