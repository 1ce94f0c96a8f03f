"""What an experiment says, put over the group files that it starts from.

Sections are merged key by key. Everything below them is a value and is replaced as a whole: a list
by a range, or a range by another one, of which no part stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weft.config.errors import Problem
from weft.config.experiment import GROUPS
from weft.config.network import SECTIONS

#: Sections below those at the top, by their place; `*` is any name.
_INNER = {("engine", "*"), ("machine", "environment"), *(("network", name) for name in SECTIONS)}
_SECTIONS = {*((name,) for name in (*GROUPS, "engine")), *_INNER}


def section_problems(sections: Mapping[str, Any], place: tuple[str, ...] = ()) -> list[Problem]:
    """Sections that are no sections: a list or a number has no keys."""
    found: list[Problem] = []
    for key, value in sections.items():
        below = (*place, str(key))
        if not _is_section(below):
            continue
        if isinstance(value, Mapping):
            found += section_problems(value, below)
        else:
            told = f"expected a section of keys with values, got {value!r}"
            found.append(Problem(".".join(below), told))
    return found


def merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with everything that `own` says; both are kept as they are."""
    return _merged((), base, own)


def leaves(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The dotted keys that an override sets: those in it for a section, else the one written."""
    if isinstance(value, Mapping) and value and _is_section(tuple(key.split("."))):
        for name, inner in value.items():
            yield from leaves(f"{key}.{name}", inner)
    else:
        yield key, value


def _merged(
    place: tuple[str, ...], base: Mapping[str, Any], own: Mapping[str, Any]
) -> dict[str, Any]:
    found = dict(base)
    for key, value in own.items():
        below, old = (*place, str(key)), found.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping) and _is_section(below):
            found[key] = _merged(below, old, value)
        else:
            found[key] = value
    return found


def _is_section(place: tuple[str, ...]) -> bool:
    return place in _SECTIONS or (*place[:-1], "*") in _SECTIONS
