//! Names of private networks. Their addresses are checked anyway; refusing the name early gives a better
//! error and does not involve a resolver.

/// Top-level domains that only private networks use.
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

/// Returns `true` if only a private network can resolve the name, which is in lower case.
pub(crate) fn is_private(name: &str) -> bool {
    // A name without a dot is completed with a search domain. A trailing dot is a second spelling of the same
    // name, which certificates and lists do not contain.
    let is_complete = name.contains('.') && !name.ends_with('.');
    let ends_privately = PRIVATE.iter().any(|ending| {
        name.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    });
    !is_complete || ends_privately
}
