//! A program in a pseudo-terminal: keys go in, and what stands on the screen is read back.

use std::{
    io::{Read, Write},
    num::NonZero,
    path::Path,
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Nothing here takes so long unless it hangs.
const HANGS_AFTER: Duration = Duration::from_secs(120);

/// A running screen.
pub struct Session {
    pub child: Box<dyn Child + Send + Sync>,
    /// None once the terminal is closed.
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    pub parser: Arc<Mutex<vt100::Parser>>,
    pub has_ended: bool,
    is_closed: Arc<AtomicBool>,
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn lines(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

impl Session {
    pub fn open(args: &[&str], folder: &Path) -> Session {
        Session::open_with(args, folder, &[])
    }

    /// A screen with these variables in its environment.
    pub fn open_with(args: &[&str], folder: &Path, variables: &[(&str, &str)]) -> Session {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_texam"));
        command.args(args);
        command.cwd(folder);
        variables.iter().for_each(|(name, value)| command.env(name, value));
        Session::run(command)
    }

    pub fn run(command: CommandBuilder) -> Session {
        Session::run_on(command, 40, 142)
    }

    /// A program on a screen of this size.
    pub fn run_on(mut command: CommandBuilder, rows: u16, columns: u16) -> Session {
        let pair = native_pty_system().openpty(size(rows, columns)).unwrap();
        if command.get_env("TERM").is_none_or(|name| name != "dumb") {
            command.env("TERM", "xterm-256color");
        }
        if command.get_env("LC_ALL").is_none_or(|name| name != "C") {
            command.env("LC_ALL", "C.UTF-8");
        }
        if command.get_env("XDG_STATE_HOME").is_none() {
            // No place of an earlier sitting, and none to keep one in.
            command.env("XDG_STATE_HOME", "/dev/null");
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let parser = Arc::new(Mutex::new(vt100::Parser::new(lines(rows), lines(columns), 0)));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let is_closed = Arc::new(AtomicBool::new(false));
        let (its_parser, is_its_closed) = (Arc::clone(&parser), Arc::clone(&is_closed));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes)
                && !is_its_closed.load(Ordering::Relaxed)
            {
                its_parser.lock().unwrap().process(&bytes[..count]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Session { child, master: Some(pair.master), keys: Some(keys), parser, has_ended: false, is_closed }
    }

    /// Gives the terminal another size.
    pub fn resize(&self, rows: u16, columns: u16) {
        self.parser.lock().unwrap().screen_mut().set_size(lines(rows), lines(columns));
        self.master.as_ref().unwrap().resize(size(rows, columns)).unwrap();
    }

    pub fn press(&mut self, keys: &str) {
        let writer = self.keys.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Closes the terminal, and waits for the program to end as by SIGHUP.
    pub fn ends_after_hang_up(mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
        // The thread that reads has the terminal open until the next output.
        self.press("?");
        (self.keys, self.master) = (None, None);
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < HANGS_AFTER, "the program goes on without a terminal");
            thread::sleep(Duration::from_millis(5));
        };
        self.has_ended = true;
        assert_eq!(status.exit_code(), 129, "{}", self.contents());
    }

    pub fn contents(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    pub fn is_on_screen(&self) -> bool {
        self.parser.lock().unwrap().screen().alternate_screen()
    }

    pub fn wait_until(&self, what: &str, holds: impl Fn(&Session) -> bool) {
        let begin = Instant::now();
        while !holds(self) {
            assert!(begin.elapsed() < HANGS_AFTER, "waiting for {what} on\n{}", self.contents());
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |session| session.contents().contains(text));
    }

    /// Waits until the screen is right, or has not changed for seconds: what is searched may arrive late.
    pub fn settled(&self, is_right: impl Fn(&str) -> bool) {
        const SETTLED: Duration = Duration::from_secs(8);
        let (mut last, mut since) = (String::new(), Instant::now());
        while since.elapsed() < SETTLED {
            let contents = self.contents();
            if is_right(&contents) {
                return;
            }
            if contents != last {
                (last, since) = (contents, Instant::now());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends the program by these keys.
    pub fn quit(mut self, keys: &str) {
        self.press(keys);
        self.ends_with(0);
    }

    /// Waits for the end, and for the terminal to be as it was.
    pub fn ends_with(mut self, code: u32) {
        let status = self.child.wait().unwrap();
        self.has_ended = true;
        assert_eq!(status.exit_code(), code, "{}", self.contents());
        self.wait_until("the terminal to be given back", |session| !session.is_on_screen());
        assert!(!self.parser.lock().unwrap().screen().hide_cursor());
    }

    pub fn is_stopped(&self) -> bool {
        let pid = self.child.process_id().unwrap().to_string();
        let state = Command::new("ps").args(["-o", "stat=", "-p", &pid]).output().unwrap();
        state.stdout.starts_with(b"T")
    }

    pub fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A test that fails leaves no program behind.
        if !self.has_ended {
            let _ = self.child.kill();
        }
    }
}
