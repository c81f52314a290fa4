//! Time that has passed, on targets with and without a clock.

use std::{
    sync::{LazyLock, OnceLock},
    time::{Duration, Instant},
};

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Gives the program a clock where the target has none, as wasm32-unknown-unknown: `now` is the time since
/// any fixed moment. The first call holds. Without a clock no time passes.
pub fn set_clock(now: fn() -> Duration) {
    let _ = CLOCK.set(now);
}

/// A moment on the clock of the target, or on the one that was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// The present moment.
    #[must_use]
    pub fn now() -> Moment {
        Moment(CLOCK.get_or_init(|| own_clock)())
    }

    /// The time since this moment.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        Moment::now().0.saturating_sub(self.0)
    }
}

fn own_clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    if cfg!(target_family = "wasm") { Duration::ZERO } else { START.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes() {
        let now = Moment::now();
        while now.elapsed().is_zero() {}
        assert!(Moment::now() > now);
    }
}
