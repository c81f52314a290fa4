//! The foot of the screen: the progress of a fit, the message or the prompt, and the bar of keys.

use ratatui::{layout::Rect, style::Style};

use super::{number, pen::Pen, run, terms};
use crate::{
    feature::Key,
    screen::{
        app::{App, FitJob, Page, Progress, Prompt, Purpose, Question, Tour, Trial, TrialState},
        keys::{Action, BINDINGS, Binding, KeyCode, KeyEvent, Origin, Target},
    },
};

/// Draws the last two lines.
pub fn draw(pen: &mut Pen, app: &App, area: Rect) {
    let (message, bar) = (area.height - 2, area.height - 1);
    if let Some(question) = &app.dialog.question {
        let style = pen.theme.changed().patch(pen.theme.strong());
        pen.within(1, message, area.width - 2, &question_text(question), style);
    } else if let Some(prompt) = &app.dialog.prompt {
        draw_prompt(pen, prompt, message, area.width);
        if prompt.error.as_deref().is_none() {
            draw_choices(pen, &choices(app, prompt, area), message, area.width);
        }
    } else {
        let mut line = message;
        if let Some(notice) = &app.dialog.notice {
            let style = if notice.is_error { pen.theme.bad() } else { pen.theme.plain() };
            line -= draw_message(pen, &notice.text, message, area.width, style);
        } else if app.page != Page::Main && progress_of(app).is_some() {
            progress(pen, app, message, area.width);
            line -= 1;
        } else if app.page == Page::Main && app.tour == Tour::default() {
            terms::account(pen, app, message, area.width);
        }
        if let Some((_, [step, all])) = app.tour.step() {
            let text = format!("Tour {step} of {all} (i leaves it): {}", tour_text(app, false));
            // On the main screen the line above the message shows the progress of a fit.
            let above = if line == message && progress_of(app).is_some() { 2 } else { 0 };
            draw_message(pen, &text, line - above, area.width, pen.theme.changed());
        }
    }
    draw_keys(pen, app, bar, area.width);
}

/// What the tour says, with what it names of the last run.
/// The text of the step of the tour, with what the run has measured; empty outside of the tour.
pub fn tour_text(app: &App, is_on_page: bool) -> String {
    let text = app.tour.step().map_or(String::new(), |(step, _)| step.text(is_on_page));
    let Some(run) = app.run_history().filter(|run| !run.passes().is_empty()) else { return text };
    let held_out = run.passes()[0].report.held_out.as_ref().map_or(0, |set| set.choices);
    text.replace("{moved}", &run::moved_most(run, is_on_page)).replace("{held_out}", &held_out.to_string())
}

/// Draws a message whose last line is `y`; a long one begins above. Returns the number of its lines.
fn draw_message(pen: &mut Pen, text: &str, y: u16, width: u16, style: Style) -> u16 {
    let lines = number::wrap(text, usize::from(width) - 2);
    for (above, line) in lines.iter().rev().take(LONGEST_MESSAGE).enumerate() {
        let y = y - above as u16;
        pen.clear_line(y);
        pen.within(1, y, width - 2, line, style);
    }
    lines.len().min(LONGEST_MESSAGE) as u16
}

/// Lines of a message, at most.
const LONGEST_MESSAGE: usize = 5;

fn question_text(question: &Question) -> String {
    let text = match question {
        Question::FitMany(cost) => return format!("{cost}: y begins, n does not"),
        Question::QuitUnsaved => "the weights are not saved: y saves them, n quits without, esc stays",
        Question::QuitFitting => "a fit runs: y cancels it and quits, n stays",
        Question::CancelFit => "a fit runs: y cancels it, n lets it go on",
        Question::GiveUpTrial => "a comparison of two sets runs: y gives it up, n lets it go on",
        Question::Overwrite(path) => {
            return format!("{path} is there already: y replaces it, n asks for another name");
        }
    };
    text.to_string()
}

fn draw_prompt(pen: &mut Pen, prompt: &Prompt, y: u16, width: u16) {
    let theme = pen.theme;
    let at = pen.text(1, y, &format!("{}: ", prompt.label), theme.title());
    let room = usize::from(width.saturating_sub(at)) / 2;
    // A long line moves so that its cursor stays in sight.
    let first = (prompt.cursor + 1).saturating_sub(room.max(10));
    let text = prompt.text_from(first);
    let style = if prompt.is_selected { theme.chosen() } else { theme.strong() };
    let end = pen.text(at, y, &text, style);
    let cursor = at + (prompt.cursor - first) as u16;
    pen.text(end, y, " ", theme.plain());
    pen.fill(Rect { x: cursor, y, width: 1, height: 1 }, theme.chosen());
    if let Some(error) = prompt.error.as_deref() {
        if error.chars().count() < usize::from(width.saturating_sub(end + 3)) {
            pen.text(end + 3, y, error, theme.bad());
        } else {
            draw_message(pen, error, y - 1, width, theme.bad());
        }
    }
}

/// Lines above the prompt that say what the text typed so far may mean: the parameters or files that match.
fn choices(app: &App, prompt: &Prompt, area: Rect) -> Vec<[String; 2]> {
    let room = usize::from(area.height / 3).min(MOST_CHOICES);
    let text = prompt.text();
    let parameter = |key: &Key| {
        let feature = key.feature();
        [format!("{:<11}", feature.key), feature.description()]
    };
    let mut choices: Vec<[String; 2]> = match &prompt.purpose {
        Purpose::Find => app.editor.matches(&text).iter().map(parameter).collect(),
        _ => {
            let files = app.dialog.matching_files().unwrap_or_default();
            files.into_iter().map(|name| [name.to_string(), String::new()]).collect()
        }
    };
    let more = choices.len().saturating_sub(room);
    if more > 0 {
        choices.truncate(room - 1);
        choices.push([String::new(), format!("{} more below: type on", more + 1)]);
    }
    if let (Purpose::Find, Some([_, meaning])) = (&prompt.purpose, choices.first_mut()) {
        *meaning = format!("{meaning} (enter)");
    }
    choices
}

/// Choices shown at once, at most.
const MOST_CHOICES: usize = 10;

/// Draws the choices above line `y`, the first one on top.
fn draw_choices(pen: &mut Pen, choices: &[[String; 2]], y: u16, width: u16) {
    let theme = pen.theme;
    if choices.is_empty() {
        return;
    }
    let top = y - choices.len() as u16;
    pen.clear_line(top - 1);
    pen.text(0, top - 1, &theme.rule().repeat(usize::from(width)), theme.faint());
    for (line, [name, meaning]) in choices.iter().enumerate() {
        let y = top + line as u16;
        pen.clear_line(y);
        if !name.is_empty() {
            pen.target(Rect { x: 0, y, width, height: 1 }, Target::Line(line));
        }
        let at = pen.text(2, y, name, theme.strong());
        let meaning = number::shorten(meaning, usize::from(width.saturating_sub(at + 2)));
        pen.text(at + 1, y, &meaning, theme.faint());
    }
}

/// Keys at the foot and what they do there.
struct Hint {
    name: String,
    /// The key that a click presses; none where the name stands for several.
    key: Option<KeyEvent>,
    does: &'static str,
    /// Whether it would only answer that it cannot.
    is_idle: bool,
}

impl Hint {
    fn new(name: &str, code: KeyCode, does: &'static str) -> Hint {
        Hint { name: name.to_string(), key: Some(KeyEvent::plain(code)), does, is_idle: false }
    }
}

fn draw_keys(pen: &mut Pen, app: &App, y: u16, width: u16) {
    let theme = pen.theme;
    pen.fill(Rect { x: 0, y, width, height: 1 }, theme.bar_style());
    let mut x = 1;
    for Hint { name, key, does, is_idle } in hints(app) {
        let needed = (name.len() + does.len() + 3) as u16;
        if x + needed > width {
            break;
        }
        let style = if is_idle { theme.bar_style().patch(theme.idle()) } else { theme.bar_style() };
        if let Some(key) = key {
            pen.target(Rect { x, y, width: needed - 2, height: 1 }, Target::Key(key));
        }
        x = pen.text(x, y, &name, if is_idle { style } else { style.patch(theme.strong()) });
        x = pen.text(x, y, &format!(" {does}  "), style);
    }
}

fn hints(app: &App) -> Vec<Hint> {
    let esc = |does| Hint::new("esc", KeyCode::Esc, does);
    if app.dialog.question.is_some() {
        let [yes, no] = [("y", 'y', "yes"), ("n", 'n', "no")]
            .map(|(name, letter, does)| Hint::new(name, KeyCode::Char(letter), does));
        return vec![yes, no, esc("stay")];
    }
    if app.dialog.prompt.is_some() && app.finder.is_none() {
        let complete = app.dialog.asks_for_file().then(|| Hint::new("tab", KeyCode::Tab, "complete"));
        let clear =
            Hint { key: Some(KeyEvent::control('u')), ..Hint::new("ctrl-u", KeyCode::Other, "clear") };
        let accept = Hint::new("enter", KeyCode::Enter, "accept");
        return [Some(accept), complete, Some(esc("leave")), Some(clear)].into_iter().flatten().collect();
    }
    let cancel = match app.page {
        Page::Main if app.fit_job.is_some() => Some(esc("cancel the fit")),
        Page::Main if progress_of(app).is_some() => Some(esc("give up the comparison")),
        _ => None,
    };
    cancel.into_iter().chain(hints_of_page(app)).collect()
}

/// The keys that the table has for the page. Those that do the same stand together. On the main page the most
/// important come first: on a narrow screen the rest is left out.
fn hints_of_page(app: &App) -> Vec<Hint> {
    const FIRST: [Action; 9] = [
        Action::NextMove,
        Action::NextPosition,
        Action::NextGame,
        Action::GoToGame,
        Action::Help,
        Action::PageUp,
        Action::PageDown,
        Action::FitOnce,
        Action::Quit,
    ];
    let mut bindings: Vec<_> = BINDINGS.iter().filter(|binding| is_possible(app, binding)).collect();
    if app.page == Page::Main {
        let place = |action| FIRST.iter().position(|first| *first == action).unwrap_or(FIRST.len());
        bindings.sort_by_key(|binding| place(binding.action));
    }
    let mut hints: Vec<Hint> = Vec::new();
    for binding in bindings {
        let Some(does) = binding.at_foot(app.page.into()) else { continue };
        // Without the second of two keys that do the same.
        let name = binding.name.split(' ').next().unwrap_or_default();
        match hints.iter_mut().find(|hint| hint.does == does) {
            Some(same) => {
                same.name += &format!(" {name}");
                same.key = None;
            }
            None => {
                let is_idle = !app.has_effect(binding.action);
                hints.push(Hint { name: name.to_string(), key: Some(binding.keys[0]), does, is_idle });
            }
        }
    }
    hints
}

/// Whether a key of the page can do something now. In the look of 1988 the main page has those that the
/// record names.
fn is_possible(app: &App, binding: &Binding) -> bool {
    match (app.page, binding.action) {
        (Page::Main, _) if app.display.is_1988 => binding.origin == Origin::Y1988,
        (Page::Main, Action::PageUp | Action::PageDown) => app.grid().pages > 0,
        (Page::Run { .. }, Action::Open | Action::TakeBest) => app.fit_job.is_none(),
        (Page::Run { .. }, Action::Left | Action::Right) => app.run_count() > 1,
        (Page::Trial, Action::Trial) => !app.trial.as_ref().is_some_and(Trial::is_running),
        _ => true,
    }
}

/// Draws the progress of the fit or the trial that runs.
pub fn progress(pen: &mut Pen, app: &App, y: u16, width: u16) {
    let Some((text, progress)) = progress_of(app) else { return };
    let theme = pen.theme;
    pen.clear_line(y);
    let at = pen.within(1, y, width - 2, &text, theme.changed());
    let Some(progress) = progress else { return };
    let room = usize::from(width.saturating_sub(at + 4)).min(30);
    let share = progress.searched as f64 / progress.positions.max(1) as f64;
    let filled = ((share * room as f64) as usize).min(room);
    let at = pen.text(at + 2, y, &theme.bar().repeat(filled), theme.changed());
    pen.text(at, y, &theme.faint_bar().repeat(room - filled), theme.faint());
}

/// The progress of what runs, in words and numbers: of a fit before that of a trial.
fn progress_of(app: &App) -> Option<(String, Option<Progress>)> {
    let trial = || app.trial.as_ref().filter(|trial| trial.is_running());
    let fit = app.fit_job.as_ref().map(|job| (progress_text(job), job.progress));
    fit.or_else(|| trial().map(|trial| (trial_text(trial), trial.progress)))
}

fn trial_text(trial: &Trial) -> String {
    let Some(progress) = trial.progress else { return "comparison: starting".to_string() };
    if trial.state == TrialState::BeingGivenUp {
        return "comparison: being given up".to_string();
    }
    let Progress { pass, searched, positions, .. } = progress;
    let text = match trial.agreement.as_ref() {
        None => format!("comparison: set {} of 2, {searched} of {positions} positions", pass + 1),
        Some(_) => format!("comparison: {searched} of {positions} games"),
    };
    text + &time_left(progress)
}

fn time_left(progress: Progress) -> String {
    let left = progress.seconds_left().map(|left| left as u64);
    left.map_or(String::new(), |left| format!(", {}:{:02} left", left / 60, left % 60))
}

fn progress_text(job: &FitJob) -> String {
    let what = if job.writes_files { "fits" } else { "fit" };
    let Some(progress) = job.progress else { return format!("{what}: starting") };
    let of_group = match progress.group {
        [0, _] => String::new(),
        [group, groups] => format!("without group {group} of {groups}, "),
    };
    let mut text = format!("{what}: {of_group}pass {} of {}", progress.pass, progress.fits);
    if job.is_cancelled {
        return text + ", being cancelled";
    }
    if progress.searched >= progress.positions {
        text += ", solving";
    } else {
        text += &format!(", {} of {} positions", progress.searched, progress.positions);
    }
    text + &time_left(progress)
}
