//! Compiled programs, cached by content in `programs/build/<hash>/`.

use super::Source;
use super::compiler::{self, Compiler, Task};
use super::constructors;
use super::embedded::{INCLUDE, LIBRARY};
use super::source::{Language, Parts};
use super::words;
use crate::names;
use hmac_sha256::Hash;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io, process};

/// The environment variable that names another folder for compiled programs.
const VARIABLE: &str = "WEFT_PROGRAM_CACHE";
const FOLDER: &str = "programs/build";
const PROGRAM: &str = "program.so";
const LIBRARY_OBJECT: &str = "library.o";
const DIGITS: usize = 24;

/// A compiled program.
#[derive(Debug, Clone)]
pub struct Built {
    library: PathBuf,
    source: PathBuf,
}

impl Built {
    /// Compiles a program unless that was done before.
    ///
    /// # Errors
    /// Reports what the compiler says.
    pub fn new(source: &Source) -> Result<Self, String> {
        if source.parts.as_ref().is_some_and(|parts| parts.openmp) {
            eprintln!("directives of OpenMP are left out: every rank is one thread");
        }
        Ok(Self { library: build(source)?, source: source.path.clone() })
    }

    /// The shared library.
    pub fn library(&self) -> &Path {
        &self.library
    }

    pub(super) fn source(&self) -> &Path {
        &self.source
    }
}

fn build(source: &Source) -> Result<PathBuf, String> {
    let compiler = Compiler::find(compiler::Language::C)?;
    let cache = env::var_os(VARIABLE).map_or_else(|| FOLDER.into(), PathBuf::from);
    let cache = std::path::absolute(&cache).map_err(at(&cache))?;
    let headers = INCLUDE.iter().map(|(name, text)| (*name, text.as_bytes()));
    let library = hash([(LIBRARY_OBJECT, LIBRARY)].into_iter().chain(headers));
    let library = Library { folder: cache.join(library), compiler };
    match &source.parts {
        Some(parts) => library.build_parts(&cache, parts),
        None => library.build_file(&cache, source),
    }
}

/// What every program is linked with.
struct Library {
    folder: PathBuf,
    /// Of C.
    compiler: Compiler,
}

impl Library {
    fn object(&self) -> Result<PathBuf, String> {
        cached(&self.folder, LIBRARY_OBJECT, write_library)
    }

    /// What a program's digest covers beside its sources.
    fn identity(&self) -> [(&'static str, &[u8]); 2] {
        let library = self.folder.as_os_str().as_encoded_bytes();
        [("library", library), ("compiler of C", self.compiler.identity.as_bytes())]
    }

    /// A program of one file.
    fn build_file(&self, cache: &Path, source: &Source) -> Result<PathBuf, String> {
        // The path counts: it is in the compiler's messages and in `__FILE__`.
        let path = source.path.to_string_lossy();
        let own: (&str, &[u8]) = (&path, &source.text);
        let program = hash(self.identity().into_iter().chain([own]));
        cached(&cache.join(program), PROGRAM, |folder| {
            let copy = folder.join("program.c");
            write_copy(&copy, source).map_err(at(&copy))?;
            let output = self.compiler.compile(&Task {
                folder,
                include: &[&self.folder.join("include")],
                flags: &[],
                sources: &["program.c".into(), self.object()?],
                name: Path::new(PROGRAM),
            })?;
            check(&output).map_err(|words| {
                format!("the program {} does not compile: {words}", source.path.display())
            })?;
            constructors::set_aside(&folder.join(PROGRAM))
        })
    }

    /// A program of several files, in a folder that holds these files and no others.
    fn build_parts(&self, cache: &Path, parts: &Parts) -> Result<PathBuf, String> {
        let compiler = match parts.language {
            Language::C => self.compiler.clone(),
            Language::Cpp => Compiler::find(compiler::Language::Cpp)?,
        };
        let words = format!("{:?} {:?} {:?}", parts.sources, parts.include, parts.flags);
        let own = [("compiler", compiler.identity.as_bytes()), ("", words.as_bytes())];
        let files: Vec<_> =
            parts.files.iter().map(|(path, text)| (path.to_string_lossy(), text)).collect();
        let files = files.iter().map(|(path, text)| (path.as_ref(), text.as_slice()));
        let program = hash(self.identity().into_iter().chain(own).chain(files));
        cached(&cache.join(program), PROGRAM, |folder| {
            let root = folder.join("files");
            write_files(&root, parts)?;
            let mut sources = in_their_languages(parts);
            sources.push(self.object()?);
            let own = self.folder.join("include");
            let include: Vec<&Path> =
                parts.include.iter().map(PathBuf::as_path).chain([own.as_path()]).collect();
            let output = compiler.compile(&Task {
                folder: &root,
                include: &include,
                flags: &parts.flags,
                sources: &sources,
                name: &folder.join(PROGRAM),
            })?;
            let first = parts.sources[0].display();
            check(&output).map_err(|words| {
                format!("the program of {first} does not compile: {words}{}", words::hint(&words))
            })?;
            constructors::set_aside(&folder.join(PROGRAM))
        })
    }
}

/// The sources; the compiler of C++ gets switches, because it takes all of them for its own language.
fn in_their_languages(parts: &Parts) -> Vec<PathBuf> {
    if parts.language == Language::C {
        return parts.sources.clone();
    }
    let mut words: Vec<PathBuf> = vec![];
    for source in &parts.sources {
        let language = if source.extension().is_some_and(|end| end == "c") { "c" } else { "c++" };
        words.extend(["-x".into(), language.into(), source.clone()]);
    }
    words.extend(["-x".into(), "none".into()]);
    words
}

fn write_files(root: &Path, parts: &Parts) -> Result<(), String> {
    for (path, text) in &parts.files {
        let copy = root.join(path);
        let folder = copy.parent().unwrap_or(root);
        fs::create_dir_all(folder).map_err(at(folder))?;
        fs::write(&copy, text).map_err(at(&copy))?;
    }
    // Paths may lead through folders that hold no file.
    for folder in &parts.include {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).map_err(at(&folder))?;
    }
    Ok(())
}

/// The file `name` in `folder`. If it is missing, `make` fills a new folder that takes its place.
fn cached(
    folder: &Path,
    name: &str,
    make: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let made = folder.join(name);
    if !made.is_file() {
        let temporary = Temporary::new(folder)?;
        make(&temporary.0)?;
        temporary.rename(folder, &made)?;
    }
    Ok(made)
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

fn hash<'a>(parts: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hash = Hash::new();
    for (name, content) in parts {
        hash.update(format!("{name} {}\n", content.len()));
        hash.update(content);
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    hex[..DIGITS].to_string()
}

/// The calls and collectives as one object, with the headers beside it.
fn write_library(folder: &Path) -> Result<(), String> {
    let include = folder.join("include");
    fs::create_dir_all(&include).map_err(at(&include))?;
    for (name, content) in INCLUDE {
        let header = include.join(name);
        fs::write(&header, content).map_err(at(&header))?;
    }
    let object = folder.join(LIBRARY_OBJECT);
    fs::write(&object, LIBRARY).map_err(at(&object))
}

/// Copies the program, so that the compiler finds only headers that the program's digest covers.
fn write_copy(copy: &Path, source: &Source) -> io::Result<()> {
    let name = source.path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("#line 1 \"{name}\"\n").into_bytes();
    text.extend_from_slice(&source.text);
    fs::write(copy, text)
}

/// Warnings go to the log, errors become the error.
fn check(output: &Output) -> Result<(), String> {
    let words = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(words::errors(&words));
    }
    eprint!("{}", names::in_words_of_the_program(&words));
    Ok(())
}

/// A folder that is removed when the build fails.
struct Temporary(PathBuf);

impl Temporary {
    fn new(target: &Path) -> Result<Self, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let end = format!("tmp-{}-{number}", process::id());
        let path = target.with_extension(end);
        fs::create_dir_all(&path).map_err(at(&path))?;
        Ok(Self(path))
    }

    /// Where another process was faster, the same content is there already.
    fn rename(self, target: &Path, made: &Path) -> Result<(), String> {
        match fs::rename(&self.0, target) {
            Err(_) if made.is_file() => Ok(()),
            Err(error) => Err(at(target)(error)),
            Ok(()) => Ok(()),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
