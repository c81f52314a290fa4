//! Values of positions as exact integers.
//!
//! A unit is 1/128 pawn. Weights are rounded to 1/256 unit and the phase is in 256ths, so a tapered
//! evaluation is an integer in 1/65536 unit. Bounds, ranks and ties are computed with these integers and are
//! therefore exact.

/// A value in 1/65536 unit. Each use says from whose view.
pub type Value = i64;

/// One unit (1/128 pawn) as a [`Value`].
pub const UNIT: Value = 65_536;

/// Bound on the magnitude of every evaluation, whatever the weights: [`taper`] is a mean of two `i32` sums in
/// 1/256 unit.
const EVALUATION_BOUND: Value = 256 * (1 << 31);

/// Value of a mate at ply 0, without its sign. No evaluation comes near it.
pub const MATE: Value = 4 * EVALUATION_BOUND;

/// Larger than any value a search returns.
pub const INFINITE: Value = 5 * EVALUATION_BOUND;

/// Values at or beyond this are mates, since no line has as many plies as lie between.
const MATE_ZONE: Value = 3 * EVALUATION_BOUND;

/// What a mate at ply 0 is worth in text and JSON, in units.
const PRINTED_MATE: f64 = 30_000.0;

/// Value for the side that is mated at `ply`, counted from the root.
pub const fn mated_at(ply: u32) -> Value {
    -(MATE - ply as Value * UNIT)
}

/// Whether `value` is a mate.
pub const fn is_mate(value: Value) -> bool {
    value >= MATE_ZONE || value <= -MATE_ZONE
}

/// A value converted to units of 1/128 pawn, for text and JSON. A mate at ply `k` becomes 30000 - k, with its
/// sign.
pub fn in_units(value: Value) -> f64 {
    let units = value as f64 / UNIT as f64;
    if is_mate(value) { units - units.signum() * (MATE as f64 / UNIT as f64 - PRINTED_MATE) } else { units }
}

/// Number of moves to mate, negative for the side that is mated; none if `value` is not a mate.
pub const fn moves_to_mate(value: Value) -> Option<i64> {
    if !is_mate(value) {
        return None;
    }
    let plies = (MATE - value.abs()) / UNIT;
    Some((plies + 1) / 2 * value.signum())
}

/// `value` as text: in units with sign and one decimal, or `mate` and the number of moves.
pub fn format_value(value: Value) -> String {
    match moves_to_mate(value) {
        Some(moves) => format!("mate {moves:+}"),
        // Adding 0 turns -0 into 0.
        None => format!("{:+.1}", (in_units(value) * 10.0).round() / 10.0 + 0.0),
    }
}

/// Tapered value of an opening and an endgame sum, each in 1/256 unit, at `phase` (0 opening to 256 endgame).
pub const fn taper(open: i32, end: i32, phase: u16) -> Value {
    (256 - phase as Value) * open as Value + phase as Value * end as Value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_of_128_units_is_128_units_in_every_phase() {
        for phase in [0, 1, 100, 256] {
            assert_eq!(taper(128 * 256, 128 * 256, phase), 128 * UNIT);
        }
    }

    #[test]
    fn values_and_mates_are_formatted_with_their_sign() {
        assert_eq!([0, -1, 3 * UNIT / 2].map(format_value), ["+0.0", "+0.0", "+1.5"]);
        assert_eq!(
            [-mated_at(1), -mated_at(3), mated_at(2)].map(format_value),
            ["mate +1", "mate +2", "mate -1"]
        );
    }

    #[test]
    fn no_evaluation_is_a_mate_and_mates_are_printed_as_30000_less_their_ply() {
        for extreme in [i32::MIN, i32::MAX] {
            assert!(!is_mate(taper(extreme, extreme, 77)));
        }
        assert_eq!([mated_at(0), -mated_at(3)].map(in_units), [-30_000.0, 29_997.0]);
    }

    #[test]
    fn a_longer_way_to_mate_is_better_for_the_mated_side() {
        assert!(mated_at(3) > mated_at(1));
        assert!(is_mate(mated_at(40)) && is_mate(-mated_at(40)) && !is_mate(20_000 * UNIT));
    }
}
