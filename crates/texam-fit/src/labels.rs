//! What the labels of rows count, by which a program can tell labels that mislead a fit.

/// Labelled rows that are fitted. Sums are those of rows in their order.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LabelCounts {
    /// Rows.
    pub rows: u64,
    /// Their clusters.
    pub clusters: u64,
    /// Rows whose label is 0 or 1.
    pub decided: u64,
    /// The smallest and the largest label.
    pub bounds: [f64; 2],
    labels: f64,
    weights: f64,
}

impl LabelCounts {
    /// Counts the label and the weight of each row of a cluster.
    pub fn add_cluster(&mut self, rows: impl IntoIterator<Item = (f64, f64)>) {
        self.clusters += 1;
        for (label, weight) in rows {
            let [low, high] = if self.rows == 0 { [label; 2] } else { self.bounds };
            self.bounds = [low.min(label), high.max(label)];
            self.rows += 1;
            self.decided += u64::from(label == 0.0 || label == 1.0);
            self.labels += label;
            self.weights += weight;
        }
    }

    /// The mean label.
    pub fn mean(&self) -> f64 {
        self.labels / self.rows as f64
    }

    /// The mean weight of a cluster: the number of its rows, where each has the weight 1.
    pub fn weight_of_cluster(&self) -> f64 {
        self.weights / self.clusters as f64
    }
}
