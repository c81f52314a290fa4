//! One player beside an evaluation: the page with the terms in which his moves differ from the moves that it
//! prefers.
//!
//! The preferred move is the best one by these very weights, so any other move tends to have less of what
//! they reward. A share of one half is therefore no measure. The shares of the winners of the built-in games
//! are, because the same holds for them.

mod shares;

use askama::Template;
use rayon::prelude::*;
use shakmaty::Position;
use texam_fit::Standing;

use self::shares::{Counter, Share, groups as groups_of};
pub use self::shares::{Shares, of_winners};

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
    printable::printable,
    run::count,
    sample::{self, Recall, Sampling},
    search::alphabeta::HALF_PAWN,
    show::{
        analysis::Analysis,
        deciding::Line,
        disagreement::{Disagreement, Searcher},
        plot,
    },
    value::{Value, is_mate},
};

/// Games in which the moves differ in a term, on either side, for the term to be compared: the error of fewer
/// says little.
const FEWEST_GAMES: usize = 10;

/// Terms whose positions are shown, at most, and positions of each.
const SHOWN_TERMS: usize = 6;
const SHOWN_POSITIONS: usize = 3;

/// A difference of more standard errors than this is shown.
const BEYOND: f64 = 2.0;

/// The choices of some games under one set of weights.
pub struct Choices<'a> {
    searcher: Searcher<'a>,
    collection: &'a Collection,
    standings: Vec<Standing>,
    /// Positions in which another move is preferred.
    differing: Vec<Difference>,
}

struct Difference {
    /// Index of the position.
    position: usize,
    /// By how much the played move has more of each term than the preferred one; 0 where the counts are the
    /// same. None if not both are in bound.
    terms: Option<Vec<Value>>,
    /// Whether the played move leaves more than half a pawn less than there was, and the preferred one does
    /// not.
    is_loss: bool,
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
        let standings = searched.standings;
        let behind: Vec<usize> =
            (0..standings.len()).filter(|&position| standings[position].ahead > 0).collect();
        observer.begins(round + 1, behind.len());
        let (searcher, quantised) = (Searcher::new(collection, weights, sampling), weights.quantised());
        let difference = |position: usize| {
            let analysis = searcher.analysis(position);
            let [played, preferred] =
                [analysis.played, analysis.preferred()].map(|index| &analysis.moves[index]);
            let terms = (played.in_bound && preferred.in_bound).then(|| differences(&analysis, &quantised));
            let least = analysis.root.value - HALF_PAWN;
            let is_loss =
                played.leaf.value < least && preferred.leaf.value >= least && !is_mate(analysis.root.value);
            observer.searched().then_some(Difference { position, terms, is_loss })
        };
        let differing = behind.into_par_iter().map(difference).collect::<Option<Vec<_>>>()?;
        Some(Choices { searcher, collection, standings, differing })
    }

    /// How often the played move is preferred, another one is and both are in bound, the played one loses half
    /// a pawn, and is worse in each term.
    pub fn shares(&self) -> Shares {
        let mut counter = Counter::default();
        let mut differing = self.differing.iter().peekable();
        for (index, (position, standing)) in self.collection.positions.iter().zip(&self.standings).enumerate()
        {
            let difference = differing.next_if(|difference| difference.position == index);
            if standing.alternatives < 2 {
                continue;
            }
            let (game, terms) = (position.game, difference.and_then(|difference| difference.terms.as_ref()));
            counter.count("preferred", game, standing.is_match());
            counter.count("compared", game, terms.is_some());
            for group in groups_of(&position.position(), &self.collection.games[game as usize]) {
                counter.count(group, game, difference.is_some_and(|difference| difference.is_loss));
            }
            let terms = Key::ALL.iter().zip(terms.into_iter().flatten()).filter(|(_, value)| **value != 0);
            terms.for_each(|(key, &value)| counter.count(key.feature().key, game, value < 0));
        }
        counter.shares()
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

/// A term that is compared.
struct TermRow {
    term: usize,
    name: &'static str,
    own: Share,
    others: Share,
    /// Difference of the shares divided by its error.
    errors: f64,
}

impl TermRow {
    fn of(key: Key, own: Share, others: Share) -> TermRow {
        let name =
            if key.is_piece_value() { "values of all pieces and pawns" } else { key.feature().meaning };
        let errors = (own.value() - others.value()) / libm::hypot(own.error, others.error);
        TermRow { term: key as usize, name, own, others, errors }
    }

    /// The probability that chance makes a difference of at least so many errors.
    fn by_chance(&self, errors: f64) -> f64 {
        beyond(errors, self.own.games.min(self.others.games) - 1)
    }

    /// Whether it is beyond what chance makes of one of so many terms.
    fn is_clear(&self, tests: usize) -> bool {
        self.by_chance(self.errors.abs()) * (tests as f64) < 0.05
    }

    /// The smallest true difference that is seen in four cases of five, in per cent.
    fn seen_from(&self) -> f64 {
        280.0 * libm::hypot(self.own.error, self.others.error)
    }
}

/// The probability that a number of Student's distribution is at least `t` or at most `-t`, by its finite series for whole
/// degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4).
fn beyond(t: f64, freedom: usize) -> f64 {
    let angle = libm::atan(t / (freedom as f64).sqrt());
    let (sin, cos) = libm::sincos(angle);
    let is_odd = freedom % 2 == 1;
    let mut term = if is_odd { cos } else { 1.0 };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    for n in (2 + freedom % 2..freedom - 1).step_by(2) {
        term *= cos * cos * (n - 1) as f64 / n as f64;
        sum += term;
    }
    1.0 - if is_odd { (angle + sin * sum) * std::f64::consts::FRAC_2_PI } else { sin * sum }
}

/// The terms that can be compared, the surest difference first, and how many cannot.
fn compared(own: &Shares, others: &Shares) -> (Vec<TermRow>, usize) {
    let row = |&key: &Key| {
        let share = |shares: &Shares| shares.get(key.feature().key).copied().unwrap_or_default();
        TermRow::of(key, share(own), share(others))
    };
    let (mut rows, few): (Vec<TermRow>, Vec<TermRow>) = Key::ALL
        .iter()
        .map(row)
        .filter(|row| row.own.games > 0)
        .partition(|row| row.own.games.min(row.others.games) >= FEWEST_GAMES);
    rows.sort_by(|a, b| b.errors.abs().total_cmp(&a.errors.abs()));
    (rows, few.len())
}

/// What the rows say together, with the number of terms that cannot be compared.
fn reading(rows: &[TermRow], few: usize) -> String {
    let tests = rows.len();
    let terms = count(few as u64, if tests == 0 { "term" } else { "other term" });
    let few = match few {
        0 if tests == 0 => return "So no term can be compared.".to_string(),
        0 => String::new(),
        _ => format!(" Of {terms} nothing can be said: they differ in fewer than {FEWEST_GAMES} games."),
    };
    if tests == 0 {
        return few;
    }
    let beyond = rows.iter().filter(|row| row.errors.abs() > BEYOND).count();
    let clear = match rows.iter().filter(|row| row.is_clear(tests)).count() {
        0 => "none of them beyond the limit, so none is a finding".to_string(),
        clear => format!("{clear} of them beyond the limit"),
    };
    format!(
        "Of {} about {:.1} would differ by more than two standard errors by chance; {beyond} do, {clear} (a probability of \
         0.05/{tests}). In the other {} the player cannot be told from the winners.{few}",
        count(tests as u64, "term"),
        rows.iter().map(|row| row.by_chance(BEYOND)).sum::<f64>(),
        tests - beyond,
    )
}

/// The groups of moves, a line each.
const GROUPS: [(&str, &[&str]); 4] = [
    ("All", &["all"]),
    ("By colour", &["White", "Black"]),
    ("By phase", &["opening", "middlegame", "endgame"]),
    ("By result", &["won", "drawn", "lost"]),
];

/// How many moves lose more than half a pawn, in four lines: all, by colour, phase and result.
pub fn losses(own: &Shares, others: &Shares) -> Vec<(&'static str, String)> {
    let part = |name: &&str| {
        let label = if *name == "all" { String::new() } else { format!("{name} ") };
        let Some(share) = own.get(name) else { return format!("{label}none") };
        let winners = others.get(name).map(|other| format!(", winners {:.1} %", 100.0 * other.value()));
        let (winners, Share { yes, positions, .. }) = (winners.unwrap_or_default(), share);
        format!("{label}{yes} of {positions} ({}{winners})", share.text(1))
    };
    let line = |names: &[&str]| names.iter().map(part).collect::<Vec<_>>().join("; ");
    GROUPS.map(|(title, names)| (title, line(names))).into()
}

#[derive(Template)]
#[template(path = "player.html", config = "src/show/report/askama.toml")]
struct Page {
    name: String,
    par: String,
    games: String,
    symbols: String,
    plot_css: &'static str,
    /// Which positions of the winners were counted.
    yardstick: &'static str,
    preferred: [Share; 2],
    compared: [Share; 2],
    losses: Vec<(&'static str, String)>,
    reading: String,
    rows: Vec<TermRow>,
    tests: usize,
    groups: Vec<(String, Vec<Card>)>,
}

struct Card {
    board: String,
    position: Disagreement,
    /// Values of both moves.
    values: [String; 2],
    terms: Vec<(String, String)>,
}

/// A value in units as pawns.
fn pawns(units: f64) -> String {
    with_minus(&format!("{:+.2}", units / 128.0))
}

fn card(position: Disagreement) -> Card {
    let Disagreement { number, played, preferred, on_board: (board, [mv, other]), .. } = &position;
    let label = format!("Played: {number}{played}. Preferred: {preferred}.");
    let term = |line: &Line| {
        let is_material = line.name == "material";
        let name = if is_material {
            with_minus(&format!("material: {}", line.meaning))
        } else {
            line.meaning.clone()
        };
        (pawns(line.tenths as f64 / 10.0), name)
    };
    Card {
        board: board::diagram(board, board.turn(), &[(*mv, Mark::Played), (*other, Mark::After)], &label),
        values: [position.played_value, position.preferred_value].map(pawns),
        terms: position.terms.iter().map(term).collect(),
        position,
    }
}

/// The positions of each of the surest differences, those in which the term differs most first, and the
/// positions whose played move ranks lowest.
fn groups(own: &Choices, rows: &[TermRow], most: usize) -> Vec<(String, Vec<Card>)> {
    let of_term = |row: &TermRow| {
        let sign = if row.errors > 0.0 { 1 } else { -1 };
        let value =
            |difference: &&Difference| sign * difference.terms.as_ref().map_or(0, |terms| terms[row.term]);
        let mut shown: Vec<&Difference> =
            own.differing.iter().filter(|difference| value(difference) < 0).collect();
        shown.sort_by_key(value);
        let shown = shown.into_iter().take(SHOWN_POSITIONS);
        let often = if sign > 0 { "Worse more" } else { "Worse less" };
        let title = format!("{often} often than the winners in: {}", row.name);
        (title, shown.map(|difference| card(own.searcher.disagreement(difference.position))).collect())
    };
    let worst = own.searcher.worst(&own.standings, most).into_iter().map(card).collect();
    let worst = ("Most moves ahead of the played one".to_string(), worst);
    rows.iter().take(SHOWN_TERMS).map(of_term).chain([worst]).collect()
}

/// The page of a player's choices beside the shares of winners, of which `yardstick` says what positions were
/// counted, with `most` of the positions whose played move ranks lowest.
///
/// # Errors
///
/// The template cannot be filled.
pub fn page(
    own: &Choices,
    [shares, others]: [&Shares; 2],
    yardstick: &'static str,
    games: &str,
    par: &str,
    most: usize,
) -> Result<String> {
    let (mut rows, few) = compared(shares, others);
    let (reading, tests) = (reading(&rows, few), rows.len());
    rows.retain(|row| row.errors.abs() > BEYOND);
    let names = own.collection.games.iter().map(|game| game.chooser.fold_wb(&game.white, &game.black));
    let of = |name: &str| [shares, others].map(|shares| shares.get(name).copied().unwrap_or_default());
    let page = Page {
        name: names.max_by_key(|name| name.len()).cloned().unwrap_or_default(),
        par: shown_path(par),
        games: games.to_string(),
        symbols: board::squares() + &pieces::symbols(),
        plot_css: plot::PAGE_CSS,
        yardstick,
        preferred: of("preferred"),
        compared: of("compared"),
        losses: losses(shares, others),
        reading,
        groups: groups(own, &rows, most),
        rows,
        tests,
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
        assert_eq!((single.value(), grouped.value()), (0.5, 0.5));
        assert!((grouped.error - (16.0_f64 * 4.0 / 3.0).sqrt() / 16.0).abs() < 1e-12);
        assert!((single.error - grouped.error).abs() < 1e-12, "four games either way");
        let always = Share::of(&[[3.0, 3.0]; 4]);
        assert!((always.error - (13.0_f64 / 14.0 / 14.0 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(Share::of(&[]).value(), 0.0);
    }

    fn row(own: f64, others: f64, error: f64) -> TermRow {
        let share = |share| Share { yes: 10.0 * share, positions: 10.0, games: 20, error };
        TermRow::of(Key::BPair, share(own), share(others))
    }

    #[test]
    fn the_tails_of_students_distribution_are_those_of_its_tables() {
        for (t, freedom) in [(12.706, 1), (4.303, 2), (2.571, 5), (2.262, 9), (2.228, 10), (1.984, 100)] {
            assert!((beyond(t, freedom) - 0.05).abs() < 1e-4, "{t} {freedom}");
        }
    }

    #[test]
    fn a_difference_is_read_by_itself_only_beyond_the_limit_for_as_many_terms() {
        let far = row(0.9, 0.5, 0.1);
        assert!((far.errors - 0.4 / 0.02_f64.sqrt()).abs() < 1e-9);
        assert!(far.is_clear(4) && !far.is_clear(5), "a probability of 0.0107");
        let alone = reading(&[far], 3);
        assert!(alone.starts_with("Of 1 term") && alone.contains("1 do, 1 of them beyond"), "{alone}");
        assert!(alone.ends_with("Of 3 other terms nothing can be said: they differ in fewer than 10 games."));
        let others = (0..11).map(|_| row(0.5, 0.5, 0.1));
        let among: Vec<TermRow> = [row(0.9, 0.5, 0.1)].into_iter().chain(others).collect();
        let text = reading(&among, 0);
        assert!(
            text.contains("about 0.7 would differ by more than two standard errors by chance; 1 do, none"),
            "{text}"
        );
        assert!(
            reading(&[], 4).contains("Of 4 terms nothing can be said") && reading(&[], 0).contains("no term")
        );
    }
}
