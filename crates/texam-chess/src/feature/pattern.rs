//! Patterns that choose weights: what `--tune` and `--freeze` understand.
//!
//! Stands between the command line and the flags of [`Weights`]; where patterns come from and what a fit
//! does with the flags is not known here.
//!
//! | pattern | chooses |
//! |---|---|
//! | `n_cen` | the weight, the gradient or the free cells of a feature |
//! | `pass_*`, `?_trop` | the same for all keys that match: `*` stands for any text, `?` for one letter |
//! | `pawns`, `3` | the same for a group, by name or number |
//! | `*` | everything |
//! | `p_adv[de,r4]`, `sh[own,*]` | single cells of a table whose cells are free |
//! | `table:p_adv`, `table:*` | the cells of a table, which it frees if they are still a gradient; `--tune` only |
//! | `table:pst_n`, `table:pst_*` | the same for optional tables, which are off until then: `table:*` passes over them |
//! | `attack`, `mob_n`, `thr_*` | attack terms, which are off until then: a pattern for them alone turns them on; `--tune` only |
//! | `phase`, `ph_q` | the same for the points of the phase, which are turned on together |
//! | `gradient:p_adv` | the gradient of a table, as which it holds cells that still have the shape; `--tune` only |
//!
//! Some weights are *held*: freed beside certain others they would leave a direction that no game can fix.
//! They are the cells that [`Weights::is_pinned`] names in tables with free cells, and the features that
//! those cells can imitate. Groups, `*` and `?` and `table:` pass over what is held; a held feature must be
//! named by its key, a held cell as a cell. The pawn, the unit of all weights, is never tuned.

use strum::VariantArray;

use super::weights::{UNIT, imitated};
use super::{CELLS, Cell, Group, Key, Mode, Weights, cell_name, nearest};
use crate::error::{Error, ErrorKind, Result};

/// The patterns of a list with commas. A comma in brackets belongs to its cell: `n_*,p_adv[de,r4]` holds
/// two patterns.
pub fn split(list: &str) -> Vec<String> {
    let mut patterns = vec![String::new()];
    let mut inside = false;
    for letter in list.chars().filter(|letter| !letter.is_whitespace()) {
        inside = (inside || letter == '[') && letter != ']';
        match patterns.last_mut() {
            Some(last) if letter != ',' || inside => last.push(letter),
            _ => patterns.push(String::new()),
        }
    }
    patterns
}

/// Sets the flags of `weights`. With `tune` all flags are replaced: what these patterns choose is tuned,
/// everything else is frozen. Then what `freeze` chooses is frozen. Tables named by `table:` are freed
/// before anything is tuned, so the order of the patterns makes no difference.
///
/// # Errors
///
/// Names the pattern that chooses nothing, or what may not be chosen; the weights are then unchanged.
///
/// ```
/// use texam_chess::feature::{Key, Weights, pattern};
///
/// let mut weights = Weights::start();
/// pattern::apply(&mut weights, &pattern::split("n_*,pawns"), &["n_rim".to_string()])?;
/// let is_tuned = |name| weights.setting(Key::from_name(name).unwrap()).tune[0];
/// assert!(is_tuned("n_cen") && is_tuned("iso") && !is_tuned("n_rim") && !is_tuned("b_cen"));
/// # Ok::<(), texam_chess::Error>(())
/// ```
pub fn apply(weights: &mut Weights, tune: &[String], freeze: &[String]) -> Result<()> {
    let mut on = weights.clone();
    let named = tune.iter().filter(|pattern| of_tables(pattern).is_none());
    for key in named.flat_map(|name| turned_on_by(name)) {
        on.turn_on(key);
    }
    apply_to_what_is_on(&mut on, tune, freeze)?;
    *weights = on;
    Ok(())
}

/// [`apply`] without turning features on by their names.
///
/// # Errors
///
/// As [`apply`].
pub fn apply_to_what_is_on(weights: &mut Weights, tune: &[String], freeze: &[String]) -> Result<()> {
    let mut changed = weights.clone();
    if !tune.is_empty() {
        tune_only(&mut changed, tune)?;
    }
    for pattern in freeze {
        if pattern.starts_with(TABLE) {
            let found = format!("\"{pattern}\"; name the table by its key, without \"{TABLE}\"");
            return Err(Error::expected("a key, a group or a cell to freeze", found));
        }
        for (key, entry) in choose(&changed, pattern, "freeze")?.0 {
            changed.setting_mut(key).tune[entry] = false;
        }
    }
    *weights = changed;
    Ok(())
}

/// Puts the weights that the patterns choose back to the start weights. Features that are off there get those
/// that they start with when they are turned on.
///
/// # Errors
///
/// Names the pattern that chooses nothing; the weights are then unchanged.
pub fn reset(weights: &mut Weights, patterns: &[String]) -> Result<()> {
    let (mut changed, start) = (weights.clone(), Weights::start());
    for pattern in patterns {
        for (key, entry) in choose(&changed, pattern, "reset")?.0 {
            let is_gradient = changed.setting(key).mode == Mode::Gradient;
            let [open, end] = match start.is_on(key) {
                true if !is_gradient => start.of_cell(key.cell_at(entry)),
                _ => key.feature().start,
            };
            let setting = changed.setting_mut(key);
            (setting.open[entry], setting.end[entry]) = (open, end);
        }
    }
    *weights = changed;
    Ok(())
}

/// Multiplies the weights that a fit may change.
///
/// # Errors
///
/// A weight that would be larger than a weight may be; the weights are then unchanged.
pub fn multiply_tuned(weights: &mut Weights, factor: f64) -> Result<()> {
    let mut changed = weights.clone();
    for &key in Key::ALL {
        let setting = changed.setting_mut(key);
        for entry in 0..setting.tune.len() {
            if setting.tune[entry] {
                // A negative weight times 0 is -0; adding 0 drops the sign.
                setting.open[entry] = setting.open[entry] * factor + 0.0;
                setting.end[entry] = setting.end[entry] * factor + 0.0;
            }
        }
    }
    changed.validate()?;
    *weights = changed;
    Ok(())
}

const TABLE: &str = "table:";
const GRADIENT: &str = "gradient:";

/// What a pattern that names tables says of them.
fn of_tables(pattern: &str) -> Option<&str> {
    pattern.strip_prefix(TABLE).or_else(|| pattern.strip_prefix(GRADIENT))
}

fn tune_only(weights: &mut Weights, patterns: &[String]) -> Result<()> {
    for name in patterns.iter().filter_map(|pattern| pattern.strip_prefix(TABLE)) {
        for key in tables(name)? {
            weights.free_table(key)?;
        }
    }
    for name in patterns.iter().filter_map(|pattern| pattern.strip_prefix(GRADIENT)) {
        for key in tables(name)? {
            weights.hold_as_gradient(key)?;
        }
    }
    for &key in Key::ALL {
        weights.setting_mut(key).tune.fill(false);
    }
    for pattern in patterns {
        for (key, entry) in tunable(weights, pattern)? {
            weights.setting_mut(key).tune[entry] = true;
        }
    }
    Ok(())
}

/// The entries that a pattern tunes: those it chooses and that are not held.
fn tunable(weights: &Weights, pattern: &str) -> Result<Vec<(Key, usize)>> {
    let (chosen, reach) = match of_tables(pattern) {
        Some(name) => {
            let entries = tables(name)?.into_iter().flat_map(|key| entries_of(weights, key));
            (entries.collect(), Reach::Wide)
        }
        None => choose(weights, pattern, "tune")?,
    };
    if chosen.is_empty() && pattern.starts_with(GRADIENT) {
        // An optional table that went off has nothing to tune.
        return Ok(chosen);
    }
    if chosen.iter().all(|&(key, _)| key == UNIT) {
        let found = format!("\"{pattern}\"; the pawn is the unit of all weights and stays at 128");
        return Err(Error::expected("weights that may be tuned", found));
    }
    let kept: Vec<_> = chosen.into_iter().filter(|&entry| !held(weights, entry, reach)).collect();
    if kept.is_empty() {
        let why = "which chooses only weights that free cells can imitate; name each of them in full";
        return Err(Error::expected("weights that may be tuned", format!("\"{pattern}\", {why}")));
    }
    Ok(kept)
}

/// How exactly a pattern names what it chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// One cell, in full.
    Cell,
    /// One key, in full.
    Key,
    /// Whatever matches.
    Wide,
}

/// The entries of settings that a pattern chooses.
fn choose(weights: &Weights, pattern: &str, verb: &str) -> Result<(Vec<(Key, usize)>, Reach)> {
    let (entries, exact) = if pattern.contains('[') {
        (cells(weights, pattern)?, Some(Reach::Cell).filter(|_| !pattern.contains(['*', '?'])))
    } else {
        let entries = keys(pattern).into_iter().flat_map(|key| entries_of(weights, key)).collect();
        (entries, Key::from_name(pattern).map(|_| Reach::Key))
    };
    if entries.is_empty() {
        return Err(match keys(pattern).first() {
            Some(&key) => is_off(pattern, key),
            None => nothing_matches(pattern, verb),
        });
    }
    Ok((entries, exact.unwrap_or(Reach::Wide)))
}

/// The pattern chooses optional features only, and they are off.
fn is_off(pattern: &str, key: Key) -> Error {
    let name = key.feature().key;
    let turn_on = if key.feature().group.is_named() { name.to_string() } else { format!("{TABLE}{name}") };
    let found = format!("\"{pattern}\"; {name} is off; the pattern {turn_on} turns it on");
    Error::expected("weights that there are", found)
}

/// Keys of a group, or keys that match.
fn keys(pattern: &str) -> Vec<Key> {
    let group =
        Group::VARIANTS.iter().copied().find(|g| g.name() == pattern || g.number().to_string() == pattern);
    let matches = |key: &Key| match group {
        Some(group) => key.feature().group == group,
        None => glob(pattern, key.feature().key),
    };
    Key::ALL.iter().copied().filter(matches).collect()
}

/// The features that a pattern turns on: attack terms and points of the phase, if it names nothing else.
fn turned_on_by(pattern: &str) -> Vec<Key> {
    let name = pattern.split('[').next().unwrap_or_default();
    let keys = keys(name);
    if keys.iter().all(|key| key.feature().group.is_named()) { keys } else { Vec::new() }
}

/// The tables that a pattern after `table:` names.
fn tables(pattern: &str) -> Result<Vec<Key>> {
    if let Some(key) = Key::from_name(pattern) {
        // A scalar stays in: freeing it says that it has no table.
        return Ok(vec![key]);
    }
    let mut tables: Vec<Key> =
        keys(pattern).into_iter().filter(|key| key.feature().layout.is_table()).collect();
    // Optional tables are turned on by a pattern that is meant for them alone.
    if tables.iter().any(|key| !key.is_optional()) {
        tables.retain(|key| !key.is_optional());
    }
    if tables.is_empty() {
        let names = Key::ALL.iter().map(|key| key.feature()).filter(|feature| feature.layout.is_table());
        let near = nearest(pattern, names.map(|feature| feature.key)).map(|name| format!("{TABLE}{name}"));
        return Err(no_match(&format!("{TABLE}{pattern}"), "tune", near));
    }
    Ok(tables)
}

/// Free cells that match by name.
fn cells(weights: &Weights, pattern: &str) -> Result<Vec<(Key, usize)>> {
    let named = (0..CELLS as Cell).filter(|&cell| glob(pattern, &cell_name(cell))).map(Key::of_cell);
    let (free, gradient): (Vec<_>, Vec<_>) =
        named.partition(|&(key, _)| weights.setting(key).mode == Mode::Cells);
    match gradient.first() {
        Some((key, _)) if free.is_empty() && !weights.is_on(*key) => Err(is_off(pattern, *key)),
        Some((key, _)) if free.is_empty() => {
            let key = key.feature().key;
            let why = format!("{key} is held as a gradient; the pattern {TABLE}{key} frees its cells");
            Err(Error::expected("a table with free cells", format!("\"{pattern}\"; {why}")))
        }
        _ => Ok(free),
    }
}

fn entries_of(weights: &Weights, key: Key) -> impl Iterator<Item = (Key, usize)> + use<> {
    (0..weights.setting(key).tune.len()).map(move |entry| (key, entry))
}

/// Whether a pattern of this reach must pass over an entry.
fn held(weights: &Weights, (key, entry): (Key, usize), reach: Reach) -> bool {
    let has_free_cells = |key: Key| weights.setting(key).mode == Mode::Cells;
    let is_pinned = weights.is_pinned(key, entry);
    let is_imitated =
        || Key::ALL.iter().any(|&table| has_free_cells(table) && imitated(table).contains(&key));
    match reach {
        _ if key == UNIT => true,
        Reach::Cell => false,
        Reach::Key => is_pinned,
        Reach::Wide => is_pinned || is_imitated(),
    }
}

fn nothing_matches(pattern: &str, verb: &str) -> Error {
    let near = if pattern.contains('[') {
        let names: Vec<String> = (0..CELLS as Cell).map(cell_name).collect();
        nearest(pattern, names.iter().map(String::as_str)).map(String::from)
    } else {
        let groups = Group::VARIANTS.iter().map(|group| group.name());
        let names = Key::ALL.iter().map(|key| key.feature().key).chain(groups);
        nearest(pattern, names).map(String::from)
    };
    no_match(pattern, verb, near)
}

fn no_match(pattern: &str, verb: &str, near: Option<String>) -> Error {
    let expected = format!("a key, group, cell or pattern to {verb}");
    let found = format!("\"{pattern}\", which matches nothing");
    match near {
        Some(near) => Error::expected(expected, format!("{found}; did you mean \"{near}\"?")),
        None => Error::expected(expected, found).of_kind(ErrorKind::UnknownWeight),
    }
}

/// Whether the whole of `text` matches: `*` stands for any text, `?` for one byte.
pub fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut from) = (0, 0);
    let mut star = None;
    while from < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(&letter) if letter == b'?' || letter == text[from] => {
                at += 1;
                from += 1;
            }
            _ => {
                let Some((back, taken)) = star else { return false };
                star = Some((back, taken + 1));
                at = back + 1;
                from = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(|&letter| letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::POINTS;
    use crate::phase::PhaseScheme;

    fn applied(tune: &str, freeze: &str) -> Result<Weights> {
        let list = |text: &str| if text.is_empty() { vec![] } else { split(text) };
        let mut weights = Weights::start();
        apply(&mut weights, &list(tune), &list(freeze)).map(|()| weights)
    }

    /// Names of all entries that are tuned.
    fn tuned(tune: &str, freeze: &str) -> Vec<String> {
        let weights = applied(tune, freeze).unwrap();
        let entries = Key::ALL.iter().flat_map(|&key| entries_of(&weights, key));
        let tuned = entries.filter(|&(key, entry)| weights.setting(key).tune[entry]);
        tuned
            .map(|(key, entry)| match weights.setting(key).mode {
                Mode::Cells => cell_name(key.cell_at(entry)),
                Mode::Scalar | Mode::Gradient | Mode::Off => key.feature().key.to_string(),
            })
            .collect()
    }

    fn message(tune: &str, freeze: &str) -> String {
        applied(tune, freeze).unwrap_err().to_string()
    }

    #[test]
    fn a_list_is_split_at_commas_outside_brackets() {
        assert_eq!(split("n_cen, pass_*,p_adv[de, r4],3"), ["n_cen", "pass_*", "p_adv[de,r4]", "3"]);
        assert_eq!(split("a,,b"), ["a", "", "b"]);
        assert_eq!(split(""), [""]);
    }

    #[test]
    fn globs_match_whole_names() {
        assert!(glob("*", "") && glob("*", "pass") && glob("p*s", "pass") && glob("p??s", "pass"));
        assert!(glob("*_*rook*", "pass_rook_x") && glob("pass**", "pass"));
        assert!(!glob("pas", "pass") && !glob("?", "") && !glob("pass?", "pass") && !glob("*x", "pass"));
    }

    #[test]
    fn no_group_has_the_name_of_a_key() {
        assert!(Group::VARIANTS.iter().all(|group| Key::from_name(group.name()).is_none()));
    }

    #[test]
    fn tune_replaces_all_flags() {
        assert_eq!(tuned("n_cen", ""), ["n_cen"]);
        assert_eq!(tuned("?_trop,tempo", ""), ["tempo", "n_trop", "b_trop", "r_trop", "q_trop"]);
    }

    #[test]
    fn a_group_goes_by_name_or_number() {
        let king = ["sh", "sh_ctr", "storm", "k_open", "k_half", "sh_noq", "fia_hole"];
        assert_eq!(tuned("king", ""), king);
        assert_eq!(tuned("6", ""), king);
    }

    #[test]
    fn everything_is_everything_but_the_pawn() {
        let all: Vec<_> = Key::standard().iter().map(|key| key.feature().key).collect();
        assert_eq!(tuned("*", ""), all[1..]);
        assert_eq!(tuned("mat_*", ""), ["mat_n", "mat_b", "mat_r", "mat_q"]);
        assert_eq!(tuned("*", "*,mat_p"), [""; 0]);
    }

    #[test]
    fn the_pawn_is_never_tuned_and_the_message_says_why() {
        for pattern in ["mat_p", "*t_p", "n_cen,mat_p"] {
            let message = message(pattern, "");
            assert!(message.contains("the pawn is the unit of all weights"), "{message}");
        }
    }

    #[test]
    fn freeze_alone_keeps_the_other_flags() {
        let weights = applied("", "n_cen,pawns").unwrap();
        for &key in Key::standard() {
            let feature = key.feature();
            let frozen = feature.frozen || feature.key == "n_cen" || feature.group == Group::Pawns;
            assert_eq!(weights.setting(key).tune, [!frozen], "{key:?}");
        }
    }

    #[test]
    fn freeze_comes_after_tune() {
        assert_eq!(tuned("king", "sh*,k_*"), ["storm", "fia_hole"]);
    }

    #[test]
    fn a_table_is_freed_and_only_its_cells_are_tuned() {
        let cells = tuned("table:pass", "pass[r7]");
        assert_eq!(cells, ["pass[r2]", "pass[r3]", "pass[r4]", "pass[r5]", "pass[r6]"]);
        assert_eq!(applied("table:pass", "").unwrap().quantised(), Weights::start().quantised());
    }

    #[test]
    fn cells_that_still_have_the_shape_go_back_to_a_gradient_and_others_say_that_they_cannot() {
        let gradient = split("gradient:pass");
        let mut weights = applied("table:pass", "").unwrap();
        apply(&mut weights, &gradient, &[]).unwrap();
        assert_eq!(weights.setting(Key::Pass).mode, Mode::Gradient);
        let mut reshaped = applied("table:pass", "").unwrap();
        reshaped.setting_mut(Key::Pass).open[2] += 1.0;
        let message = apply(&mut reshaped, &gradient, &[]).unwrap_err().to_string();
        assert!(message.contains("pass") && message.contains("shape"), "{message}");
    }

    #[test]
    fn the_pinned_cell_stays_frozen_unless_it_is_named_as_a_cell() {
        assert_eq!(tuned("table:storm", ""), ["storm[r5]", "storm[r4]", "storm[r<=3]"]);
        assert_eq!(tuned("table:storm,storm,king,*,storm[*]", "").len(), tuned("table:storm,*", "").len());
        assert_eq!(tuned("table:storm,storm[r>=6]", "").len(), 4);
    }

    #[test]
    fn what_free_cells_imitate_stays_frozen_unless_it_is_named_in_full() {
        let wide = tuned("*,table:n_cen", "");
        assert!(wide.contains(&"n_cen[ah,r1]".to_string()));
        for imitated in ["mat_n", "n_fwd", "n_rim", "n_undev"] {
            assert!(!wide.contains(&imitated.to_string()), "{imitated}");
        }
        assert!(tuned("table:n_cen,n_fwd", "").contains(&"n_fwd".to_string()));
        assert!(message("table:n_cen,n_r*", "").contains("name each of them in full"));
    }

    #[test]
    fn the_order_of_the_patterns_makes_no_difference() {
        assert_eq!(tuned("table:n_cen,*", ""), tuned("*,table:n_cen", ""));
        assert_eq!(tuned("n_cen[de,r4],table:n_cen", ""), tuned("table:n_cen", ""));
    }

    #[test]
    fn all_tables_can_be_freed_at_once() {
        let weights = applied("table:*", "").unwrap();
        for &key in Key::standard() {
            let scalar = !key.feature().layout.is_table();
            assert_eq!(weights.setting(key).mode == Mode::Scalar, scalar);
            assert_eq!(!weights.setting(key).tune.contains(&true), scalar, "{key:?}");
        }
    }

    #[test]
    fn optional_tables_are_on_only_when_a_pattern_is_meant_for_them() {
        for list in ["*", "table:*", "*,table:*,table:p*"] {
            let weights = applied(list, "").unwrap();
            assert!(Key::optional().iter().all(|&key| !weights.is_on(key)), "{list}");
        }
        let weights = applied("*,table:pst_*", "").unwrap();
        let on: Vec<_> = Key::optional().iter().filter(|&&key| weights.is_on(key)).collect();
        assert_eq!(on, [&Key::PstP, &Key::PstN, &Key::PstB, &Key::PstR, &Key::PstQ, &Key::PstK]);
        assert_eq!(weights.setting(Key::PstN).tune, [true; 32]);
        assert_eq!(applied("table:squares", "").unwrap().setting(Key::Pst64Q).tune.len(), 64);
    }

    #[test]
    fn a_full_table_freezes_what_it_can_imitate_the_smaller_one_too() {
        let names = tuned("*,table:*,table:pst_n,table:pst64_p", "");
        for imitated in
            ["n_cen[de,r4]", "n_fwd", "n_rim", "p_adv[de,r4]", "rookpawn", "pass[r7]", "pst64_p[a,r2]"]
        {
            assert!(!names.contains(&imitated.to_string()), "{imitated}");
        }
        for tuned in ["pst_n[ah,r1]", "pst64_p[b,r2]", "pass[r6]", "b_cen[de,r4]"] {
            assert!(names.contains(&tuned.to_string()), "{tuned}");
        }
        assert_eq!(tuned("table:pst*", "").iter().filter(|name| name.starts_with("pst_")).count(), 0);
    }

    #[test]
    fn what_is_off_cannot_be_tuned_or_frozen_and_the_message_says_how_to_turn_it_on() {
        for (tune, freeze) in [("pst_n", ""), ("pst_n[de,r4]", ""), ("", "pst_n"), ("", "squares")] {
            let message = message(tune, freeze);
            assert!(message.contains("is off; the pattern table:pst_"), "{message}");
        }
    }

    #[test]
    fn an_optional_table_goes_off_again_while_its_cells_are_0() {
        let mut weights = applied("table:pst_r", "").unwrap();
        weights.setting_mut(Key::PstR).open[3] = 1.0;
        let back = split("r_cen,gradient:pst_r");
        assert!(apply(&mut weights, &back, &[]).is_err());
        weights.setting_mut(Key::PstR).open[3] = 0.0;
        apply(&mut weights, &back, &[]).unwrap();
        assert!(!weights.is_on(Key::PstR));
    }

    #[test]
    fn single_cells_go_by_name_or_glob_once_their_table_is_free() {
        assert_eq!(tuned("table:pass", "pass[r?]"), [""; 0]);
        let mut weights = applied("table:sh,table:p_adv", "").unwrap();
        apply(&mut weights, &split("sh[own,*],p_adv[de,r4]"), &[]).unwrap();
        assert_eq!(weights.setting(Key::Sh).tune.iter().filter(|&&tune| tune).count(), 4);
        assert_eq!(weights.setting(Key::PAdv).tune.iter().position(|&tune| tune), Some(20));
    }

    #[test]
    fn a_cell_of_a_gradient_is_an_error_that_says_how_to_free_it() {
        let message = message("p_adv[de,r4]", "");
        assert!(
            message.contains("p_adv is held as a gradient") && message.contains("table:p_adv"),
            "{message}"
        );
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_an_error_that_suggests_what_is_near() {
        for (tune, freeze, part) in [
            ("ncen", "", "to tune, but found \"ncen\", which matches nothing; did you mean \"n_cen\"?"),
            ("", "pwans", "to freeze, but found \"pwans\", which matches nothing; did you mean \"pawns\"?"),
            ("p_adv[de,r9]", "", "did you mean \"p_adv[de,r"),
            ("table:padv", "", "did you mean \"table:p_adv\"?"),
            ("xyzzyx*", "", "found \"xyzzyx*\", which matches nothing"),
            ("11", "", "matches nothing"),
            ("n_cen,", "", "found \"\""),
        ] {
            let message = message(tune, freeze);
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_table_without_cells_and_a_table_to_freeze_are_errors() {
        assert!(message("table:n_fwd", "").contains("n_fwd"));
        assert!(message("", "table:p_adv").contains("without \"table:\""));
    }

    #[test]
    fn a_pattern_for_attack_terms_alone_turns_them_on() {
        let on = |tune: &str| -> Vec<Key> {
            let weights = applied(tune, "").unwrap();
            Key::optional().iter().copied().filter(|&key| weights.is_on(key)).collect()
        };
        let group = |key: &Key| key.feature().group == Group::Attack;
        let all: Vec<Key> = Key::ALL.iter().copied().filter(group).collect();
        for tune in ["attack", "9", "*,attack", "mob_*,ctr_att,ring_*,chk_*,thr_*,space,pin"] {
            assert_eq!(on(tune), all, "{tune}");
        }
        assert_eq!(on("*,p*,table:pst_n"), [Key::PstN], "neither is meant for attack terms alone");
        assert_eq!(on("n_cen,mob_n[3],pin"), [Key::MobN, Key::Pin]);
        assert_eq!(
            on("attack,gradient:mob_n,gradient:pin").len(),
            all.len() - 2,
            "a gradient: turns it off again"
        );
        assert_eq!(tuned("mob_n[3],pin", ""), ["mob_n[3]", "pin"]);
        let knights = tuned("mob_n,ring_cnt", "mob_n[0]");
        assert_eq!(knights.len(), 7 + 5, "one cell of each table is held: {knights:?}");
        assert!(applied("*,attack", "").unwrap().quantised() != applied("*", "").unwrap().quantised());
        assert_eq!(applied("*,attack", "").unwrap().of_cell(Key::Pin.cell()), [0.0; 2]);
        for freeze in ["attack", "pin", "mob_n[3]"] {
            let message = message("", freeze);
            assert!(message.contains("is off; the pattern "), "{message}");
        }
    }

    #[test]
    fn a_pattern_for_the_points_of_the_phase_alone_turns_them_all_on_as_fruit_has_them() {
        for tune in ["phase", "10", "ph_*", "*,phase", "ph_q", "phase,gradient:ph_n"] {
            let weights = applied(tune, "").unwrap();
            let expected = PhaseScheme::Points([256, 256, 512, 1024]);
            assert_eq!(weights.quantised().scheme(PhaseScheme::Fruit), expected, "{tune}");
            assert_eq!(weights.quantised().scheme(PhaseScheme::None), PhaseScheme::None);
        }
        assert_eq!(applied("*,p*", "").unwrap().quantised().scheme(PhaseScheme::Rustic), PhaseScheme::Rustic);
        assert_eq!(tuned("ph_q", ""), ["ph_q"]);
        assert_eq!(tuned("phase", "ph_b"), ["ph_n", "ph_r", "ph_q"]);
        assert!(message("", "ph_q").contains("the pattern ph_q turns it on"));
    }

    #[test]
    fn points_of_the_phase_are_put_back_to_those_of_fruit() {
        let mut weights = applied("phase", "").unwrap();
        for key in POINTS {
            weights.setting_mut(key).open.fill(3.5);
            weights.setting_mut(key).end.fill(3.5);
        }
        assert_eq!(weights.quantised().scheme(PhaseScheme::Fruit), PhaseScheme::Points([896; 4]));
        reset(&mut weights, &["phase".into()]).unwrap();
        assert_eq!(weights, applied("phase", "").unwrap());
    }

    #[test]
    fn an_error_leaves_the_weights_as_they_were() {
        let mut weights = Weights::start();
        apply(&mut weights, &split("table:p_adv,nonsense"), &[]).unwrap_err();
        assert_eq!(weights, Weights::start());
    }

    #[test]
    fn weights_are_put_back_to_the_start_as_gradients_and_as_cells() {
        let mut weights = applied("*,table:p_adv,mob_n", "").unwrap();
        for &key in Key::ALL.iter().filter(|&&key| key != UNIT) {
            let setting = weights.setting_mut(key);
            setting.open.fill(77.0);
            setting.end.fill(77.0);
        }
        let before = weights.clone();
        reset(&mut weights, &["p_adv".into(), "n_cen".into(), "mob_n[0]".into(), "tempo".into()]).unwrap();
        let start = Weights::start();
        for cell in (0..CELLS as Cell).filter(|&cell| weights.is_on(Key::of_cell(cell).0)) {
            let name = cell_name(cell);
            let is_reset =
                ["p_adv[", "n_cen[", "mob_n[0]", "tempo"].iter().any(|start| name.starts_with(start));
            let expected = if is_reset { start.of_cell(cell) } else { before.of_cell(cell) };
            assert_eq!(weights.of_cell(cell), expected, "{name}");
        }
        let error = reset(&mut weights, &["tempi".into()]).unwrap_err().to_string();
        assert!(error.contains("\"tempo\""), "{error}");
    }

    #[test]
    fn only_tuned_weights_are_multiplied_and_only_within_their_bounds() {
        let mut weights = Weights::start();
        multiply_tuned(&mut weights, 3.0).unwrap();
        let start = Weights::start();
        for &key in Key::standard() {
            let factor = if start.setting(key).tune[0] { 3.0 } else { 1.0 };
            assert_eq!(weights.setting(key).open[0], factor * start.setting(key).open[0]);
        }
        let before = weights.clone();
        assert!(multiply_tuned(&mut weights, 1e6).is_err());
        assert_eq!(weights, before);
    }
}
