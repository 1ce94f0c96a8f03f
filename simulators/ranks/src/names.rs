//! Names in messages are those that the user knows.
//!
//! A call has the name that the program uses: `MPI_Send` in a plain MPI program, whose calls `mpi.h`
//! maps to those of MGEN. An option has the name that an experiment gives it, with its engine.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

const MGEN: &str = "MGEN_";
/// Beginnings of names that MPI does not have.
const OWN: [&str; 5] = ["rdma_", "acp_", "Comp", "Copy", "Sample"];

static OF_MPI: AtomicBool = AtomicBool::new(false);
/// The engine that runs the program.
static ENGINE: OnceLock<&str> = OnceLock::new();

/// From now on messages use the names of calls that the program with this source uses.
pub fn as_in(source: &[u8]) {
    OF_MPI.store(is_plain(source), Ordering::Relaxed);
}

/// Messages of this process name options of `engine` from now on.
pub(crate) fn set_engine(engine: &'static str) {
    // A second engine in one process occurs in no simulator; the first one stays.
    let _ = ENGINE.set(engine);
}

/// An option of the engine, by the key that experiments use: `engine.rdma.stack`.
#[derive(Debug, Clone, Copy)]
pub struct EngineOption(pub &'static str);

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match ENGINE.get() {
            Some(engine) => write!(f, "engine.{engine}.{}", self.0),
            None => write!(f, "the option {}", self.0),
        }
    }
}

/// Whether a program is a plain MPI program: it includes `mpi.h`, perhaps by a header of its own or in
/// another file, which is not seen here. Then it has no name of MGEN.
fn is_plain(source: &[u8]) -> bool {
    let text = String::from_utf8_lossy(source);
    let includes_mpi = text.lines().any(|line| {
        let include = line.trim_start().strip_prefix('#').map(str::trim_start);
        let file = include.and_then(|words| words.strip_prefix("include")).map(str::trim_start);
        file.is_some_and(|file| file.starts_with("<mpi.h>") || file.starts_with("\"mpi.h\""))
    });
    includes_mpi || !text.contains(MGEN)
}

/// Passes `text` to `write` in pieces, with the names that the program uses. It does not allocate, so
/// that signal handlers may call it.
pub fn pieces<'t>(text: &'t str, mut write: impl FnMut(&'t str)) {
    if !OF_MPI.load(Ordering::Relaxed) {
        return write(text);
    }
    for (number, part) in text.split(MGEN).enumerate() {
        match part.strip_prefix("Main") {
            _ if number == 0 => write(part),
            Some(rest) => {
                write("main");
                write(rest);
            }
            None => {
                write(if OWN.iter().any(|own| part.starts_with(own)) { MGEN } else { "MPI_" });
                write(part);
            }
        }
    }
}

/// `text` with the names that the program uses.
pub fn in_words_of_the_program(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    pieces(text, |piece| made.push_str(piece));
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_about_a_plain_program_name_calls_of_mpi() {
        let text = "MGEN_Send in MGEN_Main; MGEN_Comp, MGEN_Comm_rank";
        assert_eq!(in_words_of_the_program(text), text);
        as_in(b"#include <stdio.h>\n # include \"mpi.h\"\n");
        let plain = in_words_of_the_program(text);
        as_in(b"#include \"own.h\"\nint main() { MPI_Init(0, 0); }\n");
        let indirect = in_words_of_the_program(text);
        as_in(b"#include \"mgen.h\"\n// #include <mpi.h>\nvoid MGEN_Main() {}\n");
        assert_eq!(plain, "MPI_Send in main; MGEN_Comp, MPI_Comm_rank");
        assert_eq!(indirect, plain);
        assert_eq!(in_words_of_the_program(text), text);
    }
}
