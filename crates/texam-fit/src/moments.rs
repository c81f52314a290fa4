//! How much the count of each parameter varies over the kept rows, and how many clusters touch it.

use serde::{Deserialize, Serialize};

use crate::{choice::Choice, model::Model};

/// Sums over the rows of the entries of each column, and of their squares, on its grid.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Moments {
    rows: u64,
    sums: Vec<[i128; 2]>,
    /// Number of clusters with an entry in each column.
    clusters: Vec<u64>,
    /// The last of them: the choices of a cluster come one after the other.
    #[serde(skip)]
    last: Vec<Option<u64>>,
}

impl Moments {
    pub fn new(columns: usize) -> Moments {
        Moments {
            rows: 0,
            sums: vec![[0; 2]; columns],
            clusters: vec![0; columns],
            last: vec![None; columns],
        }
    }

    /// Adds the rows of a choice, without entries beyond the columns, which the equations refuse.
    pub fn add(&mut self, choice: &Choice) {
        self.rows += choice.len() as u64;
        for row in choice.rows() {
            for (&column, &entry) in row.columns.iter().zip(row.entries) {
                let column = column as usize;
                if let Some([sum, squares]) = self.sums.get_mut(column) {
                    let entry = i64::from(entry);
                    *sum += i128::from(entry);
                    *squares += i128::from(entry * entry);
                    if self.last[column].replace(choice.cluster()) != Some(choice.cluster()) {
                        self.clusters[column] += 1;
                    }
                }
            }
        }
    }

    pub fn merge(&mut self, other: &Moments) {
        self.rows += other.rows;
        for (to, from) in self.sums.iter_mut().zip(&other.sums) {
            (to[0], to[1]) = (to[0] + from[0], to[1] + from[1]);
        }
        for (to, from) in self.clusters.iter_mut().zip(&other.clusters) {
            *to += from;
        }
    }

    /// Number of clusters that touch a column.
    pub fn clusters(&self, column: usize) -> u64 {
        self.clusters[column]
    }

    /// The standard deviation of the count of a column over the rows.
    pub fn deviation(&self, model: &Model, column: usize) -> f64 {
        if self.rows == 0 {
            return 0.0;
        }
        let unit = 2_f64.powi(-model.grid(column).bits);
        let [mean, square] = self.sums[column].map(|sum| sum as f64 / self.rows as f64 * unit);
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
