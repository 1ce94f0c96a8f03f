//! Confines this process before the code of a program is loaded, whose constructors run first. Landlock
//! closes files, seccomp closes system calls. Nothing lifts the confinement: it ends with the process.

#![expect(unsafe_code, reason = "handlers of signals")]

mod calls;
mod compiler;
mod denied;
mod files;

pub(crate) use compiler::{Walls, do_without};

use crate::process::Confined;
use crate::watch::{is_of_one_point, write_beside};
use std::env;
use std::path::Path;

/// The environment variable that chooses how programs are confined.
const VARIABLE: &str = "WEFT_CONFINEMENT";

/// How programs are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// By all that the kernel has.
    Best,
    /// Likewise, and a program is refused when a layer is missing.
    Required,
    /// Not at all.
    Off,
}

impl Mode {
    fn read(word: Option<&str>) -> Result<Self, String> {
        match word {
            None | Some("" | "best") => Ok(Self::Best),
            Some("required") => Ok(Self::Required),
            Some("off") => Ok(Self::Off),
            Some(word) => {
                Err(format!("{VARIABLE} is {word}; use best (the default), required or off"))
            }
        }
    }
}

fn mode() -> Result<Mode, String> {
    Mode::read(env::var(VARIABLE).ok().as_deref())
}

/// Confines this process, which may then read the files `readable`, write in `folder`, and open no others
/// of the user. The log says what is on and what is missing.
///
/// A process that does not belong to one point stays as it is: its other threads have other work.
///
/// # Errors
/// When a layer is missing and all are required.
pub fn confine(readable: &[&Path], folder: Option<&Path>) -> Result<(), String> {
    if !is_of_one_point() {
        return Ok(());
    }
    let confined = Confined { confinement: close(readable, folder)? };
    let line = serde_json::to_string(&confined).map_err(|error| error.to_string())?;
    write_beside(&line);
    Ok(())
}

fn close(readable: &[&Path], folder: Option<&Path>) -> Result<String, String> {
    let mode = mode()?;
    if mode == Mode::Off {
        return Ok(format!("programs run without confinement: {VARIABLE} is off"));
    }
    no_core_files();
    denied::report();
    // Landlock first: its own calls are closed by seccomp.
    let layers = [files::close(readable, folder), calls::close()];
    let (on, missing): (Vec<_>, Vec<_>) = layers.into_iter().partition(Result::is_ok);
    let on: Vec<String> = on.into_iter().flatten().collect();
    let missing: Vec<String> = missing.into_iter().filter_map(Result::err).collect();
    match (mode, missing.is_empty()) {
        (Mode::Required, false) => Err(format!(
            "the program is refused, because {VARIABLE} is required and a layer is missing: {}",
            missing.join("; ")
        )),
        (_, true) => Ok(format!("programs are confined by {}", on.join(" and "))),
        (_, false) if on.is_empty() => {
            Ok(format!("programs run without confinement: {}", missing.join("; ")))
        }
        (_, false) => Ok(format!(
            "programs are confined by {} alone: {}",
            on.join(" and "),
            missing.join("; ")
        )),
    }
}

/// A program that crashes on purpose writes no image of memory.
fn no_core_files() {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: valid for reads.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &none) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_mode_is_refused_with_those_that_exist() {
        assert_eq!(Mode::read(Some("required")), Ok(Mode::Required));
        assert_eq!(Mode::read(None), Ok(Mode::Best));
        assert!(Mode::read(Some("on")).unwrap_err().ends_with("(the default), required or off"));
    }
}
