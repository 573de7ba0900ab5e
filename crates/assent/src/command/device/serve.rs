//! `assent device`: runs the device.

use std::path::{Path, PathBuf};

use assent_console::{Console, ConsoleOptions, StartError};
use assent_device::{Device, DeviceError};
use assent_ids::DeviceId;
use assent_service::{
    Signals, logs,
    settings::{Sources, collect},
};
use serde::Serialize;

use super::settings::{self, Configured, SETTINGS};
use crate::{
    cli::{self, RunDevice},
    exit::Exit,
    service::{does_not_start, wrong_settings},
};

/// What the command runs.
const DEVICE: &str = "device";

pub(super) fn run(arguments: &cli::Device) -> Exit {
    let environment = |name: &str| std::env::var_os(name);
    let file = arguments.run.config.clone();
    let file = file.or_else(|| environment("ASSENT_CONFIG").map(PathBuf::from));
    let flags = flags(&arguments.run, arguments.data.as_deref());
    let sources = Sources { flags, environment: &environment, file };
    let configured = match settings::read(collect(&SETTINGS, &sources), &environment) {
        Ok(configured) => configured,
        Err(problems) => return wrong_settings(&problems),
    };
    let _logs = match logs::start(configured.log, configured.levels.clone()) {
        Ok(logs) => logs,
        Err(error) => return does_not_start(DEVICE, configured.log, &error.to_string()),
    };
    let runtime = match assent_service::runtime() {
        Ok(runtime) => runtime,
        Err(error) => return does_not_start(DEVICE, configured.log, &error.to_string()),
    };
    let exit = runtime.block_on(serve(configured));
    // Tasks that were dropped would cancel calls that are open. They go on at the next start, as after a crash.
    std::mem::forget(runtime);
    exit
}

fn flags(run: &RunDevice, data: Option<&Path>) -> Vec<(&'static str, Vec<String>)> {
    let one = |value: &Option<String>| value.iter().cloned().collect();
    let yes = |flag: bool| flag.then(|| "true".to_owned()).into_iter().collect();
    vec![
        ("relay", one(&run.relay)),
        ("listen", one(&run.listen)),
        ("data", data.map(|data| data.display().to_string()).into_iter().collect()),
        ("headless", yes(run.headless)),
        ("unattended", yes(run.unattended)),
        ("lang", one(&run.lang)),
        ("key_store", one(&run.key_store)),
        ("prompt_timeout", one(&run.prompt_timeout)),
        ("medium_timeout", one(&run.medium_timeout)),
        ("silence", one(&run.silence)),
        ("silence_max", one(&run.silence_max)),
        ("max_call_age", one(&run.max_call_age)),
        ("log", one(&run.log)),
        ("log_level", one(&run.log_level)),
    ]
}

/// The fields that the ready line of a device adds.
#[derive(Serialize)]
struct Ready<'r> {
    /// Opens the console in a browser, once.
    console: Option<String>,
    control_socket: &'r Path,
    device_id: Option<DeviceId>,
    account: Option<String>,
    version: &'static str,
    pid: u32,
    data: &'r Path,
}

/// Why a device does not start.
#[derive(Debug, thiserror::Error)]
enum NotStarted {
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Console(#[from] StartError),
}

async fn serve(configured: Configured) -> Exit {
    let log = configured.log;
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(error) => return does_not_start(DEVICE, log, &error.to_string()),
    };
    let data = configured.device.data.clone();
    let control_socket = data.join("control.sock");
    let (device, console) = match start(configured, &control_socket).await {
        Ok(started) => started,
        Err(error) => return does_not_start(DEVICE, log, &error.to_string()),
    };
    if let Err(error) = announce(&device, &console, &data, &control_socket).await {
        // The parent process may have closed standard output.
        tracing::warn!(%error, "the ready line could not be written");
    }
    let signal = signals.next().await;
    tracing::info!(signal, "the device stops; a second signal ends it at once");
    tokio::select! {
        () = console.stop() => {}
        signal = signals.next() => tracing::warn!(signal, "the device ends without waiting"),
    }
    // For the same reason the device is not dropped.
    std::mem::forget(device);
    Exit::AsAsked
}

async fn start(configured: Configured, socket: &Path) -> Result<(Device, Console), NotStarted> {
    let device = Device::open(configured.device).await?;
    let options =
        ConsoleOptions { listen: configured.listen, control_socket: Some(socket.to_owned()) };
    let console = Console::start(device.clone(), options).await?;
    Ok((device, console))
}

async fn announce(
    device: &Device,
    console: &Console,
    data: &Path,
    control_socket: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let account = device.account().await?;
    let url = match console.url() {
        Some(url) => url.to_owned(),
        None => format!("unix:{}", control_socket.display()),
    };
    let ready = Ready {
        console: console.new_link(),
        control_socket,
        device_id: account.as_ref().and_then(|account| account.device_id),
        account: account.map(|account| account.email),
        version: env!("CARGO_PKG_VERSION"),
        pid: std::process::id(),
        data,
    };
    assent_service::announce("device", &url, &ready)?;
    Ok(())
}
