//! A text and the tokens taken from its front.

/// Between tokens; anything else that looks like space belongs to a word.
const SPACE: [char; 6] = [' ', '\t', '\r', '\n', '\x0b', '\x0c'];
/// Parts of operators. Those that touch are one token, so that `- -x` is not `--x`.
const OPERATORS: &str = "!#$%&*+-./:<=>?@\\^`|~";

pub struct Scanner<'t> {
    rest: &'t str,
    tokens: Vec<&'t str>,
}

impl<'t> Scanner<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { rest: text, tokens: Vec::new() }
    }

    pub fn rest(&self) -> &'t str {
        self.rest
    }

    pub fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    pub fn skip_space(&mut self) -> bool {
        let before = self.rest.len();
        self.rest = self.rest.trim_start_matches(SPACE);
        self.rest.len() < before
    }

    /// The next bytes are a token.
    pub fn take(&mut self, bytes: usize) {
        self.tokens.push(&self.rest[..bytes]);
        self.skip(bytes);
    }

    /// A token that stands for something else.
    pub fn push(&mut self, token: &'static str) {
        self.tokens.push(token);
    }

    pub fn last(&self) -> Option<&'t str> {
        self.tokens.last().copied()
    }

    /// A word, an operator before `stops`, or one character.
    pub fn take_plain(&mut self, stops: &[&str]) {
        let word = end(self.rest, |c| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii());
        if word > 0 {
            return self.take(word);
        }
        let run = end(self.rest, |c| OPERATORS.contains(c));
        let stopped = |&at: &usize| stops.iter().any(|stop| self.rest[at..].starts_with(stop));
        match (0..run).find(stopped).unwrap_or(run) {
            0 => self.take(self.rest.chars().next().map_or(0, char::len_utf8)),
            operator => self.take(operator),
        }
    }

    /// Every token behind its length in bytes.
    pub fn framed(&self) -> Vec<u8> {
        let mut framed = Vec::new();
        for token in &self.tokens {
            framed.extend_from_slice(format!("{}:", token.len()).as_bytes());
            framed.extend_from_slice(token.as_bytes());
        }
        framed
    }
}

/// Bytes at the front of a text whose characters are accepted.
pub fn end(text: &str, accepts: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accepts(c)).unwrap_or(text.len())
}

/// Bytes up to the end of `mark`, looked for from `from` on; all where there is none.
pub fn through(text: &str, from: usize, mark: &str) -> usize {
    text[from..].find(mark).map_or(text.len(), |at| from + at + mark.len())
}

/// Bytes of a text that `quote` opens at `from`, with backslashes that hide one character each; to the
/// end of the text where nothing closes it.
pub fn quoted(text: &str, from: usize, quote: &str) -> usize {
    let mut at = from + quote.len();
    while at < text.len() {
        if text[at..].starts_with(quote) {
            return at + quote.len();
        }
        let mut next = text[at..].chars();
        if next.next() == Some('\\') && next.next().is_none() {
            return at;
        }
        let hidden = usize::from(text[at..].starts_with('\\'));
        at += hidden + text[at + hidden..].chars().next().map_or(0, char::len_utf8);
    }
    at
}
