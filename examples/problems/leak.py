"""Finds games held out that are also among the games fitted, whatever their numbers.

    python3 leak.py fitted.txt held.txt
"""

import sys
from collections import Counter, defaultdict

from rows import game, read_rows


def key(moves):
    """A position is told by its rows, in any order."""
    return tuple(sorted(tuple(sorted(counts.items())) for counts, _, _ in moves))


def main():
    games_of = defaultdict(set)
    for moves in read_rows(sys.argv[1]):
        games_of[key(moves)].add(game(moves))
    sizes, shared = Counter(), defaultdict(Counter)
    for moves in read_rows(sys.argv[2]):
        sizes[game(moves)] += 1
        shared[game(moves)].update(games_of.get(key(moves), ()))
    for held, others in sorted(shared.items()):
        for fitted, count in others.most_common(1):
            # Two games may share a position by transposition, but not half of them.
            if 2 * count >= sizes[held]:
                print(f"game {held} held out is game {fitted} fitted: {count} of {sizes[held]} positions")


if __name__ == "__main__":
    main()
