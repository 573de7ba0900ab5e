//! Decides whether a caller may do what a request asks for, by the access rules in `assent-relay-api`.

use assent_protocol::a2h::ApiCode;
use assent_relay_api::{Access, Caller as Role};

use super::Refusal;

/// Allows a call of an operation with this `access` by a caller who has `roles` for a `thing`. One sufficient
/// role is enough. A refused caller learns that the thing exists only if one of the roles knows it anyway.
pub(crate) fn authorize(access: Access, roles: &[Role], thing: &str) -> Result<(), Refusal> {
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

    use super::authorize;

    #[test]
    fn a_caller_with_one_role_gets_what_the_access_rules_say() {
        for operation in operations() {
            for role in Role::ALL {
                let admitted = authorize(operation.access, &[role], "thing");
                let codes = admitted.map_err(|refusal| refusal.code());
                assert_eq!(codes, operation.access.outcome(role), "{} {role:?}", operation.id);
            }
        }
    }

    proptest! {
        #[test]
        fn an_additional_role_never_takes_access_away(
            at in 0..operations().len(),
            roles in prop::collection::vec(prop::sample::select(Role::ALL.to_vec()), 1..4),
        ) {
            let access = operations()[at].access;
            let alone = roles.iter().any(|role| access.outcome(*role).is_ok());
            prop_assert_eq!(authorize(access, &roles, "thing").is_ok(), alone);
        }
    }

    #[test]
    fn a_caller_without_roles_gets_not_found() {
        let access = operations()[0].access;
        assert_eq!(authorize(access, &[], "thing").unwrap_err().code(), ApiCode::NotFound);
    }
}
