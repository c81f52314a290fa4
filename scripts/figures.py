#!/usr/bin/env python3
"""Makes the figures of docs/EQUATIONS.md, ERRORS.md, COMPARING.md and MACHINE.md, from the numbers of docs/BY-HAND.md and METHOD.md and from rows of the shipped games.

    cargo build --release
    scripts/figures.py [FOLDER]        # docs/pictures by default

TEXAM names another program than target/release/texam. The figure of ERRORS needs what `scripts/calibration.py --settings 1` leaves in the folder
calibration; without it that figure is left out.
"""

import csv
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXAM = os.environ.get("TEXAM", str(ROOT / "target/release/texam"))

HALVES = [ROOT / f"calibration/{half}-1-force-3-1.json" for half in ("odd", "even")]

WIDTH, HEIGHT = 560, 380
INK, GREY, PALE = "#181B1F", "#5A6168", "#DEE1E4"
BLUE, RED, GREEN = "#1F5FA8", "#B3321F", "#2E7A46"

CHOICES = [[(0, -1), (0, 1), (1, 0)], [(2, 0), (1, 0), (-1, 1)], [(-1, -1), (1, 1)]]
TARGETS = [[16, -10, 4], [20, 10, -14], [18, -18]]
START = (10, -4)


class Figure:
    """A plane with axes, drawn as SVG on a white ground, so that it can be read on light and on dark pages."""

    def __init__(self, title, x_range, y_range, x_name, y_name, square=False):
        left, right, top, bottom = 62, 16, 40, 46
        self.x, self.y = x_range, y_range
        self.left, self.bottom = left, HEIGHT - bottom
        self.x_scale = (WIDTH - left - right) / (x_range[1] - x_range[0])
        self.y_scale = (HEIGHT - top - bottom) / (y_range[1] - y_range[0])
        if square:
            self.x_scale = self.y_scale = min(self.x_scale, self.y_scale)
        self.right = left + self.x_scale * (x_range[1] - x_range[0])
        self.top = self.bottom - self.y_scale * (y_range[1] - y_range[0])
        self.parts = []
        for value in ticks(*x_range):
            x, _ = self.at((value, y_range[0]))
            self.raw(f'<path d="M{x:.1f} {self.top:.1f}V{self.bottom:.1f}" stroke="{PALE}"/>')
            self.words(x, self.bottom + 16, number(value), GREY, "middle")
        for value in ticks(*y_range):
            _, y = self.at((x_range[0], value))
            self.raw(f'<path d="M{left} {y:.1f}H{self.right:.1f}" stroke="{PALE}"/>')
            self.words(left - 7, y + 4, number(value), GREY, "end")
        self.words(WIDTH / 2, 24, title, INK, "middle", bold=True)
        self.words((left + self.right) / 2, HEIGHT - 10, x_name, GREY, "middle")
        middle = (self.top + self.bottom) / 2
        self.raw(f'<text x="16" y="{middle:.1f}" fill="{GREY}" text-anchor="middle" transform="rotate(-90 16 {middle:.1f})">{y_name}</text>')
        self.title = title

    def at(self, point):
        return self.left + (point[0] - self.x[0]) * self.x_scale, self.bottom - (point[1] - self.y[0]) * self.y_scale

    def raw(self, part):
        self.parts.append(part)

    def words(self, x, y, text, colour, anchor="start", bold=False):
        weight = ' font-weight="bold"' if bold else ""
        halo = 'stroke="#FFFFFF" stroke-width="4" paint-order="stroke"'
        self.raw(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" {halo}{weight}>{text}</text>')

    def line(self, points, colour=INK, width=1.8, dashed=False):
        path = " ".join(f"{x:.1f} {y:.1f}" for x, y in map(self.at, points))
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.raw(f'<path d="M{path}" stroke="{colour}" stroke-width="{width}" fill="none"{dash} clip-path="url(#plane)"/>')

    def arrow(self, start, end, colour=INK):
        self.line([start, end], colour, 2)
        (x0, y0), (x1, y1) = self.at(start), self.at(end)
        angle = math.atan2(y1 - y0, x1 - x0)
        wings = [(x1 - 9 * math.cos(angle + turn), y1 - 9 * math.sin(angle + turn)) for turn in (0.4, -0.4)]
        tip = " ".join(f"{x:.1f},{y:.1f}" for x, y in [(x1, y1), *wings])
        self.raw(f'<polygon points="{tip}" fill="{colour}"/>')

    def dot(self, point, text="", colour=INK, dx=9, dy=4, anchor="start"):
        x, y = self.at(point)
        self.raw(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')
        self.note(point, text, colour, anchor, dx, dy)

    def note(self, point, text, colour=GREY, anchor="start", dx=0, dy=0):
        x, y = self.at(point)
        for number_of_line, part in enumerate(text.split("\n")):
            self.words(x + dx, y + dy + 15 * number_of_line, part, colour, anchor)

    def svg(self):
        plane = f'x="{self.left}" y="{self.top:.1f}" width="{self.right - self.left:.1f}" height="{self.bottom - self.top:.1f}"'
        return document(WIDTH, HEIGHT, self.title, self.parts, f'<clipPath id="plane"><rect {plane}/></clipPath>\n')


def document(width, height, title, parts, clip=""):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" role="img" aria-label="{title}">\n'
        f'{clip}<rect width="{width}" height="{height}" fill="#FFFFFF"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def ticks(low, high):
    rough = (high - low) / 6
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(low / step - 1e-9)
    return [step * i for i in range(first, math.floor(high / step + 1e-9) + 1)]


def number(value):
    return f"{value:.10g}".replace("-", "\u2212")


def solve(m, v):
    (p, q), (_, s) = m
    det = p * s - q * q
    return (v[0] * s - q * v[1]) / det, (p * v[1] - q * v[0]) / det


def ellipse(matrix, centre, height):
    """The points where (z - centre)^T matrix (z - centre) is `height`."""
    (p, q), (_, s) = matrix
    first, second = math.sqrt(p), q / math.sqrt(p)
    third = math.sqrt(s - second * second)
    points = []
    for step in range(121):
        angle = 2 * math.pi * step / 120
        y = math.sin(angle) / third
        x = (math.cos(angle) - second * y) / first
        points.append((centre[0] + math.sqrt(height) * x, centre[1] + math.sqrt(height) * y))
    return points


def least_squares(ridge):
    rows = [(row, target) for rows, targets in zip(CHOICES, TARGETS) for row, target in zip(rows, targets)]
    m = [[sum(r[i] * r[j] for r, _ in rows) + ridge * (i == j) for j in (0, 1)] for i in (0, 1)]
    v = [sum(r[i] * t for r, t in rows) + ridge * START[i] for i in (0, 1)]
    return m, solve(m, v)


def projection():
    figure = Figure("The fit is the foot of the perpendicular", (0, 20), (8, 24), "value of the played move (count 1)",
                    "value of the alternative (count 2)", square=True)
    figure.line([(0, 0), (20, 40)], BLUE)
    figure.note((10.9, 22.9), "all values that one weight can give", BLUE)
    figure.arrow((10, 20), (14, 16), GREEN)
    figure.line([(14, 16), (9.2, 18.4)], RED, dashed=True)
    figure.dot((10, 20), "present values (10, 20), weight 10", dy=0)
    figure.dot((14, 16), "targets (14, 16)", GREEN)
    figure.dot((9.2, 18.4), "fit (9.2, 18.4), weight 9.2", RED, dx=-9, dy=14, anchor="end")
    return figure


def ridge():
    figure = Figure("A ridge pulls the fit towards the present weights", (-8, 24), (-20, 0), "a, rooks on open files", "b, isolated pawns", square=True)
    matrix, found = least_squares(0)
    for height in (40, 160, 360, 640, 1000):
        figure.line(ellipse(matrix, found, height), BLUE, 1)
    for radius in (1, 2, 3):
        figure.line(ellipse([[1, 0], [0, 1]], START, radius * radius), GREEN, 1)
    path = [least_squares(10 ** (step / 20))[1] for step in range(-60, 90)]
    figure.line([found, *path, START], RED, 2.4)
    figure.dot(found, "R = 0: the rows alone", BLUE, dy=16)
    for strength, text in ((1, "R = 1"), (10, "R = 10"), (100, "R = 100")):
        figure.dot(least_squares(strength)[1], text, RED)
    figure.dot(START, "present weights, R without end", GREEN, dx=-6, dy=-9, anchor="middle")
    return figure


def softmax(a, b, ridge=1, temperature=10):
    """Loss with its ridge, and minus its slopes and its curvatures, times the square of the temperature."""
    loss, slope = 0, [0, 0]
    curve = [[ridge, 0], [0, ridge]]
    for rows in CHOICES:
        powers = [math.exp((a * x + b * y) / temperature) for x, y in rows]
        p = [power / sum(powers) for power in powers]
        loss -= math.log(p[0])
        centre = [sum(q * row[i] for q, row in zip(p, rows)) for i in (0, 1)]
        for i in (0, 1):
            slope[i] += temperature * (rows[0][i] - centre[i])
            for j in (0, 1):
                curve[i][j] += sum(q * (row[i] - centre[i]) * (row[j] - centre[j]) for q, row in zip(p, rows))
    change = a - START[0], b - START[1]
    slope = [slope[i] - ridge * change[i] for i in (0, 1)]
    return loss + ridge * (change[0] ** 2 + change[1] ** 2) / (2 * temperature**2), slope, curve


def newton():
    figure = Figure("One Newton step: to the lowest point of the parabola", (-0.3, 1.7), (1, 4), "share of the step", "loss with its ridge")
    loss, slope, curve = softmax(*START)
    step = solve(curve, slope)
    first = -sum(s * d for s, d in zip(slope, step)) / 100
    second = sum(step[i] * curve[i][j] * step[j] for i in (0, 1) for j in (0, 1)) / 100
    along = [i / 100 - 0.3 for i in range(201)]
    reached = lambda t: softmax(START[0] + t * step[0], START[1] + t * step[1])[0]
    figure.line([(t, loss + first * t + second * t * t / 2) for t in along], GREEN, dashed=True)
    figure.line([(t, reached(t)) for t in along], BLUE, 2.4)
    figure.dot((0, loss), "present weights:\nsame slope, same curvature", INK, dy=-8)
    figure.dot((1, loss + first + second / 2), "lowest point of the parabola", GREEN, dx=0, dy=18, anchor="middle")
    figure.dot((1, reached(1)), f"the loss there, {reached(1):.3f}", BLUE, dx=0, dy=-10, anchor="middle")
    return figure


def separable():
    figure = Figure("Without a ridge there is no lowest point", (0, 4), (0, 4), "t: the weights are t times (6.465, \u221212.855)", "loss of the three positions")
    loss = lambda t, ridge: softmax(6.465 * t, -12.855 * t, ridge)[0]
    along = [i / 50 for i in range(201)]
    figure.line([(t, loss(t, 1)) for t in along], RED, 2.4)
    figure.line([(t, loss(t, 0)) for t in along], BLUE, 2.4)
    figure.dot((1, loss(1, 1)), f"lowest point, {loss(1, 1):.3f}", RED, dx=12, dy=16)
    figure.note((1.9, 3), "with a ridge of 1", RED, "end")
    figure.note((2.2, 0.8), "without a ridge: falls towards 0", BLUE)
    return figure


def sandwich():
    figure = Figure("What each game does to the weights", (1, 9), (-22, -12), "a, rooks on open files", "b, isolated pawns")
    matrix, found = least_squares(0)
    steps = []
    for rows, targets in zip(CHOICES, TARGETS):
        left = [target - found[0] * x - found[1] * y for (x, y), target in zip(rows, targets)]
        steps.append(solve(matrix, [sum(e * row[i] for e, row in zip(left, rows)) for i in (0, 1)]))
    errors = [math.sqrt(3 / 2 * 7 / 6 * sum(step[i] ** 2 for step in steps)) for i in (0, 1)]
    for i, error in enumerate(errors):
        ends = [tuple(found[j] + sign * error * (i == j) for j in (0, 1)) for sign in (-1, 1)]
        figure.line(ends, GREY, 1.4, dashed=True)
    figure.note((found[0] + errors[0], found[1] - 0.45), f"\u00b1 {errors[0]:.2f}", GREY, "end")
    figure.note((found[0] + 0.08, found[1] - errors[1] + 0.25), f"\u00b1 {errors[1]:.2f}", GREY)
    for game, (step, dx, anchor) in enumerate(zip(steps, (-8, 8, -8), ("end", "start", "end")), 1):
        end = found[0] + step[0], found[1] + step[1]
        figure.arrow(found, end, BLUE)
        x, y = figure.at(end)
        figure.words(x + dx, y, f"game {game}", BLUE, anchor)
    figure.dot(found, "", RED)
    figure.note((1.2, -12.7), "fit: 5.36, \u221216.27 (red dot)", RED)
    return figure


def power():
    """How often matches see a true difference: 2,000 games have an error of 14 Elo (95 %)."""
    figure = Figure("How often a match sees a true difference", (0, 60), (0, 100), "true difference, Elo", "matches that see it, per cent")
    normal = statistics.NormalDist()
    for games, at in ((400, 50), (2000, 26.5), (8000, 11.8)):
        error = 14 / 1.96 * math.sqrt(2000 / games)
        seen = lambda elo: 100 * (normal.cdf(elo / error - 1.96) + normal.cdf(-elo / error - 1.96))
        figure.line([(i / 5, seen(i / 5)) for i in range(301)], BLUE, 2.4)
        figure.note((at, seen(at) - 6), f"{games:,} games", BLUE)
        figure.dot((2.8 * error, 80), "", RED)
    figure.line([(0, 80), (60, 80)], RED, 1.4, dashed=True)
    figure.note((46.5, 75), "four cases of five", RED)
    return figure


def identity():
    figure = Figure("Without a force the target is on the line; with a wrong sign it is not", (-16, 26), (-4, 24),
                    "value of the played move", "value of the alternative", square=True)
    figure.line([(-8, -16), (16, 32)], BLUE)
    figure.note((6.5, 9.6), "rows (1) and (2): all\nvalues of the evaluation", BLUE)
    figure.line([(-12, 24), (12, -24)], GREY)
    figure.note((-15, 4.5), "rows (1) and (\u22122): one\nsign is wrong", GREY)
    figure.line([(10, 20), (-6, 12)], RED, dashed=True)
    figure.dot((10, 20), "values = targets (10, 20):\nthe fit returns 10", GREEN)
    figure.dot((-6, 12), "the fit\nreturns \u22126", RED, dx=-10, dy=0, anchor="end")
    return figure


def castling_sums():
    """Sums of squares over the rows of every 20th position: of the common change s of the weights of castling and its rights, and of the change t of
    k_moved, in the opening."""
    with tempfile.TemporaryDirectory() as folder:
        command = [TEXAM, "rows", "--every", "20", "-o", "choices.txt"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        table = (Path(folder) / "weights.csv").read_text().splitlines()[1:]
        lines = (Path(folder) / "choices.txt").read_text().splitlines()
    columns = {line.split(",")[0]: str(number) for number, line in enumerate(table, 1)}
    shares = {columns["cas_k.o"]: 1, columns["cas_q.o"]: 1, columns["rt_k.o"]: 0.5, columns["rt_q.o"]: 0.5}
    sums, rows = [[0, 0], [0, 0]], 0
    for line in lines:
        if line.startswith("#"):
            continue
        counts = dict(re.findall(r" (\d+):(\S+)", line.split("#")[0]))
        row = sum(share * float(counts.get(column, 0)) for column, share in shares.items()), float(counts.get(columns["k_moved.o"], 0))
        rows += 1
        for i in (0, 1):
            for j in (0, 1):
                sums[i][j] += row[i] * row[j]
    return sums, rows


def null_direction():
    sums, rows = castling_sums()
    print(f"rows {rows}, sums of squares {sums[0][0]:.1f}, {sums[0][1]:.1f}, {sums[1][1]:.1f}")
    figure = Figure("Weights of castling: a valley from the lower left to the upper right", (-30, 30), (-30, 30),
                    "s, change of castled and of the rights (half each)", "t, change of k_moved")
    for root in (0.5, 1, 2, 3, 4, 5):
        figure.line(ellipse(sums, (0, 0), rows * root * root), BLUE, 1.2)
    for point, text, anchor, dx in (((10, 10), "both by 10", "start", 9), ((10, -10), "one up, one down by 10", "start", 9), ((0, 10), "k_moved alone by 10", "end", -9)):
        change = sums[0][0] * point[0] ** 2 + 2 * sums[0][1] * point[0] * point[1] + sums[1][1] * point[1] ** 2
        moved = math.sqrt(change / rows)
        figure.dot(point, f"{text}:\nvalues move by {moved:.1f}", RED, dx=dx, anchor=anchor)
        print(f"{text}: sum of squares {change:.0f}, root mean square {moved:.2f}")
    figure.dot((0, 0))
    return figure


def calibration():
    """Differences of the weights between runs on odd and on even games, in standard errors of each kind."""
    odd, even = (json.loads(path.read_text()) for path in HALVES)
    figure = Figure("Weights of odd and of even games: how far apart, in standard errors", (0, 6), (0, 100),
                    "distance z in standard errors", "weights further apart than z, %")
    figure.line([(2, 0), (2, 100)], GREY, 1, dashed=True)
    normal = statistics.NormalDist()
    figure.line([(z / 50, 200 * (1 - normal.cdf(z / 50))) for z in range(301)], INK, 1.6, dashed=True)
    for kind, (name, colour) in enumerate((("last step", RED), ("texam diff", GREEN), ("run, ten groups", BLUE))):
        errors = odd["errors"][kind], even["errors"][kind]
        weights = [weight for weight in odd["values"] if all(weight in known for known in errors)]
        z = sorted(abs(odd["values"][w] - even["values"][w]) / math.hypot(*(known[w] for known in errors)) for w in weights)
        points = [(0, 100)]
        for number_of_weight, distance in enumerate(z, 1):
            points += [(distance, points[-1][1]), (distance, 100 * (1 - number_of_weight / len(z)))]
        figure.line(points, colour, 2.2)
        beyond = 100 * statistics.mean(distance > 2 for distance in z)
        figure.line([(2.75, 92 - 8 * kind), (3.15, 92 - 8 * kind)], colour, 2.2)
        figure.note((3.25, 90.5 - 8 * kind), f"{name}: {beyond:.1f} % beyond 2", colour)
    figure.line([(2.75, 68), (3.15, 68)], INK, 1.6, dashed=True)
    figure.note((3.25, 66.5), "a right error: 4.6 % beyond 2", INK)
    return figure


ENDGAME = "8/1p3r1k/p5pp/3P4/1P3P2/6P1/P4RK1/8 w - - 0 40"
START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def machine():
    """The 64 entries of White's knight in the piece placement table, for two roots, as heat maps on one scale."""
    cell, parts, boards = 34, [], []
    for fen in (START_FEN, ENDGAME):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([TEXAM, "tables", fen, "--par", str(ROOT / "params/gm1988.par"), "-o", f"{folder}/out"], check=True, stdout=subprocess.DEVNULL)
            rows = csv.DictReader(Path(folder, "out/placement.csv").read_text().splitlines())
            boards.append([float(row["value"]) for row in rows if (row["colour"], row["piece"]) == ("white", "knight")])
    low, span = min(map(min, boards)), max(map(max, boards)) - min(map(min, boards))
    for left, name, values in zip((26, 332), ("at the start (phase 0)", "in an ending of rooks (phase 213)"), boards):
        parts.append(f'<text x="{left}" y="22" font-weight="bold" fill="{INK}">{name}</text>')
        for square, value in enumerate(values):
            x, y = left + square % 8 * cell, 34 + (7 - square // 8) * cell
            parts.append(f'<rect x="{x}" y="{y}" width="{cell}" height="{cell}" fill="{BLUE}" fill-opacity="{0.7 * (value - low) / span:.3f}"/>')
            parts.append(f'<text x="{x + cell / 2}" y="{y + cell / 2 + 4}" font-size="11" text-anchor="middle" fill="{INK}">{value:.0f}</text>')
        for at in range(8):
            middle = at * cell + cell / 2
            parts.append(f'<text x="{left + middle}" y="{50 + 8 * cell}" text-anchor="middle" fill="{GREY}">{"abcdefgh"[at]}</text>')
            parts.append(f'<text x="{left - 8}" y="{38 + 8 * cell - middle}" text-anchor="end" fill="{GREY}">{at + 1}</text>')
    return document(638, 332, "Entries of a knight", parts)


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/pictures"
    figures = [projection, ridge, newton, separable, sandwich, identity, null_direction, power, machine]
    for make in figures + ([calibration] if all(path.exists() for path in HALVES) else []):
        figure = make()
        (folder / f"{make.__name__.replace('_', '-')}.svg").write_text(figure if isinstance(figure, str) else figure.svg())


if __name__ == "__main__":
    main()
