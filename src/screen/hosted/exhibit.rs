//! What a page shows of the screen in its own way, as JSON: the board, the question why one move is preferred,
//! the moves and the terms as values to draw bars of, a few weights, the tour and the fit. And what its
//! buttons do.

use std::{collections::HashMap, path::Path};

use serde_json::{Value as Json, json};
use shakmaty::{Chess, Color, Position};

use super::{HostedScreen, RunningFit};
use crate::{
    feature::{Key, Mode, Weights},
    fen,
    game::{GameHead, move_number},
    parameters::{Parameter, Part},
    run::{DEFAULT_GAMES, count},
    screen::{
        analysis::Analysis,
        app::{Event, FITS, Page, Progress, RunPass},
        keys::{Action, BINDINGS, Target},
        view,
    },
    show::{
        deciding::deciding_terms,
        report::{
            board::{self, Mark},
            pieces,
        },
    },
    value::{Value, in_units, moves_to_mate},
};

/// Terms that are shown as bars, and weights that have a control, at most.
const TERMS: usize = 7;
const CONTROLS: usize = 5;

/// Players that are named, at most.
const PLAYERS: usize = 8;

/// A value or a difference in pawns.
fn pawns(units: f64) -> String {
    format!("{:+.2}", (units / 1.28).round() / 100.0 + 0.0).replace('-', "\u{2212}")
}

fn value_text(value: Value) -> String {
    match moves_to_mate(value) {
        None => pawns(in_units(value)),
        Some(moves) if moves > 0 => format!("mates in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
    }
}

/// By how much one value is above another; empty if one of them is a mate.
fn lead([one, other]: [Value; 2]) -> String {
    match in_units(one - other) / 128.0 {
        _ if [one, other].into_iter().any(|value| moves_to_mate(value).is_some()) => String::new(),
        pawns if pawns < 0.005 => ", by less than 0.01 pawns".to_string(),
        pawns => format!(", by {pawns:.2} pawns"),
    }
}

/// All pieces and pawns with their squares, for screen readers.
fn placement_in_words(position: &Chess) -> String {
    let of = |color: Color| {
        let all = position.board().iter().filter(|(_, piece)| piece.color == color);
        all.map(|(square, piece)| format!("{}{square}", piece.role.upper_char()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    format!("White {}. Black {}.", of(Color::White), of(Color::Black))
}

/// The shapes that boards are drawn with, which the page has once.
pub fn shapes() -> String {
    format!("<svg class=\"shapes\" aria-hidden=\"true\">{}{}</svg>", board::squares(), pieces::symbols())
}

impl HostedScreen {
    /// Does what a control of the page says: a word, and what it needs.
    pub fn act(&mut self, text: &str) {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let app = &mut self.app;
        // What is hidden does not block the page.
        (app.dialog.prompt, app.dialog.question) = (None, None);
        let effects = match word {
            "press" if app.browser.is_typed() && ["n", "p", "N", "P"].contains(&rest) => {
                app.press(Action::Escape)
            }
            "press" => {
                let binding = BINDINGS.iter().find(|binding| binding.name == rest);
                binding.into_iter().flat_map(|binding| app.press(binding.action)).collect()
            }
            "move" => {
                let target = rest.parse().map(Target::Move);
                target.into_iter().flat_map(|target| app.update(Event::Chosen(target))).collect()
            }
            "game" if fen::parse(rest).is_ok() => app.update(Event::Paste(rest.to_string())),
            "game" => app.find_game(rest),
            "games" => app.open_file(DEFAULT_GAMES),
            "player" => app.read_player(Some(rest.to_string()).filter(|name| !name.is_empty())),
            "cancel" => app.cancel_fit(),
            "weight" => {
                let (name, weight) = rest.split_once(' ').unwrap_or_default();
                let weight = name.parse::<Parameter>().ok().zip(weight.parse().ok());
                weight.into_iter().flat_map(|(of, weight)| app.slide(of.key, of.part, weight)).collect()
            }
            _ => Vec::new(),
        };
        match word {
            "flip" => self.is_flipped = !self.is_flipped,
            "cores" => self.cores = rest.parse().unwrap_or(1),
            _ => self.carry_out(effects),
        }
    }

    /// What the page shows. Before the position is searched there are no moves.
    pub fn exhibit(&mut self) -> Json {
        self.choose_controls();
        let app = &self.app;
        let head = app.browser.library.head(app.browser.game_index());
        let GameHead { white, black, number, .. } = head;
        let year = head.year().unwrap_or("year unknown");
        let title = match app.browser.is_typed() {
            true => "A position of your own".to_string(),
            false => format!("{white} \u{2013} {black}, {year}, game {number}"),
        };
        let story = app.tour.step().map(|(step, number)| {
            let text = view::tour_text(app, true);
            let key = BINDINGS.iter().find(|binding| Some(binding.action) == step.ends_with);
            json!({
                "text": text.split("Press ").next().unwrap_or_default().trim(),
                "number": number,
                "button": step.button,
                "key": key.map(|binding| binding.name),
            })
        });
        json!({
            "title": title,
            "story": story,
            "hasTour": app.has_tour(),
            "fit": self.fit.as_ref().map(RunningFit::shown),
            "run": app.run_history().filter(|run| run.passes().len() > 1).map(|run| {
                let rank = |pass: &RunPass| pass.report.fitted.mean_rank();
                json!({ "name": run.name(), "ranks": run.passes().iter().map(rank).collect::<Vec<_>>(), "said": view::reading(run) })
            }),
            "players": self.players(),
            "seconds": self.seconds_of_fit(),
            "isOpen": app.page != Page::Main || app.dialog.prompt.is_some() || app.dialog.question.is_some(),
            "canUndo": app.has_effect(Action::Undo),
            "isUnsaved": app.editor.is_unsaved() || app.fit_job.is_some(),
            "position": app.browser.analysis().map(|analysis| self.position(analysis)),
        })
    }

    fn position(&self, analysis: &Analysis) -> Json {
        let (browser, weights) = (&self.app.browser, self.app.editor.weights());
        let (winner, is_typed) = (browser.position(), browser.is_typed());
        let (position, shown) = (winner.position(), browser.move_index(analysis));
        let (rival, best) = (analysis.rival(shown), analysis.preferred());
        let number = move_number(winner.fullmove, analysis.mover, true);
        let name = |index: usize| format!("{number}{}", analysis.moves[index].name);
        let value = |index: usize| analysis.moves[index].leaf.value;
        let GameHead { white, black, .. } = browser.library.head(browser.game_index());
        let who = analysis.mover.fold_wb(white, black).split(',').next().unwrap_or_default();
        let is_first = *weights == Weights::start();
        let prefer = if is_first { "The weights set by hand prefer" } else { "The weights prefer" };
        let (next, played) = (name(analysis.rival(best)), name(analysis.played));
        let by = lead([value(best), value(analysis.rival(best))]);
        let question = match (is_typed, best == analysis.played) {
            _ if analysis.moves.len() == 1 => format!("{played} is the only legal move."),
            (true, _) => format!("{prefer} {played} to {next}{by}. Why?"),
            (_, true) => format!("{who} played {played}. {prefer} it too, to {next}{by}. Why?"),
            _ => format!("{who} played {played}. {prefer} {}{by}. Why?", name(best)),
        };
        let moves = analysis.moves.iter().enumerate().map(|(index, analysed)| {
            json!({
                "name": analysed.name,
                "squares": [analysed.mv.origin(), analysed.mv.target()],
                "value": in_units(analysed.leaf.value),
                "text": value_text(analysed.leaf.value),
                "rank": analysed.rank + 1,
                "isPlayed": index == analysis.played && !is_typed,
                "isShown": index == shown,
            })
        });
        let is_mate = [shown, rival].iter().any(|&at| moves_to_mate(value(at)).is_some());
        let mut lines = deciding_terms(analysis, [shown, rival], weights, TERMS);
        lines.retain(|line| line.name != "rounding" && !is_mate);
        let words = |name| Key::from_name(name).map_or(name, |key| key.feature().called());
        let terms = lines.iter().map(|line| {
            let units = line.tenths as f64 / 10.0;
            json!({ "meaning": line.meaning, "words": words(&line.name), "value": units, "text": pawns(units) })
        });
        let in_game = |index: usize| analysis.moves[index].in_position(&position);
        let played = (!is_typed).then(|| (in_game(analysis.played), Mark::Played));
        let is_other = |index: usize| index != analysis.played || is_typed;
        let preferred = is_other(best).then(|| (in_game(best), Mark::After));
        let looked_at = (is_other(shown) && shown != best).then(|| (in_game(shown), Mark::Before));
        let arrows: Vec<_> = [looked_at, preferred, played].into_iter().flatten().collect();
        let below = if self.is_flipped { !analysis.mover } else { analysis.mover };
        let label = format!("The board, {} to move. {}", analysis.mover, placement_in_words(&position));
        let (rank, count) = (analysis.moves[shown].rank + 1, analysis.moves.len());
        let said = format!("{}, rank {rank} of {count}, {}", name(shown), value_text(value(shown)));
        json!({
            "question": question,
            "board": board::diagram(&position, below, &arrows, &label),
            "isFlipped": below.is_black(),
            "moves": moves.collect::<Vec<_>>(),
            "pair": match is_mate {
                true => format!("{} over {}", name(shown), name(rival)),
                false => format!("{} over {}: {}", name(shown), name(rival), pawns(in_units(value(shown) - value(rival)))),
            },
            "terms": terms.collect::<Vec<_>>(),
            "controls": self.controls(),
            "said": said.replace('\u{2212}', "minus ").replace('+', "plus "),
            "isFresh": browser.is_fresh(),
        })
    }

    /// The weights that have a control, each with a range around what it was at first.
    fn controls(&self) -> Vec<Json> {
        let weights = self.app.editor.weights();
        let shown = |&(parameter, middle): &(Parameter, f64)| {
            let [least, step] = if parameter.mode == Mode::Gradient { [3.0, 0.1] } else { [32.0, 0.5] };
            let reach = least + middle.abs();
            json!({
                "name": parameter.to_string(),
                "meaning": parameter.key.feature().meaning,
                "words": parameter.key.feature().called(),
                "phase": parameter.part.to_string(),
                "value": (parameter.get(weights) * 10.0).round() / 10.0,
                "step": step,
                "range": [(middle - reach).floor(), (middle + reach).ceil()],
            })
        };
        let is_same = |(of, _): &&(Parameter, f64)| weights.setting(of.key).mode == of.mode;
        self.controls.1.iter().filter(is_same).map(shown).collect()
    }

    /// Gives the weights that decide in another position controls. While the position stays, so do they.
    fn choose_controls(&mut self) {
        let (weights, fen) = (self.app.editor.weights(), self.app.browser.fen());
        let Some(analysis) = self.app.browser.analysis().filter(|_| self.controls.0 != fen) else { return };
        let best = analysis.preferred();
        let control = |key: Key| {
            let (mode, parts) = (weights.setting(key).mode, Part::of(key.feature().ends));
            let part = *parts.get(usize::from(analysis.root.phase >= 128)).unwrap_or(&parts[0]);
            let parameter = Parameter { key, mode, index: 0, part };
            matches!(mode, Mode::Scalar | Mode::Gradient).then(|| (parameter, parameter.get(weights)))
        };
        // Where few terms decide against the rival, those against the next moves follow.
        let mut controls: Vec<(Parameter, f64)> = Vec::new();
        for rival in std::iter::once(analysis.rival(best)).chain(0..analysis.moves.len()) {
            if controls.len() == CONTROLS {
                break;
            }
            let lines = deciding_terms(analysis, [best, rival], weights, TERMS);
            let found = lines.iter().filter_map(|line| control(Key::from_name(&line.name)?));
            for control in found {
                if controls.len() < CONTROLS && !controls.contains(&control) {
                    controls.push(control);
                }
            }
        }
        self.controls = (fen, controls);
    }

    /// Of games of the user, who played most of them, and whose moves are chosen.
    fn players(&self) -> Option<Json> {
        let spec = &self.app.options.setup.spec;
        if spec.games.only() == Some(Path::new(DEFAULT_GAMES)) {
            return None;
        }
        let mut games: HashMap<&str, usize> = HashMap::new();
        for head in &self.app.browser.games().collection.games {
            [&head.white, &head.black].into_iter().for_each(|name| *games.entry(name).or_default() += 1);
        }
        let mut players: Vec<(&str, usize)> = games.into_iter().collect();
        players.sort_by_key(|&(name, games)| (std::cmp::Reverse(games), name));
        players.truncate(PLAYERS);
        Some(json!({ "names": players, "chosen": spec.player }))
    }

    /// What a fit with the button will take, by the searches so far.
    fn seconds_of_fit(&self) -> Option<f64> {
        let (searches, seconds) = self.pace;
        let every = self.app.options.setup.spec.every as usize;
        let positions = self.app.browser.games().collection.positions.len().div_ceil(every);
        let searched = positions * (FITS as usize + 1);
        let may_fit = self.app.has_effect(Action::FitOnce);
        (searches > 0 && may_fit)
            .then(|| (seconds / searches as f64 * searched as f64 / self.cores as f64).ceil())
    }
}

impl RunningFit {
    fn shown(&self) -> Json {
        let Progress { pass, fits, searched, positions, .. } = self.progress;
        let all = positions * (fits as usize + 1);
        let left = self.progress.seconds_left();
        let left = left.map_or(String::new(), |seconds| format!(", {seconds:.0} s left"));
        let of = match pass {
            0 => "before the first fit".to_string(),
            pass => format!("after fit {pass} of {fits}"),
        };
        let text = match positions {
            0 => "Reading the games".to_string(),
            _ => format!("Searching {}, {of}{left}", count(positions as u64, "position")),
        };
        json!({
            "share": (pass as usize * positions + searched) as f64 / all.max(1) as f64,
            "text": text,
        })
    }
}
