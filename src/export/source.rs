//! Source code: the evaluation as one file of Rust or of C, filled in with weights.
//!
//! The code itself is in two templates, real sources but for a few marks between `@`. What is made here is
//! what stands for the marks: the head, the piece-square tables, the weights. Tests compile the result and
//! hold it to [`crate::eval`].

use super::{
    Origin, PROGRAM,
    fold::{self, Pair},
    numbers::Numbers,
};
use crate::{
    eval::{LEAD_VALUES, WINNING_LEAD},
    feature::{Group, Key},
};

const RUST: &str = include_str!("eval.rs.in");
const C: &str = include_str!("eval.c.in");

/// How a language says what is the same in all.
struct Language {
    name: &'static str,
    /// Before each line that says what the next thing is.
    doc: &'static str,
    /// Begins a scalar called `NAME`, and a list of `COUNT`.
    scalar: &'static str,
    list: &'static str,
    /// Around the entries of a list.
    brackets: [&'static str; 2],
    /// A line of its own before a table, and the beginning of one.
    table: [&'static str; 2],
}

const RUST_WORDS: Language = Language {
    name: "rust",
    doc: "///",
    scalar: "pub const NAME: W",
    list: "pub const NAME: [W; COUNT]",
    brackets: ["[", "]"],
    table: ["#[rustfmt::skip]\n", "pub const NAME: Psqt"],
};

const C_WORDS: Language = Language {
    name: "c",
    doc: "//",
    scalar: "static const Score NAME",
    list: "static const Score NAME[COUNT]",
    brackets: ["{", "}"],
    table: ["", "static const Score NAME[64]"],
};

/// The evaluation in Rust.
pub fn rust(numbers: &Numbers, origin: &Origin) -> String {
    fill(RUST, &RUST_WORDS, numbers, origin)
}

/// The evaluation in C99.
pub fn c(numbers: &Numbers, origin: &Origin) -> String {
    fill(C, &C_WORDS, numbers, origin)
}

/// A template with its marks replaced.
fn fill(template: &str, words: &Language, numbers: &Numbers, origin: &Origin) -> String {
    let [open, close] = words.brackets;
    let lead = LEAD_VALUES.map(|value| value.to_string()).join(", ");
    let marks = [
        ("@origin@", head(words, numbers, origin)),
        ("@pawn@", vec![numbers.unit.pawn().to_string()]),
        ("@tables@", tables(words, numbers)),
        ("@weights@", weights(words, numbers)),
        ("@lead@", vec![format!("{open}{lead}{close}")]),
        ("@winning@", vec![WINNING_LEAD.to_string()]),
    ];
    let mut text = String::new();
    for line in template.lines() {
        match marks.iter().find_map(|(mark, lines)| Some((line.split_once(mark)?, lines))) {
            // Every line of what is put in has what stands before and behind the mark.
            Some(((before, behind), lines)) => lines.iter().for_each(|put_in| {
                text.push_str(format!("{before}{put_in}{behind}").trim_end());
                text.push('\n');
            }),
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

/// What the file was made of.
fn head(words: &Language, numbers: &Numbers, origin: &Origin) -> Vec<String> {
    let name = words.name;
    vec![
        format!("Made by {PROGRAM} (texam export --to {name}); better made again than changed by hand."),
        String::new(),
        // With quotes, and with signs escaped that would end a comment or turn round its letters.
        format!("- weights: {:?}, digest {}", origin.file, origin.digest),
        format!("- features: {}, the signature of the table of features", origin.features),
        format!("- unit: {}", numbers.describe()),
    ]
}

/// The piece-square tables, laid out like the board as its owner sees it.
fn tables(words: &Language, numbers: &Numbers) -> Vec<String> {
    let mut lines = Vec::new();
    for (&(role, name), table) in fold::ROLES.iter().zip(numbers.tables()) {
        lines.extend((!lines.is_empty()).then(String::new));
        lines.push(format!("{} The {name}. Folded in:", words.doc));
        lines.push(words.doc.to_string());
        for key in numbers.folded_into(role) {
            let feature = key.feature();
            lines.push(format!("{} - `{}`: {}.", words.doc, feature.key, feature.meaning));
        }
        let [before, begin] = words.table;
        let begin = begin.replace("NAME", &format!("PSQT_{}", name.to_uppercase()));
        lines.push(format!("{before}{begin} = {}", words.brackets[0]));
        let width = |side: usize| table.iter().map(|pair| pair[side].to_string().len()).max().unwrap_or(0);
        let widths = [width(0), width(1)];
        for rank in table.chunks(8).rev() {
            let row: Vec<_> = rank.iter().map(|&pair| entry(pair, widths) + ",").collect();
            lines.push(format!("    {}", row.join(" ")));
        }
        lines.push(format!("{};", words.brackets[1]));
    }
    lines
}

/// A pair of weights, each so wide.
fn entry([open, end]: Pair, [open_width, end_width]: [usize; 2]) -> String {
    format!("W({open:>open_width$}, {end:>end_width$})")
}

/// The weights that are not folded, by group.
fn weights(words: &Language, numbers: &Numbers) -> Vec<String> {
    let mut lines = Vec::new();
    for group in Group::ALL {
        let of_group = |key: &Key| key.feature().group == group && fold::not_folded(*key).is_some();
        let keys: Vec<Key> = numbers.keys().filter(of_group).collect();
        if keys.is_empty() {
            continue;
        }
        lines.extend((!lines.is_empty()).then(String::new));
        lines.push(format!("// {} {}", group.number(), group.name()));
        for key in keys {
            lines.push(String::new());
            weight(&mut lines, words, numbers, key);
        }
    }
    lines
}

/// One weight, or one list of the cells of a table, with what it means.
fn weight(lines: &mut Vec<String>, words: &Language, numbers: &Numbers, key: Key) {
    let (feature, cells) = (key.feature(), key.feature().layout.cells());
    lines.push(format!("{} `{}`: {}.", words.doc, feature.key, feature.meaning));
    if let Some(reason) = fold::not_folded(key) {
        lines.push(format!("{} Not folded: {reason}.", words.doc));
    }
    let begin = |pattern: &str| {
        pattern.replace("NAME", &feature.key.to_uppercase()).replace("COUNT", &cells.to_string())
    };
    if !feature.layout.is_table() {
        let pair = entry(numbers.cell(key.cell()), [0, 0]);
        lines.push(format!("{} = {pair};", begin(words.scalar)));
        return;
    }
    lines.push(format!("{} = {}", begin(words.list), words.brackets[0]));
    let entries: Vec<_> = (0..cells).map(|i| entry(numbers.cell(key.cell_at(i)), [0, 0]) + ",").collect();
    let width = entries.iter().map(String::len).max().unwrap_or(0);
    for (index, entry) in entries.iter().enumerate() {
        lines.push(format!("    {entry:<width$} // {}", feature.layout.label(index)));
    }
    lines.push(format!("{};", words.brackets[1]));
}

#[cfg(test)]
mod tests {
    use super::super::Unit;
    use super::*;
    use crate::feature::Weights;

    fn exports(file: &str) -> [String; 2] {
        let weights = Weights::start();
        let numbers = Numbers::new(&weights.quantised(), Unit::Exact);
        let origin = Origin::new(file, &weights);
        [rust(&numbers, &origin), c(&numbers, &origin)]
    }

    #[test]
    fn every_mark_of_the_templates_is_replaced() {
        for text in exports("a.par") {
            let is_mark = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
            let left: Vec<_> =
                text.lines().filter_map(|line| line.split('@').nth(1)).filter(is_mark).collect();
            assert!(left.is_empty(), "{left:?}");
        }
    }

    #[test]
    fn every_term_is_named_with_its_idea_and_those_not_folded_with_the_reason() {
        for text in exports("a.par") {
            for &key in Key::standard() {
                let feature = key.feature();
                assert!(
                    text.contains(&format!("`{}`: {}.", feature.key, feature.meaning)),
                    "{}",
                    feature.key
                );
                let reason = fold::not_folded(key).map(|reason| format!("Not folded: {reason}."));
                assert!(reason.is_none_or(|reason| text.contains(&reason)), "{}", feature.key);
            }
        }
    }

    #[test]
    fn tables_are_seen_from_the_own_side_with_a1_at_the_bottom_left() {
        for text in exports("a.par") {
            let table = text.lines().skip_while(|line| !line.contains("PSQT_PAWN")).skip(1);
            let rows: Vec<&str> = table.take(8).map(str::trim).collect();
            // No pawn stands on the last rank nor on the first. On a2 the rook pawn costs 8 and 6 of 128.
            assert_eq!(rows[0].matches("W(    0,     0)").count(), 8, "{rows:?}");
            assert_eq!(rows[7], rows[0]);
            assert!(rows[6].starts_with("W(30720, 31232), W(32768, 33024), "), "{rows:?}");
            // On a7: 5 steps of 1 and 4.
            assert!(rows[1].starts_with("W(32000, 36352), "), "{rows:?}");
        }
    }

    #[test]
    fn no_file_name_can_leave_the_comment() {
        for text in exports("a*/\nint x;\\") {
            let lines = text.lines().filter(|line| line.contains("int x;"));
            assert!(lines.clone().count() == 1 && lines.clone().all(|line| line.starts_with("//")), "{text}");
            assert!(lines.into_iter().all(|line| !line.ends_with('\\')));
        }
    }
}
