//! The shipped sets of weights, all built in.
//!
//! Two of them are made from the feature table alone, the start weights and material only: `params/start.par` and
//! `params/material.par` are these texts, byte for byte.

use std::path::Path;

use super::format;
use crate::feature::Weights;

const START: &str = "\
Hand-set weights from which a fit starts; the program has the same set built in.
Deep Thought's own weights are not available to us: these are a reconstruction. Some follow GNU Chess
of 1987, see params/README.md.";

const MATERIAL: &str = "\
Material alone: the values of the pieces as in start.par, every other weight 0.
For comparison, and for fits from scratch.";

/// Name in `params` and text of each file that is made from the feature table.
pub fn shipped() -> [(&'static str, String); 2] {
    [
        ("start.par", format(&Weights::start(), &[START.to_string()])),
        ("material.par", format(&Weights::material_only(), &[MATERIAL.to_string()])),
    ]
}

/// The text of a shipped set, by its path in the project; none for any other path.
pub(super) fn built_in(path: &Path) -> Option<String> {
    let fitted = [
        ("gm1988.par", include_str!("../../params/gm1988.par")),
        ("tables.par", include_str!("../../params/tables.par")),
        ("best.par", include_str!("../../params/best.par")),
        ("large.par", include_str!("../../params/large.par")),
    ];
    let texts = shipped().into_iter().chain(fitted.map(|(name, text)| (name, text.to_string())));
    texts.into_iter().find(|(name, _)| Path::new("params").join(name) == path).map(|(_, text)| text)
}
