//! The arguments of `texam match`.

use std::path::PathBuf;

use clap::Args;

use super::{OutputArgs, files::games_path, par_path};
use crate::{
    error::Error,
    phase::{PhaseAt, PhaseScheme},
};

/// `texam match`.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// Weights of the first player, a file or a built-in set; results are from its side
    #[arg(value_name = "A.par", value_parser = par_path(), required_unless_present = "write_openings")]
    pub first: Option<PathBuf>,
    /// Weights of the second player, a file or a built-in set
    #[arg(value_name = "B.par", value_parser = par_path(), required_unless_present = "write_openings")]
    pub second: Option<PathBuf>,
    /// Games to play, two for each opening
    #[arg(long, value_name = "N", default_value = "500", value_parser = even_number, help_heading = "Match")]
    pub games: u64,
    /// Positions visited for each move
    #[arg(long, value_name = "N", default_value_t = 3_000, help_heading = "Match",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Seed for the order of the openings
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Match")]
    pub seed: u64,
    /// Openings: games in PGN with any result, or lines of EPD or FEN, plain or packed [default: out of
    /// games/gm1988.pgn, or its built-in copy]
    #[arg(long, value_name = "FILE", value_parser = games_path(), help_heading = "Match")]
    pub openings: Option<PathBuf>,
    /// Sequential test: stop as soon as the games favour a difference of E0 or of E1 Elo
    #[arg(long, value_names = ["E0", "E1"], num_args = 2, help_heading = "Match")]
    pub sprt: Option<Vec<f64>>,
    /// End a game early when both players have agreed on its result for many moves
    #[arg(long, help_heading = "Match")]
    pub adjudicate: bool,
    /// Continue a match after the games in its --pgn file, also if it crashed or was killed
    #[arg(long, requires = "pgn", conflicts_with = "overwrite", help_heading = "Match")]
    pub resume: bool,
    /// Scheme of the game phase: fruit, madchess, rustic or none; for each player in A,B
    #[arg(long, value_name = "SCHEME", default_value = "fruit", help_heading = "Players")]
    pub phase: PerPlayer<PhaseScheme>,
    /// Where the phase is taken from: leaf or root; for each player in A,B
    #[arg(long, value_name = "PLACE", default_value = "leaf", help_heading = "Players")]
    pub phase_at: PerPlayer<PhaseAt>,
    /// Save the games
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub pgn: Option<PathBuf>,
    /// Replace the file of --pgn or --write-openings if it exists
    #[arg(long, help_heading = "Output")]
    pub overwrite: bool,
    /// Write the openings to a file in EPD without playing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["first", "second", "pgn"], help_heading = "Output")]
    pub write_openings: Option<PathBuf>,
    /// Threads and output format.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Reads an even number from 2.
fn even_number(text: &str) -> Result<u64, Error> {
    let number = text.parse().ok().filter(|&number: &u64| number >= 2 && number.is_multiple_of(2));
    let wrong =
        || Error::expected("an even number from 2, for openings are played twice", format!("{text:?}"));
    number.ok_or_else(wrong)
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
}
