"use strict";
// What the figures that move share, the predictions of the lessons, and the order on paper. Every page is complete without these scripts: a figure
// then has its picture, a prediction is a list, and a result is printed where it stands.

/** An element of SVG, or of HTML for a tag after "html:", with attributes, listeners (`onclick` and the like) and children. */
const element = (tag, attributes = {}, ...children) => {
  const made = tag.startsWith("html:")
    ? document.createElement(tag.slice(5))
    : document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
};

/** A row of a table, with cells of a tag after "html:". */
const cells = (tag, contents) => element("html:tr", {}, ...contents.map((content) => element(tag, {}, content)));

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** A labelled slider for whole numbers from `least` to `most`; `changed` gets the number and returns the text that stands beside it. */
const slider = (label, least, most, value, changed) => {
  const said = element("html:output");
  const input = element("html:input", { type: "range", min: least, max: most, step: 1, value, "aria-label": label });
  const update = () => {
    said.textContent = changed(Number(input.value));
    input.setAttribute("aria-valuetext", said.textContent);
  };
  input.addEventListener("input", update);
  return { row: element("html:label", { class: "slider" }, `${label} `, input, said), input, update };
};

/** The scale from numbers between `from` and `to` to places between `first` and `last`. */
const scale = (from, to, first, last) => (number) => first + ((number - from) / (to - from)) * (last - first);

/** Puts what `make` returns, from the stored numbers of the figure, in place of its picture. */
const figure = (name, make) => {
  for (const place of document.querySelectorAll(`[data-figure="${name}"]`)) {
    const stored = place.querySelector("script");
    const made = make(stored ? JSON.parse(stored.textContent) : null);
    place.replaceChildren(...made);
    place.classList.add("moves");
  }
};

// A chosen answer opens the results and says what was measured.
for (const prediction of document.querySelectorAll(".prediction")) {
  const said = element("html:p", { class: "measured", role: "status" });
  const answers = [...prediction.querySelectorAll("li")];
  const choose = (chosen) => {
    const measured = prediction.dataset.answer;
    for (const { button, letter } of buttons) {
      button.setAttribute("aria-pressed", letter === chosen);
      button.classList.toggle("right", letter === measured);
    }
    const verdict = chosen === measured ? "That is what was measured." : `The measured answer is ${measured}.`;
    said.textContent = `You chose ${chosen}. ${verdict} Result and verdict are open below.`;
    for (const folded of document.querySelectorAll("main details")) folded.open = true;
  };
  const buttons = answers.map((answer) => {
    const letter = answer.textContent.trim()[0];
    const button = element("html:button", { type: "button", "aria-pressed": false, onclick: () => choose(letter) });
    button.append(...answer.childNodes);
    answer.append(button);
    return { button, letter };
  });
  prediction.append(said);
}

// The width of each block in letters, for the size of its type on paper.
for (const code of document.querySelectorAll("pre > code")) {
  code.style.setProperty("--letters", Math.max(...code.textContent.split("\n").map((line) => line.length)));
}

// On paper what is folded stands at the end, with its number in its place, so that nobody sees a result beside its prediction.
const atEnd = element("html:div", { class: "at-end", style: "break-before: page" });
addEventListener("beforeprint", () => {
  let [chapter, section, number] = ["", "", 0];
  for (const part of document.querySelectorAll("main :is(h1, h2, h3, details)")) {
    if (part.localName === "h1") [chapter, section] = [part.textContent, ""];
    else if (part.localName !== "details") section = part.textContent;
    else {
      const name = `Answer ${++number}`;
      part.before(element("html:p", {}, element("html:a", { href: `#answer-${number}` }, `${name}, at the end`)));
      atEnd.append(element("html:h3", { id: `answer-${number}` }, [name, section, chapter].filter(Boolean).join(" · ")), part);
    }
  }
  if (number) document.querySelector("main").append(atEnd);
});
addEventListener("afterprint", () => {
  for (const part of atEnd.querySelectorAll("details")) document.querySelector(`[href="#${part.previousSibling.id}"]`).parentNode.replaceWith(part);
  atEnd.replaceChildren();
});
