//! The text of NAME.stat: the data of a run as tables for people.

use std::fmt;

use texam_fit::{Agreement, FitReport, LossReport, MISS_PLACES, MISS_STEP, MeanLoss, PassReport, RidgeLoss};

use super::{AHEAD_PLACES, FrozenWeight, Header, RunRecord, Trend, Trends, ahead_counts};
use crate::printable::one_line;

/// A field without a value.
const NO_VALUE: &str = "-";

impl fmt::Display for RunRecord {
    /// The text of NAME.stat.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunRecord { header, reports, trends, .. } = self;
        write_header(f, header, self.is_finished())?;
        f.write_str(&iterations(reports))?;
        if let Some(shown) = self.shown_passes() {
            let best = self.best().map_or(String::new(), |best| format!("best {best}, "));
            writeln!(f, "{best}last {}", shown[2])?;
            let mut sections =
                vec![losses(reports), loss_changes(reports), warnings(reports), ridges(reports)];
            if header.has_moves() {
                sections.extend([counts(reports), changes(reports), rank_errors(reports)]);
            }
            sections.push(run_errors(reports));
            if header.has_moves() {
                sections.push(ahead(reports, shown));
                sections.extend(header.has_misses().then(|| misses(reports, shown)));
                sections.push(ahead_by_pass(reports, shown));
            }
            sections.extend([weights(trends), weight_errors(trends), frozen(trends)]);
            f.write_str(&sections.concat())?;
        }
        Ok(())
    }
}

fn write_header(f: &mut fmt::Formatter<'_>, header: &Header, is_finished: bool) -> fmt::Result {
    writeln!(
        f,
        "# The record of a fit: the games and options, the agreement with the winners in each pass,"
    )?;
    let units = if header.is_on_rows() { "those of the table of weights" } else { "1/128 pawn" };
    writeln!(f, "# and the weights. Units are {units}. docs/FORMATS.md explains every column.")?;
    let [fitted, held_out] = header.positions;
    let games = header.games.iter().map(|file| ("games", &**file));
    let before = [("search", header.search.as_deref().unwrap_or(NO_VALUE))].into_iter().chain(games);
    for (name, text) in before.chain([
        ("digest", &*header.digest),
        ("decisive", &*header.decisive.to_string()),
        ("skipped", &*header.skipped.to_string()),
        ("held-out", &*header.held_out_games.to_string()),
        ("positions", &*format!("{fitted} {held_out}")),
        ("start", &*header.start),
        ("state", if is_finished { "finished" } else { "unfinished" }),
    ]) {
        writeln!(f, "{name:<10} {}", one_line(text))?;
    }
    writeln!(f, "\n[options]\n# As on the command line of texam fit, without the leading dashes.")?;
    for (name, value) in &header.options {
        writeln!(f, "{name:<12} {}", one_line(value))?;
    }
    Ok(())
}

/// A section with a table; nothing without rows. Columns of names are on the left, and of numbers on the
/// right.
fn section(title: &str, remark: &str, titles: &str, rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let titles: Vec<String> = titles.split(' ').map(String::from).collect();
    let is_number = |cell: &String| cell.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let column = |(at, title): (usize, &String)| {
        let cells = || rows.iter().filter_map(|row| row.get(at));
        let width = cells().map(|cell| cell.chars().count()).max().unwrap_or(0);
        (width.max(title.len()), cells().all(is_number))
    };
    let columns: Vec<(usize, bool)> = titles.iter().enumerate().map(column).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&columns).map(|(cell, &(width, is_number))| match is_number {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let lines: String = [&titles].into_iter().chain(&rows).map(line).collect();
    format!("\n[{title}]\n# {remark}\n{lines}")
}

/// A standard error with so many decimals, or a sign that there is none.
pub fn error_text(error: f64, decimals: usize) -> String {
    if error.is_finite() { format!("{error:.decimals$}") } else { NO_VALUE.to_string() }
}

/// A number with so many decimals, where there is one; zero has no sign.
fn decimals(places: usize) -> impl Fn(Option<f64>) -> String + Copy {
    move |value| {
        let text = error_text(value.unwrap_or(f64::NAN), places);
        if text.trim_start_matches(['-', '0', '.']).is_empty() { text.replace("-0", "0") } else { text }
    }
}

fn iterations(reports: &[PassReport]) -> String {
    let four = decimals(4);
    let row = |report: &PassReport| {
        let of_choices = |figure: f64| four(Some(figure).filter(|_| report.criterion.has_choices()));
        let rate = |set: Option<&Agreement>| match set {
            Some(set) => [of_choices(set.match_rate()), of_choices(set.match_error())],
            None => [NO_VALUE; 2].map(String::from),
        };
        let fitted = &report.fitted;
        let figures = [
            fitted.mean_rank(),
            share(fitted.kept_choices, fitted.choices),
            report.misses.rms,
            report.spread,
            report.mean_gain,
        ];
        let fit = match &report.fit {
            Some(FitReport { solved, rank, condition, residual, max_change, .. }) => [
                four(Some(*max_change)),
                format!("{condition:.2e}"),
                solved.to_string(),
                rank.to_string(),
                four(*residual),
            ],
            None => [NO_VALUE; 5].map(String::from),
        };
        let mut row = vec![report.number.to_string()];
        row.extend(rate(Some(fitted)).into_iter().chain(rate(report.held_out.as_ref())));
        row.extend(figures.map(of_choices).into_iter().chain(fit));
        row
    };
    let titles = "pass match s.e. held-out s.e. mean-rank in-bound rms-miss spread gain change condition solved rank residual";
    let remark =
        "Pass 0 measures the start, pass N the weights of fit N. s.e.: standard error of the rate before it.";
    section("iterations", remark, titles, rows_of(reports, |report| Some(row(report))))
}

/// The cells of a row.
fn with_first(first: impl ToString, others: impl IntoIterator<Item = String>) -> Vec<String> {
    [first.to_string()].into_iter().chain(others).collect()
}

/// The rows of a table with a row for some of the passes.
fn rows_of<'a>(
    reports: &'a [PassReport],
    row: impl Fn(&'a PassReport) -> Option<Vec<String>>,
) -> Vec<Vec<String>> {
    reports.iter().filter_map(row).collect()
}

fn losses(reports: &[PassReport]) -> String {
    let rows = rows_of(reports, |report| {
        let LossReport { temperature, fitted, held_out, .. } = report.loss?;
        let six = decimals(6);
        let of = |loss: Option<MeanLoss>| [six(loss.map(|loss| loss.mean)), six(loss.map(|loss| loss.error))];
        let mut row = vec![report.number.to_string()];
        row.extend(of(Some(fitted)).into_iter().chain(of(held_out)));
        row.extend([decimals(4)(Some(temperature)), decimals(1)(report.fit.and_then(|fit| fit.effective))]);
        Some(row)
    });
    let titles = "pass loss s.e. held-out s.e. temperature effective";
    let remark = "Mean loss with its standard error, by game, of what is fitted and held out; the temperature in units; effective: how many\n\
        # weights without a ridge would follow the data as closely as those of the fit do with it.";
    section("loss", remark, titles, rows)
}

fn loss_changes(reports: &[PassReport]) -> String {
    let rows = reports.iter().flat_map(|report| {
        by_set(report.loss.map_or([None; 2], |loss| loss.changes)).map(|(name, MeanLoss { mean, error })| {
            let figures = [mean, error].map(|figure| decimals(6)(Some(figure)));
            with_first(report.number, [name.to_string()].into_iter().chain(figures))
        })
    });
    let remark = "Loss of each pass less that of pass 0; standard errors of the paired difference, by game.";
    section("changes of the loss from the start", remark, "pass games loss s.e.", rows.collect())
}

fn warnings(reports: &[PassReport]) -> String {
    let of_pass = |[before, report]: &[PassReport; 2]| {
        let line = |text: &String| format!("{:>4}  {}\n", report.number, one_line(text));
        report.warnings.iter().filter(|text| !before.warnings.contains(text)).map(line).collect::<String>()
    };
    let lines: String = reports.array_windows().map(of_pass).collect();
    match lines.is_empty() {
        true => lines,
        false => {
            format!(
                "\n[warnings]\n# What speaks against the weights of a pass, where it is not that of the pass before.\npass  warning\n{lines}"
            )
        }
    }
}

fn ridges(reports: &[PassReport]) -> String {
    let six = |figure: f64| decimals(6)(Some(figure));
    let rows = reports.iter().flat_map(|report| {
        let (chosen, lowest) = (report.ridges.chosen(), report.ridges.lowest());
        report.ridges.tried.iter().map(move |tried| {
            let is = |other: Option<RidgeLoss>| other == Some(*tried);
            let what = match (is(chosen), is(lowest)) {
                (true, true) => "chosen,lowest",
                (true, false) => "chosen",
                (false, true) => "lowest",
                (false, false) => NO_VALUE,
            };
            let figures = [tried.loss, tried.above.mean, tried.above.error].map(six);
            let cells = [tried.strength()].into_iter().chain(figures).chain([what.to_string()]);
            with_first(report.number, cells)
        })
    });
    let remark = "Loss of the games by fits that have not seen them, for each strength of the ridge of the fit before the pass, and by how much it\n\
        # is above the lowest, with the error of this difference, by game. The strongest within two errors of the lowest is chosen.";
    section("ridges", remark, "pass ridge loss above s.e. which", rows.collect())
}

/// What a pass has for the positions fitted and for those held out, each with the name of the set.
fn by_set<T>(sets: [Option<T>; 2]) -> impl Iterator<Item = (&'static str, T)> {
    ["fitted", "held-out"].into_iter().zip(sets).filter_map(|(name, set)| Some((name, set?)))
}

fn counts(reports: &[PassReport]) -> String {
    let rows = reports.iter().flat_map(|report| {
        by_set([Some(&report.fitted), report.held_out.as_ref()]).map(|(name, a)| {
            let counts =
                [a.choices, a.alternatives, a.matched, a.rank_sum, a.tied_sum, a.kept_choices, a.rows];
            let counts = counts.map(|count| count.to_string());
            with_first(report.number, [name.to_string()].into_iter().chain(counts))
        })
    });
    let titles = "pass games positions moves matched ahead tied in-bound rows";
    let remark = "The counts behind the rates: positions with two or more legal moves, and those that the fit may use.";
    section("counts", remark, titles, rows.collect())
}

fn changes(reports: &[PassReport]) -> String {
    let rows = reports.iter().flat_map(|report| {
        by_set(report.against_start).map(|(name, change)| {
            let figures = [change.match_rate, change.match_error, change.mean_rank, change.mean_rank_error];
            let figures = figures.map(|figure| decimals(5)(Some(figure)));
            with_first(report.number, [name.to_string()].into_iter().chain(figures))
        })
    });
    let remark =
        "Each pass less pass 0 on the same positions; standard errors of the paired difference, by game.";
    let titles = "pass games match s.e. mean-rank s.e.";
    section("changes from the start", remark, titles, rows.collect())
}

fn rank_errors(reports: &[PassReport]) -> String {
    let rows = rows_of(reports, |report| {
        let errors = report.rank_errors.iter().map(|&error| decimals(5)(error));
        let is_known = report.rank_errors.iter().any(Option::is_some);
        is_known.then(|| with_first(report.number, errors))
    });
    let others = reports.iter().map(|report| report.number.to_string());
    let titles = with_first("pass", others.take(reports.len() - 1)).join(" ");
    let remark = "The standard error of a pass's mean rank on held-out games minus that of each pass before it, by game.";
    section("standard errors of differences in mean rank", remark, &titles, rows)
}

fn run_errors(reports: &[PassReport]) -> String {
    let rows = rows_of(reports, |report| {
        let errors = report.run_errors?;
        let errors = [errors.match_rate, errors.mean_rank, errors.loss].concat();
        let errors = errors.into_iter().map(decimals(5));
        Some(with_first(report.number, errors))
    });
    let titles = "pass match held-out mean-rank held-out loss held-out";
    let remark = "Standard errors of the whole run: how far its figures scatter when groups of fitted games are left out in turn.";
    section("standard errors of the run", remark, titles, rows)
}

fn ahead(reports: &[PassReport], shown: [usize; 3]) -> String {
    let histograms = shown.map(|pass| &reports[pass].fitted.histogram);
    let places = histograms.iter().map(|histogram| histogram.len()).max().unwrap_or(0);
    let counts = |place: usize| histograms.map(|histogram| histogram.get(place).copied().unwrap_or(0));
    let remark =
        "Positions fitted by how many legal moves are above the played one: first, best and last pass.";
    let rows = (0..places).map(|place| (place.to_string(), counts(place)));
    histogram("moves ahead of the played one", remark, "ahead", shown, rows)
}

fn misses(reports: &[PassReport], shown: [usize; 3]) -> String {
    let name = |place: usize| match place {
        place if place == MISS_PLACES - 1 => "more".to_string(),
        place => (place as f64 * MISS_STEP).to_string(),
    };
    let counts = |place: usize| shown.map(|pass| reports[pass].misses.histogram[place]);
    let remark =
        "The same passes: positions by how far the best kept alternative leads the played move, in units.";
    let rows = (0..MISS_PLACES).map(|place| (name(place), counts(place)));
    histogram("misses of positions in bound", remark, "up-to", shown, rows)
}

/// A histogram of three passes. Rows without a position in any of them are left out; the last row is the sum.
fn histogram(
    title: &str,
    remark: &str,
    label: &str,
    shown: [usize; 3],
    rows: impl Iterator<Item = (String, [u64; 3])>,
) -> String {
    let mut rows: Vec<_> = rows.filter(|(_, counts)| *counts != [0; 3]).collect();
    let total = |at: usize| rows.iter().fold(0_u64, |sum, (_, counts)| sum.saturating_add(counts[at]));
    let totals = [0, 1, 2].map(total);
    rows.push(("all".to_string(), totals));
    let row = |(name, counts): (String, [u64; 3])| {
        let cells = counts.into_iter().zip(totals);
        let cells =
            cells.flat_map(|(count, total)| [count.to_string(), decimals(4)(Some(share(count, total)))]);
        with_first(name, cells)
    };
    let titles = shown.map(|pass| format!("pass-{pass} share"));
    let titles = with_first(label, titles).join(" ");
    section(title, remark, &titles, rows.into_iter().map(row).collect())
}

/// The moves ahead of every pass, if there are other passes than those of the sections before.
fn ahead_by_pass(reports: &[PassReport], shown: [usize; 3]) -> String {
    let is_known = |report: &PassReport| report.fitted.histogram.iter().any(|&count| count > 0);
    if !reports.iter().all(is_known) || (0..reports.len()).all(|pass| shown.contains(&pass)) {
        return String::new();
    }
    let rows = rows_of(reports, |report| {
        let counts = ahead_counts(&report.fitted.histogram).map(|count| count.to_string());
        Some(with_first(report.number, counts))
    });
    let places =
        (0..AHEAD_PLACES).map(|place| format!("{place}{}", if place == AHEAD_PLACES - 1 { "+" } else { "" }));
    let titles = with_first("pass", places).join(" ");
    let remark = "Positions fitted by how many legal moves are above the played one, in every pass.";
    section("moves ahead by pass", remark, &titles, rows)
}

fn weights(trends: &Trends) -> String {
    let four = decimals(4);
    let row = |trend: &Trend| {
        let figures = [Some(trend.change), Some(trend.moves), trend.standard_error].map(four);
        let counts =
            [trend.support.to_string(), trend.games.map_or(NO_VALUE.to_string(), |games| games.to_string())];
        let mut row = vec![one_line(&trend.name)];
        row.extend(trend.values.iter().map(|&value| four(Some(value))));
        row.extend(figures.into_iter().chain(counts).chain([four(trend.held)]));
        row
    };
    let passes = trends.passes.iter().map(|pass| format!("pass-{pass}"));
    let titles = with_first("weight", passes).join(" ") + " change moves s.e. support games held";
    let remark = "Tuned weights at the start, the quarters of the run, its end and its best pass.\n\
        # change: over the whole run; moves: by how much it moves values, the change times the standard deviation of the\n\
        # count over the rows. Of the last fit alone: s.e., which is that of its step, support, positions that bear on it,\n\
        # games that do, and held, the share of its free step that the ridge held back. There is no s.e. where the rows do not tell a\n\
        # weight apart from others, or where they are fewer than the weights.";
    section("weights", remark, &titles, trends.weights.iter().map(row).collect())
}

fn weight_errors(trends: &Trends) -> String {
    let with_errors = trends.weights.iter().filter(|trend| !trend.run_errors.is_empty());
    let row = |trend: &Trend| {
        let errors = trend.run_errors.iter().map(|&error| decimals(4)(Some(error)));
        with_first(one_line(&trend.name), errors)
    };
    let passes = trends.weights.iter().map(|trend| trend.run_errors.len()).max().unwrap_or_default();
    let titles = (1..=passes).map(|pass| format!("pass-{pass}"));
    let titles = with_first("weight", titles).join(" ");
    let remark = "Standard errors of the values over the whole run, in units: how far other games would have led them elsewhere.";
    section("standard errors of the weights", remark, &titles, with_errors.map(row).collect())
}

fn frozen(trends: &Trends) -> String {
    let row = |frozen: &FrozenWeight| vec![one_line(&frozen.name), frozen.reason()];
    let remark = "Weights that kept their value in the last fit, and the reason. A column that is the same in all rows of each position is in none.";
    section("frozen", remark, "name reason", trends.frozen.iter().map(row).collect())
}

/// The quotient of two counts, from 0 to 1; 0 if the whole is 0.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
