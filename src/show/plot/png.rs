//! PNG pictures: renders SVG with resvg and the built-in fonts only. Without the cargo feature `png` there
//! are none.

#[cfg(feature = "png")]
use std::fmt::Display;

#[cfg(feature = "png")]
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

#[cfg(feature = "png")]
use super::font::{BOLD, REGULAR};
use crate::error::{Error, Result};

/// Says how to get a picture all the same.
#[cfg(not(feature = "png"))]
pub(super) fn render(_: &str) -> Result<Vec<u8>> {
    let found = "one built without it; draw an .svg and convert it, or build with --features png";
    Err(Error::expected("a program that makes PNG", found))
}

/// Renders an SVG as PNG at the size given in the SVG.
#[cfg(feature = "png")]
pub(super) fn render(svg: &str) -> Result<Vec<u8>> {
    let failure = |error: &dyn Display| Error::new(format!("cannot make a PNG of this picture: {error}"));
    let mut options = Options::default();
    for font in [REGULAR, BOLD] {
        options.fontdb_mut().load_font_data(font.to_vec());
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| failure(&error))?;
    let size = tree.size().to_int_size();
    let mut pixels =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| failure(&"it has too many pixels"))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failure(&error))
}
