//! From the winners' positions to choices: positions in, numbers out.
//!
//! A pass of [`PositionSource`] is the method up to the fit. Each position is [searched](search), which
//! values every move by its best leaf. How the played move stands among the moves is counted: a [`Standing`].
//! Where two or more moves are in bound, they become a [`Choice`] with a row for each, which the fit takes.
//! Positions held out are only counted.
//!
//! `games` shares the games of a pass among threads, `recall` hands best moves from pass to pass, `forest`
//! has the stored trees that may take the place of a search, and `rows` makes the rows.

mod difference;
mod forest;
mod games;
mod labelled;
mod recall;
mod rows;
mod single;
#[cfg(test)]
pub(crate) mod testing;

use std::borrow::Cow;

use shakmaty::Position;
use texam_fit::{
    Agreement, Choice, ClusterCounts, LeftOut, Measured, Model, PRODUCT, Pool, Result, Sink, Source, Spread,
    Standing,
};

pub use self::{
    difference::Difference,
    forest::{Forest, grow_all},
    labelled::{LabelledSource, quiet, quiet_value},
    recall::Recall,
    rows::ChoiceMaker,
    single::SingleFit,
};
use self::{
    forest::Trees,
    games::{Pass, Valuation, Values},
};
use crate::{
    feature::Weights,
    game::WinnerPosition,
    parameters::Parameters,
    position::CompactMove,
    search::{
        MoveHints, RootKind, SearchedMoves, Settings, Threshold,
        alphabeta::{AlphaBeta, HALF_PAWN},
        tree::Margin,
    },
};

/// How positions are searched and what is in bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// The search.
    pub search: Settings,
    /// What stands for the position before the choice.
    pub root: RootKind,
    /// The bound around its value.
    pub threshold: Threshold,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling { search: Settings::default(), root: RootKind::Quiescence, threshold: Some(HALF_PAWN) }
    }
}

/// Searches one position, with the hints of an earlier search of it, and finds how the played move stands.
pub fn search(
    position: &WinnerPosition,
    sampling: &Sampling,
    searcher: &mut AlphaBeta,
    hints: &mut MoveHints,
) -> (Standing, SearchedMoves) {
    let root = position.position();
    let played = CompactMove::from(position.played_in(&root));
    let moves = searcher.search_choice_with_hints(&root, played, sampling.root, sampling.threshold, hints);
    (standing(&moves), moves)
}

/// How the played move stands among the moves of a position.
fn standing(moves: &SearchedMoves) -> Standing {
    let SearchedMoves { legal, ahead, tied, kept, .. } = moves;
    let rows = if kept.len() >= 2 { kept.len() as u32 } else { 0 };
    Standing { alternatives: *legal, ahead: *ahead, tied: *tied, rows }
}

/// Called with the standing of each position, from all threads; says whether to go on.
pub type Tick<'a> = &'a (dyn Fn(&Standing) -> bool + Sync);

/// Searches positions for a fit. Positions held out are only counted.
pub struct PositionSource<'a> {
    fitted: Cow<'a, [WinnerPosition]>,
    held_out: &'a [WinnerPosition],
    parameters: &'a Parameters,
    sampling: Sampling,
    tick: Tick<'a>,
    valuation: Valuation<'a>,
}

impl<'a> PositionSource<'a> {
    /// A source over these positions, those of a game next to each other. `tick` is called with each
    /// standing.
    pub fn new(
        [fitted, held_out]: [&'a [WinnerPosition]; 2],
        parameters: &'a Parameters,
        sampling: Sampling,
        tick: Tick<'a>,
    ) -> PositionSource<'a> {
        let (fitted, valuation) = (fitted.into(), Valuation::Search(Default::default()));
        PositionSource { fitted, held_out, parameters, sampling, tick, valuation }
    }

    /// Uses the hints of earlier sources of the same positions, and leaves its own there.
    pub fn share(&mut self, hints: &'a mut [Recall; 2]) {
        self.valuation = Valuation::SharedSearch(hints);
    }

    /// Leaves out a group of the games that are fitted, and begins with copies of the hints of a source of
    /// all of them.
    pub fn leave_out(&mut self, group: LeftOut, [fitted, held_out]: &[Recall; 2]) {
        let kept = kept(&self.fitted, group, |position| position.game);
        self.valuation = Valuation::Search([fitted.of(kept.iter().copied()), held_out.clone()]);
        self.fitted = kept.into_iter().map(|at| self.fitted[at]).collect();
    }

    /// Lets passes walk through the stored trees of both in place of searching. After every `regrow` passes,
    /// where that is not 0, the trees are grown anew with this margin, under the weights of the moment. Of a
    /// run that is resumed, `made` is the number of passes before the first one, and the weights are those
    /// under which the trees were last grown anew.
    pub fn walk(&mut self, forests: [Forest; 2], margin: Margin, regrow: u32, made: (u32, Option<Weights>)) {
        let (passes, last_grown) = made;
        self.valuation = Valuation::Walk(Trees { forests, margin, regrow, passes, last_grown });
    }
}

impl Source for PositionSource<'_> {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let weights = self.parameters.weights(&model.values());
        let (sampling, tick) = (&self.sampling, self.tick);
        let positions = [&*self.fitted, self.held_out];
        let begun = self.valuation.begin(positions, &weights, sampling, tick)?;
        let Some([fitted, held_out]) = begun else { return Ok(None) };
        let weights = &weights.quantised();
        let pass = |positions, values| Pass { positions, weights, sampling, values, keep: false, tick };
        let held_out = measure_held_out(pass(self.held_out, held_out), sink)?;
        let Some(held_out) = held_out else { return Ok(None) };
        let fitted = give_choices(pass(&self.fitted, fitted), self.parameters, sink)?;
        let Some(fitted) = fitted else { return Ok(None) };
        Ok(Some(Measured {
            fitted: fitted.agreement,
            held_out: (!self.held_out.is_empty()).then_some(held_out.agreement),
            clusters: [fitted.games, held_out.games],
        }))
    }
}

/// Searches positions to be fitted, and gives the sink the choices of each game.
fn give_choices(pass: Pass, parameters: &Parameters, sink: &dyn Sink) -> Result<Option<Searched>> {
    let weights = pass.weights;
    let makers = Pool::default();
    let new = || (ChoiceMaker::new(parameters, weights), Vec::new());
    pass.each_game(|counts, game| {
        // The buffers of the choices serve one game after the other.
        makers.with(new, |(maker, choices)| {
            let mut used = 0;
            let goes_on = game.search(counts, |position, moves| {
                if choices.len() == used {
                    choices.push(Choice::default());
                }
                let is_white = position.position().turn().is_white();
                maker.fill(moves, is_white, position.game, &mut choices[used])?;
                used += 1;
                Ok(())
            })?;
            sink.accept(&choices[..used])?;
            Ok(goes_on)
        })
    })
}

/// Searches positions that are held out. Where the sink wants their values, it gets choices without entries.
fn measure_held_out(pass: Pass, sink: &dyn Sink) -> Result<Option<Searched>> {
    let is_wanted = sink.wants_held_out();
    pass.each_game(|counts, game| {
        let mut choices = Vec::new();
        let goes_on = game.search(counts, |position, moves| {
            if is_wanted {
                let mut choice = Choice::default();
                choice.begin(position.game.into(), moves.ahead);
                let mut values = moves.kept.iter().map(|kept| kept.leaf.value - moves.root.value);
                values.try_for_each(|value| choice.push(PRODUCT * value, []))?;
                choices.push(choice);
            }
            Ok(())
        })?;
        if is_wanted {
            sink.accept_held_out(&choices)?;
        }
        Ok(goes_on)
    })
}

/// What a pass measures.
#[derive(Debug, Clone, Default)]
pub struct Searched {
    /// Counts over the positions with at least two legal moves, and over all their legal moves.
    pub agreement: Agreement,
    /// Spread of the kept values.
    pub spread: Spread,
    /// What each game counts, in the order of the games.
    pub games: Vec<ClusterCounts>,
    /// How the played move stands in each position, where they are kept.
    pub standings: Vec<Standing>,
}

impl Searched {
    /// Counts a position of the last game.
    fn count(&mut self, standing: &Standing, moves: &SearchedMoves) {
        self.agreement.count(standing);
        self.games.last_mut().expect("the game has begun").count(standing);
        if standing.rows > 0 {
            let values: Vec<i64> = moves.kept.iter().map(|kept| PRODUCT * kept.leaf.value).collect();
            self.spread.add(&values);
        }
    }

    /// Adds what later games count.
    fn merge(mut self, mut later: Searched) -> Searched {
        self.agreement.merge(&later.agreement);
        self.spread.merge(later.spread);
        self.games.append(&mut later.games);
        self.standings.append(&mut later.standings);
        self
    }
}

/// Searches all positions on all threads and counts, without a fit. The standings are kept, in the order of
/// the positions, where `keep` says so. When `tick` says no, there is no result.
pub fn pass(
    positions: &[WinnerPosition],
    weights: &Weights,
    sampling: &Sampling,
    recall: &mut Recall,
    keep: bool,
    tick: Tick,
) -> Option<Searched> {
    let weights = &weights.quantised();
    let pass = Pass { positions, weights, sampling, values: Values::Search(recall), keep, tick };
    let searched = pass.each_game(|counts, game| game.search(counts, |_, _| Ok(())));
    searched.expect("a search does not fail")
}

/// The places of the positions that are not of the games of a group.
fn kept<P>(positions: &[P], group: LeftOut, game: fn(&P) -> u32) -> Vec<usize> {
    let games = positions.chunk_by(|a, b| game(a) == game(b)).zip(0..);
    let is_kept = games.flat_map(|(positions, place)| positions.iter().map(move |_| !group.has(place)));
    is_kept.enumerate().filter_map(|(at, is_kept)| is_kept.then_some(at)).collect()
}

#[cfg(test)]
mod tests {
    use texam_fit::{Begun, FirstPass, Job, Objective, Outcome, Plan};

    use super::*;

    #[test]
    fn standings_come_in_the_order_of_the_positions_on_any_number_of_threads() {
        let positions = testing::positions(150);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut recall = Recall::default();
            pool.install(|| {
                pass(positions, &Weights::start(), &testing::shallow(), &mut recall, true, &|_| true).unwrap()
            })
        };
        let [one, many] = [on(1), on(5)];
        assert_eq!((&one.standings, &one.agreement), (&many.standings, &many.agreement));
        assert_eq!(one.spread.units(), many.spread.units());
        assert_eq!(one.standings.len(), positions.len());
        assert_eq!(one.agreement, Agreement::of(&one.standings));
        assert!(one.spread.units() > 5.0);
    }

    #[test]
    fn hints_serve_a_later_source_also_without_a_group_and_change_no_result() {
        let positions = testing::positions(60);
        let search = crate::search::Settings { depth: 2, ..Default::default() };
        let sampling = Sampling { search, ..Sampling::default() };
        let parameters = Parameters::new(&Weights::start()).unwrap();
        let source = || PositionSource::new([positions, &[]], &parameters, sampling, &|_| true);
        let fit = |mut source: PositionSource| {
            let options = texam_fit::FitOptions::default();
            let fit = texam_fit::fit_once(&mut source, &texam_fit::Softmax, parameters.model(), &options);
            fit.unwrap().unwrap().1.values
        };
        let mut hints = <[Recall; 2]>::default();
        let mut first = source();
        first.share(&mut hints);
        let all = fit(first);
        let bytes = |hints: &[Recall; 2]| hints[0].bytes();
        let kept = bytes(&hints);
        assert!(kept > 0);
        let group = LeftOut { group: 1, groups: 3 };
        let without = |hints: &[Recall; 2]| {
            let mut source = source();
            source.leave_out(group, hints);
            fit(source)
        };
        assert_eq!(without(&hints), without(&Default::default()));
        assert_ne!(without(&hints), all);
        assert_eq!(bytes(&hints), kept);
        let mut again = source();
        again.share(&mut hints);
        assert_eq!(fit(again), all);
    }

    #[test]
    fn a_run_without_a_group_is_the_same_after_a_first_pass_over_everything() {
        let positions = testing::positions(150);
        let game = positions[40].game;
        let (held_out, fitted) =
            positions.split_at(positions.partition_point(|position| position.game <= game));
        let parameters = Parameters::new(&Weights::start()).unwrap();
        let sampling = testing::shallow();
        let source = || PositionSource::new([fitted, held_out], &parameters, sampling, &|_| true);
        let mut plan = Plan::default();
        (plan.options.min_support, plan.iterations) = (5, 2);
        let objectives: [&dyn Objective; 2] = [&texam_fit::Forces::default(), &texam_fit::Softmax];
        for objective in objectives {
            let first = FirstPass::of(&mut source(), parameters.model(), objective.has_temperature());
            let first = first.unwrap().unwrap();
            let groups = [0, 1].map(|group| {
                let group = LeftOut { group, groups: 2 };
                let [begun, searched] = [Some(&first), None].map(|first| {
                    let mut rest = source();
                    rest.leave_out(group, &Default::default());
                    let start = parameters.model();
                    let job = Job { objective, start, plan: &plan, finished: Vec::new(), observer: &() };
                    let run = job.run(&mut Begun::new(first, group, Box::new(rest))).unwrap();
                    run.passes.iter().map(Outcome::of).collect::<Vec<_>>()
                });
                assert_eq!(begun, searched);
                begun
            });
            assert_ne!(groups[0], groups[1]);
        }
    }

    #[test]
    fn a_pass_that_is_told_to_stop_has_no_result() {
        let mut recall = Recall::default();
        let positions = testing::positions(150);
        assert!(
            pass(positions, &Weights::start(), &testing::shallow(), &mut recall, false, &|_| false).is_none()
        );
    }
}
