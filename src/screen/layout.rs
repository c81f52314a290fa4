//! The layout of the parameters on a screen of a given size: columns, pages and neighbours.
//!
//! The state moves the cursor by it, and the view draws by it. Knows no weights.

use std::sync::LazyLock;

use super::keys::Action;
use crate::feature::{Extras, Group, Key};

/// A list on a page, which may be longer than its room.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct List {
    pub lines: usize,
    /// Lines that are shown at once.
    pub height: usize,
}

impl List {
    pub fn new(lines: usize, height: usize) -> List {
        List { lines, height }
    }

    /// The first line shown when the end is in view.
    pub fn last_top(&self) -> usize {
        self.lines.saturating_sub(self.height)
    }

    /// The first line shown when `chosen` is to be in view, with lines above it and below it where there are
    /// some.
    pub fn top_around(&self, chosen: usize) -> usize {
        chosen.saturating_sub(self.height / 2).min(self.last_top())
    }

    /// How many lines are out of view above and below, if `top` is the first line shown.
    pub fn hidden(&self, top: usize) -> [usize; 2] {
        [top, self.lines.saturating_sub(top + self.height)]
    }

    /// The line that an action chooses after `chosen`; none where it chooses no line.
    pub fn choose(&self, action: Action, chosen: usize) -> Option<usize> {
        self.step(action, chosen, self.lines.saturating_sub(1))
    }

    /// The first line shown after an action, where it was `top`; none where the action does not scroll.
    pub fn scroll(&self, action: Action, top: usize) -> Option<usize> {
        self.step(action, top.min(self.last_top()), self.last_top())
    }

    fn step(&self, action: Action, from: usize, last: usize) -> Option<usize> {
        let page = self.height.max(1);
        let to = match action {
            Action::Up => from.saturating_sub(1),
            Action::Down => from.saturating_add(1),
            Action::PageUp => from.saturating_sub(page),
            Action::PageDown => from.saturating_add(page),
            Action::First => 0,
            Action::Last => last,
            _ => return None,
        };
        Some(to.min(last))
    }
}

/// The smallest size, in columns and lines, on which anything is drawn.
pub const SMALLEST: (u16, u16) = (60, 20);

/// Width of a column of parameters.
pub const COLUMN: u16 = 35;

/// Most columns beside each other.
const MOST_COLUMNS: usize = 4;

/// Least number of columns of the terminal for everything on one page.
const WIDTH_OF_WHOLE: u16 = 142;

/// Lines of the terminal beside the parameters when everything is on one page: the title, the board with its
/// files, the line of moves, the head of the columns, the meaning, the message and the keys.
const LINES_BESIDE: u16 = 15;

/// Lines of a column when everything is on one page: the fewest that hold all standard parameters.
static LINES_OF_WHOLE: LazyLock<usize> =
    LazyLock::new(|| (2..).find(|&lines| columns(Key::standard(), lines).len() <= MOST_COLUMNS).unwrap_or(2));

/// The smallest size, in columns and lines, on which everything is on one page.
pub fn whole() -> (u16, u16) {
    (WIDTH_OF_WHOLE, LINES_BESIDE + *LINES_OF_WHOLE as u16)
}

/// Parts of the page of a run on a screen of this size, one shown at a time: all at once where there is room,
/// else the passes, mean rank and spread, the histograms, and the weights.
pub fn run_parts((width, height): (u16, u16)) -> usize {
    if width >= 120 && height >= 38 { 1 } else { 4 }
}

/// A line of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    Title(Group),
    Key(Key),
}

/// The parameters laid out.
pub struct Grid {
    /// Pages of parameters besides the board; 0 where everything is on one page.
    pub pages: usize,
    /// Columns of slots, page after page.
    pub columns: Vec<Vec<Slot>>,
    /// Columns of a page.
    pub across: usize,
}

impl Grid {
    /// Lays out the parameters on a screen of this size, with the optional parameters that are on.
    pub fn new((width, height): (u16, u16), extras: Extras) -> Grid {
        let keys: Vec<Key> = Key::ALL.iter().copied().filter(|&key| extras.has(key)).collect();
        if width >= whole().0 && height >= whole().1 {
            let columns = columns(&keys, *LINES_OF_WHOLE);
            if columns.len() <= MOST_COLUMNS {
                return Grid { pages: 0, columns, across: MOST_COLUMNS };
            }
        }
        // The title, the head of the columns, the meaning, the message and the keys take a line each.
        let lines = usize::from(height.saturating_sub(5).max(5));
        let across = usize::from(width / COLUMN).clamp(1, MOST_COLUMNS);
        let columns = columns(&keys, lines);
        Grid { pages: columns.len().div_ceil(across), columns, across }
    }

    /// Page of a parameter, from 0.
    pub fn page_of(&self, key: Key) -> usize {
        self.place(key).0 / self.across
    }

    /// The columns of a page; all of them where there is one page only.
    pub fn page(&self, page: usize) -> &[Vec<Slot>] {
        let first = (page * self.across).min(self.columns.len());
        &self.columns[first..(first + self.across).min(self.columns.len())]
    }

    pub fn first_of_page(&self, page: usize) -> Key {
        let slots = self.page(page).iter().flatten();
        slots.filter_map(|slot| key_of(*slot)).next().unwrap_or(Key::ALL[0])
    }

    /// The parameter above, below, or beside another.
    pub fn neighbour(&self, key: Key, action: Action) -> Key {
        let (column, line) = self.place(key);
        let keys = || self.columns.iter().flatten().filter_map(|&slot| key_of(slot));
        match action {
            Action::Up => keys().take_while(|&other| other != key).last().unwrap_or(key),
            Action::Down => keys().skip_while(|&other| other != key).nth(1).unwrap_or(key),
            Action::ColumnLeft if column > 0 => self.nearest(column - 1, line),
            Action::ColumnRight if column + 1 < self.columns.len() => self.nearest(column + 1, line),
            _ => key,
        }
    }

    fn place(&self, key: Key) -> (usize, usize) {
        let line_in = |column: &Vec<Slot>| column.iter().position(|&slot| slot == Slot::Key(key));
        let mut places = self.columns.iter().enumerate();
        places.find_map(|(at, column)| Some((at, line_in(column)?))).unwrap_or((0, 0))
    }

    fn nearest(&self, column: usize, line: usize) -> Key {
        let keys = self.columns[column].iter().enumerate();
        let keys = keys.filter_map(|(at, &slot)| Some((at, key_of(slot)?)));
        keys.min_by_key(|(at, _)| at.abs_diff(line)).map_or(Key::ALL[0], |(_, key)| key)
    }
}

fn key_of(slot: Slot) -> Option<Key> {
    match slot {
        Slot::Key(key) => Some(key),
        Slot::Title(_) => None,
    }
}

/// Parameters under the names of their groups, in columns of `lines` lines. A group that breaks has its
/// name at the head of the next column too, and no name is the last line of a column.
fn columns(keys: &[Key], lines: usize) -> Vec<Vec<Slot>> {
    let mut columns: Vec<Vec<Slot>> = vec![Vec::new()];
    let mut group = None;
    for &key in keys {
        let own = key.feature().group;
        let needed = if group == Some(own) { 1 } else { 2 };
        let used = columns.last().map_or(0, Vec::len);
        let is_broken = used + needed > lines;
        if is_broken {
            columns.push(Vec::new());
        }
        if let Some(column) = columns.last_mut() {
            if is_broken || group != Some(own) {
                column.push(Slot::Title(own));
            }
            column.push(Slot::Key(key));
        }
        group = Some(own);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_left_neither_above_nor_below_and_a_page_is_what_is_shown_at_once() {
        let list = List::new(25, 10);
        for (action, from, to) in [
            (Action::Up, 0, 0),
            (Action::PageDown, 1, 11),
            (Action::PageDown, 20, 24),
            (Action::PageUp, 24, 14),
            (Action::First, 7, 0),
            (Action::Last, 7, 24),
        ] {
            assert_eq!(list.choose(action, from), Some(to), "{action:?}");
        }
        assert_eq!(List::new(0, 10).choose(Action::Down, 0), Some(0));
        assert_eq!(list.choose(Action::Find, 0), None);
        assert_eq!((list.scroll(Action::Last, 0), list.scroll(Action::Up, 99)), (Some(15), Some(14)));
        assert_eq!((list.top_around(3), list.top_around(12), list.top_around(24)), (0, 7, 15));
        assert_eq!(list.hidden(7), [7, 8]);
    }

    #[test]
    fn every_parameter_is_in_one_place_on_every_screen() {
        let (width, height) = whole();
        for size in
            [SMALLEST, (80, 24), (100, 30), (width, height - 1), (width, height), (200, 50), (300, 100)]
        {
            for (extras, shown) in [(Extras::default(), Key::standard()), (Extras::ALL, Key::ALL)] {
                let grid = Grid::new(size, extras);
                let slots = grid.columns.iter().flatten();
                let keys: Vec<Key> = slots.filter_map(|&slot| key_of(slot)).collect();
                assert_eq!(keys, shown, "{size:?}");
                for page in 0..grid.pages {
                    assert!(grid.page(page).iter().all(|column| column.len() <= size.1 as usize - 5));
                }
            }
        }
    }

    #[test]
    fn the_whole_screen_has_four_columns_of_as_few_lines_as_hold_everything() {
        let (width, height) = whole();
        let grid = Grid::new((width, height), Extras::default());
        assert_eq!((grid.pages, grid.columns.len()), (0, MOST_COLUMNS));
        assert!(grid.columns.iter().all(|column| column.len() <= *LINES_OF_WHOLE));
        assert!(grid.columns.iter().any(|column| column.len() == *LINES_OF_WHOLE));
        assert!(columns(Key::standard(), *LINES_OF_WHOLE - 1).len() > MOST_COLUMNS);
        assert!(Grid::new((width, height - 1), Extras::default()).pages > 0);
        assert!(Grid::new((width - 1, height), Extras::default()).pages > 0);
    }

    #[test]
    fn the_size_of_the_whole_screen_is_that_of_the_documentation() {
        let (width, height) = whole();
        let page = include_str!("../../docs/SCREEN.md");
        assert!(page.contains(&format!("A terminal of {width} x {height} or more shows everything at once")));
        let (width, height) = SMALLEST;
        assert!(page.contains(&format!("down to {width} x {height}")));
    }

    #[test]
    fn going_right_and_left_again_comes_back_to_the_same_column() {
        let grid = Grid::new(whole(), Extras::default());
        let right = grid.neighbour(Key::MatN, Action::ColumnRight);
        assert_ne!(right, Key::MatN);
        assert_eq!(grid.place(grid.neighbour(right, Action::ColumnLeft)).0, 0);
        assert_eq!(grid.neighbour(Key::MatP, Action::ColumnLeft), Key::MatP);
        assert_eq!(grid.neighbour(Key::MatP, Action::Up), Key::MatP);
        assert_eq!(grid.neighbour(Key::MatP, Action::Down), Key::MatN);
        let last = *Key::standard().last().unwrap();
        assert_eq!(grid.neighbour(last, Action::Down), last);
    }
}
