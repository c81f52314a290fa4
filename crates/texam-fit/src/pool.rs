//! Values that are dear to make and that threads use in turn: searchers, buffers, partial sums.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// As many values as threads have used at one time.
#[derive(Debug)]
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::new(Vec::new()))
    }
}

impl<T> Pool<T> {
    /// Works with an idle value, or with a new one if there is none.
    pub fn with<R>(&self, new: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = self.idle().pop();
        let mut value = idle.unwrap_or_else(new);
        let result = work(&mut value);
        self.idle().push(value);
        result
    }

    /// All values, in no order.
    pub fn into_values(self) -> Vec<T> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_used_again_and_two_at_a_time_are_two() {
        let pool = Pool::default();
        pool.with(|| 1, |value| *value += 1);
        pool.with(
            || 10,
            |first| {
                assert_eq!(*first, 2);
                pool.with(|| 10, |second| *second += 1);
            },
        );
        let mut values = pool.into_values();
        values.sort_unstable();
        assert_eq!(values, [2, 11]);
    }
}
