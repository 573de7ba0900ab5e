//! End-to-end encryption between devices and agents.
//!
//! A message travels as an [`Envelope`]: routing fields in the clear, one block per recipient, and the
//! content under a fresh key, all of it signed by the sender. [`seal`] makes one and [`open`] reads one;
//! `docs/envelope.md` describes every byte.
//!
//! * An [`Account`] holds the keys of this device or agent, and the [`Prekeys`] that it publishes.
//! * A [`Peer`] is what is known about the other side: its pinned keys, its [`Layers`], its sessions.
//!
//! The ratchet is Olm, from `vodozemac`. A secret that was encapsulated with X-Wing is mixed into every
//! session, so that recorded content stays secret if X25519 falls. Peers that keep no state get the content
//! key by HPKE instead.
//!
//! **Invariant:** nothing here does I/O or reads a clock. The caller stores [`Account`] and [`Peer`] in the
//! transaction that stores what was opened, and before an envelope leaves.
//!
//! **Invariant:** an envelope that cannot be opened changes neither the account nor the peer.

#[cfg(fuzzing)]
compile_error!("with `--cfg fuzzing`, vodozemac accepts every MAC: fuzz with `--no-cfg-fuzzing`");

mod account;
mod agent_link;
mod at_rest;
mod bundle;
mod content;
mod derive;
mod endpoint;
mod envelope;
mod kem;
mod open;
mod peer;
mod random;
mod safety_number;
mod seal;
mod session;
mod signature;

pub use account::{Account, KemPrekey, OneTimePrekey, PickleError, Prekeys, SignedPrekey};
pub use agent_link::{AgentLink, AgentLinkError, KeyFingerprint};
pub use at_rest::{StorageKey, UnsealError};
pub use bundle::{BundleError, PrekeyBundle};
pub use content::MAX_CONTENT_BYTES;
pub use endpoint::Endpoint;
pub use envelope::{Envelope, Header, MAX_ENVELOPE_BYTES, MAX_RECIPIENTS, Malformed};
pub use kem::KEM_KEY_BYTES;
pub use open::{OpenContext, Refusal, Routing, open};
pub use peer::{Layers, Peer, PublicKeys};
pub use safety_number::SafetyNumber;
pub use seal::{Outgoing, SealError, seal};
pub use signature::verify_signature;
