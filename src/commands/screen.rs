//! `texam [GAMES]`: reads games and weights, then opens the screen.

use std::{
    fs::File,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use super::{Outcome, print};
use crate::{
    commands::cli::ScreenArgs,
    error::{Error, Result},
    fen,
    game::{GameFiles, SHIPPED},
    par,
    run::{self, Files, RunSpec, Task, interrupt},
    screen::{self, Opening, RunHistory},
};

pub(super) fn run(args: ScreenArgs) -> Result<Outcome> {
    let mut warnings = Vec::new();
    let position = position_of(&args, &mut |warning| warnings.push(warning.to_string()))?;
    if position.is_none() {
        check_games_path(&args)?;
    }
    // With games on standard input, keys come from the controlling terminal.
    let terminal = if cfg!(windows) { "CONIN$" } else { "/dev/tty" };
    let has_keys = io::stdin().is_terminal() || is_standard_input(&args) && File::open(terminal).is_ok();
    if !has_keys || !io::stdout().is_terminal() {
        return Err(Error::expected(
            "a terminal for the screen",
            "input or output that is none; for work without a screen see texam --help",
        ));
    }
    check_terminal_kind()?;
    if args.look.is_some() {
        check_terminal_width()?;
    }
    let mut note = None;
    let opened = opened_run(&args)?;
    let mut spec = opened.as_ref().map_or_else(|| args.options.spec(), |opened| &opened.spec).clone();
    spec.player.clone_from(&args.player.player);
    if position.is_some() {
        spec.games = GameFiles::new([]);
    }
    spec.validate()?;
    spec.check_given(&args.options.given)?;
    let (weights, source) = match opened.as_ref().and_then(|opened| opened.history.last_pass()) {
        Some(last) => {
            // The options that made the start of the run do not lead to its last weights.
            spec = spec.from_other_weights();
            last
        }
        None => run::start(&spec, &mut |text| note = Some(text.to_string()))?,
    };
    let read = |spec: &RunSpec, warnings: &mut Vec<String>| {
        run::all_positions(spec, &mut |warning| warnings.push(warning.to_string()))
    };
    let (collection, _) = match read(&spec, &mut warnings) {
        // A run of labelled positions need not have games: the fit reads its file, the screen shows other
        // positions.
        Err(error) if spec.task() == Task::Labels => {
            warnings.push(format!("the positions shown are those of {SHIPPED}: {error}"));
            read(&RunSpec { games: GameFiles::new([]), ..spec.clone() }, &mut warnings)?
        }
        games => games?,
    };
    run::some_positions(&collection)?;
    if opened.as_ref().is_some_and(|opened| !opened.digest.starts_with(&collection.tally.digest)) {
        warnings.push(format!("{} has other games than the run", spec.games));
    }
    let opening = Opening {
        spec,
        place: args.place(),
        ascii: args.ascii,
        ground: args.theme.ground(),
        mouse: !args.no_mouse,
        is_1988: args.look.is_some(),
        collection,
        weights,
        source,
        warnings,
        note,
        position,
        is_first_visit: opened.is_none() && !run::has_runs(&args.place().out),
        last_place: place_file().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default(),
        run: opened.map(|opened| Box::new(opened.history)),
    };
    let ended = screen::run(opening)?;
    keep_place(&ended.place);
    if let Some(signal) = ended.signal {
        interrupt::end_by(signal);
    }
    if let Some(path) = ended.saved {
        let again = shell_words::quote(&path);
        print(&format!("weights: {path}; texam --par {again} opens them again\n"))?;
    }
    Ok(Outcome::Complete)
}

/// The file that keeps the place of the last sitting.
fn place_file() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")))?;
    Some(folder.join("texam/place"))
}

/// Keeps a place for the next sitting, which may begin in another folder. Where that cannot be done, none is
/// offered then.
fn keep_place(place: &str) {
    let (head, set) = place.split_once("&set=").unwrap_or((place, ""));
    let is_built_in = par::SETS.iter().any(|known| known.name == set);
    let set = if is_built_in { Some(set.into()) } else { std::fs::canonicalize(set).ok() };
    let set = set.map_or(String::new(), |path: PathBuf| format!("&set={}", path.display()));
    if let Some(file) = place_file().filter(|_| !place.is_empty()) {
        _ = file.parent().map(std::fs::create_dir_all);
        _ = std::fs::write(file, head.to_string() + &set);
    }
}

/// Refuses a terminal that says of itself that it cannot place text.
fn check_terminal_kind() -> Result<()> {
    if std::env::var_os("TERM").is_none_or(|name| name != "dumb") {
        return Ok(());
    }
    let found =
        "TERM=dumb, which cannot; open the screen in another terminal, or use texam fit, which needs none";
    Err(Error::expected("a terminal that can place text anywhere on the screen", found))
}

/// Refuses a terminal on which the screen of 1988 has pages.
fn check_terminal_width() -> Result<()> {
    const COLUMNS: u16 = 142;
    match screen::columns() {
        Some(columns) if columns < COLUMNS => {
            let found = format!("{columns}; widen it, or leave out --look");
            Err(Error::expected(format!("a terminal of {COLUMNS} columns, as in 1988"), found))
        }
        _ => Ok(()),
    }
}

/// The FEN that stands in the place of the games, if one does. What is left out of it goes to `warn`.
fn position_of(args: &ScreenArgs, warn: &mut dyn FnMut(&str)) -> Result<Option<String>> {
    let text = args.options.spec().games.to_string();
    if !fen::begins(&text) {
        return Ok(None);
    }
    fen::parse_warning(&text, warn)?;
    Ok(Some(text))
}

/// A run whose `.stat` was given.
struct OpenedRun {
    spec: RunSpec,
    /// Digest of its games.
    digest: String,
    history: RunHistory,
}

/// The run, if its `.stat` stands in the place of the games.
fn opened_run(args: &ScreenArgs) -> Result<Option<OpenedRun>> {
    let Some(path) = args.options.spec().games.only().filter(|path| Files::is_run(path)) else {
        return Ok(None);
    };
    let others = [("overwrite", args.overwrite), ("player", args.player.player.is_some())];
    let others = others.into_iter().filter_map(|(name, is_given)| is_given.then_some(name));
    let given = args.options.given.iter().copied().chain(others);
    if let Some(option) = given.into_iter().find(|name| *name != "games") {
        let found = format!("--{option}; change options on the screen, with o");
        return Err(Error::expected("a .stat alone: it holds the options of its run", found).in_file(path));
    }
    let (record, history) = RunHistory::read(path)?;
    if record.is_on_rows() {
        let found = "one on rows of another program, which texam plot and texam report show";
        return Err(Error::expected("a run on games", found).in_file(path));
    }
    let mut spec = RunSpec::from_options(&record.header.games, &record.header.options)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    spec.games = run::find_games(&spec.games, folder).ok_or_else(|| {
        let found = "nothing of that name; open the screen with the games, then the run with H";
        Error::expected("the games of the run", found).in_file(spec.games.to_string())
    })?;
    Ok(Some(OpenedRun { spec, digest: record.header.digest, history }))
}

fn is_standard_input(args: &ScreenArgs) -> bool {
    args.options.spec().games.is_standard_input()
}

/// Refuses a single word that is not a file: it may be a mistyped command.
fn check_games_path(args: &ScreenArgs) -> Result<()> {
    let is_word = |path: &PathBuf| {
        path.extension().is_none()
            && path.components().count() == 1
            && !path.exists()
            && *path != Path::new("-")
    };
    match args.options.spec().games.paths().iter().find(|path| is_word(path)) {
        Some(path) => {
            let found = format!("{:?}, which is neither; see texam --help", path.display());
            Err(Error::expected("a file of games or a command", found))
        }
        None => Ok(()),
    }
}
