//! Folding into piece-square tables of the terms that depend on one piece or pawn and its square alone.
//!
//! [`crate::eval::piece_square`] reports exactly these terms. The tables are filled by calling it for every
//! role and square, so a term added there is folded without further work. For every other term,
//! [`not_folded`] gives what it depends on.

use shakmaty::Role;

use crate::{
    eval::{self, NumericSink, Sink},
    feature::{Cell, Group, Key, Quantised},
};

/// An opening and an endgame value.
pub type PhasePair = [i32; 2];

/// The roles with their names, in the order of all tables.
pub const ROLES: [(Role, &str); 6] = [
    (Role::Pawn, "pawn"),
    (Role::Knight, "knight"),
    (Role::Bishop, "bishop"),
    (Role::Rook, "rook"),
    (Role::Queen, "queen"),
    (Role::King, "king"),
];

/// Squares on which a piece or pawn can stand, seen from its owner's side.
fn squares_of(role: Role) -> std::ops::Range<u32> {
    if role == Role::Pawn { 8..56 } else { 0..64 }
}

/// Piece-square tables in 1/256 unit, pawn to king, from the owner's a1 to h8: the sum of all folded terms.
/// Squares on which a pawn cannot stand have 0.
pub fn tables(weights: &Quantised) -> [[PhasePair; 64]; 6] {
    ROLES.map(|(role, _)| {
        let mut table = [[0; 2]; 64];
        for square in squares_of(role) {
            let mut sink = NumericSink::new(weights);
            eval::piece_square(role, square, &mut sink);
            table[square as usize] = [sink.open, sink.end];
        }
        table
    })
}

/// Collects the features of all terms it receives.
struct KeyCollector(Vec<Key>);

impl Sink for KeyCollector {
    fn add(&mut self, cell: Cell, _: i32) {
        self.0.push(Key::of_cell(cell).0);
    }
}

/// The features that are folded into the table of a role, optional features included.
pub fn square_terms(role: Role) -> Vec<Key> {
    let mut reported = KeyCollector(Vec::new());
    squares_of(role).for_each(|square| eval::piece_square(role, square, &mut reported));
    reported.0.sort_unstable();
    reported.0.dedup();
    reported.0
}

/// The commonest reason.
const PAWNS_OF_BOTH: &str = "depends on the pawns of both sides";

/// Why a term is not folded into a piece-square table; none for folded terms.
pub fn not_folded(key: Key) -> Option<&'static str> {
    let reason = match key {
        Key::BPair => "takes two bishops",
        Key::TradePc | Key::TradePn => "depends on the material of both sides",
        Key::Tempo => "depends on the side to move",
        Key::BFianch => "depends on an own pawn ahead of the bishop",
        Key::QEarly => "depends on the own minor pieces",
        Key::NTrop | Key::BTrop | Key::RTrop | Key::QTrop => "depends on the enemy king",
        Key::KMopup => "depends on the lead in material and on both kings",
        Key::Dbl | Key::Trip | Key::Iso | Key::IsoDbl | Key::Duo | Key::Chain | Key::Island => {
            "depends on the other own pawns"
        }
        Key::BBad | Key::BDiag | Key::WeakHole => "depends on the own pawns",
        Key::Lever | Key::BTrap | Key::PcAttp => "depends on the enemy pawns",
        Key::IsoOpen | Key::Back | Key::BackOpen | Key::Cand | Key::KPawns => PAWNS_OF_BOTH,
        Key::Pass | Key::PassSup | Key::PassCon | Key::PassOut => PAWNS_OF_BOTH,
        Key::ROpen | Key::RHalf | Key::RShut | Key::RWeak | Key::QOpen => PAWNS_OF_BOTH,
        Key::NPost | Key::BPost | Key::NWeak | Key::MinBlk | Key::BKnsame => PAWNS_OF_BOTH,
        Key::MajQ => "depends on the pawns of both sides and on the own king",
        Key::CtrBlk => "depends on what stands ahead of the pawn",
        Key::BShut => "depends on an own pawn and on what stands ahead of it",
        Key::PassBlkE | Key::PassBlkO | Key::PassFree => {
            "depends on the pawns of both sides and on what stands ahead"
        }
        Key::PassRook | Key::PassRookX => "depends on the pawns of both sides and on what stands behind",
        Key::PassKown | Key::PassKopp => "depends on the pawns of both sides and on a king",
        Key::PassRun => "depends on all pieces and pawns, and on the side to move",
        Key::R7th => "depends on the enemy king and pawns",
        Key::R7th2 => "takes two rooks, and depends on the enemy king and pawns",
        Key::RDbl => "takes two rooks, and depends on the own pawns",
        Key::RKfile => "depends on the own pawns and on the enemy king",
        Key::RTrap => "takes a rook and the own king",
        Key::Sh => "takes the king and the own pawns",
        Key::Storm => "takes the king and the enemy pawns",
        Key::KOpen | Key::KHalf => "takes the king, the pawns of both sides, and enemy rooks and queens",
        Key::ShNoq => "takes the king, the own pawns, and whether the enemy has a queen",
        Key::FiaHole => "takes the king, an own pawn, and the bishops of both sides",
        Key::CasK | Key::CasQ => "takes the king and the own rooks",
        Key::RtK | Key::RtQ | Key::ShCtr => "depends on the rights to castle",
        Key::KMoved => "depends on the rights to castle, the king and the own rooks",
        Key::Undev => "grows with the square of the number of minor pieces at home",
        _ if key.feature().group == Group::Attack => "depends on the attacks of all pieces and pawns",
        _ => return None,
    };
    Some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::Weights;

    #[test]
    fn every_term_is_either_folded_or_says_why_not() {
        let folded: Vec<Key> = ROLES.iter().flat_map(|&(role, _)| square_terms(role)).collect();
        // The points of the phase are in no export.
        for &key in Key::ALL.iter().filter(|key| key.feature().group != Group::Phase) {
            let (name, reason) = (key.feature().key, not_folded(key));
            assert_ne!(folded.contains(&key), reason.is_some(), "{name}: folded or not? {reason:?}");
        }
    }

    #[test]
    fn no_term_is_folded_into_two_tables() {
        let mut folded: Vec<Key> = ROLES.iter().flat_map(|&(role, _)| square_terms(role)).collect();
        let all = folded.len();
        folded.sort_unstable();
        folded.dedup();
        assert_eq!(folded.len(), all);
    }

    #[test]
    fn a_table_holds_material_and_place_as_the_owner_sees_it() {
        let tables = tables(&Weights::start().quantised());
        // A knight on b1: 416, centrality 1 of 5 and 4, -12 and 0 at home; no rank, not on the rim.
        assert_eq!(tables[1][1], [256 * (416 + 5 - 12), 256 * (416 + 4)]);
        // On d5: centrality 6, four ranks of 2 and 1.
        assert_eq!(tables[1][35], [256 * (416 + 30 + 8), 256 * (416 + 24 + 4)]);
        // A pawn on a2 is 128 less what a rook pawn costs; none stands on a1.
        assert_eq!(tables[0][8], [256 * (128 - 8), 256 * (128 - 6)]);
        assert_eq!(tables[0][0], [0, 0]);
        // The king has no material: on e1 centrality 3 of -6 and 6.
        assert_eq!(tables[5][4], [256 * -18, 256 * 18]);
    }
}
