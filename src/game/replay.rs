//! The text of one game becomes a [`Game`], or the reason why it does not.
//!
//! Third step of reading games, and the door to pgn-reader. Plays the moves, which pgn-reader does not
//! check, and settles who won. Knows nothing of files; the caller adds the place to the errors.

use std::{fmt::Display, ops::ControlFlow};

use pgn_reader::{RawTag, Reader, Visitor};
use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, KnownOutcome, Move, Outcome, Position, PositionError, Setup,
    fen::Fen,
    san::{San, SanPlus},
};

use super::{
    Game,
    movetext::{self, Damage, END},
    tags,
};
use crate::error::Error;

/// What became of a game.
pub(super) enum Verdict {
    Decisive(Game),
    Undecided,
    Variant(Error),
    Broken(Error),
}

/// Reads the game in `text`, the `number`-th of its file.
pub(super) fn read_game(text: &[u8], number: u32) -> Verdict {
    let mut clean = Vec::with_capacity(text.len() + 3);
    let movetext = tags::tidy(text, &mut clean);
    let damage = movetext::tidy(&text[movetext..], &mut clean);
    // With room for the longest tag no tag of a tidy text is too long.
    let reader = Reader::build(&clean[..]).set_supported_tag_line_length(clean.len());
    match reader.finish().read_game(&mut Replay { number, damage }) {
        Ok(Some(verdict)) => verdict,
        Ok(None) => Verdict::Broken(Error::expected("tags or moves", "neither")),
        Err(error) => Verdict::Broken(Error::io("cannot read the game", error)),
    }
}

/// The tags that matter.
#[derive(Default)]
struct Tags {
    white: Option<String>,
    black: Option<String>,
    event: Option<String>,
    date: Option<String>,
    /// `None` without a tag that says so: `?` is as good as no tag.
    result: Option<Outcome>,
    fen: Option<String>,
    variant: Option<String>,
}

/// A game as far as it is played.
struct Score {
    tags: Tags,
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    /// The result that stands after the moves.
    token: Option<Outcome>,
    /// The first thing that was wrong. The reading goes on to learn the result: what is wrong in a game
    /// that would not be used is nobody's concern.
    failure: Option<Error>,
}

struct Replay {
    number: u32,
    damage: Option<Damage>,
}

impl Visitor for Replay {
    type Tags = Tags;
    type Movetext = Score;
    type Output = Verdict;

    fn begin_tags(&mut self) -> ControlFlow<Verdict, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Verdict> {
        let value = text_of(&value.decode());
        match name.to_ascii_lowercase().as_slice() {
            b"white" => tags.white = Some(value),
            b"black" => tags.black = Some(value),
            b"event" => tags.event = Some(value),
            b"date" => tags.date = Some(value),
            b"result" => tags.result = result_of(&value),
            b"fen" => tags.fen = Some(value).filter(|fen| !matches!(fen.as_str(), "" | "?" | "-")),
            b"variant" => tags.variant = Some(value),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Verdict, Score> {
        if let Some(variant) = tags.variant.as_deref().filter(|name| !is_chess(name)) {
            let found = movetext::quoted(variant.as_bytes());
            return ControlFlow::Break(Verdict::Variant(Error::expected("a game of standard chess", found)));
        }
        let (start, failure) = match tags.fen.as_deref().map_or(Ok(Chess::default()), start_of) {
            Ok(start) => (start, None),
            Err(BadStart::Chess960) => {
                let error = Error::expected("a game of standard chess", "a position of chess960");
                return ControlFlow::Break(Verdict::Variant(error));
            }
            Err(BadStart::Broken(error)) => (Chess::default(), Some(error)),
        };
        let position = start.clone();
        ControlFlow::Continue(Score { tags, start, position, moves: Vec::new(), token: None, failure })
    }

    fn san(&mut self, score: &mut Score, san: SanPlus) -> ControlFlow<Verdict> {
        if score.failure.is_none()
            && let Err(error) = score.play(san, self.damage.as_ref())
        {
            score.failure = Some(error.at_move(score.fullmove()));
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, score: &mut Score, outcome: Outcome) -> ControlFlow<Verdict> {
        match score.token {
            Some(first) if first != outcome && score.failure.is_none() => {
                let error = Error::expected("one result", format!("{first} and {outcome}"));
                score.failure = Some(error.at_move(score.fullmove()));
            }
            _ => score.token = Some(outcome),
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, score: Score) -> Verdict {
        score.verdict(self.number)
    }
}

impl Score {
    /// Number of the move to be played next, counted from the first of the score.
    fn fullmove(&self) -> u32 {
        super::fullmove_of(self.moves.len())
    }

    /// Plays `san`; a null move stands for the damage, if there is any.
    fn play(&mut self, san: SanPlus, damage: Option<&Damage>) -> Result<(), Error> {
        let found = || format!("\"{san}\"");
        if san.san == San::Null
            && let Some(damage) = damage
        {
            return Err(Error::expected(damage.expected, &damage.found));
        }
        if let Some(token) = self.token {
            return Err(Error::expected(format!("{END} after {token}"), found()));
        }
        let played =
            to_move(san.san, &self.position).map_err(|expected| Error::expected(expected, found()))?;
        self.position.play_unchecked(played);
        self.moves.push(played);
        Ok(())
    }

    fn verdict(self, number: u32) -> Verdict {
        let winner = match self.winner() {
            Ok(Some(winner)) => winner,
            Ok(None) => return Verdict::Undecided,
            Err(error) => return self.broken(error),
        };
        // Without a result after the moves the score was cut off, unless a mate is the end anyway.
        if self.failure.is_some() || (self.token.is_none() && !self.position.is_checkmate()) {
            return self.broken(Error::expected("a result after the moves", END));
        }
        Verdict::Decisive(self.into_game(number, winner))
    }

    /// Settles who won, if anyone did. Tag and token count alike where both name a result; where they
    /// contradict each other only a mate can tell. A mate outranks a winner that they name: old
    /// collections have games with the result turned round.
    fn winner(&self) -> Result<Option<Color>, Error> {
        let tag = self.tags.result.and_then(Outcome::known);
        let token = self.token.and_then(Outcome::known);
        let claims_draw = [tag, token].contains(&Some(KnownOutcome::Draw));
        if !claims_draw && self.failure.is_none() && self.position.is_checkmate() {
            return Ok(Some(!self.position.turn()));
        }
        match (tag, token) {
            (Some(tag), Some(token)) if tag != token => {
                Err(Error::expected(format!("{tag} as in the tags"), token))
            }
            (Some(known), _) | (None, Some(known)) => Ok(known.winner()),
            (None, None) if self.tags.result.is_none() && self.token.is_none() => {
                Err(Error::expected("a result", END))
            }
            (None, None) => Ok(None),
        }
    }

    /// The first failure there was, or else `error`, said of the end of the moves.
    fn broken(self, error: Error) -> Verdict {
        let error = error.at_move(self.fullmove());
        Verdict::Broken(self.failure.unwrap_or(error))
    }

    fn into_game(self, number: u32, winner: Color) -> Game {
        let unknown = |text: Option<String>| text.unwrap_or_else(|| "?".into());
        Game {
            number,
            white: unknown(self.tags.white),
            black: unknown(self.tags.black),
            event: unknown(self.tags.event),
            date: unknown(self.tags.date),
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

enum BadStart {
    Chess960,
    Broken(Error),
}

/// The position that a FEN tag sets up.
fn start_of(fen: &str) -> Result<Chess, BadStart> {
    let broken = |expected, error: &dyn Display| {
        let found = format!("{}: {error}", movetext::quoted(fen.as_bytes()));
        BadStart::Broken(Error::expected(expected, found))
    };
    let setup = Fen::from_ascii(fen.as_bytes()).map_err(|error| broken("a FEN", &error))?.into_setup();
    stand(setup.clone(), CastlingMode::Standard).map_err(|error| {
        let playable = stand(setup, CastlingMode::Chess960).is_ok();
        if playable { BadStart::Chess960 } else { broken("a legal position", &error) }
    })
}

/// The position of `setup`. An en passant square without a pawn that went past it is a slip that changes
/// no move.
fn stand(setup: Setup, mode: CastlingMode) -> Result<Chess, Box<PositionError<Chess>>> {
    Chess::from_setup(setup, mode).or_else(PositionError::ignore_invalid_ep_square).map_err(Box::new)
}

/// The names of chess in Variant tags.
fn is_chess(variant: &str) -> bool {
    const NAMES: [&str; 8] = ["", "?", "-", "chess", "normal", "standard", "from position", "fromposition"];
    NAMES.contains(&variant.to_ascii_lowercase().as_str())
}

/// The result that the value of a Result tag begins with: people write `1-0 (time)`.
fn result_of(value: &str) -> Option<Outcome> {
    let word = value.split_whitespace().next()?.trim_end_matches(']');
    movetext::outcome(word.as_bytes()).and_then(|word| match word {
        "1/2-1/2" => Some(Outcome::Known(KnownOutcome::Draw)),
        word => Outcome::from_ascii(word.as_bytes()).ok(),
    })
}

/// Text in UTF-8, or else Latin-1, which is what old files have and where no byte is wrong.
fn text_of(bytes: &[u8]) -> String {
    let text = str::from_utf8(bytes).map(String::from);
    text.unwrap_or_else(|_| bytes.iter().copied().map(char::from).collect()).trim().to_string()
}
