//! A buffer of the screen as HTML: a line of text for each line, with a span for each style.

use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier},
};

/// The lines of a buffer. What is not ASCII stands in a box of its own that is one column wide, since fonts
/// disagree about the width of pieces and other signs.
pub fn lines(buffer: &Buffer) -> String {
    let mut html = String::new();
    let width = usize::from(buffer.area.width).max(1);
    for line in buffer.content.chunks(width) {
        for cells in line.chunk_by(|one, other| style(one) == style(other)) {
            let style = style(cells.first().expect("a chunk has a cell"));
            if !style.is_empty() {
                html += &format!("<span{style}>");
            }
            cells.iter().for_each(|cell| push_sign(&mut html, cell.symbol()));
            if !style.is_empty() {
                html += "</span>";
            }
        }
        html.push('\n');
    }
    html
}

fn push_sign(html: &mut String, sign: &str) {
    match sign {
        "<" => *html += "&lt;",
        "&" => *html += "&amp;",
        _ if sign.is_ascii() => *html += sign,
        _ => *html += &format!("<i>{}</i>", sign.replace('&', "&amp;").replace('<', "&lt;")),
    }
}

/// The attributes of a span; none for plain text.
fn style(cell: &Cell) -> String {
    let has = |modifier| cell.modifier.contains(modifier);
    let classes =
        [(Modifier::BOLD, "b"), (Modifier::DIM, "d"), (Modifier::REVERSED, "r"), (Modifier::UNDERLINED, "u")];
    let classes: Vec<&str> =
        classes.into_iter().filter(|(modifier, _)| has(*modifier)).map(|(_, name)| name).collect();
    let names = if has(Modifier::REVERSED) { ["background", "color"] } else { ["color", "background"] };
    let colours = names.into_iter().zip([cell.fg, cell.bg]);
    let colours: String =
        colours.filter_map(|(name, colour)| Some(format!("{name}:{};", rgb(colour)?))).collect();
    let mut style = String::new();
    if !classes.is_empty() {
        style += &format!(" class=\"{}\"", classes.join(" "));
    }
    if !colours.is_empty() {
        style += &format!(" style=\"{colours}\"");
    }
    style
}

/// A colour among the 256 of a terminal, as xterm defines those from 16; none for the colours of the page.
fn rgb(colour: Color) -> Option<String> {
    let Color::Indexed(index @ 16..) = colour else { return None };
    let level = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
    let [red, green, blue] = match index - 16 {
        cube @ 0..216 => [level(cube / 36), level(cube / 6 % 6), level(cube % 6)],
        grey => [8 + 10 * (grey - 216); 3],
    };
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

#[cfg(test)]
mod tests {
    use ratatui::{layout::Rect, style::Style};

    use super::*;

    #[test]
    fn styles_are_spans_and_signs_of_html_are_text() {
        let mut buffer = Buffer::empty(Rect { x: 0, y: 0, width: 4, height: 2 });
        buffer.set_string(0, 0, "a<♔", Style::new());
        buffer.set_string(0, 1, "xy", Style::new().fg(Color::Indexed(210)).add_modifier(Modifier::REVERSED));
        assert_eq!(
            lines(&buffer),
            "a&lt;<i>♔</i> \n<span class=\"r\" style=\"background:#ff8787;\">xy</span>  \n"
        );
        assert_eq!(rgb(Color::Indexed(248)).unwrap(), "#a8a8a8");
    }
}
