use std::sync::{Arc, Mutex};

use super::*;

/// A screen at a place, whose runs are written to `out`, with few positions to fit.
fn screen(place: &str, out: &Path) -> HostedScreen {
    let mut screen = HostedScreen::open(place, Ground::Dark, (142, 45)).unwrap();
    let setup = &mut screen.app.options.setup;
    setup.place.out = out.into();
    assert_eq!(setup.spec.every, 20, "unless all positions are asked for");
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
    let Some(Request::Begin { kind, job, .. }) = screen.requests().pop() else { panic!("no job") };
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
    assert!(screen.message().0.contains("the fit is cancelled"));
    press(&mut screen, "f");
    screen.failed(JobKind::Fit, "no memory");
    assert!(screen.message().0.contains("the fit failed") && screen.message().0.contains("no memory"));
    screen.reply(b"no reply");
    assert!(screen.message().0.contains("a job") && !screen.app.editor.is_unsaved());
}

#[test]
fn a_place_that_does_not_exist_and_files_that_cannot_be_read_are_errors() {
    let open = |place| HostedScreen::open(place, Ground::Light, (80, 24)).err().unwrap().to_string();
    assert!(open("game=9999").contains("expected the number of a game"));
    assert!(open("game=x").contains("its number, 1 to 868"));
    assert!(open("set=nobody").contains("nobody"));
    assert!(open("game=283&move=500").contains("a move of game 283, up to"));
    assert!(open("fen=8/8").contains("expected game, move and set in a place"));
    let folder = tempfile::tempdir().unwrap();
    let mut screen = screen("", folder.path());
    for (name, expected) in
        [("a.par", "a.par, line 1"), ("b.stat", "b.stat"), ("c.pgn", "expected at least one game")]
    {
        let path = folder.path().join(name);
        screen.receive(path.to_str().unwrap(), b"pawn = many", true).unwrap();
        assert!(screen.message().0.contains(expected), "{}", screen.message().0);
    }
}

/// Runs the job that was asked for last as a team of so many, and hands its replies to the screen.
fn run_as_team(screen: &mut HostedScreen, members: usize) {
    let Some(Request::Begin { job, is_shared: true, .. }) = screen.requests().pop() else { panic!("no job") };
    let replies = Arc::new(Mutex::new(Vec::new()));
    let send = || {
        let mailbox = Arc::clone(&replies);
        move |reply: &[u8]| mailbox.lock().unwrap().push(reply.to_vec())
    };
    let mut leader = Leader::new(&job, members, send()).unwrap();
    let mut team: Vec<Member> =
        (0..members).map(|index| Member::join(&job, [index, members], send()).unwrap()).collect();
    let mut question = leader.go_on(None);
    while let Some(asked) = question {
        let answers = team.iter_mut().map(|member| member.answer(&asked).unwrap()).collect();
        question = leader.go_on(Some(answers));
    }
    replies.lock().unwrap().iter().for_each(|reply| screen.reply(reply));
}

#[test]
fn a_team_of_any_size_writes_the_bytes_of_one_instance() {
    let written = |members: usize, objective: &str| {
        let out = tempfile::tempdir().unwrap();
        let mut screen = screen("", out.path());
        screen.app.options.setup = screen.app.options.setup.with("objective", objective).unwrap();
        press(&mut screen, "Fy");
        match members {
            0 => _ = run(&mut screen),
            members => run_as_team(&mut screen, members),
        }
        assert_eq!(screen.app.run_history().unwrap().passes().len(), 3, "{}", screen.message().0);
        let names = ["run-001-00.par", "run-001-01.par", "run-001-02.par"];
        let read = |name| std::fs::read(out.path().join(name)).unwrap();
        (names.map(read), RunHistory::read(&out.path().join("run-001.stat")).unwrap().0.reports)
    };
    for objective in ["force", "softmax"] {
        let alone = written(0, objective);
        for members in [1, 2, 5] {
            assert_eq!(written(members, objective), alone, "{members} members, {objective}");
        }
    }
}

#[test]
fn a_job_that_cannot_be_done_has_no_team() {
    let replies = Arc::new(Mutex::new(0));
    let told = Arc::clone(&replies);
    assert!(Leader::new(b"no job", 2, move |_| *told.lock().unwrap() += 1).is_none());
    assert_eq!(*replies.lock().unwrap(), 1);
    assert!(Member::join(b"no job", [0, 2], |_| ()).is_err());
}

/// Searches all that is shown.
fn search(screen: &mut HostedScreen) -> serde_json::Value {
    while screen.has_more() && !screen.app.browser.is_fresh() {
        screen.idle();
    }
    screen.exhibit()
}

#[test]
fn the_buttons_of_the_story_lead_from_fischers_move_to_the_top_and_to_the_shipped_run() {
    let out = tempfile::tempdir().unwrap();
    let mut screen = HostedScreen::open("", Ground::Dark, (142, 45)).unwrap();
    screen.app.options.setup.place.out = out.path().into();
    let shown = search(&mut screen);
    assert!(shown["position"]["question"].as_str().unwrap().contains("9.exd5, by 0.02 pawns"), "{shown}");
    let board = shown["position"]["board"].as_str().unwrap();
    assert!(["arrow played", "arrow after"].iter().all(|part| board.contains(part)));
    assert!(board.contains("White Ra1 Nb1") && !board.contains("arrow before"));
    let mut steps = Vec::new();
    while let Some(key) = screen.exhibit()["story"].as_object().map(|story| story["key"].clone()) {
        let shown = search(&mut screen);
        steps.push(shown["story"]["number"][0].as_u64().unwrap());
        match key.as_str() {
            Some(key) => screen.act(&format!("press {key}")),
            None => {
                assert!(shown["fit"]["text"].as_str().unwrap().contains("Reading the games"), "{shown}");
                run_as_team(&mut screen, 2);
                let shown = search(&mut screen);
                let top = &shown["position"]["moves"][0];
                assert_eq!((top["name"].as_str(), top["isPlayed"].as_bool()), (Some("cxd5"), Some(true)));
                assert_eq!(shown["run"]["ranks"].as_array().unwrap().len(), 3);
                let board = shown["position"]["board"].as_str().unwrap();
                assert!(["arrow played", "\"lit\""].iter().all(|part| board.contains(part)));
            }
        }
        assert!(steps.len() < 10, "{steps:?}");
    }
    assert_eq!(steps, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_control_moves_the_bars_and_all_of_its_way_is_one_change() {
    let mut screen = HostedScreen::open("game=283&move=9", Ground::Dark, (142, 45)).unwrap();
    let before = search(&mut screen);
    assert_eq!(
        before["position"]["controls"].as_array().unwrap().len(),
        5,
        "{}",
        before["position"]["terms"]
    );
    let control = before["position"]["controls"][0].clone();
    let name = control["name"].as_str().unwrap();
    for weight in ["1", "2.5", "-60"] {
        screen.act(&format!("weight {name} {weight}"));
    }
    let shown = search(&mut screen);
    assert_eq!(
        (&shown["position"]["controls"][0]["value"], shown["isUnsaved"].as_bool()),
        (&(-60.0).into(), Some(true))
    );
    assert_ne!(shown["position"]["moves"], before["position"]["moves"]);
    screen.act("press u");
    let after = search(&mut screen);
    assert_eq!(
        (&after["position"]["moves"], &after["position"]["controls"]),
        (&before["position"]["moves"], &before["position"]["controls"])
    );
    screen.act("weight none 1");
    screen.act("weight cand.o much");
    screen.act("weight cand.o 1e9");
    assert!(screen.message().1, "{}", screen.message().0);
    assert_eq!(search(&mut screen)["position"]["moves"], before["position"]["moves"]);
    // Other weights may lack a term that has a control.
    let mut screen = HostedScreen::open("game=283&move=9&set=best", Ground::Dark, (142, 45)).unwrap();
    let before = search(&mut screen)["position"]["controls"].clone();
    screen.take(Event::Report(worker::carry_out(Effect::Restore("start".to_string())).unwrap()));
    assert!(search(&mut screen)["position"]["controls"].as_array().unwrap().len() < 5);
    let refused = before.as_array().unwrap().iter().filter(|control| {
        screen.act(&format!("weight {} 1", control["name"].as_str().unwrap()));
        screen.message().0.contains("which is off")
    });
    assert!(refused.count() > 0, "{before}");
}

#[test]
fn games_are_found_by_words_and_own_games_by_their_players() {
    let mut screen = screen("game=283&move=9", Path::new("unused"));
    screen.act("game fischer 1962");
    let first = screen.place();
    screen.act("game fischer 1962");
    assert!(screen.place() != first && screen.exhibit()["title"].as_str().unwrap().contains("Fischer"));
    screen.act("game 283");
    assert!(screen.place().starts_with("game=283&"));
    screen.act("game nobody at all");
    assert!(screen.message().1);
    screen.act("game 1962");
    assert!(screen.exhibit()["title"].as_str().unwrap().contains("1962"), "{}", screen.message().0);
    let game = |white: &str, black: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 {result}\n\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.pgn");
    let games = game("Anna", "Bob", "1-0") + &game("Carl", "Anna", "1-0");
    screen.receive(path.to_str().unwrap(), games.as_bytes(), true).unwrap();
    let shown = screen.exhibit();
    assert_eq!(
        (&shown["players"]["names"][0], &shown["players"]["chosen"]),
        (&serde_json::json!(["Anna", 2]), &serde_json::Value::Null),
        "{}",
        screen.message().0
    );
    // What the user has set stays while the games do.
    assert_eq!(screen.app.options.setup.spec.every, 1);
    screen.app.options.setup = screen.app.options.setup.with("every", "3").unwrap();
    screen.act("player Anna");
    assert_eq!(screen.exhibit()["players"]["chosen"], "Anna");
    assert_eq!(
        (screen.app.options.setup.spec.every, &screen.exhibit()["seconds"]),
        (3, &serde_json::Value::Null)
    );
    screen.paste("no position".to_string());
    assert!(screen.message().1);
    screen.act("game 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let shown = search(&mut screen);
    assert_eq!(
        (&shown["title"], &shown["position"]["moves"][0]["text"]),
        (&"A position of your own".into(), &"mates in 1".into())
    );
    assert_eq!(
        (&shown["position"]["terms"], shown["position"]["pair"].as_str().unwrap().contains("pawns")),
        (&serde_json::json!([]), false)
    );
    screen.act("press n");
    assert!(!screen.app.browser.is_typed());
    screen.act("games");
    assert!(screen.exhibit()["players"].is_null());
    // What cannot be read is said, and hides nothing that blocks the page.
    screen.receive(folder.path().join("a.par").to_str().unwrap(), b"pawn = many", true).unwrap();
    assert!(screen.message().0.contains("a.par, line 1") && screen.app.dialog.prompt.is_none());
}
