//! Parses the text of a `.par` file. An error names the line, what was found there and what to do.

use super::layout::{Block, CellGrid, blocks};
use super::{CELLS, FLAGS, GRADIENT, MAGIC, Par, SIGNATURE, VERSION};
use crate::error::{Error, ErrorKind, Result};
use crate::feature::weights::MAX_WEIGHT;
use crate::feature::{Ends, Feature, Key, Mode, Setting, Weights, nearest, table_signature};

/// Reads the text of a `.par` file. It may begin with a byte order mark, have line ends of either kind and
/// trailing blanks.
///
/// # Errors
///
/// With the line number: a header that is missing or of another version; an unknown or repeated key; a row or
/// column too many or too few; a text that is not a number, or a number beyond [`MAX_WEIGHT`]; a flag that is
/// neither `tune` nor `frozen`.
pub fn parse(text: &str) -> Result<Par> {
    let mut lines = Lines::of(text);
    let other_table = header(&mut lines)?;
    let mut weights = Weights::start();
    let mut found = vec![None; Key::ALL.len()];
    while let Some(line) = lines.next() {
        let key = line.key().map_err(|error| error.at_line(line.number))?;
        if let Some(earlier) = found[key as usize].replace(line.number) {
            let found = format!("a second \"{}\" after that of line {earlier}; remove one", line.words[0]);
            return Err(Error::expected("each key once", found).at_line(line.number));
        }
        *weights.setting_mut(key) =
            setting(key.feature(), &line, &mut lines).map_err(|error| error.at_line(line.number))?;
        weights.validate_key(key).map_err(|error| error.at_line(line.number))?;
    }
    let missing = Key::standard().iter().copied().filter(|&key| found[key as usize].is_none());
    Ok(Par { weights, missing: missing.collect(), other_table })
}

/// A line with content, without its comment.
struct Line<'a> {
    number: usize,
    words: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn key(&self) -> Result<Key> {
        let name = self.words[0];
        Key::from_name(name).ok_or_else(|| {
            let expected = "a key of the feature table";
            match nearest(name, Key::ALL.iter().map(|key| key.feature().key)) {
                Some(near) => {
                    Error::expected(expected, format!("{}; did you mean \"{near}\"?", quoted(name)))
                }
                None => Error::expected(expected, quoted(name)).of_kind(ErrorKind::UnknownWeight),
            }
        })
    }

    /// The words after the first `skip`, if there are exactly as many as `names`; `previous` is the word
    /// before them.
    fn columns<const N: usize>(&self, skip: usize, previous: &str, names: [&str; N]) -> Result<[&'a str; N]> {
        let columns = self.words.get(skip..).unwrap_or_default();
        <[&str; N]>::try_from(columns).map_err(|_| {
            let expected = format!("{N} columns after {previous} ({})", names.join(", "));
            Error::expected(expected, format!("{}{}", columns.len(), quoted_list(columns)))
        })
    }
}

/// Iterator over the lines that are neither blank nor comments.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    last: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lines { lines: text.lines().enumerate(), last: text.lines().count().max(1) }
    }

    /// The next line, or an error at the end of the text that names what was expected.
    fn expect(&mut self, expected: &str) -> Result<Line<'a>> {
        let ended = Error::expected(expected, "the end of the text; is the file whole?");
        self.next().ok_or_else(|| ended.at_line(self.last))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        self.lines.by_ref().find_map(|(index, line)| {
            let content = line.split('#').next().unwrap_or_default();
            let words: Vec<_> = content.split_whitespace().collect();
            (!words.is_empty()).then_some(Line { number: index + 1, words })
        })
    }
}

/// Checks version and signature. The signature may be that of another feature table, because the lines are
/// read by key; it is then returned.
fn header(lines: &mut Lines) -> Result<Option<String>> {
    let first = format!("\"{MAGIC} {VERSION}\" as first line");
    let line = lines.expect(&first)?;
    if line.words != [MAGIC, VERSION] {
        let remedy = match line.words[0] {
            MAGIC => "it takes another version of the program",
            _ => "is this a .par file?",
        };
        let found = format!("{}; {remedy}", quoted(&line.words.join(" ")));
        return Err(Error::expected(first, found).at_line(line.number));
    }
    let own = table_signature();
    let second = format!("\"{SIGNATURE} {own}\" as second line");
    let line = lines.expect(&second)?;
    match line.words[..] {
        [SIGNATURE, signature] if is_signature(signature) => {
            Ok(Some(signature.to_string()).filter(|signature| *signature != own))
        }
        _ => {
            let found = format!("{}; add this line", quoted(&line.words.join(" ")));
            Err(Error::expected(second, found).at_line(line.number))
        }
    }
}

/// Whether a word has the form of a signature: as many hexadecimal digits.
fn is_signature(word: &str) -> bool {
    word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The setting that begins at `line`, together with the lines below that belong to it.
fn setting(feature: &Feature, line: &Line, lines: &mut Lines) -> Result<Setting> {
    let word = line.words.get(1).copied().unwrap_or_default();
    match (feature.layout.is_table(), word) {
        (false, GRADIENT | CELLS) => Err(Error::expected(
            format!("a weight, for {} has no table", feature.key),
            format!("\"{word}\"; remove the word"),
        )),
        (false, _) => Ok(single_entry(Mode::Scalar, entry(feature, line, 1)?)),
        (true, GRADIENT) if feature.group.is_optional() => Err(Error::expected(
            format!("\"{CELLS}\" after {}, which has no gradient", feature.key),
            format!("\"{word}\"; leave the key out if the table is to be off"),
        )),
        (true, GRADIENT) => Ok(single_entry(Mode::Gradient, entry(feature, line, 2)?)),
        (true, CELLS) => {
            line.columns(2, CELLS, [])?;
            cells(feature, lines)
        }
        (true, _) => Err(Error::expected(
            format!("\"{GRADIENT}\" or \"{CELLS}\" after {}, which has a table", feature.key),
            format!("{}; say how the table is held", quoted(word)),
        )),
    }
}

/// Opening weight, endgame weight, flag.
type Entry = (f64, f64, bool);

fn single_entry(mode: Mode, (open, end, tune): Entry) -> Setting {
    Setting { mode, open: vec![open], end: vec![end], tune: vec![tune] }
}

/// Weights and flag in the columns after the first `skip`.
fn entry(feature: &Feature, line: &Line, skip: usize) -> Result<Entry> {
    let names = ["opening weight", "endgame weight", "tune or frozen"];
    let [open, end, tune] = line.columns(skip, line.words[skip - 1], names)?;
    let open = number(open, "opening weight")?;
    let end = match feature.ends {
        Ends::Pair => number(end, "endgame weight")?,
        Ends::Single if end == "-" => open,
        Ends::Single => {
            let expected =
                format!("\"-\" as endgame weight, for {} has one weight for both phases", feature.key);
            return Err(Error::expected(expected, format!("{}; write -", quoted(end))));
        }
        Ends::OpeningOnly if number(end, "endgame weight").is_ok_and(|end| end == 0.0) => 0.0,
        Ends::OpeningOnly => {
            let expected = format!("0 as endgame weight, for {} counts in the opening only", feature.key);
            return Err(Error::expected(expected, format!("{}; write 0", quoted(end))));
        }
    };
    Ok((open, end, flag(tune)?))
}

/// The cells of a table, in the lines after the one with its key.
fn cells(feature: &Feature, lines: &mut Lines) -> Result<Setting> {
    let (grid, count) = (CellGrid::new(feature.layout), feature.layout.cells());
    let mut setting = Setting {
        mode: Mode::Cells,
        open: vec![0.0; count],
        end: vec![0.0; count],
        tune: vec![false; count],
    };
    if grid.is_list() {
        for (label, cells) in &grid.rows {
            let line = labelled(feature, label, lines)?;
            let (open, end, tune) = entry(feature, &line, 1).map_err(|error| error.at_line(line.number))?;
            (setting.open[cells[0]], setting.end[cells[0]], setting.tune[cells[0]]) = (open, end, tune);
        }
        return Ok(setting);
    }
    for &part in blocks(feature) {
        block(feature, &grid, part, lines, &mut setting)?;
    }
    if feature.ends == Ends::Single {
        setting.end.clone_from(&setting.open);
    }
    Ok(setting)
}

/// One block of a table in two dimensions.
fn block(
    feature: &Feature,
    grid: &CellGrid,
    block: Block,
    lines: &mut Lines,
    setting: &mut Setting,
) -> Result<()> {
    let head = labelled(feature, block.into(), lines)?;
    if head.words[1..] != grid.columns {
        let expected = format!("the columns {} of {}", grid.columns.join(" "), feature.key);
        let found = quoted(&head.words[1..].join(" "));
        return Err(Error::expected(expected, format!("{found}; keep their order")).at_line(head.number));
    }
    for (label, cells) in &grid.rows {
        let line = labelled(feature, label, lines)?;
        row(&line, block, cells, setting).map_err(|error| error.at_line(line.number))?;
    }
    Ok(())
}

/// One row of a block.
fn row(line: &Line, block: Block, cells: &[usize], setting: &mut Setting) -> Result<()> {
    let words = &line.words[1..];
    if words.len() != cells.len() {
        let expected = format!("{} columns after {}", cells.len(), line.words[0]);
        return Err(Error::expected(expected, format!("{}{}", words.len(), quoted_list(words))));
    }
    for (&cell, word) in cells.iter().zip(words) {
        match block {
            Block::Open => setting.open[cell] = number(word, "opening weight")?,
            Block::End => setting.end[cell] = number(word, "endgame weight")?,
            Block::Tune => setting.tune[cell] = flag(word)?,
        }
    }
    Ok(())
}

/// The next line, which must begin with `label`.
fn labelled<'a>(feature: &Feature, label: &str, lines: &mut Lines<'a>) -> Result<Line<'a>> {
    let expected = format!("the row \"{label}\" of {}", feature.key);
    let line = lines.expect(&expected)?;
    if line.words[0] != label {
        let found = format!("{}; keep all rows and their order", quoted(line.words[0]));
        return Err(Error::expected(expected, found).at_line(line.number));
    }
    Ok(line)
}

fn number(word: &str, column: &str) -> Result<f64> {
    match word.parse::<f64>() {
        Ok(number) if number.abs() <= MAX_WEIGHT => Ok(number),
        _ => Err(Error::expected(
            format!("a number from -{MAX_WEIGHT} to {MAX_WEIGHT} as {column}"),
            format!("{}; write it like -12 or 3.5", quoted(word)),
        )),
    }
}

fn flag(word: &str) -> Result<bool> {
    let flag = FLAGS.iter().position(|&flag| flag == word).map(|flag| flag == 1);
    flag.ok_or_else(|| {
        let expected = format!("\"{}\" or \"{}\"", FLAGS[1], FLAGS[0]);
        Error::expected(expected, format!("{}; write one of them", quoted(word)))
    })
}

/// The words of a line for an error message, with a colon before them; empty without words.
fn quoted_list(words: &[&str]) -> String {
    if words.is_empty() { String::new() } else { format!(": {}", quoted(&words.join(" "))) }
}

/// Text of the file for an error message: in quotes, with control characters escaped, and cut if it is long.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{:?}..", &text[..at]),
        None => format!("{text:?}"),
    }
}
