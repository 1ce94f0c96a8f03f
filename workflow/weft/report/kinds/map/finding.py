"""How many cells of a map of ratios agree, and where they do not, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from weft.config.model.figures import Map
from weft.report.data.settings_in_words import key_name, placed, setting_in_words
from weft.report.data.source import Study
from weft.report.data.units import (
    factor,
    listing,
    quantity,
    value_label,
)
from weft.report.kinds.map.rows import MapCell, MapData, map_data

#: A value is named as one where agreement is rare when it is rarer by this share of its cells.
_TELLING = 0.05


def map_findings(study: Study, figure: Map) -> list[str]:
    """What a map of ratios says: the share that agrees, where it does not; or the typical ratio."""
    data = map_data(study, figure)
    cells = data.judged
    if not figure.of or not cells:
        return []
    name = data.label[:1].lower() + data.label[1:]
    if figure.within is None:
        low, high = (end(cells, key=lambda c: c.value) for end in (min, max))
        middle = factor(median(cell.value for cell in cells))
        return [
            f"{data.label}: {figure.of} ÷ {figure.to} is {middle} in the median, from"
            f" {factor(low.value)} to {factor(high.value)} ({placed(high.at)})."
        ]
    close = [cell for cell in cells if data.agrees(cell)]
    share = f"{len(close):,} of {len(cells):,} cells ({len(close) / len(cells):.0%})"
    start = f"{figure.of} gives the {name} within {figure.within:.0%} of {figure.to} in {share}"
    if len(close) == len(cells):
        return [f"{start}."]
    worst = max(cells, key=_distance)
    unit = study.metrics[figure.value].unit
    both = f"{quantity(worst.of, unit)} against {quantity(worst.to, unit)}"
    rare = _rare(data, len(close) / len(cells))
    return [
        f"{start}; the farthest is off by {factor(_distance(worst))} ({both}) {placed(worst.at)}.",
        *([f"It agrees least often at {rare}."] if rare else []),
    ]


def _distance(cell: MapCell) -> float:
    return max(cell.value, 1 / cell.value) if cell.value > 0 else math.inf


def _rare(data: MapData, share: float) -> str:
    """For each key the values with the smallest share of agreement, where shares differ."""
    parts = []
    figure = data.figure
    for key in dict.fromkeys(k for k in (figure.row, *figure.y, figure.x) if k):
        found: dict[object, list[bool]] = {}
        for cell in data.judged:
            found.setdefault(cell.setting(key), []).append(data.agrees(cell))
        shares = {value: sum(each) / len(each) for value, each in found.items()}
        least = min(shares.values())
        if len(shares) > 1 and least < share - _TELLING:
            ties = [value for value in shares if shares[value] == least]
            parts.append((least, f"{_values(key, list(shares), ties)} ({least:.0%})"))
    return ", ".join(text for _, text in sorted(parts))


def _values(key: str, every: Sequence[object], ties: Sequence[object]) -> str:
    """`an injection rate of 0.4 to 1`: equal ones as a range where they stand side by side."""
    if all(isinstance(value, int | float) for value in every):
        every, ties = (sorted(values, key=float) for values in (every, ties))  # type: ignore[arg-type]
        start = every.index(ties[0])
        if len(ties) > 2 and list(every[start : start + len(ties)]) == list(ties):
            return f"{setting_in_words(key, ties[0])} to {value_label(key, ties[-1])}"
    if len(ties) == 1:
        return setting_in_words(key, ties[0])
    return f"{key_name(key)} {listing(value_label(key, value) for value in ties)}"
