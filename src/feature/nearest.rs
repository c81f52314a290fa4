//! What a mistyped name may have meant: for error messages about keys, cells, groups.
//!
//! Serves whatever reads names (`.par` files, patterns of the command line); it knows no table itself.

/// Longer names are no typing errors.
const LONGEST: usize = 40;

/// The candidate that `name` becomes with the fewest letters changed, added, left out or swapped; `None` where
/// none is near.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let limit = (name.len() / 3).max(2).min(name.len() / 2);
    let scored = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    let (best, candidate) = scored.min_by_key(|&(distance, _)| distance)?;
    (best <= limit).then_some(candidate)
}

/// Changes, additions, omissions and swaps of neighbours that lead from one name to the other, in bytes:
/// Levenshtein's distance with swaps.
fn distance(from: &str, to: &str) -> usize {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    let mut steps = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for i in 0..from.len() {
        let mut row = vec![i + 1];
        for j in 0..to.len() {
            let changed = steps[i][j] + usize::from(from[i] != to[j]);
            let mut least = changed.min(steps[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && (from[i - 1], from[i]) == (to[j], to[j - 1]) {
                least = least.min(steps[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        steps.push(row);
    }
    steps[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_changes_additions_omissions_and_swaps() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("pwans", "pawns"), 1);
        assert_eq!(distance("abc", "abc"), 0);
    }

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        let names = ["n_cen", "b_cen", "pass_rook", "pass_rook_x"];
        assert_eq!(nearest("ncen", names), Some("n_cen"));
        assert_eq!(nearest("pass_roook", names), Some("pass_rook"));
        assert_eq!(nearest("castling", names), None);
        assert_eq!(nearest(&"n".repeat(1000), names), None);
    }
}
