//! Move ordering of the fast search. The order changes the number of nodes but no result.

use arrayvec::ArrayVec;

use crate::position::{
    CompactMove,
    board::{BISHOP, Board, EMPTY, KING, KNIGHT, PAWN},
    movegen::{self, CAPACITY, CheckInfo, Moves},
};

/// Subtracted from the score of a capture that seems to lose material, which makes it negative.
const LOSING: i32 = 1000;

/// Score of a capture by MVV/LVA (most valuable victim, then least valuable attacker). It is negative if the
/// attacker is more valuable than the victim and the victim is defended: this approximates static exchange
/// evaluation at less cost.
pub(super) fn capture_order(board: &Board, mv: CompactMove) -> i32 {
    let victim = match board.mailbox[mv.target() as usize] {
        EMPTY => PAWN,
        role => role as usize,
    };
    let attacker = board.mailbox[mv.origin() as usize] as usize;
    let is_attacker_more_valuable =
        attacker > victim && attacker != KING && (attacker, victim) != (BISHOP, KNIGHT);
    let is_losing = is_attacker_more_valuable && {
        let without_attacker = board.occupied() ^ 1 << mv.origin();
        board.is_attacked(mv.target(), board.us() ^ 1, without_attacker)
    };
    let promotion = if mv.promotion() == 1 { 64 } else { 0 };
    let order = promotion + 8 * victim as i32 + 8 - attacker as i32;
    if is_losing { order - LOSING } else { order }
}

/// The moves of a node in descending order of their scores.
pub(super) struct MovePicker {
    /// Score in the upper half, move in the lower.
    moves: ArrayVec<u64, CAPACITY>,
    next: usize,
}

/// Number of moves selected one by one before the rest is sorted. A cutoff mostly comes from one of the first
/// moves, and then the sort is saved.
const SELECTED: usize = 2;

impl MovePicker {
    /// No moves.
    #[inline(always)]
    pub fn new() -> MovePicker {
        MovePicker { moves: ArrayVec::new_const(), next: 0 }
    }

    /// Adds moves with their scores.
    #[inline(always)]
    pub fn extend(&mut self, moves: impl Iterator<Item = CompactMove>, score: impl Fn(CompactMove) -> i32) {
        for mv in moves {
            self.moves.push(u64::from(score(mv).cast_unsigned() ^ 1 << 31) << 32 | mv.bits());
        }
    }

    /// Whether the move was added.
    #[inline(always)]
    pub fn contains(&self, mv: CompactMove) -> bool {
        self.moves.iter().any(|&scored| CompactMove::from_bits(scored) == mv)
    }

    /// The next move to try.
    #[inline(always)]
    pub fn next(&mut self) -> Option<CompactMove> {
        self.next_from(i32::MIN)
    }

    /// The next move to try, if its score is at least `least`.
    #[inline(always)]
    pub fn next_from(&mut self, least: i32) -> Option<CompactMove> {
        let rest = &mut self.moves[self.next..];
        if self.next == SELECTED {
            rest.sort_unstable_by(|a, b| b.cmp(a));
        } else if self.next < SELECTED {
            let mut best = 0;
            for at in 1..rest.len() {
                if rest[at] > rest[best] {
                    best = at;
                }
            }
            if best > 0 {
                rest.swap(0, best);
            }
        }
        let &scored = rest.first()?;
        let score = ((scored >> 32) as u32 ^ 1 << 31).cast_signed();
        if score < least {
            return None;
        }
        self.next += 1;
        Some(CompactMove::from_bits(scored))
    }
}

/// The stages in which [`StagedMoves`] finds the moves of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hint,
    Captures,
    WinningCaptures,
    /// The number of the move in [`StagedMoves::likely`].
    Likely(u8),
    LosingCaptures,
    Quiets,
}

/// The moves of an inner node. Most cutoffs come from the first moves, so each kind of move is generated only
/// when the moves before it caused none.
pub(super) struct StagedMoves {
    stage: Stage,
    /// The hint, the countermove and two killers. They are not generated: a test shows whether they are
    /// legal.
    likely: [CompactMove; 4],
    captures: MovePicker,
    quiets: MovePicker,
}

impl StagedMoves {
    /// The moves of a node with this hint, countermove and killers.
    #[inline(always)]
    pub fn new(likely: [CompactMove; 4]) -> StagedMoves {
        StagedMoves { stage: Stage::Hint, likely, captures: MovePicker::new(), quiets: MovePicker::new() }
    }

    /// The next move to try. `quiet_order` is the score of a quiet move.
    #[inline(always)]
    pub fn next(
        &mut self,
        board: &Board,
        checks: &CheckInfo,
        quiet_order: impl Fn(CompactMove) -> i32,
    ) -> Option<CompactMove> {
        let hint = self.likely[0];
        loop {
            match self.stage {
                Stage::Hint => {
                    self.stage = Stage::Captures;
                    if hint != CompactMove::NONE && movegen::is_legal(board, checks, hint) {
                        return Some(hint);
                    }
                }
                Stage::Captures => {
                    let mut moves = Moves::new();
                    movegen::tactical(board, checks, &mut moves);
                    let rest = moves.iter().copied().filter(|&mv| mv != hint);
                    self.captures.extend(rest, |mv| capture_order(board, mv));
                    self.stage = Stage::WinningCaptures;
                }
                Stage::WinningCaptures => match self.captures.next_from(0) {
                    None => self.stage = Stage::Likely(1),
                    found => return found,
                },
                Stage::Likely(at) => {
                    let mv = self.likely[at as usize];
                    self.stage = if at < 3 { Stage::Likely(at + 1) } else { Stage::LosingCaptures };
                    let is_new = mv != CompactMove::NONE && !self.likely[..at as usize].contains(&mv);
                    if is_new && !self.captures.contains(mv) && movegen::is_legal(board, checks, mv) {
                        return Some(mv);
                    }
                }
                Stage::LosingCaptures => match self.captures.next() {
                    None => {
                        let mut moves = Moves::new();
                        movegen::quiet(board, checks, &mut moves);
                        let rest = moves.iter().copied().filter(|mv| !self.likely.contains(mv));
                        self.quiets.extend(rest, &quiet_order);
                        self.stage = Stage::Quiets;
                    }
                    found => return found,
                },
                Stage::Quiets => return self.quiets.next(),
            }
        }
    }
}
