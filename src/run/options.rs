//! The options of a run as its `.stat` names them, and back again. What they do is not known here.

use crate::{
    cli::{Cli, Command, FitArgs, Switch},
    error::{Error, Result},
};

/// Fits to make unless told otherwise.
pub const ITERATIONS: u32 = 15;

/// Options in full, as on the command line, each a name and a value.
pub fn options(args: &FitArgs) -> Vec<(String, String)> {
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

/// The arguments that a `.stat` stands for.
///
/// # Errors
///
/// Names the first option that `texam fit` does not take.
pub fn begun_with(games: &str, options: &[(String, String)]) -> Result<FitArgs> {
    let mut line = vec!["texam".to_string(), "fit".to_string()];
    line.extend(options.iter().map(|(name, value)| format!("--{name}={value}")));
    line.extend(["--".to_string(), games.to_string()]);
    match Cli::read(line).map(|cli| cli.command) {
        Ok(Command::Fit(args)) => Ok(*args),
        Ok(_) => Err(Error::new("the options are not those of a fit")),
        Err(error) => {
            let first = error.to_string().lines().next().unwrap_or_default().to_string();
            Err(Error::expected("options of texam fit", first))
        }
    }
}
