//! Scales of axes: the range of values, ticks at round numbers, and their labels.

/// The range of values of an axis, and its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<f64>,
    pub decimals: usize,
}

impl Scale {
    /// A scale for all values, with about `most` ticks at round numbers. With `wide` both ends are ticks;
    /// with `whole` ticks are whole numbers.
    pub fn over(values: impl Iterator<Item = f64>, most: usize, whole: bool, wide: bool) -> Scale {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        // If all values are equal, the scale is centred on them.
        let slack = if high - low > 1e-9 * high.abs().max(1.0) { 0.0 } else { 0.5 * high.abs().max(1.0) };
        let (low, high) = (low - slack, high + slack);
        let step = step(high - low, most.max(2), whole);
        let (first, last) = match wide {
            true => ((low / step).floor(), (high / step).ceil()),
            false => ((low / step).ceil(), (high / step).floor()),
        };
        let ticks: Vec<f64> = (0..=(last - first) as usize).map(|at| (first + at as f64) * step).collect();
        let ends = if wide { (first * step, last * step) } else { (low, high) };
        let decimals = (0..6).find(|&places| is_whole(step * 10_f64.powi(places))).unwrap_or(6) as usize;
        Scale { low: ends.0, high: ends.1, ticks, decimals }
    }

    /// Position of a value on the scale: 0 at the low end, 1 at the high end.
    pub fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    pub fn label(&self, tick: f64) -> String {
        number(tick, self.decimals)
    }
}

/// From here on a number has an exponent: all its digits would not fit beside a chart.
const EXPONENT_FROM: f64 = 1e15;

/// A minus sign as wide as a plus.
pub const MINUS: &str = "−";

/// A number with that minus sign; zero has no sign.
pub fn number(value: f64, decimals: usize) -> String {
    let text =
        if value.abs() < EXPONENT_FROM { format!("{value:.decimals$}") } else { format!("{value:.2e}") };
    let digits = text.trim_start_matches('-');
    if digits.trim_matches(['0', '.']).is_empty() { digits.to_string() } else { text.replace('-', MINUS) }
}

fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-6
}

/// The smallest round step that divides `range` into at most `most` steps.
fn step(range: f64, most: usize, whole: bool) -> f64 {
    let rough = range / most as f64;
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough * (1.0 - 1e-9));
    let step = round.unwrap_or(10.0) * power;
    if whole { step.max(1.0) } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], most: usize, whole: bool, wide: bool) -> Vec<String> {
        let scale = Scale::over(values.iter().copied(), most, whole, wide);
        scale.ticks.iter().map(|&tick| scale.label(tick)).collect()
    }

    #[test]
    fn ticks_are_round_and_no_more_than_asked_for() {
        assert_eq!(labels(&[38.45, 41.77], 5, false, true), ["38", "39", "40", "41", "42"]);
        assert_eq!(labels(&[-0.3, 0.2], 5, false, true), ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2"]);
        assert_eq!(labels(&[0.0, 15.0], 8, true, false), ["0", "2", "4", "6", "8", "10", "12", "14"]);
        assert_eq!(labels(&[0.0, 2.0], 8, true, false), ["0", "1", "2"]);
    }

    #[test]
    fn a_value_alone_nothing_and_nonsense_have_a_scale() {
        for values in [&[7.0][..], &[], &[f64::NAN, f64::INFINITY], &[0.0, 0.0], &[-1e9, -1e9]] {
            let scale = Scale::over(values.iter().copied(), 5, false, true);
            assert!(scale.low < scale.high && scale.ticks.len() > 1, "{scale:?}");
        }
    }

    #[test]
    fn shares_go_from_the_low_end_to_the_high_one() {
        let scale = Scale::over([10.0, 30.0].into_iter(), 4, false, true);
        assert_eq!((scale.share(10.0), scale.share(20.0), scale.share(30.0)), (0.0, 0.5, 1.0));
    }

    #[test]
    fn numbers_too_long_for_a_label_have_an_exponent() {
        assert_eq!([1e308, -2.5e15].map(|value| number(value, 0)), ["1.00e308", "−2.50e15"]);
        assert_eq!(labels(&[0.0, 1e308], 2, false, true), ["0", "5.00e307", "1.00e308"]);
    }

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(number(-0.04, 1), "0.0");
        assert_eq!(number(-0.06, 1), "−0.1");
        assert_eq!(number(-12.0, 0), "−12");
    }
}
