"use strict";
// Fischer's position (START.md) with a pass of the run stats/gm1988 to drag: the board, the values of the ten best moves, and the features that decide
// between the played move and the best alternative. scripts/fischer.py stores what the program prints with the weights of each pass.
{
  const SIDE = 34; // of a square
  const EDGE = 16; // of the board, for the names of files and ranks
  const ROW = 24;
  const [LEFT, RIGHT] = [118, 284]; // of the bars

  const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
  const middle = (square) => [EDGE + ("abcdefgh".indexOf(square[0]) + 0.5) * SIDE, (8.5 - Number(square[1])) * SIDE];
  const text = (x, y, anchor, words, more) => element("text", { x, y, "text-anchor": anchor, ...more }, words);

  /** An arrow from square to square, for a move such as e4d5. */
  const arrow = (move, color) => {
    const [[x, y], [toX, toY]] = [middle(move.slice(0, 2)), middle(move.slice(2))];
    const length = Math.hypot(toX - x, toY - y) - 6;
    const turn = `translate(${x} ${y}) rotate(${(Math.atan2(toY - y, toX - x) * 180) / Math.PI})`;
    const d = `M6-3H${length - 13}V-9L${length} 0L${length - 13} 9V3H6Z`;
    return element("path", { class: color, transform: turn, d, stroke: "#222", "stroke-width": 0.8, fill: "currentColor", opacity: 0.85 });
  };

  /** One bar for each move with its rank and value, and the value of the root. */
  const drawBars = (bars, { root, moves }, across, colorOf, played) => {
    const bottom = ROW * (moves.length + 1);
    bars.replaceChildren(text(4, 14, "start", "rank"), text(36, 14, "start", "move"), text(336, 14, "end", "value"));
    moves.forEach(([rank, move, value], i) => {
      const y = ROW * (i + 1);
      const [from, to] = [across(Math.min(0, value)), across(Math.max(0, value))];
      const name = move === played ? `${move}, played` : move;
      const opacity = colorOf(move) ? 1 : 0.35;
      const bar = element("rect", { class: colorOf(move), x: from, y: y + 4, width: to - from, height: ROW - 8, fill: "currentColor", opacity });
      const bold = move === played ? { "font-weight": "bold" } : {};
      const words = [text(18, y + 16, "end", rank), text(36, y + 16, "start", name, bold), text(336, y + 16, "end", signed(value), bold)];
      bars.append(element("g", {}, bar, ...words));
    });
    bars.append(element("path", { class: "line", d: `M${across(0)} ${ROW}V${bottom}` }));
    bars.append(element("path", { class: "line", "stroke-dasharray": "4 3", d: `M${across(root)} ${ROW}V${bottom + 4}` }));
    bars.append(text(across(root), bottom + 17, "middle", `root ${signed(root)}`));
  };

  /** Which move leads by how much, and the features from which it does. */
  const reasons = ({ better, worse, lead, lines, terms }, meanings) => {
    const units = lead ? `${lead.toFixed(1)} units` : "less than 0.05 units";
    const sentence = `${better} is better than ${worse} by ${units}. The leaves of ${lines[0]} and ${lines[1]} differ in:`;
    const rows = terms.map(([name, value, meaning]) => cells("html:td", [signed(value), name, meaning ?? meanings[name]]));
    return [element("html:p", {}, sentence), element("html:table", {}, cells("html:th", ["units", "feature", "what it counts"]), ...rows)];
  };

  figure("fischer", ({ played, legal, squares, meanings, passes }) => {
    const values = passes.flatMap(({ moves }) => moves.map(([, , value]) => value));
    const across = scale(Math.min(0, ...values), Math.max(...values), LEFT, RIGHT);
    const arrows = element("g");
    const size = EDGE + 8 * SIDE;
    const image = element("image", { href: "figures/board.svg", width: size, height: size });
    const board = element("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", style: "flex: 1 1 250px; max-width: 320px" }, image, arrows);
    const bars = element("svg", { viewBox: `0 0 340 ${ROW * 11 + 22}`, role: "img", style: "flex: 1 1 280px; max-width: 380px" });
    const beside = element("html:div", { style: "min-height: 15em" });
    const pass = slider("Pass", 0, passes.length - 1, 0, (number) => {
      const chosen = passes[number];
      const alternative = chosen.better === played ? chosen.worse : chosen.better;
      const colorOf = (move) => (move === played ? "second" : move === alternative ? "first" : "");
      arrows.replaceChildren(arrow(squares[alternative], "first"), arrow(squares[played], "second"));
      drawBars(bars, chosen, across, colorOf, played);
      const bound = `${chosen.in_bound} of ${legal} legal moves are in bound.`;
      beside.replaceChildren(element("html:p", {}, bound), ...reasons(chosen, meanings));
      board.setAttribute("aria-label", `The position with arrows for ${played}, the played move, and ${alternative}, the best alternative.`);
      const spoken = chosen.moves.map(([rank, move, value]) => `rank ${rank} ${move} ${signed(value)}`).join(", ");
      bars.setAttribute("aria-label", `The values of the best moves in pass ${number}: ${spoken}. Root ${signed(chosen.root)}.`);
      return number ? `${number}, after fit ${number}` : "0, start weights";
    });
    pass.update();
    const flow = element("html:div", { style: "display: flex; flex-wrap: wrap; gap: 0.5em 1em; margin-block: 0.5em" }, board, bars);
    const colors = "Orange: the played move. Blue: the best alternative. Dashed: the value of the root.";
    const caption = `The ten best moves of Fischer's position with the weights of each pass of stats/gm1988. ${colors}`;
    return [pass.row, flow, beside, element("html:p", {}, caption)];
  });
}
