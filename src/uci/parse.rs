//! Parses lines to commands. Unknown words before a command are skipped, as UCI demands.

use std::{str::SplitWhitespace, time::Duration};

use shakmaty::{Chess, uci::UciMove};

use crate::{
    engine::{Clock, GameState, Limits},
    error::{Error, Result},
    fen,
    position::CompactMove,
};

/// A UCI command.
#[derive(Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position(Box<GameState>),
    Go(Go),
    Perft(u32),
    Bench,
    PonderHit,
    Stop,
    Quit,
    /// A line that needs no answer.
    Nothing,
}

/// The arguments of `go`. They contain the clocks of both sides, since the line does not say which side is to
/// move.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// All limits but the clock and the root moves.
    pub limits: Limits,
    /// Whether `infinite` was given.
    pub infinite: bool,
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    moves: Vec<String>,
}

impl Go {
    /// The limits for the side to move: 0 White, 1 Black.
    ///
    /// # Errors
    ///
    /// A move of `searchmoves` is not legal.
    pub fn limits_for(self, game: &GameState, us: usize) -> Result<Limits> {
        let mut limits = self.limits;
        let (increment, moves_to_go) = (self.increment[us], self.moves_to_go);
        limits.clock = self.left[us].map(|remaining| Clock { remaining, increment, moves_to_go });
        if self.left[us].is_none() && self.left[us ^ 1].is_some() {
            // If only the clock of the opponent is given, it is the best estimate.
            limits.clock = self.left[us ^ 1].map(|remaining| Clock { remaining, increment, moves_to_go });
        }
        if self.infinite {
            limits = Limits { ponder: limits.ponder, root_moves: limits.root_moves, ..Limits::default() };
        }
        limits.root_moves =
            self.moves.iter().map(|mv| legal(game, mv).map(CompactMove::from)).collect::<Result<_>>()?;
        Ok(limits)
    }
}

/// Parses a line.
///
/// # Errors
///
/// The line is not a command, or an argument is missing or wrong.
pub(super) fn parse(line: &str) -> Result<Command> {
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        return match word {
            "uci" => Ok(Command::Uci),
            "isready" => Ok(Command::IsReady),
            "ucinewgame" => Ok(Command::NewGame),
            "setoption" => set_option(words),
            "position" => position(words).map(|game| Command::Position(Box::new(game))),
            "go" => go(words),
            "bench" => Ok(Command::Bench),
            "ponderhit" => Ok(Command::PonderHit),
            "stop" => Ok(Command::Stop),
            "quit" => Ok(Command::Quit),
            "debug" | "register" => Ok(Command::Nothing),
            _ => continue,
        };
    }
    if line.trim().is_empty() {
        return Ok(Command::Nothing);
    }
    let expected = "uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, bench or quit";
    Err(Error::expected(expected, format!("{:?}", line.trim())))
}

/// `setoption name NAME value VALUE`; both may contain blanks.
fn set_option(words: SplitWhitespace) -> Result<Command> {
    let (mut name, mut value) = (Vec::new(), Vec::new());
    let mut words = words.skip_while(|&word| word != "name").skip(1);
    name.extend(words.by_ref().take_while(|&word| word != "value"));
    value.extend(words);
    if name.is_empty() {
        return Err(Error::expected("setoption name NAME value VALUE", "no name"));
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn position(mut words: SplitWhitespace) -> Result<GameState> {
    let start = match words.next() {
        Some("startpos") => Chess::default(),
        Some("fen") => {
            let fen: Vec<_> = words.clone().take_while(|&word| word != "moves").collect();
            fen::parse_dropping_castling_rights(&fen.join(" "))?
        }
        other => {
            let found = other.map_or("nothing".to_string(), |word| format!("{word:?}"));
            return Err(Error::expected("startpos or fen after position", found));
        }
    };
    let mut game = GameState::new(start);
    for word in words.skip_while(|&word| word != "moves").skip(1) {
        let mv = legal(&game, word)?;
        game.play(mv);
    }
    Ok(game)
}

fn legal(game: &GameState, text: &str) -> Result<shakmaty::Move> {
    let illegal = || Error::expected("a legal move", format!("{text:?}"));
    let mv: UciMove = text.parse().map_err(|_| illegal())?;
    mv.to_move(game.position()).map_err(|_| illegal())
}

fn go(words: SplitWhitespace) -> Result<Command> {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.limits.ponder = true,
            "searchmoves" => {
                let is_move = |word: &&str| word.parse::<UciMove>().is_ok();
                while let Some(mv) = words.next_if(is_move) {
                    go.moves.push(mv.to_string());
                }
            }
            "depth" => go.limits.depth = Some(number(word, words.next())?),
            "nodes" => go.limits.nodes = Some(number(word, words.next())?),
            "mate" => go.limits.mate = Some(number(word, words.next())?),
            "movetime" => go.limits.movetime = Some(time(word, words.next())?),
            "wtime" => go.left[0] = Some(time(word, words.next())?),
            "btime" => go.left[1] = Some(time(word, words.next())?),
            "winc" => go.increment[0] = time(word, words.next())?,
            "binc" => go.increment[1] = time(word, words.next())?,
            "movestogo" => go.moves_to_go = Some(number(word, words.next())?),
            "perft" => return Ok(Command::Perft(number(word, words.next())?)),
            _ => {}
        }
    }
    Ok(Command::Go(go))
}

fn number<T: std::str::FromStr>(name: &str, word: Option<&str>) -> Result<T> {
    let found = || word.map_or("nothing".to_string(), |word| format!("{word:?}"));
    word.and_then(|word| word.parse().ok())
        .ok_or_else(|| Error::expected(format!("a number from 0 after {name}"), found()))
}

/// A time in milliseconds; negative times, of a clock that has run out, become 0.
fn time(name: &str, word: Option<&str>) -> Result<Duration> {
    let milliseconds: i64 = number(name, word)?;
    Ok(Duration::from_millis(milliseconds.max(0).unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(line: &str) -> Limits {
        match parse(line).unwrap() {
            Command::Go(go) => go.limits_for(&GameState::default(), 0).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    fn error(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    #[test]
    fn a_position_is_played_to_its_last_move() {
        let Command::Position(game) = parse("position startpos moves e2e4 e7e5 e1e2").unwrap() else {
            panic!()
        };
        assert_eq!(game.moves().len(), 3);
        let fen = "position fen 4k3/8/8/8/8/8/6P1/4K2R w K - 3 9 moves e1g1";
        assert!(matches!(parse(fen).unwrap(), Command::Position(game) if game.moves().len() == 1));
    }

    #[test]
    fn an_error_names_the_wrong_word() {
        assert!(error("position startpos moves e2e5").contains("\"e2e5\""));
        assert!(error("position fen 8/8/8/8/8/8/8/8 w - - 0 1").contains("legal position"));
        assert!(error("position").contains("nothing"));
        assert!(error("go depth x").contains("depth"));
        assert!(error("go nodes").contains("nothing"));
        assert!(error("hello there").contains("hello there"));
        assert!(error("setoption value 3").contains("no name"));
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert!(matches!(parse("joho isready").unwrap(), Command::IsReady));
        assert!(matches!(parse("  ").unwrap(), Command::Nothing));
    }

    #[test]
    fn a_clock_below_zero_stands_at_zero_and_a_missing_one_is_that_of_the_other_side() {
        let clock = limits("go wtime -50 btime 1000 winc 7").clock.unwrap();
        assert_eq!((clock.remaining, clock.increment), (Duration::ZERO, Duration::from_millis(7)));
        assert_eq!(limits("go btime 900").clock.unwrap().remaining, Duration::from_millis(900));
    }

    #[test]
    fn limits_are_read_and_infinite_overrides_them() {
        assert_eq!(limits("go depth 7 nodes 500"), Limits { nodes: Some(500), ..Limits::depth(7) });
        assert_eq!(limits("go infinite depth 7"), Limits::default());
        assert_eq!(limits("go searchmoves e2e4 d2d4 mate 3").root_moves.len(), 2);
        assert_eq!(limits("go movetime 250"), Limits::movetime(Duration::from_millis(250)));
        assert!(limits("go ponder wtime 1 btime 1").ponder);
    }

    #[test]
    fn names_and_values_of_options_may_contain_blanks() {
        match parse("setoption name Move Overhead value my file.par").unwrap() {
            Command::SetOption { name, value } => {
                assert_eq!((name.as_str(), value.as_str()), ("Move Overhead", "my file.par"));
            }
            other => panic!("{other:?}"),
        }
    }
}
