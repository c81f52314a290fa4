//! The state of the screen under random keys, sizes and pasted texts, while made-up workers report at any
//! moment. Whatever the order of the events, nothing panics and everything can be drawn.
//!
//! `TEXAM_RANDOM_KEYS=50000` sets the number of keys, `TEXAM_RANDOM_SEED=7` another seed.

use std::{
    cell::RefCell,
    collections::{BTreeSet, VecDeque},
    path::Path,
    sync::Arc,
};

use fastrand::Rng;
use proptest::prelude::*;
use ratatui::{buffer::Buffer, layout::Rect};
use texam_fit::{Agreement, StopReason};

use super::{
    analysis::Analysis,
    app::{
        App, Effect, Event, FitResult, FolderListing, Progress, Report, RunHistory, TrialReport,
        estimates_of,
        tests::{fit_of, pass},
    },
    keys::{BINDINGS, KeyCode, KeyEvent, Modifier, MouseAction, MouseEvent},
    testing, update, view,
};
use crate::{
    error::{Error, Result},
    feature::Weights,
    matches::score::Tally,
    par::Par,
    sample::Difference,
};

/// Keys that no table lists, or that edit a prompt.
const SPECIAL: [KeyCode; 14] = [
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Tab,
    KeyCode::Backspace,
    KeyCode::Delete,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Other,
];

/// Letters that take two columns or none, are written from right to left, or control a terminal.
const ODD: [char; 12] =
    ['é', 'ß', '漢', '\u{301}', '\u{200d}', '👩', 'א', '\u{202e}', '\u{0}', '\u{1b}', '\n', '\u{10ffff}'];

fn letter(rng: &mut Rng) -> char {
    if rng.u8(..) < 20 { ODD[rng.usize(..ODD.len())] } else { char::from(rng.u8(b' '..=b'~')) }
}

fn text(rng: &mut Rng) -> String {
    let texts = [
        "1 2",
        "-3.5",
        "1961 tal",
        "none",
        "start",
        "/",
        "../x.par",
        "1/10",
        "1e999",
        "NaN",
        "*,-n_*",
        "8/8/8/3k4/8/8/8/K6R b - - 0 9",
    ];
    match rng.u8(..4) {
        0 => texts[rng.usize(..texts.len())].to_string(),
        _ => (0..rng.usize(..60)).map(|_| letter(rng)).collect(),
    }
}

fn key(rng: &mut Rng) -> KeyEvent {
    let modifiers = [Modifier::Control, Modifier::Other];
    let modifier = (rng.u8(..) < 16).then(|| modifiers[rng.usize(..2)]);
    let key = match rng.u8(..10) {
        0..5 => {
            let keys = BINDINGS[rng.usize(..BINDINGS.len())].keys;
            keys[rng.usize(..keys.len())]
        }
        5..8 => KeyEvent::plain(SPECIAL[rng.usize(..SPECIAL.len())]),
        _ => KeyEvent::plain(KeyCode::Char(letter(rng))),
    };
    KeyEvent { modifier: modifier.unwrap_or(key.modifier), ..key }
}

/// The screen, and what its workers are still to report.
struct Session {
    app: App,
    rng: Rng,
    /// Reports of each worker, in its order.
    workers: Vec<VecDeque<Report>>,
    /// A run from its files, and the first position searched.
    run: RunHistory,
    analysis: Arc<Analysis>,
    /// The last events, which are printed if one of them panics.
    last: VecDeque<String>,
    buffer: Buffer,
    fits: usize,
    /// Names of the pages and prompts that were open.
    seen: BTreeSet<String>,
}

impl Session {
    fn new(seed: u64) -> Session {
        let stat = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/small.stat");
        let app = testing::app();
        let (width, height) = app.display.size;
        Session {
            analysis: Arc::new(testing::some_analyses(1).remove(0)),
            app,
            rng: Rng::with_seed(seed),
            workers: Vec::new(),
            run: RunHistory::read(&stat).unwrap().1,
            last: VecDeque::new(),
            buffer: Buffer::empty(Rect { x: 0, y: 0, width, height }),
            fits: 0,
            seen: BTreeSet::new(),
        }
    }

    /// An event: mostly a key.
    fn event(&mut self) -> Event {
        let waiting: Vec<usize> =
            (0..self.workers.len()).filter(|&at| !self.workers[at].is_empty()).collect();
        match self.rng.u8(..40) {
            0 => Event::Resize(self.rng.u16(..220), self.rng.u16(..80)),
            1 => Event::Resize(142, 40),
            2 => Event::Paste(text(&mut self.rng)),
            3 => Event::Mouse(MouseEvent {
                does: [MouseAction::Click, MouseAction::WheelUp, MouseAction::WheelDown][self.rng.usize(..3)],
                column: self.rng.u16(..self.app.display.size.0.max(1)),
                line: self.rng.u16(..self.app.display.size.1.max(1)),
            }),
            4..13 if !waiting.is_empty() => {
                let worker = waiting[self.rng.usize(..waiting.len())];
                Event::Report(self.workers[worker].pop_front().expect("a worker that has a report"))
            }
            _ => Event::Key(key(&mut self.rng)),
        }
    }

    fn step(&mut self) {
        let event = self.event();
        let shown: String = format!("{event:?}").chars().take(120).collect();
        self.last.push_back(shown);
        if self.last.len() > 40 {
            self.last.pop_front();
        }
        if let Event::Resize(width, height) = event {
            self.buffer.resize(Rect { x: 0, y: 0, width, height });
        }
        for effect in update(&mut self.app, event) {
            self.carry_out(effect);
        }
        view::draw(&mut self.buffer, &self.app);
        let prompt = self.app.dialog.prompt.as_ref().map(|prompt| format!("{:?}", prompt.purpose));
        for shown in prompt.into_iter().chain([format!("{:?}", self.app.page)]) {
            self.seen.insert(shown.chars().take_while(|letter| letter.is_alphabetic()).collect());
        }
    }

    fn either<T>(&mut self, good: T) -> Result<T> {
        if self.rng.bool() { Ok(good) } else { Err(Error::new("no such file or directory; check the name")) }
    }

    /// Has a made-up worker report.
    fn carry_out(&mut self, effect: Effect) {
        let report = match effect {
            Effect::Search if self.rng.u8(..8) == 0 => {
                let request = self.app.search_request();
                let analysis = Arc::clone(&self.analysis);
                // Only an analysis of the position itself has its moves.
                let place = self.app.browser.library.place_of(0);
                match request.positions.iter().find(|(other, _)| *other == place) {
                    Some(_) => Report::Analysed { epoch: request.epoch, place, analysis },
                    None => {
                        testing::finish_search(&mut self.app);
                        return;
                    }
                }
            }
            Effect::Fit(request) => return self.fit(&request.weights, request.spec.iterations),
            Effect::Save { path, .. } => match self.rng.u8(..3) {
                0 => Report::FileExists(path),
                _ => Report::Saved(path, self.either(())),
            },
            Effect::Restore(path) => {
                let par = Par { weights: Weights::material_only(), missing: Vec::new(), other_table: None };
                Report::Restored(path, self.either(Box::new(par)))
            }
            Effect::OpenRun(path) => {
                let run = Box::new(self.run.clone());
                Report::RunOpened(path, self.either(run))
            }
            Effect::ListFolder(folder) => {
                let names = ["a/", "b.par", "ü.stat", "\u{1b}[2J.par"].map(String::from).to_vec();
                Report::FolderListed(FolderListing { folder, names })
            }
            Effect::Read(spec) => {
                let every = self.rng.usize(1..400);
                let games = self.either(Box::new(testing::collection(every)));
                Report::GamesRead(spec, games)
            }
            Effect::BeginTrial(_) => return self.trial(),
            _ => return,
        };
        self.workers.push(VecDeque::from([report]));
    }

    fn progress(pass: u32, searched: usize) -> Progress {
        Progress { pass, fits: 3, group: [0, 0], searched, positions: 100, seconds: searched as f64 / 50.0 }
    }

    /// A fit, which may fail or be cancelled after any pass.
    fn fit(&mut self, weights: &Weights, iterations: u32) {
        self.fits += 1;
        let mut reports = VecDeque::new();
        let passes = self.rng.u32(..=iterations.min(4) + 1);
        for number in 0..passes {
            reports
                .extend([0, 50, 100].map(|searched| Report::Progress(Session::progress(number, searched))));
            let fit = (number > 0).then(|| estimates_of(&fit_of(weights)));
            reports.push_back(Report::PassMeasured(Box::new(pass(number, weights)), fit));
        }
        let stopped = match passes {
            0 => StopReason::Cancelled,
            _ => [StopReason::Iterations, StopReason::Patience, StopReason::Cancelled][self.rng.usize(..3)],
        };
        let files = self.rng.bool().then(|| ("stats".into(), "run-001".to_string())).filter(|_| passes > 0);
        let ended = self.either(Box::new(FitResult { stopped, files, history: None }));
        reports.push_back(Report::FitEnded(ended));
        self.workers.push(reports);
    }

    fn trial(&mut self) {
        let mut reports = vec![TrialReport::Progress(Session::progress(0, 10))];
        if self.rng.bool() {
            reports.push(TrialReport::Agreement(
                [Agreement::default(), Agreement::default()],
                Difference::default(),
            ));
            reports.push(TrialReport::Games(Tally::default()));
        }
        let ended = self.rng.bool();
        let ended = self.either(ended);
        reports.push(TrialReport::Ended(ended));
        self.workers.push(reports.into_iter().map(Report::Trial).collect());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.last.iter().for_each(|event| eprintln!("{event}"));
        }
    }
}

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn nothing_panics_whatever_keys_sizes_and_reports_come() {
    let mut session = Session::new(number_from("TEXAM_RANDOM_SEED").unwrap_or(1));
    for _ in 0..number_from("TEXAM_RANDOM_KEYS").unwrap_or(10_000) {
        session.step();
    }
    let all = "Cells Edit Find Game Games Help Key Main Moves OpenRun Option Options Restore Run Save Trial";
    let missing: Vec<_> = all.split_whitespace().filter(|name| !session.seen.contains(*name)).collect();
    assert!(session.fits > 0 && missing.is_empty(), "the keys come by {}, not by {missing:?}", session.fits);
}

#[test]
fn a_prompt_takes_any_text() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let app = RefCell::new(testing::app());
    let cases = ("\\PC{0,80}|.{0,20}|[0-9./ -]{0,12}", 0..9_usize, any::<bool>());
    runner
        .run(&cases, |(text, prompt, is_typed)| {
            let app = &mut *app.borrow_mut();
            let keys = ["g", "S", "R", "?", "v", "H", "/", "e", "o\n"][prompt];
            testing::press_all(app, "\x1b\x1b\x1b");
            testing::press_all(app, keys);
            match is_typed {
                true => text.chars().for_each(|letter| _ = testing::press(app, KeyCode::Char(letter))),
                false => _ = app.update(Event::Paste(text)),
            }
            for (width, height) in [(142, 40), (60, 20), (7, 1)] {
                app.resize((width, height));
                view::draw(&mut Buffer::empty(Rect { x: 0, y: 0, width, height }), app);
            }
            testing::press_all(app, "\n");
            view::draw(&mut Buffer::empty(Rect { x: 0, y: 0, width: 142, height: 40 }), app);
            Ok(())
        })
        .unwrap();
}
