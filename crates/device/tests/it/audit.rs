//! The audit log.

use std::fs;

use assent_device::{AuditExport, AuditProblemKind, Decision};
use serde_json::json;

use crate::scene::{Scene, summary};

/// A scene with four entries: allowed by the person, by a silence, and by no one; and by the rules.
async fn scene_with_entries() -> Scene {
    let scene = Scene::new().await;
    let notes = || json!({ "path": "notes.md" });
    let call = scene.call_and_decide("read_file", notes(), Decision::Allow24h).await;
    assert_eq!(summary(&call), "ok");
    assert_eq!(summary(&scene.call("read_file", notes()).await), "ok");
    assert_eq!(summary(&scene.call("erase_disk", notes()).await), "denied tool_not_declared");
    let call = scene.call_and_decide("get_location", json!({}), Decision::Deny).await;
    assert_eq!(summary(&call), "denied user_refused");
    scene
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answered_call_has_an_entry_that_says_who_decided() {
    let mut scene = scene_with_entries().await;
    let entries = scene.device().audit(None, 10).await.unwrap();
    let words: Vec<_> = entries
        .iter()
        .rev()
        .map(|entry| {
            let scope = entry.scope.as_deref().unwrap_or_default();
            let reason = entry.reason.as_deref().unwrap_or_default();
            let decided_by = entry.decided_by.as_str();
            format!(
                "{} {} {scope} {} {reason} {decided_by}",
                entry.seq, entry.tool_name, entry.status
            )
        })
        .collect();
    let expected = [
        "1 read_file filesystem:read ok  person:console",
        "2 read_file filesystem:read ok  silence",
        "3 erase_disk  denied tool_not_declared policy",
        "4 get_location location:read denied user_refused person:console",
    ];
    assert_eq!(words, expected);
    assert_eq!(entries[0].prev.as_ref(), Some(&entries[1].hash().unwrap()));
    // The same arguments have the same digest, which is not that of the arguments alone.
    assert_eq!(entries[3].arguments_digest, entries[2].arguments_digest);
    let bare = assent_json::Digest::of(br#"{"path":"notes.md"}"#).to_string();
    assert_ne!(entries[3].arguments_digest, bare);
    assert!(entries[3].view_digest.is_some());
    assert_eq!((&entries[2].view_digest, &entries[1].view_digest), (&None, &None));
    assert_eq!(scene.device().audit(Some(3), 1).await.unwrap()[0].seq, 2);
    scene.stop_device().await;
    scene.start_device().await;
    let report = scene.device().verify_audit().await.unwrap();
    assert!(report.ok && report.entries == 4, "{report:?}");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_an_exported_log_are_found() {
    let scene = scene_with_entries().await;
    let export = scene.device().export_audit().await.unwrap();
    let head = export.head.clone();
    let verify = async |change: &dyn Fn(&mut AuditExport), with_head: bool| {
        let mut changed = export.clone();
        change(&mut changed);
        let head = head.clone().filter(|_| with_head);
        scene.device().verify_exported_audit(&changed, head).await.unwrap()
    };
    let found = async |change: &dyn Fn(&mut AuditExport)| {
        let problem = verify(change, true).await.problems.remove(0);
        (problem.seq, problem.kind)
    };
    assert!(verify(&|_| {}, true).await.ok);
    let edited = found(&|export| export.entries[1]["status"] = "denied".into()).await;
    assert_eq!(edited, (2, AuditProblemKind::Edited));
    let edited = found(&|export| export.entries[3]["decided_by"] = "silence".into()).await;
    assert_eq!(edited, (4, AuditProblemKind::Edited));
    let added = found(&|export| export.entries[2]["note"] = "x".into()).await;
    assert_eq!(added, (3, AuditProblemKind::Edited));
    let missing = found(&|export| drop(export.entries.remove(1))).await;
    assert_eq!(missing, (2, AuditProblemKind::Missing));
    let moved = found(&|export| export.entries.swap(1, 2)).await;
    assert_eq!(moved, (3, AuditProblemKind::OutOfOrder));
    let cut = found(&|export| drop(export.entries.pop())).await;
    assert_eq!(cut, (4, AuditProblemKind::Truncated));
    let forged = found(&|export| {
        export.entries.pop();
        export.head.as_mut().unwrap().seq = 3;
    });
    assert_eq!(forged.await, (3, AuditProblemKind::NotSigned));
    // Without the head, who cuts the log can leave no trace but the missing head.
    let bare = |export: &mut AuditExport| {
        export.entries.pop();
        export.head = None;
    };
    assert!(verify(&bare, false).await.ok);
    assert!(!verify(&bare, true).await.ok);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_database_is_found_by_the_head_beside_it() {
    let mut scene = Scene::new().await;
    let notes = || json!({ "path": "notes.md" });
    let call = scene.call_and_decide("read_file", notes(), Decision::AllowOnce).await;
    assert_eq!(summary(&call), "ok");
    scene.stop_device().await;
    let files = ["device.db", "device.db-wal", "device.db-shm"];
    let data = scene.device_data();
    let copies: Vec<_> = files.iter().map(|file| fs::read(data.join(file)).ok()).collect();
    scene.start_device().await;
    let call = scene.call_and_decide("read_file", notes(), Decision::AllowOnce).await;
    assert_eq!(summary(&call), "ok");
    assert!(scene.device().verify_audit().await.unwrap().ok);
    scene.stop_device().await;
    for (file, copy) in files.iter().zip(copies) {
        let path = data.join(file);
        match copy {
            Some(copy) => fs::write(path, copy).unwrap(),
            None => drop(fs::remove_file(path)),
        }
    }
    scene.start_device().await;
    let problem = scene.device().verify_audit().await.unwrap().problems.remove(0);
    assert_eq!(problem.seq, 2);
    scene.end().await;
}
