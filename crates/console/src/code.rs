//! The codes of errors that only the console has.

use http::StatusCode;

/// A code of an error. Each has a page in `docs/errors`; a code is never renamed or reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConsoleCode {
    /// The prompt is answered, withdrawn or over.
    AlreadyResolved,
    /// More time was taken before, or cannot be taken.
    AlreadyHeld,
    /// The digest is not that of what is shown now.
    ViewChanged,
    /// A yes came too soon after the prompt had appeared.
    TooEarly,
    /// Part of the prompt was not shown.
    NotShown,
    /// This answer is not offered for the prompt.
    NotOffered,
    /// The device has no account.
    NoAccount,
    /// The device has an account already.
    HasAccount,
    /// The account is used on another device.
    DeviceExists,
    /// The device has an account of another relay.
    OtherRelay,
    /// The device belongs to another account.
    OtherAccount,
    /// The keys of the agent are not those that the link says.
    KeyMismatch,
    /// The link leads to another relay.
    RelayMismatch,
    /// The number is not that of the keys that the agent has now.
    WrongNumber,
    /// The keys of the agent have changed.
    KeysChanged,
    /// A change of the agent waits for a review.
    ReviewPending,
    /// An earlier change is on its way to the relay.
    ChangePending,
    /// The relation with the agent has ended.
    RelationEnded,
    /// The agent cannot be added.
    UnusableAgent,
    /// The agent is added already.
    AgentAdded,
    /// The device runs without a console.
    NoConsole,
    /// The relay cannot be reached, or does not answer like one.
    RelayUnreachable,
}

impl ConsoleCode {
    /// The code as it is written.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::AlreadyResolved => "ALREADY_RESOLVED",
            Self::AlreadyHeld => "ALREADY_HELD",
            Self::ViewChanged => "VIEW_CHANGED",
            Self::TooEarly => "TOO_EARLY",
            Self::NotShown => "NOT_SHOWN",
            Self::NotOffered => "NOT_OFFERED",
            Self::NoAccount => "NO_ACCOUNT",
            Self::HasAccount => "HAS_ACCOUNT",
            Self::DeviceExists => "DEVICE_EXISTS",
            Self::OtherRelay => "OTHER_RELAY",
            Self::OtherAccount => "OTHER_ACCOUNT",
            Self::KeyMismatch => "KEY_MISMATCH",
            Self::RelayMismatch => "RELAY_MISMATCH",
            Self::WrongNumber => "WRONG_NUMBER",
            Self::KeysChanged => "KEYS_CHANGED",
            Self::ReviewPending => "REVIEW_PENDING",
            Self::ChangePending => "CHANGE_PENDING",
            Self::RelationEnded => "RELATION_ENDED",
            Self::UnusableAgent => "UNUSABLE_AGENT",
            Self::AgentAdded => "AGENT_ADDED",
            Self::NoConsole => "NO_CONSOLE",
            Self::RelayUnreachable => "RELAY_UNREACHABLE",
        }
    }

    /// The HTTP status it comes with.
    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::TooEarly => StatusCode::TOO_EARLY,
            Self::NotShown | Self::NotOffered | Self::WrongNumber => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::RelayUnreachable => StatusCode::BAD_GATEWAY,
            _ => StatusCode::CONFLICT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ConsoleCode;

    const ALL: [ConsoleCode; 22] = [
        ConsoleCode::AlreadyResolved,
        ConsoleCode::AlreadyHeld,
        ConsoleCode::ViewChanged,
        ConsoleCode::TooEarly,
        ConsoleCode::NotShown,
        ConsoleCode::NotOffered,
        ConsoleCode::NoAccount,
        ConsoleCode::HasAccount,
        ConsoleCode::DeviceExists,
        ConsoleCode::OtherRelay,
        ConsoleCode::OtherAccount,
        ConsoleCode::KeyMismatch,
        ConsoleCode::RelayMismatch,
        ConsoleCode::WrongNumber,
        ConsoleCode::KeysChanged,
        ConsoleCode::ReviewPending,
        ConsoleCode::ChangePending,
        ConsoleCode::RelationEnded,
        ConsoleCode::UnusableAgent,
        ConsoleCode::AgentAdded,
        ConsoleCode::NoConsole,
        ConsoleCode::RelayUnreachable,
    ];

    #[test]
    fn every_code_has_a_page_with_its_status_cause_and_remedy() {
        for code in ALL {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors");
            let page = std::fs::read_to_string(format!("{folder}/{}.md", code.as_str())).unwrap();
            assert!(page.starts_with(&format!("# {}\n", code.as_str())), "{code:?}");
            let status = format!("status {}", code.status().as_u16());
            for part in [status.as_str(), "\n## Cause\n", "\n## What to do\n", "\n## Retry?\n"] {
                assert!(page.contains(part), "{code:?} lacks {part:?}");
            }
        }
    }
}
