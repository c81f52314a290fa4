//! A chart of curves over the passes of a run, drawn with signs.
//!
//! Each curve has a sign of its own, so that the chart can be read without colours and in ASCII.

use ratatui::{layout::Rect, style::Style};

use super::pen::Pen;

/// A value at each pass.
pub struct Curve {
    /// Name in the key of the chart.
    pub name: String,
    /// The sign of a point.
    pub sign: &'static str,
    /// The style of its points.
    pub style: Style,
    /// Values with their standard errors, which may be 0, from pass 0 on.
    pub points: Vec<(f64, f64)>,
}

/// A chart with a title and some curves.
pub struct Chart<'a> {
    /// What the vertical axis shows, with its unit.
    pub title: &'a str,
    /// The curves; a later one is drawn over an earlier one.
    pub curves: &'a [Curve],
    /// Number of the last pass on the horizontal axis.
    pub last_pass: usize,
    /// Digits after the point of the labels.
    pub digits: usize,
}

/// Columns of the labels of the vertical axis.
const LABELS: u16 = 8;

impl Chart<'_> {
    /// Draws the title with the key of the curves, the axes, and the points with bars of one standard error.
    pub fn draw(&self, pen: &mut Pen, area: Rect) {
        let theme = pen.theme;
        let mut at = pen.within(area.x, area.y, area.width, &format!("{} ", self.title), theme.title());
        for curve in self.curves.iter().filter(|_| self.curves.len() > 1) {
            let key = format!(" {} {}", curve.sign, curve.name);
            at = pen.within(at, area.y, area.right().saturating_sub(at), &key, curve.style);
        }
        let plot = Rect {
            x: area.x + LABELS,
            y: area.y + 1,
            width: area.width.saturating_sub(LABELS + 1),
            height: area.height.saturating_sub(2),
        };
        let Some(scale) = Scale::new(self.curves, plot.height).filter(|_| plot.width > 1) else { return };
        for line in [0, (plot.height - 1) / 2, plot.height - 1] {
            let label = format!("{:.*}", self.digits, scale.value_at(line));
            pen.right(area.x + LABELS - 1, plot.y + line, &label, theme.faint());
        }
        let column = |pass: usize| {
            let steps = self.last_pass.max(1);
            plot.x + (pass * usize::from(plot.width - 1) / steps) as u16
        };
        for curve in self.curves {
            for (pass, &(value, error)) in curve.points.iter().enumerate() {
                for line in scale.line(value + error)..=scale.line(value - error) {
                    pen.text(column(pass), plot.y + line, theme.error_bar(), curve.style);
                }
            }
        }
        for curve in self.curves {
            for (pass, &(value, _)) in curve.points.iter().enumerate() {
                pen.text(column(pass), plot.y + scale.line(value), curve.sign, curve.style);
            }
        }
        let axis = plot.bottom();
        pen.right(area.x + LABELS - 1, axis, "pass", theme.faint());
        pen.text(plot.x, axis, "0", theme.faint());
        if self.last_pass > 0 {
            pen.right(column(self.last_pass) + 1, axis, &self.last_pass.to_string(), theme.faint());
        }
    }
}

/// The vertical axis.
struct Scale {
    least: f64,
    most: f64,
    lines: u16,
}

impl Scale {
    /// An axis over all points and their errors; none without points or without two lines.
    fn new(curves: &[Curve], lines: u16) -> Option<Scale> {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        if points().next().is_none() || lines < 2 {
            return None;
        }
        let least = points().map(|(value, error)| value - error).fold(f64::INFINITY, f64::min);
        let most = points().map(|(value, error)| value + error).fold(f64::NEG_INFINITY, f64::max);
        // Equal values are in the middle.
        let margin = if most - least < 1e-9 { least.abs().max(1.0) / 100.0 } else { 0.0 };
        Some(Scale { least: least - margin, most: most + margin, lines })
    }

    /// The line of a value, counted from the top.
    fn line(&self, value: f64) -> u16 {
        let share = (self.most - value) / (self.most - self.least);
        (share * f64::from(self.lines - 1)).round().clamp(0.0, f64::from(self.lines - 1)) as u16
    }

    /// The value of a line.
    fn value_at(&self, line: u16) -> f64 {
        self.most - (self.most - self.least) * f64::from(line) / f64::from(self.lines - 1)
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::tui::theme::Theme;

    fn drawn(curves: &[Curve], last_pass: usize) -> Vec<String> {
        let area = Rect { x: 0, y: 0, width: 30, height: 8 };
        let mut buffer = Buffer::empty(area);
        let mut pen = Pen::new(&mut buffer, Theme { colour: false, ascii: true });
        Chart { title: "match, %", curves, last_pass, digits: 1 }.draw(&mut pen, area);
        let text = |line: u16| (0..area.width).map(|x| buffer[(x, line)].symbol()).collect::<String>();
        (0..area.height).map(|line| text(line).trim_end().to_string()).collect()
    }

    fn curve(name: &'static str, sign: &'static str, points: &[(f64, f64)]) -> Curve {
        Curve { name: name.to_string(), sign, style: Style::new(), points: points.to_vec() }
    }

    #[test]
    fn points_stand_at_their_passes_and_values_with_bars_of_their_errors() {
        let curves =
            [curve("fitted", "x", &[(38.0, 0.0), (42.0, 0.0)]), curve("held out", "o", &[(40.0, 2.0)])];
        assert_eq!(
            drawn(&curves, 2),
            [
                "match, %  x fitted o held out",
                "   42.0 |         x",
                "        |",
                "   40.4 |",
                "        o",
                "        |",
                "   38.0 x",
                "   pass 0                   2",
            ]
        );
    }

    #[test]
    fn equal_values_are_drawn_and_no_values_leave_the_title() {
        assert!(drawn(&[curve("a", "x", &[(17.0, 0.0)])], 0).contains(&"        x".to_string()));
        assert_eq!(drawn(&[], 3)[1..], vec![""; 7]);
    }
}
