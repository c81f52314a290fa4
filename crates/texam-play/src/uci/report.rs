//! UCI output of a search.

use crate::engine::{IterationReport, Score, SearchResult, centipawns, mate_in};
use texam_chess::position::CompactMove;

/// The line `info depth ..` of an iteration.
pub(super) fn info(report: &IterationReport) -> String {
    let milliseconds = report.elapsed.as_millis();
    let per_second = (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-6)) as u64;
    let line: Vec<_> = report.line.iter().map(ToString::to_string).collect();
    let number = report.number.map_or(String::new(), |number| format!(" multipv {number}"));
    let bound = if report.is_lower_bound { " lowerbound" } else { "" };
    format!(
        "info depth {} seldepth {}{number} score {}{bound} nodes {} nps {per_second} hashfull {} time {milliseconds} pv {}",
        report.depth,
        report.selective_depth.max(report.depth),
        score(report.score),
        report.nodes,
        report.hashfull,
        line.join(" ")
    )
}

/// A score as `cp N` or `mate N`.
fn score(score: Score) -> String {
    match mate_in(score) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", centipawns(score)),
    }
}

/// The line with the score of a position without a legal move.
pub(super) fn game_over(result: &SearchResult) -> String {
    format!("info depth 0 score {}", score(result.score))
}

/// The line of information before a best move that no search has found.
pub(super) fn unsearched(best: CompactMove) -> String {
    format!("info depth 0 score cp 0 nodes 0 time 0 pv {best}")
}

/// The line `bestmove ..`, with the best move and the expected reply.
pub(super) fn best_move(best: Option<CompactMove>, expected: Option<CompactMove>) -> String {
    match (best, expected) {
        (Some(best), Some(expected)) => format!("bestmove {best} ponder {expected}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove 0000".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_report_is_one_line_with_every_figure() {
        let report = IterationReport {
            depth: 5,
            number: None,
            selective_depth: 9,
            score: -64,
            is_lower_bound: false,
            nodes: 5000,
            elapsed: Duration::from_millis(10),
            hashfull: 3,
            line: Vec::new(),
        };
        let expected = "info depth 5 seldepth 9 score cp -50 nodes 5000 nps 500000 hashfull 3 time 10 pv ";
        assert_eq!(info(&report), expected);
        let stopped = IterationReport { is_lower_bound: true, number: Some(1), ..report };
        assert!(info(&stopped).contains(" multipv 1 score cp -50 lowerbound nodes "));
    }

    #[test]
    fn a_mate_is_told_in_moves_and_no_move_at_all_is_0000() {
        let mated = SearchResult { line: Vec::new(), score: -30_000, depth: 0, nodes: 0 };
        assert_eq!(game_over(&mated), "info depth 0 score mate 0");
        assert_eq!(best_move(None, None), "bestmove 0000");
        assert_eq!(score(29_999), "mate 1");
        assert_eq!(score(-29_996), "mate -2");
    }
}
