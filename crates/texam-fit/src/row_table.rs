//! Rows in memory, as arrays: a sparse matrix by rows (CSR) and, for each row, what stands beside its
//! entries.

use std::{
    io::{self, BufRead, Write},
    sync::Arc,
};

use crate::{
    error::{Error, Result},
    model::Model,
    row_source::{Labels, Place, RowInput, RowKind, RowReader, is_usable_entry},
    svmrank,
};

/// The arrays of a table as they come. Those that may be missing are empty options.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowParts<'a> {
    /// Entries of the matrix, row by row.
    pub data: &'a [f64],
    /// Their columns, from 0.
    pub indices: &'a [i64],
    /// Where each row begins in these, and where the last one ends.
    pub indptr: &'a [i64],
    /// Columns of the matrix.
    pub columns: usize,
    /// The label of each row.
    pub label: &'a [f64],
    /// The number of its choice; none for labelled rows.
    pub choice: Option<&'a [u64]>,
    /// The number of its cluster.
    pub cluster: Option<&'a [u64]>,
    /// The weight of its choice.
    pub weight: Option<&'a [f64]>,
    /// The value that the program gives it, in units; NaN where it gives none.
    pub value: Option<&'a [f64]>,
    /// The number by which messages name it, where it is not its index.
    pub number: Option<&'a [u64]>,
}

/// Rows in memory. In each row the columns ascend and no entry is 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowTable {
    labels: Vec<Labels>,
    /// Numbers of the rows in messages; empty where they are their indices.
    numbers: Vec<u64>,
    ends: Vec<usize>,
    columns: Vec<u32>,
    entries: Vec<f64>,
    /// Columns of the matrix; more than the largest that has an entry where the last ones are empty.
    width: usize,
}

impl RowTable {
    /// A table of arrays. The entries of a row may come in any order; those of the same column are added, as
    /// in SciPy.
    ///
    /// # Errors
    ///
    /// Arrays of other lengths than each other, columns that the matrix does not have, numbers that are not
    /// finite, or entries that are too large.
    pub fn new(parts: &RowParts) -> Result<RowTable> {
        let RowParts { data, indices, indptr, columns, label, choice, cluster, weight, value, number } =
            *parts;
        let rows = indptr.len().saturating_sub(1);
        let lengths = [
            ("label", Some(label.len())),
            ("choice", choice.map(<[u64]>::len)),
            ("cluster", cluster.map(<[u64]>::len)),
            ("weight", weight.map(<[f64]>::len)),
            ("value", value.map(<[f64]>::len)),
            ("number", number.map(<[u64]>::len)),
        ];
        for (name, length) in lengths.into_iter().filter_map(|(name, length)| Some((name, length?))) {
            if length != rows {
                return Err(Error::input(format!("{name} with {rows} elements, one for each row"), length));
            }
        }
        if data.len() != indices.len() {
            let expected = format!("as many indices as elements of data, {}", data.len());
            return Err(Error::input(expected, indices.len()));
        }
        if u32::try_from(columns).is_err() {
            return Err(Error::input("a matrix of less than 2^32 columns", columns));
        }
        let bounds = || {
            let bounds = indptr.iter().map(|&bound| usize::try_from(bound).ok());
            let bounds = bounds.collect::<Option<Vec<usize>>>()?;
            let is_whole = bounds.first() == Some(&0) && bounds.last() == Some(&data.len());
            (is_whole && bounds.is_sorted()).then_some(bounds)
        };
        let Some(bounds) = bounds() else {
            let expected = format!("indptr that ascends from 0 to the length of data, {}", data.len());
            return Err(Error::input(expected, "another"));
        };
        let numbers = number.map_or_else(Vec::new, <[u64]>::to_vec);
        let mut table = RowTable { width: columns, numbers, ..RowTable::default() };
        let mut row_entries = Vec::new();
        for (row, ends) in bounds.windows(2).enumerate() {
            let place = table.place(row);
            row_entries.clear();
            for at in ends[0]..ends[1] {
                let column = indices[at];
                let Some(index) = u32::try_from(column).ok().filter(|&index| (index as usize) < columns)
                else {
                    return Err(place.wrong(format!("columns from 0 and below {columns}"), column));
                };
                row_entries.push((index, data[at]));
            }
            row_entries.sort_by_key(|&(column, _)| column);
            row_entries.dedup_by(|next, first| {
                let is_same = next.0 == first.0;
                if is_same {
                    first.1 += next.1;
                }
                is_same
            });
            if let Some((column, entry)) = row_entries.iter().find(|(_, entry)| !is_usable_entry(*entry)) {
                return Err(place.wrong(format!("an entry below 10^30 in column {column}"), entry));
            }
            let number = |name: &str, number: f64| {
                let error = || place.wrong(format!("a {name}, a number"), number);
                if number.is_finite() { Ok(number) } else { Err(error()) }
            };
            let labels = Labels {
                label: number("label", label[row])?,
                query: choice.map(|choice| choice[row]),
                cluster: cluster.map(|cluster| cluster[row]),
                weight: weight.map(|weight| number("weight", weight[row])).transpose()?,
                value: value.map(|value| value[row]).filter(|value| !value.is_nan()),
            };
            table.push(labels, &row_entries);
        }
        Ok(table)
    }

    /// Reads the rows of a text in the format of SVMrank.
    ///
    /// # Errors
    ///
    /// Lines that are no rows.
    pub fn read(text: impl BufRead, kind: RowKind) -> Result<RowTable> {
        let mut table = RowTable::default();
        table.extend(&mut svmrank::TextRows::new(text, kind))?;
        Ok(table)
    }

    /// Reads all rows of a text or of other arrays behind those of the table.
    ///
    /// # Errors
    ///
    /// Those of the reader.
    pub fn extend(&mut self, reader: &mut dyn RowReader) -> Result<()> {
        let mut entries = Vec::new();
        while let Some(labels) = reader.read_row(&mut entries)? {
            self.push(labels, &entries);
            entries.clear();
        }
        Ok(())
    }

    fn push(&mut self, labels: Labels, entries: &[(u32, f64)]) {
        for &(column, entry) in entries.iter().filter(|&&(_, entry)| entry != 0.0) {
            self.columns.push(column);
            self.entries.push(entry);
        }
        self.widen(entries.last().map_or(0, |&(last, _)| last as usize + 1));
        self.labels.push(labels);
        self.ends.push(self.columns.len());
    }

    fn place(&self, row: usize) -> Place {
        Place::Row(self.numbers.get(row).copied().unwrap_or(row as u64))
    }

    /// Lets the matrix have at least so many columns.
    pub fn widen(&mut self, columns: usize) {
        self.width = self.width.max(columns);
    }

    /// Columns of the matrix.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What stands beside the entries of each row.
    pub fn labels(&self) -> &[Labels] {
        &self.labels
    }

    /// The matrix as data, indices and indptr.
    pub fn matrix(&self) -> (&[f64], &[u32], Vec<i64>) {
        let indptr = std::iter::once(0).chain(self.ends.iter().map(|&end| end as i64)).collect();
        (&self.entries, &self.columns, indptr)
    }

    /// What stands beside each row under one name; none where no row has it.
    ///
    /// # Errors
    ///
    /// Some rows have it and others do not, and `missing` gives nothing for them.
    pub fn column<T: Copy>(
        &self,
        name: &str,
        get: impl Fn(&Labels) -> Option<T>,
        missing: Option<T>,
    ) -> Result<Option<Vec<T>>> {
        if self.labels.iter().all(|labels| get(labels).is_none()) {
            return Ok(None);
        }
        let found = |(row, labels): (usize, &Labels)| {
            let error = || self.place(row).wrong(format!("a {name} in every row or in none"), "none");
            get(labels).or(missing).ok_or_else(error)
        };
        self.labels.iter().enumerate().map(found).collect::<Result<Vec<T>>>().map(Some)
    }

    /// Writes the rows as text. Choices begin with the header of a file of choices.
    ///
    /// # Errors
    ///
    /// Those of `output`.
    pub fn write_text(&self, output: &mut impl Write) -> io::Result<()> {
        if self.labels.first().is_some_and(|labels| labels.query.is_some()) {
            writeln!(output, "{}", svmrank::HEADER)?;
        }
        let mut start = 0;
        for (labels, &end) in self.labels.iter().zip(&self.ends) {
            let columns = self.columns[start..end].iter().copied();
            svmrank::write_row(output, labels, columns.zip(self.entries[start..end].iter().copied()))?;
            writeln!(output)?;
            start = end;
        }
        Ok(())
    }
}

/// A table as the rows of a fit.
impl RowInput for Arc<RowTable> {
    fn open(&mut self, kind: RowKind, _: &Model) -> Result<Box<dyn RowReader>> {
        self.open_again(kind)
    }

    fn open_again(&mut self, _: RowKind) -> Result<Box<dyn RowReader>> {
        Ok(Box::new(TableReader { table: Arc::clone(self), next: 0 }))
    }
}

/// Reads the rows of a table.
struct TableReader {
    table: Arc<RowTable>,
    next: usize,
}

impl RowReader for TableReader {
    fn read_row(&mut self, entries: &mut Vec<(u32, f64)>) -> Result<Option<Labels>> {
        let RowTable { labels, ends, columns, entries: all, .. } = &*self.table;
        let Some(&found) = labels.get(self.next) else { return Ok(None) };
        let start = self.next.checked_sub(1).map_or(0, |before| ends[before]);
        let end = ends[self.next];
        entries.extend(columns[start..end].iter().copied().zip(all[start..end].iter().copied()));
        self.next += 1;
        Ok(Some(found))
    }

    fn place(&self) -> Place {
        self.table.place(self.next.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        row_source::Rows,
        svmrank::{HEADER, TextRows},
    };

    /// Two choices of two and one rows, the first of a cluster, with entries out of order and one given in
    /// two parts.
    fn parts() -> RowParts<'static> {
        RowParts {
            data: &[-0.5, 1.5, 0.5, 1.0, 0.0],
            indices: &[2, 0, 0, 1, 0],
            indptr: &[0, 3, 4, 5],
            columns: 4,
            label: &[1.0, 0.0, 1.0],
            choice: Some(&[7, 7, 8]),
            cluster: Some(&[3, 3, 3]),
            weight: Some(&[0.5, 0.5, 1.0]),
            value: Some(&[f64::NAN, 4.0, 0.0]),
            number: None,
        }
    }

    #[test]
    fn arrays_are_written_as_the_text_that_is_read_back_as_the_same_arrays() {
        let table = RowTable::new(&parts()).unwrap();
        let mut text = Vec::new();
        table.write_text(&mut text).unwrap();
        let expected = format!(
            "{HEADER}\n1 qid:7 weight:0.5 1:2 3:-0.5 # game:3\n0 qid:7 weight:0.5 value:4 2:1 # game:3\n\
             1 qid:8 weight:1 value:0 # game:3\n"
        );
        assert_eq!(String::from_utf8(text.clone()).unwrap(), expected);
        let mut again = RowTable::default();
        again.extend(&mut TextRows::new(&text[..], RowKind::Choices)).unwrap();
        again.widen(4);
        assert_eq!(again, table);
    }

    #[test]
    fn labelled_rows_have_no_header_so_that_each_has_the_number_of_its_line() {
        let table = RowTable::new(&RowParts { choice: None, cluster: None, ..parts() }).unwrap();
        let mut text = Vec::new();
        table.write_text(&mut text).unwrap();
        let model = Model::new(vec![crate::Parameter::new("a", 0.0); 4]).unwrap();
        let mut numbers = Vec::new();
        let readers: [Box<dyn RowReader>; 2] = [
            Arc::new(table).open(RowKind::Labelled, &model).unwrap(),
            Box::new(TextRows::new(&text[..], RowKind::Labelled)),
        ];
        for reader in readers {
            let (mut rows, mut choices) = (Rows::new(reader, RowKind::Labelled), Vec::new());
            rows.checks_values = false;
            while rows.read_cluster(&model, &mut choices).unwrap() > 0 {
                numbers.push(choices[0].cluster());
            }
        }
        assert_eq!(numbers, [1, 2, 3, 1, 2, 3]);
    }

    #[test]
    fn arrays_that_do_not_fit_together_are_refused() {
        let long = [0.0; 4];
        for (wrong, part) in [
            (
                RowParts { label: &long, ..parts() },
                "expected label with 3 elements, one for each row, but found 4",
            ),
            (RowParts { weight: Some(&long), ..parts() }, "weight with 3 elements"),
            (RowParts { value: Some(&long), ..parts() }, "value with 3 elements"),
            (RowParts { choice: Some(&[1]), ..parts() }, "choice with 3 elements"),
            (
                RowParts { cluster: Some(&[]), ..parts() },
                "cluster with 3 elements, one for each row, but found 0",
            ),
            (RowParts { data: &[1.0], ..parts() }, "as many indices as elements of data, 1, but found 5"),
            (RowParts { indptr: &[0, 4, 3, 5], ..parts() }, "indptr that ascends from 0"),
            (RowParts { indptr: &[-1, 3, 4, 5], ..parts() }, "indptr that ascends from 0"),
            (RowParts { indptr: &[0, 3, 4, 6], ..parts() }, "indptr that ascends from 0"),
            (RowParts { indptr: &[], ..parts() }, "label with 0 elements"),
            (RowParts { columns: 2, ..parts() }, "row 0: expected columns from 0 and below 2, but found 2"),
            (
                RowParts { indices: &[2, 0, 0, -1, 0], ..parts() },
                "row 1: expected columns from 0 and below 4, but found -1",
            ),
            (
                RowParts { data: &[0.0, 0.0, 0.0, f64::NAN, 0.0], ..parts() },
                "row 1: expected an entry below 10^30 in column 1, but found NaN",
            ),
            (
                RowParts { data: &[0.0, 0.0, 0.0, 1e31, 0.0], ..parts() },
                "row 1: expected an entry below 10^30",
            ),
            (
                RowParts { label: &[1.0, f64::NAN, 1.0], ..parts() },
                "row 1: expected a label, a number, but found NaN",
            ),
            (
                RowParts { weight: Some(&[1.0, 1.0, f64::INFINITY]), ..parts() },
                "row 2: expected a weight, a number, but found inf",
            ),
            (RowParts { columns: 1 << 40, ..parts() }, "a matrix of less than 2^32 columns"),
        ] {
            let error = RowTable::new(&wrong).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let wrong = RowParts { label: &[1.0, f64::NAN, 1.0], number: Some(&[30, 10, 20]), ..parts() };
        let error = RowTable::new(&wrong).unwrap_err().to_string();
        assert_eq!(error, "row 10: expected a label, a number, but found NaN");
    }

    #[test]
    fn a_cluster_that_some_rows_lack_cannot_be_an_array() {
        let mut table = RowTable::default();
        let text = &b"1 qid:1 1:1 # game:4\n0 qid:1 # game:4\n1 qid:2\n"[..];
        table.extend(&mut TextRows::new(text, RowKind::Choices)).unwrap();
        let error = table.column("cluster", |labels| labels.cluster, None).unwrap_err().to_string();
        assert_eq!(error, "row 2: expected a cluster in every row or in none, but found none");
    }
}
