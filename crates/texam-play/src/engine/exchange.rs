//! Static exchange evaluation (SEE): the material balance when both sides keep capturing on one square.

use texam_chess::position::{CompactMove, Node, PIECE_VALUES};

/// Values in an exchange, pawn to king, in units of 1/128 pawn. They do not follow the weights, so that all
/// weights are compared by the same search. The king has a value above any sum of the others: losing it never
/// pays.
pub(super) const EXCHANGE_VALUES: [i32; 6] = {
    let [pawn, knight, bishop, rook, queen] = PIECE_VALUES;
    [pawn, knight, bishop, rook, queen, 20_000]
};

const KING: usize = 5;

/// Role by the number of a promotion in [`CompactMove::promotion`].
const PROMOTED: [usize; 5] = [0, 4, 3, 2, 1];

/// Whether the exchange that starts with `mv` wins at least `threshold` units of 1/128 pawn for the side that
/// moves. Pins and later promotions are ignored, as is usual.
pub(super) fn see_at_least(node: &Node, mv: CompactMove, threshold: i32) -> bool {
    let mut next = node.role_at(mv.origin()).unwrap_or(0);
    let mut balance = node.captured(mv).map_or(0, |role| EXCHANGE_VALUES[role]) - threshold;
    if mv.promotion() != 0 {
        next = PROMOTED[mv.promotion() as usize];
        balance += EXCHANGE_VALUES[next] - EXCHANGE_VALUES[0];
    }
    if balance < 0 {
        return false;
    }
    // Even if the moved piece is lost for nothing, the balance reaches the threshold.
    balance -= EXCHANGE_VALUES[next];
    if balance >= 0 {
        return true;
    }
    let to = mv.target();
    let mut occupied = (node.occupied() ^ 1 << mv.origin()) | 1 << to;
    if node.is_en_passant(mv) {
        occupied ^= 1 << (to ^ 8);
    }
    let mut side = node.us() ^ 1;
    loop {
        let attackers = node.attackers(to, side, occupied) & occupied;
        let Some((role, from)) = least_valuable(node, side, attackers) else { break };
        occupied ^= from;
        side ^= 1;
        balance = -balance - 1 - EXCHANGE_VALUES[role];
        if balance >= 0 {
            // A king cannot capture a defended piece.
            if role == KING && node.attackers(to, side, occupied) & occupied != 0 {
                side ^= 1;
            }
            break;
        }
    }
    side != node.us()
}

/// Role and square (as a set) of the least valuable attacker.
fn least_valuable(node: &Node, side: usize, attackers: u64) -> Option<(usize, u64)> {
    (0..6).find_map(|role| {
        let pieces = node.pieces(side, role) & attackers;
        (pieces != 0).then_some((role, pieces & pieces.wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::{move_of, node};

    /// Gain of an exchange, found by asking for every threshold.
    fn gain(fen: &str, mv: &str) -> i32 {
        let (node, _) = node(fen);
        let mv = move_of(fen, mv);
        (-2000..=2000).rev().find(|&threshold| see_at_least(&node, mv, threshold)).unwrap()
    }

    #[test]
    fn exchanges_give_the_balance_counted_by_hand() {
        for (fen, mv, expected) in [
            // A free pawn; a defended pawn for a rook.
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 128),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 128 - 640),
            // Behind the first rook stands another.
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 128),
            // Knight takes pawn, pawn takes knight, bishop takes pawn.
            ("4k3/8/4p3/3p4/8/2N5/8/4K2B w - - 0 1", "c3d5", 128 - 416 + 128),
            // The queen need not take back on a defended square; a king may not take what is defended.
            ("8/8/3rk3/3p4/2P5/8/8/3QK3 w - - 0 1", "c4d5", 0),
            ("8/8/4k3/3p4/2P5/8/8/3RK3 w - - 0 1", "c4d5", 128),
            ("8/8/4k3/3p4/2P5/8/8/4K3 w - - 0 1", "c4d5", 0),
            // In passing.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 128),
            // A promotion that is taken.
            ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", -128),
            // A quiet move to a square that a pawn covers.
            ("4k3/8/4p3/8/5N2/8/8/4K3 w - - 0 1", "f4d5", -416),
        ] {
            assert_eq!(gain(fen, mv), expected, "{mv} in {fen}");
        }
    }
}
