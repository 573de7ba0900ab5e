//! What requests and answers are made of. Every type is checked once, when it is made, and holds nothing that
//! breaks its rule; its JSON Schema says the rule.

mod base64_bytes;
mod envelope;
mod kem_public_key;
mod list;
mod page;
mod password;
mod prekey_id;
mod rule;
mod secret;
mod sha256;
mod text;

pub use base64_bytes::{PublicKey, Salt, Sealed, Signature};
pub use envelope::{MAX_ENVELOPE_BYTES, SealedEnvelope};
pub use kem_public_key::KemPublicKey;
pub use list::List;
pub use page::{Limit, WaitSeconds};
pub use password::{NewPassword, Password};
pub use prekey_id::PrekeyId;
pub use rule::BrokenRule;
pub use secret::Secret;
pub use sha256::Sha256;
pub use text::{
    Cursor, Description, Email, FilePath, Locale, Name, Reason, SearchText, WebAddress,
};
