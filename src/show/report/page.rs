//! Fills the page template: formats results as text and numbers.

use askama::Template;
use shakmaty::{Move, Position, san::SanPlus};
use texam_fit::{Agreement, Criterion, Difference, MeanLoss, PassReport};

use super::{
    Report,
    board::{self, Mark},
    pieces,
    plots::{self, PlotFigure},
    positions::{Counts, Example, PositionChanges, SearchResult},
    weights::{self, with_minus},
    words::{self, OptionRow, thousands},
};
use crate::{
    error::{Error, Result},
    fen,
    printable::printable,
    run::stat::{RunRecord, error_text},
    show::plot,
    value::{Value, format_value, moves_to_mate},
};

/// The page of a run.
pub fn page(report: &Report) -> Result<String> {
    let Some(shown) = report.record.shown_passes() else {
        return Err(Error::expected("a run with a finished pass", "a run without one"));
    };
    let compared = report.positions.comparison.as_ref();
    let page = Page {
        name: report.name,
        symbols: board::squares() + &pieces::symbols(),
        report,
        used: report.record.header.positions.map(thousands),
        options: words::options(&report.record.header),
        results: results(report.record),
        reading: reading(report.record, shown),
        losses: losses(report.record),
        temperature: report.record.reports[0].loss.map(|loss| format!("{:.1}", loss.temperature)),
        passes: passes(report.record),
        figures: plots::figures(report.record, report.passes, report.pass)?,
        plot_css: plot::PAGE_CSS,
        weights: weights::rows(report.record, report.passes.get(&0)),
        counts: compared.map(counts).unwrap_or_default(),
        groups: compared.map(|changes| groups(changes, report.pass)),
    };
    let html = page.render().map_err(|error| Error::new(format!("cannot lay out the page: {error}")))?;
    Ok(printable(&html).into_owned())
}

#[derive(Template)]
#[template(path = "page.html", config = "src/show/report/askama.toml")]
struct Page<'a> {
    name: &'a str,
    /// Definitions of the symbols used in the diagrams.
    symbols: String,
    report: &'a Report<'a>,
    /// Positions fitted and held out.
    used: [String; 2],
    options: Vec<OptionRow<'a>>,
    results: Vec<ResultRow>,
    reading: String,
    losses: Vec<LossRow>,
    temperature: Option<String>,
    passes: Vec<PassRow>,
    figures: Vec<PlotFigure>,
    plot_css: &'static str,
    weights: Vec<weights::WeightRow>,
    counts: Vec<(&'static str, [String; 8])>,
    groups: Option<[(&'static str, Vec<PositionCard>); 2]>,
}

struct ResultRow {
    label: String,
    fitted: Rates,
    held_out: Option<Rates>,
}

/// Agreement as formatted numbers.
struct Rates {
    rate: String,
    error: String,
    rank: String,
    in_bound: String,
}

impl Rates {
    fn of(agreement: &Agreement) -> Rates {
        let share = agreement.kept_choices as f64 / agreement.choices.max(1) as f64;
        Rates {
            rate: per_cent(agreement.match_rate()),
            error: per_cent(agreement.match_error()),
            rank: format!("{:.4}", agreement.mean_rank()),
            in_bound: per_cent(share),
        }
    }
}

/// A row of the table of passes.
struct PassRow {
    number: u32,
    /// Whether it is the best or the last pass.
    note: &'static str,
    fitted: Rates,
    held_out: Option<Rates>,
    /// Miss, spread, gain; largest change, condition, solved, rank, residual, which are empty without a fit.
    figures: Vec<String>,
}

/// A row of the table of losses.
struct LossRow {
    number: u32,
    note: &'static str,
    /// Loss and its standard error.
    fitted: [String; 2],
    held_out: Option<[String; 2]>,
    change: String,
}

fn losses(record: &RunRecord) -> Vec<LossRow> {
    let fields = |loss: MeanLoss| [format!("{:.6}", loss.mean), format!("{:.6}", loss.error)];
    let row = |(index, report): (usize, &PassReport)| {
        let loss = report.loss?;
        Some(LossRow {
            number: report.number,
            note: note(record, index),
            fitted: fields(loss.fitted),
            held_out: loss.held_out.map(fields),
            change: report.fit.map_or(String::new(), |fit| format!("{:.2}", fit.max_change)),
        })
    };
    record.reports.iter().enumerate().filter_map(row).collect()
}

/// Whether a pass is the best or the last.
fn note(record: &RunRecord, index: usize) -> &'static str {
    match (record.best() == Some(index), index + 1 == record.reports.len()) {
        (true, true) => "best, last",
        (true, false) => "best",
        (false, true) => "last",
        (false, false) => "",
    }
}

/// A share in per cent with two decimals, the precision of a `.stat` file.
fn per_cent(share: f64) -> String {
    plot::number(100.0 * share, 2)
}

/// The start, the best pass and the last pass, each in one row.
fn results(record: &RunRecord) -> Vec<ResultRow> {
    let outcome = |(pass, roles): (usize, String)| ResultRow {
        label: format!("{roles} (pass {pass})"),
        fitted: Rates::of(&record.reports[pass].fitted),
        held_out: record.reports[pass].held_out.as_ref().map(Rates::of),
    };
    plot::roles_of_passes(record).into_iter().map(outcome).collect()
}

/// A sentence that interprets the results.
fn reading(record: &RunRecord, [_, best, _]: [usize; 3]) -> String {
    let [start_loss, best_loss] = [0, best].map(|pass| record.reports[pass].judged_by());
    if !record.reports[0].criterion.has_choices() {
        let set = if record.reports[0].held_out.is_some() {
            "games that were never fitted, but by which the pass was chosen,"
        } else {
            "the games fitted"
        };
        let change = record.reports[best].loss.and_then(|loss| loss.judged().1).map(|change| {
            format!(": {:+.6}, with a standard error of {} by game", change.mean, error_text(change.error, 6))
        });
        return format!(
            "The mean loss on {set} is {start_loss:.6} at the start and {best_loss:.6} in pass {best}{}.",
            change.unwrap_or_default()
        );
    }
    let sets = |report: &PassReport| report.held_out.clone().unwrap_or(report.fitted.clone());
    let [start, best_set] = [0, best].map(|pass| sets(&record.reports[pass]));
    let rates = [&start, &best_set].map(|set| {
        format!("{}\u{a0}%\u{a0}\u{b1}\u{a0}{}", per_cent(set.match_rate()), per_cent(set.match_error()))
    });
    let judged = match (record.reports[0].held_out.is_some(), best) {
        (true, 0) if record.reports[0].criterion == Criterion::Rank => {
            "On the games held out no fit is better than the start by more than one standard error"
                .to_string()
        }
        (true, 0) => "No fit did better than the start on the games held out".to_string(),
        (false, 0) => "No fit did better than the start".to_string(),
        (true, _) => format!(
            "On games that were never fitted, but by which the pass was chosen, pass {best} takes the winner\u{2019}s move in {}, the start in {}",
            rates[1], rates[0]
        ),
        (false, _) => {
            format!("Pass {best} takes the winner\u{2019}s move in {}, the start in {}", rates[1], rates[0])
        }
    };
    let paired = record.reports[best].change().map_or(String::new(), |change| {
        let Difference { match_rate, match_error, mean_rank, mean_rank_error } = change;
        let change = format!(
            "Position by position that is {:+.2}\u{a0}\u{b1}\u{a0}{} points, and the mean rank changes by \
             {mean_rank:+.3}\u{a0}\u{b1}\u{a0}{}. ",
            100.0 * match_rate,
            error_text(100.0 * match_error, 2),
            error_text(mean_rank_error, 3)
        );
        with_minus(&change)
    });
    let caution = match (&record.reports[0].held_out, record.reports[0].criterion) {
        (Some(_), Criterion::Rank) => {
            "The best pass is the earliest whose mean rank on these games is within one standard error of the lowest."
        }
        (Some(_), _) => {
            "The best pass is the one that does best on just these games, which flatters it a little."
        }
        (None, _) => "No games were held out, so that this says little about others.",
    };
    format!("{judged}. {paired}{caution}")
}

fn passes(record: &RunRecord) -> Vec<PassRow> {
    let pass = |(index, report): (usize, &PassReport)| {
        let of_all = [report.misses.rms, report.spread, report.mean_gain].map(|value| plot::number(value, 2));
        let of_fit = report.fit.map(|fit| {
            [
                format!("{:.2}", fit.max_change),
                format!("{:.0}", fit.condition),
                fit.solved.to_string(),
                fit.rank.to_string(),
                fit.residual.map_or(String::new(), |residual| format!("{residual:.2}")),
            ]
        });
        PassRow {
            number: report.number,
            note: note(record, index),
            fitted: Rates::of(&report.fitted),
            held_out: report.held_out.as_ref().map(Rates::of),
            figures: of_all.into_iter().chain(of_fit.unwrap_or_default()).collect(),
        }
    };
    record.reports.iter().enumerate().map(pass).collect()
}

struct PositionCard {
    board: String,
    /// The played move, without and with its number.
    san: String,
    played: String,
    players: String,
    event: String,
    held_out: bool,
    legal: u32,
    fen: String,
    rows: [CardColumn; 2],
}

/// A column of a card: the search result of one set of weights.
struct CardColumn {
    ahead: u32,
    played: String,
    preferred: String,
    best: String,
    /// Whether the played move is the best.
    agrees: bool,
}

/// The two sets of positions by name.
const SETS: [&str; 2] = ["fitted", "held out"];

/// Of each set its name, and: positions; improved, equal, worse; match gained, lost; change of the match in
/// points, of the mean rank.
fn counts(comparison: &PositionChanges) -> Vec<(&'static str, [String; 8])> {
    let line = |(label, counts): (&'static str, &Option<Counts>)| {
        let Counts { improved, equal, worse, paired, .. } = counts.as_ref()?;
        let [gained, lost] = [paired.only_first, paired.only_second];
        let Difference { match_rate, match_error, mean_rank, mean_rank_error } = paired.means;
        let match_change =
            format!("{:+.2} \u{b1} {}", 100.0 * match_rate, error_text(100.0 * match_error, 2));
        let rank_change = format!("{mean_rank:+.3} \u{b1} {}", error_text(mean_rank_error, 3));
        let [positions, improved, equal, worse, gained, lost] =
            [paired.positions, *improved, *equal, *worse, gained, lost].map(thousands);
        let [match_change, rank_change] = [match_change, rank_change].map(|change| with_minus(&change));
        Some((label, [positions, improved, equal, worse, gained, lost, match_change, rank_change]))
    };
    SETS.into_iter().zip(&comparison.counts).filter_map(line).collect()
}

fn groups(comparison: &PositionChanges, pass: u32) -> [(&'static str, Vec<PositionCard>); 2] {
    [("Improved most", &comparison.improved), ("Got worse most", &comparison.worse)]
        .map(|(title, examples)| (title, examples.iter().map(|example| card(example, pass)).collect()))
}

fn card(example: &Example, pass: u32) -> PositionCard {
    let Example { position, game, results, .. } = example;
    let san = |mv: Move| SanPlus::from_move(position.clone(), mv).to_string();
    let (side, dots) = position.turn().fold_wb(("White", "."), ("Black", "\u{2026}"));
    let played = format!("{}{dots} {}", example.fullmove, san(example.played));
    let row = |result: &SearchResult| CardColumn {
        ahead: result.ahead,
        played: value(result.played),
        preferred: san(result.preferred),
        best: value(result.best),
        agrees: result.preferred == example.played,
    };
    let label = format!(
        "{side} to move. Played: {played}. The start prefers {}, pass {pass} prefers {}.",
        san(results[0].preferred),
        san(results[1].preferred)
    );
    PositionCard {
        board: board::diagram(position, shakmaty::Color::White, &arrows(example), &label),
        san: san(example.played),
        played,
        players: format!("{} \u{2013} {}", game.white, game.black),
        event: game.year().map_or_else(|| game.event.clone(), |year| format!("{}, {year}", game.event)),
        held_out: example.held_out,
        legal: example.legal,
        fen: fen::format(position),
        rows: [row(&results[0]), row(&results[1])],
    }
}

/// The arrow of the played move, then those of the best moves: the longer one first, so that it does not
/// cover a shorter one on the same line.
fn arrows(example: &Example) -> Vec<(Move, Mark)> {
    let [before, after] = [0, 1].map(|set| example.results[set].preferred);
    let mut preferred = match before == after {
        true => vec![(before, Mark::Both)],
        false => vec![(before, Mark::Before), (after, Mark::After)],
    };
    preferred.sort_by_key(|&(mv, _)| std::cmp::Reverse(mv.from().map_or(0, |from| from.distance(mv.to()))));
    [vec![(example.played, Mark::Played)], preferred].concat()
}

/// A value as text: signed units, or the moves to mate.
fn value(value: Value) -> String {
    match moves_to_mate(value) {
        Some(moves) if moves > 0 => format!("mates in {moves}"),
        Some(moves) => format!("is mated in {}", -moves),
        None => with_minus(&format_value(value)),
    }
}

#[cfg(test)]
mod tests {
    use texam_fit::{LossReport, MeanLoss};

    use super::*;
    use crate::{
        run::stat::testing::shipped_record,
        show::{plot::PassWeights, report::Positions},
        value::{MATE, UNIT},
    };

    fn page_of(record: &RunRecord, why: &str) -> String {
        let (passes, positions) =
            (PassWeights::new(), Positions { comparison: None, warnings: vec![why.to_string()] });
        page(&Report { name: "a <b> & c", record, passes: &passes, pass: 8, positions }).unwrap()
    }

    #[test]
    fn foreign_text_is_no_markup() {
        let mut record = shipped_record();
        record.header.games = vec!["<img src=x onerror=alert(1)>".to_string()];
        record.header.options.push(("\"><script>".to_string(), "</td>&".to_string()));
        record.trends.weights[0].name = "<i>\"&[x].o".to_string();
        record.trends.weights[0].change = 1e6;
        let page = page_of(&record, "because of <u>this</u>");
        for foreign in ["<img", "<script>\"", "<i>", "<u>", "<b>", "</td>&<"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
        for harmless in ["&#60;img src=x", "&#60;u&#62;this", "a &#60;b&#62; &#38; c"] {
            assert!(page.contains(harmless), "{harmless}");
        }
    }

    #[test]
    fn results_name_a_pass_once_that_is_several_things() {
        let mut record = shipped_record();
        let labels =
            |record: &RunRecord| results(record).into_iter().map(|row| row.label).collect::<Vec<String>>();
        assert_eq!(labels(&record), ["start (pass 0)", "best (pass 7)", "last (pass 15)"]);
        record.reports.iter_mut().for_each(|report| report.held_out = None);
        assert_eq!(labels(&record), ["start (pass 0)", "last (pass 15)"]);
        record.reports.iter_mut().for_each(|report| report.criterion = Criterion::Match);
        assert_eq!(labels(&record), ["start (pass 0)", "best (pass 9)", "last (pass 15)"]);
        record.reports.truncate(10);
        assert_eq!(labels(&record), ["start (pass 0)", "best, last (pass 9)"]);
        record.reports.truncate(1);
        assert_eq!(labels(&record), ["start, best, last (pass 0)"]);
    }

    #[test]
    fn rates_are_those_of_the_story_in_per_cent() {
        let rates = Rates::of(&shipped_record().reports[8].fitted);
        assert_eq!(
            (rates.rate.as_str(), rates.error.as_str(), rates.rank.as_str()),
            ("40.93", "0.29", "3.0483")
        );
        assert_eq!(rates.in_bound, "79.44");
    }

    #[test]
    fn the_first_sentence_names_the_games_it_speaks_of_and_the_better_pass() {
        let caution = "The best pass is the earliest whose mean rank on these games is within one standard error of the lowest.";
        let no_others = "No games were held out, so that this says little about others.";
        let mut record = shipped_record();
        let of_nobreak = |text: String| text.replace('\u{a0}', " ").replace('\u{2019}', "'");
        let sentence = |record: &RunRecord, best| of_nobreak(reading(record, [0, best, 15]));
        assert_eq!(
            sentence(&record, 8),
            format!(
                "On games that were never fitted, but by which the pass was chosen, pass 8 takes the winner's move in 40.20 % \u{b1} 0.87, the start in \
                 38.60 % \u{b1} 0.86. Position by position that is +1.60 \u{b1} 0.73 points, and the mean rank changes by \u{2212}0.291 \u{b1} 0.062. {caution}"
            )
        );
        assert_eq!(
            sentence(&record, 0),
            format!(
                "On the games held out no fit is better than the start by more than one standard error. {caution}"
            )
        );
        record.reports.iter_mut().for_each(|report| report.held_out = None);
        assert_eq!(
            sentence(&record, 9),
            format!(
                "Pass 9 takes the winner's move in 41.02 % \u{b1} 0.29, the start in 38.45 % \u{b1} 0.29. Position by position that is +2.57 \u{b1} 0.24 points, and the mean rank changes by \u{2212}0.397 \u{b1} 0.019. {no_others}"
            )
        );
        assert_eq!(sentence(&record, 0), format!("No fit did better than the start. {no_others}"));
    }

    #[test]
    fn the_first_sentence_of_a_run_with_a_loss_compares_losses() {
        let mut record = shipped_record();
        for (report, mean) in record.reports.iter_mut().zip([0.25, 0.2, 0.19]) {
            report.criterion = Criterion::Loss;
            let [fitted, held_out] = [0.0, 0.5].map(|more| MeanLoss { mean: mean + more, error: 0.1 });
            let changes = [0.001, 0.002].map(|error| Some(MeanLoss { mean: mean - 0.25, error }));
            report.loss = Some(LossReport { temperature: 100.0, fitted, held_out: Some(held_out), changes });
        }
        let expected = "is 0.750000 at the start and 0.690000 in pass 2: -0.060000, with a standard error of 0.002000 by game.";
        assert_eq!(
            reading(&record, [0, 2, 2]),
            format!(
                "The mean loss on games that were never fitted, but by which the pass was chosen, {expected}"
            )
        );
        for report in &mut record.reports {
            report.held_out = None;
            report.loss.iter_mut().for_each(|loss| loss.held_out = None);
        }
        let expected = "is 0.250000 at the start and 0.190000 in pass 2: -0.060000, with a standard error of 0.001000 by game.";
        assert_eq!(reading(&record, [0, 2, 2]), format!("The mean loss on the games fitted {expected}"));
    }

    #[test]
    fn values_show_their_sign_or_the_moves_to_a_mate() {
        let mated = |plies: i64| -(MATE - plies * UNIT);
        assert_eq!([value(UNIT * 3 / 2), value(-UNIT), value(0)], ["+1.5", "\u{2212}1.0", "+0.0"]);
        assert_eq!([value(mated(2)), value(-mated(3))], ["is mated in 1", "mates in 2"]);
    }

    #[test]
    fn a_story_without_a_pass_has_no_page() {
        let record = RunRecord { reports: Vec::new(), ..shipped_record() };
        let (passes, positions) = (PassWeights::new(), Positions { comparison: None, warnings: Vec::new() });
        let error = page(&Report { name: "x", record: &record, passes: &passes, pass: 0, positions });
        assert!(error.unwrap_err().to_string().contains("a run with a finished pass"));
    }

    #[test]
    fn what_is_not_there_is_left_out_of_the_page_and_said() {
        let record = shipped_record();
        let page = page_of(&record, "The games are gone.");
        assert!(page.contains("<p class=\"warning\">The games are gone.</p>"));
        assert!(!page.contains("class=\"card\"") && !page.contains("id=\"counts\""));
        assert!(page.contains("which were not at hand"));
    }
}
