//! Files of a user that a point names, and a check that they are as they were planned.

use hmac_sha256::Hash;
use std::path::{Path, PathBuf};

/// A file with its content.
#[derive(Debug, Clone)]
pub struct Source {
    pub path: PathBuf,
    pub text: Vec<u8>,
}

impl Source {
    /// Reads a file. `sha256`, in hexadecimal digits, is its digest when the point was planned.
    pub fn read(path: &Path, sha256: Option<&str>) -> Result<Self, String> {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let found: String = Hash::hash(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        match sha256 {
            Some(planned) if planned != found => Err(format!(
                "{} has changed since the point was planned; plan again",
                path.display()
            )),
            _ => Ok(Self { path: path.to_path_buf(), text }),
        }
    }
}
