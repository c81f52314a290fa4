//! RGB values of the palette on a light background, on a dark one, and on an HTML page with its own colours.

use super::panel::Colour;

/// Colour theme of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Light background.
    #[default]
    Light,
    /// Dark background.
    Dark,
    /// For an HTML page: no background, and colours that the page may set in CSS ([`PAGE_CSS`]). Text has the
    /// colour of the text around the picture. For SVG only; PNG pictures use [`Theme::Light`] instead.
    Page,
}

/// CSS variables for [`Theme::Page`], in a light and a dark version. A page may leave them out: each has a
/// default value.
pub const PAGE_CSS: &str = "\
:root { --plot-grey: #6b7177; --plot-grid: #8884; --plot-ground: #fff; --plot-blue: #0072b2;
  --plot-orange: #d55e00; --plot-green: #009e73; --plot-purple: #b05c8e; --plot-yellow: #b98700;
  --plot-sky: #3a9bd6; }
@media (prefers-color-scheme: dark) {
  :root { --plot-grey: #9aa3ab; --plot-ground: #16181d; --plot-blue: #56b4e9; --plot-orange: #f28e4b;
    --plot-green: #2bc5a0; --plot-purple: #e59cc7; --plot-yellow: #f0c24b; --plot-sky: #9ad1f2; }
}
";

/// Fill or stroke colour of a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Paint {
    /// Background of the picture.
    Ground,
    Grid,
    /// A colour of the palette with its opacity, from 0 to 1.
    Colour(Colour, f64),
    /// An RGB colour, the same in every theme.
    Exact([u8; 3]),
}

impl From<Colour> for Paint {
    fn from(colour: Colour) -> Paint {
        Paint::Colour(colour, 1.0)
    }
}

/// Colours of a theme: background, grid lines, then the palette in the order of [`Colour`].
type Palette = [u32; 10];

const LIGHT: Palette =
    [0xFFFFFF, 0xDEE1E4, 0x181B1F, 0x6B7177, 0x0072B2, 0xD55E00, 0x009E73, 0xB05C8E, 0xB98700, 0x3A9BD6];

const DARK: Palette =
    [0x16181D, 0x3A3F46, 0xE2E5E9, 0x9AA3AB, 0x56B4E9, 0xF28E4B, 0x2BC5A0, 0xE59CC7, 0xF0C24B, 0x9AD1F2];

/// Colours of [`Theme::Page`] in the same order: CSS variables with default values.
const VARIABLES: [&str; 10] = [
    "var(--plot-ground, #fff)",
    "var(--plot-grid, #8884)",
    "currentColor",
    "var(--plot-grey, #7d858c)",
    "var(--plot-blue, #0072b2)",
    "var(--plot-orange, #d55e00)",
    "var(--plot-green, #009e73)",
    "var(--plot-purple, #b05c8e)",
    "var(--plot-yellow, #b98700)",
    "var(--plot-sky, #3a9bd6)",
];

impl Theme {
    /// A colour as SVG writes it.
    pub(super) fn colour(self, paint: Paint) -> String {
        let index = match paint {
            Paint::Ground => 0,
            Paint::Grid => 1,
            Paint::Colour(colour, _) => 2 + colour as usize,
            Paint::Exact([red, green, blue]) => return format!("#{red:02X}{green:02X}{blue:02X}"),
        };
        match self {
            Theme::Light => format!("#{:06X}", LIGHT[index]),
            Theme::Dark => format!("#{:06X}", DARK[index]),
            Theme::Page => VARIABLES[index].to_string(),
        }
    }

    /// Middle of the colour scale of surfaces.
    pub(super) fn middle(self) -> [u8; 3] {
        match self {
            Theme::Light => [242, 242, 240],
            Theme::Dark => [92, 96, 102],
            Theme::Page => [205, 207, 208],
        }
    }

    /// The theme for PNG pictures.
    pub(super) fn for_pixels(self) -> Theme {
        if self == Theme::Page { Theme::Light } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUES: [Colour; 8] = [
        Colour::Ink,
        Colour::Grey,
        Colour::Blue,
        Colour::Orange,
        Colour::Green,
        Colour::Purple,
        Colour::Yellow,
        Colour::Sky,
    ];

    /// Relative luminance and contrast as in WCAG 2.
    fn contrast(a: u32, b: u32) -> f64 {
        let luminance = |rgb: u32| {
            let [_, r, g, b] = rgb.to_be_bytes().map(|c| libm::pow(f64::from(c) / 255.0, 2.2));
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn letters_and_lines_stand_out_from_their_ground() {
        for palette in [LIGHT, DARK] {
            assert!(contrast(palette[0], palette[2 + Colour::Ink as usize]) > 10.0);
            for colour in HUES {
                assert!(contrast(palette[0], palette[2 + colour as usize]) > 2.8, "{colour:?}");
            }
        }
    }

    #[test]
    fn a_page_sets_every_colour_but_those_that_are_exact() {
        let paints = [Paint::Ground, Paint::Grid].into_iter().chain(HUES.map(Paint::from));
        for (paint, variable) in paints.zip(VARIABLES) {
            assert_eq!(Theme::Page.colour(paint), variable);
        }
        assert_eq!(Theme::Page.colour(Paint::Exact([1, 2, 250])), "#0102FA");
        for variable in VARIABLES.iter().filter_map(|v| v.strip_prefix("var(")?.split_once(',')) {
            assert!(PAGE_CSS.contains(variable.0), "{variable:?}");
        }
    }
}
