//! The tables of Deep Thought, compiled from a set of weights for one root.
//!
//! The record of 1988 has their sizes: piece placement with 1,024 entries, four tables of pawn structure with
//! 8,192 each, rooks with 2,048, and registers. What addresses an entry is our guess, for which
//! docs/MACHINE.md gives the reasons.
//!
//! No term is defined here. An entry is what the terms of [`crate::eval`] report for a small position with
//! its address, into a third sink, which adds up what they are worth at the phase of the root. Addresses are
//! made by the same functions when a table is filled and when it is read, so the tables give the exact value
//! of the terms that they carry.

use shakmaty::{Color, Role};

use crate::{
    eval::{self, PawnFacts, Placement, Side, Sink},
    feature::{CELLS, Cell, FeatureVector, Group, Key, Quantised},
    show::export::not_folded,
    value::{Value, taper},
};

/// The features that the four tables of pawn structure carry, those of the rook table, and those with a
/// register. A side has the last or has them not, so one value is enough for each.
const PAWNS: &str = "dbl trip iso iso_open iso_dbl pass pass_sup pass_out";
const ROOKS: &str = "r_open r_half r_shut r_weak r_kfile";
const REGISTERS: &str = "b_pair tempo r_7th r_7th2 r_trap sh_ctr fia_hole cas_k cas_q rt_k rt_q k_moved";

/// The tables of pawn structure, each for the two files that mirror each other.
const PAWN_TABLES: [&str; 4] = ["pawns-ah", "pawns-bg", "pawns-cf", "pawns-de"];

const A_FILE: u64 = 0x0101_0101_0101_0101;

/// One of the tables, or all registers.
pub struct Table {
    pub name: &'static str,
    /// The features whose values its entries contain.
    pub carries: Vec<Key>,
    /// By the address: a value in 1/65536 unit from White's view, and none where no position leads. For
    /// registers, what each adds for White, in the order of the features.
    pub entries: Vec<Option<Value>>,
}

impl Table {
    /// Sets the entry of either colour to the value that a small position has for its owner.
    fn set(&mut self, value: Value, address: impl Fn(Color) -> usize) {
        for (color, value) in [(Color::White, value), (Color::Black, -value)] {
            let entry = &mut self.entries[address(color)];
            debug_assert!(entry.is_none_or(|other| other == value), "{}: two values at once", self.name);
            *entry = Some(value);
        }
    }
}

/// The sink of an entry: it adds up what counts are worth, by cell, which is 0 for features that the table
/// does not carry.
struct EntrySink {
    worth: [Value; CELLS],
    sum: Value,
}

impl EntrySink {
    /// What some terms report.
    fn entry(&mut self, report: impl FnOnce(&mut EntrySink)) -> Value {
        self.sum = 0;
        report(self);
        self.sum
    }
}

impl Sink for EntrySink {
    fn add(&mut self, cell: Cell, count: i32) {
        self.sum += self.worth[usize::from(cell)] * Value::from(count);
    }
}

/// What a set of weights is at one phase.
#[derive(Clone, Copy)]
pub struct PhaseWeights<'a> {
    pub weights: &'a Quantised,
    /// 0 (opening) to 256 (endgame).
    pub phase: u16,
}

impl PhaseWeights<'_> {
    /// The features that the evaluation counts, so without the points of the phase.
    pub fn features(&self) -> impl Iterator<Item = Key> {
        let is_counted = |key: &Key| self.weights.extras().has(*key) && key.feature().group != Group::Phase;
        Key::ALL.iter().copied().filter(is_counted)
    }

    /// The cells of a feature with what one count of each is worth, in 1/65536 unit.
    fn cells(&self, key: Key) -> impl Iterator<Item = (Cell, Value)> {
        let cells = (0..key.feature().layout.cells()).map(move |index| key.cell_at(index));
        cells.map(|cell| (cell, taper(self.weights.open(cell), self.weights.end(cell), self.phase)))
    }

    /// What a feature adds to the value of a position, in 1/65536 unit from White's view.
    pub fn value(&self, key: Key, counts: &FeatureVector) -> Value {
        self.cells(key).map(|(cell, worth)| worth * Value::from(counts.get(cell))).sum()
    }

    fn table(
        &self,
        name: &'static str,
        bits: u32,
        carries: Vec<Key>,
        fill: impl FnOnce(&mut Table, &mut EntrySink),
    ) -> Table {
        let mut sink = EntrySink { worth: [0; CELLS], sum: 0 };
        let cells = carries.iter().flat_map(|&key| self.cells(key));
        cells.for_each(|(cell, worth)| sink.worth[usize::from(cell)] = worth);
        let mut table = Table { name, carries, entries: vec![None; 1 << bits] };
        fill(&mut table, &mut sink);
        table
    }

    /// Fills piece placement, the four tables of pawn structure, rooks and registers.
    pub fn tables(&self) -> Vec<Table> {
        let placed = self.features().filter(|&key| not_folded(key).is_none()).collect();
        let mut tables = vec![self.table("placement", 10, placed, fill_placement)];
        tables.extend(PAWN_TABLES.into_iter().zip(0..).map(|(name, file)| {
            self.table(name, 13, keys(PAWNS), |table, sink| fill_pawns(file, table, sink))
        }));
        tables.push(self.table("rooks", 11, keys(ROOKS), fill_rooks));
        let registers = keys(REGISTERS);
        let entries =
            registers.iter().flat_map(|&key| self.cells(key)).map(|(_, worth)| Some(worth)).collect();
        tables.push(Table { name: "registers", carries: registers, entries });
        tables
    }
}

/// The features with these names.
fn keys(names: &str) -> Vec<Key> {
    names.split(' ').map(|name| Key::from_name(name).expect("a name in the table of features")).collect()
}

/// What the entries of each table add up to in a position, in 1/65536 unit from White's view. Registers know
/// the position by its counts.
pub fn read(tables: &[Table], placement: &Placement, counts: &FeatureVector) -> Vec<Value> {
    let (mut sums, lead) = (vec![0; tables.len()], placement.lead());
    let mut add = |table: usize, address: usize, count: i16| {
        let entry = tables[table].entries[address].expect("a table has an entry for every position");
        sums[table] += entry * Value::from(count);
    };
    for color in [Color::White, Color::Black] {
        let side = Side::new(placement, color, lead);
        let facts = PawnFacts::new(side.own.pawns, side.enemy.pawns);
        for file in 0..8 {
            add(1 + file.min(7 - file) as usize, pawn_address(file, &facts, color), 1);
        }
        side.own.for_each(|role, square| {
            add(0, piece_address(role, square, color), 1);
            if role == Role::Rook {
                add(5, rook_address(square, &facts, side.enemy.king_square(), color), 1);
            }
        });
    }
    let registers = tables[6].carries.iter().enumerate();
    registers.for_each(|(index, key)| add(6, index, counts.get(key.cell())));
    sums
}

/// 10 bits: the colour, the kind of the piece or pawn (3), and its square (6) as White sees it.
fn piece_address(role: Role, square: u32, color: Color) -> usize {
    let square = if color.is_white() { square } else { square ^ 56 };
    address(color, [(role as u32, 3), (square, 6)])
}

fn fill_placement(table: &mut Table, sink: &mut EntrySink) {
    for role in Role::ALL {
        for square in if role == Role::Pawn { 8..56 } else { 0..64 } {
            let value = sink.entry(|sink| eval::piece_square(role, square, sink));
            table.set(value, |color| piece_address(role, square, color));
        }
    }
}

/// 13 bits for a file: the colour, the own pawns on the file (6), whether the adjacent files have an own
/// pawn, whether a pawn defends the foremost of the file, whether an enemy pawn is on the file, and the
/// highest rank of an enemy pawn on the three files (3; 0 for none).
fn pawn_address(file: u32, facts: &PawnFacts, color: Color) -> usize {
    let (column, near) = (A_FILE << file, near(file));
    let own = facts.own & column;
    let pawns = (1..7).fold(0, |bits, rank| bits << 1 | (own >> (8 * rank + file) & 1) as u32);
    let beside = facts.own & near & !column != 0;
    let defended = own.checked_ilog2().is_some_and(|front| facts.own_attacks >> front & 1 == 1);
    let enemy = facts.enemy & column != 0;
    let guard = (facts.enemy & near).checked_ilog2().map_or(0, |square| square / 8);
    let [beside, defended, enemy] = [beside, defended, enemy].map(|bit| (u32::from(bit), 1));
    address(color, [(pawns, 6), beside, defended, enemy, (guard, 3)])
}

/// Positions of one file, with one own pawn, one enemy pawn or none beside it, have every address that pawns
/// can have. The own pawn beside is not on the seventh rank, where every pawn is passed, because only passed
/// pawns of the file itself count here.
fn fill_pawns(file: u32, table: &mut Table, sink: &mut EntrySink) {
    for bits in 0..64 {
        let on_file: u64 =
            (1..7).filter(|rank| bits >> (rank - 1) & 1 == 1).map(|rank| pawn(rank, file)).sum();
        for [beside, ahead, flank] in three_ranks() {
            let own = on_file | pawn(beside, file + 1);
            let enemy = pawn(ahead, file) | pawn(flank, if file == 0 { 1 } else { file - 1 });
            if own & enemy == 0 && beside < 6 {
                let mut facts = PawnFacts::new(own, enemy);
                facts.passed &= A_FILE << file;
                let value = sink.entry(|sink| eval::pawn_structure(&facts, sink));
                let value = if on_file == 0 { 0 } else { value };
                table.set(value, |color| pawn_address(file, &facts, color));
            }
        }
    }
}

/// 11 bits for a rook: the colour, its square (6), whether its file has an own pawn, whether it has an enemy
/// pawn, whether the enemy king is at most one file away, and whether the nearest pawn ahead is an own one
/// that is no lever or, without own pawns on the file, an enemy one that is isolated or backward.
fn rook_address(square: u32, facts: &PawnFacts, enemy_king: u32, color: Color) -> usize {
    let column = A_FILE << (square % 8);
    let ahead = (facts.own | facts.enemy) & column & (u64::MAX << square << 1);
    let nearest = ahead & ahead.wrapping_neg();
    let marked = (facts.own & !facts.enemy_attacks) | (facts.enemy_weak & facts.without_own());
    let king = near(square % 8) >> enemy_king & 1 == 1;
    let bits = [facts.own & column != 0, facts.enemy & column != 0, king, nearest & marked != 0];
    let [own, enemy, king, marked] = bits.map(|bit| (u32::from(bit), 1));
    address(color, [(square, 6), own, enemy, king, marked])
}

fn fill_rooks(table: &mut Table, sink: &mut EntrySink) {
    for square in 0..64 {
        let file = square % 8;
        for [own, enemy, flank] in three_ranks() {
            let (own, enemy) = (pawn(own, file), pawn(enemy, file));
            let facts = PawnFacts::new(own, enemy | pawn(flank, if file == 7 { 6 } else { file + 1 }));
            if own & enemy == 0 && (own | enemy) >> square & 1 == 0 {
                for king in [file, (file + 4) % 8] {
                    let rook = |sink: &mut _| eval::piece_among_pawns(Role::Rook, square, &facts, king, sink);
                    table.set(sink.entry(rook), |color| rook_address(square, &facts, king, color));
                }
            }
        }
    }
}

/// The colour and some fields with their numbers of bits, the first as the highest.
fn address<const N: usize>(color: Color, fields: [(u32, u32); N]) -> usize {
    let color = u32::from(color.is_black());
    fields.into_iter().fold(color, |address, (field, bits)| address << bits | field) as usize
}

/// A file and those beside it.
fn near(file: u32) -> u64 {
    (file.saturating_sub(1)..=(file + 1).min(7)).map(|file| A_FILE << file).sum()
}

/// All ranks that each of three pawns can have, counted from 0; 0, where no pawn stands, for none.
fn three_ranks() -> impl Iterator<Item = [u32; 3]> {
    (0..7 * 7 * 7).map(|number| [number % 7, number / 7 % 7, number / 49])
}

fn pawn(rank: u32, file: u32) -> u64 {
    if rank == 0 { 0 } else { 1 << (8 * rank + file) }
}
