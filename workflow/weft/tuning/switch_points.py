"""From the best algorithm at some ranks and sizes to tables that hold for all of them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from weft.report.data.choices import Best, best_of

#: The values of each algorithm, by ranks and bytes.
Values = Mapping[tuple[int, int], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Step:
    """An algorithm and the largest size that it is used for; None for all larger ones."""

    up_to_bytes: int | None
    use: str


@dataclass(frozen=True, slots=True)
class Bucket:
    """The steps for numbers of ranks up to `up_to_ranks`, which were found for `ranks` ranks."""

    ranks: int
    up_to_ranks: int | None
    steps: tuple[Step, ...]


def buckets(values: Values, best: Best, among: Collection[str] | None = None) -> list[Bucket]:
    """A bucket for each number of ranks, in order.

    Only `among` these algorithms, unless None. Two neighbours divide what lies between them at
    their geometric mean, because both axes grow by factors. Raises ValueError where an algorithm
    is wanted and none of them was asked.
    """
    found: dict[int, list[Step]] = {}
    for ranks, cells in groupby(sorted(values), key=lambda place: place[0]):
        choices = []
        for place in cells:
            known = {n: v for n, v in values[place].items() if among is None or n in among}
            if not known:
                raise ValueError(f"none of {', '.join(among or ())} was asked at {place}")
            choices.append((place[1], best_of(known, best)))
        found[ranks] = _steps(choices)
    limits = [_between(a, b) for a, b in pairwise(found)]
    return [
        Bucket(ranks, limit, tuple(steps))
        for (ranks, steps), limit in zip(found.items(), [*limits, None], strict=True)
    ]


def merged(table: Sequence[Bucket]) -> list[Bucket]:
    """Neighbours that choose alike as one bucket."""
    return [list(group)[-1] for _, group in groupby(table, key=lambda bucket: bucket.steps)]


def _steps(choices: Sequence[tuple[int, str]]) -> list[Step]:
    stretches = [list(group) for _, group in groupby(choices, key=lambda each: each[1])]
    limits = [_between(a[-1][0], b[0][0]) for a, b in pairwise(stretches)]
    uses = [stretch[0][1] for stretch in stretches]
    return [Step(limit, use) for limit, use in zip([*limits, None], uses, strict=True)]


def _between(low: int, high: int) -> int:
    """The last number that is nearer to `low`; at least `low` itself."""
    return max(low, math.isqrt(low * high))


def rows(table: Sequence[Bucket]) -> list[dict[str, int | str]]:
    """The table as an experiment writes it; the first row that holds counts."""
    found = []
    for bucket in merged(table):
        for step in bucket.steps:
            limits = {"up_to": step.up_to_bytes, "up_to_ranks": bucket.up_to_ranks}
            given: dict[str, int | str] = {k: v for k, v in limits.items() if v is not None}
            found.append(given | {"use": step.use})
    return found


def rules(table: Sequence[Bucket]) -> str:
    """The table as `programs/lib/choose.c` reads it."""
    found = []
    for row in rows(table):
        limits = [("bytes", row.get("up_to")), ("ranks", row.get("up_to_ranks"))]
        given = [f"{name}<={limit}" for name, limit in limits if limit is not None]
        found.append(f"{' '.join(given)}: {row['use']}" if given else str(row["use"]))
    return "; ".join(found)
