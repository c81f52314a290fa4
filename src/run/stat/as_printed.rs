//! The figures of a pass with the decimals that its file has, so that a run looks the same while it goes and when it is
//! read back.

use texam_fit::PassReport;

/// The same report with rounded figures. Spread, losses and temperature come rounded: they decide on later fits.
pub fn as_printed(report: &PassReport) -> PassReport {
    let mut report = report.clone();
    let fit = report.fit.as_mut();
    let of_fit = fit.map(|fit| {
        fit.condition = read_back(format!("{:.2e}", fit.condition));
        [Some(&mut fit.max_change), fit.residual.as_mut()]
    });
    let four = of_fit.into_iter().flatten().flatten();
    for figure in four.chain([&mut report.mean_gain, &mut report.misses.rms]) {
        *figure = read_back(format!("{figure:.4}"));
    }
    let changes = report.against_start.iter_mut().flatten();
    let changes = changes.flat_map(|change| {
        [&mut change.match_rate, &mut change.match_error, &mut change.mean_rank, &mut change.mean_rank_error]
    });
    for figure in changes.chain(report.rank_errors.iter_mut().flatten()) {
        *figure = read_back(format!("{figure:.5}"));
    }
    report
}

/// The number that a text of digits is; zero without a sign.
fn read_back(text: String) -> f64 {
    text.parse().unwrap_or(f64::NAN) + 0.0
}

#[cfg(test)]
mod tests {
    use texam_fit::{Difference, FitReport};

    use super::*;

    #[test]
    fn every_figure_has_the_decimals_of_the_file_and_zero_has_no_sign() {
        let third = 1.0 / 3.0;
        let change =
            Difference { match_rate: -1e-6, match_error: third, mean_rank: -third, mean_rank_error: third };
        let (condition, residual, max_change) = (1e6 / 3.0, Some(third), 2.0 * third);
        let mut report = PassReport::default();
        (report.mean_gain, report.misses.rms) = (-0.000_04, third);
        report.fit = Some(FitReport { solved: 7, rank: 7, condition, residual, max_change });
        report.against_start[0] = Some(change);
        report.rank_errors = vec![Some(third), None];
        let PassReport { mean_gain, misses, fit, against_start: [change, _], rank_errors, .. } =
            as_printed(&report);
        assert_eq!((mean_gain.to_bits(), misses.rms, rank_errors), (0, 0.3333, vec![Some(0.33333), None]));
        let fit = fit.unwrap();
        assert_eq!((fit.condition, fit.residual, fit.max_change), (3.33e5, Some(0.3333), 0.6667));
        let Difference { match_rate, match_error, mean_rank, mean_rank_error } = change.unwrap();
        assert_eq!((match_rate.to_bits(), match_error, mean_rank), (0, 0.33333, -0.33333));
        assert_eq!(mean_rank_error, 0.33333);
    }
}
