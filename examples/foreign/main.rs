//! A small engine that is not texam's, tuned by it: material and piece-square tables, one static evaluation a
//! move.
//!
//! ```sh
//! cargo run --release --example foreign -- --start > start.csv
//! texam fit --choices-from 'cargo run --release --example foreign -- {weights}' --weights start.csv \
//!     --objective softmax --iterations 1
//! ```
//!
//! Given a table of weights it prints, for every position of the games in which the winner was to move, one
//! row for each legal move: what the move changes in the counts of the evaluation, from the view of the side
//! that moves. Its static evaluation is linear, so the rows do not depend on the weights. An engine that
//! searches would search with the weights it is given, and print the features of the leaf of every move.

use std::{
    env, fs,
    io::{self, BufWriter, Write},
    path::Path,
    process::ExitCode,
};

use shakmaty::{Chess, Color, Move, Piece, Position, Role, Square};
use texam::game::{self, GameOptions};

/// Values of the pieces at the start, in units of 1/128 pawn.
const MATERIAL: [(Role, f64); 5] = [
    (Role::Pawn, 128.0),
    (Role::Knight, 400.0),
    (Role::Bishop, 400.0),
    (Role::Rook, 640.0),
    (Role::Queen, 1200.0),
];
const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// The weight of a role's material: 0 pawn to 4 queen. A king has none.
fn material(role: Role) -> Option<usize> {
    MATERIAL.iter().position(|&(other, _)| other == role)
}

/// The weight of a piece on a square. The board is seen from its own side, and its wings are alike.
fn square(piece: Piece, square: Square) -> usize {
    let square = if piece.color == Color::White { square } else { square.flip_vertical() };
    let file = u32::from(square.file()).min(7 - u32::from(square.file()));
    let index = file as usize + 4 * u32::from(square.rank()) as usize;
    MATERIAL.len() + 32 * (piece.role as usize - 1) + index
}

/// The table of the start weights.
fn start(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "name,value,tune")?;
    for (role, value) in MATERIAL {
        // The pawn gives the unit.
        writeln!(out, "{},{value},{}", role.char(), role != Role::Pawn)?;
    }
    for role in ROLES {
        for rank in 1..=8 {
            for file in ["ah", "bg", "cf", "de"] {
                let is_possible = role != Role::Pawn || (2..=7).contains(&rank);
                writeln!(out, "{}_{file}{rank},0,{is_possible}", role.char())?;
            }
        }
    }
    Ok(())
}

/// The row of a move: columns from 1 with the change of their counts, ascending.
fn row(position: &Chess, mv: Move) -> Vec<(usize, i32)> {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let mut row: Vec<(usize, i32)> = Vec::new();
    for (position, sign) in [(position, -1), (&after, 1)] {
        for (at, piece) in position.board() {
            // The side that moves is the same in both.
            let sign = if piece.color == after.turn() { -sign } else { sign };
            row.extend(material(piece.role).map(|column| (column + 1, sign)));
            row.push((square(piece, at) + 1, sign));
        }
    }
    row.sort_unstable();
    let mut sums: Vec<(usize, i32)> = Vec::new();
    for (column, count) in row {
        match sums.last_mut().filter(|(last, _)| *last == column) {
            Some((_, sum)) => *sum += count,
            None => sums.push((column, count)),
        }
    }
    sums.retain(|&(_, sum)| sum != 0);
    sums
}

/// Prints the rows of all positions.
fn choices(games: &Path, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let collection = game::load(games, &GameOptions::default(), 1, &mut |_| {})?;
    writeln!(out, "# texam-choices 1")?;
    for (number, at) in collection.positions.iter().enumerate() {
        let position = at.position();
        let played = at.played_in(&position);
        for mv in position.legal_moves() {
            write!(out, "{} qid:{}", u8::from(mv == played), number + 1)?;
            for (column, count) in row(&position, mv) {
                write!(out, " {column}:{count}")?;
            }
            writeln!(out, " # game:{}", at.game + 1)?;
        }
    }
    Ok(())
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = env::args().skip(1);
    let first = args.next().ok_or("usage: foreign --start | foreign WEIGHTS.csv [GAMES]")?;
    let mut out = BufWriter::new(io::stdout().lock());
    if first == "--start" {
        start(&mut out)?;
    } else {
        // A static evaluation has no use for the weights; a search would.
        fs::metadata(&first).map_err(|error| format!("{first}: {error}"))?;
        choices(Path::new(&args.next().unwrap_or(game::SHIPPED.to_string())), &mut out)?;
    }
    Ok(out.flush()?)
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
