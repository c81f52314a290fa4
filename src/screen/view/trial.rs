//! The page that answers whether a set of weights is better than another: by the winners' moves, and in
//! games.

use ratatui::{layout::Rect, style::Style};
use texam_fit::Agreement;

use super::{
    number::{self, Judgement},
    pen::Pen,
};
use crate::{
    run::stat::error_text,
    sample::Difference,
    screen::{
        app::{App, TRIAL_GAMES, TRIAL_NODES, Trial, TrialState},
        theme::Theme,
    },
};

/// A text of the page in its style: from a new line on, wrapped where it is too long.
type Text = (String, Style);

pub fn draw(pen: &mut Pen, app: &App, body: Rect) {
    let Some(trial) = app.trial.as_ref() else { return };
    let theme = pen.theme;
    let width = usize::from(body.width) - 2;
    let blank = || (String::new(), theme.plain());
    let mut texts = title(trial, theme);
    texts.push(blank());
    texts.extend(agreement(trial, app.browser.games().games(), theme));
    texts.push(blank());
    texts.extend(games(trial, theme));
    if let TrialState::Failed(error) = &trial.state {
        texts.push((format!("The comparison ended: {error}"), theme.strong()));
    }
    let wrapped = texts.iter().flat_map(|(text, style)| {
        // Columns keep their blanks.
        let fits = text.chars().count() <= width;
        let lines = if fits { vec![text.clone()] } else { number::wrap(text, width) };
        lines.into_iter().map(move |line| (line, *style))
    });
    for (at, (line, style)) in wrapped.take(usize::from(body.height)).enumerate() {
        pen.within(1, body.y + at as u16, body.width - 2, &line, style);
    }
}

fn title(trial: &Trial, theme: Theme) -> Vec<Text> {
    let [this, that] = &trial.names;
    vec![
        ("Is this set of weights better than that?".to_string(), theme.title()),
        (format!("this  {this}"), theme.plain()),
        (format!("that  {that}"), theme.plain()),
    ]
}

/// The agreement with the winners.
fn agreement(trial: &Trial, games: usize, theme: Theme) -> Vec<Text> {
    let (sign, plain) = (theme.plus_minus(), theme.plain());
    let title = (format!("1. The winners' moves in {}", number::games(games)), theme.title());
    let Some((agreements, difference)) = trial.agreement.as_ref() else {
        let text =
            if trial.is_running() { "All positions are searched with both sets." } else { "Not measured." };
        return vec![title, (text.to_string(), plain)];
    };
    let set = |name: &str, set: &Agreement| {
        let (rate, error) = (100.0 * set.match_rate(), 100.0 * set.match_error());
        format!("{name:<12}{rate:>9.2} {sign} {:<8}{:>9.3}", error_text(error, 2), set.mean_rank())
    };
    let Difference { positions, means, only_first, only_second } = *difference;
    let texam_fit::Difference { match_rate, match_error, mean_rank, mean_rank_error } = means;
    let rate = format!("{:>+9.2} {sign} {:<8}", 100.0 * match_rate, error_text(100.0 * match_error, 2));
    let rank = format!("{mean_rank:>+9.3} {sign} {}", error_text(mean_rank_error, 3));
    let pairs = format!(
        "Of {positions} positions {only_first} are matched by this set only, {only_second} by that set only. The \
         difference is paired by position, its standard error clustered by game."
    );
    let by_match = sentence("by match", Judgement::new(match_rate, match_error));
    let by_rank = sentence("by mean rank", Judgement::new(-mean_rank, mean_rank_error));
    let verdict = match match_error.is_nan() {
        true => "One game gives no standard error, so it decides nothing.".to_string(),
        false => format!("{by_match} {by_rank}"),
    };
    vec![
        title,
        (format!("{:<12}{:>13}{:>16}", "", "match in %", "mean rank"), plain),
        (set("this", &agreements[0]), plain),
        (set("that", &agreements[1]), plain),
        (format!("difference  {rate}{rank}"), plain),
        (pairs, plain),
        (verdict, theme.strong()),
    ]
}

/// Pairs of games from which on a result is judged.
const ENOUGH_PAIRS: u64 = 10;

/// The games between the two sets.
fn games(trial: &Trial, theme: Theme) -> Vec<Text> {
    let (sign, plain) = (theme.plus_minus(), theme.plain());
    let title =
        format!("2. {TRIAL_GAMES} games at {TRIAL_NODES} nodes a move, each opening with both colours");
    let tally = trial.games;
    let mut lines = vec![(title, theme.title())];
    let Some((mean, error)) = tally.mean() else {
        let text = if trial.is_running() { "They follow the first part." } else { "Not played." };
        lines.push((text.to_string(), plain));
        return lines;
    };
    let elo = match (tally.elo(), tally.elo_error()) {
        (Some(elo), Some(error)) => format!("{elo:+.0} {sign} {error:.0} Elo (95 %)"),
        (Some(elo), None) => format!("{elo:+.0} Elo, with no bound on the error from these games"),
        (None, _) => String::new(),
    };
    let (wins, losses, draws) = (tally.wins, tally.losses, tally.draws);
    let played = tally.games();
    lines.push((format!("This set won {wins}, lost {losses}, drew {draws} of {played}: {elo}"), plain));
    if tally.pairs() >= ENOUGH_PAIRS {
        let so_far = if trial.is_running() { "in the games so far" } else { "in games" };
        lines.push((sentence(so_far, Judgement::new(mean - 0.5, error)), theme.strong()));
    }
    lines
}

/// Says in which respect the set on the screen is better.
fn sentence(respect: &str, judgement: Judgement) -> String {
    match judgement {
        Judgement::Better => format!("This set is better {respect}."),
        Judgement::Worse => format!("This set is worse {respect}."),
        Judgement::Unclear => format!("There is no clear difference {respect}."),
    }
}
