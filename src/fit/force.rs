//! Forces: by how much a fit pushes the played move up and its rivals down.
//!
//! Without a force the fit reproduces the weights that the positions were searched with. A force adds a
//! small amount to the target of the played move, in measure with how badly the choice was missed, and
//! takes it away from the alternatives, so that the values as a whole neither rise nor fall. This module
//! sees one decision at a time; it knows nothing of weights, features or the sums of the fit.
//!
//! The record of 1988 (Andreas Nowatzyk, "Eval Tuning in Deep Thought") tells of a small constant force
//! first, of forces that grow with the miss, and of one that falls, since "if it is off by a lot, don't
//! bother to try". It gives no formula: those below are set equal at a miss of `scale`, to be compared.

use std::{fmt, str::FromStr};

use crate::{
    decision::Decision,
    error::{Error, Result},
    value::in_units,
};

/// How the force depends on the miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Force {
    /// No force: the identity.
    None,
    /// The same in every position, also where the choice already agrees.
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
    /// With the number of legal moves ahead of the played one, in bound or not.
    Rank,
}

/// Default strengths in units, in the order of [`Force::ALL`], found by measurement (`docs/DESIGN.md`).
const DEFAULT_STRENGTHS: [f64; Force::ALL.len()] = [0.0, 64.0, 512.0, 256.0, 256.0, 256.0, 256.0, 256.0];

/// Moves ahead of the played one at which the force of ranks reaches its strength.
const RANK_SCALE: f64 = 4.0;

impl Force {
    /// All forces, as listed on the command line.
    pub const ALL: [Force; 8] = [
        Force::None,
        Force::Constant,
        Force::Linear,
        Force::Quadratic,
        Force::Sqrt,
        Force::Log,
        Force::Reciprocal,
        Force::Rank,
    ];

    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Force::None => "none",
            Force::Constant => "constant",
            Force::Linear => "linear",
            Force::Quadratic => "quadratic",
            Force::Sqrt => "sqrt",
            Force::Log => "log",
            Force::Reciprocal => "reciprocal",
            Force::Rank => "rank",
        }
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
                Force::Log => x.ln_1p() / std::f64::consts::LN_2,
                Force::Reciprocal if miss > 0.0 => 2.0 / (1.0 + x),
                Force::Reciprocal => 0.0,
                Force::Rank => f64::from(rank) / RANK_SCALE,
            }
    }
}

impl fmt::Display for Force {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Force {
    type Err = Error;

    fn from_str(name: &str) -> Result<Force> {
        Force::ALL.into_iter().find(|force| force.name() == name).ok_or_else(|| {
            let names = Force::ALL.map(Force::name).join(", ");
            Error::expected(format!("one of {names}"), format!("{name:?}"))
        })
    }
}

/// Which alternatives pay for the force on the played move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Balance {
    /// All kept alternatives in equal parts.
    #[default]
    All,
    /// Only those strictly ahead of the played move; all of them where none is, so that the sum stays 0.
    Ahead,
    /// None: a mistake made in 1988, which lets the values inflate.
    None,
}

impl Balance {
    /// All ways, as listed on the command line.
    pub const ALL: [Balance; 3] = [Balance::All, Balance::Ahead, Balance::None];

    /// Name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Balance::All => "all",
            Balance::Ahead => "ahead",
            Balance::None => "none",
        }
    }
}

impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Balance {
    type Err = Error;

    fn from_str(name: &str) -> Result<Balance> {
        Balance::ALL
            .into_iter()
            .find(|balance| balance.name() == name)
            .ok_or_else(|| Error::expected("all, ahead or none", format!("{name:?}")))
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
    /// Who pays.
    pub balance: Balance,
}

impl Forces {
    /// The forces on the kept outcomes of `decision`, the played one first, in units: `f` on the played
    /// move, and `-f/n` on each of the `n` alternatives that pay. A choice without alternatives is none,
    /// and feels no force.
    pub fn on(&self, decision: &Decision) -> Vec<f64> {
        let mut forces = vec![0.0; 1 + decision.alternatives.len()];
        if decision.alternatives.is_empty() {
            return forces;
        }
        let miss = in_units(decision.miss());
        let force = self.force.at(miss, decision.rank, self.strength, self.scale);
        forces[0] = force;
        let threshold = match self.balance {
            Balance::None => return forces,
            Balance::Ahead if decision.miss() > 0 => Some(decision.played.value),
            Balance::Ahead | Balance::All => None,
        };
        let pays = |value| threshold.is_none_or(|played| value > played);
        let payers = decision.alternatives.iter().filter(|outcome| pays(outcome.value)).count();
        for (share, outcome) in forces[1..].iter_mut().zip(&decision.alternatives) {
            if pays(outcome.value) {
                *share = -force / payers as f64;
            }
        }
        forces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{decision::Outcome, feature::FeatureVector, value::UNIT};

    const SMOOTH: [Force; 5] = [Force::Linear, Force::Quadratic, Force::Sqrt, Force::Log, Force::Reciprocal];

    fn decision(played: i64, alternatives: &[i64]) -> Decision {
        let outcome =
            |units: i64| Outcome { value: units * UNIT, phase: 0, features: FeatureVector::default() };
        Decision {
            game: 0,
            sign: 1,
            root: outcome(0),
            played: outcome(played),
            alternatives: alternatives.iter().map(|&units| outcome(units)).collect(),
            rank: 2,
        }
    }

    fn forces(force: Force, balance: Balance) -> Forces {
        Forces { force, strength: 48.0, scale: 32.0, balance }
    }

    #[test]
    fn names_of_forces_and_balances_are_read_back() {
        for force in Force::ALL {
            assert_eq!(force.to_string().parse::<Force>().unwrap(), force);
        }
        for balance in Balance::ALL {
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
        for force in Force::ALL {
            for balance in [Balance::All, Balance::Ahead] {
                for values in [&[5, 30, 12, 10][..], &[3], &[9, 1]] {
                    let sum: f64 = forces(force, balance).on(&decision(10, values)).iter().sum();
                    assert!(sum.abs() < 1e-12, "{force} {balance}: {sum}");
                }
            }
        }
    }

    #[test]
    fn ahead_charges_those_ahead_and_everybody_where_none_is() {
        let ahead = forces(Force::Constant, Balance::Ahead);
        assert_eq!(ahead.on(&decision(10, &[5, 30, 12, 10])), [48.0, 0.0, -24.0, -24.0, 0.0]);
        assert_eq!(ahead.on(&decision(10, &[5, 10])), [48.0, -24.0, -24.0]);
    }

    #[test]
    fn without_balance_only_the_played_move_is_pushed() {
        assert_eq!(forces(Force::Linear, Balance::None).on(&decision(10, &[42, 0])), [48.0, 0.0, 0.0]);
    }

    #[test]
    fn a_choice_without_alternatives_feels_no_force() {
        assert_eq!(forces(Force::Constant, Balance::All).on(&decision(10, &[])), [0.0]);
    }
}
