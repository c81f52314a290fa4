//! Signs and colours. Colours only add to signs: without them nothing is lost.

use ratatui::style::{Color, Modifier, Style};

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Whether colours are used; NO_COLOR takes them away.
    pub colour: bool,
    /// Whether all signs are plain ASCII.
    pub ascii: bool,
}

/// Signs in Unicode and in ASCII.
macro_rules! signs {
    ($($name:ident, $unicode:literal, $ascii:literal;)*) => {
        impl Theme {
            $(pub fn $name(&self) -> &'static str {
                if self.ascii { $ascii } else { $unicode }
            })*
        }
    };
}

signs! {
    speaks_for, "▲", "^";
    speaks_against, "▼", "v";
    rule, "─", "-";
    bar, "█", "#";
    faint_bar, "░", ".";
    shown_mark, "▶", ">";
    matched, "✓", "*";
    missed, "✗", "x";
    ellipsis, "…", "~";
    dot, "·", ".";
    cursor, "█", "_";
    plus_minus, "±", "+-";
}

impl Theme {
    fn fg(&self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// Ordinary text.
    pub fn plain(&self) -> Style {
        Style::new()
    }

    /// What stands back.
    pub fn faint(&self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// Titles and heads.
    pub fn title(&self) -> Style {
        self.fg(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// What matters most.
    pub fn strong(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// In favour, in agreement.
    pub fn good(&self) -> Style {
        self.fg(Color::Green)
    }

    /// Against, in error.
    pub fn bad(&self) -> Style {
        self.fg(Color::Red)
    }

    /// Changed, running.
    pub fn changed(&self) -> Style {
        self.fg(Color::Yellow)
    }

    /// What is chosen.
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
