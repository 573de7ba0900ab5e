//! Collects the pages of `docs/errors` and `docs/rules` into a table, so that `explain` knows every
//! page that exists and the texts stand in one place.
#![allow(clippy::expect_used, clippy::panic, reason = "a build that cannot go on should stop")]

use std::{env, fmt::Write as _, fs, path::Path};

fn main() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut table = String::from("pub(super) const PAGES: &[Page] = &[\n");
    for (folder, kind) in [("errors", "Error"), ("rules", "Rule")] {
        let folder = docs.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut pages: Vec<_> = fs::read_dir(&folder)
            .expect("the folder of pages")
            .map(|entry| entry.expect("a page").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
            .collect();
        pages.sort();
        for page in pages {
            let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
            let page = page.canonicalize().expect("a path");
            writeln!(
                table,
                "    Page {{ name: {name:?}, kind: PageKind::{kind}, text: include_str!({page:?}) }},"
            )
            .expect("a string takes all text");
        }
    }
    table.push_str("];\n");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("pages.rs"), table).expect("the output folder is ours");
}
