//! Digests of what counts of files: `contents FOLDER` prints name and SHA-256 of each, for a test that
//! compares them with those of the twin in Python.

use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).unwrap_or_else(|| ".".into());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let content = source_version::content(&name, &fs::read(&path)?);
        let digest = hmac_sha256::Hash::hash(&content);
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{name} {hex}");
    }
    Ok(())
}
