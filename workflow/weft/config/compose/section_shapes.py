"""What stands where an experiment has a section: keys with values, not a list or a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from weft.config.language.errors import Problem
from weft.config.model.experiment import GROUPS
from weft.config.model.network import SECTIONS

#: Sections below those at the top, by their place; `*` is any name.
_INNER = {("engine", "*"), ("machine", "environment"), *(("network", name) for name in SECTIONS)}
_SECTIONS = {*((name,) for name in (*GROUPS, "engine")), *_INNER}


def section_problems(sections: Mapping[str, object]) -> list[Problem]:
    """Sections whose value is a list or a number, and so has no keys."""
    return [Problem(".".join(place), _expected(place, v)) for place, v in no_sections(sections)]


def _expected(place: tuple[str, ...], value: object) -> str:
    message = f"expected a section of keys with values, got {value!r}"
    if place[0] in GROUPS and len(place) == 1 and isinstance(value, str) and value.isidentifier():
        return f"{message}; to choose a {place[0]}, write defaults: [override /{place[0]}: {value}]"
    return message


def no_sections(
    sections: Mapping[str, object], place: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    """The places of such sections, with their values."""
    for key, value in sections.items():
        below = (*place, str(key))
        if below not in _SECTIONS and (*below[:-1], "*") not in _SECTIONS:
            continue
        if isinstance(value, Mapping):
            yield from no_sections(value, below)
        else:
            yield below, value


def without_places(
    sections: Mapping[str, object], places: frozenset[tuple[str, ...]], at: tuple[str, ...] = ()
) -> dict[str, object]:
    """The sections without what stands at these places."""
    return {
        key: without_places(value, places, below) if isinstance(value, Mapping) else value
        for key, value in sections.items()
        if (below := (*at, str(key))) not in places
    }
