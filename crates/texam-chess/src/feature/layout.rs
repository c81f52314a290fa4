//! Layouts of the tables of features: numbers and names of their cells.

/// How the cells of a table are laid out. Ranks are relative to the owner; a file class is 0 for the
/// a- and h-file to 3 for the d- and e-file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// No table: one count.
    Scalar,
    /// Four file classes by `ranks` ranks from `low` on; the rank runs fastest.
    FileRank {
        /// First relative rank, 1 to 8.
        low: u8,
        /// Number of ranks.
        ranks: u8,
    },
    /// The eight files by `ranks` ranks from `low` on; the rank runs fastest.
    Square {
        /// First relative rank, 1 to 8.
        low: u8,
        /// Number of ranks.
        ranks: u8,
    },
    /// Four file classes.
    File,
    /// `ranks` ranks from `low` on.
    Rank {
        /// First relative rank, 1 to 8.
        low: u8,
        /// Number of ranks.
        ranks: u8,
    },
    /// King's own, inner and outer file, each by where its nearest own pawn stands: r2, r3, r4+, none.
    Shelter,
    /// The foremost enemy pawn on a shelter file, by the rank it has reached: r>=6 (or none), r5, r4, r<=3.
    Storm,
    /// A number from 0 to `most`.
    Number {
        /// The largest number.
        most: u8,
    },
    /// Pawn, knight, bishop, rook, queen.
    Role,
}

const FILES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const FILE_CLASSES: [&str; 4] = ["ah", "bg", "cf", "de"];
const SHELTER_FILES: [&str; 3] = ["own", "inner", "outer"];
const SHELTER_STATES: [&str; 4] = ["r2", "r3", "r4+", "none"];
const ROLES: [&str; 5] = ["p", "n", "b", "r", "q"];
const STORM_STATES: [&str; 4] = ["r>=6", "r5", "r4", "r<=3"];

impl Layout {
    /// Number of cells.
    pub const fn cells(self) -> usize {
        match self {
            Layout::Scalar => 1,
            Layout::FileRank { ranks, .. } => 4 * ranks as usize,
            Layout::Square { ranks, .. } => 8 * ranks as usize,
            Layout::File | Layout::Storm => 4,
            Layout::Rank { ranks, .. } => ranks as usize,
            Layout::Shelter => 12,
            Layout::Number { most } => most as usize + 1,
            Layout::Role => ROLES.len(),
        }
    }

    /// Whether the feature has a table.
    pub const fn is_table(self) -> bool {
        !matches!(self, Layout::Scalar)
    }

    /// Labels of the rows and columns of the table; the column index varies fastest. A list has columns only.
    pub fn axes(self) -> (Vec<String>, Vec<String>) {
        let files = || FILE_CLASSES.map(String::from).to_vec();
        let ranks = |low: u8, n: u8| (low..low + n).map(|r| format!("r{r}")).collect();
        match self {
            Layout::Scalar => (vec![], vec![]),
            Layout::FileRank { low, ranks: n } => (files(), ranks(low, n)),
            Layout::Square { low, ranks: n } => (FILES.map(String::from).to_vec(), ranks(low, n)),
            Layout::File => (vec![], files()),
            Layout::Rank { low, ranks: n } => (vec![], ranks(low, n)),
            Layout::Shelter => {
                (SHELTER_FILES.map(String::from).to_vec(), SHELTER_STATES.map(String::from).to_vec())
            }
            Layout::Storm => (vec![], STORM_STATES.map(String::from).to_vec()),
            Layout::Number { most } => (vec![], (0..=most).map(|number| number.to_string()).collect()),
            Layout::Role => (vec![], ROLES.map(String::from).to_vec()),
        }
    }

    /// Name of cell `index`: `de,r4`, `e,r4`, `cf`, `r5`, `inner,r2`, `12`, `q`; empty for a scalar.
    pub fn label(self, index: usize) -> String {
        let (rows, columns) = self.axes();
        match (rows.len(), columns.len()) {
            (_, 0) => String::new(),
            (0, _) => columns[index].clone(),
            (_, n) => format!("{},{}", rows[index / n], columns[index % n]),
        }
    }
}
