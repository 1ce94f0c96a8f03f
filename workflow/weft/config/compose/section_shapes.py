"""What stands where an experiment has a section: keys with values, not a list or a number."""

from __future__ import annotations

from collections.abc import Mapping

from weft.config.language.errors import Problem
from weft.config.model.experiment import GROUPS
from weft.config.model.network import SECTIONS

#: Sections below those at the top, by their place; `*` is any name.
_INNER = {("engine", "*"), ("machine", "environment"), *(("network", name) for name in SECTIONS)}
_SECTIONS = {*((name,) for name in (*GROUPS, "engine")), *_INNER}


def section_problems(sections: Mapping[str, object], place: tuple[str, ...] = ()) -> list[Problem]:
    """Sections whose value is a list or a number, and so has no keys."""
    found: list[Problem] = []
    for key, value in sections.items():
        below = (*place, str(key))
        if below not in _SECTIONS and (*below[:-1], "*") not in _SECTIONS:
            continue
        if isinstance(value, Mapping):
            found += section_problems(value, below)
        else:
            message = f"expected a section of keys with values, got {value!r}"
            found.append(Problem(".".join(below), message))
    return found
