//! Compilers, which check exported code without a warning. `RUSTC`, `CC` and `CXX` may name others.

use std::{env, ffi::OsString, path::Path, process::Command};

use crate::support::text;

/// Compiles files in a folder.
pub fn compile(program: &OsString, folder: &Path, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap_or_else(|error| {
        panic!("cannot run {program:?} ({error}): install it, or name another in RUSTC, CC or CXX")
    });
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}: {}", text(&output.stderr));
}

fn named(variable: &str, default: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| default.into())
}

pub fn rustc(folder: &Path, arguments: &[&str]) {
    compile(&named("RUSTC", "rustc"), folder, arguments);
}

pub fn cc(folder: &Path, arguments: &[&str]) {
    let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"];
    compile(&named("CC", "cc"), folder, &[&strict, arguments].concat());
}
