//! The shipped sets of weights, all built in.
//!
//! Two of them are made from the feature table alone, the start weights and material only: `params/start.par`
//! and `params/material.par` are these texts, byte for byte. The others are the files of `params` as they
//! were when the program was built.

use std::path::{Path, PathBuf};

use super::format;
use crate::{
    feature::{Weights, nearest},
    file,
};

const START: &str = "\
Hand-set weights from which a fit starts; the program has the same set built in.
Deep Thought's own weights are not available to us: these are a reconstruction. Some follow GNU Chess
of 1987, see params/README.md.";

const MATERIAL: &str = "\
Material alone: the values of the pieces as in start.par, every other weight 0.
For comparison, and for fits from scratch.";

/// A set of weights that is built in. Wherever a `.par` is read, its name stands for its file.
pub struct BuiltInSet {
    /// The name, such as `best`.
    pub name: &'static str,
    /// How the set was made, in some words.
    pub description: &'static str,
    text: fn() -> String,
}

impl BuiltInSet {
    /// The path of the set in the project, with `/` on every system, since runs record it.
    pub fn path(&self) -> PathBuf {
        format!("params/{}.par", self.name).into()
    }
}

/// A set that is a file of `params`.
macro_rules! file_set {
    ($name:literal, $description:literal) => {
        BuiltInSet {
            name: $name,
            description: $description,
            text: || include_str!(concat!("../../../../params/", $name, ".par")).to_string(),
        }
    };
}

/// The sets that are built in.
pub const SETS: [BuiltInSet; 8] = [
    BuiltInSet {
        name: "start",
        description: "the start of a fit, set by hand",
        text: || format(&Weights::start(), &[START.to_string()]),
    },
    file_set!("gm1988", "the method of 1988 on the shipped games"),
    file_set!("best", "softmax on the same, free tables, attack terms"),
    file_set!("large", "best, fitted twice more to 6,425 further games"),
    file_set!("tables", "the method of 1988, free tables"),
    BuiltInSet {
        name: "material",
        description: "the values of the pieces, every other weight 0",
        text: || format(&Weights::material_only(), &[MATERIAL.to_string()]),
    },
    file_set!("pst", "piece values, tempo, terms of piece and square"),
    file_set!("flat", "start, with one value of a piece in all phases"),
];

/// The path that is meant where a `.par` is expected: the name of a built-in set, such as `best`, stands for
/// `params/best.par`, unless there is a file of this very name. Every other path stays as it is.
pub fn path_of(path: impl Into<PathBuf>) -> PathBuf {
    let path = path.into();
    let is_file = || file::exists(&path) && !file::is_folder(&path);
    match SETS.iter().find(|set| path == Path::new(set.name)) {
        Some(set) if !is_file() => set.path(),
        _ => path,
    }
}

/// The text of a built-in set, by its path in the project; none for any other path.
pub(super) fn built_in(path: &Path) -> Option<String> {
    SETS.iter().find(|set| set.path() == path).map(|set| (set.text)())
}

/// What a single word that is no file may have been meant for. None for a path with folders.
pub(super) fn advice(path: &Path) -> Option<String> {
    let word = path.to_str().filter(|word| !word.contains('/'))?;
    let name = word.strip_suffix(".par").unwrap_or(word);
    let near = nearest(name, SETS.iter().map(|set| set.name));
    let near = near.map_or(String::new(), |near| format!("did you mean \"{near}\"? "));
    let names: Vec<&str> = SETS.iter().map(|set| set.name).collect();
    Some(format!("{near}the built-in sets are {}", names.join(", ")))
}
