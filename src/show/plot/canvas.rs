//! A picture as SVG: rectangles, polygons, lines, circles and text, in pixels with one decimal.

use std::fmt::Write;

use super::{
    Size,
    font::{Anchor, FAMILY, TextStyle},
    theme::{Paint, Theme},
};
use crate::printable::printable;

/// A position in pixels: distance from the left edge and from the top edge.
pub(super) type PixelPoint = (f64, f64);

/// A rectangle on the canvas; edges in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn middle(&self) -> PixelPoint {
        (0.5 * (self.left + self.right), 0.5 * (self.top + self.bottom))
    }

    /// The areas of `count` pictures in rows of so many columns, with gaps between them.
    pub fn split(&self, count: usize, columns: usize, gap: f64) -> impl Iterator<Item = Area> + use<> {
        let Area { left, top, .. } = *self;
        let rows = count.div_ceil(columns).max(1) as f64;
        let width = (self.width() + gap) / columns as f64 - gap;
        let height = (self.height() + gap) / rows - gap;
        (0..count).map(move |index| {
            let left = left + (index % columns) as f64 * (width + gap);
            let top = top + (index / columns) as f64 * (height + gap);
            Area { left, top, right: left + width, bottom: top + height }
        })
    }

    /// The middle of the lower edge.
    pub fn below(&self) -> PixelPoint {
        (self.middle().0, self.bottom)
    }
}

/// The width of each of so many columns, with gaps between them.
pub(super) fn column_width(columns: usize, gap: f64, width: f64) -> f64 {
    (width - (columns - 1) as f64 * gap) / columns as f64
}

/// Distance from the middle of a capital letter or digit down to the baseline, as a share of the font size.
pub(super) const BASELINE: f64 = 0.36;

/// An SVG that is being drawn.
pub(super) struct Canvas {
    theme: Theme,
    svg: String,
}

impl Canvas {
    /// An empty picture. Screen readers read `label`.
    pub fn new(size: Size, theme: Theme, label: &str) -> Canvas {
        let Size { width, height } = size;
        let label = escape_xml(label);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" fill=\"none\" stroke-linejoin=\"round\" \
             role=\"img\" aria-label=\"{label}\">\n"
        );
        let mut canvas = Canvas { theme, svg };
        if theme != Theme::Page {
            let (right, bottom) = (f64::from(width), f64::from(height));
            canvas.rect(&Area { left: 0.0, top: 0.0, right, bottom }, Paint::Ground);
        }
        canvas
    }

    pub fn theme(&self) -> Theme {
        self.theme
    }

    pub fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }

    pub fn rect(&mut self, area: &Area, paint: Paint) {
        if area.width() > 0.0 && area.height() > 0.0 {
            let [x, y, width, height] = [area.left, area.top, area.width(), area.height()].map(number);
            let fill = self.paint("fill", paint);
            self.element(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{fill}/>"
            ));
        }
    }

    /// The edge of an area, one pixel wide.
    pub fn outline(&mut self, area: &Area, paint: Paint) {
        let [left, top, right, bottom] = [area.left, area.top, area.right, area.bottom].map(pixel_centre);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let stroke = self.stroke(1.0, paint);
        self.element(format_args!("<path d=\"{}z\"{stroke}/>", path(&corners)));
    }

    pub fn polygon(&mut self, corners: &[PixelPoint], paint: Paint) {
        let fill = self.paint("fill", paint);
        self.element(format_args!("<path d=\"{}z\"{fill}/>", path(corners)));
    }

    /// A polygon with an edge of another colour.
    pub fn edged_polygon(&mut self, corners: &[PixelPoint], paint: Paint, width: f64, edge: Paint) {
        let (fill, stroke) = (self.paint("fill", paint), self.stroke(width, edge));
        self.element(format_args!("<path d=\"{}z\"{fill}{stroke}/>", path(corners)));
    }

    /// A line through all points.
    pub fn line(&mut self, spots: &[PixelPoint], width: f64, paint: Paint) {
        self.lines(&[spots.to_vec()], width, paint);
    }

    /// Lines of the same width and colour.
    pub fn lines(&mut self, lines: &[Vec<PixelPoint>], width: f64, paint: Paint) {
        let data: String = lines.iter().map(|line| path(&aligned(line, width))).collect();
        if data.is_empty() {
            return;
        }
        let stroke = self.stroke(width, paint);
        self.element(format_args!("<path d=\"{data}\"{stroke}/>"));
    }

    /// A line of dashes, with gaps two thirds as long.
    pub fn dashed(&mut self, spots: &[PixelPoint], dash: f64, width: f64, paint: Paint) {
        let data = path(&aligned(spots, width));
        let stroke = self.stroke(width, paint);
        let dashes = format!(" stroke-dasharray=\"{} {}\"", number(dash), number(dash / 1.5));
        self.element(format_args!("<path d=\"{data}\"{stroke}{dashes}/>"));
    }

    /// Rows of dots.
    pub fn dotted(&mut self, rows: &[Vec<PixelPoint>], spacing: f64, width: f64, paint: Paint) {
        if rows.is_empty() {
            return;
        }
        let data: String = rows.iter().map(|row| path(row)).collect();
        let stroke = self.stroke(width, paint);
        let dots = format!(" stroke-dasharray=\"0.1 {}\" stroke-linecap=\"round\"", number(spacing - 0.1));
        self.element(format_args!("<path d=\"{data}\"{stroke}{dots}/>"));
    }

    pub fn circle(&mut self, centre: PixelPoint, radius: f64, paint: Paint) {
        let ([x, y, radius], fill) = ([centre.0, centre.1, radius].map(number), self.paint("fill", paint));
        self.element(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{fill}/>"));
    }

    /// One line of text, vertically centred at the given point.
    pub fn text(&mut self, at: PixelPoint, text: &str, style: TextStyle, paint: Paint) {
        if text.is_empty() {
            return;
        }
        let lower = BASELINE * style.size;
        let (x, y) = if style.upward { (at.0 + lower, at.1) } else { (at.0, at.1 + lower) };
        let [x, y, size] = [x, y, style.size].map(number);
        let anchor = match style.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if style.bold { " font-weight=\"bold\"" } else { "" };
        let turn = if style.upward { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
        let (fill, text) = (self.paint("fill", paint), escape_xml(text));
        self.element(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{weight}{fill}{anchor}{turn}>{text}</text>"
        ));
    }

    fn element(&mut self, element: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.svg, "{element}");
    }

    /// Attributes for a colour and its opacity.
    fn paint(&self, attribute: &str, paint: Paint) -> String {
        let opacity = match paint {
            Paint::Colour(_, opacity) if opacity < 0.995 => format!(" {attribute}-opacity=\"{opacity:.2}\""),
            _ => String::new(),
        };
        format!(" {attribute}=\"{}\"{opacity}", self.theme.colour(paint))
    }

    fn stroke(&self, width: f64, paint: Paint) -> String {
        let colour = self.paint("stroke", paint);
        if width == 1.0 { colour } else { format!("{colour} stroke-width=\"{}\"", number(width)) }
    }
}

/// The path data of a line through points.
fn path(spots: &[PixelPoint]) -> String {
    let mut data = String::new();
    for (at, &(x, y)) in spots.iter().enumerate() {
        let _ = write!(data, "{}{} {}", if at == 0 { "M" } else { " " }, number(x), number(y));
    }
    data
}

/// Moves a horizontal or vertical line of one pixel so that it covers whole pixels; other lines are
/// unchanged.
fn aligned(spots: &[PixelPoint], width: f64) -> Vec<PixelPoint> {
    match *spots {
        [(x1, y1), (x2, y2)] if width == 1.0 && y1 == y2 => {
            vec![(x1, pixel_centre(y1)), (x2, pixel_centre(y2))]
        }
        [(x1, y1), (x2, y2)] if width == 1.0 && x1 == x2 => {
            vec![(pixel_centre(x1), y1), (pixel_centre(x2), y2)]
        }
        _ => spots.to_vec(),
    }
}

/// The middle of the nearest pixel.
fn pixel_centre(place: f64) -> f64 {
    (place - 0.5).round() + 0.5
}

/// A number with at most one decimal.
fn number(value: f64) -> String {
    let tenths = (10.0 * value).round() as i64;
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{:.1}", tenths as f64 / 10.0) }
}

/// Text for XML, with a question mark for each character that XML forbids.
pub(crate) fn escape_xml(text: &str) -> String {
    let allowed =
        printable(text).replace(|c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'), "?");
    allowed.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::plot::panel::Colour;

    const SIZE: Size = Size { width: 20, height: 10 };

    proptest! {
        #[test]
        fn no_text_ends_its_element_or_has_characters_that_xml_forbids(text in any::<String>()) {
            let escaped = escape_xml(&text);
            prop_assert!(!escaped.contains(['<', '>', '"']));
            prop_assert!(escaped.chars().all(|letter| letter == '\n' || letter == '\t' || !letter.is_control()));
            let entities = escaped.split('&').skip(1);
            for entity in entities {
                prop_assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)));
            }
        }
    }

    /// The elements that `draw` draws on a page, without those that begin and end a picture.
    fn drawn(draw: impl Fn(&mut Canvas)) -> String {
        let mut canvas = Canvas::new(SIZE, Theme::Page, "");
        draw(&mut canvas);
        let svg = canvas.finish();
        svg.split_once('\n').unwrap().1.strip_suffix("</svg>\n").unwrap().trim_end().to_string()
    }

    #[test]
    fn an_area_comes_out_where_it_was_drawn_and_in_its_colour() {
        let mut canvas = Canvas::new(SIZE, Theme::Light, "a \"<&\u{1}");
        canvas.rect(&Area { left: 5.0, top: 2.0, right: 15.0, bottom: 8.0 }, Paint::Exact([200, 0, 0]));
        let svg = canvas.finish();
        assert!(svg.contains("<rect x=\"5\" y=\"2\" width=\"10\" height=\"6\" fill=\"#C80000\"/>"), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.contains("aria-label=\"a &quot;&lt;&amp;\\u{1}\""), "{svg}");
        assert!(svg.contains("width=\"20\"") && svg.ends_with("</svg>\n"), "{svg}");
    }

    #[test]
    fn lines_that_help_the_eye_cover_whole_pixels_and_curves_stay_where_they_are() {
        let grid = drawn(|canvas| canvas.line(&[(1.0, 3.0), (9.04, 3.0)], 1.0, Colour::Ink.into()));
        assert_eq!(grid, "<path d=\"M1 3.5 9 3.5\" stroke=\"currentColor\"/>");
        let curve = drawn(|canvas| canvas.dashed(&[(1.0, 3.0), (9.0, 3.0)], 3.0, 1.6, Colour::Ink.into()));
        assert!(curve.contains("M1 3 9 3") && curve.contains("stroke-dasharray=\"3 2\""), "{curve}");
    }

    #[test]
    fn numbers_have_at_most_one_decimal() {
        assert_eq!([1.0, -0.04, 12.34, -7.95, f64::NAN].map(number), ["1", "0", "12.3", "-8", "0"]);
    }
}
