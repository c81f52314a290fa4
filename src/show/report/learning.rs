//! The data of the slider over the passes: curves, histograms, weights and tables of every pass, as JSON in
//! the page.

use serde::Serialize;

use crate::{
    error::{Error, Result},
    feature::Key,
    run::stat::{AHEAD_PLACES, RunRecord, ahead_counts},
    show::plot::{self, Chart, Grid, PanelContent, PassWeights},
};

/// Number of weights that are shown.
const WEIGHTS: usize = 24;

/// What the slider shows.
#[derive(Serialize)]
struct Learning {
    /// Number of the last pass.
    last: usize,
    /// Number of the best pass.
    best: Option<usize>,
    curves: Vec<Curve>,
    /// Positions in per cent by the moves ahead of the played one, for each pass; null for a pass whose
    /// histogram is unknown.
    ahead: Vec<Option<Vec<f64>>>,
    weights: Vec<MovedWeight>,
    tables: Vec<Table>,
}

/// A measurement over the passes.
#[derive(Serialize)]
struct Curve {
    title: String,
    unit: String,
    series: Vec<Series>,
}

#[derive(Serialize)]
struct Series {
    name: String,
    /// Pass and value.
    points: Vec<[f64; 2]>,
}

/// A weight that changed.
#[derive(Serialize)]
struct MovedWeight {
    name: String,
    meaning: String,
    /// Pass and value; passes whose weights are unknown are left out.
    points: Vec<[f64; 2]>,
}

/// A table with cells that changed.
#[derive(Serialize)]
struct Table {
    key: &'static str,
    meaning: &'static str,
    columns: Vec<String>,
    /// From bottom to top.
    rows: Vec<String>,
    column_title: &'static str,
    row_title: &'static str,
    /// Indices into the values, row by row from bottom to top.
    cells: Vec<Vec<usize>>,
    parts: Vec<TablePart>,
}

/// The table in one phase.
#[derive(Serialize)]
struct TablePart {
    phase: &'static str,
    /// For each pass the value of every cell, in units.
    values: Vec<Vec<f64>>,
}

/// The data as JSON that can stand in a page. None for a run without fits.
pub(super) fn json(record: &RunRecord, passes: &PassWeights) -> Result<Option<String>> {
    let last = record.reports.len().saturating_sub(1);
    if last == 0 {
        return Ok(None);
    }
    let learning = Learning {
        last,
        best: record.best(),
        curves: curves(record),
        ahead: ahead(record),
        weights: weights(record, passes),
        tables: tables(passes, last),
    };
    let json = serde_json::to_string(&learning)
        .map_err(|error| Error::new(format!("cannot write the data of the slider: {error}")))?;
    // Nothing in the data may end the element that holds it.
    Ok(Some(json.replace('<', "\\u003c")))
}

fn curves(record: &RunRecord) -> Vec<Curve> {
    let wanted =
        [plot::PanelKind::Agreement, plot::PanelKind::Rank, plot::PanelKind::Loss, plot::PanelKind::Spread];
    let panels = plot::run_panels(record, &PassWeights::new());
    let panels = panels.into_iter().filter(|panel| wanted.contains(&panel.kind));
    let curve = |panel: plot::Panel| {
        let chart = charts(panel.content).next()?;
        let series =
            chart.series.iter().map(|series| Series { name: series.name.clone(), points: points(series) });
        let unit = chart.y_axis.title.trim_start_matches("agreement, ").to_string();
        Some(Curve { title: panel.title, unit, series: series.collect() })
    };
    panels.filter_map(curve).collect()
}

fn charts(content: PanelContent) -> impl Iterator<Item = Chart> {
    match content {
        PanelContent::Charts(charts) => charts.into_iter(),
        PanelContent::Heat(_) | PanelContent::Surface(_) => Vec::new().into_iter(),
    }
}

fn points(series: &plot::Series) -> Vec<[f64; 2]> {
    series.points.iter().map(|point| [point.x, rounded(point.y, 1e4)]).collect()
}

fn rounded(value: f64, steps: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (value * steps).round() / steps + 0.0
}

fn ahead(record: &RunRecord) -> Vec<Option<Vec<f64>>> {
    let shares = |counts: [u64; AHEAD_PLACES]| {
        let is_known = counts.iter().any(|&count| count > 0);
        is_known.then(|| plot::per_cent(&counts).into_iter().map(|share| rounded(share, 100.0)).collect())
    };
    record.reports.iter().map(|report| shares(ahead_counts(&report.fitted.histogram))).collect()
}

fn weights(record: &RunRecord, passes: &PassWeights) -> Vec<MovedWeight> {
    let Some(panel) = plot::trends(record, passes, WEIGHTS) else { return Vec::new() };
    let moved = |chart: Chart| MovedWeight {
        name: chart.title.split_once(": ").map_or(chart.title.clone(), |(name, _)| name.to_string()),
        points: chart.series.first().map(points).unwrap_or_default(),
        meaning: chart.note,
    };
    charts(panel.content).map(moved).collect()
}

/// The tables that changed; none if the weights of a pass are unknown.
fn tables(passes: &PassWeights, last: usize) -> Vec<Table> {
    if passes.len() != last + 1 {
        return Vec::new();
    }
    Key::ALL.iter().filter_map(|&key| table(key, passes)).collect()
}

fn table(key: Key, passes: &PassWeights) -> Option<Table> {
    let feature = key.feature();
    let Grid { column_labels, row_labels, column_title, row_title, cells } = Grid::of_table(key)?;
    let part = |&(end, phase): &(usize, &'static str)| {
        let values = passes.values().map(|weights| {
            let cells = (0..feature.layout.cells()).map(|index| weights.of_cell(key.cell_at(index))[end]);
            cells.map(|value| rounded(value, 10.0)).collect()
        });
        TablePart { phase, values: values.collect() }
    };
    let parts: Vec<TablePart> = plot::phases(feature.ends).iter().map(part).collect();
    let has_changed = |part: &TablePart| part.values.iter().any(|values| *values != part.values[0]);
    parts.iter().any(has_changed).then_some(Table {
        key: feature.key,
        meaning: feature.meaning,
        columns: column_labels,
        rows: row_labels,
        column_title,
        row_title,
        cells,
        parts,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{feature::Weights, run::stat::testing::shipped_record};

    #[test]
    fn the_data_are_those_of_every_pass() {
        let record = shipped_record();
        let passes: PassWeights = (0..16)
            .map(|pass| {
                let mut weights = Weights::start();
                weights.setting_mut(Key::PAdv).open[0] = 1.0 + f64::from(pass) / 10.0;
                (pass, weights)
            })
            .collect();
        let json = json(&record, &passes).unwrap().unwrap();
        assert!(!json.contains('<'));
        let data: Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&data["last"], &data["best"]), (&15.into(), &7.into()));
        let titles: Vec<_> =
            data["curves"].as_array().unwrap().iter().map(|curve| curve["title"].clone()).collect();
        assert_eq!(titles.len(), 3, "{titles:?}");
        assert_eq!(data["curves"][0]["series"][1]["points"][8], serde_json::json!([8.0, 40.2007]));
        assert_eq!(data["ahead"][8][0], 42.6);
        assert_eq!(data["weights"].as_array().unwrap().len(), WEIGHTS);
        assert_eq!(data["weights"][0]["name"], "trade_pc");
        let tables = data["tables"].as_array().unwrap();
        assert_eq!(tables.len(), 1);
        let values = &tables[0]["parts"][0]["values"];
        let last = tables[0]["cells"][5][3].as_u64().unwrap() as usize;
        assert_eq!(values[0][last], 20.0);
        assert_eq!(values.as_array().unwrap().len(), 16);
        assert!(values[15][last].as_f64() > Some(20.0));
    }

    #[test]
    fn a_run_without_fits_has_none_and_one_with_missing_weights_has_no_tables() {
        let mut record = shipped_record();
        let passes = PassWeights::from([(0, Weights::start())]);
        let data: Value = serde_json::from_str(&json(&record, &passes).unwrap().unwrap()).unwrap();
        assert_eq!(data["tables"].as_array().unwrap().len(), 0);
        record.reports.truncate(1);
        assert!(json(&record, &passes).unwrap().is_none());
    }
}
