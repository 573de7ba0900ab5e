//! What a caller is to the thing that a request names, and what follows from it.
//!
//! The rules themselves stand in `assent-relay-api`, where the tests find them, too.

use assent_protocol::a2h::ApiCode;
use assent_relay_api::{Access, Caller as Role};

use crate::refusal::Refusal;

/// Whether somebody who is all of `roles` to a `thing` may call an operation with this access. One role
/// that may is enough; whoever may not learns that the thing exists if one of the roles knows it anyway.
pub(crate) fn admit(access: Access, roles: &[Role], thing: &str) -> Result<(), Refusal> {
    let outcomes = || roles.iter().map(|role| access.outcome(*role));
    if outcomes().any(|outcome| outcome.is_ok()) {
        return Ok(());
    }
    let codes = || outcomes().filter_map(Result::err);
    if codes().any(|code| code == ApiCode::Forbidden) {
        return Err(Refusal::forbidden(&format!("this {thing} is not yours to do this with")));
    }
    match codes().next() {
        None | Some(ApiCode::NotFound) => Err(Refusal::not_found(thing)),
        Some(code) => Err(Refusal::new(code, "this needs another credential")),
    }
}

#[cfg(test)]
mod tests {
    use assent_protocol::a2h::ApiCode;
    use assent_relay_api::{Caller as Role, operations};
    use proptest::prelude::*;

    use super::admit;

    #[test]
    fn somebody_with_one_role_comes_as_far_as_the_rules_say() {
        for operation in operations() {
            for role in Role::ALL {
                let admitted = admit(operation.access, &[role], "thing");
                let codes = admitted.map_err(|refusal| refusal.code());
                assert_eq!(codes, operation.access.outcome(role), "{} {role:?}", operation.id);
            }
        }
    }

    proptest! {
        #[test]
        fn another_role_never_takes_anything_away(
            at in 0..operations().len(),
            roles in prop::collection::vec(prop::sample::select(Role::ALL.to_vec()), 1..4),
        ) {
            let access = operations()[at].access;
            let alone = roles.iter().any(|role| access.outcome(*role).is_ok());
            prop_assert_eq!(admit(access, &roles, "thing").is_ok(), alone);
        }
    }

    #[test]
    fn nobody_in_particular_finds_nothing() {
        let access = operations()[0].access;
        assert_eq!(admit(access, &[], "thing").unwrap_err().code(), ApiCode::NotFound);
    }
}
