//! The time and the memory that something takes.

use std::{fs, path::PathBuf, process::Command};

/// A comparison may take a second where it is optimized. Tests are built with less optimization, and share their cores
/// with others.
pub(crate) const MAX_SECONDS: f64 = if cfg!(debug_assertions) { 6.0 } else { 1.0 };

/// The memory that a comparison may take.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// The variable that names the directory with the files to compare.
const INPUT: &str = "ASSENT_TEST_INPUT";

const FILES: [&str; 2] = ["old.json", "new.json"];

const MARK: &str = "measured ";

/// What a comparison cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    pub(crate) bytes: u64,
}

/// Measures `work` on this thread. The memory is what the whole process takes in addition.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (memory, time) = (status("VmRSS:"), processor_time());
    let result = work();
    let seconds = processor_time() - time;
    (result, Cost { seconds, bytes: status("VmHWM:").saturating_sub(memory) })
}

fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// The seconds that this thread has run.
fn processor_time() -> f64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds: u32 = 1_000_000_000;
    statistics.split(' ').next().unwrap().parse::<f64>().unwrap() / f64::from(nanoseconds)
}

/// The files that [`in_a_process`] wrote.
pub(crate) fn input() -> [Vec<u8>; 2] {
    let directory = PathBuf::from(std::env::var_os(INPUT).unwrap());
    FILES.map(|file| fs::read(directory.join(file)).unwrap())
}

/// Prints a cost and a result for [`in_a_process`].
pub(crate) fn report(cost: Cost, result: &str) {
    println!("\n{MARK}{} {} {result}", cost.seconds, cost.bytes);
}

/// Runs an ignored test of this binary in a process of its own, and reads what it reports. The
/// process does nothing else, so neither the memory of the generators nor what they freed counts.
pub(crate) fn in_a_process(test: &str, name: &str, input: [String; 2]) -> (Cost, String) {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "cost-{}-{}",
        std::process::id(),
        name.replace([' ', ','], "-")
    ));
    fs::create_dir_all(&directory).unwrap();
    for (file, text) in FILES.iter().zip(input) {
        fs::write(directory.join(file), text).unwrap();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", test])
        .env(INPUT, &directory)
        .output()
        .unwrap();
    fs::remove_dir_all(&directory).unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {}\n{text}\n{errors}", output.status);
    let line = text.lines().find_map(|line| line.strip_prefix(MARK)).unwrap();
    let mut words = line.splitn(3, ' ');
    let [seconds, bytes, result] = [(); 3].map(|()| words.next().unwrap());
    (Cost { seconds: seconds.parse().unwrap(), bytes: bytes.parse().unwrap() }, result.to_owned())
}
