//! The text of one game becomes a [`Game`], or the reason why it does not.
//!
//! Third step of reading games. Plays the moves and settles who won. Knows nothing of files: the caller adds the
//! name of the file and the number of the game to the errors.

use std::fmt::Display;

use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, KnownOutcome, Move, Outcome, Position, PositionError, Setup,
    fen::Fen,
    san::{San, SanPlus},
};

use super::{
    Game,
    movetext::{self, END, Token, Tokens},
    split::GameText,
    tags::{Tag, Tags},
};
use crate::error::Error;

/// What kind of game a text is.
pub(super) enum GameKind {
    /// A game with a winner, read to its end.
    Decisive(Game),
    /// Drawn, or without a known result. With its moves if it is drawn and was read to its end.
    Undecided(Option<DrawnGame>),
    /// A game of a chess variant.
    Variant(Error),
    /// A game that cannot be read to its end.
    Broken(Error),
}

/// The moves of a drawn game. All of them are legal.
pub(super) struct DrawnGame {
    /// The position before the first move.
    pub start: Chess,
    pub moves: Vec<Move>,
}

/// Reads the game in `text`, the `number`-th of its file.
pub(super) fn read_game(text: &GameText<'_>, number: u32) -> GameKind {
    let mut tags = Tags::new(&text.bytes);
    let mut used = UsedTags::default();
    let at = tags.by_ref().map(|tag| used.add(tag)).last().unwrap_or(0);
    if let Some(tag) = used.variant
        && !is_chess(&tag.text())
    {
        let found = movetext::quoted(tag.text().as_bytes());
        let error = Error::expected("a game of standard chess", found);
        return GameKind::Variant(error.at_line(text.line_of(tag.at)));
    }
    let mut failure = None;
    let mut start = Chess::default();
    if let Some((tag, fen)) = used.fen() {
        match start_of(&fen) {
            Ok(position) => start = position,
            Err(BadStart::Chess960) => {
                let error = Error::expected("a game of standard chess", "a position of chess960");
                return GameKind::Variant(error.at_line(text.line_of(tag.at)));
            }
            Err(BadStart::Broken(error)) => failure = Some(error.at_line(text.line_of(tag.at))),
        }
    }
    let position = start.clone();
    let mut replay =
        Replay { text, at, tags: used, start, position, moves: Vec::new(), final_result: None, failure };
    replay.read_movetext(Tokens::new(&text.bytes, tags.end()));
    replay.finish(number)
}

/// The tags that are used; of several with the same name the last.
#[derive(Default)]
struct UsedTags<'a> {
    white: Option<Tag<'a>>,
    black: Option<Tag<'a>>,
    event: Option<Tag<'a>>,
    date: Option<Tag<'a>>,
    result: Option<Tag<'a>>,
    fen: Option<Tag<'a>>,
    variant: Option<Tag<'a>>,
}

impl<'a> UsedTags<'a> {
    /// Keeps `tag` if it is used, and returns where it begins.
    fn add(&mut self, tag: Tag<'a>) -> usize {
        let slots = [
            ("White", &mut self.white),
            ("Black", &mut self.black),
            ("Event", &mut self.event),
            ("Date", &mut self.date),
            ("Result", &mut self.result),
            ("FEN", &mut self.fen),
            ("Variant", &mut self.variant),
        ];
        for (name, slot) in slots {
            if tag.name.eq_ignore_ascii_case(name.as_bytes()) {
                *slot = Some(tag);
            }
        }
        tag.at
    }

    /// The FEN tag, if it sets up a position, and its value.
    fn fen(&self) -> Option<(Tag<'a>, String)> {
        let tag = self.fen?;
        Some((tag, tag.text())).filter(|(_, fen)| !matches!(fen.as_str(), "" | "?" | "-"))
    }

    /// The result that the Result tag names; `None` also for `?`.
    fn result(&self) -> Option<Outcome> {
        // The first word, because people write `1-0 (time)`.
        let value = self.result?.text();
        let word = value.split_whitespace().next()?.trim_end_matches(']');
        movetext::outcome(word.as_bytes())
    }
}

/// A game as far as it is played.
struct Replay<'a> {
    text: &'a GameText<'a>,
    /// Where the last tag, move or result begins.
    at: usize,
    tags: UsedTags<'a>,
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    /// The result that is written after the moves.
    final_result: Option<Outcome>,
    /// The first error. The reading goes on after it because the result may make the game undecided, and errors
    /// in such games are not reported.
    failure: Option<Error>,
}

impl Replay<'_> {
    /// Reads moves and results up to the end, or to something that cannot be read.
    fn read_movetext(&mut self, mut tokens: Tokens<'_>) {
        loop {
            let token = tokens.read();
            if let Ok(None) = token {
                return;
            }
            self.at = tokens.start();
            let done = match token {
                Ok(Some(Token::Move(san))) if self.failure.is_none() => self.play(san),
                Ok(Some(Token::Result(outcome))) => self.note_result(outcome),
                Ok(_) => Ok(()),
                Err(unreadable) => {
                    let error = Error::expected(unreadable.expected, unreadable.found);
                    let error = self.at_token(error);
                    self.failure.get_or_insert(error);
                    return;
                }
            };
            if let Err(error) = done {
                let error = self.at_token(error);
                self.failure.get_or_insert(error);
            }
        }
    }

    /// Plays `san`.
    fn play(&mut self, san: SanPlus) -> Result<(), Error> {
        let found = || format!("\"{san}\"");
        if let Some(result) = self.final_result {
            return Err(Error::expected(format!("{END} after {result}"), found()));
        }
        let played =
            to_move(san.san, &self.position).map_err(|expected| Error::expected(expected, found()))?;
        self.position.play_unchecked(played);
        self.moves.push(played);
        Ok(())
    }

    /// Keeps the result that is written after the moves.
    fn note_result(&mut self, result: Outcome) -> Result<(), Error> {
        match self.final_result {
            Some(first) if first != result && self.failure.is_none() => {
                Err(Error::expected("one result", format!("{first} and {result}")))
            }
            _ => {
                self.final_result = Some(result);
                Ok(())
            }
        }
    }

    /// `error` with the next move and the line of the last tag, move or result.
    fn at_token(&self, error: Error) -> Error {
        let fullmove = super::fullmove_of(self.moves.len());
        error.at_move(fullmove).at_line(self.text.line_of(self.at))
    }

    fn finish(self, number: u32) -> GameKind {
        let winner = match self.winner() {
            Ok(Some(winner)) => winner,
            Ok(None) => return GameKind::Undecided(self.into_drawn()),
            Err(error) => return self.broken(error),
        };
        // Without a result after the moves the game was cut off, unless it ends with a mate.
        if self.failure.is_some() || (self.final_result.is_none() && !self.position.is_checkmate()) {
            return self.broken(Error::expected("a result after the moves", END));
        }
        GameKind::Decisive(self.into_game(number, winner))
    }

    /// The moves of a game without a winner, if it is a draw and was read to its end.
    fn into_drawn(self) -> Option<DrawnGame> {
        let known = self.final_result.and_then(Outcome::known);
        let is_draw = known == Some(KnownOutcome::Draw) && self.failure.is_none();
        is_draw.then_some(DrawnGame { start: self.start, moves: self.moves })
    }

    /// The winner, if there is one. The result in the tags and that after the moves count alike. If they
    /// contradict each other, only a mate decides. A mate also outranks a winner that both name: old collections
    /// have games with the result reversed.
    fn winner(&self) -> Result<Option<Color>, Error> {
        let in_tags = self.tags.result();
        let known_in_tags = in_tags.and_then(Outcome::known);
        let known_at_end = self.final_result.and_then(Outcome::known);
        let claims_draw = [known_in_tags, known_at_end].contains(&Some(KnownOutcome::Draw));
        if !claims_draw && self.failure.is_none() && self.position.is_checkmate() {
            return Ok(Some(!self.position.turn()));
        }
        match (known_in_tags, known_at_end) {
            (Some(in_tags), Some(at_end)) if in_tags != at_end => {
                Err(Error::expected(format!("{in_tags} as in the tags"), at_end))
            }
            (Some(known), _) | (None, Some(known)) => Ok(known.winner()),
            (None, None) if in_tags.is_none() && self.final_result.is_none() => {
                Err(Error::expected("a result", END))
            }
            (None, None) => Ok(None),
        }
    }

    /// A broken game, with the first error there was, or else `error`.
    fn broken(self, error: Error) -> GameKind {
        let error = self.at_token(error);
        GameKind::Broken(self.failure.unwrap_or(error))
    }

    fn into_game(self, number: u32, winner: Color) -> Game {
        let text_of = |tag: Option<Tag<'_>>| tag.map_or_else(|| "?".into(), |tag| tag.text());
        Game {
            number,
            white: text_of(self.tags.white),
            black: text_of(self.tags.black),
            event: text_of(self.tags.event),
            date: text_of(self.tags.date),
            winner,
            start: self.start,
            moves: self.moves,
        }
    }
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
        IllegalSan => "a legal move",
        AmbiguousSan => "a move that only one piece can make",
    })
}

/// Why a FEN tag sets up no position of standard chess.
enum BadStart {
    /// The position is one of chess960.
    Chess960,
    /// The tag is no FEN, or its position is illegal.
    Broken(Error),
}

/// The position that a FEN tag sets up.
fn start_of(fen: &str) -> Result<Chess, BadStart> {
    let broken = |expected, error: &dyn Display| {
        let found = format!("{}: {error}", movetext::quoted(fen.as_bytes()));
        BadStart::Broken(Error::expected(expected, found))
    };
    let setup = Fen::from_ascii(fen.as_bytes()).map_err(|error| broken("a FEN", &error))?.into_setup();
    position_of(setup.clone(), CastlingMode::Standard).map_err(|error| {
        let playable = position_of(setup, CastlingMode::Chess960).is_ok();
        if playable { BadStart::Chess960 } else { broken("a legal position", &error) }
    })
}

/// The position of `setup`. An en passant square without a pawn that passed it is ignored: it changes no move.
fn position_of(setup: Setup, mode: CastlingMode) -> Result<Chess, Box<PositionError<Chess>>> {
    Chess::from_setup(setup, mode).or_else(PositionError::ignore_invalid_ep_square).map_err(Box::new)
}

/// The names of chess in Variant tags.
fn is_chess(variant: &str) -> bool {
    const NAMES: [&str; 8] = ["", "?", "-", "chess", "normal", "standard", "from position", "fromposition"];
    NAMES.contains(&variant.to_ascii_lowercase().as_str())
}
