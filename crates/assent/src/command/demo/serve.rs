//! `assent demo` with the pages of a console.

use std::{
    io::{self, IsTerminal as _},
    path::Path,
};

use assent_console::{Console, ConsoleOptions};
use assent_device::{Language, Timings};
use assent_ids::AgentId;
use assent_service::Signals;
use serde::Serialize;
use tokio::sync::mpsc;

use super::{
    helper::Helper,
    open_browser::open_browser,
    scene::{Scene, SceneError, SceneOptions},
    texts::texts,
};
use crate::{
    cli,
    exit::Exit,
    output::{self, QUIET, STRONG},
};

/// The fields that the ready line of the demo adds.
#[derive(Serialize)]
struct Ready<'r> {
    relay: &'r str,
    /// Opens the console in a browser, once.
    console: &'r str,
    agent_id: Option<AgentId>,
    agent_link: Option<String>,
    data: Option<&'r Path>,
    /// What to do next.
    next: &'static str,
}

/// Serves the pages until a signal ends the demo.
pub(super) async fn run(arguments: &cli::Demo, directory: &Path) -> Result<Exit, SceneError> {
    let mut signals = Signals::listen()?;
    let lang = arguments.lang.as_deref().map(|lang| match lang {
        "zh" => Language::Zh,
        _ => Language::En,
    });
    let with_agent = !arguments.no_agent;
    let options = SceneOptions { timings: Timings::default(), lang, with_agent };
    let scene = Scene::set_up(directory, options).await?;
    let control_socket = Some(directory.join("device").join("control.sock"));
    let options = ConsoleOptions { listen: Some(arguments.listen), control_socket };
    let console = Console::start(scene.device.clone(), options).await?;
    let first_page = scene.agent_id().map_or_else(String::new, |id| format!("add?agent={id}"));
    let link = link(&console, &first_page)?;
    announce(&scene, &console, &link, arguments.data.as_deref()).await?;
    if !arguments.no_browser {
        open_browser(&link);
    }
    let helper = scene.agent.clone().map(|agent| {
        let texts = texts(lang.unwrap_or_else(language_of_environment));
        tokio::spawn(Helper::new(agent, texts, scene.page.url()).run())
    });
    let mut lines = lines();
    loop {
        tokio::select! {
            _ = signals.next() => break,
            Some(()) = lines.recv() => tell(&self::link(&console, "")?),
        }
    }
    if let Some(helper) = helper {
        helper.abort();
    }
    console.stop().await;
    scene.end().await;
    Ok(Exit::AsAsked)
}

/// A link that opens a page of the console, once.
fn link(console: &Console, page: &str) -> Result<String, SceneError> {
    let link = console.new_link().ok_or("the demo has no console")?;
    Ok(link.replacen("/#", &format!("/{page}#"), 1))
}

async fn announce(
    scene: &Scene,
    console: &Console,
    link: &str,
    data: Option<&Path>,
) -> Result<(), SceneError> {
    let agent_link = match &scene.agent {
        Some(agent) => Some(agent.link().await?.to_string()),
        None => None,
    };
    let ready = Ready {
        relay: &scene.relay_url,
        console: link,
        agent_id: scene.agent_id(),
        agent_link,
        data,
        next: "open `console` in a browser; press Enter for a new link, Ctrl-C to end",
    };
    assent_service::announce("demo", console.url().unwrap_or_default(), &ready)?;
    tell(link);
    Ok(())
}

/// Tells a person at a terminal what to open.
fn tell(link: &str) {
    if !io::stderr().is_terminal() {
        return;
    }
    output::complain(Exit::AsAsked, |out| {
        writeln!(out, "\nOpen {STRONG}{link}{STRONG:#}")?;
        writeln!(out, "{QUIET}Enter prints a new link, Ctrl-C ends the demo.{QUIET:#}")
    });
}

/// Receives whenever the person presses Enter. The thread ends with the process.
fn lines() -> mpsc::Receiver<()> {
    let (sender, receiver) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in io::stdin().lines() {
            if line.is_err() || sender.blocking_send(()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The language of the person's environment, for texts that no page chooses.
fn language_of_environment() -> Language {
    let lang = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|lang| !lang.is_empty()));
    if lang.is_some_and(|lang| lang.starts_with("zh")) { Language::Zh } else { Language::En }
}
