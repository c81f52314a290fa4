//! Standard errors of a whole run: the run again without each group of the fitted games, one after the other.
//! What the runs have come to stands in NAME.groups until the last of them is made, so that they can be gone
//! on with.

use std::path::Path;

use serde::{Deserialize, Serialize};
use texam_fit::{
    Begun, FirstPass, Fit, Job, LeftOut, Observer, Outcome, Pass, Standing, StopReason, blocks::Format,
    run_errors,
};

use super::{RunSpec, RunWeights, Training, block_file};
use crate::{
    error::{Error, Result},
    run::stat::Header,
    sample::Tick,
};

const FORMAT: Format =
    Format { letters: *b"GR", version: 1, name: "the runs without groups of games", longest: 1 << 30 };

/// The runs without groups that are made, each with its passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupRuns {
    /// The head of the run.
    header: Header,
    /// Passes of each run.
    passes: usize,
    runs: Vec<Vec<Outcome>>,
}

/// Who follows the runs without groups.
pub trait GroupObserver {
    /// A pass of the run without a group begins; both count from 0.
    fn begins(&self, group: u32, pass: u32);

    /// A run is made.
    fn made(&self, runs: &GroupRuns) -> Result<()>;
}

impl GroupRuns {
    /// None yet, for a run with this head and so many passes.
    pub fn new(header: &Header, passes: usize) -> GroupRuns {
        GroupRuns { header: header.clone(), passes, runs: Vec::new() }
    }

    /// Those of a run with this head and so many passes that `path` holds, or none yet.
    pub fn read(path: &Path, header: &Header, passes: usize) -> Result<GroupRuns> {
        let stored = block_file::read(path, &FORMAT).map_err(|error| {
            let advice = "remove the file to make these runs anew";
            Error::new(format!("{}; {advice}", error.message())).in_file(path)
        })?;
        let is_own = |stored: &GroupRuns| stored.header == *header && stored.passes == passes;
        Ok(stored.filter(is_own).unwrap_or_else(|| GroupRuns::new(header, passes)))
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        block_file::write(path, &FORMAT, self)
    }

    /// How many are made.
    pub fn made(&self) -> u32 {
        self.runs.len() as u32
    }

    /// Makes those that are missing. The standard errors of all passes; none where the tick says no.
    pub fn errors(
        mut self,
        training: &mut Training,
        spec: &RunSpec,
        start: &RunWeights,
        observer: &dyn GroupObserver,
        tick: Tick,
    ) -> Result<Option<Vec<Outcome>>> {
        let mut plan = spec.plan()?;
        (plan.iterations, plan.patience) = (self.passes as u32 - 1, None);
        plan.options.errors = false;
        let groups = spec.groups;
        let method = spec.settings.method();
        let mut first = None;
        if training.searches(spec) && self.made() < groups {
            observer.begins(self.made(), 0);
            let mut source = training.source(spec, start, spec.sampling(), tick, None);
            first = FirstPass::of(&mut *source, start.model(), method.objective().has_temperature())?;
            if first.is_none() {
                return Ok(None);
            }
        }
        for group in self.made()..groups {
            // A first pass that is made already does not ask.
            if first.is_some() && !tick(&Standing::default()) {
                return Ok(None);
            }
            let of_group =
                |error: Error| error.while_doing(&format!("the run without group {} of {groups}", group + 1));
            let job = Job {
                objective: method.objective(),
                start: start.model(),
                plan: &plan,
                finished: Vec::new(),
                observer: &OfGroup { group, observer },
            };
            let left_out = LeftOut { group, groups };
            let rest = training.source(spec, start, spec.sampling(), tick, Some(left_out));
            let run = job.run(&mut Begun::new(first.as_ref(), left_out, rest));
            let run = run.map_err(|error| of_group(training.explain(error.into())))?;
            if run.stopped == StopReason::Cancelled {
                return Ok(None);
            }
            self.runs.push(run.passes.iter().map(Outcome::of).collect());
            observer.made(&self)?;
        }
        Ok(Some(run_errors(&self.runs)))
    }
}

/// Follows the run without a group, of which no file is written.
struct OfGroup<'a> {
    group: u32,
    observer: &'a dyn GroupObserver,
}

impl Observer for OfGroup<'_> {
    fn begins(&self, pass: u32) {
        self.observer.begins(self.group, pass);
    }

    fn measured(&self, _: &Pass, _: Option<&Fit>) -> texam_fit::Result<()> {
        Ok(())
    }
}
