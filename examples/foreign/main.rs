//! A small engine that is not texam's, as one to tune: material and piece-square tables, alpha-beta search and
//! quiescence. It can do what an engine needs for [evening.py](../evening.py), and shows how little that is.
//!
//! ```sh
//! foreign start                        # the table of its weights
//! foreign rows POSITIONS WEIGHTS.csv   # rows: of each legal move for FEN;MOVE;GAME, one for FEN;RESULT;GAME
//! foreign uci WEIGHTS.csv              # plays by UCI; knows `go nodes` only
//! ```

use std::{
    env, fs,
    io::{self, BufRead, BufWriter, Write},
    process::ExitCode,
};

use shakmaty::{CastlingMode, Chess, Color, Piece, Position, Role, Square, fen::Fen, uci::UciMove};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Values of the pieces at the start, in units of 1/128 pawn.
const MATERIAL: [(Role, f64); 5] = [
    (Role::Pawn, 128.0),
    (Role::Knight, 400.0),
    (Role::Bishop, 400.0),
    (Role::Rook, 640.0),
    (Role::Queen, 1200.0),
];
const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
/// Plies of captures that quiescence searches.
const CAPTURES: u32 = 8;
const MATE: f64 = 30000.0;

/// The weight of a piece on a square. The board is seen from its own side, and its wings are alike.
fn square_weight(piece: Piece, square: Square) -> usize {
    let square = if piece.color == Color::White { square } else { square.flip_vertical() };
    let file = u32::from(square.file()).min(7 - u32::from(square.file()));
    let index = file as usize + 4 * u32::from(square.rank()) as usize;
    MATERIAL.len() + 32 * (piece.role as usize - 1) + index
}

/// How often each weight counts, for White: its number, and 1 or -1 for each piece.
fn counts(position: &Chess) -> impl Iterator<Item = (usize, f64)> {
    position.board().clone().into_iter().flat_map(|(square, piece)| {
        let sign = piece.color.fold_wb(1.0, -1.0);
        let material = MATERIAL.iter().position(|&(role, _)| role == piece.role);
        material.into_iter().chain([square_weight(piece, square)]).map(move |weight| (weight, sign))
    })
}

/// The table of the start weights.
fn print_start(out: &mut impl Write) -> Result<()> {
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

struct Engine {
    weights: Vec<f64>,
    nodes: u64,
    limit: u64,
}

impl Engine {
    fn read(path: &str) -> Result<Engine> {
        let table = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let value = |line: &str| line.split(',').nth(1).and_then(|value| value.parse().ok());
        let weights: Option<Vec<f64>> = table.lines().skip(1).map(value).collect();
        let weights = weights.filter(|weights| weights.len() == MATERIAL.len() + 32 * ROLES.len());
        let weights = weights.ok_or_else(|| format!("{path}: expected the weights of `foreign start`"))?;
        Ok(Engine { weights, nodes: 0, limit: u64::MAX })
    }

    /// The value for the side to move.
    fn evaluate(&self, position: &Chess) -> f64 {
        let value: f64 = counts(position).map(|(weight, count)| self.weights[weight] * count).sum();
        position.turn().fold_wb(value, -value)
    }

    /// The value for the side to move, and the end of the best line. Without plies left only captures are searched.
    fn search(
        &mut self,
        position: &Chess,
        plies: u32,
        captures: u32,
        mut alpha: f64,
        beta: f64,
    ) -> (f64, Chess) {
        self.nodes += 1;
        let is_quiet = plies == 0;
        let mut moves = if is_quiet { position.capture_moves() } else { position.legal_moves() };
        let mut best = (-MATE, position.clone());
        if is_quiet {
            best.0 = self.evaluate(position);
            if best.0 >= beta || captures == 0 {
                return best;
            }
            alpha = alpha.max(best.0);
        } else if moves.is_empty() {
            best.0 = if position.is_check() { -MATE } else { 0.0 };
        }
        // The most valuable victim first.
        moves.sort_by_key(|mv| (mv.capture().map_or(0, |role| -(role as i32)), mv.role() as i32));
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let (plies, captures) = if is_quiet { (0, captures - 1) } else { (plies - 1, captures) };
            let (value, leaf) = self.search(&next, plies, captures, -beta, -alpha);
            if -value > best.0 {
                best = (-value, leaf);
            }
            alpha = alpha.max(best.0);
            if alpha >= beta || self.nodes > self.limit {
                break;
            }
        }
        best
    }

    /// Prints the rows of one line of positions.
    fn print_rows(&mut self, number: usize, line: &str, out: &mut impl Write) -> Result<()> {
        let [fen, label, game] = line.split(';').collect::<Vec<_>>()[..] else {
            return Err("expected FEN;MOVE;GAME or FEN;RESULT;GAME".into());
        };
        let position = parse(fen)?;
        if label.parse::<f64>().is_ok() {
            let value = self.evaluate(&position) * position.turn().fold_wb(1.0, -1.0);
            return self.print_row(label, value, &position, Color::White, game, out);
        }
        let played = label.parse::<UciMove>()?.to_move(&position)?;
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let (value, leaf) = self.search(&next, 0, CAPTURES, -MATE, MATE);
            let label = format!("{} qid:{number}", u8::from(mv == played));
            self.print_row(&label, -value, &leaf, position.turn(), game, out)?;
        }
        Ok(())
    }

    /// Prints the counts of a position as a side sees them, and the value that they give.
    fn print_row(
        &self,
        label: &str,
        value: f64,
        leaf: &Chess,
        side: Color,
        game: &str,
        out: &mut impl Write,
    ) -> Result<()> {
        let mut sums = vec![0.0; self.weights.len()];
        counts(leaf).for_each(|(weight, count)| sums[weight] += count * side.fold_wb(1.0, -1.0));
        write!(out, "{label} value:{value}")?;
        for (weight, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum != 0.0) {
            write!(out, " {}:{sum}", weight + 1)?;
        }
        Ok(writeln!(out, " # game:{game}")?)
    }

    /// The best move by searches of more and more plies, until the number of nodes is reached.
    fn go(&mut self, position: &Chess, limit: u64, out: &mut impl Write) -> Result<()> {
        let mut moves = position.legal_moves();
        (self.nodes, self.limit) = (0, limit);
        for plies in 0..16 {
            let (mut alpha, mut best) = (-MATE, 0);
            for (place, &mv) in moves.iter().enumerate() {
                let mut next = position.clone();
                next.play_unchecked(mv);
                let (value, _) = self.search(&next, plies, CAPTURES, -MATE, -alpha);
                if self.nodes > limit {
                    break;
                }
                if -value > alpha {
                    (alpha, best) = (-value, place);
                }
            }
            // Searched first by the next search.
            moves[..=best].rotate_right(1);
            if self.nodes > limit {
                break;
            }
            writeln!(out, "info depth {} score cp {} nodes {}", plies + 1, alpha.round(), self.nodes)?;
        }
        let best =
            moves.first().map_or("(none)".to_string(), |mv| mv.to_uci(CastlingMode::Standard).to_string());
        Ok(writeln!(out, "bestmove {best}")?)
    }

    fn play(&mut self, out: &mut impl Write) -> Result<()> {
        let mut position = Chess::default();
        for line in io::stdin().lock().lines() {
            let line = line?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first() {
                Some(&"uci") => writeln!(out, "id name foreign\nuciok")?,
                Some(&"isready") => writeln!(out, "readyok")?,
                Some(&"position") => {
                    let (start, moves) = line.split_once(" moves ").unwrap_or((&line, ""));
                    let fen = start.split_once(" fen ").map(|(_, fen)| fen);
                    position = fen.map_or(Ok(Chess::default()), parse)?;
                    for word in moves.split_whitespace() {
                        let mv = word.parse::<UciMove>()?.to_move(&position)?;
                        position.play_unchecked(mv);
                    }
                }
                Some(&"go") => {
                    let nodes = words.iter().skip_while(|word| **word != "nodes").nth(1);
                    self.go(&position, nodes.and_then(|nodes| nodes.parse().ok()).unwrap_or(10_000), out)?;
                }
                Some(&"quit") => break,
                _ => {}
            }
            out.flush()?;
        }
        Ok(())
    }
}

fn parse(fen: &str) -> Result<Chess> {
    Ok(fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?)
}

fn run() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["start"] => print_start(&mut out)?,
        ["uci", weights] => Engine::read(weights)?.play(&mut out)?,
        ["rows", positions, weights] => {
            let mut engine = Engine::read(weights)?;
            let lines = fs::read_to_string(positions).map_err(|error| format!("{positions}: {error}"))?;
            writeln!(out, "# texam-choices 1")?;
            for (number, line) in (1..).zip(lines.lines()) {
                let rows = engine.print_rows(number, line, &mut out);
                rows.map_err(|error| format!("{positions}, line {number}: {error}"))?;
            }
        }
        _ => {
            return Err(
                "usage: foreign start | foreign rows POSITIONS WEIGHTS.csv | foreign uci WEIGHTS.csv".into(),
            );
        }
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
