//! The weights of another program as constants of C or Rust.

use super::{
    super::PROGRAM,
    group::{Constant, Value, constants},
};
use crate::run::stat::{FittedWeight, MOSTLY_HELD};

/// Syntax of a programming language.
pub struct Language {
    /// Name of the format on the command line.
    name: &'static str,
    /// What names of constants begin with by default.
    prefix: &'static str,
    /// Types of whole and of other numbers.
    numbers: [&'static str; 2],
    /// What stands between the remarks and the constants; `NUMBER` is the type of a value.
    pair: &'static str,
    /// Type of a pair.
    pair_type: &'static str,
    /// A declaration without its value; lengths of an array, the outermost first.
    declaration: fn(name: &str, of: &str, lengths: &[usize]) -> String,
    brackets: [&'static str; 2],
    /// What follows the last constant.
    end: &'static str,
}

/// A header for C and C++.
pub const C: Language = Language {
    name: "c",
    // Names such as `time` and `index` are those of common headers.
    prefix: "w_",
    numbers: ["int", "double"],
    pair: "\
#ifndef TEXAM_TABLE_H
#define TEXAM_TABLE_H

// A value of the opening and one of the endgame. If your program has a pair of its own, define TEXAM_PAIR as
// its type before you include this file. S(opening, endgame) is then yours: a macro or, in C++, also a
// function.
#ifndef TEXAM_PAIR
typedef struct { NUMBER opening, endgame; } texam_pair;
#define TEXAM_PAIR texam_pair
#define TEXAM_DEFINES_S
#define S(opening, endgame) { opening, endgame }
#endif
",
    pair_type: "TEXAM_PAIR",
    declaration: |name, of, lengths| {
        let lengths: String = lengths.iter().map(|length| format!("[{length}]")).collect();
        format!("static const {of} {name}{lengths}")
    },
    brackets: ["{", "}"],
    // An S of the program, which may be a function, is not hidden after the header.
    end: "\n#ifdef TEXAM_DEFINES_S\n#undef TEXAM_DEFINES_S\n#undef S\n#endif\n\n#endif\n",
};

/// A module of Rust.
pub const RUST: Language = Language {
    name: "rust",
    prefix: "",
    numbers: ["i32", "f64"],
    pair: "\
/// A value of the opening and one of the endgame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct S(pub NUMBER, pub NUMBER);
",
    pair_type: "S",
    declaration: |name, of, lengths| {
        let of = lengths.iter().rev().fold(of.to_string(), |of, length| format!("[{of}; {length}]"));
        format!("pub const {}: {of}", name.to_uppercase())
    },
    brackets: ["[", "]"],
    end: "",
};

/// The text of a source file.
pub fn text(
    language: &Language,
    weights: &[FittedWeight],
    file: &str,
    step: Option<f64>,
    prefix: Option<&str>,
) -> String {
    let is_whole = weights.iter().all(|weight| weight.to.fract() == 0.0);
    let number_type = language.numbers[usize::from(!is_whole)];
    let number = |value: f64| if is_whole { value.to_string() } else { format!("{value:?}") };
    let constants = constants(weights, prefix.unwrap_or(language.prefix));
    let mut text = head(language, weights, file, step);
    let has_pairs = constants.iter().any(|constant| constant.values[0].is_pair());
    if has_pairs || language.name == "c" {
        text += &format!("\n{}", language.pair.replace("NUMBER", number_type));
    }
    text.push('\n');
    for Constant { name, title, values, lengths } in constants {
        let of = if values[0].is_pair() { language.pair_type } else { number_type };
        let value = |value: &Value| match value {
            Value::Single(weight) => number(weight.to),
            Value::Pair([opening, endgame]) => format!("S({}, {})", number(opening.to), number(endgame.to)),
        };
        let declaration = (language.declaration)(&name, of, &lengths);
        if name != title {
            // Quoted, so that no character of the name can end the remark.
            text += &format!("// {title:?}\n");
        }
        if lengths.is_empty() {
            text += &format!("{declaration} = {};{}\n", value(&values[0]), remark(&values[0]));
            continue;
        }
        let [open, close] = language.brackets;
        text += &format!("{declaration} = {open}\n");
        // Elements of the arrays that an array of several indices consists of.
        let inner: Vec<usize> = (1..lengths.len()).map(|level| lengths[level..].iter().product()).collect();
        for (place, element) in values.iter().enumerate() {
            let brackets = |at: usize, bracket: &str| {
                bracket.repeat(inner.iter().filter(|&&size| at.is_multiple_of(size)).count())
            };
            let end = brackets(place + 1, close);
            let comma = if end.is_empty() { "" } else { "," };
            text +=
                &format!("    {}{},{end}{comma}{}\n", brackets(place, open), value(element), remark(element));
        }
        text += &format!("{close};\n");
    }
    text + language.end
}

/// The remarks at the top.
fn head(language: &Language, weights: &[FittedWeight], file: &str, step: Option<f64>) -> String {
    let rounding = step.map_or("not rounded".to_string(), |step| format!("rounded to multiples of {step}"));
    let mut lines = vec![
        format!(
            "Made by {PROGRAM} (texam export --to {}); better made again than changed by hand.",
            language.name
        ),
        String::new(),
        // Quoted, so that no character of the name can end the remark.
        format!("Weights of {file:?}, {rounding}."),
    ];
    if weights.iter().any(|weight| weight.from.is_some()) {
        let errors = match weights.iter().any(|weight| weight.se_run.is_some()) {
            true => "the whole run",
            false => "the step of the last fit",
        };
        lines.push(format!(
            "Behind each: its value at the start of the run, the standard error of {errors}, and the positions and games that"
        ));
        lines.push("bear on it. Held: the ridge held back more than half of its free step.".to_string());
    }
    let line = |line: &String| format!("// {line}").trim_end().to_string() + "\n";
    lines.iter().map(line).collect()
}

/// What is known of a value, for a pair side by side, as the remark behind it; empty if nothing is.
fn remark(value: &Value) -> String {
    let weights = value.weights();
    let each = |of: fn(&FittedWeight) -> Option<String>| {
        let texts: Vec<Option<String>> = weights.iter().map(|weight| of(weight)).collect();
        let text = |text: &Option<String>| text.clone().unwrap_or("-".to_string());
        texts.iter().any(Option::is_some).then(|| texts.iter().map(text).collect::<Vec<_>>().join(", "))
    };
    let parts = [
        each(|weight| weight.from.map(|value| value.to_string())).map(|text| format!("from {text}")),
        each(|weight| weight.se_run.or(weight.se_step).map(|error| format!("{error:.2}")))
            .map(|text| format!("s.e. {text}")),
        each(|weight| weight.support.map(|count| count.to_string())).map(|text| format!("positions {text}")),
        each(|weight| weight.games.map(|count| count.to_string())).map(|text| format!("games {text}")),
        weights.iter().any(|weight| weight.held > Some(MOSTLY_HELD)).then(|| "held".to_string()),
        weights.iter().all(|weight| !weight.tuned).then(|| "not tuned".to_string()),
    ];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    if text.is_empty() { text } else { format!(" // {text}") }
}
