//! Names an executable after the sources it is built from; for build scripts.
//!
//! `workflow/weft/engines/source_version.py` computes the same from the tree, so that a plan knows
//! whether an executable was built from it.

mod lock;
mod tokens;

pub use tokens::content;

use hmac_sha256::Hash;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Hex digits of the digest.
const DIGITS: usize = 12;

/// Gives the crate the variable `SOURCE_VERSION`: its Cargo version, `+` and the digest.
///
/// `crates` names the workspace's crates that this one depends on, also through others. `folders` are
/// further sources, as paths from the workspace: those that the manifests of these crates name under
/// `package.metadata.source_version.folders`.
///
/// # Panics
/// When a source cannot be read: then nothing can be built either.
pub fn embed(crates: &[&str], folders: &[&str]) {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let workspace = own.parent().expect("the crate's folder lies in the workspace");
    let name = own.file_name().and_then(|name| name.to_str()).expect("a folder with a name");
    let all: Vec<&str> = crates.iter().copied().chain([name]).collect();
    for path in watched(workspace, &all).chain(folders.iter().map(ToString::to_string)) {
        println!("cargo::rerun-if-changed={}", workspace.join(path).display());
    }
    let digest = digest(workspace, &all, folders).expect("the sources can be read");
    let version = env::var("CARGO_PKG_VERSION").expect("Cargo sets it");
    println!("cargo::rustc-env=SOURCE_VERSION={version}+{digest}");
}

fn watched<'a>(workspace: &'a Path, crates: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    let own = crates.iter().flat_map(|name| files(workspace, name).chain([format!("{name}/src")]));
    own.chain(["Cargo.lock".to_string()])
}

/// What a crate is built from beside its folder `src`. Its build script counts, because it may write
/// code.
fn files<'a>(workspace: &'a Path, name: &str) -> impl Iterator<Item = String> + use<'a> {
    let script = format!("{name}/build.rs");
    let script = workspace.join(&script).is_file().then_some(script);
    [format!("{name}/Cargo.toml")].into_iter().chain(script)
}

/// Digest of what `crates` of the workspace are built from: the tokens of manifests, build scripts,
/// `src` and other folders, and locked packages. Comments and white space do not count.
///
/// # Errors
/// When a file cannot be read.
pub fn digest(workspace: &Path, crates: &[&str], folders: &[&str]) -> io::Result<String> {
    let mut files = Vec::new();
    for name in crates {
        files.extend(self::files(workspace, name));
        collect(workspace, &format!("{name}/src"), &mut files)?;
    }
    for folder in folders {
        collect(workspace, folder, &mut files)?;
    }
    files.sort();
    let mut hash = Hash::new();
    for file in files {
        add(&mut hash, &file, &content(&file, &fs::read(workspace.join(&file))?));
    }
    let locked = fs::read_to_string(workspace.join("Cargo.lock"))?;
    add(&mut hash, "Cargo.lock", lock::reached(&locked, crates).as_bytes());
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(hex[..DIGITS].to_string())
}

fn add(hash: &mut Hash, name: &str, content: &[u8]) {
    hash.update(format!("{name} {}\n", content.len()));
    hash.update(content);
}

/// All files below `folder`, as paths from the workspace; what an editor hides does not count.
fn collect(workspace: &Path, folder: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(workspace.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{folder}/{name}");
        if entry.path().is_dir() {
            collect(workspace, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
