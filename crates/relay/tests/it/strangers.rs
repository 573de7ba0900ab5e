//! Requests without a credential, or with one of the wrong kind.

use http::Method;
use serde_json::json;

use crate::world::on_both;

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_learns_nothing_but_how_to_come_in() {
    on_both(async |world| {
        let path = "/conversations/cnv_01J00000000000000000000000/messages";
        let anonymous = world.call(Method::GET, path, None, None).await;
        assert_eq!((anonymous.status.as_u16(), anonymous.code()), (401, "UNAUTHENTICATED"));
        for token in ["x", "hsk_x", "a.b.c"] {
            let impostor = world.call(Method::GET, path, Some(token), None).await;
            assert_eq!((impostor.status.as_u16(), impostor.code()), (401, "UNAUTHENTICATED"));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_path_and_a_wrong_method_say_so_in_the_same_shape() {
    on_both(async |world| {
        let nowhere = world.call(Method::GET, "/nowhere", None, None).await;
        assert_eq!((nowhere.status.as_u16(), nowhere.code()), (404, "NOT_FOUND"));
        let path = "/conversations/cnv_01J00000000000000000000000/messages";
        let method = world.call(Method::DELETE, path, None, Some(json!({}))).await;
        assert_eq!((method.status.as_u16(), method.code()), (405, "METHOD_NOT_ALLOWED"));
    })
    .await;
}
