//! One player beside an evaluation: the page with the terms in which his moves differ from the moves that it
//! prefers.
//!
//! The preferred move is the best one by these very weights, so any other move tends to have less of what
//! they reward. A share of one half is therefore no measure. The shares of the winners of the built-in games
//! are, because the same holds for them.

use std::collections::BTreeMap;

use askama::Template;
use rayon::prelude::*;
use texam_fit::{Agreement, Standing};

use super::{
    board::{self, Mark},
    pieces,
    positions::ComparisonObserver,
    weights::with_minus,
    words::shown_path,
};
use crate::{
    error::{Error, Result},
    feature::{Key, Quantised, Weights},
    game::Collection,
    matches::score,
    printable::printable,
    run::count,
    sample::{self, Recall, Sampling},
    show::{
        analysis::Analysis,
        deciding::format_tenths,
        disagreement::{Disagreement, Searcher, behind},
        plot,
    },
    value::Value,
};

/// Games in which the moves differ in a term, on either side, for the term to be compared: the error of fewer
/// says little.
const FEWEST_GAMES: usize = 10;

/// Terms whose positions are shown, at most, and positions of each.
const SHOWN_TERMS: usize = 6;
const SHOWN_POSITIONS: usize = 3;

/// The choices of some games under one set of weights.
pub struct Choices<'a> {
    searcher: Searcher<'a>,
    collection: &'a Collection,
    standings: Vec<Standing>,
    agreement: Agreement,
    /// Positions in which another move is preferred, and both are in bound.
    differing: Vec<Difference>,
}

struct Difference {
    /// Index of the position.
    position: usize,
    game: u32,
    /// By how much the played move has more of each term than the preferred one; 0 where the counts are the
    /// same.
    terms: Vec<Value>,
}

impl<'a> Choices<'a> {
    /// Searches all positions; none if the observer stopped it. It is told of the number of positions of two
    /// rounds, `round` and the next.
    pub fn measure(
        collection: &'a Collection,
        weights: &'a Weights,
        sampling: &'a Sampling,
        round: usize,
        observer: &dyn ComparisonObserver,
    ) -> Option<Choices<'a>> {
        let (positions, tick) = (&collection.positions, |_: &Standing| observer.searched());
        observer.begins(round, positions.len());
        let searched = sample::pass(positions, weights, sampling, &mut Recall::default(), true, &tick)?;
        let behind = behind(&searched.standings);
        observer.begins(round + 1, behind.len());
        let (searcher, quantised) = (Searcher::new(collection, weights, sampling), weights.quantised());
        let difference = |position: usize| {
            let analysis = searcher.analysis(position);
            let both_in_bound = analysis.moves[analysis.preferred()].in_bound;
            let terms = || differences(&analysis, &quantised);
            let game = positions[position].game;
            observer.searched().then(|| both_in_bound.then(|| Difference { position, game, terms: terms() }))
        };
        let differing: Option<Vec<Option<Difference>>> = behind.into_par_iter().map(difference).collect();
        Some(Choices {
            searcher,
            collection,
            standings: searched.standings,
            agreement: searched.agreement,
            differing: differing?.into_iter().flatten().collect(),
        })
    }

    fn share(&self, term: usize) -> Share {
        let mut games: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
        for difference in self.differing.iter().filter(|difference| difference.terms[term] != 0) {
            let [given, all] = games.entry(difference.game).or_default();
            *given += f64::from(u8::from(difference.terms[term] < 0));
            *all += 1.0;
        }
        Share::of(&games.into_values().collect::<Vec<_>>())
    }

    fn rate(&self) -> String {
        let Agreement { choices, .. } = self.agreement;
        let [rate, error] =
            [self.agreement.match_rate(), self.agreement.match_error()].map(|share| 100.0 * share);
        format!(
            "{rate:.1} % \u{b1} {error:.1} of {choices} positions of {}",
            count(self.collection.games.len() as u64, "game")
        )
    }
}

/// What the played move has more of than the preferred one. The values of pieces and pawns are one term, in
/// the place of the pawn.
fn differences(analysis: &Analysis, weights: &Quantised) -> Vec<Value> {
    let moves = [analysis.played, analysis.preferred()];
    let [one, other] = moves.map(|index| &analysis.moves[index].leaf.features);
    let mut values = vec![0; Key::ALL.len()];
    let all = analysis.differences(moves, weights);
    // The phases of two leaves differ, so terms with the same counts can have other values.
    for (cell, _) in one.iter().chain(other.iter()).filter(|&(cell, _)| one.get(cell) != other.get(cell)) {
        let (key, _) = Key::of_cell(cell);
        values[key as usize] = all[key as usize];
    }
    for key in Key::ALL.iter().filter(|key| key.is_piece_value() && **key != Key::MatP) {
        values[Key::MatP as usize] += std::mem::take(&mut values[*key as usize]);
    }
    values
}

/// How often the played move gave up some of a term.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Share {
    given_up: f64,
    positions: f64,
    games: usize,
    share: f64,
    error: f64,
}

impl Share {
    /// From the positions in which a term was given up, and all in which it differs, of each game. The error
    /// counts games as one observation each, and is at least that of the share with one more position on
    /// either side: where all positions are the same, chance is not gone.
    fn of(games: &[[f64; 2]]) -> Share {
        let [given_up, positions] = [0, 1].map(|at| games.iter().map(|game| game[at]).sum::<f64>());
        let share = given_up / positions.max(1.0);
        let squares: f64 = games.iter().map(|[given, all]| (given - share * all).powi(2)).sum();
        let count = games.len() as f64;
        let clustered = (squares * count / (count - 1.0).max(1.0)).sqrt() / positions.max(1.0);
        let near = (given_up + 1.0) / (positions + 2.0);
        let least = (near * (1.0 - near) / positions.max(1.0)).sqrt();
        Share { given_up, positions, games: games.len(), share, error: clustered.max(least) }
    }

    fn text(self) -> String {
        format!("{:.0} % \u{b1} {:.0}", 100.0 * self.share, 100.0 * self.error)
    }
}

/// A term that is compared.
struct TermRow {
    term: usize,
    name: &'static str,
    meaning: &'static str,
    own: Share,
    others: Share,
    /// Difference of the shares divided by its error.
    errors: f64,
}

impl TermRow {
    fn of(key: Key, own: Share, others: Share) -> TermRow {
        let is_material = key.is_piece_value();
        let (name, meaning) = match is_material {
            true => ("material", "values of all pieces and pawns"),
            false => (key.feature().key, key.feature().meaning),
        };
        let errors = (own.share - others.share) / own.error.hypot(others.error);
        TermRow { term: key as usize, name, meaning, own, others, errors }
    }

    /// Probability of such a difference, in either direction, by chance.
    fn probability(&self) -> f64 {
        2.0 * score::normal(-self.errors.abs())
    }

    /// The columns after the name.
    fn cells(&self) -> [String; 5] {
        let Share { given_up, positions, games, error, .. } = self.own;
        [
            format!("{given_up} of {positions} in {games} games"),
            self.own.text(),
            self.others.text(),
            with_minus(&format!("{:+.1}", self.errors)),
            format!("{:.0} %", 280.0 * error.hypot(self.others.error)),
        ]
    }
}

/// The terms of both sides that can be compared, the surest difference first, and the names of those that
/// cannot.
fn compared(own: &Choices, others: &Choices) -> (Vec<TermRow>, Vec<&'static str>) {
    let all =
        Key::ALL.iter().map(|&key| TermRow::of(key, own.share(key as usize), others.share(key as usize)));
    let (mut rows, few): (Vec<TermRow>, Vec<TermRow>) = all
        .filter(|row| row.own.games > 0)
        .partition(|row| row.own.games.min(row.others.games) >= FEWEST_GAMES);
    rows.sort_by(|a, b| b.errors.abs().total_cmp(&a.errors.abs()));
    (rows, few.iter().map(|row| row.name).collect())
}

/// What the rows say together.
fn reading(rows: &[TermRow]) -> String {
    let tests = rows.len();
    let beyond = rows.iter().filter(|row| row.errors.abs() > 2.0).count();
    let clear: Vec<&str> =
        rows.iter().filter(|row| row.probability() * (tests as f64) < 0.05).map(|row| row.name).collect();
    let read = match (tests, clear.is_empty()) {
        (0, _) => {
            return format!(
                "No term differs in {FEWEST_GAMES} games or more, so nothing can be said about any of them."
            );
        }
        (_, true) => "None of them can be read by itself".to_string(),
        (_, false) => format!("These can be read by themselves: {}", clear.join(", ")),
    };
    format!(
        "{} compared, so by chance alone about {:.1} would be beyond two errors; {beyond} are. {read}: the limit for one of \
         {tests} is a probability of 0.05/{tests}.",
        if tests == 1 { "1 term was".to_string() } else { format!("{tests} terms were") },
        0.0455 * tests as f64
    )
}

#[derive(Template)]
#[template(path = "player.html", config = "src/show/report/askama.toml")]
struct Page {
    name: String,
    par: String,
    games: String,
    symbols: String,
    plot_css: &'static str,
    rates: [String; 2],
    differing: [usize; 2],
    reading: String,
    rows: Vec<TermRow>,
    few: String,
    groups: Vec<(String, Vec<Card>)>,
}

struct Card {
    board: String,
    position: Disagreement,
    /// Rank, and values of both moves.
    values: [String; 2],
    terms: Vec<(String, String)>,
}

fn card(position: Disagreement) -> Card {
    let Disagreement { number, played, preferred, on_board: (board, [mv, other]), .. } = &position;
    let label = format!("Played: {number}{played}. Preferred: {preferred}.");
    Card {
        board: board::diagram(board, &[(*mv, Mark::Played), (*other, Mark::After)], &label),
        values: [position.played_value, position.preferred_value]
            .map(|value| with_minus(&format!("{value:+.1}"))),
        terms: position
            .terms
            .iter()
            .map(|line| (with_minus(&format_tenths(line.tenths)), line.name.clone()))
            .collect(),
        position,
    }
}

/// The positions of each of the surest differences, those in which the term differs most first, and the
/// positions whose played move ranks lowest.
fn groups(own: &Choices, rows: &[TermRow], most: usize) -> Vec<(String, Vec<Card>)> {
    let of_term = |row: &TermRow| {
        let sign = if row.errors > 0.0 { 1 } else { -1 };
        let value = |difference: &Difference| sign * difference.terms[row.term];
        let mut shown: Vec<&Difference> =
            own.differing.iter().filter(|difference| value(difference) < 0).collect();
        shown.sort_by_key(|difference| value(difference));
        let shown = shown.into_iter().take(SHOWN_POSITIONS);
        let often = if sign > 0 { "more" } else { "less" };
        let title = format!("{}, given up {often} often than by the winners: {}", row.name, row.meaning);
        (title, shown.map(|difference| card(own.searcher.disagreement(difference.position))).collect())
    };
    let sure = rows.iter().filter(|row| row.errors.abs() > 2.0).take(SHOWN_TERMS);
    let worst = own.searcher.worst(&own.standings, most).into_iter().map(card).collect();
    let worst = ("Most moves ahead of the played one".to_string(), worst);
    sure.map(of_term).chain([worst]).collect()
}

/// The page of a player's choices beside those of the winners of other games, with `most` of the positions
/// whose played move ranks lowest.
///
/// # Errors
///
/// The template cannot be filled.
pub fn page(own: &Choices, others: &Choices, games: &str, par: &str, most: usize) -> Result<String> {
    let (rows, few) = compared(own, others);
    let names = own.collection.games.iter().map(|game| game.chooser.fold_wb(&game.white, &game.black));
    let page = Page {
        name: names.max_by_key(|name| name.len()).cloned().unwrap_or_default(),
        par: shown_path(par),
        games: games.to_string(),
        symbols: board::squares() + &pieces::symbols(),
        plot_css: plot::PAGE_CSS,
        rates: [own.rate(), others.rate()],
        differing: [own.differing.len(), others.differing.len()],
        reading: reading(&rows),
        groups: groups(own, &rows, most),
        few: few.join(", "),
        rows,
    };
    let html = page.render().map_err(|error| Error::new(format!("cannot lay out the page: {error}")))?;
    Ok(printable(&html).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_share_grows_where_positions_of_a_game_agree_and_is_never_nothing() {
        let single = Share::of(&[[1.0, 1.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0]]);
        let grouped = Share::of(&[[4.0, 4.0], [0.0, 4.0], [4.0, 4.0], [0.0, 4.0]]);
        assert_eq!((single.share, grouped.share), (0.5, 0.5));
        assert!((grouped.error - (16.0_f64 * 4.0 / 3.0).sqrt() / 16.0).abs() < 1e-12);
        assert!((single.error - grouped.error).abs() < 1e-12, "four games either way");
        let always = Share::of(&[[3.0, 3.0]; 4]);
        assert!((always.error - (13.0_f64 / 14.0 / 14.0 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(Share::of(&[]).share, 0.0);
    }

    fn row(own: f64, others: f64, error: f64) -> TermRow {
        let share = |share| Share { given_up: 1.0, positions: 2.0, games: 20, share, error };
        TermRow::of(Key::BPair, share(own), share(others))
    }

    #[test]
    fn a_difference_is_read_by_itself_only_beyond_the_limit_for_as_many_terms() {
        let far = row(0.9, 0.5, 0.1);
        assert!((far.errors - 0.4 / 0.02_f64.sqrt()).abs() < 1e-9);
        assert!((far.probability() - 0.004_678).abs() < 1e-5, "{}", far.probability());
        let alone = reading(&[far]);
        assert!(alone.contains("1 term was compared") && alone.contains("themselves: b_pair"), "{alone}");
        let others = (0..11).map(|_| row(0.5, 0.5, 0.1));
        let among: Vec<TermRow> = [row(0.9, 0.5, 0.1)].into_iter().chain(others).collect();
        let text = reading(&among);
        assert!(text.contains("about 0.5 would be beyond two errors; 1 are. None of them"), "{text}");
        assert!(reading(&[]).contains("nothing can be said"));
    }
}
