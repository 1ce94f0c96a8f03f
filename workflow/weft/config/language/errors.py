"""Errors in configuration files: collected, placed in file and key, then reported together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args

from weft.config.language.key_positions import Mark
from weft.config.language.section import Settings

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError


@dataclass(frozen=True, slots=True)
class ConfigError:
    """One mistake: the file that holds it, the dotted key (may be empty), what is wrong, and the
    line and column of the key where they are known."""

    file: str
    key: str
    message: str
    mark: Mark | None = None

    def __str__(self) -> str:
        file = f"{self.file}:{self.mark}" if self.mark else self.file
        place = f"{file}: {self.key}" if self.key else file
        return f"{place}: {self.message}"


class ConfigErrors(ValueError):  # noqa: N818 - it holds many errors
    """All mistakes of all files; the text has one line for each."""

    def __init__(self, errors: Iterable[ConfigError]) -> None:
        self.errors: list[ConfigError] = list(dict.fromkeys(errors))
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake under a dotted key, before the file that holds the key is known.

    `related` are other keys that the mistake depends on.
    """

    key: str
    message: str
    related: tuple[str, ...] = ()


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` or nothing."""
    names = list(known)
    words = set(_words(name))
    # A typing mistake first, then a longer name that contains this one, like x_mean for x.
    found = get_close_matches(name, names, n=1, cutoff=0.8)
    found = found or [each for each in names if words and words <= set(_words(each))]
    found = found or get_close_matches(name, names, n=1, cutoff=0.5)
    return f"; did you mean '{found[0]}'?" if found else ""


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name) if word]


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for a name that is not among `known`; it suggests the nearest."""
    names = sorted(known) if isinstance(known, Set) else list(known)
    guess = nearest(name, names) or ";"
    return f"unknown {what} '{name}'{guess} allowed: {', '.join(sorted(names)) or 'none'}"


def problems(
    error: ValidationError, model: type[BaseModel], prefix: str = "", hidden: Sequence[str] = ()
) -> list[Problem]:
    """Pydantic's findings in words, under dotted keys that start with `prefix`."""
    return [
        Problem(
            _dotted(prefix, detail["loc"]),
            _sentence(dict(detail), [k for k in _keys(model, detail["loc"]) if k not in hidden]),
        )
        for detail in error.errors(include_url=False)
    ]


def _keys(model: type[BaseModel], location: Iterable[str | int]) -> list[str]:
    """What may stand where the mistake is: keys of the innermost section on the way to it."""
    for step in location:
        field = model.model_fields.get(str(step))
        model = (next(_sections_in(field.annotation), None) if field else None) or model
    return list(model.model_fields)


def _sections_in(kind: Any) -> Iterator[type[Settings]]:
    """The models in a type, those of lists and of unions, too."""
    if isinstance(kind, type) and issubclass(kind, Settings):
        yield kind
    for inner in get_args(kind):
        yield from _sections_in(inner)


def _dotted(prefix: str, location: Iterable[str | int]) -> str:
    text = prefix
    for step in location:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step in _UNION_BRANCHES or "[" in str(step):
            continue
        else:
            text += f".{step}" if text else str(step)
    return text


#: Names that Pydantic puts into a location for the branch of a union, not for a key.
_UNION_BRANCHES = {"int", "str", "bool", "float", "dict", "list"}


def _sentence(detail: dict[str, Any], allowed: Sequence[str]) -> str:
    kind, given = detail["type"], detail.get("input")
    if kind == "extra_forbidden":
        return unknown("key", str(detail["loc"][-1]), allowed)
    if kind == "missing":
        return "this key is required"
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
        return unknown("value", str(given), choices)
    message = str(detail["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        return message
    quotes = _QUOTES if kind == "string_type" and isinstance(given, bool) else ""
    return f"{message[0].lower()}{message[1:]}, got {given!r}{quotes}"


_QUOTES = "; YAML reads yes, no, on and off as truth values: put quotes around the word"
