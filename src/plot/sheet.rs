//! A sheet to draw on, in SVG or in pixels: lines, areas, letters, in pixels with fractions. The door to
//! plotters' backends.
//!
//! Both backends take whole numbers only, so a sheet is finer than what it becomes: an SVG gets a view box of
//! tenths, and pixels are drawn larger and then brought down, which also smooths every edge.

use plotters_backend::{BackendColor, BackendStyle, DrawingBackend, DrawingErrorKind};
use plotters_bitmap::BitMapBackend;
use plotters_svg::SVGBackend;

use super::{
    Size,
    letters::{FAMILY, Lettering, Type},
    theme::{Paint, Theme},
};
use crate::error::{Error, Result};

/// A place in pixels: across and down.
pub(super) type Spot = (f64, f64);

/// What can be drawn on.
pub(super) trait Paper {
    fn size(&self) -> Size;
    fn theme(&self) -> Theme;
    /// An area with corners all of which bulge outward.
    fn area(&mut self, corners: &[Spot], paint: Paint);
    /// A line through all spots.
    fn path(&mut self, spots: &[Spot], width: f64, paint: Paint);
    fn disc(&mut self, centre: Spot, radius: f64, paint: Paint);
    /// Letters, the middle of the line at the height of the spot.
    fn letters(&mut self, at: Spot, text: &str, kind: Type, paint: Paint);

    fn rect(&mut self, (left, top): Spot, (right, bottom): Spot, paint: Paint) {
        self.area(&[(left, top), (right, top), (right, bottom), (left, bottom)], paint);
    }

    /// A line of strokes.
    fn dashes(&mut self, spots: &[Spot], stroke: f64, width: f64, paint: Paint) {
        for dash in dashes(spots, stroke) {
            self.path(&dash, width, paint);
        }
    }
}

/// Cuts a line into strokes, each followed by a gap two thirds as long.
fn dashes(spots: &[Spot], stroke: f64) -> Vec<Vec<Spot>> {
    let mut strokes = Vec::new();
    let (mut drawn, mut left) = (true, stroke);
    let mut current: Vec<Spot> = spots.first().copied().into_iter().collect();
    for pair in spots.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            if length <= left {
                left -= length;
                current.push(to);
                break;
            }
            let share = left / length;
            from = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            current.push(from);
            if drawn {
                strokes.push(std::mem::take(&mut current));
            }
            current = vec![from];
            drawn = !drawn;
            left = if drawn { stroke } else { stroke / 1.5 };
        }
    }
    if drawn && current.len() > 1 {
        strokes.push(current);
    }
    strokes
}

/// Parts of a pixel in an SVG.
pub(super) const FINENESS: f64 = 10.0;

/// Pixels drawn for one, in both directions.
const OVERSIZE: u32 = 3;

/// What `draw` draws, as an SVG; `label` says what it is to those who cannot see it.
pub(super) fn svg(
    size: Size,
    theme: Theme,
    label: &str,
    draw: impl FnOnce(&mut dyn Paper),
) -> Result<String> {
    let mut text = String::new();
    let fine = (size.width * FINENESS as u32, size.height * FINENESS as u32);
    let backend = SVGBackend::with_string(&mut text, fine);
    let mut sheet = Sheet { backend, size, theme, scale: FINENESS, by_parts: false, failure: None };
    if theme != Theme::Page {
        sheet.ground();
    }
    draw(&mut sheet);
    sheet.finish()?;
    drop(sheet);
    Ok(theme.on_page(tidy(&text, size, label)))
}

/// Gives a drawing its size in pixels, and leaves out what says nothing.
fn tidy(text: &str, size: Size, label: &str) -> String {
    let label = printable(label).replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    let family = format!(" font-family=\"{FAMILY}\"");
    let body = [
        ("opacity=\"1\" ", ""),
        (" \"/>", "\"/>"),
        (&family, ""),
        ("\">\n", "\">"),
        ("\n</text>", "</text>"),
    ]
    .into_iter()
    .fold(body.to_string(), |body, (found, by)| body.replace(found, by));
    let (Size { width, height }, fine) = (size, FINENESS as u32);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\"\
        {family} stroke-linejoin=\"round\" stroke-linecap=\"round\" role=\"img\" aria-label=\"{label}\">\n{body}",
        width * fine,
        height * fine,
    )
}

/// A text without characters that XML forbids.
fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'), "?")
}

/// What `draw` draws, as pixels: red, green and blue, row by row.
pub(super) fn pixels(size: Size, theme: Theme, draw: impl FnOnce(&mut dyn Paper)) -> Result<Vec<u8>> {
    let theme = theme.of_pixels();
    let (width, height) = (size.width * OVERSIZE, size.height * OVERSIZE);
    let mut large = vec![0; 3 * width as usize * height as usize];
    let backend = BitMapBackend::with_buffer(&mut large, (width, height));
    let mut sheet = Sheet { backend, size, theme, scale: f64::from(OVERSIZE), by_parts: true, failure: None };
    sheet.ground();
    draw(&mut sheet);
    sheet.finish()?;
    drop(sheet);
    Ok(brought_down(&large, size))
}

/// Each pixel the mean of those drawn for it.
fn brought_down(large: &[u8], size: Size) -> Vec<u8> {
    let (n, width) = (OVERSIZE as usize, size.width as usize);
    let mut small = Vec::with_capacity(3 * width * size.height as usize);
    let mut sums = vec![0_u32; 3 * width];
    for rows in large.chunks_exact(3 * width * n * n) {
        sums.fill(0);
        for row in rows.chunks_exact(3 * width * n) {
            for (x, pixel) in row.chunks_exact(3).enumerate() {
                for (sum, &part) in sums[3 * (x / n)..].iter_mut().zip(pixel) {
                    *sum += u32::from(part);
                }
            }
        }
        small.extend(sums.iter().map(|sum| ((sum + (n * n / 2) as u32) / (n * n) as u32) as u8));
    }
    small
}

/// Pixels as PNG.
pub(super) fn encoded(pixels: &[u8], size: Size) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.width, size.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels)?;
        writer.finish()
    });
    written.map_err(|error| {
        Error::new(format!("cannot write a PNG of {} by {}: {error}", size.width, size.height))
    })?;
    Ok(bytes)
}

struct Sheet<B: DrawingBackend> {
    backend: B,
    size: Size,
    theme: Theme,
    scale: f64,
    /// Whether wide lines are drawn stroke by stroke: the backend of pixels loses parts of those that turn.
    by_parts: bool,
    failure: Option<String>,
}

/// A line of some width.
struct Pen {
    colour: BackendColor,
    width: u32,
}

impl BackendStyle for Pen {
    fn color(&self) -> BackendColor {
        self.colour
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

impl<B: DrawingBackend> Sheet<B> {
    fn place(&self, (x, y): Spot) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    fn places(&self, spots: &[Spot]) -> Vec<(i32, i32)> {
        spots.iter().map(|&spot| self.place(spot)).collect()
    }

    fn ground(&mut self) {
        let Size { width, height } = self.size;
        self.rect((0.0, 0.0), (f64::from(width), f64::from(height)), Paint::Ground);
    }

    /// Keeps the first thing that went wrong.
    fn note(&mut self, result: Result<(), DrawingErrorKind<B::ErrorType>>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error.to_string());
        }
    }

    fn finish(&mut self) -> Result<()> {
        let result = self.backend.present();
        self.note(result);
        match self.failure.take() {
            None => Ok(()),
            Some(failure) => Err(Error::new(format!("cannot draw: {failure}"))),
        }
    }

    /// A straight stroke as an area.
    fn stroke(&mut self, from: Spot, to: Spot, width: f64, paint: Paint) {
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        if length > 0.0 {
            let (x, y) = (width / 2.0 * (to.0 - from.0) / length, width / 2.0 * (to.1 - from.1) / length);
            let corners = [
                (from.0 - y, from.1 + x),
                (to.0 - y, to.1 + x),
                (to.0 + y, to.1 - x),
                (from.0 + y, from.1 - x),
            ];
            self.area(&corners, paint);
        }
    }
}

impl<B: DrawingBackend> Paper for Sheet<B> {
    fn size(&self) -> Size {
        self.size
    }

    fn theme(&self) -> Theme {
        self.theme
    }

    fn area(&mut self, corners: &[Spot], paint: Paint) {
        let corners = self.places(corners);
        let colour = self.theme.colour(paint);
        let result = self.backend.fill_polygon(corners, &colour);
        self.note(result);
    }

    fn path(&mut self, spots: &[Spot], width: f64, paint: Paint) {
        if self.by_parts {
            for pair in spots.windows(2) {
                self.stroke(pair[0], pair[1], width, paint);
            }
            // A joint shows only where the line is wide.
            for &joint in spots.iter().skip(1).take(spots.len().saturating_sub(2)).filter(|_| width > 1.2) {
                self.disc(joint, width / 2.0, paint);
            }
            return;
        }
        let pen =
            Pen { colour: self.theme.colour(paint), width: (width * self.scale).round().max(1.0) as u32 };
        let places = self.places(spots);
        let result = self.backend.draw_path(places, &pen);
        self.note(result);
    }

    fn disc(&mut self, centre: Spot, radius: f64, paint: Paint) {
        let centre = self.place(centre);
        let radius = (radius * self.scale).round().max(1.0) as u32;
        let colour = self.theme.colour(paint);
        let result = self.backend.draw_circle(centre, radius, &colour, true);
        self.note(result);
    }

    fn letters(&mut self, at: Spot, text: &str, kind: Type, paint: Paint) {
        if text.is_empty() {
            return;
        }
        // The middle of a line of SVG is that of a small x; figures and capitals are higher.
        let lower = 0.08 * kind.size;
        let at = if kind.upward { (at.0 + lower, at.1) } else { (at.0, at.1 + lower) };
        let place = self.place(at);
        let lettering = Lettering { kind, colour: self.theme.colour(paint), scale: self.scale };
        let result = self.backend.draw_text(&printable(text), &lettering, place);
        self.note(result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_and_gaps_fill_a_line_round_its_corners() {
        let strokes = dashes(&[(0.0, 0.0), (4.0, 0.0), (4.0, 6.0)], 3.0);
        assert_eq!(strokes, [vec![(0.0, 0.0), (3.0, 0.0)], vec![(4.0, 1.0), (4.0, 4.0)]]);
        assert!(dashes(&[], 3.0).is_empty());
    }

    #[test]
    fn a_pixel_is_the_mean_of_what_was_drawn_for_it() {
        let size = Size { width: 2, height: 1 };
        let mut large = vec![0; 3 * 6 * 3];
        for row in 0..3 {
            for x in 3..6 {
                large[3 * (6 * row + x)] = 90;
            }
        }
        large[0] = 255;
        assert_eq!(brought_down(&large, size), [28, 0, 0, 90, 0, 0]);
    }

    #[test]
    fn an_area_comes_out_where_it_was_drawn_and_in_its_colour() {
        let size = Size { width: 20, height: 10 };
        let draw = |paper: &mut dyn Paper| paper.rect((5.0, 2.0), (15.0, 8.0), Paint::Exact([200, 0, 0]));
        let pixels = pixels(size, Theme::Light, draw).unwrap();
        let at = |x: usize, y: usize| &pixels[3 * (20 * y + x)..][..3];
        assert_eq!((at(10, 5), at(2, 5)), (&[200, 0, 0][..], &[255, 255, 255][..]));
        let svg = svg(size, Theme::Light, "a \"<&\u{1}", draw).unwrap();
        assert!(svg.contains("points=\"50,20 150,20 150,80 50,80\""), "{svg}");
        assert!(
            svg.starts_with("<svg ") && svg.contains("width=\"20\"") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
    }
}
