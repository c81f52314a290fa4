//! Two sets of weights on the positions of a game: how each agrees with the winner, and which changes matter there.

use std::collections::HashMap;

use crate::{
    error::Result,
    feature::{Cell, Mode, Weights},
    game::WinnerPosition,
    par,
    sample::Sampling,
    screen::{
        analysis::{AnalysedLeaf, Analysis},
        app::{ComparedWeights, GameAgreement, WeightChange},
    },
    search::alphabeta::{AlphaBeta, Prepared},
    show::diff::Entry,
};

/// Compares weights with those of a `.par` on some positions.
pub(super) fn compare(
    path: &str,
    weights: &Weights,
    sampling: &Sampling,
    positions: &[WinnerPosition],
) -> Result<ComparedWeights> {
    let par = par::read(path)?;
    let (note, other) = (par.note(path), par.weights);
    let analyse = |weights: &Weights| -> Vec<Analysis> {
        let mut searcher = AlphaBeta::new(&Prepared::new(sampling.search, &weights.quantised()));
        positions.iter().map(|position| Analysis::search(position, sampling, &mut searcher)).collect()
    };
    let [mine, others] = [analyse(weights), analyse(&other)];
    let only = |one: &[Analysis], two: &[Analysis]| {
        one.iter().zip(two).filter(|(one, two)| one.is_match() && !two.is_match()).count()
    };
    Ok(ComparedWeights {
        path: path.to_string(),
        tallies: [tally(&mine), tally(&others)],
        only: [only(&mine, &others), only(&others, &mine)],
        changes: changes(weights, &other, [&mine, &others]),
        note,
        game: String::new(),
    })
}

fn tally(all: &[Analysis]) -> GameAgreement {
    let choices = || all.iter().filter(|analysis| analysis.moves.len() >= 2);
    GameAgreement {
        positions: choices().count(),
        matched: choices().filter(|analysis| analysis.is_match()).count(),
        ahead: choices().map(|analysis| analysis.played().rank).sum(),
    }
}

/// The weights that differ, those first that move the values of these positions most.
fn changes(weights: &Weights, other: &Weights, analyses: [&[Analysis]; 2]) -> Vec<WeightChange> {
    let entries: Vec<Entry> = Entry::all(weights, other).into_iter().filter(Entry::differs).collect();
    let effects = analyses.map(|analyses| effects(&entries, analyses));
    let change = |(at, &entry): (usize, &Entry)| {
        // The leaves of a set have no counts of the features that are off in it.
        let set = usize::from(!weights.is_on(entry.key));
        WeightChange { entry, effect: effects[set][at] }
    };
    let mut changes: Vec<WeightChange> = entries.iter().enumerate().map(change).collect();
    changes.sort_by(|one, other| other.effect.total_cmp(&one.effect));
    changes
}

/// For each change, the standard deviation within a position of what it adds to the moves in bound, in units: with
/// the change of a weight d and the count c of its feature at the end of a line, that of d c. What it adds to all
/// moves of a position alike prefers none of them.
fn effects(entries: &[Entry], analyses: &[Analysis]) -> Vec<f64> {
    let places = places(entries);
    let mut squares = vec![0.0; entries.len()];
    let mut moves = 0;
    for analysis in analyses {
        let kept = analysis.moves.iter().filter(|analysed| analysed.in_bound);
        let added: Vec<Vec<f64>> = kept.map(|kept| added(entries, &places, &kept.leaf)).collect();
        moves += added.len();
        for (at, sum) in squares.iter_mut().enumerate() {
            let mean = added.iter().map(|added| added[at]).sum::<f64>() / added.len().max(1) as f64;
            *sum += added.iter().map(|added| (added[at] - mean).powi(2)).sum::<f64>();
        }
    }
    squares.into_iter().map(|sum| (sum / moves.max(1) as f64).sqrt()).collect()
}

/// The entry of each cell that differs.
fn places(entries: &[Entry]) -> HashMap<Cell, usize> {
    let cells = entries.iter().enumerate().flat_map(|(at, entry)| {
        let cells = match entry.mode {
            Mode::Cells => entry.index..entry.index + 1,
            Mode::Scalar | Mode::Gradient | Mode::Off => 0..entry.key.feature().layout.cells(),
        };
        cells.map(move |index| (entry.key.cell_at(index), at))
    });
    cells.collect()
}

/// What each change adds to the value of a leaf, in units.
fn added(entries: &[Entry], places: &HashMap<Cell, usize>, leaf: &AnalysedLeaf) -> Vec<f64> {
    let mut added = vec![0.0; entries.len()];
    let late = f64::from(leaf.phase) / 256.0;
    for (cell, count) in leaf.features.iter() {
        let Some(&at) = places.get(&cell) else { continue };
        let Entry { key, mode, weights: [before, after], .. } = entries[at];
        let (_, index) = crate::feature::Key::of_cell(cell);
        let factors = match mode {
            Mode::Gradient => key.feature().shape.map(|shape| f64::from(shape[index])),
            Mode::Scalar | Mode::Cells | Mode::Off => [1.0; 2],
        };
        let [open, end] = [0, 1].map(|part| (after[part] - before[part]) * factors[part]);
        added[at] += f64::from(count) * (open * (1.0 - late) + end * late);
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{feature::Key, screen::testing};

    #[test]
    fn a_change_counts_by_what_it_moves_and_not_by_its_size() {
        let (mine, mut other) = (Weights::start(), Weights::start());
        // Rare: a bishop trapped. Everywhere: mobility of a kind.
        other.setting_mut(Key::BTrap).open[0] -= 60.0;
        other.setting_mut(Key::NCen).open[0] += 3.0;
        let analyses = testing::some_analyses(30);
        let changes = changes(&mine, &other, [&analyses, &analyses]);
        let names: Vec<String> = changes.iter().map(|change| change.entry.name()).collect();
        assert_eq!(names, ["n_cen", "b_trap"]);
        let doubled = {
            other.setting_mut(Key::NCen).open[0] += 3.0;
            super::changes(&mine, &other, [&analyses, &analyses])
        };
        assert!((doubled[0].effect - 2.0 * changes[0].effect).abs() < 1e-9);
    }

    #[test]
    fn the_effects_of_all_changes_are_those_on_the_values() {
        let (mine, other) = (Weights::start(), Weights::material_only());
        let entries: Vec<Entry> = Entry::all(&mine, &other).into_iter().filter(Entry::differs).collect();
        let places = places(&entries);
        for analysis in testing::some_analyses(10) {
            let leaf = &analysis.root;
            let values =
                [&mine, &other].map(|set| analysis.terms(leaf, &set.quantised()).iter().sum::<i64>());
            let difference = crate::value::in_units(values[1]) - crate::value::in_units(values[0]);
            let sign = if analysis.mover.is_white() { 1.0 } else { -1.0 };
            let sum: f64 = added(&entries, &places, leaf).iter().sum();
            assert!((sign * sum - difference).abs() < 0.5, "{sum} {difference}");
        }
    }

    #[test]
    fn a_feature_that_is_off_in_one_set_has_an_effect_too() {
        let (mine, mut other) = (Weights::start(), Weights::start());
        other.turn_on(Key::Space);
        other.setting_mut(Key::Space).open[0] = 5.0;
        let search = |weights: &Weights| -> Vec<Analysis> {
            testing::some_positions(10).iter().map(|position| testing::search(position, weights)).collect()
        };
        let changes = changes(&mine, &other, [&search(&mine), &search(&other)]);
        assert!(changes.len() == 1 && changes[0].effect > 0.0);
    }
}
