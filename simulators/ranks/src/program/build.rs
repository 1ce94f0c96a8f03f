//! Compiled programs, cached by content in `programs/build/<hash>/`.

use super::Source;
use super::compiler::{Compiler, Made};
use super::embedded::{INCLUDE, LIBRARY};
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
    let compiler = Compiler::find()?;
    let cache = env::var_os(VARIABLE).map_or_else(|| FOLDER.into(), PathBuf::from);
    let cache = std::path::absolute(&cache).map_err(at(&cache))?;
    let embedded = INCLUDE.iter().chain(LIBRARY).map(|(name, text)| (*name, text.as_bytes()));
    let identity = ("compiler", compiler.identity.as_bytes());
    let library = hash([identity].into_iter().chain(embedded));
    // The path counts: it is in the compiler's messages and in `__FILE__`.
    let path = source.path.to_string_lossy();
    let program = hash([("library", library.as_bytes()), (&path, &source.text)].into_iter());
    let library = cache.join(library);
    cached(&cache.join(program), PROGRAM, |folder| {
        let object = cached(&library, LIBRARY_OBJECT, |folder| make_library(&compiler, folder))?;
        let copy = folder.join("program.c");
        write_copy(&copy, source).map_err(at(&copy))?;
        let sources = [PathBuf::from("program.c"), object];
        let include = library.join("include");
        let output = compiler.compile(folder, &include, &sources, Made::SharedLibrary, PROGRAM)?;
        check(&output).map_err(|words| {
            format!("the program {} does not compile: {words}", source.path.display())
        })
    })
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
fn make_library(compiler: &Compiler, folder: &Path) -> Result<(), String> {
    for (place, files) in [("include", INCLUDE), ("lib", LIBRARY)] {
        let place = folder.join(place);
        fs::create_dir_all(&place).map_err(at(&place))?;
        for (name, content) in files {
            fs::write(place.join(name), content).map_err(at(&place))?;
        }
    }
    let names = LIBRARY.iter().map(|(name, _)| name).filter(|name| name.ends_with(".c"));
    let sources: Vec<PathBuf> = names.map(|name| Path::new("lib").join(name)).collect();
    let include = Path::new("include");
    let output = compiler.compile(folder, include, &sources, Made::Object, LIBRARY_OBJECT)?;
    check(&output).map_err(|words| format!("the calls of programs do not compile: {words}"))
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
