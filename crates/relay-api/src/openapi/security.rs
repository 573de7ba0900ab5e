//! What callers show.

use serde_json::{Value, json};

use crate::Credential;

pub(super) fn schemes() -> Value {
    json!({
        "accessToken": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "The access token of a person. It is good for 300 seconds.",
        },
        "agentToken": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "hsk_…",
            "description": "The token of an agent: `hsk_` and 40 letters and digits. It is good until it is revoked.",
        },
        "refreshToken": {
            "type": "apiKey",
            "in": "cookie",
            "name": "refresh_token",
            "description": "The refresh token of a session. Clients without cookies send it in the body instead.",
        },
    })
}

/// Alternatives, of which one suffices.
pub(super) fn requirements(credential: Credential) -> Value {
    match credential {
        Credential::None | Credential::FirstFrame | Credential::AdminSocket => json!([]),
        Credential::RefreshToken => json!([{ "refreshToken": [] }, {}]),
        Credential::RefreshTokenOrUser => {
            json!([{ "refreshToken": [] }, { "accessToken": [] }, {}])
        }
        Credential::User => json!([{ "accessToken": [] }]),
        Credential::Agent => json!([{ "agentToken": [] }]),
        Credential::UserOrAgent => json!([{ "accessToken": [] }, { "agentToken": [] }]),
    }
}
