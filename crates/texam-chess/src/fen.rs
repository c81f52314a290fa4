//! Positions from FEN and EPD, for commands, UCI, books, labelled positions and the FEN tags of games.

use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, Role, fen::Fen,
};

use crate::error::{Error, Result};

/// Largest number of pieces and pawns of a side.
const MAX_PIECES: usize = 16;

/// Largest number of pawns and promoted pieces of a side.
const MAX_PAWNS: usize = 8;

/// Letters of a text that a message shows.
const SHOWN: usize = 120;

/// A position, and what was left out of its text.
#[derive(Debug)]
pub struct Parsed<'a> {
    /// The position.
    pub position: Chess,
    /// Which castling rights it cannot have; none if it can have all.
    pub note: Option<String>,
    /// Whether these are rights of chess960.
    pub is_chess960: bool,
    /// What follows the fields: operations of EPD.
    pub rest: &'a str,
}

/// Reads a FEN or a line of EPD. Each side must have a king, and the side that has moved must not be in check.
/// A side may have more pieces of a role than at the start only in place of missing pawns; so no position that
/// is reached by moves has more than 218 legal moves. An impossible check and an en passant square without a
/// pawn are accepted, and castling rights that the position cannot have are left out.
///
/// # Errors
///
/// The text is not a FEN, or the position is not legal.
pub fn read(text: &str) -> Result<Parsed<'_>> {
    let text = text.trim();
    let (fields, rest) = split(text);
    let (rest, operations) = (rest.trim_start(), rest.trim_start_matches([' ', ';']));
    let is_operation = operations.starts_with(char::is_alphabetic) && operations.contains(';');
    let is_epd = operations.is_empty() || is_operation;
    let fen = if is_epd { fields.join(" ") } else { text.to_string() };
    let shown: String = text.chars().take(SHOWN).collect();
    let wrong = |expected: &str, why: &str| Error::expected(expected, format!("{shown:?} ({why})"));
    let setup =
        Fen::from_ascii(fen.as_bytes()).map_err(|error| wrong("a FEN", &error.to_string()))?.into_setup();
    let in_mode = |mode| {
        Chess::from_setup(setup.clone(), mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_ep_square)
            .map_err(Box::new)
    };
    let standard = in_mode(CastlingMode::Standard);
    let lacks_rights = standard.is_err();
    let is_chess960 = lacks_rights && in_mode(CastlingMode::Chess960).is_ok();
    let illegal = |why: &str| wrong("a legal position of standard chess", why);
    let position = standard.or_else(|error| {
        error.ignore_invalid_castling_rights().map_err(|error| illegal(&error.to_string()))
    })?;
    if let Some(excess) = Color::ALL.into_iter().find_map(|side| excess(position.board(), side)) {
        return Err(illegal(&format!("illegal position: {excess}")));
    }
    let note = lacks_rights.then(|| {
        let (given, read) = (fields.get(2).map_or("", |field| field), format(&position));
        let read = read.split(' ').nth(2).unwrap_or_default();
        let why = if is_chess960 { "are of chess960, which is not played" } else { "have no king or rook" };
        format!("the castling rights {given} {why}: read as {read}")
    });
    Ok(Parsed { position, note, is_chess960, rest })
}

/// As [`read`], for callers that play standard chess alone. What was left out goes to `warn`.
///
/// # Errors
///
/// As [`read`]; or the castling rights are of chess960.
pub fn parse_warning(text: &str, warn: &mut dyn FnMut(&str)) -> Result<Chess> {
    let Parsed { position, note, is_chess960, .. } = read(text)?;
    match note {
        Some(note) if is_chess960 => {
            let found = format!("{:?} ({note})", text.trim());
            Err(Error::expected("a legal position of standard chess", found))
        }
        note => {
            note.iter().for_each(|note| warn(note));
            Ok(position)
        }
    }
}

/// As [`parse_warning`] without warnings.
///
/// # Errors
///
/// As [`parse_warning`].
pub fn parse(text: &str) -> Result<Chess> {
    parse_warning(text, &mut |_| {})
}

/// The FEN of a position. It has an en passant square only if the capture is legal.
pub fn format(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Whether a line begins as a FEN does: eight ranks and the side to move.
pub fn begins(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_board = |word: &str| word.matches('/').count() == 7 && !word.contains([',', ';', '|', '"']);
    words.next().is_some_and(is_board) && matches!(words.next(), Some("w" | "b"))
}

/// The four fields of a position, or six with the counts of moves, and the rest of the line.
pub fn split(line: &str) -> (Vec<&str>, &str) {
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
    (fields, rest)
}

/// What a side has more of than a game of chess allows; none if nothing. No move changes the answer from
/// none, since a promotion takes a pawn for each promoted piece.
fn excess(board: &Board, side: Color) -> Option<String> {
    if board.by_color(side).count() > MAX_PIECES {
        return Some(format!("more than {MAX_PIECES} pieces for {side}"));
    }
    let beyond = |role: Role, at_start: usize| {
        (board.by_color(side) & board.by_role(role)).count().saturating_sub(at_start)
    };
    let promoted =
        beyond(Role::Knight, 2) + beyond(Role::Bishop, 2) + beyond(Role::Rook, 2) + beyond(Role::Queen, 1);
    (beyond(Role::Pawn, 0) + promoted > MAX_PAWNS)
        .then(|| format!("more than {MAX_PAWNS} pawns and promoted pieces for {side}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_position_comes_back_as_its_fen() {
        assert_eq!(format(&parse(START).unwrap()), START);
        assert_eq!(format(&parse(&std::format!("  {START}\n")).unwrap()), START);
    }

    #[test]
    fn mistakes_that_change_no_move_are_accepted() {
        let without_pawn = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1";
        assert!(parse(without_pawn).is_ok());
        let queens = "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1";
        assert!(parse(queens).is_ok());
    }

    #[test]
    fn castling_rights_that_cannot_be_are_left_out_and_those_of_chess960_named() {
        for (board, given, kept, is_chess960) in [
            ("4k3/8/8/8/8/8/8/4K3", "KQ", "-", false),
            ("r3k3/8/8/8/8/8/8/4K2R", "KQkq", "Kq", false),
            ("4k3/8/8/8/8/8/8/R4K2", "Q", "-", true),
            ("4k3/8/8/8/8/8/8/4KR2", "F", "-", true),
        ] {
            let text = std::format!("{board} w {given} - 0 1");
            let Parsed { position, note, is_chess960: found, .. } = read(&text).unwrap();
            assert_eq!((format(&position), found), (std::format!("{board} w {kept} - 0 1"), is_chess960));
            let (note, mut warned) = (note.unwrap(), Vec::new());
            assert!(
                note.contains(given) && note.ends_with(kept) && note.contains("960") == is_chess960,
                "{note}"
            );
            let parsed = parse_warning(&text, &mut |note| warned.push(note.to_string()));
            assert_eq!((parsed.is_err(), warned.len()), (is_chess960, usize::from(!is_chess960)), "{text}");
        }
    }

    #[test]
    fn lines_of_epd_are_read_without_their_operations() {
        let fen = "r3k3/8/8/8/8/8/8/4K2R w Kq -";
        for (rest, expected) in [
            (" bm O-O; id \"x.1\";", Some("bm O-O; id \"x.1\";")),
            (" 3 9; id \"a\";", Some("; id \"a\";")),
            (";", Some(";")),
            (" 3 9;", Some(";")),
            (" bm Rf1", None),
            (" e2e4", None),
            (" 3 x", None),
            (" 3 9 9", None),
        ] {
            let text = std::format!("{fen}{rest}");
            assert_eq!(read(&text).ok().map(|parsed| parsed.rest), expected, "{text}");
        }
    }

    #[test]
    fn more_pieces_than_promotions_can_give_are_refused() {
        for legal in [
            "QQQQQQQQ/QRRBBNNK/8/8/8/8/8/k7 b - - 0 1",
            "k7/PPPPPPPP/8/8/8/8/RNBQKBNR/8 b - - 0 1",
            // The position with the most moves, 218, that a game can reach.
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            assert!(parse(legal).is_ok(), "{legal}");
        }
        for illegal in [
            "QQQQQQQQ/QQRBBNNK/8/8/8/8/8/k7 b - - 0 1",
            "QQQQQQQQ/QR5K/P7/8/8/8/8/k7 b - - 0 1",
            "k7/PPPPPPPP/P7/8/8/8/8/K7 b - - 0 1",
            "k7/8/8/8/8/8/nnnnnnnn/nnn4K w - - 0 1",
        ] {
            let error = parse(illegal).unwrap_err().to_string();
            assert!(error.contains("more than 8 pawns and promoted pieces"), "{illegal}: {error}");
        }
    }

    #[test]
    fn text_that_is_no_position_and_too_many_pieces_are_refused() {
        let many = "QQQQQQQK/Q6Q/Q6Q/Q6Q/Q6Q/QQ5Q/NNQ4Q/kNQQQQQQ w - - 0 1";
        for text in ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", many] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(many).unwrap_err().to_string().contains("more than 16 pieces"));
    }
}
