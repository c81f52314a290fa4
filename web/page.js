// The page: shows what the module tells in an exhibit and, behind a button, its whole screen. Without dependencies.
"use strict";

const element = (id) => document.getElementById(id);
const make = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const LARGEST = 256;

const fail = (text) => {
  element("message").textContent = text;
  element("message").hidden = false;
  element("message").scrollIntoView();
};

// The module is shipped packed; some servers have unpacked it.
async function load() {
  const response = await fetch(new URL("texam.wasm.gz", texamScript));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const bytes = await response.arrayBuffer();
  const isPacked = new Uint8Array(bytes)[0] === 0x1f;
  const unpack = () => new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  return WebAssembly.compile(isPacked ? await unpack() : bytes);
}

async function startPage() {
  if (location.protocol === "file:") {
    return fail("A browser loads no program from a file. Serve this folder, for example with `python3 -m http.server`, and open http://localhost:8000/.");
  }
  if (typeof WebAssembly !== "object" || typeof Worker !== "function" || typeof DecompressionStream !== "function") {
    return fail("This browser has no WebAssembly, Web Workers or DecompressionStream, which the page needs. Use a newer one, or install texam as its README says.");
  }
  let module;
  try {
    module = await load();
  } catch (error) {
    return fail(`The program beside this page, texam.wasm.gz, cannot be loaded (${error.message}). Load the page again; if that does not help, the folder is not whole.`);
  }

  const [screen, panel, buttons, typed] = ["screen", "panel", "buttons", "typed"].map(element);
  const cores = Math.min(Math.max(navigator.hardwareConcurrency || 1, 1), 8);
  const given = new Map();
  const jobs = new Map();
  let cell = [1, 1];
  let receive, placed = "", shownScreen = "", isTyping = false, more = false, hasFailed = false, ownHash = location.hash, isUnsaved = false, exhibit = {};
  let queue = [];

  // Hands something to the module, and then carries out what came out of it, each on its own. After a panic its state is lost.
  const tell = (...input) => {
    if (hasFailed) return;
    try {
      receive(...input);
    } catch (error) {
      hasFailed = true;
      fail(`The program has failed: ${error}. Load the page again.`);
    }
    const outgoing = queue;
    queue = [];
    for (const [what, ...output] of outgoing) {
      try {
        outputs[what](...output);
      } catch (error) {
        say(`the browser refuses: ${error.message ?? error}`, true);
      }
    }
  };
  const act = (text) => {
    // A message that comes again is said again.
    message &&= "";
    tell(INPUT.ACT, 0, 0, text);
  };

  let clearing;
  const say = (text, isError) => {
    const notice = element("notice");
    // Behind the button there are other keys.
    if (panel.hidden) text = text.replace(/; \S (takes|shows)[^;]*/g, "");
    notice.textContent = text;
    notice.className = isError ? "error" : "";
    notice.hidden = !text;
    if (text) element("spoken").textContent = text;
    clearTimeout(clearing);
    if (!isError) clearing = setTimeout(() => { notice.hidden = true; }, 8000);
  };

  // The address, at most twice a second; some browsers refuse more.
  let addressed = 0, addressing;
  const address = (place) => {
    const hash = place ? `#${place}` : "";
    clearTimeout(addressing);
    if (hash === ownHash) return;
    addressing = setTimeout(() => {
      addressed = performance.now();
      ownHash = hash;
      try {
        history.replaceState(null, "", hash || location.pathname + location.search);
      } catch {
        // The next step tries again.
        ownHash = "";
      }
    }, Math.max(0, 600 - (performance.now() - addressed)));
  };

  let message = null;
  const outputs = {
    [OUTPUT.FRAME]: (number, text) => {
      const frame = JSON.parse(text);
      if (frame.html !== shownScreen) screen.innerHTML = shownScreen = frame.html;
      showExhibit(frame.exhibit);
      const [said, isError] = frame.message;
      // The first is a hint at the keys of the screen.
      if (message !== null && said !== message || isError && message === null) say(said, isError);
      message = said;
      if (frame.typing !== isTyping) {
        isTyping = frame.typing;
        if (isTyping && matchMedia("(pointer: coarse)").matches) typed.focus();
        else screen.focus({ preventScroll: true });
      }
      placed = frame.place;
      if (!frame.more) address(placed);
      showFiles(frame.files);
      if (frame.more && !more) setTimeout(() => { more = false; tell(INPUT.IDLE); }, 0);
      more = frame.more;
    },
    [OUTPUT.SHAPES]: (number, text) => { element("shapes").innerHTML = text; },
    [OUTPUT.BUTTONS]: (number, text) => {
      buttons.replaceChildren(...JSON.parse(text).map(([name, key]) => make("button", {
        type: "button", textContent: name,
        // The focus stays, and with it the keyboard of a phone.
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => tell(INPUT.KEY, 0, 0, key),
      })));
    },
    [OUTPUT.BEGIN]: (kind, shared, job) => {
      jobs.get(kind)?.();
      const failed = (why) => tell(INPUT.FAILED, kind, 0, String(why));
      try {
        const stop = work({
          module, files: [...given], job, members: shared ? cores : undefined,
          onReply: (reply) => jobs.get(kind) === stop && tell(INPUT.REPLY, 0, 0, "", reply),
          onEnd: (why) => {
            if (jobs.get(kind) !== stop) return;
            jobs.delete(kind);
            if (why) failed(why);
          },
        });
        jobs.set(kind, stop);
      } catch (error) {
        failed(error);
      }
    },
    [OUTPUT.END]: (kind) => {
      jobs.get(kind)?.();
      jobs.delete(kind);
    },
    [OUTPUT.COPY]: (number, text) => copy(text),
    [OUTPUT.GIVE]: (number, path, data) => {
      const link = make("a", { download: path.split("/").pop(), href: URL.createObjectURL(new Blob([data])) });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
    [OUTPUT.PANIC]: (number, text) => {
      hasFailed = true;
      fail(`The program has failed: ${text}. Load the page again.`);
    },
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      say(`copied: ${text}`);
    } catch {
      tell(INPUT.ERROR, 0, 0, `the browser lets nothing be copied; the text is: ${text}`);
    }
  };

  // One side of zero for values against, the other for those for it.
  const bar = (value, most, kind = "", middle = 50) => {
    const part = Math.min(Math.abs(value) / most, 1) * (100 - middle);
    const inner = make("i", { className: kind });
    Object.assign(inner.style, { left: `${value < 0 ? middle - part : middle}%`, width: `${part}%` });
    return make("span", { className: "bar", ariaHidden: "true" }, inner);
  };
  const value = (text) => make("span", { className: "value", textContent: text });

  // Changes a list where it is another one; the focus stays, and bars move from where they were.
  const lists = new Map();
  function showList(id, lines, draw) {
    const text = JSON.stringify(lines);
    if (lists.get(id) === text) return;
    lists.set(id, text);
    const list = element(id), at = [...list.children].findIndex((line) => line.contains(document.activeElement));
    const before = [...list.querySelectorAll(".bar i")].map(({ style: { left, width } }) => ({ left, width }));
    list.replaceChildren(...lines.map((line, index) => make("li", {}, draw(line, index))));
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      list.querySelectorAll(".bar i").forEach((inner, index) => before[index] && inner.animate([before[index], {}], 400));
    }
    if (at >= 0) list.children[at]?.firstChild.focus({ preventScroll: true });
  }

  let saidLast = "";
  function showExhibit(shown) {
    exhibit = shown;
    isUnsaved = shown.isUnsaved;
    const { story, fit, run } = shown, focused = document.activeElement;
    element("title").textContent = shown.title;
    element("told").textContent = story?.text ?? "";
    element("step").hidden = !story?.key;
    element("step").textContent = story?.button ?? "";
    element("learn").hidden = Boolean(story || fit || !shown.seconds);
    element("stop").hidden = !fit;
    element("tour").hidden = !story && Boolean(fit);
    element("tour").textContent = story ? `Leave the story (${story.number.join(" of ")})` : "Tell the story of a move of Fischer";
    element("undo").hidden = Boolean(fit) || !shown.canUndo;
    const cost = !fit && shown.seconds && (!story || story.key === "f");
    element("cost").textContent = cost ? `Learning takes up to ${shown.seconds} s here; the page can be used meanwhile.` : "";
    element("fitting").hidden = !fit;
    element("share").value = fit?.share ?? 0;
    element("fitted").textContent = fit?.text ?? "";
    // The button that was pressed may be gone.
    if (focused.closest("#story") && !focused.checkVisibility()) document.querySelector("#story button:not([hidden])")?.focus({ preventScroll: true });
    element("run").hidden = !run;
    if (run) {
      element("run-name").textContent = run.name;
      element("reading").textContent = run.said;
      const last = run.ranks.length - 1, ranks = run.ranks.map((rank, pass) => [rank, pass]).filter(([, pass]) => [0, 1, 2, 4, 7, last].includes(pass));
      showList("ranks", ranks, ([rank, pass]) => make("div", {}, make("span", {}, pass ? `after fit ${pass}` : "before"), bar(rank, run.ranks[0], "", 0), value(rank.toFixed(2))));
    }
    element("whose").hidden = !shown.players;
    if (shown.players) {
      const { names, chosen } = shown.players, all = [["the winner's", ""], ...names.map(([name, games]) => [`${name} (${games})`, name])];
      if (chosen && !names.some(([name]) => name === chosen)) all.push([chosen, chosen]);
      if (lists.get("player") !== JSON.stringify(all)) {
        lists.set("player", JSON.stringify(all));
        element("player").replaceChildren(...all.map(([text, name]) => make("option", { textContent: text, value: name })));
      }
      element("player").value = chosen ?? "";
    }
    element("link").hidden = !placed;
    const position = shown.position;
    if (!position) return;
    element("question").textContent = position.question;
    if (lists.get("board") !== position.board) {
      lists.set("board", position.board);
      from = null;
      element("board").innerHTML = position.board;
    }
    element("pair").textContent = position.pair;
    const { terms, moves } = position;
    element("terms").parentElement.hidden = !terms.length;
    element("turn").parentElement.hidden = !position.controls.length;
    const heaviest = Math.max(8, ...terms.map((term) => Math.abs(term.value)));
    showList("terms", terms, (term) => make("div", {}, make("span", { textContent: term.words }), bar(term.value, heaviest, term.value < 0 ? "against" : ""), value(term.text),
      make("small", { textContent: term.meaning, style: "grid-column: 1 / -1" })));
    const farthest = Math.min(512, Math.max(64, ...moves.slice(0, 12).map((move) => Math.abs(move.value))));
    showList("moves", moves, (move, index) => make("button", { type: "button", className: move.isShown ? "shown" : "", ariaCurrent: String(move.isShown), onclick: () => act(`move ${index}`) },
      make("span", {}, `${move.rank}. ${move.name} `, make("small", { textContent: move.isPlayed ? "played" : "" })), bar(move.value, farthest, move.isPlayed ? "won" : ""), value(move.text)));
    const controls = element("controls"), names = position.controls.map(({ name, range }) => name + range).join();
    if (controls.dataset.names !== names) {
      controls.dataset.names = names;
      controls.replaceChildren(...position.controls.map((control) => {
        const input = make("input", { type: "range", step: control.step, min: control.range[0], max: control.range[1] });
        input.oninput = () => act(`weight ${control.name} ${input.value}`);
        return make("label", { title: control.meaning }, `${control.words}, ${control.phase}: `, make("span"), input);
      }));
    }
    position.controls.forEach((control, at) => {
      const [output, input] = controls.children[at].children;
      output.textContent = control.value;
      if (Number(input.value) !== control.value) input.value = control.value;
      input.disabled = Boolean(fit);
    });
    if (position.isFresh && position.said !== saidLast) element("spoken").textContent = saidLast = position.said;
  }

  // The board: two squares name a move, where the second is one of the targets of the first.
  let from = null;
  element("board").addEventListener("click", (event) => {
    if (!exhibit.position) return;
    const svg = element("board").querySelector("svg");
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const [file, line] = [Math.floor((point.x - 16) / 45), Math.floor(point.y / 45)];
    if (file < 0 || file > 7 || line < 0 || line > 7) return;
    const square = exhibit.position.isFlipped ? line * 8 + 7 - file : (7 - line) * 8 + file;
    const index = exhibit.position.moves.findIndex(({ squares }) => squares[0] === from && squares[1] === square);
    svg.querySelector(".chosen")?.remove();
    if (index >= 0) {
      from = null;
      return act(`move ${index}`);
    }
    from = exhibit.position.moves.some(({ squares }) => squares[0] === square) ? square : null;
    if (from === null) return;
    const chosen = document.createElementNS(svg.namespaceURI, "rect");
    for (const [name, text] of Object.entries({ class: "chosen", x: 16 + file * 45, y: line * 45, width: 45, height: 45 })) chosen.setAttribute(name, text);
    svg.append(chosen);
  });

  for (const button of document.querySelectorAll("[data-act]")) button.onclick = () => act(button.dataset.act);
  const mayLeave = () => !isUnsaved || confirm("Weights that are not saved are lost. Go there?");
  element("tour").onclick = () => {
    if (exhibit.story || exhibit.hasTour) act("press i");
    else if (mayLeave()) open("");
  };
  element("step").onclick = () => act(`press ${exhibit.story?.key}`);
  element("find").onsubmit = (event) => { event.preventDefault(); act(`game ${element("words").value.trim()}`); element("title").scrollIntoView({ block: "nearest" }); };
  element("player").onchange = () => act(`player ${element("player").value}`);
  element("link").onclick = () => { void copy(`${location.href.split("#")[0]}#${placed}`); };
  element("file").onchange = ({ target }) => { void take(target.files).then(() => { target.value = ""; }); };

  function openPanel(isOpen) {
    panel.hidden = !isOpen;
    element("open").setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    resize();
    panel.scrollIntoView();
    screen.focus({ preventScroll: true });
  }
  element("open").onclick = () => openPanel(panel.hidden);

  function showFiles(names) {
    const list = element("files");
    if (list.dataset.names === names.join("\n")) return;
    list.dataset.names = names.join("\n");
    list.replaceChildren(...names.map((name) => make("a", {
      href: "#", textContent: `save ${name}`,
      onclick: (event) => { event.preventDefault(); tell(INPUT.GIVE, 0, 0, name); },
    })));
  }

  // Files of the user. Beside the data of a run (.json) the others are only kept, as its .par files.
  async function take(files) {
    const isRun = (file) => file.name.endsWith(".json");
    const all = [...files].sort((one, other) => isRun(one) - isRun(other));
    const hasRun = all.some(isRun);
    for (const file of all) {
      try {
        if (file.size > LARGEST << 20) throw new Error(`it has more than ${LARGEST} MB; the program itself takes it`);
        say(`reading ${file.name}`);
        const bytes = new Uint8Array(await file.arrayBuffer());
        given.set(file.name, bytes);
        tell(INPUT.FILE, Number(isRun(file) || !hasRun), 0, file.name, bytes);
      } catch (error) {
        tell(INPUT.ERROR, 0, 0, `${file.name}: the browser cannot read this file (${error.message})`);
      }
    }
  }

  // Columns and lines for which there is room. On a narrow page letters shrink to the 60 columns that the screen needs.
  function size() {
    const probe = make("span", { textContent: "0".repeat(100), className: "hidden", style: 'white-space: pre; width: auto; font: 100px "DejaVu Sans Mono", Menlo, Consolas, monospace' });
    document.body.append(probe);
    const em = probe.getBoundingClientRect().width / 10000 || 0.6;
    probe.remove();
    const width = Math.min(document.documentElement.clientWidth, 1440) - 8;
    // Below are the keys: all of them for a finger, the first of them where there is a keyboard.
    const height = innerHeight - 8 - (matchMedia("(pointer: coarse)").matches ? 190 : 60);
    const isWhole = width >= 142 * em * 9;
    const wanted = isWhole ? 142 : width >= 600 ? 100 : 60;
    const letters = Math.max(5, Math.min(isWhole ? 16 : 14, width / wanted / em));
    screen.style.setProperty("--mono", `${letters}px`);
    cell = [letters * em, letters * 1.2];
    const [columns, lines] = [Math.floor(width / cell[0] + 0.01), Math.floor(height / cell[1])];
    return [Math.min(columns, 240), Math.max(wanted === 60 ? 32 : 24, Math.min(lines, 70))];
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const ground = () => dark.matches ? "dark" : "light";
  const resize = () => tell(INPUT.RESIZE, ...size(), ground());
  const open = (place) => {
    jobs.forEach((stop) => stop());
    jobs.clear();
    tell(INPUT.OPEN, ...size(), ground(), new TextEncoder().encode(place));
    tell(INPUT.ACT, 0, 0, `cores ${cores}`);
  };

  receive = await instantiate(module, (...output) => queue.push(output));
  open(location.hash.slice(1));
  if (hasFailed) return;
  element("message").hidden = true;
  element("exhibit").hidden = buttons.hidden = false;
  resize();

  addEventListener("keydown", (event) => {
    const isOnScreen = [screen, typed].includes(document.activeElement);
    if (!isOnScreen && event.target.closest?.("input:not([type=range]), select")) return;
    if (!isOnScreen && ["Enter", " ", "Tab", "PageUp", "PageDown", "Home", "End"].includes(event.key)) return;
    if (event.target.type === "range" && event.key.startsWith("Arrow")) return;
    if (event.isComposing || ["Unidentified", "Process", "Dead"].includes(event.key)) return;
    const isLetter = [...event.key].length === 1;
    // Keys of the browser stay its own. A letter that Alt or AltGr makes is one.
    if (event.altKey && !event.ctrlKey && (!isLetter || /[a-z0-9]/i.test(event.key))) return;
    if (event.metaKey || event.ctrlKey && !event.altKey && !(isOnScreen && ["c", "u", "w", "a", "e"].includes(event.key))) return;
    if (event.ctrlKey && event.key === "c" && String(getSelection())) return;
    if (!isLetter && !/^(Enter|Escape|Tab|Backspace|Delete|Home|End|Arrow\w+|Page\w+)$/.test(event.key)) return;
    if (event.key === "Tab" && event.shiftKey) return;
    // Outside of the screen the page scrolls.
    if (isOnScreen || !/^Arrow(Up|Down)$/.test(event.key)) event.preventDefault();
    tell(INPUT.KEY, Number(event.ctrlKey && !event.altKey), 0, event.key);
    // What a key opens is shown.
    if (exhibit.isOpen && panel.hidden) openPanel(true);
  });
  const useMouse = (does, event) => {
    const frame = screen.getBoundingClientRect();
    const [column, line] = [(event.clientX - frame.left - 4) / cell[0], (event.clientY - frame.top - 4) / cell[1]];
    if (column >= 0 && line >= 0) tell(INPUT.MOUSE, does, Math.floor(column) << 16 | Math.floor(line));
  };
  // Where text is selected, a click ends that.
  screen.addEventListener("click", (event) => String(getSelection()) || useMouse(0, event));
  let turned = 0;
  screen.addEventListener("wheel", (event) => {
    if (event.ctrlKey || document.activeElement !== screen) return;
    event.preventDefault();
    turned += event.deltaMode ? event.deltaY * 40 : event.deltaY;
    for (; Math.abs(turned) >= 40; turned -= 40 * Math.sign(turned)) useMouse(turned < 0 ? 1 : 2, event);
  }, { passive: false });
  // What the keyboard of a phone enters; what is still being composed waits for its end.
  const enter = (event) => {
    if (event.isComposing) return;
    if (event.inputType?.startsWith("delete")) tell(INPUT.KEY, 0, 0, "Backspace");
    else for (const letter of typed.value) tell(INPUT.KEY, 0, 0, letter);
    typed.value = "";
  };
  typed.addEventListener("input", enter);
  typed.addEventListener("compositionend", () => enter({}));
  // Files, or a text: an answer to a prompt, games, or a position.
  const takeAll = (data) => {
    const text = data.getData("text");
    if (data.files.length) void take(data.files);
    else if (!isTyping && /(^|\s)1\s*\./.test(text)) void take([new File([text], "pasted.pgn")]);
    else tell(INPUT.PASTE, 0, 0, text);
  };
  addEventListener("paste", (event) => {
    if (event.target.closest?.("input[type=search]")) return;
    event.preventDefault();
    takeAll(event.clipboardData);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    takeAll(event.dataTransfer);
  });
  addEventListener("resize", resize);
  addEventListener("beforeunload", (event) => { if (isUnsaved && !hasFailed) event.preventDefault(); });
  addEventListener("hashchange", () => {
    if (location.hash === ownHash) return;
    if (!mayLeave()) return history.replaceState(null, "", ownHash || location.pathname + location.search);
    clearTimeout(addressing);
    ownHash = location.hash;
    open(ownHash.slice(1));
  });
  dark.addEventListener("change", resize);
}

void startPage();
