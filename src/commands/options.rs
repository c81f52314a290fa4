//! The options of a run as its `.stat` names them, and as `--resume` reads them back.

use crate::cli::{FitArgs, Switch};

/// Fits to make unless told otherwise.
pub(super) const ITERATIONS: u32 = 15;

/// Options in full, as on the command line, each a name and a value.
pub(super) fn options(args: &FitArgs) -> Vec<(String, String)> {
    let switch = |switch: Switch| if switch.is_on() { "on" } else { "off" }.to_string();
    let strength = args.force.strength.unwrap_or(args.force.force.default_strength());
    let mut options = vec![
        ("skip-moves", args.games.skip_moves.to_string()),
        ("every", args.games.every.to_string()),
        ("depth", args.search.depth.to_string()),
        ("phase", args.search.phase.to_string()),
        ("phase-at", args.search.phase_at.to_string()),
        ("root", args.bound.root.to_string()),
        ("threshold", args.bound.threshold.to_string()),
        ("force", args.force.force.to_string()),
        ("strength", strength.to_string()),
        ("scale", args.force.scale.to_string()),
        ("balance", args.force.balance.to_string()),
        ("variance", switch(args.force.variance)),
        ("min-support", args.solve.min_support.to_string()),
        ("ridge", args.solve.ridge.to_string()),
        ("ridge-to", args.solve.ridge_to.to_string()),
        ("smooth", args.solve.smooth.to_string()),
        ("holdout", args.run.holdout.to_string()),
        ("iterations", args.run.iterations.unwrap_or(ITERATIONS).to_string()),
    ];
    if let Some(patience) = args.run.patience {
        options.push(("patience", patience.to_string()));
    }
    options.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}
