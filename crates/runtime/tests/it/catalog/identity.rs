//! Ids and names: stable, unique where they have to be.

use std::{collections::BTreeSet, sync::Arc};

use assent_ids::{CallableName, Lax};
use assent_runtime::{Catalog, ToolDefinition, surface::Resolution};
use proptest::prelude::*;

use crate::definitions::{Idle, catalog, definition, equipped, register, surface, with};

fn aliased(namespace: &str, name: &str, aliases: &[&str]) -> ToolDefinition {
    with(namespace, name, |tool| {
        let aliases =
            aliases.iter().map(|alias| Lax::from(&alias.parse::<CallableName>().unwrap()));
        tool.declaration.aliases = Some(aliases.collect());
    })
}

fn refusals(catalog: &mut Catalog, definition: ToolDefinition) -> Vec<String> {
    let error = catalog.register(definition, Arc::new(Idle)).unwrap_err();
    error.problems.into_iter().map(|problem| problem.field).collect()
}

/// Item 4: a rename changes the name, not the id.
#[test]
fn a_tool_keeps_its_id_when_it_is_renamed() {
    let mut catalog = catalog([definition("t", "read")]);
    let mut renamed = aliased("t", "read_file", &["read"]);
    renamed.declaration.tool_id = definition("t", "read").declaration.tool_id;
    renamed.interface.tool_id = renamed.declaration.tool_id.clone();
    register(&mut catalog, renamed);
    assert_eq!(catalog.len(), 1);
    for name in ["read", "read_file", "t/read", "t/read_file"] {
        assert_eq!(catalog.find(name).unwrap().id.as_str(), "t:read", "{name}");
    }
    register(&mut catalog, definition("t", "read"));
    assert!(catalog.find("read_file").is_none());
}

/// Item 4: an id belongs to one producer.
#[test]
fn another_provider_cannot_take_over_an_id() {
    let mut catalog = catalog([definition("t", "read")]);
    let other = with("t", "read", |tool| tool.provider = Some("elsewhere".parse().unwrap()));
    assert_eq!(refusals(&mut catalog, other), ["/declaration/tool_id"]);
    let mut moved = definition("u", "read");
    moved.declaration.tool_id = definition("t", "read").declaration.tool_id;
    moved.interface.tool_id = moved.declaration.tool_id.clone();
    assert_eq!(refusals(&mut catalog, moved), ["/declaration/tool_id"]);
}

/// Item 5: each alias leads to the tool.
#[test]
fn aliases_lead_to_the_tool_and_its_name_goes_first() {
    let catalog = catalog([aliased("a", "read", &["cat", "show"]), definition("b", "show")]);
    assert_eq!(catalog.find("cat").unwrap().id.as_str(), "a:read");
    assert_eq!(catalog.find("show").unwrap().id.as_str(), "b:show");
    assert_eq!(catalog.find("a/show").unwrap().id.as_str(), "a:read");
}

/// Item 6: namespaces keep equal names apart.
#[test]
fn equal_names_in_two_namespaces_coexist() {
    let catalog = catalog([definition("a", "read"), definition("b", "read")]);
    let surface = surface(&catalog, equipped());
    let Resolution::Ambiguous(candidates) = surface.resolve("read") else {
        panic!("not ambiguous")
    };
    assert_eq!(candidates, ["a/read", "b/read"]);
    for name in ["a/read", "b/read"] {
        let Resolution::Loaded(tool) = surface.resolve(name) else { panic!("{name}") };
        assert_eq!(tool.qualified_name(), name);
    }
    assert!(catalog.find("read").is_none());
}

/// E58: within a namespace a name leads to one tool.
#[test]
fn a_name_that_is_taken_in_its_namespace_is_refused() {
    let mut catalog = catalog([aliased("t", "read", &["cat"])]);
    let mut second = aliased("t", "x", &["read", "cat"]);
    assert_eq!(
        refusals(&mut catalog, second.clone()),
        ["/declaration/aliases", "/declaration/aliases"]
    );
    second.declaration.aliases = None;
    second.declaration.name = Lax::from(&"cat".parse::<CallableName>().unwrap());
    assert_eq!(refusals(&mut catalog, second), ["/declaration/name"]);
}

#[test]
fn a_removed_tool_gives_its_names_back() {
    let mut catalog = catalog([aliased("t", "read", &["cat"]), definition("t", "write")]);
    assert!(catalog.remove(&"t:read".parse().unwrap()).is_some());
    assert!(catalog.find("read").is_none() && catalog.find("cat").is_none());
    register(&mut catalog, definition("t", "cat"));
    assert_eq!(catalog.len(), 2);
    assert!(catalog.remove(&"t:read".parse().unwrap()).is_none());
}

#[test]
fn a_provider_leaves_with_all_its_tools() {
    let of_files = |name| with("f", name, |tool| tool.provider = Some("files".parse().unwrap()));
    let mut catalog = catalog([of_files("read"), definition("t", "go"), of_files("write")]);
    assert_eq!(catalog.remove_provider(&"files".parse().unwrap()).len(), 2);
    assert_eq!(catalog.tools().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["go"]);
}

#[test]
fn a_catalog_that_changes_leaves_earlier_surfaces_alone() {
    let mut catalog = catalog([definition("t", "read")]);
    let surface = surface(&catalog, equipped());
    catalog.remove(&"t:read".parse().unwrap());
    assert!(matches!(surface.resolve("read"), Resolution::Loaded(_)));
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "a/b", "c", "b/c"])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// E58: whatever is registered, a name leads to the only tool with the strongest claim.
    #[test]
    fn a_name_leads_to_the_strongest_claim(
        tools in prop::collection::vec((name(), name(), prop::collection::vec(name(), 0..2)), 0..8),
        asked in name(),
        space in name(),
    ) {
        let mut catalog = Catalog::new();
        let mut kept = Vec::new();
        for (at, (namespace, name, aliases)) in tools.into_iter().enumerate() {
            let mut tool = aliased(namespace, name, &aliases);
            let id: assent_ids::ToolId = format!("tool{at}").parse().unwrap();
            tool.declaration.tool_id = Lax::from(&id);
            tool.interface.tool_id = Lax::from(&id);
            if catalog.register(tool, Arc::new(Idle)).is_ok() {
                kept.push((id, namespace, name, aliases));
            }
        }
        for requested in [asked.to_owned(), format!("{space}/{asked}")] {
            let is = |namespace: &str, name: &str| {
                requested == name || requested == format!("{namespace}/{name}")
            };
            let primary: BTreeSet<_> =
                kept.iter().filter(|tool| is(tool.1, tool.2)).map(|tool| tool.0.as_str()).collect();
            let by_alias: BTreeSet<_> = kept
                .iter()
                .filter(|tool| tool.3.iter().any(|alias| is(tool.1, alias)))
                .map(|tool| tool.0.as_str())
                .collect();
            let strongest = if primary.is_empty() { by_alias } else { primary };
            let expected = strongest.first().copied().filter(|_| strongest.len() == 1);
            prop_assert_eq!(catalog.find(&requested).map(|tool| tool.id.as_str()), expected);
        }
    }
}

/// Cyrillic `а` (U+0430) looks like Latin `a`.
#[test]
fn a_name_that_looks_like_a_registered_one_is_refused() {
    let name = ["/declaration/name"];
    for (there, new, fields) in [
        (definition("t", "read_file"), definition("t", "re\u{430}d_file"), &name[..]),
        (definition("t", "read_file"), definition("u", "re\u{430}d_file"), &name),
        (aliased("t", "show", &["cat"]), definition("u", "c\u{430}t"), &name),
        (definition("t", "cat"), aliased("u", "show", &["c\u{430}t"]), &["/declaration/aliases"]),
        (definition("bank1", "pay"), definition("bankl", "pay"), &["/declaration/namespace"]),
        (definition("bank", "pay"), definition("x", "b\u{430}nk/pay"), &name),
    ] {
        let mut catalog = catalog([there]);
        assert_eq!(refusals(&mut catalog, new), fields);
    }
}

#[test]
fn names_that_do_not_look_alike_are_accepted_in_any_script() {
    let mut catalog = catalog([
        definition("t", "read_file"),
        definition("u", "read_file"),
        definition("t", "читать"),
        definition("t", "读取文件"),
        definition("t", "read_files"),
    ]);
    let mut renamed = definition("t", "re\u{430}d_file");
    renamed.declaration.tool_id = definition("t", "read_file").declaration.tool_id;
    renamed.interface.tool_id = renamed.declaration.tool_id.clone();
    assert_eq!(refusals(&mut catalog, renamed.clone()), ["/declaration/name"], "u still has it");
    catalog.remove(&"u:read_file".parse().unwrap());
    register(&mut catalog, renamed);
    register(&mut catalog, definition("v", "re\u{430}d_file"));
}
