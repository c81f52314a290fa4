//! Standard errors of a whole run: the run is made again without each of some groups of clusters, and how far
//! the results scatter tells their error (delete-a-group jackknife: Shao and Tu 1995; Kott 2001).

use serde::{Deserialize, Serialize};

use crate::report::{Figures, Pass};

/// A group of clusters that a run leaves out. Clusters are dealt out to the groups in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of the group, from 0.
    pub group: u32,
    /// How many groups there are.
    pub groups: u32,
}

impl LeftOut {
    /// Whether the group has a cluster, by its place among the clusters that are fitted, from 0.
    pub fn has(self, place: u64) -> bool {
        place % u64::from(self.groups) == u64::from(self.group)
    }
}

/// Where a run has come to in a pass; or the standard errors of these numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The values of all parameters of the model, in units.
    pub values: Vec<f64>,
    /// What the pass is judged by.
    pub figures: Figures,
}

impl Outcome {
    /// That of a pass.
    pub fn of(pass: &Pass) -> Outcome {
        Outcome { values: pass.values.clone(), figures: Figures::of(&pass.report) }
    }
}

/// Standard errors of a run in each pass, from what the runs without each group have come to in it. Runs have
/// the same passes.
pub fn run_errors(without: &[Vec<Outcome>]) -> Vec<Outcome> {
    let passes = without.iter().map(Vec::len).min().unwrap_or_default();
    let errors = |pass: usize| {
        let runs: Vec<&Outcome> = without.iter().map(|run| &run[pass]).collect();
        let parameters = runs[0].values.len();
        let error = |place: usize| {
            let values: Vec<f64> = runs.iter().map(|run| run.values[place]).collect();
            standard_error(&values)
        };
        let figures: Vec<Figures> = runs.iter().map(|run| run.figures).collect();
        Outcome {
            values: (0..parameters).map(error).collect(),
            figures: Figures::each(&figures, standard_error),
        }
    };
    (0..passes).map(errors).collect()
}

/// The jackknife estimate from the results without each of `G` groups: its square is
/// `(G - 1) / G sum (theta_g - mean)^2`.
pub fn standard_error(without: &[f64]) -> f64 {
    let groups = without.len() as f64;
    let mean = without.iter().sum::<f64>() / groups;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    ((groups - 1.0) / groups * squares).sqrt()
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::{
        choice::Choice,
        plan::{FitOptions, Ridge},
        synthetic::{self, Regression},
        units::VALUE_UNIT,
    };

    #[test]
    fn the_error_of_a_mean_is_that_of_the_textbook() {
        // Without each of the values 1, 2, 4 and 5 in turn, the mean of the other three.
        let values = [1.0, 2.0, 4.0, 5.0];
        let without = values.map(|value| (12.0 - value) / 3.0);
        // Variance 10/3 of the values, divided by 4.
        assert!((standard_error(&without) - (10.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(standard_error(&[3.0; 5]), 0.0);
    }

    #[test]
    fn every_cluster_is_in_one_group_and_groups_differ_by_one_at_most() {
        let sizes: Vec<usize> = (0..10)
            .map(|group| (0..217).filter(|&place| LeftOut { group, groups: 10 }.has(place)).count())
            .collect();
        assert_eq!(sizes.iter().sum::<usize>(), 217);
        assert!(sizes.iter().all(|&size| size == 21 || size == 22), "{sizes:?}");
    }

    /// Rows whose values follow other slopes in every cluster, about those planted, and scatter about them.
    fn noisy_choices(random: &mut Rng, planted: [f64; 2], clusters: u64) -> Vec<Choice> {
        // Uniform numbers of mean 0 and variance 1.
        let mut noise = || (random.f64() - 0.5) * 12.0_f64.sqrt();
        let cluster = |cluster: u64| {
            let slopes = planted.map(|slope| slope + 2.0 * noise());
            (0..3)
                .map(|_| {
                    let mut choice = Choice::default();
                    choice.begin(cluster, 0);
                    for _ in 0..4 {
                        let counts = [2.0 * noise(), noise()];
                        let value = counts[0] * slopes[0] + counts[1] * slopes[1] + 3.0 * noise();
                        let entries =
                            [0, 1].map(|column| (column as u32, (counts[column] * 256.0).round() as i64));
                        choice.push((value * VALUE_UNIT as f64).round() as i64, entries).unwrap();
                    }
                    choice
                })
                .collect::<Vec<_>>()
        };
        (0..clusters).flat_map(cluster).collect()
    }

    #[test]
    fn the_error_of_planted_slopes_is_how_far_the_fits_of_other_samples_scatter() {
        const SAMPLES: u64 = 300;
        let (model, planted) = (synthetic::model(&[0.0, 0.0]), [5.0, -3.0]);
        let options =
            FitOptions { min_support: 1, ridge: Ridge::Fixed(0.0), errors: false, ..FitOptions::default() };
        let fit = |choices: &[Choice]| {
            let fit = synthetic::fit(choices, &model, &Regression(&model), &options, None).unwrap();
            [fit.values[0], fit.values[1]]
        };
        let [mut scatter, mut estimated] = [[0.0; 2]; 2];
        for seed in 0..SAMPLES {
            let choices = noisy_choices(&mut Rng::with_seed(seed), planted, 60);
            let whole = fit(&choices);
            let without = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|group| {
                let left_out = LeftOut { group, groups: 10 };
                let rest: Vec<Choice> =
                    choices.iter().filter(|choice| !left_out.has(choice.cluster())).cloned().collect();
                fit(&rest)
            });
            for slope in 0..2 {
                scatter[slope] += (whole[slope] - planted[slope]).powi(2);
                estimated[slope] += standard_error(&without.map(|values| values[slope])).powi(2);
            }
        }
        for slope in 0..2 {
            let ratio = (estimated[slope] / scatter[slope]).sqrt();
            assert!((0.8..1.2).contains(&ratio), "slope {slope}: {ratio}");
        }
    }
}
