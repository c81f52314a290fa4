//! How long the parts take: `cargo bench -p texam-benches --bench time`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use texam_benches::Workload;

fn parts(criterion: &mut Criterion) {
    let work = Workload::new(100);
    let mut group = criterion.benchmark_group("100 positions");
    group.sample_size(20);
    group.bench_function("evaluation", |b| b.iter(|| black_box(work.evaluate())));
    group.bench_function("quiescence", |b| b.iter(|| black_box(work.quiesce())));
    group.bench_function("search", |b| b.iter(|| black_box(work.search())));
    let hints = work.hints();
    group.bench_function("search again", |b| b.iter(|| black_box(work.search_again(&hints))));
    group.bench_function("perft of the same plies by shakmaty", |b| b.iter(|| black_box(work.perft())));
    group.finish();

    let more = Workload::new(2_000);
    let mut group = criterion.benchmark_group("2000 positions");
    group.sample_size(10);
    for (name, free) in [("normal equations, gradients", false), ("normal equations, free cells", true)] {
        let mut stored = more.stored(free);
        group.bench_function(name, |b| b.iter(|| black_box(stored.fit())));
    }
    group.finish();
}

criterion_group!(benches, parts);
criterion_main!(benches);
