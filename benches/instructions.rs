//! How many instructions the parts take, which does not depend on what else the machine does:
//! `cargo bench -p texam-benches --bench instructions`, with valgrind and `gungraun-runner` installed.

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use texam::search::MoveHints;
use texam_benches::{Stored, Workload};

fn positions() -> Workload {
    Workload::new(50)
}

fn gradients() -> Stored {
    Workload::new(200).stored(false)
}

fn cells() -> Stored {
    Workload::new(200).stored(true)
}

#[library_benchmark]
#[bench::of_50_positions(positions())]
// The work is handed back, so that its end is not measured.
fn evaluation(work: Workload) -> (i64, Workload) {
    (black_box(work.evaluate()), work)
}

#[library_benchmark]
#[bench::of_50_positions(positions())]
fn quiescence(work: Workload) -> (i64, Workload) {
    (black_box(work.quiesce()), work)
}

#[library_benchmark]
#[bench::of_50_positions(positions())]
fn search(work: Workload) -> (u64, Workload) {
    (black_box(work.search()), work)
}

fn positions_searched() -> (Workload, Vec<MoveHints>) {
    let work = positions();
    let hints = work.hints();
    (work, hints)
}

#[library_benchmark]
#[bench::of_50_positions(positions_searched())]
fn search_again((work, hints): (Workload, Vec<MoveHints>)) -> (u64, Workload, Vec<MoveHints>) {
    (black_box(work.search_again(&hints)), work, hints)
}

#[library_benchmark]
#[bench::of_50_positions(positions())]
fn perft_by_shakmaty(work: Workload) -> (u64, Workload) {
    (black_box(work.perft()), work)
}

#[library_benchmark]
#[bench::gradients_of_200_positions(gradients())]
#[bench::free_cells_of_200_positions(cells())]
fn normal_equations(mut stored: Stored) -> (f64, Stored) {
    (black_box(stored.fit()), stored)
}

library_benchmark_group!(
    name = parts,
    benchmarks = [evaluation, quiescence, search, search_again, perft_by_shakmaty, normal_equations]
);
main!(library_benchmark_groups = parts);
