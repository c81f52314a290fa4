//! The thread of a trial: agreement of two sets with the winners on all games, then a match between them.
//!
//! It uses the functions of `texam diff` and `texam match`, with the openings of the latter.

use std::{path::Path, sync::Arc};

use shakmaty::Chess;
use texam_fit::Standing;

use super::{Background, CancelFlag, Gate, Outbox, lower_priority, pace::Pace};
use crate::{
    engine::Limits,
    error::{Error, Result},
    feature::Weights,
    game::{Book, read_book},
    matches::{
        openings::{balanced, candidates, shuffled},
        play::GameSettings,
        runner::{self, MatchPlan},
        score::Tally,
    },
    par,
    position::Evaluation,
    run::{self, DEFAULT_GAMES},
    sample::{self, Difference, Recall},
    screen::app::{OtherSet, Report, TRIAL_GAMES, TRIAL_NODES, TrialReport, TrialRequest},
};

/// The seed of the order of openings: that of `texam match`.
const SEED: u64 = 1;

/// Runs a trial to its end, which is reported.
pub fn run_trial(outbox: &Outbox, gate: Arc<Gate>, cancel_flag: CancelFlag, request: &TrialRequest) {
    let progress = |progress| Report::Trial(TrialReport::Progress(progress));
    let work = Background { outbox: outbox.clone(), gate, cancel_flag, pace: Pace::new(1, 0), progress };
    let trial = TrialJob(work);
    let ended = trial.run(request);
    trial.send(TrialReport::Ended(ended));
}

struct TrialJob(Background);

impl TrialJob {
    fn send(&self, report: TrialReport) {
        self.0.send(Report::Trial(report));
    }

    /// Runs both parts. Says whether it was carried through.
    fn run(&self, request: &TrialRequest) -> Result<bool> {
        let other = match &request.other {
            OtherSet::File(path) => par::read(path)?.weights,
            OtherSet::Weights(weights) => (**weights).clone(),
        };
        let sets = [&request.weights, &other];
        if sets[0].quantised() == sets[1].quantised() {
            let found = "the same weights; name another .par, or change a weight";
            return Err(Error::expected("another set of weights", found));
        }
        let agreement = || self.agreement(request, sets);
        let agrees = run::on_prepared_threads(request.threads, lower_priority, agreement)?;
        Ok(agrees && self.games(request, sets)?)
    }

    /// Measures the agreement of both sets with the winners of all games.
    fn agreement(&self, request: &TrialRequest, sets: [&Weights; 2]) -> bool {
        let collection = &request.collection;
        let positions = &collection.positions;
        let (mut agreements, mut games) = (Vec::new(), Vec::new());
        let mut recall = Recall::default();
        for (number, weights) in sets.into_iter().enumerate() {
            self.0.begin(number as u32, positions.len());
            let tick = |_: &Standing| {
                self.0.tick();
                self.0.goes_on()
            };
            match sample::pass(positions, weights, &request.sampling, &mut recall, false, &tick) {
                Some(searched) => {
                    agreements.push(searched.agreement);
                    games.push(searched.games);
                }
                None => return false,
            }
        }
        let agreements = agreements.try_into().expect("one of each set");
        self.send(TrialReport::Agreement(agreements, Difference::by_game(&games[0], &games[1])));
        true
    }

    fn games(&self, request: &TrialRequest, sets: [&Weights; 2]) -> Result<bool> {
        self.0.begin(1, TRIAL_GAMES);
        let openings = openings(request.threads, TRIAL_GAMES / 2)?;
        let settings = request.sampling.search;
        let [first, second] =
            sets.map(|weights| Evaluation::new(&weights.quantised(), settings.phase, settings.phase_at));
        let plan = MatchPlan {
            players: [&first, &second],
            openings: &openings,
            before: Tally::default(),
            game_settings: GameSettings { limits: Limits::nodes(TRIAL_NODES), adjudicate: false },
            threads: request.threads,
            sprt: None,
        };
        let tally = runner::run(&plan, &|| !self.0.goes_on(), |_, tally| {
            // A pair of games.
            self.0.tick();
            self.0.tick();
            self.send(TrialReport::Games(*tally));
        })?;
        Ok(tally.pairs() as usize == openings.len())
    }
}

/// An opening for each pair of games.
fn openings(threads: Option<u32>, pairs: usize) -> Result<Vec<Chess>> {
    let Book::Games(games, _) = read_book(Path::new(DEFAULT_GAMES))? else { return Ok(Vec::new()) };
    let positions = shuffled(candidates(&games), SEED);
    run::on_prepared_threads(threads, lower_priority, || balanced(positions, pairs))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::{
        sample::Sampling,
        screen::{
            app::Event,
            testing,
            worker::{outbox, start_trial},
        },
        search::Settings,
    };

    fn request(other: OtherSet) -> TrialRequest {
        TrialRequest {
            other,
            weights: Weights::start(),
            sampling: Sampling {
                search: Settings { depth: 1, ..Settings::default() },
                ..Sampling::default()
            },
            collection: Arc::new(testing::collection(300)),
            threads: Some(2),
        }
    }

    /// The reports of a trial that is given up with its first games.
    fn reports(request: TrialRequest) -> Vec<TrialReport> {
        let (events, inbox) = mpsc::channel();
        let trial = start_trial(outbox(events), Arc::new(Gate::default()), request);
        let mut reports = Vec::new();
        loop {
            let Event::Report(Report::Trial(report)) = inbox.recv().unwrap() else { panic!("no report") };
            if matches!(report, TrialReport::Games(_)) {
                trial.cancel();
            }
            let has_ended = matches!(report, TrialReport::Ended(_));
            reports.push(report);
            if has_ended {
                return reports;
            }
        }
    }

    #[test]
    fn a_trial_reports_agreement_and_games_and_can_be_given_up() {
        let reports = reports(request(OtherSet::Weights(Box::new(Weights::material_only()))));
        let difference = reports.iter().find_map(|report| match report {
            TrialReport::Agreement(_, difference) => Some(*difference),
            _ => None,
        });
        let difference = difference.unwrap();
        assert!(
            difference.positions > 50
                && difference.means.match_rate > 0.0
                && difference.means.match_error > 0.0
        );
        assert!(
            reports.iter().any(|report| matches!(report, TrialReport::Games(tally) if tally.pairs() > 0))
        );
        assert!(matches!(reports.last(), Some(TrialReport::Ended(Ok(false)))), "{:?}", reports.last());
    }

    #[test]
    fn the_same_weights_and_a_missing_file_are_errors() {
        for (other, expected) in [
            (OtherSet::Weights(Box::default()), "the same weights"),
            (OtherSet::File("no/such.par".to_string()), "no/such.par"),
        ] {
            let mut reports = reports(request(other));
            let Some(TrialReport::Ended(Err(error))) = reports.pop() else { panic!("no error") };
            assert!(error.to_string().contains(expected) && reports.is_empty(), "{error}");
        }
    }
}
