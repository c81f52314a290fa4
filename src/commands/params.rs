//! `texam params`: the list of every parameter.

use std::fmt::Write;

use serde::Serialize;
use strum::VariantArray;

use super::{Outcome, note, output::OutputFile, print, print_result, start_or};
use crate::{
    commands::cli::ParamsArgs,
    error::{Error, Result},
    feature::{Group, Key, Layout, Mode, Weights, pattern},
    par::{self, BuiltInSet},
    run,
};

pub(super) fn run(args: &ParamsArgs) -> Result<Outcome> {
    if args.sets {
        return list_sets(args.json);
    }
    let spec = args.weights.spec();
    let inputs = start_or(&spec.par);
    let output =
        args.output.as_deref().map(|path| OutputFile::new(path, args.overwrite, inputs)).transpose()?;
    let (mut weights, source) = run::start(spec, &mut note)?;
    let reset: Vec<String> = args.reset.iter().flat_map(|list| pattern::split(list)).collect();
    pattern::reset(&mut weights, &reset)?;
    if let Some(factor) = args.multiply {
        pattern::multiply_tuned(&mut weights, factor)?;
    }
    match output {
        Some(output) => {
            weights.validate()?;
            let remark = format!("made by texam params from {source}");
            output.write_and_print(par::format(&weights, &[remark]).as_bytes())?;
        }
        None => print(&text(&weights).map_err(|_| Error::new("cannot lay out the result"))?)?,
    }
    Ok(Outcome::Complete)
}

#[derive(Serialize)]
struct SetList {
    sets: Vec<SetRow>,
}

#[derive(Serialize)]
struct SetRow {
    name: &'static str,
    path: String,
    description: &'static str,
}

/// The sets that are built in, one a line.
fn list_sets(is_json: bool) -> Result<Outcome> {
    let row = |set: &BuiltInSet| {
        let BuiltInSet { name, description, .. } = *set;
        SetRow { name, path: set.path().display().to_string(), description }
    };
    let sets: Vec<SetRow> = par::SETS.iter().map(row).collect();
    let line = |set: &SetRow| format!("{:<9} {:<20} {}\n", set.name, set.path, set.description);
    print_result(&SetList { sets }, is_json, |list| Ok(list.sets.iter().map(line).collect()))?;
    Ok(Outcome::Complete)
}

fn text(weights: &Weights) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for group in Group::VARIANTS.iter().copied() {
        writeln!(text, "{} {}", group.number(), group.name())?;
        text.push_str("  key          kind               ends         open      end  tune   meaning\n");
        for &key in Key::ALL.iter().filter(|key| key.feature().group == group) {
            row(&mut text, key, weights)?;
        }
        let is_off = |key: &&Key| key.feature().group == group && !weights.is_on(**key);
        if Key::ALL.iter().any(|key| is_off(&key)) {
            let turn_on = if group.is_named() { &*format!("{group} or --tune KEY") } else { "table:KEY" };
            writeln!(text, "  (off: no part of the set until --tune {turn_on} turns them on)")?;
        }
        writeln!(text)?;
    }
    Ok(text)
}

fn row(text: &mut String, key: Key, weights: &Weights) -> std::fmt::Result {
    let (feature, setting) = (key.feature(), weights.setting(key));
    let kind = match (feature.layout, setting.mode) {
        (Layout::Scalar, Mode::Off) => "off".to_string(),
        (Layout::Scalar, _) => "scalar".to_string(),
        (layout, Mode::Cells) => format!("{} cells", layout.cells()),
        (layout, Mode::Off) => format!("off ({} cells)", layout.cells()),
        (layout, _) => format!("gradient of {}", layout.cells()),
    };
    let (open, end) = match setting.mode {
        Mode::Cells => ("table".to_string(), "table".to_string()),
        Mode::Off => ("-".to_string(), "-".to_string()),
        Mode::Scalar | Mode::Gradient => {
            (format!("{:.2}", setting.open[0]), format!("{:.2}", setting.end[0]))
        }
    };
    let tuned = setting.tune.iter().filter(|&&tune| tune).count();
    let tune = match tuned {
        0 if setting.mode == Mode::Off => "-",
        0 => "frozen",
        _ if tuned == setting.tune.len() => "yes",
        _ => "partly",
    };
    let (key, ends, meaning) = (feature.key, feature.ends.name(), feature.description());
    writeln!(text, "  {key:<12} {kind:<18} {ends:<8} {open:>8} {end:>8}  {tune:<6} {meaning}")
}
