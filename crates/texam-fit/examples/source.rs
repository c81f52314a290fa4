//! A source of choices of its own: an array here, a search elsewhere. A `Job` makes several fits, and asks it
//! again after each.

use texam_fit::{
    Agreement, Choice, Forces, Job, Measured, Model, Parameter, Plan, Result, Ridge, Sink, Source, Standing,
};

/// Counts of (sugar, size) of the sweets on four tables, the one that was taken first.
const TABLES: [[[i64; 2]; 3]; 4] =
    [[[1, 6], [3, 1], [2, 2]], [[2, 7], [4, 2], [1, 1]], [[0, 5], [3, 0], [2, 2]], [[3, 8], [4, 5], [5, 1]]];

struct Tables;

impl Source for Tables {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let mut agreement = Agreement::default();
        for (number, table) in TABLES.iter().enumerate() {
            // Entries are in 1/256 count, values in 2^-32 unit.
            let rows = table.map(|counts| counts.map(|count| 256 * count));
            let values = rows.map(|row| model.value([(0, row[0]), (1, row[1])]));
            let ahead = values[1..].iter().filter(|&&value| value > values[0]).count() as u32;
            let tied = values[1..].iter().filter(|&&value| value == values[0]).count() as u32;
            agreement.count(&Standing { alternatives: 3, ahead, tied, rows: 3 });
            let mut choice = Choice::default();
            choice.begin(number as u64, ahead);
            for (row, value) in rows.iter().zip(values) {
                choice.push(value, [(0, row[0]), (1, row[1])])?;
            }
            sink.accept(&[choice])?;
        }
        Ok(Some(Measured { fitted: agreement, ..Measured::default() }))
    }
}

fn main() -> Result<()> {
    // The start believes that sugar matters most; the fit learns that size does.
    let start = Model::new(vec![Parameter::new("sugar", 10.0), Parameter::new("size", 2.0)])?;
    let mut plan = Plan::default();
    plan.iterations = 8;
    (plan.options.min_support, plan.options.ridge) = (1, Ridge::Fixed(1.0));
    let forces = Forces { strength: 128.0, ..Forces::default() };
    let job = Job { objective: &forces, start: &start, plan: &plan, finished: Vec::new(), observer: &() };
    let run = job.run(&mut Tables)?;
    let [first, .., last] = &run.passes[..] else { panic!("nine passes") };
    assert_eq!((first.report.fitted.match_rate(), last.report.fitted.match_rate()), (0.0, 1.0));
    assert!(last.values[1] > 2.0 && last.values[0] < 10.0);
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
