//! The sets of weights that are exported.

use fastrand::Rng;
use texam::{
    feature::{Ends, Group, Key, Weights, weights},
    par,
    show::export::{self, ExportUnit, Format},
};

/// The shipped sets (start and one fit with gradients, one with all tables free and attack terms), and one in
/// which every cell has a number of its own, optional ones as well: no two terms can be taken for each other.
/// Points of the phase are in no export.
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
    export::text(weights, name, format, unit, &[]).unwrap()
}
