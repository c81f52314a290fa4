//! Reads a `.stat` back: the header, and the reports of all passes.

use std::str::FromStr;

use super::{FORMAT, Header, RANK_PLACES, State, rank_place};
use crate::{
    error::{Error, Result},
    sample::Agreement,
    tuner::{FitReport, IterationReport, MISS_PLACES, Miss, best},
};

/// Reads the text of a `.stat`. Histograms are stored for the first, the best and the last pass; those of
/// the others come back empty.
///
/// # Errors
///
/// What is missing or cannot be read, and in which line.
pub fn parse(text: &str) -> Result<(Header, State, Vec<IterationReport>)> {
    let mut lines = Lines::new(text);
    lines.expect_line(FORMAT)?;
    let (header, state) = header(&mut lines)?;
    let mut reports = iterations(&mut lines)?;
    counts(&mut lines, &mut reports)?;
    if !reports.is_empty() {
        let shown = [0, best(reports.iter()), reports.len() - 1];
        histogram(&mut lines, "moves ahead of the played one", RANK_PLACES, |place, column, count| {
            let histogram = &mut reports[shown[column]].training.histogram;
            let rank = rank_place(place).0;
            if count > 0 && histogram.len() <= rank {
                histogram.resize(rank + 1, 0);
            }
            if count > 0 {
                histogram[rank] = count;
            }
        })?;
        histogram(&mut lines, "misses of positions in bound", MISS_PLACES, |place, column, count| {
            reports[shown[column]].miss.histogram[place] = count;
        })?;
    }
    Ok((header, state, reports))
}

/// The lines of a file, empty ones left out, with their numbers.
struct Lines<'a> {
    lines: Vec<(usize, &'a str)>,
    next: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let lines = text.lines().map(str::trim_end).zip(1..).map(|(line, number)| (number, line));
        Lines { lines: lines.filter(|(_, line)| !line.is_empty()).collect(), next: 0 }
    }

    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.next).map(|&(_, line)| line)
    }

    fn next(&mut self, expected: &str) -> Result<Line<'a>> {
        let end = self.lines.last().map_or(1, |&(number, _)| number);
        let &(number, text) = self
            .lines
            .get(self.next)
            .ok_or_else(|| Error::expected(expected, "the end of the file").at_line(end))?;
        self.next += 1;
        Ok(Line { number, text })
    }

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

    fn section(&mut self, title: &str) -> Result<()> {
        self.expect_line(&format!("[{title}]"))
    }
}

/// One line with its number.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn error(&self, expected: &str) -> Error {
        Error::expected(expected, format!("{:?}", self.text)).at_line(self.number)
    }

    fn number<T: FromStr>(&self, text: Option<&str>, expected: &str) -> Result<T> {
        text.and_then(|text| text.parse().ok()).ok_or_else(|| self.error(expected))
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
    let state = [State::Unfinished, State::Finished].into_iter().find(|s| s.name() == state);
    let state = state.ok_or_else(|| line.error("finished or unfinished"))?;
    lines.section("options")?;
    while lines.peek().is_some_and(|line| !line.starts_with('[')) {
        let line = lines.next("an option")?;
        let (name, value) = line.text.split_once(' ').ok_or_else(|| line.error("an option and its value"))?;
        header.options.push((name.to_string(), value.trim().to_string()));
    }
    Ok((header, state))
}

fn iterations(lines: &mut Lines) -> Result<Vec<IterationReport>> {
    lines.section("iterations")?;
    lines.next("the names of the columns")?;
    let mut reports = Vec::new();
    while lines.peek().is_some_and(|line| !line.starts_with('[')) {
        let line = lines.next("a pass")?;
        if line.text.starts_with("best ") {
            break;
        }
        let fields = line.fields();
        let number = |at: usize| line.number(fields.get(at).copied(), "15 columns of numbers");
        let pass: f64 = number(0)?;
        if pass != reports.len() as f64 {
            return Err(line.error(&format!("pass {}", reports.len())));
        }
        let fit = match fields.get(10) {
            Some(&"-") => None,
            _ => Some(FitReport {
                max_change: number(10)?,
                condition: number(11)?,
                solved: number(12)? as usize,
                rank: number(13)? as usize,
                residual: number(14)?,
            }),
        };
        reports.push(IterationReport {
            number: reports.len() as u32,
            training: Agreement::default(),
            held_out: (fields.get(8) != Some(&"-")).then(Agreement::default),
            spread: number(6)?,
            mean_gain: number(7)?,
            miss: Miss { rms: number(5)?, ..Miss::default() },
            fit,
        });
    }
    Ok(reports)
}

fn counts(lines: &mut Lines, reports: &mut [IterationReport]) -> Result<()> {
    lines.section("counts")?;
    lines.next("the names of the columns")?;
    for report in reports {
        report.training = agreement(lines, report.number, "fitted")?;
        if let Some(held_out) = &mut report.held_out {
            *held_out = agreement(lines, report.number, "held-out")?;
        }
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
    let number = |at: usize| line.number(fields.get(at).copied(), &expected);
    Ok(Agreement {
        positions: number(2)?,
        moves: number(3)?,
        matched: number(4)?,
        rank_sum: number(5)?,
        in_bound_positions: number(6)?,
        rows: number(7)?,
        histogram: Vec::new(),
    })
}

/// Reads a histogram of the first, the best and the last pass: place, column, count.
fn histogram(
    lines: &mut Lines,
    title: &str,
    places: usize,
    mut put: impl FnMut(usize, usize, u64),
) -> Result<()> {
    lines.section(title)?;
    lines.next("the names of the columns")?;
    for place in 0..places {
        let line = lines.next("a row of the histogram")?;
        let fields = line.fields();
        let counts =
            fields.len().checked_sub(6).ok_or_else(|| line.error("three counts with their shares"))?;
        for column in 0..3 {
            let count = fields.get(counts + 2 * column).copied();
            put(place, column, line.number(count, "three counts with their shares")?);
        }
    }
    Ok(())
}
