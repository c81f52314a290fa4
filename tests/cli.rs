//! The command line from outside: what it prints, how it ends, and which files it leaves.
//!
//! Everything runs the program itself, on the first few of the shipped games, mostly at one ply.

mod built_in;
mod conversation;
mod damage;
mod differences;
mod export;
mod fields;
mod games;
mod groups;
mod help;
#[cfg(unix)]
mod install;
#[cfg(target_os = "linux")]
mod interrupts;
mod labels;
mod machine;
mod matches;
mod objectives;
mod outputs;
mod players;
mod plots;
mod positions;
mod presearch;
mod presets;
mod report;
mod resume;
mod rows;
mod runs;
mod tables;
mod traces;
mod trees;
mod weights;
