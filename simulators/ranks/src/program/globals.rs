//! Finds in the symbols of a program what its ranks can write.

use super::constructors;
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};
use std::ops::Range;
use std::path::Path;

/// How many symbols a message names.
const NAMED: usize = 5;
/// Functions of the C library whose state all ranks share.
const SHARED: [&str; 22] = [
    "asctime",
    "chdir",
    "clearenv",
    "ctime",
    "ether_ntoa",
    "gmtime",
    "hsearch",
    "inet_ntoa",
    "l64a",
    "localeconv",
    "localtime",
    "mblen",
    "mbtowc",
    "putenv",
    "setenv",
    "setlocale",
    "signal",
    "sigaction",
    "strerror",
    "tmpnam",
    "umask",
    "unsetenv",
];
/// A function of the C++ runtime behind every `catch`.
const CATCHES: &str = "__cxa_begin_catch";
const ERRNO: &str = "__errno_location";

/// Sections that only the loader writes.
const OF_THE_LOADER: [&str; 9] = [
    ".data.rel.ro",
    ".got",
    ".got.plt",
    ".dynamic",
    ".init_array",
    ".fini_array",
    ".ctors",
    ".dtors",
    ".tm_clone_table",
];
/// Source and name of variables of the compiler's start files; a program may use the same names.
const OF_THE_COMPILER: [(&str, &str); 1] = [("crtstuff.c", "completed.0")];
const DSO_HANDLE: &str = "__dso_handle";
/// Pointers to functions, which are the same for all ranks.
const OF_THE_LIBRARY: [(&str, &str); 2] = [("simulated.c", "host"), ("simulated.c", "at_end")];

/// The writable globals of a shared library, as offsets from where it is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Globals {
    /// Writable sections; empty when no rank can write a global.
    pub ranges: Vec<Range<usize>>,
    /// Bytes of a thread's variables.
    pub thread_bytes: usize,
    pub constructors: Range<usize>,
    /// Whether it reads `errno`.
    pub has_errno: bool,
    /// Whether it catches exceptions.
    pub catches: bool,
    /// Functions that it calls and whose state all ranks share.
    pub shared: Vec<&'static str>,
    /// Names and sizes, largest first.
    symbols: Vec<(String, u64)>,
    /// Offset of `mgen_bind`.
    pub bind: usize,
}

impl Globals {
    /// Reads the symbols of a shared library.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = object::File::parse(&*bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut globals = Self { constructors: constructors::of_file(&file), ..Self::default() };
        globals.thread_bytes = thread_bytes(&file);
        let writable: Vec<_> = file.sections().filter(is_writable).collect();
        let mut source = String::new();
        for symbol in file.symbols() {
            let name = symbol.name().unwrap_or_default();
            if symbol.is_undefined() {
                globals.note_use(name);
                continue;
            }
            match symbol.kind() {
                SymbolKind::File => source = name.to_string(),
                SymbolKind::Text if name == "mgen_bind" => globals.bind = symbol.address() as usize,
                SymbolKind::Data | SymbolKind::Unknown if symbol.size() > 0 => {
                    let mine = writable.iter().any(|s| symbol.section_index() == Some(s.index()));
                    let place = (source.as_str(), name);
                    let others =
                        OF_THE_LIBRARY.contains(&place) || OF_THE_COMPILER.contains(&place);
                    if mine && (symbol.is_global() || !others) && name != DSO_HANDLE {
                        globals.symbols.push((readable(name), symbol.size()));
                    }
                }
                _ => {}
            }
        }
        globals.symbols.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if !globals.symbols.is_empty() {
            globals.ranges = self::writable(&file);
        }
        Ok(globals)
    }

    /// Notes that the library calls this function of another one.
    fn note_use(&mut self, name: &str) {
        let name = name.split('@').next().unwrap_or(name);
        self.has_errno |= name == ERRNO;
        self.catches |= name == CATCHES;
        self.shared.extend(SHARED.iter().find(|shared| **shared == name));
    }

    /// The largest variables, for a message.
    pub fn largest(&self) -> String {
        let named = self.symbols.iter().take(NAMED);
        let named: Vec<String> = named.map(|(name, size)| format!("{name} ({size} B)")).collect();
        named.join(", ")
    }
}

/// Checks that a file is a program that was linked with the library of this symbol, which begins as those
/// of other libraries do with `mark`, and that it says which variables it has.
pub fn check_made(bytes: &[u8], symbol: &str, mark: &str) -> Result<(), String> {
    let no_program = "is no program that weft-cc, weft-c++ or weft-fc has linked";
    let file = object::File::parse(bytes).map_err(|_| no_program.to_string())?;
    let names = || file.dynamic_symbols().filter_map(|each| each.name().ok());
    if !names().any(|name| name == symbol) {
        let other = names().any(|name| name.starts_with(mark));
        let why = "was linked by weft-cc of another version: build it again";
        return Err(if other { why } else { no_program }.into());
    }
    if file.symbols().next().is_none() {
        return Err("has no names of variables: leave out strip, and install -s".into());
    }
    Ok(())
}

/// The sections that a library writes, as offsets from where it is loaded.
pub fn writable(file: &object::File) -> Vec<Range<usize>> {
    let range = |offset, bytes| offset as usize..(offset + bytes) as usize;
    file.sections().filter(is_writable).map(|s| range(s.address(), s.size())).collect()
}

/// From the first to the last byte of the sections that every thread has for itself.
fn thread_bytes(file: &object::File) -> usize {
    let of_threads = file.sections().filter(|section| {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return false };
        sh_flags.contains(object::elf::SHF_TLS)
    });
    let (first, end) = of_threads.fold((u64::MAX, 0), |(first, end), section| {
        (first.min(section.address()), end.max(section.address() + section.size()))
    });
    end.saturating_sub(first) as usize
}

fn is_writable<'data>(section: &impl ObjectSection<'data>) -> bool {
    let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return false };
    let has = |flag| sh_flags.contains(flag);
    let name = section.name().unwrap_or_default();
    let loaders = OF_THE_LOADER.contains(&name) || name.starts_with(".data.rel.ro.");
    has(object::elf::SHF_WRITE)
        && has(object::elf::SHF_ALLOC)
        && !has(object::elf::SHF_TLS)
        && !loaders
        && section.size() > 0
}

/// The name in the source: the compiler calls a static local `name.number`.
fn readable(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((start, end)) if end.bytes().all(|byte| byte.is_ascii_digit()) => start.to_string(),
        _ => name.to_string(),
    }
}
