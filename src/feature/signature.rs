//! A short name for the state of the feature table.
//!
//! Files that hold weights carry it, so that weights made for another table are not taken for weights of
//! this one. It covers what gives a number its meaning (keys, ends, layouts, shapes, in their order), and
//! leaves out what may change freely: starting weights, groups, words. It leaves out optional features too,
//! which files need not have.

use super::Key;

/// Signature of the feature table: 16 hexadecimal digits.
pub fn table_signature() -> String {
    let mut hash = Fnv::new();
    for feature in Key::standard().iter().map(|key| key.feature()) {
        hash.word(feature.key);
        hash.word(feature.ends.name());
        for cell in 0..feature.layout.cells() {
            hash.word(&feature.layout.label(cell));
            feature.shape.iter().for_each(|side| hash.word(&side[cell].to_string()));
        }
    }
    format!("{:016x}", hash.0)
}

/// FNV-1a with 64 bits, by Fowler, Noll and Vo: enough to tell tables apart, no protection against malice.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in a word and its end, so that "ab", "c" differs from "a", "bc".
    fn word(&mut self, word: &str) {
        word.bytes().chain([0]).for_each(|byte| self.byte(byte));
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_gives_the_published_values() {
        let hash = |text: &str| {
            let mut hash = Fnv::new();
            text.bytes().for_each(|byte| hash.byte(byte));
            hash.0
        };
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_signature_is_that_of_the_files_shipped() {
        assert_eq!(table_signature(), "f6b62c9943715a8c");
    }

    #[test]
    fn the_signature_is_sixteen_hexadecimal_digits() {
        let signature = table_signature();
        assert_eq!(signature.len(), 16);
        assert!(signature.chars().all(|c| c.is_ascii_hexdigit()), "{signature}");
    }
}
