//! The tokens of a source, so that comments and white space change no version.
//!
//! `workflow/weft/files/tokens.py` makes the same of the same text; a test compares the two on all
//! sources and on random texts. Neither checks a source: a compiler does.

mod c;
mod rust;
mod scanner;
mod toml;

use scanner::Scanner;

/// What of a file counts: its tokens, each behind its length, where its language is known and it is
/// text; else all of it.
pub fn content(name: &str, bytes: &[u8]) -> Vec<u8> {
    let language: fn(&mut Scanner) = match name.rsplit_once('.') {
        Some((_, "rs")) => rust::scan,
        Some((_, "c" | "h")) => c::scan,
        Some((_, "toml")) => toml::scan,
        _ => return bytes.to_vec(),
    };
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    let mut scanner = Scanner::new(text);
    while !scanner.rest().is_empty() {
        language(&mut scanner);
    }
    scanner.framed()
}
