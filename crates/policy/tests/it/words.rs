//! Words of other vocabularies.

use assent_policy::{Decision, Mode, PolicyOutcome, risk_level};
use assent_protocol::agent_tool::{Behavior, RiskLevel};

/// Items 83, 91.
#[test]
fn outcomes_of_agent_policy_become_decisions() {
    let table = [
        ("allow", Behavior::Allow),
        ("deny", Behavior::Deny),
        ("ask", Behavior::Ask),
        ("defer", Behavior::Ask),
        ("escalate", Behavior::Ask),
        ("waive", Behavior::Allow),
        ("not_applicable", Behavior::Passthrough),
        ("indeterminate", Behavior::Deny),
        ("a word of tomorrow", Behavior::Deny),
    ];
    for (word, expected) in table {
        assert_eq!(PolicyOutcome::read(word).behavior(), expected, "{word}");
    }
    assert!(PolicyOutcome::ALL.iter().all(|one| PolicyOutcome::read(one.as_str()) == *one));
    assert!(PolicyOutcome::Waive.is_waiver());
    assert!(!PolicyOutcome::Allow.is_waiver());
}

#[test]
fn unknown_risks_are_high() {
    let table = [
        ("none", RiskLevel::Low),
        ("low", RiskLevel::Low),
        ("medium", RiskLevel::Medium),
        ("high", RiskLevel::High),
        ("critical", RiskLevel::Critical),
        ("unknown", RiskLevel::High),
        ("", RiskLevel::High),
    ];
    for (word, expected) in table {
        assert_eq!(risk_level(word), expected, "{word}");
    }
}

#[test]
fn decisions_combine_to_the_strictest_and_survive_the_wire() {
    assert!(Decision::Deny > Decision::Ask && Decision::Ask > Decision::Allow);
    for decision in [Decision::Allow, Decision::Ask, Decision::Deny] {
        assert_eq!(Decision::of(decision.behavior()), Some(decision));
    }
    assert_eq!(Decision::of(Behavior::Passthrough), None);
}

#[test]
fn modes_are_read_as_they_are_written() {
    for mode in Mode::ALL {
        assert_eq!(mode.as_str().parse(), Ok(mode));
        let text = serde_json::to_string(&mode).unwrap();
        assert_eq!(serde_json::from_str::<Mode>(&text).unwrap(), mode);
    }
    assert!("readonly".parse::<Mode>().is_err());
    assert_eq!(Mode::Interactive.default_decision(), Decision::Ask);
    assert_eq!(Mode::Headless.default_decision(), Decision::Deny);
}
