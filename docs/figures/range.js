"use strict";
// A model of the shrinking range: 300 invented choices of four moves with three counts each, which are differences to the root. The played
// move is the one with the highest true value plus a hidden part, which the counts do not see. Two weights start at a chosen size, as a
// multiple of the true ones, and are fitted 15 times as docs/METHOD.md defines it: least squares, linear force (strength 64, scale 32),
// balance `all`. All moves are kept, and there is no ridge and no rounding. The third weight is frozen at its true value. It fixes the
// scale: if all weights were free, a start of twice the size would only double every value.
// Shown are the spread and the share of choices whose played move is behind, with variance compensation and without.
{
  const TRUE = [6, 4, 10];
  const CHOICES = 300;
  const MOVES = 4;
  const LARGEST_COUNT = 4;
  const LARGEST_HIDDEN = 20;
  const FITS = 15;
  const FORCE = 64 / 32;

  /** Numbers of a linear congruential generator, from -size to size. */
  const generator = (seed) => {
    let state = seed;
    return (size) => {
      state = (state * 1664525 + 1013904223) % 2 ** 32;
      return ((2 * state) / 2 ** 32 - 1) * size;
    };
  };

  const value = (weights, counts) => sum(counts.map((count, at) => weights[at] * count));

  /** A choice: the counts of its moves, the played move first. */
  const makeChoice = (draw) => {
    const moves = Array.from({ length: MOVES }, () => {
      const counts = TRUE.map(() => draw(LARGEST_COUNT));
      return { counts, worth: value(TRUE, counts) + draw(LARGEST_HIDDEN) };
    });
    return moves.sort((one, other) => other.worth - one.worth).map((move) => move.counts);
  };

  /** What a pass finds: the values less their mean in each choice, the misses, the spread, and the share of played moves behind. */
  const measure = (choices, weights) => {
    const values = choices.map((moves) => moves.map((counts) => value(weights, counts)));
    const deviations = values.map((own) => own.map((one) => one - sum(own) / MOVES));
    const misses = values.map(([played, ...others]) => Math.max(0, Math.max(...others) - played));
    const squares = sum(deviations.flat().map((deviation) => deviation ** 2));
    const behind = misses.filter((miss) => miss > 0).length / CHOICES;
    return { deviations, misses, spread: Math.sqrt(squares / (CHOICES * (MOVES - 1))), behind };
  };

  /** The weights after a fit. M A' = v with targets A d + g means that the step solves M (A' - A) = sum of g d, in the two free weights. */
  const fit = (choices, weights, pass, compensation) => {
    let [xx, xy, yy, x, y] = [0, 0, 0, 0, 0];
    choices.forEach((moves, choice) => {
      moves.forEach(([first, second], move) => {
        const force = FORCE * pass.misses[choice];
        const added = (move === 0 ? force : -force / (MOVES - 1)) + compensation * pass.deviations[choice][move];
        xx += first * first;
        xy += first * second;
        yy += second * second;
        x += added * first;
        y += added * second;
      });
    });
    const determinant = xx * yy - xy * xy;
    return [weights[0] + (x * yy - y * xy) / determinant, weights[1] + (y * xx - x * xy) / determinant, weights[2]];
  };

  /** The passes of a run from a start of a given size. */
  const run = (choices, size, isCompensated) => {
    let weights = [TRUE[0] * size, TRUE[1] * size, TRUE[2]];
    const passes = [measure(choices, weights)];
    for (const _ of Array(FITS)) {
      const now = passes.at(-1);
      const change = passes[0].spread / now.spread - 1;
      weights = fit(choices, weights, now, isCompensated ? Math.min(0.25, Math.max(-0.25, change)) : 0);
      passes.push(measure(choices, weights));
    }
    return passes;
  };

  const WIDTH = 340;
  const HEIGHT = 220;
  const NAMES = ["without", "with"];
  const STYLES = ["first", "second"];
  const across = scale(0, FITS, 34, 275);

  /** An empty plot over the fits, and the function that draws two curves into it. */
  const plot = (title, ticks) => {
    const up = scale(ticks[0], ticks.at(-1), HEIGHT - 40, 30);
    const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" }, element("text", { x: 4, y: 14 }, title));
    for (const tick of ticks) {
      svg.append(
        element("line", { class: "grid", x1: across(0), x2: across(FITS), y1: up(tick), y2: up(tick) }),
        element("text", { x: across(0) - 6, y: up(tick) + 4, "text-anchor": "end" }, tick),
      );
    }
    for (const fits of [0, 5, 10, 15]) svg.append(element("text", { x: across(fits), y: HEIGHT - 22, "text-anchor": "middle" }, fits));
    svg.append(element("text", { x: across(FITS / 2), y: HEIGHT - 5, "text-anchor": "middle" }, "fits"));
    const drawn = element("g");
    svg.append(drawn);
    const draw = (runs) => {
      const ends = runs.map((numbers) => up(numbers.at(-1)));
      // The names of curves that end close together stand apart.
      const apart = (Math.max(0, 14 - Math.abs(ends[0] - ends[1])) / 2) * (ends[0] < ends[1] ? -1 : 1);
      const curves = runs.map((numbers, at) => {
        const points = numbers.map((number, fits) => `${across(fits).toFixed(1)},${up(number).toFixed(1)}`).join(" ");
        const line = element("polyline", { class: "line", points, "stroke-dasharray": at ? "5 3" : "none" });
        const name = element("text", { x: across(FITS) + 6, y: ends[at] + 4 + (at ? -apart : apart) }, NAMES[at]);
        return element("g", { class: STYLES[at] }, line, name);
      });
      drawn.replaceChildren(...curves);
      const told = runs.map((numbers, at) => `from ${numbers[0].toFixed(1)} to ${numbers.at(-1).toFixed(1)} ${NAMES[at]} compensation`);
      svg.setAttribute("aria-label", `${title}, over ${FITS} fits: ${told.join(", ")}`);
    };
    return { box: element("html:div", { style: "flex: 1 1 280px" }, svg), draw };
  };

  figure("range", () => {
    const draw = generator(1988);
    const choices = Array.from({ length: CHOICES }, () => makeChoice(draw));
    const spread = plot("Spread of the values, units", [20, 40, 60, 80]);
    const behind = plot("Choices whose played move is behind, %", [10, 20, 30, 40, 50]);
    const lines = STYLES.map((style) => element("html:div", { class: style }));
    const size = slider("size of the start", -8, 8, 8, (quarters) => {
      const factor = 2 ** (quarters / 4);
      const runs = [false, true].map((isCompensated) => run(choices, factor, isCompensated));
      const spreads = runs.map((passes) => passes.map((pass) => pass.spread));
      const shares = runs.map((passes) => passes.map((pass) => 100 * pass.behind));
      spread.draw(spreads);
      behind.draw(shares);
      const ends = (numbers, unit) => `${numbers[0].toFixed(1)}${unit} to ${numbers[FITS].toFixed(1)}${unit}`;
      lines.forEach((line, at) => {
        line.textContent = `${NAMES[at]} compensation: spread ${ends(spreads[at], "")}, behind ${ends(shares[at], " %")}`;
      });
      return `${factor.toFixed(2)} times`;
    });
    size.update();
    const caption = element(
      "html:p",
      {},
      "A model with 300 invented choices, not a measurement. Two weights start at the chosen multiple of their true values. A third is " +
        "frozen at its true value and fixes the scale. The winners see more than the three counts, so some played moves are behind even under " +
        "the true weights. Where the spread falls here, the tuned weights simply become smaller: the model does not show that weights come " +
        "to balance each other. The measured curves are in the ",
      element("html:a", { href: "lessons/06-spread.html#result" }, "result of lesson\u00a06"),
      ".",
    );
    const plots = element("html:div", { style: "display: flex; flex-wrap: wrap; gap: 0.5em" }, spread.box, behind.box);
    return [size.row, plots, ...lines, caption];
  });
}
