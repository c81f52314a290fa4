//! Positions labelled with the result of their game, from games in PGN or from lines of EPD.
//!
//! Which of the two a file is follows from its first line. From a game come the positions of both sides after
//! the moves that are left out; drawn games count. A line of EPD is one position, and a game of its own
//! unless it names its game. Does not know what the labels are used for.

use std::io::{BufRead, BufReader, Read};

use sha2::{Digest, Sha256};
use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position};

use super::{
    Collection, Entry, GameFiles, GameOptions, Games, Moves, Skipped, WinnerPosition,
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
pub type LabelledCollection = Collection<LabelledPosition>;

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
        if let Some(columns) = titles_of_lines(&mut source) {
            let mut reader = BufReader::with_capacity(BUFFER_BYTES, source);
            let mut on_skipped = |error: Error| on_skipped(&error.in_file(&name));
            let read = collector.read_lines(&mut reader, columns, &mut on_skipped);
            read.map_err(|error| error.in_file(&name))?;
            hasher = reader.get_ref().hasher();
            collector.collection.tally.digest = reader.get_ref().digest();
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

/// What stands between the columns of a table.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// If the first line begins as a FEN does, or the line after the titles of a table: the number of titles.
pub(super) fn titles_of_lines(source: &mut GameBytes) -> Option<usize> {
    let head = source.peek(PEEKED);
    let head = String::from_utf8_lossy(&head);
    let (titles, first) = first_lines(&head)?;
    let columns = titles.map_or(0, |titles| titles.split(SEPARATORS).count());
    fen::begins(first.trim_start_matches('"')).then_some(columns)
}

/// What a file is by its first bytes, if it is a table.
pub(super) fn table_in(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head);
    let (titles, first) = first_lines(&head)?;
    let has_fen = || first.split(SEPARATORS).any(|field| fen::begins(field.trim_start_matches([' ', '"'])));
    (titles.is_some() || has_fen()).then(|| format!("a table that begins with {:?}", titles.unwrap_or(first)))
}

/// The titles of a table, if a text begins with them, and the next line that is neither empty nor a remark.
fn first_lines(text: &str) -> Option<(Option<&str>, &str)> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (first, second) = (lines.next()?, lines.next().unwrap_or_default());
    let is_title = |field: &str| {
        let field = field.trim().trim_matches('"');
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
        field.starts_with(|letter: char| letter.is_ascii_alphabetic()) && field.chars().all(is_part)
    };
    // The first column may be the index that pandas writes.
    let titles = first.trim_start_matches("Unnamed: 0").trim_start_matches(',').split(SEPARATORS);
    let columns = [first, second].map(|line| line.split(SEPARATORS).count());
    let are_titles = columns[0] > 1 && columns[1] >= columns[0] && titles.into_iter().all(is_title);
    Some(if are_titles { (Some(first), second) } else { (None, first) })
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
                Some(GameKind::Read(game, _, None)) if game.result == Outcome::Known(KnownOutcome::Draw) => {
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
    /// Games or lines so far.
    fn games(&self) -> u32 {
        self.collection.digests.len() as u32
    }

    fn is_kept(&self) -> bool {
        self.options.shard.has(self.games() + 1)
    }

    fn add(&mut self, position: &Chess, label: f32) {
        let game = self.games();
        if self.is_kept() && self.seen.is_multiple_of(self.every) {
            self.collection.positions.push(LabelledPosition::new(position, label, game));
        }
        self.seen += 1;
    }

    fn check_memory(&self) -> Result<()> {
        check_memory(self.collection.digests.len(), size_of_val(&self.collection.positions[..]))
    }

    fn read_games(&mut self, games: &mut Games, on_skipped: &mut dyn FnMut(&Error)) -> Result<()> {
        while let Some(game) = games.next_result()? {
            match game {
                Ok((played, label)) => {
                    self.add_game(played, label).map_err(|error| error.in_file(&games.name))?;
                    self.collection.tally.decisive += usize::from(label != DRAWN);
                }
                Err(Skipped { error, variant }) => {
                    self.collection.tally.skipped += usize::from(!variant);
                    on_skipped(&error);
                }
            }
        }
        self.collection.tally.digest = games.tally().digest;
        self.collection.origins = games.origins().map(<[String]>::to_vec);
        Ok(())
    }

    /// Adds the positions before each move after those that are left out.
    fn add_game(&mut self, played: Moves, label: f32) -> Result<()> {
        let Moves { start, moves } = played;
        let digest = digest_of_moves(&start, &moves);
        if self.is_kept() {
            let mut position = start;
            for mv in moves {
                if position.fullmoves().get() > self.options.skip_moves {
                    self.add(&position, label);
                }
                position.play_unchecked(mv);
            }
        } else {
            self.seen +=
                (0..moves.len()).filter(|&ply| fullmove_at(&start, ply) > self.options.skip_moves).count();
        }
        self.collection.digests.push(digest);
        self.check_memory()
    }

    /// Reads lines of EPD up to the end.
    fn read_lines(
        &mut self,
        reader: &mut BufReader<GameBytes>,
        columns: usize,
        on_skipped: &mut dyn FnMut(Error),
    ) -> Result<()> {
        let (mut line, mut last) = (Vec::new(), None);
        let (mut is_title, mut note) = (columns > 0, None);
        let (mut range, mut outside) = ([0.0_f32, 1.0], None);
        for number in 1.. {
            line.clear();
            let read = reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line);
            if read.map_err(file::cannot_read_on)? == 0 {
                break;
            }
            let is_too_long = line.len() == LONGEST_LINE && line.last() != Some(&b'\n');
            if is_too_long {
                reader.skip_until(b'\n').map_err(file::cannot_read_on)?;
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') || std::mem::take(&mut is_title) {
                continue;
            }
            let (text, game) = split_game(text);
            let parsed = match is_too_long {
                true => {
                    Err(Error::expected(format!("a line of at most {LONGEST_LINE} bytes"), "a longer one"))
                }
                false => parse_line(text, columns, &mut |text| {
                    note.get_or_insert_with(|| Error::new(text).at_line(number));
                }),
            };
            match parsed {
                Ok((_, value)) if !(0.0..=1.0).contains(&value) => {
                    range = [range[0].min(value), range[1].max(value)];
                    outside.get_or_insert(number);
                }
                Ok((position, label)) => {
                    let mut digest = digest_of_moves(&position, &[]) ^ u64::from(label.to_bits());
                    if game.is_some() && game == last.as_deref() {
                        digest ^= self.collection.digests.pop().map_or(0, |earlier| earlier.rotate_left(1));
                    } else {
                        self.collection.tally.decisive += usize::from(label != DRAWN);
                        last = game.map(String::from);
                    }
                    self.add(&position, label);
                    self.collection.digests.push(digest);
                    self.check_memory()?;
                }
                Err(error) => {
                    self.collection.tally.skipped += 1;
                    on_skipped(error.at_line(number));
                }
            }
        }
        note.into_iter().for_each(on_skipped);
        outside.map_or(Ok(()), |line| Err(other_scale(range).at_line(line)))
    }
}

/// The error of results of which some are not from 0 to 1, so that others may mean something else too.
fn other_scale([lowest, highest]: [f32; 2]) -> Error {
    let scale = match (lowest, highest) {
        (0.0.., ..=2.0) => "a scale of 0, 1 and 2: divide them by 2",
        (-1.0.., ..=1.0) => "a scale of -1 to 1: add 1 and divide them by 2",
        (0.0.., ..=100.0) => "per cent: divide them by 100",
        _ => "scores of an engine: the last field is the result of the game",
    };
    let found = format!("some from {lowest} to {highest}, which may be {scale}");
    Error::expected("results from 0 (Black won) to 1 (White won)", found)
}

/// A line without the remark `# game:12` at its end, and the name of the game in it. Lines of a game stand
/// together.
fn split_game(line: &str) -> (&str, Option<&str>) {
    let split =
        line.rsplit_once('#').and_then(|(text, remark)| Some((text, remark.trim().strip_prefix("game:")?)));
    split.map_or((line, None), |(text, name)| (text.trim_end(), Some(name.trim())))
}

/// The position of a line of EPD or FEN, and its result from the view of White: `c9 "1-0";`, `[0.5]`,
/// `| 0.5`, `c2 "0-1";` or the result alone. A score beside it is not read. A result may be any number.
fn parse_line(line: &str, columns: usize, warn: &mut dyn FnMut(&str)) -> Result<(Chess, f32)> {
    // Fields of a table may have quotes.
    let unquoted = line.starts_with('"').then(|| line.replace('"', ""));
    let (fields, rest) = fen::split(unquoted.as_deref().unwrap_or(line));
    let position = fen::parse_warning(&fields.join(" "), warn)?;
    let wrong = |expected: &str| {
        let found = if rest.trim().is_empty() { "none".to_string() } else { format!("{:?}", rest.trim()) };
        Error::expected(expected, found)
    };
    let points = with_points(rest, columns)
        .ok_or_else(|| wrong("a decimal point, since a comma may separate two fields"))?;
    let result = result_in(&points)?.ok_or_else(|| {
        wrong("a result after the position, as c9 \"1-0\";, [0.5] or | 0.5, from 0 (Black won) to 1 (White won)")
    })?;
    Ok((position, result))
}

/// The rest of a line with decimal commas as points; none if its last comma may be one or separate fields.
fn with_points(rest: &str, columns: usize) -> Option<String> {
    let fields: Vec<&str> = rest.split(',').collect();
    if fields[0].trim().is_empty() && !rest.contains([';', '|', '\t', '[']) {
        let is_decimal = matches!(fields[..], [.., "0" | "1", last] if last.trim().parse::<u64>().is_ok());
        return (!is_decimal || fields.len() == columns).then(|| rest.to_string());
    }
    let is_digit = |at: usize| rest.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_point = |at: usize| at > 0 && is_digit(at - 1) && is_digit(at + 1);
    let point = |(at, letter)| if letter == ',' && is_point(at) { '.' } else { letter };
    Some(rest.char_indices().map(point).collect())
}

/// The result in what follows a position. Several must be the same. A number outside of 0 to 1 is one only where
/// there is no other.
fn result_in(rest: &str) -> Result<Option<f32>> {
    let label = |text: &str| result(text).filter(|value| (0.0..=1.0).contains(value));
    let texts: Vec<&str> = rest.split('"').collect();
    // The name of a position is no result of it.
    let quoted = || {
        let pairs = texts.chunks_exact(2).map(|pair| (pair[0].trim_end(), pair[1]));
        pairs.filter(|(code, _)| !code.ends_with("id"))
    };
    let in_brackets =
        rest.split_once('[').map(|(_, inner)| inner.split_once(']').map_or("", |(inner, _)| inner));
    let behind_bar = rest.rsplit_once('|').map(|(_, last)| last);
    let marked = || in_brackets.into_iter().chain(behind_bar);
    let words = quoted().map(|(_, text)| text).filter(|text| text.contains('-'));
    let mut found = marked().chain(words).filter_map(|text| Some((text.trim(), label(text)?)));
    if let Some((text, value)) = found.next() {
        return match found.find(|(_, other)| *other != value) {
            Some((other, _)) => Err(Error::expected("one result", format!("two: {text:?} and {other:?}"))),
            None => Ok(Some(value)),
        };
    }
    if marked().next().is_some() {
        return Ok(marked().find_map(result));
    }
    let is_comment = |code: &str| code.ends_with(|digit: char| digit.is_ascii_digit());
    let other = || quoted().filter(|(code, _)| is_comment(code)).find_map(|(_, text)| result(text));
    let last = || rest.split(SEPARATORS).rev().find_map(result);
    Ok(quoted().find_map(|(_, text)| label(text)).or_else(other).or_else(last))
}

/// A result in words, or a number.
fn result(text: &str) -> Option<f32> {
    let text = text.trim().trim_matches(['"', ';']);
    match outcome::read(text).and_then(Outcome::known) {
        Some(KnownOutcome::Draw) => Some(DRAWN),
        Some(known) => Some(if known.winner() == Some(Color::White) { 1.0 } else { 0.0 }),
        None => text.trim().parse().ok().filter(|value: &f32| value.is_finite()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Tally;

    fn parse_line(line: &str) -> Result<(Chess, f32)> {
        super::parse_line(line, 0, &mut |_| {})
    }

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
            ("- 0 1;-223;0,5", 0.5),
            ("-;35,5;1,0", 1.0),
            ("- 0 1 | 31,5 | 0,0", 0.0),
            ("- 0 1 [0,5]", 0.5),
            ("- 1,0", 1.0),
            ("- 0 1 0,25", 0.25),
            ("- 0 1;0,5-0,5", 0.5),
            ("- 0 1,0,0.5", 0.5),
            ("- 0 1,35,1", 1.0),
            ("- 0 1\t35\t0.5", 0.5),
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
        assert!(error("hello [0.5]").contains("a FEN"));
        assert!(error("8/8/8/8/8/8/8/8 w - - [0.5]").contains("a legal position"));
    }

    #[test]
    fn a_comma_that_may_be_a_point_or_separate_fields_refuses_its_line() {
        for rest in ["- 0 1,35,0,5", "- 0 1,1,0", "-,35,1,0", "- 0 1,0,25"] {
            let error = parse_line(&format!("{FEN} {rest}")).unwrap_err().to_string();
            assert!(error.contains("a decimal point"), "{error}");
        }
    }

    #[test]
    fn a_result_on_another_scale_refuses_the_file_and_names_the_scale() {
        for (results, scale) in [
            (["| 0", "| 1", "| 2"], "some from 0 to 2, which may be a scale of 0, 1 and 2: divide them by 2"),
            (["[0]", "[-1]", "[1]"], "some from -1 to 1, which may be a scale of -1 to 1: add 1"),
            (["c9 \"0\";", "c9 \"1\";", "c9 \"2\";"], "0, 1 and 2"),
            (["; 35; 0", "; 1; 50", "; 2; 100"], "per cent"),
            (["| 0.5", "| 1", "| 350"], "scores of an engine"),
        ] {
            let text = results.map(|result| format!("{FEN} - {result}\n")).concat();
            let error = try_load(&text, 1).0.unwrap_err().to_string();
            assert!(error.contains("results from 0 (Black won) to 1") && error.contains(scale), "{error}");
        }
    }

    #[test]
    fn the_titles_of_a_table_are_passed_over_and_quotes_of_its_fields_too() {
        let fen = format!("{FEN} - 0 1");
        for (titles, line, expected) in [
            ("fen,score,result", format!("{fen},35,0.5"), 0.5),
            ("fen,score,result", format!("{fen},1,0"), 0.0),
            ("FEN; eval; wdl", format!("{fen};35;0,5"), 0.5),
            ("\"fen\",\"cp\",\"result\"", format!("\"{fen}\",\"1\",\"0.5\""), 0.5),
            ("# no title", format!("\"{fen}\",1,1.0"), 1.0),
        ] {
            let (found, errors) = load(&format!("{titles}\n{line}\n"), 1);
            let labels: Vec<f32> = found.positions.iter().map(|position| position.label).collect();
            assert_eq!((labels, errors), (vec![expected], vec![]), "{titles}");
        }
        for (text, part) in [
            (format!("id,fen,result\n7,{fen},1\n"), "\"id,fen,result\""),
            (format!("7,\"{fen}\",1\n"), "\"7,\\\"rnbq"),
            ("Unnamed: 0,name,value\n0,a,1\n".to_string(), "\"Unnamed: 0,name,value\""),
        ] {
            let error = try_load(&text, 1).0.unwrap_err().to_string();
            assert!(error.contains(&format!("but found a table that begins with {part}")), "{error}");
        }
    }

    #[test]
    fn castling_rights_that_cannot_be_are_noted_once_and_their_lines_read() {
        let (found, errors) = load("4k3/8/8/8/8/8/8/4K3 w K - [1]\n4k3/8/8/8/8/8/8/4K3 b Q - [0]\n", 1);
        assert_eq!((found.positions.len(), found.tally.skipped, errors.len()), (2, 0, 1));
        assert!(errors[0].contains("line 1: the castling rights K have no king or rook"), "{errors:?}");
    }

    fn load(text: &str, every: usize) -> (LabelledCollection, Vec<String>) {
        let (found, errors) = try_load(text, every);
        (found.unwrap(), errors)
    }

    fn try_load(text: &str, every: usize) -> (Result<LabelledCollection>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.epd");
        std::fs::write(&path, text).unwrap();
        let mut errors = Vec::new();
        let options = GameOptions { skip_moves: 1, ..GameOptions::default() };
        let found = load_labelled(&path, &options, every, &mut |error| errors.push(error.to_string()));
        (found, errors)
    }

    #[test]
    fn lines_that_cannot_be_read_are_counted_and_named_by_their_number() {
        let long = "x".repeat(10_000);
        let text = format!("\n{FEN} - [1]\n# remark\nnonsense\n{FEN} - [0.5]\r\n{long}\n{FEN} - c9 \"0-1\";");
        let (found, errors) = load(&text, 1);
        let labels: Vec<f32> = found.positions.iter().map(|position| position.label).collect();
        let Tally { decisive, skipped, .. } = found.tally;
        assert_eq!((labels, found.digests.len(), decisive, skipped), (vec![1.0, 0.5, 0.0], 3, 2, 2));
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
        assert_eq!((found.tally.decisive, found.digests.len(), errors.len()), (5, 5, 0));
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
        let Tally { decisive, skipped, .. } = found.tally;
        assert_eq!((found.digests.len(), decisive, skipped, errors.len()), (2, 1, 1, 1));
        assert_eq!(found.positions[0].position().turn(), Color::White);
        assert_eq!(found.positions[1].position().turn(), Color::Black);
    }
}
