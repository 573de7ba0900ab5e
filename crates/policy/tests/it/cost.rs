//! What a decision costs. Run with `cargo nextest run -p assent-policy --run-ignored only --release`.

use std::{hint::black_box, time::Instant};

use assent_policy::{Grants, Policy};
use serde_json::{Value, json};

use crate::support::{Call, grant, policy};

fn measure(what: &str, mut work: impl FnMut()) {
    for _ in 0..1000 {
        work();
    }
    let mut best = f64::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        for _ in 0..2000 {
            work();
        }
        best = best.min(start.elapsed().as_secs_f64() / 2000.0);
    }
    println!("{what}: {:.0} ns", best * 1e9);
}

/// Two rules out of `count` speak of the tool: one names it, one means all.
fn specs(count: usize) -> Value {
    let mut specs: Vec<Value> = (1..count)
        .map(|number| {
            json!({"id": format!("r{number}"), "behavior": "allow", "tool": format!("ns/tool_{number}"),
                "arguments": [{"path": "/path", "under": "/work"}]})
        })
        .collect();
    specs.push(
        json!({"id": "all", "behavior": "deny", "arguments": [{"path": "/path", "under": "/etc"}]}),
    );
    Value::Array(specs)
}

#[test]
#[ignore = "measures"]
fn one_decision() {
    let call = Call {
        tool_id: "ns/tool_77".to_owned(),
        name: "tool_77".to_owned(),
        ..Call::new(json!({"path": "/work/a/b.txt", "text": "hello"}))
    };
    for count in [200, 20_000] {
        let policy = policy(specs(count));
        let none = Grants::none();
        measure(&format!("{count} rules over {count} tools"), || {
            black_box(policy.decide(black_box(&call.question()), &none));
        });
        let given = (0..count).map(|number| {
            let spec = json!({"id": format!("g{number}"), "effect": "allow",
                "tool": {"id": format!("ns/tool_{number}")}});
            (grant(spec), 0)
        });
        let grants = Grants::new(given);
        let asking = Policy::default();
        measure(&format!("{count} grants, one is used"), || {
            black_box(asking.decide(black_box(&call.question()), &grants));
        });
    }
}
