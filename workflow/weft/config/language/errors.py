"""Errors in configuration files: collected, placed in file and key, then reported together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from operator import itemgetter
from typing import TYPE_CHECKING, get_args

from weft.config.language.key_positions import Mark
from weft.config.language.section import Settings
from weft.config.language.shown import shown

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails


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
        return shown(f"{place}: {self.message}")


class ConfigErrors(ValueError):  # noqa: N818 - it holds many errors
    """All mistakes of all files; the text has one line for each."""

    def __init__(self, errors: Iterable[ConfigError]) -> None:
        self.errors: list[ConfigError] = list(dict.fromkeys(errors))
        super().__init__("\n".join(map(str, self.errors)))


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake under a dotted key, before the file that holds the key is known.

    `related` are other keys that the mistake depends on, `swept` the values of the first point that
    has it, as text: which entry of a sweep is meant.
    """

    key: str
    message: str
    related: tuple[str, ...] = ()
    swept: tuple[tuple[str, str], ...] = ()


def nearest(name: str, known: Iterable[str], also: Mapping[str, str] | None = None) -> str:
    """`; did you mean 'x'?` or nothing. `also` has other words for some of the names."""
    texts = {**{each: each for each in known}, **(also or {})}
    found = meant(name, texts)
    return f"; did you mean '{texts[found]}'?" if found else ""


def meant(name: str, known: Iterable[str]) -> str | None:
    """The known name that may have been meant: the shortest with this as its last part, else one
    that looks alike."""
    names = list(known)
    whole = [each for each in names if each.endswith(f".{name}")] if name else []
    return min(whole, key=len, default=None) or _mistyped(name, names) or _longer(name, names)


def _mistyped(name: str, known: Iterable[str]) -> str | None:
    """The known name that differs by a typing mistake, in longer names by two or three."""
    near = [(apart, each) for each in known if (apart := _apart(name, each)) is not None]
    return min(near, key=itemgetter(0))[1] if near else None


def _longer(name: str, known: Iterable[str]) -> str | None:
    """The name with the fewest further words around those of this one, like x_mean for x."""
    words, found = _words(name), []
    for each in known:
        there = _words(each)
        if words and all(any(_same(word, other) for other in there) for word in words):
            found.append((not each.lower().startswith(name.lower()), len(there), each))
    return min(found, key=itemgetter(0, 1))[2] if found else None


def _same(word: str, other: str) -> bool:
    """Whether the word is the other one, mistyped or its beginning."""
    begins = len(word) >= _BEGINNING and other.startswith(word)
    return word == other or begins or (len(word) > _BEGINNING and _apart(word, other) is not None)


def _apart(name: str, other: str) -> int | None:
    """How many letters only one of both has, upper or lower case; None if they are two names.

    A wrong letter counts twice, and so do two that are in each other's place.
    """
    one, two = ("".join(_words(each)) or each for each in (name, other))
    most = 2 * max(1, min(3, len(one) // 4)) if len(one) > _SHORT else len(one) - 1
    if abs(len(one) - len(two)) > most:
        return None
    matches = SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks()
    apart = len(one) + len(two) - 2 * sum(block.size for block in matches)
    return apart if apart <= most else None


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name.lower()) if word]


#: From this length on the beginning of a word stands for it.
_BEGINNING = 3
#: Up to this length a name has no room for a wrong letter: `k` is not `n`.
_SHORT = 2

#: A longer list in a message hides what is wrong.
MOST_LISTED = 30
#: How many of a long list stand for it where nothing holds all of them.
_EXAMPLES = 5
#: Where a user finds all names of a kind.
_PLACES = {
    "key": "which docs/experiment-file.md lists",
    "metric": "which docs/metrics.md lists",
    "experiment": "which weft list prints",
}


def unknown(
    what: str, name: str, known: Iterable[str], also: Mapping[str, str] | None = None
) -> str:
    """The message for a name that is not among `known`; it suggests the nearest."""
    names = sorted(known) if isinstance(known, Set) else list(known)
    guess = nearest(name, names, also) or ";"
    return f"unknown {what} '{name}'{guess} {listing('allowed', what, name, names)}"


def listing(verb: str, what: str, name: str, names: Sequence[str]) -> str:
    """`<verb>: a, b, c`, or of a long list where all of it stands, else those most like `name`."""
    if len(names) <= MOST_LISTED:
        return f"{verb}: {', '.join(sorted(names)) or 'none'}"
    near = () if what in _PLACES else get_close_matches(name, names, n=_EXAMPLES, cutoff=0.0)
    where = _PLACES.get(what, f"such as {', '.join(sorted(near))}")
    return f"{verb}: {len(names):,} names, {where}"


def problems(
    error: ValidationError, model: type[BaseModel], prefix: str = "", hidden: Sequence[str] = ()
) -> list[Problem]:
    """Pydantic's findings in words, under dotted keys that start with `prefix`."""
    found: dict[object, Problem] = {}
    for place, detail in enumerate(_once(prefix, error)):
        key = _dotted(prefix, detail["loc"])
        sentence = _sentence(detail, _innermost(model, detail["loc"]), hidden)
        # Of a value that is of no kind that its key takes, Pydantic says so for each kind.
        same = (key, repr(detail["input"])) if str(detail["type"]).endswith("_type") else place
        if same in found:
            both = found[same].message.replace(_GOT, f", or {_wanted(sentence)}{_GOT}", 1)
            found[same] = Problem(key, both)
        else:
            found[same] = Problem(key, sentence + _several(key, detail, sentence))
    return list(found.values())


_GOT = ", got "


def _wanted(sentence: str) -> str:
    """`a list` of `expected a list, got 5`."""
    return sentence.partition(_GOT)[0].removeprefix("expected ")


#: Sections whose keys a sweep may vary, and mistakes that a single value would not make.
_SWEPT = ("topology.", "network.", "workload.", "engine.")
_OF_ONE = ("int_type", "float_type", "bool_type", "string_type", "literal_error", "value_error")


def _several(key: str, detail: ErrorDetails, sentence: str) -> str:
    """Where a list belongs that stands in the place of one value."""
    if not isinstance(detail.get("input"), list) or detail["type"] not in _OF_ONE:
        return ""
    # Else it is a mistake in the values of a key that holds a list.
    if detail["type"] == "value_error" and not sentence.startswith("expected"):
        return ""
    return f"; several values stand below sweep, as {key}" if key.startswith(_SWEPT) else ""


def _once(prefix: str, error: ValidationError) -> Iterable[ErrorDetails]:
    """Pydantic's findings; of words that differ by the branch of a union, one with all of them."""
    found: dict[object, ErrorDetails] = {}
    for place, each in enumerate(error.errors(include_url=False)):
        words = each["type"] == "literal_error"
        first = found.setdefault(_dotted(prefix, each["loc"]) if words else place, each.copy())
        if words and first["ctx"] != each["ctx"]:
            both = f"{first['ctx']['expected']}, {each['ctx']['expected']}"
            first["ctx"] = {"expected": both}
    return found.values()


def _innermost(model: type[BaseModel], location: Iterable[str | int]) -> type[BaseModel]:
    """The section in which the mistake is; its keys are what may stand there."""
    for step in location:
        field = model.model_fields.get(str(step))
        model = (next(_sections_in(field.annotation), None) if field else None) or model
    return model


def _sections_in(kind: object) -> Iterator[type[Settings]]:
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


def _sentence(detail: ErrorDetails, section: type[BaseModel], hidden: Sequence[str]) -> str:
    kind, given = detail["type"], detail.get("input")
    if kind == "extra_forbidden":
        allowed = [key for key in section.model_fields if key not in hidden]
        name = str(detail["loc"][-1])
        dotted = name.partition(".")[0] in allowed
        return _dotted_key(name) if dotted else unknown("key", name, allowed)
    is_of_key = detail["loc"][-1:] == ("[key]",)
    if kind == "invalid_key" or (is_of_key and not isinstance(given, str)):
        return f"expected a key that is a text, got {given!r}"
    if kind == "missing":
        return "this key is required"
    if given is None and str(kind).endswith("_type"):
        keys = [str(step) for step in detail["loc"] if str(step) in section.model_fields]
        field = section.model_fields[keys[-1]] if keys else None
        if field is None or field.is_required():
            return "this key cannot be null: give a value"
        default = field.get_default(call_default_factory=False)
        shown = f", {default}" if isinstance(default, int | float | str) else ""
        return f"this key cannot be null: leave it out for its default{shown}"
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
        return unknown("value", str(given), choices)
    message = str(detail["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        return message
    wanted = _WANTED.get(kind) or message.replace("Input should be", "must be")
    quotes = _QUOTES if kind == "string_type" and isinstance(given, bool) else ""
    return f"{wanted[0].lower()}{wanted[1:]}, got {given!r}{quotes}{_instead(str(kind), given)}"


def _instead(kind: str, given: object) -> str:
    """`; write 4` for a number that is written in a way that this key does not take."""
    if not kind.startswith(("int_", "float_")) or isinstance(given, bool):
        return ""
    found = _NUMBER.fullmatch(given if isinstance(given, str) else repr(given))
    if found is None:
        return ""
    number = float(found["digits"]) / (100 if found["percent"] else 1)
    whole = number.is_integer() and abs(number) < _EXACT
    if kind.startswith("int_") and not whole:
        return ""
    return f"; write {int(number) if whole else f'{number:.12g}'}"


def _dotted_key(name: str) -> str:
    head, *inner = name.split(".")
    nested = "".join(f"{{{key}: " for key in inner) + "…" + "}" * len(inner)
    return f"a key with a dot stands below sweep, indented; elsewhere write {head}: {nested}"


_NUMBER = re.compile(r"(?P<digits>-?\d+(\.\d+)?(e[+-]?\d+)?)\s*(?P<percent>%)?")
#: From here on a float no longer has every whole number.
_EXACT = 2**53
#: What is wanted, by Pydantic's name of the mistake.
_WANTED = {
    "bool_type": "expected true or false",
    "dict_type": "expected a section of keys with values",
    "float_type": "expected a number",
    "int_from_float": "expected a whole number",
    "int_type": "expected a whole number",
    "list_type": "expected a list, like [a, b]",
    "model_type": "expected a section of keys with values",
    "string_too_short": "expected a text that is not empty",
    "string_type": "expected a text, in quotes if it looks like something else",
    "too_short": "expected at least 1 entry",
}
_QUOTES = "; YAML reads yes, no, on and off as truth values: put quotes around the word"
