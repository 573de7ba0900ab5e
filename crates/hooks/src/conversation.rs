//! One exchange with a hook, independent of the transport.

use assent_json::{shorten, visible};
use assent_runtime::{HookEffects, HookMoment};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{Problems, Sight, Terms, effects, mask, moment};

/// The longest message about an answer, in characters.
const MAX_MESSAGE: usize = 400;

/// Why a hook gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConversationError {
    #[error("the call cannot be described to it")]
    Undescribable,
    #[error("its answer is longer than {0} bytes; let it say less, or raise `max_answer_bytes`")]
    TooLong(usize),
    #[error("its answer is not understood: {}", first(.0))]
    Wrong(#[from] Problems),
    #[error(
        "its `update_input` puts a mask where a value belongs, at `{0}`; let it leave inputs with \
         sensitive fields alone, or trust it with `sees_sensitive`"
    )]
    Mask(String),
}

/// Returns the first problem; the others are usually fixed one by one.
fn first(problems: &Problems) -> String {
    let first = problems.iter().next().map(ToString::to_string).unwrap_or_default();
    visible(&shorten(&first, MAX_MESSAGE))
}

/// The exchanges with one hook.
pub(crate) struct Conversation {
    terms: Terms,
    turns: Semaphore,
}

impl Conversation {
    pub(crate) fn new(terms: Terms) -> Self {
        let turns = Semaphore::new(terms.max_parallel.clamp(1, Semaphore::MAX_PERMITS));
        Self { terms, turns }
    }

    pub(crate) fn max_answer_bytes(&self) -> usize {
        self.terms.max_answer_bytes
    }

    /// Waits until another moment may be sent to the hook.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.turns.acquire().await.ok()
    }

    pub(crate) fn question(&self, moment: &HookMoment) -> Result<String, ConversationError> {
        moment::write(moment, &self.terms.id, self.terms.sight)
            .map_err(|_| ConversationError::Undescribable)
    }

    pub(crate) fn answer(
        &self,
        moment: &HookMoment,
        answer: &[u8],
    ) -> Result<HookEffects, ConversationError> {
        let effects = effects::read(answer, moment.event)?;
        let updated = effects.update_input.as_ref().filter(|_| self.terms.sight == Sight::Masked);
        let smuggled = updated.and_then(|input| mask::smuggled(input.root(), moment.input.root()));
        match smuggled {
            Some(at) => Err(ConversationError::Mask(visible(&shorten(at.as_str(), MAX_MESSAGE)))),
            None => Ok(effects),
        }
    }
}
