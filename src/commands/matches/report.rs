//! The result of a match as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use crate::{
    commands::{cli::MatchArgs, print_result},
    error::Result,
    matches::{
        score::Tally,
        sprt::{Sprt, Verdict},
    },
};

/// Score and Elo of a match, from the side of the first player. Infinite and unknown values are null.
#[derive(Serialize)]
struct MatchReport {
    first: String,
    second: String,
    games: u64,
    #[serde(flatten)]
    tally: Tally,
    elo: Option<f64>,
    elo_error: Option<f64>,
    los: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
    finished: bool,
    /// The command line that continues the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    go_on: Option<String>,
}

#[derive(Serialize)]
struct SprtReport {
    elo0: f64,
    elo1: f64,
    llr: f64,
    /// The test ends at plus or minus this.
    bound: f64,
    accepted: Option<&'static str>,
}

/// Prints the result. `finished` says whether the match was played to its end.
pub(super) fn print_match(
    args: &MatchArgs,
    [first, second]: [String; 2],
    sprt: Option<Sprt>,
    tally: &Tally,
    finished: bool,
) -> Result<()> {
    let output = MatchReport {
        first,
        second,
        games: tally.games(),
        tally: *tally,
        elo: tally.elo().filter(|elo| elo.is_finite()),
        elo_error: tally.elo_error(),
        los: tally.superiority(),
        sprt: sprt.map(|sprt| SprtReport {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            llr: sprt.log_likelihood_ratio(&tally.pentanomial),
            bound: Sprt::bound(),
            accepted: match sprt.verdict(&tally.pentanomial) {
                Verdict::Elo0 => Some("elo0"),
                Verdict::Elo1 => Some("elo1"),
                Verdict::Open => None,
            },
        }),
        finished,
        go_on: (!finished && args.pgn.is_some()).then(continuation),
    };
    print_result(&output, args.output.json, |output| text(args, output))
}

/// The command line that continues the match after the games in its file, quoted for a shell.
fn continuation() -> String {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words = words.filter(|word| word != "--resume" && word != "--overwrite");
    shell_words::join(words.chain(["--resume".to_string()]))
}

fn text(args: &MatchArgs, output: &MatchReport) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let MatchReport { first, second, games, tally, .. } = output;
    let Tally { wins, losses, draws, pentanomial: [ll, ld, even, wd, ww] } = tally;
    writeln!(text, "{first} against {second}, {} nodes a move, seed {}", args.nodes, args.seed)?;
    writeln!(text, "games  {games:>8}  won {wins}, lost {losses}, drawn {draws}")?;
    let pairs = tally.pairs();
    writeln!(text, "pairs  {pairs:>8}  by points 0: {ll}, 1/2: {ld}, 1: {even}, 3/2: {wd}, 2: {ww}")?;
    writeln!(text, "elo    {:>8}  {}", elo(tally), error(tally))?;
    let los = tally.superiority().map_or("-".to_string(), |los| format!("{los:.4}"));
    writeln!(text, "los    {los:>8}  likelihood that {first} is the better one")?;
    if let Some(sprt) = &output.sprt {
        let said = sprt.accepted.map_or("undecided".to_string(), |accepted| format!("{accepted} accepted"));
        let SprtReport { elo0, elo1, llr, bound, .. } = sprt;
        writeln!(text, "sprt   {llr:>8.2}  of -{bound:.2} to {bound:.2}, elo0 {elo0}, elo1 {elo1}: {said}")?;
    }
    match &output.go_on {
        Some(go_on) => writeln!(text, "ended early; to continue:\n{go_on}")?,
        None if !output.finished => writeln!(text, "ended early; a match with --pgn FILE can be continued")?,
        None => {}
    }
    Ok(text)
}

fn elo(tally: &Tally) -> String {
    tally.elo().map_or("-".to_string(), |elo| format!("{elo:+.1}"))
}

fn error(tally: &Tally) -> String {
    match (tally.elo_error(), tally.games()) {
        (Some(error), _) => format!("+- {error:.1} (95 %)"),
        (None, 0) => "no game was finished".to_string(),
        (None, _) => "no bound can be told from these games".to_string(),
    }
}

/// The score in one line, for the progress bar.
pub(super) fn score_line(tally: &Tally) -> String {
    format!("+{} -{} ={}  elo {} {}", tally.wins, tally.losses, tally.draws, elo(tally), error(tally))
}
