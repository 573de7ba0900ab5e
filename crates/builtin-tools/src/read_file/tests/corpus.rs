//! The paths with which other readers were deceived: `tests/data/paths.json`.

use std::{
    fs::{self, File},
    os::unix::net::UnixListener,
    time::{Duration, Instant},
};

use assent_json::shorten;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::Value;

use super::{Disk, read_path};

/// Builds what the list names.
fn fixtures(disk: &Disk) -> UnixListener {
    disk.link("/etc".as_ref(), "root/link_to_etc");
    disk.link("..".as_ref(), "root/link_to_parent");
    disk.link("link_loop".as_ref(), "root/link_loop");
    disk.link("../secret".as_ref(), "root/link_1");
    for number in 2..=40 {
        disk.link(format!("link_{}", number - 1).as_ref(), &format!("root/link_{number}"));
    }
    disk.link("link_40".as_ref(), "root/link_chain_40");
    fs::hard_link(disk.path("root_evil/file"), disk.path("root/hardlink_to_outside")).unwrap();
    let fifo = disk.path("root/fifo_blocks_forever");
    mknodat(CWD, fifo, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    File::create(disk.path("root/sparse_1TiB")).unwrap().set_len(1 << 40).unwrap();
    fs::write(disk.path("root/a.txt"), "inside").unwrap();
    UnixListener::bind(disk.path("root/unix_socket")).unwrap()
}

/// What must come out: the reason, or that it is read.
fn expected(path: &str) -> &'static str {
    let leaves = ["..", "a/../../", "a/./../../", "./a/../../", "a//..//..//"];
    let is_name = ["..\\", "..%", "..;"].iter().any(|name| path.starts_with(name));
    match path {
        "sparse_1TiB" => "read",
        _ if path.contains('\0') || path.len() > 4096 => "invalid_arguments",
        _ if path.starts_with('/') || path.starts_with("link_") => "sandbox_violation",
        "hardlink_to_outside" | "fifo_blocks_forever" | "unix_socket" => "sandbox_violation",
        _ if leaves.iter().any(|start| path.starts_with(start)) && !is_name => "sandbox_violation",
        _ => "not_found",
    }
}

#[test]
fn no_path_of_the_list_leads_outside_or_blocks() {
    let disk = Disk::new();
    let _socket = fixtures(&disk);
    let roots = disk.roots(&["root"]);
    let list: Value = serde_json::from_str(include_str!("../../../tests/data/paths.json")).unwrap();
    let paths: Vec<&str> =
        list["cases"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    assert_eq!(paths.len(), 66);
    for path in paths {
        let started = Instant::now();
        let result = read_path(&roots, path);
        assert!(started.elapsed() < Duration::from_secs(1), "{path:?} took too long");
        let outcome = match &result {
            Ok(result) => {
                assert!(!result.to_string().contains("SECRET"));
                "read"
            }
            Err(reason) => reason,
        };
        assert_eq!(outcome, expected(path), "{}", shorten(path, 60));
    }
}
