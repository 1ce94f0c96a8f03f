"""What is wrong with a text that is not YAML, in words for somebody who wrote it by hand."""

from __future__ import annotations

import re

import yaml

from weft.config.language.key_positions import Mark
from weft.config.language.yaml_words import Misread

_NOT = "not valid YAML: "
#: A key at the start of a line, or of an entry of a list, whose colon has no plain space behind it.
_TIGHT = re.compile(r"^\s*(?:- +)*([\w./-]+):(\S|[^\S ])(.*)$")
#: Quotes of a text processor.
_CURLY = frozenset("“”„‘’‚«»")
_START = re.compile(r"[-\s]*")


def yaml_mistake(error: yaml.MarkedYAMLError, text: str) -> tuple[str, Mark | None]:
    """What is wrong and where, as far as the parser's place shows it."""
    at = _mark(error.problem_mark) or _mark(error.context_mark)
    begin, problem = _mark(error.context_mark), str(error.problem or error)
    if isinstance(error, Misread):
        return problem, at
    if at is None:
        return f"{_NOT}{problem}", None
    if _at(text, at) == "\t":
        return "there is a tab; indent with spaces", at
    if problem == "could not find expected ':'" and begin:
        return _without_colon(_line(text, begin)), begin
    if problem == "found character that cannot start any token":
        return f"{_NOT}a text that begins with {_at(text, at)} needs quotes around it", at
    if problem == "but found another document":
        return f"{_NOT}--- begins a second document; a file holds one experiment or one section", at
    if problem == "mapping values are not allowed in this context":
        return _second_colon(text, at)
    if problem == "did not find expected key":
        return f"{_NOT}expected 'key: value' here; lines of one text are indented alike", at
    if problem.startswith("did not find expected ',' or") and begin and begin.line < at.line:
        closed = f"the {_at(text, begin)} in line {begin.line}, column {begin.column}"
        return f"{_NOT}{closed}, is not closed before this", at
    return f"{_NOT}{problem}", at


def _without_colon(line: str) -> str:
    tight = _TIGHT.match(line)
    if tight is None:
        return f"{_NOT}expected 'key: value', got '{line.strip()}'"
    key, first, rest = tight.groups()
    value = f"{first.strip()}{rest}".strip()
    return f"{_NOT}a colon needs a plain space behind it: write '{key}: {value}'"


def _second_colon(text: str, at: Mark) -> tuple[str, Mark]:
    line = _line(text, at)
    key, colon, value = line[: at.column - 1].partition(": ")
    if colon and value.lstrip()[:1] in _CURLY:
        return f"{_NOT}{value.lstrip()[0]} does not quote a text: write '…' or \"…\"", at
    if colon and value.strip():
        return f"{_NOT}a text with a colon and a space needs quotes around it", at
    above = next((n for n in range(at.line - 1, 0, -1) if _line(text, Mark(n, 1)).strip()), None)
    before = _line(text, Mark(above, 1)) if above else ""
    if above and _TIGHT.match(before):
        return _without_colon(before), Mark(above, _column(before))
    if above and ":" not in before:
        written = before.strip()
        return f"{_NOT}there is no colon behind '{written}'", Mark(above, _column(before))
    return f"{_NOT}'{key.strip()}' is indented otherwise than the keys above it", at


def _column(line: str) -> int:
    found = _START.match(line)
    return found.end() + 1 if found else 1


def _mark(mark: yaml.Mark | None) -> Mark | None:
    return Mark(mark.line + 1, mark.column + 1) if mark else None


def _line(text: str, mark: Mark) -> str:
    return [*text.split("\n"), ""][mark.line - 1]


def _at(text: str, mark: Mark) -> str:
    """The character where the mark is."""
    return _line(text, mark)[mark.column - 1 : mark.column]
