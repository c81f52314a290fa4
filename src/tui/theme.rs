//! Signs and colours. Colours only repeat what signs say, so that the screen is complete without them.

use ratatui::style::{Color, Modifier, Style};

/// The choice of signs and colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Whether colours are used; NO_COLOR turns them off.
    pub colour: bool,
    /// Whether all signs are plain ASCII.
    pub ascii: bool,
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
    bar, "█", "#";
    faint_bar, "░", ".";
    shown_mark, "▶", ">";
    matched, "✓", "*";
    missed, "✗", "x";
    ellipsis, "…", "~";
    dot, "·", ".";
    plus_minus, "±", "+-";
    error_bar, "│", "|";
}

impl Theme {
    fn fg(&self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// Ordinary text.
    pub fn plain(&self) -> Style {
        Style::new()
    }

    /// Text of less importance.
    pub fn faint(&self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// Titles and heads.
    pub fn title(&self) -> Style {
        self.fg(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// Text of most importance.
    pub fn strong(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
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
