//! The terminal: opened for the screen, suspended and restored; keys and signals as events.
//!
//! It is restored in every case: by [`Screen::close`], by dropping it, and by a panic hook. None of them
//! panics if the terminal is gone. Knows nothing of the content that is drawn.

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
        mpsc::Sender,
    },
    thread,
    time::Duration,
};

use crossterm::{
    event::{
        self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
        KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
    },
    execute,
    style::Print,
    terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
};
use ratatui::{
    DefaultTerminal, Terminal, TerminalOptions, Viewport, backend::CrosstermBackend, layout::Rect,
};

use super::{
    app::{App, Event},
    keys::{KeyCode, KeyEvent, Modifier, MouseAction, MouseEvent},
    theme::Ground,
    view,
};
use crate::error::{Error, Result};

/// The terminal while the screen is open.
pub struct Screen {
    terminal: Option<DefaultTerminal>,
    has_mouse: bool,
}

fn cannot(action: &str) -> impl Fn(io::Error) -> Error {
    move |error| Error::io(&format!("cannot {action} the terminal"), error)
}

impl Screen {
    /// Takes over the terminal, and its mouse if wanted. Where its background is to be found out, asks for
    /// that: the answer comes as [`Event::Ground`], whenever it does.
    pub fn open(has_mouse: bool, asks_for_ground: bool) -> Result<Screen> {
        let open = || {
            enable_raw_mode()?;
            if asks_for_ground {
                execute!(io::stdout(), Print("\x1b]11;?\x07"))?;
            }
            execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
            if has_mouse {
                execute!(io::stdout(), EnableMouseCapture)?;
            }
            let (width, height) = size()?;
            let viewport = Viewport::Fixed(Rect { x: 0, y: 0, width, height });
            Terminal::with_options(CrosstermBackend::new(io::stdout()), TerminalOptions { viewport })
        };
        Ok(Screen { terminal: Some(open().map_err(cannot("take over"))?), has_mouse })
    }

    fn terminal(&mut self) -> Result<&mut DefaultTerminal> {
        self.terminal.as_mut().ok_or_else(|| Error::new("the terminal was given back already"))
    }

    pub fn draw(&mut self, app: &App) -> Result<()> {
        self.terminal()?.draw(|frame| view::draw(frame.buffer_mut(), app)).map_err(cannot("draw on"))?;
        Ok(())
    }

    /// Has the whole screen drawn next time.
    pub fn clear(&mut self) -> Result<()> {
        let (width, height) = size().map_err(cannot("measure"))?;
        // `Terminal::clear` would ask the terminal for the position of the cursor, and the thread that reads
        // the keyboard would get the answer.
        self.terminal()?.resize(Rect { x: 0, y: 0, width, height }).map_err(cannot("clear"))
    }

    /// Asks the terminal to put a text on the clipboard (OSC 52). A terminal that does not know the request
    /// ignores it.
    pub fn copy(&mut self, text: &str) -> Result<()> {
        let mut out = io::stdout();
        let request = format!("\x1b]52;c;{}\x07", base64(text.as_bytes()));
        out.write_all(request.as_bytes()).and_then(|()| out.flush()).map_err(cannot("write to"))
    }

    /// Restores the terminal.
    pub fn close(&mut self) -> Result<()> {
        let Some(mut terminal) = self.terminal.take() else { return Ok(()) };
        if terminal.show_cursor().is_err() {
            // When it is dropped with a hidden cursor, it prints an error, which panics if the terminal is
            // gone.
            std::mem::forget(terminal);
        }
        restore().map_err(cannot("restore"))
    }

    /// Restores the terminal, stops until the shell continues the program, and opens the screen again.
    pub fn suspend(&mut self) -> Result<()> {
        self.close()?;
        stop().map_err(cannot("leave"))?;
        *self = Screen::open(self.has_mouse, false)?;
        self.clear()
    }
}

/// Bytes in Base64. Crossterm has the request above too, but only with a crate for this.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letters = |group: &[u8]| {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | usize::from(group.get(at).copied().unwrap_or(0)));
        let letter = |at: usize| char::from(LETTERS[bits >> (18 - 6 * at) & 63]);
        let count = group.len();
        (0..4).map(move |at| if at <= count { letter(at) } else { '=' }).collect::<String>()
    };
    bytes.chunks(3).map(letters).collect()
}

impl Drop for Screen {
    fn drop(&mut self) {
        // An error cannot be reported from here.
        let _ = self.close();
    }
}

/// Columns of the terminal that standard output is, if it is one.
pub fn columns() -> Option<u16> {
    let width = || crossterm::terminal::size().ok().map(|(columns, _)| columns);
    if io::stdout().is_terminal() { width().filter(|&columns| columns > 0) } else { None }
}

/// Columns and lines. A serial line or a container may say 0: then those of `COLUMNS` and `LINES`, or 80 x 24.
pub fn size() -> io::Result<(u16, u16)> {
    let variable = |name| std::env::var(name).ok()?.parse().ok();
    let or =
        |said, name, usual| Some(said).or_else(|| variable(name)).filter(|&count| count > 0).unwrap_or(usual);
    crossterm::terminal::size().map(|(columns, lines)| (or(columns, "COLUMNS", 80), or(lines, "LINES", 24)))
}

/// The background that an answer to the question names, such as `11;rgb:fdfd/f6f6/e3e3`.
fn ground_of(answer: &str) -> Option<Ground> {
    let part = |text: &str| {
        let most = 16_u32.checked_pow(text.len() as u32)?.checked_sub(1).filter(|&most| most > 0)?;
        Some(f64::from(u32::from_str_radix(text, 16).ok()?) / f64::from(most))
    };
    let parts = answer.strip_prefix("11;rgb:")?.split('/').map(part).collect::<Option<Vec<f64>>>()?;
    let [red, green, blue] = parts[..] else { return None };
    let is_light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5;
    Some(if is_light { Ground::Light } else { Ground::Dark })
}

/// Keys of one answer of the terminal follow each other within this time.
const ANSWER_GAP: Duration = Duration::from_millis(100);

/// Letters of an answer, at most.
const LONGEST_ANSWER: usize = 64;

/// The events of the terminal, without its answers: crossterm takes `ESC ]` for Alt-`]`, and what follows for
/// letters.
#[derive(Default)]
struct Keyboard {
    /// An event that was read behind an answer.
    waiting: Option<event::Event>,
}

impl Keyboard {
    fn next(&mut self) -> io::Result<Option<Event>> {
        let first = self.waiting.take().map_or_else(event::read, Ok)?;
        let start = event::KeyEvent::new(event::KeyCode::Char(']'), KeyModifiers::ALT);
        if first != event::Event::Key(start) {
            return event_of(first);
        }
        let mut answer = String::new();
        while event::poll(ANSWER_GAP)? {
            let next = event::read()?;
            match next.as_key_event().map(|key| (key.code, key.modifiers)) {
                Some((event::KeyCode::Char(letter), KeyModifiers::NONE)) if answer.len() < LONGEST_ANSWER => {
                    answer.push(letter);
                }
                // ESC and a backslash, or BEL.
                Some(
                    (event::KeyCode::Char('\\'), KeyModifiers::ALT)
                    | (event::KeyCode::Char('g'), KeyModifiers::CONTROL),
                ) => break,
                _ => {
                    self.waiting = Some(next);
                    break;
                }
            }
        }
        Ok(ground_of(&answer).map(Event::Ground))
    }
}

/// The event of the screen, if it has one.
fn event_of(event: event::Event) -> io::Result<Option<Event>> {
    Ok(match event {
        event::Event::Key(key) if key.kind != KeyEventKind::Release => Some(Event::Key(key_of(key))),
        event::Event::Resize(..) => size().map(|(width, height)| Some(Event::Resize(width, height)))?,
        event::Event::Paste(text) => Some(Event::Paste(text)),
        event::Event::Mouse(mouse) => {
            let does = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => MouseAction::Click,
                MouseEventKind::ScrollUp => MouseAction::WheelUp,
                MouseEventKind::ScrollDown => MouseAction::WheelDown,
                _ => return Ok(None),
            };
            Some(Event::Mouse(MouseEvent { does, column: mouse.column, line: mouse.row }))
        }
        _ => None,
    })
}

fn restore() -> io::Result<()> {
    let mut out = io::stdout();
    let raw_mode = disable_raw_mode();
    execute!(out, DisableMouseCapture, DisableBracketedPaste, LeaveAlternateScreen, crossterm::cursor::Show)?;
    raw_mode
}

/// Restores the terminal before a panic is reported. Where it cannot be restored, it is gone.
pub fn restore_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let _ = restore();
        report(panic);
    }));
}

/// Stops the whole process group, as the terminal does for Ctrl-Z. So a program that started this one, such
/// as cargo, stops too and the shell returns.
fn stop() -> io::Result<()> {
    #[cfg(unix)]
    rustix::process::kill_current_process_group(rustix::process::Signal::STOP)?;
    Ok(())
}

/// The number of the signal that has asked for the end, or 0. It overtakes the keys that wait.
#[derive(Clone, Default)]
pub struct EndSignal(Arc<AtomicI32>);

impl EndSignal {
    pub fn get(&self) -> Option<i32> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(signal),
        }
    }

    /// The signal after the last event: an error of a terminal that is gone stands for SIGHUP, whose number
    /// is 1.
    pub fn at_the_end(&self) -> Option<i32> {
        self.get().or_else(|| is_gone(Some(Duration::ZERO)).then_some(1))
    }

    #[cfg(unix)]
    fn set(&self, signal: i32, events: &Sender<Event>) {
        self.0.store(signal, Ordering::Relaxed);
        // The event only wakes the loop, which is gone when the program ends.
        let _ = events.send(Event::End);
    }
}

/// A key as the state knows it.
fn key_of(key: event::KeyEvent) -> KeyEvent {
    if (key.code, key.modifiers) == (event::KeyCode::Char('j'), KeyModifiers::CONTROL) {
        // A terminal sends this for an enter that was typed before the screen was open.
        return KeyEvent::plain(KeyCode::Enter);
    }
    let code = match key.code {
        event::KeyCode::Char(letter) => KeyCode::Char(letter),
        event::KeyCode::Enter => KeyCode::Enter,
        event::KeyCode::Esc => KeyCode::Esc,
        event::KeyCode::Tab => KeyCode::Tab,
        event::KeyCode::Backspace => KeyCode::Backspace,
        event::KeyCode::Delete => KeyCode::Delete,
        event::KeyCode::Home => KeyCode::Home,
        event::KeyCode::End => KeyCode::End,
        event::KeyCode::Up => KeyCode::Up,
        event::KeyCode::Down => KeyCode::Down,
        event::KeyCode::Left => KeyCode::Left,
        event::KeyCode::Right => KeyCode::Right,
        event::KeyCode::PageUp => KeyCode::PageUp,
        event::KeyCode::PageDown => KeyCode::PageDown,
        _ => KeyCode::Other,
    };
    // A letter itself shows whether shift is held.
    let modifier = match key.modifiers - KeyModifiers::SHIFT {
        KeyModifiers::NONE => Modifier::None,
        held if held.contains(KeyModifiers::CONTROL) => Modifier::Control,
        _ => Modifier::Other,
    };
    KeyEvent { code, modifier }
}

/// Starts threads that send keys and sizes, and heed signals.
pub fn listen(events: &Sender<Event>) -> Result<EndSignal> {
    let (mut keyboard, sender) = (Keyboard::default(), events.clone());
    thread::spawn(move || {
        let failed = |error| Some(Event::ThreadFailed(format!("cannot read the keyboard: {error}")));
        // Until the receiver is gone.
        while keyboard.next().unwrap_or_else(failed).is_none_or(|event| sender.send(event).is_ok()) {}
    });
    listen_for_signals(events)
}

/// Whether the terminal is gone: its window or connection is closed. Without a time limit it waits for that.
#[cfg(unix)]
fn is_gone(limit: Option<Duration>) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = io::stdout();
    let mut terminal = [PollFd::new(&out, PollFlags::empty())];
    let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
    let polled = rustix::io::retry_on_intr(|| poll(&mut terminal, limit.as_ref()));
    polled.is_ok() && terminal[0].revents().intersects(PollFlags::HUP | PollFlags::ERR)
}

#[cfg(not(unix))]
fn is_gone(_: Option<Duration>) -> bool {
    false
}

#[cfg(unix)]
fn listen_for_signals(events: &Sender<Event>) -> Result<EndSignal> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP},
        iterator::Signals,
    };
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGTSTP]).map_err(cannot("heed signals of"))?;
    let end = EndSignal::default();
    let (of_signals, of_terminal) = ((end.clone(), events.clone()), (end.clone(), events.clone()));
    thread::spawn(move || {
        let (end, events) = of_signals;
        for signal in signals.forever() {
            match signal {
                SIGTSTP => _ = events.send(Event::Suspend),
                _ => end.set(signal, &events),
            }
        }
    });
    // A terminal that is not the controlling one goes away without a signal.
    thread::spawn(move || {
        let (end, events) = of_terminal;
        if is_gone(None) {
            end.set(SIGHUP, &events);
        }
    });
    Ok(end)
}

#[cfg(not(unix))]
fn listen_for_signals(_: &Sender<Event>) -> Result<EndSignal> {
    Ok(EndSignal::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_is_read_from_an_answer_of_any_length_and_nothing_from_another() {
        assert_eq!(ground_of("11;rgb:ff/ff/ff"), Some(Ground::Light));
        assert_eq!(ground_of("11;rgb:0000/2b2b/3636"), Some(Ground::Dark));
        for other in ["", "10;rgb:ff/ff/ff", "11;rgb:ff/ff", "11;rgb://", "11;rgb:123456789/0/0"] {
            assert_eq!(ground_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_capital_letter_is_the_same_with_and_without_shift_and_control_another_key() {
        let key = |modifiers| key_of(event::KeyEvent::new(event::KeyCode::Char('N'), modifiers));
        assert_eq!(key(KeyModifiers::SHIFT), key(KeyModifiers::NONE));
        assert_eq!(key(KeyModifiers::NONE), KeyEvent::plain(KeyCode::Char('N')));
        assert_eq!(key(KeyModifiers::CONTROL), KeyEvent::control('N'));
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        // The examples of RFC 4648.
        let examples = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (text, expected) in examples {
            assert_eq!(base64(text.as_bytes()), expected);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
