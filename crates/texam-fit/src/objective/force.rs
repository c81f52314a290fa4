//! The forces of 1988: least squares, with targets that push the chosen row up and its rivals down.
//!
//! The loss of a choice is half the sum of squares of `A'.d_m - v_m - g_m`. Without a force, `g = 0`, the fit
//! gives back the parameters of the search. A force adds `f` to the target of the chosen row, depending on
//! how far the choice was missed, and takes it away from the other rows, so that the mean of the targets
//! stays the same.
//!
//! Andreas Nowatzyk's note "Eval Tuning in Deep Thought" describes a small constant force first, then forces
//! that grow with the miss, and one that falls, since "if it is off by a lot, don't bother to try". The note
//! gives no formula. The formulas below are ours; all forces of the miss are equal at a miss of `scale`.

use super::{Judged, Objective};
use crate::{
    choice::Choice,
    error::{Error, Result},
    limits::is_size,
    units::in_units,
};

option_enum! {
    /// How the force depends on the miss.
    pub enum Force {
        /// No force: the identity.
        None,
        /// The same in every choice, also where the choice already agrees.
        Constant,
        /// In proportion to the miss.
        #[default]
        Linear,
        /// With the square of the miss.
        Quadratic,
        /// With its square root.
        Sqrt,
        /// With its logarithm.
        Log,
        /// Largest for a slight miss, falling with a grave one.
        Reciprocal,
        /// With the number of alternatives ahead of the chosen one, kept or not.
        Rank,
    }
}

/// Default strengths in units, in the order of [`Force`], found by measurement on choices of chess players.
const DEFAULT_STRENGTHS: [f64; 8] = [0.0, 64.0, 512.0, 256.0, 256.0, 256.0, 256.0, 256.0];

/// Alternatives ahead of the chosen one at which the force of ranks reaches its strength.
const RANK_SCALE: f64 = 4.0;

impl Force {
    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The strength used unless another is asked for, in units.
    pub fn default_strength(self) -> f64 {
        DEFAULT_STRENGTHS[self as usize]
    }

    /// The force in units for a `miss` in units and a `rank`. Those that depend on the miss alone equal
    /// `strength` where the miss is `scale`.
    pub fn at(self, miss: f64, rank: u32, strength: f64, scale: f64) -> f64 {
        let x = miss / scale;
        strength
            * match self {
                Force::None => 0.0,
                Force::Constant => 1.0,
                Force::Linear => x,
                Force::Quadratic => x * x,
                Force::Sqrt => x.sqrt(),
                Force::Log => libm::log1p(x) / std::f64::consts::LN_2,
                Force::Reciprocal if miss > 0.0 => 2.0 / (1.0 + x),
                Force::Reciprocal => 0.0,
                Force::Rank => f64::from(rank) / RANK_SCALE,
            }
    }
}

option_enum! {
    /// Which other rows pay for the force on the chosen one.
    pub enum Balance {
        /// All in equal parts.
        #[default]
        All,
        /// Only those strictly ahead of the chosen one; all of them where none is, so that the sum stays 0.
        Ahead,
        /// None: a mistake made in 1988, which lets the values inflate.
        None,
    }
}

impl Balance {
    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A force with its size and its balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forces {
    /// How it depends on the miss.
    pub force: Force,
    /// Its size at a miss of `scale`, in units.
    pub strength: f64,
    /// The miss at which it has that size, in units.
    pub scale: f64,
    /// Which other rows are pushed down.
    pub balance: Balance,
}

impl Default for Forces {
    /// The linear force at its default strength, balanced over all other rows.
    fn default() -> Forces {
        Forces {
            force: Force::Linear,
            strength: Force::Linear.default_strength(),
            scale: 32.0,
            balance: Balance::All,
        }
    }
}

impl Forces {
    /// No force: the identity.
    pub fn none() -> Forces {
        Forces { force: Force::None, ..Forces::default() }
    }

    /// Checks that strength and scale are usable numbers.
    ///
    /// # Errors
    ///
    /// Names the first that is not.
    pub fn validate(&self) -> Result<()> {
        let wrong = |name, expected, found| Err(Error::Option { name, expected, found });
        if !is_size(self.strength) {
            return wrong("strength", "from 0 to 1e12", self.strength);
        }
        if !is_size(self.scale) || self.scale == 0.0 {
            return wrong("scale", "above 0, up to 1e12", self.scale);
        }
        Ok(())
    }
}

impl Objective for Forces {
    fn name(&self) -> &'static str {
        "force"
    }

    /// The pulls are `f` on the chosen row and `-f/n` on each of the `n` rows that pay for it; the loss
    /// is half the sum of their squares. A choice of one row has no pull.
    fn judge(&self, choice: &Choice, _: f64, judged: &mut Judged) -> f64 {
        let Some((&chosen, others)) = choice.values().split_first() else { return 0.0 };
        if others.is_empty() {
            return 0.0;
        }
        let miss = choice.miss();
        let force = self.force.at(in_units(miss), choice.rank(), self.strength, self.scale);
        judged.pulls[0] = force;
        let only_ahead = self.balance == Balance::Ahead && miss > 0;
        let pays = |value: i64| self.balance != Balance::None && (!only_ahead || value > chosen);
        let payers = others.iter().filter(|&&value| pays(value)).count();
        for (pull, &value) in judged.pulls[1..].iter_mut().zip(others) {
            if pays(value) {
                *pull = -force / payers as f64;
            }
        }
        judged.pulls.iter().map(|pull| pull * pull).sum::<f64>() / 2.0
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;
    use crate::VALUE_UNIT;

    const SMOOTH: [Force; 5] = [Force::Linear, Force::Quadratic, Force::Sqrt, Force::Log, Force::Reciprocal];

    fn pulls(forces: Forces, chosen: i64, alternatives: &[i64]) -> Vec<f64> {
        let mut choice = Choice::default();
        choice.begin(0, 2);
        for units in [chosen].iter().chain(alternatives) {
            choice.push(units * VALUE_UNIT, []).unwrap();
        }
        let mut judged = Judged::default();
        judged.reset(choice.len());
        forces.judge(&choice, 1.0, &mut judged);
        judged.pulls
    }

    fn forces(force: Force, balance: Balance) -> Forces {
        Forces { force, strength: 48.0, scale: 32.0, balance }
    }

    #[test]
    fn names_of_forces_and_balances_are_read_back() {
        for &force in Force::VARIANTS {
            assert_eq!(force.to_string().parse::<Force>().unwrap(), force);
        }
        for &balance in Balance::VARIANTS {
            assert_eq!(balance.to_string().parse::<Balance>().unwrap(), balance);
        }
        let error = "strong".parse::<Force>().unwrap_err().to_string();
        assert!(error.contains("reciprocal") && error.contains("\"strong\""), "{error}");
    }

    #[test]
    fn the_forces_of_the_miss_equal_their_strength_where_the_miss_is_the_scale() {
        for force in SMOOTH {
            assert!((force.at(32.0, 7, 48.0, 32.0) - 48.0).abs() < 1e-12, "{force}");
        }
        assert_eq!(Force::Constant.at(0.0, 0, 48.0, 32.0), 48.0);
        assert_eq!(Force::Rank.at(0.0, 4, 48.0, 32.0), 48.0);
    }

    #[test]
    fn only_the_constant_force_and_the_rank_push_where_the_choice_agrees() {
        for force in SMOOTH {
            assert_eq!(force.at(0.0, 3, 48.0, 32.0), 0.0, "{force}");
        }
        assert_eq!(Force::None.at(50.0, 3, 48.0, 32.0), 0.0);
        assert!(Force::Rank.at(0.0, 3, 48.0, 32.0) > 0.0);
    }

    #[test]
    fn the_reciprocal_force_falls_with_the_miss_and_the_others_grow() {
        for force in SMOOTH {
            let [slight, grave] = [8.0, 60.0].map(|miss| force.at(miss, 0, 48.0, 32.0));
            assert_eq!(slight > grave, force == Force::Reciprocal, "{force}");
        }
    }

    #[test]
    fn balanced_forces_sum_to_zero() {
        for &force in Force::VARIANTS {
            for balance in [Balance::All, Balance::Ahead] {
                for values in [&[5, 30, 12, 10][..], &[3], &[9, 1]] {
                    let sum: f64 = pulls(forces(force, balance), 10, values).iter().sum();
                    assert!(sum.abs() < 1e-12, "{force} {balance}: {sum}");
                }
            }
        }
    }

    #[test]
    fn ahead_charges_those_ahead_and_everybody_where_none_is() {
        let ahead = forces(Force::Constant, Balance::Ahead);
        assert_eq!(pulls(ahead, 10, &[5, 30, 12, 10]), [48.0, 0.0, -24.0, -24.0, 0.0]);
        assert_eq!(pulls(ahead, 10, &[5, 10]), [48.0, -24.0, -24.0]);
    }

    #[test]
    fn without_balance_only_the_chosen_row_is_pushed() {
        assert_eq!(pulls(forces(Force::Linear, Balance::None), 10, &[42, 0]), [48.0, 0.0, 0.0]);
    }

    #[test]
    fn a_choice_of_one_row_feels_no_force() {
        assert_eq!(pulls(forces(Force::Constant, Balance::All), 10, &[]), [0.0]);
    }
}
