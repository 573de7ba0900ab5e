//! The formats that documents are written in.

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YAML 1.2 with its core schema; one document, no tags, no directives, no merge keys.
    Yaml,
    /// JSON, as strictly as [`assent_json::read`] reads it.
    Json,
    /// TOML 1.1. Dates and times must be written in quotes.
    Toml,
}

impl Format {
    /// Guesses the format of a file from the extension of its name. Without a known extension, a text
    /// that begins with a brace is JSON and any other is YAML.
    #[must_use]
    pub fn of(name: &str, text: &[u8]) -> Self {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.as_deref() {
            Some("json") => Self::Json,
            Some("yaml" | "yml") => Self::Yaml,
            Some("toml") => Self::Toml,
            _ if text.trim_ascii_start().starts_with(b"{") => Self::Json,
            _ => Self::Yaml,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn the_extension_decides_and_otherwise_the_first_character() {
        for (name, text, expected) in [
            ("a.json", "a: 1", Format::Json),
            ("a.YAML", "{}", Format::Yaml),
            ("a.b.yml", "{}", Format::Yaml),
            ("a.toml", "{}", Format::Toml),
            ("-", "\n {}", Format::Json),
            ("a.txt", "# {}", Format::Yaml),
            ("", "", Format::Yaml),
        ] {
            assert_eq!(Format::of(name, text.as_bytes()), expected, "{name} {text}");
        }
    }
}
