//! Random sources, which are passed as arguments and never global.

/// A source of unpredictable bytes.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with random bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// The random source of the operating system.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SystemEntropy {}

/// The operating system returned no random bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gives no random bytes: {0}")]
pub struct EntropyError(String);

impl SystemEntropy {
    /// Opens the source and checks that it works.
    ///
    /// # Errors
    /// If the operating system has no working random source.
    pub fn new() -> Result<Self, EntropyError> {
        let mut probe = [0_u8; 16];
        getrandom::fill(&mut probe).map_err(|error| EntropyError(error.to_string()))?;
        Ok(Self {})
    }
}

impl Entropy for SystemEntropy {
    #[expect(
        clippy::panic,
        reason = "the source answered in `new`; should it stop, going on would give ids that repeat and secrets that can be guessed"
    )]
    fn fill(&self, bytes: &mut [u8]) {
        if let Err(error) = getrandom::fill(bytes) {
            panic!("the operating system stopped giving random bytes: {error}");
        }
    }
}

impl<E: Entropy + ?Sized> Entropy for std::sync::Arc<E> {
    fn fill(&self, bytes: &mut [u8]) {
        (**self).fill(bytes);
    }
}
