//! Positions from FEN, for the commands and UCI. For the FEN tag of a PGN game, [`game`](crate::game) has
//! stricter rules.

use std::fmt::Display;

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, PositionError, fen::Fen};

use crate::error::{Error, Result};

/// Largest number of pieces and pawns of a side. Nine queens are accepted; with many more the value would
/// reach that of a mate.
const MAX_PIECES: usize = 16;

/// Parses a FEN. Each side must have a king, and the side that has moved must not be in check. More material
/// than at the start, an impossible check and an en passant square without a pawn are accepted.
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
    match Color::ALL.into_iter().find(|&side| position.board().by_color(side).count() > MAX_PIECES) {
        Some(side) => Err(illegal(&format!("illegal position: more than {MAX_PIECES} pieces for {side}"))),
        None => Ok(position),
    }
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
    fn text_that_is_no_position_and_too_many_pieces_are_refused_by_both() {
        let many = "QQQQQQQK/Q6Q/Q6Q/Q6Q/Q6Q/QQ5Q/NNQ4Q/kNQQQQQQ w - - 0 1";
        for text in ["", "nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", many] {
            assert!(parse(text).is_err() && parse_dropping_castling_rights(text).is_err(), "{text}");
        }
        assert!(parse(many).unwrap_err().to_string().contains("more than 16 pieces"));
    }
}
