"""Rows that all tests use."""

import os
from pathlib import Path

import numpy as np
import pytest

import texam

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def texam_command() -> str:
    """The command, which TEXAM names; by default that of `cargo build --release`."""
    command = Path(os.environ.get("TEXAM", ROOT / "target/release/texam"))
    assert command.is_file(), f"no {command}: run cargo build --release, or name the command by TEXAM"
    return str(command)


class Choices:
    """Choices of three to six rows in games of four, by conditional logit with these weights and a temperature of 50."""

    true = np.array([90.0, 30.0, -20.0, 12.0, 4.0])
    start = np.array([60.0, 20.0, 0.0, 12.0, 0.0])

    def __init__(self, seed: int = 3, choices: int = 600) -> None:
        random = np.random.default_rng(seed)
        sizes = random.integers(3, 7, size=choices)
        self.choice = np.repeat(np.arange(1, choices + 1), sizes)
        rows = len(self.choice)
        counts = random.integers(-3, 4, size=(rows, 5)) / np.array([1, 1, 2, 1, 4])
        self.X = counts * (random.random((rows, 5)) < 0.7)
        self.cluster = (self.choice - 1) // 4 + 1
        # What the rows of a game have in common, so that clustering matters.
        per_game = random.normal(scale=20, size=(self.cluster.max() + 1, 5))
        utility = (self.X * (self.true + per_game[self.cluster])).sum(axis=1) + random.gumbel(scale=50, size=rows)
        best = np.array([utility[self.choice == number].max() for number in range(1, choices + 1)])
        self.chosen = utility == best[self.choice - 1]
        self.weight = (np.round(random.random(choices) * 0.75 + 0.25, 2))[self.choice - 1]

    def rows(self, **more: object) -> texam.Rows:
        return texam.Rows(self.X, self.choice, self.cluster, chosen=self.chosen, **more)


class Labelled:
    """Labelled rows in games of five, by logistic regression with these weights and a scale of 80."""

    start = np.array([80.0, 10.0, 0.0, 5.0])

    def __init__(self, seed: int = 4, rows: int = 1500) -> None:
        random = np.random.default_rng(seed)
        self.X = random.integers(-4, 5, size=(rows, 4)) / 2
        self.cluster = np.arange(rows) // 5 + 1
        shift = random.normal(scale=60, size=rows // 5 + 1)[self.cluster - 1]
        chance = 1 / (1 + np.exp(-(self.X @ [100.0, 30.0, -15.0, 5.0] + shift) / 80))
        self.label = np.where(random.random(rows) < 0.2, 0.5, random.random(rows) < chance)
        self.weight = np.round(random.random(rows) * 0.75 + 0.25, 2)

    def rows(self, **more: object) -> texam.Rows:
        return texam.Rows(self.X, cluster=self.cluster, label=self.label, **more)


@pytest.fixture(scope="session")
def choices() -> Choices:
    return Choices()


@pytest.fixture(scope="session")
def labelled() -> Labelled:
    return Labelled()
