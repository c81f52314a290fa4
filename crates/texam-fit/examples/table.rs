//! A fit of rows that are arrays in memory.

use texam_fit::{Model, ObjectiveName, Parameter, Result, RowOptions, RowParts, RowTable, fit};

fn main() -> Result<()> {
    // Sixty choices between two sweets. Each row is one sweet: its sugar and its size. Label 1 is the one
    // that was taken.
    let rows = 120;
    let sugar = |row: usize| (row * 7 % 5) as f64;
    let size = |row: usize| (row * 3 % 8) as f64 + if row.is_multiple_of(2) { 1.0 } else { 0.0 };
    let data: Vec<f64> = (0..rows).flat_map(|row| [sugar(row), size(row)]).collect();
    let indices = [0, 1].repeat(rows);
    let indptr: Vec<i64> = (0..=rows as i64).map(|row| 2 * row).collect();
    let label: Vec<f64> = (0..rows).map(|row| if row % 2 == 0 { 1.0 } else { 0.0 }).collect();
    let choice: Vec<u64> = (0..rows as u64).map(|row| row / 2).collect();
    let parts = RowParts {
        data: &data,
        indices: &indices,
        indptr: &indptr,
        columns: 2,
        label: &label,
        choice: Some(&choice),
        ..RowParts::default()
    };
    let start = Model::new(vec![Parameter::new("sugar", 0.0), Parameter::new("size", 0.0)])?;
    let found = fit(RowTable::new(&parts)?, &start, &RowOptions::new(ObjectiveName::Softmax))?;
    for weight in &found.fit.as_ref().expect("one fit was asked for").parameters {
        println!(
            "{} {:.2}, standard error {:.2}",
            weight.name,
            weight.after,
            weight.standard_error.unwrap_or(f64::NAN)
        );
    }
    assert!(found.after().values[1] > 0.0);
    found.warnings().iter().for_each(|warning| println!("warning: {warning}"));
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
