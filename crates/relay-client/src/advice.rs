//! What to do about a refusal, in a sentence. The pages in `docs/errors` say more.

use assent_protocol::a2h::ApiCode;

pub(crate) const fn advice(code: ApiCode) -> &'static str {
    match code {
        ApiCode::MalformedJson => {
            "Send a body that is JSON; `params` say where it stops being that."
        }
        ApiCode::BadRequest => "Correct the field that `pointer` names.",
        ApiCode::Unauthenticated => "Log in, or send the token of the agent.",
        ApiCode::TokenExpired => "Get another access token with `POST /auth/refresh`.",
        ApiCode::InvalidCredentials => "Check the address and the password.",
        ApiCode::SessionRevoked => "Log in again.",
        ApiCode::Forbidden => "Ask the owner of the thing, or use another account.",
        ApiCode::NotFound => "Check the id; what you may not see is not found either.",
        ApiCode::MethodNotAllowed => "Use one of the methods that the interface describes.",
        ApiCode::RequestTimeout => "Send the whole body at once, or over a better line.",
        ApiCode::UriTooLong => "Ask for less at once.",
        ApiCode::HeadersTooLarge => "Send fewer or shorter headers.",
        ApiCode::Conflict => "Look at the present state first, then decide again.",
        ApiCode::EmailTaken => "Log in, or use another address.",
        ApiCode::ManifestChanged => "Show the person the present manifest and ask again.",
        ApiCode::MessageIdReused => "Give every message an id of its own.",
        ApiCode::LedgerConflict => {
            "Fetch the ledger, sign on top of its last entry, and try again."
        }
        ApiCode::RelationInactive => "Wait until the relation is restored, or begin another one.",
        ApiCode::DeviceLimit => "Remove a device that is no longer used.",
        ApiCode::AgentLimit => "Delete an agent that is no longer used.",
        ApiCode::PreconditionFailed => "Fetch the present version and make the change anew.",
        ApiCode::PayloadTooLarge => "Send less at once.",
        ApiCode::ManifestTooLarge => "Declare fewer tools, or shorter schemas.",
        ApiCode::EnvelopeTooLarge => "Send a smaller message.",
        ApiCode::UnsupportedMediaType => "Send `Content-Type: application/json`.",
        ApiCode::ValidationFailed => "Correct the value that `pointer` names.",
        ApiCode::InvalidManifest => {
            "Run `assent manifest check` on it; `params.errors` list what is wrong."
        }
        ApiCode::UnknownScope => "Grant only scopes that the manifest declares.",
        ApiCode::InvalidKey => "Send the base64 of a usable key of 32 bytes.",
        ApiCode::InvalidLedgerEntry => {
            "Sign an entry that says the same as the request, with the key of the device."
        }
        ApiCode::WebhookUrlRefused => "Use a public `https` address.",
        ApiCode::AccountLocked => "Wait until the lock ends.",
        ApiCode::RateLimited => "Wait, then send less often.",
        ApiCode::InternalError => "Try again; if it stays, tell the operator of the relay.",
        ApiCode::StorageUnavailable => "Try again in a while.",
        ApiCode::ShuttingDown => "Connect again; another server takes over.",
    }
}
