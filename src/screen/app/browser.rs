//! The browser of games: the position and the move shown, and the analyses of positions.
//!
//! Knows nothing of how weights are edited or fitted. After a change of weights, [`Browser::restart_search`]
//! has to be called.

use std::{collections::HashMap, sync::Arc};

use shakmaty::{Color, Position, san::SanPlus};

use super::{Effect, Library, Place, SearchRequest};
use crate::{
    error::{Error, Result},
    feature::Weights,
    fen,
    game::{Collection, WinnerPosition, move_number},
    position::CompactMove,
    sample::Sampling,
    screen::{
        analysis::{AnalysedMove, Analysis},
        keys::Action,
    },
};

/// What the board shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownBoard {
    /// The position before the choice.
    Root,
    /// The leaf of the move shown.
    Leaf,
}

/// What the columns of terms show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    /// What the board shows, as in 1988.
    Shown,
    /// The move shown against the played one (the played one against the best other).
    AgainstRival,
    /// The move shown against the position before it, as in a row of the fit.
    AgainstRoot,
}

impl Terms {
    fn next(self) -> Terms {
        match self {
            Terms::Shown => Terms::AgainstRival,
            Terms::AgainstRival => Terms::AgainstRoot,
            Terms::AgainstRoot => Terms::Shown,
        }
    }
}

/// The moves of a game around a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreSheet {
    /// All moves in standard notation.
    pub names: Vec<String>,
    /// Index of the move played in the position shown.
    pub ply: usize,
    /// Plies before the first of them, from move 1 of White.
    pub before: usize,
    /// From and to of the move that led to the position.
    pub last: Option<(u32, u32)>,
}

impl ScoreSheet {
    /// A move with its number; where it is the `first` that is shown, also if it is one of Black.
    pub fn numbered(&self, ply: usize, is_first: bool) -> String {
        let at = self.before + ply;
        let number = move_number((at / 2 + 1) as u32, Color::from_white(at.is_multiple_of(2)), is_first);
        number + &self.names[ply]
    }
}

/// Number of analyses that are kept.
const CACHE_SIZE: usize = 256;

/// The games, the position and the move shown, and the analyses of positions.
pub struct Browser {
    /// The games, or the position that was typed.
    pub library: Library,
    /// The games and the position of theirs to go back to, while a position that was typed is shown.
    shelved: Option<(Library, usize)>,
    /// Index of the winner's position shown, or else of the last one before the ply shown, or the first of
    /// the game.
    position: usize,
    /// The ply shown.
    ply: usize,
    /// The position shown, if it is not one of those of the winner that are used.
    other: Option<WinnerPosition>,
    /// The move shown; none for the best one.
    chosen_move: Option<CompactMove>,
    pub board: ShownBoard,
    pub terms: Terms,
    /// Raised with every change of weights or of the search, so that older analyses are recognised.
    epoch: u64,
    /// Analyses of positions, each with its epoch.
    analyses: HashMap<Place, (u64, Arc<Analysis>)>,
}

impl Browser {
    /// Shows the first position of a collection that has positions.
    pub(super) fn new(collection: Collection) -> Browser {
        let library = Library::new(Arc::new(collection));
        Browser {
            position: 0,
            ply: library.place_of(0).ply,
            other: None,
            library,
            shelved: None,
            chosen_move: None,
            board: ShownBoard::Root,
            terms: Terms::Shown,
            epoch: 0,
            analyses: HashMap::new(),
        }
    }

    /// The games, also while a position that was typed is shown.
    pub fn games(&self) -> &Library {
        self.shelved.as_ref().map_or(&self.library, |(games, _)| games)
    }

    /// Whether the position shown was typed, and belongs to no game.
    pub fn is_typed(&self) -> bool {
        self.shelved.is_some()
    }

    /// Shows the position of a FEN. What is left out of it goes to `warn`.
    pub(super) fn show_typed(&mut self, text: &str, warn: &mut dyn FnMut(&str)) -> Result<Vec<Effect>> {
        let library = Library::of_position(&fen::parse_warning(text, warn)?).ok_or_else(|| {
            Error::expected("a position with a legal move", format!("the end of a game: {text}"))
        })?;
        let games = std::mem::replace(&mut self.library, library);
        self.shelved.get_or_insert((games, self.position));
        Ok(self.show_other_library(0))
    }

    /// Goes back to the games from a position that was typed.
    pub(super) fn leave_typed(&mut self) -> Vec<Effect> {
        let Some((games, position)) = self.shelved.take() else { return Vec::new() };
        self.library = games;
        self.show_other_library(position)
    }

    fn show_other_library(&mut self, position: usize) -> Vec<Effect> {
        self.show_position(position);
        self.analyses.clear();
        self.restart_search()
    }

    /// Index of the winner's position shown; if another position of the game is shown, of the last one before
    /// it.
    pub fn position_index(&self) -> usize {
        self.position
    }

    /// Whether the position shown is one of those of the winner that are used.
    pub fn is_choice(&self) -> bool {
        self.other.is_none()
    }

    /// Whether the side whose moves are choices is to move in the position shown.
    pub fn is_chooser_to_move(&self) -> bool {
        self.position().position().turn() == self.library.head(self.game_index()).chooser
    }

    pub fn place(&self) -> Place {
        Place { game: self.game_index(), ply: self.ply }
    }

    /// The position shown, with the move played in it.
    pub fn position(&self) -> &WinnerPosition {
        self.other.as_ref().unwrap_or(&self.library.collection.positions[self.position])
    }

    /// Index of the game shown among those that have positions.
    pub fn game_index(&self) -> usize {
        self.library.game_of(self.position)
    }

    /// The moves of the game shown, and the one that is to be played in the position shown.
    pub fn score_sheet(&self) -> ScoreSheet {
        let head = self.library.head(self.game_index());
        let mut names = Vec::new();
        let mut squares = Vec::new();
        for (mut position, mv) in head.moves() {
            let played = CompactMove::from(mv);
            squares.push((played.origin(), played.target()));
            names.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        }
        let ply = self.ply;
        let last = ply.checked_sub(1).map(|last| squares[last]);
        let start = head.start();
        let before = 2 * (start.fullmoves().get() as usize - 1) + usize::from(start.turn().is_black());
        ScoreSheet { names, ply, before, last }
    }

    /// The FEN of the position on the board; none for a leaf that is not known yet.
    pub fn fen(&self) -> Option<String> {
        let mut position = self.position().position();
        if self.board == ShownBoard::Leaf {
            let analysis = self.analysis()?;
            for name in &analysis.moves[self.move_index(analysis)].leaf.line {
                let mv = name.parse::<SanPlus>().ok()?.san.to_move(&position).ok()?;
                position.play_unchecked(mv);
            }
        }
        Some(fen::format(&position))
    }

    /// The analysis of the position shown. While a new search runs, this is the one from before the last
    /// change of weights.
    pub fn analysis(&self) -> Option<&Analysis> {
        self.analyses.get(&self.place()).map(|(_, analysis)| &**analysis)
    }

    /// Whether [`Browser::analysis`] was made with the present weights.
    pub fn is_fresh(&self) -> bool {
        self.fresh_analysis_at(self.place()).is_some()
    }

    /// The analysis of a position of the winner under the present weights.
    pub fn fresh_analysis(&self, index: usize) -> Option<&Analysis> {
        self.fresh_analysis_at(self.library.place_of(index))
    }

    fn fresh_analysis_at(&self, place: Place) -> Option<&Analysis> {
        self.analyses.get(&place).filter(|(epoch, _)| *epoch == self.epoch).map(|(_, analysis)| &**analysis)
    }

    /// Index of the move shown: the best one until another is chosen.
    pub fn move_index(&self, analysis: &Analysis) -> usize {
        let is_chosen = |analysed: &AnalysedMove| Some(analysed.mv) == self.chosen_move;
        analysis.moves.iter().position(is_chosen).unwrap_or(0)
    }

    /// Carries out an action on the position, the move or the board shown. The error is a notice.
    pub(super) fn action(&mut self, action: Action) -> Result<Vec<Effect>, &'static str> {
        use Action::{First, Last, Left, NextGame, NextPosition, PreviousGame, PreviousPosition, Right};
        let of_game = self.library.positions_of(self.game_index());
        if self.is_typed()
            && matches!(
                action,
                NextPosition | PreviousPosition | NextGame | PreviousGame | First | Last | Left | Right
            )
        {
            return Err("this position belongs to no game; esc goes back to the games");
        }
        match action {
            Action::NextMove => self.step(1),
            Action::PreviousMove => self.step(-1),
            NextPosition => return self.walk(1),
            PreviousPosition => return self.walk(-1),
            Right => return self.walk_plies(1),
            Left => return self.walk_plies(-1),
            NextGame => return self.walk_games(1),
            PreviousGame => return self.walk_games(-1),
            First => return Ok(self.show_position(of_game.start)),
            Last => return Ok(self.show_position(of_game.end - 1)),
            Action::Leaf => {
                self.board = if self.board == ShownBoard::Root { ShownBoard::Leaf } else { ShownBoard::Root }
            }
            Action::Terms => self.terms = self.terms.next(),
            _ => {}
        }
        Ok(Vec::new())
    }

    /// Shows the next or previous move by value; the best follows the worst.
    fn step(&mut self, by: isize) {
        let Some(analysis) = self.analysis() else { return };
        let count = analysis.moves.len();
        let next = (self.move_index(analysis) as isize + by).rem_euclid(count as isize) as usize;
        self.chosen_move = Some(analysis.moves[next].mv);
    }

    pub(super) fn show_move(&mut self, index: usize) {
        let analysed = self.analysis().and_then(|analysis| analysis.moves.get(index));
        self.chosen_move = analysed.map(|analysed| analysed.mv);
    }

    /// Shows the next move by value that is from or to a square.
    pub(super) fn show_move_at(&mut self, square: u32) {
        let Some(analysis) = self.analysis() else { return };
        let (moves, shown) = (&analysis.moves, self.move_index(analysis));
        let after = moves[shown + 1..].iter().chain(&moves[..shown]);
        let mut touching = after.filter(|at| [at.mv.origin(), at.mv.target()].contains(&square));
        self.chosen_move = touching.next().map(|analysed| analysed.mv).or(self.chosen_move);
    }

    /// Shows the winner's next or previous position, seen from the ply shown.
    fn walk(&mut self, by: isize) -> Result<Vec<Effect>, &'static str> {
        let count = self.library.collection.positions.len();
        let near = self.library.place_of(self.position).ply;
        let is_passed = if by > 0 { near > self.ply } else { near < self.ply };
        let by = if is_passed { 0 } else { by };
        match self.position.checked_add_signed(by).filter(|&index| index < count) {
            Some(index) => Ok(self.show_position(index)),
            None if by > 0 => Err("this is the last position of the last game"),
            None => Err("this is the first position of the first game"),
        }
    }

    /// Shows the position after or before one move of the game shown.
    fn walk_plies(&mut self, by: isize) -> Result<Vec<Effect>, &'static str> {
        const START: &str = "this is the start of the game; P goes to the previous game";
        self.show_ply(self.ply.checked_add_signed(by).ok_or(START)?)
    }

    /// Shows the position before a ply of the game shown.
    pub(super) fn show_ply(&mut self, ply: usize) -> Result<Vec<Effect>, &'static str> {
        const END: &str = "this is the position before the last move of the game; N goes to the next game";
        let game = self.game_index();
        let place = Place { game, ply };
        let position = self.library.position_at(place).ok_or(END)?;
        let positions = self.library.positions_of(game);
        let ply_of = |&index: &usize| self.library.place_of(index).ply;
        let before = positions.clone().rev().find(|index| ply_of(index) <= place.ply);
        let index = before.unwrap_or(positions.start);
        let is_choice = ply_of(&index) == place.ply;
        let effects = self.show_position(index);
        self.ply = place.ply;
        self.other = (!is_choice).then_some(position);
        Ok(effects)
    }

    fn walk_games(&mut self, by: isize) -> Result<Vec<Effect>, &'static str> {
        let game = self.game_index().checked_add_signed(by);
        match game.and_then(|game| self.library.first_of(game)) {
            Some(index) => Ok(self.show_position(index)),
            None if by > 0 => Err("this is the last game"),
            None => Err("this is the first game"),
        }
    }

    pub(super) fn show_position(&mut self, index: usize) -> Vec<Effect> {
        self.position = index;
        self.ply = self.library.place_of(index).ply;
        self.other = None;
        self.chosen_move = None;
        vec![Effect::Search]
    }

    /// Shows the first position of a game.
    pub(super) fn show_game(&mut self, game: usize) -> Vec<Effect> {
        self.library.first_of(game).map_or(Vec::new(), |index| self.show_position(index))
    }

    /// Shows the first position of the game with the number typed.
    pub(super) fn go_to_game(&mut self, text: &str) -> Result<Vec<Effect>> {
        let last = self.library.head(self.library.games() - 1).number;
        let expected = format!("words of a game, or its number, 1 to {last}");
        let number: u32 = text.parse().map_err(|_| Error::expected(&expected, format!("{text:?}")))?;
        match self.library.by_number(number) {
            Ok(game) => Ok(self.show_game(game)),
            Err(near) => {
                let near: Vec<String> = near.into_iter().flatten().map(|n| n.to_string()).collect();
                let found = format!("{number}; near it: {}", near.join(", "));
                Err(Error::expected("the number of a game with a winner and positions", found))
            }
        }
    }

    /// Shows the position of the winner in the game of this number, at a move or the next one after it.
    pub(super) fn show_place(&mut self, game: &str, fullmove: Option<u32>) -> Result<Vec<Effect>> {
        let effects = self.go_to_game(game)?;
        let Some(wanted) = fullmove else { return Ok(effects) };
        let mut positions = self.library.positions_of(self.game_index());
        let fullmove_of = |at: usize| self.library.collection.positions[at].fullmove;
        let last = positions.end - 1;
        // The loser may have moved once more.
        if wanted > fullmove_of(last) + 1 {
            let expected = format!("a move of game {game}, up to {}", fullmove_of(last));
            return Err(Error::expected(expected, wanted));
        }
        let position = positions.find(|&at| fullmove_of(at) >= wanted).unwrap_or(last);
        Ok(self.show_position(position))
    }

    /// Takes other games, and stays at the game of the same number or the next one.
    pub(super) fn replace_games(&mut self, collection: Collection) -> Vec<Effect> {
        self.leave_typed();
        let number = self.library.head(self.game_index()).number;
        self.library = Library::new(Arc::new(collection));
        let library = &self.library;
        let game = library
            .by_number(number)
            .or_else(|near| near[1].or(near[0]).map_or(Ok(0), |number| library.by_number(number)));
        let first = game.ok().and_then(|game| library.first_of(game)).unwrap_or(0);
        self.show_other_library(first)
    }

    /// Forgets the analyses made with other weights or another search. That of the position shown stays until
    /// the new one is there.
    pub(super) fn restart_search(&mut self) -> Vec<Effect> {
        self.epoch += 1;
        let shown = self.place();
        self.analyses.retain(|&place, _| place == shown);
        vec![Effect::Search]
    }

    /// Keeps an analysis, unless it was made with other weights.
    pub(super) fn insert(&mut self, epoch: u64, place: Place, analysis: Arc<Analysis>) {
        if epoch != self.epoch {
            return;
        }
        // Nobody has moved in a position that was typed: the best move takes the place of the played one.
        let analysis = match self.is_typed() {
            true => Arc::new(Analysis { played: 0, ..(*analysis).clone() }),
            false => analysis,
        };
        if self.analyses.len() >= CACHE_SIZE {
            let game = self.game_index();
            self.analyses.retain(|place, _| place.game == game);
        }
        self.analyses.insert(place, (epoch, analysis));
    }

    /// The search that the position shown needs, and those that may be asked for next.
    pub(super) fn search_request(&self, weights: &Weights, sampling: Sampling) -> SearchRequest {
        SearchRequest {
            epoch: self.epoch,
            weights: weights.clone(),
            sampling,
            is_urgent: !self.is_fresh(),
            positions: self.missing(),
        }
    }

    /// Positions without an analysis: the one shown first, then the winner's near it and those one move away,
    /// then the winner's in the rest of the game.
    fn missing(&self) -> Vec<(Place, WinnerPosition)> {
        let library = &self.library;
        let Place { game, ply } = self.place();
        let positions = &library.collection.positions;
        let used = |index: usize| Some((library.place_of(index), *positions.get(index)?));
        let near = [0, 1, 2, -1].into_iter().filter_map(|by| self.position.checked_add_signed(by));
        let plies = [1, -1].into_iter().filter_map(|by| ply.checked_add_signed(by));
        let plies = plies.map(|ply| Place { game, ply });
        let plies = plies.filter_map(|place| Some((place, library.position_at(place)?)));
        let games = [game + 1, game.wrapping_sub(1)].into_iter().filter_map(|game| library.first_of(game));
        let in_range = |index: &usize| *index < positions.len();
        let all = [(self.place(), *self.position())]
            .into_iter()
            .chain(near.filter(in_range).filter_map(used))
            .chain(plies)
            .chain(games.chain(library.positions_of(game)).filter_map(used));
        let mut missing: Vec<(Place, WinnerPosition)> = Vec::new();
        for (place, position) in all {
            if self.fresh_analysis_at(place).is_none() && missing.iter().all(|(other, _)| *other != place) {
                missing.push((place, position));
            }
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{eval::Placement, screen::testing};

    fn browser() -> Browser {
        let mut browser = Browser::new(testing::collection(1));
        let analysis = Arc::new(testing::search(browser.position(), &Weights::start()));
        browser.insert(0, browser.place(), analysis);
        browser
    }

    #[test]
    fn the_position_shown_is_searched_first_and_known_ones_not_again() {
        let mut browser = browser();
        assert!(browser.action(Action::NextPosition).is_ok());
        let request = browser.search_request(&Weights::start(), Sampling::default());
        let wanted: Vec<Place> = request.positions.iter().map(|&(place, _)| place).collect();
        let place_of = |index| browser.library.place_of(index);
        assert_eq!((wanted[0], request.is_urgent), (place_of(1), true));
        assert!(!wanted.contains(&place_of(0)), "it is known already");
        assert!(wanted.contains(&place_of(browser.library.positions_of(0).end)), "the next game");
    }

    #[test]
    fn the_fen_is_that_of_the_position_on_the_board() {
        let mut browser = browser();
        let root = browser.position().position();
        assert_eq!(browser.fen(), Some(fen::format(&root)));
        browser.action(Action::Leaf).unwrap();
        let leaf = fen::parse(&browser.fen().unwrap()).unwrap();
        let expected = browser.analysis().unwrap().moves[0].leaf.placement;
        assert!(Placement::from(&leaf) == expected && leaf != root);
        browser.action(Action::NextPosition).unwrap();
        assert_eq!(browser.fen(), None, "the leaf is not known yet");
    }

    #[test]
    fn an_analysis_made_with_other_weights_is_dropped() {
        let mut browser = browser();
        let stale = Arc::new(browser.analysis().unwrap().clone());
        browser.restart_search();
        assert!(browser.analysis().is_some() && !browser.is_fresh(), "the old one is shown meanwhile");
        browser.insert(0, browser.library.place_of(1), Arc::clone(&stale));
        assert!(browser.fresh_analysis(1).is_none());
        browser.insert(1, browser.place(), stale);
        assert!(browser.is_fresh());
    }

    #[test]
    fn the_ends_of_the_games_are_named() {
        let mut browser = browser();
        assert!(browser.action(Action::PreviousPosition).unwrap_err().contains("first position"));
        assert!(browser.action(Action::PreviousGame).unwrap_err().contains("first game"));
        browser.go_to_game("868").unwrap();
        assert!(browser.action(Action::NextGame).unwrap_err().contains("last game"));
    }

    #[test]
    fn the_columns_of_terms_begin_with_the_board_and_come_round_after_three_steps() {
        let mut terms = browser().terms;
        assert_eq!((terms, terms.next()), (Terms::Shown, Terms::AgainstRival));
        for _ in 0..3 {
            terms = terms.next();
        }
        assert_eq!(terms, Terms::Shown);
    }

    #[test]
    fn the_whole_game_is_walked_move_by_move_and_the_positions_of_the_winner_are_found_from_everywhere() {
        let mut browser = browser();
        let moves: Vec<_> = browser.library.head(0).moves().collect();
        let first = browser.place();
        while browser.action(Action::Left).is_ok() {}
        assert_eq!((browser.ply, browser.position_index(), browser.is_choice()), (0, 0, false));
        assert!(browser.action(Action::Left).unwrap_err().contains("start of the game"));
        let mut choices = Vec::new();
        for (ply, (position, played)) in moves.iter().enumerate() {
            assert_eq!(browser.place(), Place { game: 0, ply });
            assert_eq!(
                (browser.position().position().board(), browser.position().played()),
                (position.board(), *played)
            );
            assert_eq!(browser.score_sheet().ply, ply);
            choices.extend(browser.is_choice().then_some(browser.position_index()));
            assert_eq!(browser.action(Action::Right).is_ok(), ply + 1 < moves.len());
        }
        assert_eq!(choices, browser.library.positions_of(0).collect::<Vec<_>>());
        browser.action(Action::First).unwrap();
        assert_eq!(browser.place(), first);
        // From the move of the loser after it, n and p go to the winner's positions on both sides.
        browser.action(Action::Right).unwrap();
        assert!(!browser.is_choice());
        browser.action(Action::PreviousPosition).unwrap();
        assert_eq!((browser.position_index(), browser.is_choice()), (0, true));
        browser.action(Action::Right).unwrap();
        browser.action(Action::NextPosition).unwrap();
        assert_eq!((browser.position_index(), browser.is_choice()), (1, true));
        // Before the first of them, n goes to it.
        browser.action(Action::First).unwrap();
        browser.action(Action::Left).unwrap();
        browser.action(Action::NextPosition).unwrap();
        assert_eq!((browser.position_index(), browser.is_choice()), (0, true));
    }
}
