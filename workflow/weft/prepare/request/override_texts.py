"""`--config 'overrides=[…]'`, of which Snakemake hands over a text, a list, or a mapping."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

_CLOSING = {"[": "]", "{": "}", "(": ")"}
#: `key=`, `+key=`, `++key=`, `~key`.
_BEGINNING = re.compile(r"~[\w@/.-]|\+{0,2}[A-Za-z_][\w@/.-]*\s*=(?!=)")


def split_texts(value: object) -> tuple[str, ...]:
    """The overrides in a `--config` value, divided at commas outside brackets and quotes.

    Snakemake takes the value for YAML. `[sweep.topology.k=[4, 8]]` is none and arrives as it was
    written; `[title='a, b']` and `[topology.k=2,4]` are lists of two; a colon with a blank makes a
    mapping.
    """
    if value is None:
        return ()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _choices(_joined(map(_text, value), ", "))
    text = _text(value).strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    return _choices(_joined(text.split(","), ","))


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {each}" for key, each in value.items())
    return "null" if value is None else str(value)


def _choices(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts, each joined with those that follow it and are further values of it."""
    found: list[str] = []
    for text in texts:
        if found and "=" in found[-1] and not _BEGINNING.match(text):
            found[-1] += f",{text}"
        else:
            found.append(text)
    return tuple(found)


def _joined(pieces: Iterable[str], comma: str) -> Iterator[str]:
    """The pieces, those put together again that a comma in brackets or quotes has parted."""
    held: list[str] = []
    for piece in pieces:
        held.append(piece)
        text = comma.join(held).strip()
        if not _is_open(text):
            held = []
            if text:
                yield text
    if held:
        yield comma.join(held).strip()


def _is_open(text: str) -> bool:
    """Whether a bracket or a quote is not closed; a quote within a word is an apostrophe."""
    closing: list[str] = []
    quote, before = "", "="
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"" and not before.isalnum():
            quote = sign
        elif sign in _CLOSING:
            closing.append(_CLOSING[sign])
        elif closing and sign == closing[-1]:
            closing.pop()
        before = sign
    return bool(quote or closing)
