//! Inputs for the fuzz targets of texam: the corpus of a target, and mutants of its files.
//!
//! Random bytes rarely pass the first line of a parser. A [`Recipe`] says how to edit a file of the corpus,
//! so that most mutants fail, or succeed, deep inside. Recipes are numbers, so the fuzzer can generate and
//! shrink them. The targets are in `tests/`, one file each.

use std::{env, fmt, fs, path::Path};

/// How to make a mutant: which file of the corpus, and the edits.
pub type Recipe = (u8, Vec<Edit>);

/// An edit: what it does, where, how far it reaches, and a value to insert.
pub type Edit = (u8, u16, u8, u16);

/// Largest number of edits that are applied. With many more, all mutants look like random bytes.
const MAX_EDITS: usize = 8;

/// Numbers at the limits of types and rules.
const NUMBERS: [&str; 20] = [
    "0",
    "-1",
    "1",
    "2",
    "9",
    "127",
    "255",
    "256",
    "8192",
    "8192.001",
    "65536",
    "2147483648",
    "4294967295",
    "18446744073709551615",
    "18446744073709551616",
    "-0",
    "1e308",
    "1e-320",
    "nan",
    "inf",
];

/// Bytes that parsers treat in a special way.
const SPECIAL: &[u8] = b"\0\t\n\r \"#$%()*+,-./0:;=@KO[]\\_`aehx{}~\x7f\x80\xbf\xc3\xef\xff";

/// An input. It is shown as text with escapes, to be copied from the message of a failure.
#[derive(Clone, PartialEq, Eq)]
pub struct Input(pub Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// The files of the corpus of a target.
pub struct Corpus {
    files: Vec<Vec<u8>>,
}

impl Corpus {
    /// Reads the corpus of a target, in the order of the file names.
    ///
    /// # Panics
    ///
    /// The target has no corpus, or the corpus is empty.
    pub fn of(target: &str) -> Corpus {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/__fuzz__").join(target).join("corpus");
        let entries = fs::read_dir(&folder).expect("every target has a corpus");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{} is empty", folder.display());
        Corpus { files: paths.iter().map(|path| fs::read(path).expect("the file can be read")).collect() }
    }

    /// A file of the corpus, edited.
    pub fn mutant(&self, (file, edits): &Recipe) -> Input {
        let mut bytes = self.file(*file).to_vec();
        for edit in edits.iter().take(MAX_EDITS) {
            self.apply(edit, &mut bytes);
        }
        Input(bytes)
    }

    fn file(&self, number: u8) -> &[u8] {
        &self.files[usize::from(number) % self.files.len()]
    }

    fn apply(&self, &(kind, place, length, value): &Edit, bytes: &mut Vec<u8>) {
        let start = scaled(place, bytes.len() + 1);
        let end = bytes.len().min(start + usize::from(length) / 8 + 1);
        let special = SPECIAL[usize::from(value) % SPECIAL.len()];
        match kind % 24 {
            0 if start < end => bytes[start] = value as u8,
            1 if start < end => bytes[start] = special,
            2 => bytes.insert(start, special),
            3 => drop(bytes.drain(start..end)),
            4 => {
                let copy = bytes[start..end].to_vec();
                let to = scaled(value, bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            5 => bytes.truncate(start),
            6 => {
                let word = self.word(length, value).to_vec();
                bytes.splice(word_at(bytes, start), word);
            }
            7 => {
                let number = NUMBERS[usize::from(value) % NUMBERS.len()].bytes();
                bytes.splice(number_at(bytes, start), number);
            }
            8 => drop(bytes.drain(line_at(bytes, start))),
            9 => {
                let line = bytes[line_at(bytes, start)].to_vec();
                let to = line_at(bytes, scaled(value, bytes.len() + 1)).start;
                bytes.splice(to..to, line);
            }
            10 => {
                let other = self.file(length);
                let line = other[line_at(other, scaled(value, other.len() + 1))].to_vec();
                let to = line_at(bytes, start).start;
                bytes.splice(to..to, line);
            }
            11 => {
                let digits = number_at(bytes, start);
                bytes.splice(digits, (value % 100).to_string().bytes());
            }
            // No edit, so that many recipes are short.
            _ => {}
        }
    }

    /// A word of any file.
    fn word(&self, file: u8, place: u16) -> &[u8] {
        let bytes = self.file(file);
        &bytes[word_at(bytes, scaled(place, bytes.len() + 1))]
    }
}

/// A place below `limit` that is as far along as `place` is among all of its type.
fn scaled(place: u16, limit: usize) -> usize {
    (usize::from(place) * limit) >> 16
}

/// The bytes around a place that fulfil a condition.
fn run_at(bytes: &[u8], place: usize, belongs: impl Fn(&u8) -> bool) -> std::ops::Range<usize> {
    let before = bytes[..place].iter().rev().take_while(|byte| belongs(byte)).count();
    let after = bytes[place..].iter().take_while(|byte| belongs(byte)).count();
    place - before..place + after
}

fn word_at(bytes: &[u8], place: usize) -> std::ops::Range<usize> {
    run_at(bytes, place, |byte| !byte.is_ascii_whitespace())
}

/// The number that ends at or after a place; empty at the end if there is none.
fn number_at(bytes: &[u8], place: usize) -> std::ops::Range<usize> {
    let skipped = bytes[place..].iter().take_while(|byte| !byte.is_ascii_digit()).count();
    run_at(bytes, place + skipped, |byte| byte.is_ascii_digit() || *byte == b'.')
}

/// The line at a place with its line end.
fn line_at(bytes: &[u8], place: usize) -> std::ops::Range<usize> {
    let line = run_at(bytes, place, |&byte| byte != b'\n');
    line.start..bytes.len().min(line.end + 1)
}

/// Number of random cases of a target: `few`, or as many as fit if `BOLERO_RANDOM_TEST_TIME_MS` sets a time.
pub fn cases(few: usize) -> usize {
    if env::var_os("BOLERO_RANDOM_TEST_TIME_MS").is_some() { usize::MAX } else { few }
}

/// A number that depends on all bytes: the FNV-1a hash.
pub fn seed_of(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus() -> Corpus {
        Corpus { files: [&b"one 2\nthree 44\n"[..], b""].map(<[u8]>::to_vec).to_vec() }
    }

    fn edited(edit: Edit) -> String {
        String::from_utf8(corpus().mutant(&(0, vec![edit])).0).unwrap()
    }

    #[test]
    fn an_edit_changes_what_it_names() {
        assert_eq!(edited((8, 0, 0, 0)), "three 44\n");
        assert_eq!(edited((11, 30_000, 0, 7)), "one 2\nthree 7\n");
        assert_eq!(edited((9, 0, 0, u16::MAX)), "one 2\nthree 44\none 2\n");
        assert_eq!(edited((7, 0, 0, 3)), "one 2\nthree 44\n");
        assert_eq!(edited((5, 0, 0, 0)), "");
    }

    #[test]
    fn every_edit_can_be_applied_to_every_file_at_every_place() {
        for kind in 0..=u8::MAX {
            for place in (0..=u16::MAX).step_by(997) {
                for file in 0..2 {
                    corpus().mutant(&(file, vec![(kind, place, 255, place), (kind, u16::MAX, 0, u16::MAX)]));
                }
            }
        }
    }

    #[test]
    fn an_input_is_shown_as_a_literal() {
        assert_eq!(format!("{:?}", Input(b"a\n\xff\"".to_vec())), r#"b"a\n\xff\"""#);
    }
}
