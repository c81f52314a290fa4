//! A run as panels: what each pass measured, the forces, and the weights that moved most.

use std::collections::BTreeMap;

use strum::VariantArray;
use texam_fit::{Agreement, Difference, Force, MISS_PLACES, MISS_STEP, MeanLoss, ObjectiveName, PassReport};

use super::{
    panel::{Axis, Chart, Colour, Mark, Panel, PanelContent, PanelKind, Point, Series, SeriesStyle},
    scale::MINUS,
};
use crate::{
    feature::{Mode, Weights},
    parameters::{Parameter, Part},
    run::stat::{AHEAD_PLACES, RunRecord, Trend, ahead_counts, by_weight},
};

/// Weights by number of the pass. Passes without known weights are left out.
pub type PassWeights = BTreeMap<u32, Weights>;

/// Number of weights whose trends are drawn.
pub const TRENDS: usize = 12;

/// The passes that a run has measured so far, from the start on.
#[derive(Debug, Clone)]
pub struct MeasuredPasses<'a> {
    /// What the run minimises.
    pub objective: ObjectiveName,
    /// The unit of values.
    pub unit: &'static str,
    /// One report for each pass, in order.
    pub reports: Vec<&'a PassReport>,
}

impl<'a> From<&'a RunRecord> for MeasuredPasses<'a> {
    fn from(record: &'a RunRecord) -> MeasuredPasses<'a> {
        let header = &record.header;
        let reports = record.reports.iter().collect();
        MeasuredPasses { objective: header.objective(), unit: header.unit(), reports }
    }
}

/// A pass whose histograms are drawn.
#[derive(Debug, Clone)]
pub struct HistogramPass<'a> {
    pub name: String,
    pub colour: Colour,
    pub report: &'a PassReport,
}

/// The panels of a run, in drawing order; none if the run has no pass. `passes` may be empty: then trends
/// have only the points that the record contains.
pub fn run_panels(record: &RunRecord, passes: &PassWeights) -> Vec<Panel> {
    if record.reports.is_empty() {
        return Vec::new();
    }
    let measured = MeasuredPasses::from(record);
    // Labelled positions have no moves to compare.
    let has_choices = record.reports[0].criterion.has_choices();
    let mut panels = Vec::new();
    if has_choices {
        panels.extend([agreement(&measured), rank(&measured)]);
    }
    panels.extend(loss(&measured));
    if has_choices {
        let shown = histogram_passes(record);
        panels.extend([spread(&measured), miss(&measured), ahead(&shown)]);
        // The steps of the errors are fractions of our pawn.
        panels.extend((!record.is_on_rows()).then(|| misses(&shown)));
    }
    panels.extend(run_forces(record));
    panels.extend(trends(record, passes, TRENDS));
    panels
}

/// Match rate by pass, fitted and held out, in per cent.
pub fn agreement(run: &MeasuredPasses) -> Panel {
    let rate = |agreement: &Agreement, pass| Point {
        error: Some(100.0 * agreement.match_error()),
        ..Point::new(pass, 100.0 * agreement.match_rate())
    };
    let fitted = by_pass(run, |report, pass| Some(rate(&report.fitted, pass)));
    let held_out = by_pass(run, |report, pass| report.held_out.as_ref().map(|set| rate(set, pass)));
    let title = "Agreement with the winners";
    let note = "share of positions in which every alternative is below the played move";
    let chart = run_chart(run, "agreement, %", fitted, held_out);
    Panel {
        signs: "band: one standard error".to_string(),
        ..chart_panel(PanelKind::Agreement, title, note, chart)
    }
}

/// Mean rank of the played move by pass.
pub fn rank(run: &MeasuredPasses) -> Panel {
    let point = |set: &Agreement, change: Option<Difference>, pass| Point {
        error: change.map(|change| change.mean_rank_error),
        ..Point::new(pass, set.mean_rank())
    };
    let fitted = by_pass(run, |report, pass| Some(point(&report.fitted, report.against_start[0], pass)));
    let held_out =
        by_pass(run, |report, pass| Some(point(report.held_out.as_ref()?, report.against_start[1], pass)));
    let chart = run_chart(run, "moves", fitted, held_out);
    let note = "mean of the legal moves above it, ties counted half";
    let panel = chart_panel(PanelKind::Rank, "Mean rank of the played move", note, chart);
    Panel { signs: "band: one standard error of the change from pass 0".to_string(), ..panel }
}

/// Mean loss of a choice by pass, fitted and held out; none if the objective has no temperature.
pub fn loss(run: &MeasuredPasses) -> Option<Panel> {
    let temperature = run.reports.first()?.loss?.temperature;
    let point = |loss: MeanLoss, pass| Point { error: Some(loss.error), ..Point::new(pass, loss.mean) };
    let fitted = by_pass(run, |report, pass| Some(point(report.loss?.fitted, pass)));
    let held_out = by_pass(run, |report, pass| Some(point(report.loss?.held_out?, pass)));
    let note =
        format!("mean loss of a choice, objective {}, temperature {temperature:.1} units", run.objective);
    let chart = run_chart(run, "loss", fitted, held_out);
    let panel = chart_panel(PanelKind::Loss, "Loss", &note, chart);
    Some(Panel { signs: "band: one standard error".to_string(), ..panel })
}

/// Spread of the kept values within a choice by pass, in units.
pub fn spread(run: &MeasuredPasses) -> Panel {
    let points = by_pass(run, |report, pass| Some(Point::new(pass, report.spread)));
    let chart = run_chart(run, run.unit, points, Vec::new());
    let note = "standard deviation within a position, moves in bound";
    chart_panel(PanelKind::Spread, "Spread of the values", note, chart)
}

/// Root mean square of the misses by pass, in units.
pub fn miss(run: &MeasuredPasses) -> Panel {
    let points = by_pass(run, |report, pass| Some(Point::new(pass, report.misses.rms)));
    let chart = run_chart(run, run.unit, points, Vec::new());
    let note = "root mean square of how far the best alternative in bound leads the played move";
    chart_panel(PanelKind::Miss, "Size of the misses", note, chart)
}

/// The first, the best and the last pass. A pass that is two of these comes once.
pub(super) fn histogram_passes(record: &RunRecord) -> Vec<HistogramPass<'_>> {
    let roles = roles_of_passes(record);
    let passes = roles.into_iter().map(|(pass, roles)| HistogramPass {
        name: format!("pass {pass}: {roles}"),
        // Blue and orange mean fitted and held out, and these bars are all of positions fitted.
        colour: match roles.split(',').next() {
            Some("start") => Colour::Grey,
            Some("best") => Colour::Green,
            _ => Colour::Purple,
        },
        report: &record.reports[pass],
    });
    passes.collect()
}

/// The first, the best and the last pass, each once, with what it is: `best, last`.
pub(crate) fn roles_of_passes(record: &RunRecord) -> Vec<(usize, String)> {
    let mut roles: Vec<(usize, String)> = Vec::new();
    let last = record.reports.len().checked_sub(1);
    let passes = [(last.map(|_| 0), "start"), (record.best(), "best"), (last, "last")];
    for (pass, role) in passes.into_iter().filter_map(|(pass, role)| Some((pass?, role))) {
        match roles.iter_mut().find(|(other, _)| *other == pass) {
            Some((_, roles)) => *roles += &format!(", {role}"),
            None => roles.push((pass, role.to_string())),
        }
    }
    roles
}

/// Histogram of the legal moves ahead of the played one, in per cent of positions.
pub fn ahead(passes: &[HistogramPass]) -> Panel {
    let last = format!("{}+", AHEAD_PLACES - 1);
    let names = (0..AHEAD_PLACES - 1).map(|rank| rank.to_string()).chain([last]).collect();
    let shares = |report: &PassReport| per_cent(&ahead_counts(&report.fitted.histogram));
    let chart = Chart {
        x_axis: Axis::named("legal moves above the played one", names),
        y_axis: Axis::from_zero("positions, %"),
        series: bars(passes, shares),
        ..Chart::default()
    };
    let note = "share of the positions fitted; ties make 0 more frequent than a match";
    chart_panel(PanelKind::Ahead, "Moves ahead of the played one", note, chart)
}

/// Histogram of the misses, in per cent of positions in bound.
pub fn misses(passes: &[HistogramPass]) -> Panel {
    let used =
        |pass: &HistogramPass| pass.report.misses.histogram.iter().rposition(|&count| count > 0).unwrap_or(0);
    let places = 1 + passes.iter().map(used).max().unwrap_or(0);
    let name = |place: usize| match place {
        last if last == MISS_PLACES - 1 => "more".to_string(),
        place => (place as f64 * MISS_STEP).to_string(),
    };
    let shares = |report: &PassReport| per_cent(&report.misses.histogram[..places]);
    let chart = Chart {
        x_axis: Axis::named("behind by up to, 1/128 pawn", (0..places).map(name).collect()),
        y_axis: Axis::from_zero("positions in bound, %"),
        series: bars(passes, shares),
        ..Chart::default()
    };
    let note = "how far the best alternative in bound leads the played move; 0: it does not";
    chart_panel(PanelKind::Misses, "Errors of positions in bound", note, chart)
}

/// The panel of forces with that of the run; none if the record lacks the options of the force.
pub fn run_forces(record: &RunRecord) -> Option<Panel> {
    let number = |name: &str| record.option(name)?.parse().ok().filter(|number: &f64| number.is_finite());
    let used = (record.option("force")?.parse().ok()?, number("strength")?, number("scale")?);
    Some(forces(Some(used), record.header.unit()))
}

/// Default scale of the forces, in units.
const SCALE: f64 = 32.0;

/// Number of moves ahead for which the force `rank` is drawn.
const RANK: u32 = 4;

/// All forces at their default strengths, and as a thick line that of a run (force, strength, scale), in
/// `unit`.
pub fn forces(used: Option<(Force, f64, f64)>, unit: &str) -> Panel {
    let scale = used.map(|(_, _, scale)| scale).filter(|&scale| scale > 0.0).unwrap_or(SCALE);
    use Colour::{Blue, Green, Grey, Orange, Purple, Sky, Yellow};
    let colours = [Grey, Grey, Blue, Green, Purple, Orange, Sky, Yellow];
    let curve = |force: Force, strength: f64| {
        // From just above 0, where the curves are steep and one of them jumps.
        let misses = (0..=64).map(|step| 2.0 * scale * (f64::from(step) / 64.0).powi(2).max(1e-6));
        misses.map(|miss| Point::new(miss, force.at(miss, RANK, strength, scale))).collect()
    };
    let name = |force: Force, strength: f64| match force {
        Force::None => force.to_string(),
        Force::Rank => format!("{force} {strength} ({RANK} ahead)"),
        _ => format!("{force} {strength}"),
    };
    let mut series: Vec<Series> = (Force::VARIANTS.iter().copied().zip(colours))
        .filter(|(force, _)| {
            used.is_none_or(|(other, strength, _)| other != *force || strength != force.default_strength())
        })
        .map(|(force, colour)| {
            let style = if force == Force::Rank { SeriesStyle::Dashed } else { SeriesStyle::Line };
            let strength = force.default_strength();
            Series::new(name(force, strength), colour, style, curve(force, strength))
        })
        .collect();
    if let Some((force, strength, _)) = used {
        let colour = colours[Force::VARIANTS.iter().position(|&other| other == force).unwrap_or(0)];
        let name = name(force, strength) + " (run)";
        series.push(Series::new(name, colour, SeriesStyle::Strong, curve(force, strength)));
    }
    let chart = Chart {
        x_axis: Axis::from_zero(format!("miss, {unit}")),
        y_axis: Axis::from_zero(format!("force, {unit}")),
        series,
        mark: Some(Mark { x: scale, name: format!("scale {scale}") }),
        ..Chart::default()
    };
    let note = format!(
        "added to the target of the played move, in {unit}; the number beside a name is its strength, the force at a \
         miss of {scale}; strengths differ, so compare shapes and not heights"
    );
    chart_panel(PanelKind::Forces, "Forces", &note, chart)
}

/// A chart for each of `count` weights, those that move values most, and first those whose change is clear.
pub fn trends(record: &RunRecord, passes: &PassWeights, count: usize) -> Option<Panel> {
    let mut ranked = by_weight(record.trends.weights.iter().filter(|trend| trend.change != 0.0));
    ranked.truncate(count);
    let (which, beside, band) = match record.has_errors() {
        true => (
            ", clear changes first",
            "its standard error over the whole run; a change is clear if it is more than two of them",
            "; band: one standard error",
        ),
        false => ("", "how far it moves values: the change times the standard deviation of the count", ""),
    };
    let charts: Vec<Chart> = ranked.iter().map(|trend| trend_chart(record, passes, trend)).collect();
    let at = if passes.is_empty() { " (start, quarters, end and best)" } else { "" };
    let factor = if record.is_on_rows() { "" } else { "; a factor multiplies a whole table and has no unit" };
    let title = format!("Weights that moved the values most{which}");
    let note = format!("in {}, by pass{at}; beside the change {beside}{factor}", record.header.unit());
    let signs = format!("dashes: the start, and the best pass{band}");
    let is_empty = charts.is_empty();
    let panel = Panel::new(PanelKind::Trends, title, note, PanelContent::Charts(charts));
    (!is_empty).then_some(Panel { signs, ..panel })
}

fn trend_chart(record: &RunRecord, passes: &PassWeights, trend: &Trend) -> Chart {
    let mut values: BTreeMap<u32, f64> =
        record.trends.passes.iter().copied().zip(trend.values.iter().copied()).collect();
    let parameter = trend.name.parse::<Parameter>().ok();
    if let Some(parameter) = parameter {
        values.extend(passes.iter().filter_map(|(&pass, weights)| Some((pass, parameter.find(weights)?))));
    }
    let error = |pass: u32| trend.run_errors.get(pass.checked_sub(1)? as usize).copied();
    let point = |(pass, y): (u32, f64)| Point { error: error(pass), ..Point::new(f64::from(pass), y) };
    let points: Vec<Point> = values.into_iter().map(point).collect();
    let is_factor = parameter.is_some_and(|parameter| parameter.mode == Mode::Gradient);
    let name = if is_factor { format!("{}, factor", trend.name) } else { trend.name.clone() };
    Chart {
        title: match trend.run_error() {
            Some(error) => {
                format!("{name}: {} ± {error:.*}", format_change(trend.change), decimals(trend.change))
            }
            None => format!("{name}: {} (moves {:.1})", format_change(trend.change), trend.moves),
        },
        note: parameter.map_or(String::new(), plain_name),
        x_axis: Axis::passes(),
        y_axis: Axis::default(),
        level: points.first().map(|point| point.y),
        mark: best_mark(&record.into()).map(|mark| Mark { name: String::new(), ..mark }),
        series: vec![Series::new("", Colour::Blue, SeriesStyle::Dots, points)],
    }
}

/// What a weight counts, in words.
fn plain_name(parameter: Parameter) -> String {
    let meaning = parameter.key.feature().meaning;
    match parameter.part {
        Part::Opening => format!("opening: {meaning}"),
        Part::Endgame => format!("endgame: {meaning}"),
        Part::Both => meaning.to_string(),
    }
}

/// A change with its sign and one decimal, or two decimals if it is below 1.
pub(super) fn format_change(value: f64) -> String {
    format!("{value:+.*}", decimals(value)).replace('-', MINUS)
}

/// How many decimals a change has.
fn decimals(value: f64) -> usize {
    if value.abs() < 0.995 { 2 } else { 1 }
}

fn chart_panel(kind: PanelKind, title: &str, note: &str, chart: Chart) -> Panel {
    Panel::new(kind, title, note, PanelContent::Charts(vec![chart]))
}

fn by_pass(run: &MeasuredPasses, point: impl Fn(&PassReport, f64) -> Option<Point>) -> Vec<Point> {
    run.reports.iter().filter_map(|report| point(report, f64::from(report.number))).collect()
}

fn run_chart(run: &MeasuredPasses, up: &str, fitted: Vec<Point>, held_out: Vec<Point>) -> Chart {
    let alone = held_out.is_empty();
    let sets = [
        Series::new(if alone { "" } else { "fitted" }, Colour::Blue, SeriesStyle::Dots, fitted),
        Series::new("held out", Colour::Orange, SeriesStyle::Dots, held_out),
    ];
    Chart {
        x_axis: Axis::passes(),
        y_axis: Axis::numbers(up),
        series: sets.into_iter().filter(|series| !series.points.is_empty()).collect(),
        mark: best_mark(run),
        ..Chart::default()
    }
}

fn best_mark(run: &MeasuredPasses) -> Option<Mark> {
    let report = run.reports[texam_fit::best(run.reports.iter().copied())?];
    Some(Mark { x: f64::from(report.number), name: format!("best: {}", report.number) })
}

fn bars(passes: &[HistogramPass], shares: impl Fn(&PassReport) -> Vec<f64>) -> Vec<Series> {
    let series = |pass: &HistogramPass| {
        let points = (0..).zip(shares(pass.report)).map(|(x, share)| Point::new(f64::from(x), share));
        Series::new(&pass.name, pass.colour, SeriesStyle::Bars, points.collect())
    };
    passes.iter().map(series).collect()
}

/// Each count in per cent of the sum.
pub(crate) fn per_cent(counts: &[u64]) -> Vec<f64> {
    let sum: f64 = counts.iter().map(|&count| count as f64).sum();
    counts.iter().map(|&count| if sum > 0.0 { 100.0 * count as f64 / sum } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{feature::Key, run::stat::testing::shipped_record};

    fn chart(panel: &Panel) -> &Chart {
        let PanelContent::Charts(charts) = &panel.content else { panic!("no chart") };
        &charts[0]
    }

    #[test]
    fn agreement_is_that_of_every_pass_with_its_error_and_the_best_is_pointed_out() {
        let panel = agreement(&MeasuredPasses::from(&shipped_record()));
        let chart = chart(&panel);
        let [fitted, held_out] = &chart.series[..] else { panic!("{:?}", chart.series) };
        assert_eq!((fitted.points.len(), held_out.points.len()), (16, 16));
        let best = fitted.points[7];
        assert!((best.y - 100.0 * 11_470.0 / 28_079.0).abs() < 1e-9, "{best:?}");
        assert!((best.error.unwrap() - 0.29).abs() < 0.01, "{best:?}");
        assert!((held_out.points[7].y - 100.0 * 1274.0 / 3189.0).abs() < 1e-9);
        assert_eq!(chart.mark, Some(Mark { x: 7.0, name: "best: 7".to_string() }));
    }

    #[test]
    fn rank_spread_and_miss_are_those_of_the_table_of_passes() {
        let record = shipped_record();
        let last = |panel: Panel, series: usize| chart(&panel).series[series].points[15].y;
        assert!((last(rank(&MeasuredPasses::from(&record)), 0) - 3.0308).abs() < 1e-4);
        assert!(
            (last(rank(&MeasuredPasses::from(&record)), 1) - (10_291.0 + 188.0 / 2.0) / 3189.0).abs() < 1e-9
        );
        assert_eq!(last(spread(&MeasuredPasses::from(&record)), 0), 19.3175);
        assert!((last(miss(&MeasuredPasses::from(&record)), 0) - 22.4605).abs() < 1e-4);
    }

    #[test]
    fn histograms_are_shares_of_all_positions_and_the_last_row_holds_the_rest() {
        let record = shipped_record();
        for panel in [ahead(&histogram_passes(&record)), misses(&histogram_passes(&record))] {
            let chart = chart(&panel);
            let names: Vec<_> = chart.series.iter().map(|series| series.name.as_str()).collect();
            assert_eq!(names, ["pass 0: start", "pass 7: best", "pass 15: last"]);
            for series in &chart.series {
                assert_eq!(series.points.len(), chart.x_axis.names.len());
                assert!((series.points.iter().map(|point| point.y).sum::<f64>() - 100.0).abs() < 1e-9);
            }
        }
        let panel = ahead(&histogram_passes(&record));
        assert!((chart(&panel).series[1].points[0].y - 100.0 * 11_940.0 / 28_079.0).abs() < 1e-9);
        assert_eq!(chart(&panel).x_axis.names.last().unwrap(), "15+");
        assert_eq!(chart(&misses(&histogram_passes(&record))).x_axis.names[..3], ["0", "8", "16"]);
    }

    #[test]
    fn a_pass_that_is_best_and_last_has_one_row_of_bars() {
        let mut record = shipped_record();
        record.reports.truncate(8);
        record.reports[7].fitted.histogram = vec![3, 1];
        let panel = ahead(&histogram_passes(&record));
        let names: Vec<_> = chart(&panel).series.iter().map(|series| series.name.clone()).collect();
        assert_eq!(names, ["pass 0: start", "pass 7: best, last"]);
        assert_eq!(chart(&panel).series[1].points[0].y, 75.0);
        record.reports.truncate(1);
        assert_eq!(chart(&ahead(&histogram_passes(&record))).series[0].name, "pass 0: start, best, last");
    }

    fn trend_charts(record: &RunRecord) -> Vec<Chart> {
        let panel = trends(record, &PassWeights::new(), TRENDS).unwrap();
        let PanelContent::Charts(charts) = panel.content else { panic!("no charts") };
        assert_eq!(charts.len(), TRENDS);
        charts
    }

    fn moves(record: &RunRecord, charts: &[Chart]) -> Vec<f64> {
        let moves = |name: &str| record.trends.weights.iter().find(|trend| trend.name == name).unwrap().moves;
        charts.iter().map(|chart| moves(chart.title.split([',', ':']).next().unwrap())).collect()
    }

    #[test]
    fn trends_come_in_order_of_how_far_they_move_values() {
        let mut record = shipped_record();
        record.trends.weights.iter_mut().for_each(|trend| trend.run_errors.clear());
        let charts = trend_charts(&record);
        assert!(charts[0].title.starts_with("trade_pc: −15.5 (moves 24.7)"), "{}", charts[0].title);
        let passes: Vec<f64> = charts[0].series[0].points.iter().map(|point| point.x).collect();
        assert_eq!(passes, record.trends.passes.iter().map(|&pass| f64::from(pass)).collect::<Vec<_>>());
        assert!(charts.iter().all(|chart| chart.series[0].points.iter().all(|point| point.error.is_none())));
        let shown = moves(&record, &charts);
        assert!(shown.is_sorted_by(|a, b| a >= b) && (shown[0] - 24.6783).abs() < 1e-4, "{shown:?}");
        assert_eq!(charts[0].level, Some(6.0));
        assert!(charts[0].note.starts_with("lead in material"), "{}", charts[0].note);
        assert!(charts[1].note.starts_with("opening: "), "{}", charts[1].note);
        // `pass` is a table that the run scales as a whole.
        assert!(charts.iter().any(|chart| chart.title.starts_with("pass.e, factor: −0.69")));
    }

    #[test]
    fn trends_of_a_run_with_groups_have_its_errors_and_begin_with_clear_changes() {
        let mut record = shipped_record();
        let first = trend_charts(&record);
        assert!(first[0].title.starts_with("trade_pc: −15.5 ± 2.1"), "{}", first[0].title);
        let points = &first[0].series[0].points;
        assert!(points[0].error.is_none() && points[1..].iter().all(|point| point.error.is_some()));
        // A change that is no longer clear gives way to all that are.
        let trend = record.trends.weights.iter_mut().find(|trend| trend.name == "trade_pc").unwrap();
        trend.run_errors.fill(100.0);
        let charts = trend_charts(&record);
        assert_eq!(charts[0].title, first[1].title);
        assert!(charts.iter().all(|chart| !chart.title.starts_with("trade_pc")));
        assert!(moves(&record, &charts).is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn trends_have_every_pass_whose_weights_are_known() {
        let record = shipped_record();
        let mut passes = PassWeights::new();
        for pass in 0..=15 {
            let mut weights = Weights::start();
            weights.setting_mut(Key::TradePc).open[0] = 6.0 - f64::from(pass);
            passes.insert(pass, weights);
        }
        let panel = trends(&record, &passes, 1).unwrap();
        let points = &chart(&panel).series[0].points;
        assert_eq!(points.len(), 16);
        assert_eq!((points[5].x, points[5].y), (5.0, 1.0));
        let parameter: Parameter = "trade_pc".parse().unwrap();
        assert_eq!((parameter.key, parameter.part), (Key::TradePc, Part::Both));
    }

    #[test]
    fn a_weight_that_is_not_known_any_more_is_drawn_from_the_story_alone() {
        let mut record = shipped_record();
        record.trends.weights.truncate(1);
        record.trends.weights[0].name = "forgotten.o".to_string();
        let passes = PassWeights::from([(0, Weights::start())]);
        let panel = trends(&record, &passes, 3).unwrap();
        assert_eq!(chart(&panel).series[0].points.len(), record.trends.passes.len());
        assert!(chart(&panel).title.starts_with("forgotten.o: "));
        record.trends.weights[0].change = 0.0;
        assert!(trends(&record, &passes, 3).is_none());
    }

    #[test]
    fn forces_have_their_strength_at_the_scale_and_that_of_the_run_stands_out() {
        let panel = run_forces(&shipped_record()).unwrap();
        let series = &chart(&panel).series;
        assert_eq!(series.len(), 8);
        let strong: Vec<_> = series.iter().filter(|series| series.style == SeriesStyle::Strong).collect();
        assert_eq!(strong.len(), 1);
        assert_eq!(strong[0].name, "linear 512 (run)");
        let end = strong[0].points.last().unwrap();
        assert_eq!((end.x, end.y), (64.0, Force::Linear.at(64.0, 0, 512.0, 32.0)));
        // A run with another strength has the default one beside it.
        let other = forces(Some((Force::Log, 99.0, 16.0)), "1/128 pawn");
        assert_eq!(chart(&other).series.len(), 9);
        assert_eq!(chart(&other).mark.as_ref().unwrap().x, 16.0);
        assert_eq!(chart(&forces(None, "1/128 pawn")).series.len(), 8);
    }

    #[test]
    fn changes_have_their_sign_and_as_many_decimals_as_they_need() {
        assert_eq!(
            (format_change(-15.47), format_change(0.344), format_change(-0.999)),
            ("−15.5".into(), "+0.34".into(), "−1.0".into())
        );
    }
}
