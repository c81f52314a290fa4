"use strict";
// Chapter 9, the best pass: how far the mean rank of each pass is above the lowest, on the 86 held-out games of the reference run, and on
// games drawn from them with replacement, as if they were other games. The slider sets how many draws are shown. The last one is in front,
// with the best pass by the rule of texam and the pass with the lowest mean rank. The bars count how often each pass was the best.

{
  const DRAWS = 100;
  const SEED = 1988;
  const PLOT = { left: 32, top: 44, bottom: 324 };
  const BARS = { top: 384, bottom: 440 };
  const HEIGHT = 446;

  /** Random numbers from 0 to below 1 by a generator of Lehmer: the same seed gives the same numbers. */
  const random = (seed) => () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };

  /** Mean ranks and matches of all passes on some games, given by their numbers, and the passes that rules choose. */
  const measure = ({ positions, matches, ranks }, games) => {
    const of = (column) => games.map((game) => column[game]);
    const counts = of(positions);
    const means = ranks.map((column) => sum(of(column)) / 2 / sum(counts));
    const rates = matches.map((column) => sum(of(column)) / sum(counts));
    const lowest = means.indexOf(Math.min(...means));
    const errors = ranks.map((column, pass) => {
      const above = means[pass] - means[lowest];
      const squares = games.map((game) => ((column[game] - ranks[lowest][game]) / 2 - positions[game] * above) ** 2);
      return Math.sqrt(sum(squares)) / sum(counts);
    });
    const above = means.map((mean) => mean - means[lowest]);
    const best = above.findIndex((distance, pass) => distance <= errors[pass]);
    return { means, above, errors, lowest, best, rates, highest: rates.indexOf(Math.max(...rates)) };
  };

  /** What is measured on the games as they are, and then on each draw. */
  const measured = (stored) => {
    const games = stored.positions.map((_, game) => game);
    const next = random(SEED);
    const drawn = Array.from({ length: DRAWS }, () => games.map(() => Math.floor(next() * games.length)));
    return [games, ...drawn].map((chosen) => measure(stored, chosen));
  };

  const sentence = ({ means, above, errors, lowest, best, rates, highest }, draw) => {
    const first = `${draw ? `Draw ${draw}` : "The games as they are"}: pass ${lowest} has the lowest mean rank, ${means[lowest].toFixed(4)}.`;
    const why = best === lowest
      ? "All earlier passes are above it by more than the standard error of the difference, so it is the best pass."
      : `Pass ${best} has ${means[best].toFixed(4)}: the difference is ${above[best].toFixed(4)} +- ${errors[best].toFixed(4)}, so pass ${best} is the best.`;
    return `${first} ${why} The highest match is ${rates[highest].toFixed(4)}, of pass ${highest}.`;
  };

  const text = (x, y, words, anchor = "middle", name = "") => element("text", { x, y, "text-anchor": anchor, class: name }, words);

  const line = (x1, y1, x2, y2, name) => element("line", { x1, y1, x2, y2, class: name });

  const curve = ({ above }, x, y, name) => {
    const points = above.map((distance, pass) => `${x(pass).toFixed(1)},${y(distance).toFixed(1)}`);
    return element("polyline", { points: points.join(" "), class: name, fill: "none" });
  };

  const axes = (x, y, highest, passes, width) => {
    const parts = [text(0, 14, "mean rank above the lowest", "start")];
    parts.push(text(0, BARS.top - 26, "pass, and in how many draws it was the best", "start"));
    for (let tenth = 0; tenth <= highest * 10; tenth++) {
      const height = y(tenth / 10);
      parts.push(line(PLOT.left, height, width, height, "grid"), text(PLOT.left - 6, height + 4, tenth / 10, "end"));
    }
    for (let pass = 0; pass < passes; pass++) parts.push(text(x(pass), PLOT.bottom + 18, pass));
    return [...parts, line(PLOT.left, BARS.bottom, width, BARS.bottom, "grid")];
  };

  /** The marks of the draw in front. The best pass is the first from whose point the standard error reaches down to the lowest mean rank. */
  const marks = ({ above, errors, lowest, best }, x, y, width) => [
    ...above.map((distance, pass) => line(x(pass), y(distance), x(pass), y(distance - errors[pass]), pass === best ? "line first" : "line")),
    line(PLOT.left, y(0), width, y(0), "line second"),
    element("circle", { cx: x(best), cy: y(above[best]), r: 5, class: "first", fill: "currentColor" }),
    element("circle", { cx: x(lowest), cy: y(0), r: 8, class: "line second" }),
    text(width, 14, `best pass: ${best}`, "end", "first"),
    text(width, 30, `lowest mean rank: pass ${lowest}`, "end", "second"),
  ];

  const bars = (counts, most, x) => counts.flatMap((count, pass) => {
    const height = (count / most) * (BARS.bottom - BARS.top);
    const bar = { x: x(pass) - 6, y: BARS.bottom - height, width: 12, height, class: "first", fill: "currentColor", "data-pass": pass };
    return count ? [element("rect", bar), text(x(pass), BARS.bottom - height - 4, count)] : [];
  });

  figure("other-games", (stored) => {
    const all = measured(stored);
    const passes = stored.ranks.length;
    const count = (draws) => Array.from({ length: passes }, (_, pass) => draws.filter(({ best }) => best === pass).length);
    const most = Math.max(...count(all.slice(1)));
    const highest = Math.max(...all.flatMap(({ above }) => above));
    const deepest = Math.min(...all.flatMap(({ above, errors }) => above.map((distance, pass) => distance - errors[pass])));
    const svg = element("svg", { role: "img" });
    const said = element("html:p", { role: "status" });
    let width = 640;

    const draw = (shown) => {
      const x = scale(0, passes - 1, PLOT.left + 12, width - 12);
      const y = scale(deepest, highest, PLOT.bottom, PLOT.top);
      const front = all[shown];
      svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
      svg.setAttribute("aria-label", `How far the mean rank of each pass is above the lowest, and how often each was the best in ${shown} draws of games.`);
      svg.replaceChildren(
        ...axes(x, y, highest, passes, width),
        ...all.slice(0, shown).map((earlier) => curve(earlier, x, y, "grid")),
        curve(front, x, y, "line"),
        ...marks(front, x, y, width),
        ...bars(count(all.slice(1, shown + 1)), most, x),
      );
      said.textContent = sentence(front, shown);
      button.disabled = shown === DRAWS;
      return `${shown} of ${DRAWS}`;
    };
    const step = () => {
      draws.input.stepUp();
      draws.update();
    };
    const button = element("html:button", { type: "button", onclick: step }, "Draw other games");
    const draws = slider("Draws", 0, DRAWS, 0, draw);
    draws.update();

    // Text has the same size at any width.
    new ResizeObserver(() => {
      const seen = Math.round(svg.getBoundingClientRect().width);
      if (seen === 0 || seen === width) return;
      width = seen;
      draws.update();
    }).observe(svg);
    return [svg, draws.row, button, said];
  });
}
