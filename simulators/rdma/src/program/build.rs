//! Compiled programs, cached by content in `programs/build/<hash>/`.

use super::compiler::Compiler;
use super::embedded::{INCLUDE, LIBRARY};
use super::words;
use hmac_sha256::Hash;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io, process};

/// Names another place for what is compiled.
const VARIABLE: &str = "WEFT_PROGRAM_CACHE";
const FOLDER: &str = "programs/build";
const MADE: &str = "program.so";
const DIGITS: usize = 24;

/// The shared library of the program in the file `source`; compiles it unless that was done before.
pub fn build(source: &Path, text: &[u8]) -> Result<PathBuf, String> {
    let compiler = Compiler::find()?;
    let cache = env::var_os(VARIABLE).map_or_else(|| FOLDER.into(), PathBuf::from);
    let cache = std::path::absolute(&cache).map_err(at(&cache))?;
    let folder = cache.join(hash(&compiler, source, text));
    let made = folder.join(MADE);
    if !made.is_file() {
        let temporary = Temporary::new(&folder)?;
        write_sources(&temporary.0, source, text).map_err(at(&temporary.0))?;
        compile(&compiler, &temporary.0, source)?;
        temporary.rename(&folder)?;
    }
    Ok(made)
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

/// Of everything that the result depends on. The path counts: it is in the compiler's messages and
/// in `__FILE__`.
fn hash(compiler: &Compiler, source: &Path, text: &[u8]) -> String {
    let mut hash = Hash::new();
    let path = source.to_string_lossy();
    let embedded = INCLUDE.iter().chain(LIBRARY).map(|(name, text)| (*name, text.as_bytes()));
    let own = [("compiler", compiler.identity.as_bytes()), (path.as_ref(), text)];
    for (name, content) in own.into_iter().chain(embedded) {
        hash.update(format!("{name} {}\n", content.len()));
        hash.update(content);
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    hex[..DIGITS].to_string()
}

/// The program is compiled from a copy: only headers that a result's name covers are found.
fn write_sources(folder: &Path, source: &Path, text: &[u8]) -> io::Result<()> {
    for (place, files) in [("include", INCLUDE), ("lib", LIBRARY)] {
        fs::create_dir_all(folder.join(place))?;
        for (name, content) in files {
            fs::write(folder.join(place).join(name), content)?;
        }
    }
    let name = source.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let mut copy = format!("#line 1 \"{name}\"\n").into_bytes();
    copy.extend_from_slice(text);
    fs::write(folder.join("program.c"), copy)
}

fn compile(compiler: &Compiler, folder: &Path, source: &Path) -> Result<(), String> {
    let library = LIBRARY.iter().filter(|(name, _)| name.ends_with(".c"));
    let mut sources = vec!["program.c".to_string()];
    sources.extend(library.map(|(name, _)| format!("lib/{name}")));
    let output = compiler.compile(folder, &sources, MADE)?;
    let words = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        if !words.is_empty() {
            eprint!("{words}");
        }
        return Ok(());
    }
    let source = source.display();
    Err(format!("the program {source} does not compile: {}", words::errors(&words)))
}

/// A folder that is gone when the build fails.
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

    /// Whoever comes second finds the same content there already.
    fn rename(self, target: &Path) -> Result<(), String> {
        match fs::rename(&self.0, target) {
            Err(_) if target.join(MADE).is_file() => Ok(()),
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
