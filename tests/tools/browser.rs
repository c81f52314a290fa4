//! A browser without a window: opens a page as a screen of some width would show it, lets a script act in it,
//! and tells what the script saw and what was complained of.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// Names under which a browser of this kind is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

#[derive(Clone)]
pub struct Browser {
    program: PathBuf,
}

/// How a page is looked at.
#[derive(Clone, Copy)]
pub struct Look {
    /// Width of the page in pixels.
    pub width: u32,
    pub dark: bool,
}

/// A screen by day.
pub const SCREEN: Look = Look { width: 1200, dark: false };

/// What came of a visit.
pub struct Visit {
    /// What the script returned.
    pub seen: Value,
    /// What the browser wrote to the console, errors of scripts and loads that were refused among it.
    pub console: Vec<String>,
}

impl Browser {
    /// The browser of this machine, if there is one on the PATH.
    pub fn find() -> Option<Browser> {
        let folders = env::var_os("PATH")?;
        let mut paths =
            NAMES.iter().flat_map(|name| env::split_paths(&folders).map(move |path| path.join(name)));
        Some(Browser { program: paths.find(|path| path.is_file())? })
    }

    /// Opens `page` and runs `script`, the body of a function, when it has loaded.
    pub fn visit(&self, page: &str, look: Look, script: &str) -> Visit {
        let folder = TempDir::new().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        // The script's own failure is told like any other, by the console.
        let acting = format!(
            "<script>addEventListener('load', function () {{ const act = function () {{ {script} }};\n\
             parent.postMessage(JSON.stringify(act()), '*'); }});</script></body>"
        );
        let end = page.rfind("</body>").expect("the page has a body");
        file("page.html", &format!("{}{acting}{}", &page[..end], &page[end + "</body>".len()..]));
        // A frame can be narrower than a window, and tells what it saw from outside.
        let frame = format!(
            "<!doctype html><pre id=\"seen\"></pre><script>addEventListener('message', function (event) {{\n\
             document.getElementById('seen').textContent = event.data; }});</script>\n\
             <iframe src=\"page.html\" style=\"border:0;width:{}px;height:900px\"></iframe>",
            look.width
        );
        self.open(&file("frame.html", &frame), look, folder.path())
    }

    fn open(&self, path: &Path, look: Look, folder: &Path) -> Visit {
        let output = Command::new(&self.program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg(format!("--blink-settings=preferredColorScheme={}", if look.dark { 0 } else { 1 }))
            .arg(format!("--window-size={},1000", look.width + 20))
            .arg(format!("file://{}", path.display()))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let [dom, log] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let seen = dom.split_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
        let seen = seen.map_or("", |(seen, _)| seen);
        let seen =
            seen.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
        Visit {
            seen: serde_json::from_str(&seen).unwrap_or(Value::Null),
            console: log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_string).collect(),
        }
    }
}

impl Visit {
    /// What the script saw, where nothing at all was complained of.
    pub fn quiet(self) -> Value {
        assert!(self.console.is_empty(), "{:#?}", self.console);
        assert!(!self.seen.is_null(), "the script told nothing");
        self.seen
    }
}
