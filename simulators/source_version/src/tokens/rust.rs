//! Tokens of Rust.

use super::scanner::{Scanner, end, quoted, through};

pub fn scan(scanner: &mut Scanner) {
    let text = scanner.rest();
    if scanner.skip_space() {
    } else if text.starts_with("//") {
        scanner.skip(end(text, |c| c != '\n'));
    } else if text.starts_with("/*") {
        scanner.skip(comment(text));
    } else if let Some(bytes) = raw(text).or_else(|| string(text)).or_else(|| character(text)) {
        scanner.take(bytes);
    } else if text.starts_with('\'') {
        scanner.take(1);
    } else {
        scanner.take_plain(&["//", "/*"]);
    }
}

/// Comments lie in comments.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    at
}

/// `r#"…"#`, with any number of signs.
fn raw(text: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        text.strip_prefix(prefix).is_some_and(|rest| rest.trim_start_matches('#').starts_with('"'))
    })?;
    let signs = end(&text[prefix.len()..], |c| c == '#');
    let close = format!("\"{}", "#".repeat(signs));
    Some(through(text, prefix.len() + signs + 1, &close))
}

fn string(text: &str) -> Option<usize> {
    let prefix = ["", "b", "c"]
        .into_iter()
        .find(|prefix| text.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('"')))?;
    Some(quoted(text, prefix.len(), "\""))
}

/// A character, and no lifetime.
fn character(text: &str) -> Option<usize> {
    let open = if text.starts_with("b'") { 2 } else { 1 };
    if open == 1 && !text.starts_with('\'') {
        return None;
    }
    let mut chars = text[open..].chars();
    let bytes = match chars.next()? {
        '\\' => {
            let hidden = 1 + chars.next()?.len_utf8();
            hidden + end(chars.as_str(), |c| c != '\'' && c != '\n')
        }
        '\'' | '\n' => return None,
        plain => plain.len_utf8(),
    };
    text[open + bytes..].starts_with('\'').then_some(open + bytes + 1)
}
