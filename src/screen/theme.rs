//! Signs and colours. Colours only repeat what signs say, so that the screen is complete without them.

use ratatui::style::{Color, Modifier, Style};

use crate::show::plot::{Colour, text::Look};

/// The background of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    Dark,
    Light,
    /// The terminal has not said which: colours can be read on both.
    Unknown,
}

/// The choice of signs and colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// The background that colours are chosen for; none if no colours are used.
    pub ground: Option<Ground>,
    /// Whether all signs are plain ASCII.
    pub ascii: bool,
}

/// Whether the locale of these variables can show more than ASCII. The first of them that is not empty
/// decides, as in POSIX; without any, nothing is known of the terminal, and Unicode is assumed.
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

            /// A text with these signs in Unicode, as the theme has them.
            pub fn signs_in(&self, text: &str) -> String {
                let signs: &[(&str, &str)] = if self.ascii { &[$(($unicode, $ascii)),*] } else { &[] };
                signs.iter().fold(text.to_string(), |text, (unicode, ascii)| text.replace(unicode, ascii))
            }
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
}

#[derive(Debug, Clone, Copy)]
enum Hue {
    Grey,
    Red,
    Yellow,
    Green,
    Purple,
    Cyan,
}

impl Hue {
    /// The colour among the 256 of a terminal. The first 16 are left out: each terminal has its own, and some
    /// of them are hardly seen on its background.
    fn on(self, ground: Ground) -> Color {
        let on_each = match self {
            Hue::Grey => [248, 241, 244],
            Hue::Red => [210, 124, 167],
            Hue::Yellow => [221, 94, 100],
            Hue::Green => [114, 22, 65],
            Hue::Purple => [183, 90, 134],
            Hue::Cyan => [80, 24, 32],
        };
        Color::Indexed(on_each[ground as usize])
    }
}

/// The colour of a part of a plot.
fn plot_style(colour: Colour, ground: Ground) -> Style {
    let hue = match colour {
        Colour::Ink | Colour::Blue => return Style::new(),
        Colour::Grey => Hue::Grey,
        Colour::Orange | Colour::Yellow => Hue::Yellow,
        Colour::Green => Hue::Green,
        Colour::Purple => Hue::Purple,
        Colour::Sky => Hue::Cyan,
    };
    Style::new().fg(hue.on(ground))
}

impl Theme {
    /// Colours on a dark ground, and all signs.
    #[cfg(test)]
    pub const DARK: Theme = Theme { ground: Some(Ground::Dark), ascii: false };

    /// Whether colours are used.
    pub fn has_colours(&self) -> bool {
        self.ground.is_some()
    }

    /// Whether pieces are drawn as such, an outline for White and filled for Black. Without colours of its
    /// own the board has those of the terminal, and on a dark one a filled piece looks white; letters are the
    /// same on both.
    pub fn has_piece_signs(&self) -> bool {
        self.has_colours() && !self.ascii
    }

    fn fg(&self, hue: Hue) -> Style {
        self.ground.map_or(Style::new(), |ground| Style::new().fg(hue.on(ground)))
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
        self.fg(Hue::Cyan).add_modifier(Modifier::BOLD)
    }

    /// Text of most importance.
    pub fn strong(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Terms in favour, and agreement.
    pub fn good(&self) -> Style {
        self.fg(Hue::Green)
    }

    /// Terms against, and errors.
    pub fn bad(&self) -> Style {
        self.fg(Hue::Red)
    }

    /// Changes, and work that runs.
    pub fn changed(&self) -> Style {
        self.fg(Hue::Yellow)
    }

    /// How panels of `plot` are drawn.
    pub fn look(&self) -> Look {
        let style: fn(Colour) -> Style = match self.ground {
            Some(Ground::Dark) => |colour| plot_style(colour, Ground::Dark),
            Some(Ground::Light) => |colour| plot_style(colour, Ground::Light),
            Some(Ground::Unknown) => |colour| plot_style(colour, Ground::Unknown),
            None => |colour| match colour {
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

    /// A key that has no effect now, in a bar.
    pub fn idle(&self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// A square of the board.
    pub fn square(&self, is_light: bool, is_marked: bool) -> Style {
        if !self.has_colours() {
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

/// Red, green and blue of a colour of the 256, as xterm defines them.
#[cfg(test)]
fn rgb(colour: Color) -> [f64; 3] {
    let Color::Indexed(index) = colour else { panic!("{colour:?} depends on the terminal") };
    let level = |level: u8| if level == 0 { 0.0 } else { 55.0 + 40.0 * f64::from(level) };
    match index {
        0..16 => panic!("{index} depends on the terminal"),
        16..232 => [level((index - 16) / 36), level((index - 16) / 6 % 6), level((index - 16) % 6)],
        232.. => [8.0 + 10.0 * f64::from(index - 232); 3],
    }
}

/// Contrast of two colours by WCAG 2.1.
#[cfg(test)]
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let linear = |part: f64| {
        let part = part / 255.0;
        if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
    };
    let luminance = |[r, g, b]: [f64; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}

/// Contrast of a letter on the screen with what is behind it. Colours of the terminal are taken for black and
/// white.
#[cfg(test)]
pub fn contrast_of(cell: &ratatui::buffer::Cell, ground: Ground) -> f64 {
    let [black, white] = [[0.0; 3], [255.0; 3]];
    let (ink, paper) = if ground == Ground::Dark { (white, black) } else { (black, white) };
    let or = |colour, other| if colour == Color::Reset { other } else { rgb(colour) };
    contrast(or(cell.fg, ink), or(cell.bg, paper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_can_be_read_on_the_usual_grounds() {
        // Black, xterm's darkest grey, Solarized and Nord; white, and Solarized's two light grounds.
        let dark = [[0, 0, 0], [28, 28, 28], [0, 43, 54], [46, 52, 64]];
        let light = [[255, 255, 255], [253, 246, 227], [238, 232, 213]];
        let both = [dark.as_slice(), &light].concat();
        let grounds =
            [(Ground::Dark, &dark[..], 4.5), (Ground::Light, &light, 4.5), (Ground::Unknown, &both, 3.0)];
        for (ground, colours, least) in grounds {
            for hue in [Hue::Grey, Hue::Red, Hue::Yellow, Hue::Green, Hue::Purple, Hue::Cyan] {
                for colour in colours {
                    let contrast = contrast(rgb(hue.on(ground)), colour.map(f64::from));
                    assert!(contrast >= least, "{hue:?} on {colour:?}: {contrast:.2}");
                }
            }
            let theme = Theme { ground: Some(ground), ascii: false };
            for (is_light, is_marked) in [(true, false), (false, false), (true, true), (false, true)] {
                let style = theme.square(is_light, is_marked);
                let contrast = contrast(rgb(style.fg.unwrap()), rgb(style.bg.unwrap()));
                assert!(contrast >= 4.5, "a square, light {is_light}, marked {is_marked}: {contrast:.2}");
            }
        }
    }

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
