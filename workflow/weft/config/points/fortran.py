"""What a source of Fortran needs: modules of others, which are compiled before it, and files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_INCLUDE = re.compile(rb"^[ \t]*include[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\")", re.M | re.I)
_MODULE = re.compile(
    rb"^[ \t]*(?:module[ \t]+(?!procedure\b)|submodule[^)\n]*\)[ \t]*)(\w+)", re.M | re.I
)
_USE = re.compile(
    rb"^[ \t]*(?:use\b[ \t]*(?:,[ \t]*\w+[ \t]*)?(?:::)?[ \t]*|submodule[ \t]*\([ \t]*)(\w+)",
    re.M | re.I,
)


def included(text: bytes) -> list[tuple[int, str]]:
    """Files that the lines `include '...'` name, each with the place of its name."""
    found = ((line, 1 if line[1] else 2) for line in _INCLUDE.finditer(text))
    return [(line.start(i), line[i].decode(errors="replace")) for line, i in found]


def in_order(sources: Sequence[str], texts: Mapping[str, bytes]) -> list[str]:
    """The sources, each behind those whose modules it uses; else in the order in which they come.

    The compiler reports modules that use each other.
    """
    homes: dict[bytes, str] = {}
    for path in sources:
        for name in _MODULE.findall(texts[path]):
            homes.setdefault(name.lower(), path)
    ordered: dict[str, None] = {}
    begun = set[str]()

    def add(path: str) -> None:
        if path in begun:
            return
        begun.add(path)
        for name in _USE.findall(texts[path]):
            if home := homes.get(name.lower()):
                add(home)
        ordered[path] = None

    for path in sources:
        add(path)
    return list(ordered)
