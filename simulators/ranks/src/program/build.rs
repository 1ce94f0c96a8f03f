//! Compiled programs, cached by content in `programs/build/<hash>/`.

use super::Source;
use super::cache::{self, cached};
use super::compiler::{self, Compiler, Task};
use super::constructors;
use super::embedded::{DIGEST, FORTRAN_LIBRARY, INCLUDE, LIBRARY, MPIF};
use super::file_error::at;
use super::fortran;
use super::globals;
use super::identity::hash;
use super::runtime;
use super::source::{Language, Parts};
use super::words;
use crate::names;
use crate::watch::note;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::{fs, io};

const PROGRAM: &str = "program.so";
const LIBRARY_OBJECT: &str = "library.o";
/// The same for Fortran, beside the other.
const FORTRAN_OBJECT: &str = "fortran_library.o";
/// How the symbol begins that names the library of a program.
const MARK: &str = "weft_library_";

/// A compiled program.
#[derive(Debug, Clone)]
pub struct Built {
    library: PathBuf,
    /// A library that it was linked to, of which it has a copy.
    runtime: Option<PathBuf>,
    source: PathBuf,
}

impl Built {
    /// Compiles a program unless that was done before.
    ///
    /// # Errors
    /// Reports what the compiler says.
    pub fn new(source: &Source) -> Result<Self, String> {
        if source.parts.as_ref().is_some_and(|parts| parts.openmp) {
            note("directives of OpenMP are left out: each rank runs them on one thread");
        }
        let library = build(source)?;
        let runtime = runtime::beside(&library)?;
        Ok(Self { library, runtime, source: source.path.clone() })
    }

    /// The shared library.
    pub fn library(&self) -> &Path {
        &self.library
    }

    /// The copy of the runtime library, if the program has one.
    pub fn runtime(&self) -> Option<&Path> {
        self.runtime.as_deref()
    }

    pub(super) fn source(&self) -> &Path {
        &self.source
    }
}

fn build(source: &Source) -> Result<PathBuf, String> {
    let cache = cache::of_project()?;
    let library = Library::new(&cache);
    if let Some(made) = &source.made {
        return library.take(&cache, source, made);
    }
    let compiler = Compiler::find(compiler::Language::C)?;
    match &source.parts {
        Some(parts) => library.build_parts(&cache, &compiler, parts),
        None => library.build_file(&cache, &compiler, source),
    }
}

/// What every program is linked with.
pub struct Library {
    folder: PathBuf,
}

impl Library {
    /// That of this executable, below the folder `cache`.
    pub fn new(cache: &Path) -> Self {
        Self { folder: cache.join(DIGEST) }
    }

    /// The calls and collectives as one object.
    pub fn object(&self) -> Result<PathBuf, String> {
        cached(&self.folder, LIBRARY_OBJECT, write_library)
    }

    /// The same with the calls for Fortran.
    pub fn fortran_object(&self) -> Result<PathBuf, String> {
        Ok(self.object()?.with_file_name(FORTRAN_OBJECT))
    }

    /// The folder of the modules of MPI, made by this compiler.
    pub fn modules(&self, compiler: &Compiler) -> Result<PathBuf, String> {
        self.object()?;
        fortran::modules(&self.folder, &self.include(), compiler)
    }

    /// The folder of `mpi.h` and `mgen.h`, beside the object.
    pub fn include(&self) -> PathBuf {
        self.folder.join("include")
    }

    /// A symbol of every program that `weft-cc` has linked with this library.
    pub fn symbol() -> String {
        format!("{MARK}{DIGEST}")
    }

    /// A program that was linked before.
    fn take(&self, cache: &Path, source: &Source, made: &[u8]) -> Result<PathBuf, String> {
        let path = source.path.display();
        globals::check_made(made, &Self::symbol(), MARK).map_err(|why| format!("{path} {why}"))?;
        cached(&cache.join(hash([("made", made)].into_iter())), PROGRAM, |folder| {
            let copy = folder.join(PROGRAM);
            fs::write(&copy, made).map_err(at(&copy))?;
            complete(&copy)
        })
    }

    /// What a program's digest covers beside its sources.
    fn identity<'a>(&'a self, compiler: &'a Compiler) -> [(&'static str, &'a [u8]); 2] {
        let library = self.folder.as_os_str().as_encoded_bytes();
        [("library", library), ("compiler of C", compiler.identity.as_bytes())]
    }

    /// A program of one file.
    fn build_file(
        &self,
        cache: &Path,
        compiler: &Compiler,
        source: &Source,
    ) -> Result<PathBuf, String> {
        // The path counts: it is in the compiler's messages and in `__FILE__`.
        let path = source.path.to_string_lossy();
        let own: (&str, &[u8]) = (&path, &source.text);
        let program = hash(self.identity(compiler).into_iter().chain([own]));
        cached(&cache.join(program), PROGRAM, |folder| {
            let copy = folder.join("program.c");
            write_copy(&copy, source).map_err(at(&copy))?;
            let output = compiler.compile(&Task {
                folder,
                include: &[&self.include()],
                flags: &[],
                sources: &["program.c".into(), self.object()?],
                name: Path::new(PROGRAM),
            })?;
            check(&output).map_err(|words| {
                format!("the program {} does not compile: {words}", source.path.display())
            })?;
            complete(&folder.join(PROGRAM))
        })
    }

    /// A program of several files, in a folder that holds these files and no others.
    fn build_parts(&self, cache: &Path, of_c: &Compiler, parts: &Parts) -> Result<PathBuf, String> {
        let compiler = match parts.language {
            Language::C => of_c.clone(),
            Language::Cpp => Compiler::find(compiler::Language::Cpp)?,
            Language::Fortran => Compiler::find(compiler::Language::Fortran)?,
        };
        let is_fortran = parts.language == Language::Fortran;
        let words = format!("{:?} {:?} {:?}", parts.sources, parts.include, parts.flags);
        let own = [("compiler", compiler.identity.as_bytes()), ("", words.as_bytes())];
        let files: Vec<_> =
            parts.files.iter().map(|(path, text)| (path.to_string_lossy(), text)).collect();
        let files = files.iter().map(|(path, text)| (path.as_ref(), text.as_slice()));
        let program = hash(self.identity(of_c).into_iter().chain(own).chain(files));
        cached(&cache.join(program), PROGRAM, |folder| {
            let root = folder.join("files");
            write_files(&root, parts)?;
            let mut sources = in_their_languages(parts);
            let mut own = vec![self.include()];
            if is_fortran {
                let modules = self.modules(&compiler)?;
                sources.extend([modules.join(fortran::OBJECT), self.fortran_object()?]);
                own.insert(0, modules);
            } else {
                sources.push(self.object()?);
            }
            let include: Vec<&Path> = parts.include.iter().chain(&own).map(|p| &**p).collect();
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
            complete(&folder.join(PROGRAM))
        })
    }
}

/// What is done to a program behind the linker.
fn complete(program: &Path) -> Result<(), String> {
    constructors::set_aside(program)?;
    runtime::copy_beside(program)
}

/// The sources; the compiler of C++ gets switches, because it takes all of them for its own language.
fn in_their_languages(parts: &Parts) -> Vec<PathBuf> {
    if parts.language != Language::Cpp {
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

/// Writes the object, with the headers beside it.
fn write_library(folder: &Path) -> Result<(), String> {
    let include = folder.join("include");
    fs::create_dir_all(&include).map_err(at(&include))?;
    for (name, content) in INCLUDE {
        let header = include.join(name);
        fs::write(&header, content).map_err(at(&header))?;
    }
    let constants = include.join("mpif.h");
    fs::write(&constants, MPIF).map_err(at(&constants))?;
    for (name, content) in [(LIBRARY_OBJECT, LIBRARY), (FORTRAN_OBJECT, FORTRAN_LIBRARY)] {
        let object = folder.join(name);
        fs::write(&object, content).map_err(at(&object))?;
    }
    Ok(())
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
