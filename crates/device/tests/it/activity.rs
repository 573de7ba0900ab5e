//! What agents have asked for, and what became of it.

use assent_agent::ToolRequest;
use assent_device::{
    ActivityFilter, ActivityOutcome, ActivityPage, CallStatus, DecidedBy, Decision, StageStatus,
};
use serde_json::json;

use crate::scene::{Scene, summary};

async fn list(scene: &Scene, filter: &ActivityFilter) -> Vec<String> {
    let page = scene.device().activity(filter, None, 10).await.unwrap();
    names(&page)
}

fn names(page: &ActivityPage) -> Vec<String> {
    let name = |tool: &assent_device::CallTool| tool.name.clone();
    page.items.iter().map(|item| item.tool.as_ref().map(name).unwrap_or_default()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_listed_newest_first_and_by_filter() {
    let scene = Scene::new().await;
    let notes = || json!({ "path": "notes.md" });
    scene.call_and_decide("read_file", notes(), Decision::Allow24h).await.unwrap();
    scene.call("read_file", notes()).await.unwrap();
    assert_eq!(summary(&scene.call("erase_disk", notes()).await), "denied tool_not_declared");
    let outside = scene.call("read_file", json!({ "path": "/etc/passwd" })).await;
    assert_eq!(summary(&outside), "error TOOL_PLATFORM_ERROR sandbox_violation");
    let all = ActivityFilter::default();
    assert_eq!(list(&scene, &all).await, ["read_file", "erase_disk", "read_file", "read_file"]);
    for (outcome, expected) in [
        (ActivityOutcome::Asked, vec!["read_file"]),
        (ActivityOutcome::Quiet, vec!["read_file"]),
        (ActivityOutcome::Denied, vec!["erase_disk"]),
        (ActivityOutcome::Failed, vec!["read_file"]),
    ] {
        let filter = ActivityFilter { outcome: Some(outcome), ..all.clone() };
        assert_eq!(list(&scene, &filter).await, expected, "{outcome:?}");
    }
    let by_target = ActivityFilter { text: Some("NOTES.md".to_owned()), ..all.clone() };
    assert_eq!(list(&scene, &by_target).await.len(), 2);
    let other = "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap();
    let by_agent = ActivityFilter { agent_id: Some(other), ..all.clone() };
    assert!(list(&scene, &by_agent).await.is_empty());
    // Page by page, every call comes once.
    let mut after = None;
    let mut paged = Vec::new();
    loop {
        let page = scene.device().activity(&all, after.as_deref(), 1).await.unwrap();
        paged.extend(page.items.iter().map(|item| item.invocation_id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let whole = scene.device().activity(&all, None, 10).await.unwrap();
    let expected: Vec<_> = whole.items.iter().map(|item| item.invocation_id).collect();
    assert_eq!(paged, expected);
    assert!(scene.device().activity(&all, Some("nowhere"), 1).await.is_err());
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_story_of_a_call_has_what_was_seen_answered_and_run_and_thirteen_stages() {
    let scene = Scene::new().await;
    let notes = json!({ "path": "notes.md" });
    let (result, prompt) =
        tokio::join!(scene.call("read_file", notes.clone()), scene.answer(Decision::AllowOnce));
    result.unwrap();
    let story = scene.device().call_story(prompt.invocation_id).await.unwrap().unwrap();
    let digest = Some(prompt.view.digest.to_string());
    let digests = &story.digests;
    assert_eq!((&digests.saw, &digests.answered, &digests.ran), (&digest, &digest, &digest));
    assert_eq!(story.view.as_ref().map(|view| &view.lines), Some(&prompt.view.lines));
    assert_eq!(story.call.decided_by, Some(DecidedBy::Console));
    assert_eq!(story.call.decision, Some(Decision::AllowOnce));
    assert_eq!(story.call.status, CallStatus::Ok);
    assert_eq!(story.audit.as_ref().map(|entry| entry.seq), Some(1));
    let names: Vec<_> = story.stages.iter().map(|stage| stage.name).collect();
    let expected = [
        "resolve",
        "deferral",
        "parse",
        "validate",
        "observe",
        "pre_hooks",
        "permission",
        "schedule",
        "execute",
        "map",
        "post_hooks",
        "persist",
        "emit",
    ];
    assert_eq!(names, expected);
    assert!(story.stages.iter().all(|stage| stage.status == StageStatus::Passed));
    assert!(story.stages[6].ms >= Some(400), "{:?}", story.stages[6]);
    assert_eq!(story.stages[6].reason.as_deref(), Some("a person allowed it"));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_story_of_a_refused_call_says_in_which_stage_it_ended() {
    let scene = Scene::new().await;
    let (result, prompt) =
        tokio::join!(scene.call("get_location", json!({})), scene.answer(Decision::Deny));
    assert_eq!(summary(&result), "denied user_refused");
    let story = scene.device().call_story(prompt.invocation_id).await.unwrap().unwrap();
    assert!(story.digests.saw.is_some() && story.digests.saw == story.digests.answered);
    assert_eq!(story.digests.ran, None);
    let statuses: Vec<_> = story.stages.iter().map(|stage| stage.status).collect();
    let mut expected = vec![StageStatus::Passed; 6];
    expected.push(StageStatus::Stopped);
    expected.extend([StageStatus::Skipped; 5]);
    expected.push(StageStatus::Passed);
    assert_eq!(statuses, expected);
    let unknown = "inv_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap();
    assert!(scene.device().call_story(unknown).await.unwrap().is_none());
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn open_calls_are_listed_with_what_they_wait_for() {
    let scene = Scene::new().await;
    let request = ToolRequest::new("get_location", json!({}));
    let call = scene.agent().start_call(scene.conversation, request).await.unwrap();
    let prompt = scene.prompt().await;
    let status = async || {
        let page = scene.device().activity(&ActivityFilter::default(), None, 1).await.unwrap();
        page.items[0].status
    };
    assert_eq!(status().await, CallStatus::AwaitingApproval);
    let story = scene.device().call_story(prompt.invocation_id).await.unwrap().unwrap();
    assert_eq!(story.stages[6].status, StageStatus::Waiting);
    assert_eq!(story.digests.answered, None);
    scene.device().hold_prompt(prompt.prompt_id).await.unwrap();
    assert_eq!(status().await, CallStatus::Pending);
    scene.answer(Decision::Deny).await;
    assert_eq!(summary(&call.await), "denied user_refused");
    assert_eq!(status().await, CallStatus::Denied);
    scene.end().await;
}
