//! `texam eval --trace`: the evaluation along a game.

use std::fmt::Write;

use serde::Serialize;

use super::{
    Outcome, output::OutputFile, par_name, plot::PictureFormat, position::game_title, print_result, start_or,
    weights,
};
use crate::{
    commands::cli::{EvalArgs, GameOfFile},
    error::{Error, Result},
    fen,
    game::{self, Game, known_date},
    phase::PhaseScheme,
    show::{
        plot::{self, Page, Theme},
        trace::{Changes, PhaseSource, Point, Trace},
    },
    value::{UNIT, format_value, in_units},
};

/// Width of the picture in pixels. Its charts stand below each other, so that a page shows it in full size.
const WIDTH: u32 = 720;

#[derive(Serialize)]
struct TraceReport {
    games: String,
    game: u32,
    white: String,
    black: String,
    event: String,
    date: String,
    /// None for a game that nobody won.
    winner: Option<&'static str>,
    #[serde(serialize_with = "par_name")]
    par: String,
    scheme: &'static str,
    depth: u32,
    positions: Vec<PositionRow>,
    steps: StepFigures,
    jumps: ChangeFigures,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    trace: Trace,
}

/// A position of the game; values in units, White's view.
#[derive(Serialize)]
struct PositionRow {
    ply: u32,
    /// The move that led here.
    #[serde(rename = "move")]
    mv: Option<String>,
    name: Option<String>,
    fen: String,
    phase: u16,
    leaf: f64,
    root: f64,
    none: f64,
    jump: Option<f64>,
}

#[derive(Serialize)]
struct StepFigures {
    leaf: ChangeFigures,
    root: ChangeFigures,
    none: ChangeFigures,
}

/// Changes along the game, in units.
#[derive(Serialize)]
struct ChangeFigures {
    count: usize,
    nonzero: usize,
    mean: f64,
    largest: Option<f64>,
    /// Ply of the position before the largest change.
    ply: Option<u32>,
}

pub(super) fn run(args: &EvalArgs) -> Result<Outcome> {
    let Some(traced) = &args.trace else { return Err(Error::new("a trace needs a game")) };
    let (weights, par) = weights(args.par.as_deref())?;
    let format = args.output.as_deref().map(PictureFormat::from_path).transpose()?;
    let inputs = start_or(&args.par).chain([&*traced.games]);
    let file =
        args.output.as_deref().map(|path| OutputFile::new(path, args.overwrite, inputs)).transpose()?;
    let game = game::find(&traced.games, traced.number, args.player.player.as_deref())?;
    let trace = Trace::new(&game, &weights.quantised(), args.phase, args.depth);
    let output = output(args, traced, game, par, trace);
    if let (Some(format), Some(file)) = (format, &file) {
        file.write(&format.bytes(&page(&output, args.phase), WIDTH, Theme::Light)?)?;
    }
    print_result(&output, args.json, |output| match &file {
        Some(file) => Ok(file.summary()),
        None => text(output),
    })?;
    Ok(Outcome::Complete)
}

fn output(args: &EvalArgs, traced: &GameOfFile, game: Game, par: String, trace: Trace) -> TraceReport {
    TraceReport {
        title: game_title(&traced.games, &game),
        games: traced.games.display().to_string(),
        game: game.number,
        white: game.white,
        black: game.black,
        event: game.event,
        date: game.date,
        winner: game.result.winner().map(|side| side.fold_wb("white", "black")),
        par,
        scheme: args.phase.name(),
        depth: args.depth,
        positions: trace.points.iter().map(row).collect(),
        steps: StepFigures {
            leaf: figures(&trace.steps(PhaseSource::Leaf)),
            root: figures(&trace.steps(PhaseSource::Root)),
            none: figures(&trace.steps(PhaseSource::None)),
        },
        jumps: figures(&trace.jumps()),
        trace,
    }
}

fn row(point: &Point) -> PositionRow {
    let [leaf, root, none] = point.values.map(in_units);
    PositionRow {
        ply: point.ply,
        mv: point.after.as_ref().map(|played| played.mv.to_string()),
        name: point.after.as_ref().map(|played| played.name.clone()),
        fen: fen::format(&point.position),
        phase: point.phase,
        leaf,
        root,
        none,
        jump: point.jump.map(in_units),
    }
}

fn figures(changes: &Changes) -> ChangeFigures {
    ChangeFigures {
        count: changes.count,
        nonzero: changes.nonzero,
        mean: changes.mean / UNIT as f64,
        largest: changes.largest.map(|(change, _)| in_units(change)),
        ply: changes.largest.map(|(_, ply)| ply),
    }
}

/// The event and what is known of its date.
fn occasion(output: &TraceReport) -> String {
    let date = known_date(&output.date).map_or(String::new(), |date| format!(", {date}"));
    output.event.clone() + &date
}

/// Weights, phase scheme and depth.
fn circumstances(output: &TraceReport) -> String {
    let TraceReport { par, scheme, depth, .. } = output;
    format!("weights {par}, phase {scheme}, depth {depth}")
}

fn page(output: &TraceReport, scheme: PhaseScheme) -> Page {
    let panel = plot::trace_panel(&output.trace, scheme);
    let note = format!("{}; {}", occasion(output), circumstances(output));
    Page { title: output.title.clone(), note, panels: vec![panel] }
}

fn text(output: &TraceReport) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "{}\n{}", output.title, occasion(output))?;
    writeln!(text, "{}\n", circumstances(output))?;
    let row = |text: &mut String, cells: [&str; 7]| {
        let [ply, after, phase, leaf, root, none, jump] = cells;
        writeln!(text, "{ply:>3}  {after:<12} {phase:>5} {leaf:>9} {root:>9} {none:>9} {jump:>8}")
    };
    row(&mut text, ["ply", "after", "phase", "leaf", "root", "none", "jump"])?;
    for point in &output.trace.points {
        let [leaf, root, none] = point.values.map(format_value);
        let jump = match point.jump {
            None => "-".to_string(),
            Some(0) => "0".to_string(),
            Some(jump) => format_value(jump),
        };
        let [ply, phase] = [point.ply.to_string(), point.phase.to_string()];
        let after = point.after.as_ref().map_or("start", |played| &*played.name);
        row(&mut text, [&ply, after, &phase, &leaf, &root, &none, &jump])?;
    }
    text.push('\n');
    summary(&mut text, &output.trace)?;
    text.push_str(
        "\nunits of 1/128 pawn, White's view; phase 0 opening .. 256 endgame, of the position itself\n\
         leaf: a search with the phase of each leaf; root: with that of the position; none: opening weights\n\
         jump: what the principal leaf of root gains for White from the phase of the next position; the other\n\
         two have none, since they see a leaf the same from every root\n\
         step: how the value changes until the same side is to move again; mates are left out\n",
    );
    Ok(text)
}

/// A line for the jumps, and one for the steps of each way.
fn summary(text: &mut String, trace: &Trace) -> std::fmt::Result {
    let name = |ply: usize| trace.points[ply].after.as_ref().map_or("the start", |played| &*played.name);
    let mut line = |what: &str, changes: &Changes, by: usize| {
        let mean = changes.mean / UNIT as f64;
        let largest = changes.largest.map_or("none".to_string(), |(change, ply)| {
            let [from, to] = [ply as usize, ply as usize + by].map(name);
            format!("largest {} from {from} to {to}", format_value(change))
        });
        let Changes { count, nonzero, .. } = changes;
        writeln!(text, "{what:<10} mean {mean:>6.2} of {count}, {nonzero} not 0, {largest}")
    };
    line("jump root", &trace.jumps(), 1)?;
    PhaseSource::ALL
        .into_iter()
        .try_for_each(|way| line(&format!("step {}", way.name()), &trace.steps(way), 2))
}
