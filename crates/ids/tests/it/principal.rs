//! The id of a person or an agent.

use assent_ids::Principal;

const USER: &str = "usr_01JZ8Q4Y7N3M5K2B9C6D1E0F4G";
const AGENT: &str = "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K";

#[test]
fn a_principal_is_written_as_the_id_alone() {
    for (text, principal) in [
        (USER, Principal::User(USER.parse().unwrap())),
        (AGENT, Principal::Agent(AGENT.parse().unwrap())),
    ] {
        assert_eq!(text.parse::<Principal>().unwrap(), principal);
        assert_eq!(principal.to_string(), text);
        let json = format!("\"{text}\"");
        assert_eq!(serde_json::to_string(&principal).unwrap(), json);
        assert_eq!(serde_json::from_str::<Principal>(&json).unwrap(), principal);
    }
}

#[test]
fn ids_of_other_kinds_are_no_principals() {
    for text in ["dev_01JZ8Q4Y7N3M5K2B9C6D1E0F4G", "agt_", "agt", "agt_usr", "", "usr_1"] {
        assert!(text.parse::<Principal>().is_err(), "{text}");
        let error = serde_json::from_value::<Principal>(text.into()).unwrap_err().to_string();
        assert_eq!(error, "the id of a person or an agent");
    }
}
