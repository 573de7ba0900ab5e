//! The pages: files that are part of the binary. They hold no data.

use axum::{
    Router,
    body::Body,
    extract::Path,
    response::{IntoResponse as _, Response},
    routing::get,
};
use http::{HeaderValue, StatusCode, header::CONTENT_TYPE};

/// Every file below `pages`, by its path there.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The addresses of pages. All have the same document; its script shows the page of the address.
const PAGES: [&str; 15] = [
    "/",
    "/signin",
    "/add",
    "/prompts/{id}",
    "/reviews/{id}",
    "/agents",
    "/agents/{id}",
    "/activity",
    "/activity/{id}",
    "/conversations",
    "/conversations/{id}",
    "/devices",
    "/keys/{id}",
    "/audit",
    "/settings",
];

const DOCUMENT: &str = "html/index.html";

/// The routes of the pages and of their files.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let assets = Router::new().route("/assets/{*path}", get(asset));
    PAGES.iter().fold(assets, |router, page| router.route(page, get(document)))
}

async fn document() -> Response {
    file(DOCUMENT)
}

async fn asset(Path(path): Path<String>) -> Response {
    file(&path)
}

fn file(path: &str) -> Response {
    let found = FILES.binary_search_by_key(&path, |(name, _)| *name);
    let Some((name, bytes)) = found.ok().and_then(|index| FILES.get(index)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut response = Response::new(Body::from(*bytes));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    response
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENT, FILES, media_type};

    #[test]
    fn every_file_has_a_media_type_and_the_document_is_one_of_them() {
        for (name, bytes) in FILES {
            assert_ne!(media_type(name), "application/octet-stream", "{name}");
            assert!(!bytes.is_empty(), "{name}");
        }
        assert!(FILES.iter().any(|(name, _)| *name == DOCUMENT));
        assert!(FILES.is_sorted());
    }
}
