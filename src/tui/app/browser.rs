//! The browser of games: the position and the move shown, and the analyses of positions.
//!
//! Knows nothing of how weights are edited or fitted. After a change of weights, [`Browser::restart_search`] has to
//! be called.

use std::{collections::HashMap, sync::Arc};

use shakmaty::{Position, san::SanPlus};

use super::{Effect, Library, SearchRequest};
use crate::{
    error::{Error, Result},
    feature::Weights,
    fen,
    game::{Collection, WinnerPosition},
    position::CompactMove,
    sample::Sampling,
    tui::{
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
    /// The move shown against the position before it, as in a row of the fit.
    AgainstRoot,
    /// The move shown against the played one (the played one against the best other).
    AgainstRival,
    /// The leaf of the move shown.
    Leaf,
    /// The position before the choice.
    Root,
}

impl Terms {
    fn next(self) -> Terms {
        match self {
            Terms::AgainstRoot => Terms::AgainstRival,
            Terms::AgainstRival => Terms::Leaf,
            Terms::Leaf => Terms::Root,
            Terms::Root => Terms::AgainstRoot,
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
    /// Whether White makes the first of them.
    pub begins_with_white: bool,
    /// From and to of the move that led to the position.
    pub last: Option<(u32, u32)>,
}

impl ScoreSheet {
    /// A move with its number; where it is the `first` that is shown, also if it is one of Black.
    pub fn numbered(&self, ply: usize, is_first: bool) -> String {
        let number = ply / 2 + 1;
        let is_white = ply.is_multiple_of(2) == self.begins_with_white;
        match (is_white, is_first) {
            (true, _) => format!("{number}.{}", self.names[ply]),
            (false, true) => format!("{number}...{}", self.names[ply]),
            (false, false) => self.names[ply].clone(),
        }
    }
}

/// Number of analyses that are kept.
const CACHE_SIZE: usize = 256;

/// The games, the position and the move shown, and the analyses of positions.
pub struct Browser {
    pub library: Library,
    /// Index of the position shown.
    position: usize,
    /// The move shown; none for the best one.
    chosen_move: Option<CompactMove>,
    pub board: ShownBoard,
    pub terms: Terms,
    /// Raised with every change of weights or of the search, so that older analyses are recognised.
    epoch: u64,
    /// Analyses by index of the position, each with its epoch.
    analyses: HashMap<usize, (u64, Arc<Analysis>)>,
}

impl Browser {
    /// Shows the first position of a collection that has positions.
    pub(super) fn new(collection: Collection) -> Browser {
        Browser {
            library: Library::new(Arc::new(collection)),
            position: 0,
            chosen_move: None,
            board: ShownBoard::Root,
            terms: Terms::AgainstRival,
            epoch: 0,
            analyses: HashMap::new(),
        }
    }

    pub fn position_index(&self) -> usize {
        self.position
    }

    pub fn position(&self) -> &WinnerPosition {
        &self.library.collection.positions[self.position]
    }

    /// Index of the game shown among those that have positions.
    pub fn game_index(&self) -> usize {
        self.library.game_of(self.position)
    }

    /// The positions of the game shown.
    pub(super) fn game_positions(&self) -> &[WinnerPosition] {
        &self.library.collection.positions[self.library.positions_of(self.game_index())]
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
        let ply = head.ply_of(self.position().fullmove);
        let last = ply.checked_sub(1).map(|last| squares[last]);
        ScoreSheet { names, ply, begins_with_white: head.start().turn().is_white(), last }
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
        self.analyses.get(&self.position).map(|(_, analysis)| &**analysis)
    }

    /// Whether [`Browser::analysis`] was made with the present weights.
    pub fn is_fresh(&self) -> bool {
        self.fresh_analysis(self.position).is_some()
    }

    /// The analysis of a position under the present weights.
    pub fn fresh_analysis(&self, index: usize) -> Option<&Analysis> {
        self.analyses.get(&index).filter(|(epoch, _)| *epoch == self.epoch).map(|(_, analysis)| &**analysis)
    }

    /// Index of the move shown: the best one until another is chosen.
    pub fn move_index(&self, analysis: &Analysis) -> usize {
        let is_chosen = |analysed: &AnalysedMove| Some(analysed.mv) == self.chosen_move;
        analysis.moves.iter().position(is_chosen).unwrap_or(0)
    }

    /// Carries out an action on the position, the move or the board shown. The error is a notice.
    pub(super) fn action(&mut self, action: Action) -> Result<Vec<Effect>, &'static str> {
        match action {
            Action::NextMove => self.step(1),
            Action::PreviousMove => self.step(-1),
            Action::NextPosition => return self.walk(1),
            Action::PreviousPosition => return self.walk(-1),
            Action::NextGame => return self.walk_games(1),
            Action::PreviousGame => return self.walk_games(-1),
            Action::First => {
                return Ok(self.show_position(self.library.positions_of(self.game_index()).start));
            }
            Action::Last => {
                return Ok(self.show_position(self.library.positions_of(self.game_index()).end - 1));
            }
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

    fn walk(&mut self, by: isize) -> Result<Vec<Effect>, &'static str> {
        let count = self.library.collection.positions.len();
        match self.position.checked_add_signed(by).filter(|&index| index < count) {
            Some(index) => Ok(self.show_position(index)),
            None if by > 0 => Err("this is the last position of the last game"),
            None => Err("this is the first position of the first game"),
        }
    }

    fn walk_games(&mut self, by: isize) -> Result<Vec<Effect>, &'static str> {
        let game = self.game_index().checked_add_signed(by);
        match game.and_then(|game| self.library.first_of(game)) {
            Some(index) => Ok(self.show_position(index)),
            None if by > 0 => Err("this is the last game"),
            None => Err("this is the first game"),
        }
    }

    fn show_position(&mut self, index: usize) -> Vec<Effect> {
        self.position = index;
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

    /// Takes other games, and stays at the game of the same number or the next one.
    pub(super) fn replace_games(&mut self, collection: Collection) -> Vec<Effect> {
        let number = self.library.head(self.game_index()).number;
        self.library = Library::new(Arc::new(collection));
        let library = &self.library;
        let game = library
            .by_number(number)
            .or_else(|near| near[1].or(near[0]).map_or(Ok(0), |number| library.by_number(number)));
        self.position = game.ok().and_then(|game| library.first_of(game)).unwrap_or(0);
        self.chosen_move = None;
        self.analyses.clear();
        self.restart_search()
    }

    /// Forgets the analyses made with other weights or another search. That of the position shown stays until
    /// the new one is there.
    pub(super) fn restart_search(&mut self) -> Vec<Effect> {
        self.epoch += 1;
        let shown = self.position;
        self.analyses.retain(|&index, _| index == shown);
        vec![Effect::Search]
    }

    /// Keeps an analysis, unless it was made with other weights.
    pub(super) fn insert(&mut self, epoch: u64, index: usize, analysis: Arc<Analysis>) {
        if epoch != self.epoch {
            return;
        }
        if self.analyses.len() >= CACHE_SIZE {
            let positions = self.library.positions_of(self.game_index());
            self.analyses.retain(|index, _| positions.contains(index));
        }
        self.analyses.insert(index, (epoch, analysis));
    }

    /// The search that the position shown needs, and those that may be asked for next.
    pub(super) fn search_request(&self, weights: &Weights, sampling: Sampling) -> SearchRequest {
        let positions = &self.library.collection.positions;
        SearchRequest {
            epoch: self.epoch,
            weights: weights.clone(),
            sampling,
            is_urgent: !self.is_fresh(),
            positions: self.missing().into_iter().map(|index| (index, positions[index])).collect(),
        }
    }

    /// Positions without an analysis: the one shown first, then its neighbours, then the rest of the game.
    fn missing(&self) -> Vec<usize> {
        let library = &self.library;
        let game = self.game_index();
        let near = [0, 1, 2, -1].into_iter().filter_map(|by| self.position.checked_add_signed(by));
        let games = [game + 1, game.wrapping_sub(1)].into_iter().filter_map(|game| library.first_of(game));
        let all = near.chain(games).chain(library.positions_of(game));
        let mut missing: Vec<usize> = Vec::new();
        for index in all.filter(|&index| index < library.collection.positions.len()) {
            if self.fresh_analysis(index).is_none() && !missing.contains(&index) {
                missing.push(index);
            }
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{eval::Placement, tui::testing};

    fn browser() -> Browser {
        let mut browser = Browser::new(testing::collection(1));
        let analysis = Arc::new(testing::search(browser.position(), &Weights::start()));
        browser.insert(0, 0, analysis);
        browser
    }

    #[test]
    fn the_position_shown_is_searched_first_and_known_ones_not_again() {
        let mut browser = browser();
        assert!(browser.action(Action::NextPosition).is_ok());
        let request = browser.search_request(&Weights::start(), Sampling::default());
        let wanted: Vec<usize> = request.positions.iter().map(|&(index, _)| index).collect();
        assert_eq!((wanted[0], request.is_urgent), (1, true));
        assert!(!wanted.contains(&0), "it is known already");
        assert!(wanted.contains(&browser.library.positions_of(0).end), "the next game");
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
        browser.insert(0, 1, Arc::clone(&stale));
        assert!(browser.fresh_analysis(1).is_none());
        browser.insert(1, 0, stale);
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
    fn the_columns_of_terms_come_round_after_four_steps() {
        let mut terms = Terms::AgainstRoot;
        for _ in 0..4 {
            terms = terms.next();
        }
        assert_eq!(terms, Terms::AgainstRoot);
    }
}
