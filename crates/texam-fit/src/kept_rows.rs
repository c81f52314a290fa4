//! The rows of a text, kept in memory while it is read a first time, so that a short text is parsed once.

use std::sync::{Arc, OnceLock};

use crate::{Labels, Place, Result, RowReader};

/// Bytes that are kept. A longer text is parsed each time.
const LIMIT: usize = if cfg!(test) { 4000 } else { 64 << 20 };

/// Keeps the rows of one text.
#[derive(Default)]
pub struct KeptRows(Arc<OnceLock<Option<Arc<Kept>>>>);

/// For each row, and then for the end: its place, its labels, and where its entries end.
#[derive(Default)]
struct Kept {
    rows: Vec<(Place, Option<Labels>, usize)>,
    entries: Vec<(u32, f64)>,
}

impl KeptRows {
    /// The rows that are kept, or else those of `text`, which are kept once they are read to their end.
    pub fn reader(&self, text: impl RowReader + 'static) -> Box<dyn RowReader> {
        match self.0.get() {
            Some(Some(rows)) => Box::new(KeptReader { rows: Arc::clone(rows), next: 0 }),
            Some(None) => Box::new(text),
            None => Box::new(Keeper { text, to: Arc::clone(&self.0), rows: Some(Kept::default()) }),
        }
    }
}

struct Keeper<R> {
    text: R,
    to: Arc<OnceLock<Option<Arc<Kept>>>>,
    rows: Option<Kept>,
}

impl<R: RowReader> RowReader for Keeper<R> {
    fn read_row(&mut self, entries: &mut Vec<(u32, f64)>) -> Result<Option<Labels>> {
        let labels = self.text.read_row(entries)?;
        if let Some(kept) = &mut self.rows {
            kept.entries.extend_from_slice(entries);
            kept.rows.push((self.text.place(), labels, kept.entries.len()));
            let is_long = size_of_val(&kept.entries[..]) + size_of_val(&kept.rows[..]) > LIMIT;
            if is_long || labels.is_none() {
                self.to.set(self.rows.take().filter(|_| !is_long).map(Arc::new)).ok();
            }
        }
        Ok(labels)
    }

    fn place(&self) -> Place {
        self.text.place()
    }
}

struct KeptReader {
    rows: Arc<Kept>,
    next: usize,
}

impl RowReader for KeptReader {
    fn read_row(&mut self, entries: &mut Vec<(u32, f64)>) -> Result<Option<Labels>> {
        let start = self.next.checked_sub(1).map_or(0, |before| self.rows.rows[before].2);
        let Some(&(_, labels, end)) = self.rows.rows.get(self.next) else { return Ok(None) };
        entries.extend_from_slice(&self.rows.entries[start..end]);
        self.next += 1;
        Ok(labels)
    }

    fn place(&self) -> Place {
        self.next.checked_sub(1).map_or(Place::Line(0), |at| self.rows.rows[at].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{row_source::RowKind, svmrank::TextRows};

    fn rows(mut reader: Box<dyn RowReader>) -> String {
        let (mut found, mut entries) = (String::new(), Vec::new());
        while let Some(labels) = reader.read_row(&mut entries).unwrap() {
            found += &format!("{:?} {labels:?} {entries:?}\n", reader.place());
            entries.clear();
        }
        format!("{found}{:?}", reader.place())
    }

    #[test]
    fn rows_are_the_same_again_with_their_lines_whether_they_are_kept_or_not() {
        let short =
            "# texam-choices 1\n\n1 qid:7 weight:0.5 1:-0 3:0 # game:12\n0 qid:7 value:-1.5\n0 qid:9\n\n";
        for (text, is_kept) in [(short.to_string(), true), ("1 qid:7\n".repeat(60), false)] {
            let new = || TextRows::new(std::io::Cursor::new(text.clone()), RowKind::Choices);
            let (kept, expected) = (KeptRows::default(), rows(Box::new(new())));
            assert_eq!(rows(kept.reader(new())), expected);
            assert_eq!(kept.0.get().unwrap().is_some(), is_kept);
            assert_eq!(rows(kept.reader(new())), expected);
        }
    }
}
