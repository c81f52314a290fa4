//! The editor of weights: the weights shown, the parameter chosen, changes and their undoing, and the file
//! that the weights come from.
//!
//! Every change goes through [`Editor::replace`], so that it can be undone.

use super::{Effect, Purpose};
use crate::{
    error::{Error, Result},
    feature::{Ends, Key, Mode, Weights, cell_name, entry_name, nearest, pattern},
    par::Par,
    parameters::{Parameter, Part},
    screen::{keys::Action, layout::Grid},
};

/// Number of changes that can be undone.
const UNDO_LIMIT: usize = 100;

/// The name under which weights are saved first.
const DEFAULT_PATH: &str = "mine.par";

/// A change that can be undone.
struct Change {
    /// The message when it is undone.
    undone: String,
    weights: Weights,
    /// Where those came from, and the weights in that file. None once other weights were saved, since they
    /// may have been saved to that very file.
    origin: Option<(String, Weights)>,
    /// The run that they came from.
    run: Option<usize>,
}

/// Where weights come from.
pub(super) struct Origin {
    /// A file, or a description.
    pub source: String,
    /// Index of their run, if they come from one.
    pub run: Option<usize>,
    /// Whether `source` is a file that has them.
    pub is_saved: bool,
}

#[derive(Debug)]
pub(super) struct Edit {
    pub message: String,
    /// Whether values have changed, so that positions must be searched again.
    pub needs_search: bool,
}

/// The weights, with the data to change, undo and save them.
pub struct Editor {
    weights: Weights,
    /// The parameter chosen.
    cursor: Key,
    undo: Vec<Change>,
    /// Where the weights come from.
    source: String,
    /// Index of the run that they come from.
    run: Option<usize>,
    /// The weights at the start of the sitting.
    opening: Weights,
    /// The weights that `source` holds.
    saved: Weights,
    /// The file of the last save.
    save_path: Option<String>,
    /// Whether a file is being written.
    is_saving: bool,
    /// Weights of a running fit and their source, shown in the place of the user's own.
    preview: Option<(Weights, String)>,
}

impl Editor {
    /// Edits weights that were read from `source`, which is of a run if an index is given.
    pub(super) fn new(weights: Weights, source: String, run: Option<usize>) -> Editor {
        Editor {
            opening: weights.clone(),
            saved: weights.clone(),
            weights,
            cursor: Key::ALL[0],
            undo: Vec::new(),
            source,
            run,
            save_path: None,
            is_saving: false,
            preview: None,
        }
    }

    /// The weights shown: those of the user, or of the fit that runs.
    pub fn weights(&self) -> &Weights {
        self.preview.as_ref().map_or(&self.weights, |(weights, _)| weights)
    }

    /// The weights at the start of the sitting.
    pub fn opening_weights(&self) -> &Weights {
        &self.opening
    }

    /// The file of the last save, if the weights are still those that it holds.
    pub fn saved_as(&self) -> Option<&str> {
        self.save_path.as_deref().filter(|path| *path == self.source && !self.is_unsaved())
    }

    /// Shows the weights of a running fit. The user's own stay; nothing may change them meanwhile.
    pub(super) fn preview(&mut self, weights: Weights, source: String) {
        self.preview = Some((weights, source));
    }

    /// Whether the weights of a running fit are shown.
    pub(super) fn has_preview(&self) -> bool {
        self.preview.is_some()
    }

    /// Index of the run that the user's own weights come from.
    pub(super) fn run(&self) -> Option<usize> {
        self.run
    }

    /// Shows the user's own weights again; returns whether others were shown.
    pub(super) fn end_preview(&mut self) -> bool {
        self.preview.take().is_some()
    }

    /// The parameter chosen.
    pub fn cursor(&self) -> Key {
        self.cursor
    }

    /// Where the weights shown come from.
    pub fn source(&self) -> &str {
        self.preview.as_ref().map_or(&self.source, |(_, source)| source)
    }

    /// Whether quitting would lose changes.
    pub fn is_unsaved(&self) -> bool {
        self.weights != self.saved
    }

    /// Whether a file is being written.
    pub(super) fn is_saving(&self) -> bool {
        self.is_saving
    }

    /// The file that a save proposes.
    pub(super) fn proposed_path(&self) -> &str {
        self.save_path.as_deref().unwrap_or(DEFAULT_PATH)
    }

    pub(super) fn choose(&mut self, key: Key) {
        self.cursor = key;
    }

    /// Chooses the neighbour that the arrow keys lead to.
    pub(super) fn move_cursor(&mut self, action: Action, grid: &Grid) {
        self.cursor = grid.neighbour(self.cursor, action);
    }

    /// Chooses the first parameter if the chosen one is off and so no longer on the screen; returns whether.
    pub(super) fn leave_hidden_parameter(&mut self) -> bool {
        let is_hidden = !self.weights.is_on(self.cursor);
        if is_hidden {
            self.cursor = Key::ALL[0];
        }
        is_hidden
    }

    /// The parameters whose key, words, meaning or group contain the text: the one with this key first, then those
    /// that are called so, and the others, each from the one after the chosen one on.
    pub fn matches(&self, text: &str) -> Vec<Key> {
        let text = text.trim().to_lowercase();
        if text.is_empty() {
            return Vec::new();
        }
        let contains = |key: &Key| {
            let feature = key.feature();
            let texts = [feature.key, feature.meaning, feature.words, feature.group.name()];
            texts.iter().any(|t| t.to_lowercase().contains(&*text))
        };
        let after = self.cursor as usize + 1;
        let around = Key::ALL[after..].iter().chain(&Key::ALL[..after]).copied();
        let mut found: Vec<Key> = around.filter(|key| contains(key) && self.weights.is_on(*key)).collect();
        let exact = Key::from_name(&text);
        found.sort_by_key(|&key| {
            let words = key.feature().words;
            (Some(key) != exact, !words.starts_with(&*text), !words.contains(&*text))
        });
        found
    }

    /// The first of [`Editor::matches`].
    pub(super) fn find(&self, text: &str) -> Result<Key> {
        let text = text.to_lowercase();
        let is_called = |key: &&Key| !text.is_empty() && key.feature().words.contains(&*text);
        let called = || Key::ALL.iter().find(is_called).copied().filter(|_| self.matches(&text).is_empty());
        if let Some(key) = Key::from_name(&text).or_else(called).filter(|&key| !self.weights.is_on(key)) {
            let name = key.feature().key;
            let found = format!("\"{name}\", which is off; `texam --tune '*,table:{name}'` turns it on");
            return Err(Error::expected("a parameter of these weights", found));
        }
        self.matches(&text).first().copied().ok_or_else(|| {
            let keys = Key::ALL.iter().map(|key| key.feature().key);
            let near = nearest(&text, keys).map_or(String::new(), |key| format!("; perhaps {key}"));
            let found = if text.is_empty() { "nothing".to_string() } else { format!("{text:?}{near}") };
            Error::expected("the key of a parameter or a word of its meaning", found)
        })
    }

    /// Puts other weights in the place of the present ones and keeps those for undo.
    fn replace(&mut self, weights: Weights, undone: String) {
        let origin = Some((self.source.clone(), self.saved.clone()));
        let weights = std::mem::replace(&mut self.weights, weights);
        self.undo.push(Change { undone, weights, origin, run: self.run });
        if self.undo.len() > UNDO_LIMIT {
            self.undo.remove(0);
        }
    }

    /// Replaces the weights if others are given; returns whether they are.
    fn replace_if_different(&mut self, weights: Weights, undone: String) -> bool {
        let is_different = weights != self.weights;
        if is_different {
            self.replace(weights, undone);
        }
        is_different
    }

    /// Takes weights with their origin. Returns whether they differ from the present ones.
    pub(super) fn take(&mut self, weights: &Weights, description: String, origin: Origin) -> bool {
        let is_different = self.replace_if_different(weights.clone(), format!("taken back: {description}"));
        (self.source, self.run) = (origin.source, origin.run);
        if origin.is_saved {
            self.saved.clone_from(weights);
        }
        is_different
    }

    /// Takes the weights of a `.par`.
    pub(super) fn restore(&mut self, path: String, par: &Par) -> Edit {
        let restored = par.note(&path).unwrap_or_else(|| format!("weights of {path}"));
        let message = format!("{restored}; u takes back the change");
        let description = format!("restoring {path}");
        let origin = Origin { source: path, run: None, is_saved: true };
        Edit { message, needs_search: self.take(&par.weights, description, origin) }
    }

    pub(super) fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Undoes the last change; none if there is none.
    pub(super) fn undo(&mut self) -> Option<Edit> {
        let Change { undone, weights, origin, run } = self.undo.pop()?;
        (self.weights, self.run) = (weights, run);
        if let Some((source, saved)) = origin {
            (self.source, self.saved) = (source, saved);
        }
        Some(Edit { message: undone, needs_search: true })
    }

    /// The purpose of the prompt that edits the chosen parameter, or the chosen cell of its table.
    pub(super) fn edit_purpose(&self, cell: Option<usize>) -> Result<Purpose> {
        let (key, name) = (self.cursor, self.cursor.feature().key);
        let has_cells = self.weights.setting(key).mode == Mode::Cells;
        if has_cells && cell.is_none() {
            return Err(Error::new(format!("{name} has a weight for each cell: enter opens them")));
        }
        Ok(Purpose::Edit(key, cell.filter(|_| has_cells)))
    }

    /// Label and present text of the prompt for a weight.
    pub(super) fn edit_prompt(&self, key: Key, cell: Option<usize>) -> (String, String) {
        let (feature, setting) = (key.feature(), self.weights.setting(key));
        let name = match (setting.mode, cell) {
            (Mode::Cells, Some(cell)) => cell_name(key.cell_at(cell)),
            (Mode::Gradient, _) => format!("gradient of {}", feature.key),
            _ => feature.key.to_string(),
        };
        let text = self.weights_text(key, cell);
        match feature.ends {
            Ends::Pair => (format!("{name}: opening endgame"), text),
            Ends::Single => (format!("{name}: one weight for both phases"), text),
            Ends::OpeningOnly => (format!("{name}: opening"), text),
        }
    }

    /// The weights of a parameter, or of a cell of its table, to four decimals.
    fn weights_text(&self, key: Key, cell: Option<usize>) -> String {
        let (setting, entry) = (self.weights.setting(key), cell.unwrap_or(0));
        let text = |weight: f64| ((weight * 1e4).round() / 1e4 + 0.0).to_string();
        match key.feature().ends {
            Ends::Pair => format!("{} {}", text(setting.open[entry]), text(setting.end[entry])),
            Ends::Single | Ends::OpeningOnly => text(setting.open[entry]),
        }
    }

    /// Gives a parameter, or a cell of its table, the weights typed.
    pub(super) fn set(&mut self, key: Key, cell: Option<usize>, text: &str) -> Result<Edit> {
        let (feature, before) = (key.feature(), self.weights_text(key, cell));
        let parts = Part::of(feature.ends);
        let expected = match feature.ends {
            Ends::Pair => "two numbers, opening and endgame, such as 12 -3.5",
            Ends::Single | Ends::OpeningOnly => "one number, such as -3.5",
        };
        let wrong = || Error::expected(expected, format!("{text:?}"));
        let numbers = text.split_whitespace().map(|word| word.parse::<f64>().map_err(|_| wrong()));
        let numbers = numbers.collect::<Result<Vec<f64>>>()?;
        if numbers.len() != parts.len() {
            return Err(wrong());
        }
        let mut weights = self.weights.clone();
        let mode = weights.setting(key).mode;
        for (&part, &number) in parts.iter().zip(&numbers) {
            Parameter { key, mode, index: cell.unwrap_or(0), part }.set(&mut weights, number);
        }
        weights.validate_key(key)?;
        let name = cell.map_or(feature.key.to_string(), |cell| cell_name(key.cell_at(cell)));
        // Digits that the prompt did not show are kept.
        let is_other = text != before;
        let needs_search =
            is_other && self.replace_if_different(weights, format!("{name} is {before} again"));
        Ok(Edit { message: format!("{name} is now {text}; u takes it back"), needs_search })
    }

    /// Gives a parameter one weight. A second time, both are one change to take back.
    pub(super) fn slide(&mut self, key: Key, part: Part, weight: f64) -> Result<()> {
        let name = key.feature().key;
        if !self.weights.is_on(key) {
            return Err(Error::expected("a parameter of these weights", format!("{name}, which is off")));
        }
        let undone = format!("{name} is as it was");
        let mut weights = self.weights.clone();
        Parameter { key, mode: weights.setting(key).mode, index: 0, part }.set(&mut weights, weight);
        weights.validate_key(key)?;
        if self.undo.last().is_some_and(|change| change.undone == undone) {
            self.weights = weights;
        } else {
            self.replace_if_different(weights, undone);
        }
        Ok(())
    }

    /// Freezes the chosen cell or parameter, or tunes it if all of it is frozen.
    pub(super) fn toggle_tune(&mut self, cell: Option<usize>) -> Result<Edit> {
        let (key, setting) = (self.cursor, self.weights.setting(self.cursor));
        let (name, is_tuned) = match cell {
            Some(cell) if setting.mode == Mode::Cells => (cell_name(key.cell_at(cell)), setting.tune[cell]),
            _ => (key.feature().key.to_string(), setting.tune.contains(&true)),
        };
        self.set_tuned(&name, !is_tuned)
    }

    /// Freezes the group of the chosen parameter, or tunes it if all of it is frozen.
    pub(super) fn toggle_group(&mut self) -> Result<Edit> {
        let group = self.cursor.feature().group;
        let keys = Key::ALL.iter().filter(|key| key.feature().group == group);
        let is_frozen = keys.flat_map(|&key| &self.weights.setting(key).tune).all(|&is_tuned| !is_tuned);
        self.set_tuned(group.name(), is_frozen)
    }

    /// Tunes the group of the chosen parameter and freezes all other weights.
    pub(super) fn tune_only_group(&mut self) -> Result<Edit> {
        let name = self.cursor.feature().group.name();
        let mut weights = self.weights.clone();
        pattern::apply_to_what_is_on(&mut weights, &[name.to_string()], &[])?;
        Ok(self.replace_flags(weights, format!("only {name} is tuned"), format!("tuning only {name}")))
    }

    /// Tunes or freezes what a pattern chooses.
    fn set_tuned(&mut self, name: &str, tune: bool) -> Result<Edit> {
        let mut weights = self.weights.clone();
        set_tuned(&mut weights, name, tune)?;
        let [is, does] = if tune { ["tuned", "tuning"] } else { ["frozen", "freezing"] };
        Ok(self.replace_flags(weights, format!("{name} is {is}"), format!("{does} {name}")))
    }

    /// Takes weights with other flags. The values stay, so that nothing needs to be searched again.
    fn replace_flags(&mut self, weights: Weights, state: String, action: String) -> Edit {
        let message = match self.replace_if_different(weights, format!("taken back: {action}")) {
            true => format!("{state} from now on; u takes it back"),
            false => format!("{state} already"),
        };
        Edit { message, needs_search: false }
    }

    /// Gives each cell of the chosen table a weight of its own, or holds the table as one gradient again.
    pub(super) fn toggle_cells(&mut self) -> Result<Edit> {
        let key = self.cursor;
        let name = key.feature().key;
        let mut weights = self.weights.clone();
        let (description, action) = match weights.setting(key).mode {
            Mode::Cells => {
                weights.hold_as_gradient(key)?;
                (format!("{name} is one gradient again"), "holding as a gradient")
            }
            Mode::Scalar | Mode::Gradient | Mode::Off => {
                weights.free_table(key)?;
                (format!("{name} has a weight for each cell"), "freeing the cells of")
            }
        };
        let frozen = describe_frozen(&self.weights, &weights, key);
        let message = format!("{description}{frozen}; u takes it back");
        let needs_search = self.replace_if_different(weights, format!("taken back: {action} {name}"));
        Ok(Edit { message, needs_search })
    }

    /// Writes the weights to the file typed, which replaces the file of the last save only.
    pub(super) fn save_as(&mut self, path: String) -> Vec<Effect> {
        let replace = self.save_path.as_deref() == Some(&*path);
        self.save(path, replace)
    }

    /// Writes the weights to a file.
    pub(super) fn save(&mut self, path: String, replace: bool) -> Vec<Effect> {
        self.is_saving = true;
        vec![Effect::Save { path, weights: Box::new(self.weights.clone()), replace }]
    }

    /// Ends a save that wrote nothing.
    pub(super) fn save_failed(&mut self) {
        self.is_saving = false;
    }

    /// Ends a save. Weights that an undo brings back from now on count as not saved.
    pub(super) fn save_succeeded(&mut self, path: String) {
        self.is_saving = false;
        self.saved = self.weights.clone();
        self.undo.iter_mut().for_each(|change| change.origin = None);
        self.source.clone_from(&path);
        self.save_path = Some(path);
    }
}

/// Tunes or freezes the weights that a pattern chooses, and leaves the others as they are.
fn set_tuned(weights: &mut Weights, name: &str, tune: bool) -> Result<()> {
    if !tune {
        return pattern::apply_to_what_is_on(weights, &[], &[name.to_string()]);
    }
    let mut patterns = vec![name.to_string()];
    for &key in Key::ALL {
        let setting = weights.setting(key);
        let tuned = setting.tune.iter().enumerate().filter(|&(_, &tune)| tune);
        patterns.extend(tuned.map(|(entry, _)| entry_name(key, setting.mode, entry)));
    }
    pattern::apply_to_what_is_on(weights, &patterns, &[])
}

/// Names the other features that a change has frozen, for a message.
fn describe_frozen(before: &Weights, after: &Weights, key: Key) -> String {
    let tuned = |weights: &Weights, key: Key| weights.setting(key).tune.contains(&true);
    let others = Key::ALL.iter().filter(|&&other| other != key);
    let frozen = others.filter(|&&other| tuned(before, other) && !tuned(after, other));
    let names: Vec<&str> = frozen.map(|key| key.feature().key).collect();
    if names.is_empty() {
        return String::new();
    }
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!(", and {}, which its cells can imitate, {verb} frozen", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor() -> Editor {
        Editor::new(Weights::start(), "a.par".to_string(), None)
    }

    #[test]
    fn digits_that_the_prompt_does_not_show_are_kept() {
        let mut editor = editor();
        editor.weights.setting_mut(Key::NFwd).open[0] = -13.161932604900358;
        let (_, text) = editor.edit_prompt(Key::NFwd, None);
        assert_eq!(text, "-13.1619 1");
        assert!(!editor.set(Key::NFwd, None, &text).unwrap().needs_search);
        assert_eq!(editor.weights.setting(Key::NFwd).open[0], -13.161932604900358);
    }

    #[test]
    fn only_a_change_of_values_needs_a_search() {
        let mut editor = editor();
        editor.choose(Key::NFwd);
        assert!(!editor.toggle_tune(None).unwrap().needs_search);
        assert!(!editor.set(Key::NFwd, None, "2 1").unwrap().needs_search, "the same weights");
        assert!(editor.set(Key::NFwd, None, "7 -3.5").unwrap().needs_search);
        assert_eq!(editor.undo().unwrap().message, "n_fwd is 2 1 again");
        assert!(editor.set(Key::NFwd, None, "7 -3.5").unwrap().needs_search);
        assert!(editor.is_unsaved());
        assert!(editor.undo().is_some() && editor.undo().is_some());
        assert!(!editor.is_unsaved() && editor.undo().is_none());
    }

    #[test]
    fn weights_undone_after_a_save_are_not_saved() {
        let mut editor = editor();
        editor.choose(Key::NFwd);
        editor.toggle_tune(None).unwrap();
        assert!(matches!(&editor.save_as("a.par".into())[..], [Effect::Save { replace: false, .. }]));
        assert!(editor.is_saving());
        editor.save_succeeded("a.par".into());
        assert!(!editor.is_saving() && !editor.is_unsaved());
        editor.undo();
        assert!(editor.is_unsaved());
        assert!(matches!(&editor.save_as("a.par".into())[..], [Effect::Save { replace: true, .. }]));
    }

    #[test]
    fn weights_that_are_taken_bring_their_source_and_undo_brings_back_the_old_one() {
        let mut editor = editor();
        let origin = Origin { source: "m.par".into(), run: Some(3), is_saved: true };
        assert!(editor.take(&Weights::material_only(), "a change".into(), origin));
        assert_eq!((editor.source(), editor.run(), editor.is_unsaved()), ("m.par", Some(3), false));
        assert_eq!(editor.undo().unwrap().message, "taken back: a change");
        assert_eq!((editor.source(), editor.run(), editor.is_unsaved()), ("a.par", None, false));
    }

    #[test]
    fn no_more_than_the_last_hundred_changes_are_kept() {
        let mut editor = editor();
        for number in 0..150 {
            editor.set(Key::NFwd, None, &format!("{number} 0")).unwrap();
        }
        assert_eq!(std::iter::from_fn(|| editor.undo()).count(), UNDO_LIMIT);
    }

    #[test]
    fn only_the_group_of_the_chosen_parameter_can_be_tuned() {
        let mut editor = editor();
        editor.choose(Key::PassSup);
        assert!(!editor.tune_only_group().unwrap().needs_search);
        for &key in Key::standard() {
            let is_tuned = editor.weights().setting(key).tune.contains(&true);
            assert_eq!(is_tuned, key.feature().group == Key::PassSup.feature().group, "{key:?}");
        }
        editor.toggle_group().unwrap();
        assert!(Key::standard().iter().all(|&key| !editor.weights().setting(key).tune.contains(&true)));
        editor.toggle_group().unwrap();
        let again = editor.tune_only_group().unwrap();
        assert_eq!(again.message, "only passed is tuned already");
        assert_eq!(editor.undo().unwrap().message, "taken back: tuning passed");
        assert_eq!(editor.undo().unwrap().message, "taken back: freezing passed");
        assert_eq!(editor.undo().unwrap().message, "taken back: tuning only passed");
        assert_eq!(*editor.weights(), Weights::start());
        assert!(!editor.can_undo());
    }

    #[test]
    fn the_parameters_that_match_begin_with_the_one_that_is_named_in_full() {
        let mut editor = editor();
        editor.choose(Key::PassOut);
        assert_eq!(editor.matches("pass_")[0], Key::PassBlkE, "the one after the one chosen");
        assert_eq!(editor.matches(" ISOLATED")[0], editor.find("isolated").unwrap());
        assert!(editor.matches("").is_empty() && editor.matches("no such word").is_empty());
        assert!(editor.matches("square").iter().all(|&key| !key.is_optional()), "they are off");
    }

    #[test]
    fn a_parameter_is_found_by_its_key_or_a_word_of_its_meaning() {
        let editor = editor();
        assert_eq!(editor.find("N_FWD").unwrap(), Key::NFwd);
        assert!(editor.find("no such word").is_err() && editor.find("").is_err());
        assert!(editor.find("mobility").unwrap_err().to_string().contains("\"mob_n\", which is off"));
    }

    #[test]
    fn common_words_of_chess_find_the_main_term() {
        let terms = "bishop pair=b_pair,doubled=dbl,isolated pawn=iso,backward=back,passed pawn=pass,center=n_cen,\
                     development=undev,king safety=sh,pawn storm=storm,castling=cas_k,outpost=n_post,bad bishop=b_bad,\
                     open file=r_open,half-open file=r_half,seventh rank=r_7th,phalanx=duo,pawn chain=chain,\
                     fianchetto=b_fianch,tempo=tempo,weak square=weak_hole";
        let mut editor = editor();
        for cursor in [Key::ALL[0], Key::PassRun, Key::BKnsame] {
            editor.choose(cursor);
            for (words, key) in terms.split(',').filter_map(|term| term.split_once('=')) {
                assert_eq!(editor.find(words).unwrap().feature().key, key, "{words}");
            }
        }
    }
}
