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

use shakmaty::{Color, Role, Square};

use crate::{
    eval::{self, PawnFacts, Placement, Side, Sink},
    feature::{CELLS, Cell, FeatureVector, Group, Key, Quantised},
    show::export::{ROLES, not_folded},
    value::{Value, taper},
};

/// The features that the four tables of pawn structure carry, those of the rook table, and those with a
/// register. A side has the last or has them not, so one value is enough for each.
const PAWNS: &str = "dbl trip iso iso_open iso_dbl pass pass_sup pass_out";
const ROOKS: &str = "r_open r_half r_shut r_weak r_kfile";
const REGISTERS: &str = "b_pair tempo r_7th r_7th2 r_trap sh_ctr fia_hole cas_k cas_q rt_k rt_q k_moved";

/// The fields of an address with their numbers of bits, the first as the highest.
type Fields = &'static [(&'static str, u32)];

const PLACEMENT_FIELDS: Fields = &[("colour", 1), ("piece", 3), ("square", 6)];
const PAWN_FIELDS: Fields =
    &[("colour", 1), ("own_pawns", 6), ("beside", 1), ("defended", 1), ("enemy_pawn", 1), ("enemy_rank", 3)];
const ROOK_FIELDS: Fields =
    &[("colour", 1), ("square", 6), ("own_pawn", 1), ("enemy_pawn", 1), ("enemy_king", 1), ("marked", 1)];

/// The tables of pawn structure, each for the two files that mirror each other.
const PAWN_TABLES: [&str; 4] = ["pawns-ah", "pawns-bg", "pawns-cf", "pawns-de"];

const A_FILE: u64 = 0x0101_0101_0101_0101;

/// One of the tables, or all registers.
pub struct Table {
    pub name: &'static str,
    /// None for registers.
    pub fields: Fields,
    /// The features whose values its entries contain.
    pub carries: Vec<Key>,
    /// By the address: a value in 1/65536 unit from White's view, and none where no position leads. For
    /// registers, what each adds for White, in the order of the features.
    pub entries: Vec<Option<Value>>,
}

impl Table {
    fn new(name: &'static str, fields: Fields, carries: Vec<Key>) -> Table {
        let bits: u32 = fields.iter().map(|(_, bits)| bits).sum();
        Table { name, fields, carries, entries: vec![None; 1 << bits] }
    }

    /// The value of a field at an address, as a word.
    pub fn word(&self, field: usize, address: usize) -> String {
        let (name, bits) = self.fields[field];
        let below: u32 = self.fields[field + 1..].iter().map(|(_, bits)| bits).sum();
        let value = address >> below & ((1 << bits) - 1);
        match name {
            "colour" => Color::from_white(value == 0).to_string(),
            "piece" => ROLES.get(value.wrapping_sub(1)).map_or("-", |role| role.1).to_string(),
            "square" => Square::new(value as u32).to_string(),
            "own_pawns" => "234567"
                .chars()
                .zip(0..)
                .map(|(rank, at)| if value << at & 32 == 0 { '-' } else { rank })
                .collect(),
            _ => value.to_string(),
        }
    }

    /// Sets the entry of either colour to the value that a small position has for its owner.
    fn set(&mut self, value: Value, address: impl Fn(Color) -> usize) {
        for (color, value) in [(Color::White, value), (Color::Black, -value)] {
            let before = self.entries[address(color)].replace(value);
            debug_assert!(before.is_none_or(|before| before == value), "{}: two values at once", self.name);
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

    fn fill(&self, mut table: Table, fill: impl FnOnce(&mut Table, &mut EntrySink)) -> Table {
        let mut sink = EntrySink { worth: [0; CELLS], sum: 0 };
        let cells = table.carries.iter().flat_map(|&key| self.cells(key));
        cells.for_each(|(cell, worth)| sink.worth[usize::from(cell)] = worth);
        fill(&mut table, &mut sink);
        table
    }

    /// Fills piece placement, the four tables of pawn structure, rooks and registers.
    pub fn tables(&self) -> Vec<Table> {
        let placed = self.features().filter(|&key| not_folded(key).is_none()).collect();
        let mut tables = vec![self.fill(Table::new("placement", PLACEMENT_FIELDS, placed), fill_placement)];
        tables.extend(PAWN_TABLES.into_iter().zip(0..).map(|(name, file)| {
            let table = Table::new(name, PAWN_FIELDS, keys(PAWNS));
            self.fill(table, |table, sink| fill_pawns(file, table, sink))
        }));
        tables.push(self.fill(Table::new("rooks", ROOK_FIELDS, keys(ROOKS)), fill_rooks));
        let registers = keys(REGISTERS);
        let entries =
            registers.iter().flat_map(|&key| self.cells(key)).map(|(_, worth)| Some(worth)).collect();
        tables.push(Table { name: "registers", fields: &[], carries: registers, entries });
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

/// The colour, the kind of the piece or pawn, and its square as White sees it.
fn piece_address(role: Role, square: u32, color: Color) -> usize {
    address(PLACEMENT_FIELDS, [color.fold_wb(0, 1), role as u32, square ^ color.fold_wb(0, 56)])
}

fn fill_placement(table: &mut Table, sink: &mut EntrySink) {
    for role in Role::ALL {
        for square in if role == Role::Pawn { 8..56 } else { 0..64 } {
            let value = sink.entry(|sink| eval::piece_square(role, square, sink));
            table.set(value, |color| piece_address(role, square, color));
        }
    }
}

/// For a file: the colour, the own pawns on the file, whether the adjacent files have an own pawn, whether a
/// pawn defends the foremost of the file, whether an enemy pawn is on the file, and the highest rank of an
/// enemy pawn on the three files (0 for none). Ranks are those that the owner sees.
fn pawn_address(file: u32, facts: &PawnFacts, color: Color) -> usize {
    let (column, near) = (A_FILE << file, near(file));
    let own = facts.own & column;
    let pawns = (1..7).fold(0, |bits, rank| bits << 1 | (own >> (8 * rank + file) & 1) as u32);
    let beside = u32::from(facts.own & near & !column != 0);
    let defended = u32::from(own.checked_ilog2().is_some_and(|front| facts.own_attacks >> front & 1 == 1));
    let enemy = u32::from(facts.enemy & column != 0);
    let guard = (facts.enemy & near).checked_ilog2().map_or(0, |square| square / 8 + 1);
    address(PAWN_FIELDS, [color.fold_wb(0, 1), pawns, beside, defended, enemy, guard])
}

/// Positions of one file, with one own pawn, one enemy pawn or none beside it, have every address that pawns
/// can have. The own pawn beside is not on the seventh rank, where every pawn is passed, because only passed
/// pawns of the file itself count here.
fn fill_pawns(file: u32, table: &mut Table, sink: &mut EntrySink) {
    for bits in 0..64 {
        let on_file: u64 = (1..7).map(|rank| (bits >> (rank - 1) & 1) << (8 * rank + file)).sum();
        for [beside, ahead, flank] in three_ranks() {
            let own = on_file | pawn(beside, file + 1);
            let enemy = pawn(ahead, file) | pawn(flank, if file == 0 { 1 } else { file - 1 });
            if own & enemy == 0 && beside < 6 {
                let mut facts = PawnFacts::new(own, enemy);
                facts.passed &= A_FILE << file;
                let value =
                    if on_file == 0 { 0 } else { sink.entry(|sink| eval::pawn_structure(&facts, sink)) };
                table.set(value, |color| pawn_address(file, &facts, color));
            }
        }
    }
}

/// For a rook: the colour, its square as White sees it, whether its file has an own pawn, whether it has an enemy
/// pawn, whether the enemy king is at most one file away, and whether the nearest pawn ahead is an own one
/// that is no lever or, without own pawns on the file, an enemy one that is isolated or backward.
fn rook_address(square: u32, facts: &PawnFacts, enemy_king: u32, color: Color) -> usize {
    let column = A_FILE << (square % 8);
    let ahead = (facts.own | facts.enemy) & column & (u64::MAX << square << 1);
    let nearest = ahead & ahead.wrapping_neg();
    let marked = (facts.own & !facts.enemy_attacks) | (facts.enemy_weak & facts.without_own());
    let king = near(square % 8) >> enemy_king & 1 == 1;
    let bits = [facts.own & column != 0, facts.enemy & column != 0, king, nearest & marked != 0];
    let [own, enemy, king, marked] = bits.map(u32::from);
    address(ROOK_FIELDS, [color.fold_wb(0, 1), square ^ color.fold_wb(0, 56), own, enemy, king, marked])
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

/// The address with these values in its fields.
fn address<const N: usize>(fields: Fields, values: [u32; N]) -> usize {
    values.into_iter().zip(fields).fold(0, |address, (value, (_, bits))| address << bits | value) as usize
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
