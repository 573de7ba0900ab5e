//! Hosts of URLs, and patterns for hosts.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::{
    Glob, ProblemKind,
    truth::{Side, Truth},
};

/// The longest text that is parsed as a URL.
pub(crate) const MAX_URL_BYTES: usize = 64 << 10;

/// A normalized host: names in lower case and ASCII, without a trailing dot; addresses as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostName {
    Address(IpAddr),
    Name(String),
}

impl HostName {
    fn of_parsed<S: AsRef<str>>(host: Host<S>) -> Option<Self> {
        match host {
            Host::Ipv4(address) => Some(Self::v4(address)),
            Host::Ipv6(address) => Some(Self::v6(address)),
            Host::Domain(name) => Self::of_name(name.as_ref()),
        }
    }

    fn v4(address: Ipv4Addr) -> Self {
        Self::Address(IpAddr::V4(address))
    }

    /// Converts an IPv4 address that is written as IPv6.
    fn v6(address: Ipv6Addr) -> Self {
        Self::Address(address.to_canonical())
    }

    fn of_name(name: &str) -> Option<Self> {
        let name = name.strip_suffix('.').unwrap_or(name);
        let is_whole = name.split('.').all(|label| !label.is_empty());
        is_whole.then(|| Self::Name(name.to_ascii_lowercase()))
    }

    /// Returns the host of a URL that [`read_url`] parsed.
    pub(crate) fn of_url(url: &Url) -> Option<Self> {
        match url.host()? {
            // The parser does not normalize hosts of unusual schemes, but clients resolve them like any
            // other.
            Host::Domain(name) if !is_special(url.scheme()) => {
                Self::of_parsed(Host::parse(name).ok()?)
            }
            host => Self::of_parsed(host),
        }
    }
}

fn is_special(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file")
}

/// Parses a URL. Returns `None` if clients may disagree about its host: the parser follows the standard of
/// browsers, which accepts texts that others parse differently.
pub(crate) fn read_url(text: &str) -> Option<Url> {
    let (_, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_strange = text.len() > MAX_URL_BYTES
        || text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\')
        || authority.is_empty()
        || authority.contains('%')
        || authority.matches('@').count() > 1;
    if is_strange { None } else { Url::parse(text).ok() }
}

/// Returns the host of a URL, or of a text that is only a host with an optional port.
fn host_of(text: &str) -> Option<HostName> {
    if text.contains("://") {
        return HostName::of_url(&read_url(text)?);
    }
    if text.contains(['/', '?', '#', '@']) || !has_at_most_a_port(text) {
        return None;
    }
    HostName::of_url(&read_url(&format!("http://{text}/"))?)
}

fn has_at_most_a_port(text: &str) -> bool {
    let behind = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("?", |(_, behind)| behind),
        None => text.find(':').and_then(|at| text.get(at..)).unwrap_or_default(),
    };
    behind.is_empty()
        || behind
            .strip_prefix(':')
            .is_some_and(|port| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()))
}

/// A pattern for hosts.
#[derive(Clone, Debug)]
pub(crate) enum HostPattern {
    /// One address.
    Address(IpAddr),
    /// IPv4 addresses by their digits, such as `10.*`. A name such as `10.example.com` does not match.
    Digits(Glob),
    /// Names. A pattern of wildcards only also matches every address.
    Names(Glob),
}

impl HostPattern {
    pub(crate) fn parse(text: &str, side: Side) -> Result<Self, ProblemKind> {
        let fault = || ProblemKind::Host(assent_json::shorten(text, 80));
        if !text.contains('*') && !text.contains('?') {
            return Self::one(text).ok_or_else(fault);
        }
        let pattern = normalized(text).ok_or_else(fault)?;
        let glob = Glob::parse(&pattern)?;
        if is_digits(&pattern) {
            return Ok(Self::Digits(glob));
        }
        if side == Side::Permit && is_loose(&pattern) {
            return Err(ProblemKind::LooseHost(assent_json::shorten(text, 80)));
        }
        Ok(Self::Names(glob))
    }

    /// Parses a pattern without wildcards.
    fn one(text: &str) -> Option<Self> {
        let bare: Option<Ipv6Addr> = text.parse().ok();
        let host = match bare {
            Some(address) => HostName::v6(address),
            None if text.contains('%') => return None,
            None => HostName::of_parsed(Host::parse(text).ok()?)?,
        };
        match host {
            HostName::Address(address) => Some(Self::Address(address)),
            HostName::Name(name) => Glob::parse(&Glob::escape(&name)).ok().map(Self::Names),
        }
    }

    /// Returns whether the host of `text` matches.
    pub(crate) fn judge(&self, text: &str) -> Truth {
        host_of(text).map_or(Truth::Unknown, |host| self.means(&host).into())
    }

    pub(crate) fn means(&self, host: &HostName) -> bool {
        match (self, host) {
            (Self::Address(ours), HostName::Address(theirs)) => ours == theirs,
            (Self::Digits(glob), HostName::Address(IpAddr::V4(address))) => {
                glob.matches(&address.to_string())
            }
            (Self::Names(glob), HostName::Name(name)) => glob.matches(name),
            (Self::Names(glob), HostName::Address(_)) => glob.is_only_wildcards(),
            (Self::Address(_), HostName::Name(_)) | (Self::Digits(_), _) => false,
        }
    }
}

/// Normalizes a pattern with wildcards.
fn normalized(text: &str) -> Option<String> {
    let text = text.strip_suffix('.').unwrap_or(text);
    let labels: Option<Vec<String>> = text.split('.').map(normalized_label).collect();
    labels.map(|labels| labels.join("."))
}

fn normalized_label(label: &str) -> Option<String> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'*' | b'?');
    if label.is_empty() {
        None
    } else if label.bytes().all(fits) {
        Some(label.to_ascii_lowercase())
    } else if label.is_ascii() || label.contains(['*', '?']) {
        None
    } else {
        match Host::parse(label).ok()? {
            Host::Domain(name) if !name.contains('.') => Some(name),
            _ => None,
        }
    }
}

fn is_digits(pattern: &str) -> bool {
    pattern.bytes().any(|b| b.is_ascii_digit())
        && pattern.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'*' | b'?'))
}

/// Returns `true` if anyone could register a name that matches: `*example.com` or `example.*`.
fn is_loose(pattern: &str) -> bool {
    let fixed = pattern.rsplit(['*', '?']).next().unwrap_or_default();
    pattern != "*" && !(fixed.starts_with('.') && fixed.len() > 1)
}

/// Returns the host of a URL, as a pattern that matches only this host.
pub(crate) fn shown(text: &str) -> Option<String> {
    match HostName::of_url(&read_url(text)?)? {
        HostName::Address(address) => Some(address.to_string()),
        // Browsers accept a `*` in a name; as a pattern it would match more than that name.
        HostName::Name(name) => (!name.contains(['*', '?'])).then_some(name),
    }
}
