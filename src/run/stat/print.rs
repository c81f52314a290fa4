//! Writes a `.stat`.

use std::fmt::{self, Result, Write};

use texam_fit::{
    Difference, Figures, FitReport, LossReport, MISS_PLACES, MISS_STEP, MeanLoss, Pass, PassReport, best,
};

use super::{
    AHEAD, AHEAD_BY_PASS, AHEAD_PLACES, ALL, CHANGES, COUNT_TITLES, COUNTS, FITTED, FORMAT, FROZEN,
    FrozenWeight, HELD_OUT, Header, ITERATIONS, LOSS, MISSES, NO_VALUE, OPTIONS, RANK_ERRORS, RIDGES,
    RUN_ERRORS, RunRecord, State, Trend, Trends, WEIGHT_ERRORS, WEIGHTS, ahead_counts, as_printed,
    shown_passes,
};

use crate::printable::{one_line, quoted::word_of};

const NO_FAILURE: &str = "writing to a string does not fail";

/// The text of a `.stat`.
pub fn format(header: &Header, state: State, passes: &[Pass], trends: &Trends) -> String {
    let reports: Vec<PassReport> = passes.iter().map(|pass| as_printed(&pass.report)).collect();
    format_record(header, state, &reports, trends)
}

fn format_record(header: &Header, state: State, reports: &[PassReport], trends: &Trends) -> String {
    let mut text = format_measurements(header, state, reports);
    if !reports.is_empty() {
        text += &format_trends(trends);
    }
    text
}

impl fmt::Display for RunRecord {
    /// The text of its `.stat`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Result {
        f.write_str(&format_record(&self.header, self.state, &self.reports, &self.trends))
    }
}

/// The text of a `.stat` file without its last two sections, those on the weights.
pub(super) fn format_measurements(header: &Header, state: State, reports: &[PassReport]) -> String {
    let mut text = String::new();
    let write = |text: &mut String| -> Result {
        write_header(text, header, state)?;
        write_iterations(text, reports)?;
        write_losses(text, reports)?;
        write_ridges(text, reports)?;
        if header.has_moves() {
            write_counts(text, reports)?;
            write_changes(text, reports)?;
            write_rank_errors(text, reports)?;
        }
        write_run_errors(text, reports)?;
        if header.has_moves() {
            write_ahead(text, reports)?;
        }
        if header.has_misses() {
            write_misses(text, reports)?;
        }
        if header.has_moves() {
            write_ahead_by_pass(text, reports)?;
        }
        Ok(())
    };
    write(&mut text).expect(NO_FAILURE);
    text
}

fn write_header(text: &mut String, header: &Header, state: State) -> Result {
    writeln!(text, "{FORMAT}")?;
    writeln!(
        text,
        "# The record of a fit: the games and options, the agreement with the winners in each pass,"
    )?;
    let units = if header.is_on_rows() { "those of the table of weights" } else { "1/128 pawn" };
    writeln!(text, "# and the weights. Units are {units}. docs/FORMATS.md explains every column.")?;
    writeln!(text, "version    {}", one_line(&header.version))?;
    writeln!(text, "games      {}", one_line(&header.games))?;
    writeln!(text, "digest     {}", one_line(&header.digest))?;
    writeln!(text, "decisive   {}", header.decisive)?;
    writeln!(text, "skipped    {}", header.skipped)?;
    writeln!(text, "held-out   {}", header.held_out_games)?;
    writeln!(text, "positions  {} {}", header.positions[0], header.positions[1])?;
    writeln!(text, "start      {}", one_line(&header.start))?;
    writeln!(text, "state      {state}")?;
    write_title(text, OPTIONS, "As on the command line of texam fit, without the leading dashes.")?;
    for (name, value) in &header.options {
        writeln!(text, "{name:<12} {}", one_line(value))?;
    }
    Ok(())
}

fn write_title(text: &mut String, title: &str, remark: &str) -> Result {
    writeln!(text, "\n[{title}]\n# {remark}")
}

fn write_iterations(text: &mut String, reports: &[PassReport]) -> Result {
    write_title(
        text,
        ITERATIONS,
        "Pass 0 measures the start, pass N the weights of fit N. s.e.: standard error of the rate before it.",
    )?;
    writeln!(
        text,
        "pass   match    s.e.  held-out    s.e.  mean-rank  in-bound    rms-miss     spread        gain\
         \x20     change  condition  solved  rank   residual"
    )?;
    for report in reports {
        write_iteration(text, report)?;
    }
    match reports.len() {
        0 => Ok(()),
        passes => writeln!(text, "best {}, last {}", best(reports.iter()), passes - 1),
    }
}

fn write_iteration(text: &mut String, report: &PassReport) -> Result {
    let PassReport { number, fitted, held_out, .. } = report;
    if !report.criterion.has_choices() {
        write!(text, "{number:>4}")?;
        for width in [6, 6, 8, 6, 9, 8, 10, 9, 10] {
            write!(text, "  {NO_VALUE:>width$}")?;
        }
        return write_fit(text, report);
    }
    write!(text, "{number:>4}  {:.4}  {:>6}", fitted.match_rate(), error_text(fitted.match_error(), 4))?;
    match held_out {
        Some(held_out) => {
            write!(text, "    {:.4}  {:>6}", held_out.match_rate(), error_text(held_out.match_error(), 4))?;
        }
        None => write!(text, "  {NO_VALUE:>8}  {NO_VALUE:>6}")?,
    }
    write!(
        text,
        "  {:>9}  {:>8}  {:>10}  {:>9}  {:>10}",
        decimal(fitted.mean_rank()),
        decimal(share(fitted.kept_choices, fitted.choices)),
        decimal(report.misses.rms),
        decimal(report.spread),
        decimal(report.mean_gain),
    )?;
    write_fit(text, report)
}

/// The columns on the fit that led to a pass.
fn write_fit(text: &mut String, report: &PassReport) -> Result {
    let [change, condition, solved, rank, residual] = match &report.fit {
        Some(fit) => fit_fields(fit),
        None => [(); 5].map(|()| NO_VALUE.to_string()),
    };
    writeln!(text, "  {change:>10}  {condition:>9}  {solved:>6}  {rank:>4}  {residual:>9}")
}

fn fit_fields(fit: &FitReport) -> [String; 5] {
    [
        decimal(fit.max_change),
        format!("{:.2e}", fit.condition),
        fit.solved.to_string(),
        fit.rank.to_string(),
        fit.residual.map_or(NO_VALUE.to_string(), decimal),
    ]
}

/// The section on the loss, which only objectives with a temperature have.
fn write_losses(text: &mut String, reports: &[PassReport]) -> Result {
    if reports.iter().all(|report| report.loss.is_none()) {
        return Ok(());
    }
    write_title(
        text,
        LOSS,
        "Mean loss of a choice with its standard error, fitted and held out; the temperature in units.",
    )?;
    writeln!(text, "pass        loss      s.e.    held-out      s.e.  temperature")?;
    for report in reports {
        let Some(LossReport { temperature, fitted, held_out }) = report.loss else { continue };
        let fields = |loss: Option<MeanLoss>| match loss {
            Some(loss) => [format!("{:.6}", loss.mean), format!("{:.6}", loss.error)],
            None => [(); 2].map(|()| NO_VALUE.to_string()),
        };
        let ([loss, error], [held_out, held_out_error]) = (fields(Some(fitted)), fields(held_out));
        writeln!(
            text,
            "{:>4}  {loss:>10}  {error:>8}  {held_out:>10}  {held_out_error:>8}  {:>11}",
            report.number,
            decimal(temperature)
        )?;
    }
    Ok(())
}

fn write_counts(text: &mut String, reports: &[PassReport]) -> Result {
    write_title(
        text,
        COUNTS,
        "The counts behind the rates: positions with two or more legal moves, and those that the fit may use.",
    )?;
    write!(text, "pass  games   ")?;
    for title in COUNT_TITLES {
        write!(text, "  {title:>11}")?;
    }
    writeln!(text)?;
    for report in reports {
        let sets = [(FITTED, Some(&report.fitted)), (HELD_OUT, report.held_out.as_ref())];
        for (name, agreement) in sets {
            let Some(a) = agreement else { continue };
            write!(text, "{:>4}  {name:<8}", report.number)?;
            for count in
                [a.choices, a.alternatives, a.matched, a.rank_sum, a.tied_sum, a.kept_choices, a.rows]
            {
                write!(text, "  {count:>11}")?;
            }
            writeln!(text)?;
        }
    }
    Ok(())
}

/// A standard error with so many decimals, or a sign that there is none.
pub fn error_text(error: f64, decimals: usize) -> String {
    if error.is_finite() { format!("{error:.decimals$}") } else { NO_VALUE.to_string() }
}

/// The section on the differences from the start, if there are any.
fn write_changes(text: &mut String, reports: &[PassReport]) -> Result {
    if reports.iter().all(|report| report.against_start == [None; 2]) {
        return Ok(());
    }
    write_title(
        text,
        CHANGES,
        "Each pass less pass 0 on the same positions; errors of the paired difference, by game.",
    )?;
    writeln!(text, "pass  games        match     s.e.  mean-rank     s.e.")?;
    for report in reports {
        for (name, change) in [FITTED, HELD_OUT].into_iter().zip(report.against_start) {
            let Some(Difference { match_rate, match_error, mean_rank, mean_rank_error }) = change else {
                continue;
            };
            let [match_error, rank_error] = [match_error, mean_rank_error].map(|error| error_text(error, 5));
            write!(text, "{:>4}  {name:<8}  {match_rate:>8.5}  {match_error:>7}  ", report.number)?;
            writeln!(text, "{mean_rank:>9.5}  {rank_error:>7}")?;
        }
    }
    Ok(())
}

/// The section on the errors of differences between passes, if there are any.
fn write_rank_errors(text: &mut String, reports: &[PassReport]) -> Result {
    if reports.iter().all(|report| report.rank_errors.iter().all(Option::is_none)) {
        return Ok(());
    }
    write_title(
        text,
        RANK_ERRORS,
        "The standard error of a pass's mean rank on held-out games minus that of each pass before it, by game.",
    )?;
    write!(text, "pass")?;
    for report in &reports[..reports.len() - 1] {
        write!(text, "  {:>7}", report.number)?;
    }
    writeln!(text)?;
    for report in &reports[1..] {
        write!(text, "{:>4}", report.number)?;
        for error in &report.rank_errors {
            let error = error.map_or(NO_VALUE.to_string(), |error| format!("{error:.5}"));
            write!(text, "  {error:>7}")?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// The section on the ridges that were tried, where fits were to choose one.
fn write_ridges(text: &mut String, reports: &[PassReport]) -> Result {
    let mut tried = reports.iter().filter(|report| !report.ridges.losses.is_empty()).peekable();
    let Some(first) = tried.peek() else { return Ok(()) };
    write_title(
        text,
        RIDGES,
        "Mean loss of the positions held out after the fit before each pass, by the strength of its ridge: the lowest is taken.",
    )?;
    write!(text, "pass")?;
    for [strength, _] in &first.ridges.losses {
        write!(text, "  {strength:>9}")?;
    }
    writeln!(text)?;
    for report in tried {
        write!(text, "{:>4}", report.number)?;
        for [_, loss] in &report.ridges.losses {
            write!(text, "  {loss:>9.6}")?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// The section on the standard errors of the run, where groups were left out.
fn write_run_errors(text: &mut String, reports: &[PassReport]) -> Result {
    if reports.iter().all(|report| report.run_errors.is_none()) {
        return Ok(());
    }
    write_title(
        text,
        RUN_ERRORS,
        "Standard errors of the whole run: how far its figures scatter when groups of fitted games are left out in turn.",
    )?;
    writeln!(text, "pass    match  held-out  mean-rank  held-out     loss  held-out")?;
    for report in reports {
        let Some(Figures { match_rate, mean_rank, loss }) = report.run_errors else { continue };
        let error = |error: Option<f64>| error.map_or(NO_VALUE.to_string(), |error| format!("{error:.5}"));
        let [[rate, held_out_rate], [rank, held_out_rank], [loss, held_out_loss]] =
            [match_rate, mean_rank, loss].map(|errors| errors.map(error));
        write!(text, "{:>4}  {rate:>7}  {held_out_rate:>8}  {rank:>9}  {held_out_rank:>8}", report.number)?;
        writeln!(text, "  {loss:>7}  {held_out_loss:>8}")?;
    }
    Ok(())
}

fn write_ahead(text: &mut String, reports: &[PassReport]) -> Result {
    let Some(shown) = shown_passes(reports) else { return Ok(()) };
    write_title(
        text,
        AHEAD,
        "Positions fitted by how many legal moves are above the played one: first, best and last pass.",
    )?;
    let histograms = shown.map(|pass| &reports[pass].fitted.histogram[..]);
    let places = histograms.iter().map(|histogram| histogram.len()).max().unwrap_or(0);
    let counts =
        |place: usize| histograms.map(|histogram: &[u64]| histogram.get(place).copied().unwrap_or(0));
    let rows = (0..places).map(|place| (place.to_string(), counts(place)));
    write_histogram(text, "ahead", shown, rows)
}

fn write_misses(text: &mut String, reports: &[PassReport]) -> Result {
    let Some(shown) = shown_passes(reports) else { return Ok(()) };
    write_title(
        text,
        MISSES,
        "The same passes: positions by how far the best kept alternative leads the played move, in units.",
    )?;
    let counts = |place: usize| shown.map(|pass| reports[pass].misses.histogram[place]);
    let rows = (0..MISS_PLACES).map(|place| (miss_name(place), counts(place)));
    write_histogram(text, "up-to", shown, rows)
}

/// The moves ahead of every pass, if there are other passes than those of the sections before.
fn write_ahead_by_pass(text: &mut String, reports: &[PassReport]) -> Result {
    let is_known = |report: &PassReport| report.fitted.histogram.iter().any(|&count| count > 0);
    let Some(shown) = shown_passes(reports) else { return Ok(()) };
    if !reports.iter().all(is_known) || (0..reports.len()).all(|pass| shown.contains(&pass)) {
        return Ok(());
    }
    write_title(
        text,
        AHEAD_BY_PASS,
        "Positions fitted by how many legal moves are above the played one, in every pass.",
    )?;
    write!(text, "pass")?;
    for place in 0..AHEAD_PLACES {
        let more = if place == AHEAD_PLACES - 1 { "+" } else { "" };
        write!(text, "  {:>6}", format!("{place}{more}"))?;
    }
    writeln!(text)?;
    for report in reports {
        write!(text, "{:>4}", report.number)?;
        for count in ahead_counts(&report.fitted.histogram) {
            write!(text, "  {count:>6}")?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// Label of a row of the histogram of misses: the upper end of the row, in units.
pub(super) fn miss_name(place: usize) -> String {
    if place == MISS_PLACES - 1 { "more".to_string() } else { (place as f64 * MISS_STEP).to_string() }
}

/// Writes a histogram of three passes. Rows without a position in any of them are left out; the last row is
/// the sum.
fn write_histogram(
    text: &mut String,
    label: &str,
    shown: [usize; 3],
    rows: impl Iterator<Item = (String, [u64; 3])>,
) -> Result {
    write!(text, "{label:<8}")?;
    for pass in shown {
        write!(text, "  {:>14}   share", format!("pass-{pass}"))?;
    }
    writeln!(text)?;
    let mut rows: Vec<_> = rows.filter(|(_, counts)| *counts != [0; 3]).collect();
    let total = |at: usize| rows.iter().fold(0_u64, |sum, (_, counts)| sum.saturating_add(counts[at]));
    let totals = [0, 1, 2].map(total);
    rows.push((ALL.to_string(), totals));
    for (name, counts) in rows {
        write!(text, "{name:<8}")?;
        for (count, total) in counts.into_iter().zip(totals) {
            write!(text, "  {count:>14}  {:.4}", share(count, total))?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// The last two sections: the values of the weights, if the run made a fit, and the frozen weights.
pub(super) fn format_trends(trends: &Trends) -> String {
    let mut text = String::new();
    if !trends.passes.is_empty() {
        write_weights(&mut text, trends).expect(NO_FAILURE);
        write_weight_errors(&mut text, trends).expect(NO_FAILURE);
    }
    write_frozen(&mut text, trends).expect(NO_FAILURE);
    text
}

fn write_weights(text: &mut String, trends: &Trends) -> Result {
    write_title(
        text,
        WEIGHTS,
        "Tuned weights at the start, the quarters of the run, its end and its best pass.",
    )?;
    writeln!(
        text,
        "# change: over the whole run; moves: by how much it moves values, the change times the standard deviation of the\n\
         # count over the rows. Of the last fit alone: s.e., which is that of its step, support, positions that bear on it,\n\
         # games that do, and held, the share of its free step that the ridge held back."
    )?;
    write!(text, "{:<20}", "weight")?;
    for pass in &trends.passes {
        write!(text, "  {:>10}", format!("pass-{pass}"))?;
    }
    let has_games = trends.weights.iter().any(|trend| trend.games.is_some());
    let title = if has_games { "      games    held" } else { "" };
    writeln!(text, "  {:>10}  {:>9}  {:>9}  {:>9}{title}", "change", "moves", "s.e.", "support")?;
    for Trend { name, values, change, moves, standard_error, support, games, held, .. } in &trends.weights {
        write!(text, "{:<20}", word_of(name))?;
        for &value in values {
            write!(text, "  {:>10}", decimal(value))?;
        }
        let error = standard_error.map_or(NO_VALUE.to_string(), decimal);
        let [change, moves] = [*change, *moves].map(decimal);
        write!(text, "  {change:>10}  {moves:>9}  {error:>9}  {support:>9}")?;
        if let Some(games) = games {
            let held = held.map_or(NO_VALUE.to_string(), |held| format!("{held:.4}"));
            write!(text, "  {games:>9}  {held:>6}")?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// The section on the standard errors of the run in each pass, where groups were left out.
fn write_weight_errors(text: &mut String, trends: &Trends) -> Result {
    let passes = trends.weights.iter().map(|trend| trend.run_errors.len()).max().unwrap_or_default();
    if passes == 0 {
        return Ok(());
    }
    write_title(
        text,
        WEIGHT_ERRORS,
        "Standard errors of the values over the whole run, in units: how far other games would have led them elsewhere.",
    )?;
    write!(text, "{:<20}", "weight")?;
    for pass in 1..=passes {
        write!(text, "  {:>9}", format!("pass-{pass}"))?;
    }
    writeln!(text)?;
    for Trend { name, run_errors, .. } in &trends.weights {
        write!(text, "{:<20}", word_of(name))?;
        for &error in run_errors {
            write!(text, "  {:>9}", decimal(error))?;
        }
        writeln!(text)?;
    }
    Ok(())
}

fn write_frozen(text: &mut String, trends: &Trends) -> Result {
    write_title(text, FROZEN, "Weights that kept their value in the last fit, and the reason.")?;
    for FrozenWeight { name, reason } in &trends.frozen {
        writeln!(text, "{:<20}  {reason}", word_of(name))?;
    }
    Ok(())
}

/// A number with four decimals; zero has no sign.
fn decimal(value: f64) -> String {
    let text = format!("{value:.4}");
    if text == "-0.0000" { "0.0000".to_string() } else { text }
}

/// The quotient of two counts, from 0 to 1; 0 if the whole is 0.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
