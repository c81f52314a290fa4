//! How a `.par` lays out the cells of a table: as a list, or like the board.
//!
//! The one place that both directions of the format take the order of cells from.

use crate::feature::{Ends, Feature, Layout};

/// Cells in the order of the file.
pub struct Sheet {
    /// Labels above the columns of a block; none for a list.
    pub columns: Vec<String>,
    /// Label of each row, and the cells in it; one for a list.
    pub rows: Vec<(String, Vec<usize>)>,
}

impl Sheet {
    /// The sheet of a table. Ranks run from high to low, as on a board seen from White's side.
    pub fn of(layout: Layout) -> Sheet {
        let (slow, fast) = layout.axes();
        let list = |labels: Vec<String>| labels.into_iter().zip((0..).map(|cell| vec![cell])).collect();
        match layout {
            Layout::Scalar | Layout::File | Layout::Storm => Sheet { columns: slow, rows: list(fast) },
            Layout::Rank { .. } => {
                let mut rows: Vec<_> = list(fast);
                rows.reverse();
                Sheet { columns: slow, rows }
            }
            Layout::FileRank { .. } | Layout::Square { .. } => {
                let (files, ranks) = (slow.len(), fast.len());
                let row = |rank: usize| (0..files).map(|file| file * ranks + rank).collect();
                let rows = fast.into_iter().enumerate().rev().map(|(rank, label)| (label, row(rank)));
                Sheet { rows: rows.collect(), columns: slow }
            }
            Layout::Shelter => {
                let states = fast.len();
                let row = |file: usize| (file * states..(file + 1) * states).collect();
                let rows = slow.into_iter().enumerate().map(|(file, label)| (label, row(file)));
                Sheet { rows: rows.collect(), columns: fast }
            }
        }
    }

    /// Whether each cell has a line of its own.
    pub fn is_list(&self) -> bool {
        self.columns.is_empty()
    }
}

/// Names of the blocks of a table in two dimensions: weights by phase, then the flags.
pub fn blocks(feature: &Feature) -> &'static [Block] {
    match feature.ends {
        Ends::Pair => &[Block::Open, Block::End, Block::Tune],
        Ends::Single | Ends::OpeningOnly => &[Block::Open, Block::Tune],
    }
}

/// One block of a table in two dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// Opening weights.
    Open,
    /// Endgame weights.
    End,
    /// Flags.
    Tune,
}

impl Block {
    /// Name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Block::Open => "open",
            Block::End => "end",
            Block::Tune => "tune",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::Key;

    #[test]
    fn a_board_shows_high_ranks_first_and_file_classes_side_by_side() {
        let sheet = Sheet::of(Key::PAdv.feature().layout);
        assert_eq!(sheet.columns, ["ah", "bg", "cf", "de"]);
        assert_eq!(sheet.rows[0], ("r7".to_string(), vec![5, 11, 17, 23]));
        assert_eq!(sheet.rows[5], ("r2".to_string(), vec![0, 6, 12, 18]));
    }

    #[test]
    fn every_sheet_shows_every_cell_once_and_under_its_own_label() {
        for feature in Key::ALL.iter().map(|key| key.feature()).filter(|f| f.layout.is_table()) {
            let sheet = Sheet::of(feature.layout);
            let mut seen = vec![false; feature.layout.cells()];
            for (row, cells) in &sheet.rows {
                assert_eq!(cells.len(), sheet.columns.len().max(1));
                for (column, &cell) in cells.iter().enumerate() {
                    assert!(!std::mem::replace(&mut seen[cell], true));
                    let label = feature.layout.label(cell);
                    assert!(label.contains(row.as_str()));
                    assert!(sheet.is_list() || label.contains(sheet.columns[column].as_str()));
                }
            }
            assert!(!seen.contains(&false));
        }
    }
}
