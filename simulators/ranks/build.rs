//! Puts into the crate what programs are compiled and linked with.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[path = "src/program/flags.rs"]
mod flags;
#[path = "bindings/fortran.rs"]
mod fortran;
#[path = "src/program/identity.rs"]
mod identity;
#[path = "bindings/modules.rs"]
mod modules;
#[path = "bindings/sizes.rs"]
mod sizes;

/// Paths from the workspace, the same as in `Cargo.toml`.
const INCLUDE: &str = "../programs/include";
const LIBRARY: [&str; 2] = ["../programs/lib", "../programs/lib/mpi"];
/// What each rank has for itself, which programs of Fortran find otherwise.
const OF_A_RANK: &str = "../programs/lib/simulated";
/// What only programs of Fortran are linked with.
const OF_FORTRAN: &str = "../programs/lib/fortran";
const DATATYPES: &str = "mgen_mpi_datatypes.h";
/// The runtime library of Fortran finds the functions that each rank has for itself.
const BESIDE_RUNTIME: &str = "-DMGEN_BESIDE_RUNTIME";
/// Several sources become one object. Functions of the same name in two of them keep sections of their
/// own: in one section, the linker would leave both in a program that needs one.
const OBJECT: [&str; 4] = ["-r", "-nostdlib", "-Wl,--unique", "-fexceptions"];

fn main() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let workspace = own.parent().expect("the crate's folder lies in the workspace");
    let made = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it"));
    for folder in LIBRARY.iter().chain([&INCLUDE, &OF_A_RANK, &OF_FORTRAN]) {
        run_again_with(&workspace.join(folder));
    }
    for name in ["build.rs", "bindings", "src/program/flags.rs", "src/program/identity.rs"] {
        run_again_with(&own.join(name));
    }
    println!("cargo::rerun-if-env-changed=CC");
    let headers = files(&workspace.join(INCLUDE), "h");
    // Compiled once, as it takes seconds: it is the same for all languages.
    let common = made.join("common.o");
    compile(&objects(workspace, &LIBRARY.map(Into::into), &[], &common));
    let object = made.join("library.o");
    compile(&objects(workspace, &[common.clone(), OF_A_RANK.into()], &[], &object));
    let of_fortran = Fortran::make(workspace, common, &headers, &made);
    // Nobody waits for it when a point begins.
    let all =
        [&[object, of_fortran.object, of_fortran.constants, of_fortran.modules], &headers[..]]
            .concat();
    let digest = format!("pub const DIGEST: &str = {:?};\n", digest(&all));
    fs::write(made.join("embedded.rs"), list("INCLUDE", &headers) + &digest)
        .expect("the build folder can be written");
}

/// What programs of Fortran have in place of the object and beside the headers of C.
struct Fortran {
    object: PathBuf,
    /// The file `mpif.h`.
    constants: PathBuf,
    /// The modules `mpi` and `mpi_f08`.
    modules: PathBuf,
}

impl Fortran {
    fn make(workspace: &Path, common: PathBuf, headers: &[PathBuf], made: &Path) -> Self {
        let read = |path: &PathBuf| fs::read_to_string(path).expect("the file is there");
        let texts: Vec<(&str, String)> =
            headers.iter().map(|path| (name(path), read(path))).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
        let folder = workspace.join(OF_FORTRAN);
        let own: String = files(&folder, "c").iter().map(read).collect();
        let source = made.join("fortran_calls.c");
        let calls = fortran::calls(texts.iter().copied());
        fs::write(&source, fortran::wrappers(&calls, &own)).expect("the folder can be written");
        let (object, constants) = (made.join("fortran_library.o"), made.join("mpif.h"));
        let parts = [common, OF_A_RANK.into(), OF_FORTRAN.into(), source];
        compile(&objects(workspace, &parts, &[BESIDE_RUNTIME], &object));
        let own = read(&folder.join("mpif.inc"));
        let printed = print(workspace, &fortran::constants(&texts), made);
        fs::write(&constants, fortran::declarations(&printed, &own))
            .expect("the folder can be written");
        let datatypes = texts.iter().find(|(name, _)| *name == DATATYPES).map(|(_, text)| *text);
        let modules = made.join("mpi.f90");
        let datatypes = datatypes.expect("the headers have datatypes");
        fs::write(&modules, modules::modules(&calls, &printed, datatypes))
            .expect("the folder can be written");
        Self { object, constants, modules }
    }
}

/// Cargo runs this again when the path changes. If it is not there, Cargo does so in every build.
fn run_again_with(path: &Path) {
    assert!(path.exists(), "{} is not there", path.display());
    println!("cargo::rerun-if-changed={}", path.display());
}

/// What a program of C prints.
fn print(workspace: &Path, text: &str, made: &Path) -> String {
    let (source, program) = (made.join("constants.c"), made.join("constants"));
    fs::write(&source, text).expect("the build folder can be written");
    let include = workspace.join(INCLUDE);
    compile(&["-I".into(), include, source, "-o".into(), program.clone()]);
    let output = Command::new(&program).output().expect("the program has been made");
    String::from_utf8(output.stdout).expect("the program prints ASCII")
}

/// Of what programs are linked with.
fn digest(paths: &[PathBuf]) -> String {
    let contents: Vec<(&str, Vec<u8>)> =
        paths.iter().map(|path| (name(path), fs::read(path).expect("the file is there"))).collect();
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

/// The words by which a compiler makes one object of `parts`, paths from the workspace: the sources of a
/// folder, a source or an object.
fn objects(workspace: &Path, parts: &[PathBuf], more: &[&str], object: &Path) -> Vec<PathBuf> {
    let flags = flags::FLAGS.iter().chain(&flags::OF_C).chain(&OBJECT).chain(more);
    let mut words: Vec<PathBuf> = flags.map(PathBuf::from).collect();
    words.extend(["-o".into(), object.into()]);
    for folder in [INCLUDE, LIBRARY[0], LIBRARY[1], OF_FORTRAN] {
        words.extend(["-I".into(), workspace.join(folder)]);
    }
    for part in parts {
        let path = workspace.join(part);
        words.extend(if path.is_dir() { files(&path, "c") } else { vec![path] });
    }
    words
}

/// Calls the machine's compiler or the one that `CC` names.
fn compile(words: &[PathBuf]) {
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    // `OsString::display` is newer than the compiler of the images.
    let name = compiler.to_string_lossy();
    let status = Command::new(&compiler).args(words).status();
    let status = status.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(status.success(), "{name} does not compile programs/lib");
}
