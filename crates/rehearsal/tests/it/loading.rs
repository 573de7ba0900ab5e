//! What the runtime would refuse is reported when the file is read, each problem with its line.

use assent_rehearsal::{Format, read};

use crate::problems;

#[test]
fn problems_of_tools_rules_policies_and_the_scheduler_do_not_hide_each_other() {
    let found = problems(
        "\
tools:
  - name: one
    input_schema: {type: object, properties: {secret: {type: string}}}
    internal_only_fields: [secret]
    run: [{return_text: x}]
  - name: two
    input_schema: {type: object, properties: {secret: {type: string}}}
    internal_only_fields: [secret]
    run: [{return_text: x}]
  - {name: three, colour: red, run: [{return_text: x}]}
rules:
  - {id: below, behavior: allow, arguments: [{path: /a, under: '~/x'}]}
  - {id: bad, behavior: allow, tool: 7}
scheduler: {ordering_policy: preserve_terminal_order, yield_policy: unordered_streaming}
policies: \"permit(\"
",
    );
    let places: Vec<_> = found.iter().map(|told| told.split_once("): ").unwrap().0).collect();
    assert_eq!(
        places,
        [
            "/tools/0/input_schema/properties (3:46",
            "/tools/1/input_schema/properties (7:46",
            "/tools/2/colour (10:19",
            "/rules/0/arguments/0/under (12:64",
            "/rules/1/tool (13:38",
            "/scheduler/yield_policy (14:69",
            "/policies (15:11",
        ],
        "{found:#?}"
    );
}

#[test]
fn a_problem_of_a_policy_stands_where_its_line_stands() {
    let block = "policies: |\n  permit(principal, action, resource);\n\n  permit(é, action);\n";
    let quoted = r#"{"policies": "permit(principal, action, resource);\npermit(x"}"#;
    assert!(problems(block)[0].starts_with("/policies (4:"), "{:?}", problems(block));
    let told = crate::problems_of(quoted, Format::Json);
    assert!(told[0].starts_with("/policies (1:14): line 2, column 9 of the text: "), "{told:?}");
}

#[test]
fn a_policy_is_not_blamed_for_a_tool_that_has_a_mistake() {
    let policies = |tool: &str| {
        format!(
            "tools: [{{name: wipe, {tool}run: [{{echo: true}}]}}]\n\
             policies: 'permit(principal, action == Action::\"rehearsal/wipe\", resource);'\n"
        )
    };
    assert_eq!(problems(&policies("")), Vec::<String>::new());
    let found = problems(&policies("nmae: x, "));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn two_tools_of_a_namespace_do_not_share_a_name() {
    let found = problems(
        "tools:\n- {name: one, run: [{echo: true}]}\n\
         - {name: two, aliases: [one], run: [{echo: true}]}\n",
    );
    assert_eq!(
        found,
        ["/tools/1/aliases (3:24): `one` already leads to `rehearsal/one` in the namespace \
          `rehearsal`"]
    );
}

#[test]
fn what_was_read_is_never_refused_when_it_runs() {
    let text = "tools: [{name: t, run: [{echo: true}]}]\ncalls: [{id: a, tool: t, input: {}}]\n";
    let scenario = read(text.as_bytes(), Format::Yaml).unwrap();
    assert!(crate::harness::run(&scenario, assent_rehearsal::Options::default()).is_ok());
}
