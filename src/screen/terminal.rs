//! The terminal: opened for the screen, suspended and restored; keys and signals as events.
//!
//! It is restored in every case: by [`Screen::close`], by dropping it, and by the panic hook that ratatui
//! installs. Knows nothing of the content that is drawn.

use std::{
    io::{self, IsTerminal, Write},
    sync::mpsc::Sender,
};

use crossterm::{
    event::{self, DisableBracketedPaste, EnableBracketedPaste},
    execute,
};
use ratatui::{DefaultTerminal, layout::Rect};

use super::{
    app::{App, Event},
    forward, view,
};
use crate::error::{Error, Result};

/// The terminal while the screen is open.
pub struct Screen {
    terminal: Option<DefaultTerminal>,
}

fn cannot(action: &str) -> impl Fn(io::Error) -> Error {
    move |error| Error::io(&format!("cannot {action} the terminal"), error)
}

impl Screen {
    pub fn open() -> Result<Screen> {
        let terminal = ratatui::try_init().map_err(cannot("take over"))?;
        let _ = execute!(io::stdout(), EnableBracketedPaste);
        Ok(Screen { terminal: Some(terminal) })
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
        // `Terminal::clear` would ask the terminal for the position of the cursor, and the thread that reads the
        // keyboard would get the answer.
        self.terminal()?.resize(Rect { x: 0, y: 0, width, height }).map_err(cannot("clear"))
    }

    /// Asks the terminal to put a text on the clipboard (OSC 52). A terminal that does not know the request ignores it.
    pub fn copy(&mut self, text: &str) -> Result<()> {
        let mut out = io::stdout();
        let request = format!("\x1b]52;c;{}\x07", base64(text.as_bytes()));
        out.write_all(request.as_bytes()).and_then(|()| out.flush()).map_err(cannot("write to"))
    }

    /// Restores the terminal.
    pub fn close(&mut self) -> Result<()> {
        if self.terminal.take().is_some() {
            restore().map_err(cannot("restore"))?;
        }
        Ok(())
    }

    /// Restores the terminal, stops until the shell continues the program, and opens the screen again.
    pub fn suspend(&mut self) -> Result<()> {
        self.close()?;
        stop().map_err(cannot("leave"))?;
        *self = Screen::open()?;
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

fn restore() -> io::Result<()> {
    let mut out = io::stdout();
    let _ = execute!(out, DisableBracketedPaste);
    ratatui::try_restore()?;
    execute!(out, crossterm::cursor::Show)?;
    out.flush()
}

/// Stops the whole process group, as the terminal does for Ctrl-Z. So a program that started this one, such as
/// cargo, stops too and the shell returns.
#[cfg(unix)]
fn stop() -> io::Result<()> {
    rustix::process::kill_current_process_group(rustix::process::Signal::STOP)?;
    Ok(())
}

#[cfg(not(unix))]
fn stop() -> io::Result<()> {
    Ok(())
}

/// Starts threads that send keys, sizes and signals.
pub fn listen(events: &Sender<Event>) -> Result<()> {
    forward(events, || {
        loop {
            match event::read() {
                Ok(event::Event::Key(key)) => return Some(Event::Key(key)),
                Ok(event::Event::Resize(width, height)) => return Some(Event::Resize(width, height)),
                Ok(event::Event::Paste(text)) => return Some(Event::Paste(text)),
                Ok(_) => {}
                Err(error) => return Some(Event::ThreadFailed(format!("cannot read the keyboard: {error}"))),
            }
        }
    });
    listen_for_signals(events)
}

#[cfg(unix)]
fn listen_for_signals(events: &Sender<Event>) -> Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP},
        iterator::Signals,
    };
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGTSTP]).map_err(cannot("heed signals of"))?;
    forward(events, move || {
        signals.forever().next().map(|signal| if signal == SIGTSTP { Event::Suspend } else { Event::End })
    });
    Ok(())
}

#[cfg(not(unix))]
fn listen_for_signals(_: &Sender<Event>) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
