"""Dotted keys of nested JSON: `{"topology": {"k": 4}}` has `topology.k`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def dotted(tree: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is no object itself, under its dotted key."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from dotted(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
