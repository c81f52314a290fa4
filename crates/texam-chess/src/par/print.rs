//! [`Weights`] -> `.par` text.
//!
//! Numbers are aligned at the decimal point. Columns have one of three widths, so a diff of two fitted sets
//! shows the weights that differ and not every line.

use strum::VariantArray;

use super::layout::{Block, CellGrid, blocks};
use super::{CELLS, FLAGS, GRADIENT, MAGIC, SIGNATURE, VERSION};
use crate::feature::{Ends, Feature, Group, Key, Mode, Setting, Weights, table_signature};
use crate::printable::one_line;

/// Widths, in characters, of the key and of the word `gradient` or `cells`.
const NAMES: [usize; 2] = [13, 9];

/// Width, in characters, of a number up to its decimal point.
const WHOLE: usize = 7;

/// Widths, in characters, of the decimal point and the digits after it: for integers only, for hand-set
/// weights, for fitted weights.
const FRACTIONS: [usize; 3] = [0, 4, 20];

const LEGEND: &str = "\
# Weights in 1/128 pawn: opening, endgame, and whether a fit may change them. A gradient scales the fixed
# shape of its table; - stands for one weight in both phases. docs/FORMATS.md has the details.
";

/// The text of a `.par` file: remarks as comments, header, then all weights by group. Features that are off
/// are left out.
pub fn format(weights: &Weights, remarks: &[String]) -> String {
    let mut text = String::new();
    for line in remarks.iter().flat_map(|remark| remark.lines()) {
        push(&mut text, &format!("# {}", one_line(line)));
    }
    push(&mut text, &format!("{MAGIC} {VERSION}"));
    push(&mut text, &format!("{SIGNATURE} {}", table_signature()));
    text.push('\n');
    text.push_str(LEGEND);
    let printer = Printer { fraction: fraction_width(weights) };
    for group in Group::VARIANTS.iter().copied() {
        let keys = || Key::ALL.iter().filter(|&&key| key.feature().group == group && weights.is_on(key));
        if keys().next().is_none() {
            continue;
        }
        push(&mut text, &format!("\n# {} {}", group.number(), group.name()));
        push(&mut text, &printer.heading());
        for &key in keys() {
            printer.feature(&mut text, key.feature(), weights.setting(key));
        }
    }
    text
}

/// Adds a line, without trailing blanks.
fn push(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

/// The shortest text that reads back as this number. Very small numbers have an exponent.
fn shortest(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-5 { format!("{number:e}") } else { format!("{number}") }
}

/// The smallest of the three widths that holds the fraction of every weight.
fn fraction_width(weights: &Weights) -> usize {
    let settings = Key::ALL.iter().map(|&key| weights.setting(key));
    let numbers = settings.flat_map(|setting| setting.open.iter().chain(&setting.end));
    let widest = numbers.map(|&number| split_at_point(&shortest(number)).1.len()).max().unwrap_or(0);
    FRACTIONS.into_iter().find(|&width| width >= widest).unwrap_or(FRACTIONS[2])
}

fn split_at_point(number: &str) -> (&str, &str) {
    number.split_at(number.find('.').unwrap_or(number.len()))
}

/// The names at the start of a line.
fn in_columns([key, held]: [&str; 2]) -> String {
    format!("{key:<0$}{held:<1$}", NAMES[0], NAMES[1])
}

/// Prints lines with columns of fixed width.
struct Printer {
    fraction: usize,
}

impl Printer {
    /// A comment with the titles of the columns.
    fn heading(&self) -> String {
        format!("{}{}{}  tune", in_columns(["# key", ""]), self.cell("open"), self.cell("end"))
    }

    /// A number aligned at its decimal point, or a word that ends where the decimal points are. It begins
    /// with a blank also if it is too wide, as -1e-300 is.
    fn cell(&self, text: &str) -> String {
        let (whole, fraction) = split_at_point(text);
        format!(" {whole:>0$}{fraction:<1$}", WHOLE - 1, self.fraction)
    }

    fn feature(&self, text: &mut String, feature: &Feature, setting: &Setting) {
        match setting.mode {
            Mode::Scalar | Mode::Gradient => {
                let held = if setting.mode == Mode::Gradient { GRADIENT } else { "" };
                let line = self.entry([feature.key, held], feature.ends, setting, 0);
                push(text, &format!("{line}  # {}", feature.meaning));
            }
            Mode::Cells => {
                push(text, &format!("{}  # {}", in_columns([feature.key, CELLS]), feature.meaning));
                self.cells(text, feature, setting);
            }
            Mode::Off => {}
        }
    }

    /// The line of one entry: names, weights and flag.
    fn entry(&self, names: [&str; 2], ends: Ends, setting: &Setting, entry: usize) -> String {
        let end = match ends {
            Ends::Pair => shortest(setting.end[entry]),
            Ends::Single => "-".to_string(),
            Ends::OpeningOnly => "0".to_string(),
        };
        let (open, end) = (self.cell(&shortest(setting.open[entry])), self.cell(&end));
        format!("{}{open}{end}  {:<6}", in_columns(names), FLAGS[usize::from(setting.tune[entry])])
    }

    fn cells(&self, text: &mut String, feature: &Feature, setting: &Setting) {
        let grid = CellGrid::new(feature.layout);
        if grid.is_list() {
            for (label, cells) in &grid.rows {
                let names = [&*format!("  {label}"), ""];
                push(text, &self.entry(names, feature.ends, setting, cells[0]));
            }
            return;
        }
        for &block in blocks(feature) {
            let labels = grid.columns.iter().map(String::clone);
            push(text, &self.row(block, block.into(), labels));
            for (label, cells) in &grid.rows {
                let entries = cells.iter().map(|&cell| match block {
                    Block::Open => shortest(setting.open[cell]),
                    Block::End => shortest(setting.end[cell]),
                    Block::Tune => FLAGS[usize::from(setting.tune[cell])].to_string(),
                });
                push(text, &self.row(block, label, entries));
            }
        }
    }

    /// One row of a block. Flags have no column for a fraction.
    fn row(&self, block: Block, label: &str, entries: impl Iterator<Item = String>) -> String {
        let columns = entries.map(|entry| match block {
            Block::Open | Block::End => format!("{} ", self.cell(&entry)),
            Block::Tune => format!("{entry:>WHOLE$} "),
        });
        format!("  {label:<0$}{1}", NAMES[0] - 2, columns.collect::<String>())
    }
}
