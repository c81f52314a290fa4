//! The order of the cells of a table in a `.par` file: as a list, or laid out like the board.
//!
//! Reading and writing both use this order.

use strum::IntoStaticStr;

use crate::feature::{Ends, Feature, Layout};

/// The cells of a table in rows and columns, in the order of the file.
pub struct CellGrid {
    /// Labels above the columns of a block; empty for a list.
    pub columns: Vec<String>,
    /// Label of each row, and the indices of its cells. A row of a list has one cell.
    pub rows: Vec<(String, Vec<usize>)>,
}

impl CellGrid {
    /// The rows and columns of a table. Ranks run from high to low, as on a board seen from White's side.
    pub fn new(layout: Layout) -> CellGrid {
        let (slow, fast) = layout.axes();
        let list = |labels: Vec<String>| labels.into_iter().zip((0..).map(|cell| vec![cell])).collect();
        match layout {
            Layout::Scalar | Layout::File | Layout::Storm | Layout::Number { .. } | Layout::Role => {
                CellGrid { columns: slow, rows: list(fast) }
            }
            Layout::Rank { .. } => {
                let mut rows: Vec<_> = list(fast);
                rows.reverse();
                CellGrid { columns: slow, rows }
            }
            Layout::FileRank { .. } | Layout::Square { .. } => {
                let (files, ranks) = (slow.len(), fast.len());
                let row = |rank: usize| (0..files).map(|file| file * ranks + rank).collect();
                let rows = fast.into_iter().enumerate().rev().map(|(rank, label)| (label, row(rank)));
                CellGrid { rows: rows.collect(), columns: slow }
            }
            Layout::Shelter => {
                let states = fast.len();
                let row = |file: usize| (file * states..(file + 1) * states).collect();
                let rows = slow.into_iter().enumerate().map(|(file, label)| (label, row(file)));
                CellGrid { rows: rows.collect(), columns: fast }
            }
        }
    }

    /// Whether each cell has a line to itself.
    pub fn is_list(&self) -> bool {
        self.columns.is_empty()
    }
}

/// The blocks of a table in two dimensions: weights by phase, then the flags.
pub fn blocks(feature: &Feature) -> &'static [Block] {
    match feature.ends {
        Ends::Pair => &[Block::Open, Block::End, Block::Tune],
        Ends::Single | Ends::OpeningOnly => &[Block::Open, Block::Tune],
    }
}

/// One block of a table in two dimensions. Its name in the file is that of the variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Block {
    /// Opening weights.
    Open,
    /// Endgame weights.
    End,
    /// Flags.
    Tune,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::Key;

    #[test]
    fn a_board_shows_high_ranks_first_and_file_classes_side_by_side() {
        let grid = CellGrid::new(Key::PAdv.feature().layout);
        assert_eq!(grid.columns, ["ah", "bg", "cf", "de"]);
        assert_eq!(grid.rows[0], ("r7".to_string(), vec![5, 11, 17, 23]));
        assert_eq!(grid.rows[5], ("r2".to_string(), vec![0, 6, 12, 18]));
    }

    #[test]
    fn every_sheet_shows_every_cell_once_and_under_its_own_label() {
        for feature in Key::ALL.iter().map(|key| key.feature()).filter(|f| f.layout.is_table()) {
            let grid = CellGrid::new(feature.layout);
            let mut seen = vec![false; feature.layout.cells()];
            for (row, cells) in &grid.rows {
                assert_eq!(cells.len(), grid.columns.len().max(1));
                for (column, &cell) in cells.iter().enumerate() {
                    assert!(!std::mem::replace(&mut seen[cell], true));
                    let label = feature.layout.label(cell);
                    assert!(label.contains(row.as_str()));
                    assert!(grid.is_list() || label.contains(grid.columns[column].as_str()));
                }
            }
            assert!(!seen.contains(&false));
        }
    }
}
