//! The text of one game becomes a [`Game`], or the reason why it does not.
//!
//! Third step of reading games. The moves among the tokens of the text are played. Then the rules of
//! [`game`](super) decide who won, and whether the game is broken. Knows nothing of files: the caller adds the
//! name of the file and the number of the game.

use std::fmt::Display;

use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome, Position, san::San};

use super::{
    Game, Moves, fullmove_at,
    outcome::{self, END},
    split::GameText,
    words::{Token, Tokens},
};
use crate::{
    error::{Error, ErrorKind},
    fen,
};

/// What kind of game a text is.
pub(super) enum GameKind {
    /// A game that was read to its end, whether its result stands there, and what is wrong with the result.
    Read(Box<Game>, bool, Option<Error>),
    /// A game of a chess variant.
    Variant(Error),
    /// A game that cannot be read to its end, and whether it has no winner. Then its errors are not reported.
    Broken(Error, bool),
}

/// Reads the game in `text`. It gets its number from the caller. Comments alone are no game.
pub(super) fn read_game(text: &GameText) -> Option<GameKind> {
    let mut tokens = Tokens::new(&text.bytes).peekable();
    tokens.peek()?;
    let mut replay = Replay::new();
    for (at, word, token) in tokens {
        // The reading goes on after an error, because the result may make the game undecided.
        let taken = replay.take(token, word);
        if let (Err((expected, found)), None) = (taken, &replay.failure) {
            replay.failure = Some(replay.placed(Error::expected(expected, found), text, at));
        }
    }
    Some(replay.finish(text))
}

/// What is expected of a word.
const LEGAL: &str = "a legal move";

/// What was expected, and what was found.
type Failure = (String, String);

/// A game as far as it was read.
struct Replay {
    game: Game,
    position: Chess,
    /// The result of the tags.
    result: Option<Outcome>,
    /// The result that is written after the moves.
    final_result: Option<Outcome>,
    /// Why this is a game of a chess variant.
    variant: Option<Error>,
    /// The first error.
    failure: Option<Error>,
}

impl Replay {
    fn new() -> Replay {
        let [white, black, event, date] = [(); 4].map(|()| "?".to_string());
        let played = Moves { start: Chess::default(), moves: Vec::new() };
        let (result, chooser) = (Outcome::Unknown, Color::White);
        let game = Game { number: 0, white, black, event, date, link: None, result, chooser, played };
        let position = Chess::default();
        Replay { game, position, result: None, final_result: None, variant: None, failure: None }
    }

    /// An error at a byte of the text, before the next move.
    fn placed(&self, error: Error, text: &GameText, at: usize) -> Error {
        let Moves { start, moves } = &self.game.played;
        error.at_move(fullmove_at(start, moves.len())).at_line(text.line_of(at))
    }

    fn take(&mut self, token: Token<'_>, word: &[u8]) -> Result<(), Failure> {
        match token {
            Token::Tag(name, value) if value.contains(&b'\\') => {
                let value = String::from_utf8_lossy(value).replace("\\\"", "\"").replace(r"\\", r"\");
                self.tag(name, value.trim().to_string());
            }
            Token::Tag(name, value) => self.tag(name, String::from_utf8_lossy(value).trim().to_string()),
            Token::Move(_) if self.failure.is_some() => {}
            Token::Move(san) => self.play(san, word)?,
            Token::Result(result) => match self.final_result {
                Some(first) if first != result && self.failure.is_none() => {
                    return Err(("one result".into(), format!("{first} and {result}")));
                }
                _ => self.final_result = Some(result),
            },
            Token::Unknown => return Err((LEGAL.into(), quoted(word))),
            Token::Unclosed(expected, found) => return Err((expected.into(), found.into())),
        }
        Ok(())
    }

    fn tag(&mut self, name: &[u8], value: String) {
        match name.to_ascii_lowercase().as_slice() {
            b"white" => self.game.white = value,
            b"black" => self.game.black = value,
            b"event" => self.game.event = value,
            b"date" => self.game.date = value,
            b"site" | b"link" if value.starts_with("https://") || value.starts_with("http://") => {
                self.game.link = Some(value);
            }
            b"result" => self.result = outcome::at_start(&value),
            b"variant" if !is_chess(&value) => self.be_variant(quoted(value.as_bytes())),
            b"fen" => self.set_up(&value),
            _ => {}
        }
    }

    /// Notes that this is no game of standard chess.
    fn be_variant(&mut self, found: impl Display) {
        let error = Error::expected("a game of standard chess", found);
        self.variant = Some(error.of_kind(ErrorKind::Variant));
    }

    /// Sets up the position of a FEN tag.
    fn set_up(&mut self, fen: &str) {
        if matches!(fen, "" | "?" | "-") {
            return;
        }
        match fen::read(fen) {
            Ok(parsed) if parsed.is_chess960 => self.be_variant("a position of chess960"),
            Ok(parsed) if !parsed.rest.is_empty() => {
                self.failure.get_or_insert(Error::expected("a FEN", quoted(fen.as_bytes())));
            }
            Ok(parsed) => {
                (self.game.played.start, self.position) = (parsed.position.clone(), parsed.position)
            }
            Err(error) => _ = self.failure.get_or_insert(error),
        }
    }

    fn play(&mut self, san: San, word: &[u8]) -> Result<(), Failure> {
        if let Some(result) = self.final_result {
            return Err((format!("{END} after {result}"), quoted(word)));
        }
        let played = to_move(san, &self.position).map_err(|expected| (expected.into(), quoted(word)))?;
        self.position.play_unchecked(played);
        self.game.played.moves.push(played);
        Ok(())
    }

    fn finish(mut self, text: &GameText) -> GameKind {
        self.final_result = self.final_result.or_else(|| outcome::at_end(&text.bytes));
        let result = self.result();
        let place = text.first_line;
        if let Some(error) = self.variant {
            return GameKind::Variant(error.at_line(place));
        }
        if let Some(error) = self.failure {
            let is_undecided = result.is_ok_and(|result| result.winner().is_none());
            return GameKind::Broken(error.at_line(place), is_undecided);
        }
        self.game.result = *result.as_ref().unwrap_or(&Outcome::Unknown);
        let winner = self.game.result.winner();
        self.game.chooser = winner.unwrap_or(Color::White);
        // Without moves and a result after them the game was cut off.
        let is_ended = self.final_result.is_some() || self.position.is_checkmate();
        let is_cut_off = winner.is_some() && self.game.played.moves.is_empty() && !is_ended;
        let cut_off = || is_cut_off.then(|| Error::expected("a result after the moves", END));
        let error = result.err().or_else(cut_off);
        let error = error.map(|error| self.placed(error, text, text.bytes.trim_ascii_end().len()));
        GameKind::Read(Box::new(self.game), is_ended, error)
    }

    /// The result. The one in the tags and that after the moves count alike. If they contradict each other,
    /// only a mate decides. A mate also outranks a winner that both name: old collections have games with the
    /// result reversed.
    fn result(&self) -> Result<Outcome, Error> {
        let known_in_tags = self.result.and_then(Outcome::known);
        let known_at_end = self.final_result.and_then(Outcome::known);
        let claims_draw = [known_in_tags, known_at_end].contains(&Some(KnownOutcome::Draw));
        if !claims_draw && self.failure.is_none() && self.position.is_checkmate() {
            return Ok(Outcome::Known(KnownOutcome::Decisive { winner: !self.position.turn() }));
        }
        match (known_in_tags, known_at_end) {
            (Some(in_tags), Some(at_end)) if in_tags != at_end => {
                Err(Error::expected(format!("{in_tags} as in the tags"), at_end))
            }
            (Some(known), _) | (None, Some(known)) => Ok(Outcome::Known(known)),
            (None, None) if self.result.is_none() && self.final_result.is_none() => {
                Err(Error::expected("a result", END))
            }
            (None, None) => Ok(Outcome::Unknown),
        }
    }
}

/// The start of `bytes`, quoted and escaped for a message.
pub(super) fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 24;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let start: String = text.chars().take(SHOWN).collect();
    let more = if text.chars().count() > SHOWN { "..." } else { "" };
    format!("\"{}{more}\"", start.escape_debug())
}

/// The legal move that `san` means, or what was expected instead.
fn to_move(san: San, position: &Chess) -> Result<Move, &'static str> {
    use shakmaty::san::SanError::{AmbiguousSan, IllegalSan};
    let found = san.to_move(position).or_else(|error| match (error, san) {
        // Many leave out the x of a capture.
        (IllegalSan, San::Normal { role, file, rank, capture: false, to, promotion }) => {
            San::Normal { role, file, rank, capture: true, to, promotion }.to_move(position)
        }
        (error, _) => Err(error),
    });
    found.map_err(|error| match error {
        IllegalSan => LEGAL,
        AmbiguousSan => "a move that only one piece can make",
    })
}

/// The names of chess in Variant tags.
fn is_chess(variant: &str) -> bool {
    const NAMES: [&str; 8] = ["", "?", "-", "chess", "normal", "standard", "from position", "fromposition"];
    NAMES.contains(&variant.to_ascii_lowercase().as_str())
}
