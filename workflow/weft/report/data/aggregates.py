"""Answers of the database that agree in some keys, as figures and sentences read them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

#: Keys of settings with their values; of those that an answer does not have, None.
Settings = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MeanValue:
    """The mean of a metric over the `n` answers of one place, in stored units.

    `sd` is the standard deviation of a sample, None of one answer. `flag` holds the reasons why
    some of the answers are not to be trusted; they are `crowded` where ranks shared processors.
    """

    place: Settings
    mean: float
    n: int
    sd: float | None
    flag: str | None
    crowded: bool


@dataclass(frozen=True, slots=True)
class ReplicateValues:
    """The `values` of a metric at one place, and for each of them the draw that it belongs to."""

    place: Settings
    values: Sequence[float]
    draws: Sequence[Hashable]


@dataclass(frozen=True, slots=True)
class Quartiles:
    """The lower and the upper quartile of the `n` raw repetitions of a metric at one place."""

    place: Settings
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class PublishedValue:
    """A number of a paper, or one derived or measured for it, in stored units.

    `place` are the settings that it states, `item` is the figure or table that it belongs to.
    """

    item: str
    series: str
    metric: str
    value: float
    place: Settings
    note: str
