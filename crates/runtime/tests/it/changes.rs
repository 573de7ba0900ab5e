//! Tools, rules and circumstances that change while a runtime lives.

use assent_policy::Mode;
use serde_json::json;

use crate::{
    actors::says,
    desk::{Desk, allow_all, reader, writer},
    story::{of_kind, records},
};

/// The number of recorded surfaces.
async fn surfaces(desk: &Desk) -> usize {
    of_kind(desk, "tool_surface").await.len()
}

/// Item 37: rules, the mode, tools and circumstances: whatever changes, a new surface is made,
/// and it names the one before.
#[tokio::test(start_paused = true)]
async fn every_change_records_a_new_surface() {
    let desk = Desk::new(vec![(reader("read"), says("fine"))], |builder| builder);
    let changes: [fn(&Desk); 4] = [
        |desk| desk.runtime.set_policy(allow_all()),
        |desk| desk.runtime.set_mode(Mode::ReadOnly),
        |desk| _ = desk.runtime.offer(|context| context.sub_agent = true),
        |desk| {
            desk.runtime.change_catalog(|catalog| {
                catalog.register(writer("write"), says("fine")).unwrap();
            });
        },
    ];
    for (count, change) in (2..).zip(changes) {
        change(&desk);
        assert_eq!(surfaces(&desk).await, count);
    }
    let told = of_kind(&desk, "tool_surface").await;
    for (before, after) in told.iter().zip(&told[1..]) {
        assert_eq!(after["supersedes"], before["surface_id"]);
    }
    let updated = of_kind(&desk, "tool_event").await;
    let updated = updated.iter().filter(|event| event["event_type"] == "tool.surface.updated");
    assert_eq!(updated.count(), 4);
}

/// Items 76, 78, 170: a tool that comes later is declared with its profiles before it is offered, and so
/// is one that changes.
#[tokio::test(start_paused = true)]
async fn a_tool_that_comes_later_is_declared_before_it_is_offered() {
    let desk = Desk::new(vec![(reader("read"), says("fine"))], |builder| builder);
    let before = records(&desk).await.len();
    desk.runtime.change_catalog(|catalog| {
        catalog.register(writer("write"), says("fine")).unwrap();
    });
    let kinds = |records: Vec<(String, serde_json::Value)>, from: usize| -> Vec<String> {
        records.into_iter().skip(from).map(|(kind, _)| kind).collect()
    };
    let declared = [
        "tool_declaration",
        "tool_event",
        "tool_interface",
        "tool_execution_profile",
        "tool_permission_profile",
        "tool_surface",
        "tool_event",
    ];
    assert_eq!(kinds(records(&desk).await, before), declared);

    let before = records(&desk).await.len();
    let mut changed = reader("read");
    changed.declaration.description = "Does something else now.".to_owned();
    desk.runtime.change_catalog(|catalog| {
        catalog.register(changed, says("fine")).unwrap();
    });
    assert_eq!(kinds(records(&desk).await, before), declared);
    let told = of_kind(&desk, "tool_declaration").await;
    assert_eq!(told.last().unwrap()["description"], "Does something else now.");

    let before = records(&desk).await.len();
    desk.runtime.change_catalog(|catalog| {
        catalog.remove(&"files:write".parse().unwrap());
    });
    assert_eq!(kinds(records(&desk).await, before), ["tool_surface", "tool_event"]);
    assert_eq!(desk.call("read", json!({"path": "a"})).await.status.as_str(), "succeeded");
}
