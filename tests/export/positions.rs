//! Some thousands of positions: real ones, random games, and men strewn over the board.

use std::{path::Path, sync::OnceLock};

use fastrand::Rng;
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};
use texam::{
    eval::{self, Placement},
    feature::{CELLS, Cell, Extras, Group, Key, cell_name},
    game::{self, GameOptions},
};

/// What the evaluation depends on, be it from a game or not. The evaluation asks for one king on each side
/// and no pawns on the outer ranks, and for nothing else.
pub struct Odd {
    /// Men on the board from a1 to h8, as letters; a blank where there is none.
    men: [char; 64],
    turn: Color,
    /// As in [`Placement::castling`].
    castling: u8,
}

const MEN: &str = "PNBRQK";

impl Odd {
    fn of(placement: &Placement) -> Odd {
        let man = |square: usize| {
            let role = placement.roles.iter().position(|men| men >> square & 1 != 0);
            let letter = role.map_or(' ', |role| MEN.as_bytes()[role] as char);
            if placement.colors[1] >> square & 1 != 0 { letter.to_ascii_lowercase() } else { letter }
        };
        Odd { men: std::array::from_fn(man), turn: placement.turn, castling: placement.castling }
    }

    pub fn placement(&self) -> Placement {
        let mut placement =
            Placement { roles: [0; 6], colors: [0; 2], turn: self.turn, castling: self.castling };
        for (square, letter) in self.men.iter().enumerate().filter(|&(_, &letter)| letter != ' ') {
            placement.roles[MEN.find(letter.to_ascii_uppercase()).unwrap()] |= 1 << square;
            placement.colors[usize::from(letter.is_lowercase())] |= 1 << square;
        }
        placement
    }

    pub fn fen(&self) -> String {
        let rank = |rank: usize| {
            let row: String = self.men[8 * rank..8 * rank + 8].iter().collect();
            (1..=8).rev().fold(row, |row, n| row.replace(&" ".repeat(n), &n.to_string()))
        };
        let ranks: Vec<String> = (0..8).rev().map(rank).collect();
        let rights: String = "KQkq"
            .chars()
            .enumerate()
            .filter(|(bit, _)| self.castling >> bit & 1 != 0)
            .map(|(_, c)| c)
            .collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        format!("{} {} {rights} - 0 1", ranks.join("/"), if self.turn.is_white() { "w" } else { "b" })
    }
}

/// All of them, the same in every run.
pub fn all() -> &'static [Odd] {
    static ALL: OnceLock<Vec<Odd>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut positions = from_games();
        positions.extend(from_random_games());
        positions.extend((0..3000).map(strewn));
        positions.extend((0..64).filter(|square| !KINGS.contains(square)).flat_map(bishop_among_pawns));
        positions
    })
}

fn from_games() -> Vec<Odd> {
    let options = GameOptions { skip_moves: 0, ..GameOptions::default() };
    let mut none_skipped = |error: &texam::Error| panic!("{error}");
    let games = game::load(Path::new("games/gm1988.pgn"), &options, 20, &mut none_skipped).unwrap();
    games.positions.iter().map(|position| Odd::of(&Placement::from(&position.position()))).collect()
}

/// Where random games start: the first position, a middlegame, endings with pawns about to promote, and
/// positions in which the rarest terms occur.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/P1N1PN2/1P3PPP/R1BQKB1R w KQ - 0 1",
    "8/1P4k1/p4p2/2p4P/5P2/3n2K1/P5p1/8 w - - 0 1",
    "5k2/B1p2p1B/1p4p1/8/8/2b5/PP3PBP/6KR b - - 0 1",
    "6k1/RR3p1p/8/1P6/1P6/1P4P1/1B4BP/6K1 w - - 0 1",
    "8/7k/8/P7/8/8/5p2/1K6 b - - 0 1",
];

fn from_random_games() -> Vec<Odd> {
    let mut rng = Rng::with_seed(7);
    let mut positions = Vec::new();
    for game in 0..24 {
        let fen: Fen = STARTS[game % STARTS.len()].parse().unwrap();
        let mut position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        for _ in 0..100 {
            positions.push(Odd::of(&Placement::from(&position)));
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.usize(..moves.len())]);
        }
    }
    positions
}

/// Men strewn over the board, few or many of them, now without pawns, now with many queens, kings anywhere,
/// and now and then at home with rights to castle.
fn strewn(seed: u64) -> Odd {
    let mut rng = Rng::with_seed(seed);
    let mut men = [' '; 64];
    let choice = ["PPPPpppp", "NBRQnbrq", "PPPNBRQpppnbrq", "QQQQqqqqRr", "PPPPPPpppBb", "BBNNbbnnPPpp"]
        [rng.usize(..6)];
    for _ in 0..[4, 10, 20, 40][rng.usize(..4)] {
        let (square, man) = (rng.usize(..64), choice.as_bytes()[rng.usize(..choice.len())] as char);
        if !man.eq_ignore_ascii_case(&'P') || (8..56).contains(&square) {
            men[square] = man;
        }
    }
    let at_home = rng.usize(..3) == 0;
    let kings = if at_home { [4, 60] } else { [rng.usize(..64), rng.usize(..64)] };
    let black = if kings[0] == kings[1] { (kings[1] + 17) % 64 } else { kings[1] };
    (men[kings[0]], men[black]) = ('K', 'k');
    let mut castling = 0;
    for (bit, (square, rook)) in [(7, 'R'), (0, 'R'), (63, 'r'), (56, 'r')].into_iter().enumerate() {
        if at_home && rng.usize(..3) > 0 {
            men[square] = rook;
            castling |= (rng.usize(..2) as u8) << bit;
        }
    }
    Odd { men, turn: if rng.usize(..2) == 0 { Color::White } else { Color::Black }, castling }
}

/// e1 and e8.
const KINGS: [usize; 2] = [4, 60];

/// A bishop on a square, with the pawns on either wing that might trap it there; both colours.
fn bishop_among_pawns(square: usize) -> [Odd; 2] {
    let with = |bishop: char, pawn: char, pawns: [usize; 4]| {
        let mut men = [' '; 64];
        pawns.into_iter().for_each(|pawn_square| men[pawn_square] = pawn);
        (men[KINGS[0]], men[KINGS[1]], men[square]) = ('K', 'k', bishop);
        Odd { men, turn: Color::White, castling: 0 }
    };
    // b6, c7, g6, f7; b3, c2, g3, f2.
    [with('B', 'p', [41, 50, 46, 53]), with('b', 'P', [17, 10, 22, 13])]
}

#[test]
fn the_positions_are_some_thousands_and_a_fen_is_what_it_says() {
    assert!(all().len() > 5000, "{}", all().len());
    for position in all() {
        let fen: Fen = position.fen().parse().unwrap();
        let board = fen.as_setup().board.clone().into_bitboards();
        let placement = position.placement();
        assert_eq!(u64::from(board.1.white), placement.colors[0]);
        assert_eq!(u64::from(board.0.pawn), placement.roles[0]);
        assert_eq!(
            [placement.colors[0], placement.colors[1]].map(|c| (c & placement.roles[5]).count_ones()),
            [1, 1]
        );
    }
}

#[test]
fn many_queens_no_pawns_and_rights_to_castle_occur() {
    let count = |is: &dyn Fn(&Placement) -> bool| all().iter().filter(|p| is(&p.placement())).count();
    assert!(count(&|p| p.roles[4].count_ones() > 9) > 50);
    assert!(count(&|p| p.roles[0] == 0 && p.roles[3] != 0) > 50);
    assert!((0..4).all(|bit| count(&|p| p.castling >> bit & 1 != 0 && p.roles[0].count_ones() < 16) > 50));
    for rank in 0..8 {
        assert!(count(&|p| p.roles[5] & p.colors[0] & (0xFF << (8 * rank)) != 0) > 50, "{rank}");
    }
}

#[test]
fn every_cell_of_every_term_occurs() {
    let mut seen = vec![false; CELLS];
    for position in all() {
        eval::features(&position.placement(), Extras::ALL)
            .iter()
            .for_each(|(cell, _)| seen[cell as usize] = true);
    }
    // The points of the phase have no count.
    let counted = (0..CELLS as Cell).filter(|&cell| Key::of_cell(cell).0.feature().group != Group::Phase);
    let missing: Vec<_> = counted.filter(|&cell| !seen[cell as usize]).map(cell_name).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
