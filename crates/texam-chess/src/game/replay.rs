//! The text of one game becomes a [`Game`], or the reason why it does not.
//!
//! Third step of reading games. pgn-reader reads the text and calls a [`Visitor`], which plays the moves.
//! Then the rules of [`game`](super) decide who won, and whether the game is broken. Knows nothing of files:
//! the caller adds the name of the file and the number of the game.

use std::{
    cell::RefCell,
    fmt::Display,
    io::{self, Chain, Read},
    ops::ControlFlow,
    rc::Rc,
};

use pgn_reader::{RawTag, Reader, Skip, Visitor};
use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, KnownOutcome, Move, Outcome, Position, PositionError, Setup,
    fen::Fen,
    san::{San, SanPlus},
};

use super::{Game, Moves, fullmove_at, outcome, split::GameText, words};
use crate::error::{Error, ErrorKind};

/// What kind of game a text is.
pub(super) enum GameKind {
    /// A game with a winner, read to its end, and whether its result stands there.
    Decisive(Game, bool),
    /// Drawn, or without a known result. The game if it is drawn, or any result will do, and it was read to
    /// its end.
    Undecided(Option<Box<Game>>),
    /// A game of a chess variant.
    Variant(Error),
    /// A game that cannot be read to its end.
    Broken(Error),
}

/// What the end of a game is called in messages.
const END: &str = "the end of the game";

/// Reads one text after the other. They share a reader, because each has a buffer of 16 kB.
pub(super) struct TextReader<'a> {
    reader: Reader<Feed<'a>>,
    feed: Feed<'a>,
    any_result: bool,
}

impl<'a> TextReader<'a> {
    /// With `any_result` every game that can be read is undecided, and any other is broken.
    pub(super) fn new(any_result: bool) -> TextReader<'a> {
        let feed = Feed(Rc::new(RefCell::new([].chain(PADDING))));
        TextReader { reader: Reader::new(feed.clone()), feed, any_result }
    }

    /// Reads the game in `text`. It gets its number from the caller. Comments alone are no game. Because old
    /// spellings of moves are rare, they are looked for where a game cannot be read.
    pub(super) fn read_game(&mut self, text: &'a GameText) -> Option<GameKind> {
        let kind = self.read_as_it_is(text);
        if !matches!(kind, Some(GameKind::Broken(_) | GameKind::Undecided(None))) {
            return kind;
        }
        let Some(bytes) = words::respelled(&text.bytes) else { return kind };
        TextReader::new(self.any_result).read_as_it_is(&GameText { bytes, ..*text })
    }

    fn read_as_it_is(&mut self, text: &'a GameText) -> Option<GameKind> {
        self.feed.0.replace(text.bytes.chain(PADDING));
        let mut replay = Replay { first_line: text.first_line, ..Replay::default() };
        // A blank line among the moves ends a game for pgn-reader, so there may be several parts.
        loop {
            match self.reader.read_game(&mut replay) {
                Ok(Some(())) => {}
                Ok(None) => return replay.finish(text, self.any_result),
                Err(error) => {
                    replay.is_game = true;
                    replay.fail("closed comments, and tags of less than 16 kB", format!("an {error}"));
                }
            }
        }
    }
}

/// The bytes of a text that are not yet read, and a remark.
#[derive(Clone)]
struct Feed<'a>(Rc<RefCell<Chain<&'a [u8], &'static [u8]>>>);

/// The remark after each text. pgn-reader looks 257 bytes ahead, and is slow where there are fewer.
const PADDING: &[u8] = &[b'%'; 257];

impl Read for Feed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().read(buffer)
    }
}

/// A game as far as it was read.
#[derive(Default)]
struct Replay {
    /// Number of the first line of the game in its file.
    first_line: usize,
    /// There is a tag, a move or a result.
    is_game: bool,
    white: Option<String>,
    black: Option<String>,
    event: Option<String>,
    date: Option<String>,
    link: Option<String>,
    /// The result of the tags.
    result: Option<Outcome>,
    /// Why this is a game of a chess variant.
    variant: Option<Error>,
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    /// The moves that pgn-reader found, legal or not.
    found_moves: usize,
    in_variation: bool,
    /// The result that is written after the moves.
    final_result: Option<Outcome>,
    /// The first error. The reading goes on after it because the result may make the game undecided, and
    /// errors in such games are not reported.
    failure: Option<Error>,
    /// What was expected in place of the first illegal move, if that is the failure.
    illegal: Option<&'static str>,
}

impl Visitor for Replay {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.is_game = true;
        if self.found_moves > 0 || self.final_result.is_some() {
            self.fail("tags before the moves", format!("a tag {} after them", quoted(name)));
        }
        let is = |other: &str| name.trim_ascii().eq_ignore_ascii_case(other.as_bytes());
        if is("White") {
            self.white = Some(text_of(value));
        } else if is("Black") {
            self.black = Some(text_of(value));
        } else if is("Event") {
            self.event = Some(text_of(value));
        } else if is("Date") {
            self.date = Some(text_of(value));
        } else if is("Site") || is("Link") {
            let is_url = |text: &String| text.starts_with("https://") || text.starts_with("http://");
            self.link = Some(text_of(value)).filter(is_url).or(self.link.take());
        } else if is("Result") {
            self.result = outcome::at_start(&text_of(value));
        } else if is("Variant") {
            let name = text_of(value);
            if !is_chess(&name) {
                self.be_variant(quoted(name.as_bytes()));
            }
        } else if is("FEN") {
            self.set_up(&text_of(value));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.is_game = true;
        self.found_moves += 1;
        if self.failure.is_none() {
            self.play(san);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.in_variation = true;
        ControlFlow::Continue(Skip(true))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        if !std::mem::take(&mut self.in_variation) {
            self.fail("a legal move", "\")\"");
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.is_game = true;
        match self.final_result {
            Some(first) if first != outcome && self.failure.is_none() => {
                self.fail("one result", format!("{first} and {outcome}"));
            }
            _ => self.final_result = Some(outcome),
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {
        if self.in_variation {
            self.fail("\")\" to close a variation", format!("a blank line or {END}"));
        }
    }
}

impl Replay {
    /// Notes an error at the next move, if it is the first.
    fn fail(&mut self, expected: impl Display, found: impl Display) {
        if self.failure.is_none() {
            self.failure = Some(Error::expected(expected, found));
        }
    }

    /// Notes that this is no game of standard chess.
    fn be_variant(&mut self, found: impl Display) {
        let error = Error::expected("a game of standard chess", found).of_kind(ErrorKind::Variant);
        self.variant = Some(error.at_line(self.first_line));
    }

    /// Sets up the position of a FEN tag.
    fn set_up(&mut self, fen: &str) {
        if matches!(fen, "" | "?" | "-") {
            return;
        }
        match start_of(fen) {
            Ok(start) => (self.start, self.position) = (start.clone(), start),
            Err(BadStart::Chess960) => self.be_variant("a position of chess960"),
            Err(BadStart::Broken(error)) => {
                self.failure.get_or_insert(error.at_line(self.first_line));
            }
        }
    }

    fn play(&mut self, san: SanPlus) {
        let found = || format!("\"{san}\"");
        if let Some(result) = self.final_result {
            return self.fail(format!("{END} after {result}"), found());
        }
        match to_move(san.san, &self.position) {
            Ok(played) => {
                self.position.play_unchecked(played);
                self.moves.push(played);
            }
            Err(expected) => {
                self.fail(expected, found());
                self.illegal = Some(expected);
            }
        }
    }

    fn finish(mut self, text: &GameText, any_result: bool) -> Option<GameKind> {
        let words = self.check_words(text);
        self.final_result = self.final_result.or_else(|| outcome::at_end(&text.bytes));
        if !self.is_game && words == 0 {
            return None;
        }
        if let Some(error) = self.variant {
            return Some(GameKind::Variant(error));
        }
        if any_result && self.failure.is_none() {
            let result = self.result().unwrap_or(Outcome::Unknown);
            return Some(GameKind::Undecided(Some(Box::new(self.into_game(result)))));
        }
        let result = match self.result() {
            Ok(result) if any_result || result.winner().is_some() => result,
            Ok(result) => return Some(GameKind::Undecided(self.into_drawn(result))),
            Err(error) => return Some(self.broken(text, error)),
        };
        // Without moves and a result after them the game was cut off.
        let is_ended = self.final_result.is_some() || self.position.is_checkmate();
        if self.failure.is_some() || (self.moves.is_empty() && !is_ended) {
            return Some(self.broken(text, Error::expected("a result after the moves", END)));
        }
        Some(GameKind::Decisive(self.into_game(result), is_ended))
    }

    /// Notes the first word that pgn-reader passed over, unless there was an error before it. Returns the
    /// number of words up to there, or of all.
    fn check_words(&mut self, text: &GameText) -> usize {
        let mut count = 0;
        let unread = words::move_words(&text.bytes).find(|(_, word)| {
            count += 1;
            !words::is_move(word)
        });
        match unread {
            Some((at, word)) => {
                let failure = self.failure.as_ref();
                if failure.is_none_or(|error| error.place().line.is_none() && count - 1 <= self.moves.len()) {
                    let error = Error::expected("a legal move", quoted(word));
                    self.failure =
                        Some(error.at_move(fullmove_at(&self.start, count - 1)).at_line(text.line_of(at)));
                }
            }
            None if count != self.found_moves => {
                self.fail("moves only", format!("{count} words of which {} are moves", self.found_moves));
            }
            None => {}
        }
        count
    }

    /// The moves of a game without a winner, if it is a draw and was read to its end.
    fn into_drawn(self, result: Outcome) -> Option<Box<Game>> {
        let known = [self.result, self.final_result].map(|result| result.and_then(Outcome::known));
        let is_draw = known.contains(&Some(KnownOutcome::Draw)) && self.failure.is_none();
        is_draw.then(|| Box::new(self.into_game(result)))
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

    /// A broken game, with the first error there was, or else `error`.
    fn broken(self, text: &GameText, error: Error) -> GameKind {
        let bytes = &text.bytes;
        let next_move = words::move_words(bytes).nth(self.moves.len());
        let error = self.failure.unwrap_or(error);
        let error = match (self.illegal, next_move) {
            _ if error.place().line.is_some() => return GameKind::Broken(error),
            (Some(expected), Some((_, word))) => Error::expected(expected, quoted(word)),
            _ => error,
        };
        let at = next_move.map_or(bytes.trim_ascii_end().len(), |(at, _)| at);
        let fullmove = fullmove_at(&self.start, self.moves.len());
        GameKind::Broken(error.at_move(fullmove).at_line(text.line_of(at)))
    }

    fn into_game(self, result: Outcome) -> Game {
        let or_unknown = |tag: Option<String>| tag.unwrap_or_else(|| "?".into());
        Game {
            number: 0,
            white: or_unknown(self.white),
            black: or_unknown(self.black),
            event: or_unknown(self.event),
            date: or_unknown(self.date),
            link: self.link,
            result,
            chooser: result.winner().unwrap_or(Color::White),
            played: Moves { start: self.start, moves: self.moves },
        }
    }
}

/// The value of a tag without escapes, in UTF-8 or else Latin-1, which old files have and where no byte is
/// wrong.
fn text_of(value: RawTag<'_>) -> String {
    let bytes = value.decode();
    let text = str::from_utf8(&bytes).map(String::from);
    text.unwrap_or_else(|_| bytes.iter().copied().map(char::from).collect()).trim().to_string()
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
        let found = format!("{}: {error}", quoted(fen.as_bytes()));
        BadStart::Broken(Error::expected(expected, found))
    };
    let setup = Fen::from_ascii(fen.as_bytes()).map_err(|error| broken("a FEN", &error))?.into_setup();
    position_of(setup.clone(), CastlingMode::Standard).map_err(|error| {
        let playable = position_of(setup, CastlingMode::Chess960).is_ok();
        if playable { BadStart::Chess960 } else { broken("a legal position", &error) }
    })
}

/// The position of `setup`. An en passant square without a pawn that passed it is ignored: it changes no
/// move.
fn position_of(setup: Setup, mode: CastlingMode) -> Result<Chess, Box<PositionError<Chess>>> {
    Chess::from_setup(setup, mode).or_else(PositionError::ignore_invalid_ep_square).map_err(Box::new)
}

/// The names of chess in Variant tags.
fn is_chess(variant: &str) -> bool {
    const NAMES: [&str; 8] = ["", "?", "-", "chess", "normal", "standard", "from position", "fromposition"];
    NAMES.contains(&variant.to_ascii_lowercase().as_str())
}
