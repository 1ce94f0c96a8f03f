"""What the names of all alternatives end with, said once: `a, 8 members` and `b, 8 members`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.analysis.findings import BestFinding

_BETWEEN = ", "


def without_shared_ending(ranked: Sequence[BestFinding]) -> tuple[list[BestFinding], str]:
    """The rankings with shorter names, and the parts after commas that all names ended with."""
    names = list(dict.fromkeys(name for each in ranked for name, _ in each.order))
    shared: list[str] = []
    parts = [name.split(_BETWEEN) for name in names]
    while len(parts) > 1 and min(map(len, parts)) > 1 and len({each[-1] for each in parts}) == 1:
        shared.insert(0, parts[0][-1])
        parts = [each[:-1] for each in parts]
    short = dict(zip(names, (_BETWEEN.join(each) for each in parts), strict=True))
    return [_renamed(each, short) for each in ranked], _BETWEEN.join(shared)


def _renamed(ranking: BestFinding, names: dict[str, str]) -> BestFinding:
    return replace(
        ranking,
        order=tuple((names[name], value) for name, value in ranking.order),
        leaders=tuple(names[name] for name in ranking.leaders),
    )
