//! What colours look like: on white, on black, or on a page that says so itself.

use plotters_backend::BackendColor;

use super::panel::Hue;

/// The ground that a picture is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// White paper.
    #[default]
    Light,
    /// A dark ground.
    Dark,
    /// A page in HTML: no ground of its own, and colours that the page may set in CSS ([`PAGE_CSS`]). Letters
    /// have the colour of the text around. For SVG only; a picture of pixels is as [`Theme::Light`].
    Page,
}

/// The variables of [`Theme::Page`] with their values by day and by night. A page may do without: each has a
/// value to fall back on.
pub const PAGE_CSS: &str = "\
:root { --plot-grey: #6b7177; --plot-grid: #8884; --plot-ground: #fff; --plot-blue: #0072b2;
  --plot-orange: #d55e00; --plot-green: #009e73; --plot-purple: #b05c8e; --plot-yellow: #b98700;
  --plot-sky: #3a9bd6; }
@media (prefers-color-scheme: dark) {
  :root { --plot-grey: #9aa3ab; --plot-ground: #16181d; --plot-blue: #56b4e9; --plot-orange: #f28e4b;
    --plot-green: #2bc5a0; --plot-purple: #e59cc7; --plot-yellow: #f0c24b; --plot-sky: #9ad1f2; }
}
";

/// What something is painted with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Paint {
    /// The ground of the picture.
    Ground,
    /// Lines that help the eye.
    Grid,
    /// A colour by name, and how much of it covers what lies below.
    Hue(Hue, f64),
    /// Just this colour.
    Exact([u8; 3]),
}

impl From<Hue> for Paint {
    fn from(hue: Hue) -> Paint {
        Paint::Hue(hue, 1.0)
    }
}

/// Colours of a theme: ground, grid, then the hues in their order.
type Palette = [[u8; 3]; 10];

const LIGHT: Palette = [
    [255, 255, 255],
    [222, 225, 228],
    [24, 27, 31],
    [107, 113, 119],
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [176, 92, 142],
    [185, 135, 0],
    [58, 155, 214],
];

const DARK: Palette = [
    [22, 24, 29],
    [58, 63, 70],
    [226, 229, 233],
    [154, 163, 171],
    [86, 180, 233],
    [242, 142, 75],
    [43, 197, 160],
    [229, 156, 199],
    [240, 194, 75],
    [154, 209, 242],
];

/// Stand for the colours of a page until the picture is drawn; no picture has them otherwise.
const MARKERS: Palette = [
    [1, 2, 250],
    [1, 3, 250],
    [1, 4, 250],
    [1, 5, 250],
    [1, 6, 250],
    [1, 7, 250],
    [1, 8, 250],
    [1, 9, 250],
    [1, 10, 250],
    [1, 11, 250],
];

/// What the page says in their place.
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
    pub(super) fn colour(self, paint: Paint) -> BackendColor {
        let palette = match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
            Theme::Page => &MARKERS,
        };
        let (rgb, alpha) = match paint {
            Paint::Ground => (palette[0], 1.0),
            Paint::Grid => (palette[1], 1.0),
            // An SVG writes all decimals that there are.
            Paint::Hue(hue, alpha) => (palette[2 + hue as usize], (100.0 * alpha).round() / 100.0),
            Paint::Exact(rgb) => (rgb, 1.0),
        };
        BackendColor { alpha, rgb: rgb.into() }
    }

    /// The middle of a scale of colours that hide what is behind them.
    pub(super) fn middle(self) -> [u8; 3] {
        match self {
            Theme::Light => [242, 242, 240],
            Theme::Dark => [92, 96, 102],
            Theme::Page => [205, 207, 208],
        }
    }

    /// The theme that pixels can have.
    pub(super) fn of_pixels(self) -> Theme {
        if self == Theme::Page { Theme::Light } else { self }
    }

    /// A picture in SVG with the words of the page in place of what stands for them.
    pub(super) fn on_page(self, svg: String) -> String {
        if self != Theme::Page {
            return svg;
        }
        MARKERS.iter().zip(VARIABLES).fold(svg, |svg, ([r, g, b], variable)| {
            svg.replace(&format!("\"#{r:02X}{g:02X}{b:02X}\""), &format!("\"{variable}\""))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUES: [Hue; 8] =
        [Hue::Ink, Hue::Grey, Hue::Blue, Hue::Orange, Hue::Green, Hue::Purple, Hue::Yellow, Hue::Sky];

    /// Relative luminance and contrast as in WCAG 2.
    fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
        let luminance = |rgb: [u8; 3]| {
            let [r, g, b] = rgb.map(|c| (f64::from(c) / 255.0).powf(2.2));
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn letters_and_lines_stand_out_from_their_ground() {
        for palette in [LIGHT, DARK] {
            assert!(contrast(palette[0], palette[2 + Hue::Ink as usize]) > 10.0);
            for hue in HUES {
                assert!(contrast(palette[0], palette[2 + hue as usize]) > 2.8, "{hue:?}");
            }
        }
    }

    #[test]
    fn a_page_sets_every_colour_but_those_that_are_exact() {
        let paints = [Paint::Ground, Paint::Grid].into_iter().chain(HUES.map(Paint::from));
        for (paint, variable) in paints.zip(VARIABLES) {
            let (r, g, b) = Theme::Page.colour(paint).rgb;
            let svg = Theme::Page.on_page(format!("<a fill=\"#{r:02X}{g:02X}{b:02X}\"/>"));
            assert_eq!(svg, format!("<a fill=\"{variable}\"/>"));
        }
        for variable in VARIABLES.iter().filter_map(|v| v.strip_prefix("var(")?.split_once(',')) {
            assert!(PAGE_CSS.contains(variable.0), "{variable:?}");
        }
    }
}
