//! Any text as rows of another program's evaluation, with its weights: choices that are accepted are written
//! and read back unchanged, the weights too, and a fit to them ends with weights or with an error that says
//! something.
//!
//! An input is the table of weights, an empty line, and the rows.

use std::{collections::HashSet, io::Cursor, sync::Mutex};

use texam_fit::{
    Choice, Force, Forces, Job, Logistic, Loss, Model, Objective, Pairs, Parameter, Plan, Result, Ridge,
    RowCounts, RowInput, RowKind, RowReader, RowSource, Rows, Softmax, read_weights,
    svmrank::{TextRows, write_choice},
    write_weights,
};

crate::target!("rows", check, 400, 1200);

/// A fit of more parameters is left out, since it takes long.
const MOST_PARAMETERS: usize = 40;

/// Bytes of an input that is fitted.
const LONGEST: usize = 20_000;

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (weights, rows) = text.split_once("\n\n").unwrap_or(("", &text));
    let model = match read_weights(weights.as_bytes()) {
        Ok(model) => {
            let mut written = Vec::new();
            write_weights(&model, &mut written).expect("memory can be written");
            let again = read_weights(&written[..]).expect("weights that were written can be read");
            assert_eq!(again.parameters(), model.parameters());
            model
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            Model::new((0..8).map(|at| Parameter::new(format!("w{at}"), f64::from(at))).collect())
                .expect("usable")
        }
    };
    for kind in [RowKind::Choices, RowKind::Labelled] {
        let Some(clusters) = read(rows, kind, &model) else { continue };
        if kind == RowKind::Choices {
            assert_survives(&clusters, &model);
        }
        if model.parameters().len() <= MOST_PARAMETERS && rows.len() <= LONGEST {
            assert_can_be_fitted(rows, kind, &model);
        }
    }
}

/// All choices, cluster by cluster; none where there was an error.
fn read(text: &str, kind: RowKind, model: &Model) -> Option<Vec<Vec<Choice>>> {
    let mut rows = Rows::new(TextRows::new(text.as_bytes(), kind), kind);
    let (mut clusters, mut choices) = (Vec::new(), Vec::new());
    loop {
        match rows.read_cluster(model, &mut choices) {
            Ok(0) => return Some(clusters),
            Ok(used) => clusters.push(choices[..used].to_vec()),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(rows.place().number() as usize <= text.lines().count(), "{error}");
                return None;
            }
        }
    }
}

fn assert_survives(clusters: &[Vec<Choice>], model: &Model) {
    // Choices without a game have the number of the choice instead, which may be that of a game, too.
    let numbers: HashSet<u64> = clusters.iter().map(|choices| choices[0].cluster()).collect();
    if numbers.len() < clusters.len() {
        return;
    }
    let mut written = Vec::new();
    for (query, choice) in clusters.iter().flatten().enumerate() {
        let moves = std::iter::repeat_n("e2e4", choice.len());
        write_choice(&mut written, query as u64, choice, moves).expect("memory can be written");
    }
    let text = String::from_utf8(written).expect("text");
    // Values come from the counts as they are given, which are written as a search has them, in 1/256.
    let rows = |clusters: &[Vec<Choice>]| -> Vec<_> {
        let rows =
            |choice: &Choice| choice.rows().map(|row| (row.columns.to_vec(), row.entries.to_vec())).collect();
        clusters.iter().flatten().map(|choice| (choice.cluster(), rows(choice))).collect::<Vec<(_, Vec<_>)>>()
    };
    let again = read(&text, RowKind::Choices, model).map(|clusters| rows(&clusters));
    assert_eq!(again, Some(rows(clusters)), "{text}");
}

fn assert_can_be_fitted(rows: &str, kind: RowKind, model: &Model) {
    let force = Forces { force: Force::Rank, ..Forces::default() };
    let objectives: &[&dyn Objective] = match kind {
        RowKind::Choices => &[&force, &Softmax, &Pairs],
        RowKind::Labelled => &[&Logistic { loss: Loss::CrossEntropy }, &Logistic { loss: Loss::Squared }],
    };
    for &objective in objectives {
        let mut plan = Plan::default();
        plan.iterations = 1;
        let options = &mut plan.options;
        (options.min_support, options.ridge, options.inner) = (0, Ridge::Fixed(1.0), 2);
        let counts = Mutex::new(RowCounts::default());
        let mut input = Text(rows.to_string());
        let mut source = RowSource::new(&mut input, kind, Some(3), &|_| true, &counts);
        let job = Job { objective, start: model, plan: &plan, finished: Vec::new(), observer: &() };
        match job.run(&mut source) {
            Ok(run) => {
                assert!(run.passes.iter().flat_map(|pass| &pass.values).all(|value| value.is_finite()))
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

struct Text(String);

impl RowInput for Text {
    fn open(&mut self, kind: RowKind, _: &Model) -> Result<Box<dyn RowReader>> {
        self.open_again(kind)
    }

    fn open_again(&mut self, kind: RowKind) -> Result<Box<dyn RowReader>> {
        Ok(Box::new(TextRows::new(Cursor::new(self.0.clone()), kind)))
    }
}
