//! Files of a user that a point names, and a check that they are as they were planned. A program is one
//! file or several.

use hmac_sha256::Hash;
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};

/// A program: a file with its content, or several.
#[derive(Debug, Clone)]
pub struct Source {
    pub path: PathBuf,
    /// Of all files.
    pub text: Vec<u8>,
    /// Files that the program finds in the folder in which it runs, by their paths from there.
    pub data: Vec<(PathBuf, Vec<u8>)>,
    pub(super) parts: Option<Parts>,
    /// A program that `weft-cc` has linked.
    pub(super) made: Option<Vec<u8>>,
}

/// A program of several files, as a point describes it. All paths are from `root`.
#[derive(Debug, Clone, Deserialize)]
pub struct Build {
    /// The path from the project.
    #[serde(default)]
    root: PathBuf,
    #[serde(default)]
    language: Language,
    /// What is compiled.
    #[serde(default)]
    sources: Vec<PathBuf>,
    /// In place of sources: a program that `weft-cc` has linked, by its path from the project, and its
    /// digest.
    #[serde(default)]
    executable: Option<(PathBuf, Option<String>)>,
    /// Folders in which headers are looked for.
    #[serde(default)]
    include: Vec<PathBuf>,
    /// `NAME` or `NAME=value`.
    #[serde(default)]
    defines: Vec<String>,
    #[serde(default)]
    flags: Vec<String>,
    /// Every file that the compiler gets to see, with its digest when the point was planned.
    files: Vec<(PathBuf, Option<String>)>,
    /// What the program reads: the name that it has there, the path, and the digest.
    #[serde(default)]
    data: Vec<(PathBuf, PathBuf, Option<String>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Language {
    #[default]
    #[serde(rename = "c")]
    C,
    #[serde(rename = "c++")]
    Cpp,
    #[serde(rename = "fortran")]
    Fortran,
}

/// The same with the content of the files.
#[derive(Debug, Clone)]
pub struct Parts {
    pub language: Language,
    pub sources: Vec<PathBuf>,
    pub include: Vec<PathBuf>,
    /// Flags for the compiler, those of the macros among them.
    pub flags: Vec<String>,
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Whether directives of OpenMP were asked for.
    pub openmp: bool,
}

/// Flags that turn on what ranks, which share one thread, do not have.
const OPENMP: &str = "-fopenmp";

impl Source {
    /// Reads a file. `sha256`, in hexadecimal digits, is its digest when the point was planned: of C that
    /// of its tokens, so that comments do not count.
    pub fn read(path: &Path, sha256: Option<&str>) -> Result<Self, String> {
        let text = read(path, sha256)?;
        Ok(Self { path: path.to_path_buf(), text, data: vec![], parts: None, made: None })
    }

    /// Reads a program of several files.
    ///
    /// # Errors
    /// When a file is missing, is not as it was planned, or lies outside of the project.
    pub fn of_files(build: &Build) -> Result<Self, String> {
        let named = build.files.iter().map(|(path, _)| path);
        let named = named.chain(build.data.iter().flat_map(|(name, path, _)| [name, path]));
        let inside = |path: &&PathBuf| {
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        };
        let named = named.chain(&build.sources);
        if let Some(path) = named.chain(&build.include).find(|p| !inside(p)) {
            return Err(format!("{} leads out of the folders of the program", path.display()));
        }
        let read = |(path, sha256): &(PathBuf, Option<String>)| {
            Ok((path.clone(), read(&build.root.join(path), sha256.as_deref())?))
        };
        let data = build.data.iter().map(|(name, path, sha256)| {
            Ok((name.clone(), read_as_it_is(&build.root.join(path), sha256.as_deref())?))
        });
        let data = data.collect::<Result<Vec<_>, String>>()?;
        if let Some((path, sha256)) = &build.executable {
            let made = Some(read_as_it_is(path, sha256.as_deref())?);
            return Ok(Self { path: path.clone(), text: vec![], data, parts: None, made });
        }
        let first = build.sources.first().ok_or("workload.build.sources is empty")?;
        let files = build.files.iter().map(read).collect::<Result<Vec<_>, String>>()?;
        let text = files.iter().flat_map(|(_, text)| text.iter().chain(b"\n")).copied().collect();
        let macros = build.defines.iter().map(|define| format!("-D{define}"));
        let flags = build.flags.iter().filter(|flag| *flag != OPENMP).cloned();
        let parts = Parts {
            language: build.language,
            sources: build.sources.clone(),
            include: build.include.clone(),
            flags: flags.chain(macros).collect(),
            openmp: build.flags.iter().any(|flag| flag == OPENMP),
            files,
        };
        Ok(Self { path: first.clone(), text, data, parts: Some(parts), made: None })
    }
}

fn read(path: &Path, sha256: Option<&str>) -> Result<Vec<u8>, String> {
    let is_c = path.extension().is_some_and(|end| end == "c");
    let counted = |text: &[u8]| source_version::content("source.c", text);
    if is_c { as_planned(path, sha256, counted) } else { read_as_it_is(path, sha256) }
}

/// The file, of which every byte counts.
fn read_as_it_is(path: &Path, sha256: Option<&str>) -> Result<Vec<u8>, String> {
    as_planned(path, sha256, <[u8]>::to_vec)
}

fn as_planned(
    path: &Path,
    sha256: Option<&str>,
    counted: impl Fn(&[u8]) -> Vec<u8>,
) -> Result<Vec<u8>, String> {
    let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let hash = Hash::hash(&counted(&text));
    let found: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    match sha256 {
        Some(planned) if planned != found => {
            Err(format!("{} has changed since the point was planned; plan again", path.display()))
        }
        _ => Ok(text),
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
