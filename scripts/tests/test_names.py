"""Every name, number and word of the sources below stays on some page of docs when pages are cut or merged."""

import pytest
from conftest import ROOT

PAGES = " ".join(" ".join(page.read_text().split()) for page in sorted((ROOT / "docs").rglob("*.md")))

# Tapered evaluation: the wiki, Rustic's book, the blog of MadChess.
TAPERED = "Zurichess, PeSTO, Crafty, Stockfish, Fruit, Phalanx, The King, Rustic, MadChess, Berliner, Costalba, Bokma, Geschwentner, Vanthoor, Madsen"
TAPERED += ", evaluation discontinuity, four phases, two values in one integer, superlinear interpolation, 957.570, 107 Elo, 800 bullet games, the phase learned, in 62nds, in 128ths"

# The note of 2000: people and machines.
PEOPLE = "Nowatzyk, Feng-hsiung Hsu, Thomas Anantharaman, Murray Campbell, Mike Browne, Tim Mann, ChipTest, Hitech, SUPREM, Belle, Behind Deep Blue"

# The note of 2000: what it says.
NOTE = "bit-rot, large grain of salt, permission to release this code, did not type them in, great debugging tool, value inflation, more erratic, 966082"
NOTE += ", some strange 3D curves, only 3 plies, nearly 40,000, 89 to ~100, Sun 3 or 4, VME, 142 columns, dbf_all, USO.par, Q*.par, reciprocal, seed positions"
NOTE += ", variance compensation, 868, out-of-bound, values of the pieces drift, working version"


@pytest.mark.parametrize("name", f"{TAPERED}, {PEOPLE}, {NOTE}".split(", "))
def test_a_name_of_the_sources_is_on_a_page(name):
    assert name.lower() in PAGES.lower()
