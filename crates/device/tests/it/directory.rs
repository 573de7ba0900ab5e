//! What a person is shown before adding an agent.

use assent_device::DeviceError;
use assent_protocol::a2h::Sensitivity;
use assent_sealing::{AgentLink, KeyFingerprint};

use crate::scene::{Scene, scopes};

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_says_what_the_agent_wants_and_what_of_this_device_serves_it() {
    let scene = Scene::new().await;
    let offer = scene.device().look_up_agent(scene.created.agent_id, None).await.unwrap();
    let shown = |name: &str| offer.tools.iter().find(|tool| tool.name == name).unwrap().served_by;
    assert_eq!(shown("read_file"), Some("read_file"));
    assert_eq!(shown("paint_wall"), None);
    // This device cannot read the clipboard.
    assert_eq!(shown("read_clipboard"), None);
    let sensitivity = |id: &str| {
        let scope = offer.scopes.iter().find(|scope| scope.id.as_str() == id);
        scope.unwrap().sensitivity
    };
    // The presets raise what the manifest says.
    assert_eq!(sensitivity("filesystem:read"), Sensitivity::Medium);
    assert_eq!(sensitivity("location:read"), Sensitivity::High);
    assert_eq!(sensitivity("notification:send"), Sensitivity::Low);
    assert_eq!((&*offer.name, &*offer.owner_name), ("helper", "Owner"));
    assert!(offer.has_sessions && !offer.is_verified);
    assert_eq!(offer.safety_number.digits().len(), 60);
    let again = scene.device().look_up_agent(scene.created.agent_id, None).await.unwrap();
    assert_eq!(again, offer);
    let found = scene.device().search_agents(&Default::default()).await.unwrap();
    assert_eq!(found.data[0].agent_id, offer.agent_id);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_proves_the_keys_or_is_refused() {
    let scene = Scene::new().await;
    let (device, agent_id) = (scene.device(), scene.created.agent_id);
    let right = device.agent_keys(agent_id).await.unwrap().fingerprint;
    let offer = device.look_up_agent(agent_id, Some(right)).await.unwrap();
    assert!(offer.is_verified);
    let wrong: KeyFingerprint = "0".repeat(64).parse().unwrap();
    let refused = device.look_up_agent(agent_id, Some(wrong)).await;
    assert!(matches!(refused, Err(DeviceError::KeyMismatch)), "{refused:?}");
    let link = |relay: &str| -> AgentLink {
        format!("assent:add/{agent_id}?relay={relay}#k={right}").parse().unwrap()
    };
    device.check_link(&link(scene.url())).unwrap();
    let refused = device.check_link(&link("https://relay.example.org"));
    assert!(matches!(refused, Err(DeviceError::RelayMismatch(_))), "{refused:?}");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_person_did_not_see_is_not_granted() {
    let scene = Scene::new().await;
    let (device, agent_id) = (scene.device(), scene.created.agent_id);
    let offer = device.look_up_agent(agent_id, None).await.unwrap();
    let grant = offer.grant(scopes(&["filesystem:read"]));
    let refused = device.add_agent(grant.clone()).await;
    assert!(matches!(refused, Err(DeviceError::AgentAdded)), "{refused:?}");
    let mut other = grant.clone();
    other.view_digest = "0".repeat(64);
    assert!(matches!(device.add_agent(other).await, Err(DeviceError::ViewChanged)));
    let mut other = grant.clone();
    other.granted_scopes = scopes(&["shell:exec"]);
    assert!(matches!(device.add_agent(other).await, Err(DeviceError::UnknownScope(_))));
    let mut manifest = crate::scene::manifest();
    manifest["agent_version"] = "1.0.1".into();
    scene.publish(manifest).await;
    assert!(matches!(device.add_agent(grant).await, Err(DeviceError::ManifestChanged)));
    scene.end().await;
}
