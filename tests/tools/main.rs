//! Tests that need a program which building texam does not: a browser, or a compiler of C++.
//!
//! Without it, they are counted as ignored, with the reason beside their names; the standard test harness
//! cannot decide that at run time.

mod browser;
#[path = "../compilers.rs"]
mod compilers;
mod cxx;
mod page;
mod rows;
#[allow(dead_code)]
#[path = "../support.rs"]
mod support;
mod table;

use std::{env, process::ExitCode};

use libtest_mimic::{Arguments, Trial};

use browser::Browser;
use cxx::Cxx;

/// Tests by their names.
type Tests<T> = &'static [(&'static str, T)];

/// Those that need nothing else, beside what they share with others.
const ALWAYS: [Tests<fn()>; 3] = [page::WITHOUT_BROWSER, rows::IN_C, table::IN_C_AND_RUST];

fn main() -> ExitCode {
    let always = ALWAYS.iter().copied().flatten().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    let in_browser = trials(page::IN_BROWSER, Browser::find(), "TEXAM_REQUIRE_BROWSER", "Chromium or Chrome");
    let in_cxx = [rows::IN_CXX, table::IN_CXX]
        .into_iter()
        .flat_map(|tests| trials(tests, Cxx::find(), "TEXAM_REQUIRE_CXX", "a compiler of C++"));
    let tests = always.chain(in_browser).chain(in_cxx).collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// The tests with their tool. Where there is none they are ignored, unless the variable is set that requires
/// it.
fn trials<T: Clone + Send + 'static>(
    tests: Tests<fn(&T)>,
    tool: Option<T>,
    required: &str,
    name_of_tool: &str,
) -> Vec<Trial> {
    assert!(
        tool.is_some() || env::var_os(required).is_none(),
        "{required} is set, but {name_of_tool} is not installed"
    );
    let trial = |&(name, test): &(&str, fn(&T))| match tool.clone() {
        Some(tool) => Trial::test(name, move || {
            test(&tool);
            Ok(())
        }),
        None => {
            Trial::test(name, || Ok(())).with_kind(format!("needs {name_of_tool}")).with_ignored_flag(true)
        }
    };
    tests.iter().map(trial).collect()
}
