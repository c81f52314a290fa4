//! The data in both directions, every damage, and the text as a reader sees it.

use proptest::prelude::*;
use texam_fit::{
    Agreement, Criterion, Difference, Figures, Fit, FitReport, LossReport, MISS_PLACES, MeanLoss, Misses,
    Outcome, ParameterReport, Pass, Reason, StopReason,
};

use super::*;
use crate::{
    feature::{Key, Weights},
    parameters::Parameters,
};

fn header() -> Header {
    let options = [("skip-moves", "8"), ("force", "linear"), ("holdout", "1/10"), ("iterations", "3")];
    Header {
        search: Some(SEARCH.to_string()),
        games: vec!["games/gm1988.pgn".to_string()],
        digest: "15a69342c0e4d13ccea35312b5292d8911cad9f9c020534d08f22e3bd4d09649".to_string(),
        decisive: 868,
        skipped: 2,
        held_out_games: 86,
        positions: [2819, 317],
        start: "6fae3b445078e757".to_string(),
        options: options.map(|(name, value)| (name.to_string(), value.to_string())).to_vec(),
    }
}

fn agreement(matched: u64, histogram: &[u64]) -> Agreement {
    let ahead = (0..).zip(histogram).map(|(rank, count)| rank * count);
    Agreement {
        choices: histogram.iter().sum(),
        alternatives: 33 * histogram.iter().sum::<u64>(),
        matched,
        rank_sum: ahead.sum(),
        tied_sum: matched / 3,
        histogram: histogram.to_vec(),
        kept_choices: matched + matched / 2,
        rows: 15 * matched,
    }
}

/// A run of three fits, best at the second.
fn reports() -> Vec<PassReport> {
    let report = |number: u32| {
        let n = u64::from(number);
        let mut misses = Misses { rms: 25.418 - f64::from(number), ..Misses::default() };
        misses.histogram[..5].copy_from_slice(&[554 + n, 311, 285 - n, 9, 1]);
        let mut histogram = vec![955 + n, 415, 260, 156 - n, 131];
        histogram.resize(44, 0);
        histogram[43] = 1;
        let fit = FitReport {
            solved: 149,
            rank: 149,
            condition: 1.69e2,
            residual: Some(14.1066),
            max_change: 2.9864 / f64::from(number),
            effective: Some(96.25),
            left: None,
        };
        let held_out = agreement([120, 124, 125, 125][number as usize], &[200, 100, 15]);
        let changes = [0.5, 1.0].map(|part| Difference {
            match_rate: part * f64::from(number) / 100.0,
            match_error: 0.00325,
            mean_rank: -part * f64::from(number) / 8.0,
            mean_rank_error: 0.0125,
        });
        let mut report = PassReport::default();
        report.against_start = changes.map(|change| Some(change).filter(|_| number > 0));
        report.rank_errors = (0..number).map(|pass| Some(f64::from(pass + 1) / 80.0)).collect();
        report.number = number;
        report.fitted = agreement(926 + 4 * n, &histogram);
        report.held_out = Some(Agreement { rank_sum: 130 - 10 * u64::from(number).min(2), ..held_out });
        (report.spread, report.mean_gain, report.misses) = (15.3296, -13.9314, misses);
        report.fit = (number > 0).then_some(fit);
        report
    };
    (0..4).map(report).collect()
}

/// The start with little to tune: a single, a pair, a gradient, opening-only, free cells.
fn weights() -> Weights {
    let mut weights = Weights::start();
    for &key in Key::ALL {
        weights.setting_mut(key).tune.fill(TUNED.contains(&key));
    }
    weights.free_table(Key::Sh).unwrap();
    weights
}

/// A fit of [`weights`] that moves each parameter by a step of its own.
fn fit(before: &Weights) -> Fit {
    let mut weights = before.clone();
    let all = Parameters::new(before).unwrap();
    let parameters = all.model().tuned().iter().zip(1..).map(|(&index, at)| {
        let parameter = all.parameters()[index];
        let rare = parameter.key == Key::Trip;
        let value = parameter.get(before);
        let after = if rare { value } else { value + 0.123_46 * f64::from(at) - 0.9 };
        parameter.set(&mut weights, after);
        let mut report = ParameterReport::default();
        (report.name, report.index) = (parameter.to_string(), index);
        (report.before, report.after, report.deviation) = (value, after, 0.5);
        report.standard_error = (!rare).then_some(0.031_25 * f64::from(at));
        report.support = if rare { 7 } else { 100 * at };
        (report.held, report.clusters) = (0.005 * f64::from(at), 5);
        report.frozen = rare.then_some(Reason::TooFewChoices(7));
        report
    });
    let mut fit = Fit::default();
    fit.parameters = parameters.collect();
    fit.values = all.values(&weights);
    fit
}

/// Passes with these reports, and the fit that led to the last.
fn run(reports: Vec<PassReport>) -> (Vec<Pass>, Option<Fit>) {
    let (mut passes, mut last_fit) = (Vec::new(), None);
    let mut weights = weights();
    let parameters = Parameters::new(&weights).unwrap();
    for report in reports {
        if !passes.is_empty() {
            let fit = fit(&weights);
            weights = parameters.weights(&fit.values);
            last_fit = Some(fit);
        }
        passes.push(Pass { report, values: parameters.values(&weights), ..Pass::default() });
    }
    (passes, last_fit)
}

fn record_of(header: &Header, stopped: Option<StopReason>, reports: Vec<PassReport>) -> RunRecord {
    let (passes, last_fit) = run(reports.clone());
    let weights = weights();
    let parameters = Parameters::new(&weights).unwrap();
    let trends = Trends::new(parameters.model(), &passes, last_fit.as_ref(), not_tuned(&weights));
    RunRecord { header: header.clone(), stopped, reports, trends }
}

/// A finished run with these reports.
fn finished(header: &Header, reports: Vec<PassReport>) -> RunRecord {
    record_of(header, Some(StopReason::Iterations), reports)
}

#[track_caller]
fn assert_comes_back(record: &RunRecord) {
    assert_eq!(RunRecord::from_json(&record.to_json().unwrap()).unwrap(), *record);
}

/// The record of a run with the standard errors of its passes, which grow from weight to weight.
fn record_with_errors() -> RunRecord {
    let mut record = finished(&header(), reports());
    let all = Parameters::new(&weights()).unwrap();
    let errors = |pass: u32| {
        let error = |part: f64| Some((part * f64::from(pass) * 1e5).round() / 1e5);
        let figures = Figures {
            match_rate: [error(0.00312), error(0.00925)],
            mean_rank: [error(0.031), None],
            loss: [None, None],
        };
        let values = (0..all.parameters().len()).map(|at| f64::from(pass) * at as f64 / 16.0);
        Outcome { values: values.collect(), figures }
    };
    record.set_errors(all.model(), &(0..4).map(errors).collect::<Vec<_>>());
    record
}

#[test]
fn the_errors_of_a_run_come_back_and_can_be_taken_away() {
    let record = record_with_errors();
    assert!(record.has_errors() && record.trends.weights.iter().all(|trend| trend.run_errors.len() == 3));
    assert_comes_back(&record);
    let text = record.to_string();
    insta::assert_snapshot!(
        ["standard errors of the run", "standard errors of the weights"]
            .map(|title| section(&text, title).join("\n"))
            .join("\n\n")
    );
    let mut without = record;
    without.set_errors(Parameters::new(&weights()).unwrap().model(), &[]);
    assert_eq!(without, finished(&header(), reports()));
}

#[test]
fn weights_are_listed_by_what_they_move_and_those_whose_change_is_clear_first() {
    let names =
        |trends: &[Trend]| by_weight(trends).iter().map(|trend| trend.name.clone()).collect::<Vec<_>>();
    let trend = |name: &str, change, moves, error: &[f64]| {
        let weights = finished(&header(), reports()).trends.weights;
        Trend { name: name.into(), change, moves, run_errors: error.to_vec(), ..weights[0].clone() }
    };
    let plain = [trend("a", 9.0, 1.0, &[]), trend("b", -1.0, 3.0, &[]), trend("c", 2.0, 2.0, &[])];
    assert_eq!(names(&plain), ["b", "c", "a"]);
    let with = [
        trend("a", 9.0, 4.0, &[1.0, 9.0]),
        trend("b", -1.0, 2.0, &[1.0, 0.1]),
        trend("c", 0.0, 0.0, &[1.0, 0.0]),
        trend("d", 5.0, 3.0, &[1.0, 2.4]),
    ];
    assert_eq!(names(&with), ["d", "b", "a", "c"]);
}

/// The lines of a section, its title and remarks left out.
fn section<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|&line| line != format!("[{title}]")).skip(1);
    lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with('#')).collect()
}

/// The keys that [`weights`] tunes, all cells or the gradient, besides the cells of `sh`.
const TUNED: [Key; 5] = [Key::TradePc, Key::NFwd, Key::Pass, Key::ShCtr, Key::Trip];

/// Lines of the section of frozen weights that do not depend on the number of features: the title, the
/// remark, the titles of the columns, both parts of `trip`, and the values of the pieces and pawns.
const FROZEN_LINES_SHOWN: usize = 10;

#[test]
fn a_record_reads_like_this() {
    let text = finished(&header(), reports()).to_string();
    let frozen = text.lines().position(|line| line == "[frozen]").unwrap();
    let shown: Vec<&str> = text.lines().take(frozen + FROZEN_LINES_SHOWN).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn every_feature_that_is_not_tuned_has_a_line_in_the_order_of_the_table() {
    let text = finished(&header(), reports()).to_string();
    let untuned = Key::standard().iter().filter(|key| !TUNED.contains(key)).map(|&key| match key {
        Key::Sh => "sh[inner,r2]",
        key => key.feature().key,
    });
    let found = section(&text, "frozen").into_iter().map(|line| line.split_once(' ').unwrap());
    let expected: Vec<&str> = untuned.collect();
    assert_eq!(found.skip(3).map(|(name, _)| name).collect::<Vec<_>>(), expected);
}

#[test]
fn the_sample_of_the_documentation_has_the_sections_remarks_and_titles_of_the_code() {
    let docs = include_str!("../../../docs/FORMATS.md");
    let sample = docs.split("```stat\n").nth(1).unwrap().split("```").next().unwrap();
    let text = finished(&header(), reports()).to_string();
    let fixed = |text: &str| -> Vec<String> {
        let fixed = |line: &&str| line.starts_with(['#', '[']) || line.starts_with("pass ");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().filter(fixed).map(words).collect()
    };
    assert_eq!(fixed(sample), fixed(&text));
}

#[test]
fn a_record_comes_back_as_it_was_written() {
    assert_comes_back(&record_with_errors());
    for passes in 0..4 {
        assert_comes_back(&record_of(&header(), None, reports()[..passes].to_vec()));
    }
    let strange = [("games\n\u{1b}".to_string(), "a\"\u{202e}\\ ".to_string())];
    let strange = Header {
        games: vec!["a\nstate finished".to_string(), "b.pgn".to_string()],
        options: strange.to_vec(),
        ..header()
    };
    let record = record_of(&strange, None, reports());
    assert_comes_back(&record);
    assert!(
        record.to_string().contains("\ngames      a\\u{a}state finished\ngames      b.pgn\n"),
        "{record}"
    );
}

#[test]
fn a_difference_without_an_error_and_a_condition_without_end_come_back() {
    let mut reports = reports();
    reports[1].against_start[0].as_mut().unwrap().match_error = f64::NAN;
    reports[2].fit.as_mut().unwrap().condition = f64::INFINITY;
    let record = finished(&header(), reports);
    let json = record.to_json().unwrap();
    let read = RunRecord::from_json(&json).unwrap();
    assert!(read.reports[1].against_start[0].unwrap().match_error.is_nan());
    assert_eq!((read.to_json().unwrap(), read.to_string().contains("inf")), (json, false));
}

#[test]
fn data_that_were_cut_off_or_changed_are_refused() {
    let whole = finished(&header(), reports()).to_json().unwrap();
    let error = |text: &str| RunRecord::from_json(text).unwrap_err().to_string();
    let digits: Vec<usize> = (0..whole.len()).filter(|&at| whole.as_bytes()[at].is_ascii_digit()).collect();
    for &at in digits.iter().step_by(97).chain(digits.last()) {
        let mut changed = whole.clone();
        let by = if whole.as_bytes()[at] == b'7' { "8" } else { "7" };
        changed.replace_range(at..=at, by);
        assert!(error(&changed).contains("cut off or changed; put it back as it was"), "byte {at}");
    }
    for end in (0..whole.len() - 3).step_by(997) {
        assert!(error(&whole[..end]).contains("cut off or changed"), "cut at {end}");
    }
    // The same data of a version that has a field more or less.
    let (body, _) = whole.rsplit_once(",\n  \"checksum\"").unwrap();
    let other = body.replacen("\"decisive\"", "\"decided\"", 1);
    let other = format!("{other},\n  \"checksum\": \"{}\"\n}}\n", data::checksum(&other));
    assert!(
        error(&other).contains("those of another version (missing field `decisive`"),
        "{}",
        error(&other)
    );
}

#[test]
fn nothing_held_out_and_nothing_in_bound_print_as_numbers_and_come_back() {
    let nobody = Header { positions: [0, 0], held_out_games: 0, decisive: 0, ..header() };
    let mut held_out = PassReport::default();
    held_out.held_out = Some(Agreement::default());
    for report in [PassReport::default(), held_out] {
        let record = record_of(&nobody, None, vec![report]);
        assert_comes_back(&record);
        let text = record.to_string();
        let mut fields = text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        assert!(fields.all(|field| !["nan", "inf", "-inf"].contains(&&*field.to_lowercase())), "{text}");
    }
}

/// The reports of a run of another objective.
fn reports_with_losses(criterion: Criterion) -> Vec<PassReport> {
    let loss = |mut report: PassReport| {
        let mean = 2.25 - 0.125 * f64::from(report.number);
        let [fitted, held_out] = [mean, mean + 0.5].map(|mean| MeanLoss { mean, error: 0.012_345 });
        let change = MeanLoss { mean: -0.125 * f64::from(report.number), error: 0.003_125 };
        let changes = [Some(change).filter(|_| report.number > 0); 2];
        let loss = LossReport { temperature: 63.4375, fitted, held_out: Some(held_out), changes };
        if criterion == Criterion::Loss {
            // Positions without moves.
            let [fitted, held_out] = header().positions.map(|rows| Agreement {
                choices: rows,
                kept_choices: rows,
                rows,
                ..Agreement::default()
            });
            let PassReport { number, fit, .. } = report;
            report = PassReport::default();
            (report.number, report.fit) = (number, fit);
            (report.fitted, report.held_out) = (fitted, Some(held_out));
        }
        (report.loss, report.criterion) = (Some(loss), criterion);
        report
    };
    reports().into_iter().map(loss).collect()
}

#[test]
fn a_run_of_another_objective_comes_back_with_its_loss_and_is_judged_by_it() {
    for (objective, criterion) in [("softmax", Criterion::Rank), ("logistic", Criterion::Loss)] {
        let mut header = header();
        header.options.push(("objective".to_string(), objective.to_string()));
        let record = finished(&header, reports_with_losses(criterion));
        assert_comes_back(&record);
        let text = record.to_string();
        let best = if criterion == Criterion::Loss { "best 3, last 3" } else { "best 2, last 3" };
        assert!(text.contains(best), "{text}");
        assert_eq!(
            section(&text, "loss")[1].split_whitespace().collect::<Vec<_>>(),
            ["0", "2.250000", "0.012345", "2.750000", "0.012345", "63.4375", "-"]
        );
    }
}

#[test]
fn rows_of_another_program_are_told_in_its_unit_and_without_what_means_nothing_for_them() {
    let titles = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with('[')).map(str::to_string).collect()
    };
    let own = finished(&header(), reports()).to_string();
    assert!(
        own.contains("Units are 1/128 pawn") && titles(&own).iter().any(|title| title.starts_with("[misses"))
    );

    let mut header = header();
    header.options.push(("choices".to_string(), "choices.txt".to_string()));
    let mut foreign = reports();
    foreign.iter_mut().for_each(|report| report.misses = Misses { rms: 4.0, ..Misses::default() });
    let text = finished(&header, foreign).to_string();
    assert!(
        !text.contains("1/128 pawn") && text.contains("Units are those of the table of weights"),
        "{text}"
    );
    let rest: Vec<_> = titles(&own).into_iter().filter(|title| !title.starts_with("[misses")).collect();
    assert_eq!(titles(&text), rest);

    header.options.push(("objective".to_string(), "logistic".to_string()));
    let text = finished(&header, reports_with_losses(Criterion::Loss)).to_string();
    let changes = "[changes of the loss from the start]";
    assert_eq!(titles(&text), ["[options]", "[iterations]", "[loss]", changes, "[weights]", "[frozen]"]);
}

#[test]
fn trends_hold_the_values_of_the_stations_and_why_the_others_kept_theirs() {
    let trends = finished(&header(), reports()).trends;
    assert_eq!(trends.passes, [0, 1, 2, 3]);
    let trend = |name: &str| trends.weights.iter().find(|trend| trend.name == name).unwrap();
    let single = trend("trade_pc");
    assert_eq!((single.values[0], single.support), (6.0, 100));
    assert_eq!((single.values[3] - single.values[0], single.standard_error), (single.change, Some(0.031_25)));
    assert_eq!(trend("trip.e").standard_error, None);
    let why = |name: &str| Some(trends.frozen.iter().find(|frozen| frozen.name == name)?.reason());
    assert_eq!(why("trip.o").unwrap(), "in 7 positions only");
    assert_eq!(["mat_p", "sh[inner,r2]"].map(|name| why(name).unwrap()), ["not tuned"; 2]);
    assert_eq!(why("trade_pc"), None);
}

fn any_count() -> impl Strategy<Value = u64> {
    prop_oneof![0..2_u64, 0..100_000_u64, 0..u64::MAX]
}

fn any_figure() -> impl Strategy<Value = f64> {
    -1e9..1e9_f64
}

prop_compose! {
    fn any_agreement()(
        counts in prop::array::uniform7(any_count()),
        mut histogram in prop::collection::vec(any_count(), 0..60),
    ) -> Agreement {
        while histogram.last() == Some(&0) {
            histogram.pop();
        }
        let [choices, alternatives, share, rank_sum, tied_sum, kept_choices, rows] = counts;
        let matched = if choices == 0 { 0 } else { share % choices };
        Agreement { choices, alternatives, matched, rank_sum, tied_sum, histogram, kept_choices, rows }
    }
}

prop_compose! {
    fn any_report()(
        fitted in any_agreement(),
        held_out in prop::option::of(any_agreement()),
        [spread, mean_gain, rms, residual, max_change] in prop::array::uniform5(any_figure()),
        histogram in prop::collection::vec(any_count(), MISS_PLACES),
        solved in 0..10_000_usize,
        condition in 0..1000_u32,
        has_fit in any::<bool>(),
        has_errors in any::<bool>(),
    ) -> PassReport {
        let misses = Misses { rms, histogram: histogram.try_into().unwrap() };
        let condition = f64::from(condition) * 1e6;
        let residual = has_errors.then_some(residual);
        let effective = has_errors.then_some(max_change / 2.0);
        let left = effective;
        let fit = FitReport { solved, rank: solved / 2, condition, residual, max_change, effective, left };
        let mut report = PassReport::default();
        (report.fitted, report.held_out, report.fit) = (fitted, held_out, has_fit.then_some(fit));
        (report.spread, report.mean_gain, report.misses) = (spread, mean_gain, misses);
        report
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn whatever_was_measured_comes_back(reports in prop::collection::vec(any_report(), 0..8)) {
        assert_comes_back(&record_of(&header(), None, reports));
    }
}

#[test]
fn the_text_of_a_shipped_run_is_that_of_its_data() {
    for name in ["stats/gm1988", "stats/best", "tests/data/small"] {
        let [data, text] =
            ["json", "stat"].map(|end| std::fs::read_to_string(format!("{name}.{end}")).unwrap());
        assert_eq!(RunRecord::from_json(&data).unwrap().to_string(), text, "{name}");
    }
}
