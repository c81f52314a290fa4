//! Any text as a `.stat`: a record that is accepted can be drawn in every way, and makes a page.

use texam::{
    feature::Weights,
    run::stat::{self, RunRecord, Trends},
    show::{
        plot::{self, PassWeights, Theme},
        report::{self, Positions, Report},
    },
};
use texam_fit::{Pass, PassReport};
use texam_fuzz::{Corpus, Recipe};

crate::target!("stat", check, 200, 400);

/// Mutants of the text are rarely accepted, since a `.stat` repeats itself. So this changes counts of an accepted
/// record and prints it.
#[test]
fn mutants_of_records() {
    let corpus = Corpus::of("stat");
    let records: Vec<RunRecord> = corpus.texts().filter_map(|text| stat::parse(&text).ok()).collect();
    assert!(!records.is_empty(), "no file of the corpus is accepted");
    bolero::check!(name = "stat_records")
        .with_type::<Recipe>()
        .map(move |recipe| changed(&records[usize::from(recipe.0) % records.len()], &recipe))
        .with_iterations(texam_fuzz::cases(100))
        .for_each(|text: &String| check(text.as_bytes()));
}

fn check(bytes: &[u8]) {
    let Ok(record) = stat::parse(&String::from_utf8_lossy(bytes)) else { return };
    let passes = PassWeights::from([(0, Weights::start())]);
    for passes in [&PassWeights::new(), &passes] {
        for panel in plot::run_panels(&record, passes) {
            plot::svg(&panel, panel.natural_size(800), Theme::Page);
            plot::text::panel(&panel, 80, false);
        }
    }
    let positions = Positions::Omitted(String::new());
    let pass = record.reports.len().saturating_sub(1) as u32;
    let page = report::page(&Report { name: "input", record: &record, passes: &passes, pass, positions });
    assert_eq!(page.is_ok(), !record.reports.is_empty());
}

/// The text of a record with other counts and measurements.
fn changed(record: &RunRecord, (_, edits): &Recipe) -> String {
    let mut reports = record.reports.clone();
    for &(kind, place, length, value) in edits.iter().take(4) {
        let pass = usize::from(place) % reports.len().max(1);
        let Some(report) = reports.get_mut(pass) else { break };
        change(report, kind, usize::from(length), u64::from(value));
    }
    let passes: Vec<Pass> = reports.into_iter().map(|report| Pass { report, ..Pass::default() }).collect();
    stat::format(&record.header, record.state, &passes, &Trends::default())
}

fn change(report: &mut PassReport, kind: u8, place: usize, value: u64) {
    let size = f64::from(value as u16) * 10f64.powi(place as i32 % 40 - 20);
    let fitted = &mut report.fitted;
    match kind % 12 {
        0 => fitted.choices = value,
        1 => fitted.matched = value,
        2 => fitted.alternatives = value,
        3 => fitted.rank_sum = value << (place % 32),
        4 => fitted.kept_choices = value,
        5 => fitted.histogram = vec![value; place % 64],
        6 => report.held_out = None,
        7 => report.misses.rms = size,
        8 => report.misses.histogram.fill(value << (place % 32)),
        9 => report.spread = size,
        10 => report.mean_gain = -size,
        _ => report.fit = None,
    }
}
