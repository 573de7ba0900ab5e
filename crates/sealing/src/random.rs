//! Lets the cryptographic crates draw from [`Entropy`].

use std::convert::Infallible;

use assent_ids::Entropy;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroizing;

/// A random number generator over a source of entropy.
pub(crate) struct EntropyRng<'a>(pub(crate) &'a dyn Entropy);

impl TryRng for EntropyRng<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill(bytes);
        Ok(())
    }
}

impl TryCryptoRng for EntropyRng<'_> {}

/// A secret of 32 bytes that is wiped when dropped.
pub(crate) type Secret = Zeroizing<[u8; 32]>;

/// A new random secret.
pub(crate) fn secret(entropy: &dyn Entropy) -> Secret {
    let mut bytes = Secret::default();
    entropy.fill(&mut *bytes);
    bytes
}
