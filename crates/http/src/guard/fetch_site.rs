//! `Sec-Fetch-Site`, by which browsers say where a request comes from.

use http::HeaderMap;

use super::Refused;

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A page, which a person may open by its address.
    Page,
    /// Anything that only pages of the service ask for.
    Api,
}

/// Accepts a request that a browser sends for a page of the same origin, or for a person who opens a page. Other clients
/// send no `Sec-Fetch-Site`.
///
/// # Errors
///
/// If a page of another origin sends it.
pub fn check_fetch_site(headers: &HeaderMap, target: Target) -> Result<(), Refused> {
    let is_good = |site: &[u8]| match target {
        Target::Page => site == b"same-origin" || site == b"none",
        Target::Api => site == b"same-origin",
    };
    let mut sites = headers.get_all("sec-fetch-site").iter();
    if sites.all(|site| is_good(site.as_bytes())) { Ok(()) } else { Err(Refused::Forbidden) }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::{super::Refused, Target, check_fetch_site};

    #[test]
    fn a_person_may_open_a_page_and_nothing_else() {
        for (site, page, api) in [
            ("same-origin", true, true),
            ("none", true, false),
            ("same-site", false, false),
            ("cross-site", false, false),
            ("", false, false),
        ] {
            let mut headers = HeaderMap::new();
            headers.append("sec-fetch-site", HeaderValue::from_static("same-origin"));
            headers.append("sec-fetch-site", HeaderValue::from_static(site));
            let expected = |good: bool| if good { Ok(()) } else { Err(Refused::Forbidden) };
            assert_eq!(check_fetch_site(&headers, Target::Page), expected(page), "{site}");
            assert_eq!(check_fetch_site(&headers, Target::Api), expected(api), "{site}");
        }
        assert_eq!(check_fetch_site(&HeaderMap::new(), Target::Api), Ok(()));
    }
}
