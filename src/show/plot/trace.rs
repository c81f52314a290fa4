//! The evaluation along a game as a panel: values, phases and jumps over the half-moves.

use super::panel::{Axis, Chart, Colour, Mark, Panel, PanelContent, PanelKind, Point, Series, SeriesStyle};
use crate::{
    phase::PhaseScheme,
    show::trace::{self, PhaseSource, Trace},
    value::{Value, in_units, is_mate},
};

/// Colours of the schemes, in the order of [`PhaseScheme::ALL`].
const SCHEMES: [Colour; 4] = [Colour::Sky, Colour::Green, Colour::Purple, Colour::Grey];

/// Half-moves before and after the largest jump that are shown enlarged.
const AROUND: u32 = 6;

const NOTE: &str = "leaf: a search with the phase of each leaf; root: with that of its root for the whole search, as \
                    we read 1988; none: opening weights only. Jump: what the principal leaf of root gains for White when \
                    it is seen from the next position";

/// The panel of a trace under a phase scheme: the three values, the same around the largest jump, the phase
/// of every scheme, and the jumps. Mates are left out.
pub fn trace_panel(trace: &Trace, scheme: PhaseScheme) -> Panel {
    let mark = mark(trace);
    let near = trace.jumps().largest.map(|(_, ply)| values_near(trace, ply));
    let all = [Some(values(trace)), near, Some(phases(trace, scheme)), Some(jumps(trace))];
    let charts = all.into_iter().flatten().enumerate().map(|(at, chart)| {
        let named =
            mark.clone().map(|mark| Mark { name: if at == 0 { mark.name } else { String::new() }, ..mark });
        Chart { mark: named, ..chart }
    });
    let title = format!("phase {scheme}, taken from the leaf, from the root, and not at all");
    Panel::new(PanelKind::Trace, title, NOTE, PanelContent::Charts(charts.collect()))
}

/// The mark at the root with the largest jump, named by the move that led to the root.
fn mark(trace: &Trace) -> Option<Mark> {
    let (_, ply) = trace.jumps().largest?;
    let name = trace.points[ply as usize].after.as_ref().map_or(String::new(), |played| played.name.clone());
    Some(Mark { x: f64::from(ply), name })
}

fn values(trace: &Trace) -> Chart {
    let series = |way: PhaseSource, colour, style| {
        let known = |point: &trace::Point| Some(point.values[way as usize]).filter(|&value| !is_mate(value));
        Series::new(way.name(), colour, style, points(trace, known))
    };
    let all = [
        (PhaseSource::None, Colour::Grey, SeriesStyle::Dashed),
        (PhaseSource::Root, Colour::Orange, SeriesStyle::Line),
        (PhaseSource::Leaf, Colour::Blue, SeriesStyle::Strong),
    ];
    let series = all.map(|(way, colour, style)| series(way, colour, style)).to_vec();
    chart("value of the position, White's view", "1/128 pawn", series, trace)
}

/// The values around a half-move.
fn values_near(trace: &Trace, ply: u32) -> Chart {
    let near = f64::from(ply.saturating_sub(AROUND))..=f64::from(ply + AROUND);
    let mut chart = values(trace);
    for series in &mut chart.series {
        series.points.retain(|point| near.contains(&point.x));
    }
    Chart {
        title: "the same around the largest jump".to_string(),
        x_axis: Axis { whole: true, ..Axis::numbers(chart.x_axis.title) },
        y_axis: Axis::numbers(chart.y_axis.title),
        ..chart
    }
}

fn phases(trace: &Trace, chosen: PhaseScheme) -> Chart {
    let schemes =
        PhaseScheme::ALL.into_iter().zip(SCHEMES).filter(|(scheme, _)| *scheme != PhaseScheme::None);
    let series = schemes.map(|(scheme, colour)| {
        let style = if scheme == chosen { SeriesStyle::Strong } else { SeriesStyle::Line };
        let phase = |point: &trace::Point| {
            Point::new(f64::from(point.ply), f64::from(trace::phase(&point.position, scheme)))
        };
        Series::new(scheme.name(), colour, style, trace.points.iter().map(phase).collect())
    });
    chart("phase of the position", "0 opening, 256 endgame", series.collect(), trace)
}

fn jumps(trace: &Trace) -> Chart {
    let points = points(trace, |point| point.jump);
    let series = Series::new("root", Colour::Orange, SeriesStyle::Line, points);
    chart("jump from the root to the next", "1/128 pawn", vec![series], trace)
}

fn points(trace: &Trace, value: impl Fn(&trace::Point) -> Option<Value>) -> Vec<Point> {
    let known = trace.points.iter().filter_map(|point| Some((point.ply, value(point)?)));
    known.map(|(ply, value)| Point::new(f64::from(ply), in_units(value))).collect()
}

/// A chart over all half-moves of the game.
fn chart(title: &str, up: &str, series: Vec<Series>, trace: &Trace) -> Chart {
    let last = trace.points.last().map(|point| f64::from(point.ply));
    Chart {
        title: title.to_string(),
        x_axis: Axis { whole: true, zero: true, to: last, ..Axis::numbers("half-moves played") },
        y_axis: Axis::from_zero(up),
        series,
        ..Chart::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        feature::Weights,
        game::{Entry, Games},
        show::plot::{Size, Theme},
    };

    fn traced() -> Trace {
        let pgn = "[FEN \"4k2q/p7/8/8/8/8/P6r/B3KQ1R w - - 0 1\"]\n\n1. Bxh8 Rxh1 2. Qxh1 Kd7 3. Qb7+ 1-0";
        let game = match Games::from_reader(pgn.as_bytes(), "a.pgn").unwrap().next() {
            Some(Ok(Entry::Decisive(game))) => game,
            other => panic!("{other:?}"),
        };
        Trace::new(&game, &Weights::start().quantised(), PhaseScheme::Madchess, 1)
    }

    #[test]
    fn the_charts_show_what_the_trace_holds_and_point_out_the_largest_jump() {
        let trace = traced();
        let panel = trace_panel(&trace, PhaseScheme::Madchess);
        let PanelContent::Charts(charts) = &panel.content else { panic!("{panel:?}") };
        let names = |chart: &Chart| -> Vec<String> { chart.series.iter().map(|s| s.name.clone()).collect() };
        assert_eq!(names(&charts[0]), ["none", "root", "leaf"]);
        assert_eq!(names(&charts[2]), ["fruit", "madchess", "rustic"]);
        for (chart, style) in
            [(&charts[0].series[2], SeriesStyle::Strong), (&charts[2].series[1], SeriesStyle::Strong)]
        {
            assert_eq!(chart.style, style);
        }
        let point = &trace.points[2];
        assert_eq!(
            charts[0].series[2].points[2],
            Point::new(2.0, in_units(point.values[PhaseSource::Leaf as usize]))
        );
        assert_eq!(charts[2].series[1].points[2], Point::new(2.0, f64::from(point.phase)));
        assert_eq!(charts[3].series[0].points.len(), trace.points.len() - 1);
        let (largest, ply) = trace.jumps().largest.unwrap();
        assert!(charts[1].series[2].points.iter().all(|point| (point.x - f64::from(ply)).abs() <= 6.0));
        assert!(charts[3].series[0].points.contains(&Point::new(f64::from(ply), in_units(largest))));
        assert!(charts.iter().all(|chart| chart.mark.as_ref().unwrap().x == f64::from(ply)));
    }

    #[test]
    fn the_charts_stand_below_each_other() {
        let panel = trace_panel(&traced(), PhaseScheme::Fruit);
        let Size { width, height } = panel.natural_size(900);
        assert!(width == 900 && height > 4 * 130, "{height}");
        let svg = crate::show::plot::svg(&panel, panel.natural_size(900), Theme::Light);
        assert!(svg.contains("madchess") && svg.contains("half-moves played"));
    }
}
