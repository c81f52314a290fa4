//! Positions from FEN, for the commands and UCI. For the FEN tag of a PGN game, [`game`](crate::game) has
//! stricter rules.

use std::fmt::Display;

use shakmaty::{Board, CastlingMode, Chess, Color, EnPassantMode, Position, PositionError, Role, fen::Fen};

use crate::error::{Error, Result};

/// Largest number of pieces and pawns of a side.
const MAX_PIECES: usize = 16;

/// Largest number of pawns and promoted pieces of a side.
const MAX_PAWNS: usize = 8;

/// Parses a FEN. Each side must have a king, and the side that has moved must not be in check. A side may
/// have more pieces of a role than at the start only in place of missing pawns; so no position that is
/// reached by moves has more than 218 legal moves. An impossible
/// check and an en passant square without a pawn are accepted.
///
/// # Errors
///
/// The text is not a FEN, or the position is not legal.
pub fn parse(text: &str) -> Result<Chess> {
    accept(text, into_position(text)?)
}

/// As [`parse`], but castling rights that the position cannot have are dropped, as some programs send them.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_dropping_castling_rights(text: &str) -> Result<Chess> {
    accept(text, into_position(text)?.or_else(PositionError::ignore_invalid_castling_rights))
}

/// The FEN of a position. It has an en passant square only if the capture is legal.
pub fn format(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

fn into_position(text: &str) -> Result<std::result::Result<Chess, PositionError<Chess>>> {
    let parsed: Fen = text
        .trim()
        .parse()
        .map_err(|error| Error::expected("a position in FEN", format!("{text:?} ({error})")))?;
    Ok(parsed
        .into_position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square))
}

fn accept(text: &str, position: std::result::Result<Chess, PositionError<Chess>>) -> Result<Chess> {
    let illegal = |error: &dyn Display| {
        Error::expected("a legal position of standard chess", format!("{text:?} ({error})"))
    };
    let position = position.map_err(|error| illegal(&error))?;
    match Color::ALL.into_iter().find_map(|side| excess(position.board(), side)) {
        Some(excess) => Err(illegal(&format!("illegal position: {excess}"))),
        None => Ok(position),
    }
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
    fn castling_rights_without_a_rook_are_refused_by_parse_and_dropped_on_request() {
        let text = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1";
        assert!(parse(text).unwrap_err().to_string().contains("legal position"));
        assert_eq!(format(&parse_dropping_castling_rights(text).unwrap()), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
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
    fn text_that_is_no_position_and_too_many_pieces_are_refused_by_both() {
        let many = "QQQQQQQK/Q6Q/Q6Q/Q6Q/Q6Q/QQ5Q/NNQ4Q/kNQQQQQQ w - - 0 1";
        for text in ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", many] {
            assert!(parse(text).is_err() && parse_dropping_castling_rights(text).is_err(), "{text}");
        }
        assert!(parse(many).unwrap_err().to_string().contains("more than 16 pieces"));
    }
}
