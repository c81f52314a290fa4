//! Letters: how much room they take, and their pixels. The door to ab_glyph.

use std::convert::Infallible;

use ab_glyph::{Font, FontRef, Glyph, Point, PxScale, ScaleFont, point};
use plotters_backend::{
    BackendColor, BackendCoord, BackendTextStyle, FontFamily, FontStyle, FontTransform,
    text_anchor::{HPos, Pos, VPos},
};

/// Families for pictures that are lettered by whoever shows them: the one they are measured with, one as wide,
/// and whatever there is.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

const REGULAR: &[u8] = include_bytes!("font/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("font/DejaVuSans-Bold.ttf");

/// Which way letters run from their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How something is lettered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Type {
    /// Height of the letter m with all that belongs to it, in pixels.
    pub size: f64,
    pub bold: bool,
    pub anchor: Anchor,
    /// Whether it runs from below.
    pub upward: bool,
}

impl Type {
    pub const fn new(size: f64, anchor: Anchor) -> Type {
        Type { size, bold: false, anchor, upward: false }
    }

    /// Room that a text takes across, in pixels.
    pub fn width(&self, text: &str) -> f64 {
        let font = font(self.bold);
        let scale = PxScale::from((self.size * whole_height(&font)) as f32);
        let scaled = font.as_scaled(scale);
        let mut width = 0.0;
        let mut before = None;
        for c in text.chars() {
            let glyph = scaled.glyph_id(c);
            width += before.map_or(0.0, |before| scaled.kern(before, glyph)) + scaled.h_advance(glyph);
            before = Some(glyph);
        }
        f64::from(width)
    }

    /// A text cut so that it fits, with an ellipsis where it was.
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

/// The font; it is a part of the program, and a test reads it.
fn font(bold: bool) -> FontRef<'static> {
    FontRef::try_from_slice(if bold { BOLD } else { REGULAR }).expect("the fonts of the program are fonts")
}

/// Height that the library scales by, for an m of 1.
fn whole_height(font: &FontRef) -> f64 {
    f64::from(font.height_unscaled() / font.units_per_em().unwrap_or(2048.0))
}

/// Half the height of a small x, for an m of 1: where SVG puts the middle of a line.
const MIDDLE: f64 = 0.2734;

/// Letters on their way to a picture: everything in its pixels.
pub(super) struct Lettering {
    pub kind: Type,
    pub colour: BackendColor,
    pub scale: f64,
}

impl BackendTextStyle for Lettering {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.colour
    }

    fn size(&self) -> f64 {
        // SVG divides by this again.
        self.kind.size * self.scale * 1.24
    }

    fn transform(&self) -> FontTransform {
        if self.kind.upward { FontTransform::Rotate270 } else { FontTransform::None }
    }

    fn style(&self) -> FontStyle {
        if self.kind.bold { FontStyle::Bold } else { FontStyle::Normal }
    }

    fn anchor(&self) -> Pos {
        let across = match self.kind.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        Pos::new(across, VPos::Center)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(FAMILY)
    }

    fn layout_box(&self, text: &str) -> Result<(BackendCoord, BackendCoord), Infallible> {
        let width = (self.kind.width(text) * self.scale).round() as i32;
        Ok(((0, 0), (width, (self.kind.size * self.scale).round() as i32)))
    }

    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        (x, y): BackendCoord,
        mut draw: F,
    ) -> Result<Result<(), E>, Infallible> {
        let font = font(self.kind.bold);
        let size = self.kind.size * self.scale;
        let scaled = font.as_scaled(PxScale::from((size * whole_height(&font)) as f32));
        let mut pen: Point = point(x as f32, y as f32 + ((0.5 + MIDDLE) * size) as f32);
        let mut before: Option<Glyph> = None;
        for c in text.chars() {
            let mut glyph = scaled.scaled_glyph(c);
            pen.x += before.map_or(0.0, |before| scaled.kern(before.id, glyph.id));
            glyph.position = pen;
            pen.x += scaled.h_advance(glyph.id);
            before = Some(glyph.clone());
            let Some(outline) = font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            let mut done = Ok(());
            outline.draw(|dx, dy, covered| {
                if done.is_ok() && covered > 0.0 {
                    let colour = self.colour.mix(f64::from(covered.min(1.0)));
                    done = draw(corner.x as i32 + dx as i32, corner.y as i32 + dy as i32, colour);
                }
            });
            if done.is_err() {
                return Ok(done);
            }
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_every_sign_that_pictures_use() {
        for bold in [false, true] {
            for c in "aA0é±−×·–…√≤≥→".chars() {
                assert_ne!(font(bold).glyph_id(c).0, 0, "{c}");
            }
        }
    }

    #[test]
    fn wider_texts_take_more_room_and_a_text_that_is_cut_fits() {
        let kind = Type::new(12.0, Anchor::Start);
        assert!(kind.width("ii") < kind.width("mm"));
        assert!((kind.width("0000") - 4.0 * kind.width("0")).abs() < 0.01);
        assert!((kind.width("0") - 12.0 * 0.636).abs() < 0.05, "{}", kind.width("0"));
        assert_eq!(kind.fit("agreement", 200.0), "agreement");
        let cut = kind.fit("agreement", 50.0);
        assert!(cut.ends_with('…') && kind.width(&cut) <= 50.0, "{cut}");
        assert_eq!(kind.fit("agreement", 1.0), "");
    }
}
