//! The fuzz targets. Each has two tests: one for the corpus and any bytes, one for mutants of the corpus.

mod database;
mod fen;
mod names;
mod par;
mod pgn;
mod rows;
mod run_spec;
mod stat;
mod tree;
mod uci;

/// The two tests of a target: `check` gets bytes, those of the corpus first, and mutants of the corpus. The
/// last arguments are the numbers of cases of both in an ordinary test.
macro_rules! target {
    ($name:literal, $check:path, $bytes:expr, $mutants:expr) => {
        #[test]
        fn corpus_and_any_bytes() {
            bolero::check!(name = $name)
                .with_iterations(texam_fuzz::cases($bytes))
                .for_each(|bytes: &[u8]| $check(bytes));
        }

        #[test]
        fn mutants_of_the_corpus() {
            let corpus = texam_fuzz::Corpus::of($name);
            bolero::check!(name = concat!($name, "_mutants"))
                .with_type::<texam_fuzz::Recipe>()
                .map(move |recipe| corpus.mutant(&recipe))
                .with_iterations(texam_fuzz::cases($mutants))
                .for_each(|input| $check(&input.0));
        }
    };
}
use target;
