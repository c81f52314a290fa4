//! A compiler of C++. Unlike those of Rust and C, it is not needed to build the program.

use std::{env, ffi::OsString, path::Path, process::Command};

use crate::compilers;

#[derive(Clone)]
pub struct Cxx(OsString);

impl Cxx {
    /// The one that is named, or found on the PATH.
    pub fn find() -> Option<Cxx> {
        let runs = |name: &OsString| Command::new(name).arg("--version").output().is_ok();
        let names = env::var_os("CXX")
            .map_or(["c++", "g++", "clang++"].map(OsString::from).into(), |name| vec![name]);
        names.into_iter().find(runs).map(Cxx)
    }

    pub fn compile(&self, folder: &Path, arguments: &[&str]) {
        let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"];
        compilers::compile(&self.0, folder, &[&strict, arguments].concat());
    }
}
