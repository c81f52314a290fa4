//! Whole screens as they are drawn.

use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, layout::Rect};
use texam_fit::{Reason, StopReason};

use crate::{
    feature::{Ends, Key},
    game,
    run::stat::testing::shipped_record,
    screen::{
        Opening,
        app::{
            App, Effect, Estimate, Event, FolderListing, Progress, Report, Tour, TrialReport,
            tests::{finish_fit, fitted},
        },
        keys::{KeyCode, MouseAction, MouseEvent},
        layout::{self, Slot},
        testing::{self, app_with, finish_search, fixed_weights, press, press_all},
        theme::{self, Ground, Theme},
        update,
        view::{self, Page, pen},
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

/// The smallest screen on which everything is on one page.
fn on_whole(app: &mut App) -> String {
    let (width, height) = layout::whole();
    screen(app, width, height)
}

/// A screen under weights that do not depend on features added later.
fn app() -> App {
    app_with(fixed_weights())
}

/// What is drawn of the games of a text, of which one player's moves are choices.
fn screen_of(pgn: &'static str, player: &str) -> String {
    let games = game::Games::from_reader(pgn.as_bytes(), "me.pgn").unwrap();
    let options = game::GameOptions { skip_moves: 0, player: Some(player.to_string()), ..Default::default() };
    let mut app = app();
    app.update(Event::Report(Report::GamesRead(
        Box::default(),
        game::collect(games, &options, 1, &mut |error| panic!("{error}")).map(Box::new),
    )));
    screen(&mut app, 142, 40)
}

#[test]
fn a_game_of_a_player_shows_its_result_who_won_and_its_address() {
    let pgn = "[Event \"Blitz\"]\n[Site \"https://example.org/abc\"]\n[White \"Anna\"]\n[Black \"Bo\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
               [Site \"example.org\"]\n[White \"Bo\"]\n[Black \"Anna\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n";
    let lost = screen_of(pgn, "anna");
    for text in ["0-1: position 1 of 2", "Black  Bo wins", "Blitz, https://example.org/abc"] {
        assert!(lost.contains(text), "{text} in {lost}");
    }
    assert!(!lost.contains("Anna wins"));
}

#[test]
fn a_position_without_a_game_has_no_played_move() {
    let mut app = app();
    app.show_typed("4k3/8/8/3p4/4N3/8/8/4K3 b - - 0 30").unwrap();
    finish_search(&mut app);
    let shown = screen(&mut app, 142, 40);
    assert!(shown.contains("A position, Black to move") && shown.contains("En "), "{shown}");
    for text in ["E0 ", "Game ", "match 0", "wins"] {
        assert!(!shown.contains(text), "{text} in {shown}");
    }
}

/// The lines above the columns of parameters on the smallest whole screen: the title, the board with its
/// files, the line of moves.
const LINES_ABOVE: usize = 11;

/// The line with the titles above each column of parameters.
const HEAD_LINES: usize = 1;

/// The lines below the columns: the meaning, the message and the keys.
const FOOT_LINES: usize = 3;

/// Parameters of each kind: frozen, tuned, with one weight for both phases, a gradient, with an opening
/// weight only, and some that occur or decide in the first position.
const SHOWN: &str = "mat_p mat_q b_pair trade_pc tempo n_cen n_undev b_cen b_undev n_trop pass_rook_x pass pass_run sh \
                     sh_ctr storm b_trap min_blk";

/// Checks that each column of parameters has its head, and each parameter its line there, with its opening
/// weight, and each group its title. Returns the lines of the parameters in [`SHOWN`], each cut to the width
/// of its column.
fn check_columns(app: &App, lines: &[String], columns: &[Vec<Slot>], head: usize) -> String {
    let width = usize::from(app.display.size.0) / app.grid().across;
    let text = |line: usize, column: usize| -> String {
        lines[line].chars().skip(column * width).take(width).collect::<String>().trim_end().to_string()
    };
    let mut shown = String::new();
    for (at, column) in columns.iter().enumerate() {
        assert_eq!(text(head, at), text(head, 0), "{lines:#?}");
        for (line, slot) in column.iter().enumerate() {
            let text = text(head + HEAD_LINES + line, at);
            let named = text.chars().skip(1).collect::<String>();
            match slot {
                Slot::Title(group) => {
                    let rule = named.strip_prefix(&format!("{} ", group.name())).unwrap_or(&text);
                    assert!(rule.chars().all(|c| c == '─' || c == '-'), "{group:?}: {text}");
                }
                Slot::Key(key) => {
                    let rest = named.strip_prefix(key.feature().key).unwrap_or("x");
                    assert!(rest.starts_with([' ', '[']), "{key:?}: {text}");
                    let weight: String = text.chars().skip(13).take(5).collect();
                    let expected = app.editor.weights().setting(*key).open[0];
                    assert_eq!(weight.trim().parse(), Ok(expected), "{key:?}: {text}");
                    if SHOWN.split(' ').any(|name| name == key.feature().key) {
                        shown += &format!("{text}\n");
                    }
                }
            }
        }
    }
    shown
}

/// A screen on which everything is on one page: the lines above the columns, some of the columns, the lines
/// below.
fn whole_screen(app: &mut App, (width, height): (u16, u16)) -> String {
    let lines = lines(app, width, height);
    let grid = app.grid();
    assert_eq!(grid.pages, 0);
    let (_, whole_height) = layout::whole();
    let head = usize::from(height - whole_height) + LINES_ABOVE;
    let keys = check_columns(app, &lines, &grid.columns, head);
    let longest = grid.columns.iter().map(Vec::len).max().unwrap();
    assert_eq!(head + HEAD_LINES + longest + FOOT_LINES, lines.len());
    let foot = lines.len() - FOOT_LINES;
    format!("{}\n\nsome parameters:\n{keys}\n{}", lines[..=head].join("\n"), lines[foot..].join("\n"))
}

#[test]
fn the_smallest_whole_screen_shows_everything() {
    insta::assert_snapshot!(whole_screen(&mut app(), layout::whole()));
}

#[test]
fn a_larger_screen_uses_its_room() {
    let mut app = app();
    press_all(&mut app, " \t");
    let (_, height) = layout::whole();
    insta::assert_snapshot!(whole_screen(&mut app, (200, height + 10)));
}

#[test]
fn a_small_screen_has_pages() {
    let mut app = app();
    let mut lines = lines(&mut app, 80, 24);
    let grid = app.grid();
    let count = grid.pages + 1;
    let title = |page: usize| format!(" texam  games/gm1988.pgn  page {page} of {count} ");
    assert!(lines[0].starts_with(&title(1)), "{}", lines[0]);
    lines[0] = lines[0].replace(&format!("of {count}"), "of N");
    let (mut shown, mut foot) = (lines.join("\n"), String::new());
    shown += "\n\nsome parameters:\n";
    for page in 0..grid.pages {
        press_all(&mut app, "]");
        let lines = self::lines(&mut app, 80, 24);
        assert!(lines[0].starts_with(&title(page + 2)), "{}", lines[0]);
        let first = grid.first_of_page(page).feature();
        let meaning = &lines[lines.len() - FOOT_LINES];
        let first_word = first.meaning.split([' ', ';', ',']).next().unwrap();
        assert!(meaning.starts_with(&format!(" {}: {first_word}", first.key)), "{meaning}");
        shown += &check_columns(&app, &lines, grid.page(page), 1);
        if page == 0 {
            foot = format!("{}\n\n{}", lines[1], lines[lines.len() - FOOT_LINES..].join("\n"));
        }
    }
    insta::assert_snapshot!(format!("{shown}\n{foot}"));
}

#[test]
fn plain_ascii_is_enough() {
    let mut app = app();
    app.display.theme = Theme { ground: None, ascii: true };
    for keys in ["", " \t", "\x1bm", "\x1b?", "\x1bo", "\x1b/n_cen\n\n"] {
        press_all(&mut app, keys);
        let screen = on_whole(&mut app);
        assert!(screen.is_ascii(), "{screen}");
    }
    press_all(&mut app, "\x1b\t");
    insta::assert_snapshot!(whole_screen(&mut app, layout::whole()));
}

#[test]
fn a_fit_is_seen_running_and_what_it_changed_afterwards() {
    let mut running = app();
    press_all(&mut running, "Fy");
    running.update(Event::Report(Report::Progress(Progress {
        pass: 1,
        fits: 15,
        group: [0; 2],
        searched: 12_000,
        positions: 31_353,
        seconds: 12.0,
    })));
    let text = screen(&mut running, 142, 40);
    assert!(text.contains("The run continues: measuring, pass 1 of 15"), "{text}");
    assert!(text.contains("16 passes over 31353 positions are to be made"), "{text}");
    assert!(text.contains("fits: pass 1 of 15, 12000 of 31353 positions, 7:38 left"), "{text}");

    let mut done = app();
    fitted(&mut done, 2, StopReason::Iterations);
    finish_search(&mut done);
    press_all(&mut done, "/n_fwd\n");
    let text = screen(&mut done, 200, layout::whole().1 + 10);
    assert!(text.contains("n_fwd      ~  3.2   1  "), "{text}");
    assert!(text.contains("n_fwd.o 2 to 3.25 (tuned)"), "{text}");
    press_all(&mut done, "h");
    insta::assert_snapshot!(screen(&mut done, 142, 40));
}

/// The shipped run, as it is opened from its file.
fn app_with_run() -> App {
    let mut app = app();
    open_run(&mut app, &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("stats/gm1988.stat"));
    app
}

fn open_run(app: &mut App, path: &std::path::Path) {
    let (_, run) = crate::screen::app::RunHistory::read(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    app.update(Event::Report(Report::RunOpened(format!("stats/{name}"), Ok(Box::new(run)))));
}

#[test]
fn a_run_from_its_file_is_on_one_page_or_in_four_parts() {
    let cut = |text: String| text.lines().skip(2).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("run_whole", cut(screen(&mut app_with_run(), 142, 40)));
    let mut app = app_with_run();
    let mut parts = Vec::new();
    for _ in 0..4 {
        parts.push(cut(screen(&mut app, 80, 24)));
        press_all(&mut app, "]");
    }
    insta::assert_snapshot!("run_parts", parts.join("\n\n"));
}

#[test]
fn a_run_that_was_measured_in_stored_trees_says_so() {
    let mut app = app_with_run();
    assert!(!screen(&mut app, 142, 40).contains("stored trees"));
    let mut record = shipped_record();
    let trees = record.header.options.iter_mut().find(|(name, _)| name == "trees").unwrap();
    trees.1 = "on".to_string();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walked.json");
    std::fs::write(&path, record.to_json().unwrap()).unwrap();
    open_run(&mut app, &path);
    assert!(screen(&mut app, 142, 40).contains("finished, measured in stored trees"));
}

#[test]
fn the_moves_of_the_game_stand_around_the_position_and_all_of_them_on_a_large_screen() {
    let mut app = app();
    let text = screen(&mut app, 142, 40);
    assert!(text.contains("8...Be6 9.Qe2 [Nc5] 10.Rd1 Nxb3"), "{text}");
    assert!(text.contains("<♕>") && text.contains("< >"), "the queen has come from d1: {text}");
    let text = screen(&mut app, 220, 60);
    assert!(text.contains("1.e4 e5 2.Nf3 Nc6") && text.contains("40.Rxf7+ Kb6 41.f4"), "{text}");
}

#[test]
fn help_lists_every_key_of_the_table_on_every_screen() {
    for (width, height) in [layout::SMALLEST, (80, 24), layout::whole(), (200, 50)] {
        let mut app = app();
        press_all(&mut app, "?");
        let mut seen = String::new();
        for _ in 0..crate::screen::keys::BINDINGS.len() {
            seen += &screen(&mut app, width, height);
            press(&mut app, KeyCode::Down);
        }
        for binding in crate::screen::keys::BINDINGS {
            let start: String = binding.help.chars().take(20).collect();
            assert!(seen.contains(binding.name) && seen.contains(&start), "{}", binding.name);
        }
    }
}

/// The lines of the whole help.
fn whole_help(app: &mut App) -> Vec<String> {
    press_all(app, "?");
    let mut seen: Vec<String> = Vec::new();
    let count = app.finder.as_ref().unwrap().found.len();
    for _ in 0..count {
        let body = lines(app, 142, 40);
        seen.extend(body[1..body.len() - 3].iter().cloned());
        press(app, KeyCode::Down);
    }
    press_all(app, "\x1b");
    seen
}

#[test]
fn the_help_has_a_title_and_chapters_of_keys_of_signs_and_of_words() {
    let help = whole_help(&mut app());
    assert_eq!(help[0].trim(), "Help: keys and signs");
    for title in [" Fits", " Signs", " Words"] {
        assert!(help.iter().any(|line| line == title), "{title}");
    }
}

/// Heads of columns, signs and abbreviations of all pages.
#[rustfmt::skip]
const TO_BE_EXPLAINED: [&str; 52] = [
    "Ex", "E0", "En", "E1", "rank", "in, out", "Line", "Leaf", "Match", "Phase", "open", "end", "same", "n ", "material",
    "others", "count", "[ ]", "( )", "[]", "[32]", "=", "~", "?", "▲", "▼", "▶", "✓", "✗", "±", " + ", ".o", ".e", "s.e.",
    "Pass", "Fitted", "held out", "Mean rank", "Spread", "Gain", "change", "best", "ahead", "Support", "over all passes", "moves", "step s.e.",
    "misses", "largest", "no clear difference", "< >", "Ridge",
];

#[test]
fn every_head_sign_and_abbreviation_of_the_screen_is_explained_in_the_help() {
    let mut app = app();
    let help = whole_help(&mut app);
    let title = help.iter().position(|line| line == " Signs").unwrap();
    let words = help[title..].join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    for word in TO_BE_EXPLAINED {
        assert!(words.contains(word), "{word:?} is not in the help");
    }
    for _ in 0..4 {
        let main = lines(&mut app, 142, 40);
        let head = main.iter().find(|line| line.contains("open   end")).unwrap();
        for word in head.split_whitespace().flat_map(|word| word.split('-')) {
            assert!(words.contains(word), "{word:?} is not in the help");
        }
        press_all(&mut app, "c");
    }
}

#[test]
fn the_foot_names_the_keys_that_matter_most_first() {
    let mut app = app();
    let foot = |app: &mut App, width: u16, height: u16| lines(app, width, height).pop().unwrap();
    let first = " space next move  n position  N game  g go to  ? help  ";
    assert!(foot(&mut app, 142, 40).starts_with(&format!("{first}f fit  q quit  ")));
    assert!(foot(&mut app, 80, 24).starts_with(&format!("{first}PgUp PgDn page  f fit")));
    for page in ["m", "?", "o"] {
        press_all(&mut app, page);
        assert!(foot(&mut app, 80, 24).contains("PgUp PgDn"), "{page}");
        press_all(&mut app, "\x1b");
    }
}

/// Does something with the mouse where a text begins.
fn use_mouse(app: &mut App, does: MouseAction, text: &str) -> Vec<Effect> {
    let (width, height) = app.display.size;
    let lines = lines(app, width, height);
    let found = lines.iter().enumerate().find_map(|(line, letters)| Some((line, letters.find(text)?)));
    let (line, at) = found.unwrap_or_else(|| panic!("{text} is not on the screen"));
    let column = lines[line][..at].chars().count() as u16;
    update(app, Event::Mouse(MouseEvent { does, column, line: line as u16 }))
}

#[test]
fn a_click_chooses_a_move_or_a_weight_and_presses_a_key_and_the_wheel_walks() {
    let app = &mut app();
    app.resize((142, 40));
    let moves = app.browser.analysis().unwrap().moves.clone();
    let shown = |app: &App| app.browser.move_index(app.browser.analysis().unwrap());
    let third = format!("{:>4} {:<8}", moves[3].rank, moves[3].name);
    use_mouse(app, MouseAction::Click, &third);
    assert_eq!(shown(app), 3);
    use_mouse(app, MouseAction::WheelDown, &third);
    assert_eq!(shown(app), 4);
    use_mouse(app, MouseAction::WheelUp, &third);
    assert_eq!(shown(app), 3);
    use_mouse(app, MouseAction::Click, "r_fwd  ");
    assert_eq!((app.editor.cursor(), app.page), (Key::RFwd, Page::Main));
    use_mouse(app, MouseAction::WheelDown, "r_fwd  ");
    assert_eq!(app.editor.cursor(), Key::QCen);
    use_mouse(app, MouseAction::Click, "q_cen  ");
    assert!(matches!(app.page, Page::Cells { .. }));
    use_mouse(app, MouseAction::Click, "esc leave");
    assert_eq!(app.page, Page::Main);
    use_mouse(app, MouseAction::Click, "? help");
    let line = |app: &App| app.finder.as_ref().unwrap().chosen;
    assert_eq!((app.page, line(app)), (Page::Help, Some(0)));
    use_mouse(app, MouseAction::WheelDown, "Help");
    assert_eq!(line(app), Some(1));
    use_mouse(app, MouseAction::Click, "the winner's previous position");
    assert_eq!(line(app), Some(3));
    press_all(app, "\x1b");
    use_mouse(app, MouseAction::Click, "10.Rd1");
    assert_eq!(app.browser.place().ply, 18);
    use_mouse(app, MouseAction::Click, "g go to");
    use_mouse(app, MouseAction::Click, "   12  ");
    use_mouse(app, MouseAction::Click, "   12  ");
    assert_eq!((app.page, app.browser.place().game), (Page::Main, 11));
    finish_search(app);
    use_mouse(app, MouseAction::Click, " 4 ");
    press_all(app, "o");
    use_mouse(app, MouseAction::Click, " iterations");
    use_mouse(app, MouseAction::Click, " iterations");
    assert_eq!(app.dialog.prompt.as_ref().unwrap().text(), "15");
    press_all(app, "\x1b\x1b/pass");
    use_mouse(app, MouseAction::Click, "pass_sup    passed pawns");
    assert_eq!((app.editor.cursor(), app.dialog.prompt.is_none()), (Key::PassSup, true));
    press_all(app, "?");
    // A name that stands for several keys, an empty place, and what lies under a prompt do nothing.
    use_mouse(app, MouseAction::Click, "up down PgUp PgDn choose");
    assert_eq!(line(app), Some(0));
    press_all(app, "\x1bS");
    use_mouse(app, MouseAction::Click, "n_rim");
    assert_eq!(app.editor.cursor(), Key::PassSup);
    use_mouse(app, MouseAction::Click, "esc leave");
    assert!(app.dialog.prompt.is_none());
}

#[test]
fn the_look_of_1988_has_the_board_the_values_the_weights_and_the_keys_that_the_record_names() {
    let opening = Opening { is_1988: true, ..testing::opening(testing::fixed_weights()) };
    let mut app = App::new(opening, Theme { ground: None, ascii: true });
    testing::finish_search(&mut app);
    let text = screen(&mut app, 142, 40);
    assert!(text.is_ascii() && !text.contains("rank move"));
    insta::assert_snapshot!(text);
}

#[test]
fn a_list_names_the_lines_above_and_below_that_are_out_of_sight() {
    let mut app = app();
    assert!(screen(&mut app, 80, 24).contains("  40 more below"));
    press_all(&mut app, &" ".repeat(20));
    let text = screen(&mut app, 80, 24);
    assert!(text.contains("16 more above, 24 more below"), "{text}");
    for page in ["?", "o"] {
        press_all(&mut app, page);
        let top = screen(&mut app, 80, 24);
        (0..2).for_each(|_| _ = press(&mut app, KeyCode::PageDown));
        assert!(top.contains("more below: down, PgDn") && !top.contains("more above"), "{top}");
        assert!(screen(&mut app, 80, 24).contains("more above"), "{page}");
        press_all(&mut app, "\x1b");
    }
}

#[test]
fn no_other_text_stands_in_the_line_that_counts_what_is_out_of_sight() {
    let mut app = app();
    for page in ["?", "o", "m", "g"] {
        press_all(&mut app, page);
        for _ in 0..3 {
            for (width, height) in [layout::SMALLEST, (80, 24), (142, 30)] {
                let lines = lines(&mut app, width, height);
                let notes =
                    lines.iter().filter(|line| line.contains("more below: ") || line.contains("more above"));
                for note in notes {
                    let note = note.trim_start();
                    assert!(note.starts_with(|c: char| c.is_ascii_digit()) && note.len() < 60, "{note}");
                }
            }
            press(&mut app, KeyCode::PageDown);
        }
        press_all(&mut app, "\x1b");
    }
}

#[test]
fn games_are_listed_with_players_year_result_and_whole_moves_that_fit() {
    let mut app = app();
    press_all(&mut app, "gfischer 1971");
    for (width, moves) in [(60, "1.e4"), (80, "1.e4 c5 2.Nf3 e6"), (142, "1.e4 c5 2.Nf3 e6 3.d4 cxd4 4.Nxd4")]
    {
        let lines = lines(&mut app, width, 24);
        let game = lines.iter().find(|line| line.contains(" 283  ")).unwrap();
        assert!(game.contains("Fischer, Rob") && game.contains("Petrosian, T"), "{game}");
        assert!(game.contains("  1971  1-0  ") && game.contains(moves) && !game.ends_with('…'), "{game}");
    }
    press_all(&mut app, "zz");
    assert!(screen(&mut app, 80, 24).contains("Games: 0 of 868 match"));
}

#[test]
fn what_matches_is_listed_while_a_parameter_or_a_file_is_typed() {
    let mut app = app();
    press_all(&mut app, "/pass");
    let text = screen(&mut app, 80, 24);
    assert!(
        text.contains("pass        passed pawns by rank: passed pawn, passer (enter)")
            && text.contains("pass_sup"),
        "{text}"
    );
    assert!(text.contains("7 more below: type on"), "{text}");
    press_all(&mut app, "\x1bR");
    let names = ["games.pgn", "mine.par", "params/"].map(str::to_string).to_vec();
    app.update(Event::Report(Report::FolderListed(FolderListing { folder: String::new(), names })));
    let text = screen(&mut app, 80, 24);
    assert!(text.contains("\n  mine.par\n  params/\n  start\n  gm1988\n"), "{text}");
    assert!(text.contains("tab complete"), "{text}");
}

#[test]
fn a_wide_table_moves_so_that_the_chosen_cell_is_in_sight() {
    let mut app = app();
    press_all(&mut app, "/b_cen\n\n");
    let text = screen(&mut app, 60, 20);
    assert!(text.contains("4 of 8") && text.contains(" r4") && !text.contains(" r5 "), "{text}");
    for _ in 0..7 {
        press(&mut app, KeyCode::Right);
    }
    let text = screen(&mut app, 60, 20);
    assert!(text.contains(" r8") && !text.contains(" r4 ") && text.contains("b_cen[ah,r8]"), "{text}");
}

#[test]
fn without_colours_pieces_are_letters_on_every_terminal() {
    let mut app = app();
    assert!(lines(&mut app, 80, 24)[1].starts_with(" 8  ♜        ♛  ♚"));
    app.display.theme = Theme { ground: None, ascii: false };
    let board = lines(&mut app, 80, 24);
    assert!(board[1].starts_with(" 8  r  ·     q  k") && board[8].contains("R  N  B"), "{board:?}");
    assert!(board.join("").contains('▶'), "other signs stay");
}

#[test]
fn the_way_up_a_page_begins_at_once_however_often_its_end_was_passed() {
    let mut app = app();
    fitted(&mut app, 2, StopReason::Iterations);
    for (width, height) in [(80, 24), layout::whole()] {
        app.update(Event::Resize(width, height));
        for page in ["?", "h"] {
            press_all(&mut app, page);
            (0..40).for_each(|_| _ = press(&mut app, KeyCode::PageDown));
            let end = screen(&mut app, width, height);
            press(&mut app, KeyCode::PageDown);
            assert_eq!(screen(&mut app, width, height), end);
            press(&mut app, KeyCode::PageUp);
            let has_parts = page == "h" && layout::run_parts((width, height)) > 1;
            let is_short = view::list(&app).last_top() == 0 && !has_parts;
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

/// A trial with made-up results.
fn trial(app: &mut App, is_finished: bool) {
    press_all(app, "v\n");
    let standing = |ahead| texam_fit::Standing { alternatives: 20, ahead, tied: 0, rows: 5 };
    let (mine, other): (Vec<_>, Vec<_>) =
        (0..400).map(|n| (standing(u32::from(n % 5 > 1)), standing(u32::from(n % 3 > 0)))).unzip();
    let agreements = [&mine[..], &other[..]].map(texam_fit::Agreement::of);
    let games = |standings: &[texam_fit::Standing]| -> Vec<_> {
        let mut games: Vec<_> = (0..400).map(texam_fit::ClusterCounts::new).collect();
        games.iter_mut().zip(standings).for_each(|(game, standing)| game.count(standing));
        games
    };
    let difference = crate::sample::Difference::by_game(&games(&mine), &games(&other));
    let games =
        crate::matches::score::Tally { wins: 88, losses: 61, draws: 51, pentanomial: [10, 20, 24, 25, 21] };
    let mut report = |report| app.update(Event::Report(Report::Trial(report)));
    report(TrialReport::Progress(Progress {
        pass: 1,
        fits: 1,
        group: [0; 2],
        searched: 34,
        positions: 200,
        seconds: 6.8,
    }));
    report(TrialReport::Agreement(agreements, difference));
    report(TrialReport::Games(games));
    if is_finished {
        report(TrialReport::Ended(Ok(true)));
    }
}

#[test]
fn a_trial_on_one_game_says_that_it_decides_nothing() {
    let mut app = app();
    press_all(&mut app, "v\n");
    let [mut mine, mut other] = [0, 0].map(texam_fit::ClusterCounts::new);
    let standing = |ahead| texam_fit::Standing { alternatives: 20, ahead, tied: 0, rows: 5 };
    let standings = [[0; 30].map(standing), [1; 30].map(standing)];
    standings[0].iter().for_each(|standing| mine.count(standing));
    standings[1].iter().for_each(|standing| other.count(standing));
    let difference = crate::sample::Difference::by_game(&[mine], &[other]);
    let agreements = [&standings[0][..], &standings[1][..]].map(texam_fit::Agreement::of);
    app.update(Event::Report(Report::Trial(TrialReport::Agreement(agreements, difference))));
    let text = screen(&mut app, 100, 30);
    assert!(text.contains("decides nothing") && !text.contains("no clear difference"), "{text}");
}

#[test]
fn a_trial_is_seen_running_and_its_result_in_sentences() {
    let mut app = app();
    trial(&mut app, false);
    press_all(&mut app, "\x1b");
    let text = screen(&mut app, 142, 40);
    assert!(text.contains("comparison: 34 of 200 games, 0:33 left"), "{text}");
    let mut app = self::app();
    trial(&mut app, true);
    insta::assert_snapshot!("trial", screen(&mut app, 100, 30));
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
    let kept = Estimate {
        standard_error: None,
        is_mostly_held: false,
        support: 3,
        deviation: 0.5,
        frozen: Some(Reason::TooFewChoices(3)),
        run_errors: Vec::new(),
    };
    app.add_estimate("pass[r6].e".parse().unwrap(), kept);
    press_all(&mut app, "/pass\n\n");
    let text = on_whole(&mut app);
    assert!(text.contains("52/120?") && !text.contains("26/64?"), "{text}");
}

#[test]
fn only_the_ten_changes_that_move_values_most_are_marked_and_those_beyond_two_errors_of_the_run() {
    let mut app = app();
    fitted(&mut app, 2, StopReason::Iterations);
    let estimate = |deviation: f64, run_errors: Vec<f64>| Estimate {
        standard_error: Some(1.0),
        is_mostly_held: false,
        support: 100,
        deviation,
        frozen: None,
        run_errors,
    };
    let pairs = Key::standard().iter().copied().filter(|key| key.feature().ends == Ends::Pair);
    for (at, key) in pairs.filter(|key| !key.is_piece_value()).take(14).enumerate() {
        press_all(&mut app, &format!("/{}\ne77 77\n", key.feature().key));
        let name = format!("{}.o", key.feature().key);
        app.add_estimate(name.parse().unwrap(), estimate(1.0 + at as f64, Vec::new()));
    }
    assert_eq!(on_whole(&mut app).matches('~').count(), 10);
    // A small change that is certain is marked before the ten.
    app.add_estimate("b_pair.o".parse().unwrap(), estimate(1e-6, vec![0.1]));
    assert!(on_whole(&mut app).contains("b_pair     ~"));
}

#[test]
fn the_chosen_weight_is_named_on_every_page_and_size() {
    for (width, height) in [(60, 20), (80, 24), (100, 30), (142, 40), (220, 60)] {
        let mut app = app();
        for keys in ["", "c", "/tempo\n", "c", "]", "]", "[", "<", ">t", "/isolated\n", "G"] {
            press_all(&mut app, keys);
            (0..keys.len() % 2).for_each(|_| _ = press(&mut app, KeyCode::Down));
            let shown = screen(&mut app, width, height);
            let setting = app.editor.weights().setting(app.editor.cursor());
            let (name, weight) = (app.editor.cursor().feature().key, setting.open[0].to_string());
            let is_named =
                |line: &str| line.contains(&format!("{name} ")) || line.contains(&format!("{name}[]"));
            let has = |line: &str| is_named(line) && line.contains(&weight);
            assert!(shown.lines().any(has), "{name} {weight}, {width} x {height}, {keys:?}: {shown}");
        }
    }
}

#[test]
fn the_tour_shows_what_it_names_on_every_size() {
    for (width, height) in [(80, 24), (100, 30), (142, 40)] {
        let mut app = testing::app();
        app.resize((width, height));
        let mut steps = Vec::new();
        for key in ["i", " ", "c", "f", "", "h", "H", "\x1b"] {
            match key {
                "" => {
                    app.update(Event::Report(Report::Progress(Progress {
                        fits: 2,
                        positions: 1568,
                        ..Progress::default()
                    })));
                    finish_fit(&mut app, 3, StopReason::Iterations);
                }
                key => _ = press_all(&mut app, key),
            }
            finish_search(&mut app);
            steps.push(screen(&mut app, width, height));
        }
        assert!(app.tour == Tour::default() && app.page == Page::Main);
        assert!(
            steps
                .iter()
                .take(7)
                .enumerate()
                .all(|(at, shown)| shown.contains(&format!("Tour {} of 7", at + 1)))
        );
        assert!(pen::take_cut().is_empty());
        // What comes after the made-up fit is shown by a real one in `tests/screen.rs`.
        steps.drain(4..6);
        steps.pop();
        insta::assert_snapshot!(format!("tour_{width}"), steps.join("\n\n"));
    }
}

/// Names of players that no width has room for, and paths: what may be cut.
const MAY_BE_CUT: [&str; 5] = ["White  ", "Black  ", "weights ", " o run ", " * run "];

#[test]
fn nothing_is_cut_off_or_overlaps_and_all_can_be_read_on_any_page_of_real_games_and_a_real_run() {
    for (width, height) in [(80, 24), (100, 30), (142, 40), (220, 60)] {
        let mut app = app_with_run();
        pen::take_overlaps();
        app.update(Event::Resize(width, height));
        let run = (0..layout::run_parts((width, height))).map(|_| "]");
        let main = (0..app.grid().pages).map(|_| "]");
        let mut keys = vec![""];
        keys.extend(run);
        keys.extend(["\x1b", " ", "\t", "n", "N", "N", "N", "m", "\x1bc", "c"]);
        keys.extend(main);
        let others =
            "o ] ] \x1b/pass \x1b/r_half\n\n x \x1bR \x1bH \x1bv \x1b? mean \x1bg \x1bh ] ] ] \x1b\x1b";
        keys.extend(others.split(' '));
        for (step, keys) in keys.into_iter().enumerate() {
            press_all(&mut app, keys);
            if app.page == crate::screen::app::Page::Main {
                finish_search(&mut app);
            }
            for ground in [Ground::Light, Ground::Dark] {
                app.display.theme = Theme { ground: Some(ground), ascii: false };
                let mut buffer = Buffer::empty(Rect { x: 0, y: 0, width, height });
                view::draw(&mut buffer, &app);
                for cell in buffer.content.iter().filter(|cell| cell.symbol() != " ") {
                    let contrast = theme::contrast_of(cell, ground);
                    assert!(
                        contrast >= 4.5,
                        "{width} x {height}, step {step} {keys:?}: {cell:?} on {ground:?}"
                    );
                }
            }
            for line in lines(&mut app, width, height) {
                let has_names = app.page == crate::screen::app::Page::Games
                    || MAY_BE_CUT.iter().any(|part| line.contains(part));
                let is_cut = line.contains('…') && !has_names;
                assert!(!is_cut, "{width} x {height}, step {step} {keys:?}: {line}");
            }
        }
        trial(&mut app, true);
        assert!(!screen(&mut app, width, height).contains('…'));
        let cut =
            pen::take_cut().into_iter().filter(|text| !MAY_BE_CUT.iter().any(|part| text.contains(part)));
        assert_eq!(cut.collect::<Vec<_>>(), [""; 0], "{width} x {height}");
        assert_eq!(pen::take_overlaps(), [""; 0], "{width} x {height}");
    }
}

#[test]
fn every_page_can_be_drawn_on_every_size() {
    let mut app = app();
    fitted(&mut app, 2, StopReason::Iterations);
    finish_search(&mut app);
    // First of all no key.
    let all = " m \x1bg zzz \x1bo \x1bh ] \x1b? \x1b\n \x1b/p_adv\n\n x \x1bSlong_name";
    for keys in all.split(' ') {
        press_all(&mut app, keys);
        let (whole_width, whole_height) = layout::whole();
        for (width, height) in [
            (1, 1),
            (59, 20),
            (60, 19),
            (60, 20),
            (79, 24),
            (80, 24),
            (100, 24),
            (119, 30),
            (whole_width - 1, whole_height),
            (whole_width, whole_height - 1),
            (whole_width + 1, whole_height + 1),
            (300, 100),
        ] {
            lines(&mut app, width, height);
        }
    }
}
