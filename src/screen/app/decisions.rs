//! The positions in which a single term decides between the played move and the best other one, for every term.
//!
//! One pass over all positions finds them, beside the screen. Knows the reports of the worker, not how it searches.

use std::sync::Arc;

use super::{App, Effect, Page, Progress};
use crate::{
    feature::{Key, Weights},
    game::Collection,
    position::CompactMove,
    sample::Sampling,
    screen::{analysis::Analysis, keys::Action, layout::List},
    value::Value,
};

/// A position that a term decides: without the term, the other of two moves would be ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Index of the position in the collection.
    pub position: usize,
    pub key: Key,
    /// The best move but the played one.
    pub rival: CompactMove,
    /// What the term adds to the played move, less what it adds to the other.
    pub value: Value,
}

/// The positions to be searched, and under which weights.
#[derive(Debug)]
pub struct DecisionRequest {
    /// Changes with weights and sampling.
    pub epoch: u64,
    pub weights: Weights,
    pub sampling: Sampling,
    pub collection: Arc<Collection>,
    /// Number of threads; none for one on each core.
    pub threads: Option<u32>,
}

/// What the pass has found.
pub struct Decisions {
    /// That of the search that the weights belong to.
    epoch: u64,
    /// How far the pass is, while it runs.
    pub progress: Option<Progress>,
    all: Vec<Decision>,
}

/// The terms that decide a position, both of whose moves are in bound.
pub fn decisions(position: usize, analysis: &Analysis, weights: &Weights) -> Vec<Decision> {
    let [played, rival] = [analysis.played, analysis.rival(analysis.played)].map(|at| &analysis.moves[at]);
    if played.mv == rival.mv || !played.in_bound || !rival.in_bound {
        return Vec::new();
    }
    let quantised = weights.quantised();
    let lead = played.leaf.value - rival.leaf.value;
    let [own, other] = [played, rival].map(|analysed| analysis.terms(&analysed.leaf, &quantised));
    let terms = Key::ALL.iter().zip(own.iter().zip(other)).map(|(&key, (own, other))| (key, own - other));
    let decides = |&(_, value): &(Key, Value)| lead.signum() * (lead - value) <= 0 && lead * value > 0;
    terms.filter(decides).map(|(key, value)| Decision { position, key, rival: rival.mv, value }).collect()
}

impl App {
    /// Begins the pass where the page of a weight is open and the decisions are not those of the present weights.
    pub(super) fn follow_decisions(&mut self) -> Vec<Effect> {
        let epoch = self.browser.epoch();
        let is_there = self.decisions.as_ref().is_some_and(|decisions| decisions.epoch == epoch);
        if is_there || self.fit_job.is_some() || !matches!(self.page, Page::Cells { .. }) {
            return Vec::new();
        }
        self.decisions = Some(Decisions { epoch, progress: Some(Progress::default()), all: Vec::new() });
        vec![Effect::FindDecisions(Box::new(DecisionRequest {
            epoch,
            weights: self.editor.weights().clone(),
            sampling: self.options.sampling(),
            collection: Arc::clone(&self.browser.games().collection),
            threads: self.options.setup.place.threads,
        }))]
    }

    pub(super) fn decisions_progress(&mut self, now: Progress) {
        let progress = self.decisions.as_mut().and_then(|decisions| decisions.progress.as_mut());
        progress.into_iter().for_each(|progress| *progress = now);
    }

    /// Takes decisions, unless they are of older weights.
    pub(super) fn decisions_found(&mut self, epoch: u64, found: Vec<Decision>) {
        let decisions = self.decisions.as_mut().filter(|decisions| decisions.epoch == epoch);
        decisions.into_iter().for_each(|decisions| decisions.all.extend(&found));
    }

    /// Ends the pass; what was given up is forgotten.
    pub(super) fn decisions_ended(&mut self, epoch: u64, is_whole: bool) {
        let Some(decisions) = self.decisions.as_mut().filter(|decisions| decisions.epoch == epoch) else {
            return;
        };
        decisions.progress = None;
        if !is_whole {
            self.decisions = None;
        }
    }

    /// The decisions of the chosen parameter, those by most first.
    pub fn decisions_of(&self, key: Key) -> Vec<Decision> {
        let all = self.decisions.iter().flat_map(|decisions| &decisions.all);
        let mut own: Vec<Decision> = all.filter(|decision| decision.key == key).copied().collect();
        own.sort_by_key(|decision| (std::cmp::Reverse(decision.value.abs()), decision.position));
        own
    }

    /// Chooses one of the positions that the parameter decides, or shows the chosen one; returns what follows, and none where
    /// the action is no such one.
    pub(super) fn choose_decision(
        &mut self,
        action: Action,
        line: usize,
        list: &List,
    ) -> Option<Vec<Effect>> {
        let decisions = self.decisions_of(self.editor.cursor());
        let Page::Cells { cell, .. } = self.page else { return None };
        let is_table = self.editor.cursor().feature().layout.is_table();
        let action = match action {
            Action::NextPosition => Action::Down,
            Action::PreviousPosition => Action::Up,
            Action::Open => {
                let position = decisions.get(line)?.position;
                self.page = Page::Main;
                let mut effects = self.browser.leave_typed();
                effects.extend(self.browser.show_position(position));
                return Some(effects);
            }
            _ if is_table => return None,
            other => other,
        };
        self.page = Page::Cells { cell, line: list.choose(action, line)? };
        Some(Vec::new())
    }
}
