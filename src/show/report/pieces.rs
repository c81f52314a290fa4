//! The pieces and pawns of the diagrams as SVG shapes, so that they look the same with every font.
//!
//! Six silhouettes in a square of 100 by 100, each with inner lines. The page defines them once as symbols,
//! and the diagrams refer to these.

use shakmaty::Role;

struct PieceShape {
    role: Role,
    body: &'static str,
    lines: &'static str,
}

const SHAPES: [PieceShape; 6] = [
    PieceShape {
        role: Role::Pawn,
        body: "M50 19a13.5 13.5 0 0 1 9 23.6c.6 11.6 5.4 19 14 25.4 3.4 2.5 5 5.4 5 10v6H22v-6c0-4.6 1.6-7.5 5-10 \
               8.6-6.4 13.4-13.8 14-25.4A13.5 13.5 0 0 1 50 19z",
        lines: "",
    },
    PieceShape {
        role: Role::Knight,
        body: "M27 84c0-9 3-15 10-21 5-4.3 8-7.5 8.6-12-3 4-7 5.4-11.6 5.6l-5.6 7c-1.6 2-4 2.2-6.2 1.2l-5-2.6c-2-1.1\
               -2.6-3.3-1.6-5.4 4.6-9 9-16.5 14-23.4 1.2-1.7 1.8-3.2 2-5.4l.6-10.6 9.6 7.6C62 24.5 76 38 78 62c.6 \
               7.5.6 14.5 0 22z",
        lines: "M55 31c9 6 15 18 15 38M39.5 37.4v.2",
    },
    PieceShape {
        role: Role::Bishop,
        body: "M50 9a6 6 0 0 1 3.8 10.6C64 27.5 71 38 71 49c0 8-3.5 13-9 17l3 8c8 .5 15 3.5 17 10H18c2-6.5 9-9.5 17-10l3\
               -8c-5.5-4-9-9-9-17 0-11 7-21.5 17.2-29.4A6 6 0 0 1 50 9z",
        lines: "M58.5 30L48 45M40 66h20M37.5 74h25",
    },
    PieceShape {
        role: Role::Rook,
        body: "M23 18h13v8h8v-8h12v8h8v-8h13v21l-8 7v20l7 8h6v10H18V74h6l7-8V46l-8-7z",
        lines: "M33.5 46h33M33.5 66h33",
    },
    PieceShape {
        role: Role::Queen,
        body: "M12 31a5 5 0 1 1 6.5 4.2L33 52l-2.2-25.8a5 5 0 1 1 5.4-.7L45 49l2.8-28a5 5 0 1 1 4.4 0L55 49l8.8-23.5a5 5 \
               0 1 1 5.4.7L67 52l14.5-16.8a5 5 0 1 1 3.8-.2L76 66c.5 3.5 2 5.5 4 8v10H20V74c2-2.5 3.5-4.5 4-8l-9.3\
               -31A5 5 0 0 1 12 31z",
        lines: "M27 66h46M23 74h54",
    },
    PieceShape {
        role: Role::King,
        body: "M46.5 8h7v6H60v7h-6.5v8.5c8-6.5 17.5-7.5 24-3.5C88 32.5 87.5 46 79 56l-4 10c.5 3.5 2 5.5 4 8v10H21V74\
               c2-2.5 3.5-4.5 4-8l-4-10C12.5 46 12 32.5 22.5 26c6.5-4 16-3 24 3.5V21H40v-7h6.5z",
        lines: "M28 66h44M24 74h52M50 38v27",
    },
];

/// The symbol definitions for the page.
pub(crate) fn symbols() -> String {
    let symbol = |PieceShape { role, body, lines }: &PieceShape| {
        let name = name(*role);
        let lines = match lines {
            &"" => String::new(),
            lines => format!("<path class=\"in\" d=\"{lines}\"/>"),
        };
        format!("<symbol id=\"{name}\" viewBox=\"0 0 100 100\"><path d=\"{body}\"/>{lines}</symbol>\n")
    };
    SHAPES.iter().map(symbol).collect()
}

/// The identifier of the symbol of a role.
pub(super) fn name(role: Role) -> String {
    format!("man-{}", role.char())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_man_has_a_shape() {
        for role in Role::ALL {
            assert_eq!(SHAPES.iter().filter(|shape| shape.role == role).count(), 1, "{role:?}");
            assert!(symbols().contains(&format!("id=\"{}\"", name(role))), "{role:?}");
        }
    }
}
