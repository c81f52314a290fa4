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
    terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
};
use ratatui::{DefaultTerminal, Terminal, backend::CrosstermBackend, layout::Rect};
use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use super::{
    app::{App, Event},
    event_loop::forward,
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
    /// Takes over the terminal, and its mouse if wanted.
    pub fn open(has_mouse: bool) -> Result<Screen> {
        let open = || {
            enable_raw_mode()?;
            execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
            if has_mouse {
                execute!(io::stdout(), EnableMouseCapture)?;
            }
            Terminal::new(CrosstermBackend::new(io::stdout()))
        };
        Ok(Screen { terminal: Some(open().map_err(cannot("take over"))?), has_mouse })
    }

    fn terminal(&mut self) -> Result<&mut DefaultTerminal> {
        self.terminal.as_mut().ok_or_else(|| Error::new("the terminal was given back already"))
    }

    /// Columns and lines.
    pub fn size(&mut self) -> Result<(u16, u16)> {
        let size = self.terminal()?.size().map_err(cannot("measure"))?;
        Ok((size.width, size.height))
    }

    pub fn draw(&mut self, app: &App) -> Result<()> {
        self.terminal()?.draw(|frame| view::draw(frame.buffer_mut(), app)).map_err(cannot("draw on"))?;
        Ok(())
    }

    /// Has the whole screen drawn next time.
    pub fn clear(&mut self) -> Result<()> {
        let (width, height) = self.size()?;
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
        *self = Screen::open(self.has_mouse)?;
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

/// The background of the terminal. Where it does not tell within a third of a second, it is taken for dark.
pub fn ground() -> Ground {
    let mut options = QueryOptions::default();
    options.timeout = Duration::from_millis(300);
    match theme_mode(options) {
        Ok(ThemeMode::Light) => Ground::Light,
        Ok(ThemeMode::Dark) | Err(_) => Ground::Dark,
    }
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
#[cfg(unix)]
fn stop() -> io::Result<()> {
    rustix::process::kill_current_process_group(rustix::process::Signal::STOP)?;
    Ok(())
}

#[cfg(not(unix))]
fn stop() -> io::Result<()> {
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
    forward(events, || {
        loop {
            match event::read() {
                Ok(event::Event::Key(key)) if key.kind == KeyEventKind::Release => {}
                Ok(event::Event::Key(key)) => return Some(Event::Key(key_of(key))),
                Ok(event::Event::Resize(width, height)) => return Some(Event::Resize(width, height)),
                Ok(event::Event::Paste(text)) => return Some(Event::Paste(text)),
                Ok(event::Event::Mouse(mouse)) => {
                    let does = match mouse.kind {
                        MouseEventKind::Down(MouseButton::Left) => MouseAction::Click,
                        MouseEventKind::ScrollUp => MouseAction::WheelUp,
                        MouseEventKind::ScrollDown => MouseAction::WheelDown,
                        _ => continue,
                    };
                    return Some(Event::Mouse(MouseEvent { does, column: mouse.column, line: mouse.row }));
                }
                Ok(_) => {}
                Err(error) => return Some(Event::ThreadFailed(format!("cannot read the keyboard: {error}"))),
            }
        }
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
