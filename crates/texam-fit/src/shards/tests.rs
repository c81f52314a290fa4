use std::{cell::RefCell, fs::File};

use super::*;
use crate::{
    Choice, Forces, Pairs, Pass, Plan, Run, Softmax, StopReason,
    blocks::Format,
    step::Fit,
    team::tests::{Share, data, on_one_process, plan, without_times},
    tuner::{Job, Next, Observer},
};

/// Keeps the passes, and the fit that led to the last one.
#[derive(Default)]
struct Log(RefCell<Vec<Pass>>, RefCell<Option<Fit>>);

impl Observer for Log {
    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()> {
        self.0.borrow_mut().push(pass.clone());
        *self.1.borrow_mut() = fit.cloned();
        Ok(())
    }
}

/// A file with the sums after something else.
const FORMAT: Format = Format { letters: *b"SU", version: 1, name: "sums", longest: u32::MAX };

fn open(path: &Path) -> Result<ShardSums> {
    let mut blocks = BlockReader::new(File::open(path).unwrap(), &FORMAT).unwrap();
    assert_eq!(blocks.read_value::<u8>("a number").unwrap(), 7);
    ShardSums::open(path, blocks)
}

/// The shards of a pass, one for each of `size` processes, written to files in a folder and opened again.
fn searched(
    choices: &[Choice],
    size: usize,
    objective: &dyn Objective,
    model: &Model,
    plan: &Plan,
    folder: &Path,
) -> Shards {
    let mut shards = Shards::default();
    for rank in 0..size {
        let mut source = Share::new(choices, rank, size);
        let shard = ShardSums::search(&mut source, objective, model, plan).unwrap().unwrap();
        let path = folder.join(rank.to_string());
        let mut blocks = BlockWriter::new(File::create(&path).unwrap(), &FORMAT).unwrap();
        blocks.write_value(&7_u8).unwrap();
        shard.write(&mut blocks).unwrap();
        shards.add(open(&path).unwrap()).unwrap();
    }
    shards
}

/// A run turn by turn.
fn in_turns(
    choices: &[Choice],
    size: usize,
    objective: &dyn Objective,
    start: &Model,
    plan: &Plan,
) -> (Run, Option<Fit>) {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::default();
    let mut fit: Option<Fit> = None;
    loop {
        let values = fit.as_ref().map_or_else(|| start.values(), |fit| fit.values.clone());
        let model = start.with_values(&values).unwrap();
        let shards = searched(choices, size, objective, &model, plan, folder.path());
        let finished = log.0.borrow().clone();
        let job = Job { objective, start, plan, finished, observer: &log };
        match job.merge(shards, fit.as_ref()).unwrap() {
            Next::Fit(next) => fit = Some(*next),
            Next::End(stopped) => return (Run { passes: log.0.into_inner(), stopped }, log.1.into_inner()),
        }
    }
}

#[test]
fn a_run_in_turns_over_files_is_the_run_of_one_process() {
    let (model, choices) = data();
    let objectives: [&dyn Objective; 3] = [&Forces::default(), &Softmax, &Pairs];
    for (objective, errors) in objectives.into_iter().flat_map(|o| [(o, true), (o, false)]) {
        let (alone, fit) = on_one_process(&choices, objective, &model, &plan(errors));
        for size in [1, 3, 30] {
            let (run, last) = in_turns(&choices, size, objective, &model, &plan(errors));
            assert_eq!(without_times(run), alone, "{} in {size}", objective.name());
            assert_eq!(last, fit);
        }
    }
}

#[test]
fn patience_ends_a_run_in_turns_too() {
    let (model, choices) = data();
    let plan = Plan { iterations: 9, patience: Some(1), ..plan(true) };
    let (run, _) = in_turns(&choices, 2, &Forces::none(), &model, &plan);
    assert_eq!((run.stopped, run.passes.len()), (StopReason::Patience, 2));
}

#[test]
fn a_file_that_was_cut_is_an_error_that_names_it() {
    let (model, choices) = data();
    let folder = tempfile::tempdir().unwrap();
    searched(&choices, 1, &Softmax, &model, &plan(true), folder.path());
    let whole = std::fs::read(folder.path().join("0")).unwrap();
    let path = folder.path().join("cut");
    for length in [21, 23, 30, 100, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let error = open(&path).err().unwrap_or_else(|| panic!("{length} of {}", whole.len()));
        assert!(error.to_string().contains("cut"), "{error}");
    }
}

#[test]
fn choices_of_other_weights_are_found_before_they_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let (model, choices) = data();
    let shards = searched(&choices, 1, &Softmax, &model, &plan(false), folder.path());
    drop(shards);
    let shard = open(&folder.path().join("0")).unwrap();
    shard.check(&Softmax, &model).unwrap();
    let fewer = Model::new(model.parameters()[..1].to_vec());
    let fewer = fewer.or_else(|_| Model::new(vec![crate::Parameter::new("a", 0.0)])).unwrap();
    assert!(shard.check(&Softmax, &fewer).is_err());
}
