//! `.stat` files: the whole story of a run as text, for people and for programs.
//!
//! The layout is fixed (`docs/FORMATS.md`), 80 to 142 columns wide, and holds no times: the same run gives
//! the same bytes. What is needed to go on with a run can be read back by [`parse`]; weights stand in the
//! `.par` files beside it.

mod parse;

pub use parse::parse;

use std::fmt::Write;

use crate::{
    feature::{Key, Mode, Weights, cell_name},
    fit::Fit,
    sample::Agreement,
    tuner::{self, IterationReport, MISS_PLACES, MISS_STEP, Pass},
};

/// First line of the format.
const FORMAT: &str = "texam-stat 1";

/// What was run, on which games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Version of the program.
    pub version: String,
    /// Games as named on the command line.
    pub games: String,
    /// SHA-256 of the unpacked games.
    pub digest: String,
    /// Decisive games in the file.
    pub decisive: u64,
    /// Games that could not be used: broken ones and chess variants.
    pub skipped: u64,
    /// Games held out.
    pub held_out_games: u64,
    /// Positions fitted and positions held out.
    pub positions: [u64; 2],
    /// Digest of the start weights.
    pub start: String,
    /// Options in full, as on the command line, without the leading dashes.
    pub options: Vec<(String, String)>,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// More passes are to come, or would have come.
    Unfinished,
    /// All fits were made, or patience ran out.
    Finished,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Unfinished => "unfinished",
            State::Finished => "finished",
        }
    }
}

/// The text of a `.stat`. `last_fit` is the fit that led to the last pass.
pub fn format(header: &Header, state: State, passes: &[Pass], last_fit: Option<&Fit>) -> String {
    let mut text = String::new();
    let reports: Vec<&IterationReport> = passes.iter().map(|pass| &pass.report).collect();
    write_header(&mut text, header, state).expect(NO_FAILURE);
    write_iterations(&mut text, &reports).expect(NO_FAILURE);
    write_counts(&mut text, &reports).expect(NO_FAILURE);
    if let Some(shown) = Shown::of(&reports) {
        write_ranks(&mut text, &shown).expect(NO_FAILURE);
        write_misses(&mut text, &shown).expect(NO_FAILURE);
    }
    let weights: Vec<&Weights> = passes.iter().map(|pass| &pass.weights).collect();
    write_trend(&mut text, &weights, last_fit).expect(NO_FAILURE);
    write_frozen(&mut text, &weights, last_fit).expect(NO_FAILURE);
    text
}

const NO_FAILURE: &str = "writing to a string does not fail";

fn write_header(text: &mut String, header: &Header, state: State) -> std::fmt::Result {
    writeln!(text, "{FORMAT}")?;
    writeln!(text, "version    {}", header.version)?;
    writeln!(text, "games      {}", header.games)?;
    writeln!(text, "digest     {}", header.digest)?;
    writeln!(text, "decisive   {}", header.decisive)?;
    writeln!(text, "skipped    {}", header.skipped)?;
    writeln!(text, "held-out   {}", header.held_out_games)?;
    writeln!(text, "positions  {} {}", header.positions[0], header.positions[1])?;
    writeln!(text, "start      {}", header.start)?;
    writeln!(text, "state      {}", state.name())?;
    writeln!(text, "\n[options]")?;
    for (name, value) in &header.options {
        writeln!(text, "{name:<12} {value}")?;
    }
    Ok(())
}

fn write_iterations(text: &mut String, reports: &[&IterationReport]) -> std::fmt::Result {
    writeln!(text, "\n[iterations]")?;
    writeln!(
        text,
        "pass   match    s.e.  mean-rank  in-bound  rms-miss   spread      gain  held-out    s.e.\
         \x20   change  condition  solved  rank  residual"
    )?;
    for report in reports {
        let training = &report.training;
        let share = training.in_bound_positions as f64 / (training.positions.max(1)) as f64;
        write!(
            text,
            "{:>4}  {:.4}  {:.4}  {:>9.4}  {share:>8.4}  {:>8.4}  {:>7.4}  {:>8.4}",
            report.number,
            training.match_rate(),
            training.match_error(),
            training.mean_rank(),
            report.miss.rms,
            report.spread,
            report.mean_gain,
        )?;
        match &report.held_out {
            Some(held_out) => {
                write!(text, "    {:.4}  {:.4}", held_out.match_rate(), held_out.match_error())?;
            }
            None => write!(text, "         -       -")?,
        }
        match &report.fit {
            Some(fit) => writeln!(
                text,
                "  {:>8.4}  {:>9}  {:>6}  {:>4}  {:>8.4}",
                fit.max_change,
                format!("{:.2e}", fit.condition),
                fit.solved,
                fit.rank,
                fit.residual
            )?,
            None => writeln!(text, "         -          -       -     -         -")?,
        }
    }
    if !reports.is_empty() {
        let best = tuner::best(reports.iter().copied());
        writeln!(text, "best {best}, last {}", reports.len() - 1)?;
    }
    Ok(())
}

fn write_counts(text: &mut String, reports: &[&IterationReport]) -> std::fmt::Result {
    writeln!(text, "\n[counts]")?;
    writeln!(text, "pass  games      positions      moves    matched       ahead   in-bound       rows")?;
    for report in reports {
        let sets = [("fitted", Some(&report.training)), ("held-out", report.held_out.as_ref())];
        for (name, agreement) in sets {
            if let Some(a) = agreement {
                writeln!(
                    text,
                    "{:>4}  {name:<8}  {:>10} {:>10} {:>10}  {:>10} {:>10} {:>10}",
                    report.number, a.positions, a.moves, a.matched, a.rank_sum, a.in_bound_positions, a.rows
                )?;
            }
        }
    }
    Ok(())
}

/// The passes shown side by side: first, best and last.
struct Shown<'a> {
    reports: [&'a IterationReport; 3],
}

impl<'a> Shown<'a> {
    fn of(reports: &[&'a IterationReport]) -> Option<Shown<'a>> {
        let best = tuner::best(reports.iter().copied());
        let (&first, &last) = (reports.first()?, reports.last()?);
        Some(Shown { reports: [first, reports[best], last] })
    }

    fn write(
        &self,
        text: &mut String,
        title: &str,
        label: &str,
        places: usize,
        name: impl Fn(usize) -> String,
        count: impl Fn(&IterationReport, usize) -> u64,
    ) -> std::fmt::Result {
        writeln!(text, "\n[{title}]")?;
        write!(text, "{label:<10}")?;
        for (name, report) in ["first", "best", "last"].iter().zip(self.reports) {
            write!(text, "  {:>14}   share", format!("{name} (pass {})", report.number))?;
        }
        writeln!(text)?;
        let total = |report| (0..places).map(|place| count(report, place)).sum::<u64>().max(1);
        for place in 0..places {
            write!(text, "{:<10}", name(place))?;
            for report in self.reports {
                let n = count(report, place);
                write!(text, "  {n:>14}  {:.4}", n as f64 / total(report) as f64)?;
            }
            writeln!(text)?;
        }
        Ok(())
    }
}

/// Ranks shown one by one; from here on they share rows.
const SINGLE_RANKS: usize = 20;
/// First ranks of the rows that follow.
const RANK_GROUPS: [usize; 4] = [20, 25, 30, 40];
const RANK_PLACES: usize = SINGLE_RANKS + RANK_GROUPS.len();

/// First rank of a row of the histogram, and the first beyond it.
fn rank_place(place: usize) -> (usize, usize) {
    if place < SINGLE_RANKS {
        return (place, place + 1);
    }
    let group = place - SINGLE_RANKS;
    (RANK_GROUPS[group], RANK_GROUPS.get(group + 1).copied().unwrap_or(usize::MAX))
}

fn rank_name(place: usize) -> String {
    match rank_place(place) {
        (first, end) if end == first + 1 => first.to_string(),
        (first, usize::MAX) => format!("{first}+"),
        (first, end) => format!("{first}-{}", end - 1),
    }
}

fn ranks(agreement: &Agreement, place: usize) -> u64 {
    let (first, end) = rank_place(place);
    let histogram = &agreement.histogram;
    histogram[first.min(histogram.len())..end.min(histogram.len())].iter().sum()
}

fn write_ranks(text: &mut String, shown: &Shown) -> std::fmt::Result {
    shown.write(text, "moves ahead of the played one", "ahead", RANK_PLACES, rank_name, |report, place| {
        ranks(&report.training, place)
    })
}

fn miss_name(place: usize) -> String {
    match place {
        0 => "none".to_string(),
        _ if place == MISS_PLACES - 1 => "more".to_string(),
        _ => format!("to {}", place as f64 * MISS_STEP),
    }
}

fn write_misses(text: &mut String, shown: &Shown) -> std::fmt::Result {
    shown.write(text, "misses of positions in bound", "units", MISS_PLACES, miss_name, |report, place| {
        report.miss.histogram[place]
    })
}

/// Passes at which a trend is shown: start, quarters, end.
fn stations(passes: usize) -> Vec<usize> {
    let last = passes - 1;
    let mut stations: Vec<usize> = (0..=4).map(|quarter| last * quarter / 4).collect();
    stations.dedup();
    stations
}

fn write_trend(text: &mut String, weights: &[&Weights], last_fit: Option<&Fit>) -> std::fmt::Result {
    let Some(fit) = last_fit else { return Ok(()) };
    let stations = stations(weights.len());
    writeln!(text, "\n[weights]")?;
    write!(text, "{:<22}", "weight")?;
    for station in &stations {
        write!(text, " {:>10}", format!("pass {station}"))?;
    }
    writeln!(text, " {:>10} {:>9} {:>9}", "change", "s.e.", "support")?;
    for report in &fit.parameters {
        let at = |pass: usize| report.parameter.get(weights[pass]);
        write!(text, "{:<22}", report.parameter.to_string())?;
        for &station in &stations {
            write!(text, " {:>10.4}", at(station))?;
        }
        let error = report.standard_error.map_or("-".to_string(), |error| format!("{error:.4}"));
        let change = at(weights.len() - 1) - at(0);
        writeln!(text, " {change:>10.4} {error:>9} {:>9}", report.support)?;
    }
    Ok(())
}

fn write_frozen(text: &mut String, weights: &[&Weights], last_fit: Option<&Fit>) -> std::fmt::Result {
    let Some(last) = weights.last() else { return Ok(()) };
    writeln!(text, "\n[frozen]")?;
    if let Some(fit) = last_fit {
        for report in &fit.parameters {
            if let Some(reason) = report.frozen {
                writeln!(text, "{:<22} {reason}", report.parameter.to_string())?;
            }
        }
    }
    for &key in Key::ALL {
        let setting = last.setting(key);
        for (index, _) in setting.tune.iter().enumerate().filter(|&(_, &tune)| !tune) {
            writeln!(text, "{:<22} not tuned", entry_name(last, key, index))?;
        }
    }
    Ok(())
}

/// Name of an entry of a setting: the key, or key and cell where cells are free.
fn entry_name(weights: &Weights, key: Key, index: usize) -> String {
    match weights.setting(key).mode {
        Mode::Cells => cell_name(key.cell_at(index)),
        Mode::Scalar | Mode::Gradient => key.feature().key.to_string(),
    }
}
