//! Puts into the crate what programs are compiled and linked with.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[path = "src/program/flags.rs"]
mod flags;
#[path = "src/program/identity.rs"]
mod identity;

/// Paths from the workspace, the same as in `Cargo.toml`.
const INCLUDE: &str = "../programs/include";
const LIBRARY: [&str; 3] = ["../programs/lib", "../programs/lib/mpi", "../programs/lib/simulated"];
/// Several sources become one object.
const OBJECT: [&str; 2] = ["-r", "-nostdlib"];

fn main() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let workspace = own.parent().expect("the crate's folder lies in the workspace");
    let made = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it"));
    for folder in LIBRARY.iter().chain([&INCLUDE]) {
        println!("cargo::rerun-if-changed={}", workspace.join(folder).display());
    }
    for name in ["build.rs", "src/program/flags.rs", "src/program/identity.rs"] {
        println!("cargo::rerun-if-changed={name}");
    }
    println!("cargo::rerun-if-env-changed=CC");
    let headers = files(&workspace.join(INCLUDE), "h");
    let object = made.join("library.o");
    compile(workspace, &object);
    // Nobody waits for it when a point begins.
    let digest = format!("pub const DIGEST: &str = {:?};\n", digest(&object, &headers));
    fs::write(made.join("embedded.rs"), list("INCLUDE", &headers) + &digest)
        .expect("the build folder can be written");
}

/// Of what programs are linked with.
fn digest(object: &Path, headers: &[PathBuf]) -> String {
    let paths = std::iter::once(object).chain(headers.iter().map(PathBuf::as_path));
    let contents: Vec<(&str, Vec<u8>)> =
        paths.map(|path| (name(path), fs::read(path).expect("the file is there"))).collect();
    identity::hash(contents.iter().map(|(name, content)| (*name, content.as_slice())))
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8")
}

/// The files of a folder whose names end so, in the order of names.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("programs/ lies beside simulators/");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|own| own == end)).collect();
    paths.sort();
    paths
}

/// A constant with name and text of every file.
fn list(constant: &str, paths: &[PathBuf]) -> String {
    let mut text = format!("pub const {constant}: &[(&str, &str)] = &[\n");
    for path in paths {
        let name = name(path);
        let path = path.canonicalize().expect("the file is there");
        writeln!(text, "    ({name:?}, include_str!({path:?})),").expect("text can grow");
    }
    text + "];\n"
}

/// Makes one object of the calls, by the machine's compiler or the one that `CC` names.
fn compile(workspace: &Path, object: &Path) {
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(&compiler);
    command.args(flags::FLAGS).args(flags::OF_C).args(OBJECT).arg("-o").arg(object);
    for folder in [INCLUDE, LIBRARY[0]] {
        command.arg("-I").arg(workspace.join(folder));
    }
    for folder in LIBRARY {
        command.args(files(&workspace.join(folder), "c"));
    }
    // `OsString::display` is newer than the compiler of the images.
    let name = compiler.to_string_lossy();
    let status = command.status().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(status.success(), "{name} does not compile programs/lib");
}
