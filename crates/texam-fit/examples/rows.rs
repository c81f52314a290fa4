//! Reads rows from text, where `game:` names the cluster, and holds every third cluster out.

use texam_fit::{ObjectiveName, Reason, Result, RowKind, RowOptions, RowTable, fit, read_weights};

fn main() -> Result<()> {
    let text: String = (0..30)
        .map(|n| {
            format!(
                "1 qid:{n} 1:{} 2:{} # game:{n}\n0 qid:{n} 1:{} 2:1 # game:{n}\n",
                n % 3,
                5 - n % 4,
                n % 2
            )
        })
        .collect();
    let rows = RowTable::read(text.as_bytes(), RowKind::Choices)?;
    let model = read_weights("name,value,tune\nfirst,10,true\nsecond,-10,true\n".as_bytes())?;
    let mut options = RowOptions::new(ObjectiveName::Pairs);
    options.hold_out = Some(3);
    let found = fit(rows, &model, &options)?;
    assert_eq!(found.counts.choices, [20, 10]);
    let fit = found.fit.expect("one fit was asked for");
    assert!(fit.values[1] > -10.0);
    let [first, second] = &fit.parameters[..] else { panic!("two weights") };
    assert!(second.standard_error.is_some());
    // It keeps its value, since fewer choices tell it than the 20 that the options ask for.
    assert_eq!(first.frozen, Some(Reason::TooFewChoices(15)));
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
