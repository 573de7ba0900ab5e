//! The cost of a decision. Run with `cargo nextest run -p assent-cedar --run-ignored only --release`.

use std::{hint::black_box, time::Instant};

use assent_cedar::{ToolShape, load_policy};
use assent_policy::Grants;
use serde_json::json;

use crate::support::Call;

const DECISIONS: u32 = 20_000;

#[test]
#[ignore = "measures"]
fn one_decision() {
    let schema = json!({"properties": {"path": {"type": "string"}, "text": {"type": "string"}}});
    let ids: Vec<String> = (0..200).map(|number| format!("ns/tool_{number}")).collect();
    let shapes = ids.iter().map(|tool_id| ToolShape {
        tool_id,
        namespace: "ns",
        name: "tool",
        input_schema: Some(&schema),
    });
    let named = |number| {
        format!(
            "@id(\"p{number}\") forbid(principal, action == Action::\"ns/tool_{number}\", resource);\n"
        )
    };
    let text: String = (0..20).map(named).collect::<String>()
        + "permit(principal, action, resource) when { context.input has path && context.input.path like \"/work/*\" };";
    let start = Instant::now();
    let policy = load_policy(&[], &text, shapes).unwrap();
    println!("21 policies over 200 tools load in {:?}", start.elapsed());
    let input = json!({"path": "/work/a/b.txt", "text": "hello"});
    let call = Call { tool_id: "ns/tool_77".to_owned(), ..Call::new(input) };
    let start = Instant::now();
    for _ in 0..DECISIONS {
        black_box(policy.decide(black_box(&call.question()), &Grants::none()));
    }
    println!("21 policies: {:?} per decision", start.elapsed() / DECISIONS);
}
