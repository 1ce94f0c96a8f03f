//! Calls in messages have the names that the program uses: `MPI_Send` in a plain MPI program, for
//! which `mpi.h` stands in with names of MGEN.

use std::sync::atomic::{AtomicBool, Ordering};

const MGEN: &str = "MGEN_";
/// Names that MPI has not.
const OWN: [&str; 4] = ["rdma_", "acp_", "Comp", "Sample"];

static OF_MPI: AtomicBool = AtomicBool::new(false);

/// From now on names are those of the program with this source.
pub fn as_in(source: &[u8]) {
    OF_MPI.store(is_plain(source), Ordering::Relaxed);
}

/// Whether a source is an MPI program as it is.
fn is_plain(source: &[u8]) -> bool {
    String::from_utf8_lossy(source).lines().any(|line| {
        let include = line.trim_start().strip_prefix('#').map(str::trim_start);
        let file = include.and_then(|words| words.strip_prefix("include")).map(str::trim_start);
        file.is_some_and(|file| file.starts_with("<mpi.h>") || file.starts_with("\"mpi.h\""))
    })
}

/// Gives `text` to `write` in pieces, with the names that the program uses. Without the heap, for
/// signal handlers.
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
    fn a_plain_program_is_told_of_calls_of_mpi() {
        let text = "MGEN_Send in MGEN_Main; MGEN_Comp, MGEN_Comm_rank";
        assert_eq!(in_words_of_the_program(text), text);
        as_in(b"#include <stdio.h>\n # include \"mpi.h\"\n");
        let told = in_words_of_the_program(text);
        as_in(b"#include \"mgen.h\"\n// #include <mpi.h>\n");
        assert_eq!(told, "MPI_Send in main; MGEN_Comp, MPI_Comm_rank");
        assert_eq!(in_words_of_the_program(text), text);
    }
}
