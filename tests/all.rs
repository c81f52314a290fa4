//! The tests of the program as a whole, in one binary, since linking each of them takes longer than most run.

mod architecture;
mod cli;
mod compilers;
mod export;
mod lessons;
mod pages;
mod schema;
mod screen;
mod search;
mod support;
#[cfg(unix)]
mod terminal;
mod tuner_1988;
mod tuning;
