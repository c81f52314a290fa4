//! Signature of the feature table.
//!
//! Files of weights contain it, so that weights of another table are recognised. It covers what decides the
//! meaning of a weight (keys, ends, layouts and shapes, in their order). Starting weights, groups and
//! descriptions may change without a new signature. Optional features are left out, since files need not
//! contain them.

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

/// The hash function FNV-1a with 64 bits, by Fowler, Noll and Vo. It detects changes; it is not
/// cryptographic.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Hashes a word and its end, so that "ab", "c" differs from "a", "bc".
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
    fn the_signature_is_sixteen_hexadecimal_digits() {
        let signature = table_signature();
        assert_eq!(signature.len(), 16);
        assert!(signature.chars().all(|c| c.is_ascii_hexdigit()), "{signature}");
    }
}
