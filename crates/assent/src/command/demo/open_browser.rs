//! Opens a page in the browser of the person.

use std::process::{Command, Stdio};

/// Opens a page, if this machine has a screen and a browser. Nothing depends on it: the link is printed as well.
pub(super) fn open_browser(link: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let has_screen = cfg!(target_os = "macos")
        || std::env::var_os("DISPLAY").is_some()
        || std::env::var_os("WAYLAND_DISPLAY").is_some();
    if !has_screen {
        return;
    }
    let mut command = Command::new(program);
    command.arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        tracing::debug!(%error, "the browser cannot be opened");
    }
}
