//! Positions labelled with the result of their game, from games in PGN or from lines of EPD.
//!
//! Which of the two a file is follows from its first line. From a game come the positions of both sides after
//! the moves that are left out; drawn games count. A line of EPD is one position, and a game of its own
//! unless it names its game. Does not know what the labels are used for.

use std::io::{BufRead, BufReader, Read};

use sha2::{Digest, Sha256};
use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position};

use super::{
    Entry, GameFiles, GameOptions, Games, Moves, Skipped, WinnerPosition,
    collection::check_memory,
    digest_of_moves, fullmove_at, outcome,
    reader::{BUFFER_BYTES, Input, one_database},
    replay::GameKind,
    source::{self, GameBytes},
};
use crate::{
    error::{Error, Result},
    fen, file,
};

/// Bytes that are looked at to tell games from lines of EPD.
const PEEKED: usize = 4096;

/// Longest line of EPD in bytes.
const LONGEST_LINE: usize = 4096;

/// The label of a drawn game.
pub const DRAWN: f32 = 0.5;

/// A position with the result of its game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelledPosition {
    setup: [u8; WinnerPosition::SETUP_BYTES],
    /// Result from the view of White, from 0 (lost) to 1 (won).
    pub label: f32,
    /// Index of the game among those that are used, from 0.
    pub game: u32,
}

impl LabelledPosition {
    /// Packs a position.
    pub fn new(position: &Chess, label: f32, game: u32) -> LabelledPosition {
        LabelledPosition { setup: WinnerPosition::pack(position), label, game }
    }

    /// The position. Its halfmove clock and move number are those of the start.
    pub fn position(&self) -> Chess {
        WinnerPosition::unpack(&self.setup, 1)
    }
}

/// The labelled positions of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelledCollection {
    /// The positions, in the order of the file.
    pub positions: Vec<LabelledPosition>,
    /// Games that are used, drawn ones included; lines of EPD that were read.
    pub games: u32,
    /// A digest of each of them: of the moves of a game, of the position and the label of a line.
    pub digests: Vec<u64>,
    /// Those of them with a winner.
    pub decisive: u64,
    /// Games or lines that could not be used.
    pub skipped: u64,
    /// SHA-256 of the unpacked bytes, in hexadecimal.
    pub digest: String,
    /// Whether these are the built-in games and not those of a file.
    pub is_built_in: bool,
    /// The names of the files that a database was made of, as they stand in a `.stat`; none for other files.
    pub origins: Option<Vec<String>>,
}

/// Reads labelled positions and keeps each `every`-th, counted through the whole file and beginning with the
/// first; 1 keeps all. The errors of games and lines that cannot be read go to `on_skipped`.
///
/// # Errors
///
/// The file cannot be opened or read to its end; or `every` is 0.
pub fn load_labelled(
    files: impl Into<GameFiles>,
    options: &GameOptions,
    every: usize,
    on_skipped: &mut dyn FnMut(&Error),
) -> Result<LabelledCollection> {
    if every == 0 {
        return Err(Error::expected("each 1st position or each Nth", "each 0th"));
    }
    let collection = LabelledCollection::default();
    let mut collector = Collector { every, seen: 0, collection, options: options.clone() };
    let files = files.into();
    let files = files.paths();
    let mut hasher = Sha256::new();
    for path in files {
        let name = source::name_of(path);
        let mut source = GameBytes::open_after(path, hasher).map_err(|error| error.in_file(&name))?;
        collector.collection.is_built_in = files.len() == 1 && source.is_built_in();
        if begins_with_epd(&mut source) {
            let mut reader = BufReader::with_capacity(BUFFER_BYTES, source);
            let mut on_skipped = |error: Error| on_skipped(&error.in_file(&name));
            let read = collector.read_lines(&mut reader, &mut on_skipped);
            read.map_err(|error| error.in_file(&name))?;
            hasher = reader.get_ref().hasher();
            collector.collection.digest = reader.get_ref().digest();
            continue;
        }
        let mut games = Games::new(source, name.clone()).map_err(|error| error.in_file(&name))?;
        collector.read_games(&mut games, on_skipped)?;
        hasher = match &games.input {
            Input::Pgn(reader) => reader.bytes().hasher(),
            Input::Database(_) if files.len() > 1 => return Err(one_database(&name)),
            Input::Database(_) => break,
        };
    }
    Ok(collector.collection)
}

/// Whether the first line that is neither empty nor a remark begins as a FEN does: eight ranks and the side
/// to move.
pub(super) fn begins_with_epd(source: &mut GameBytes) -> bool {
    let head = source.peek(PEEKED);
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty() && line[0] != b'#') else { return false };
    let mut words = line.split(u8::is_ascii_whitespace);
    let board = words.next().unwrap_or_default();
    let ranks = board.iter().filter(|&&byte| byte == b'/').count();
    ranks == 7 && matches!(words.next(), Some(b"w" | b"b"))
}

impl Games {
    /// The next game that is won or drawn, with its result from the view of White, or the next that is not
    /// used; none at the end. Games without a result are only counted.
    ///
    /// # Errors
    ///
    /// The stream cannot be read; or a database has left drawn games out.
    pub fn next_result(&mut self) -> Result<Option<Result<(Moves, f32), Skipped>>> {
        self.check_draws()?;
        loop {
            let entry = match self.read_pgn()? {
                Some(GameKind::Undecided(Some(game))) => {
                    self.tally.games += 1;
                    self.tally.undecided += 1;
                    return Ok(Some(Ok((game.played, DRAWN))));
                }
                Some(game) => self.count_game(game),
                None => match self.next().transpose()? {
                    Some(entry) => Some(entry),
                    None => return Ok(None),
                },
            };
            match entry {
                Some(Entry::Decisive(game)) => {
                    let label = if game.chooser.is_white() { 1.0 } else { 0.0 };
                    return Ok(Some(Ok((game.played, label))));
                }
                Some(Entry::Skipped(skipped)) => return Ok(Some(Err(skipped))),
                None => {}
            }
        }
    }
}

struct Collector {
    every: usize,
    /// Positions seen so far.
    seen: usize,
    options: GameOptions,
    collection: LabelledCollection,
}

impl Collector {
    fn is_kept(&self) -> bool {
        self.options.shard.has(self.collection.games + 1)
    }

    fn add(&mut self, position: &Chess, label: f32) {
        let game = self.collection.games;
        if self.is_kept() && self.seen.is_multiple_of(self.every) {
            self.collection.positions.push(LabelledPosition::new(position, label, game));
        }
        self.seen += 1;
    }

    fn check_memory(&self) -> Result<()> {
        check_memory(self.collection.games as usize, size_of_val(&self.collection.positions[..]))
    }

    fn read_games(&mut self, games: &mut Games, on_skipped: &mut dyn FnMut(&Error)) -> Result<()> {
        while let Some(game) = games.next_result()? {
            match game {
                Ok((played, label)) => {
                    self.add_game(played, label).map_err(|error| error.in_file(&games.name))?;
                    self.collection.decisive += u64::from(label != DRAWN);
                }
                Err(Skipped { error, variant }) => {
                    self.collection.skipped += u64::from(!variant);
                    on_skipped(&error);
                }
            }
        }
        self.collection.digest = games.tally().digest;
        self.collection.origins = games.origins().map(<[String]>::to_vec);
        Ok(())
    }

    /// Adds the positions before each move after those that are left out.
    fn add_game(&mut self, played: Moves, label: f32) -> Result<()> {
        let Moves { start, moves } = played;
        self.collection.digests.push(digest_of_moves(&start, &moves));
        if !self.is_kept() {
            self.seen +=
                (0..moves.len()).filter(|&ply| fullmove_at(&start, ply) > self.options.skip_moves).count();
            self.collection.games += 1;
            return Ok(());
        }
        let mut position = start;
        for mv in moves {
            if position.fullmoves().get() > self.options.skip_moves {
                self.add(&position, label);
            }
            position.play_unchecked(mv);
        }
        self.collection.games += 1;
        self.check_memory()
    }

    /// Reads lines of EPD up to the end.
    fn read_lines(
        &mut self,
        reader: &mut BufReader<GameBytes>,
        on_skipped: &mut dyn FnMut(Error),
    ) -> Result<()> {
        let (mut line, mut last) = (Vec::new(), None);
        for number in 1.. {
            line.clear();
            if reader
                .by_ref()
                .take(LONGEST_LINE as u64)
                .read_until(b'\n', &mut line)
                .map_err(file::cannot_read_on)?
                == 0
            {
                break;
            }
            let is_too_long = line.len() == LONGEST_LINE && line.last() != Some(&b'\n');
            if is_too_long {
                reader.skip_until(b'\n').map_err(file::cannot_read_on)?;
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (text, game) = split_game(text);
            let parsed = match is_too_long {
                true => {
                    Err(Error::expected(format!("a line of at most {LONGEST_LINE} bytes"), "a longer one"))
                }
                false => parse_line(text),
            };
            match parsed {
                Ok((position, label)) => {
                    let mut digest = digest_of_moves(&position, &[]) ^ u64::from(label.to_bits());
                    if game.is_some() && game == last.as_deref() {
                        self.collection.games -= 1;
                        digest ^= self.collection.digests.pop().map_or(0, |earlier| earlier.rotate_left(1));
                    } else {
                        self.collection.decisive += u64::from(label != DRAWN);
                        last = game.map(String::from);
                    }
                    self.add(&position, label);
                    self.collection.digests.push(digest);
                    self.collection.games += 1;
                    self.check_memory()?;
                }
                Err(error) => {
                    self.collection.skipped += 1;
                    on_skipped(error.at_line(number));
                }
            }
        }
        Ok(())
    }
}

/// A line without the remark `# game:12` at its end, and the name of the game in it. Lines of a game stand
/// together.
fn split_game(line: &str) -> (&str, Option<&str>) {
    let split =
        line.rsplit_once('#').and_then(|(text, remark)| Some((text, remark.trim().strip_prefix("game:")?)));
    split.map_or((line, None), |(text, name)| (text.trim_end(), Some(name.trim())))
}

/// The position of a line of EPD or FEN, and its result from the view of White: `c9 "1-0";`, `[0.5]`,
/// `| 0.5`, `c2 "0-1";` or the result alone. A score beside it is not read.
fn parse_line(line: &str) -> Result<(Chess, f32)> {
    let (position, rest) = split_fen(line);
    let position = fen::parse(&position)?;
    let missing = || {
        let expected = "a result after the position, as c9 \"1-0\";, [0.5] or | 0.5, from 0 (Black won) to 1 (White won)";
        let found = if rest.trim().is_empty() { "none".to_string() } else { format!("{:?}", rest.trim()) };
        Error::expected(expected, found)
    };
    Ok((position, result_in(rest)?.ok_or_else(missing)?))
}

/// The four fields of a position, or six with the counts of moves, and the rest of the line.
fn split_fen(line: &str) -> (String, &str) {
    let mut fields = Vec::new();
    let mut rest = line;
    while fields.len() < 6 {
        let text = rest.trim_start();
        let end = text
            .find(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '[' | ','))
            .unwrap_or(text.len());
        let (field, after) = text.split_at(end);
        let is_count = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        if field.is_empty() || (fields.len() >= 4 && !is_count) {
            break;
        }
        fields.push(field);
        rest = after;
    }
    // A single count is a result of 0 or 1, not half of two counts.
    if fields.len() == 5 {
        let count = fields.pop().unwrap_or_default();
        let at = line.len() - rest.len() - count.len();
        rest = &line[at..];
    }
    (fields.join(" "), rest)
}

/// The result in what follows a position. Several must be the same.
fn result_in(rest: &str) -> Result<Option<f32>> {
    // The name of a position is no result of it.
    let texts: Vec<&str> = rest.split('"').collect();
    let quoted =
        || texts.chunks_exact(2).filter(|pair| !pair[0].trim_end().ends_with("id")).map(|pair| pair[1]);
    let in_brackets =
        rest.split_once('[').map(|(_, inner)| inner.split_once(']').map_or("", |(inner, _)| inner));
    let behind_bar = rest.rsplit_once('|').map(|(_, last)| last);
    let marked = || in_brackets.into_iter().chain(behind_bar);
    let is_word = |text: &&str| text.trim().contains('-');
    let mut found =
        marked().chain(quoted().filter(is_word)).filter_map(|text| Some((text.trim(), result(text)?)));
    if let Some((text, label)) = found.next() {
        return match found.find(|(_, other)| *other != label) {
            Some((other, _)) => Err(Error::expected("one result", format!("two: {text:?} and {other:?}"))),
            None => Ok(Some(label)),
        };
    }
    if marked().next().is_some() {
        return Ok(None);
    }
    Ok(quoted().find_map(result).or_else(|| rest.split([';', ',']).rev().find_map(result)))
}

/// A result in words, or a number from 0 to 1.
fn result(text: &str) -> Option<f32> {
    let text = text.trim().trim_matches(['"', ';']);
    match outcome::read(text).and_then(Outcome::known) {
        Some(KnownOutcome::Draw) => Some(DRAWN),
        Some(known) => Some(if known.winner() == Some(Color::White) { 1.0 } else { 0.0 }),
        None => text.trim().parse().ok().filter(|label| (0.0..=1.0).contains(label)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";

    #[test]
    fn results_are_read_in_all_forms_in_use() {
        let forms = [
            ("- c9 \"1-0\";", 1.0),
            ("- 0 1; c9 \"0-1\";", 0.0),
            ("- 0 1 [0.5]", 0.5),
            ("- 0 1 [1.0] 33", 1.0),
            ("- 0 1 | 0.5", 0.5),
            ("- | 0.25", 0.25),
            ("- 0 1 | 31 | 1.0", 1.0),
            ("- c2 \"1/2-1/2\";", 0.5),
            ("- bm e5; c9 \"1/2-1/2\"; id \"a 1-0\";", 0.5),
            ("- 0 1 \"0-1\"", 0.0),
            ("- 0 1;1.0", 1.0),
            ("- 0 1,0.0", 0.0),
            ("- 1", 1.0),
            ("- 0 1 [1/2]", 0.5),
            ("- 0 1; 1 - 0", 1.0),
            ("- 0 1 | \u{bd}-\u{bd}", 0.5),
            ("- c9 \"0\u{2013}1\";", 0.0),
            ("- 0 1,35,1.0", 1.0),
            ("- 0 1;35;0.0", 0.0),
            ("- id \"0\"; c9 \"1\";", 1.0),
            ("- ce -100; c9 \"1-0\";", 1.0),
            ("- 0 1; 100; 0.0;", 0.0),
            ("- 0 1 [0-1] [100]", 0.0),
            ("- 0 1 100 [0]", 0.0),
        ];
        for (form, expected) in forms {
            let (position, label) =
                parse_line(&format!("{FEN} {form}")).unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_eq!(label, expected, "{form}");
            assert_eq!(position.turn(), Color::Black);
        }
    }

    #[test]
    fn two_results_that_differ_are_an_error_that_names_both() {
        let label = |rest: &str| parse_line(&format!("{FEN} {rest}")).map(|(_, label)| label);
        for two in ["- c9 \"1-0\"; c2 \"0-1\";", "- [0.5] | 1", "- [1.0] c9 \"1/2-1/2\";"] {
            let error = label(two).unwrap_err().to_string();
            assert!(error.contains("one result, but found two: "), "{error}");
        }
        for same in ["- c9 \"1-0\"; c2 \"1-0\";", "- [1.0] c9 \"1-0\";", "- ce \"0\"; c9 \"1-0\";"] {
            assert_eq!(label(same).unwrap(), 1.0, "{same}");
        }
    }

    #[test]
    fn a_line_without_a_position_or_a_result_is_an_error_that_says_so() {
        let error = |line: &str| parse_line(line).err().unwrap().to_string();
        assert!(error(&format!("{FEN} -")).contains("a result after the position"));
        assert!(error(&format!("{FEN} - id \"0\";")).contains("found \"id \\\"0\\\";\""));
        assert!(error(&format!("{FEN} - 0 1 [2.5]")).contains("found \"[2.5]\""));
        assert!(error("hello [0.5]").contains("a position in FEN"));
        assert!(error("8/8/8/8/8/8/8/8 w - - [0.5]").contains("a legal position"));
    }

    fn load(text: &str, every: usize) -> (LabelledCollection, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.epd");
        std::fs::write(&path, text).unwrap();
        let mut errors = Vec::new();
        let options = GameOptions { skip_moves: 1, ..GameOptions::default() };
        let found = load_labelled(&path, &options, every, &mut |error| errors.push(error.to_string()));
        (found.unwrap(), errors)
    }

    #[test]
    fn lines_that_cannot_be_read_are_counted_and_named_by_their_number() {
        let long = "x".repeat(10_000);
        let text = format!("\n{FEN} - [1]\n# remark\nnonsense\n{FEN} - [0.5]\r\n{long}\n{FEN} - c9 \"0-1\";");
        let (found, errors) = load(&text, 1);
        let labels: Vec<f32> = found.positions.iter().map(|position| position.label).collect();
        assert_eq!((labels, found.games, found.decisive, found.skipped), (vec![1.0, 0.5, 0.0], 3, 2, 2));
        assert!(errors[0].contains("line 4") && errors[1].contains("line 6"), "{errors:?}");
        assert_eq!(found.positions[2].game, 2);
        assert_eq!(load(&text, 2).0.positions.len(), 2);
    }

    #[test]
    fn lines_that_name_one_game_are_of_one_game() {
        let line = |form: &str| format!("{FEN} {form}\n");
        let forms =
            ["- [1] # game:7", "- 0 1 | 31 | 1.0 # game: 7", "- [0] # game:8", "- [0]", "- [0]", "- [1] # 7"];
        let (found, errors) = load(&forms.map(line).concat(), 1);
        let games: Vec<u32> = found.positions.iter().map(|position| position.game).collect();
        assert_eq!(games, [0, 0, 1, 2, 3, 4]);
        assert_eq!((found.games, found.decisive, found.digests.len(), errors.len()), (5, 5, 5, 0));
        assert_ne!(found.digests[0], load(&line(forms[0]), 1).0.digests[0]);
        let (every_second, _) = load(&forms.map(line).concat(), 2);
        assert_eq!(
            every_second.positions.iter().map(|position| position.game).collect::<Vec<_>>(),
            [0, 1, 3]
        );
    }

    #[test]
    fn positions_of_both_sides_and_of_drawn_games_come_from_games() {
        let text = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 1/2-1/2\n\n\
                    [Result \"*\"]\n\n1. a3 a6 2. b3 *\n\n[Result \"0-1\"]\n\n1. e4 e5 2. Ke2 Kf9 0-1\n";
        let (found, errors) = load(text, 1);
        let all: Vec<(f32, u32)> =
            found.positions.iter().map(|position| (position.label, position.game)).collect();
        assert_eq!(all, [(1.0, 0), (1.0, 0), (0.5, 1)]);
        assert_eq!((found.games, found.decisive, found.skipped, errors.len()), (2, 1, 1, 1));
        assert_eq!(found.positions[0].position().turn(), Color::White);
        assert_eq!(found.positions[1].position().turn(), Color::Black);
    }
}
