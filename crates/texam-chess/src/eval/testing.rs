//! Hand-made and random positions for tests of the evaluation.

use shakmaty::{Chess, Color, Position};

use super::{Placement, Side, Sink, SymbolicSink, features, piece_square};
use crate::{
    feature::{Extras, FeatureVector, Key},
    fen,
    position::SplitMix64,
};

/// The placement of a FEN, which may have more pieces than a game allows.
pub fn placement(fen: &str) -> Placement {
    Placement::from(&fen::parse(fen).unwrap())
}

/// Count of all cells of a key, White minus Black.
pub fn count(fen: &str, key: Key) -> i32 {
    sum(&cells_of(&features(&placement(fen), Extras::ALL), key))
}

/// What White alone reports, all cells of a key together.
pub fn white(fen: &str, key: Key) -> i32 {
    sum(&white_cells(fen, key))
}

/// What Black alone reports, with the sign that is Black's own.
pub fn black(fen: &str, key: Key) -> i32 {
    sum(&black_cells(fen, key))
}

/// The cells that White alone reports: index in the table, count.
pub fn white_cells(fen: &str, key: Key) -> Vec<(usize, i32)> {
    cells_of(&side_features(&placement(fen), Color::White), key)
}

/// The cells that Black alone reports.
pub fn black_cells(fen: &str, key: Key) -> Vec<(usize, i32)> {
    cells_of(&side_features(&placement(fen), Color::Black), key)
}

/// What one side reports.
fn side_features(placement: &Placement, color: Color) -> FeatureVector {
    let side = Side::new(placement, color, placement.lead());
    let mut sink = SymbolicSink::new();
    side.own.for_each(|role, square| piece_square(role, square, &mut sink));
    super::relations(&side, &mut sink);
    attack_terms(placement, color, &mut sink);
    sink.into_vector()
}

/// The attack terms of one side.
pub fn attack_terms<S: Sink>(placement: &Placement, color: Color, sink: &mut S) {
    let [side, enemy] = [color, color.other()].map(|color| Side::new(placement, color, placement.lead()));
    let own = super::piece_attacks(&side, sink);
    let of_enemy = super::piece_attacks(&enemy, &mut SymbolicSink::new());
    super::threats(&side, &own, &of_enemy.flipped(), sink);
}

/// Index in the table and count of every cell of a key that occurs.
fn cells_of(vector: &FeatureVector, key: Key) -> Vec<(usize, i32)> {
    let cells = key.feature().layout.cells();
    (0..cells)
        .map(|index| (index, i32::from(vector.get(key.cell_at(index)))))
        .filter(|&(_, count)| count != 0)
        .collect()
}

fn sum(cells: &[(usize, i32)]) -> i32 {
    cells.iter().map(|&(_, count)| count).sum()
}

/// Where random games start: the first position, an open middlegame, endings with pawns about to
/// promote, and positions in which the rarest terms occur.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pb1nbppp/1p2pn2/2q5/2B5/2N2N2/PPQ1BPPP/R3K2R w KQkq - 0 1",
    "7k/1P6/5P2/2p5/7p/3n2K1/P5p1/8 w - - 0 1",
    "8/5pk1/7p/3RP3/1p1r4/8/PP3K2/8 b - - 0 1",
    "8/P6P/8/2k5/8/5K2/p6p/8 w - - 0 1",
    "5k2/B1p2p1B/1p4p1/8/8/2b5/PP3PBP/6KR w - - 0 1",
    "6k1/RR3p1p/8/1P6/1P6/1P4P1/1B4BP/6K1 w - - 0 1",
    "8/7k/8/P7/8/8/5p2/1K6 w - - 0 1",
];

/// Placements of [`random_positions`].
pub fn random_placements() -> Vec<Placement> {
    random_positions().iter().map(Placement::from).collect()
}

/// Positions of random games, the same in every run.
pub fn random_positions() -> Vec<Chess> {
    let mut random = SplitMix64(1988);
    let mut positions = Vec::new();
    for game in 0..48 {
        let mut position = fen::parse(STARTS[game % STARTS.len()]).unwrap();
        for _ in 0..120 {
            positions.push(position.clone());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // With this remainder every feature occurs in some position, which a test relies on.
            let index = (random.next() % moves.len() as u64) as usize;
            position = position.play(moves[index]).unwrap();
        }
    }
    positions
}

/// The same position with colours exchanged.
pub fn flipped(placement: &Placement) -> Placement {
    Placement {
        roles: placement.roles.map(u64::swap_bytes),
        colors: [placement.colors[1], placement.colors[0]].map(u64::swap_bytes),
        turn: placement.turn.other(),
        castling: (placement.castling >> 2) | ((placement.castling & 3) << 2),
    }
}
