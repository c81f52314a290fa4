//! Signs and colours. Colours only repeat what signs say, so that the screen is complete without them.

use ratatui::style::{Color, Modifier, Style};

use crate::show::plot::{Colour, text::Look};

/// The choice of signs and colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Whether colours are used; NO_COLOR turns them off.
    pub colour: bool,
    /// Whether all signs are plain ASCII.
    pub ascii: bool,
}

/// Whether the locale of these variables can show more than ASCII. The first of them that is not empty decides, as in
/// POSIX; without any, nothing is known of the terminal, and Unicode is assumed.
pub fn is_unicode_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    let values = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable);
    let locale = values.map(|value| value.to_lowercase()).find(|value| !value.is_empty());
    locale.is_none_or(|locale| locale.contains("utf-8") || locale.contains("utf8"))
}

/// Signs in Unicode and in ASCII.
macro_rules! signs {
    ($($name:ident, $unicode:literal, $ascii:literal;)*) => {
        impl Theme {
            $(#[doc = concat!("`", $unicode, "`, or `", $ascii, "` in ASCII.")]
            pub fn $name(&self) -> &'static str {
                if self.ascii { $ascii } else { $unicode }
            })*
        }
    };
}

signs! {
    speaks_for, "▲", "^";
    speaks_against, "▼", "v";
    rule, "─", "-";
    bullet, "•", "-";
    bar, "█", "#";
    faint_bar, "░", ".";
    shown_mark, "▶", ">";
    matched, "✓", "*";
    missed, "✗", "x";
    ellipsis, "…", "~";
    dot, "·", ".";
    plus_minus, "±", "+-";
}

impl Theme {
    /// Whether pieces are drawn as such, an outline for White and filled for Black. Without colours of its own the
    /// board has those of the terminal, and on a dark one a filled piece looks white; letters are the same on both.
    pub fn has_piece_signs(&self) -> bool {
        self.colour && !self.ascii
    }

    fn fg(&self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// Ordinary text.
    pub fn plain(&self) -> Style {
        Style::new()
    }

    /// Text of less importance.
    pub fn faint(&self) -> Style {
        (self.look().style)(Colour::Grey)
    }

    /// Titles and heads.
    pub fn title(&self) -> Style {
        self.fg(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// Text of most importance.
    pub fn strong(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Commands and other code in a text.
    pub fn code(&self) -> Style {
        self.fg(Color::Yellow)
    }

    /// Terms in favour, and agreement.
    pub fn good(&self) -> Style {
        self.fg(Color::Green)
    }

    /// Terms against, and errors.
    pub fn bad(&self) -> Style {
        self.fg(Color::Red)
    }

    /// Changes, and work that runs.
    pub fn changed(&self) -> Style {
        self.fg(Color::Yellow)
    }

    /// How panels of `plot` are drawn.
    pub fn look(&self) -> Look {
        let style = match self.colour {
            true => |colour| match colour {
                Colour::Ink | Colour::Blue => Style::new(),
                Colour::Grey => Style::new().fg(Color::DarkGray),
                Colour::Orange | Colour::Yellow => Style::new().fg(Color::Yellow),
                Colour::Green => Style::new().fg(Color::Green),
                Colour::Purple => Style::new().fg(Color::Magenta),
                Colour::Sky => Style::new().fg(Color::Cyan),
            },
            false => |colour| match colour {
                Colour::Grey => Style::new().add_modifier(Modifier::DIM),
                _ => Style::new(),
            },
        };
        Look { style, title: self.title(), ascii: self.ascii }
    }

    /// The chosen line or cell.
    pub fn chosen(&self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// The bars at the top and at the foot.
    pub fn bar_style(&self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A square of the board.
    pub fn square(&self, is_light: bool, is_marked: bool) -> Style {
        if !self.colour {
            return if is_marked { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        }
        let ground = match (is_light, is_marked) {
            (true, false) => Color::Indexed(187),
            (false, false) => Color::Indexed(108),
            (true, true) => Color::Indexed(222),
            (false, true) => Color::Indexed(179),
        };
        Style::new().bg(ground).fg(Color::Indexed(16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_not_empty_names_the_locale() {
        let is_unicode = |all: &'static str, ctype: &'static str, lang: &'static str| {
            let value = move |name: &str| match name {
                "LC_ALL" => Some(all.to_string()),
                "LC_CTYPE" => Some(ctype.to_string()),
                _ => Some(lang.to_string()),
            };
            is_unicode_locale(value)
        };
        assert!(
            is_unicode("", "", "de_DE.UTF-8") && is_unicode("C.utf8", "C", "C") && is_unicode("", "", "")
        );
        assert!(!is_unicode("C", "", "de_DE.UTF-8") && !is_unicode("", "POSIX", "de_DE.UTF-8"));
        assert!(!is_unicode("", "", "de_DE.ISO-8859-1") && is_unicode_locale(|_| None));
    }
}
