//! The screen of texam as a module for a page, and its jobs as the same module in Web Workers.
//!
//! The page writes into a [`buffer`] and calls [`receive`]; the module answers by calling `send`, and reads
//! the time by `now`. Nothing else passes between the two. `texam.js` has the other side, with the same
//! numbers.

mod html;

use std::{cell::RefCell, io::Read, sync::Once, time::Duration};

use serde_json::{Value, json};
use texam::{
    file,
    screen::{
        Ground,
        hosted::{
            self, HostedScreen, JobKind, KeyCode, KeyEvent, KeyModifier, Leader, Member, MouseAction,
            MouseEvent, Request,
        },
    },
};

/// What the page tells the module.
mod input {
    pub const OPEN: u32 = 0;
    pub const KEY: u32 = 1;
    pub const PASTE: u32 = 2;
    pub const RESIZE: u32 = 3;
    pub const FILE: u32 = 4;
    pub const IDLE: u32 = 5;
    pub const REPLY: u32 = 6;
    pub const FAILED: u32 = 7;
    pub const GIVE: u32 = 8;
    pub const JOB: u32 = 9;
    pub const ERROR: u32 = 10;
    pub const MOUSE: u32 = 11;
    pub const ACT: u32 = 12;
    pub const LEAD: u32 = 13;
    pub const ANSWER: u32 = 14;
    pub const JOIN: u32 = 15;
    pub const ASK: u32 = 16;
}

/// What the module tells the page.
mod output {
    pub const FRAME: u32 = 0;
    pub const BUTTONS: u32 = 1;
    pub const BEGIN: u32 = 2;
    pub const END: u32 = 3;
    pub const COPY: u32 = 4;
    pub const GIVE: u32 = 5;
    pub const REPLY: u32 = 6;
    pub const PANIC: u32 = 7;
    pub const ASK: u32 = 8;
    pub const ANSWER: u32 = 9;
    pub const SHAPES: u32 = 10;
}

/// The kinds of jobs by their numbers.
const KINDS: [JobKind; 2] = [JobKind::Fit, JobKind::Trial];

#[derive(Default)]
struct Module {
    buffer: Vec<u8>,
    screen: Option<HostedScreen>,
    /// In a worker, its part in a fit of several.
    leader: Option<Leader>,
    member: Option<Member>,
    answers: Vec<Vec<u8>>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Room for `length` bytes of the next [`receive`].
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.buffer = vec![0; length];
        module.buffer.as_mut_ptr()
    })
}

/// Takes a message of the page: two numbers, and in the buffer a text of `text_length` bytes with data after
/// it.
#[unsafe(no_mangle)]
pub extern "C" fn receive(what: u32, one: u32, two: u32, text_length: usize) {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        std::panic::set_hook(Box::new(|panic| send(output::PANIC, 0, &panic.to_string(), &[])));
        texam_fit::set_clock(clock);
    });
    MODULE.with_borrow_mut(|module| {
        let mut bytes = std::mem::take(&mut module.buffer);
        let data = bytes.split_off(text_length.min(bytes.len()));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let reply = |reply: &[u8]| send(output::REPLY, 0, "", reply);
        match what {
            input::JOB => return hosted::run_job(&data, reply),
            input::LEAD => {
                module.leader = Leader::new(&data, one as usize, reply);
                return lead(module, false);
            }
            input::ANSWER => {
                module.answers.push(data);
                // The last of them comes with a 1.
                if one == 1 {
                    lead(module, true);
                }
                return;
            }
            input::JOIN => {
                return match Member::join(&data, [one as usize, two as usize], reply) {
                    Ok(member) => module.member = Some(member),
                    Err(error) => send(output::PANIC, 0, &error.to_string(), &[]),
                };
            }
            input::ASK => {
                return match module.member.as_mut().map(|member| member.answer(&data)) {
                    Some(Ok(answer)) => send(output::ANSWER, 0, "", &answer),
                    Some(Err(error)) => send(output::PANIC, 0, &error.to_string(), &[]),
                    None => {}
                };
            }
            _ => {}
        }
        if what == input::OPEN {
            open(module, (one as u16, two as u16), &text, &String::from_utf8_lossy(&data));
        }
        if let Some(screen) = &mut module.screen {
            take(screen, what, [one, two], text, &data);
            screen.requests().into_iter().for_each(carry_out);
            draw(screen);
        } else if what == input::FILE {
            // Before a job, the files that it reads; an error comes up when it reads them.
            let _ = file::write_whole(text, &data);
        }
    });
}

/// Runs on to the next question, if there is one.
fn lead(module: &mut Module, has_answers: bool) {
    let answers = has_answers.then(|| std::mem::take(&mut module.answers));
    if let Some(question) = module.leader.as_mut().and_then(|leader| leader.go_on(answers)) {
        send(output::ASK, 0, "", &question);
    }
}

/// Opens the screen at a place, or at the beginning where there is no such place.
fn open(module: &mut Module, size: (u16, u16), ground: &str, place: &str) {
    let ground = ground_of(ground);
    let opened = HostedScreen::open(place, ground, size).or_else(|error| {
        let mut screen = HostedScreen::open("", ground, size)?;
        screen.show_error(format!("the link names no place: {error}"));
        Ok::<_, texam::Error>(screen)
    });
    match opened {
        Ok(screen) => module.screen = Some(screen),
        Err(error) => send(output::PANIC, 0, &error.to_string(), &[]),
    }
    let buttons: Vec<Value> =
        hosted::buttons().into_iter().map(|(text, key)| json!([text, name_of(key.code)])).collect();
    send(output::BUTTONS, 0, &Value::from(buttons).to_string(), &[]);
    send(output::SHAPES, 0, &hosted::shapes(), &[]);
}

fn ground_of(text: &str) -> Ground {
    if text == "light" { Ground::Light } else { Ground::Dark }
}

fn take(screen: &mut HostedScreen, what: u32, [one, two]: [u32; 2], text: String, data: &[u8]) {
    let kind = KINDS.get(one as usize);
    match what {
        input::KEY => {
            let modifier = [KeyModifier::None, KeyModifier::Control][one.min(1) as usize];
            screen.press(KeyEvent { code: code_of(&text), modifier });
        }
        input::PASTE => screen.paste(text),
        input::RESIZE => screen.resize((one as u16, two as u16), ground_of(&text)),
        input::FILE => {
            if let Err(error) = screen.receive(&text, data, one == 1) {
                screen.show_error(error.to_string());
            }
        }
        input::IDLE => screen.idle(),
        input::REPLY => screen.reply(data),
        input::FAILED => kind.into_iter().for_each(|kind| screen.failed(*kind, &text)),
        input::GIVE => carry_out(Request::Give(text)),
        input::ERROR => screen.show_error(text),
        input::ACT => screen.act(&text),
        input::MOUSE => {
            let does =
                [MouseAction::Click, MouseAction::WheelUp, MouseAction::WheelDown][one.min(2) as usize];
            screen.use_mouse(MouseEvent { does, column: (two >> 16) as u16, line: two as u16 });
        }
        _ => {}
    }
}

fn carry_out(request: Request) {
    let number = |kind| KINDS.iter().position(|other| *other == kind).unwrap_or_default() as u32;
    match request {
        Request::Begin { kind, job, is_shared } => {
            send(output::BEGIN, number(kind), if is_shared { "shared" } else { "" }, &job);
        }
        Request::End(kind) => send(output::END, number(kind), "", &[]),
        Request::Copy(text) => send(output::COPY, 0, &text, &[]),
        Request::Give(path) => {
            // As it is: what was packed stays so.
            let mut bytes = Vec::new();
            if file::open(&path).is_ok_and(|mut file| file.read_to_end(&mut bytes).is_ok()) {
                send(output::GIVE, 0, &path, &bytes);
            }
        }
    }
}

fn draw(screen: &mut HostedScreen) {
    let html = html::lines(screen.buffer());
    let frame = json!({
        "place": screen.place(),
        "message": screen.message(),
        "typing": screen.is_typing(),
        "more": screen.has_more(),
        "files": screen.files(),
        "html": html,
        "exhibit": screen.exhibit(),
    });
    send(output::FRAME, 0, &frame.to_string(), &[]);
}

fn code_of(name: &str) -> KeyCode {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => KeyCode::Char(letter),
        _ => name.parse().unwrap_or(KeyCode::Other),
    }
}

fn name_of(code: KeyCode) -> String {
    match code {
        KeyCode::Char(letter) => letter.to_string(),
        _ => <&str>::from(code).to_string(),
    }
}

#[cfg(target_family = "wasm")]
mod page {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        pub fn send(what: u32, number: u32, text: *const u8, text_size: usize, data: *const u8, size: usize);
        pub safe fn now() -> f64;
    }
}

#[cfg(target_family = "wasm")]
fn send(what: u32, number: u32, text: &str, data: &[u8]) {
    // SAFETY: the page copies the bytes before it returns.
    unsafe { page::send(what, number, text.as_ptr(), text.len(), data.as_ptr(), data.len()) }
}

#[cfg(target_family = "wasm")]
fn clock() -> Duration {
    Duration::from_secs_f64(page::now() / 1000.0)
}

/// Outside of a browser nothing takes messages.
#[cfg(not(target_family = "wasm"))]
fn send(_: u32, _: u32, _: &str, _: &[u8]) {}

#[cfg(not(target_family = "wasm"))]
fn clock() -> Duration {
    Duration::ZERO
}
