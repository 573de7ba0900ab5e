//! `docs/conformance.md` and the tests say the same about the items of the standard.
//!
//! A test names its items at the beginning of its documentation: `/// Item 7.` or `/// Items 12, 18-20: …`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use crate::{root, tidy::rust_files};

/// How many items the standard has.
const ITEMS: u32 = 176;

/// Tests by their name, each with the items it names.
type Tests = BTreeMap<String, BTreeSet<u32>>;

/// A row of the page.
#[derive(Debug)]
struct Row<'a> {
    item: u32,
    status: &'a str,
    places: Vec<&'a str>,
    tests: Vec<&'a str>,
}

fn rows(page: &str) -> Vec<Row<'_>> {
    page.lines().filter_map(row).collect()
}

/// `| item | text | status | places | tests |`
fn row(line: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = line.trim().strip_prefix('|')?.split('|').map(str::trim).collect();
    let [item, _, status, places, tests, ..] = cells[..] else { return None };
    Some(Row {
        item: item.parse().ok()?,
        status,
        places: between_backticks(places),
        tests: between_backticks(tests),
    })
}

fn between_backticks(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The items that begin a documentation, if it begins with any.
fn named(documentation: &str) -> BTreeSet<u32> {
    let list = documentation.strip_prefix("Items ").or_else(|| documentation.strip_prefix("Item "));
    let mut items = BTreeSet::new();
    for part in list.unwrap_or_default().split(", ") {
        // What follows the last number is the rest of the sentence.
        let numbers: String =
            part.chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
        let (first, last) = numbers.split_once('-').unwrap_or((&numbers, &numbers));
        let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else { break };
        items.extend(first..=last);
        if numbers.len() < part.len() {
            break;
        }
    }
    items
}

/// The tests of a file with the items they name; those that name none are left out.
fn tests_of(module: &str, source: &str) -> Tests {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let mut found = Tests::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix("async fn ").or_else(|| line.strip_prefix("fn ")) else {
            continue;
        };
        let above = lines[..at].iter().rev();
        let mut above: Vec<&str> = above
            .copied()
            .take_while(|line| line.starts_with("#[") || line.starts_with("///"))
            .collect();
        above.reverse();
        let is_test = above
            .iter()
            .any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"));
        let documentation: Vec<&str> =
            above.iter().filter_map(|line| line.strip_prefix("///")).map(str::trim).collect();
        let items = named(&documentation.join(" "));
        if is_test && !items.is_empty() {
            let name = rest.split(['(', '<']).next().unwrap();
            found.insert(format!("{module}::{name}"), items);
        }
    }
    found
}

/// `crates/runtime/tests/it/calls.rs` is `runtime::calls`.
fn module(path: &Path) -> Option<String> {
    let path = path.strip_prefix(root().join("crates")).ok()?.with_extension("");
    let mut parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
    match parts[..] {
        [_, "src", _, ..] => _ = parts.remove(1),
        [_, "tests", "it", _, ..] => _ = parts.drain(1..3),
        _ => return None,
    }
    Some(parts.join("::"))
}

fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    rust_files(&root().join("crates"), &mut files);
    let source = |path: &Path| Some((module(path)?, fs::read_to_string(path).unwrap()));
    files.iter().filter_map(|path| source(path)).collect()
}

fn tests() -> Tests {
    sources().iter().flat_map(|(module, source)| tests_of(module, source)).collect()
}

fn page() -> String {
    fs::read_to_string(root().join("docs/conformance.md")).unwrap()
}

/// Everything that the page and the tests say differently.
fn problems(page: &str, tests: &Tests) -> Vec<String> {
    let rows = rows(page);
    let mut problems = Vec::new();
    for item in 1..=ITEMS {
        let count = rows.iter().filter(|row| row.item == item).count();
        if count != 1 {
            problems.push(format!("item {item} has {count} rows"));
        }
    }
    for row in &rows {
        let item = row.item;
        if !(1..=ITEMS).contains(&item) {
            problems.push(format!("there is no item {item}"));
        }
        if row.tests.is_empty() {
            problems.push(format!("item {item} has no test"));
        }
        for test in &row.tests {
            match tests.get(*test) {
                None => problems.push(format!("item {item}: no test `{test}` names any item")),
                Some(named) if !named.contains(&item) => {
                    problems.push(format!("item {item}: `{test}` does not name it"));
                }
                Some(_) => {}
            }
        }
        let reason = format!("- **{item}**: ");
        let has_reason = page.lines().any(|line| line.starts_with(&reason));
        match row.status {
            "met" if !has_reason => {}
            "met differently" | "not applicable" if has_reason => {}
            status => {
                problems.push(format!("item {item}: `{status}`, with a reason: {has_reason}"))
            }
        }
    }
    for (test, items) in tests {
        for item in items {
            let listed =
                rows.iter().any(|row| row.item == *item && row.tests.contains(&test.as_str()));
            if !listed {
                problems.push(format!("`{test}` names item {item}, and its row does not list it"));
            }
        }
    }
    problems
}

#[test]
fn the_page_and_the_tests_agree() {
    let problems = problems(&page(), &tests());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_places_on_the_page_exist() {
    for row in rows(&page()) {
        assert!(!row.places.is_empty(), "item {}", row.item);
        for place in row.places {
            let (krate, within) = place.split_once('/').unwrap_or((place, ""));
            let path = root().join("crates").join(krate).join("src").join(within);
            assert!(
                path.exists() || path.with_extension("rs").exists(),
                "item {}: {place}",
                row.item
            );
        }
    }
}

#[test]
fn items_are_named_in_one_way() {
    for (module, source) in sources() {
        for line in source.lines().map(str::trim) {
            let in_a_name = line.split("fn item_").nth(1).and_then(|rest| rest.chars().next());
            let is_numbered = in_a_name.is_some_and(|first| first.is_ascii_digit());
            assert!(!is_numbered, "{module}: say it in the documentation: {line}");
        }
    }
}

/// Two tests, one with a list and one with a range, and a function that is none.
const SOURCE: &str = "
/// Items 1, 3: words.
#[test]
fn one() {}

    /// Item 5-6, E7: more words.
    #[tokio::test(start_paused = true)]
    async fn other() {}

/// Item 9.
fn helper() {}
";

#[test]
fn items_are_read_from_the_documentation_of_tests() {
    let expected = [
        ("m::one".to_owned(), BTreeSet::from([1, 3])),
        ("m::other".to_owned(), BTreeSet::from([5, 6])),
    ];
    assert_eq!(tests_of("m", SOURCE), Tests::from(expected));
    assert_eq!(named("The items 1, 2."), BTreeSet::new());
    assert_eq!(named("Items 7, acceptance 1 and 2: words"), BTreeSet::from([7]));
}

/// A page that is right for the tests of [`right`].
fn right() -> (String, Tests) {
    let row = |item| format!("| {item} | Text. | met | `ids` | `m::t` |\n");
    let tests = Tests::from([("m::t".to_owned(), (1..=ITEMS).collect())]);
    ((1..=ITEMS).map(row).collect(), tests)
}

#[test]
fn whatever_does_not_agree_is_found() {
    let (page, tests) = right();
    assert_eq!(problems(&page, &tests), [""; 0]);
    let row = "| 7 | Text. | met | `ids` | `m::t` |\n";
    for (with, expected) in [
        ("", "item 7 has 0 rows"),
        (&row.repeat(2), "item 7 has 2 rows"),
        ("| 7 | Text. | met | `ids` | |\n", "item 7 has no test"),
        ("| 7 | Text. | met | `ids` | `m::other` |\n", "item 7: no test `m::other` names any item"),
        (
            "| 7 | Text. | met differently | `ids` | `m::t` |\n",
            "item 7: `met differently`, with a reason: false",
        ),
        ("| 7 | Text. | planned | `ids` | `m::t` |\n", "item 7: `planned`, with a reason: false"),
    ] {
        let found = problems(&page.replace(row, with), &tests);
        assert!(found.iter().any(|problem| problem == expected), "{expected}: {found:?}");
    }
    let beyond = format!("{page}| 177 | Text. | met | `ids` | `m::t` |\n");
    assert!(problems(&beyond, &tests).contains(&"there is no item 177".to_owned()));
    let mut silent = tests.clone();
    silent.get_mut("m::t").unwrap().remove(&7);
    assert_eq!(problems(&page, &silent), ["item 7: `m::t` does not name it"]);
    let mut more = tests;
    more.insert("m::more".to_owned(), BTreeSet::from([7]));
    let expected = "`m::more` names item 7, and its row does not list it";
    assert_eq!(problems(&page, &more), [expected]);
}
