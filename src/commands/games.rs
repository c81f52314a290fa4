//! `texam games`: lists games, all of them or those in which some words occur.

use std::fmt::Write;

use serde::Serialize;

use super::{Outcome, print_error, print_result, warn};
use crate::{
    commands::cli::ListArgs,
    error::Result,
    game::{GameFilter, GameHead},
    run::{count, read_games},
};

/// Columns of a terminal that a row fits.
const WIDTH: usize = 80;

/// Columns of the longest name that is not cut.
const NAME_WIDTH: usize = 16;

/// Half-moves that are listed: four full moves.
const PLIES: usize = 8;

#[derive(Serialize)]
struct GameList {
    games: String,
    /// Part of the name of the player whose games they are; none for games with a winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
    /// Number of games with a winner in the file, or of the player.
    decisive: usize,
    list: Vec<GameRow>,
}

#[derive(Serialize)]
struct GameRow {
    number: u32,
    white: String,
    black: String,
    event: String,
    date: String,
    year: Option<String>,
    result: String,
    /// The first moves in standard algebraic notation, with numbers.
    opening: Vec<String>,
}

pub(super) fn run(args: &ListArgs) -> Result<Outcome> {
    // No game has so many moves, so that no positions are kept.
    let (path, words, player) = (args.games(), args.words(), &args.player.player);
    let (collection, skipped) = read_games(&path, player.as_deref(), u32::MAX, 1, &mut warn)?;
    let filter = GameFilter::new(&words);
    let matching = collection.games.iter().filter(|head| filter.matches(head));
    let output = GameList {
        games: path.to_string(),
        player: player.clone(),
        decisive: collection.games.len(),
        list: matching.map(row).collect(),
    };
    if args.json || !output.list.is_empty() {
        print_result(&output, args.json, text)?;
    }
    if output.list.is_empty() {
        print_error(&format!(
            "none of the {} of {} matches {words:?}; without words, texam games lists all",
            count(output.decisive as u64, "game"),
            output.games
        ));
    }
    Ok(Outcome::complete_if(skipped == 0 && !output.list.is_empty()))
}

fn row(head: &GameHead) -> GameRow {
    GameRow {
        number: head.number,
        white: head.white.clone(),
        black: head.black.clone(),
        event: head.event.clone(),
        date: head.date.clone(),
        year: head.year().map(String::from),
        result: head.result.to_string(),
        opening: head.opening(PLIES),
    }
}

/// A line for each game, and one with their number.
fn text(output: &GameList) -> Result<String, std::fmt::Error> {
    let rows = &output.list;
    let digits = rows.last().map_or(0, |row| row.number.to_string().len());
    let names: Vec<[String; 2]> =
        rows.iter().map(|row| [&row.white, &row.black].map(|name| short_name(name))).collect();
    let width = |side: usize| names.iter().map(|names| names[side].chars().count()).max().unwrap_or(0);
    let [white_width, black_width] = [0, 1].map(width);
    let mut text = String::new();
    for (row, [white, black]) in rows.iter().zip(&names) {
        let year = row.year.as_deref().unwrap_or("?");
        let mut line = format!(
            "{:>digits$}  {white:<white_width$}  {black:<black_width$}  {year:<4}  {}",
            row.number, row.result
        );
        line.push(' ');
        for mv in &row.opening {
            if line.chars().count() + 1 + mv.len() > WIDTH {
                break;
            }
            write!(line, " {mv}")?;
        }
        writeln!(text, "{}", line.trim_end())?;
    }
    let found = count(rows.len() as u64, "game");
    let of_all =
        if rows.len() < output.decisive { format!(", of {}", output.decisive) } else { String::new() };
    let whose = output.player.as_ref().map_or("with a winner".to_string(), |part| format!("of {part:?}"));
    writeln!(text, "{found}{of_all} {whose} in {}", output.games)?;
    Ok(text)
}

/// The family name with the first letter of the others, `Keres, P` for `Keres, Paul`, cut where it is long.
fn short_name(name: &str) -> String {
    let (family, others) = name.split_once(", ").unwrap_or((name, ""));
    let initial = others.chars().next().map_or(String::new(), |letter| format!(", {letter}"));
    let room = NAME_WIDTH - initial.chars().count();
    match family.chars().count() <= room {
        true => format!("{family}{initial}"),
        false => format!("{}.{initial}", family.chars().take(room - 1).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_by_family_and_first_letter_and_cut_where_it_is_long() {
        let names = ["Keres, Paul", "Deep Thought", "?", "Nepomniachtchi, Ian", "Maróczy, Géza"];
        let short = names.map(short_name);
        assert_eq!(short, ["Keres, P", "Deep Thought", "?", "Nepomniachtc., I", "Maróczy, G"]);
    }
}
