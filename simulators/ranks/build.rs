//! Puts into the crate what programs are compiled with.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

/// Paths from the workspace, the same as in `Cargo.toml`.
const INCLUDE: &str = "../programs/include";
const LIBRARY: &str = "../programs/lib";
/// Also a part of the library.
const MPI: &str = "../programs/lib/mpi";
const SIMULATED: &str = "../programs/lib/simulated";

fn main() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let workspace = own.parent().expect("the crate's folder lies in the workspace");
    let made = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it")).join("embedded.rs");
    let lists: [(_, &[&str]); 3] =
        [("INCLUDE", &[INCLUDE]), ("LIBRARY", &[LIBRARY, MPI]), ("SIMULATED", &[SIMULATED])];
    let mut text = String::new();
    for (name, folders) in lists {
        let folders: Vec<PathBuf> = folders.iter().map(|path| workspace.join(path)).collect();
        for folder in &folders {
            println!("cargo::rerun-if-changed={}", folder.display());
        }
        text += &list(name, &folders);
    }
    fs::write(made, text).expect("the build folder can be written");
}

/// A constant with name and text of every file of some folders, in the order of names.
fn list(constant: &str, folders: &[PathBuf]) -> String {
    let read = |folder: &PathBuf| fs::read_dir(folder).expect("programs/ lies beside simulators/");
    let entries = folders.iter().flat_map(read);
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "c" || end == "h")).collect();
    paths.sort();
    let mut text = format!("pub const {constant}: &[(&str, &str)] = &[\n");
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        let path = path.canonicalize().expect("the file is there");
        writeln!(text, "    ({name:?}, include_str!({path:?})),").expect("text can grow");
    }
    text + "];\n"
}
