//! Choices and labelled positions as text, in the format of SVMrank that other rankers read and write, too.
//!
//! ```text
//! # texam-choices 1
//! 1 qid:1 3:2 17:-0.5 # game:12 e2e4
//! 0 qid:1 3:1 20:1 # game:12 d2d4
//! ```
//!
//! A line is a row. Rows with the same `qid` stand together and are the moves of one choice; the highest label is
//! that of the chosen one. Then come pairs of column and entry; columns count from 1 and ascend, entries are decimal. What
//! follows `#` is a remark; `game:` in it names the cluster, without which every choice is a cluster of its own.
//! Rows without `qid` are labelled positions: the label is the result, from 0 (lost) to 1 (won).
//!
//! Before the first pair `weight:` may give the weight of a choice or a labelled position, from above 0 to 1; the rows of a choice have
//! the same. Then `value:` may name the value that the program itself gives the row. It must be the sum of entries times
//! weights, within [`VALUE_TOLERANCE`]; the first row that is not is an error.
//!
//! Entries are kept in 1/256. Others are rounded, and [`Rows::rounded`] counts them.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Read, Write},
    sync::{Mutex, PoisonError},
};

use crate::{
    agreement::{Agreement, ClusterCounts, ClusterSets, Standing},
    choice::Choice,
    error::{Error, Result},
    jackknife::LeftOut,
    limits::{LONGEST_LINE, MOST_CHOICES, MOST_ROWS},
    model::Model,
    source::{Measured, Sink, Source},
    units::{QUANTA, in_units},
};

/// The first line of a file of choices.
pub const HEADER: &str = "# texam-choices 1";

/// By how much the value that a row names may differ from the sum of its entries times weights, in units: programs round
/// their values.
pub const VALUE_TOLERANCE: f64 = 1.0;

/// What the lines of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Moves of choices, with `qid`.
    Choices,
    /// Labelled positions, without `qid`.
    Labelled,
}

/// Reads a file of rows cluster by cluster, in the memory of one cluster.
pub struct Rows<R> {
    input: R,
    kind: RowKind,
    line: String,
    /// Number of the line that was read last, from 1.
    number: u64,
    /// The row that was read last belongs to the next choice.
    pending: Option<Labels>,
    /// Entries of the row that was read last.
    entries: Vec<(u32, i64)>,
    group: Group,
    queries: Seen,
    clusters: Seen,
    /// Largest column found, counted from 1.
    columns: u32,
    rounded: u64,
    /// Whether the values that rows name are compared with those of the model.
    checks_values: bool,
}

/// What stands beside the entries of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Labels {
    label: f64,
    query: Option<u64>,
    cluster: Option<u64>,
    /// The weight of the choice, where it is named.
    weight: Option<f64>,
    /// The value that the program gives the row, in units.
    value: Option<f64>,
}

/// The rows of one choice.
#[derive(Default)]
struct Group {
    labels: Vec<f64>,
    /// Values that the program gives the rows, in units, and the numbers of their lines.
    values: Vec<(Option<f64>, u64)>,
    ends: Vec<usize>,
    entries: Vec<(u32, i64)>,
}

impl Group {
    fn clear(&mut self) {
        self.labels.clear();
        self.values.clear();
        self.ends.clear();
        self.entries.clear();
    }

    fn push(&mut self, labels: Labels, line: u64, entries: &[(u32, i64)]) {
        self.labels.push(labels.label);
        self.values.push((labels.value, line));
        self.entries.extend_from_slice(entries);
        self.ends.push(self.entries.len());
    }

    fn row(&self, row: usize) -> &[(u32, i64)] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[row]]
    }
}

/// Numbers that have been seen. Numbers in a row take the memory of one, so that a file that counts its choices
/// needs no memory for them.
#[derive(Default)]
struct Seen(BTreeMap<u64, u64>);

impl Seen {
    /// Whether the number is new.
    fn insert(&mut self, number: u64) -> bool {
        let before = self.0.range(..=number).next_back().map(|(&first, &last)| (first, last));
        if before.is_some_and(|(_, last)| last >= number) {
            return false;
        }
        let first = match before {
            Some((first, last)) if last + 1 == number => first,
            _ => number,
        };
        let last = number.checked_add(1).and_then(|next| self.0.remove(&next)).unwrap_or(number);
        self.0.insert(first, last);
        true
    }
}

impl<R: BufRead> Rows<R> {
    /// Reads rows from `input`.
    pub fn new(input: R, kind: RowKind) -> Rows<R> {
        Rows {
            input,
            kind,
            line: String::new(),
            number: 0,
            pending: None,
            entries: Vec::new(),
            group: Group::default(),
            queries: Seen::default(),
            clusters: Seen::default(),
            columns: 0,
            rounded: 0,
            checks_values: true,
        }
    }

    /// Number of the line that was read last, from 1.
    pub fn line(&self) -> u64 {
        self.number
    }

    /// Largest column found so far, counted from 1.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Entries so far that were no multiples of 1/256.
    pub fn rounded(&self) -> u64 {
        self.rounded
    }

    /// Reads the choices of the next cluster with their values under `model`; their number, 0 at the end. `choices` is a
    /// buffer that grows.
    ///
    /// # Errors
    ///
    /// A line that is no row, rows of a choice or of a cluster that stand apart, two chosen rows in a choice, or
    /// a column that the model does not have; with the number of the line.
    pub fn read_cluster(&mut self, model: &Model, choices: &mut Vec<Choice>) -> Result<usize> {
        let mut used = 0;
        let mut cluster = None;
        while let Some(labels) = self.read_group(cluster)? {
            let id = labels.cluster.unwrap_or(labels.query.unwrap_or(self.number));
            if used == 0 && labels.cluster.is_some() && !self.clusters.insert(id) {
                return Err(
                    self.wrong("the choices of a game next to each other", format!("game {id} again"))
                );
            }
            cluster = Some(labels.cluster);
            if choices.len() == used {
                choices.push(Choice::default());
            }
            self.fill(id, model, &mut choices[used])?;
            let weighted = choices[used].set_weight(labels.weight.unwrap_or(1.0));
            weighted.map_err(|error| self.wrong_row(error))?;
            used += 1;
            if labels.cluster.is_none() {
                break;
            }
            if used == MOST_CHOICES {
                return Err(self.wrong(format!("at most {MOST_CHOICES} choices of a game"), "more"));
            }
        }
        Ok(used)
    }

    /// Reads the rows of the next choice into the group. None at the end, or if the choice is not of `cluster`.
    fn read_group(&mut self, cluster: Option<Option<u64>>) -> Result<Option<Labels>> {
        let first = match self.pending.take() {
            Some(labels) => labels,
            None => match self.read_row()? {
                Some(labels) => labels,
                None => return Ok(None),
            },
        };
        // The row that was read last.
        let first_line = self.number;
        if cluster.is_some_and(|cluster| cluster != first.cluster) {
            self.pending = Some(first);
            return Ok(None);
        }
        if let Some(query) = first.query
            && !self.queries.insert(query)
        {
            return Err(self.wrong("the rows of a choice next to each other", format!("qid:{query} again")));
        }
        self.group.clear();
        self.group.push(first, first_line, &self.entries);
        if self.kind == RowKind::Labelled {
            return Ok(Some(first));
        }
        while let Some(labels) = self.read_row()? {
            if labels.query != first.query {
                self.pending = Some(labels);
                break;
            }
            if labels.cluster != first.cluster {
                return Err(self.wrong("one game: for all rows of a choice", "another"));
            }
            if labels.weight != first.weight {
                return Err(self.wrong("one weight: for all rows of a choice", "another"));
            }
            if self.group.labels.len() == MOST_ROWS {
                return Err(self.wrong(format!("at most {MOST_ROWS} rows of a choice"), "more"));
            }
            self.group.push(labels, self.number, &self.entries);
        }
        Ok(Some(first))
    }

    /// Makes a choice of the group.
    fn fill(&self, cluster: u64, model: &Model, choice: &mut Choice) -> Result<()> {
        let weights = model.quantised();
        if self.columns as usize > weights.len() {
            let expected = format!("columns up to {}, the number of weights", weights.len());
            return Err(self.wrong(expected, self.columns));
        }
        let value = |row: usize| {
            let terms = self
                .group
                .row(row)
                .iter()
                .map(|&(column, entry)| weights[column as usize] as i128 * i128::from(entry));
            i64::try_from(terms.sum::<i128>()).unwrap_or(i64::MAX)
        };
        for (row, &(given, line)) in self.group.values.iter().enumerate().filter(|_| self.checks_values) {
            let found = in_units(value(row));
            if let Some(given) = given.filter(|given| (given - found).abs() > VALUE_TOLERANCE) {
                let expected = format!("entries that give the value {given} of the row");
                return Err(Error::Line { line, expected, found: format!("entries that give {found}") });
            }
        }
        let labels = &self.group.labels;
        let at_line = |error: Error| self.wrong_row(error);
        if self.kind == RowKind::Labelled {
            choice.begin_labelled(cluster, labels[0]).map_err(at_line)?;
            return choice.push(value(0), self.group.row(0).iter().copied()).map_err(at_line);
        }
        let highest = labels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut best = (0..labels.len()).filter(|&row| labels[row] == highest);
        let chosen = best.next().unwrap_or_default();
        if best.next().is_some() {
            return Err(
                self.wrong("one row of a choice with the highest label", format!("two with {highest}"))
            );
        }
        let chosen_value = value(chosen);
        let others = (0..labels.len()).filter(|&row| row != chosen);
        let ahead = others.clone().filter(|&row| value(row) > chosen_value).count();
        choice.begin(cluster, ahead as u32);
        for row in [chosen].into_iter().chain(others) {
            choice.push(value(row), self.group.row(row).iter().copied()).map_err(at_line)?;
        }
        Ok(())
    }

    /// Reads the next row: its labels, and its entries into the buffer. None at the end.
    fn read_row(&mut self) -> Result<Option<Labels>> {
        loop {
            if !self.read_line()? {
                return Ok(None);
            }
            let (row, remark) = self.line.split_once('#').unwrap_or((&self.line, ""));
            if row.trim().is_empty() {
                if let Some(version) = remark.trim().strip_prefix("texam-choices ")
                    && version != "1"
                {
                    return Err(self.wrong("texam-choices 1", format!("version {version}")));
                }
                continue;
            }
            let cluster = game_of(remark).map(cluster_number);
            let mut words = row.split_ascii_whitespace().peekable();
            let label = words.next().unwrap_or_default();
            let Some(label) = label.parse().ok().filter(|label: &f64| label.is_finite()) else {
                return Err(self.wrong("a label, a number", quoted(label)));
            };
            let query = words.next_if(|word| word.starts_with("qid:"));
            let query = match (self.kind, query) {
                (RowKind::Choices, Some(word)) => match word["qid:".len()..].parse() {
                    Ok(query) => Some(query),
                    Err(_) => return Err(self.wrong("qid: and a whole number", quoted(word))),
                },
                (RowKind::Choices, None) => {
                    let found = words.peek().map_or("none".to_string(), |word| quoted(word));
                    return Err(self.wrong("qid: and the number of a choice after the label", found));
                }
                (RowKind::Labelled, None) => None,
                (RowKind::Labelled, Some(word)) => {
                    return Err(self.wrong("a labelled position, which has no qid:", quoted(word)));
                }
            };
            let mut named = |name: &str| {
                let word = words.next_if(|word| word.starts_with(name));
                let number =
                    |word: &str| word[name.len()..].parse().ok().filter(|number: &f64| number.is_finite());
                let read = |word| {
                    number(word).ok_or_else(|| self.wrong(format!("{name} and a number"), quoted(word)))
                };
                word.map(read).transpose()
            };
            let (weight, value) = (named("weight:")?, named("value:")?);
            self.entries.clear();
            for word in words {
                let Some((column, entry, exact)) = read_entry(word) else {
                    return Err(self.wrong("a column from 1, a colon and an entry within 2^23", quoted(word)));
                };
                if self.entries.last().is_some_and(|&(last, _)| last >= column) {
                    return Err(self.wrong("columns in ascending order", quoted(word)));
                }
                self.rounded += u64::from(!exact);
                self.columns = self.columns.max(column + 1);
                self.entries.push((column, entry));
            }
            return Ok(Some(Labels { label, query, cluster, weight, value }));
        }
    }

    /// Reads a line; false at the end.
    fn read_line(&mut self) -> Result<bool> {
        self.line.clear();
        self.number += 1;
        let read = (&mut self.input).take(LONGEST_LINE).read_line(&mut self.line);
        match read {
            Ok(0) => {
                self.number -= 1;
                Ok(false)
            }
            Ok(length) if length as u64 == LONGEST_LINE && !self.line.ends_with('\n') => {
                Err(self.wrong(format!("a line of at most {LONGEST_LINE} bytes"), "a longer one"))
            }
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(self.wrong("text in UTF-8", "other bytes"))
            }
            Err(error) => Err(Error::Read { line: self.number, source: error }),
        }
    }

    fn wrong(&self, expected: impl Into<String>, found: impl ToString) -> Error {
        Error::Line { line: self.number, expected: expected.into(), found: found.to_string() }
    }

    /// The error of a choice, at its last line.
    fn wrong_row(&self, error: Error) -> Error {
        match error {
            Error::Input { expected, found } => self.wrong(expected, found),
            other => other,
        }
    }
}

/// The game that a remark names: `game:12` or `game: 12`.
fn game_of(remark: &str) -> Option<&str> {
    let mut words = remark.split_whitespace();
    let name = words.find_map(|word| word.strip_prefix("game:"))?;
    if name.is_empty() { words.next() } else { Some(name) }
}

/// A pair of column, counted from 0, and entry in 1/256, and whether the entry is a multiple of 1/256.
fn read_entry(word: &str) -> Option<(u32, i64, bool)> {
    let (column, entry) = word.split_once(':')?;
    let column = column.parse::<u32>().ok()?.checked_sub(1)?;
    let scaled = entry.parse::<f64>().ok()? * QUANTA;
    (scaled.abs() < f64::from(i32::MAX)).then(|| (column, scaled.round() as i64, scaled.fract() == 0.0))
}

/// The number of a cluster: that of a numbered game, else one made of the name (FNV-1a).
fn cluster_number(name: &str) -> u64 {
    let hash = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.parse().unwrap_or_else(|_| name.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}

fn quoted(word: &str) -> String {
    const SHOWN: usize = 40;
    let start: String = word.chars().take(SHOWN).collect();
    let more = if word.chars().count() > SHOWN { "..." } else { "" };
    format!("\"{}{more}\"", start.escape_debug())
}

/// Where the text of a pass comes from: a file, another program.
pub trait RowInput: Send {
    /// Opens the text for a pass with the values of `model`.
    ///
    /// # Errors
    ///
    /// The text cannot be had.
    fn open(&mut self, model: &Model) -> Result<Box<dyn BufRead>>;

    /// Whether the text is made for the values of `model`, so that the values that rows name are checked. Called after it
    /// is opened.
    fn is_made_for(&self, _model: &Model) -> bool {
        true
    }

    /// Called when a pass has read the text to its end.
    ///
    /// # Errors
    ///
    /// What comes out only then, such as the failure of the program that wrote it.
    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A [`Source`] that reads rows and searches nothing. Only the choices of one cluster are in memory.
pub struct RowSource<'a> {
    input: &'a mut dyn RowInput,
    kind: RowKind,
    hold_out: Option<u64>,
    tick: &'a (dyn Fn(&Standing) -> bool + Sync),
    counts: &'a Mutex<RowCounts>,
    left_out: Option<LeftOut>,
}

/// What a pass found in the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Clusters fitted and held out.
    pub clusters: [u64; 2],
    /// Choices, or labelled positions, fitted and held out.
    pub choices: [u64; 2],
    /// Entries that were no multiples of 1/256.
    pub rounded: u64,
    /// The largest column, counted from 1.
    pub columns: u32,
}

impl<'a> RowSource<'a> {
    /// A source of rows of this kind. With `hold_out` the clusters whose number is a multiple of it are held out.
    /// `tick` is called with the standing of each choice and says whether to go on, which a pass heeds after each cluster.
    /// Each pass leaves in `counts` what it found.
    pub fn new(
        input: &'a mut dyn RowInput,
        kind: RowKind,
        hold_out: Option<u64>,
        tick: &'a (dyn Fn(&Standing) -> bool + Sync),
        counts: &'a Mutex<RowCounts>,
    ) -> RowSource<'a> {
        RowSource { input, kind, hold_out, tick, counts, left_out: None }
    }

    /// Leaves out a group of the clusters that are fitted. What the text holds is counted all the same.
    pub fn leave_out(&mut self, group: LeftOut) {
        self.left_out = Some(group);
    }

    /// Counts a choice. Says whether to go on.
    fn count(&self, choice: &Choice, agreement: &mut Agreement, counts: &mut ClusterCounts) -> bool {
        if self.kind == RowKind::Labelled {
            // There is no choice: only the number of positions counts.
            agreement.positions += 1;
            agreement.in_bound_positions += 1;
            agreement.rows += 1;
            return (self.tick)(&Standing::default());
        }
        let (chosen, others) = choice.values().split_first().expect("a choice has a chosen row");
        let tied = others.iter().filter(|&value| value == chosen).count() as u32;
        let legal = choice.len() as u32;
        let standing = Standing { legal, ahead: choice.rank(), tied, rows: legal };
        agreement.count(&standing);
        counts.count(&standing);
        (self.tick)(&standing)
    }
}

impl Source for RowSource<'_> {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let mut rows = Rows::new(self.input.open(model)?, self.kind);
        rows.checks_values = self.input.is_made_for(model);
        let mut counts = RowCounts::default();
        let mut agreements = [Agreement::default(), Agreement::default()];
        let mut clusters = ClusterSets::default();
        let mut buffer = Vec::new();
        loop {
            let used = rows.read_cluster(model, &mut buffer)?;
            let Some(first) = buffer[..used].first() else { break };
            let is_held_out = self.hold_out.is_some_and(|every| first.cluster().is_multiple_of(every));
            let set = usize::from(is_held_out);
            let is_left_out =
                !is_held_out && self.left_out.is_some_and(|group| group.has(counts.clusters[0]));
            counts.clusters[set] += 1;
            counts.choices[set] += used as u64;
            if is_left_out {
                continue;
            }
            let mut goes_on = true;
            let mut of_cluster = ClusterCounts::new(first.cluster());
            let choices = buffer[..used].iter();
            choices.for_each(|choice| goes_on &= self.count(choice, &mut agreements[set], &mut of_cluster));
            if self.kind == RowKind::Choices {
                clusters[set].push(of_cluster);
            }
            match is_held_out {
                false => sink.accept(&buffer[..used])?,
                true if sink.wants_held_out() => sink.accept_held_out(&buffer[..used])?,
                true => {}
            }
            if !goes_on {
                return Ok(None);
            }
        }
        (counts.rounded, counts.columns) = (rows.rounded(), rows.columns());
        let nothing = match rows.line() {
            0 => Error::input("rows", "none"),
            _ => rows.wrong("rows", "none"),
        };
        drop(rows);
        self.input.close()?;
        if counts.choices == [0, 0] {
            return Err(nothing);
        }
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts;
        let [fitted, held_out] = agreements;
        Ok(Some(Measured { fitted, held_out: self.hold_out.map(|_| held_out), clusters }))
    }
}

/// Writes a choice: the chosen move has the label 1, the others 0. `query` is its number; `moves` are names of its
/// moves for the remarks, in the order of the rows.
///
/// # Errors
///
/// Those of `output`.
pub fn write_choice<'a>(
    output: &mut impl Write,
    query: u64,
    choice: &Choice,
    moves: impl IntoIterator<Item = &'a str>,
) -> io::Result<()> {
    for ((number, row), mv) in choice.rows().enumerate().zip(moves) {
        write!(output, "{} qid:{query}", i32::from(number == 0))?;
        for (column, entry) in row.iter() {
            write!(output, " {}:{}", column + 1, f64::from(entry) / QUANTA)?;
        }
        writeln!(output, " # game:{} {mv}", choice.cluster())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Parameter;

    fn model(values: &[f64]) -> Model {
        let parameter = |(at, &value): (usize, &f64)| Parameter::new(format!("w{at}"), value);
        Model::new(values.iter().enumerate().map(parameter).collect()).unwrap()
    }

    /// All choices of a text, cluster by cluster.
    fn read(text: &str, kind: RowKind, model: &Model) -> Result<Vec<Vec<Choice>>> {
        let mut rows = Rows::new(text.as_bytes(), kind);
        let (mut clusters, mut buffer) = (Vec::new(), Vec::new());
        loop {
            match rows.read_cluster(model, &mut buffer)? {
                0 => return Ok(clusters),
                used => clusters.push(buffer[..used].to_vec()),
            }
        }
    }

    const TEXT: &str = "# texam-choices 1\n\
        1 qid:1 3:2 # game:12 e2e4\n\
        0 qid:1 1:-0.5 3:1 # game:12 d2d4\n\
        \n\
        0 qid:2 2:1 # game:12 a\n\
        2 qid:2 # game:12 b\n\
        1 qid:2 1:4 # game:12 c\n\
        1 qid:3 1:1 # game:13 d\n";

    #[test]
    fn a_blank_before_the_name_of_a_game_is_no_part_of_it() {
        let model = model(&[1.0]);
        let text = |game: &str| {
            format!("1 qid:1 1:1 # e4 {game}12 x\n1 qid:2 1:1 # {game}13\n1 qid:3 1:1 # {game}13")
        };
        let blank = read(&text("game: "), RowKind::Choices, &model).unwrap();
        assert_eq!(blank, read(&text("game:"), RowKind::Choices, &model).unwrap());
        assert_eq!(blank.iter().map(|choices| choices[0].cluster()).collect::<Vec<_>>(), [12, 13]);
        assert_eq!(
            read("1 qid:1 1:1 # game:\n1 qid:2 1:1 # game: ", RowKind::Choices, &model).unwrap().len(),
            2
        );
    }

    #[test]
    fn a_value_that_a_row_names_must_be_that_of_its_entries() {
        let model = model(&[10.0, 20.0]);
        let text = |value: &str| format!("1 qid:1 value:24.5 1:0.5 2:1\n0 qid:1 {value} 1:-1\n");
        for good in ["value:-10", "value:-9.2", "value:-10.9", ""] {
            assert_eq!(read(&text(good), RowKind::Choices, &model).unwrap().len(), 1, "{good}");
        }
        for (wrong, parts) in [
            ("value:10", ["line 2", "give the value 10 of the row", "give -10"]),
            ("value:x", ["line 2", "value: and a number", "value:x"]),
            ("value:NaN", ["line 2", "value: and a number", "value:NaN"]),
        ] {
            let error = read(&text(wrong), RowKind::Choices, &model).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
        assert!(read("0.5 value:21 1:2\n", RowKind::Labelled, &model).is_ok());
        assert!(read("0.5 value:22 1:2\n", RowKind::Labelled, &model).is_err());
        let mut unchecked = Rows::new("0.5 value:22 1:2\n".as_bytes(), RowKind::Labelled);
        unchecked.checks_values = false;
        assert_eq!(unchecked.read_cluster(&model, &mut Vec::new()).unwrap(), 1);
    }

    #[test]
    fn the_rows_of_a_choice_have_one_weight_above_0_and_up_to_1() {
        let model = model(&[10.0, 20.0]);
        let text = |weights: [&str; 2]| {
            format!(
                "1 qid:1 {} value:5 1:0.5\n0 qid:1 {} 1:-1\n1 qid:2 1:3\n0 qid:2 2:1\n",
                weights[0], weights[1]
            )
        };
        let weights = |text: &str| -> Result<Vec<f64>> {
            let clusters = read(text, RowKind::Choices, &model)?;
            Ok(clusters.iter().flatten().map(Choice::weight).collect())
        };
        assert_eq!(weights(&text(["weight:0.25", "weight:0.25"])).unwrap(), [0.25, 1.0]);
        assert_eq!(weights(&text(["", ""])).unwrap(), [1.0, 1.0]);
        for (wrong, part) in [
            (["weight:0.5", ""], "one weight: for all rows of a choice"),
            (["weight:2", "weight:2"], "a weight above 0 and up to 1"),
            (["weight:0", "weight:0"], "a weight above 0 and up to 1"),
            (["weight:x", "weight:x"], "weight: and a number"),
        ] {
            let error = weights(&text(wrong)).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn choices_have_their_chosen_row_first_and_values_of_the_model() {
        let clusters = read(TEXT, RowKind::Choices, &model(&[10.0, 20.0, 3.0])).unwrap();
        assert_eq!(clusters.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        let units = |choice: &Choice| {
            choice.values().iter().map(|&value| value as f64 / 65_536.0).collect::<Vec<_>>()
        };
        assert_eq!(units(&clusters[0][0]), [6.0, -2.0]);
        assert_eq!(units(&clusters[0][1]), [0.0, 20.0, 40.0]);
        assert_eq!((clusters[0][1].cluster(), clusters[0][1].rank()), (12, 2));
        assert_eq!(clusters[1][0].cluster(), 13);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let model = model(&[1.5, -2.0, 0.25, 8.0]);
        let mut random = fastrand::Rng::with_seed(1);
        let mut text = Vec::new();
        writeln!(text, "{HEADER}").unwrap();
        let mut written = Vec::new();
        for query in 1..200 {
            let (mut choice, rows) = (Choice::default(), random.usize(1..6));
            let entries: Vec<Vec<(u32, i64)>> = (0..rows)
                .map(|_| {
                    (0..4)
                        .map(|column| (column, random.i64(-600..600)))
                        .filter(|entry| entry.1 % 3 != 0)
                        .collect()
                })
                .collect();
            let value = |row: &[(u32, i64)]| -> i64 {
                row.iter().map(|&(column, entry)| model.quantised()[column as usize] * entry).sum()
            };
            let ahead = entries[1..].iter().filter(|row| value(row) > value(&entries[0])).count();
            choice.begin(query / 3, ahead as u32);
            entries.iter().for_each(|row| choice.push(value(row), row.iter().copied()).unwrap());
            write_choice(&mut text, query, &choice, ["e2e4"; 6]).unwrap();
            written.push(choice);
        }
        let text = String::from_utf8(text).unwrap();
        let found = read(&text, RowKind::Choices, &model).unwrap();
        assert_eq!(found.len(), 67);
        assert_eq!(found.concat(), written);
    }

    #[test]
    fn labelled_positions_have_no_qid_and_a_label_from_0_to_1() {
        let model = model(&[4.0, 2.0]);
        let text = "0.5 1:2 # game:1\n1 2:-1 # game:1\n0 # game:2\n0.25 1:1\n0.75 1:1\n";
        let clusters = read(text, RowKind::Labelled, &model).unwrap();
        assert_eq!(clusters.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 1, 1]);
        assert_eq!(clusters[0][1].values(), [-2 * 65_536]);
        let message = |text: &str| read(text, RowKind::Labelled, &model).unwrap_err().to_string();
        assert_eq!(message("0.5 1:1\n1.5 1:1\n"), "line 2: expected a label from 0 to 1, but found 1.5");
        assert!(message("0 qid:1 1:1\n").starts_with("line 1: expected a labelled position"));
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let model = model(&[1.0, 2.0]);
        for (text, line, part) in [
            ("x qid:1 1:1\n", 1, "a label, a number, but found \"x\""),
            ("1 1:1\n", 1, "qid: and the number of a choice after the label, but found \"1:1\""),
            ("1 qid:a 1:1\n", 1, "qid: and a whole number"),
            ("1 qid:1 2:1 1:1\n", 1, "ascending order, but found \"1:1\""),
            ("1 qid:1 1:1 1:2\n", 1, "ascending order"),
            ("1 qid:1 0:1\n", 1, "a column from 1"),
            ("1 qid:1 1:nan\n", 1, "within 2^23, but found \"1:nan\""),
            ("1 qid:1 1:1e30\n", 1, "within 2^23"),
            ("\n1 qid:1 3:1\n", 2, "columns up to 2, the number of weights, but found 3"),
            ("1 qid:1 1:1\n1 qid:1 2:1\n", 2, "one row of a choice with the highest label"),
            ("1 qid:1\n1 qid:2\n1 qid:1\n", 3, "next to each other, but found qid:1 again"),
            (
                "1 qid:1 # game:a\n1 qid:2 # game:b\n1 qid:3 # game:a\n",
                3,
                "the choices of a game next to each other",
            ),
            ("1 qid:1 # game:1\n0 qid:1 # game:2\n", 2, "one game: for all rows of a choice"),
            ("# texam-choices 2\n", 1, "texam-choices 1, but found version 2"),
            ("1 qid:1 1:1e6\n0 qid:1 1:8388607\n", 2, "values of moves"),
        ] {
            let large = Model::new(vec![Parameter::new("a", 1000.0), Parameter::new("b", 1.0)]).unwrap();
            let error = read(text, RowKind::Choices, if part.contains("values") { &large } else { &model });
            let message = error.unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("line {line}: expected ")) && message.contains(part),
                "{message}"
            );
        }
        let long = format!("1 qid:1 {}\n", "1".repeat(1 << 20));
        assert!(read(&long, RowKind::Choices, &model).unwrap_err().to_string().contains("a line of at most"));
        let mut rows = Rows::new(&b"1 qid:1 \xff\n"[..], RowKind::Choices);
        assert!(rows.read_cluster(&model, &mut Vec::new()).unwrap_err().to_string().contains("UTF-8"));
    }

    #[test]
    fn entries_that_are_no_multiple_of_a_256th_are_rounded_and_counted() {
        let mut rows = Rows::new(&b"1 qid:1 1:0.1 2:0.5\n"[..], RowKind::Choices);
        let mut choices = Vec::new();
        rows.read_cluster(&model(&[1.0, 1.0]), &mut choices).unwrap();
        assert_eq!((rows.rounded(), rows.columns()), (1, 2));
        assert_eq!(choices[0].rows().next().unwrap().entries, [26, 128]);
    }

    /// A text in memory.
    struct Text(String);

    impl RowInput for Text {
        fn open(&mut self, _: &Model) -> Result<Box<dyn BufRead>> {
            Ok(Box::new(io::Cursor::new(self.0.clone())))
        }
    }

    struct Silent;

    impl crate::Observer for Silent {
        fn measured(&self, _: &crate::Pass, _: Option<&crate::Fit>) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_fit_of_rows_learns_what_was_chosen_and_measures_what_is_held_out() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut text = format!("{HEADER}\n");
        for query in 1..=400 {
            // Column 1 decides, column 2 does not, column 3 is not tuned.
            let rows: Vec<[i64; 3]> = (0..5).map(|_| [0; 3].map(|_: i32| random.i64(-4..=4))).collect();
            let best = (0..5).max_by_key(|&row| (rows[row][0], row)).unwrap();
            for (number, [a, b, c]) in rows.into_iter().enumerate() {
                let label = i32::from(number == best);
                text += &format!("{label} qid:{query} 1:{a} 2:{b} 3:{c} # game:{}\n", query / 4);
            }
        }
        let mut parameters =
            vec![Parameter::new("a", 0.0), Parameter::new("b", 10.0), Parameter::new("c", 3.0)];
        parameters[2].tune = false;
        let start = Model::new(parameters).unwrap();
        let mut input = Text(text);
        let (tick, counts) = (|_: &_| true, Mutex::default());
        let mut source = RowSource::new(&mut input, RowKind::Choices, Some(10), &tick, &counts);
        let options = crate::FitOptions { min_support: 1, ..Default::default() };
        let plan =
            crate::Plan { options, keep_spread: false, iterations: 6, patience: None, by_match: false };
        let run = crate::tuner::tests::tune(&mut source, &crate::Softmax, &start, &plan, &Silent).unwrap();
        let counts = counts.into_inner().unwrap();
        assert_eq!((counts.clusters, counts.choices, counts.columns), ([90, 11], [360, 40], 3));
        let [first, .., last] = &run.passes[..] else { panic!("seven passes") };
        let held_out = |pass: &crate::Pass| pass.report.held_out.as_ref().unwrap().match_rate();
        assert!(held_out(first) < 0.5 && held_out(last) > 0.5, "{} {}", held_out(first), held_out(last));
        assert!(last.values[0] > 4.0 * last.values[1].abs());
        assert_eq!(last.values[2], 3.0);
    }

    #[test]
    fn a_text_without_rows_is_an_error() {
        let mut input = Text(format!("{HEADER}\n\n"));
        let (tick, counts) = (|_: &_| true, Mutex::default());
        let mut source = RowSource::new(&mut input, RowKind::Choices, None, &tick, &counts);
        let start = model(&[1.0]);
        let fitted = crate::fit_once(&mut source, &crate::Softmax, &start, &crate::FitOptions::default());
        assert_eq!(fitted.unwrap_err().to_string(), "line 2: expected rows, but found none");
    }

    #[test]
    fn numbers_in_a_row_take_the_memory_of_one() {
        let mut seen = Seen::default();
        for number in (0..1000).step_by(2).chain((1..1000).step_by(2)) {
            assert!(seen.insert(number));
        }
        assert_eq!(seen.0.len(), 1);
        assert!(seen.insert(u64::MAX) && !seen.insert(u64::MAX) && !seen.insert(500));
    }
}
