//! Parses lines to commands. Unknown words before a command are skipped, as UCI demands.

use std::{
    iter::Peekable,
    str::{FromStr, SplitWhitespace},
    time::Duration,
};

use shakmaty::{Chess, uci::UciMove};

use crate::engine::{Clock, GameState, Limits, perft::LARGEST_DEPTH};
use texam_chess::{
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
    /// The game, and what was left out of the line.
    Position(Box<GameState>, Vec<String>),
    Go(Box<Go>),
    Perft(u32),
    Eval,
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
    /// What is wrong with arguments that are ignored.
    notes: Vec<String>,
}

impl Go {
    /// The limits for the side to move (0 White, 1 Black), and what is wrong with arguments that are ignored.
    /// If no limit is left because of them, the search is limited to depth 1: the other program waits for a
    /// best move, and would not stop an endless search.
    pub fn limits_for(self, game: &GameState, us: usize) -> (Limits, Vec<String>) {
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
        let mut notes = self.notes;
        for mv in &self.moves {
            match legal(game, mv) {
                Ok(mv) => limits.root_moves.push(CompactMove::from(mv)),
                Err(error) => notes.push(format!("searchmoves: {error}; it is ignored")),
            }
        }
        if limits.root_moves.is_empty() && !self.moves.is_empty() {
            notes.push("searchmoves: no move is left, so all moves are searched".to_string());
        }
        if !notes.is_empty() && !self.infinite && !limits.is_finite() {
            limits.depth = Some(1);
            notes.push("no limit is left, so the search ends at depth 1".to_string());
        }
        (limits, notes)
    }

    /// The number after an argument. If there is none, that is noted, and the next word is left to be read.
    fn number<T: FromStr>(&mut self, name: &str, words: &mut Peekable<SplitWhitespace>) -> Option<T> {
        let word = words.peek().copied();
        let number = word.and_then(|word| word.parse().ok());
        if number.is_some() {
            words.next();
        } else {
            let found = word.map_or("nothing".to_string(), |word| format!("{word:?}"));
            let error = Error::expected(format!("a number from 0 after {name}"), found);
            self.notes.push(format!("{error}; {name} is ignored"));
        }
        number
    }

    /// A time in milliseconds; negative times, of a clock that has run out, become 0.
    fn time(&mut self, name: &str, words: &mut Peekable<SplitWhitespace>) -> Option<Duration> {
        let milliseconds: i64 = self.number(name, words)?;
        Some(Duration::from_millis(milliseconds.max(0).unsigned_abs()))
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
            "position" => position(words),
            "go" => Ok(go(words.peekable())),
            "eval" => Ok(Command::Eval),
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
    let expected = "uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, eval or quit";
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

fn position(mut words: SplitWhitespace) -> Result<Command> {
    let mut notes = Vec::new();
    let kind = words.next();
    let text = words.by_ref().take_while(|&word| word != "moves").collect::<Vec<_>>().join(" ");
    let (start, ignored) = match kind {
        Some("startpos") => (Chess::default(), &*text),
        Some("fen") => {
            let parsed = fen::read(&text)?;
            notes.extend(parsed.note);
            (parsed.position, parsed.rest)
        }
        other => {
            let found = other.map_or("nothing".to_string(), |word| format!("{word:?}"));
            return Err(Error::expected("startpos or fen after position", found));
        }
    };
    if !ignored.is_empty() {
        notes.push(format!("expected moves after the position, but found {ignored:?}; it is ignored"));
    }
    let mut game = GameState::new(start);
    for word in words {
        let mv = legal(&game, word)?;
        game.play(mv);
    }
    Ok(Command::Position(Box::new(game), notes))
}

fn legal(game: &GameState, text: &str) -> Result<shakmaty::Move> {
    let illegal = || Error::expected("a legal move", format!("{text:?}"));
    let mv: UciMove = text.parse().map_err(|_| illegal())?;
    mv.to_move(game.position()).map_err(|_| illegal())
}

fn go(mut words: Peekable<SplitWhitespace>) -> Command {
    let mut go = Go::default();
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
            "depth" => go.limits.depth = go.number(word, &mut words),
            "nodes" => go.limits.nodes = go.number(word, &mut words),
            "mate" => go.limits.mate = go.number(word, &mut words),
            "movetime" => go.limits.movetime = go.time(word, &mut words),
            "wtime" => go.left[0] = go.time(word, &mut words),
            "btime" => go.left[1] = go.time(word, &mut words),
            "winc" => go.increment[0] = go.time(word, &mut words).unwrap_or_default(),
            "binc" => go.increment[1] = go.time(word, &mut words).unwrap_or_default(),
            "movestogo" => go.moves_to_go = go.number(word, &mut words),
            "perft" => match go.number(word, &mut words) {
                Some(depth) if depth <= LARGEST_DEPTH => return Command::Perft(depth),
                Some(_) => go.notes.push(format!("perft: the largest depth is {LARGEST_DEPTH}")),
                None => {}
            },
            _ => {}
        }
    }
    Command::Go(Box::new(go))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(line: &str) -> Limits {
        match parse(line).unwrap() {
            Command::Go(go) => go.limits_for(&GameState::default(), 0).0,
            other => panic!("{other:?}"),
        }
    }

    fn notes(line: &str) -> String {
        match parse(line).unwrap() {
            Command::Go(go) => go.limits_for(&GameState::default(), 0).1.join("\n"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_position_is_played_to_its_last_move() {
        let Command::Position(game, _) = parse("position startpos moves e2e4 e7e5 e1e2").unwrap() else {
            panic!()
        };
        assert_eq!(game.moves().len(), 3);
        let fen = "position fen 4k3/8/8/8/8/8/6P1/4K2R w K - 3 9 moves e1g1";
        assert!(
            matches!(parse(fen).unwrap(), Command::Position(game, notes) if notes.is_empty() && game.moves().len() == 1)
        );
    }

    #[test]
    fn what_is_left_out_of_a_position_is_noted() {
        let bare = "4k3/8/8/8/8/8/8/R4K2 w";
        for (line, part) in [
            ("startpos e2e4 moves e2e4".to_string(), "found \"e2e4\"; it is ignored"),
            (format!("fen {bare} Q - 0 1"), "Q are of chess960, which is not played: read as -"),
            (format!("fen {bare} K - 0 1"), "K have no king or rook: read as -"),
            (format!("fen {bare} - - bm Ke2; id \"a\"; moves f1e2"), "bm Ke2"),
        ] {
            let Ok(Command::Position(_, notes)) = parse(&format!("position {line}")) else {
                panic!("{line}")
            };
            assert!(notes.len() == 1 && notes[0].contains(part), "{line}: {notes:?}");
        }
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
    fn a_wrong_argument_of_go_is_ignored_and_never_leaves_an_endless_search() {
        assert!(notes("go depth x").contains("after depth, but found \"x\""));
        assert!(notes("go nodes").contains("nothing"));
        assert!(notes("go perft 65").contains("largest depth is 64"));
        for line in ["go depth x", "go nodes", "go perft 65", "go searchmoves e2e5", "go ponder mate -1"] {
            assert_eq!(limits(line).depth, Some(1), "{line}");
        }
        assert_eq!(limits("go nodes depth 3"), Limits::depth(3));
        assert_eq!(limits("go wtime soon movetime 50"), limits("go movetime 50"));
        assert_eq!(limits("go infinite depth x"), Limits::default());
        assert_eq!(limits("go searchmoves e2e5 e2e4 depth 2").root_moves.len(), 1);
        assert!(notes("go searchmoves e2e5 e2e4 depth 2").contains("\"e2e5\""));
        assert_eq!((limits("go"), notes("go").as_str()), (Limits::default(), ""));
    }

    #[test]
    fn limits_are_read_and_infinite_overrides_them() {
        assert_eq!(limits("go depth 7 nodes 500"), Limits { nodes: Some(500), ..Limits::depth(7) });
        assert_eq!(limits("go infinite depth 7"), Limits::default());
        assert_eq!(limits("go searchmoves e2e4 d2d4 mate 3").root_moves.len(), 2);
        assert_eq!(limits("go movetime 250").movetime, Some(Duration::from_millis(250)));
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
