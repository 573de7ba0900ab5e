//! Origins: scheme, host and port.

use std::{collections::BTreeSet, fmt, net::IpAddr, str::FromStr};

use assent_json::{shorten, visible};
use http::Uri;
use url::{Host, Url};

/// The longest part of a setting that an error repeats, in characters.
const MAX_SHOWN: usize = 60;

/// A normalized origin: scheme, host and port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    encrypted: bool,
    host: Host<String>,
    port: u16,
}

/// Why a text is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an origin; write scheme, host and port only, such as `http://127.0.0.1:8080`"
)]
pub struct OriginError(String);

impl Origin {
    /// Returns the origin of a URL; `None` if its scheme is not `http` or `https`.
    pub(crate) fn of_url(url: &Url) -> Option<Self> {
        let encrypted = is_encrypted(url.scheme())?;
        Some(Self { encrypted, host: url.host()?.to_owned(), port: url.port_or_known_default()? })
    }

    /// Returns the origin of a URI. The host is normalized like that of a URL.
    pub(crate) fn of_uri(uri: &Uri) -> Option<Self> {
        let encrypted = is_encrypted(uri.scheme_str()?)?;
        let host = Host::parse(uri.host()?).ok()?;
        Some(Self { encrypted, host, port: uri.port_u16().unwrap_or(default_port(encrypted)) })
    }

    /// Returns `true` if the connection is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.encrypted
    }

    /// The host: a name or an address.
    #[must_use]
    pub fn host(&self) -> &Host<String> {
        &self.host
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns `true` if the host is this machine: a loopback address, or `localhost` and names below it.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match &self.host {
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.to_canonical().is_loopback(),
            Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        }
    }

    /// The host, if it is an address.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        match &self.host {
            Host::Ipv4(address) => Some((*address).into()),
            Host::Ipv6(address) => Some((*address).into()),
            Host::Domain(_) => None,
        }
    }
}

fn is_encrypted(scheme: &str) -> Option<bool> {
    match scheme {
        "https" => Some(true),
        "http" => Some(false),
        _ => None,
    }
}

fn default_port(encrypted: bool) -> u16 {
    if encrypted { 443 } else { 80 }
}

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || OriginError(visible(&shorten(text, MAX_SHOWN)));
        let url = Url::parse(text).map_err(|_| refuse())?;
        let origin = Self::of_url(&url).ok_or_else(refuse)?;
        // A path would suggest that the exception is narrower than it is.
        let written = text.strip_suffix('/').unwrap_or(text);
        let is_bare = written.bytes().filter(|&byte| byte == b'/').count() == 2
            && !written.contains(['@', '?', '#', '\\'])
            && written.contains("://");
        if is_bare && origin.port != 0 { Ok(origin) } else { Err(refuse()) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.encrypted { "https" } else { "http" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

/// Exact origins that are exempt from the rules for untrusted addresses. For development.
///
/// ```
/// use assent_outbound::Origins;
///
/// let allowed: Origins = "http://127.0.0.1:8080, http://[::1]:8080".parse()?;
/// assert_eq!(allowed.to_string(), "http://127.0.0.1:8080, http://[::1]:8080");
/// assert!("http://127.0.0.1:8080/hooks".parse::<Origins>().is_err());
/// # Ok::<(), assent_outbound::OriginError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(BTreeSet<Origin>);

impl Origins {
    /// Returns `true` if there are no origins.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if the list contains the origin.
    #[must_use]
    pub fn contains(&self, origin: &Origin) -> bool {
        self.0.contains(origin)
    }
}

impl FromIterator<Origin> for Origins {
    fn from_iter<I: IntoIterator<Item = Origin>>(origins: I) -> Self {
        Self(origins.into_iter().collect())
    }
}

/// Parses a list that is separated by commas or white space.
impl FromStr for Origins {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(|c: char| c == ',' || c.is_whitespace());
        parts.filter(|part| !part.is_empty()).map(str::parse).collect()
    }
}

impl fmt::Display for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, origin) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{origin}")?;
        }
        Ok(())
    }
}
