//! References to secrets. A configuration never contains the secrets themselves.

use std::{fmt, fs::File, io::Read, path::PathBuf};

use zeroize::Zeroizing;

/// The longest secret.
const MAX_BYTES: u64 = 64 * 1024;

/// A reference to a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretRef {
    /// An environment variable of this process.
    Env(String),
    /// A file. Line breaks at its end are ignored.
    File(PathBuf),
}

/// Why a secret is not available.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretError {
    #[error("the environment variable `{0}` that it needs is not set, or is not text; set it")]
    Env(String),
    #[error("the file `{path}` that it needs cannot be read: {reason}")]
    File { path: String, reason: String },
}

/// A secret value. `Debug` does not show it.
#[derive(Clone)]
pub(crate) struct Secret(Zeroizing<String>);

impl Secret {
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl SecretRef {
    /// Reads the secret, so that a replaced secret is used from the next moment on.
    pub(crate) async fn fetch(&self) -> Result<Secret, SecretError> {
        match self {
            Self::Env(name) => std::env::var(name)
                .map(|value| Secret(Zeroizing::new(value)))
                .map_err(|_| SecretError::Env(name.clone())),
            Self::File(path) => {
                let failed =
                    |reason: String| SecretError::File { path: path.display().to_string(), reason };
                let path = path.clone();
                let read = tokio::task::spawn_blocking(move || read(&path)).await;
                let text = read.map_err(|_| failed("reading it was given up".to_owned()))?;
                text.map(Secret).map_err(failed)
            }
        }
    }
}

fn read(path: &std::path::Path) -> Result<Zeroizing<String>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    // Reading a pipe or a device could block forever.
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut text = Zeroizing::new(String::new());
    let bytes = file.take(MAX_BYTES + 1).read_to_string(&mut text);
    if bytes.map_err(|error| error.to_string())? as u64 > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    let end = text.trim_end_matches(['\r', '\n']).len();
    text.truncate(end);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, SecretRef};

    async fn fetch(text: &[u8]) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, text).unwrap();
        let fetched = SecretRef::File(path).fetch().await;
        fetched.map(|secret| secret.expose().to_owned()).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_file_is_read_without_the_line_break_that_editors_add() {
        assert_eq!(fetch(b"planted\r\n").await.unwrap(), "planted");
        assert_eq!(fetch(b" planted ").await.unwrap(), " planted ");
        let longest = usize::try_from(MAX_BYTES).unwrap();
        assert_eq!(fetch(&vec![b'a'; longest]).await.unwrap().len(), longest);
    }

    #[tokio::test]
    async fn what_cannot_be_a_secret_is_refused_without_showing_it() {
        let too_long = usize::try_from(MAX_BYTES).unwrap() + 1;
        for text in [vec![b'a'; too_long], b"planted\xff".to_vec()] {
            let error = fetch(&text).await.unwrap_err();
            assert!(error.contains("cannot be read") && !error.contains("planted"), "{error}");
        }
        let folder = tempfile::tempdir().unwrap();
        let error = SecretRef::File(folder.path().into()).fetch().await.unwrap_err();
        assert!(error.to_string().ends_with("it is not a regular file"), "{error}");
        let error = SecretRef::Env("ASSENT_NOT_SET".to_owned()).fetch().await.unwrap_err();
        assert!(error.to_string().contains("`ASSENT_NOT_SET`"));
    }

    #[tokio::test]
    async fn a_debug_print_does_not_show_the_value() {
        let secret = SecretRef::Env("PATH".to_owned()).fetch().await.unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
