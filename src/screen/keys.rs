//! The table of keys. Help, the bar at the foot of each page and the page of documentation are made from it.
//!
//! Only this table decides the action of a key while no prompt is open; `app` carries it out.
//! A test compares it with the table of `docs/SCREEN.md`.

use strum::{EnumDiscriminants, EnumString, IntoStaticStr, VariantArray};

use crate::feature::Key;

/// A key by what it enters or does; all but a letter with the names that browsers have for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
pub enum KeyCode {
    /// A letter or another sign; that it is a capital shows that shift is held.
    #[strum(disabled)]
    Char(char),
    Enter,
    #[strum(serialize = "Escape")]
    Esc,
    Tab,
    Backspace,
    Delete,
    Home,
    End,
    #[strum(serialize = "ArrowUp")]
    Up,
    #[strum(serialize = "ArrowDown")]
    Down,
    #[strum(serialize = "ArrowLeft")]
    Left,
    #[strum(serialize = "ArrowRight")]
    Right,
    PageUp,
    PageDown,
    /// Any other key.
    #[strum(serialize = "")]
    Other,
}

/// The key that is held together with another one; shift is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modifier {
    None,
    Control,
    /// Alt and the like.
    Other,
}

/// A key that is pressed, as a terminal or a browser tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyEvent {
    pub code: KeyCode,
    pub modifier: Modifier,
}

impl KeyEvent {
    /// A key that is pressed alone, or with shift.
    pub const fn plain(code: KeyCode) -> KeyEvent {
        KeyEvent { code, modifier: Modifier::None }
    }

    /// A letter that is pressed with control.
    pub const fn control(letter: char) -> KeyEvent {
        KeyEvent { code: KeyCode::Char(letter), modifier: Modifier::Control }
    }
}

/// What a mouse does at a cell of the screen, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MouseEvent {
    pub does: MouseAction,
    pub column: u16,
    pub line: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseAction {
    Click,
    WheelUp,
    WheelDown,
}

/// What stands somewhere on the screen and can be clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Key(KeyEvent),
    /// A move of the position, by its place in the list.
    Move(usize),
    Parameter(Key),
    /// A line of the list on the page, or of what a prompt may mean.
    Line(usize),
    /// A position of the winner.
    Position(usize),
    /// The position before a ply of the game shown.
    Ply(usize),
    Square(u32),
}

/// What a key does; the table of keys says it in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    NextMove,
    PreviousMove,
    NextPosition,
    PreviousPosition,
    NextGame,
    PreviousGame,
    GoToGame,
    LastPlace,
    FitOnce,
    FitMany,
    Save,
    Restore,
    Quit,
    Edit,
    Tune,
    TuneGroup,
    TuneOnlyGroup,
    Leaf,
    Fen,
    EnterFen,
    Terms,
    Moves,
    History,
    OpenRun,
    TakeBest,
    Options,
    Trial,
    Undo,
    Find,
    Up,
    Down,
    Left,
    Right,
    ColumnLeft,
    ColumnRight,
    Open,
    Free,
    PageDown,
    PageUp,
    First,
    Last,
    Help,
    Tour,
    Escape,
    Suspend,
    Redraw,
}

/// Where a key comes from; its name in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
pub enum Origin {
    /// The record of 1988 names it.
    #[strum(serialize = "1988")]
    Y1988,
    /// The program of 1988 had the function; its key is not known.
    #[strum(serialize = "1988, key unknown")]
    Unknown,
    /// A key of this program.
    #[strum(serialize = "ours")]
    Ours,
}

/// A chapter of the tables; its title there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
pub enum Chapter {
    #[strum(serialize = "Walk through the games")]
    Walk,
    #[strum(serialize = "Look closer")]
    Look,
    Weights,
    #[strum(serialize = "Fits")]
    Fit,
    #[strum(serialize = "The program")]
    Program,
}

/// A page of the screen; of its name, the foot of the page has its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumDiscriminants)]
#[strum_discriminants(name(PageName))]
pub enum Page {
    /// None: the main screen.
    Main,
    /// Keys, signs and words, which a prompt filters.
    Help,
    /// The list of games, which a prompt filters.
    Games,
    /// All moves; the one chosen is the one shown.
    Moves,
    /// The chosen parameter and the cells of its table.
    Cells {
        cell: usize,
    },
    Options {
        line: usize,
    },
    /// The current run, or the last one.
    Run {
        /// Which part of it is shown, where the screen has no room for all.
        part: usize,
        /// First line of the list of weights.
        top: usize,
    },
    /// Whether the weights are better than another set.
    Trial,
}

/// A line of the table.
#[derive(Debug)]
pub struct Binding {
    /// The keys that do the same.
    pub keys: &'static [KeyEvent],
    /// Their name in the tables.
    pub name: &'static str,
    pub action: Action,
    /// The pages at whose foot the key stands, each with a few words.
    pages: &'static [(PageName, &'static str)],
    /// What they do, for the tables.
    pub help: &'static str,
    pub chapter: Chapter,
    /// Where the keys come from.
    pub origin: Origin,
}

const fn ch(c: char) -> KeyEvent {
    KeyEvent::plain(KeyCode::Char(c))
}

const fn ctrl(c: char) -> KeyEvent {
    KeyEvent::control(c)
}

const fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::plain(code)
}

macro_rules! bindings {
    ($($keys:expr, $name:literal, $action:ident, [$($page:ident $words:literal),*], $chapter:ident, $origin:ident,
        $help:literal;)*) => {
        &[$(Binding {
            keys: &$keys,
            name: $name,
            action: Action::$action,
            pages: &[$((PageName::$page, $words)),*],
            help: $help,
            chapter: Chapter::$chapter,
            origin: Origin::$origin,
        },)*]
    };
}

#[rustfmt::skip]
pub static BINDINGS: &[Binding] = bindings! {
    [ch(' ')], "space", NextMove, [Main "next move"], Walk, Y1988, "show the next legal move of this position, best first: its line, its leaf, its terms";
    [key(KeyCode::Backspace)], "backspace", PreviousMove, [], Walk, Ours, "show the previous move";
    [ch('n')], "n", NextPosition, [Main "position"], Walk, Y1988, "through the winner's move and the answer to it: the winner's next position";
    [ch('p')], "p", PreviousPosition, [], Walk, Ours, "the winner's previous position";
    [key(KeyCode::Left)], "left", Left, [Options "turn", Run "run", Cells "cell"], Walk, Ours, "the position before the last move of the game, back to its start; in the options, the previous value; on the page of a run, the previous run";
    [key(KeyCode::Right)], "right", Right, [Main "move", Options "turn", Run "run", Cells "cell"], Walk, Ours, "the position after the next move of the game, of either side; in the options, the next value; on the page of a run, the next run";
    [ch('N')], "N", NextGame, [Main "game"], Walk, Y1988, "the beginning of the next game: the first position of the winner that is used";
    [ch('P')], "P", PreviousGame, [], Walk, Ours, "the previous game";
    [key(KeyCode::Home)], "home", First, [], Walk, Ours, "the winner's first position in the game that is used; on a page, the first line";
    [key(KeyCode::End)], "end", Last, [], Walk, Ours, "the winner's last position in the game; on a page, the last line";
    [ch('g')], "g", GoToGame, [Main "go to"], Walk, Y1988, "find a game by number or words (players, event, year, result) in the list of all; enter goes there";
    [key(KeyCode::Tab)], "tab", Leaf, [Main "leaf"], Look, Ours, "put the leaf of the line on the board, or the position itself again";
    [ch('y')], "y", Fen, [], Look, Ours, "show the FEN of the position on the board, or of the leaf, and copy it";
    [ch('L')], "L", LastPlace, [], Walk, Ours, "the game, the position and the weights that the last sitting ended with";
    [ch('Y')], "Y", EnterFen, [], Look, Ours, "show a position of your own, whose FEN is typed or pasted; esc goes back to the games";
    [ch('m')], "m", Moves, [Main "moves"], Look, Ours, "list all moves by value; enter shows one, esc goes back";
    [ch('c')], "c", Terms, [Main "terms"], Look, Ours, "what the last column of the parameters shows: the board (Ex, or En on its leaf), En - E0, En - Ex";
    [key(KeyCode::Up)], "up", Up, [Help "choose", Games "choose", Moves "choose", Options "choose", Cells "cell", Run "pass"], Look, Ours, "choose the parameter above, at the head of a column the last of the one before";
    [key(KeyCode::Down)], "down", Down, [Help "choose", Games "choose", Moves "choose", Options "choose", Cells "cell", Run "pass"], Look, Ours, "choose the parameter below, at the foot of a column the first of the next";
    [ch('<')], "<", ColumnLeft, [], Look, Ours, "choose a parameter in the column to the left";
    [ch('>')], ">", ColumnRight, [], Look, Ours, "choose a parameter in the column to the right";
    [key(KeyCode::Enter)], "enter", Open, [Main "open", Help "press it", Games "go there", Moves "show it", Options "change", Run "take it"], Look, Ours, "open the chosen parameter: its meaning, the cells of its table, its weight over the run with its standard error and support; in a list, take what is chosen";
    [ch('/')], "/", Find, [Main "find"], Look, Ours, "find a parameter by key, by a common word of chess or by a word of its meaning";
    [key(KeyCode::PageUp), ch('[')], "PgUp [", PageUp, [Main "page", Help "choose", Games "choose", Moves "choose", Options "choose", Run "scroll"], Look, Ours, "the previous page; in a list, up by a page of it";
    [key(KeyCode::PageDown), ch(']')], "PgDn ]", PageDown, [Main "page", Help "choose", Games "choose", Moves "choose", Options "choose", Run "scroll"], Look, Ours, "the next page of the screen; in a list, down by a page of it";
    [ch('e')], "e", Edit, [Main "edit", Cells "edit"], Weights, Unknown, "edit the chosen weight: opening, then endgame";
    [ch('t')], "t", Tune, [Main "tune", Cells "tune"], Weights, Unknown, "take the chosen weight into tuning, or out of it";
    [ch('T')], "T", TuneGroup, [], Weights, Ours, "the same for its whole group";
    [ch('G')], "G", TuneOnlyGroup, [], Weights, Ours, "tune only the group of the chosen weight, and freeze all other weights";
    [ch('x')], "x", Free, [Cells "free cells"], Weights, Ours, "give every cell of the chosen table a weight of its own, or hold it as one gradient again";
    [ch('u')], "u", Undo, [Main "undo", Cells "undo"], Weights, Ours, "take back the last change of weights, which it names";
    [ch('S')], "S", Save, [Main "save"], Weights, Y1988, "save the weights to a .par";
    [ch('R')], "R", Restore, [Main "restore"], Weights, Y1988, "restore weights from a .par";
    [ch('v')], "v", Trial, [Main "is it better", Trial "another set"], Weights, Ours, "is this set better than another? agreement with the winners on all games, then 200 games between the two";
    [ch('f')], "f", FitOnce, [Main "fit"], Fit, Y1988, "one fit to all games, which writes no files; the screen can be used meanwhile";
    [ch('F')], "F", FitMany, [Main "many fits"], Fit, Y1988, "fit as often as the option iterations says, after a question with its cost: a .par after each fit, one .stat; at the end the screen has the weights of the last pass";
    [ch('h')], "h", History, [Main "the run"], Fit, Ours, "the current run, or the last one: curves, histograms, weights; enter takes the weights of a pass";
    [ch('b')], "b", TakeBest, [Run "take the best"], Fit, Ours, "take the weights of the best pass of the run shown, or of the last one";
    [ch('H')], "H", OpenRun, [], Fit, Ours, "show a finished run from its .stat";
    [ch('o')], "o", Options, [Main "options"], Fit, Ours, "look at the options of the method, and change them";
    [ch('?')], "?", Help, [Main "help"], Program, Ours, "this help: what is typed filters it by words, enter presses the key chosen";
    [ch('i')], "i", Tour, [], Program, Ours, "a tour of two minutes, from a position to a run; leaves it";
    [key(KeyCode::Esc)], "esc", Escape, [Help "leave", Games "leave", Moves "back to the move before", Cells "leave", Options "leave", Run "leave", Trial "leave"], Program, Ours, "leave a page or a prompt; on the main page cancel a fit, which it asks about first: the old weights stand";
    [ch('q'), ctrl('c')], "q", Quit, [Main "quit"], Program, Y1988, "quit; asks first if weights are not saved";
    [ctrl('z')], "ctrl-z", Suspend, [], Program, Ours, "go back to the shell for a while; fg returns";
    [ctrl('l')], "ctrl-l", Redraw, [], Program, Ours, "draw the screen anew";
};

/// The action of a key; none where it has none.
pub fn action(event: KeyEvent) -> Option<Action> {
    BINDINGS.iter().find(|binding| binding.keys.contains(&event)).map(|binding| binding.action)
}

impl Binding {
    /// What it says at the foot of a page, if it stands there.
    pub fn at_foot(&self, page: PageName) -> Option<&'static str> {
        self.pages.iter().find(|(name, _)| *name == page).map(|(_, words)| *words)
    }
}

/// The lines of a chapter.
pub fn chapter_of(chapter: Chapter) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |binding| binding.chapter == chapter)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table for the page of documentation.
    fn markdown() -> String {
        let mut text = String::from("| key | does | |\n|---|---|---|\n");
        for binding in Chapter::VARIANTS.iter().flat_map(|&chapter| chapter_of(chapter)) {
            text +=
                &format!("| `{}` | {} | {} |\n", binding.name, binding.help, <&str>::from(binding.origin));
        }
        text
    }

    #[test]
    fn every_key_has_one_action_and_every_action_one_line() {
        let keys: Vec<_> = BINDINGS.iter().flat_map(|binding| binding.keys).collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{key:?}");
        }
        for (index, binding) in BINDINGS.iter().enumerate() {
            assert!(BINDINGS[..index].iter().all(|other| other.action != binding.action));
        }
    }

    #[test]
    fn the_keys_of_1988_are_all_there() {
        for c in " nNgfFSRq".chars() {
            let binding = BINDINGS.iter().find(|binding| binding.keys.contains(&ch(c))).unwrap();
            assert_eq!(binding.origin, Origin::Y1988, "{c:?}");
        }
    }

    #[test]
    fn only_keys_that_the_record_names_are_of_1988_and_only_functions_that_it_names_have_unknown_keys() {
        let of = |origin: Origin| -> Vec<&str> {
            BINDINGS.iter().filter(|binding| binding.origin == origin).map(|binding| binding.name).collect()
        };
        assert_eq!(of(Origin::Y1988), ["space", "n", "N", "g", "S", "R", "f", "F", "q"]);
        // "ways to edit parameters manually and to control if they should participate in a tuning run or not"
        assert_eq!(of(Origin::Unknown), ["e", "t"]);
    }

    #[test]
    fn the_page_of_documentation_holds_the_table_as_it_is() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/SCREEN.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (before, rest) = page.split_once("| key | does | |\n").unwrap();
        let (_, after) = rest.split_once("\n\n").unwrap();
        let made = format!("{before}{}\n{after}", markdown());
        if std::env::var_os("UPDATE_PAGES").is_some() {
            std::fs::write(path, made).unwrap();
        } else {
            assert!(page == made, "UPDATE_PAGES=1 cargo test --lib keys makes the table of docs/SCREEN.md");
        }
    }
}
