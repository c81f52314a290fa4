//! The arguments of `texam match`.

use std::{ffi::OsString, path::PathBuf};

use clap::Args;

use super::{OutputArgs, files::games_path, par_path};
use crate::{
    error::Error,
    matches::score::Tally,
    phase::{PhaseAt, PhaseScheme},
};

/// `texam match`.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// Weights of the first player, a file or a built-in set; results are from its side
    #[arg(value_name = "A.par", value_parser = par_path(), required_unless_present_any = ["run", "write_openings"])]
    pub first: Option<PathBuf>,
    /// Weights of the second player, a file or a built-in set
    #[arg(value_name = "B.par", value_parser = par_path(), required_unless_present_any = ["run", "write_openings"])]
    pub second: Option<PathBuf>,
    /// Games to play, two for each opening [default: 500; with --run 200 for each pairing]
    #[arg(long, value_name = "N", help_heading = "Match")]
    pub games: Option<EvenNumber>,
    /// Positions visited for each move [default: 3000]
    #[arg(long, value_name = "N", conflicts_with = "movetime", help_heading = "Match",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Milliseconds for each move; games then differ from run to run
    #[arg(long, value_name = "MS", help_heading = "Match", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Seed for the order of the openings
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Match")]
    pub seed: u64,
    /// Openings: games in PGN with any result, or lines of EPD or FEN, plain or packed [default: out of games/gm1988.pgn, or its built-in copy]
    #[arg(long, value_name = "FILE", value_parser = games_path(), help_heading = "Match")]
    pub openings: Option<PathBuf>,
    /// Sequential test: stop as soon as the games favour a difference of E0 or of E1 Elo
    #[arg(long, value_names = ["E0", "E1"], num_args = 2, help_heading = "Match")]
    pub sprt: Option<Vec<f64>>,
    /// End a game early when both players have agreed on its result for many moves
    #[arg(long, help_heading = "Match")]
    pub adjudicate: bool,
    /// Continue a match after the games in its --pgn file, also if it crashed or was killed
    #[arg(long, requires = "pgn", conflicts_with_all = ["so_far", "overwrite", "run"], help_heading = "Match")]
    pub resume: bool,
    /// Continue an interrupted match from the results that it printed
    #[arg(long, value_name = "RESULTS", help_heading = "Match")]
    pub so_far: Option<EarlierResults>,
    /// Play the sets of a fit: FOLDER/NAME of its .stat and .par files
    #[arg(long, value_name = "NAME", conflicts_with_all = ["first", "second", "sprt", "so_far"],
          help_heading = "Run of a fit")]
    pub run: Option<PathBuf>,
    /// Passes of the run to play, as in 1,5,10-15 [default: all]
    #[arg(long, value_name = "LIST", requires = "run", help_heading = "Run of a fit")]
    pub passes: Option<PassList>,
    /// Opponents of each set: start or all
    #[arg(
        long,
        value_name = "WHOM",
        default_value = "start",
        hide_possible_values = true,
        help_heading = "Run of a fit"
    )]
    pub pairing: Pairing,
    /// Scheme of the game phase: fruit, madchess, rustic or none; for each player in A,B
    #[arg(long, value_name = "SCHEME", help_heading = "Players")]
    pub phase: Option<PerPlayer<PhaseScheme>>,
    /// Where the phase is taken from: leaf or root; for each player in A,B
    #[arg(long, value_name = "PLACE", help_heading = "Players")]
    pub phase_at: Option<PerPlayer<PhaseAt>>,
    /// Megabytes of each player's hash table
    #[arg(long, value_name = "MB", default_value_t = 4, help_heading = "Players",
          value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub hash: u32,
    /// Save the games
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub pgn: Option<PathBuf>,
    /// Replace the file of --pgn or --write-openings if it exists
    #[arg(long, help_heading = "Output")]
    pub overwrite: bool,
    /// Write the openings to a file in EPD without playing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["first", "second", "run", "pgn"], help_heading = "Output")]
    pub write_openings: Option<PathBuf>,
    /// Threads and output format.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The command line, program name first.
    #[arg(skip)]
    pub line: Vec<OsString>,
}

impl MatchArgs {
    /// The command line with a new value for an option, quoted for a shell.
    pub fn line_with(&self, option: &str, value: &str) -> String {
        let mut words = Vec::new();
        let mut rest = self.line.iter().map(|word| word.to_string_lossy());
        while let Some(word) = rest.next() {
            match word.strip_prefix(option) {
                Some("") => drop(rest.next()),
                Some(value) if value.starts_with('=') => {}
                _ => words.push(shell_words::quote(&word).into_owned()),
            }
        }
        words.extend([option.to_string(), shell_words::quote(value).into_owned()]);
        words.join(" ")
    }
}

/// An even number from 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvenNumber(pub u64);

impl std::str::FromStr for EvenNumber {
    type Err = Error;

    fn from_str(text: &str) -> Result<EvenNumber, Error> {
        let number = text.parse().ok().filter(|&number: &u64| number >= 2 && number.is_multiple_of(2));
        let wrong =
            || Error::expected("an even number from 2, for openings are played twice", format!("{text:?}"));
        number.map(EvenNumber).ok_or_else(wrong)
    }
}

/// A value for the first and one for the second player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerPlayer<T>(pub [T; 2]);

impl<T: std::str::FromStr<Err = Error> + Copy> std::str::FromStr for PerPlayer<T> {
    type Err = Error;

    fn from_str(text: &str) -> Result<PerPlayer<T>, Error> {
        Ok(PerPlayer(match text.split_once(',') {
            Some((first, second)) => [first.parse()?, second.parse()?],
            None => [text.parse()?; 2],
        }))
    }
}

/// Results of an interrupted match: wins, losses, draws, and pairs of games by half points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlierResults(pub Tally);

impl std::str::FromStr for EarlierResults {
    type Err = Error;

    fn from_str(text: &str) -> Result<EarlierResults, Error> {
        let wrong = || {
            let expected =
                "wins, losses, draws and five counts of pairs that belong together, as a match printed them";
            Error::expected(expected, format!("{text:?}"))
        };
        let numbers: Vec<u64> =
            text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let [wins, losses, draws, ll, ld, even, wd, ww] = numbers[..] else { return Err(wrong()) };
        let small = numbers.iter().all(|&number| number <= 1 << 32);
        let tally = Tally { wins, losses, draws, pentanomial: [ll, ld, even, wd, ww] };
        if small && tally.is_consistent() { Ok(EarlierResults(tally)) } else { Err(wrong()) }
    }
}

impl std::fmt::Display for EarlierResults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { wins, losses, draws, pentanomial: [ll, ld, even, wd, ww] } = self.0;
        write!(f, "{wins},{losses},{draws},{ll},{ld},{even},{wd},{ww}")
    }
}

/// Numbers of passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassList(pub Vec<u32>);

impl std::str::FromStr for PassList {
    type Err = Error;

    fn from_str(text: &str) -> Result<PassList, Error> {
        let wrong = || Error::expected("numbers of passes as in 1,5,10-15", format!("{text:?}"));
        let number = |text: &str| text.parse::<u32>().ok().filter(|&n| n < 10_000).ok_or_else(wrong);
        let mut passes = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(wrong());
            }
            passes.extend(first..=last);
        }
        passes.sort_unstable();
        passes.dedup();
        Ok(PassList(passes))
    }
}

/// Opponents of each set of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Pairing {
    /// The start weights of the run.
    Start,
    /// All other sets.
    All,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_holds_for_both_sides_and_two_for_one_each() {
        let both: PerPlayer<PhaseAt> = "root".parse().unwrap();
        assert_eq!(both.0, [PhaseAt::Root; 2]);
        let each: PerPlayer<PhaseScheme> = "madchess,none".parse().unwrap();
        assert_eq!(each.0, [PhaseScheme::Madchess, PhaseScheme::None]);
        assert!("leaf,root,leaf".parse::<PerPlayer<PhaseAt>>().is_err());
    }

    #[test]
    fn results_so_far_come_back_as_they_were_printed() {
        let text = "3,2,3,0,1,2,0,1";
        assert_eq!(text.parse::<EarlierResults>().unwrap().to_string(), text);
        for wrong in
            ["", "1,2", "3,2,3,0,1,2,1,0", "3,2,3,0,1,2,0,1,0", "-1,2,3,0,1,2,0,1", "99999999999999999999"]
        {
            assert!(wrong.parse::<EarlierResults>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_line_to_go_on_with_has_the_option_once_and_words_that_a_shell_takes_whole() {
        use crate::commands::cli::{Cli, Command};
        let line = |words: &[&str]| match Cli::read(words).unwrap().command {
            Command::Match(args) => args.line_with("--so-far", "1,1,0,0,0,1,0,0"),
            other => panic!("{other:?}"),
        };
        let goes_on = "--games 8 --so-far 1,1,0,0,0,1,0,0";
        let begun = ["texam", "match", "a.par", "b.par", "--games", "8"];
        let expected = format!("texam match a.par b.par {goes_on}");
        assert_eq!(line(&begun), expected);
        assert_eq!(line(&[&begun[..], &["--so-far", "0,0,0,0,0,0,0,0"]].concat()), expected);
        assert_eq!(line(&[&begun[..], &["--so-far=0,0,0,0,0,0,0,0"]].concat()), expected);
        let spaced = ["texam", "match", "my a.par", "it's b.par", "--games", "8"];
        assert_eq!(line(&spaced), format!(r"texam match 'my a.par' 'it'\''s b.par' {goes_on}"));
    }

    #[test]
    fn passes_are_listed_singly_and_in_ranges() {
        assert_eq!("10-12,1,11".parse::<PassList>().unwrap().0, [1, 10, 11, 12]);
        for wrong in ["", "5-3", "1,,2", "a", "1-2-3", "0-4294967295"] {
            assert!(wrong.parse::<PassList>().is_err(), "{wrong}");
        }
    }
}
