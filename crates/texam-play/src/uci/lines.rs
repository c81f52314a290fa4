//! Reads lines of limited length.

use std::io::{BufRead, ErrorKind, Result};

/// Largest length of a line, in bytes, without its end. A game of ten thousand moves fits.
pub(super) const MAX_LENGTH: usize = 64 << 10;

/// What has been read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// A line of more than [`MAX_LENGTH`] bytes, which has been skipped.
    TooLong,
    /// There is no further line.
    End,
}

/// Reads a line. Memory use does not depend on its length.
///
/// # Errors
///
/// The input cannot be read.
pub(super) fn read(input: &mut impl BufRead) -> Result<Line> {
    let mut bytes = Vec::new();
    let (mut is_empty, mut too_long) = (true, false);
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            available => available?,
        };
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        is_empty &= available.is_empty();
        too_long |= bytes.len() + part.len() > MAX_LENGTH;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let (is_last, length) =
            (end.is_some() || available.is_empty(), part.len() + usize::from(end.is_some()));
        input.consume(length);
        if is_last {
            break;
        }
    }
    Ok(if is_empty {
        Line::End
    } else if too_long {
        Line::TooLong
    } else {
        Line::Text(String::from_utf8_lossy(&bytes).into_owned())
    })
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read, repeat};

    use super::*;

    #[test]
    fn lines_are_read_up_to_the_limit_and_longer_ones_are_skipped() {
        let (fits, too_long) = ("x".repeat(MAX_LENGTH), "y".repeat(MAX_LENGTH + 1));
        let text = format!("uci\n\n{fits}\n{too_long}\nquit");
        for buffer in [1, 7, 1 << 20] {
            let mut input = BufReader::with_capacity(buffer, text.as_bytes());
            let mut next = || read(&mut input).unwrap();
            for expected in ["uci", "", &fits] {
                assert_eq!(next(), Line::Text(expected.to_string()));
            }
            assert_eq!(next(), Line::TooLong);
            assert_eq!((next(), next()), (Line::Text("quit".to_string()), Line::End));
        }
    }

    #[test]
    fn a_line_without_an_end_is_skipped_too() {
        let mut input = BufReader::new(repeat(b'x').take(10 << 20));
        assert_eq!((read(&mut input).unwrap(), read(&mut input).unwrap()), (Line::TooLong, Line::End));
    }
}
