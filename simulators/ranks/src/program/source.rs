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
    /// Reads a file. `sha256`, in hexadecimal digits, is its digest when the point was planned: of C that
    /// of its tokens, so that comments do not count.
    pub fn read(path: &Path, sha256: Option<&str>) -> Result<Self, String> {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let counted = match path.extension().and_then(|end| end.to_str()) {
            Some("c") => source_version::content("source.c", &text),
            _ => text.clone(),
        };
        let found: String = Hash::hash(&counted).iter().map(|byte| format!("{byte:02x}")).collect();
        match sha256 {
            Some(planned) if planned != found => Err(format!(
                "{} has changed since the point was planned; plan again",
                path.display()
            )),
            _ => Ok(Self { path: path.to_path_buf(), text }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANNED: &str = "int a = 1;\n";

    fn digest(text: &str) -> String {
        let hash = Hash::hash(&source_version::content("source.c", text.as_bytes()));
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads `text` from a file with this ending, planned with this digest.
    fn read(ending: &str, text: &str, sha256: &str) -> Result<Source, String> {
        let name = format!("weft-source-{}-{}.{ending}", std::process::id(), text.len());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        let found = Source::read(&path, Some(sha256));
        std::fs::remove_file(&path).unwrap();
        found
    }

    #[test]
    fn a_program_is_as_planned_whatever_its_comments_say() {
        let commented = "/* Why. */\nint a = 1; // one\n";
        assert_eq!(read("c", commented, &digest(PLANNED)).unwrap().text, commented.as_bytes());
        let changed = read("c", "int a = 2;\n", &digest(PLANNED)).unwrap_err();
        assert!(changed.ends_with("has changed since the point was planned; plan again"));
    }

    #[test]
    fn every_byte_of_an_input_counts() {
        let whole: String = Hash::hash(b"1,2\n").iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(read("csv", "1,2\n", &whole).is_ok());
        assert!(read("csv", "1, 2\n", &whole).is_err());
    }
}
