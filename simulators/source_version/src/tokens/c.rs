//! Tokens of C. Lines and space have a meaning in directives of the preprocessor only.

use super::scanner::{Scanner, end, quoted, through};

/// Tokens up to the end of a line, so that the beginning of the next one is known.
pub fn scan(scanner: &mut Scanner) {
    let (mut directive, mut first, mut spaced) = (false, true, false);
    while !scanner.rest().is_empty() {
        let text = scanner.rest();
        if text.starts_with('\n') {
            scanner.skip(1);
            break;
        }
        if let Some(bytes) = space(text) {
            scanner.skip(bytes);
            spaced = true;
            continue;
        }
        directive |= first && text.starts_with('#');
        if directive && spaced && !first {
            scanner.push(" ");
        }
        (first, spaced) = (false, false);
        match text.chars().next() {
            Some('"') => scanner.take(quoted(text, 0, "\"")),
            Some('\'') => scanner.take(quoted(text, 0, "'")),
            _ => scanner.take_plain(&["//", "/*", "\\\n"]),
        }
    }
    if directive {
        scanner.push("\n");
    }
}

/// Bytes of a comment, of space, or of a line that goes on.
fn space(text: &str) -> Option<usize> {
    if text.starts_with("\\\n") {
        return Some(2);
    }
    if text.starts_with("/*") {
        return Some(through(text, 2, "*/"));
    }
    if text.starts_with("//") {
        let mut at = 0;
        while at < text.len() && !text[at..].starts_with('\n') {
            let next = text[at..].chars().next().map_or(0, char::len_utf8);
            at += if text[at..].starts_with("\\\n") { 2 } else { next };
        }
        return Some(at);
    }
    Some(end(text, |c| matches!(c, ' ' | '\t' | '\r' | '\x0b' | '\x0c'))).filter(|&bytes| bytes > 0)
}
