//! `texam [GAMES]`: reads games and weights, then opens the screen.

use std::io::{self, IsTerminal};

use super::Outcome;
use crate::{
    cli::{self, ScreenArgs},
    error::{Error, Result},
    run,
    tui::{self, Opening},
};

pub(super) fn run(args: ScreenArgs) -> Result<Outcome> {
    if let Some(name) = &args.fit.run.resume {
        return Err(Error::expected("options of the screen", format!("--resume: texam fit --resume {name}")));
    }
    if args.fit.run.json {
        return Err(Error::expected("options of the screen", "--json, which is for texam fit"));
    }
    check_games_path(&args)?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Error::expected(
            "a terminal for the screen",
            "input or output that is none; for work without a screen see texam --help",
        ));
    }
    check_terminal_kind()?;
    let spec = args.fit.spec();
    spec.validate()?;
    let mut note = None;
    let (weights, source) = run::start(&spec, &mut |text| note = Some(text.to_string()))?;
    let mut warnings = Vec::new();
    let games = run::games(&spec, &mut |warning| warnings.push(warning.to_string()));
    let (collection, _) = games?;
    run::some_positions(&collection)?;
    let opening = Opening {
        spec,
        place: args.fit.place(),
        meanings: cli::meanings(),
        ascii: args.ascii,
        collection,
        weights,
        source,
        warnings,
        note,
    };
    tui::run(opening)?;
    Ok(Outcome::Complete)
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

/// Refuses a single word that is not a file: it may be a mistyped command.
fn check_games_path(args: &ScreenArgs) -> Result<()> {
    let path = &args.fit.games.games;
    let is_word = path.extension().is_none() && path.components().count() == 1;
    if is_word && !path.exists() {
        let found = format!("{:?}, which is neither; see texam --help", path.display());
        return Err(Error::expected("a file of games or a command", found));
    }
    Ok(())
}
