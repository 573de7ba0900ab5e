//! Answers that are looked up at most once in a while, however many ask.

use std::time::Duration;

use tokio::{sync::Mutex, time::Instant};

/// An answer that is good for a while. Those who ask meanwhile get the same one; those who ask while it
/// is looked up wait for it.
#[derive(Debug)]
pub(crate) struct TtlCell<T> {
    good_for: Duration,
    newest: Mutex<Option<(Instant, T)>>,
}

impl<T: Clone> TtlCell<T> {
    pub(crate) fn new(good_for: Duration) -> Self {
        Self { good_for, newest: Mutex::new(None) }
    }

    /// The answer; `look` finds it if there is none that is still good.
    pub(crate) async fn get(&self, look: impl Future<Output = T>) -> T {
        let mut newest = self.newest.lock().await;
        if let Some((found_at, answer)) = newest.as_ref()
            && found_at.elapsed() < self.good_for
        {
            return answer.clone();
        }
        let answer = look.await;
        *newest = Some((Instant::now(), answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use super::TtlCell;

    #[tokio::test]
    async fn many_who_ask_cause_one_look_and_later_ones_another() {
        let (fresh, looks) = (TtlCell::new(Duration::from_millis(200)), AtomicUsize::new(0));
        let ask = || fresh.get(async { looks.fetch_add(1, Ordering::SeqCst) });
        let (one, two, three) = tokio::join!(ask(), ask(), ask());
        assert_eq!((one, two, three), (0, 0, 0));
        tokio::time::sleep(Duration::from_millis(250)).await;
        assert_eq!(ask().await, 1);
    }
}
