//! Tokens of TOML, in which lines end statements.

use super::scanner::{Scanner, end, quoted, through};

pub fn scan(scanner: &mut Scanner) {
    let text = scanner.rest();
    if text.starts_with('\n') {
        if scanner.last().is_some_and(|last| last != "\n") {
            scanner.push("\n");
        }
        scanner.skip(1);
    } else if text.starts_with([' ', '\t', '\r', '\x0b', '\x0c']) {
        scanner.skip(1);
    } else if text.starts_with('#') {
        scanner.skip(end(text, |c| c != '\n'));
    } else if text.starts_with("\"\"\"") {
        scanner.take(quoted(text, 0, "\"\"\""));
    } else if text.starts_with("'''") {
        scanner.take(through(text, 3, "'''"));
    } else if text.starts_with('"') {
        scanner.take(quoted(text, 0, "\""));
    } else if text.starts_with('\'') {
        scanner.take(through(text, 1, "'"));
    } else {
        scanner.take_plain(&["#"]);
    }
}
