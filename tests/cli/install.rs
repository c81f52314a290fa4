//! `make install` and `make uninstall`.

use std::{fs, path::Path, process::Command};

use crate::support::*;

#[test]
fn make_installs_into_the_home_of_a_user_says_so_and_removes_everything() {
    let bench = Bench::new(0);
    let (home, target) =
        (bench.path("home of me"), Path::new(env!("CARGO_BIN_EXE_texam")).ancestors().nth(2));
    // The program is built already.
    fs::create_dir_all(&home).unwrap();
    let cargo = bench.write("cargo", "#!/bin/sh\n");
    assert!(Command::new("chmod").args(["+x", &cargo]).status().unwrap().success());
    let path = format!("{}:{}", bench.folder.path().display(), std::env::var("PATH").unwrap());
    let make = |task: &str, path: &str| {
        let mut command = Command::new("make");
        command.args(["--silent", task]).env_remove("PREFIX").env_remove("DESTDIR");
        command.envs([("HOME", &*home), ("PATH", path)]).env("CARGO_TARGET_DIR", target.unwrap());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_string()
    };
    let said = make("install", &path);
    assert!(said.contains(&format!("installed {home}/.local/bin/texam")), "{said}");
    assert!(said.contains(&format!("export PATH=\"{home}/.local/bin:$PATH\"")), "{said}");
    assert_eq!(make("install", &format!("{path}:{home}/.local/bin")).lines().count(), 1);
    let files =
        || text(&Command::new("find").args([&home, "-type", "f"]).output().unwrap().stdout).to_string();
    for name in ["bin/texam", "man1/texam-fit.1", "completions/texam", "site-functions/_texam", "texam.fish"]
    {
        assert!(files().contains(&format!("/{name}\n")), "{name} in {}", files());
    }
    make("uninstall", &path);
    assert_eq!(files(), "");
}
