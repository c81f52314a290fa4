//! The known name nearest to a mistyped one, for error messages about keys, cells, groups and options.

use strsim::osa_distance;

/// Names longer than this, in bytes, have no suggestion, which limits the time.
const LONGEST: usize = 40;

/// The candidate with the smallest edit distance (changed, added, missing and swapped letters) to `name`;
/// `None` if no candidate is near.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let limit = (name.len() / 3).max(2).min(name.len() / 2);
    let scored = candidates.into_iter().map(|candidate| (osa_distance(name, candidate), candidate));
    let (best, candidate) = scored.min_by_key(|&(distance, _)| distance)?;
    (best <= limit).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        let names = ["n_cen", "b_cen", "pass_rook", "pass_rook_x"];
        assert_eq!(nearest("ncen", names), Some("n_cen"));
        assert_eq!(nearest("pass_roook", names), Some("pass_rook"));
        assert_eq!(nearest("n_cne", names), Some("n_cen"), "letters swapped");
        assert_eq!(nearest("castling", names), None);
        assert_eq!(nearest(&"n".repeat(1000), names), None);
    }
}
