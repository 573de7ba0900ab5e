//! The default data directory of the platform.

use std::{ffi::OsString, path::PathBuf};

/// The directory of the service `kind` of the user with this environment; `None` if that does not tell.
#[must_use]
pub fn data_directory(
    kind: &str,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    let absolute =
        |name: &str| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        absolute("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        absolute("HOME")?.join("Library/Application Support")
    } else {
        // A relative path is invalid by the convention, and is ignored.
        absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?
    };
    Some(base.join("assent").join(kind))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::PathBuf;

    use super::data_directory;

    fn with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        data_directory("relay", &|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).into())
        })
    }

    #[test]
    fn the_convention_of_the_platform_is_kept() {
        let home = ("HOME", "/home/ada");
        assert_eq!(with(&[home]), Some("/home/ada/.local/share/assent/relay".into()));
        assert_eq!(with(&[home, ("XDG_DATA_HOME", "/data")]), Some("/data/assent/relay".into()));
        let relative = with(&[home, ("XDG_DATA_HOME", "data")]);
        assert_eq!(relative, Some("/home/ada/.local/share/assent/relay".into()));
        assert_eq!(with(&[]), None);
    }
}
