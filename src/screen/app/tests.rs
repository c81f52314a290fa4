//! What keys do, without a terminal.

use texam_fit::{Agreement, Criterion, Fit, ParameterReport, PassReport, StopReason};

use super::*;
use crate::{
    error::Error,
    feature::{Key, Mode, Weights},
    par::Par,
    parameters::Parameters,
    run::{RunPlace, RunSpec},
    screen::{
        keys::KeyCode,
        testing::{self, app, collection, finish_search, press, press_all},
        update,
    },
};

fn notice(app: &App) -> &str {
    &app.dialog.notice.as_ref().unwrap().text
}

fn prompt(app: &App) -> &Prompt {
    app.dialog.prompt.as_ref().unwrap()
}

fn report(app: &mut App, report: Report) -> Vec<Effect> {
    app.update(Event::Report(report))
}

/// Ends the fit that runs.
fn end_fit(app: &mut App, stopped: StopReason) {
    report(app, Report::FitEnded(Ok(Box::new(FitResult { stopped, files: None, history: None }))));
}

/// The report of a file with the weights of the pieces alone.
fn restored() -> Report {
    let par = Par { weights: Weights::material_only(), missing: Vec::new(), other_table: None };
    Report::Restored("m.par".into(), Ok(Box::new(par)))
}

fn shown_name(app: &App) -> String {
    let analysis = app.browser.analysis().unwrap();
    analysis.moves[app.browser.move_index(analysis)].name.clone()
}

#[test]
fn space_walks_the_moves_best_first_and_round_and_backspace_goes_back() {
    let mut app = app();
    let names: Vec<String> =
        app.browser.analysis().unwrap().moves.iter().map(|analysed| analysed.name.clone()).collect();
    for name in names.iter().chain(&names[..1]) {
        assert_eq!(&shown_name(&app), name);
        press(&mut app, KeyCode::Char(' '));
    }
    press(&mut app, KeyCode::Backspace);
    press(&mut app, KeyCode::Backspace);
    assert_eq!(shown_name(&app), names[names.len() - 1]);
}

#[test]
fn n_p_and_capitals_walk_positions_and_games_and_stop_at_the_ends() {
    let mut app = app();
    assert!(matches!(press_all(&mut app, "n")[..], [Effect::Search]));
    assert_eq!(app.browser.position_index(), 1);
    assert!(press_all(&mut app, "pp").len() == 1 && app.browser.position_index() == 0);
    assert!(notice(&app).contains("first position"));
    press_all(&mut app, "N");
    assert_eq!(app.browser.game_index(), 1);
    assert_eq!(app.browser.position_index(), app.browser.library.positions_of(0).end);
    press_all(&mut app, "nP");
    assert_eq!(app.browser.position_index(), 0);
}

/// Black to move, with a knight to win.
const TYPED: &str = "4k3/8/8/3p4/4N3/8/8/4K3 b - - 0 30";

#[test]
fn a_position_that_is_typed_or_pasted_is_shown_until_esc_and_fits_take_the_games() {
    let mut app = app();
    press_all(&mut app, "nn");
    for keys in ["Y", "YY"] {
        let effects = if keys == "Y" {
            press_all(&mut app, &format!("Y{TYPED}\n"))
        } else {
            update(&mut app, Event::Paste(format!(" {TYPED}\n")))
        };
        assert!(!effects.is_empty() && effects.iter().all(|effect| matches!(effect, Effect::Search)));
        finish_search(&mut app);
        assert_eq!((app.browser.fen().as_deref(), app.browser.is_typed()), (Some(TYPED), true));
        let analysis = app.browser.analysis().unwrap();
        assert_eq!((analysis.played, &*analysis.moves[0].name), (0, "dxe4"));
    }
    for keys in ["n", "p", "N", "P"] {
        assert!(press_all(&mut app, keys).is_empty());
        assert!(notice(&app).ends_with("esc goes back to the games"), "{keys}");
    }
    let effects = press_all(&mut app, "f");
    assert!(matches!(&effects[..], [Effect::Fit(request)] if request.collection.games.len() == 868));
    app.fit_job = None;
    assert!(matches!(press(&mut app, KeyCode::Esc)[..], [Effect::Search]));
    assert_eq!((app.browser.position_index(), app.browser.is_typed()), (2, false));
}

#[test]
fn a_wrong_position_keeps_the_prompt_open_and_other_texts_are_not_positions() {
    let mut app = app();
    for (text, error) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "a legal position of standard chess"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "a position with a legal move"),
        ("e4", "a FEN"),
    ] {
        press_all(&mut app, &format!("Y{text}\n"));
        assert!(prompt(&app).error.as_ref().unwrap().contains(error), "{text}");
        press(&mut app, KeyCode::Esc);
    }
    assert!(update(&mut app, Event::Paste("1. e4 e5".to_string())).is_empty());
    assert!(!app.browser.is_typed());
}

#[test]
fn the_list_of_games_and_other_options_leave_a_position_that_was_typed() {
    let mut app = app();
    press_all(&mut app, &format!("Y{TYPED}\ng"));
    assert!(!app.browser.is_typed());
    press_all(&mut app, &format!("\x1bY{TYPED}\n"));
    assert!(app.browser.is_typed());
    app.browser.replace_games(collection(50));
    assert!(!app.browser.is_typed());
    app.show_typed(TYPED).unwrap();
    assert!(app.browser.is_typed() && app.show_typed("x").is_err());
}

#[test]
fn castling_rights_that_a_typed_position_cannot_have_are_named() {
    let mut app = app();
    press_all(&mut app, "Y4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1\n");
    assert!(app.browser.is_typed());
    let notice = app.dialog.notice.as_ref().unwrap();
    assert!(notice.text.contains("castling rights KQ have no king or rook"), "{}", notice.text);
}

#[test]
fn home_and_end_go_to_the_ends_of_the_game_and_of_every_list() {
    let mut app = app();
    press_all(&mut app, "N");
    let positions = app.browser.library.positions_of(1);
    press(&mut app, KeyCode::End);
    assert_eq!(app.browser.position_index(), positions.end - 1);
    press(&mut app, KeyCode::Home);
    assert_eq!(app.browser.position_index(), positions.start);
    finish_search(&mut app);
    fitted(&mut app, 3, StopReason::Iterations);
    finish_search(&mut app);
    let state = |app: &App| {
        let pass = app.run_history().map(RunHistory::chosen);
        let line = app.finder.as_ref().and_then(|finder| finder.chosen);
        (app.page, shown_name(app), pass, line)
    };
    for page in ["m", "o", "?", "h", "/pass\n\n"] {
        press_all(&mut app, page);
        press(&mut app, KeyCode::Home);
        let first = state(&app);
        press(&mut app, KeyCode::End);
        let last = state(&app);
        assert_ne!(first, last, "{page}");
        // Page keys stay in the column of a table, and turn the parts of a run.
        let pages_to_ends = ["m", "o", "?"].contains(&page);
        for (key, end) in [(KeyCode::PageDown, &last), (KeyCode::PageUp, &first)] {
            (0..30).for_each(|_| _ = press(&mut app, key));
            assert!(!pages_to_ends || state(&app) == *end, "{page}, {key:?}");
        }
        press_all(&mut app, "\x1b");
    }
}

#[test]
fn g_goes_to_a_game_and_keeps_what_was_typed_when_there_is_none() {
    let mut app = app();
    press_all(&mut app, "g9999\n");
    let prompt = prompt(&app);
    assert_eq!(prompt.text(), "9999");
    assert!(prompt.error.as_deref().unwrap().contains("near it: 868"));
    press_all(&mut app, "\x08\x08\x082\n");
    assert!(app.dialog.prompt.is_none());
    assert_eq!(app.browser.library.head(app.browser.game_index()).number, 92);
}

#[test]
fn a_key_is_found_by_words_and_enter_presses_it_on_the_page_before() {
    let mut app = testing::app();
    press_all(&mut app, "?");
    assert_eq!(app.page, Page::Help);
    press_all(&mut app, "all moves by value");
    press(&mut app, KeyCode::Enter);
    assert!(app.page == Page::Moves && app.dialog.prompt.is_none() && app.finder.is_none());
    press_all(&mut app, "?save");
    press(&mut app, KeyCode::Enter);
    assert!(
        app.page == Page::Moves
            && app.dialog.prompt.as_ref().is_some_and(|prompt| prompt.purpose == Purpose::Save)
    );
    press(&mut app, KeyCode::Esc);
    press_all(&mut app, "?xyzzy");
    press(&mut app, KeyCode::Enter);
    assert!(app.dialog.prompt.as_ref().is_some_and(|prompt| prompt.error.is_some()));
    press(&mut app, KeyCode::Esc);
    assert!(app.page == Page::Moves && app.finder.is_none());
}

#[test]
fn left_and_right_turn_an_option_that_has_a_list_of_values() {
    let mut app = testing::app();
    press_all(&mut app, "o");
    let entries = app.options.entries();
    let line_of = |name: &str| entries.iter().position(|entry| entry.name == name).unwrap();
    app.page = Page::Options { line: line_of("force") };
    let before = app.options.value("force");
    press(&mut app, KeyCode::Right);
    assert_ne!(app.options.value("force"), before);
    press(&mut app, KeyCode::Left);
    assert_eq!(app.options.value("force"), before);
    app.page = Page::Options { line: line_of("threshold") };
    let before = app.options.value("threshold");
    press(&mut app, KeyCode::Right);
    assert_eq!(app.options.value("threshold"), before);
    assert!(app.dialog.notice.as_ref().is_some_and(|notice| notice.text.contains("typed: enter")));
}

#[test]
fn y_shows_the_fen_and_copies_it() {
    let mut app = app();
    let effects = press_all(&mut app, "y");
    let [Effect::Copy(fen)] = &effects[..] else { panic!("{effects:?}") };
    assert!(fen.ends_with(" b - - 0 9") || fen.contains(" b "), "{fen}");
    assert_eq!(notice(&app), format!("copied: {fen}"));
    press_all(&mut app, "\tn");
    assert!(press_all(&mut app, "y").is_empty(), "the leaf is not known yet");
}

#[test]
fn a_game_is_found_by_words_and_esc_goes_back_to_the_page_before() {
    let mut app = app();
    press_all(&mut app, "mg");
    assert_eq!(app.page, Page::Games);
    press_all(&mut app, "1961 tal");
    assert!(app.finder.as_ref().unwrap().found.len() > 1);
    press(&mut app, KeyCode::Down);
    press_all(&mut app, "\x1b");
    assert_eq!((app.page, app.browser.position_index()), (Page::Moves, 0));
    assert!(app.finder.is_none());
    press_all(&mut app, "g1961 tal");
    press(&mut app, KeyCode::Down);
    let game = app.finder.as_ref().unwrap().found[1];
    assert!(matches!(press_all(&mut app, "\n")[..], [Effect::Search]));
    assert_eq!((app.page, app.browser.game_index()), (Page::Main, game));
    press_all(&mut app, "gzzz\n");
    let prompt = prompt(&app);
    assert!(prompt.error.as_deref().unwrap().contains("expected words of a game"), "{prompt:?}");
    report(&mut app, Report::FileExists("mine.par".into()));
    press_all(&mut app, "n");
    assert_eq!(app.page, Page::Main, "another prompt has taken its place");
}

#[test]
fn esc_leaves_a_prompt_and_changes_nothing() {
    let mut app = app();
    let weights = app.editor.weights().clone();
    for key in "gSReo/v".chars() {
        press_all(&mut app, &key.to_string());
        press_all(&mut app, "1\x1b\x1b");
        assert!(app.dialog.prompt.is_none() && app.page == Page::Main, "{key}");
    }
    assert_eq!((app.browser.position_index(), app.editor.weights()), (0, &weights));
}

#[test]
fn a_weight_is_edited_followed_by_a_search_and_undone() {
    let mut app = app();
    press_all(&mut app, "/n_fwd\n");
    assert_eq!(app.editor.cursor(), Key::NFwd);
    press_all(&mut app, "e");
    assert_eq!(prompt(&app).text(), "2 1");
    press_all(&mut app, "\x08\x08\x08");
    assert!(matches!(press_all(&mut app, "7 -3.5\n")[..], [Effect::Search]));
    assert_eq!(
        (app.editor.weights().setting(Key::NFwd).open[0], app.editor.weights().setting(Key::NFwd).end[0]),
        (7.0, -3.5)
    );
    assert!(app.editor.is_unsaved() && !app.browser.is_fresh() && app.browser.analysis().is_some());
    finish_search(&mut app);
    assert!(app.browser.is_fresh());
    press_all(&mut app, "u");
    assert!(!app.editor.is_unsaved());
}

#[test]
fn wrong_weights_say_what_was_expected_and_keep_what_was_typed() {
    for (key, typed, expected) in [
        ("n_fwd", "1", "two numbers"),
        ("n_fwd", "1 x", "two numbers"),
        ("trade_pc", "1 2", "one number"),
        ("n_fwd", "1 99999", "between"),
        ("mat_p", "127 127", "128, 128"),
        ("sh_ctr", "1 NaN", "one number"),
    ] {
        let mut app = app();
        press_all(&mut app, &format!("/{key}\ne"));
        press_all(&mut app, &"\x08".repeat(12));
        press_all(&mut app, &format!("{typed}\n"));
        let prompt = prompt(&app);
        assert_eq!(prompt.text(), typed);
        assert!(
            prompt.error.as_deref().unwrap().contains(expected),
            "{typed}: {:?}",
            prompt.error.as_deref()
        );
        assert!(!app.editor.is_unsaved());
    }
}

#[test]
fn t_takes_a_key_out_of_tuning_and_in_again() {
    let mut app = app();
    let is_tuned = |app: &App| app.editor.weights().setting(Key::NFwd).tune[0];
    press_all(&mut app, "/n_fwd\nt");
    assert!(!is_tuned(&app));
    press_all(&mut app, "t");
    assert!(is_tuned(&app));
    press_all(&mut app, "uu");
    assert_eq!(*app.editor.weights(), Weights::start());
    press_all(&mut app, "/mat_p\nt");
    assert!(notice(&app).contains("unit of all weights"));
}

#[test]
fn leaving_the_list_of_moves_shows_the_move_from_before_and_enter_the_one_chosen() {
    let mut app = app();
    press_all(&mut app, "  ");
    let before = shown_name(&app);
    for leave in ["\x1b", "m", "q"] {
        press_all(&mut app, "m");
        press(&mut app, KeyCode::Down);
        press(&mut app, KeyCode::PageDown);
        assert_ne!(shown_name(&app), before);
        press_all(&mut app, leave);
        assert_eq!((&shown_name(&app), app.page), (&before, Page::Main), "{leave:?}");
    }
    press_all(&mut app, "m");
    press(&mut app, KeyCode::Down);
    let chosen = shown_name(&app);
    press_all(&mut app, "\n");
    assert_eq!((shown_name(&app), app.page), (chosen, Page::Main));
}

#[test]
fn g_in_capitals_tunes_only_the_group() {
    let mut app = app();
    press_all(&mut app, "/pass_sup\nG");
    let tuned = |key: Key| app.editor.weights().setting(key).tune.contains(&true);
    assert!(tuned(Key::PassSup) && tuned(Key::Pass) && !tuned(Key::NFwd) && !tuned(Key::BPair));
    assert!(notice(&app).starts_with("only passed is tuned from now on"));
}

#[test]
fn cells_are_freed_chosen_edited_and_taken_out_of_tuning() {
    let mut app = app();
    press_all(&mut app, "/pass_\n/pass\n\n");
    assert_eq!((app.editor.cursor(), app.page), (Key::Pass, Page::Cells { cell: 0 }));
    press_all(&mut app, "x");
    assert_eq!(app.editor.weights().setting(Key::Pass).mode, Mode::Cells);
    press(&mut app, KeyCode::Right);
    press_all(&mut app, "te");
    assert_eq!(prompt(&app).text(), "6 16");
    press_all(&mut app, "\x08\x08\x08\x087 20\n");
    let setting = app.editor.weights().setting(Key::Pass);
    assert_eq!((setting.open[1], setting.end[1], setting.tune[1], setting.tune[0]), (7.0, 20.0, false, true));
    press_all(&mut app, "x");
    assert!(notice(&app).contains("reshaped"));
    press_all(&mut app, "uuu");
    assert_eq!(*app.editor.weights(), Weights::start());
}

#[test]
fn a_name_typed_takes_the_place_of_the_one_proposed_for_the_weights() {
    let mut app = app();
    press_all(&mut app, "S");
    assert!(!prompt(&app).text().is_empty());
    press_all(&mut app, "other.par");
    assert_eq!(prompt(&app).text(), "other.par");
}

#[test]
fn quitting_while_a_file_is_being_written_waits_for_it() {
    let mut app = app();
    assert!(matches!(press_all(&mut app, "S\n")[..], [Effect::Save { .. }]));
    assert!(press_all(&mut app, "q").is_empty());
    let saved = report(&mut app, Report::Saved("mine.par".into(), Ok(())));
    assert!(matches!(saved[..], [Effect::Quit]));
}

#[test]
fn control_c_asks_once_and_then_leaves() {
    let mut app = app();
    let control_c = || Event::Key(KeyEvent::control('c'));
    press_all(&mut app, "/n_fwd\nt");
    assert!(app.update(control_c()).is_empty());
    assert!(matches!(app.update(control_c())[..], [Effect::Quit]));
}

#[test]
fn a_file_that_is_there_is_replaced_only_if_the_user_says_so() {
    let mut app = app();
    report(&mut app, Report::FileExists("mine.par".into()));
    let effects = press_all(&mut app, "y");
    assert!(matches!(&effects[..], [Effect::Save { replace: true, .. }]));
    report(&mut app, Report::FileExists("mine.par".into()));
    press_all(&mut app, "n");
    assert_eq!(prompt(&app).text(), "mine.par");
}

#[test]
fn a_par_that_cannot_be_read_leaves_everything_as_it_was() {
    let mut app = app();
    let effects = press_all(&mut app, "Rbad.par\n");
    assert!(matches!(&effects[..], [Effect::Restore(path)] if path == "bad.par"));
    let error = Error::expected("a number", "x");
    report(&mut app, Report::Restored("bad.par".into(), Err(error)));
    let prompt = prompt(&app);
    assert_eq!(prompt.text(), "bad.par");
    assert!(prompt.error.as_deref().unwrap().contains("nothing was changed"));
    assert_eq!((app.editor.weights(), app.editor.source()), (&Weights::start(), "params/start.par"));
    report(&mut app, restored());
    assert!(!app.editor.is_unsaved() && app.editor.source() == "m.par");
}

#[test]
fn an_option_is_read_as_on_the_command_line_and_a_wrong_one_keeps_what_was_typed() {
    let mut app = app();
    press_all(&mut app, "o");
    let line = app.options.entries().iter().position(|entry| entry.name == "ridge").unwrap();
    app.page = Page::Options { line };
    press_all(&mut app, "\n");
    assert_eq!(prompt(&app).text(), "100");
    press_all(&mut app, "x\n");
    let error = prompt(&app).error.as_deref();
    assert_eq!(error, Some("option ridge: expected a number from 0 to 1e12, or auto, but found \"x\""));
    press_all(&mut app, "\x085\n");
    assert!(app.dialog.prompt.is_none());
    assert_eq!(app.options.setup.spec.settings.solving.ridge, texam_fit::Ridge::Fixed(5.0));
}

#[test]
fn options_that_need_not_be_given_are_given_and_taken_back() {
    let mut app = app();
    let value = |app: &App, name: &str| app.options.value(name);
    for (name, none, some) in [("patience", "none", "4"), ("threads", "all", "2"), ("name", "next free", "a")]
    {
        assert_eq!(value(&app, name), none);
        app.set_option(name, some).unwrap();
        assert_eq!(value(&app, name), some);
        app.set_option(name, none).unwrap();
        assert_eq!(value(&app, name), none);
    }
    let error = app.set_option("threads", "0").unwrap_err().to_string();
    assert!(error.contains("option threads: expected a whole number, 1 to 1024"), "{error}");
    assert_eq!(
        (app.options.setup.spec.clone(), app.options.setup.place.clone()),
        (RunSpec::default(), RunPlace::default())
    );
}

#[test]
fn a_run_names_the_options_that_made_its_start_weights_only_while_they_are_true() {
    let mut app = app();
    let spec = RunSpec {
        par: Some("params/start.par".into()),
        freeze: vec!["tempo".to_string()],
        ..RunSpec::default()
    };
    app.options = Options::new(Setup { spec: spec.clone(), ..Setup::default() }, Weights::start());
    let mut begin = |keys: &str| {
        press_all(&mut app, keys);
        let effects = press_all(&mut app, "f");
        let [Effect::Fit(job)] = &effects[..] else { panic!("{effects:?}") };
        report(&mut app, Report::FitEnded(Err(Error::new("cut off"))));
        job.spec.clone()
    };
    // A fit without files is one fit.
    let spec = RunSpec { iterations: 1, ..spec };
    assert_eq!(begin(""), spec);
    assert_eq!(begin("/n_fwd\nt"), spec.clone().from_other_weights());
    assert_eq!(begin("u"), spec, "the change is taken back");
}

#[test]
fn other_positions_are_read_before_the_options_hold() {
    let mut app = app();
    press_all(&mut app, "g7\n");
    let effects = app.set_option("skip-moves", "12").unwrap();
    let [Effect::Read(spec)] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((spec.skip_moves, app.options.setup.spec.skip_moves), (12, 8));
    assert!(press(&mut app, KeyCode::Char('f')).is_empty(), "no fit to the old positions");
    assert!(app.fit_job.is_none() && !app.may_change());
    let read = Report::GamesRead(spec.clone(), Ok(Box::new(collection(50))));
    app.update(Event::Report(read));
    assert_eq!(app.options.setup.spec.skip_moves, 12);
    assert!(app.may_change());
    assert!(app.browser.library.head(app.browser.game_index()).number >= 7);
}

/// A pass with made-up numbers.
pub(in crate::screen) fn pass(number: u32, weights: &Weights) -> RunPass {
    let fitted = Agreement {
        choices: 100,
        alternatives: 3000,
        matched: 38 + u64::from(number),
        rank_sum: 300,
        tied_sum: 20,
        histogram: vec![40, 20, 20, 10, 10],
        kept_choices: 80,
        rows: 900,
    };
    let mut report = PassReport::default();
    (report.criterion, report.number, report.fitted) = (Criterion::Match, number, fitted);
    (report.spread, report.mean_gain) = (17.0, -17.0);
    RunPass { report, weights: Some(weights.clone()) }
}

/// A fit that changed one weight.
pub(in crate::screen) fn fit_of(weights: &Weights) -> Fit {
    let parameters = Parameters::new(weights).unwrap();
    let names = parameters.model().parameters().iter().map(|parameter| &*parameter.name);
    let mut report = ParameterReport::default();
    report.name = "n_fwd.o".to_string();
    report.index = names.into_iter().position(|name| name == "n_fwd.o").unwrap();
    (report.before, report.after, report.standard_error) = (2.0, 3.25, Some(0.5));
    (report.deviation, report.support, report.held, report.clusters) = (0.5, 70, 0.75, 5);
    let mut fit = Fit::default();
    (fit.values, fit.parameters) = (parameters.values(weights), vec![report]);
    fit
}

/// Lets a fit begin, run and end on `app`, with so many passes.
pub(in crate::screen) fn fitted(app: &mut App, passes: u32, stopped: StopReason) {
    press_all(app, "f");
    finish_fit(app, passes, stopped);
}

/// Lets the fit that runs end, with so many passes.
pub(in crate::screen) fn finish_fit(app: &mut App, passes: u32, stopped: StopReason) {
    let mut after = app.editor.weights().clone();
    after.setting_mut(Key::NFwd).open[0] = 3.25;
    let weights = |number| if number == 0 { app.editor.weights() } else { &after };
    let all: Vec<RunPass> = (0..passes).map(|number| pass(number, weights(number))).collect();
    for pass in &all {
        let fit = (pass.report.number > 0).then(|| estimates_of(&fit_of(&after)));
        report(app, Report::PassMeasured(Box::new(pass.clone()), fit));
    }
    end_fit(app, stopped);
}

#[test]
fn a_fit_changes_the_weights_marks_them_and_can_be_undone() {
    let mut app = app();
    fitted(&mut app, 2, StopReason::Iterations);
    assert_eq!(app.editor.weights().setting(Key::NFwd).open[0], 3.25);
    assert!(app.fit_job.is_none() && app.editor.is_unsaved());
    let notice = notice(&app);
    assert!(
        notice.starts_with("weights of pass 1, the best: the highest match on the games fitted;"),
        "{notice}"
    );
    press_all(&mut app, "u");
    assert_eq!(*app.editor.weights(), Weights::start());
    press_all(&mut app, "h\n");
    assert_eq!(
        app.editor.weights().setting(Key::NFwd).open[0],
        3.25,
        "enter takes the weights of the chosen pass"
    );
}

#[test]
fn a_cancelled_fit_leaves_the_weights_as_they_were() {
    let mut app = app();
    press_all(&mut app, "f");
    assert!(matches!(press_all(&mut app, "\x1by")[..], [Effect::Cancel]));
    assert!(app.fit_job.as_ref().unwrap().is_cancelled);
    press_all(&mut app, "\x1b");
    assert_eq!(app.dialog.question, None, "it is cancelled already");
    end_fit(&mut app, StopReason::Cancelled);
    assert_eq!(*app.editor.weights(), Weights::start());
    assert!(app.fit_job.is_none() && app.run_history().is_none());
}

#[test]
fn a_fit_that_ends_before_it_can_be_cancelled_changes_no_weights_either() {
    let mut app = app();
    press_all(&mut app, "f\x1by");
    let mut after = app.editor.weights().clone();
    after.setting_mut(Key::NFwd).open[0] = 3.25;
    end_fit(&mut app, StopReason::Iterations);
    assert_eq!(*app.editor.weights(), Weights::start());
    assert!(notice(&app).contains("is cancelled"));
}

#[test]
fn the_weights_of_a_running_fit_are_shown_and_those_of_the_user_come_back_when_it_is_cancelled() {
    let mut app = app();
    press_all(&mut app, "Fy");
    assert_eq!(app.page, Page::RUN);
    let mut after = Weights::start();
    after.setting_mut(Key::NFwd).open[0] = 3.25;
    let measured = |app: &mut App, pass: RunPass, estimates: Option<Estimates>| {
        report(app, Report::PassMeasured(Box::new(pass), estimates))
    };
    assert!(measured(&mut app, pass(0, &Weights::start()), None).is_empty());
    let effects = measured(&mut app, pass(1, &after), Some(estimates_of(&fit_of(&after))));
    assert!(matches!(effects[..], [Effect::Search]));
    assert_eq!((app.editor.weights(), app.editor.source()), (&after, "pass 1 of the running fit"));
    assert!(!app.editor.is_unsaved(), "the user has changed nothing");
    assert_eq!(app.run_history().unwrap().passes().len(), 2);

    assert!(matches!(press_all(&mut app, "\x1b\x1by")[..], [Effect::Cancel, Effect::Search]));
    assert_eq!((app.editor.weights(), app.editor.source()), (&Weights::start(), "params/start.par"));
    end_fit(&mut app, StopReason::Cancelled);
    assert_eq!(app.run_history().unwrap().state, RunState::Unfinished, "its passes can be looked at");
    press_all(&mut app, "h\n");
    assert_eq!(*app.editor.weights(), after, "and taken");
}

#[test]
fn esc_leaves_the_page_of_a_running_fit_first_and_asks_before_it_cancels() {
    let mut app = app();
    press_all(&mut app, "Fy");
    for leave in ["\x1b", "q", "h"] {
        app.page = Page::RUN;
        assert!(press_all(&mut app, leave).is_empty());
        assert_eq!((app.page, app.dialog.question.is_none()), (Page::Main, true), "{leave:?}");
    }
    for stay in ["n", "\x1b"] {
        press_all(&mut app, "\x1b");
        assert_eq!(app.dialog.question, Some(Question::CancelFit));
        assert!(
            press_all(&mut app, stay).is_empty() && !app.fit_job.as_ref().unwrap().is_cancelled,
            "{stay:?}"
        );
    }
    press_all(&mut app, "\x1b");
    app.update(Event::Key(KeyEvent::control('c')));
    assert_eq!(app.dialog.question, Some(Question::QuitFitting), "as q does");
    press_all(&mut app, "n\x1b");
    report(&mut app, Report::FitEnded(Err(Error::new("cut off"))));
    assert_eq!(app.dialog.question, None, "there is nothing left to cancel");
}

#[test]
fn b_takes_the_best_pass_and_needs_a_run() {
    let mut app = app();
    press_all(&mut app, "b");
    assert!(notice(&app).starts_with("no run yet"));
    fitted(&mut app, 2, StopReason::Iterations);
    press_all(&mut app, "u");
    assert_eq!(*app.editor.weights(), Weights::start());
    press_all(&mut app, "b");
    assert_eq!(app.editor.weights().setting(Key::NFwd).open[0], 3.25);
    assert_eq!(app.editor.source(), "a fit, pass 1");
}

#[test]
fn a_finished_run_is_opened_from_its_stat_and_a_wrong_name_stays_in_the_prompt() {
    let mut app = app();
    let effects = press_all(&mut app, "Htests/data/small.stat\n");
    let [Effect::OpenRun(path)] = &effects[..] else { panic!("{effects:?}") };
    let path = path.clone();
    report(&mut app, Report::RunOpened(path.clone(), Err(Error::new("cut off"))));
    let prompt = prompt(&app);
    assert_eq!((prompt.text(), prompt.error.as_deref()), (path.clone(), Some("cut off")));
    press_all(&mut app, "\x1b");
    let stat = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&path);
    let (_, run) = RunHistory::read(&stat).unwrap();
    report(&mut app, Report::RunOpened(path, Ok(Box::new(run))));
    assert_eq!(app.page, Page::RUN);
    press_all(&mut app, "0");
    press(&mut app, KeyCode::Up);
    press_all(&mut app, "\n");
    assert!(app.editor.source().ends_with("small-00.par"), "{}", app.editor.source());
}

#[test]
fn every_run_of_the_sitting_is_kept_and_the_arrows_walk_them() {
    let mut app = app();
    fitted(&mut app, 2, StopReason::Iterations);
    report(&mut app, restored());
    press_all(&mut app, "h");
    assert_eq!((app.page, app.runs.all.len()), (Page::RUN, 1), "after R");
    press_all(&mut app, "\x1b");
    fitted(&mut app, 3, StopReason::Iterations);
    press_all(&mut app, "f\x1b");
    end_fit(&mut app, StopReason::Cancelled);
    press_all(&mut app, "h");
    assert_eq!((app.runs.all.len(), app.run_history().unwrap().passes().len()), (2, 3));
    press(&mut app, KeyCode::Left);
    assert_eq!(app.run_history().unwrap().passes().len(), 2);
    press(&mut app, KeyCode::Left);
    assert!(notice(&app).contains("the first run"));
    press_all(&mut app, "b");
    assert_eq!(app.editor.source(), "a fit, pass 1");
    press_all(&mut app, "\x1bh");
    assert_eq!(app.run_history().unwrap().passes().len(), 3, "h shows the last one");
}

#[test]
fn taking_back_a_fit_takes_back_what_counts_as_changed() {
    let mut app = app();
    fitted(&mut app, 2, StopReason::Iterations);
    fitted(&mut app, 2, StopReason::Iterations);
    assert!(app.run_of_weights().is_some());
    let mut before = app.editor.weights().clone();
    while app.run_of_weights().is_some() {
        press_all(&mut app, "u");
        before = app.editor.weights().clone();
    }
    assert_eq!(before, Weights::start());
    press_all(&mut app, "h\n");
    assert!(app.run_of_weights().is_some(), "the weights of a pass were taken again");
}

#[test]
fn v_proposes_the_weights_from_before_the_fit_and_begins_a_trial() {
    let mut app = app();
    press_all(&mut app, "v");
    assert_eq!(prompt(&app).text(), "start");
    press_all(&mut app, "\x1b");
    fitted(&mut app, 2, StopReason::Iterations);
    press_all(&mut app, "v");
    assert_eq!(prompt(&app).text(), "a fit, pass 0");
    let effects = press_all(&mut app, "\n");
    let [Effect::BeginTrial(request)] = &effects[..] else { panic!("{effects:?}") };
    assert!(matches!(&request.other, OtherSet::Weights(before) if **before == Weights::start()));
    assert_eq!((&request.weights, app.page), (app.editor.weights(), Page::Trial));
    press_all(&mut app, "\x1b");
    press_all(&mut app, "\x1b");
    assert_eq!(app.dialog.question, Some(Question::GiveUpTrial));
    report(&mut app, Report::Trial(TrialReport::Ended(Ok(true))));
    assert_eq!(app.dialog.question, None, "there is nothing to give up any more");
    assert!(notice(&app).contains("v shows the result"));
    press_all(&mut app, "v");
    assert_eq!((app.page, app.trial.as_ref().unwrap().state.clone()), (Page::Trial, TrialState::Finished));
    let effects = press_all(&mut app, "vmine.par\n");
    let [Effect::BeginTrial(request)] = &effects[..] else { panic!("{effects:?}") };
    assert!(matches!(&request.other, OtherSet::File(path) if path == "mine.par"));
}

#[test]
fn a_trial_is_given_up_only_after_a_question_and_the_screen_can_be_used_meanwhile() {
    let mut app = app();
    press_all(&mut app, "v\n\x1b");
    assert_eq!(app.page, Page::Main);
    assert!(matches!(press_all(&mut app, "n")[..], [Effect::Search]));
    press_all(&mut app, "/n_fwd\ne1 1\n");
    assert!(app.editor.is_unsaved(), "weights can be changed");
    assert!(press_all(&mut app, "\x1bn").is_empty() && app.trial.as_ref().unwrap().is_running());
    assert!(press_all(&mut app, "q").is_empty() && app.dialog.question == Some(Question::GiveUpTrial));
    assert!(matches!(press_all(&mut app, "y")[..], [Effect::CancelTrial]));
    press_all(&mut app, "q");
    assert_eq!(app.dialog.question, Some(Question::QuitUnsaved));
    press_all(&mut app, "\x1b");
    report(&mut app, Report::Trial(TrialReport::Ended(Ok(false))));
    assert_eq!(app.trial.as_ref().unwrap().state, TrialState::GivenUp);
    press_all(&mut app, "v");
    assert_eq!(app.page, Page::Trial, "what it measured stays");
    press_all(&mut app, "v\n\x1b\x1b");
    assert_eq!(app.dialog.question, Some(Question::GiveUpTrial));
    assert!(matches!(press_all(&mut app, "y")[..], [Effect::CancelTrial]));
}

#[test]
fn a_trial_against_a_file_that_cannot_be_read_asks_again() {
    let mut app = app();
    press_all(&mut app, "vno.par\n");
    report(&mut app, Report::Trial(TrialReport::Ended(Err(Error::new("no.par: no such file")))));
    let prompt = prompt(&app);
    assert_eq!(
        (prompt.text(), prompt.error.as_deref()),
        ("no.par".to_string(), Some("no.par: no such file"))
    );
    assert!(app.page == Page::Main && app.trial.is_none());
}

#[test]
fn many_fits_begin_after_a_question_with_their_cost() {
    let mut app = app();
    app.options.set("every", "20").unwrap();
    app.runs.pace = Some(0.01);
    assert!(press_all(&mut app, "F").is_empty());
    let cost = "16 passes over 1568 positions, 5 min, files in stats";
    assert_eq!(app.dialog.question, Some(Question::FitMany(cost.into())));
    assert!(press_all(&mut app, "n").is_empty() && app.fit_job.is_none());
    assert!(matches!(&press_all(&mut app, "Fy")[..], [Effect::Fit(request)] if request.writes_files));
}

#[test]
fn keys_that_would_only_say_why_they_do_nothing_are_known() {
    let mut app = app();
    use Action::{FitMany, FitOnce, History, Undo};
    let idle = |app: &App| [FitOnce, FitMany, History, Undo].map(|action| !app.has_effect(action));
    assert_eq!(idle(&app), [false, false, true, true]);
    fitted(&mut app, 2, StopReason::Iterations);
    app.options.setup.spec.player = Some("anna".into());
    assert_eq!(idle(&app), [true, true, false, false]);
}

#[test]
fn the_place_of_the_last_sitting_is_offered_for_the_same_games_and_shown_by_its_key() {
    let mut app = app();
    press_all(&mut app, "g283\n");
    assert_eq!(app.place(), "game=283&move=9&set=start");
    let open = |games: &str| {
        let last_place = format!("{games} game=283&move=9&set=mine.par");
        App::new(Opening { last_place, ..testing::opening(Weights::start()) }, Theme::DARK)
    };
    let mut other = open("other games");
    assert!(other.offer().is_empty() && press_all(&mut other, "L").is_empty());
    let mut next = open(&app.browser.library.collection.tally.digest);
    assert_eq!(next.offer(), " L goes to game 283, where you were last.");
    assert!(
        matches!(&press_all(&mut next, "L")[..], [Effect::Search, Effect::Restore(path)] if path == "mine.par")
    );
    assert_eq!(next.browser.place(), app.browser.place());
}

#[test]
fn while_a_fit_runs_positions_can_be_walked_but_weights_not_changed() {
    let mut app = app();
    let effects = press_all(&mut app, "Fy");
    assert!(matches!(&effects[..], [Effect::Fit(job)] if job.writes_files));
    for key in ["e", "t", "x", "R", "f", "F", "u"] {
        assert!(press_all(&mut app, key).is_empty());
        assert!(app.dialog.prompt.is_none() && app.dialog.notice.as_ref().unwrap().is_error, "{key}");
    }
    assert!(matches!(press_all(&mut app, "n")[..], [Effect::Search]));
    assert!(press_all(&mut app, "qq").is_empty());
    assert!(matches!(press_all(&mut app, "y")[..], [Effect::Cancel, Effect::Quit]));
}

#[test]
fn a_fit_without_tuned_weights_does_not_begin() {
    let mut app = app();
    let mut weights = Weights::start();
    for &key in Key::ALL {
        weights.setting_mut(key).tune.fill(false);
    }
    app.editor = Editor::new(weights, "frozen.par".to_string(), None);
    assert!(press_all(&mut app, "f").is_empty());
    assert!(app.dialog.notice.as_ref().unwrap().is_error && app.fit_job.is_none());
}

#[test]
fn any_keys_in_any_order_do_no_harm() {
    let mut app = app();
    let mut state = 12345_u64;
    let codes: Vec<KeyCode> = keys::BINDINGS
        .iter()
        .flat_map(|binding| binding.keys)
        .map(|key| key.code)
        .chain("09-xy. ".chars().map(KeyCode::Char))
        .collect();
    for round in 0..3000 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        press(&mut app, codes[(state >> 33) as usize % codes.len()]);
        app.editor.weights().validate().unwrap();
        assert!(app.browser.position_index() < app.browser.library.collection.positions.len());
        if round % 100 == 0 {
            finish_search(&mut app);
            report(&mut app, Report::FitEnded(Err(Error::new("cut off"))));
        }
    }
}
