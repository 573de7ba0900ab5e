//! The error codes of the HTTP interface. They are a contract: a code is never renamed or reused.

use crate::wire::words;

words! {
    /// What went wrong with a request.
    ApiCode {
        /// The body is not JSON.
        MalformedJson = "MALFORMED_JSON",
        /// A field is missing or has the wrong type; `params.pointer` is its path.
        BadRequest = "BAD_REQUEST",
        /// The token is missing or invalid.
        Unauthenticated = "UNAUTHENTICATED",
        /// The access token has expired.
        TokenExpired = "TOKEN_EXPIRED",
        /// The e-mail address or the password is wrong.
        InvalidCredentials = "INVALID_CREDENTIALS",
        /// The session was ended, for example because a refresh token came twice.
        SessionRevoked = "SESSION_REVOKED",
        /// The caller may not do this.
        Forbidden = "FORBIDDEN",
        /// It does not exist, or the caller may not see it.
        NotFound = "NOT_FOUND",
        /// The route exists, but not with this method.
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
        /// The body did not arrive in time.
        RequestTimeout = "REQUEST_TIMEOUT",
        /// It cannot be done in the current state.
        Conflict = "CONFLICT",
        /// The address already belongs to an account.
        EmailTaken = "EMAIL_TAKEN",
        /// The consent names another manifest than the present one.
        ManifestChanged = "MANIFEST_CHANGED",
        /// Another message was sent under the same client id.
        MessageIdReused = "MESSAGE_ID_REUSED",
        /// The ledger has grown since the entry was signed.
        LedgerConflict = "LEDGER_CONFLICT",
        /// The relation is suspended or ended.
        RelationInactive = "RELATION_INACTIVE",
        /// The person has as many devices as are allowed.
        DeviceLimit = "DEVICE_LIMIT",
        /// The person owns as many agents as are allowed.
        AgentLimit = "AGENT_LIMIT",
        /// `If-Match` names another version than the present one.
        PreconditionFailed = "PRECONDITION_FAILED",
        /// The body is larger than this route takes.
        PayloadTooLarge = "PAYLOAD_TOO_LARGE",
        /// The manifest is larger than 128 KiB.
        ManifestTooLarge = "MANIFEST_TOO_LARGE",
        /// The envelope is larger than 1 MiB.
        EnvelopeTooLarge = "ENVELOPE_TOO_LARGE",
        /// The address of the request is longer than the server reads.
        UriTooLong = "URI_TOO_LONG",
        /// The headers are longer than the server reads.
        HeadersTooLarge = "HEADERS_TOO_LARGE",
        /// The body is not declared as JSON.
        UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE",
        /// A value breaks a rule; `params.pointer` is its path.
        ValidationFailed = "VALIDATION_FAILED",
        /// The manifest breaks its rules; `params.errors` lists how.
        InvalidManifest = "INVALID_MANIFEST",
        /// A granted scope is not in the manifest.
        UnknownScope = "UNKNOWN_SCOPE",
        /// A public key is not valid.
        InvalidKey = "INVALID_KEY",
        /// A ledger entry is not signed by the device, or says something else than the request.
        InvalidLedgerEntry = "INVALID_LEDGER_ENTRY",
        /// The webhook address may not be called.
        WebhookUrlRefused = "WEBHOOK_URL_REFUSED",
        /// Too many failed logins.
        AccountLocked = "ACCOUNT_LOCKED",
        /// Too many requests.
        RateLimited = "RATE_LIMITED",
        /// A fault of the server.
        InternalError = "INTERNAL_ERROR",
        /// The database does not answer.
        StorageUnavailable = "STORAGE_UNAVAILABLE",
        /// The server is shutting down.
        ShuttingDown = "SHUTTING_DOWN",
    }
}

impl ApiCode {
    /// The HTTP status it comes with.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        match self {
            Self::MalformedJson | Self::BadRequest => 400,
            Self::Unauthenticated
            | Self::TokenExpired
            | Self::InvalidCredentials
            | Self::SessionRevoked => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::RequestTimeout => 408,
            Self::Conflict
            | Self::EmailTaken
            | Self::ManifestChanged
            | Self::MessageIdReused
            | Self::LedgerConflict
            | Self::RelationInactive
            | Self::DeviceLimit
            | Self::AgentLimit => 409,
            Self::PreconditionFailed => 412,
            Self::PayloadTooLarge | Self::ManifestTooLarge | Self::EnvelopeTooLarge => 413,
            Self::UriTooLong => 414,
            Self::HeadersTooLarge => 431,
            Self::UnsupportedMediaType => 415,
            Self::ValidationFailed
            | Self::InvalidManifest
            | Self::UnknownScope
            | Self::InvalidKey
            | Self::InvalidLedgerEntry
            | Self::WebhookUrlRefused => 422,
            Self::AccountLocked => 423,
            Self::RateLimited => 429,
            Self::InternalError => 500,
            Self::StorageUnavailable | Self::ShuttingDown => 503,
        }
    }

    /// Whether the very same request may succeed later. A new token, a new manifest hash or a new
    /// signature makes it another request.
    #[must_use]
    pub const fn retryable(self) -> bool {
        matches!(
            self,
            Self::AccountLocked
                | Self::RateLimited
                | Self::RequestTimeout
                | Self::InternalError
                | Self::StorageUnavailable
                | Self::ShuttingDown
        )
    }

    /// The key of the text that people are shown.
    #[must_use]
    pub fn i18n_key(self) -> String {
        format!("error.{}", self.as_str().to_ascii_lowercase())
    }
}
