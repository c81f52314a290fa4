//! The results of games, as people and programs write them.

use shakmaty::{KnownOutcome, Outcome};

/// What the end of a game is called in messages.
pub(super) const END: &str = "the end of the game";

/// The hyphens, dashes and minus signs beside `-`.
pub(super) const DASHES: &str =
    "\u{ad}\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{fe63}\u{ff0d}";

/// The result that a text is: `1-0`, `1 - 0`, `1\u{2013}0`, `1:0`, `1/2`, `\u{bd}-\u{bd}`, `0.5-0.5`, `*`.
pub(super) fn read(text: &str) -> Option<Outcome> {
    let text: String = text.split_whitespace().collect();
    let text = text.replace(|sign| sign == ':' || DASHES.contains(sign), "-").replace('\u{bd}', "1/2");
    match text.as_str() {
        "1/2" | "0.5-0.5" | "0,5-0,5" => Some(Outcome::Known(KnownOutcome::Draw)),
        text => text.parse().ok(),
    }
}

/// The result with which a text begins. People write `1-0 (time)`.
pub(super) fn at_start(text: &str) -> Option<Outcome> {
    let word = || text.split(|letter: char| letter.is_whitespace() || letter == '(').next().and_then(read);
    read(text.trim_end_matches(']')).or_else(word)
}

/// The result with which a text of moves ends; in braces, if it is all that stands in them.
pub(super) fn at_end(text: &[u8]) -> Option<Outcome> {
    const SEEN: usize = 32;
    let text = text.trim_ascii_end();
    // Most lines end with a move.
    if !matches!(text.last()?, b'0' | b'1' | b'2' | b'*' | b'}' | 0xbd)
        && !text.ends_with(b".5")
        && !text.ends_with(b",5")
    {
        return None;
    }
    let text = String::from_utf8_lossy(&text[text.len().saturating_sub(SEEN)..]);
    if let Some(comment) = text.strip_suffix('}') {
        return read(comment.rsplit_once('{')?.1);
    }
    let is_before =
        |sign| matches!(sign, '!' | '?' | '+' | '#' | ')' | '}') || sign == '.' && !text.ends_with('5');
    let text = text.rsplit(is_before).next()?;
    // A dash with blanks around makes three words of a result.
    let starts = text.match_indices(char::is_whitespace).map(|(at, _)| at).rev().take(3);
    starts.chain([0]).find_map(|start| read(&text[start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_every_form_that_is_in_use() {
        let [white, black] = ["1-0", "0-1"].map(|text| text.parse().ok());
        let draw = Some(Outcome::Known(KnownOutcome::Draw));
        for (form, expected) in [
            ("1-0", white),
            ("0 - 1", black),
            ("1 -0", white),
            ("1\u{2013}0", white),
            ("0 \u{2212} 1", black),
            ("1/2-1/2", draw),
            ("1/2 - 1/2", draw),
            ("1/2", draw),
            ("\u{bd}-\u{bd}", draw),
            ("\u{bd} \u{2013} \u{bd}", draw),
            ("\u{bd}", draw),
            ("*", Some(Outcome::Unknown)),
        ] {
            assert_eq!(read(form), expected, "{form}");
            assert_eq!(at_start(form), expected, "{form}");
            for before in ["", "20. Nbd2 Nxd6 ", "Nxd6+ 21. ", "Nxd6 {a 1-0} ", "(Nf3)", "Nxd6 21.", "Nxd6!"]
            {
                assert_eq!(at_end(format!("{before}{form}\n").as_bytes()), expected, "{before}{form}");
            }
            assert_eq!(at_end(format!("Nxd6 {{ {form} }}").as_bytes()), expected, "{form}");
        }
        for form in ["0.5-0.5", "0,5 - 0,5", "0.5:0.5", "1/2:1/2"] {
            assert_eq!((read(form), at_end(format!("20. Nbd2 {form}\n").as_bytes())), (draw, draw), "{form}");
        }
        assert_eq!((read("1:0"), read("0:1")), (white, black));
        assert_eq!(at_start("1-0 (time)"), white);
        assert_eq!(at_start("1-0(time)"), white);
    }

    #[test]
    fn what_is_no_result_is_none() {
        for text in
            ["", "?", "1", "0-0", "0-0-0", "1-1", "11-0", "0-1-0", "-", "=", "Nf3", "[Result \"1-0\"]"]
        {
            assert_eq!(read(text), None, "{text}");
            assert_eq!(at_end(text.as_bytes()), None, "{text}");
        }
        for text in ["Nxd6 {from 1-0}", "Nxd6 {1-0 is fair}", "{1-0} Nxd6", "Nxd6 1", "O-O 0-0", "0-0 0-0-0"]
        {
            assert_eq!(at_end(text.as_bytes()), None, "{text}");
        }
    }
}
