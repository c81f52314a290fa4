// The slider over the passes: draws curves, histogram, weights and tables of the chosen pass. Without it the
// section stays hidden.
(function () {
  "use strict";
  var source = document.getElementById("learning-data");
  if (!source) return;
  var data = JSON.parse(source.textContent);
  var slider = document.getElementById("pass");
  var said = document.getElementById("pass-said");
  var play = document.getElementById("play");
  var choice = document.getElementById("table-choice");
  var SVG = "http://www.w3.org/2000/svg";

  function make(name, attributes, text) {
    var element = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) { element.setAttribute(key, attributes[key]); });
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function shape(name, attributes, text) {
    var element = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]); });
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function say(value, decimals) { return value.toFixed(decimals).replace("-", "\u2212"); }

  // The value at a pass, or at the last one before it that is known.
  function at(points, pass) {
    return points.filter(function (point) { return point[0] <= pass; }).pop();
  }

  // Round numbers on a scale, two to six of them.
  function ticks(low, high) {
    var step = Math.pow(10, Math.floor(Math.log10((high - low) / 2)));
    [5, 2].some(function (factor) {
      var fits = (high - low) / (step * factor) >= 2;
      if (fits) step *= factor;
      return fits;
    });
    var decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    var values = [];
    for (var at = Math.ceil(low / step - 1e-9); at <= high / step + 1e-9; at++) values.push(at * step);
    return { values: values, decimals: decimals };
  }

  // Curves: faint over the whole run, strong up to the chosen pass.
  var WIDTH = 340, HEIGHT = 130, LEFT = 40, RIGHT = 96, TOP = 10, BOTTOM = 18;
  var COLOURS = { "": "var(--plot-blue)", "fitted": "var(--plot-blue)", "held out": "var(--plot-orange)" };
  function curve(measure) {
    var values = [].concat.apply([], measure.series.map(function (series) {
      return series.points.map(function (point) { return point[1]; });
    }));
    var low = Math.min.apply(null, values), high = Math.max.apply(null, values);
    if (high === low) { low -= 0.5; high += 0.5; }
    var range = high - low;
    function x(pass) { return LEFT + (WIDTH - LEFT - RIGHT) * pass / data.last; }
    function y(value) { return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / range; }
    function path(points) {
      return points.map(function (point) { return x(point[0]).toFixed(1) + "," + y(point[1]).toFixed(1); }).join(" ");
    }
    var figure = make("figure");
    var svg = shape("svg", { viewBox: "0 0 " + WIDTH + " " + HEIGHT, role: "img", "aria-label": measure.title });
    figure.append(make("figcaption", {}, measure.title + (measure.unit ? " (" + measure.unit + ")" : "")), svg);
    var scale = ticks(low, high);
    scale.values.forEach(function (value) {
      svg.append(shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
        shape("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end", class: "tick" }, say(value, scale.decimals)));
    });
    svg.append(shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM, class: "axis" }));
    var ends = [0, data.last].map(function (pass) {
      var text = shape("text", { x: x(pass), y: HEIGHT - 5, "text-anchor": "middle", class: "tick" }, pass);
      svg.append(text);
      return text;
    });
    var parts = measure.series.map(function (series) {
      var colour = COLOURS[series.name] || "currentColor";
      var strong = shape("polyline", { stroke: colour, class: "strong" });
      var dot = shape("circle", { r: 3.5, fill: colour });
      var text = shape("text", { x: WIDTH - RIGHT + 8, fill: "currentColor", class: "value" });
      svg.append(shape("polyline", { points: path(series.points), stroke: colour, class: "faint" }), strong, dot, text);
      return { series: series, strong: strong, dot: dot, text: text };
    });
    var here = shape("text", { y: HEIGHT - 5, "text-anchor": "middle", fill: "currentColor", class: "now" });
    svg.append(here);
    return {
      element: figure,
      show: function (pass) {
        var lowest = -Infinity;
        parts.map(function (part) { return { part: part, point: at(part.series.points, pass) }; })
          .filter(function (found) { return found.point; })
          .sort(function (a, b) { return b.point[1] - a.point[1]; })
          .forEach(function (found) {
            var part = found.part, point = found.point;
            part.strong.setAttribute("points", path(part.series.points.filter(function (other) { return other[0] <= pass; })));
            part.dot.setAttribute("cx", x(point[0]));
            part.dot.setAttribute("cy", y(point[1]));
            // Names of close values stand below each other.
            lowest = Math.max(lowest + 13, y(point[1]) + 4);
            part.text.setAttribute("y", lowest);
            part.text.textContent = (say(point[1], 2) + " " + part.series.name).trim();
          });
        here.setAttribute("x", x(pass));
        here.textContent = "pass " + pass;
        ends.forEach(function (text) {
          text.setAttribute("visibility", Math.abs(text.getAttribute("x") - x(pass)) < 34 ? "hidden" : "visible");
        });
      }
    };
  }

  // Histogram: bars of the chosen pass, and lines for the start.
  function histogram() {
    var known = data.ahead.filter(function (shares) { return shares; });
    if (!known.length) return null;
    var most = Math.max.apply(null, [].concat.apply([], known));
    var step = (WIDTH - 8) / known[0].length;
    var figure = make("figure");
    var caption = make("figcaption");
    var svg = shape("svg", { viewBox: "0 0 " + WIDTH + " " + HEIGHT, role: "img", "aria-label": "Moves ahead of the played one" });
    figure.append(caption, svg);
    function top(share) { return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share / most); }
    var bars = known[0].map(function (_, place) {
      var left = 4 + step * place;
      var bar = shape("rect", { x: left + 1, width: step - 2, fill: "var(--plot-blue)", "fill-opacity": 0.55 });
      svg.append(bar);
      var more = place === known[0].length - 1 ? "+" : "";
      svg.append(shape("text", { x: left + step / 2, y: HEIGHT - 5, "text-anchor": "middle", fill: "currentColor" }, place + more));
      if (data.ahead[0]) {
        var y = top(data.ahead[0][place]);
        svg.append(shape("line", { x1: left, x2: left + step, y1: y, y2: y, class: "before" }));
      }
      return bar;
    });
    return {
      element: figure,
      show: function (pass) {
        var shares = data.ahead[pass];
        caption.textContent = "Positions by moves ahead of the played one; line: the start"
          + (shares ? "" : " (the .stat has no histogram of this pass)");
        bars.forEach(function (bar, place) {
          var y = shares ? top(shares[place]) : HEIGHT - BOTTOM;
          bar.setAttribute("y", y);
          bar.setAttribute("height", HEIGHT - BOTTOM - y);
          bar.replaceChildren(shape("title", {}, shares ? say(shares[place], 2) + " %" : ""));
        });
      }
    };
  }

  // Weights: a dot between the smallest and the largest value of the run, and a mark at the start.
  function weight(moved) {
    var values = moved.points.map(function (point) { return point[1]; });
    var low = Math.min.apply(null, values), high = Math.max.apply(null, values);
    function share(value) { return high > low ? 100 * (value - low) / (high - low) : 50; }
    var row = make("tr");
    var track = make("div", { class: "track" });
    var now = make("span", { class: "now" });
    track.append(make("span", { class: "then", style: "left:" + share(values[0]) + "%" }), now);
    var cell = make("td", { class: "range" });
    var value = make("td");
    cell.append(track);
    row.append(make("th", { scope: "row" }, moved.name), make("td", {}, say(values[0], 2)), value, cell,
      make("td", { class: "words" }, moved.meaning));
    return {
      element: row,
      show: function (pass) {
        var point = at(moved.points, pass);
        value.textContent = say(point[1], 2);
        now.style.left = share(point[1]) + "%";
      }
    };
  }

  // A table on the board: blue above 0, orange below.
  function board(table, part) {
    var limit = Math.max.apply(null, part.values.map(function (values) {
      return Math.max.apply(null, values.map(Math.abs));
    })) || 1;
    var decimals = limit < 10 ? 1 : 0;
    var grid = make("table", { class: "cells" });
    var body = make("tbody");
    var cells = [];
    table.rows.map(function (_, row) { return table.rows.length - 1 - row; }).forEach(function (row) {
      var line = make("tr");
      line.append(make("th", { scope: "row" }, table.rows[row]));
      table.cells[row].forEach(function (index) {
        var cell = make("td");
        cells.push({ cell: cell, index: index });
        line.append(cell);
      });
      body.append(line);
    });
    var foot = make("tr");
    foot.append(make("td", {}, ""));
    table.columns.forEach(function (label) { foot.append(make("th", { scope: "col" }, label)); });
    var end = make("tfoot");
    end.append(foot);
    grid.append(make("caption", {}, part.phase + (table.column_title ? "; across: " + table.column_title : "")
      + (table.row_title ? ", up: " + table.row_title : "")), body, end);
    return {
      element: grid,
      show: function (pass) {
        cells.forEach(function (place) {
          var value = part.values[pass][place.index];
          var colour = value < 0 ? "--plot-orange" : "--plot-blue";
          var strength = Math.round(70 * Math.min(Math.abs(value) / limit, 1));
          place.cell.textContent = say(value, decimals);
          place.cell.style.background = "color-mix(in srgb, var(" + colour + ") " + strength + "%, transparent)";
        });
      }
    };
  }

  var fixed = data.curves.map(curve).concat([histogram()]).filter(Boolean);
  fixed.forEach(function (view) { document.getElementById("learning-curves").append(view.element); });
  var weights = data.weights.map(weight);
  weights.forEach(function (view) { document.getElementById("learning-weights").append(view.element); });
  document.getElementById("learning-weights").closest("[role=region]").hidden = !weights.length;

  var boards = [];
  function choose() {
    var table = data.tables[choice.selectedIndex];
    boards = table ? table.parts.map(function (part) { return board(table, part); }) : [];
    document.getElementById("table-meaning").textContent = table ? table.meaning : "";
    var place = document.getElementById("learning-boards");
    place.replaceChildren.apply(place, boards.map(function (view) { return view.element; }));
    show();
  }

  function show() {
    var pass = Number(slider.value);
    fixed.concat(weights, boards).forEach(function (view) { view.show(pass); });
    var which = [pass === 0 && "the start", pass === data.best && "the best", pass === data.last && "the last"].filter(Boolean);
    said.textContent = "pass " + pass + (which.length ? ": " + which.join(", ") : "");
  }

  var timer = null;
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }
  function start() {
    if (Number(slider.value) === data.last) slider.value = 0;
    play.textContent = "Stop";
    show();
    timer = setInterval(function () {
      slider.value = Number(slider.value) + 1;
      show();
      if (Number(slider.value) === data.last) stop();
    }, 700);
  }

  data.tables.forEach(function (table) { choice.append(make("option", {}, table.key)); });
  choice.closest("div").hidden = !data.tables.length;
  slider.max = data.last;
  slider.addEventListener("input", function () { stop(); show(); });
  play.addEventListener("click", function () { if (timer === null) start(); else stop(); });
  choice.addEventListener("change", choose);
  document.getElementById("learning").hidden = false;
  document.getElementById("to-learning").hidden = false;
  choose();
})();
