//! The `.par` files made from the feature table alone: the start weights, and material only.
//!
//! `params/start.par` and `params/material.par` are these texts, byte for byte.

use super::format;
use crate::feature::Weights;

const START: &str = "\
Hand-set weights from which a fit starts; the program has the same set built in.
Deep Thought's own weights are not available to us: these are a reconstruction. Some follow GNU Chess
of 1987, see params/README.md.";

const MATERIAL: &str = "\
Material alone: the values of the pieces as in start.par, every other weight 0.
For comparison, and for fits from scratch.";

/// Name in `params` and text of each file.
pub fn shipped() -> [(&'static str, String); 2] {
    [
        ("start.par", format(&Weights::start(), &[START.to_string()])),
        ("material.par", format(&Weights::material_only(), &[MATERIAL.to_string()])),
    ]
}
