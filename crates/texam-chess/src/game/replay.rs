//! The text of one game becomes a [`Game`], or the reason why it does not.
//!
//! Third step of reading games. pgn-reader reads the text as [`words`](super::words) spells it, and the moves are
//! played. Then the rules of [`game`](super) decide who won, and whether the game is broken. Knows nothing of
//! files: the caller adds the name of the file and the number of the game.

use std::{
    fmt::Display,
    ops::{ControlFlow, Range},
};

use pgn_reader::{RawComment, RawTag, Reader, Visitor};
use shakmaty::{
    Chess, Color, KnownOutcome, Move, Outcome, Position,
    san::{San, SanPlus},
};

use super::{
    Game, Moves, fullmove_at,
    outcome::{self, END},
    split::{GameText, LONGEST_GAME},
    words::{self, LONGEST_TAG},
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

/// Reads the games in texts, which get their numbers from the caller. Comments alone are no game.
pub(super) fn read_games(texts: &[GameText]) -> Vec<GameKind> {
    let mut pgn = Vec::new();
    // Of a game that is too long any spelling will do.
    let spelled = texts.iter().map(|text| {
        let bytes = if text.is_too_long { b"*" } else { &text.bytes[..] };
        (text, words::spell(bytes, &mut pgn))
    });
    let spelled: Vec<_> = spelled.filter(|(_, places)| !places.is_empty()).collect();
    let mut games = Games(spelled.into_iter());
    // Near the end of its text the reader moves so many bytes for each tag. Escapes make a tag at most twice
    // as long.
    let longest = pgn.split(|&byte| byte == b'\n').map(<[u8]>::len).max().unwrap_or(0).min(3 * LONGEST_TAG);
    let mut reader = Reader::build(&pgn[..]).set_supported_tag_line_length(longest + 1).finish();
    reader.read_games(&mut games).map(|game| game.expect("the memory can be read")).collect()
}

/// The texts of games with the places of what is read of them.
struct Games<'a>(std::vec::IntoIter<(&'a GameText, Vec<Range<usize>>)>);

/// What is expected of a word.
const LEGAL: &str = "a legal move";

/// What comments and tags should be.
const CLOSED: &str = "closed comments, and tags of less than 16 kB";

/// What was expected, and what was found.
type Failure = (String, String);

/// A game as far as it was read.
struct Replay<'a> {
    text: &'a GameText,
    /// The bytes of the text that pgn-reader reads next, and after them.
    places: std::vec::IntoIter<Range<usize>>,
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

impl<'a> Replay<'a> {
    fn new(text: &'a GameText, places: Vec<Range<usize>>) -> Replay<'a> {
        let [white, black, event, date] = [(); 4].map(|()| "?".to_string());
        let played = Moves { start: Chess::default(), moves: Vec::new() };
        let (result, chooser) = (Outcome::Unknown, Color::White);
        let game = Game { number: 0, white, black, event, date, link: None, result, chooser, played };
        let position = Chess::default();
        let (result, final_result, variant, failure) = (None, None, None, None);
        let places = places.into_iter();
        Replay { text, places, game, position, result, final_result, variant, failure }
    }

    /// An error at a byte of the text, before the next move.
    fn placed(&self, error: Error, at: usize) -> Error {
        let Moves { start, moves } = &self.game.played;
        error.at_move(fullmove_at(start, moves.len())).at_line(self.text.line_of(at))
    }

    /// Takes what stands next in the text, and notes the first failure. The reading goes on after it, because
    /// the result may make the game undecided.
    fn take<T>(&mut self, take: impl FnOnce(&mut Self, &[u8]) -> Result<(), Failure>) -> ControlFlow<T> {
        let place = self.places.next().expect("what is read was spelled");
        let taken = take(self, self.text.bytes.get(place.clone()).unwrap_or_default());
        if let (Err((expected, found)), None) = (taken, &self.failure) {
            self.failure = Some(self.placed(Error::expected(expected, found), place.start));
        }
        ControlFlow::Continue(())
    }

    fn take_tag(&mut self, name: &[u8], value: String) {
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

    fn finish(mut self) -> GameKind {
        let text = self.text;
        if text.is_too_long {
            let limit = format!("a game of at most {} MiB", LONGEST_GAME >> 20);
            let error = Error::expected(limit, "a longer one").at_line(text.first_line);
            return GameKind::Broken(error, false);
        }
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
        let error = error.map(|error| self.placed(error, text.bytes.trim_ascii_end().len()));
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

impl<'a> Visitor for Games<'a> {
    type Tags = Replay<'a>;
    type Movetext = Replay<'a>;
    type Output = GameKind;

    fn begin_tags(&mut self) -> ControlFlow<GameKind, Replay<'a>> {
        let (text, places) = self.0.next().expect("what is read was spelled");
        ControlFlow::Continue(Replay::new(text, places))
    }

    fn tag(&mut self, replay: &mut Replay<'a>, name: &[u8], value: RawTag<'_>) -> ControlFlow<GameKind> {
        replay.take(|replay, _| {
            replay.take_tag(name, value.decode_utf8_lossy().trim().to_string());
            Ok(())
        })
    }

    fn begin_movetext(&mut self, replay: Replay<'a>) -> ControlFlow<GameKind, Replay<'a>> {
        ControlFlow::Continue(replay)
    }

    fn san(&mut self, replay: &mut Replay<'a>, SanPlus { san, .. }: SanPlus) -> ControlFlow<GameKind> {
        replay.take(|replay, word| if replay.failure.is_some() { Ok(()) } else { replay.play(san, word) })
    }

    fn outcome(&mut self, replay: &mut Replay<'a>, result: Outcome) -> ControlFlow<GameKind> {
        replay.take(|replay, _| match replay.final_result {
            Some(first) if first != result && replay.failure.is_none() => {
                Err(("one result".into(), format!("{first} and {result}")))
            }
            _ => {
                replay.final_result = Some(result);
                Ok(())
            }
        })
    }

    fn comment(&mut self, replay: &mut Replay<'a>, comment: RawComment<'_>) -> ControlFlow<GameKind> {
        let unclosed = String::from_utf8_lossy(comment.as_bytes());
        replay.take(|_, word| {
            Err(match unclosed.as_ref() {
                "" => (LEGAL.into(), quoted(word)),
                "variation" => ("\")\" to close a variation".into(), END.into()),
                unclosed => (CLOSED.into(), format!("an unterminated {unclosed}")),
            })
        })
    }

    fn end_game(&mut self, replay: Replay<'a>) -> GameKind {
        replay.finish()
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
