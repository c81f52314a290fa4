//! `texam report`: a run as one page of HTML.
//!
//! If the positions cannot be searched, the page is written without them and says why.

mod inputs;
mod player;

pub(super) use self::inputs::held_out_of;

use texam_fit::ObjectiveName;

use self::inputs::RunInputs;
use super::{
    Outcome, note, on_threads,
    output::OutputFile,
    print,
    progress::{self, Progress},
    warn,
};
use crate::{
    commands::cli::ReportArgs,
    error::{Error, Result},
    run::{StoredRun, StoredWeights, stat::RunRecord},
    show::{
        plot::PassWeights,
        report::{
            self, Positions, Report,
            positions::{self, ComparisonObserver, PositionChanges},
        },
    },
};

pub(super) fn run(args: &ReportArgs) -> Result<Outcome> {
    if let Some(name) = &args.player.player {
        return player::run(args, name);
    }
    let stat = args.stat()?;
    let run = StoredRun::open(stat)?;
    let last = run.record.reports.len() - 1;
    let pass = match args.pass {
        Some(pass) if pass as usize > last => {
            return Err(Error::expected(format!("--pass of at most {last}, the last of the run"), pass));
        }
        Some(pass) => pass,
        None => run.record.best().filter(|&best| best > 0).unwrap_or(last) as u32,
    };
    let output = args.output.clone().unwrap_or_else(|| stat.with_extension("html"));
    let inputs = inputs::files(args, &run);
    let output = OutputFile::new(&output, args.overwrite, inputs)?;
    progress::handle_interrupts();
    let StoredWeights { passes, left_out } = run.weights(&mut note);
    let (positions, outcome) = compare_positions(args, pass, &run, &passes)?;
    if let Some(why) = &left_out {
        warn(&format!("drawn {why}"));
    }
    let outcome = outcome.and(Outcome::complete_if(left_out.is_none()));
    let report = Report { name: &run.files.name, record: &run.record, passes: &passes, pass, positions };
    output.write(report::page(&report)?.as_bytes())?;
    print(&summary(&output, &report))?;
    Ok(outcome)
}

/// The positions that changed most from the start to a pass, or the reason why they are left out.
fn compare_positions(
    args: &ReportArgs,
    pass: u32,
    run: &StoredRun,
    passes: &PassWeights,
) -> Result<(Positions, Outcome)> {
    let record = &run.record;
    let omitted = match record.header.objective() {
        _ if args.positions == 0 => Some("No position was searched, as asked for (--positions 0)."),
        _ if record.is_on_rows() => {
            Some("The run is made on rows of another program: its positions are not known here.")
        }
        ObjectiveName::Logistic => {
            Some("The run is made from positions labelled with results: there are no moves to compare.")
        }
        _ if pass == 0 => Some("The run has made no fit yet: there is nothing to compare the start with."),
        _ => None,
    };
    if let Some(why) = omitted {
        return Ok((Positions { comparison: None, warnings: vec![why.to_string()] }, Outcome::Complete));
    }
    let inputs = match RunInputs::prepare(args, pass, run, passes) {
        Ok(inputs) => inputs,
        Err(why) => {
            warn(&format!("no positions in the page: {why}"));
            let warnings = vec![format!("The positions are left out. {why}")];
            return Ok((Positions { comparison: None, warnings }, Outcome::Incomplete));
        }
    };
    let progress_observer = ComparisonProgress {
        progress: Progress::new(),
        names: vec!["start".to_string(), format!("pass {pass}")],
    };
    let comparison = on_threads(args.threads, || {
        let RunInputs { sampling, .. } = &inputs;
        let (sets, weights, most) = (inputs.sets(), inputs.weights(), args.positions as usize);
        positions::compare(sets, weights, inputs.counts(), sampling, most, &progress_observer)
    })?;
    progress_observer.progress.clear();
    let comparison = comparison
        .ok_or_else(|| Error::new("cancelled before all positions were searched; nothing was written"))?;
    let warnings = count_mismatches(record, pass, &comparison);
    warnings.iter().for_each(|warning| warn(warning));
    let outcome = Outcome::complete_if(warnings.is_empty());
    Ok((Positions { comparison: Some(comparison), warnings }, outcome))
}

/// Warnings for passes that were searched and have other counts than in the `.stat` file.
fn count_mismatches(record: &RunRecord, pass: u32, comparison: &PositionChanges) -> Vec<String> {
    let mut warnings = Vec::new();
    for (index, pass) in [0, pass].into_iter().enumerate() {
        let report = &record.reports[pass as usize];
        let recorded = [Some(&report.fitted), report.held_out.as_ref()];
        let same = recorded.into_iter().zip(&comparison.counts).all(|(set, counts)| match (set, counts) {
            (Some(set), Some(counts)) => {
                counts.agreement[index].as_ref().is_none_or(|searched| set.counts_as(searched))
            }
            (set, counts) => set.is_none_or(|set| set.choices == 0) && counts.is_none(),
        });
        if !same {
            warnings.push(format!(
                "Pass {pass} does not agree with the winners as often as its .stat says: its .par or the program has \
                 changed since. The positions below are those of the .par."
            ));
        }
    }
    warnings
}

/// Shows the progress of the comparison.
struct ComparisonProgress {
    progress: Progress,
    names: Vec<String>,
}

impl ComparisonObserver for ComparisonProgress {
    fn begins(&self, weights: usize, positions: usize) {
        self.progress.begin(self.names[weights].clone(), positions);
    }

    fn searched(&self) -> bool {
        self.progress.tick()
    }
}

/// The printed summary: the file written, and the numbers of positions that changed.
fn summary(output: &OutputFile, report: &Report) -> String {
    let mut text = output.summary();
    let pass = report.pass;
    if let Some(comparison) = &report.positions.comparison {
        for (name, counts) in ["fitted", "held out"].into_iter().zip(&comparison.counts) {
            let Some(counts) = counts else { continue };
            text += &format!(
                "pass {pass} against the start, {name}: {} positions, {} improved, {} worse\n",
                counts.paired.positions, counts.improved, counts.worse
            );
        }
    }
    text
}
