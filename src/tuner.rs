//! Runs of [`texam_fit`] over winners' positions: weights in, weights of every pass out.
//!
//! [`texam_fit`] repeats passes and fits; this module turns weights into the values of its model and back.

use texam_fit::{
    Communicator, Fit, FitOptions, Forces, Method, Model, Next, PassReport, ShardSums, Shards, Standing,
    StopReason, Team, Temperature, Timing,
};

use crate::{
    error::{Error, ErrorKind, Result},
    feature::Weights,
    game::{Collection, LabelledPosition, StoredHints, WinnerPosition},
    parameters::Parameters,
    sample::{LabelledSource, PositionSource, Sampling, Tick},
};

/// The positions of a run. Those of a game stand next to each other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Data<'a> {
    /// Positions to fit.
    pub fitted: &'a [WinnerPosition],
    /// Positions of other games, measured and never fitted; may be empty.
    pub held_out: &'a [WinnerPosition],
    /// What databases of games store for the positions to fit and for the others; makes the first pass faster and
    /// changes no result.
    pub hints: [Option<&'a StoredHints>; 2],
}

/// Labelled positions of a run. Those of a game stand next to each other.
#[derive(Debug, Clone, Copy)]
pub struct LabelledData<'a> {
    /// Positions to fit.
    pub fitted: &'a [LabelledPosition],
    /// Positions of other games, measured and never fitted; may be empty.
    pub held_out: &'a [LabelledPosition],
}

/// What a run is made from.
#[derive(Debug, Clone, Copy)]
pub enum Positions<'a> {
    /// Positions in which the winner chose a move.
    Choices(Data<'a>),
    /// Positions with the result of their game.
    Labelled(LabelledData<'a>),
}

impl<'a> From<Data<'a>> for Positions<'a> {
    fn from(data: Data<'a>) -> Positions<'a> {
        Positions::Choices(data)
    }
}

impl<'a> Positions<'a> {
    /// Numbers of positions fitted and held out.
    fn counts(self) -> [usize; 2] {
        match self {
            Positions::Choices(data) => [data.fitted.len(), data.held_out.len()],
            Positions::Labelled(data) => [data.fitted.len(), data.held_out.len()],
        }
    }

    /// The source of choices under the parameters of some weights.
    fn source(
        self,
        parameters: &'a Parameters,
        sampling: Sampling,
        tick: Tick<'a>,
    ) -> Box<dyn texam_fit::Source + 'a> {
        match self {
            Positions::Choices(data) => Box::new(data.source(parameters, sampling, tick)),
            Positions::Labelled(LabelledData { fitted, held_out }) => {
                Box::new(LabelledSource::new([fitted, held_out], parameters, sampling, tick))
            }
        }
    }
}

impl<'a> Data<'a> {
    /// All positions of a collection, to be fitted.
    pub fn all(collection: &'a Collection) -> Data<'a> {
        Data { fitted: &collection.positions, held_out: &[], hints: [Some(&collection.hints), None] }
    }

    /// The source of choices under the parameters of some weights.
    fn source(&self, parameters: &'a Parameters, sampling: Sampling, tick: Tick<'a>) -> PositionSource<'a> {
        let mut source = PositionSource::new([self.fitted, self.held_out], parameters, sampling, tick);
        source.recall(self.hints);
        source
    }
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// How positions are searched and kept.
    pub sampling: Sampling,
    /// What pulls the moves of a choice.
    pub method: Method,
    /// How the equations are solved.
    pub fit: FitOptions,
    /// Whether the fit keeps the spread that the values had at the start.
    pub keep_spread: bool,
    /// Fits to make.
    pub iterations: u32,
    /// Fits without a better agreement after which to stop.
    pub patience: Option<u32>,
}

impl Plan {
    /// The plan without the search.
    fn of_fits(&self) -> texam_fit::Plan {
        let Plan { sampling: _, method: _, fit, keep_spread, iterations, patience } = *self;
        texam_fit::Plan { options: fit, keep_spread, iterations, patience }
    }
}

/// One measured pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// What was measured.
    pub report: PassReport,
    /// The weights it was measured with.
    pub weights: Weights,
    /// Where the time went.
    pub timing: Timing,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// All passes, those of an earlier part of a resumed run included.
    pub passes: Vec<Pass>,
    /// Why it ended.
    pub stopped: StopReason,
}

impl Run {
    /// The best pass; the earliest of equals.
    pub fn best(&self) -> usize {
        texam_fit::best(self.passes.iter().map(|pass| &pass.report))
    }
}

/// Follows a run. Called from the thread that runs it, except [`Observer::searched`].
pub trait Observer: Sync {
    /// A pass begins, with so many positions to search.
    fn begins(&self, _pass: u32, _positions: usize) {}

    /// One more position is searched; says whether to go on. Called from all threads.
    fn searched(&self, _standing: &Standing) -> bool {
        true
    }

    /// The temperature of the objective is known, after the search of the first pass.
    fn temperature(&self, _temperature: Temperature) {}

    /// A pass is measured. `fit` is the fit that led to it.
    ///
    /// # Errors
    ///
    /// What the observer could not do with it; ends the run.
    fn measured(&self, pass: &Pass, fit: Option<&Fit>) -> Result<()>;
}

/// Runs a plan from `start`.
///
/// # Errors
///
/// No positions to fit, a fit that fails, or an observer that could not do its part.
pub fn tune<'a>(
    data: impl Into<Positions<'a>>,
    start: &Weights,
    plan: &Plan,
    observer: &dyn Observer,
) -> Result<Run> {
    resume(data, start, plan, Vec::new(), observer)
}

/// Goes on after the passes that an interrupted run of the same plan has finished.
///
/// # Errors
///
/// As [`tune`]; also when the last pass, searched again, does not agree with its report.
pub fn resume<'a>(
    data: impl Into<Positions<'a>>,
    start: &Weights,
    plan: &Plan,
    finished: Vec<Pass>,
    observer: &dyn Observer,
) -> Result<Run> {
    let data = data.into();
    if data.counts()[0] == 0 {
        return Err(Error::expected("at least one position to fit", "none").of_kind(ErrorKind::NoPositions));
    }
    tune_with(None, data, start, plan, finished, observer)
}

/// [`resume`] as the leader of a team. `data` has the share of this process.
///
/// # Errors
///
/// As [`resume`]; also when another process fails.
pub fn lead(
    team: &Team,
    data: Positions,
    start: &Weights,
    plan: &Plan,
    finished: Vec<Pass>,
    observer: &dyn Observer,
) -> Result<Run> {
    tune_with(Some(team), data, start, plan, finished, observer)
}

/// Searches a share of the positions for the leader of a team, until its run has ended.
///
/// # Errors
///
/// A leader of another version.
pub fn follow(
    communicator: &dyn Communicator,
    data: Positions,
    start: &Weights,
    plan: &Plan,
    tick: Tick,
) -> Result<()> {
    let parameters = Parameters::new(start)?;
    let mut source = data.source(&parameters, plan.sampling, tick);
    Ok(texam_fit::follow(communicator, &mut *source, plan.method.objective(), parameters.model())?)
}

/// Runs a plan, alone or as the leader of a team.
fn tune_with(
    team: Option<&Team>,
    data: Positions,
    start: &Weights,
    plan: &Plan,
    finished: Vec<Pass>,
    observer: &dyn Observer,
) -> Result<Run> {
    plan.method.validate()?;
    let parameters = Parameters::new(start)?;
    let tick = |standing: &Standing| observer.searched(standing);
    let mut source = data.source(&parameters, plan.sampling, &tick);
    let [fitted, held_out] = data.counts();
    let adapter = Adapter { observer, parameters: &parameters, positions: fitted + held_out };
    let (source, objective, model) = (&mut *source, plan.method.objective(), parameters.model());
    let (plan, finished) = (plan.of_fits(), adapter.values(finished));
    let texam_fit::Run { passes, stopped } = match team {
        Some(team) => team.resume(source, objective, model, &plan, finished, &adapter)?,
        None => texam_fit::resume(source, objective, model, &plan, finished, &adapter)?,
    };
    Ok(Run { passes: passes.into_iter().map(|pass| adapter.pass(pass)).collect(), stopped })
}

/// Searches a share of the positions of one pass, under the weights `pass` of a run from `start`. No result where `tick`
/// says no.
///
/// # Errors
///
/// No weight that is tuned, or a search that fails.
pub fn search_shard(
    data: Positions,
    start: &Weights,
    pass: &Weights,
    plan: &Plan,
    tick: Tick,
) -> Result<Option<ShardSums>> {
    plan.method.validate()?;
    let parameters = Parameters::new(start)?;
    let model = parameters.model().with_values(&parameters.values(pass))?;
    let mut source = data.source(&parameters, plan.sampling, tick);
    Ok(ShardSums::search(&mut *source, plan.method.objective(), &model, &plan.of_fits())?)
}

/// The pass after those that are finished, from all its shards, and the fit that follows it. `fit` is the
/// fit that led to the pass; the first pass has none.
///
/// # Errors
///
/// Shards that do not belong together, a fit that fails, or an observer that could not do its part.
pub fn merge(
    shards: Shards,
    start: &Weights,
    plan: &Plan,
    finished: Vec<Pass>,
    fit: Option<&Fit>,
    observer: &dyn Observer,
) -> Result<Next> {
    plan.method.validate()?;
    let parameters = Parameters::new(start)?;
    let adapter = Adapter { observer, parameters: &parameters, positions: 0 };
    let finished = adapter.values(finished);
    let objective = plan.method.objective();
    Ok(texam_fit::merge(shards, objective, parameters.model(), &plan.of_fits(), finished, fit, &adapter)?)
}

/// One fit of some positions, and how their played moves stand.
#[derive(Debug, Clone)]
pub struct SingleFit {
    /// The model of the weights that were fitted.
    pub model: Model,
    /// The fit.
    pub fit: Fit,
    /// How the played move stands in each position.
    pub standings: Vec<Standing>,
}

/// Fits weights to positions once. No result where `tick` says no.
///
/// # Errors
///
/// Nothing to fit, or a fit that fails.
pub fn fit_once(
    data: Data,
    weights: &Weights,
    sampling: &Sampling,
    forces: &Forces,
    options: &FitOptions,
    tick: Tick,
) -> Result<Option<SingleFit>> {
    forces.validate()?;
    let parameters = Parameters::new(weights)?;
    let mut source = data.source(&parameters, *sampling, tick);
    source.keep_standings();
    let fit = texam_fit::fit_once(&mut source, forces, parameters.model(), options)?;
    let standings = source.standings();
    Ok(fit.map(|(_, fit)| SingleFit { model: parameters.model().clone(), fit, standings }))
}

/// Passes what [`texam_fit`] reports on to an observer that knows weights.
struct Adapter<'a> {
    observer: &'a dyn Observer,
    parameters: &'a Parameters,
    positions: usize,
}

impl Adapter<'_> {
    fn values(&self, passes: Vec<Pass>) -> Vec<texam_fit::Pass> {
        let values = |Pass { report, weights, timing }| texam_fit::Pass {
            report,
            values: self.parameters.values(&weights),
            timing,
        };
        passes.into_iter().map(values).collect()
    }

    fn pass(&self, pass: texam_fit::Pass) -> Pass {
        let texam_fit::Pass { report, values, timing } = pass;
        Pass { report, weights: self.parameters.weights(&values), timing }
    }
}

impl texam_fit::Observer for Adapter<'_> {
    fn begins(&self, pass: u32) {
        self.observer.begins(pass, self.positions);
    }

    fn temperature(&self, temperature: Temperature) {
        self.observer.temperature(temperature);
    }

    fn measured(&self, pass: &texam_fit::Pass, fit: Option<&Fit>) -> texam_fit::Result<()> {
        self.observer.measured(&self.pass(pass.clone()), fit).map_err(texam_fit::Error::external)
    }
}
