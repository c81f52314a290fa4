//! Hill climbing on the match: weights from any start, without a loss, a force or an equation.
//!
//! ```sh
//! texam presearch --par params/material.par --depth 2 -o trees.dbf
//! cargo run --release --example hill_climb -- trees.dbf climbed.par --par params/material.par --depth 2 --iterations 400
//! ```
//!
//! The program takes the weights one after another. It moves a weight by its step and counts the match, the
//! share of positions whose played move beats every other, over the stored trees. If the match has risen, it
//! keeps the change. If not, it tries the other direction, and if that does not help either, it halves the
//! step of this weight. Each count is one try. `--iterations` is the number of tries; the other options are
//! those of `texam fit`, each with its value, and mean the same: the held-out games are only counted, and
//! `--every 4` takes every 4th position. An existing file is never replaced. There is no chance in it: the
//! same command writes the same file.
//!
//! This is the simplest method that there is, and a measure for the others: it changes one number at a time,
//! it sees only whether a choice agrees, not by how much it is missed, and a try costs as much as a whole
//! pass of a fit.

use std::{env, path::Path, process::ExitCode};

use texam::{
    error::{Error, Result},
    feature::Mode,
    game::Shard,
    par,
    run::{self, RunWeights, Setup, Training},
};
use texam_fit::{Agreement, Choice, Measured, Sink};

/// The first step of a weight, in units, and that of a gradient, which scales a table of such weights.
const STEP: f64 = 8.0;
const GRADIENT_STEP: f64 = 0.5;

/// Takes no choice in: only the counts of a pass are wanted.
struct CountsOnly;

impl Sink for CountsOnly {
    fn accept(&self, _: &[Choice]) -> texam_fit::Result<()> {
        Ok(())
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match climb(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn climb(words: &[String]) -> Result<()> {
    let usage = "TREES.dbf RESULT.par, then options of texam fit with their values, such as --iterations 400";
    let [trees, result, options @ ..] = words else { return Err(Error::expected(usage, "fewer words")) };
    if Path::new(result).exists() {
        return Err(Error::expected("the name of a new file", "an existing one").in_file(result));
    }
    let mut setup = Setup::default().with("trees", "on")?.with("games", trees)?;
    for option in options.chunks(2) {
        let [name, value] = option else { return Err(Error::expected(usage, format!("{option:?}"))) };
        let name = name.strip_prefix("--").ok_or_else(|| Error::expected(usage, format!("{name:?}")))?;
        setup = setup.with(name, value)?;
    }
    let spec = &setup.spec;
    let mut warn = |text: &str| eprintln!("warning: {text}");
    let (weights, _) = run::start(spec, &mut warn)?;
    let start = RunWeights::own(weights)?;
    let parameters = start.parameters().expect("they are our weights");
    let model = parameters.model();
    let mut training = Training::read(spec, &start, Shard::ALL, &mut warn)?;
    let mut source = training.source(spec, &start, spec.sampling(), &|_| true, None);
    let mut count = |values: &[f64]| -> Result<Measured> {
        let measured = source.pass(&model.with_values(values)?, &CountsOnly)?;
        Ok(measured.expect("the pass cannot be cancelled"))
    };
    let mut values = model.values();
    let mut best = count(&values)?;
    println!("try 0: {}", line(&best));
    let is_gradient = |index: usize| parameters.parameters()[index].mode == Mode::Gradient;
    let mut steps: Vec<f64> =
        (0..values.len()).map(|index| if is_gradient(index) { GRADIENT_STEP } else { STEP }).collect();
    let mut tries = 0;
    'climb: loop {
        for &index in model.tuned() {
            let before = values[index];
            let mut is_better = false;
            for step in [steps[index], -steps[index]] {
                if tries == spec.iterations {
                    break 'climb;
                }
                tries += 1;
                values[index] = before + step;
                let found = count(&values)?;
                if found.fitted.matched > best.fitted.matched {
                    (best, steps[index], is_better) = (found, step, true);
                    let (name, now) = (&model.parameters()[index].name, values[index]);
                    println!("try {tries}: {}, {name} {before} to {now}", line(&best));
                    break;
                }
                values[index] = before;
            }
            if !is_better {
                steps[index] /= 2.0;
            }
        }
    }
    let remarks = [format!("{tries} tries of hill climbing: {}", line(&best))];
    par::write(Path::new(result), &parameters.weights(&values), &remarks)
}

/// The match of a pass in words.
fn line(measured: &Measured) -> String {
    let rate = |agreement: &Agreement| {
        format!("match {:.4} +- {:.4}", agreement.match_rate(), agreement.match_error())
    };
    let held_out =
        measured.held_out.as_ref().map_or(String::new(), |counts| format!("; held out {}", rate(counts)));
    format!("{}{held_out}", rate(&measured.fitted))
}
