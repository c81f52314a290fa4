//! The text of the evaluation's own source files, for programs that take the evaluation along.

/// The files of the evaluation that depend on no crate and no other module, by module name: all terms that do
/// not fold into piece-square tables, and what these terms need.
///
/// They name what they take from outside by `super`: `Cell`, `Color`, `Key`, `PieceCounts`, `Role`, and the items
/// of each other that [`crate::eval`] re-exports.
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
