//! Elo and agreement over the passes of a run as text, drawn side by side.

use serde::Serialize;

use super::report::ScoreFigures;

/// Width of each drawing, in characters.
const WIDTH: usize = 32;

/// The results of one pass: a line of the text, an object of the JSON.
#[derive(Serialize)]
pub(super) struct PassResult {
    pub pass: u32,
    #[serde(rename = "match")]
    pub rate: f64,
    pub holdout_match: Option<f64>,
    #[serde(flatten)]
    pub figures: ScoreFigures,
}

/// A line for each pass: numbers, Elo with its error, and agreement (on held-out games, if there are any).
pub(super) fn text(rows: &[PassResult]) -> String {
    let agreement = |row: &PassResult| row.holdout_match.unwrap_or(row.rate);
    let low_elo = |row: &PassResult| row.figures.elo.map(|elo| elo - row.figures.elo_error.unwrap_or(0.0));
    let high_elo = |row: &PassResult| row.figures.elo.map(|elo| elo + row.figures.elo_error.unwrap_or(0.0));
    let elo_scale = Scale::over(rows.iter().filter_map(low_elo).chain(rows.iter().filter_map(high_elo)));
    let match_scale = Scale::over(rows.iter().map(agreement));
    let mut text = format!(
        "{:>4}  {:>6}  {:>8}  {:>8}  {:>6}  {:<WIDTH$}  {:<WIDTH$}\n",
        "pass",
        "match",
        "held-out",
        "elo",
        "+-",
        elo_scale.title("elo", 0),
        match_scale.title("agreement", 4)
    );
    for row in rows {
        let figure = |value: Option<f64>, places: usize| {
            value.map_or("-".to_string(), |value| format!("{value:.places$}"))
        };
        let interval = low_elo(row).zip(high_elo(row));
        let line = format!(
            "{:>4}  {:>6}  {:>8}  {:>8}  {:>6}  {:<WIDTH$}  {:<WIDTH$}",
            row.pass,
            figure(Some(row.rate), 4),
            figure(row.holdout_match, 4),
            row.figures.elo.map_or("-".to_string(), |elo| format!("{elo:+.1}")),
            figure(row.figures.elo_error, 1),
            elo_scale.draw(interval, row.figures.elo, Some(0.0)),
            match_scale.draw(None, Some(agreement(row)), rows.first().map(agreement)),
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Range of values of a drawing.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn over(values: impl Iterator<Item = f64>) -> Scale {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if low < high { Scale { low, high } } else { Scale { low: low.min(0.0), high: low.min(0.0) + 1.0 } }
    }

    fn column(&self, value: f64) -> usize {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        (share * (WIDTH - 1) as f64).round() as usize
    }

    /// The name of the value, between the ends of the scale.
    fn title(&self, name: &str, places: usize) -> String {
        let (low, high) = (format!("{:.places$}", self.low), format!("{:.places$}", self.high));
        let room = WIDTH.saturating_sub(low.len() + high.len());
        format!("{low}{name:^room$}{high}")
    }

    /// `o` at the value, dashes for its interval, a vertical bar at the reference value.
    fn draw(&self, interval: Option<(f64, f64)>, value: Option<f64>, reference: Option<f64>) -> String {
        let mut cells = [' '; WIDTH];
        if let Some((low, high)) = interval {
            cells[self.column(low)..=self.column(high)].fill('-');
        }
        if let Some(reference) = reference {
            cells[self.column(reference)] = '|';
        }
        if let Some(value) = value {
            cells[self.column(value)] = 'o';
        }
        cells.iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_drawn_within_its_interval_between_the_ends_of_the_scale() {
        let scale = Scale::over([-31.0, 0.0, 31.0].into_iter());
        let line = scale.draw(Some((-31.0, 31.0)), Some(-31.0), Some(31.0));
        assert_eq!(line, format!("o{}|", "-".repeat(WIDTH - 2)));
        let title = scale.title("elo", 0);
        assert!(title.starts_with("-31") && title.ends_with("31") && title.len() == WIDTH, "{title}");
    }

    #[test]
    fn a_single_value_has_a_scale_too() {
        assert_eq!(Scale::over([0.4].into_iter()).draw(None, Some(0.4), None).trim().len(), 1);
        assert_eq!(Scale::over(std::iter::empty()).draw(None, None, None).trim(), "");
    }
}
