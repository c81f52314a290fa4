"use strict";
// The fit by hand (BY-HAND.md), with a ridge to drag: the plane of the weights a and b with the fit, and the equations and values in numbers. Curves of
// equal error lie around the fit without a ridge, or are open where softmax has none. A circle around the present weights touches one of them at the fit.
// The path is that of the fits of all ridges. In the shaded cone all three played moves are ahead.
{
  // The counts [x, y] of the moves of three games. The played move is the first.
  const GAMES = [[[0, -1], [0, 1], [1, 0]], [[2, 0], [1, 0], [-1, 1]], [[-1, -1], [1, 1]]];
  const PRESENT = [10, -4];
  const FORCE = 2; // times the miss, as --strength 64
  const TEMPERATURE = 10;

  // Ten steps of the slider are a factor of 10, from 0.01 to 1000, with two digits of R. Its first step is R = 0.
  const LAST = 51;
  const ridgeAt = (step) => (step === 0 ? 0 : Number((10 ** ((step - 21) / 10)).toPrecision(2)));

  const valueOf = ([a, b], [x, y]) => a * x + b * y;

  /** The five sums of the equations. A row counts `weight`, and the ridge pulls what is solved for towards `goal`. */
  const sumsOf = (rows, ridge, goal) => ({
    xx: ridge + sum(rows.map(({ weight, x }) => weight * x * x)),
    xy: sum(rows.map(({ weight, x, y }) => weight * x * y)),
    yy: ridge + sum(rows.map(({ weight, y }) => weight * y * y)),
    xt: ridge * goal[0] + sum(rows.map(({ right, x }) => right * x)),
    yt: ridge * goal[1] + sum(rows.map(({ right, y }) => right * y)),
  });
  const solve = ({ xx, xy, yy, xt, yt }) => [xt * yy - xy * yt, xx * yt - xy * xt].map((part) => part / (xx * yy - xy * xy));

  const targets = GAMES.flatMap((moves) => {
    const [played, ...others] = moves.map((move) => valueOf(PRESENT, move));
    const force = FORCE * Math.max(0, Math.max(...others) - played);
    return moves.map(([x, y], m) => ({ weight: 1, x, y, right: m === 0 ? played + force : others[m - 1] - force / others.length }));
  });
  const probabilities = (weights, moves) => {
    const powers = moves.map((move) => Math.exp((valueOf(weights, move) - valueOf(weights, moves[0])) / TEMPERATURE));
    return powers.map((power) => power / sum(powers));
  };
  /** The sums of a Newton step from `weights`, whose solution is the change. Rows are measured from the average of their position. */
  const newtonSums = (ridge, weights) => {
    const rows = GAMES.flatMap((moves) => {
      const p = probabilities(weights, moves);
      const [cx, cy] = [0, 1].map((i) => sum(moves.map((move, m) => p[m] * move[i])));
      return moves.map(([x, y], m) => ({ weight: p[m], x: x - cx, y: y - cy, right: TEMPERATURE * ((m === 0) - p[m]) }));
    });
    return sumsOf(rows, ridge, [PRESENT[0] - weights[0], PRESENT[1] - weights[1]]);
  };
  /** The weights after each Newton step to the lowest point, or after the first ten where there is none. */
  const newtonSteps = (ridge, [a, b] = PRESENT, before = []) => {
    const [da, db] = solve(newtonSums(ridge, [a, b]));
    const steps = [...before, [a + da, b + db]];
    const isLast = ridge === 0 ? steps.length === 10 : Math.hypot(da, db) < 1e-9;
    return isLast ? steps : newtonSteps(ridge, steps.at(-1), steps);
  };
  const squaresSteps = (ridge) => [solve(sumsOf(targets, ridge, PRESENT))];
  const squares = (weights) => sum(targets.map(({ x, y, right }) => (valueOf(weights, [x, y]) - right) ** 2));
  const loss = (weights) => sum(GAMES.map((moves) => -Math.log(probabilities(weights, moves)[0])));

  // The steps to the fit, the error with some of its levels, weights inside of all its curves, and the part of the plane that is shown.
  const SQUARES = { steps: squaresSteps, error: squares, levels: [400, 1000, 1700], inside: squaresSteps(0)[0], left: -6, top: 4, side: 28, tick: 5 };
  const SOFTMAX = { steps: newtonSteps, error: loss, levels: [0.1, 0.5, 1.5, 3], inside: newtonSteps(0.001).at(-1), left: -20, top: 5, side: 70, tick: 10 };

  /** Where the error reaches `level` on rays from inside. Both errors are convex, so a ray meets the curve once or never. */
  const contour = ({ error, inside: [a, b] }, level) =>
    Array.from({ length: 721 }, (_, turn) => {
      const at = (length) => [a + length * Math.cos((turn * Math.PI) / 360), b + length * Math.sin((turn * Math.PI) / 360)];
      let near = 0;
      for (let part = 128; part > 1e-3; part /= 2) if (error(at(near + part)) < level) near += part;
      return at(near);
    });

  const show = (number, digits) => number.toFixed(digits).replace("-", "−");
  const short = (number) => show(number, 4).replace(/\.?0+$/, "");
  const named = ([a, b], digits) => `a = ${show(a, digits)}, b = ${show(b, digits)}`;
  const text = (x, y, words, anchor = "start") => element("text", { x, y, "text-anchor": anchor }, words);

  /** Axes, curves and path of a method. Returns the group for the fit at one ridge, the scales, and what draws a curve. */
  const drawPlane = (svg, method) => {
    const { left, top, side, tick } = method;
    const [x, y] = [scale(left, left + side, 44, 394), scale(top, top - side, 6, 356)];
    const line = (weights) => weights.map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
    const curve = (color, weights, more) => element("path", { class: `line ${color}`, d: line(weights), ...more });
    const axes = element("g", {}, text(219, 388, "a, rooks on open files", "middle"));
    axes.append(element("text", { "text-anchor": "middle", transform: "translate(11 181) rotate(-90)" }, "b, isolated pawns"));
    for (let a = Math.ceil(left / tick) * tick; a <= left + side; a += tick) {
      axes.append(element("path", { class: "grid", d: `M${x(a)} 6V356` }), text(x(a), 371, short(a), "middle"));
    }
    for (let b = Math.floor(top / tick) * tick; b >= top - side; b -= tick) {
      axes.append(element("path", { class: "grid", d: `M44 ${y(b)}H394` }), text(39, y(b) + 4, short(b), "end"));
    }
    const fits = Array.from({ length: LAST + 1 }, (_, step) => method.steps(ridgeAt(step) || 0.001).at(-1));
    const [fixed, moving] = [0, 1].map(() => element("g", { "clip-path": "url(#fit-by-hand)" }));
    fixed.append(element("path", { opacity: 0.1, d: line([[0, 0], [0, -300], [300, -300]]) }));
    fixed.append(...method.levels.map((level) => curve("first", contour(method, level), { opacity: 0.5 })), curve("second", [...fits, PRESENT]));
    fixed.append(element("circle", { cx: x(PRESENT[0]), cy: y(PRESENT[1]), r: 4 }), text(x(PRESENT[0]) + 8, y(PRESENT[1]), "present weights"));
    const clip = element("clipPath", { id: "fit-by-hand" }, element("rect", { x: 44, y: 6, width: 350, height: 350 }));
    svg.replaceChildren(clip, axes, fixed, moving);
    return { moving, x, y, curve };
  };

  /** The fit with the curve and the circle that touch there, or the steps that run away. */
  const drawFit = ({ moving, x, y, curve }, method, steps, runsAway) => {
    const fit = steps.at(-1);
    const radius = Math.hypot(x(fit[0]) - x(PRESENT[0]), y(fit[1]) - y(PRESENT[1]));
    const circle = element("circle", { class: "line", cx: x(PRESENT[0]), cy: y(PRESENT[1]), r: radius });
    moving.replaceChildren(...(runsAway ? [] : [curve("first", contour(method, method.error(fit))), circle]));
    (runsAway ? steps : [fit]).forEach(([a, b], i) => {
      moving.append(element("circle", { class: "second", cx: x(a), cy: y(b), r: 5 }), text(x(a) - 9, y(b) + 15, runsAway ? `step ${i + 1}` : "fit", "end"));
    });
  };

  /** The two equations, the weights and the error, line by line. */
  const equations = (method, ridge, steps, runsAway) => {
    const soft = method === SOFTMAX;
    const { xx, xy, yy, xt, yt } = soft ? newtonSums(ridge, PRESENT) : sumsOf(targets, ridge, PRESENT);
    const names = soft ? ["Δa", "Δb"] : ["a", "b"];
    const terms = (...factors) => factors.map((factor, i) => (factor === 1 ? names[i] : `${short(factor)} ${names[i]}`)).join(" + ");
    const right = (number) => (soft ? show(number, 3) : short(number));
    const fit = steps.at(-1);
    const error = method.error(fit);
    const penalty = (ridge * ((fit[0] - PRESENT[0]) ** 2 + (fit[1] - PRESENT[1]) ** 2)) / (soft ? 2 * TEMPERATURE ** 2 : 1);
    const lines = [soft ? "First Newton step from the present weights:" : "Normal equations:"];
    lines.push(`${terms(xx, xy)} = ${right(xt)}`, `${terms(xy, yy)} = ${right(yt)}`);
    if (soft) lines.push(`After 1 step: ${named(steps[0], 4)}`);
    lines.push(`${soft ? `After ${steps.length} steps` : "Fit"}: ${named(fit, 4)}`);
    lines.push(`${soft ? "Loss" : "Sum of squares"} ${error.toPrecision(4)}, with the ridge ${(error + penalty).toPrecision(4)}`);
    if (runsAway) lines.push("No fit: the choices are separable. Twice the weights make every played move more probable, so the path has no end.");
    return lines.map((line) => element("html:div", {}, line));
  };

  /** The values of all moves, and which of the played ones are ahead. */
  const valueTable = (weights) => {
    const rows = GAMES.map((moves, game) => {
      const [played, ...others] = moves.map((move) => valueOf(weights, move));
      const alternatives = others.map((value) => show(value, 2)).join(", ");
      return cells("html:td", [game + 1, show(played, 2), alternatives, played > Math.max(...others) ? "yes" : "no"]);
    });
    return element("html:table", {}, cells("html:th", ["game", "played", "alternatives", "ahead?"]), ...rows);
  };

  figure("fit-by-hand", () => {
    const svg = element("svg", { viewBox: "0 0 404 394", role: "img", style: "flex: 1 1 300px; min-width: 0; max-width: 400px" });
    const beside = element("html:div", { style: "flex: 1 1 260px" });
    let [method, plane] = [];
    const ridge = slider("Ridge R", 0, LAST, 31, (step) => {
      const steps = method.steps(ridgeAt(step));
      const runsAway = method === SOFTMAX && step === 0;
      drawFit(plane, method, steps, runsAway);
      beside.replaceChildren(...equations(method, ridgeAt(step), steps, runsAway), valueTable(steps.at(-1)));
      const where = runsAway ? `ten Newton steps run away to ${named(steps.at(-1), 1)}` : `the fit is at ${named(steps.at(-1), 4)}`;
      svg.setAttribute("aria-label", `The plane of the weights a and b. The present weights are at ${named(PRESENT, 0)}. With R = ${ridgeAt(step)} ${where}.`);
      return `R = ${ridgeAt(step)}`;
    });
    const buttons = [["Least squares", SQUARES], ["Softmax", SOFTMAX]].map(([name, chosen]) => {
      const choose = () => {
        [method, plane] = [chosen, drawPlane(svg, chosen)];
        for (const button of buttons) {
          button.setAttribute("aria-pressed", button.textContent === name);
          button.style.outline = button.textContent === name ? "2px solid currentColor" : "";
        }
        ridge.update();
      };
      return element("html:button", { type: "button", onclick: choose }, name);
    });
    buttons[0].click();
    const style = "display: flex; flex-wrap: wrap; align-items: start; gap: 0.5em 1em; margin-block: 0.5em";
    const row = (...parts) => element("html:div", { style }, ...parts);
    const caption =
      "The fit of two weights as the ridge R grows. Blue: weights of equal error; the curve through the fit touches the circle around the present weights. " +
      "Orange: the fits of all ridges. Shaded: all three played moves are ahead.";
    return [row(...buttons), ridge.row, row(svg, beside), element("html:p", {}, caption)];
  });
}
