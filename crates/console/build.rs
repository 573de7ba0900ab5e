//! Lists the files of the pages, so that they are part of the binary.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages");
    println!("cargo::rerun-if-changed={}", pages.display());
    let mut files = Vec::new();
    list(&pages, &mut files)?;
    let mut lines = Vec::new();
    for file in files {
        let name = file.strip_prefix(&pages).map_err(io::Error::other)?;
        let name = name.to_string_lossy().replace('\\', "/");
        lines.push((name, file));
    }
    // As texts, because that is how they are looked up.
    lines.sort();
    let mut table = String::from("&[\n");
    for (name, file) in lines {
        let line = format!("({name:?}, include_bytes!({:?}).as_slice()),\n", file.display());
        table.push_str(&line);
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("files.rs"), table)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
