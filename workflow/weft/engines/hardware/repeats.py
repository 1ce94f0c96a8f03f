"""The order in which points are measured."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from weft.engines.order import ResolvedPoint

#: What differs between repeats of one point.
OWN_KEYS = {"point_id", "digest", "seed"}


def repeats_in_turn(points: Sequence[ResolvedPoint]) -> list[ResolvedPoint]:
    """The first repeat of every point, then the second one of every point, and so on.

    So a machine that drifts affects all points alike, and repeats are as far apart as they can be.
    """
    seen: Counter[str] = Counter()
    turns: list[tuple[int, ResolvedPoint]] = []
    for point in points:
        asked = json.dumps({k: v for k, v in point.items() if k not in OWN_KEYS}, sort_keys=True)
        turns.append((seen[asked], point))
        seen[asked] += 1
    return [point for _, point in sorted(turns, key=lambda each: each[0])]
