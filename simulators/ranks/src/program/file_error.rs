//! What to say of a file that could not be read or written.

use std::io;
use std::path::Path;

pub fn at(path: &Path) -> impl FnOnce(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}
