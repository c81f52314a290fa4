//! The help: how the screen is read, the keys from their table, what a fit does, and the words and signs.

use ratatui::layout::Rect;
use strum::VariantArray;

use super::{number, pages, pen::Pen};
use crate::screen::{
    keys::{self, Chapter},
    layout::List,
    theme::Theme,
};

/// A line of the help.
enum Line {
    /// The title of the help or of a section.
    Title(&'static str),
    /// A key or a word, the beginning of what is said of it, and a note at the right edge.
    Entry(String, String, &'static str),
    Rest(String),
    /// A line of a paragraph.
    Text(String),
    /// An empty line.
    Blank,
}

const TITLE: &str = "Help: keys and signs";

const INTRODUCTION: &str = "Each position is one in which the eventual winner of a grandmaster game had to \
    choose. All legal moves are searched. Ex is the value before the move, E0 that of the move played, En that of the \
    move shown, in 1/128 pawn from the mover's view. A fit changes the weights so that the moves played come \
    out on top more often.";

const FITS: &str = "A fit searches every position of every game, computes the weights under which the winners' moves \
    come out ahead of their alternatives, and measures them by another search. f makes one fit and writes no files. F \
    makes as many as the option iterations says, and writes the weights of each pass (NAME-00.par, NAME-01.par ...) and \
    NAME.stat, the record of the run. The screen can be used meanwhile, and shows the weights of each pass. esc on the main page \
    asks whether to cancel the fit; then the weights are again those from before it. At the end the screen has the weights of the last pass. b takes \
    the best pass, h shows all passes; enter there takes the weights of the one chosen, and u takes that back. H opens a \
    finished run from its .stat.";

/// Signs and words of the screen with their meaning.
fn words(theme: Theme) -> Vec<(String, String)> {
    let pieces = if theme.has_piece_signs() {
        "an outlined piece is White's, a filled one Black's"
    } else {
        "a capital letter is a piece or pawn of White's, a small one of Black's"
    };
    let signs = [
        (
            "[ ] ( ) < >".to_string(),
            format!("on the board: from and to of the move shown; of the move played; of the opponent's last move. There, {pieces}"),
        ),
        (
            format!("{} t 3 + {}", theme.matched(), theme.dot()),
            "the game in one line, a sign for each position: the played move is the best; it ties with another; three \
             moves are better; ten or more are better; not searched yet. [ ] is the position shown"
                .to_string(),
        ),
        (
            format!("{} {}", theme.speaks_for(), theme.speaks_against()),
            "a heavy term for the first move of the comparison; against it. At the top right the comparison is that of \
             the title, in the columns that of the last column"
                .to_string(),
        ),
        (
            format!("{} 0 {} {}", theme.shown_mark(), theme.matched(), theme.missed()),
            "in the list of moves: the move shown; the move played. After E0: it is above all others; it is not"
                .to_string(),
        ),
        (
            format!("= ~ ? {}", theme.plus_minus()),
            "frozen: no fit changes it; among the ten changes that move values most, or beyond two errors of the run; the last fit left it for \
             lack of positions; give or take one standard error"
                .to_string(),
        ),
        (
            "mouse".to_string(),
            "a click chooses a move or a weight, a second one opens the weight; on a key at the foot it presses that. The wheel goes up and \
             down, over the moves from one to the next. With shift the terminal selects text"
                .to_string(),
        ),
        (
            "h".to_string(),
            "behind the error of a step: the ridge holds back more than half of the step".to_string(),
        ),
        (
            "[] [32]".to_string(),
            "a table, held as a gradient: one weight times a fixed shape; a table of 32 cells, each with its own weight"
                .to_string(),
        ),
    ];
    let words = WORDS.iter().map(|(word, meaning)| (word.to_string(), meaning.to_string()));
    signs.into_iter().chain(words).collect()
}

const WORDS: [(&str, &str); 33] = [
    (
        "Ex E0 En E1",
        "the value before the move, after the move played, after the move shown, after the best other move; in 1/128 \
         pawn from the mover's view. E1 is compared with E0 while the played move is the one shown",
    ),
    ("line, leaf", "the moves that the search expects, and the position at their end, which is evaluated"),
    ("rank 3/40", "three of 40 legal moves are above this one"),
    (
        "in, out",
        "in bound: within half a pawn of Ex (option threshold); out of bound: a fit leaves the move out",
    ),
    ("match", "positions whose played move is above all others, of those with two or more moves"),
    (
        "phase",
        "0 in the opening to 256 in the endgame, by the pieces left. The weight at a phase is open x (256 - phase) / 256 \
         + end x phase / 256",
    ),
    ("open, end", "opening weight and endgame weight; of cells their mean. same: one weight for both"),
    (
        "n",
        "how often the parameter counts, the mover's less the opponent's; for a table held as a gradient, the sum of its \
         shape; in a difference, the difference of both counts",
    ),
    ("material", "the values of all pieces and pawns together, so that an exchange is one line"),
    (
        "others",
        "the terms that are not listed, so that all lines add up to the title; with what rounding leaves",
    ),
    (
        "count 2 x 3",
        "at the foot: count times the weight at the phase of the leaf, for each leaf of the comparison",
    ),
    ("r4, ah, de", "in a table: rank 4, files a and h, files d and e"),
    ("12/32", "opening weight and endgame weight of a cell"),
    ("own, inner", "in the table sh (and outer): the file of the king, and the files beside it"),
    (
        "pass",
        "one search of all positions under one set of weights, and what it measured; pass 0 measures the start",
    ),
    ("fitted", "games that the fits use"),
    ("held out", "games that are measured only: a judge that no fit has seen"),
    (
        "mean rank",
        "moves above the played one, plus half of those that tie with it, averaged over the positions",
    ),
    ("spread", "standard deviation of the kept values within a position"),
    ("gain", "mean of the value after a move less the value before it, over all moves in bound"),
    (
        "change",
        "since the start of the run; in the columns, that of the opening weight; largest change: that of one fit",
    ),
    (
        "best",
        "the earliest pass whose mean rank on held-out games is within one standard error of the lowest; the last where none are held out",
    ),
    (
        "ahead",
        "moves above the played one; the histogram counts positions by them. + and - mark gain and loss since pass 0",
    ),
    (".o .e", "the opening weight and the endgame weight of a parameter"),
    ("s.e.", "standard error: the size of the error that chance usually leaves in a value"),
    ("support", "positions that touch the weight; with fewer than the option min-support it is not fitted"),
    ("trend", "the column over all passes: the weight in each pass, from its lowest to its highest"),
    (
        "moves",
        "by how much the change of a weight moves values: the change times the standard deviation of its count; weights are listed by it",
    ),
    ("step s.e.", "standard error of the last fit's step; it says nothing about the change of the whole run"),
    (
        "misses",
        "by how much the best other move in bound leads the played one; to 8: more than 0, at most 8 units",
    ),
    (
        "difference",
        "no clear difference: less than twice the standard error. Passes of a run are compared on the same positions, with errors by game",
    ),
    ("ridge", "the pull of all weights towards given values, which holds weights that few positions decide"),
    ("this, that", "in a comparison: the weights of the screen, and those of the other .par"),
];

/// Columns before the help of a key, and after it.
const BESIDE_HELP: [usize; 2] = [13, 20];

fn lines(width: usize, theme: Theme) -> Vec<Line> {
    let paragraph = |text: &str| number::wrap(text, width - 2).into_iter().map(Line::Text);
    let [before, after] = BESIDE_HELP;
    let mut lines = vec![Line::Title(TITLE)];
    lines.extend(paragraph(INTRODUCTION));
    let entry = |lines: &mut Vec<Line>, name: &str, text: &str, room: usize, note| {
        let mut texts = number::wrap(text, room).into_iter();
        lines.extend(texts.next().map(|first| Line::Entry(name.to_string(), first, note)));
        lines.extend(texts.map(Line::Rest));
    };
    for &chapter in Chapter::VARIANTS {
        lines.extend([Line::Blank, Line::Title(chapter.into())]);
        for binding in keys::chapter_of(chapter) {
            entry(&mut lines, binding.name, binding.help, width - before - after, binding.origin.into());
        }
        if chapter == Chapter::Fit {
            lines.extend(paragraph(FITS));
        }
    }
    lines.extend([Line::Blank, Line::Title("Words and signs")]);
    for (word, meaning) in words(theme) {
        entry(&mut lines, &word, &meaning, width - before - 2, "");
    }
    lines
}

/// The lines of the help with its sections.
pub fn list(theme: Theme, body: Rect) -> List {
    list_of(&lines(usize::from(body.width), theme), body)
}

fn list_of(lines: &[Line], body: Rect) -> List {
    let titles = lines.iter().enumerate().filter(|(_, line)| matches!(line, Line::Title(_)));
    let sections = titles.map(|(at, _)| at).collect();
    List { sections, ..List::new(lines.len(), usize::from(body.height).saturating_sub(1)) }
}

/// Draws the help from line `top` on.
pub fn draw(pen: &mut Pen, body: Rect, top: usize) {
    let theme = pen.theme;
    let lines = lines(usize::from(body.width), theme);
    let list = list_of(&lines, body);
    let top = top.min(list.last_top());
    let text_begins = BESIDE_HELP[0] as u16;
    for (at, line) in lines.iter().skip(top).take(list.height).enumerate() {
        let y = body.y + at as u16;
        match line {
            Line::Title(title) => _ = pen.text(1, y, title, theme.title()),
            Line::Text(text) => _ = pen.within(1, y, body.width - 2, text, theme.plain()),
            Line::Blank => {}
            Line::Entry(name, text, note) => {
                pen.text(1, y, &format!("{name:<11}"), theme.strong());
                pen.text(text_begins, y, text, theme.plain());
                pen.right(body.width - 1, y, note, theme.faint());
            }
            Line::Rest(text) => _ = pen.text(text_begins, y, text, theme.plain()),
        }
    }
    pages::draw_more(pen, body, list.hidden(top), theme);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_into_their_column() {
        let theme = Theme::DARK;
        for (word, _) in words(theme) {
            assert!(word.chars().count() < BESIDE_HELP[0] - 1, "{word}");
        }
    }
}
