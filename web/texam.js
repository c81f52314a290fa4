// The page of the screen, and in a Web Worker its jobs: the other side of lib.rs, with the same numbers.
// Without dependencies.
"use strict";

const INPUT = { OPEN: 0, KEY: 1, PASTE: 2, RESIZE: 3, FILE: 4, IDLE: 5, REPLY: 6, FAILED: 7, GIVE: 8, JOB: 9, ERROR: 10, MOUSE: 11 };
const OUTPUT = { FRAME: 0, BUTTONS: 1, BEGIN: 2, END: 3, COPY: 4, GIVE: 5, REPLY: 6, PANIC: 7 };
const NOTHING = new Uint8Array();

// An instance of the module. `send` gets what, a number, a text, and bytes.
function instantiate(module, send) {
  let exports;
  const decoder = new TextDecoder();
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at, length).slice();
  const page = {
    send: (what, number, text, textLength, data, length) =>
      send(what, number, decoder.decode(bytes(text, textLength)), bytes(data, length)),
    now: () => performance.now(),
  };
  return WebAssembly.instantiate(module, { page }).then((instance) => {
    exports = instance.exports;
    const encoder = new TextEncoder();
    return (what, one = 0, two = 0, text = "", data = NOTHING) => {
      const encoded = encoder.encode(text);
      const at = exports.buffer(encoded.length + data.length);
      const room = new Uint8Array(exports.memory.buffer, at, encoded.length + data.length);
      room.set(encoded);
      room.set(data, encoded.length);
      exports.receive(what, one, two, encoded.length);
    };
  });
}

if (typeof document === "undefined") {
  // A worker does one job: it gets the module, the files of the user, and the job.
  self.onmessage = async ({ data: { module, files, job } }) => {
    let panic = "";
    try {
      const receive = await instantiate(module, (what, number, text, data) => {
        if (what === OUTPUT.PANIC) panic = text;
        else self.postMessage({ reply: data }, [data.buffer]);
      });
      for (const [name, bytes] of files) receive(INPUT.FILE, 0, 0, name, bytes);
      receive(INPUT.JOB, 0, 0, "", job);
      self.postMessage({ done: true });
    } catch (error) {
      self.postMessage({ failed: panic || String(error) });
    }
  };
} else {
  startPage();
}

async function startPage() {
  const element = (id) => document.getElementById(id);
  const [message, screen, spoken, buttons, list, typed] =
    ["message", "screen", "spoken", "buttons", "files", "typed"].map(element);
  const fail = (text) => {
    message.textContent = text;
    message.hidden = false;
    screen.hidden = true;
  };
  if (location.protocol === "file:") {
    return fail("A browser loads no program from a file. Serve this folder, for example with `python3 -m http.server`, and open http://localhost:8000/.");
  }
  if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
    return fail("This browser has no WebAssembly or no Web Workers, which the page needs. Use a newer one, or install texam as its README says.");
  }
  const script = document.querySelector("script[src]").src;
  let module;
  try {
    const response = await fetch(new URL("texam.wasm", script));
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    module = await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    return fail(`The program beside this page, texam.wasm, cannot be loaded (${error.message}). Load the page again; if that does not help, the folder is not whole.`);
  }

  const given = new Map();
  const workers = new Map();
  let cell = [1, 1];
  let receive, shown = "", isTyping = false, more = false, hasFailed = false, ownHash = location.hash;

  // Hands something to the module. After a panic its state is lost.
  const tell = (...input) => {
    if (hasFailed) return;
    try {
      receive(...input);
    } catch (error) {
      hasFailed = true;
      if (screen.hidden === false) fail(`The program has failed: ${error}. Load the page again.`);
    }
  };

  const outputs = {
    [OUTPUT.FRAME]: (number, text) => {
      const frame = JSON.parse(text);
      if (frame.html !== shown) screen.innerHTML = shown = frame.html;
      if (spoken.textContent !== frame.message) spoken.textContent = frame.message;
      if (frame.typing !== isTyping) {
        isTyping = frame.typing;
        if (isTyping && matchMedia("(pointer: coarse)").matches) typed.focus();
        else screen.focus({ preventScroll: true });
      }
      const hash = frame.place ? `#${frame.place}` : "";
      if (hash !== ownHash && !frame.more) {
        ownHash = hash;
        history.replaceState(null, "", hash || location.pathname + location.search);
      }
      showFiles(frame.files);
      if (frame.more && !more) setTimeout(() => { more = false; tell(INPUT.IDLE); }, 0);
      more = frame.more;
    },
    [OUTPUT.BUTTONS]: (number, text) => {
      const open = document.createElement("label");
      open.className = "button";
      open.textContent = "open a file";
      const input = Object.assign(document.createElement("input"), { type: "file", multiple: true, className: "hidden" });
      input.onchange = () => { take(input.files); input.value = ""; };
      open.append(input);
      buttons.replaceChildren(...JSON.parse(text).map(([name, key]) => {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
        // The focus stays, and with it the keyboard of a phone.
        button.onpointerdown = (event) => event.preventDefault();
        button.onclick = () => tell(INPUT.KEY, 0, 0, key);
        return button;
      }), open);
    },
    [OUTPUT.BEGIN]: (kind, text, job) => {
      workers.get(kind)?.terminate();
      const worker = new Worker(script);
      workers.set(kind, worker);
      const end = (why) => {
        if (workers.get(kind) !== worker) return;
        workers.delete(kind);
        worker.terminate();
        if (why) tell(INPUT.FAILED, kind, 0, why);
      };
      worker.onmessage = ({ data }) => {
        if (workers.get(kind) !== worker) return;
        if (data.reply) tell(INPUT.REPLY, 0, 0, "", data.reply);
        else end(data.failed);
      };
      worker.onerror = (event) => end(event.message || "the worker cannot be started");
      worker.postMessage({ module, files: [...given], job });
    },
    [OUTPUT.END]: (kind) => {
      workers.get(kind)?.terminate();
      workers.delete(kind);
    },
    [OUTPUT.COPY]: (number, text) => {
      const refused = () => setTimeout(() => tell(INPUT.ERROR, 0, 0, `the browser lets nothing be copied; the text is: ${text}`));
      if (navigator.clipboard) navigator.clipboard.writeText(text).catch(refused);
      else refused();
    },
    [OUTPUT.GIVE]: (number, path, data) => {
      const link = Object.assign(document.createElement("a"), { download: path.split("/").pop() });
      link.href = URL.createObjectURL(new Blob([data]));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
    [OUTPUT.PANIC]: (number, text) => fail(`The program has failed: ${text}. Load the page again.`),
  };

  function showFiles(names) {
    if (list.dataset.names === names.join("\n")) return;
    list.dataset.names = names.join("\n");
    list.replaceChildren(...names.map((name) => {
      const link = Object.assign(document.createElement("a"), { href: "#", textContent: `save ${name}` });
      link.onclick = (event) => { event.preventDefault(); tell(INPUT.GIVE, 0, 0, name); };
      return link;
    }));
  }

  // Files of the user. Beside the data of a run (.json) the others are only kept, as its .par files.
  async function take(files) {
    const isRun = (file) => file.name.endsWith(".json");
    const all = [...files].sort((one, other) => isRun(one) - isRun(other));
    const hasRun = all.some(isRun);
    for (const file of all) {
      try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        given.set(file.name, bytes);
        tell(INPUT.FILE, Number(isRun(file) || !hasRun), 0, file.name, bytes);
      } catch (error) {
        tell(INPUT.ERROR, 0, 0, `${file.name}: the browser cannot read this file (${error.message})`);
      }
    }
  }

  // Columns and lines for which there is room. On a narrow page letters shrink to the 60 columns that the
  // screen needs.
  function size() {
    const probe = Object.assign(document.createElement("span"), { textContent: "0".repeat(100) });
    screen.append(probe);
    const em = probe.getBoundingClientRect().width / 100 / parseFloat(getComputedStyle(screen).fontSize);
    probe.remove();
    const width = document.documentElement.clientWidth - 8;
    // Below are the keys: all of them for a finger, the first of them where there is a keyboard.
    const height = innerHeight - 8 - (matchMedia("(pointer: coarse)").matches ? 190 : 60);
    const wanted = width >= 142 * em * 9 ? 142 : width >= 600 ? 100 : 60;
    const letters = Math.max(5, Math.min(width >= 142 * em * 9 ? 16 : 14, width / wanted / em));
    screen.style.fontSize = `${letters}px`;
    const columns = Math.floor(width / (letters * em) + 0.01);
    const lines = Math.floor(height / (letters * 1.2));
    cell = [letters * em, letters * 1.2];
    return [Math.min(columns, 240), Math.max(wanted === 60 ? 32 : 24, Math.min(lines, 70))];
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const ground = () => dark.matches ? "dark" : "light";
  const resize = () => tell(INPUT.RESIZE, ...size(), ground());
  const place = () => decodeURIComponent(location.hash.slice(1));
  const open = () => {
    workers.forEach((worker) => worker.terminate());
    workers.clear();
    tell(INPUT.OPEN, ...size(), ground(), new TextEncoder().encode(place()));
  };

  screen.hidden = false;
  receive = await instantiate(module, (what, number, text, data) => outputs[what](number, text, data));
  open();
  if (hasFailed) return;
  message.hidden = true;
  buttons.hidden = false;
  document.querySelector("footer").hidden = false;
  resize();
  screen.focus({ preventScroll: true });

  addEventListener("keydown", (event) => {
    if (event.target.closest?.("button, a, label, input:not(#typed)") && ["Enter", " ", "Tab"].includes(event.key)) return;
    if (event.isComposing || ["Unidentified", "Process", "Dead"].includes(event.key)) return;
    const isLetter = [...event.key].length === 1;
    // Keys of the browser stay its own.
    if (event.metaKey || event.ctrlKey && !event.altKey && !["c", "u", "w", "a", "e"].includes(event.key)) return;
    if (event.ctrlKey && event.key === "c" && String(getSelection())) return;
    if (!isLetter && !/^(Enter|Escape|Tab|Backspace|Delete|Home|End|Arrow\w+|Page\w+)$/.test(event.key)) return;
    if (event.key === "Tab" && event.shiftKey) return;
    event.preventDefault();
    tell(INPUT.KEY, event.ctrlKey && !event.altKey ? 1 : event.altKey && !event.ctrlKey ? 2 : 0, 0, event.key);
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
    if (event.ctrlKey) return;
    event.preventDefault();
    turned += event.deltaMode ? event.deltaY * 40 : event.deltaY;
    for (; Math.abs(turned) >= 40; turned -= 40 * Math.sign(turned)) useMouse(turned < 0 ? 1 : 2, event);
  }, { passive: false });
  // What the keyboard of a phone enters.
  typed.addEventListener("input", (event) => {
    if (event.inputType.startsWith("delete")) tell(INPUT.KEY, 0, 0, "Backspace");
    else if (typed.value) tell(INPUT.PASTE, 0, 0, typed.value);
    typed.value = "";
  });
  addEventListener("paste", (event) => {
    event.preventDefault();
    if (event.clipboardData.files.length) take(event.clipboardData.files);
    else tell(INPUT.PASTE, 0, 0, event.clipboardData.getData("text"));
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  });
  addEventListener("resize", resize);
  addEventListener("hashchange", () => {
    if (location.hash === ownHash) return;
    ownHash = location.hash;
    open();
  });
  dark.addEventListener("change", resize);
}
