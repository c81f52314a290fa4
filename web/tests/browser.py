"""Opens the page in a browser without a window, lets a script act in it, and tells what the script returned."""

import json
import os
import shutil
import subprocess
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
PROGRAM = next((found for name in NAMES if (found := shutil.which(name))), None)

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "page"

# The page stands in a frame of the size that is asked for. Errors and what is written to the console come
# back too.
DRIVER = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<script>
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const noted = [];
let frame, page;
const until = async (what, seconds = 20) => {
  for (let at = 0; at < seconds * 50; at++) { const found = what(); if (found) return found; await wait(20); }
  throw new Error("waited in vain for " + what + "; the screen:\\n" + text());
};
const screen_ = () => page.document.getElementById("screen");
const text = () => screen_()?.textContent ?? "";
const shows = (part, seconds) => until(() => text().includes(part), seconds);
const press = async (...keys) => {
  for (const key of keys) {
    const control = key.length === 2 && key[0] === "^";
    const event = new page.KeyboardEvent("keydown", { key: control ? key[1] : key, ctrlKey: control, bubbles: true, cancelable: true });
    (page.document.activeElement ?? page.document.body).dispatchEvent(event);
    await wait(0);
  }
};
const type = (letters) => press(...letters);
const byId = (id) => page.document.getElementById(id);
const shown = (id) => byId(id).innerText;
const open = async (hash = "", withPanel = true) => {
  frame?.remove();
  frame = document.createElement("iframe");
  Object.assign(frame.style, { border: 0, width: "WIDTHpx", height: "HEIGHTpx" });
  frame.src = "FOLDER/index.html" + hash;
  document.body.append(frame);
  const began = performance.now();
  page = frame.contentWindow;
  await until(() => frame.contentWindow.document.getElementById("screen"));
  page = frame.contentWindow;
  page.addEventListener("error", (event) => noted.push(String(event.message)));
  page.addEventListener("unhandledrejection", (event) => noted.push(String(event.reason)));
  for (const kind of ["error", "warn"]) page.console[kind] = (...all) => noted.push(all.join(" "));
  await until(() => text().includes("texam"));
  if (withPanel) byId("open").click();
  return performance.now() - began;
};
const drop = (...files) => {
  const transfer = new page.DataTransfer();
  for (const [name, content] of files) transfer.items.add(new page.File([content], name));
  page.dispatchEvent(new page.DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
};
// What the page hands to the user, by name.
const given = new Map();
const catchFiles = () => {
  page.HTMLAnchorElement.prototype.click = function () {
    const name = this.download;
    given.set(name, fetch(this.href).then((response) => response.arrayBuffer()).then((bytes) => new TextDecoder().decode(bytes)));
  };
};
(async () => {
  let result;
  try { result = { seen: await (async () => { SCRIPT })(), noted }; }
  catch (error) { result = { error: String(error), noted }; }
  await fetch("/result", { method: "POST", body: JSON.stringify(result) });
})();
</script></body>"""


class Handler(SimpleHTTPRequestHandler):
    """Serves the page at any depth, the driver, and takes the result."""

    def do_GET(self):
        if self.path == "/driver":
            body = self.server.driver.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        else:
            super().do_GET()

    def translate_path(self, path):
        return str(self.server.folder / Path(path.split("?")[0].split("#")[0]).name)

    def do_POST(self):
        self.server.results.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def act(script, width=1280, height=800, dark=False, folder="a folder/page", seconds=300, served=FOLDER):
    """What `script` returns, the body of an asynchronous function in a page beside the screen."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.folder = served
    server.results = Queue()
    parts = {"WIDTH": str(width), "HEIGHT": str(height), "FOLDER": folder, "SCRIPT": script}
    server.driver = DRIVER
    for name, text in parts.items():
        server.driver = server.driver.replace(name, text)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", f"--blink-settings=preferredColorScheme={0 if dark else 1}",
             f"--window-size={width + 20},{height + 100}", "--remote-debugging-port=0",
             f"http://127.0.0.1:{server.server_port}/driver"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            result = json.loads(server.results.get(timeout=seconds))
        finally:
            process.kill()
            process.wait()
            server.shutdown()
    assert "error" not in result, result
    assert not result["noted"], result["noted"]
    return result["seen"]
