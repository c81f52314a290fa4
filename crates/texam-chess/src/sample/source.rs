//! Positions of winners as a source of choices.

use std::{borrow::Cow, iter};

use shakmaty::Position;
use texam_fit::{
    Agreement, Choice, ClusterCounts, LeftOut, Measured, Model, Pool, Result, Sink, Source, Standing,
};

use super::{
    ChoiceMaker, Forest, Game, Recall, Sampling, Searched, Tick, Values, each_game, measure, without,
};
use crate::{
    feature::Weights,
    game::{StoredHints, WinnerPosition},
    parameters::Parameters,
    search::tree::Margin,
};

/// Searches positions for a fit. Positions held out are only counted.
pub struct PositionSource<'a> {
    fitted: Cow<'a, [WinnerPosition]>,
    held_out: &'a [WinnerPosition],
    parameters: &'a Parameters,
    sampling: Sampling,
    tick: Tick<'a>,
    /// What passes hand on about the positions fitted and about those held out.
    recalls: [Recall; 2],
    /// The trees that are walked in place of a search.
    trees: Option<Trees>,
    standings: Option<Vec<Standing>>,
}

/// The stored trees of the positions fitted and of those held out.
struct Trees {
    forests: [Forest; 2],
    margin: Margin,
    /// After so many passes the trees are grown anew; 0 never.
    regrow: u32,
    /// Passes that were made.
    passes: u32,
}

impl<'a> PositionSource<'a> {
    /// A source over these positions, those of a game next to each other. `tick` is called with each standing.
    pub fn new(
        [fitted, held_out]: [&'a [WinnerPosition]; 2],
        parameters: &'a Parameters,
        sampling: Sampling,
        tick: Tick<'a>,
    ) -> PositionSource<'a> {
        PositionSource {
            fitted: fitted.into(),
            held_out,
            parameters,
            sampling,
            tick,
            recalls: Default::default(),
            trees: None,
            standings: None,
        }
    }

    /// Leaves out a group of the games that are fitted.
    pub fn leave_out(&mut self, group: LeftOut) {
        self.fitted = without(&self.fitted, group, |position| position.game).into();
    }

    /// Lets the first pass begin with the stored hints of both. They change no result.
    pub fn recall(&mut self, stored: [&StoredHints; 2]) {
        self.recalls = [Recall::stored(&self.fitted, stored[0]), Recall::stored(self.held_out, stored[1])];
    }

    /// Lets passes walk through the stored trees of both in place of searching. After every `regrow` passes, where that is
    /// not 0, the trees are grown anew with this margin, under the weights of the moment.
    pub fn walk(&mut self, forests: [Forest; 2], margin: Margin, regrow: u32) {
        self.trees = Some(Trees { forests, margin, regrow, passes: 0 });
    }

    /// Has each pass keep the standings of the positions fitted.
    pub fn keep_standings(&mut self) {
        self.standings = Some(Vec::new());
    }

    /// The standings of the last pass, in the order of the positions, where they were to be kept.
    pub fn standings(self) -> Vec<Standing> {
        self.standings.unwrap_or_default()
    }
}

impl Source for PositionSource<'_> {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        let weights = self.parameters.weights(&model.values());
        let quantised = weights.quantised();
        let (sampling, tick, keep) = (&self.sampling, self.tick, self.standings.is_some());
        let [recall, held_out_recall] = &mut self.recalls;
        let (values, held_out_values) = match &mut self.trees {
            None => (Values::Search(recall), Values::Search(held_out_recall)),
            Some(trees) => {
                let positions = [&*self.fitted, self.held_out];
                if !trees.grow_where_due(positions, &weights, sampling, tick)? {
                    return Ok(None);
                }
                let [fitted, held_out] = &trees.forests;
                (Values::Walk(fitted), Values::Walk(held_out))
            }
        };
        let held_out = measure_held_out(self.held_out, &weights, sampling, held_out_values, sink, tick)?;
        let Some(Counts { agreement: held_out, games: held_out_games }) = held_out else { return Ok(None) };
        let workers = Pool::default();
        let new = || (ChoiceMaker::new(self.parameters, &quantised), Vec::new());
        let work = |(counts, standings): &mut (Counts, Vec<Standing>), game: Game| {
            counts.games.push(game.counts());
            // One choice for each position of a game.
            workers.with(new, |(maker, choices)| {
                let (mut used, mut failed) = (0, None);
                let goes_on = game.search(sampling, tick, |position, standing, moves| {
                    counts.count(&standing);
                    standings.extend(iter::once(standing).filter(|_| keep));
                    if standing.rows > 0 && failed.is_none() {
                        if choices.len() == used {
                            choices.push(Choice::default());
                        }
                        let is_white = position.position().turn().is_white();
                        failed = maker.fill(moves, is_white, position.game, &mut choices[used]).err();
                        used += 1;
                    }
                })?;
                failed.map_or_else(|| sink.accept(&choices[..used]), Err).map(|()| goes_on)
            })
        };
        let merge = |(counts, mut standings): (Counts, Vec<Standing>), (other, mut more)| {
            standings.append(&mut more);
            (Counts::merge(counts, other), standings)
        };
        let zero = Default::default;
        let searched = each_game(&self.fitted, &weights, sampling, values, zero, work, merge)?;
        let Some((Counts { agreement: fitted, games }, standings)) = searched else { return Ok(None) };
        self.standings = keep.then_some(standings);
        let held_out = (!self.held_out.is_empty()).then_some(held_out);
        Ok(Some(Measured { fitted, held_out, clusters: [games, held_out_games] }))
    }
}

impl Trees {
    /// Grows the trees anew where that is due before a pass under these weights. Says whether it was not cancelled.
    fn grow_where_due(
        &mut self,
        positions: [&[WinnerPosition]; 2],
        weights: &Weights,
        sampling: &Sampling,
        tick: Tick,
    ) -> Result<bool> {
        let is_due = self.passes > 0 && self.passes.checked_rem(self.regrow) == Some(0);
        self.passes += 1;
        if is_due {
            for (forest, positions) in self.forests.iter_mut().zip(positions) {
                // Growing is no pass: it counts no position.
                let goes_on = |_: &Standing| tick(&Standing::default());
                let grown = Forest::grow(positions, weights, sampling.search, self.margin, &goes_on);
                match grown.map_err(texam_fit::Error::external)? {
                    Some(grown) => *forest = grown,
                    None => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

/// Agreement of all positions, and what each game counts, in the order of the games.
#[derive(Default)]
struct Counts {
    agreement: Agreement,
    games: Vec<ClusterCounts>,
}

impl Counts {
    /// Counts a position of the last game.
    fn count(&mut self, standing: &Standing) {
        self.agreement.count(standing);
        self.games.last_mut().expect("the game has begun").count(standing);
    }

    fn merge(mut self, mut other: Counts) -> Counts {
        self.agreement.merge(&other.agreement);
        self.games.append(&mut other.games);
        self
    }
}

/// Counts agreement on the positions held out. Where the sink wants their values, it gets choices without entries.
fn measure_held_out(
    positions: &[WinnerPosition],
    weights: &Weights,
    sampling: &Sampling,
    values: Values,
    sink: &dyn Sink,
    tick: Tick,
) -> Result<Option<Counts>> {
    if !sink.wants_held_out() {
        let searched = measure(positions, weights, sampling, values, false, tick)?;
        return Ok(searched.map(|Searched { agreement, games, .. }| Counts { agreement, games }));
    }
    let work = |counts: &mut Counts, game: Game| {
        counts.games.push(game.counts());
        let (mut choices, mut failed) = (Vec::new(), None);
        let goes_on = game.search(sampling, tick, |position, standing, moves| {
            counts.count(&standing);
            if standing.rows > 0 {
                let mut choice = Choice::default();
                choice.begin(position.game.into(), moves.ahead);
                let mut values = moves.kept.iter().map(|kept| kept.leaf.value - moves.root.value);
                failed = failed.take().or(values.find_map(|value| choice.push(value, []).err()));
                choices.push(choice);
            }
        })?;
        failed.map_or_else(|| sink.accept_held_out(&choices), Err).map(|()| goes_on)
    };
    each_game(positions, weights, sampling, values, Counts::default, work, Counts::merge)
}
