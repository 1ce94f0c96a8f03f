"""The tokens of a source, so that comments and white space change no version and no point.

`simulators/source_version/src/tokens.rs` makes the same of Rust, C and TOML. A test compares both
on all sources and on random texts. Neither checks a source: a compiler does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path, PurePosixPath

_WORD = r"[A-Za-z0-9_\u0080-\U0010ffff]+"
_OPERATORS = r"[!#$%&*+\-./:<=>?@\\^`|~]"
_STRING = r'"(?:\\.|[^"\\])*"?'
_BLANK = r"[ \t\r\v\f]+"


def _plain(stops: str) -> str:
    """A word, an operator before `stops`, or one character."""
    return rf"{_WORD}|(?:(?!{stops}){_OPERATORS})+|."


def _compile(**parts: str) -> re.Pattern[str]:
    groups = (f"(?P<{name}>{pattern})" for name, pattern in parts.items())
    return re.compile("|".join(groups), re.DOTALL)


_RUST = _compile(
    skipped=r"[ \t\r\n\v\f]+|//[^\n]*",
    comment=r"/\*",
    raw=r'(?:r|br|cr)(?P<signs>#*)".*?(?:"(?P=signs)|\Z)',
    token=rf"[bc]?{_STRING}|b?'(?:\\.[^'\n]*|[^\\'\n])'|'|{_plain('//|/[*]')}",
)
_C = _compile(
    line=r"\n",
    space=rf"\\\n|/\*.*?(?:\*/|\Z)|//(?:\\\n|[^\n])*|{_BLANK}",
    token=rf"{_STRING}|'(?:\\.|[^'\\])*'?|" + _plain(r"//|/[*]|\\\n"),
)
_TOML = _compile(
    line=r"\n",
    skipped=rf"{_BLANK}|\#[^\n]*",
    token=r'"""(?:\\.|(?!""")[^\\])*(?:""")?|\'\'\'.*?(?:\'\'\'|\Z)'
    rf"|{_STRING}|'[^']*'?|{_plain('[#]')}",
)
_NESTED = re.compile(r"/\*|\*/")


def content(name: str, source: bytes) -> bytes:
    """The part of a file that counts: its tokens, each behind its length in bytes.

    The whole file counts if its language is not known, or if it is not text.
    """
    tokens = _LANGUAGES.get(PurePosixPath(name).suffix)
    return source if tokens is None else _framed(tokens, source)


def file_digest(name: str, data: bytes) -> str:
    """SHA-256, in hexadecimal, by which a point names a file: of C source that of the tokens."""
    return sha256(content(name, data) if name.endswith(".c") else data).hexdigest()


def files_digest(paths: Iterable[Path]) -> str:
    """SHA-256, in hexadecimal, over names and tokens of files, in their order."""
    digest = sha256()
    for path in paths:
        counted = content(path.name, path.read_bytes())
        digest.update(f"{path.name} {len(counted)}\n".encode() + counted)
    return digest.hexdigest()


@lru_cache(maxsize=4096)
def _framed(tokens: Callable[[str], Iterator[str]], source: bytes) -> bytes:
    try:
        text = source.decode()
    except UnicodeDecodeError:
        return source
    encoded = (token.encode() for token in tokens(text))
    return b"".join(b"%d:%b" % (len(token), token) for token in encoded)


def _rust(text: str) -> Iterator[str]:
    at = 0
    while match := _RUST.match(text, at):
        at = match.end()
        if match["comment"]:
            at = _comment_end(text, at)
        elif not match["skipped"]:
            yield match[0]


def _comment_end(text: str, at: int) -> int:
    """Behind the comment that is open at `at`; comments lie in comments."""
    depth = 1
    while depth and (mark := _NESTED.search(text, at)):
        depth += 1 if mark[0] == "/*" else -1
        at = mark.end()
    return len(text) if depth else at


def _c(text: str) -> Iterator[str]:
    """Lines and space have a meaning in directives of the preprocessor only."""
    directive, first, spaced = False, True, False
    for match in _C.finditer(text):
        if match["line"]:
            if directive:
                yield "\n"
            directive, first, spaced = False, True, False
        elif match["space"]:
            spaced = True
        else:
            directive = directive or (first and match[0].startswith("#"))
            if directive and spaced and not first:
                yield " "
            first = spaced = False
            yield match[0]
    if directive:
        yield "\n"


def _toml(text: str) -> Iterator[str]:
    """Lines end statements."""
    last = "\n"
    for match in _TOML.finditer(text):
        if match["skipped"] or (match["line"] and last == "\n"):
            continue
        last = match[0]
        yield last


def _python(text: str) -> Iterator[str]:
    """The syntax tree without docstrings, the same of every version of Python."""
    try:
        yield from _nodes(ast.parse(text))
    except SyntaxError:
        yield text


def _nodes(value: object) -> Iterator[str]:
    if isinstance(value, ast.AST):
        yield f"({type(value).__name__}"
        for name, field in ast.iter_fields(value):
            # Newer versions have fields that are empty in older sources.
            if field is not None and field != []:
                yield name
                yield from _nodes(field)
        yield ")"
    elif isinstance(value, list):
        yield "["
        for each in value:
            if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)):
                yield from _nodes(each)
        yield "]"
    else:
        yield repr(value)


_LANGUAGES: Mapping[str, Callable[[str], Iterator[str]]] = {
    ".rs": _rust,
    ".c": _c,
    ".h": _c,
    ".cpp": _c,
    ".hpp": _c,
    ".py": _python,
    ".toml": _toml,
}
