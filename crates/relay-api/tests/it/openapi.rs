//! The OpenAPI document says everything, and says it right.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

use assent_protocol::a2h::ApiCode;
use assent_relay_api::{admin_openapi, admin_operations, openapi, operations};
use serde_json::Value;

fn documents() -> [Value; 2] {
    [openapi("http://127.0.0.1:8700"), admin_openapi()]
}

/// Calls `look` with every value of a document.
fn visit<'d>(value: &'d Value, look: &mut impl FnMut(&'d Value)) {
    look(value);
    match value {
        Value::Array(entries) => entries.iter().for_each(|entry| visit(entry, look)),
        Value::Object(fields) => fields.values().for_each(|field| visit(field, look)),
        _ => {}
    }
}

fn references(document: &Value) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    visit(document, &mut |value| found.extend(value.get("$ref").and_then(Value::as_str)));
    found
}

#[test]
fn every_reference_leads_somewhere() {
    for document in documents() {
        let references = references(&document);
        assert!(references.len() > 20);
        for reference in references {
            let pointer =
                reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} leads outside"));
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    }
}

#[test]
fn every_component_is_used() {
    for document in documents() {
        let references = references(&document);
        // These are described beside the operations.
        let apart = ["schemas/ClientFrame", "schemas/ServerFrame"];
        for kind in ["schemas", "responses"] {
            for name in document["components"][kind].as_object().unwrap().keys() {
                let component = format!("{kind}/{name}");
                let used = references.contains(format!("#/components/{component}").as_str());
                assert!(used || apart.contains(&component.as_str()), "{component}");
            }
        }
    }
}

#[test]
fn every_operation_stands_in_the_document_with_all_its_statuses() {
    let lists = [operations(), admin_operations()];
    for (document, list) in documents().iter().zip(lists) {
        let paths = document["paths"].as_object().unwrap();
        let count: usize = paths.values().map(|item| item.as_object().unwrap().len()).sum();
        assert_eq!(count, list.len());
        for operation in list {
            let method = operation.method.as_str().to_lowercase();
            let described = &paths[operation.path][&method];
            assert_eq!(described["operationId"], operation.id);
            let statuses: BTreeSet<String> =
                described["responses"].as_object().unwrap().keys().cloned().collect();
            let expected = operation.errors().into_iter().map(ApiCode::http_status);
            let expected = expected
                .chain([operation.success])
                .chain(operation.extra_success.iter().map(|(status, _)| *status));
            assert_eq!(
                statuses,
                expected.map(|status| status.to_string()).collect(),
                "{}",
                operation.id
            );
            assert_eq!(
                described.get("requestBody").is_some(),
                operation.takes_body(),
                "{}",
                operation.id
            );
            for name in operation.path_parameters() {
                let parameters = described["parameters"].as_array().unwrap();
                let is_it = |parameter: &Value| {
                    parameter["name"] == name
                        && parameter["in"] == "path"
                        && parameter["required"] == true
                };
                assert!(parameters.iter().any(is_it), "{} {name}", operation.id);
            }
        }
    }
}

#[test]
fn every_code_stands_in_the_document_where_it_can_come() {
    let document = openapi("http://127.0.0.1:8700");
    let described = document["info"]["description"].as_str().unwrap();
    let mut told = BTreeSet::new();
    visit(&document["paths"], &mut |value| {
        let Some(name) = value["$ref"].as_str().and_then(|name| name.strip_prefix("#")) else {
            return;
        };
        let examples =
            document.pointer(name).unwrap()["content"]["application/json"]["examples"].as_object();
        told.extend(examples.into_iter().flatten().map(|(code, _)| code.clone()));
    });
    for code in ApiCode::ALL {
        // No operation has a method that its path does not have: that is said of all of them.
        let is_said = *code == ApiCode::MethodNotAllowed && described.contains(code.as_str());
        assert!(is_said || told.contains(code.as_str()), "{code}");
    }
}

/// The manual says which codes come with which status, and leads to their pages.
#[test]
fn the_manual_lists_every_code_by_its_status() {
    let manual = docs().join("../operations.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let listed: BTreeSet<String> = manual
        .lines()
        .skip_while(|line| !line.starts_with("| status |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .flat_map(|row| {
            let status = row.split('|').nth(1).unwrap().trim().to_owned();
            let codes =
                row.split("](errors/").skip(1).map(|rest| rest.split_once(".md)").unwrap().0);
            codes.map(move |code| format!("{status} {code}")).collect::<Vec<_>>()
        })
        .collect();
    let codes = ApiCode::ALL.iter();
    assert_eq!(listed, codes.map(|code| format!("{} {code}", code.http_status())).collect());
}

#[test]
fn ids_of_operations_are_unique() {
    for document in documents() {
        let mut ids = Vec::new();
        visit(&document, &mut |value| ids.extend(value.get("operationId").and_then(Value::as_str)));
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{ids:?}");
    }
}

#[test]
fn everything_that_a_person_meets_is_described() {
    for document in documents() {
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            let described = schema["description"].as_str().is_some_and(|text| !text.is_empty());
            assert!(described, "{name}");
            for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
                let described = schema["description"].is_string()
                    || schema["const"].is_string()
                    || schema["$ref"].is_string();
                assert!(described, "{name}.{field}");
            }
        }
    }
}

#[test]
fn no_text_speaks_of_rust() {
    for document in documents() {
        visit(&document, &mut |value| {
            let Some(text) = value.as_str() else { return };
            for word in ["[`", "::", "Option<", "Vec<"] {
                assert!(!text.contains(word), "{text}");
            }
        });
    }
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/relay")
}

/// `ASSENT_UPDATE=1` rewrites the documents.
#[test]
fn the_committed_documents_are_the_present_ones() {
    for (document, name) in documents().iter().zip(["openapi.json", "admin-openapi.json"]) {
        let path = docs().join(name);
        let text = serde_json::to_string_pretty(document).unwrap() + "\n";
        if std::env::var_os("ASSENT_UPDATE").is_some() {
            std::fs::create_dir_all(docs()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        // The order of members depends on what else is built along.
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        let committed: Value = serde_json::from_str(&committed).unwrap_or_default();
        assert!(
            committed == *document,
            "run this test with ASSENT_UPDATE=1 and commit docs/relay/{name}"
        );
    }
}

/// The validator of the OpenAPI project, in an environment of its own below the target directory.
fn python() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openapi-spec-validator");
    let python = folder.join("bin/python");
    let run = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let done = folder.join("installed-0.9.0");
    if !done.exists() {
        run(Path::new("python3"), &["-m", "venv", "--clear", folder.to_str().unwrap()]);
        run(&python, &["-m", "pip", "install", "--quiet", "openapi-spec-validator==0.9.0"]);
        std::fs::write(done, "").unwrap();
    }
    python
}

#[test]
fn the_documents_are_valid_by_the_meta_schema_of_openapi() {
    let python = python();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (document, name) in documents().iter().zip(["openapi.json", "admin-openapi.json"]) {
        let path = folder.join(name);
        std::fs::write(&path, serde_json::to_vec(document).unwrap()).unwrap();
        let output = Command::new(&python)
            .args(["-m", "openapi_spec_validator", "--schema", "3.1", "--errors", "all"])
            .arg(&path)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let failed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("OK"), "{name}: {said}{failed}");
    }
}
