// The module in an instance, and in a Web Worker its jobs: the other side of lib.rs, with the same numbers. Without dependencies.
"use strict";

const INPUT = {
  OPEN: 0, KEY: 1, PASTE: 2, RESIZE: 3, FILE: 4, IDLE: 5, REPLY: 6, FAILED: 7, GIVE: 8, JOB: 9, ERROR: 10, MOUSE: 11, ACT: 12, LEAD: 13,
  ANSWER: 14, JOIN: 15, ASK: 16,
};
const OUTPUT = { FRAME: 0, BUTTONS: 1, BEGIN: 2, END: 3, COPY: 4, GIVE: 5, REPLY: 6, PANIC: 7, ASK: 8, ANSWER: 9, SHAPES: 10 };
const NOTHING = new Uint8Array();

// An instance of the module: a function that hands something in. `send` gets what comes out of the call: what, a number, a text, and bytes.
async function instantiate(module, send) {
  let exports;
  const decoder = new TextDecoder();
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at, length).slice();
  const page = {
    send: (what, number, text, textLength, data, length) =>
      send(what, number, decoder.decode(bytes(text, textLength)), bytes(data, length)),
    now: () => performance.now(),
  };
  ({ exports } = await WebAssembly.instantiate(module, { page }));
  const encoder = new TextEncoder();
  return (what, one = 0, two = 0, text = "", data = NOTHING) => {
    const encoded = encoder.encode(text);
    const at = exports.buffer(encoded.length + data.length);
    const room = new Uint8Array(exports.memory.buffer, at, encoded.length + data.length);
    room.set(encoded);
    room.set(data, encoded.length);
    exports.receive(what, one, two, encoded.length);
  };
}

// A worker gets the module, the files of the user and a job; of a fit of several the number of the member, or of the leader the number of all.
if (typeof document === "undefined") {
  let receive, panic = "", asks = false;
  const send = (what, number, text, data) => {
    if (what === OUTPUT.PANIC) panic = text;
    if (what === OUTPUT.ASK) asks = true;
    const name = { [OUTPUT.REPLY]: "reply", [OUTPUT.ASK]: "question", [OUTPUT.ANSWER]: "answer" }[what];
    if (name) self.postMessage({ [name]: data }, [data.buffer]);
  };
  const carryOut = async ({ module, files, job, member, members, question, answers }) => {
    if (module) {
      receive = await instantiate(module, send);
      for (const [name, bytes] of files) receive(INPUT.FILE, 0, 0, name, bytes);
    }
    asks = false;
    if (question) return receive(INPUT.ASK, 0, 0, "", question);
    if (answers) answers.forEach((answer, at) => receive(INPUT.ANSWER, Number(at === answers.length - 1), 0, "", answer));
    else if (member !== undefined) return receive(INPUT.JOIN, member, members, "", job);
    else receive(members ? INPUT.LEAD : INPUT.JOB, members, 0, "", job);
    if (!asks) self.postMessage({ done: true });
  };
  let last = Promise.resolve();
  self.onmessage = ({ data }) => {
    last = last.then(() => carryOut(data)).catch((error) => { panic = panic || String(error); })
      .then(() => { if (panic) self.postMessage({ failed: panic }); });
  };
}

// Has a job done, in as many workers as there are cores where it is `shared`. Returns what ends it.
function work({ module, files, job, members, onReply, onEnd }) {
  const workers = [];
  const stop = () => workers.splice(0).forEach((worker) => worker.terminate());
  const end = (why) => { stop(); onEnd(why); };
  const start = (message, onMessage) => {
    const worker = new Worker(texamScript);
    workers.push(worker);
    worker.onerror = (event) => end(event.message || "the worker cannot be started");
    worker.onmessage = ({ data }) => {
      if (!workers.includes(worker)) return;
      if (data.failed) end(data.failed);
      else if (data.reply) onReply(data.reply);
      else onMessage(data);
    };
    worker.postMessage({ module, files, job, ...message });
    return worker;
  };
  let answers = [];
  const leader = start(members ? { members } : {}, ({ question, done }) => {
    if (done) return end();
    team.forEach((worker) => worker.postMessage({ question }));
  });
  const team = Array.from({ length: members ?? 0 }, (_, member) => start({ member, members }, ({ answer }) => {
    answers[member] = answer;
    if (Object.keys(answers).length < members) return;
    leader.postMessage({ answers });
    answers = [];
  }));
  return stop;
}

const texamScript = typeof document === "undefined" ? "" : document.currentScript.src;
