//! `fetch_url`: fetches from public hosts.

use std::sync::Arc;

use assent_json::{Json, visible};
use assent_outbound::{
    CallError, Client, ClientError, ClientOptions, Limits, Origins, Reach, Request, Resolve,
    Response, Roots, SystemResolver, Target as Address, TargetError,
};
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::{Body, Call, Execution, Executor, Failure, Output, Refusal};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use crate::{
    BuiltinTool, Target, TargetKind,
    arguments::{self, failure, invalid, outside},
    content::{Content, Encoding, MAX_READ},
};

/// The longest body of a request, in bytes.
const MAX_BODY: usize = 64 * 1024;

/// The most redirects that are followed.
const MAX_REDIRECTS: usize = 5;

/// The most bytes of headers in a result.
const MAX_HEADERS: usize = 8 * 1024;

/// The settings of the tool.
#[derive(Clone)]
pub struct FetchOptions {
    /// Exact origins that need neither `https` nor a public address. For development.
    pub allow_origins: Origins,
    /// The certificate authorities that are trusted.
    pub roots: Roots,
    /// The resolver of names.
    pub resolver: Arc<dyn Resolve>,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            allow_origins: Origins::default(),
            roots: Roots::System,
            resolver: Arc::new(SystemResolver::default()),
        }
    }
}

/// The tool `fetch_url`.
///
/// It sends no cookies, uses no proxy and decompresses nothing. Every address that a name leads to is checked
/// for every connection, also after a redirect.
pub struct FetchUrl {
    client: Client,
    allow_origins: Origins,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum FetchMethod {
    #[default]
    Get,
    Post,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Headers {
    accept: Option<String>,
    accept_language: Option<String>,
    content_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: String,
    #[serde(default)]
    method: FetchMethod,
    #[serde(default)]
    headers: Headers,
    body: Option<String>,
}

impl FetchUrl {
    /// Creates the tool.
    ///
    /// # Errors
    /// If there are no certificate authorities, or one cannot be used.
    pub fn new(options: FetchOptions) -> Result<Self, ClientError> {
        let FetchOptions { allow_origins, roots, resolver } = options;
        let strangers = ClientOptions::for_strangers(allow_origins.clone());
        // The runtime limits the time of a call.
        let limits = Limits { call: None, body: MAX_READ, ..Limits::default() };
        let client = Client::new(ClientOptions { roots, limits, resolver, ..strangers })?;
        Ok(Self { client, allow_origins })
    }

    fn request(&self, input: &Json) -> Result<Request, Refusal> {
        let arguments: Arguments = arguments::read(input)?;
        let target = self.address(&arguments.url)?;
        let method = match arguments.method {
            FetchMethod::Get if arguments.body.is_some() => {
                return Err(invalid("`body` is only for the method `POST`"));
            }
            FetchMethod::Get => Method::GET,
            FetchMethod::Post => Method::POST,
        };
        let body = arguments.body.unwrap_or_default();
        if body.len() > MAX_BODY {
            return Err(invalid(format!("`body` is longer than {MAX_BODY} bytes")));
        }
        Ok(Request { method, target, headers: headers(&arguments.headers)?, body: body.into() })
    }

    fn address(&self, url: &str) -> Result<Address, Refusal> {
        // A fragment is for the reader of a page and is never sent.
        let url = url.split_once('#').map_or(url, |(url, _)| url);
        Address::parse(url, &Reach::Public(self.allow_origins.clone())).map_err(|error| {
            let message = format!("`url` is refused: {error}");
            match error {
                TargetError::NotEncrypted
                | TargetError::Port(_)
                | TargetError::PrivateName(_)
                | TargetError::NotPublic(_) => outside(message),
                _ => invalid(message),
            }
        })
    }

    async fn fetch(&self, input: &Json) -> Result<Json, Failure> {
        let mut request = self.request(input).map_err(failure)?;
        for _ in 0..=MAX_REDIRECTS {
            let url = request.target.as_str().to_owned();
            let response = self.client.send(request.clone()).await;
            let response = response.map_err(|error| explained(&error))?;
            let location = location(&request.method, &response).map(ToOwned::to_owned);
            let Some(location) = location else { return result(&url, &response) };
            request.target = self.redirected(&request.target, &location).map_err(failure)?;
        }
        Err(failed(format!("the host redirected more than {MAX_REDIRECTS} times")))
    }

    /// Where a redirect leads. It must not give up encryption, and only an origin that was allowed for
    /// development may lead to another one.
    fn redirected(&self, from: &Address, location: &str) -> Result<Address, Refusal> {
        let joined = Url::parse(from.as_str()).and_then(|from| from.join(location));
        let joined =
            joined.map_err(|_| outside("the host redirected to something that is no URL"))?;
        let to = self.address(joined.as_str()).map_err(|refusal| {
            outside(format!("the host redirected to another address: {}", refusal.message))
        })?;
        if from.origin().is_encrypted() && !to.origin().is_encrypted() {
            return Err(outside("the host redirected to an address without encryption"));
        }
        if self.allow_origins.contains(to.origin()) && !self.allow_origins.contains(from.origin()) {
            return Err(outside("the host redirected to an origin for development"));
        }
        Ok(to)
    }
}

impl Executor for FetchUrl {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async {
            let result = self.fetch(&call.input).await?;
            Ok(Output { body: Body::Structured(result), ..Output::default() })
        })
    }

    fn environment(&self, input: &Json) -> Option<Json> {
        let request = self.request(input).ok()?;
        Json::from_value(&json!({"origin": request.target.origin().to_string()})).ok()
    }

    fn preflight(&self, input: &Json) -> Result<(), Refusal> {
        self.request(input).map(drop)
    }
}

impl BuiltinTool for FetchUrl {
    /// The URL, with the host in ASCII.
    fn target(&self, input: &Json) -> Option<Target> {
        let request = self.request(input).ok()?;
        Some(Target { kind: TargetKind::Url, text: visible(request.target.as_str()) })
    }

    /// The method and the origin.
    fn place(&self, input: &Json) -> Option<String> {
        let request = self.request(input).ok()?;
        Some(format!("{} {}", request.method, request.target.origin()))
    }
}

/// The headers of a request.
fn headers(given: &Headers) -> Result<HeaderMap, Refusal> {
    let mut headers = HeaderMap::new();
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static("assent"));
    for (name, value) in [
        (header::ACCEPT, &given.accept),
        (header::ACCEPT_LANGUAGE, &given.accept_language),
        (header::CONTENT_TYPE, &given.content_type),
    ] {
        if let Some(value) = value {
            headers.insert(&name, header_value(&name, value)?);
        }
    }
    Ok(headers)
}

fn header_value(name: &HeaderName, value: &str) -> Result<HeaderValue, Refusal> {
    let value = HeaderValue::from_str(value).ok().filter(|value| value.to_str().is_ok());
    value.ok_or_else(|| invalid(format!("the header `{name}` must be visible ASCII")))
}

/// Where an answer redirects to. A request that could have effects is not repeated elsewhere.
fn location<'r>(method: &Method, response: &'r Response) -> Option<&'r str> {
    let redirects = matches!(response.status.as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = response.headers.get(header::LOCATION)?;
    (redirects && *method == Method::GET).then(|| location.to_str().ok())?
}

fn result(url: &str, response: &Response) -> Result<Json, Failure> {
    let is_cut = matches!(response.body, assent_outbound::Body::Cut(_));
    let content = Content::write(response.body.bytes(), Encoding::Utf8, is_cut);
    Json::from_value(&json!({
        "status_code": response.status.as_u16(),
        "headers": shown_headers(&response.headers),
        "body": content.text,
        "body_encoding": content.encoding,
        "url": url,
        "truncated": content.truncated,
    }))
    .map_err(|_| failed("the answer cannot be written as JSON"))
}

/// The headers of an answer, without cookies. Values of one name are joined; headers beyond the limit are left
/// out.
fn shown_headers(headers: &HeaderMap) -> Map<String, Value> {
    let (mut shown, mut length) = (Map::new(), 0);
    for name in headers.keys().filter(|name| **name != header::SET_COOKIE) {
        let values = headers.get_all(name).into_iter();
        let values: Vec<_> =
            values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect();
        let value = visible(&values.join(", "));
        length += name.as_str().len() + value.len();
        if length > MAX_HEADERS {
            break;
        }
        shown.insert(name.as_str().to_owned(), Value::String(value));
    }
    shown
}

fn explained(error: &CallError) -> Failure {
    let class = match error {
        CallError::Refused(_) | CallError::NotPublic => ErrorClass::SandboxViolation,
        CallError::ConnectTimeout(_) | CallError::Timeout(_) => ErrorClass::Timeout,
        _ => ErrorClass::ExecutionFailed,
    };
    Failure::new(class, format!("the URL cannot be fetched: {error}"))
}

fn failed(message: impl Into<String>) -> Failure {
    Failure::new(ErrorClass::ExecutionFailed, message)
}

#[cfg(test)]
mod tests;
