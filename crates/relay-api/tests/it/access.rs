//! What comes out for every kind of caller, written down.

use assent_protocol::a2h::ApiCode;
use assent_relay_api::{Access, Caller, Credential, Needs, operations};

const CALLERS: &str = "nobody impostor late stranger owner person founder member other-agent agent agent+write operator";

/// What comes out, a character per caller: `+` allowed, `U` unauthenticated, `E` expired, `F` forbidden, `N`
/// not found.
fn row(access: Access) -> String {
    Caller::ALL
        .iter()
        .map(|caller| match access.outcome(*caller) {
            Ok(()) => '+',
            Err(ApiCode::Unauthenticated) => 'U',
            Err(ApiCode::TokenExpired) => 'E',
            Err(ApiCode::Forbidden) => 'F',
            Err(ApiCode::NotFound) => 'N',
            Err(other) => panic!("{other}"),
        })
        .collect()
}

#[test]
fn every_rule_of_access_gives_what_is_written_here() {
    assert_eq!(CALLERS.split(' ').count(), Caller::ALL.len());
    let both = Credential::UserOrAgent;
    for (credential, needs, expected) in [
        (Credential::None, Needs::Nothing, "+++++++++++N"),
        (Credential::FirstFrame, Needs::Nothing, "+++++++++++N"),
        (Credential::RefreshToken, Needs::Nothing, "UUUUUUUUUUUN"),
        (Credential::RefreshTokenOrUser, Needs::Nothing, "UUE+++++FFFN"),
        (Credential::User, Needs::Nothing, "UUE+++++FFFN"),
        (Credential::Agent, Needs::Nothing, "UUEFFFFF+++N"),
        (both, Needs::Nothing, "UUE++++++++N"),
        (Credential::AdminSocket, Needs::Nothing, "NNNNNNNNNNN+"),
        (Credential::User, Needs::OwnDevice, "UUEN+NNNFFFN"),
        (Credential::User, Needs::OwnerOfAgent, "UUEF+FFFFFFN"),
        (Credential::Agent, Needs::AgentItself, "UUEFFFFFF++N"),
        (both, Needs::OwnerOrAgent, "UUEF+FFFF++N"),
        (both, Needs::ConcernedByAgent, "UUEF++FFF++N"),
        (both, Needs::OwnerOrAgentWithManifestWrite, "UUEF+FFFFF+N"),
        (both, Needs::PartyOfRelation, "UUEN++NNN++N"),
        (Credential::User, Needs::PersonOfRelation, "UUENF+NNFFFN"),
        (Credential::User, Needs::OwnerOfRelationsAgent, "UUEN+FNNFFFN"),
        (both, Needs::MemberOfConversation, "UUENNN++N++N"),
        (Credential::User, Needs::PersonInConversation, "UUENNN++FFFN"),
        (both, Needs::FounderOrLeavingMember, "UUENNN+FN++N"),
    ] {
        assert_eq!(row(Access::new(credential, needs)), expected, "{credential:?} {needs:?}");
    }
}

#[test]
fn a_call_without_a_required_credential_is_refused() {
    let open = [
        "register",
        "login",
        "connect_human",
        "connect_agent",
        "health",
        "ready",
        "metrics",
        "get_openapi",
    ];
    for operation in operations() {
        let is_open = operation.access.outcome(Caller::Anonymous).is_ok();
        assert_eq!(is_open, open.contains(&operation.id), "{}", operation.id);
        assert_eq!(is_open, operation.access.outcome(Caller::Impostor).is_ok(), "{}", operation.id);
        assert!(operation.access.outcome(Caller::Operator).is_err(), "{}", operation.id);
    }
}

#[test]
fn every_code_of_a_refusal_is_among_the_errors() {
    for operation in operations() {
        let errors = operation.errors();
        assert!(errors.is_sorted() && errors.windows(2).all(|pair| pair[0] != pair[1]));
        for caller in Caller::ALL {
            if let Err(code) = operation.access.outcome(caller) {
                assert!(errors.contains(&code), "{} {code}", operation.id);
            }
        }
    }
}

#[test]
fn what_is_hidden_from_strangers_does_not_show_by_another_code() {
    for operation in operations() {
        let hides = [
            Needs::OwnDevice,
            Needs::PartyOfRelation,
            Needs::PersonOfRelation,
            Needs::OwnerOfRelationsAgent,
            Needs::MemberOfConversation,
            Needs::PersonInConversation,
            Needs::FounderOrLeavingMember,
        ];
        if hides.contains(&operation.access.needs) {
            let outcome = operation.access.outcome(Caller::Stranger);
            assert_eq!(outcome, Err(ApiCode::NotFound), "{}", operation.id);
        }
    }
}
