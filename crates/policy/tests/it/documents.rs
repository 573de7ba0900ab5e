//! Policies that are read from documents.

use assent_document::Format;
use assent_policy::Policy;
use serde_json::json;

use crate::support::rules;

const YAML: &str = "
rules:
  - {id: work, behavior: allow, tool: write_file, arguments: [{path: /path, under: /work}]}
  - id: keys
    behavior: deny
    arguments: [{path: /path, under: /work/keys}]
    match: [{input: {path: /work/keys/id}}]
";

fn problems(text: &str, format: Format) -> Vec<String> {
    let problems = Policy::read(text.as_bytes(), format).unwrap_err();
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_policy_is_the_same_from_yaml_json_and_rules() {
    let list = json!([
        {"id": "work", "behavior": "allow", "tool": "write_file",
         "arguments": [{"path": "/path", "under": "/work"}]},
        {"id": "keys", "behavior": "deny", "arguments": [{"path": "/path", "under": "/work/keys"}],
         "match": [{"input": {"path": "/work/keys/id"}}]},
    ]);
    let loaded = Policy::load(rules(list.clone())).unwrap().digest();
    let yaml = Policy::read(YAML.as_bytes(), Format::Yaml).unwrap().digest();
    let json = Policy::read(list.to_string().as_bytes(), Format::Json).unwrap().digest();
    assert_eq!((yaml, json), (loaded, loaded));
}

#[test]
fn every_mistake_of_every_rule_is_reported_with_its_line() {
    let text = "\
rules:
- {id: a, behavior: alow, tol: x}
- {id: b, behavior: allow, tool: 'wipe\\', bypass_immune: true,
   arguments: [{path: x, matches: '('}, {path: /y}]}
- {id: b, behavior: ask}
- {id: d, behavior: deny, match: [{tool: other, input: {}}], tool: mine}
- {behavior: ask, source: nowhere}
";
    assert_eq!(
        problems(text, Format::Yaml),
        [
            "/rules/0/behavior (2:21): expected one of `allow`, `ask`, `deny`, found `alow`",
            "/rules/0/tol (2:27): the key `tol` is not known here; did you mean `tool`?",
            "/rules/1/tool (3:34): a pattern must not end in a lone `\\`: write `\\\\` for \
             the character itself",
            "/rules/1/bypass_immune (3:58): `bypass_immune` belongs to an `ask`: a `deny` is \
             final anyway, an `allow` bypasses nothing",
            "/rules/1/arguments/0/path (4:23): a path is a JSON Pointer: empty, or a `/` before \
             each step, `~` only in `~0` and `~1`",
            "/rules/1/arguments/0/matches (4:35): `(` is not a regular expression that is \
             matched in linear time",
            "/rules/1/arguments/1 (4:41): nothing is tested: add one of `equals`, `matches`, `under`, \
             `host`, `url`, `command`, `in`, `above`, `below`, `absent`, `digest`, `shape`",
            "/rules/2/id (5:8): another rule is called `b`, in line 3",
            "/rules/3/match/0 (6:35): the rule does not match the example, but should",
            "/rules/4 (7:3): `id` is missing",
            "/rules/4/source (7:27): expected one of `user_settings`, `project_settings`, \
             `local_settings`, `flag_settings`, `policy_settings`, `cli_arg`, `command`, \
             `session`, found `nowhere`",
        ]
    );
}

#[test]
fn a_document_without_rules_is_refused() {
    assert_eq!(problems("{}", Format::Json), ["(1:1): `rules` is missing"]);
    assert_eq!(problems("7", Format::Json), ["(1:1): expected an object, found a number"]);
    let unknown = "(1:1): the key `policies` is not known here; known are `rules`";
    assert_eq!(problems("policies: x\nrules: []", Format::Yaml), [format!("/policies {unknown}")]);
}
