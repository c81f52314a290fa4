//! Numbers, names and sentences in a limited number of columns.

use std::fmt;

use crate::{
    screen::theme::Theme,
    value::{Value, in_units},
};

/// A weight in at most five columns, with as many digits as fit.
pub fn format_weight(weight: f64) -> String {
    let size = weight.abs();
    if weight.fract() == 0.0 {
        format!("{}", weight + 0.0)
    } else if size < 9.995 {
        format!("{weight:.2}")
    } else if size < 99.95 {
        format!("{weight:.1}")
    } else {
        format!("{weight:.0}")
    }
}

/// A number of games.
pub fn games(count: usize) -> String {
    if count == 1 { "1 game".to_string() } else { format!("{count} games") }
}

/// The contribution of a term in units, in at most six columns.
pub fn format_contribution(value: Value) -> String {
    let units = in_units(value);
    if units.abs() < 0.05 {
        return "0".to_string();
    }
    if units.abs() < 999.95 { format!("{units:+.1}") } else { format!("{units:+.0}") }
}

/// Cuts text to at most `width` columns, with a sign where it is cut.
pub fn cut(text: &str, width: usize, theme: Theme) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let mut kept: String = text.chars().take(width.saturating_sub(1)).collect();
    if width > 0 {
        kept += theme.ellipsis();
    }
    kept
}

/// Says the same in at most `width` columns, as far as it can: without what is in brackets, then without the
/// last words, so that no word is cut.
pub fn shorten(text: &str, width: usize) -> String {
    let fits = |text: &str| text.chars().count() <= width;
    if fits(text) {
        return text.to_string();
    }
    let plain = without_brackets(text);
    if fits(&plain) {
        return plain;
    }
    let first = wrap(&plain, width).swap_remove(0);
    if fits(&first) { without_loose_end(&first).to_string() } else { first.chars().take(width).collect() }
}

/// The text without its parts in round brackets.
pub fn without_brackets(text: &str) -> String {
    let mut depth = 0;
    let outside = |letter: &char| {
        depth += i32::from(*letter == '(');
        let is_outside = depth == 0;
        depth -= i32::from(*letter == ')');
        is_outside
    };
    let plain: String = text.chars().filter(outside).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",").replace(" ;", ";")
}

/// The text without words at its end that need another one after them.
fn without_loose_end(text: &str) -> &str {
    const LOOSE: [&str; 20] = [
        "a", "an", "and", "as", "at", "but", "by", "every", "for", "from", "in", "no", "of", "on", "or",
        "than", "that", "the", "to", "with",
    ];
    let text = text.trim_end_matches([',', ';', ':', ' ']);
    match text.rsplit_once(' ') {
        Some((before, last)) if LOOSE.contains(&last) => without_loose_end(before),
        _ => text,
    }
}

/// Whether a difference is more than chance: more than twice its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// Greater than 0.
    Better,
    /// Less than 0.
    Worse,
    /// It may be chance.
    Unclear,
}

impl Judgement {
    /// Judges a difference of which more is better.
    pub fn new(difference: f64, error: f64) -> Judgement {
        match difference {
            _ if error.is_nan() || difference.abs() <= 2.0 * error => Judgement::Unclear,
            _ if difference > 0.0 => Judgement::Better,
            _ if difference < 0.0 => Judgement::Worse,
            _ => Judgement::Unclear,
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Judgement::Better => "better",
            Judgement::Worse => "worse",
            Judgement::Unclear => "no clear difference",
        })
    }
}

/// Breaks text into lines of at most `width` columns; a word that is longer is broken too.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for (at, part) in letters.chunks(width).enumerate() {
            let Some(line) = lines.last_mut() else { continue };
            let used = line.chars().count();
            if at > 0 || used > 0 && used + 1 + part.len() > width {
                lines.push(part.iter().collect());
                continue;
            }
            line.extend((used > 0).then_some(' ').iter().chain(part));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::UNIT;

    #[test]
    fn weights_take_five_columns_at_most() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (128.0, "128"),
            (-8192.0, "-8192"),
            (4.5678, "4.57"),
            (-9.999, "-10.0"),
            (-99.97, "-100"),
            (1234.5, "1234"),
        ] {
            assert_eq!(format_weight(number), text);
            assert!(format_weight(number).len() <= 5);
        }
    }

    #[test]
    fn contributions_have_a_sign_and_take_six_columns_at_most() {
        for (units, text) in [(0, "0"), (10, "+10.0"), (-300, "-300.0"), (-1216, "-1216")] {
            assert_eq!(format_contribution(units * UNIT), text);
        }
        assert_eq!(format_contribution(UNIT / 100), "0");
    }

    #[test]
    fn text_is_broken_between_words_and_a_word_that_is_too_long_within() {
        assert_eq!(wrap("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrap("a abcdefg b", 3), ["a", "abc", "def", "g b"]);
        assert_eq!(wrap("", 3), [""]);
    }

    #[test]
    fn a_text_that_is_too_long_loses_brackets_and_then_words() {
        let meaning = "square of the king by file (ah to de), and rank";
        for (width, text) in [
            (60, meaning),
            (40, "square of the king by file, and rank"),
            (30, "square of the king by file"),
            (24, "square of the king"),
            (14, "square"),
            (3, "squ"),
            (0, ""),
        ] {
            assert_eq!(shorten(meaning, width), text);
        }
        assert_eq!(shorten("Moskva-Wch (4/3) (27.04.48)", 20), "Moskva-Wch");
    }

    #[test]
    fn a_difference_is_clear_beyond_twice_its_standard_error() {
        for (difference, error, judgement) in [
            (2.1, 1.0, "better"),
            (-2.1, 1.0, "worse"),
            (2.0, 1.0, "no clear difference"),
            (0.0, 0.0, "no clear difference"),
            (9.0, f64::NAN, "no clear difference"),
        ] {
            assert_eq!(Judgement::new(difference, error).to_string(), judgement);
        }
    }

    #[test]
    fn text_that_is_cut_ends_with_a_sign() {
        let theme = Theme { ground: None, ascii: true };
        assert_eq!((cut("abcdef", 4, theme), cut("abcd", 4, theme)), ("abc~".into(), "abcd".into()));
        assert_eq!(cut("abc", 0, theme), "");
    }
}
