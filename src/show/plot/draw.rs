//! Draws a panel: title, note, picture and legend.

use super::{
    canvas::{Area, Canvas},
    chart::{self, Sides, pattern},
    font::{Anchor, LINE, TextStyle},
    heat,
    panel::{Chart, Colour, FrozenKind, Panel, PanelContent, PanelKind, SeriesStyle},
    surface,
    theme::Paint,
};

const TITLE: TextStyle = TextStyle { bold: true, ..TextStyle::new(13.0, Anchor::Start) };
const NOTE: TextStyle = TextStyle::new(10.6, Anchor::Start);

/// Height of the title.
const TITLE_LINE: f64 = 20.0;

/// Room around a panel.
const MARGIN: f64 = 10.0;

/// Room between charts.
const GAP: f64 = 18.0;

/// Height, in pixels, that suits the content of a panel of this width.
pub(super) fn natural_height(panel: &Panel, width: u32) -> u32 {
    let inner = (f64::from(width) - 2.0 * MARGIN).max(1.0);
    let content = match &panel.content {
        PanelContent::Charts(charts) => {
            let columns = columns(panel.kind, charts, inner);
            let rows = charts.len().div_ceil(columns) as f64;
            let width = (inner + GAP) / columns as f64 - GAP;
            let height = if charts.len() > 1 {
                (0.62 * width).clamp(130.0, 190.0)
            } else {
                (0.52 * width).clamp(170.0, 330.0)
            };
            let notes = charts.iter().map(chart::note_height).fold(0.0, f64::max);
            rows * (height + notes + GAP) - GAP
        }
        PanelContent::Heat(boards) => heat::natural_height(boards, inner),
        PanelContent::Surface(boards) => surface::natural_height(boards, inner),
    };
    (around(panel, inner) + content).ceil() as u32
}

/// Number of charts side by side.
fn columns(kind: PanelKind, charts: &[Chart], width: f64) -> usize {
    let narrowest = if kind == PanelKind::Trends { 170.0 } else { 250.0 };
    let room = ((width + GAP) / (narrowest + GAP)) as usize;
    let most = match kind {
        PanelKind::Trends => 4,
        PanelKind::Trace => 1,
        _ => charts.len().max(1),
    };
    room.clamp(1, most)
}

/// Height of everything except the picture.
fn around(panel: &Panel, width: f64) -> f64 {
    let notes = NOTE.wrap(&panel.whole_note(), width).len() as f64;
    let frozen = panel.frozen_kinds().len() as f64;
    2.0 * MARGIN + TITLE_LINE + notes * LINE + 6.0 + frozen * (LINE + 2.0)
}

/// Draws a panel, margins included, into a part of a canvas.
pub(super) fn draw(canvas: &mut Canvas, whole: Area, panel: &Panel) {
    let (left, top) = (whole.left + MARGIN, whole.top + MARGIN);
    let mut area = Area {
        left,
        top,
        right: (whole.right - MARGIN).max(left + 1.0),
        bottom: (whole.bottom - MARGIN).max(top + 1.0),
    };
    let title = TITLE.fit(&panel.title, area.width());
    canvas.text((area.left, area.top + 0.5 * TITLE_LINE - 1.0), &title, TITLE, Colour::Ink.into());
    area.top += TITLE_LINE;
    for line in NOTE.wrap(&panel.whole_note(), area.width()) {
        canvas.text((area.left, area.top + 0.5 * LINE), &line, NOTE, Colour::Grey.into());
        area.top += LINE;
    }
    area.top += 6.0;
    for frozen in panel.frozen_kinds().into_iter().rev() {
        frozen_legend(canvas, &area, panel, frozen);
        area.bottom -= LINE + 2.0;
    }
    match &panel.content {
        PanelContent::Charts(charts) => draw_charts(canvas, area, panel.kind, charts),
        PanelContent::Heat(boards) => heat::draw(canvas, area, boards),
        PanelContent::Surface(boards) => surface::draw(canvas, area, boards),
    }
}

const HEAD: TextStyle = TextStyle { bold: true, ..TextStyle::new(16.0, Anchor::Start) };
const HEAD_LINE: f64 = 26.0;

pub(super) fn head_height(title: &str, note: &str, width: u32) -> u32 {
    let title = if title.is_empty() { 0.0 } else { HEAD_LINE };
    let notes = NOTE.wrap(note, f64::from(width) - 2.0 * MARGIN).len() as f64;
    if title + notes > 0.0 { (MARGIN + title + notes * LINE + 4.0) as u32 } else { 0 }
}

pub(super) fn draw_head(canvas: &mut Canvas, width: u32, title: &str, note: &str) {
    let room = f64::from(width) - 2.0 * MARGIN;
    let mut top = MARGIN;
    if !title.is_empty() {
        canvas.text((MARGIN, top + 0.5 * HEAD_LINE - 2.0), &HEAD.fit(title, room), HEAD, Colour::Ink.into());
        top += HEAD_LINE;
    }
    for line in NOTE.wrap(note, room) {
        canvas.text((MARGIN, top + 0.5 * LINE), &line, NOTE, Colour::Grey.into());
        top += LINE;
    }
}

fn draw_charts(canvas: &mut Canvas, area: Area, kind: PanelKind, charts: &[Chart]) {
    let columns = columns(kind, charts, area.width());
    let areas: Vec<Area> = area.split(charts.len(), columns, GAP).collect();
    // Plot areas below each other have the same edges.
    let sides = match kind {
        PanelKind::Trace => charts
            .iter()
            .zip(&areas)
            .map(|(chart, area)| chart::sides(chart, area.height()))
            .reduce(Sides::max),
        _ => None,
    };
    for (chart, area) in charts.iter().zip(areas) {
        chart::draw(canvas, area, chart, sides.unwrap_or_default());
    }
}

/// Draws the legend for the sign of frozen weights at the bottom of the area.
fn frozen_legend(canvas: &mut Canvas, area: &Area, panel: &Panel, frozen: FrozenKind) {
    let middle = area.bottom - 0.5 * LINE;
    let has_dots = match &panel.content {
        PanelContent::Charts(charts) => {
            charts.iter().flat_map(|chart| &chart.series).all(|series| series.style == SeriesStyle::Dots)
        }
        PanelContent::Heat(_) => false,
        PanelContent::Surface(_) => true,
    };
    if has_dots {
        canvas.circle((area.left + 9.0, middle), 3.0, Colour::Ink.into());
        if frozen == FrozenKind::Unsupported {
            canvas.circle((area.left + 9.0, middle), 1.8, Paint::Ground);
        }
    } else {
        let sample =
            Area { left: area.left, top: middle - 5.5, right: area.left + 18.0, bottom: middle + 5.5 };
        canvas.rect(&sample, Paint::Colour(Colour::Grey, 0.2));
        pattern(canvas, &sample, frozen);
    }
    canvas.text((area.left + 24.0, middle), frozen.meaning(), NOTE, Colour::Grey.into());
}
