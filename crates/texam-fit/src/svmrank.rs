//! Choices and labelled rows as text, in the format of SVMrank that other rankers read and write, too.
//!
//! ```text
//! # texam-choices 1
//! 1 qid:1 3:2 17:-0.5 # game:12 e2e4
//! 0 qid:1 3:1 20:1 # game:12 d2d4
//! ```
//!
//! A line is a row. Rows with the same `qid` stand together and are those of one choice; the highest label is
//! that of the chosen one. Then come pairs of column and entry; columns count from 1 and ascend, entries are
//! decimal. What follows `#` is a remark; `game:` in it names the cluster, without which every choice is a
//! cluster of its own. Rows without `qid` are labelled rows: the label is the result that the value of the
//! row should tell, from 0 (lost) to 1 (won).
//!
//! Before the first pair `weight:` may give the weight of a choice or a labelled row, from above 0 to 1; the
//! rows of a choice have the same. Then `value:` may name the value that the program itself gives the row. It
//! must be the sum of entries times weights, within [`VALUE_TOLERANCE`](crate::VALUE_TOLERANCE); the first
//! row that is not is an error.
//!
//! Last before the pairs, `phase:` may give the share of the endgame, from 0 to 1. It divides each count
//! whose column has a plus sign: `phase:0.25 3+:2` is `3:1.5 4:0.5`.

use std::io::{self, BufRead, Read, Write};

use crate::{
    choice::Choice,
    error::{Error, Result},
    limits::LONGEST_LINE,
    row_source::{Labels, Place, RowKind, RowReader, is_usable_entry},
    units::QUANTA,
};

/// The first line of a file of choices.
pub const HEADER: &str = "# texam-choices 1";

/// Reads rows from a text.
pub struct TextRows<R> {
    input: R,
    kind: RowKind,
    line: String,
    /// Number of the line that was read last, from 1.
    number: u64,
}

impl<R: BufRead> RowReader for TextRows<R> {
    fn read_row(&mut self, entries: &mut Vec<(u32, f64)>) -> Result<Option<Labels>> {
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
            let cluster = cluster_of(remark).map(cluster_number);
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
                    return Err(self.wrong("a labelled row, which has no qid:", quoted(word)));
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
            let (weight, value, phase) = (named("weight:")?, named("value:")?, named("phase:")?);
            if let Some(phase) = phase.filter(|phase| !(0.0..=1.0).contains(phase)) {
                return Err(self.wrong("a phase from 0, the opening, to 1, the endgame", phase));
            }
            let start = words.peek().map_or(row.len(), |word| word.as_ptr().addr() - row.as_ptr().addr());
            if read_pairs(&row.as_bytes()[start..], phase, entries).is_none() {
                // Pairs in any form, and what is wrong with them.
                entries.clear();
                for word in words {
                    let Some((column, entry)) = read_entry(&word.replacen("+:", ":", 1)) else {
                        return Err(
                            self.wrong("a column from 1, a colon and an entry below 10^30", quoted(word))
                        );
                    };
                    if entries.last().is_some_and(|&(last, _)| last >= column) {
                        return Err(self.wrong("columns in ascending order", quoted(word)));
                    }
                    match phase {
                        _ if !word.contains("+:") => entries.push((column, entry)),
                        Some(phase) => {
                            entries.extend([(column, entry * (1.0 - phase)), (column + 1, entry * phase)])
                        }
                        None => {
                            return Err(self.wrong("phase: before the count of two columns", quoted(word)));
                        }
                    }
                }
            }
            if phase.is_some() {
                entries.retain(|&(_, entry)| entry != 0.0);
            }
            return Ok(Some(Labels { label, query, cluster, weight, value }));
        }
    }

    fn place(&self) -> Place {
        Place::Line(self.number)
    }
}

impl<R: BufRead> TextRows<R> {
    /// Reads rows of this kind from `input`.
    pub fn new(input: R, kind: RowKind) -> TextRows<R> {
        TextRows { input, kind, line: String::new(), number: 0 }
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
        self.place().wrong(expected, found)
    }
}

/// The cluster that a remark names: `game:12` or `game: 12`.
fn cluster_of(remark: &str) -> Option<&str> {
    let mut words = remark.split_whitespace();
    let name = words.find_map(|word| word.strip_prefix("game:"))?;
    if name.is_empty() { words.next() } else { Some(name) }
}

/// A pair of column, counted from 0, and entry.
fn read_entry(word: &str) -> Option<(u32, f64)> {
    let (column, entry) = word.split_once(':')?;
    let column = column.parse::<u32>().ok()?.checked_sub(1).filter(|&column| column < u32::MAX - 2)?;
    let entry = entry.parse().ok()?;
    is_usable_entry(entry).then_some((column, entry))
}

/// Reads pairs in the form that programs write: digits, perhaps a plus sign, a colon, a number. None at
/// anything else, be it wrong or only unusual.
fn read_pairs(mut text: &[u8], phase: Option<f64>, entries: &mut Vec<(u32, f64)>) -> Option<()> {
    let mut least = 1;
    loop {
        text = text.trim_ascii_start();
        let (column, rest) = read_digits(text, 0);
        // Nine digits fit 32 bits.
        if column < least || text.len() - rest.len() > 9 {
            return text.is_empty().then_some(());
        }
        let is_divided = rest.starts_with(b"+");
        let rest = rest[usize::from(is_divided)..].strip_prefix(b":")?;
        let (entry, rest) = match rest {
            // Most counts have one digit.
            [digit @ b'0'..=b'9', b' ', ..] => (f64::from(digit - b'0'), &rest[1..]),
            [b'-', digit @ b'0'..=b'9', b' ', ..] => (-f64::from(digit - b'0'), &rest[2..]),
            _ => read_number(rest).filter(|&(entry, _)| is_usable_entry(entry))?,
        };
        let share = if is_divided { phase? } else { 0.0 };
        entries.push((column as u32 - 1, entry * (1.0 - share)));
        entries.extend(is_divided.then_some((column as u32, entry * share)));
        least = column + 1 + u64::from(is_divided);
        text = rest;
    }
}

/// The number that digits make behind those of `number`, modulo 2^64, and what follows them.
#[inline]
fn read_digits(text: &[u8], mut number: u64) -> (u64, &[u8]) {
    let mut bytes = text.iter();
    loop {
        let rest = bytes.as_slice();
        match bytes.next().map(|byte| byte.wrapping_sub(b'0')) {
            Some(digit) if digit < 10 => number = number.wrapping_mul(10).wrapping_add(u64::from(digit)),
            _ => return (number, rest),
        }
    }
}

/// The first word of a text as a number, and what follows it. A decimal whose digits are an integer of 53
/// bits is this divided by a power of ten that is exact, too, so that it is rounded as [`str::parse`] rounds.
fn read_number(text: &[u8]) -> Option<(f64, &[u8])> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (mut integer, mut rest) = read_digits(digits, 0);
    let (mut count, mut places) = (digits.len() - rest.len(), 0);
    if let [b'.', fraction @ ..] = rest {
        (integer, rest) = read_digits(fraction, integer);
        places = fraction.len() - rest.len();
        count += places;
    }
    // Nineteen digits fit 64 bits.
    let is_exact = (1..20).contains(&count) && integer <= 1 << f64::MANTISSA_DIGITS;
    if is_exact && rest.first().is_none_or(u8::is_ascii_whitespace) {
        let number = integer as i64 as f64 / 10_u64.pow(places as u32) as f64;
        return Some((if digits.len() < text.len() { -number } else { number }, rest));
    }
    let (word, rest) = text.split_at(text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len()));
    Some((str::from_utf8(word).ok()?.parse().ok()?, rest))
}

/// The number of a cluster: its name if that is a number, else one made of the name (FNV-1a).
pub fn cluster_number(name: &str) -> u64 {
    let hash = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.parse().unwrap_or_else(|_| name.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}

fn quoted(word: &str) -> String {
    const SHOWN: usize = 40;
    let start: String = word.chars().take(SHOWN).collect();
    let more = if word.chars().count() > SHOWN { "..." } else { "" };
    format!("\"{}{more}\"", start.escape_debug())
}

/// Writes a row, without the end of its line.
///
/// # Errors
///
/// Those of `output`.
pub fn write_row(
    output: &mut impl Write,
    labels: &Labels,
    entries: impl Iterator<Item = (u32, f64)>,
) -> io::Result<()> {
    let Labels { label, query, cluster, weight, value } = labels;
    write!(output, "{label}")?;
    query.map_or(Ok(()), |query| write!(output, " qid:{query}"))?;
    weight.map_or(Ok(()), |weight| write!(output, " weight:{weight}"))?;
    value.map_or(Ok(()), |value| write!(output, " value:{value}"))?;
    for (column, entry) in entries {
        write!(output, " {}:{entry}", column + 1)?;
    }
    cluster.map_or(Ok(()), |cluster| write!(output, " # game:{cluster}"))
}

/// Writes a choice: the chosen row has the label 1, the others 0. `query` is its number; `names` are those of
/// its rows, for the remarks.
///
/// # Errors
///
/// Those of `output`.
pub fn write_choice<'a>(
    output: &mut impl Write,
    query: u64,
    choice: &Choice,
    names: impl IntoIterator<Item = &'a str>,
) -> io::Result<()> {
    let (query, cluster) = (Some(query), Some(choice.cluster()));
    for ((number, row), name) in choice.rows().enumerate().zip(names) {
        let labels = Labels { label: f64::from(number == 0), query, cluster, weight: None, value: None };
        let entries = row.iter().map(|(column, entry)| (column as u32, f64::from(entry) / QUANTA));
        write_row(output, &labels, entries)?;
        writeln!(output, " {name}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::*;
    use crate::{
        model::{Model, Parameter},
        row_source::{RowInput, RowSource, Rows},
    };

    fn text_rows(text: &str, kind: RowKind) -> TextRows<&[u8]> {
        TextRows::new(text.as_bytes(), kind)
    }

    fn model(values: &[f64]) -> Model {
        let parameter = |(at, &value): (usize, &f64)| Parameter::new(format!("w{at}"), value);
        Model::new(values.iter().enumerate().map(parameter).collect()).unwrap()
    }

    /// All choices of a text, cluster by cluster.
    fn read(text: &str, kind: RowKind, model: &Model) -> Result<Vec<Vec<Choice>>> {
        let mut rows = Rows::new(text_rows(text, kind), kind);
        let (mut clusters, mut buffer) = (Vec::new(), Vec::new());
        loop {
            match rows.read_cluster(model, &mut buffer)? {
                0 => return Ok(clusters),
                used => clusters.push(buffer[..used].to_vec()),
            }
        }
    }

    proptest! {
        #[test]
        fn numbers_have_the_bits_that_the_standard_library_reads(
            word in r"[+-]?[0-9]{0,21}(\.[0-9]{0,24})?([eE][+-]?[0-9]{1,3})?|-?[0-9]{0,3}\.?[0-9]{1,17}|nan|-inf|x",
            rest in "|[ \t][0-9 ]{0,3}",
        ) {
            let found = read_number(format!("{word}{rest}").as_bytes()).map(|(number, after)| {
                assert_eq!(after, rest.as_bytes());
                number.to_bits()
            });
            prop_assert_eq!(found, word.parse().ok().map(f64::to_bits));
        }

        #[test]
        fn pairs_are_the_same_in_usual_and_in_unusual_form(
            pairs in prop::collection::vec((1..20_u32, r"\+?:[+-]?[0-9]{1,2}(\.[0-9]{1,18})?(e[0-9]{1,2}|:| )?"), 0..5),
            has_phase: bool,
        ) {
            let phase = if has_phase { " phase:0.3" } else { "" };
            let read = |start: &str| {
                let pairs = pairs.iter().map(|(step, rest)| format!(" {start}{step}{rest}"));
                let text = format!("1{phase}{}", pairs.collect::<String>());
                let (mut rows, mut entries) = (TextRows::new(text.as_bytes(), RowKind::Labelled), Vec::new());
                rows.read_row(&mut entries).map(|_| entries).map_err(|error| error.to_string().replace(start, ""))
            };
            prop_assert_eq!(read("\u{0}").is_err(), !pairs.is_empty());
            prop_assert_eq!(read(""), read("000000000"));
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
            ("value:-11.5", ["line 2", "give the value -11.5 of the row", "give -10; if rounded"]),
            ("value:x", ["line 2", "value: and a number", "value:x"]),
            ("value:NaN", ["line 2", "value: and a number", "value:NaN"]),
        ] {
            let error = read(&text(wrong), RowKind::Choices, &model).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
        // A sixth is 43/256 in the fit, but not in this comparison.
        let large = self::model(&[1000.0]);
        assert!(read("0.5 value:166.7 1:0.1666667\n", RowKind::Labelled, &large).is_ok());
        assert!(read("0.5 value:168 1:0.1666667\n", RowKind::Labelled, &large).is_err());
        assert!(read("0.5 value:21 1:2\n", RowKind::Labelled, &model).is_ok());
        assert!(read("0.5 value:22 1:2\n", RowKind::Labelled, &model).is_err());
        let mut unchecked = Rows::new(text_rows("0.5 value:22 1:2\n", RowKind::Labelled), RowKind::Labelled);
        unchecked.checks_values = false;
        assert_eq!(unchecked.read_cluster(&model, &mut Vec::new()).unwrap(), 1);
    }

    #[test]
    fn a_phase_divides_the_counts_of_two_columns() {
        let model = model(&[10.0, 20.0, 30.0, 40.0]);
        let rows = |text: &str| read(text, RowKind::Labelled, &model);
        for (short, long) in [
            ("0.5 phase:0.25 1+:2 3+:-1", "0.5 1:1.5 2:0.5 3:-0.75 4:-0.25"),
            ("1 weight:0.5 value:30 phase:1 1:1 2:1 3+:0", "1 weight:0.5 value:30 1:1 2:1"),
            ("0 phase:0 1+:3 4:2", "0 1:3 4:2"),
        ] {
            assert_eq!(rows(short).unwrap(), rows(long).unwrap(), "{short}");
        }
        for (wrong, part) in [
            ("1 1+:2", "phase: before the count of two columns, but found \"1+:2\""),
            ("1 phase:1.5 1+:2", "a phase from 0, the opening, to 1, the endgame, but found 1.5"),
            ("1 phase:NaN 1+:2", "phase: and a number"),
            ("1 phase:0 1+:2 2:1", "columns in ascending order"),
            ("1 phase:0.5 4+:2", "columns up to 4"),
            ("1 phase:0.5 4294967295+:2", "a column"),
            ("1 phase:0.5 +:2", "a column from 1"),
        ] {
            let error = rows(&format!("# a\n{wrong}\n")).unwrap_err().to_string();
            assert!(error.contains("line 2") && error.contains(part), "{error}");
        }
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
            (["weight:0.5", ""], "one weight for all rows of a choice"),
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
        let units =
            |choice: &Choice| choice.values().iter().map(|&value| crate::in_units(value)).collect::<Vec<_>>();
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
            let value = |row: &[(u32, i64)]| model.value(row.iter().copied());
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
        assert_eq!(clusters[0][1].values(), [-2 * crate::VALUE_UNIT]);
        let message = |text: &str| read(text, RowKind::Labelled, &model).unwrap_err().to_string();
        assert_eq!(message("0.5 1:1\n1.5 1:1\n"), "line 2: expected a label from 0 to 1, but found 1.5");
        assert!(message("0 qid:1 1:1\n").starts_with("line 1: expected a labelled row"));
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
            ("1 qid:1 1:nan\n", 1, "below 10^30, but found \"1:nan\""),
            ("1 qid:1 1:1e30\n", 1, "below 10^30"),
            ("\n1 qid:1 3:1\n", 2, "columns up to 2, the number of weights, but found 3"),
            ("1 qid:1 1:1\n1 qid:1 2:1\n", 2, "one row of a choice with the highest label"),
            ("1 qid:1\n1 qid:2\n1 qid:1\n", 3, "next to each other, but found choice 1 again"),
            (
                "1 qid:1 # game:a\n1 qid:2 # game:b\n1 qid:3 # game:a\n",
                3,
                "the choices of a cluster next to each other",
            ),
            ("1 qid:1 # game:1\n0 qid:1 # game:2\n", 2, "one cluster for all rows of a choice"),
            ("# texam-choices 2\n", 1, "texam-choices 1, but found version 2"),
            ("1 qid:1 1:1e6\n0 qid:1 1:8388607\n", 2, "values of rows"),
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
        let mut rows = Rows::new(TextRows::new(&b"1 qid:1 \xff\n"[..], RowKind::Choices), RowKind::Choices);
        assert!(rows.read_cluster(&model, &mut Vec::new()).unwrap_err().to_string().contains("UTF-8"));
    }

    /// A text in memory.
    struct Text(String);

    impl RowInput for Text {
        fn open(&mut self, kind: RowKind, _: &Model) -> Result<Box<dyn RowReader>> {
            self.open_again(kind)
        }

        fn open_again(&mut self, kind: RowKind) -> Result<Box<dyn RowReader>> {
            Ok(Box::new(TextRows::new(io::Cursor::new(self.0.clone()), kind)))
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
        let run = crate::tuner::tests::tune(&mut source, &crate::Softmax, &start, &plan, &()).unwrap();
        let counts = counts.into_inner().unwrap();
        assert_eq!((counts.clusters, counts.choices, counts.columns), ([90, 11], [360, 40], 3));
        let [first, .., last] = &run.passes[..] else { panic!("seven passes") };
        let held_out = |pass: &crate::Pass| pass.report.held_out.as_ref().unwrap().match_rate();
        assert!(held_out(first) < 0.5 && held_out(last) > 0.5, "{} {}", held_out(first), held_out(last));
        assert!(last.values[0] > 4.0 * last.values[1].abs());
        assert_eq!(last.values[2], 3.0);
    }

    #[test]
    fn clusters_that_occur_twice_are_counted() {
        let games = |first: u32| {
            let row = |game: u32| {
                let [a, b] = [2 * game, 2 * game + 1].map(|choice| choice + 10 * first);
                let (x, game) = (game % 3 + 1, game + first);
                format!(
                    "1 qid:{a} 1:{x} # game:{game}\n0 qid:{a} 1:4 # game:{game}\n\
                     1 qid:{b} 1:{x} # game:{game}\n0 qid:{b} 2:1 # game:{game}\n"
                )
            };
            (1..=3).map(row).collect::<String>()
        };
        let mut input = Text(games(0) + &games(10));
        let start = model(&[1.0, 2.0]);
        let options = crate::FitOptions { min_support: 1, ..Default::default() };
        let (tick, counts) = (|_: &_| true, Mutex::default());
        let mut source = RowSource::new(&mut input, RowKind::Choices, Some(2), &tick, &counts);
        crate::fit_once(&mut source, &crate::Softmax, &start, &options).unwrap();
        let crate::RowCounts { clusters, duplicates, .. } = *counts.lock().unwrap();
        // Of the games 1 to 3 and 11 to 13, which are alike, 2 and 12 are held out.
        assert_eq!((clusters, duplicates.repeats, duplicates.also_fitted), ([4, 2], 3, 0));
    }

    /// A fit by softmax without a ridge of choices of four rows, whose best by `values` is chosen.
    fn softmax(
        columns: usize,
        row: impl Fn([i32; 2]) -> Vec<i32>,
        values: impl Fn(&[i32], f64) -> f64,
    ) -> crate::Fit {
        let mut random = fastrand::Rng::with_seed(7);
        let mut text = String::new();
        for query in 1..=300 {
            let rows: Vec<_> = (0..4).map(|_| row([random.i32(-3..=3), random.i32(-3..=3)])).collect();
            let values: Vec<f64> = rows.iter().map(|row| values(row, random.f64())).collect();
            let best = (0..4).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
            for (at, row) in rows.iter().enumerate() {
                let entries =
                    row.iter().zip(1..).filter(|&(&x, _)| x != 0).map(|(x, column)| format!(" {column}:{x}"));
                text += &format!("{} qid:{query}{}\n", i32::from(at == best), entries.collect::<String>());
            }
        }
        let mut input = Text(text);
        let (tick, counts) = (|_: &_| true, Mutex::default());
        let mut source = RowSource::new(&mut input, RowKind::Choices, None, &tick, &counts);
        let ridge = crate::Ridge::Fixed(0.0);
        let options = crate::FitOptions {
            min_support: 1,
            ridge,
            temperature: Some(64.0),
            inner: 40,
            ..Default::default()
        };
        let start = model(&vec![1.0; columns]);
        crate::fit_once(&mut source, &crate::Softmax, &start, &options).unwrap().unwrap().1
    }

    #[test]
    fn a_column_that_is_the_sum_of_others_leaves_the_rank_of_the_rows_and_no_errors() {
        let fit = softmax(
            3,
            |[a, b]| vec![a, b, a + b],
            |row, noise| f64::from(3 * row[0] + row[1]) + 12.0 * noise,
        );
        assert_eq!((fit.rank, fit.solved), (2, 3));
        assert!(fit.parameters.iter().all(|weight| weight.is_open && !weight.grows));
        assert!(fit.parameters.iter().all(|weight| weight.standard_error.is_none()));
    }

    #[test]
    fn weights_that_nothing_holds_back_are_named_even_where_some_choices_are_tied() {
        let fit = softmax(2, |[a, b]| vec![a, b], |row, noise| f64::from(3 * row[0] + row[1]) + noise / 2.0);
        assert!(fit.parameters.iter().all(|weight| weight.grows), "{fit:?}");
        let fitted = crate::MeanLoss { mean: 0.05, error: 0.01 };
        let loss = Some(crate::LossReport { temperature: 64.0, fitted, held_out: None, changes: [None; 2] });
        let said = &crate::advice::fit_warnings(&crate::PassReport { loss, ..Default::default() }, &fit)[0];
        assert_eq!(
            said,
            "nearly every row is far ahead, so these weights grow without end: w0, w1; use a ridge"
        );
    }

    #[test]
    fn choices_of_one_row_have_nothing_to_fit() {
        let mut input = Text("1 qid:1 1:1\n1 qid:2 1:2\n".to_string());
        let (tick, counts) = (|_: &_| true, Mutex::default());
        let mut source = RowSource::new(&mut input, RowKind::Choices, None, &tick, &counts);
        let options = crate::FitOptions { min_support: 1, ..Default::default() };
        let fitted = crate::fit_once(&mut source, &crate::Softmax, &model(&[1.0]), &options);
        assert!(matches!(fitted, Err(crate::Error::NoChoices)));
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
}
