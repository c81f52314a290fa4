//! The source files of the evaluation as text, for the export in Rust.

/// Name and text of the modules of the attack terms, which an evaluation without them does not need, and of what they take
/// from shakmaty here.
pub const ATTACK_SOURCES: [(&str, &str); 2] =
    [("attacks", include_str!("attacks.rs")), ("rays", include_str!("rays.rs"))];

/// Names and texts of the modules that compute all terms which do not fold into piece-square tables. They
/// depend on no crate.
///
/// From `super` they import `Cell`, `Color`, `Key`, `PieceCounts`, `Role`, and the items of each other that
/// [`crate::eval`] re-exports.
pub const SOURCES: [(&str, &str); 10] = [
    ("layers", include_str!("layers.rs")),
    ("material", include_str!("material.rs")),
    ("placement", include_str!("placement.rs")),
    ("pawns", include_str!("pawns.rs")),
    ("passed", include_str!("passed.rs")),
    ("rooks", include_str!("rooks.rs")),
    ("king", include_str!("king.rs")),
    ("registers", include_str!("registers.rs")),
    ("side", include_str!("side.rs")),
    ("geometry", include_str!("geometry.rs")),
];
