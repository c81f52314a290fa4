//! Whole screens as they are drawn.

use ratatui::{Terminal, backend::TestBackend};
use texam_fit::{ParameterReport, Reason, StopReason};

use crate::{
    feature::Weights,
    tui::{
        app::{App, Comparison, Event, Progress, Report, Tally, tests::fitted},
        testing::{app, finish_search, press_all},
        theme::Theme,
        view,
    },
};

fn lines(app: &mut App, width: u16, height: u16) -> Vec<String> {
    app.update(Event::Resize(width, height));
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view::draw(frame.buffer_mut(), app)).unwrap();
    let cells = terminal.backend().buffer().content();
    let line =
        |cells: &[ratatui::buffer::Cell]| cells.iter().map(ratatui::buffer::Cell::symbol).collect::<String>();
    cells.chunks(usize::from(width)).map(|cells| line(cells).trim_end().to_string()).collect()
}

fn screen(app: &mut App, width: u16, height: u16) -> String {
    lines(app, width, height).join("\n")
}

#[test]
fn the_screen_of_142_by_40_shows_everything() {
    insta::assert_snapshot!(screen(&mut app(), 142, 40));
}

#[test]
fn a_larger_screen_uses_its_room() {
    let mut app = app();
    press_all(&mut app, " \t");
    insta::assert_snapshot!(screen(&mut app, 200, 50));
}

#[test]
fn a_small_screen_has_pages() {
    let mut app = app();
    let mut pages = screen(&mut app, 80, 24);
    for _ in 0..3 {
        press_all(&mut app, "]");
        pages += "\n\n";
        pages += &screen(&mut app, 80, 24);
    }
    insta::assert_snapshot!(pages);
}

#[test]
fn plain_ascii_is_enough() {
    let mut app = app();
    app.set_theme(Theme { colour: false, ascii: true });
    for keys in ["", " \t", "\x1bm", "\x1b?", "\x1bo", "\x1b/n_cen\n\n"] {
        press_all(&mut app, keys);
        let screen = screen(&mut app, 142, 40);
        assert!(screen.is_ascii(), "{screen}");
    }
    press_all(&mut app, "\x1b\t");
    insta::assert_snapshot!(screen(&mut app, 142, 40));
}

#[test]
fn a_fit_is_seen_running_and_what_it_changed_afterwards() {
    let mut running = app();
    press_all(&mut running, "F");
    running.update(Event::Report(Report::Progress(Progress {
        pass: 1,
        fits: 15,
        searched: 12_000,
        positions: 31_353,
        counted: 11_900,
        matched: 4_700,
        seconds: 12.0,
    })));
    let text = screen(&mut running, 142, 40);
    assert!(text.contains("fits: pass 1 of 15, match so far 39.5 %, 7:38 left"), "{text}");

    let mut done = app();
    fitted(&mut done, 2, StopReason::Iterations);
    finish_search(&mut done);
    press_all(&mut done, "/n_fwd\n");
    let text = screen(&mut done, 200, 50);
    assert!(text.contains("n_fwd      ~ 3.25     1"), "{text}");
    assert!(text.contains("n_fwd.o 2 to 3.25 ± 0.50"), "{text}");
    assert!(text.contains(" +1.25  0.50"), "{text}");
    press_all(&mut done, "h");
    insta::assert_snapshot!(screen(&mut done, 142, 40));
}

#[test]
fn help_lists_every_key_of_the_table_on_every_screen() {
    for (width, height) in [(80, 24), (142, 40), (200, 50)] {
        let mut app = app();
        press_all(&mut app, "?");
        let mut seen = String::new();
        for _ in 0..10 {
            seen += &screen(&mut app, width, height);
            press_all(&mut app, "]");
        }
        for binding in crate::tui::keys::BINDINGS {
            let start: String = binding.help.chars().take(40).collect();
            assert!(seen.contains(binding.name) && seen.contains(&start), "{}", binding.name);
        }
    }
}

#[test]
fn the_way_up_a_page_begins_at_once_however_often_its_end_was_passed() {
    let mut app = app();
    fitted(&mut app, 2, StopReason::Iterations);
    for (width, height) in [(80, 24), (142, 40)] {
        app.update(Event::Resize(width, height));
        for page in ["?", "h"] {
            press_all(&mut app, page);
            press_all(&mut app, &"]".repeat(20));
            app.limit_scroll(view::last_top(&app));
            let end = screen(&mut app, width, height);
            press_all(&mut app, "]");
            assert_eq!(screen(&mut app, width, height), end);
            app.limit_scroll(view::last_top(&app));
            press_all(&mut app, "[");
            let is_short = view::last_top(&app) == 0;
            assert_eq!(screen(&mut app, width, height) == end, is_short, "{page}\n{end}");
            press_all(&mut app, "\x1b");
        }
    }
}

#[test]
fn an_error_is_shown_in_full_on_a_small_screen() {
    let mut app = app();
    let error = crate::error::Error::expected("a very long first line ".repeat(4), "x".repeat(30));
    app.update(Event::Report(Report::Restored("bad.par".into(), Err(error))));
    let text = screen(&mut app, 80, 24);
    assert!(text.contains("expected a very long") && text.contains("; nothing was"), "{text}");
    assert!(text.contains("restore weights from: bad.par"), "{text}");
}

#[test]
fn a_small_screen_says_whether_the_weights_are_saved() {
    let mut app = app();
    press_all(&mut app, "/n_fwd\nt");
    assert!(screen(&mut app, 80, 24).contains("weights params/start.par (not saved)"));
}

#[test]
fn two_sets_stand_side_by_side() {
    let mut app = app();
    let comparison = Comparison {
        path: "params/material.par".to_string(),
        other: Weights::material_only(),
        note: Some("a.par: no line for b_pair; it takes its start weights".to_string()),
        game: String::new(),
        tallies: [
            Tally { positions: 32, matched: 14, ahead: 60 },
            Tally { positions: 32, matched: 5, ahead: 160 },
        ],
        only: [10, 1],
    };
    app.update(Event::Report(Report::Compared(comparison.path.clone(), Ok(Box::new(comparison)))));
    let text = screen(&mut app, 142, 40);
    assert!(text.contains("match 14 of 32, mean rank 1.88, 10 of them alone"), "{text}");
    assert!(text.contains("b_pair") && !text.contains("mat_q"), "{text}");
    assert!(text.contains("a.par: no line for b_pair; it takes its start weights"), "{text}");
}

#[test]
fn the_options_and_the_cells_of_a_table_have_pages() {
    let mut app = app();
    press_all(&mut app, "o");
    insta::assert_snapshot!("options", screen(&mut app, 142, 40));
    press_all(&mut app, "\x1b/pass\n\nx");
    insta::assert_snapshot!("cells", screen(&mut app, 100, 30));
}

#[test]
fn a_cell_that_the_last_fit_kept_for_want_of_positions_is_marked() {
    let mut app = app();
    press_all(&mut app, "/pass\n\nx\x1b");
    fitted(&mut app, 2, StopReason::Iterations);
    let report = app.finished_run().unwrap().reports()[0].1.clone();
    let kept = ParameterReport {
        name: "pass[r6].e".to_string(),
        frozen: Some(Reason::TooFewPositions(3)),
        ..report
    };
    app.add_report(kept);
    press_all(&mut app, "/pass\n\n");
    let text = screen(&mut app, 142, 40);
    assert!(text.contains("52/120?") && !text.contains("26/64?"), "{text}");
}

#[test]
fn a_screen_that_is_too_small_says_in_a_line_what_is_needed() {
    let text = screen(&mut app(), 70, 20);
    assert_eq!(text.trim_end(), "texam needs 80 x 24, and this is 70 x 20");
}

#[test]
fn every_page_can_be_drawn_on_every_size() {
    let mut app = app();
    fitted(&mut app, 2, StopReason::Iterations);
    finish_search(&mut app);
    for keys in ["", "m", "\x1bo", "\x1bh", "]", "\x1b?", "\x1b\n", "\x1b/p_adv\n\n", "x", "\x1bSlong name"] {
        press_all(&mut app, keys);
        for (width, height) in [
            (1, 1),
            (79, 24),
            (80, 23),
            (80, 24),
            (100, 24),
            (119, 30),
            (141, 40),
            (142, 39),
            (143, 41),
            (300, 100),
        ] {
            lines(&mut app, width, height);
        }
    }
}
