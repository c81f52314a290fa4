//! Weights as constants of a programming language: piece-square tables and weights by key, with comments.

use strum::VariantArray;

use super::{
    PROGRAM, WeightsSource,
    fold::{self, PhasePair},
    numbers::ScaledWeights,
};
use crate::feature::{Group, Key};

/// Syntax of a programming language.
pub struct Language {
    /// Name of the export format on the command line.
    pub name: &'static str,
    /// Start of a comment line that documents the next constant.
    pub doc: &'static str,
    /// Declaration of the piece-square table of a piece.
    pub table: fn(piece: &str) -> String,
    /// Declaration of the weights of a key. `cells` is none for a key without a table.
    pub weights: fn(key: &str, cells: Option<usize>) -> String,
    /// A pair of weights, each padded to a width.
    pub pair: fn(pair: PhasePair, widths: [usize; 2]) -> String,
    /// Brackets around the entries of a list.
    pub brackets: [&'static str; 2],
}

/// Comment lines that name the program, the weights, the feature table and the unit.
pub fn head(language: &Language, numbers: &ScaledWeights, origin: &WeightsSource) -> Vec<String> {
    let name = language.name;
    vec![
        format!("Made by {PROGRAM} (texam export --to {name}); better made again than changed by hand."),
        String::new(),
        // Quoted, so that no character of the name can end the comment or change its reading direction.
        format!("- weights: {:?}, digest {}", origin.file, origin.digest),
        format!("- features: {}, the signature of the table of features", origin.features),
        format!("- unit: {}", numbers.describe()),
    ]
}

/// The piece-square tables, laid out like the board from the owner's side.
pub fn tables(language: &Language, numbers: &ScaledWeights) -> Vec<String> {
    let mut lines = Vec::new();
    for (&(role, piece), table) in fold::ROLES.iter().zip(numbers.tables()) {
        lines.extend((!lines.is_empty()).then(String::new));
        lines.push(format!("{} The {piece}. Folded in:", language.doc));
        lines.push(language.doc.to_string());
        for key in numbers.folded_into(role) {
            let feature = key.feature();
            lines.push(format!("{} - `{}`: {}.", language.doc, feature.key, feature.meaning));
        }
        lines.extend(
            format!("{} = {}", (language.table)(piece), language.brackets[0]).lines().map(String::from),
        );
        let width = |side: usize| table.iter().map(|pair| pair[side].to_string().len()).max().unwrap_or(0);
        let widths = [width(0), width(1)];
        for rank in table.chunks(8).rev() {
            let row: Vec<_> = rank.iter().map(|&pair| (language.pair)(pair, widths) + ",").collect();
            lines.push(format!("    {}", row.join(" ")));
        }
        lines.push(format!("{};", language.brackets[1]));
    }
    lines
}

/// The constants with the weights of all keys in use, by group.
pub fn weights(language: &Language, numbers: &ScaledWeights) -> Vec<String> {
    let mut lines = Vec::new();
    for group in Group::VARIANTS.iter().copied() {
        let mut of_group = numbers.keys().filter(|key| key.feature().group == group).peekable();
        if of_group.peek().is_none() {
            continue;
        }
        lines.extend((!lines.is_empty()).then(String::new));
        lines.push(format!("// {} {}", group.number(), group.name()));
        for key in of_group {
            lines.push(String::new());
            lines.extend(comment(language, key));
            lines.extend(constant(language, numbers, key));
        }
    }
    lines
}

/// The comment on a key: its meaning, and whether it is folded.
fn comment(language: &Language, key: Key) -> Vec<String> {
    let feature = key.feature();
    let folding = match fold::not_folded(key) {
        Some(reason) => format!("Not folded: {reason}."),
        None => "Folded into a piece-square table.".to_string(),
    };
    vec![
        format!("{} `{}`: {}.", language.doc, feature.key, feature.meaning),
        format!("{} {folding}", language.doc),
    ]
}

/// The constant with the weights of one key; each cell of a table has a comment with its name.
fn constant(language: &Language, numbers: &ScaledWeights, key: Key) -> Vec<String> {
    let feature = key.feature();
    let layout = feature.layout;
    let declaration = (language.weights)(feature.key, layout.is_table().then(|| layout.cells()));
    if !layout.is_table() {
        return vec![format!("{declaration} = {};", (language.pair)(numbers.cell(key.cell()), [0, 0]))];
    }
    let entry = |index| (language.pair)(numbers.cell(key.cell_at(index)), [0, 0]) + ",";
    let entries: Vec<_> = (0..layout.cells()).map(entry).collect();
    let width = entries.iter().map(String::len).max().unwrap_or(0);
    let mut lines = vec![format!("{declaration} = {}", language.brackets[0])];
    for (index, entry) in entries.iter().enumerate() {
        lines.push(format!("    {entry:<width$} // {}", layout.label(index)));
    }
    lines.push(format!("{};", language.brackets[1]));
    lines
}

/// The template with its marks replaced by lines. Each inserted line keeps the text before and after the
/// mark.
pub fn fill(template: &str, marks: &[(&str, Vec<String>)]) -> String {
    let mut text = String::new();
    for line in template.lines() {
        match marks.iter().find_map(|(mark, lines)| Some((line.split_once(mark)?, lines))) {
            Some(((before, behind), lines)) => lines.iter().for_each(|inserted| {
                text.push_str(format!("{before}{inserted}{behind}").trim_end());
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

#[cfg(test)]
mod tests {
    use super::super::{ExportUnit, Format, text};
    use super::*;
    use crate::feature::Weights;

    fn exports(file: &str) -> [String; 2] {
        let weights = Weights::start();
        [Format::Rust, Format::C].map(|format| text(&weights, file, format, ExportUnit::Exact, &[]).unwrap())
    }

    #[test]
    fn every_mark_of_the_templates_is_replaced() {
        for text in exports("a.par") {
            let is_mark =
                |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            let left: Vec<_> =
                text.lines().filter_map(|line| line.split('@').nth(1)).filter(is_mark).collect();
            assert!(left.is_empty(), "{left:?}");
        }
    }

    #[test]
    fn every_term_is_named_with_its_meaning_and_those_not_folded_with_the_reason() {
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
        for text in exports("a.par").map(|text| text.replace("W(", "{ ").replace("),", " },")) {
            let is_table =
                |line: &&str| line.contains("PSQT_PAWN: Psqt") || line.contains("texam_psqt_pawn[64]");
            let table = text.lines().skip_while(|line| !is_table(line)).skip(1);
            let rows: Vec<&str> = table.take(8).map(str::trim).collect();
            // No pawn stands on the last rank nor on the first. On a2 the rook pawn costs 8 and 6 of 128.
            assert_eq!(rows[0].matches("{     0,     0 }").count(), 8, "{rows:?}");
            assert_eq!(rows[7], rows[0]);
            assert!(rows[6].starts_with("{ 30720, 31232 }, { 32768, 33024 }, "), "{rows:?}");
            // On a7: 5 steps of 1 and 4.
            assert!(rows[1].starts_with("{ 32000, 36352 }, "), "{rows:?}");
        }
    }
}
