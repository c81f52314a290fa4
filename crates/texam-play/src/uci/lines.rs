//! Reads lines of limited length.

use std::io::{BufRead, Read, Result};

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
    input.by_ref().take(MAX_LENGTH as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    let has_end = bytes.pop_if(|byte| *byte == b'\n').is_some();
    if !has_end && bytes.len() > MAX_LENGTH {
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Text(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, repeat};

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
