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
    format(&mut lines)?;
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

fn format(lines: &mut Lines) -> Result<()> {
    let line = lines.next(FORMAT)?;
    if line.text == FORMAT { Ok(()) } else { Err(line.error(FORMAT)) }
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

    fn fields(&self) -> Vec<&'a str> {
        self.text.split_whitespace().collect()
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
        let line = lines.next("a pass")?;
        if line.text.starts_with("best ") {
            break;
        }
        reports.push(iteration(line, reports.len() as u32, header)?);
    }
    Ok(reports)
}

fn iteration(line: Line, pass: u32, header: &Header) -> Result<PassReport> {
    let fields = line.fields();
    if fields.first() != Some(&pass.to_string().as_str()) {
        return Err(line.error(&format!("pass {pass}")));
    }
    let number = |at: usize| line.finite(fields.get(at).copied(), "15 columns of numbers");
    let count = |at: usize| line.number(fields.get(at).copied(), "15 columns of numbers");
    let fit = match fields.get(10) {
        Some(&NO_VALUE) => None,
        _ => Some(FitReport {
            max_change: number(10)?,
            condition: number(11)?,
            solved: count(12)?,
            rank: count(13)?,
            residual: match fields.get(14) {
                Some(&NO_VALUE) => None,
                _ => Some(number(14)?),
            },
        }),
    };
    let has_held_out = match header.has_moves() {
        true => fields.get(3) != Some(&NO_VALUE),
        false => header.positions[1] > 0,
    };
    // Labelled positions have no values in the columns on moves.
    let of_choices = |at: usize| if header.has_moves() { number(at) } else { Ok(0.0) };
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
        let expected = format!("the loss of pass {}", report.number);
        let line = lines.next(&expected)?;
        let fields = line.fields();
        let number = |at: usize| line.finite(fields.get(at).copied(), &expected);
        let loss =
            |at: usize| -> Result<MeanLoss> { Ok(MeanLoss { mean: number(at)?, error: number(at + 1)? }) };
        let held_out = if fields.get(3) == Some(&NO_VALUE) { None } else { Some(loss(3)?) };
        report.loss = Some(LossReport { fitted: loss(1)?, held_out, temperature: number(5)? });
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
        let expected = "a pass after the first, fitted or held-out, and four numbers";
        let line = lines.next(expected)?;
        let fields = line.fields();
        let number = |at: usize| line.finite(fields.get(at).copied(), expected);
        let error = |at: usize| if fields.get(at) == Some(&NO_VALUE) { Ok(f64::NAN) } else { number(at) };
        let pass: usize = line.number(fields.first().copied(), expected)?;
        let set = [FITTED, HELD_OUT].iter().position(|set| fields.get(1) == Some(set));
        let report = reports.get_mut(pass).filter(|_| pass > 0);
        let (Some(set), Some(report)) = (set, report) else { return Err(line.error(expected)) };
        report.against_start[set] = Some(Difference {
            match_rate: number(2)?,
            match_error: error(3)?,
            mean_rank: number(4)?,
            mean_rank_error: error(5)?,
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
        let expected = format!("pass {pass}, and a number for each pass before it");
        let line = lines.next(&expected)?;
        let fields = line.fields();
        if fields.len() != 1 + pass || fields[0] != pass.to_string() {
            return Err(line.error(&expected));
        }
        let error = |field: &&str| match *field {
            NO_VALUE => Ok(None),
            text => line.finite(Some(text), &expected).map(Some),
        };
        report.rank_errors = fields[1..].iter().map(error).collect::<Result<_>>()?;
    }
    Ok(())
}

/// The section on the ridges that fits have tried; runs with a given ridge have none.
fn ridges(lines: &mut Lines, reports: &mut [PassReport]) -> Result<()> {
    if lines.peek() != Some(&format!("[{RIDGES}]")) {
        return Ok(());
    }
    lines.section(RIDGES)?;
    let line = lines.next("strengths of the ridge")?;
    let number = |line: &Line, field: &str| line.finite(Some(field), "a pass and numbers");
    let fields = line.fields().into_iter().skip(1);
    let strengths = fields.map(|field| number(&line, field)).collect::<Result<Vec<f64>>>()?;
    for report in reports.iter_mut().skip(1) {
        let expected = format!("the losses of pass {} with {} ridges", report.number, strengths.len());
        let line = lines.next(&expected)?;
        let fields = line.fields();
        if fields.len() != 1 + strengths.len() || fields[0] != report.number.to_string() {
            return Err(line.error(&expected));
        }
        let losses = fields[1..].iter().map(|field| number(&line, field)).collect::<Result<Vec<f64>>>()?;
        report.ridges.losses =
            strengths.iter().zip(losses).map(|(&strength, loss)| [strength, loss]).collect();
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
        let expected = format!("the errors of pass {}", report.number);
        let line = lines.next(&expected)?;
        let fields = line.fields();
        let error = |at: usize| match fields.get(at) {
            Some(&NO_VALUE) => Ok(None),
            field => line.finite(field.copied(), &expected).map(Some),
        };
        let both = |at: usize| -> Result<[Option<f64>; 2]> { Ok([error(at)?, error(at + 1)?]) };
        report.run_errors = Some(Figures { match_rate: both(1)?, mean_rank: both(3)?, loss: both(5)? });
    }
    Ok(())
}

fn agreement(lines: &mut Lines, pass: u32, set: &str) -> Result<Agreement> {
    let expected = format!("counts of pass {pass}, {set}");
    let line = lines.next(&expected)?;
    let fields = line.fields();
    if fields.first() != Some(&pass.to_string().as_str()) || fields.get(1) != Some(&set) {
        return Err(line.error(&expected));
    }
    if fields.len() != 2 + COUNT_TITLES.len() {
        return Err(line.error(&expected));
    }
    let number = |at: usize| line.number(fields.get(at).copied(), &expected);
    Ok(Agreement {
        choices: number(2)?,
        alternatives: number(3)?,
        matched: number(4)?,
        rank_sum: number(5)?,
        tied_sum: number(6)?,
        kept_choices: number(7)?,
        rows: number(8)?,
        histogram: Vec::new(),
    })
}

fn ahead(lines: &mut Lines, reports: &mut [PassReport], shown: [usize; 3]) -> Result<()> {
    lines.table(AHEAD)?;
    while let Some((line, label, counts)) = histogram_row(lines)? {
        let rank: usize = line.number(Some(label), "a number of moves")?;
        if rank >= RANKS {
            return Err(line.error(&format!("a number of moves below {RANKS}")));
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
    while let Some((line, label, counts)) = histogram_row(lines)? {
        let place = (0..MISS_PLACES).find(|&place| miss_name(place) == label);
        let place = place.ok_or_else(|| line.error("the upper end of a miss, by steps of 8, or more"))?;
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
        let expected = format!("pass {pass} and {AHEAD_PLACES} counts");
        let line = lines.next(&expected)?;
        let numbers = line.fields().iter().map(|field| field.parse().ok()).collect::<Option<Vec<u64>>>();
        let numbers =
            numbers.filter(|numbers| numbers.len() == 1 + AHEAD_PLACES && numbers[0] == pass as u64);
        let numbers = numbers.ok_or_else(|| line.error(&expected))?;
        if !shown.contains(&pass) {
            report.fitted.histogram = numbers[1..].to_vec();
        }
    }
    Ok(())
}

/// The next row of a histogram: its label, and the counts of the first, the best and the last pass. A share
/// follows each count in the file. None at the row of sums, the last one.
fn histogram_row<'a>(lines: &mut Lines<'a>) -> Result<Option<(Line<'a>, &'a str, [u64; 3])>> {
    let expected = "three counts, each with its share";
    let line = lines.next(expected)?;
    let fields = line.fields();
    if fields[0] == ALL {
        return Ok(None);
    }
    let count = |at: usize| line.number(fields.get(at).copied(), expected);
    Ok(Some((line, fields[0], [count(1)?, count(3)?, count(5)?])))
}

/// The last two sections. The section of weights is left out if the run made no fit.
fn parse_trends(lines: &mut Lines, [_, best, last]: [usize; 3]) -> Result<Trends> {
    let mut trends = Trends::default();
    if lines.peek() == Some(&format!("[{WEIGHTS}]")) {
        lines.table(WEIGHTS)?;
        trends.passes = sampled_passes(last, best).into_iter().map(|pass| pass as u32).collect();
        while lines.in_section() {
            let line = lines.next("a weight")?;
            trends.weights.push(trend(line, trends.passes.len())?);
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
fn trend(line: Line, passes: usize) -> Result<Trend> {
    let expected = format!("a weight and {} columns", passes + 4);
    let fields = line.fields();
    let number = |at: usize| line.finite(fields.get(at).copied(), &expected);
    let values = (1..=passes).map(number).collect::<Result<Vec<f64>>>()?;
    let change = number(1 + passes)?;
    if (values[passes - 1] - values[0] - change).abs() > ROUNDING {
        return Err(line.error("a change that is the difference of the last value and the first"));
    }
    let moves = number(2 + passes)?;
    let standard_error = match fields.get(3 + passes) {
        Some(&NO_VALUE) => None,
        _ => Some(number(3 + passes)?).filter(|error| *error >= 0.0),
    };
    let support = line.number(fields.get(4 + passes).copied(), &expected)?;
    let games = fields.get(5 + passes).map(|field| line.number(Some(field), &expected)).transpose()?;
    let held = match fields.get(6 + passes) {
        None | Some(&NO_VALUE) => None,
        Some(_) => Some(number(6 + passes)?).filter(|held| (0.0..=1.0).contains(held)),
    };
    let (name, run_errors) = (line.name()?, Vec::new());
    Ok(Trend { name, values, change, moves, standard_error, support, games, held, run_errors })
}

/// The standard errors of a weight in each pass after the first.
fn weight_errors(lines: &mut Lines, name: &str, passes: usize) -> Result<Vec<f64>> {
    let expected = format!("the errors of {name} in {passes} passes");
    let line = lines.next(&expected)?;
    let fields = line.fields();
    if fields.len() != 1 + passes || line.name()? != name {
        return Err(line.error(&expected));
    }
    fields[1..].iter().map(|field| line.finite(Some(field), &expected)).collect()
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
