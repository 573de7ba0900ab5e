//! Patterns for URLs: scheme, host, port and path.

use url::Url;

use crate::{
    Glob, ProblemKind,
    host::{HostName, HostPattern, read_url},
    truth::{Side, Truth},
};

/// A pattern for URLs.
#[derive(Clone, Debug)]
pub(crate) struct UrlPattern {
    scheme: Glob,
    host: HostPattern,
    port: Port,
    /// `None` matches every path.
    path: Option<Glob>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Port {
    Any,
    /// The default port of the scheme.
    Usual,
    One(u16),
}

impl UrlPattern {
    pub(crate) fn parse(text: &str, side: Side) -> Result<Self, ProblemKind> {
        let fault = || ProblemKind::Url(assent_json::shorten(text, 80));
        let (scheme, rest) = text.split_once("://").ok_or_else(fault)?;
        let (authority, path) = match rest.find('/') {
            Some(at) => (rest.get(..at).unwrap_or_default(), rest.get(at..)),
            None => (rest, None),
        };
        let (host, port) = port_of(authority, side).ok_or_else(fault)?;
        Ok(Self {
            scheme: Glob::parse(&scheme.to_ascii_lowercase())?,
            host: HostPattern::parse(host, side)?,
            port,
            path: path.filter(|path| *path != "/*").map(Glob::parse).transpose()?,
        })
    }

    pub(crate) fn judge(&self, text: &str) -> Truth {
        let Some(url) = read_url(text) else { return Truth::Unknown };
        let Some(host) = HostName::of_url(&url) else { return Truth::Unknown };
        let fits =
            self.scheme.matches(url.scheme()) && self.host.means(&host) && self.port.means(&url);
        match &self.path {
            _ if !fits => Truth::Fails,
            None => Truth::Holds,
            Some(glob) => {
                plain_path(url.path()).map_or(Truth::Unknown, |path| glob.matches(&path).into())
            }
        }
    }
}

impl Port {
    fn means(self, url: &Url) -> bool {
        match self {
            Self::Any => true,
            Self::Usual => url.port().is_none(),
            Self::One(port) => url.port_or_known_default() == Some(port),
        }
    }
}

/// Splits the port off an authority.
fn port_of(authority: &str, side: Side) -> Option<(&str, Port)> {
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => return Some((authority, if side == Side::Permit { Port::Usual } else { Port::Any })),
    };
    if port == "*" { Some((host, Port::Any)) } else { Some((host, Port::One(port.parse().ok()?))) }
}

/// Decodes a path, if every server splits it into the same steps.
fn plain_path(path: &str) -> Option<String> {
    let decoded = percent_decoded(path)?;
    let mut steps = decoded.split('/').skip(1).peekable();
    while let Some(step) = steps.next() {
        let is_last = steps.peek().is_none();
        let name = step.split(';').next().unwrap_or_default();
        if matches!(name, "." | "..") || (step.is_empty() && !is_last) {
            return None;
        }
    }
    Some(decoded)
}

/// Returns `None` if an escape encodes a separator or an escape character.
fn percent_decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let value = hex(rest.next()?)? << 4 | hex(rest.next()?)?;
                let hides = value.is_ascii_control() || matches!(value, b'/' | b'\\' | b'%');
                (!hides).then_some(value)?
            }
            plain => plain,
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
