// Sorts and filters the table of weights. Without it the page shows everything, in the order of the run.
(function () {
  "use strict";
  var table = document.getElementById("weights-table");
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);
  var titles = Array.from(table.tHead.rows[0].cells);

  function compare(column, isText, sign) {
    return function (a, b) {
      var left = a.cells[column], right = b.cells[column];
      if (isText) {
        return sign * left.textContent.localeCompare(right.textContent, "en", { numeric: true });
      }
      var x = parseFloat(left.dataset.v), y = parseFloat(right.dataset.v);
      // What has no number stands last in either direction.
      if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
      return sign * (x - y);
    };
  }

  // One way, the other way, and back to the order of the run.
  function sort(column) {
    var title = titles[column];
    var isText = title.dataset.kind === "text";
    var ways = isText ? ["ascending", "descending"] : ["descending", "ascending"];
    var way = ways[ways.indexOf(title.getAttribute("aria-sort")) + 1];
    titles.forEach(function (other) { other.removeAttribute("aria-sort"); });
    var order = rows.slice();
    if (way) {
      title.setAttribute("aria-sort", way);
      order.sort(compare(column, isText, way === "ascending" ? 1 : -1));
    }
    body.append.apply(body, order);
  }

  titles.forEach(function (title, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.append.apply(button, Array.from(title.childNodes));
    button.addEventListener("click", function () { sort(column); });
    title.append(button);
  });

  var filter = document.getElementById("filter");
  var shown = document.getElementById("shown");
  var texts = rows.map(function (row) { 
    return Array.from(row.cells, function (cell) { return cell.textContent; }).join(" ").toLowerCase();
  });

  // A row is shown that holds every word.
  function choose() {
    var words = filter.value.toLowerCase().split(/\s+/);
    var count = 0;
    rows.forEach(function (row, index) {
      row.hidden = !words.every(function (word) { return texts[index].includes(word); });
      if (!row.hidden) count += 1;
    });
    shown.textContent = count + " of " + rows.length + " weights";
  }

  filter.addEventListener("input", choose);
  filter.closest(".filter").hidden = false;
  choose();
})();
