//! A run as panels: what each pass measured, the forces, and the weights that moved most.

use std::collections::BTreeMap;

use super::panel::{Axis, Body, Chart, Hue, Kind, Look, Mark, Panel, Point, Series};
use crate::{
    feature::Weights,
    fit::{Force, Parameter},
    stat::{Story, Trend},
    tuner::{self, IterationReport, MISS_PLACES, MISS_STEP},
};

/// Weights by pass, as far as they are known.
pub type Passes = BTreeMap<u32, Weights>;

/// Weights whose trends are drawn.
pub const TRENDS: usize = 12;

/// Rows of the histogram of moves ahead; the last one holds all that are further.
const RANKS: usize = 16;

/// The panels of a run, in their order; none before the first pass. `passes` may be empty: trends then have
/// the few points that the story tells itself.
pub fn of_story(story: &Story, passes: &Passes) -> Vec<Panel> {
    if story.reports.is_empty() {
        return Vec::new();
    }
    let mut panels = vec![agreement(story), rank(story), spread(story), miss(story)];
    panels.extend([ahead(story), misses(story)]);
    panels.extend(forces_of(story));
    panels.extend(trends(story, passes, TRENDS));
    panels
}

/// Share of positions in which every alternative is below the played move, by pass.
pub fn agreement(story: &Story) -> Panel {
    let rate = |agreement: &crate::sample::Agreement, pass| Point {
        error: Some(100.0 * agreement.match_error()),
        ..Point::new(pass, 100.0 * agreement.match_rate())
    };
    let fitted = by_pass(story, |report, pass| Some(rate(&report.training, pass)));
    let held_out = by_pass(story, |report, pass| report.held_out.as_ref().map(|set| rate(set, pass)));
    let title = "Agreement with the winners";
    let note =
        "share of positions in which every alternative is below the played move; band: one standard error";
    chart_panel(Kind::Agreement, title, note, run_chart(story, "agreement, %", fitted, held_out))
}

/// Mean number of moves ahead of the played one, by pass.
pub fn rank(story: &Story) -> Panel {
    let fitted = by_pass(story, |report, pass| Some(Point::new(pass, report.training.mean_rank())));
    let held_out =
        by_pass(story, |report, pass| Some(Point::new(pass, report.held_out.as_ref()?.mean_rank())));
    let chart = run_chart(story, "moves", fitted, held_out);
    chart_panel(Kind::Rank, "Mean rank of the played move", "mean number of legal moves above it", chart)
}

/// Spread of the kept values within a position, by pass.
pub fn spread(story: &Story) -> Panel {
    let points = by_pass(story, |report, pass| Some(Point::new(pass, report.spread)));
    let chart = run_chart(story, "1/128 pawn", points, Vec::new());
    chart_panel(
        Kind::Spread,
        "Spread of the values",
        "standard deviation within a position, moves in bound",
        chart,
    )
}

/// Root mean square of the misses, by pass.
pub fn miss(story: &Story) -> Panel {
    let points = by_pass(story, |report, pass| Some(Point::new(pass, report.miss.rms)));
    let chart = run_chart(story, "1/128 pawn", points, Vec::new());
    let note = "root mean square of how far the best alternative in bound leads the played move";
    chart_panel(Kind::Miss, "Size of the misses", note, chart)
}

/// Positions by how many legal moves are above the played one: first, best and last pass.
pub fn ahead(story: &Story) -> Panel {
    let names: Vec<String> =
        (0..RANKS - 1).map(|rank| rank.to_string()).chain([format!("{}+", RANKS - 1)]).collect();
    let shares = |report: &IterationReport| {
        let histogram = &report.training.histogram;
        let count = |rank: usize| match rank {
            last if last == RANKS - 1 => histogram.iter().skip(last).sum(),
            rank => histogram.get(rank).copied().unwrap_or(0),
        };
        per_cent((0..RANKS).map(count).collect())
    };
    let chart = Chart {
        across: Axis::named("legal moves above the played one", names),
        up: Axis::from_zero("positions, %"),
        series: shown_passes(story, shares),
        ..bare_chart()
    };
    let note = "share of the positions fitted; ties make 0 more frequent than a match";
    chart_panel(Kind::Ahead, "Moves ahead of the played one", note, chart)
}

/// Positions in bound by how far the best alternative in bound leads: first, best and last pass.
pub fn misses(story: &Story) -> Panel {
    let used =
        |report: &IterationReport| report.miss.histogram.iter().rposition(|&count| count > 0).unwrap_or(0);
    let places = 1 + story.reports.iter().map(used).max().unwrap_or(0);
    let name = |place: usize| match place {
        last if last == MISS_PLACES - 1 => "more".to_string(),
        place => (place as f64 * MISS_STEP).to_string(),
    };
    let shares = |report: &IterationReport| per_cent(report.miss.histogram[..places].to_vec());
    let chart = Chart {
        across: Axis::named("behind by up to, 1/128 pawn", (0..places).map(name).collect()),
        up: Axis::from_zero("positions in bound, %"),
        series: shown_passes(story, shares),
        ..bare_chart()
    };
    let note = "how far the best alternative in bound leads the played move; 0: it does not";
    chart_panel(Kind::Misses, "Errors of positions in bound", note, chart)
}

/// The forces, with that of the run; none where its options do not tell it.
pub fn forces_of(story: &Story) -> Option<Panel> {
    let number = |name: &str| story.option(name)?.parse().ok().filter(|number: &f64| number.is_finite());
    Some(forces(Some((story.option("force")?.parse().ok()?, number("strength")?, number("scale")?))))
}

/// Scale of the forces unless another is asked for, in units.
const SCALE: f64 = 32.0;

/// Moves ahead of the played one at which the force of ranks is drawn.
const RANK: u32 = 4;

/// All forces at their default strengths, and that of a run (force, strength, scale), which stands out.
pub fn forces(used: Option<(Force, f64, f64)>) -> Panel {
    let scale = used.map(|(_, _, scale)| scale).filter(|&scale| scale > 0.0).unwrap_or(SCALE);
    let hues = [Hue::Grey, Hue::Grey, Hue::Blue, Hue::Green, Hue::Purple, Hue::Orange, Hue::Sky, Hue::Yellow];
    let curve = |force: Force, strength: f64| {
        let misses = (0..=64).map(|step| 2.0 * scale * f64::from(step) / 64.0);
        misses.map(|miss| Point::new(miss, force.at(miss, RANK, strength, scale))).collect()
    };
    let mut series: Vec<Series> = (Force::ALL.into_iter().zip(hues))
        .filter(|(force, _)| {
            used.is_none_or(|(other, strength, _)| other != *force || strength != force.default_strength())
        })
        .map(|(force, hue)| Series {
            name: if force == Force::Rank { format!("rank ({RANK} ahead)") } else { force.to_string() },
            hue,
            look: if force == Force::Rank { Look::Dashed } else { Look::Line },
            points: curve(force, force.default_strength()),
        })
        .collect();
    if let Some((force, strength, _)) = used {
        let hue = hues[Force::ALL.iter().position(|&other| other == force).unwrap_or(0)];
        let name = format!("{force} {strength} (run)");
        series.push(Series { name, hue, look: Look::Strong, points: curve(force, strength) });
    }
    let chart = Chart {
        across: Axis::from_zero("miss, 1/128 pawn"),
        up: Axis::from_zero("force, 1/128 pawn"),
        series,
        mark: Some(Mark { x: scale, name: format!("scale {scale}") }),
        ..bare_chart()
    };
    let note = "added to the target of the played move; each at its default strength, which it has where the miss is the scale";
    chart_panel(Kind::Forces, "Forces", note, chart)
}

/// The weights that changed most for their standard errors, a chart for each; none where no fit tells of
/// errors.
pub fn trends(story: &Story, passes: &Passes, count: usize) -> Option<Panel> {
    let told = story.trends.weights.iter();
    let mut ranked: Vec<(f64, &Trend)> = told.filter_map(|trend| Some((errors(trend)?, trend))).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.truncate(count);
    let charts: Vec<Chart> = ranked.iter().map(|(_, trend)| trend_chart(story, passes, trend)).collect();
    let at = if passes.is_empty() {
        "; weights at the start, the quarters, the end and the best pass"
    } else {
        ""
    };
    (!charts.is_empty()).then(|| Panel {
        kind: Kind::Trends,
        table: None,
        title: "Weights that changed most".to_string(),
        note: format!("in 1/128 pawn, by pass, in order of change over standard error; bar: standard error in the last fit{at}"),
        body: Body::Charts(charts),
    })
}

/// Change of a weight in its standard errors, without sign.
pub(super) fn errors(trend: &Trend) -> Option<f64> {
    let error = trend.standard_error.filter(|&error| error > 0.0)?;
    Some(trend.change.abs() / error)
}

fn trend_chart(story: &Story, passes: &Passes, trend: &Trend) -> Chart {
    let mut values: BTreeMap<u32, f64> =
        story.trends.stations.iter().copied().zip(trend.values.iter().copied()).collect();
    if let Ok(parameter) = trend.name.parse::<Parameter>() {
        let known =
            passes.iter().filter(|(_, weights)| weights.setting(parameter.key).mode == parameter.mode);
        values.extend(known.map(|(&pass, weights)| (pass, parameter.get(weights))));
    }
    let last = values.keys().last().copied();
    let error = |pass| if Some(pass) == last { trend.standard_error } else { None };
    let points: Vec<Point> = values
        .into_iter()
        .map(|(pass, y)| Point { error: error(pass), ..Point::new(f64::from(pass), y) })
        .collect();
    Chart {
        title: format!(
            "{}   {} ({:.0} s.e.)",
            trend.name,
            signed(trend.change),
            errors(trend).unwrap_or(0.0)
        ),
        across: Axis::passes(),
        up: Axis::default(),
        level: points.first().map(|point| point.y),
        mark: best_mark(story).map(|mark| Mark { name: String::new(), ..mark }),
        series: vec![Series { name: String::new(), hue: Hue::Blue, look: Look::ErrorBars, points }],
    }
}

/// One decimal, and a sign that is as wide as a plus.
pub(super) fn signed(value: f64) -> String {
    format!("{value:+.1}").replace('-', "−")
}

fn bare_chart() -> Chart {
    Chart {
        title: String::new(),
        across: Axis::default(),
        up: Axis::default(),
        series: Vec::new(),
        mark: None,
        level: None,
    }
}

fn chart_panel(kind: Kind, title: &str, note: &str, chart: Chart) -> Panel {
    Panel {
        kind,
        table: None,
        title: title.to_string(),
        note: note.to_string(),
        body: Body::Charts(vec![chart]),
    }
}

fn by_pass(story: &Story, point: impl Fn(&IterationReport, f64) -> Option<Point>) -> Vec<Point> {
    story.reports.iter().filter_map(|report| point(report, f64::from(report.number))).collect()
}

fn run_chart(story: &Story, up: &str, fitted: Vec<Point>, held_out: Vec<Point>) -> Chart {
    let alone = held_out.is_empty();
    let series = |name: &str, hue, points| Series { name: name.to_string(), hue, look: Look::Dots, points };
    let sets = [
        series(if alone { "" } else { "fitted" }, Hue::Blue, fitted),
        series("held out", Hue::Orange, held_out),
    ];
    Chart {
        across: Axis::passes(),
        up: Axis::numbers(up),
        series: sets.into_iter().filter(|series| !series.points.is_empty()).collect(),
        mark: best_mark(story),
        ..bare_chart()
    }
}

fn best_mark(story: &Story) -> Option<Mark> {
    let report = story.reports.get(tuner::best(story.reports.iter()))?;
    Some(Mark { x: f64::from(report.number), name: format!("best: {}", report.number) })
}

/// Bars for the first, the best and the last pass, each once.
fn shown_passes(story: &Story, shares: impl Fn(&IterationReport) -> Vec<f64>) -> Vec<Series> {
    let Some([first, best, last]) = story.shown() else { return Vec::new() };
    let name = |pass: usize| {
        let parts = [(first, "start"), (best, "best"), (last, "last")];
        let parts: Vec<&str> =
            parts.iter().filter(|(other, _)| *other == pass).map(|(_, name)| *name).collect();
        format!("pass {pass}: {}", parts.join(", "))
    };
    let mut shown = vec![(first, Hue::Grey), (best, Hue::Orange), (last, Hue::Blue)];
    shown.dedup_by_key(|(pass, _)| *pass);
    let series = |(pass, hue): (usize, Hue)| {
        let points =
            (0..).zip(shares(&story.reports[pass])).map(|(x, share)| Point::new(f64::from(x), share));
        Series { name: name(pass), hue, look: Look::Bars, points: points.collect() }
    };
    shown.into_iter().map(series).collect()
}

/// Shares of their sum, in per cent.
fn per_cent(counts: Vec<u64>) -> Vec<f64> {
    let sum: f64 = counts.iter().map(|&count| count as f64).sum();
    counts.iter().map(|&count| if sum > 0.0 { 100.0 * count as f64 / sum } else { 0.0 }).collect()
}
