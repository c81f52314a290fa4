//! The font of pictures, and the widths of texts.

use std::{collections::HashMap, sync::LazyLock};

/// Font families of an SVG: the built-in one, one of the same width, and any other.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

#[cfg(feature = "png")]
pub(super) const REGULAR: &[u8] = include_bytes!("font/DejaVuSans.ttf");
#[cfg(feature = "png")]
pub(super) const BOLD: &[u8] = include_bytes!("font/DejaVuSans-Bold.ttf");

/// Widths of a letter in the regular and in the bold font, in 1/2048 of the font size.
type Widths = [u32; 2];

/// The widths of the letters of the fonts.
static WIDTHS: LazyLock<HashMap<char, Widths>> = LazyLock::new(|| {
    let letter = |line: &str| {
        let mut fields = line.split(' ');
        let code = u32::from_str_radix(fields.next()?, 16).ok()?;
        let widths = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
        Some((char::from_u32(code)?, widths))
    };
    include_str!("font/widths.txt").lines().filter_map(letter).collect()
});

/// The widths of the box that stands for a letter that the fonts do not have.
const MISSING: Widths = [1229; 2];

/// The part of a text that is at the given point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TextStyle {
    /// Font size, in pixels.
    pub size: f64,
    pub bold: bool,
    pub anchor: Anchor,
    /// Whether the text is rotated to run upwards.
    pub upward: bool,
}

impl TextStyle {
    pub const fn new(size: f64, anchor: Anchor) -> TextStyle {
        TextStyle { size, bold: false, anchor, upward: false }
    }

    /// Width of a text in pixels, without kerning.
    pub fn width(&self, text: &str) -> f64 {
        let letter = |c| WIDTHS.get(&c).unwrap_or(&MISSING)[usize::from(self.bold)];
        let units: u32 = text.chars().map(letter).sum();
        // FreeType takes sizes in whole 1/64 pixel.
        (64.0 * self.size).floor() / 64.0 * f64::from(units) / 2048.0
    }

    /// The text in lines, broken between words so that each line fits into `room` pixels. A longer word has a
    /// line of its own.
    pub fn wrap(&self, text: &str, room: f64) -> Vec<String> {
        wrap(text, |line| self.width(line) <= room)
    }

    /// The text, cut with an ellipsis if it is wider than `room` pixels.
    pub fn fit(&self, text: &str, room: f64) -> String {
        if self.width(text) <= room {
            return text.to_string();
        }
        let cut =
            |letters: usize| text.chars().take(letters).collect::<String>().trim_end().to_string() + "…";
        let letters = (0..text.chars().count()).rev().find(|&letters| self.width(&cut(letters)) <= room);
        letters.map_or(String::new(), cut)
    }
}

/// The title of a chart or board.
pub(super) const TITLE: TextStyle = TextStyle { bold: true, ..TextStyle::new(11.0, Anchor::Start) };

/// A label of a board.
pub(super) const LABEL: TextStyle = TextStyle::new(10.0, Anchor::Middle);

/// Height of a line of small letters.
pub(super) const LINE: f64 = 14.0;

/// A text in lines that fit, broken between words.
pub fn wrap(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}")).filter(|line| fits(line));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) => *line = longer,
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_every_sign_that_pictures_use() {
        for c in "aA0é±−×·–…√≤≥→".chars() {
            assert!(WIDTHS.contains_key(&c), "{c}");
        }
        assert_eq!(WIDTHS.len(), include_str!("font/widths.txt").lines().count());
    }

    #[test]
    fn a_text_is_broken_between_words_and_every_line_fits() {
        let style = TextStyle::new(10.6, Anchor::Start);
        let lines = style.wrap("how far the best alternative in bound leads the played move", 120.0);
        assert!(lines.len() > 2, "{lines:?}");
        assert!(lines.iter().all(|line| style.width(line) <= 120.0), "{lines:?}");
        assert_eq!(lines.join(" "), "how far the best alternative in bound leads the played move");
        assert!(style.wrap("", 120.0).is_empty());
    }

    #[test]
    fn wider_texts_take_more_room_and_a_text_that_is_cut_fits() {
        let kind = TextStyle::new(12.0, Anchor::Start);
        assert!(kind.width("ii") < kind.width("mm"));
        assert!((kind.width("0000") - 4.0 * kind.width("0")).abs() < 0.01);
        assert!((kind.width("0") - 12.0 * 0.636).abs() < 0.05, "{}", kind.width("0"));
        assert_eq!(kind.fit("agreement", 200.0), "agreement");
        let cut = kind.fit("agreement", 50.0);
        assert!(cut.ends_with('…') && kind.width(&cut) <= 50.0, "{cut}");
        assert_eq!(kind.fit("agreement", 1.0), "");
    }
}
