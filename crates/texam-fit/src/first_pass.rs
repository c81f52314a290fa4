//! The first pass of the runs without a group. All of them begin with the same values, so one pass over
//! everything serves them: it keeps the choices, and each run gets those that are not of its group.

use std::collections::HashSet;

use crate::{
    agreement::Agreement,
    choice::Choice,
    error::Result,
    jackknife::LeftOut,
    model::Model,
    source::{Measured, Sink, Source},
    spill::Spill,
};

/// A pass over everything with its choices.
pub struct FirstPass {
    measured: Measured,
    kept: Keeper,
}

/// Keeps the choices of a pass.
struct Keeper {
    fitted: Spill,
    held_out: Spill,
    wants_held_out: bool,
}

impl Sink for Keeper {
    fn accept(&self, choices: &[Choice]) -> Result<()> {
        self.fitted.keep(choices)
    }

    fn wants_held_out(&self) -> bool {
        self.wants_held_out
    }

    fn accept_held_out(&self, choices: &[Choice]) -> Result<()> {
        self.held_out.keep(choices)
    }
}

impl FirstPass {
    /// Searches everything under the values of `model`, with the choices held out where the loss of the runs
    /// is measured. No result where the source was cancelled. The source gives choices, and their clusters in
    /// the order of their places.
    ///
    /// # Errors
    ///
    /// The source fails, or the choices cannot be kept.
    pub fn of(source: &mut dyn Source, model: &Model, has_loss: bool) -> Result<Option<FirstPass>> {
        let kept = Keeper { fitted: Spill::new(), held_out: Spill::new(), wants_held_out: has_loss };
        Ok(source.pass(model, &kept)?.map(|measured| FirstPass { measured, kept }))
    }

    /// Gives the sink all choices but those of a group.
    fn give(&self, group: LeftOut, sink: &dyn Sink) -> Result<Measured> {
        let mut measured = self.measured.clone();
        let mut places = 0..;
        measured.clusters[0].retain(|_| !places.next().is_some_and(|place| group.has(place)));
        let clusters = &measured.clusters[0];
        let numbers: HashSet<u64> = clusters.iter().map(|counts| counts.cluster).collect();
        let give = |(): &mut (), choices: &mut [Choice]| {
            let clusters = choices.chunk_by(|a, b| a.cluster() == b.cluster());
            let mut given = clusters.filter(|choices| numbers.contains(&choices[0].cluster()));
            given.try_for_each(|choices| sink.accept(choices))
        };
        self.kept.fitted.fold(true, || (), give)?;
        if sink.wants_held_out() {
            self.kept.held_out.fold(true, || (), |(), choices| sink.accept_held_out(choices))?;
        }
        measured.fitted = Agreement::of_clusters(clusters);
        Ok(measured)
    }
}

/// A source whose first pass is made already, and lacks a group.
pub struct Begun<'a> {
    first: Option<(&'a FirstPass, LeftOut)>,
    rest: Box<dyn Source + 'a>,
}

impl<'a> Begun<'a> {
    /// Begins with this pass without a group, where there is one, and goes on with `rest`, which leaves out
    /// the same group.
    pub fn new(first: Option<&'a FirstPass>, group: LeftOut, rest: Box<dyn Source + 'a>) -> Begun<'a> {
        Begun { first: first.map(|first| (first, group)), rest }
    }
}

impl Source for Begun<'_> {
    fn pass(&mut self, model: &Model, sink: &dyn Sink) -> Result<Option<Measured>> {
        match self.first.take() {
            Some((first, group)) => first.give(group, sink).map(Some),
            None => self.rest.pass(model, sink),
        }
    }

    fn prepare(&mut self, model: Model) -> Result<Option<Model>> {
        self.rest.prepare(model)
    }
}
