//! Names that lead into a private network. What they lead to is judged anyway; refusing the name early
//! tells its owner why, and asks no resolver that might know it.

/// Endings that the public DNS does not have, and that private networks use.
const PRIVATE: [&str; 13] = [
    "alt",
    "corp",
    "home",
    "home.arpa",
    "internal",
    "intranet",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "onion",
    "private",
    "svc",
];

/// Whether a name, in lower case, is one that only a private network can know.
pub(crate) fn is_private(name: &str) -> bool {
    // A name without a dot is completed by the machine that asks. One with a dot at its end is the same
    // name in a second spelling, which certificates and lists do not know.
    let is_complete = name.contains('.') && !name.ends_with('.');
    let ends_privately = PRIVATE.iter().any(|ending| {
        name.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    });
    !is_complete || ends_privately
}
