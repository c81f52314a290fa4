//! Tables of weights as panels: by file and rank, or in one dimension; two sets side by side.

use std::collections::BTreeMap;

use super::panel::{
    Axis, Board, BoardCell, BoardGrid, Chart, Colour, FrozenKind, Panel, PanelContent, PanelKind, Point,
    Series, SeriesStyle,
};
use crate::{
    feature::{Cell, Ends, Key, Layout, Weights},
    parameters::{Parameter, Part},
    run::stat::{FrozenWeight, Trends},
};

/// Two sets of weights to be drawn side by side.
#[derive(Debug, Clone, Copy)]
pub struct WeightPair<'a> {
    /// Names of the sets.
    pub names: [&'a str; 2],
    /// The sets; a change is the second less the first.
    pub weights: [&'a Weights; 2],
    /// Cells that were frozen in the last fit of the second set; empty if unknown.
    pub frozen: &'a FrozenCells,
}

/// The cells that were frozen in the last fit of a run, by phase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrozenCells {
    cells: BTreeMap<(Cell, usize), FrozenKind>,
}

impl FrozenCells {
    /// The frozen cells of a record. Names that the feature table does not contain are skipped.
    pub fn new(trends: &Trends) -> FrozenCells {
        let mut frozen_cells = FrozenCells::default();
        for FrozenWeight { name, support } in &trends.frozen {
            let kind = match support {
                None => FrozenKind::NotTuned,
                Some(_) => FrozenKind::Unsupported,
            };
            for parameter in Parameter::named(name) {
                let ends = match parameter.part {
                    Part::Opening => 0..1,
                    Part::Endgame => 1..2,
                    Part::Both => 0..2,
                };
                let cells = parameter.cells().map(|index| parameter.key.cell_at(index));
                let at = cells.flat_map(|cell| ends.clone().map(move |end| (cell, end)));
                frozen_cells.cells.extend(at.map(|at| (at, kind)));
            }
        }
        frozen_cells
    }

    fn at(&self, cell: Cell, end: usize) -> Option<FrozenKind> {
        self.cells.get(&(cell, end)).copied()
    }
}

/// The panels of the tables of these features, in order. A feature without a table has no panel.
pub fn table_panels(keys: &[Key], pair: &WeightPair) -> Vec<Panel> {
    let panels = keys.iter().flat_map(|&key| [heat(key, pair), surface(key, pair), list(key, pair)]);
    panels.flatten().collect()
}

/// The heat map of a table in two dimensions: both sets and the change. None for other tables.
pub fn heat(key: Key, pair: &WeightPair) -> Option<Panel> {
    Some(panel(key, PanelKind::Heat, PanelContent::Heat(boards(key, pair, true)?)))
}

/// The surfaces of a table over files and ranks. None for other tables.
pub fn surface(key: Key, pair: &WeightPair) -> Option<Panel> {
    let boards = boards(key, pair, false).filter(|boards| boards.column_title == FILE)?;
    Some(panel(key, PanelKind::Surface, PanelContent::Surface(boards)))
}

/// The curves or bars of a table in one dimension. None for other tables.
pub fn list(key: Key, pair: &WeightPair) -> Option<Panel> {
    let feature = key.feature();
    let (title, names) = list_labels(key)?;
    let by_rank = title == RANK;
    let charts = phases(feature.ends).iter().map(|&(end, end_name)| {
        let points = |set: usize| {
            let cells = (0..feature.layout.cells()).map(|index| (index, key.cell_at(index)));
            let point = |(index, cell): (usize, Cell)| Point {
                frozen: pair.frozen.at(cell, end).filter(|_| set == 1),
                ..Point::new(index as f64, pair.weights[set].of_cell(cell)[end])
            };
            cells.map(point).collect()
        };
        let is_scale = by_rank || matches!(feature.layout, Layout::Number { .. });
        let style = if is_scale { SeriesStyle::Dots } else { SeriesStyle::Bars };
        let series = |set: usize, colour| Series::new(pair.names[set], colour, style, points(set));
        Chart {
            title: end_name.to_string(),
            x_axis: Axis::named(title, names.clone()),
            y_axis: Axis::from_zero("1/128 pawn"),
            series: vec![series(0, Colour::Grey), series(1, Colour::Blue)],
            ..Chart::default()
        }
    });
    Some(panel(key, PanelKind::List, PanelContent::Charts(charts.collect())))
}

/// Title and labels of the cells of a table in one dimension. None for other features.
fn list_labels(key: Key) -> Option<(&'static str, Vec<String>)> {
    let layout = key.feature().layout;
    let (slow, fast) = layout.axes();
    if !slow.is_empty() || fast.is_empty() {
        return None;
    }
    if let Some(ranks) = ranks_of(&fast) {
        return Some((RANK, ranks));
    }
    Some(match layout {
        Layout::Storm => ("rank of the foremost enemy pawn", fast),
        Layout::Number { .. } if key == Key::RingCnt => ("pieces that attack next to the king", fast),
        Layout::Number { .. } => ("squares", fast),
        Layout::Role => {
            ("what is attacked", ["pawn", "knight", "bishop", "rook", "queen"].map(String::from).to_vec())
        }
        _ => (FILE, fast.iter().map(|label| files_of(label)).collect()),
    })
}

fn panel(key: Key, kind: PanelKind, content: PanelContent) -> Panel {
    let feature = key.feature();
    Panel { table: Some(key), ..Panel::new(kind, feature.key, feature.meaning, content) }
}

/// The phases in which a feature has a weight: index of the weight, and name.
pub fn phases(ends: Ends) -> &'static [(usize, &'static str)] {
    match ends {
        Ends::Pair => &[(0, "opening"), (1, "endgame")],
        Ends::OpeningOnly => &[(0, "opening")],
        Ends::Single => &[(0, "both phases")],
    }
}

fn boards(key: Key, pair: &WeightPair, with_change: bool) -> Option<BoardGrid> {
    let feature = key.feature();
    let grid = Grid::of(feature.layout)?;
    let columns = if with_change { 3 } else { 2 };
    let board = |end: usize, end_name: &str, column: usize| {
        let square = |&index: &usize| {
            let cell = key.cell_at(index);
            let [before, after] = pair.weights.map(|weights| weights.of_cell(cell)[end]);
            let value = [before, after, after - before][column];
            BoardCell { value, frozen: pair.frozen.at(cell, end).filter(|_| column > 0) }
        };
        let name = if column == 2 { "change" } else { pair.names[column] };
        Board {
            title: format!("{end_name}, {name}"),
            cells: grid.cells.iter().map(|row| row.iter().map(square).collect()).collect(),
        }
    };
    let rows = phases(feature.ends).iter();
    let boards: Vec<Board> =
        rows.flat_map(|&(end, name)| (0..columns).map(move |column| board(end, name, column))).collect();
    let values = boards.iter().flat_map(|board| board.cells.iter().flatten()).map(|cell| cell.value.abs());
    let limit = values.fold(0.0, f64::max);
    Some(BoardGrid {
        columns,
        limit: if limit > 0.0 { limit } else { 1.0 },
        boards,
        column_labels: grid.column_labels,
        row_labels: grid.row_labels,
        column_title: grid.column_title.to_string(),
        row_title: grid.row_title.to_string(),
    })
}

const FILE: &str = "file";
const RANK: &str = "rank";

/// The rows and columns in which a table is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// Labels of the columns, from left to right.
    pub column_labels: Vec<String>,
    /// Labels of the rows, from bottom to top; one empty label for a table in one dimension.
    pub row_labels: Vec<String>,
    /// Title of the columns; may be empty.
    pub column_title: &'static str,
    /// Title of the rows; may be empty.
    pub row_title: &'static str,
    /// Indices of cells in the layout, row by row from bottom to top.
    pub cells: Vec<Vec<usize>>,
}

impl Grid {
    fn of(layout: Layout) -> Option<Grid> {
        let (slow, fast) = layout.axes();
        if slow.is_empty() {
            return None;
        }
        let index = |slow: usize, at: usize| slow * fast.len() + at;
        if let (Some(files), Some(ranks)) = (places_of_files(&slow), ranks_of(&fast)) {
            let rows = (0..fast.len()).map(|rank| files.iter().map(|&file| index(file, rank)).collect());
            return Some(Grid::board(ranks, rows.collect()));
        }
        if let (Some(files), Some(ranks)) = (places_of_files(&fast), ranks_of(&slow)) {
            let rows = (0..slow.len()).map(|rank| files.iter().map(|&file| index(rank, file)).collect());
            return Some(Grid::board(ranks, rows.collect()));
        }
        let (column_title, row_title) = match layout {
            Layout::Shelter => ("nearest own pawn", "shelter file"),
            _ => ("", ""),
        };
        let cells = (0..slow.len()).rev().map(|row| (0..fast.len()).map(|at| index(row, at)).collect());
        Some(Grid {
            cells: cells.collect(),
            row_labels: slow.into_iter().rev().collect(),
            column_labels: fast,
            column_title,
            row_title,
        })
    }

    fn board(row_labels: Vec<String>, cells: Vec<Vec<usize>>) -> Grid {
        Grid {
            column_labels: FILES.chars().map(String::from).collect(),
            row_labels,
            column_title: FILE,
            row_title: RANK,
            cells,
        }
    }
}

const FILES: &str = "abcdefgh";

/// For each file of the board, the index of the label that contains it; none if the labels are not files.
fn places_of_files(labels: &[String]) -> Option<Vec<usize>> {
    let names_files = labels.iter().all(|label| label.chars().all(|c| FILES.contains(c)));
    let place = |file: char| labels.iter().position(|label| label.contains(file));
    if names_files { FILES.chars().map(place).collect() } else { None }
}

/// `4` of `r4`, for each label; none if the labels are not ranks.
fn ranks_of(labels: &[String]) -> Option<Vec<String>> {
    let is_rank = |rank: &&str| matches!(rank.as_bytes(), [b'0'..=b'9']);
    labels.iter().map(|label| label.strip_prefix('r').filter(is_rank).map(String::from)).collect()
}

/// `a, h` of `ah`.
fn files_of(label: &str) -> String {
    label.chars().map(String::from).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair<'a>(before: &'a Weights, after: &'a Weights, frozen: &'a FrozenCells) -> WeightPair<'a> {
        WeightPair { names: ["start", "tuned"], weights: [before, after], frozen }
    }

    fn boards_of(panel: &Panel) -> &BoardGrid {
        match &panel.content {
            PanelContent::Heat(boards) | PanelContent::Surface(boards) => boards,
            PanelContent::Charts(_) => panic!("no board"),
        }
    }

    /// Weights whose cells are their indices, with a half in the endgame.
    fn counted(key: Key) -> Weights {
        let mut weights = Weights::start();
        weights.free_table(key).unwrap();
        let setting = weights.setting_mut(key);
        setting.open = (0..setting.open.len()).map(|at| at as f64).collect();
        setting.end = setting.open.iter().map(|open| open + 0.5).collect();
        weights
    }

    #[test]
    fn a_table_of_file_classes_fills_all_eight_files_and_is_its_own_mirror_image() {
        let (start, after) = (Weights::start(), counted(Key::PAdv));
        let panel = heat(Key::PAdv, &pair(&start, &after, &FrozenCells::default())).unwrap();
        let boards = boards_of(&panel);
        assert_eq!((boards.columns, boards.boards.len()), (3, 6));
        assert_eq!(boards.column_labels.concat(), "abcdefgh");
        assert_eq!(boards.row_labels.concat(), "234567");
        let tuned = &boards.boards[1];
        assert_eq!(tuned.title, "opening, tuned");
        for (rank, row) in tuned.cells.iter().enumerate() {
            for (file, class) in [0, 1, 2, 3, 3, 2, 1, 0].into_iter().enumerate() {
                assert_eq!(row[file].value, (6 * class + rank) as f64);
            }
        }
        assert_eq!(boards.boards[4].cells[0][7].value, 0.5);
        assert_eq!(boards.limit, 23.5);
    }

    #[test]
    fn the_change_is_the_second_set_less_the_first() {
        let (start, after) = (Weights::start(), counted(Key::NCen));
        let panel = heat(Key::NCen, &pair(&start, &after, &FrozenCells::default())).unwrap();
        let [before, after, change] = [0, 1, 2].map(|at| boards_of(&panel).boards[at].cells[3][4].value);
        assert_eq!(change, after - before);
        let surface = surface(Key::NCen, &pair(&start, &start, &FrozenCells::default())).unwrap();
        assert_eq!(boards_of(&surface).boards.len(), 4);
    }

    #[test]
    fn shelter_lies_with_the_own_file_on_top_and_counts_in_the_opening_only() {
        let (start, after, frozen) = (Weights::start(), counted(Key::Sh), FrozenCells::default());
        let pair = pair(&start, &after, &frozen);
        let panel = heat(Key::Sh, &pair).unwrap();
        let boards = boards_of(&panel);
        assert_eq!(boards.boards.len(), 3);
        assert_eq!(boards.row_labels, ["outer", "inner", "own"]);
        assert_eq!(
            boards.boards[1].cells[2].iter().map(|cell| cell.value).collect::<Vec<_>>(),
            [0.0, 1.0, 2.0, 3.0]
        );
        assert!(surface(Key::Sh, &pair).is_none() && list(Key::Sh, &pair).is_none());
    }

    #[test]
    fn every_table_is_drawn_and_every_cell_of_it() {
        for &key in Key::ALL.iter().filter(|key| key.feature().layout.is_table()) {
            let (start, after) = (Weights::start(), counted(key));
            let panels = table_panels(&[key], &pair(&start, &after, &FrozenCells::default()));
            assert!(!panels.is_empty(), "{key:?}");
            let shown: Vec<f64> = match &panels[0].content {
                PanelContent::Charts(charts) => {
                    charts[0].series[1].points.iter().map(|point| point.y).collect()
                }
                PanelContent::Heat(boards) | PanelContent::Surface(boards) => {
                    boards.boards[1].cells.iter().flatten().map(|cell| cell.value).collect()
                }
            };
            for cell in 0..key.feature().layout.cells() {
                assert!(shown.contains(&(cell as f64)), "{key:?} {cell}");
            }
        }
        assert!(
            table_panels(&[Key::MatQ], &pair(&Weights::start(), &Weights::start(), &FrozenCells::default()))
                .is_empty()
        );
    }

    #[test]
    fn files_one_by_one_make_a_board_too() {
        let labels = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        assert_eq!(places_of_files(&labels("a b c d e f g h")), Some((0..8).collect()));
        assert_eq!(places_of_files(&labels("ah bg cf de")), Some(vec![0, 1, 2, 3, 3, 2, 1, 0]));
        assert_eq!(places_of_files(&labels("own inner outer")), None);
        assert_eq!(places_of_files(&labels("a b c")), None);
        let (start, after, frozen) = (Weights::start(), counted(Key::Pst64N), FrozenCells::default());
        let panel = heat(Key::Pst64N, &pair(&start, &after, &frozen)).unwrap();
        let [before, tuned] = [0, 1].map(|at| &boards_of(&panel).boards[at].cells);
        assert_eq!((tuned[0][1].value, tuned[1][0].value, tuned[7][7].value), (8.0, 1.0, 63.0));
        assert!(before.iter().flatten().all(|cell| cell.value == 0.0), "off at the start");
    }

    #[test]
    fn what_was_kept_is_marked_where_it_was_kept() {
        let frozen = |name: &str, support| FrozenWeight { name: name.to_string(), support };
        let few = Some(3);
        let trends = Trends {
            frozen: vec![
                frozen("p_adv[de,r7].o", few),
                frozen("p_adv[ah,r2]", None),
                frozen("pass.e", few),
                frozen("no_such[de,r7]", few),
            ],
            ..Trends::default()
        };
        let (start, after, frozen) = (Weights::start(), counted(Key::PAdv), FrozenCells::new(&trends));
        let pair = pair(&start, &after, &frozen);
        let panel = heat(Key::PAdv, &pair).unwrap();
        let frozen =
            |board: usize, rank: usize, file: usize| boards_of(&panel).boards[board].cells[rank][file].frozen;
        assert_eq!(
            [frozen(0, 5, 3), frozen(1, 5, 3), frozen(1, 5, 4)],
            [None, Some(FrozenKind::Unsupported), Some(FrozenKind::Unsupported)]
        );
        assert_eq!(
            [frozen(4, 5, 3), frozen(4, 0, 0), frozen(1, 0, 7)],
            [None, Some(FrozenKind::NotTuned), Some(FrozenKind::NotTuned)]
        );
        assert_eq!(panel.frozen_kinds(), [FrozenKind::Unsupported, FrozenKind::NotTuned]);
        let list = list(Key::Pass, &pair).unwrap();
        let PanelContent::Charts(charts) = &list.content else { panic!("no chart") };
        assert!(charts[0].series[1].points.iter().all(|point| point.frozen.is_none()));
        assert!(charts[1].series[1].points.iter().all(|point| point.frozen == Some(FrozenKind::Unsupported)));
        assert!(charts[1].series[0].points.iter().all(|point| point.frozen.is_none()));
    }

    #[test]
    fn lists_have_ranks_and_files_below() {
        let start = Weights::start();
        let names = |key: Key| {
            let list = list(key, &pair(&start, &start, &FrozenCells::default())).unwrap();
            let PanelContent::Charts(charts) = list.content else { panic!("no chart") };
            (charts[0].x_axis.title.clone(), charts[0].x_axis.names.join(" "), charts.len())
        };
        assert_eq!(names(Key::Pass), ("rank".to_string(), "2 3 4 5 6 7".to_string(), 2));
        assert_eq!(names(Key::Iso), ("file".to_string(), "a, h b, g c, f d, e".to_string(), 2));
        assert_eq!(names(Key::Storm).2, 1);
    }
}
