//! The sets of weights that are exported, and what they make of positions.

use std::fmt::Write;

use fastrand::Rng;
use texam::{
    eval,
    feature::{Ends, Group, Key, Weights, weights},
    par,
    phase::PhaseScheme,
    show::export::{self, ExportUnit, Format},
    value,
};

use super::positions::Odd;

/// The shipped sets (start and one fit with gradients, one with all tables free and attack terms), and one in which every cell
/// has a number of its own, optional ones as well: no two terms can be taken for each other. Points of the phase are in no
/// export.
pub fn all() -> Vec<(String, Weights)> {
    let shipped = ["params/start.par", "params/gm1988.par", "params/best.par"];
    let mut sets: Vec<_> = shipped.map(|name| (name.to_string(), par::read(name).unwrap().weights)).into();
    sets.push(("random".to_string(), random(1988)));
    sets
}

/// Weights from -200 to 200 units that keep to the rules.
fn random(seed: u64) -> Weights {
    let mut rng = Rng::with_seed(seed);
    let mut weights = Weights::start();
    let is_exported = |key: &&Key| **key != weights::UNIT && key.feature().group != Group::Phase;
    for &key in Key::ALL.iter().filter(is_exported) {
        let ends = key.feature().ends;
        weights.turn_on(key);
        if key.feature().layout.is_table() {
            weights.free_table(key).unwrap();
        }
        let setting = weights.setting_mut(key);
        for (open, end) in setting.open.iter_mut().zip(&mut setting.end) {
            let mut weight = || rng.usize(..102_400) as f64 / 256.0 - 200.0;
            *open = weight();
            *end = match ends {
                Ends::Pair => weight(),
                Ends::Single => *open,
                Ends::OpeningOnly => 0.0,
            };
        }
    }
    weights.validate().unwrap();
    weights
}

pub fn export(name: &str, weights: &Weights, format: Format, unit: ExportUnit) -> String {
    export::text(weights, name, format, unit, &[], true).unwrap()
}

/// The schemes of the phase, in the order of the drivers.
pub const SCHEMES: [PhaseScheme; 4] = PhaseScheme::ALL;

/// A line of a driver: opening sum, endgame sum, phase and total by each scheme, centipawns by the first.
pub fn expected(position: &Odd, weights: &Weights) -> String {
    let placement = position.placement();
    let (open, end) = eval::evaluate(&placement, &weights.quantised());
    let mut line = format!("{open} {end}");
    let mut totals = Vec::new();
    for scheme in SCHEMES {
        let phase = scheme.phase(placement.piece_counts());
        totals.push(value::taper(open, end, phase));
        write!(line, " {phase} {}", totals[totals.len() - 1]).unwrap();
    }
    // Hundredths of a pawn of 128 units: f64 holds their halves exactly, and rounds these away from 0.
    let centipawns = (totals[0] as f64 * 100.0 / (128 * value::UNIT) as f64).round() as i32;
    format!("{line} {centipawns}")
}
