"""The fits of docs/BY-HAND.md: least squares with a ridge, and one Newton step of softmax."""

import math
from pathlib import Path

choices = {}
for line in Path(__file__).with_name("rows.txt").read_text().splitlines():
    counts = dict(part.split(":") for part in line.split("#")[0].split()[1:])
    row = float(counts.get("1", 0)), float(counts.get("2", 0))
    choices.setdefault(counts["qid"], []).append(row)

a, b = 10, -4


def least_squares(ridge):
    xx, xy, yy = ridge, 0, ridge
    vx, vy = ridge * a, ridge * b
    for rows in choices.values():
        values = [a * x + b * y for x, y in rows]
        force = 2 * max(0, max(values[1:]) - values[0])
        for m, (x, y) in enumerate(rows):
            target = values[m] + (force if m == 0 else -force / (len(rows) - 1))
            xx, xy, yy = xx + x * x, xy + x * y, yy + y * y
            vx, vy = vx + target * x, vy + target * y
    return solve(xx, xy, yy, vx, vy)


def solve(xx, xy, yy, vx, vy):
    det = xx * yy - xy * xy
    return (vx * yy - xy * vy) / det, (xx * vy - xy * vx) / det


def softmax_step(ridge, temperature):
    xx, xy, yy = ridge, 0, ridge
    gx, gy = 0, 0
    for rows in choices.values():
        powers = [math.exp((a * x + b * y) / temperature) for x, y in rows]
        p = [power / sum(powers) for power in powers]
        cx = sum(q * x for q, (x, y) in zip(p, rows))
        cy = sum(q * y for q, (x, y) in zip(p, rows))
        for m, (x, y) in enumerate(rows):
            pull = temperature * ((m == 0) - p[m])
            x, y = x - cx, y - cy
            gx, gy = gx + pull * x, gy + pull * y
            xx, xy, yy = xx + p[m] * x * x, xy + p[m] * x * y, yy + p[m] * y * y
    change = solve(xx, xy, yy, gx, gy)
    return a + change[0], b + change[1]


for name, found in [
    ("least squares", least_squares(0)),
    ("ridge 10", least_squares(10)),
    ("softmax, ridge 1", softmax_step(1, 10)),
]:
    print(f"{name:18}{found[0]:12.8f}{found[1]:14.8f}")
