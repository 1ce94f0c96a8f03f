//! Finds the writable globals of a program in its symbols, and refuses those that ranks cannot have
//! copies of.

use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};
use std::path::Path;

/// Most bytes of globals of one rank. Every switch of ranks copies them.
const MAX_BYTES: u64 = 256 << 10;
/// Most memory for the globals of all ranks together.
const MAX_TOTAL_BYTES: u64 = 4 << 30;
/// How many symbols a message names.
const NAMED: usize = 5;

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
/// The pointer to the simulator's functions is the same for all ranks.
const OF_THE_LIBRARY: (&str, &str) = ("simulated.c", "host");

/// A part of a loaded program, as an offset from where it is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub offset: usize,
    pub bytes: usize,
}

/// The writable globals of a shared library.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Globals {
    /// Writable sections; empty when no rank can write a global.
    pub ranges: Vec<Range>,
    /// Names and sizes, largest first.
    symbols: Vec<(String, u64)>,
    /// Offset of `mgen_bind`.
    pub bind: usize,
}

impl Globals {
    /// Reads the symbols of a shared library.
    ///
    /// # Errors
    /// When it cannot be read, or has variables that belong to threads.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = object::File::parse(&*bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut globals = Self::default();
        let writable: Vec<_> = file.sections().filter(is_writable).collect();
        let mut source = String::new();
        for symbol in file.symbols().filter(|symbol| !symbol.is_undefined()) {
            let name = symbol.name().unwrap_or_default();
            match symbol.kind() {
                SymbolKind::File => source = name.to_string(),
                SymbolKind::Tls => return Err(thread_local(name)),
                SymbolKind::Text if name == "mgen_bind" => globals.bind = symbol.address() as usize,
                SymbolKind::Data | SymbolKind::Unknown if symbol.size() > 0 => {
                    let mine = writable.iter().any(|s| symbol.section_index() == Some(s.index()));
                    let place = (source.as_str(), name);
                    let others = place == OF_THE_LIBRARY || OF_THE_COMPILER.contains(&place);
                    if mine && (symbol.is_global() || !others) && name != DSO_HANDLE {
                        globals.symbols.push((readable(name), symbol.size()));
                    }
                }
                _ => {}
            }
        }
        globals.symbols.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if !globals.symbols.is_empty() {
            let range = |offset, bytes| Range { offset: offset as usize, bytes: bytes as usize };
            globals.ranges = writable.iter().map(|s| range(s.address(), s.size())).collect();
        }
        Ok(globals)
    }

    /// Bytes of all globals of one rank.
    pub fn bytes(&self) -> usize {
        self.ranges.iter().map(|range| range.bytes).sum()
    }

    /// Checks that so many ranks can have copies of the globals.
    pub fn check(&self, ranks: u32) -> Result<(), String> {
        let bytes = self.bytes() as u64;
        let total = bytes * u64::from(ranks);
        let reason = if bytes > MAX_BYTES {
            format!(
                "{bytes} B of writable globals, at most {MAX_BYTES} B can be kept apart per rank"
            )
        } else if total > MAX_TOTAL_BYTES {
            format!(
                "{bytes} B of writable globals for each of {ranks} ranks, at most \
                 {MAX_TOTAL_BYTES} B in all can be kept apart"
            )
        } else {
            return Ok(());
        };
        let named: Vec<String> = self
            .symbols
            .iter()
            .take(NAMED)
            .map(|(name, size)| format!("{name} ({size} B)"))
            .collect();
        Err(format!(
            "the program has {reason}; largest: {}; allocate them in MGEN_Main, make them const, or \
             make them smaller",
            named.join(", ")
        ))
    }
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

fn thread_local(name: &str) -> String {
    format!(
        "the program has the thread-local variable {}: ranks are coroutines of one thread and would \
         share it; make it a plain global, which every rank has for itself",
        readable(name)
    )
}
