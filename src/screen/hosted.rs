//! The screen in a host that has neither a terminal nor threads, such as a page in a browser.
//!
//! The host hands in keys, texts and files, shows the [buffer](HostedScreen::buffer), and carries out
//! [`Request`]s. Searches of the position shown take milliseconds and are made here, one in each
//! [`HostedScreen::idle`]. Longer work is a job, which [`run_job`] carries out in another instance of the
//! program; both its text and its replies are bytes that the host passes on. Files are those of
//! [`crate::file`], without the feature `native` in memory.

mod exhibit;
mod job;
mod team;

use std::path::Path;

use ratatui::{buffer::Buffer, layout::Rect};
use texam_fit::{Moment, StopReason};

use self::job::{Job, JobText, Reply};
pub use self::{
    exhibit::shapes,
    job::{JobKind, run_job},
    team::{Leader, Member},
};
pub use super::keys::{KeyCode, KeyEvent, Modifier as KeyModifier, MouseAction, MouseEvent};
use super::{
    Ground, Opening,
    app::{
        App, Effect, Event, FIT_EVERY, FitRequest, FitResult, Notice, OtherSet, Progress, Report, RunHistory,
        SearchRequest, TrialReport, TrialRequest, place_part,
    },
    first_app,
    keys::{Action, BINDINGS, Binding, PageName},
    theme::Theme,
    update, view,
    worker::{self, Analyser},
};
use crate::{
    error::{Error, Result},
    feature::Weights,
    fen, file, par,
    parameters::Parameter,
    run::{self, DEFAULT_GAMES, Files, RunSpec, game_files_to_texts, path_to_text, stat::RunRecord},
};

/// What the host is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Run a job in another instance, or where it is shared, in several as a team. One of the same kind that
    /// still runs is ended before.
    Begin { kind: JobKind, job: Vec<u8>, is_shared: bool },
    /// End the job that runs.
    End(JobKind),
    /// Put a text on the clipboard.
    Copy(String),
    /// Hand a file to the user, which the user has asked for.
    Give(String),
}

/// The screen, its searches and its jobs.
pub struct HostedScreen {
    app: App,
    analyser: Analyser,
    search: Option<SearchRequest>,
    /// How many positions of the request are searched.
    searched: usize,
    fit: Option<RunningFit>,
    requests: Vec<Request>,
    buffer: Buffer,
    /// Whether the board of the page is seen from the other side.
    is_flipped: bool,
    /// The position that the page has controls of weights for, and what these weights were at first.
    controls: (Option<String>, Vec<(Parameter, f64)>),
    /// Searches so far, and their seconds.
    pace: (usize, f64),
    /// Instances that can work at once.
    cores: usize,
}

/// A fit that runs elsewhere.
struct RunningFit {
    files: Files,
    /// Whether the user has asked for files.
    is_kept: bool,
    passes: u32,
    progress: Progress,
    began: Moment,
}

/// The folder, in that of runs, of a fit that the user has asked no files for.
const UNNAMED: &str = ".fit";

impl HostedScreen {
    /// Opens the screen on the built-in games at a place: `game=283&move=9&set=best`, any part of which may
    /// be missing. At no place the tour begins. A fit takes some of the positions unless it is asked for all.
    ///
    /// # Errors
    ///
    /// A place that does not exist. The screen can be opened at the empty place then.
    pub fn open(place: &str, ground: Ground, size: (u16, u16)) -> Result<HostedScreen> {
        let set = par::path_of(place_part(place, "set").unwrap_or("start"));
        let par = par::read(&set)?;
        let spec = RunSpec { games: DEFAULT_GAMES.into(), every: FIT_EVERY, ..RunSpec::default() };
        let (collection, _) = run::all_positions(&spec, &mut |_| {})?;
        let opening = Opening {
            spec,
            ground: Some(ground),
            mouse: true,
            collection,
            weights: par.weights,
            source: set.display().to_string(),
            is_first_visit: place.is_empty(),
            ..Opening::default()
        };
        let app = first_app(opening, Theme { ground: Some(ground), ascii: false })?;
        let mut screen = HostedScreen {
            app,
            analyser: Analyser::default(),
            search: None,
            searched: 0,
            fit: None,
            requests: Vec::new(),
            buffer: Buffer::default(),
            is_flipped: false,
            controls: Default::default(),
            pace: (0, 0.0),
            cores: 1,
        };
        screen.resize(size, ground);
        let effects =
            if place.is_empty() { screen.app.press(Action::Tour) } else { screen.app.go_to(place)? };
        screen.carry_out(effects);
        screen.carry_out(vec![Effect::Search]);
        Ok(screen)
    }

    /// The place that is shown, as [`HostedScreen::open`] takes it, without weights of the user; empty for what is in no built-in
    /// games.
    pub fn place(&self) -> String {
        if self.app.options.setup.spec.games.only() != Some(Path::new(DEFAULT_GAMES)) {
            return String::new();
        }
        let place = self.app.place();
        let own = place_part(&place, "set").filter(|set| !par::SETS.iter().any(|known| known.name == *set));
        own.map_or(place.clone(), |own| place.replace(&format!("&set={own}"), ""))
    }

    /// A key is pressed.
    pub fn press(&mut self, key: KeyEvent) {
        self.take(Event::Key(key));
    }

    /// A mouse does something at a cell of the buffer.
    pub fn use_mouse(&mut self, mouse: MouseEvent) {
        self.take(Event::Mouse(mouse));
    }

    /// A text is pasted or typed. Where none is asked for, it is a position in FEN.
    pub fn paste(&mut self, text: String) {
        match fen::parse(&text) {
            Err(error) if self.app.dialog.prompt.is_none() => self.show_error(error.to_string()),
            _ => self.take(Event::Paste(text)),
        }
    }

    /// There is room for so many columns and lines, on this ground.
    pub fn resize(&mut self, (width, height): (u16, u16), ground: Ground) {
        self.app.display.theme = Theme { ground: Some(ground), ascii: false };
        self.buffer = Buffer::empty(Rect { x: 0, y: 0, width, height });
        self.take(Event::Resize(width, height));
    }

    /// Opens a file of the user: weights, a run, or games. Unless it is to be opened, it is only kept beside
    /// the others.
    ///
    /// # Errors
    ///
    /// There is no room for it.
    pub fn receive(&mut self, path: &str, bytes: &[u8], is_opened: bool) -> Result<()> {
        file::write_whole(path, bytes)?;
        let effects = if is_opened { self.app.open_file(path) } else { Vec::new() };
        self.carry_out(effects);
        let refused = self.app.dialog.prompt.take_if(|prompt| is_opened && prompt.error.is_some());
        refused.and_then(|prompt| prompt.error).into_iter().for_each(|error| self.show_error(error));
        Ok(())
    }

    /// Searches one position of those that are shown or may be shown next.
    pub fn idle(&mut self) {
        let Some(request) = &self.search else { return };
        let Some((place, position)) = request.positions.get(self.searched) else { return };
        self.searched += 1;
        let began = Moment::now();
        let report = self.analyser.search(request, *place, position);
        self.pace = (self.pace.0 + 1, self.pace.1 + began.elapsed().as_secs_f64());
        self.take(Event::Report(report));
    }

    /// Whether [`HostedScreen::idle`] has more to do.
    pub fn has_more(&self) -> bool {
        self.search.as_ref().is_some_and(|request| self.searched < request.positions.len())
    }

    /// The files there are: those of the user, what was saved, and those of runs.
    pub fn files(&self) -> Vec<String> {
        let own = file::names_in(Path::new("")).into_iter().filter(|name| !name.ends_with('/'));
        let folder = &self.app.options.setup.place.out;
        let runs = file::names_in(folder).into_iter().filter(|name| !name.starts_with('.'));
        let runs = runs.map(|name| path_to_text(&folder.join(name)));
        own.chain(runs).collect()
    }

    /// The requests since the last call.
    pub fn requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Draws the screen.
    pub fn buffer(&mut self) -> &Buffer {
        self.buffer.reset();
        view::draw(&mut self.buffer, &self.app);
        &self.buffer
    }

    /// Whether a text is being typed, for which a host without a keyboard shows one.
    pub fn is_typing(&self) -> bool {
        self.app.dialog.prompt.is_some()
    }

    /// The last message, and whether it says that something cannot be done.
    pub fn message(&self) -> (&str, bool) {
        self.app.dialog.notice.as_ref().map_or(("", false), |notice| (&notice.text, notice.is_error))
    }

    /// Tells the user what has gone wrong outside of the screen.
    pub fn show_error(&mut self, text: String) {
        self.app.show_notice(Notice { text, is_error: true });
    }

    fn take(&mut self, event: Event) {
        let effects = update(&mut self.app, event);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Search => (self.search, self.searched) = (Some(self.app.search_request()), 0),
                Effect::Fit(request) => self.begin_fit(*request),
                Effect::Cancel => self.cancel_fit(),
                Effect::BeginTrial(request) => self.begin_trial(*request),
                Effect::CancelTrial => {
                    self.requests.push(Request::End(JobKind::Trial));
                    self.take(Event::Report(Report::Trial(TrialReport::Ended(Ok(false)))));
                }
                Effect::Copy(text) => self.requests.push(Request::Copy(text)),
                Effect::Quit => {
                    let text = "nothing runs: the page may be closed, and what is not saved is gone then";
                    self.app.show_notice(Notice { text: text.to_string(), is_error: false });
                }
                Effect::Suspend | Effect::Redraw => {}
                other => {
                    let Some(mut report) = worker::carry_out(other) else { continue };
                    // Of other games that are few a fit needs more positions.
                    if let Report::GamesRead(spec, Ok(games)) = &mut report
                        && spec.games != self.app.options.setup.spec.games
                    {
                        spec.every = (games.positions.len() as u32 / 1500).clamp(1, FIT_EVERY);
                    }
                    if let Report::Saved(path, Ok(())) = &report {
                        self.requests.push(Request::Give(path.clone()));
                    }
                    self.take(Event::Report(report));
                }
            }
        }
    }

    /// Has a job done with the games and options of `spec`, and with these weights.
    fn begin(&mut self, kind: JobKind, job: Job, weights: &Weights, spec: &RunSpec) {
        let text = JobText {
            games: game_files_to_texts(&spec.games),
            options: spec.options(),
            weights: par::format(weights, &[]),
            job,
        };
        // Errors by groups of games need all positions in one instance.
        let is_shared = kind == JobKind::Fit && spec.groups == 0;
        self.requests.push(Request::Begin { kind, job: job::to_bytes(&text), is_shared });
    }

    fn begin_fit(&mut self, request: FitRequest) {
        let FitRequest { spec, place, weights, writes_files: is_kept, .. } = request;
        let files = if is_kept {
            Files::claim(&place).map(|(files, _)| files)
        } else {
            Files::new(&place.out.join(UNNAMED), "fit")
        };
        let files = match files {
            Ok(files) => files,
            Err(error) => return self.take(Event::Report(Report::FitEnded(Err(error)))),
        };
        let job = Job::Fit { folder: path_to_text(&files.folder), name: files.name.clone() };
        let (progress, began) = (Progress::default(), Moment::now());
        self.fit = Some(RunningFit { files, is_kept, passes: 0, progress, began });
        self.begin(JobKind::Fit, job, &weights, &spec);
    }

    fn cancel_fit(&mut self) {
        self.requests.push(Request::End(JobKind::Fit));
        self.end_fit(Ok((StopReason::Cancelled, None)));
    }

    /// Ends the fit with the last data of the run, if there are others than after its last pass.
    fn end_fit(&mut self, ended: Result<(StopReason, Option<String>)>) {
        let Some(RunningFit { files, is_kept, passes, .. }) = self.fit.take() else { return };
        let result = ended.and_then(|(stopped, data)| {
            let mut history = None;
            if let Some(data) = data.filter(|_| is_kept) {
                RunRecord::from_json(&data)?.write(&files)?;
                let (record, read) = RunHistory::read(&files.data())?;
                history = record.has_errors().then_some(read);
            }
            let named = (is_kept && passes > 0).then(|| (files.folder.clone(), files.name.clone()));
            Ok(Box::new(FitResult { stopped, files: named, history }))
        });
        self.take(Event::Report(Report::FitEnded(result)));
    }

    fn begin_trial(&mut self, request: TrialRequest) {
        let other = match &request.other {
            OtherSet::File(path) => par::read(path).map(|par| par.weights),
            OtherSet::Weights(weights) => Ok((**weights).clone()),
        };
        match other {
            Ok(other) => {
                let job = Job::Trial(par::format(&other, &[]));
                let spec = self.app.options.setup.spec.clone();
                self.begin(JobKind::Trial, job, &request.weights, &spec);
            }
            Err(error) => self.take(Event::Report(Report::Trial(TrialReport::Ended(Err(error))))),
        }
    }

    /// Takes a reply of a job.
    pub fn reply(&mut self, bytes: &[u8]) {
        let reply = match job::from_bytes(bytes) {
            Ok(reply) => reply,
            Err(error) => return self.show_error(error.to_string()),
        };
        let report = match reply {
            Reply::Progress(JobKind::Fit, progress) => {
                self.fit.iter_mut().for_each(|fit| (fit.progress, fit.began) = (progress, Moment::now()));
                Report::Progress(progress)
            }
            Reply::Searched(positions) => {
                let Some(fit) = &mut self.fit else { return };
                fit.progress.searched = (fit.progress.searched + positions).min(fit.progress.positions);
                fit.progress.seconds = fit.began.elapsed().as_secs_f64();
                Report::Progress(fit.progress)
            }
            Reply::Progress(JobKind::Trial, progress) => Report::Trial(TrialReport::Progress(progress)),
            Reply::Pass { pass, data, par } => match self.pass_of(pass, &data, &par) {
                Ok(report) => report,
                Err(error) => {
                    self.requests.push(Request::End(JobKind::Fit));
                    return self.end_fit(Err(error));
                }
            },
            Reply::FitEnded(ended) => return self.end_fit(ended.map_err(Error::new)),
            Reply::Agreement(agreements, difference) => {
                Report::Trial(TrialReport::Agreement(agreements, difference))
            }
            Reply::Games(tally) => Report::Trial(TrialReport::Games(tally)),
            Reply::TrialEnded(ended) => Report::Trial(TrialReport::Ended(ended.map_err(Error::new))),
        };
        self.take(Event::Report(report));
    }

    /// The job of a kind has failed without a reply.
    pub fn failed(&mut self, kind: JobKind, why: &str) {
        let error = Error::new(why);
        match kind {
            JobKind::Fit => self.end_fit(Err(error)),
            JobKind::Trial => self.take(Event::Report(Report::Trial(TrialReport::Ended(Err(error))))),
        }
    }

    /// Keeps the files of a pass, and reads from them what the pass has measured.
    fn pass_of(&mut self, pass: u32, data: &str, par: &str) -> Result<Report> {
        let fit = self.fit.as_mut().ok_or_else(|| Error::new("a pass of a fit that was cancelled"))?;
        file::write_whole(fit.files.par(pass), par.as_bytes())?;
        RunRecord::from_json(data)?.write(&fit.files)?;
        fit.passes += 1;
        let (last, estimates) = RunHistory::read(&fit.files.data())?.1.into_last_pass();
        Ok(Report::PassMeasured(Box::new(last), (pass > 0).then_some(estimates)))
    }
}

/// The keys for a row of buttons: what is written on each, and the key that it presses.
pub fn buttons() -> Vec<(String, KeyEvent)> {
    let codes = [
        ("◀", KeyCode::Left),
        ("▶", KeyCode::Right),
        ("▲", KeyCode::Up),
        ("▼", KeyCode::Down),
        ("enter", KeyCode::Enter),
        ("esc", KeyCode::Esc),
        ("tab leaf", KeyCode::Tab),
        ("PgDn page", KeyCode::PageDown),
    ];
    let codes = codes.into_iter().map(|(name, code)| (name.to_string(), KeyEvent::plain(code)));
    let is_letter = |binding: &&Binding| matches!(binding.keys[0].code, KeyCode::Char(_));
    let letters = BINDINGS.iter().filter(is_letter).filter(|binding| binding.action != Action::Quit);
    let named = letters.filter_map(|binding| {
        let words = binding.at_foot(PageName::Main)?;
        Some((format!("{} {words}", binding.name), binding.keys[0]))
    });
    codes.chain(named).collect()
}

#[cfg(test)]
mod tests;
