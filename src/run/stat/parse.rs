//! Reads a `.stat` file: the header, the reports of all passes, and the values of the weights.

use std::str::FromStr;

use texam_fit::{
    Agreement, Difference, Figures, FitReport, LossReport, MISS_PLACES, MeanLoss, ObjectiveName, PassReport,
    Reason, limits::LONGEST_NAME,
};

use super::{
    AHEAD, AHEAD_BY_PASS, AHEAD_PLACES, ALL, CHANGES, COUNT_TITLES, COUNTS, FITTED, FORMAT, FROZEN,
    FreezeReason, FrozenWeight, HELD_OUT, Header, ITERATIONS, LOSS, MISSES, NO_VALUE, OPTIONS, RANK_ERRORS,
    RIDGES, RUN_ERRORS, RunRecord, State, Trend, Trends, WEIGHT_ERRORS, WEIGHTS,
    print::{self, format_measurements, miss_name},
    shown_passes,
    trends::sampled_passes,
};
use crate::{
    error::{Error, Result},
    printable::quoted::name_of,
};

/// Limit for the number of moves ahead of the played one: no position has as many legal moves.
const RANKS: usize = 256;

/// Largest distance between the change of a weight and the difference of its values, in units: all three are
/// rounded to four decimals.
const ROUNDING: f64 = 1.6e-4;

/// Reads the text of a `.stat`.
pub fn parse(text: &str) -> Result<RunRecord> {
    let mut lines = Lines::new(text);
    lines.expect_line(FORMAT)?;
    let (header, state) = header(&mut lines)?;
    let mut reports = iterations(&mut lines, &header)?;
    losses(&mut lines, &header, &mut reports)?;
    ridges(&mut lines, &mut reports)?;
    counts(&mut lines, &header, &mut reports)?;
    changes(&mut lines, &mut reports)?;
    rank_errors(&mut lines, &mut reports)?;
    run_errors(&mut lines, &mut reports)?;
    let mut trends = Trends::default();
    if let Some(shown) = shown_passes(&reports) {
        if header.has_moves() {
            ahead(&mut lines, &mut reports, shown)?;
        }
        if header.has_misses() {
            misses(&mut lines, &mut reports, shown)?;
        }
        ahead_by_pass(&mut lines, &mut reports, shown)?;
        check_derived_text(&format_measurements(&header, state, &reports), &lines.lines)?;
        let first = lines.next;
        trends = parse_trends(&mut lines, shown)?;
        check_derived_text(&print::format_trends(&trends), &lines.lines[first..])?;
    } else {
        check_derived_text(&format_measurements(&header, state, &reports), &lines.lines)?;
    }
    Ok(RunRecord { header, state, reports, trends })
}

/// Compares the lines of the file with the text that is printed from the values read. Rates, shares and titles
/// follow from the other values, so a damaged one is found here.
fn check_derived_text(expected: &str, found: &[Line]) -> Result<()> {
    for (expected, found) in Lines::new(expected).lines.iter().zip(found) {
        if !expected.text.split_whitespace().eq(found.text.split_whitespace()) {
            return Err(found.error(&format!("what follows from the rest of the file, {:?}", expected.text)));
        }
    }
    Ok(())
}

/// The lines of a file that are neither empty nor remarks.
struct Lines<'a> {
    lines: Vec<Line<'a>>,
    next: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let lines = text.lines().zip(1..).map(|(text, number)| Line { number, text: text.trim_end() });
        Lines { lines: lines.filter(Line::has_content).collect(), next: 0 }
    }

    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.next).map(|line| line.text)
    }

    fn next(&mut self, expected: &str) -> Result<Line<'a>> {
        let end = self.lines.last().map_or(1, |line| line.number);
        let line = self.lines.get(self.next);
        let line = *line.ok_or_else(|| Error::expected(expected, "the end of the file").at_line(end))?;
        self.next += 1;
        Ok(line)
    }

    /// The next line as a row of a table.
    fn row(&mut self, expected: impl Into<String>) -> Result<Row<'a>> {
        let expected = expected.into();
        let line = self.next(&expected)?;
        Ok(Row { line, fields: line.text.split_whitespace().collect(), expected })
    }

    /// Takes the next line, which must be exactly this one.
    fn expect_line(&mut self, expected: &str) -> Result<()> {
        let line = self.next(expected)?;
        if line.text == expected { Ok(()) } else { Err(line.error(expected)) }
    }

    /// The rest of the line called `name`.
    fn named(&mut self, name: &str) -> Result<(Line<'a>, &'a str)> {
        let line = self.next(name)?;
        match line.text.split_once(char::is_whitespace) {
            Some((found, rest)) if found == name => Ok((line, rest.trim_start())),
            _ => Err(line.error(name)),
        }
    }

    /// Takes the title of a section.
    fn section(&mut self, title: &str) -> Result<()> {
        self.expect_line(&format!("[{title}]"))
    }

    /// Takes the title of a section and the column titles of its table.
    fn table(&mut self, title: &str) -> Result<()> {
        self.section(title)?;
        self.next("the titles of the columns").map(drop)
    }

    /// Whether the next line belongs to the section.
    fn in_section(&self) -> bool {
        self.peek().is_some_and(|line| !line.starts_with('['))
    }
}

/// One line with its number.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn has_content(&self) -> bool {
        !self.text.is_empty() && !self.text.starts_with('#')
    }

    fn error(&self, expected: &str) -> Error {
        Error::expected(expected, format!("{:?}", self.text)).at_line(self.number)
    }

    fn number<T: FromStr>(&self, text: Option<&str>, expected: &str) -> Result<T> {
        text.and_then(|text| text.parse().ok()).ok_or_else(|| self.error(expected))
    }

    fn finite(&self, text: Option<&str>, expected: &str) -> Result<f64> {
        let number: f64 = self.number(text, expected)?;
        if number.is_finite() { Ok(number) } else { Err(self.error(expected)) }
    }

    /// The name of a weight, the first field.
    fn name(&self) -> Result<String> {
        let name = self.text.split_whitespace().next().and_then(name_of);
        name.filter(|name| name.len() <= LONGEST_NAME).ok_or_else(|| self.error("the name of a weight"))
    }
}

/// A row of a table, with what is expected of it.
struct Row<'a> {
    line: Line<'a>,
    fields: Vec<&'a str>,
    expected: String,
}

impl<'a> Row<'a> {
    fn error(&self) -> Error {
        self.line.error(&self.expected)
    }

    fn field(&self, at: usize) -> Option<&'a str> {
        self.fields.get(at).copied()
    }

    fn number<T: FromStr>(&self, at: usize) -> Result<T> {
        self.line.number(self.field(at), &self.expected)
    }

    fn finite(&self, at: usize) -> Result<f64> {
        self.line.finite(self.field(at), &self.expected)
    }

    /// A number, or none where the field has no value.
    fn maybe(&self, at: usize) -> Result<Option<f64>> {
        if self.field(at) == Some(NO_VALUE) { Ok(None) } else { self.finite(at).map(Some) }
    }

    /// Checks the first field, which is the number of a pass, and how many fields follow it.
    fn check(&self, pass: usize, others: usize) -> Result<()> {
        let is_right = self.fields.len() == 1 + others && self.fields[0] == pass.to_string();
        if is_right { Ok(()) } else { Err(self.error()) }
    }
}

fn header(lines: &mut Lines) -> Result<(Header, State)> {
    let text = |lines: &mut Lines, name| lines.named(name).map(|(_, text)| text.to_string());
    let count = |lines: &mut Lines, name| {
        let (line, text) = lines.named(name)?;
        line.number(Some(text), "a count")
    };
    let mut header = Header {
        version: text(lines, "version")?,
        games: text(lines, "games")?,
        digest: text(lines, "digest")?,
        decisive: count(lines, "decisive")?,
        skipped: count(lines, "skipped")?,
        held_out_games: count(lines, "held-out")?,
        positions: [0; 2],
        start: String::new(),
        options: Vec::new(),
    };
    let (line, positions) = lines.named("positions")?;
    let mut positions = positions.split_whitespace();
    header.positions =
        [line.number(positions.next(), "two counts")?, line.number(positions.next(), "two counts")?];
    header.start = text(lines, "start")?;
    let (line, state) = lines.named("state")?;
    let state = state.parse().map_err(|_| line.error("finished or unfinished"))?;
    lines.section(OPTIONS)?;
    while lines.in_section() {
        let line = lines.next("an option")?;
        let (name, value) = line.text.split_once(' ').ok_or_else(|| line.error("an option and its value"))?;
        header.options.push((name.to_string(), value.trim().to_string()));
    }
    Ok((header, state))
}

fn iterations(lines: &mut Lines, header: &Header) -> Result<Vec<PassReport>> {
    lines.table(ITERATIONS)?;
    let mut reports = Vec::new();
    while lines.in_section() {
        let row = lines.row("15 columns of numbers")?;
        if row.line.text.starts_with("best ") {
            break;
        }
        reports.push(iteration(&row, reports.len() as u32, header)?);
    }
    Ok(reports)
}

fn iteration(row: &Row, pass: u32, header: &Header) -> Result<PassReport> {
    if row.field(0) != Some(&pass.to_string()) {
        return Err(row.line.error(&format!("pass {pass}")));
    }
    let fit = match row.maybe(10)? {
        None => None,
        Some(max_change) => Some(FitReport {
            max_change,
            condition: row.finite(11)?,
            solved: row.number(12)?,
            rank: row.number(13)?,
            residual: row.maybe(14)?,
        }),
    };
    let has_held_out = match header.has_moves() {
        true => row.field(3) != Some(NO_VALUE),
        false => header.positions[1] > 0,
    };
    // Labelled positions have no values in the columns on moves.
    let of_choices = |at: usize| if header.has_moves() { row.finite(at) } else { Ok(0.0) };
    let mut report = PassReport::default();
    (report.number, report.criterion, report.fit) = (pass, header.criterion(), fit);
    report.held_out = has_held_out.then(Agreement::default);
    (report.misses.rms, report.spread, report.mean_gain) = (of_choices(7)?, of_choices(8)?, of_choices(9)?);
    Ok(report)
}

/// The section on the loss: runs of other objectives than that of 1988 have one.
fn losses(lines: &mut Lines, header: &Header, reports: &mut [PassReport]) -> Result<()> {
    let is_expected = header.objective() != ObjectiveName::Force && !reports.is_empty();
    if !is_expected {
        return Ok(());
    }
    lines.table(LOSS)?;
    for report in reports {
        let row = lines.row(format!("the loss of pass {}", report.number))?;
        let loss =
            |at| -> Result<MeanLoss> { Ok(MeanLoss { mean: row.finite(at)?, error: row.finite(at + 1)? }) };
        let held_out = if row.field(3) == Some(NO_VALUE) { None } else { Some(loss(3)?) };
        report.loss = Some(LossReport { fitted: loss(1)?, held_out, temperature: row.finite(5)? });
    }
    Ok(())
}

/// The section of counts. Labelled positions have none: each is a position with one row.
fn counts(lines: &mut Lines, header: &Header, reports: &mut [PassReport]) -> Result<()> {
    if !header.has_moves() {
        let agreement = |rows| Agreement { choices: rows, kept_choices: rows, rows, ..Agreement::default() };
        for report in reports {
            report.fitted = agreement(header.positions[0]);
            report.held_out = report.held_out.as_ref().map(|_| agreement(header.positions[1]));
        }
        return Ok(());
    }
    lines.table(COUNTS)?;
    for report in reports {
        report.fitted = agreement(lines, report.number, FITTED)?;
        if let Some(held_out) = &mut report.held_out {
            *held_out = agreement(lines, report.number, HELD_OUT)?;
        }
    }
    Ok(())
}

/// The section on the differences from the start; a run of one pass, or on labelled positions, has none.
fn changes(lines: &mut Lines, reports: &mut [PassReport]) -> Result<()> {
    if lines.peek() != Some(&format!("[{CHANGES}]")) {
        return Ok(());
    }
    lines.table(CHANGES)?;
    while lines.in_section() {
        let row = lines.row("a pass after the first, fitted or held-out, and four numbers")?;
        let pass: usize = row.number(0)?;
        let set = [FITTED, HELD_OUT].into_iter().position(|set| row.field(1) == Some(set));
        let report = reports.get_mut(pass).filter(|_| pass > 0);
        let (Some(set), Some(report)) = (set, report) else { return Err(row.error()) };
        report.against_start[set] = Some(Difference {
            match_rate: row.finite(2)?,
            match_error: row.maybe(3)?.unwrap_or(f64::NAN),
            mean_rank: row.finite(4)?,
            mean_rank_error: row.maybe(5)?.unwrap_or(f64::NAN),
        });
    }
    Ok(())
}

/// The section on the errors of differences between passes; a run without games held out has none.
fn rank_errors(lines: &mut Lines, reports: &mut [PassReport]) -> Result<()> {
    if lines.peek() != Some(&format!("[{RANK_ERRORS}]")) {
        return Ok(());
    }
    lines.table(RANK_ERRORS)?;
    for (pass, report) in reports.iter_mut().enumerate().skip(1) {
        let row = lines.row(format!("pass {pass}, and a number for each pass before it"))?;
        row.check(pass, pass)?;
        report.rank_errors = (1..=pass).map(|at| row.maybe(at)).collect::<Result<_>>()?;
    }
    Ok(())
}

/// The section on the ridges that fits have tried; runs with a given ridge have none.
fn ridges(lines: &mut Lines, reports: &mut [PassReport]) -> Result<()> {
    if lines.peek() != Some(&format!("[{RIDGES}]")) {
        return Ok(());
    }
    lines.section(RIDGES)?;
    let row = lines.row("strengths of the ridge")?;
    let strengths = (1..row.fields.len()).map(|at| row.finite(at)).collect::<Result<Vec<f64>>>()?;
    for (pass, report) in reports.iter_mut().enumerate().skip(1) {
        let row = lines.row(format!("the losses of pass {pass} with {} ridges", strengths.len()))?;
        row.check(pass, strengths.len())?;
        let losses = (1..).zip(&strengths).map(|(at, &strength)| Ok([strength, row.finite(at)?]));
        report.ridges.losses = losses.collect::<Result<_>>()?;
    }
    Ok(())
}

/// The section on the standard errors of the run; one that left out no groups of games has none.
fn run_errors(lines: &mut Lines, reports: &mut [PassReport]) -> Result<()> {
    if lines.peek() != Some(&format!("[{RUN_ERRORS}]")) {
        return Ok(());
    }
    lines.table(RUN_ERRORS)?;
    for report in reports {
        let row = lines.row(format!("the errors of pass {}", report.number))?;
        let both = |at| -> Result<[Option<f64>; 2]> { Ok([row.maybe(at)?, row.maybe(at + 1)?]) };
        report.run_errors = Some(Figures { match_rate: both(1)?, mean_rank: both(3)?, loss: both(5)? });
    }
    Ok(())
}

fn agreement(lines: &mut Lines, pass: u32, set: &str) -> Result<Agreement> {
    let row = lines.row(format!("counts of pass {pass}, {set}"))?;
    if row.fields.len() != 2 + COUNT_TITLES.len() || row.fields[..2] != [&pass.to_string(), set] {
        return Err(row.error());
    }
    Ok(Agreement {
        choices: row.number(2)?,
        alternatives: row.number(3)?,
        matched: row.number(4)?,
        rank_sum: row.number(5)?,
        tied_sum: row.number(6)?,
        kept_choices: row.number(7)?,
        rows: row.number(8)?,
        histogram: Vec::new(),
    })
}

fn ahead(lines: &mut Lines, reports: &mut [PassReport], shown: [usize; 3]) -> Result<()> {
    lines.table(AHEAD)?;
    while let Some((row, counts)) = histogram_row(lines)? {
        let rank: usize = row.line.number(row.field(0), "a number of moves")?;
        if rank >= RANKS {
            return Err(row.line.error(&format!("a number of moves below {RANKS}")));
        }
        for (pass, count) in shown.into_iter().zip(counts) {
            let histogram = &mut reports[pass].fitted.histogram;
            if count > 0 {
                histogram.resize(histogram.len().max(rank + 1), 0);
                histogram[rank] = count;
            }
        }
    }
    Ok(())
}

fn misses(lines: &mut Lines, reports: &mut [PassReport], shown: [usize; 3]) -> Result<()> {
    lines.table(MISSES)?;
    while let Some((row, counts)) = histogram_row(lines)? {
        let place = (0..MISS_PLACES).find(|&place| miss_name(place) == row.fields[0]);
        let place = place.ok_or_else(|| row.line.error("the upper end of a miss, by steps of 8, or more"))?;
        for (pass, count) in shown.into_iter().zip(counts) {
            reports[pass].misses.histogram[place] = count;
        }
    }
    Ok(())
}

/// The section on the moves ahead in every pass; a run of few passes, or on labelled positions, has none.
fn ahead_by_pass(lines: &mut Lines, reports: &mut [PassReport], shown: [usize; 3]) -> Result<()> {
    if lines.peek() != Some(&format!("[{AHEAD_BY_PASS}]")) {
        return Ok(());
    }
    lines.table(AHEAD_BY_PASS)?;
    for (pass, report) in reports.iter_mut().enumerate() {
        let row = lines.row(format!("pass {pass} and {AHEAD_PLACES} counts"))?;
        row.check(pass, AHEAD_PLACES)?;
        let counts = (1..=AHEAD_PLACES).map(|at| row.number(at)).collect::<Result<_>>()?;
        if !shown.contains(&pass) {
            report.fitted.histogram = counts;
        }
    }
    Ok(())
}

/// The next row of a histogram, and the counts of the first, the best and the last pass. A share follows each count in
/// the file. None at the row of sums, the last one.
fn histogram_row<'a>(lines: &mut Lines<'a>) -> Result<Option<(Row<'a>, [u64; 3])>> {
    let row = lines.row("three counts, each with its share")?;
    if row.fields[0] == ALL {
        return Ok(None);
    }
    let counts = [row.number(1)?, row.number(3)?, row.number(5)?];
    Ok(Some((row, counts)))
}

/// The last two sections. The section of weights is left out if the run made no fit.
fn parse_trends(lines: &mut Lines, [_, best, last]: [usize; 3]) -> Result<Trends> {
    let mut trends = Trends::default();
    if lines.peek() == Some(&format!("[{WEIGHTS}]")) {
        lines.table(WEIGHTS)?;
        trends.passes = sampled_passes(last, best).into_iter().map(|pass| pass as u32).collect();
        while lines.in_section() {
            let row = lines.row(format!("a weight and {} columns", trends.passes.len() + 4))?;
            trends.weights.push(trend(&row, trends.passes.len())?);
        }
    }
    if lines.peek() == Some(&format!("[{WEIGHT_ERRORS}]")) {
        lines.table(WEIGHT_ERRORS)?;
        for trend in &mut trends.weights {
            trend.run_errors = weight_errors(lines, &trend.name, last)?;
        }
    }
    lines.section(FROZEN)?;
    while lines.in_section() {
        let line = lines.next("what was frozen")?;
        let frozen = frozen(line)?;
        if let FreezeReason::Unsupported(reason) = frozen.reason {
            let trend = trends.weights.iter().find(|trend| trend.name == frozen.name);
            let agrees = |trend: &Trend| trend.standard_error.is_none() && trend.support == support(reason);
            if !trend.is_some_and(agrees) {
                return Err(
                    line.error("a weight of the section before, not solved for and with that support")
                );
            }
        }
        trends.frozen.push(frozen);
    }
    match lines.peek() {
        None => Ok(trends),
        Some(_) => Err(lines.next("the end of the file")?.error("the end of the file")),
    }
}

/// A row of the section of weights, with a value for each listed pass.
fn trend(row: &Row, passes: usize) -> Result<Trend> {
    let values = (1..=passes).map(|at| row.finite(at)).collect::<Result<Vec<f64>>>()?;
    let change = row.finite(1 + passes)?;
    if (values[passes - 1] - values[0] - change).abs() > ROUNDING {
        return Err(row.line.error("a change that is the difference of the last value and the first"));
    }
    let moves = row.finite(2 + passes)?;
    let standard_error = row.maybe(3 + passes)?.filter(|error| *error >= 0.0);
    let support = row.number(4 + passes)?;
    // Files of older versions lack the last columns.
    let games = row.field(5 + passes).map(|_| row.number(5 + passes)).transpose()?;
    let held = row.field(6 + passes).map_or(Ok(None), |_| row.maybe(6 + passes))?;
    let (name, held) = (row.line.name()?, held.filter(|held| (0.0..=1.0).contains(held)));
    Ok(Trend { name, values, change, moves, standard_error, support, games, held, run_errors: Vec::new() })
}

/// The standard errors of a weight in each pass after the first.
fn weight_errors(lines: &mut Lines, name: &str, passes: usize) -> Result<Vec<f64>> {
    let row = lines.row(format!("the errors of {name} in {passes} passes"))?;
    if row.fields.len() != 1 + passes || row.line.name()? != name {
        return Err(row.error());
    }
    (1..=passes).map(|at| row.finite(at)).collect()
}

fn frozen(line: Line) -> Result<FrozenWeight> {
    let (_, reason) = line.text.split_once(char::is_whitespace).unwrap_or((line.text, ""));
    let reason = reason.trim().parse().map_err(|()| line.error("a name and why it kept its value"))?;
    Ok(FrozenWeight { name: line.name()?, reason })
}

/// Support of a weight that was frozen for this reason.
fn support(reason: Reason) -> u32 {
    match reason {
        Reason::Untouched => 0,
        Reason::TooFewChoices(count) => count,
    }
}
