//! Both directions of the format against each other, every damage, and the layout as a reader sees it.

use proptest::prelude::*;
use texam_fit::{
    Agreement, Criterion, Difference, Figures, Fit, FitReport, LossReport, MISS_PLACES, MeanLoss, Misses,
    Outcome, ParameterReport, Pass, Reason,
};

use super::trends::NOT_TUNED;
use super::*;
use crate::{
    feature::{Key, Weights},
    parameters::Parameters,
};

fn header() -> Header {
    let options = [("skip-moves", "8"), ("force", "linear"), ("holdout", "1/10"), ("iterations", "3")];
    Header {
        version: "0.1.0".to_string(),
        games: "games/gm1988.pgn".to_string(),
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
        as_printed(&report)
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

fn text_of(header: &Header, state: State, reports: Vec<PassReport>) -> String {
    let (passes, last_fit) = run(reports);
    let (weights, last_fit) = (weights(), last_fit.as_ref());
    let parameters = Parameters::new(&weights).unwrap();
    let trends = Trends::new(parameters.model(), &passes, last_fit, not_tuned(&weights));
    format(header, state, &passes, &trends)
}

/// The reports as a file gives them back: of passes that are not shown, with the short histogram of moves ahead only.
fn without_hidden_histograms(mut reports: Vec<PassReport>) -> Vec<PassReport> {
    let shown = shown_passes(&reports).unwrap_or_default();
    let are_known = reports.iter().all(|report| report.fitted.histogram.iter().any(|&count| count > 0));
    for (pass, report) in reports.iter_mut().enumerate() {
        if !shown.contains(&pass) {
            let counts = ahead_counts(&report.fitted.histogram);
            report.fitted.histogram = if are_known { counts.to_vec() } else { Vec::new() };
            report.misses.histogram.fill(0);
        }
        if let Some(held_out) = &mut report.held_out {
            held_out.histogram.clear();
        }
    }
    reports
}

/// Writes, reads, compares, and writes again.
#[track_caller]
fn assert_comes_back(header: &Header, state: State, reports: Vec<PassReport>) {
    let text = text_of(header, state, reports.clone());
    let read = parse(&text).unwrap();
    assert_eq!((&read.header, read.state), (header, state));
    if !reports.is_empty() {
        assert!(text.ends_with(&print::format_trends(&read.trends)), "{:?}", read.trends);
    }
    assert_eq!(read.reports, without_hidden_histograms(reports));
    assert_eq!(text_of(&read.header, read.state, read.reports), text);
}

/// The record of a run with the standard errors of its passes, which grow from weight to weight.
fn record_with_errors() -> RunRecord {
    let mut record = parse(&text_of(&header(), State::Finished, reports())).unwrap();
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
    let text = record.to_string();
    assert_eq!(parse(&text).unwrap(), record);
    insta::assert_snapshot!(
        [RUN_ERRORS, WEIGHT_ERRORS].map(|title| section(&text, title).join("\n")).join("\n\n")
    );
    let mut without = record;
    without.set_errors(Parameters::new(&weights()).unwrap().model(), &[]);
    assert_eq!(without.to_string(), text_of(&header(), State::Finished, reports()));
}

#[test]
fn weights_are_listed_by_what_they_move_and_those_whose_change_is_clear_first() {
    let names =
        |trends: &[Trend]| by_weight(trends).iter().map(|trend| trend.name.clone()).collect::<Vec<_>>();
    let trend = |name: &str, change, moves, error: &[f64]| {
        let weights = parse(&text_of(&header(), State::Finished, reports())).unwrap().trends.weights;
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

/// Lines with their numbers, without remarks and empty ones.
fn telling_lines(text: &str) -> Vec<(usize, &str)> {
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect()
}

fn with_line(text: &str, number: usize, by: &str) -> String {
    let lines = (1..).zip(text.lines()).map(|(at, line)| if at == number { by } else { line });
    lines.map(|line| format!("{line}\n")).collect()
}

/// The lines of a section, its title and remarks left out.
fn section<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|&line| line != format!("[{title}]")).skip(1);
    lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with('#')).collect()
}

/// Where the fields of a line end.
fn ends(line: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    for (at, char) in line.char_indices() {
        if !char.is_whitespace()
            && line[at + char.len_utf8()..].chars().next().is_none_or(char::is_whitespace)
        {
            ends.push(at);
        }
    }
    ends
}

/// The keys that [`weights`] tunes, all cells or the gradient, besides the cells of `sh`.
const TUNED: [Key; 5] = [Key::TradePc, Key::NFwd, Key::Pass, Key::ShCtr, Key::Trip];

/// Lines of the section of frozen weights that do not depend on the number of features: the title, the remark,
/// both parts of `trip`, and the values of the pieces and pawns.
const FROZEN_LINES_SHOWN: usize = 9;

#[test]
fn a_record_reads_like_this() {
    let text = text_of(&header(), State::Finished, reports());
    let frozen = text.lines().position(|line| line == "[frozen]").unwrap();
    let shown: Vec<&str> = text.lines().take(frozen + FROZEN_LINES_SHOWN).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn every_feature_that_is_not_tuned_has_a_line_in_the_order_of_the_table() {
    let text = text_of(&header(), State::Finished, reports());
    let untuned = Key::standard().iter().filter(|key| !TUNED.contains(key)).map(|&key| match key {
        Key::Sh => "sh[inner,r2]",
        key => key.feature().key,
    });
    let expected: Vec<String> = untuned.map(|name| format!("{name:<22}{NOT_TUNED}")).collect();
    assert_eq!(section(&text, FROZEN)[2..], expected);
}

#[test]
fn the_sample_of_the_documentation_has_the_sections_remarks_and_titles_of_the_code() {
    let docs = include_str!("../../../docs/FORMATS.md");
    let sample = docs.split("```stat\n").nth(1).unwrap().split("```").next().unwrap();
    let text = text_of(&header(), State::Finished, reports());
    let fixed = |text: &str| -> Vec<String> {
        let fixed = |line: &&str| line.starts_with(['#', '[']) || line.starts_with("pass ");
        text.lines().filter(fixed).map(str::to_string).collect()
    };
    assert_eq!(fixed(sample), fixed(&text));
}

#[test]
fn a_record_comes_back_as_it_was_written() {
    for state in [State::Finished, State::Unfinished] {
        assert_comes_back(&header(), state, reports());
    }
    for passes in 0..4 {
        assert_comes_back(&header(), State::Unfinished, reports()[..passes].to_vec());
    }
}

#[test]
fn nothing_held_out_and_nothing_in_bound_print_as_numbers_and_come_back() {
    let empty = PassReport::default();
    let nobody = Header { positions: [0, 0], held_out_games: 0, decisive: 0, ..header() };
    assert_comes_back(&nobody, State::Unfinished, vec![empty.clone()]);
    let mut held_out = empty;
    held_out.held_out = Some(Agreement::default());
    assert_comes_back(&nobody, State::Unfinished, vec![held_out.clone()]);
    let text = text_of(&nobody, State::Unfinished, vec![held_out]);
    let fields = || text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
    assert!(fields().all(|field| !["nan", "inf", "-inf"].contains(&field.to_lowercase().as_str())), "{text}");
}

/// The reports of a run of another objective.
fn reports_with_losses(criterion: Criterion) -> Vec<PassReport> {
    let loss = |mut report: PassReport| {
        let mean = 2.25 - 0.125 * f64::from(report.number);
        let [fitted, held_out] = [mean, mean + 0.5].map(|mean| MeanLoss { mean, error: 0.012_345 });
        let loss = LossReport { temperature: 63.4375, fitted, held_out: Some(held_out) };
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
        assert_comes_back(&header, State::Finished, reports_with_losses(criterion));
        let text = text_of(&header, State::Finished, reports_with_losses(criterion));
        let best = if criterion == Criterion::Loss { "best 3, last 3" } else { "best 2, last 3" };
        assert!(text.contains(best), "{text}");
        let rows = section(&text, LOSS);
        assert_eq!(
            rows[1].split_whitespace().collect::<Vec<_>>(),
            ["0", "2.250000", "0.012345", "2.750000", "0.012345", "63.4375"]
        );
        let damaged = text.replace("2.250000", "2.2500x");
        assert!(parse(&damaged).unwrap_err().to_string().contains("the loss of pass 0"));
        let without = text.replace("[loss]", "[lost]");
        assert!(parse(&without).is_err());
    }
}

#[test]
fn rows_of_another_program_are_told_in_its_unit_and_without_what_means_nothing_for_them() {
    let titles = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with('[')).map(str::to_string).collect()
    };
    let own = text_of(&header(), State::Finished, reports());
    assert!(
        own.contains("Units are 1/128 pawn") && titles(&own).iter().any(|title| title.starts_with("[misses"))
    );

    let mut header = header();
    header.options.push(("choices".to_string(), "choices.txt".to_string()));
    let mut foreign = reports();
    foreign.iter_mut().for_each(|report| report.misses = Misses { rms: 4.0, ..Misses::default() });
    let text = text_of(&header, State::Finished, foreign.clone());
    assert!(
        !text.contains("1/128 pawn") && text.contains("Units are those of the table of weights"),
        "{text}"
    );
    let rest: Vec<_> = titles(&own).into_iter().filter(|title| !title.starts_with("[misses")).collect();
    assert_eq!(titles(&text), rest);
    assert_comes_back(&header, State::Finished, foreign);

    header.options.push(("objective".to_string(), "logistic".to_string()));
    let text = text_of(&header, State::Finished, reports_with_losses(Criterion::Loss));
    assert_eq!(titles(&text), ["[options]", "[iterations]", "[loss]", "[weights]", "[frozen]"]);
}

#[test]
fn runs_of_hundreds_of_passes_come_back_and_stay_aligned() {
    let template = reports();
    let mut reports: Vec<PassReport> = (0..1200).map(|pass| template[1 + pass % 3].clone()).collect();
    for (pass, report) in reports.iter_mut().enumerate() {
        (report.number, report.rank_errors) = (pass as u32, vec![Some(0.0); pass]);
    }
    (reports[0].fit, reports[0].against_start) = (None, [None; 2]);
    reports[731].held_out.as_mut().unwrap().rank_sum -= 9;
    assert_comes_back(&header(), State::Finished, reports.clone());
    let text = text_of(&header(), State::Finished, reports);
    assert!(text.contains("best 731, last 1199"));
    assert_eq!(
        section(&text, WEIGHTS)[0].split_whitespace().collect::<Vec<_>>(),
        [
            "weight",
            "pass-0",
            "pass-299",
            "pass-599",
            "pass-731",
            "pass-899",
            "pass-1199",
            "change",
            "moves",
            "s.e.",
            "support",
            "games",
            "held"
        ]
    );
    assert_columns_stand_under_their_titles(&text);
}

#[test]
fn long_names_and_huge_figures_come_back() {
    let huge = |report: &mut PassReport| {
        report.fitted.choices = u64::MAX;
        report.fitted.alternatives = u64::MAX;
        report.fitted.histogram = vec![u64::MAX; 256];
        report.misses.histogram = [u64::MAX; MISS_PLACES];
        report.misses.rms = 123_456_789.0;
        report.spread = 1e12;
        report.mean_gain = -9_876_543.25;
    };
    let mut reports = reports();
    reports.iter_mut().for_each(huge);
    let fit =
        FitReport { condition: 1.23e300, residual: Some(1e15), max_change: 16_384.0, solved: 9999, rank: 1 };
    reports[3].fit = Some(fit);
    let mut header = Header { games: format!("a folder/{}.pgn", "x".repeat(300)), ..header() };
    header.options.push(("a-name-longer-than-its-column".to_string(), "with blanks  in it".to_string()));
    assert_comes_back(&header, State::Finished, reports);
}

#[test]
fn a_file_without_the_moves_ahead_of_every_pass_is_read() {
    let text = text_of(&header(), State::Finished, reports());
    let (before, after) = text.split_once(&format!("[{AHEAD_BY_PASS}]")).unwrap();
    let (_, after) = after.split_once("\n\n").unwrap();
    let read = parse(&format!("{before}{after}")).unwrap();
    let known = |report: &PassReport| !report.fitted.histogram.is_empty();
    assert_eq!(read.reports.iter().map(known).collect::<Vec<_>>(), [true, false, true, true]);
    assert!(parse(&text).unwrap().reports.iter().all(known));
}

#[test]
fn a_control_character_in_a_name_does_not_tear_the_line() {
    let torn = Header { games: "a\nstate finished".to_string(), ..header() };
    let read = parse(&text_of(&torn, State::Unfinished, reports())).unwrap();
    assert_eq!((read.header.games.as_str(), read.state), ("a\\u{a}state finished", State::Unfinished));
}

#[test]
fn a_line_that_is_not_what_it_should_be_is_named() {
    let text = record_with_errors().to_string();
    for (number, line) in telling_lines(&text) {
        let error = parse(&with_line(&text, number, "damaged")).expect_err(line);
        assert_eq!(error.place().line, Some(number), "{line}: {error}");
    }
}

#[test]
fn a_figure_that_does_not_agree_with_the_others_is_named_with_its_line() {
    let text = record_with_errors().to_string();
    let free = ["version", "games", "digest", "start", "decisive", "skipped", "held-out", "positions"];
    let mut damaged = 0;
    for (number, line) in telling_lines(&text) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if section(&text, OPTIONS).contains(&line) || free.contains(&fields[0]) {
            continue;
        }
        let weight = section(&text, WEIGHTS)[1..].contains(&line);
        for at in 0..fields.len() {
            if at == 0 && (weight || line.ends_with(NOT_TUNED)) {
                continue;
            }
            for by in ["x", "NaN", "-7"] {
                let mut changed = fields.clone();
                changed[at] = by;
                let error = parse(&with_line(&text, number, &changed.join(" "))).expect_err(line);
                assert_eq!(error.place().line, Some(number), "{changed:?}: {error}");
                damaged += 1;
            }
        }
    }
    assert!(damaged > 1400, "{damaged}");
}

#[test]
fn a_rate_that_does_not_follow_from_the_counts_is_an_error() {
    let text = text_of(&header(), State::Finished, reports());
    let (number, line) =
        telling_lines(&text).into_iter().find(|(_, line)| line.starts_with("   1 ")).unwrap();
    assert!(line.contains("0.4849"), "{line}");
    let error = parse(&with_line(&text, number, &line.replace("0.4849", "0.5849"))).unwrap_err();
    assert_eq!(error.place().line, Some(number));
    assert!(error.to_string().contains("follows from the rest of the file"), "{error}");
}

#[test]
fn a_story_that_breaks_off_is_an_error_at_its_last_line() {
    let text = text_of(&header(), State::Finished, reports());
    let mut telling = telling_lines(&text);
    let options = section(&text, OPTIONS);
    // What was frozen may end anywhere.
    telling.truncate(1 + telling.iter().position(|(_, line)| *line == "[frozen]").unwrap());
    for pair in telling.windows(2) {
        let [(end, line), (_, next)] = pair else { unreachable!("windows of two") };
        let cut: String = text.lines().take(*end).map(|line| format!("{line}\n")).collect();
        let error = parse(&cut).expect_err(line);
        assert_eq!(error.place().line, Some(*end), "{error}");
        assert!(options.contains(next) || error.to_string().contains("end of the file"), "{error}");
    }
    assert_eq!(parse("").unwrap_err().place().line, Some(1));
}

#[test]
fn a_rank_beyond_all_legal_moves_is_an_error_and_takes_no_memory() {
    let text = text_of(&header(), State::Finished, reports());
    let (number, line) = telling_lines(&text).into_iter().find(|(_, line)| line.starts_with("43 ")).unwrap();
    let error = parse(&with_line(&text, number, &line.replacen("43", "999999999999", 1))).unwrap_err();
    assert_eq!(error.place().line, Some(number));
    assert!(error.to_string().contains("below 256"), "{error}");
}

#[test]
fn remarks_blanks_and_ends_of_lines_are_free() {
    let text = text_of(&header(), State::Finished, reports());
    let spaced: String = text.lines().map(|line| format!("{line}  \r\n# a remark\r\n\r\n")).collect();
    assert_eq!(parse(&spaced).unwrap(), parse(&text).unwrap());
}

#[track_caller]
fn assert_columns_stand_under_their_titles(text: &str) {
    for title in [ITERATIONS, COUNTS, AHEAD, MISSES, AHEAD_BY_PASS, WEIGHTS] {
        let table = section(text, title);
        // The names at the left stand flush with the left of their titles, all figures with the right.
        let left = match title {
            ITERATIONS | AHEAD_BY_PASS => 0,
            COUNTS => 2,
            _ => 1,
        };
        for row in table[1..].iter().filter(|row| !row.starts_with("best ")) {
            assert_eq!(ends(table[0])[left..], ends(row)[left..], "{title}\n{}\n{row}", table[0]);
        }
    }
}

#[test]
fn columns_stand_under_their_titles_and_no_line_is_wider_than_142() {
    let text = text_of(&header(), State::Finished, reports());
    assert_columns_stand_under_their_titles(&text);
    let widest = text.lines().map(str::len).max().unwrap();
    assert!((80..=142).contains(&widest), "{widest}");
}

#[test]
fn every_parameter_has_room_for_its_name() {
    let mut weights = Weights::start();
    for &key in Key::ALL.iter().filter(|&&key| key != Key::MatP) {
        weights.setting_mut(key).tune.fill(true);
        if key.feature().layout.is_table() {
            weights.free_table(key).unwrap();
        }
    }
    let longest =
        Parameters::new(&weights).unwrap().parameters().iter().map(|p| p.to_string().len()).max().unwrap();
    assert!(longest <= 20, "{longest}");
}

#[test]
fn a_weight_that_has_not_moved_has_no_sign() {
    let text = text_of(&header(), State::Finished, reports());
    assert!(section(&text, WEIGHTS).iter().any(|row| row.starts_with("trip.o") && row.contains(" 0.0000 ")));
    assert!(!text.contains("-0.0000"));
}

#[test]
fn trends_hold_the_values_of_the_stations_and_why_the_others_kept_theirs() {
    let trends = parse(&text_of(&header(), State::Finished, reports())).unwrap().trends;
    assert_eq!(trends.passes, [0, 1, 2, 3]);
    let trend = |name: &str| trends.weights.iter().find(|trend| trend.name == name).unwrap();
    let single = trend("trade_pc");
    assert_eq!((single.values[0], single.support), (6.0, 100));
    assert!((single.values[3] - single.values[0] - single.change).abs() < 1e-3, "{single:?}");
    assert_eq!(single.standard_error, Some(0.0312));
    assert_eq!(trend("trip.e").standard_error, None);
    let why =
        |name: &str| trends.frozen.iter().find(|frozen| frozen.name == name).map(|frozen| frozen.reason);
    assert_eq!(why("trip.o"), Some(FreezeReason::Unsupported(Reason::TooFewChoices(7))));
    assert_eq!(why("mat_p"), Some(FreezeReason::NotTuned));
    assert_eq!(why("sh[inner,r2]"), Some(FreezeReason::NotTuned));
    assert_eq!(why("trade_pc"), None);
}

#[test]
fn a_change_that_is_not_the_difference_of_its_values_is_an_error() {
    let text = text_of(&header(), State::Finished, reports());
    let (number, line) =
        telling_lines(&text).into_iter().find(|(_, line)| line.starts_with("trade_pc ")).unwrap();
    let first = line.split_whitespace().nth(1).unwrap();
    assert_eq!(first, "6.0000");
    let error = parse(&with_line(&text, number, &line.replacen(first, "7.0000", 1))).unwrap_err();
    assert_eq!(error.place().line, Some(number));
    assert!(error.to_string().contains("difference"), "{error}");
}

#[test]
fn what_lacked_positions_has_to_say_so_twice_alike() {
    let text = text_of(&header(), State::Finished, reports());
    for (found, by) in [("in 7 positions only", "in 8 positions only"), ("in 7 positions", "in seven places")]
    {
        let error = parse(&text.replacen(found, by, 1)).unwrap_err();
        assert!(error.place().line.is_some(), "{error}");
    }
    assert!(parse(&format!("{text}[more]\n")).unwrap_err().to_string().contains("the end of the file"));
}

fn any_count() -> impl Strategy<Value = u64> {
    prop_oneof![0..2_u64, 0..100_000_u64, 0..u64::MAX]
}

fn any_figure() -> impl Strategy<Value = f64> {
    (-1e9..1e9_f64).prop_map(|figure| format!("{figure:.4}").parse().unwrap())
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
        let fit = FitReport { solved, rank: solved / 2, condition, residual, max_change };
        let mut report = PassReport::default();
        (report.fitted, report.held_out, report.fit) = (fitted, held_out, has_fit.then_some(fit));
        (report.spread, report.mean_gain, report.misses) = (spread, mean_gain, misses);
        report
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn whatever_was_measured_comes_back(mut reports in prop::collection::vec(any_report(), 0..8)) {
        for (number, report) in reports.iter_mut().enumerate() {
            report.number = number as u32;
        }
        assert_comes_back(&header(), State::Unfinished, reports);
    }

    #[test]
    fn no_text_makes_the_reader_panic(cut in 0..6000_usize, by in "[0-9a-z .\\-\\[\\]\n]{0,12}") {
        let mut text = text_of(&header(), State::Finished, reports());
        let at = cut.min(text.len());
        text.replace_range(at..(at + by.len()).min(text.len()), &by);
        if let Err(error) = parse(&text) {
            prop_assert!(error.place().line.is_some(), "{error}");
        }
    }
}
