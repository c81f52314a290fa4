"""Opens a page of the built book in a browser without a window, lets a script act in it, and gives what the script returns."""

import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
PROGRAM = next((found for name in NAMES if (found := shutil.which(name))), None)

# The page stands in a frame, which can be as narrow as a phone. Errors of its scripts come back as the only
# result.
DRIVER = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<iframe style="border:0" width="WIDTH" height="900" src="PAGE"></iframe>
<script>
const frame = document.querySelector("iframe"), faults = [];
let page;
const all = (selector) => [...page.document.querySelectorAll(selector)];
const one = (selector) => all(selector)[0];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const drag = (input, value) => { input.value = value; input.dispatchEvent(new page.Event("input", { bubbles: true })); };
const shown = async () => {
  page = frame.contentWindow;
  page.addEventListener("error", (event) => faults.push(event.message));
  await page.document.fonts.ready;
};
const visit = async (address) => {
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  frame.src = new URL(address, "PAGE");
  await loaded;
  await shown();
};
frame.addEventListener("load", async () => {
  let seen;
  try { await shown(); seen = await (async () => { SCRIPT })(); } catch (error) { faults.push(String(error)); }
  const told = document.createElement("pre");
  told.id = "seen";
  told.textContent = JSON.stringify({ seen, faults });
  document.body.append(told);
}, { once: true });
</script></body>"""


def flags(profile):
    return [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}", "--allow-file-access-from-files"]


def act(page, script, width=1280, dark=False):
    """What `script` returns, the body of an asynchronous function that sees the page as `page`, `one` and `all` and goes
    to another by `visit`."""
    with tempfile.TemporaryDirectory() as folder:
        driver = Path(folder) / "driver.html"
        parts = {"WIDTH": str(width), "PAGE": html.escape(page.as_uri()), "SCRIPT": script}
        text = DRIVER
        for name, part in parts.items():
            text = text.replace(name, part)
        driver.write_text(text)
        command = flags(f"{folder}/profile") + [f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--virtual-time-budget=20000", "--dump-dom"]
        found = subprocess.run([*command, driver.as_uri()], capture_output=True, text=True, timeout=120)
    told = re.search(r'<pre id="seen">(.*?)</pre>', found.stdout, re.S)
    assert told, found.stderr[-2000:]
    result = json.loads(html.unescape(told[1]))
    assert not result["faults"], result["faults"]
    return result.get("seen")
