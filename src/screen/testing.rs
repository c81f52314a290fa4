//! Helpers for the tests of the screen: positions, and a state to press keys on.

use std::{path::Path, sync::Arc, sync::OnceLock};

use super::{
    Opening,
    analysis::Analysis,
    app::{App, Effect, Event, Report},
    keys::{KeyCode, KeyEvent},
    theme::Theme,
    update,
};
use crate::{
    feature::Weights,
    game::{self, Collection, GameOptions, WinnerPosition},
    par,
    sample::Sampling,
    search::alphabeta::{AlphaBeta, Prepared},
};

/// The shipped games, with one position out of `every`.
pub fn collection(every: usize) -> Collection {
    static ALL: OnceLock<Collection> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/gm1988.pgn");
        game::load(&path, &GameOptions::default(), 1, &mut |_| {}).unwrap()
    });
    let positions = all.positions.iter().step_by(every).copied().collect();
    Collection { positions, ..all.clone() }
}

/// Positions spread evenly over the shipped games.
pub fn some_positions(count: usize) -> Vec<WinnerPosition> {
    let all = collection(1).positions;
    let step = all.len() / count;
    all.into_iter().step_by(step).take(count).collect()
}

pub fn search(position: &WinnerPosition, weights: &Weights) -> Analysis {
    let sampling = Sampling::default();
    let prepared = Prepared::new(sampling.search, &weights.quantised());
    Analysis::search(position, &sampling, &mut AlphaBeta::new(&prepared))
}

/// Analyses of positions spread evenly over the shipped games.
pub fn some_analyses(count: usize) -> Vec<Analysis> {
    some_positions(count).iter().map(|position| search(position, &Weights::start())).collect()
}

/// A screen on the shipped games, the first position searched under the start weights.
pub fn app() -> App {
    app_with(Weights::start())
}

/// The start weights as of a fixed table of features: a feature added later has the weight 0. Under these
/// weights a position has the same values whatever features are added.
pub fn fixed_weights() -> Weights {
    let par = par::parse(include_str!("../../tests/data/fixed.par")).expect("the file can be read");
    let mut weights = par.weights;
    for key in par.missing {
        let setting = weights.setting_mut(key);
        setting.open.fill(0.0);
        setting.end.fill(0.0);
    }
    weights
}

/// The shipped games with these weights.
pub fn opening(weights: Weights) -> Opening {
    Opening {
        mouse: true,
        collection: collection(1),
        weights,
        source: "params/start.par".to_string(),
        ..Opening::default()
    }
}

/// A screen on the shipped games, the first position searched.
pub fn app_with(weights: Weights) -> App {
    let mut app = App::new(opening(weights), Theme::DARK);
    finish_search(&mut app);
    app
}

/// Searches the position shown.
pub fn finish_search(app: &mut App) {
    let analysis = Arc::new(search(app.browser.position(), app.editor.weights()));
    let (epoch, place) = (app.search_request().epoch, app.browser.place());
    app.update(Event::Report(Report::Analysed { epoch, place, analysis }));
}

pub fn press(app: &mut App, code: KeyCode) -> Vec<Effect> {
    update(app, Event::Key(KeyEvent::plain(code)))
}

/// Presses the keys of letters; `\n` is enter, `\t` tab. The effects are those of the keys: that a prompt has
/// its folder listed is left out.
pub fn press_all(app: &mut App, keys: &str) -> Vec<Effect> {
    let code = |key| match key {
        '\n' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        '\x1b' => KeyCode::Esc,
        '\x08' => KeyCode::Backspace,
        key => KeyCode::Char(key),
    };
    let effects = keys.chars().flat_map(|key| press(app, code(key)));
    effects.filter(|effect| !matches!(effect, Effect::ListFolder(_))).collect()
}
