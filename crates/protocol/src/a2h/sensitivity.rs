//! How sensitive a scope is, which decides how a person is asked.

use crate::wire::words;

words! {
    /// How sensitive a scope is; a later one is more sensitive.
    Sensitivity {
        /// Runs silently.
        Low = "low",
        /// Asks first, then is silent for a while.
        Medium = "medium",
        /// Asks every time.
        High = "high",
    }
}
