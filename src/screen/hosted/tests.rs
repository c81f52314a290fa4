use std::sync::{Arc, Mutex};

use super::*;

/// A screen at a place, whose runs are written to `out`, with few positions to fit.
fn screen(place: &str, out: &Path) -> HostedScreen {
    let mut screen = HostedScreen::open(place, Ground::Dark, (142, 45)).unwrap();
    let setup = &mut screen.app.options.setup;
    setup.place.out = out.into();
    for (name, text) in [("depth", "1"), ("every", "100"), ("min-support", "1"), ("iterations", "2")] {
        *setup = setup.with(name, text).unwrap();
    }
    screen
}

fn press(screen: &mut HostedScreen, keys: &str) {
    for key in keys.chars() {
        let code = if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) };
        screen.press(KeyEvent::plain(code));
    }
}

/// Runs the job that was asked for last, and hands its replies to the screen. Returns the kind.
fn run(screen: &mut HostedScreen) -> JobKind {
    let Some(Request::Begin(kind, job)) = screen.requests().pop() else { panic!("no job") };
    let replies = Arc::new(Mutex::new(Vec::new()));
    let mailbox = Arc::clone(&replies);
    run_job(&job, move |reply| mailbox.lock().unwrap().push(reply.to_vec()));
    replies.lock().unwrap().iter().for_each(|reply| screen.reply(reply));
    kind
}

fn shown(screen: &mut HostedScreen) -> String {
    screen.buffer().content.iter().map(ratatui::buffer::Cell::symbol).collect()
}

#[test]
fn a_run_in_another_instance_has_its_files_and_its_page() {
    let out = tempfile::tempdir().unwrap();
    let mut screen = screen("", out.path());
    press(&mut screen, "Fy");
    assert_eq!(run(&mut screen), JobKind::Fit);
    let run = screen.app.run_history().unwrap();
    assert_eq!(run.passes().len(), 3);
    assert!(run.estimates.iter().any(|(_, estimate)| estimate.standard_error.is_some()));
    let (record, _) = RunHistory::read(&out.path().join("run-001.stat")).unwrap();
    assert!(record.reports.len() == 3 && record.is_finished());
    assert!(shown(&mut screen).contains("run-001.stat"));
    assert!(screen.files().iter().any(|name| name.ends_with("run-001-02.par")));
}

#[test]
fn a_single_fit_leaves_no_file_of_a_run() {
    let out = tempfile::tempdir().unwrap();
    let mut screen = screen("game=283&move=9&set=best", out.path());
    assert_eq!(screen.place(), "game=283&move=9&set=best");
    press(&mut screen, "f");
    run(&mut screen);
    assert_eq!(screen.app.run_history().unwrap().passes().len(), 2);
    assert!(screen.app.editor.is_unsaved() && !out.path().join("run-001.stat").exists());
    assert_eq!(screen.place(), "game=283&move=9");
}

#[test]
fn a_fit_that_is_cancelled_or_whose_instance_dies_leaves_the_weights() {
    let out = tempfile::tempdir().unwrap();
    let mut screen = screen("", out.path());
    press(&mut screen, "Fy");
    screen.press(KeyEvent::plain(KeyCode::Esc));
    screen.press(KeyEvent::plain(KeyCode::Esc));
    press(&mut screen, "y");
    assert!(screen.requests().contains(&Request::End(JobKind::Fit)));
    assert!(screen.message().contains("the fit is cancelled"));
    press(&mut screen, "f");
    screen.failed(JobKind::Fit, "no memory");
    assert!(screen.message().contains("the fit failed") && screen.message().contains("no memory"));
    screen.reply(b"no reply");
    assert!(screen.message().contains("a job") && !screen.app.editor.is_unsaved());
}

#[test]
fn a_place_that_does_not_exist_and_files_that_cannot_be_read_are_errors() {
    let open = |place| HostedScreen::open(place, Ground::Light, (80, 24)).err().unwrap().to_string();
    assert!(open("game=9999").contains("expected the number of a game"));
    assert!(open("game=x").contains("its number, 1 to 868"));
    assert!(open("set=nobody").contains("nobody"));
    let folder = tempfile::tempdir().unwrap();
    let mut screen = screen("", folder.path());
    for (name, expected) in
        [("a.par", "a.par, line 1"), ("b.stat", "b.stat"), ("c.pgn", "expected at least one game")]
    {
        let path = folder.path().join(name);
        screen.receive(path.to_str().unwrap(), b"pawn = many", true).unwrap();
        assert!(shown(&mut screen).contains(expected), "{}", shown(&mut screen));
        screen.press(KeyEvent::plain(KeyCode::Esc));
    }
}
