//! How much the count of each parameter varies over the kept rows, and how many clusters touch it.

use serde::{Deserialize, Serialize};

use crate::{choice::Choice, model::Model};

/// Sums over the rows.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Moments {
    rows: u64,
    columns: Vec<Column>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Column {
    /// Sums of the entries, and of their squares, on the grid of the column.
    sums: [i128; 2],
    /// Number of clusters with an entry.
    clusters: u64,
    /// The last of them: the choices of a cluster come one after the other.
    #[serde(skip)]
    last: Option<u64>,
}

impl Moments {
    pub fn new(columns: usize) -> Moments {
        Moments { rows: 0, columns: vec![Column::default(); columns] }
    }

    /// Adds the rows of a choice, without entries beyond the columns, which the equations refuse.
    pub fn add(&mut self, choice: &Choice) {
        self.rows += choice.len() as u64;
        let cluster = Some(choice.cluster());
        for row in choice.rows() {
            for (column, entry) in row.iter() {
                let Some(column) = self.columns.get_mut(column) else { break };
                let entry = i64::from(entry);
                column.sums[0] += i128::from(entry);
                column.sums[1] += i128::from(entry * entry);
                if column.last != cluster {
                    column.last = cluster;
                    column.clusters += 1;
                }
            }
        }
    }

    pub fn merge(&mut self, other: &Moments) {
        self.rows += other.rows;
        for (to, from) in self.columns.iter_mut().zip(&other.columns) {
            to.sums = [0, 1].map(|power| to.sums[power] + from.sums[power]);
            to.clusters += from.clusters;
        }
    }

    /// Number of clusters that touch a column.
    pub fn clusters(&self, column: usize) -> u64 {
        self.columns[column].clusters
    }

    /// The standard deviation of the count of a column over the rows.
    pub fn deviation(&self, model: &Model, column: usize) -> f64 {
        if self.rows == 0 {
            return 0.0;
        }
        let unit = 2_f64.powi(-model.grid(column).bits);
        let [mean, square] = self.columns[column].sums.map(|sum| sum as f64 / self.rows as f64 * unit);
        (square * unit - mean * mean).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_that_over_all_rows_and_parts_merge_to_the_whole() {
        let choice = |cluster: u64, counts: &[i64]| {
            let mut choice = Choice::default();
            choice.begin(cluster, 0);
            counts.iter().for_each(|&count| choice.push(0, [(1, 256 * count)]).unwrap());
            choice
        };
        let [one, other] = [choice(7, &[2, -1]), choice(8, &[0, 3])];
        let mut whole = Moments::new(2);
        whole.add(&one);
        let mut part = Moments::new(2);
        part.add(&other);
        whole.merge(&part);
        let model = crate::synthetic::model(&[0.0; 2]);
        // 2, -1, 0 and 3: mean 1, mean of the squares 14/4.
        assert!((whole.deviation(&model, 1) - 2.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!([0, 1].map(|column| whole.clusters(column)), [0, 2]);
        let mut of_one_game = Moments::new(2);
        [&one, &one].into_iter().for_each(|choice| of_one_game.add(choice));
        assert_eq!(of_one_game.clusters(1), 1);
        assert_eq!((whole.deviation(&model, 0), Moments::new(1).deviation(&model, 0)), (0.0, 0.0));
    }
}
