//! Every form of export is checked by using it: source code is compiled and run, data is read back, and each
//! must give what the evaluation itself gives, to the last unit.

mod code;
mod data;
pub mod positions;
mod sets;
