"""Where each key of a YAML text stands: line and column, by its dotted key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import yaml

from weft.config.language.yaml_loader import LOADER

_LAST_STEP = re.compile(r"(\.[^.\[\]]+|\[\d+\])$")


@dataclass(frozen=True, slots=True)
class Mark:
    """Line and column as an editor counts them, from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@lru_cache(maxsize=256)
def marks(text: str) -> dict[str, Mark]:
    """The mark of every key and list item: `topology.k`, `figures[0].line.x`.

    Empty for a text that is no YAML: reading it has said so already.
    """
    try:
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError:
        return {}
    found: dict[str, Mark] = {}
    for key, mark in _marked(root, "", set()):
        # A dotted key may be written in two ways; the first one is meant.
        found.setdefault(key, mark)
    return found


def _marked(node: object, place: str, seen: set[int]) -> Iterator[tuple[str, Mark]]:
    # What an alias repeats has one place, where it is written; and an alias may name itself.
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            below = f"{place}.{key.value}" if place else str(key.value)
            yield below, _mark(key)
            yield from _marked(value, below, seen)
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            yield f"{place}[{i}]", _mark(item)
            yield from _marked(item, f"{place}[{i}]", seen)


def _mark(node: yaml.Node) -> Mark:
    return Mark(node.start_mark.line + 1, node.start_mark.column + 1)


def nearest_mark(found: dict[str, Mark], key: str) -> Mark | None:
    """The mark of `key`, or of the innermost section around it that is written."""
    while key and key not in found:
        shorter = _LAST_STEP.sub("", key)
        key = shorter if shorter != key else ""
    return found.get(key)


def first_mark(found: dict[str, Mark]) -> Mark | None:
    """The mark of the first key of a file: there belongs what the file as a whole lacks."""
    return next(iter(found.values()), None)
