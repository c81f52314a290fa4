//! The rows of another program, whatever form they have: rows are put together to choices and clusters,
//! checked, and given to a fit.
//!
//! A [`RowReader`] gives one row after the other, such as the lines of a [text](crate::svmrank) or those of
//! [arrays](crate::RowTable). Rows of the same choice stand together, and so do the choices of a cluster. In
//! a choice the row with the highest label is the chosen one. A choice without a cluster is a cluster of its
//! own.
//!
//! Weights and entries are taken as they are: values of rows are sums of their products, rounded to 2^-32
//! unit. For the sums of the equations each column has a grid that its entries show when they are read a
//! first time.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Mutex, PoisonError},
};

use crate::{
    agreement::{Agreement, ClusterCounts, ClusterSets, Standing},
    choice::{Choice, LARGEST_VALUE},
    duplicates::{self, Duplicates},
    error::{Error, Result, shorten},
    grid::{Grid, GridFinder, LARGEST_ENTRY},
    jackknife::LeftOut,
    labels::LabelCounts,
    limits::{MOST_CHOICES, MOST_ROWS},
    model::Model,
    objective::ObjectiveName,
    source::{Measured, Sink, Source},
    units::{VALUE_UNIT, from_fraction},
};

/// By how much the value that a row names may differ from the sum of its entries times weights, in units:
/// programs round their values.
pub const VALUE_TOLERANCE: f64 = 1.0;

/// A cluster of so many choices is hardly the same as another one by chance. Fewer may be, as after the same
/// opening.
const TELLING_CHOICES: usize = 8;

/// What rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// The rows of choices.
    Choices,
    /// Labelled rows, each a choice of its own.
    Labelled,
}

impl RowKind {
    /// Those that an objective fits.
    pub fn of(objective: ObjectiveName) -> RowKind {
        if objective == ObjectiveName::Logistic { RowKind::Labelled } else { RowKind::Choices }
    }
}

/// Reads one row after the other.
pub trait RowReader {
    /// Reads the next row: what stands beside its entries, and these into `entries`, which is empty. Their
    /// columns count from 0 and ascend, and [may have](is_usable_entry) these entries. None at the end.
    ///
    /// # Errors
    ///
    /// What is no row; with its place.
    fn read_row(&mut self, entries: &mut Vec<(u32, f64)>) -> Result<Option<Labels>>;

    /// The place of the row that was read last.
    fn place(&self) -> Place;
}

impl<R: RowReader + ?Sized> RowReader for Box<R> {
    fn read_row(&mut self, entries: &mut Vec<(u32, f64)>) -> Result<Option<Labels>> {
        (**self).read_row(entries)
    }

    fn place(&self) -> Place {
        (**self).place()
    }
}

/// Whether a row may have this entry: it is smaller than 10^30.
pub fn is_usable_entry(entry: f64) -> bool {
    entry.abs() < LARGEST_ENTRY
}

/// Where a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the line of a text with this number, from 1.
    Line(u64),
    /// In arrays, at this index from 0.
    Row(u64),
}

impl Place {
    /// Number of the place, from 1.
    pub fn number(self) -> u64 {
        match self {
            Place::Line(line) => line,
            Place::Row(row) => row + 1,
        }
    }

    /// The error of what was found here.
    pub(crate) fn wrong(self, expected: impl Into<String>, found: impl ToString) -> Error {
        let (expected, found) = (expected.into(), shorten(&found));
        match self {
            Place::Line(line) => Error::Line { line, expected, found },
            Place::Row(row) => Error::Row { row, expected, found },
        }
    }
}

/// What stands beside the entries of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labels {
    /// The row with the highest label of a choice is the chosen one; a labelled row has the result that its
    /// value should tell, from 0 to 1.
    pub label: f64,
    /// The number of the choice; none for labelled rows.
    pub query: Option<u64>,
    /// The number of the cluster, where it is named.
    pub cluster: Option<u64>,
    /// The weight of the choice, where it is named.
    pub weight: Option<f64>,
    /// The value that the program gives the row, in units.
    pub value: Option<f64>,
}

/// Puts rows together to choices, cluster by cluster, in the memory of one cluster.
pub struct Rows<R> {
    reader: R,
    kind: RowKind,
    /// The row that was read last belongs to the next choice.
    pending: Option<Labels>,
    /// Entries of the row that was read last.
    entries: Vec<(u32, f64)>,
    group: Group,
    queries: Seen,
    clusters: Seen,
    /// Largest column found, counted from 1.
    columns: u32,
    /// Whether the values that rows name are compared with those of the model.
    pub(crate) checks_values: bool,
}

/// The rows of one choice.
#[derive(Default)]
struct Group {
    labels: Vec<f64>,
    /// Values that the program gives the rows, in units, and where these stand.
    values: Vec<(Option<f64>, Place)>,
    ends: Vec<usize>,
    /// As they were read.
    entries: Vec<(u32, f64)>,
}

impl Group {
    fn clear(&mut self) {
        self.labels.clear();
        self.values.clear();
        self.ends.clear();
        self.entries.clear();
    }

    fn push(&mut self, labels: Labels, place: Place, entries: &[(u32, f64)]) {
        self.labels.push(labels.label);
        self.values.push((labels.value, place));
        self.entries.extend_from_slice(entries);
        self.ends.push(self.entries.len());
    }

    fn row(&self, row: usize) -> &[(u32, f64)] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[row]]
    }

    fn place(&self, row: usize) -> Place {
        self.values[row].1
    }

    /// The error of a row, with its place.
    fn wrong(&self, row: usize, error: Error) -> Error {
        match error {
            Error::Input { expected, found } => self.place(row).wrong(expected, found),
            other => other,
        }
    }

    /// The entries of a row on the grids of a model.
    fn on_grids(&self, row: usize, model: &Model) -> impl Iterator<Item = (u32, i64)> {
        self.row(row).iter().map(|&(column, entry)| (column, model.grid(column as usize).integer(entry)))
    }

    /// The value of a row under a model, in units.
    fn value(&self, row: usize, model: &Model) -> f64 {
        let value = |&(column, entry): &(u32, f64)| model.used(column as usize) * entry;
        self.row(row).iter().map(value).sum()
    }
}

/// Numbers that have been seen. Numbers in a row take the memory of one, so that a file that counts its
/// choices needs no memory for them.
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

impl<R: RowReader> Rows<R> {
    /// Puts the rows of `reader` together.
    pub fn new(reader: R, kind: RowKind) -> Rows<R> {
        Rows {
            reader,
            kind,
            pending: None,
            entries: Vec::new(),
            group: Group::default(),
            queries: Seen::default(),
            clusters: Seen::default(),
            columns: 0,
            checks_values: true,
        }
    }

    /// The place of the row that was read last.
    pub fn place(&self) -> Place {
        self.reader.place()
    }

    /// Largest column found so far, counted from 1.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Reads the choices of the next cluster with their values under `model`; their number, 0 at the end.
    /// `choices` is a buffer that grows.
    ///
    /// # Errors
    ///
    /// A line that is no row, rows of a choice or of a cluster that stand apart, two chosen rows in a choice,
    /// or a column that the model does not have; with the place of the row.
    pub fn read_cluster(&mut self, model: &Model, choices: &mut Vec<Choice>) -> Result<usize> {
        let mut used = 0;
        let mut cluster = None;
        while let Some(labels) = self.read_group(cluster)? {
            let id = labels.cluster.unwrap_or(labels.query.unwrap_or(self.reader.place().number()));
            if used == 0 && labels.cluster.is_some() && !self.clusters.insert(id) {
                let expected = "the choices of a cluster next to each other";
                return Err(self.group.place(0).wrong(expected, format!("cluster {id} again")));
            }
            cluster = Some(labels.cluster);
            if choices.len() == used {
                choices.push(Choice::default());
            }
            self.fill(id, model, &mut choices[used])?;
            let weighted = choices[used].set_weight(labels.weight.unwrap_or(1.0));
            weighted.map_err(|error| self.group.wrong(0, error))?;
            used += 1;
            if labels.cluster.is_none() {
                break;
            }
            if used == MOST_CHOICES {
                return Err(self.wrong(format!("at most {MOST_CHOICES} choices of a cluster"), "more"));
            }
        }
        Ok(used)
    }

    /// Reads the rows of the next choice into the group. None at the end, or if the choice is not of
    /// `cluster`.
    fn read_group(&mut self, cluster: Option<Option<u64>>) -> Result<Option<Labels>> {
        let pending = self.pending.take();
        let first = if pending.is_some() { pending } else { self.read_row()? };
        let Some(first) = first else { return Ok(None) };
        let place = self.reader.place();
        if cluster.is_some_and(|cluster| cluster != first.cluster) {
            self.pending = Some(first);
            return Ok(None);
        }
        if let Some(query) = first.query
            && !self.queries.insert(query)
        {
            return Err(
                self.wrong("the rows of a choice next to each other", format!("choice {query} again"))
            );
        }
        self.group.clear();
        self.group.push(first, place, &self.entries);
        if self.kind == RowKind::Labelled {
            return Ok(Some(first));
        }
        while let Some(labels) = self.read_row()? {
            if labels.query != first.query {
                self.pending = Some(labels);
                break;
            }
            if labels.cluster != first.cluster {
                return Err(self.wrong("one cluster for all rows of a choice", "another"));
            }
            if labels.weight != first.weight {
                return Err(self.wrong("one weight for all rows of a choice", "another"));
            }
            if self.group.labels.len() == MOST_ROWS {
                return Err(self.wrong(format!("at most {MOST_ROWS} rows of a choice"), "more"));
            }
            self.group.push(labels, self.reader.place(), &self.entries);
        }
        Ok(Some(first))
    }

    /// Makes a choice of the group.
    fn fill(&self, cluster: u64, model: &Model, choice: &mut Choice) -> Result<()> {
        let weights = model.parameters().len();
        for (row, &(_, place)) in self.group.values.iter().enumerate() {
            let last = self.group.row(row).last().map_or(0, |&(column, _)| column + 1);
            if last as usize > weights {
                let expected = format!("columns up to {weights}, the number of weights");
                return Err(place.wrong(expected, last));
            }
        }
        let value = |row: usize| (self.group.value(row, model) * VALUE_UNIT as f64).round() as i64;
        for (row, &(given, place)) in self.group.values.iter().enumerate().filter(|_| self.checks_values) {
            let Some(given) = given else { continue };
            let found = self.group.value(row, model);
            if (given - found).abs() > VALUE_TOLERANCE {
                let is_rounded = (given - found).abs() < 2.0 * VALUE_TOLERANCE;
                let hint = if is_rounded { "; if rounded, give the exact value or none" } else { "" };
                let expected = format!("entries that give the value {} of the row", shorten(&given));
                return Err(place.wrong(expected, format!("entries that give {}{hint}", shorten(&found))));
            }
        }
        let labels = &self.group.labels;
        if self.kind == RowKind::Labelled {
            let begun = choice.begin_labelled(cluster, labels[0]);
            begun.map_err(|error| self.group.wrong(0, error))?;
            return choice.push(value(0), self.group.on_grids(0, model)).map_err(|error| {
                let part = |&&(column, entry): &&(u32, f64)| (model.used(column as usize) * entry).abs();
                let row = self.group.row(0).iter().max_by(|a, b| part(a).total_cmp(&part(b)));
                let far = row.filter(|row| value(0).abs() > LARGEST_VALUE && part(row) > 0.0);
                let error = far.map_or(error, |&(column, entry)| {
                    let name = &model.parameters()[column as usize].name;
                    let expected = format!("entries of {name} nearer to 0, such as those less their mean");
                    Error::input(expected, entry)
                });
                self.group.wrong(0, error)
            });
        }
        let highest = labels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut best = (0..labels.len()).filter(|&row| labels[row] == highest);
        let chosen = best.next().unwrap_or_default();
        if let Some(second) = best.next() {
            let found = format!("two with {}", shorten(&highest));
            let expected = "one row of a choice with the highest label";
            return Err(self.group.place(second).wrong(expected, found));
        }
        let mut values: Vec<i64> = (0..labels.len()).map(value).collect();
        // What all rows have in common counts nothing.
        if values.iter().any(|value| value.abs() > LARGEST_VALUE) {
            let base = values[chosen];
            values.iter_mut().for_each(|value| *value = value.saturating_sub(base));
        }
        let others = (0..labels.len()).filter(|&row| row != chosen);
        let ahead = others.clone().filter(|&row| values[row] > values[chosen]).count();
        choice.begin(cluster, ahead as u32);
        for row in [chosen].into_iter().chain(others) {
            let pushed = choice.push(values[row], self.group.on_grids(row, model));
            pushed.map_err(|error| self.group.wrong(row, error))?;
        }
        Ok(())
    }

    /// Reads the next row: its labels, and its entries into the buffer. None at the end.
    fn read_row(&mut self) -> Result<Option<Labels>> {
        self.entries.clear();
        let labels = self.reader.read_row(&mut self.entries)?;
        if let Some(&(last, _)) = self.entries.last() {
            self.columns = self.columns.max(last + 1);
        }
        Ok(labels)
    }

    fn wrong(&self, expected: impl Into<String>, found: impl ToString) -> Error {
        self.reader.place().wrong(expected, found)
    }
}

/// Where the rows of a pass come from: a file, another program, memory.
pub trait RowInput: Send {
    /// Opens the rows for a pass with the values of `model`.
    ///
    /// # Errors
    ///
    /// The rows cannot be had.
    fn open(&mut self, kind: RowKind, model: &Model) -> Result<Box<dyn RowReader>>;

    /// Opens the rows of the same pass from their beginning again, after they were read to their end and
    /// closed.
    ///
    /// # Errors
    ///
    /// The rows cannot be had again.
    fn open_again(&mut self, kind: RowKind) -> Result<Box<dyn RowReader>>;

    /// Whether the rows are made anew for each pass, so that the values that they name are those of its
    /// weights. Otherwise they are those of the first pass.
    fn is_made_anew(&self) -> bool {
        false
    }

    /// Whether the rows have ended because the pass is cancelled. They may end in the middle of one, and
    /// errors of such rows do not count.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Called when a pass has read the rows to their end.
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
    /// The weights of the first pass, and the grids of its columns.
    start: Option<(Vec<f64>, Vec<Grid>)>,
}

/// What a pass found in the rows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RowCounts {
    /// Clusters fitted and held out.
    pub clusters: [u64; 2],
    /// Choices, or labelled rows, fitted and held out.
    pub choices: [u64; 2],
    /// The largest column, counted from 1.
    pub columns: u32,
    /// Clusters whose rows occur more than once; none where chance can explain them, which it can if only few
    /// small ones do.
    pub duplicates: Duplicates,
    /// The labels of the labelled rows that are fitted.
    pub labels: LabelCounts,
}

impl<'a> RowSource<'a> {
    /// A source of rows of this kind. With `hold_out` the clusters whose number is a multiple of it are held
    /// out. `tick` is called with the standing of each choice and says whether to go on, which a pass heeds
    /// after each cluster. Each pass leaves in `counts` what it found.
    pub fn new(
        input: &'a mut dyn RowInput,
        kind: RowKind,
        hold_out: Option<u64>,
        tick: &'a (dyn Fn(&Standing) -> bool + Sync),
        counts: &'a Mutex<RowCounts>,
    ) -> RowSource<'a> {
        RowSource { input, kind, hold_out, tick, counts, left_out: None, start: None }
    }

    /// Leaves out a group of the clusters that are fitted. What there is is counted all the same.
    pub fn leave_out(&mut self, group: LeftOut) {
        self.left_out = Some(group);
    }

    /// Counts a choice. Says whether to go on.
    fn count(&self, choice: &Choice, agreement: &mut Agreement, counts: &mut ClusterCounts) -> bool {
        if self.kind == RowKind::Labelled {
            // Nothing was chosen: only the number of rows counts.
            agreement.choices += 1;
            agreement.kept_choices += 1;
            agreement.rows += 1;
            return (self.tick)(&Standing::default());
        }
        let (chosen, others) = choice.values().split_first().expect("a choice has a chosen row");
        let tied = others.iter().filter(|&value| value == chosen).count() as u32;
        let rows = choice.len() as u32;
        let standing = Standing { alternatives: rows, ahead: choice.rank(), tied, rows };
        agreement.count(&standing);
        counts.count(&standing);
        (self.tick)(&standing)
    }
}

impl Source for RowSource<'_> {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let measured = self.read(model, sink);
        if self.input.is_cancelled() { Ok(None) } else { measured }
    }

    /// Rows are read a first time for their grids; those that are the same in each pass only before the
    /// first.
    fn prepare(&mut self, model: Model) -> Result<Option<Model>> {
        if self.start.is_none() || self.input.is_made_anew() {
            let grids = self.find_grids(&model);
            if self.input.is_cancelled() {
                return Ok(None);
            }
            let start = self.start.take().map_or_else(|| model.values(), |(start, _)| start);
            self.start = Some((start, grids?));
        }
        let grids = self.start.as_ref().map(|(_, grids)| grids.clone());
        Ok(Some(model.on_grids(grids)))
    }
}

impl RowSource<'_> {
    fn find_grids(&mut self, model: &Model) -> Result<Vec<Grid>> {
        let mut rows = self.input.open(self.kind, model)?;
        let (mut finder, mut entries) = (GridFinder::default(), Vec::new());
        let columns = model.parameters().len();
        while rows.read_row(&mut entries)?.is_some() {
            // What is beyond the weights is told of when the rows are put together.
            finder.add(entries.iter().filter(|(column, _)| (*column as usize) < columns).copied());
            entries.clear();
        }
        drop(rows);
        self.input.close()?;
        Ok(finder.finish(columns))
    }

    fn read(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let is_start = self.start.as_ref().is_some_and(|(start, _)| *start == model.values());
        let mut rows = Rows::new(self.input.open_again(self.kind)?, self.kind);
        rows.checks_values = self.input.is_made_anew() || is_start;
        let mut counts = RowCounts::default();
        let mut agreements = [Agreement::default(), Agreement::default()];
        let mut clusters = ClusterSets::default();
        let (mut seen, mut has_copies, mut buffer) = (duplicates::Seen::default(), false, Vec::new());
        loop {
            let used = rows.read_cluster(model, &mut buffer)?;
            let Some(first) = buffer[..used].first() else { break };
            let is_held_out = self.hold_out.is_some_and(|every| first.cluster().is_multiple_of(every));
            let set = usize::from(is_held_out);
            let is_new = seen.insert(digest(&buffer[..used]), set);
            has_copies |= !is_new && used >= TELLING_CHOICES;
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
            if self.kind == RowKind::Labelled && !is_held_out {
                let label = |choice: &Choice| (from_fraction(choice.label()), choice.weight());
                counts.labels.add_cluster(buffer[..used].iter().map(label));
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
        counts.columns = rows.columns();
        let found = seen.duplicates();
        if has_copies || found.repeats >= counts.clusters.iter().sum::<u64>() / 4 {
            counts.duplicates = found;
        }
        if counts.choices == [0, 0] {
            return Err(match rows.place().number() {
                0 => Error::input("rows", "none"),
                _ => rows.wrong("rows", "none"),
            });
        }
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) = counts;
        let [fitted, held_out] = agreements;
        Ok(Some(Measured { fitted, held_out: (held_out.choices > 0).then_some(held_out), clusters }))
    }
}

/// A digest of the rows of a cluster, by which those that occur twice are found.
fn digest(choices: &[Choice]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for choice in choices {
        (choice.len(), choice.label()).hash(&mut hasher);
        for row in choice.rows() {
            (row.columns, row.entries).hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

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
