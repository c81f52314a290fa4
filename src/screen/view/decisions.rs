//! The course of a weight over its run, and the positions that its term decides.

use ratatui::layout::Rect;
use shakmaty::Position;

use super::{number, pages, pen::Pen};
use crate::{
    feature::Key,
    game::move_number,
    parameters::Parameter,
    position::{CompactMove, san_line},
    screen::{
        app::{App, Decision, Estimate},
        layout::List,
    },
    show::plot::text::spark,
    value::in_units,
};

/// Columns of a curve.
const CURVE: usize = 16;

/// The weights of a parameter over the passes of the run that they come from, with what the last fit says of them.
pub fn course(app: &App, key: Key) -> Vec<String> {
    let Some(run) = app.run_of_weights() else { return Vec::new() };
    let mode = app.editor.weights().setting(key).mode;
    let own = run.estimates.iter().filter(|(parameter, _)| parameter.key == key && parameter.mode == mode);
    let line = |(parameter, estimate): &(Parameter, Estimate)| {
        let weights = run.passes().iter().filter_map(|pass| pass.weights.as_ref());
        let values: Vec<f64> = weights.filter_map(|weights| parameter.find(weights)).collect();
        let [first, last] = [values.first()?, values.last()?].map(|value| number::format_weight(*value));
        let curve = spark(&values, CURVE, app.display.theme.ascii);
        let error = |error: Option<f64>| error.map_or("-".to_string(), |error| format!("{error:.2}"));
        Some(format!(
            "{parameter}: {first} to {last} {curve}, s.e. of the fit {}, of the run {}, touched by {}",
            error(estimate.standard_error),
            error(estimate.run_errors.last().copied()),
            crate::run::count(estimate.support.into(), "choice"),
        ))
    };
    own.take(MOST_LINES).filter_map(line).collect()
}

/// Lines of a course, at most: a table of free cells has many weights.
const MOST_LINES: usize = 4;

/// The positions that the chosen parameter decides, below a head of two lines.
pub fn list(app: &App, area: Rect) -> List {
    let found = app.decisions_of(app.editor.cursor()).len();
    List::new(found, usize::from(area.height).saturating_sub(3))
}

/// Draws the positions that the chosen parameter decides.
pub fn draw(pen: &mut Pen, app: &App, area: Rect, chosen: usize) {
    let Some(decisions) = &app.decisions else { return };
    let theme = pen.theme;
    let key = app.editor.cursor();
    let own = app.decisions_of(key);
    let all = app.browser.games().collection.positions.len();
    let searched = match decisions.progress {
        Some(progress) => format!("{} positions (of {all}, still searching)", progress.searched),
        None => format!("{all} positions"),
    };
    let for_played = own.iter().filter(|decision| decision.value > 0).count();
    let head = format!(
        "{} decides {} of {searched}: without it the other of the two moves would be ahead; {for_played} times for the \
         winner's move, {} times against it",
        key.feature().key,
        own.len(),
        own.len() - for_played
    );
    let lines = number::wrap(&head, usize::from(area.width) - 2);
    for (line, text) in lines.iter().take(2).enumerate() {
        pen.within(1, area.y + line as u16, area.width - 2, text, theme.title());
    }
    let list = list(app, area);
    let top = list.top_around(chosen);
    for (at, decision) in own.iter().enumerate().skip(top).take(list.height) {
        let style = if at == chosen { theme.chosen() } else { theme.plain() };
        pen.within(1, area.y + 2 + (at - top) as u16, area.width - 2, &describe(app, decision), style);
    }
    pages::draw_more(pen, area, list.hidden(top), theme);
}

fn describe(app: &App, decision: &Decision) -> String {
    let library = app.browser.games();
    let place = library.place_of(decision.position);
    let (head, winner) = (library.head(place.game), library.collection.positions[decision.position]);
    let position = winner.position();
    let name = |mv: CompactMove| san_line(&position, &[mv]).concat();
    let [played, rival] = [winner.played_in(&position).into(), decision.rival].map(name);
    let [better, worse] = if decision.value > 0 { [&played, &rival] } else { [&rival, &played] };
    format!(
        "{:>+7.1}  game {:<5} {:<24} {}{better} over {worse}{}",
        in_units(decision.value),
        head.number,
        number::cut(&format!("{} - {}", head.white, head.black), 24, app.display.theme),
        move_number(winner.fullmove, position.turn(), true),
        if decision.value > 0 { "" } else { ", against the move played" }
    )
}
