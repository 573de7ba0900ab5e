//! Results and refusals, one by one.

use std::fs;

use assent_runtime::Executor;
use serde_json::{Value, json};

use super::{Disk, call, input, read_path};
use crate::{BuiltinTool, ReadFile, RootError, Roots, Target, TargetKind};

fn content(text: &str, encoding: &str, size: u64, truncated: bool) -> Result<Value, String> {
    Ok(json!({"content": text, "encoding": encoding, "size": size, "truncated": truncated}))
}

#[test]
fn files_are_read_whole_or_in_parts_in_the_encoding_that_was_asked_for() {
    let disk = Disk::new();
    let roots = disk.roots(&["root"]);
    fs::write(disk.path("root/bytes"), b"\xff\xfe").unwrap();
    fs::write(disk.path("root/accents"), "aé").unwrap();
    fs::write(disk.path("root/empty"), "").unwrap();
    for (arguments, expected) in [
        (json!({"path": "notes.md"}), content("inside", "utf-8", 6, false)),
        (json!({"path": disk.text("root/notes.md")}), content("inside", "utf-8", 6, false)),
        (json!({"path": "./a/..//notes.md"}), content("inside", "utf-8", 6, false)),
        (json!({"path": "notes.md", "encoding": "utf-8"}), content("inside", "utf-8", 6, false)),
        (
            json!({"path": "notes.md", "encoding": "base64"}),
            content("aW5zaWRl", "base64", 6, false),
        ),
        (json!({"path": "notes.md", "offset": 2}), content("side", "utf-8", 6, false)),
        (json!({"path": "notes.md", "offset": 2, "length": 3}), content("sid", "utf-8", 6, true)),
        (
            json!({"path": "notes.md", "offset": 2.0, "length": 4}),
            content("side", "utf-8", 6, false),
        ),
        (json!({"path": "notes.md", "length": 0}), content("", "utf-8", 6, true)),
        (json!({"path": "notes.md", "offset": 6}), content("", "utf-8", 6, false)),
        (json!({"path": "notes.md", "offset": 1e15}), content("", "utf-8", 6, false)),
        (json!({"path": "bytes"}), content("//4=", "base64", 2, false)),
        (json!({"path": "bytes", "encoding": "latin-1"}), content("ÿþ", "latin-1", 2, false)),
        (json!({"path": "accents", "length": 2}), content("a", "utf-8", 3, true)),
        (json!({"path": "accents", "offset": 2}), content("qQ==", "base64", 3, false)),
        (json!({"path": "empty"}), content("", "utf-8", 0, false)),
    ] {
        assert_eq!(call(&roots, &arguments), expected, "{arguments}");
    }
}

#[test]
fn at_most_512_kib_are_read() {
    let disk = Disk::new();
    let roots = disk.roots(&["root"]);
    for (size, truncated) in [(524_288_u64, false), (524_289, true)] {
        fs::write(disk.path("root/large"), vec![b'x'; usize::try_from(size).unwrap()]).unwrap();
        let result = read_path(&roots, "large").unwrap();
        assert_eq!(result["content"].as_str().unwrap().len(), 524_288);
        assert_eq!((&result["size"], &result["truncated"]), (&json!(size), &json!(truncated)));
    }
    assert!(call(&roots, &json!({"path": "large", "length": 524_288})).is_ok());
    let more = json!({"path": "large", "length": 524_289});
    assert_eq!(call(&roots, &more), Err("invalid_arguments".to_owned()));
}

#[test]
fn every_refusal_has_its_class() {
    let disk = Disk::new();
    let (one, two, none) =
        (disk.roots(&["root"]), disk.roots(&["root", "root/a"]), disk.roots(&[]));
    disk.link(&disk.path("secret"), "root/link");
    disk.link("../secret".as_ref(), "root/relative_link");
    disk.link("notes.md".as_ref(), "root/link_inside");
    disk.link("..".as_ref(), "root/up");
    fs::hard_link(disk.path("root_evil/file"), disk.path("root/second_name")).unwrap();
    let long = "x".repeat(4096);
    for (roots, arguments, expected) in [
        (&none, json!({"path": "notes.md"}), "setup_required"),
        (&none, json!({"path": disk.text("secret")}), "setup_required"),
        (&one, json!({"path": disk.text("secret")}), "sandbox_violation"),
        (&one, json!({"path": disk.text("missing")}), "sandbox_violation"),
        (&one, json!({"path": disk.text("root_evil/file")}), "sandbox_violation"),
        (&one, json!({"path": disk.text("root/../secret")}), "sandbox_violation"),
        (&one, json!({"path": "../secret"}), "sandbox_violation"),
        (&one, json!({"path": "a/../../root/notes.md"}), "sandbox_violation"),
        (&one, json!({"path": "link"}), "sandbox_violation"),
        (&one, json!({"path": "relative_link"}), "sandbox_violation"),
        (&one, json!({"path": "link_inside"}), "sandbox_violation"),
        (&one, json!({"path": "up/secret"}), "sandbox_violation"),
        (&one, json!({"path": "up/missing"}), "sandbox_violation"),
        (&one, json!({"path": "second_name"}), "sandbox_violation"),
        (&one, json!({"path": "a"}), "sandbox_violation"),
        (&one, json!({"path": "."}), "sandbox_violation"),
        (&one, json!({"path": "data/device.db"}), "sandbox_violation"),
        (&one, json!({"path": "data/missing"}), "sandbox_violation"),
        (&one, json!({"path": "data"}), "sandbox_violation"),
        (&one, json!({"path": "missing"}), "not_found"),
        (&one, json!({"path": "missing/file"}), "not_found"),
        (&one, json!({"path": "notes.md/file"}), "not_found"),
        (&one, json!({"path": long}), "not_found"),
        (&one, json!({"path": format!("{long}x")}), "invalid_arguments"),
        (&one, json!({"path": ""}), "invalid_arguments"),
        (&one, json!({"path": "a\0b"}), "invalid_arguments"),
        (&one, json!({"path": 1}), "invalid_arguments"),
        (&one, json!({"path": "notes.md", "mode": "r"}), "invalid_arguments"),
        (&one, json!({"path": "notes.md", "offset": -1}), "invalid_arguments"),
        (&one, json!({"path": "notes.md", "offset": 0.5}), "invalid_arguments"),
        (&one, json!({"path": "notes.md", "encoding": "utf-16"}), "invalid_arguments"),
        (&one, json!([]), "invalid_arguments"),
        (&one, json!(null), "invalid_arguments"),
        (&two, json!({"path": "notes.md"}), "invalid_arguments"),
    ] {
        assert_eq!(call(roots, &arguments), Err(expected.to_owned()), "{arguments}");
    }
}

#[test]
fn whether_a_file_exists_is_not_said_before_a_person_was_asked() {
    let disk = Disk::new();
    let tool = ReadFile::new(disk.roots(&["root"]));
    for path in ["notes.md", "missing", "a", "a/missing"] {
        assert_eq!(tool.preflight(&input(&json!({"path": path}))), Ok(()));
    }
}

#[test]
fn nothing_is_read_behind_a_mount_point() {
    let disk = Disk::new();
    let roots = Roots::new(&["/".into()], &disk.path("root/data")).unwrap();
    for path in ["/proc/self/environ", "proc/self/root/etc/passwd", "/proc/missing"] {
        assert_eq!(read_path(&roots, path), Err("sandbox_violation".to_owned()), "{path}");
    }
}

#[test]
fn a_root_that_has_become_a_link_is_none() {
    let disk = Disk::new();
    let roots = disk.roots(&["root/a"]);
    assert!(read_path(&roots, "b.txt").is_ok());
    fs::rename(disk.path("root/a"), disk.path("b")).unwrap();
    assert_eq!(read_path(&roots, "b.txt"), Err("setup_required".to_owned()));
    disk.link(&disk.path("b"), "root/a");
    assert_eq!(read_path(&roots, "b.txt"), Err("setup_required".to_owned()));
}

#[test]
fn the_data_of_the_device_is_recognized_under_another_name() {
    let disk = Disk::new();
    let roots = disk.roots(&["root"]);
    fs::rename(disk.path("root/data"), disk.path("root/a/other")).unwrap();
    assert_eq!(read_path(&roots, "a/other/device.db"), Err("sandbox_violation".to_owned()));
}

#[test]
fn a_person_sees_the_resolved_path_and_allows_the_innermost_root() {
    let disk = Disk::new();
    disk.link(&disk.path("root"), "linked");
    let tool = ReadFile::new(disk.roots(&["linked"]));
    for path in
        ["a/./b.txt", "x/../a//b.txt", &disk.text("linked/a/b.txt"), &disk.text("root/a/b.txt")]
    {
        let input = input(&json!({"path": path}));
        let text = disk.text("root/a/b.txt");
        assert_eq!(tool.target(&input), Some(Target { kind: TargetKind::File, text }));
        assert_eq!(tool.place(&input), Some(disk.text("root")));
    }
    let hidden = tool.target(&input(&json!({"path": "\u{202e}fdp.exe"}))).unwrap();
    assert_eq!(hidden.text, disk.text("root/\\u{202e}fdp.exe"));

    tool.set_roots(disk.roots(&["root", "root/a"]));
    let place = |path: &str| tool.place(&input(&json!({"path": disk.text(path)})));
    assert_eq!(place("root/a/b.txt"), Some(disk.text("root/a")));
    assert_eq!(place("root/ab.txt"), Some(disk.text("root")));
    assert_eq!((place("secret"), place("root_evil/file")), (None, None));
}

#[test]
fn the_environment_changes_with_the_file() {
    let disk = Disk::new();
    let tool = ReadFile::new(disk.roots(&["root"]));
    let environment = |path: &str| tool.environment(&input(&json!({"path": path}))).unwrap();
    let before = environment("notes.md");
    assert_eq!(before, environment("./notes.md"));
    // More content is the same file.
    fs::write(disk.path("root/notes.md"), "inside, longer").unwrap();
    assert_eq!(before, environment("notes.md"));
    // Another file is not, even if it gets the same inode: it was created at another time.
    std::thread::sleep(std::time::Duration::from_millis(50));
    fs::remove_file(disk.path("root/notes.md")).unwrap();
    let missing = environment("notes.md").to_value();
    assert_eq!(missing, json!({"path": disk.text("root/notes.md"), "file": null}));
    fs::write(disk.path("root/notes.md"), "inside").unwrap();
    assert_ne!(before, environment("notes.md"));
}

#[test]
fn folders_that_cannot_be_roots_are_refused() {
    let disk = Disk::new();
    let data = disk.path("root/data");
    fs::create_dir(data.join("blobs")).unwrap();
    disk.link(&data, "linked");
    for (folder, expected) in [
        ("root".into(), RootError::BadPath),
        (disk.path("missing"), RootError::Missing(disk.text("missing"))),
        (disk.path("secret"), RootError::Missing(disk.text("secret"))),
        (data.clone(), RootError::Data(disk.text("root/data"))),
        (data.join("blobs"), RootError::Data(disk.text("root/data/blobs"))),
        (disk.path("linked"), RootError::Data(disk.text("linked"))),
    ] {
        assert_eq!(Roots::new(&[folder], &data).unwrap_err(), expected);
    }
}
