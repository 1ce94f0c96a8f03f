"""Axes of figures: their units, ticks at what was asked, and room around the marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import altair as alt

from weft.report.data.units import Scale, key_label, key_scale, prefixes, titled, value_label
from weft.report.draw.drawing import VegaLite

#: With so many values at most, every one has a tick.
MOST_TICKS = 12
#: Width of a letter of an axis label, in pixels.
_LETTER = 6.5
#: What the other axis with its labels takes of a chart, in pixels.
_OTHER_AXIS = 70
#: The share of an axis that is left free beyond the marks.
_ROOM = 0.04
#: An axis without zero spans at least this share of its highest value.
_LEAST_SPAN = 0.1
_TITLES: VegaLite = {"labelOverlap": "greedy", "labelSeparation": 8}


@dataclass(frozen=True, slots=True)
class Across:
    """The x axis that all panels of a figure share: a parameter's values, in one unit."""

    key: str
    scale: Scale | None
    values: tuple[str | float, ...]
    log: bool = False
    steps: bool = False

    @property
    def title(self) -> str:
        """What the axis shows, with its unit."""
        return titled(key_label(self.key), self.scale)

    @property
    def numbers(self) -> bool:
        """Whether all values are numbers."""
        return all(isinstance(value, int | float) for value in self.values)

    def place(self, x: str | float) -> str | float:
        """`x` in the unit of the axis, a list of words as people read it."""
        return value_label(self.key, x) if isinstance(x, str) else self._scaled(x)

    def encoding(self) -> alt.X:
        """The axis; words and, with `steps`, numbers make categories."""
        if not self.numbers:
            return self._words()
        drawn = sorted({self._scaled(value) for value in self.values if not isinstance(value, str)})
        axis: VegaLite = {"title": self.title, **_TITLES, **self._labels(drawn)}
        if self.steps or (self.log and drawn[0] <= 0):
            scale = alt.Scale(domain=drawn, type="band" if self.steps else "point")
            return alt.X("x:O", axis=alt.Axis(labelAngle=0, **axis), scale=scale)
        ends = [drawn[0], drawn[-1]]
        if len(drawn) <= MOST_TICKS:
            axis["values"] = drawn
        if self.log:
            axis |= {"tickCount": 8, "grid": True}
            base = 2 if _doubling(drawn) else 10
            scale = alt.Scale(type="log", base=base, domain=ends, nice=False, padding=12)
        else:
            scale = alt.Scale(zero=False, nice=False, domain=ends, padding=12)
        return alt.X("x:Q", axis=alt.Axis(**axis), scale=scale)

    def _scaled(self, value: float) -> float:
        return float(f"{value / self.scale.factor:.9g}") if self.scale else value

    def _words(self) -> alt.X:
        # Numbers stay numbers, so that they are equal to what the data holds.
        words = cast("list[str]", list(dict.fromkeys(map(self._word, self.values))))
        # Labels stand upright only where the longest one is wider than a category.
        wide = len(words) * (max(len(str(word)) for word in words) * _LETTER + 10)
        looks = {"labelAngle": "270 : 0", "labelAlign": "'right' : 'center'"}
        looks["labelBaseline"] = "'middle' : 'top'"
        # Not the width alone: it shrinks by the other axis after the place for labels was decided.
        room = f"min(width, 0) + (containerSize()[0] || width) < {wide + _OTHER_AXIS:.0f}"
        by_room: VegaLite = {name: alt.expr(f"{room} ? {each}") for name, each in looks.items()}
        axis = alt.Axis(title=self.title, labelLimit=0, **by_room)
        return alt.X("x:N", axis=axis, sort=words, scale=alt.Scale(domain=words))

    def _word(self, value: str | float) -> str | float:
        return value_label(self.key, value) if isinstance(value, str) else value

    def _labels(self, drawn: Sequence[float]) -> VegaLite:
        """How numbers are written; without a common unit each label has its own."""
        prefixed = prefixes(self.key)
        if prefixed and self.scale is None:
            return {"labelExpr": _with_units(prefixed)}
        whole = all(float(value).is_integer() for value in drawn)
        if whole and self.scale is None:
            return {"format": ",d" if drawn[-1] < 1_000_000 else "~s", "tickMinStep": 1}
        return {"format": ",.6~g"}


def across(
    key: str, values: Sequence[str | float], log: bool = False, steps: bool = False
) -> Across:
    """The x axis for `values` of `key`."""
    return Across(key, key_scale(key, values), tuple(values), log, steps)


def _doubling(drawn: Sequence[float]) -> bool:
    """Whether each value is a power of two, as message sizes are."""
    return all(math.log2(value).is_integer() for value in drawn)


def unit_labels(key: str) -> str:
    """Labels of an axis with values of `key`, which have units."""
    return _with_units(prefixes(key))


def _with_units(prefixed: Sequence[tuple[float, str]]) -> str:
    """Labels of a wide range: 4 KiB and 1 MiB, 20 ns and 3 s, each with its own prefix.

    Factors have all their digits: six of them would put 1 MiB below its own prefix.
    """
    branches = [
        f"abs(datum.value) >= {factor!r} ? format(datum.value / {factor!r}, '.4~g') + ' {unit}' : "
        for factor, unit in prefixed[:-1]
    ]
    factor, unit = prefixed[-1]
    return f"{''.join(branches)}format(datum.value / {factor!r}, '.4~g') + ' {unit}'"


def upwards(rows: Sequence[VegaLite], log: bool, from_zero: bool, bars: bool = False) -> VegaLite:
    """The scale of a y axis with room beyond the values, so that no mark lies on its ends.

    Bars stand on the lower end: on zero, or some way below the least of them where there is none.
    Arrows above the last values of series need more room. A difference of one per cent is no cliff.
    """
    share = 3 * _ROOM if any(row.get("ends") for row in rows) else _ROOM
    values = [
        row[name] for row in rows for name in ("y", "low", "high") if row.get(name) is not None
    ]
    values += [value for row in rows for value in row.get("replicates") or ()]
    if log:
        values = [value for value in values if value > 0]
        low, high = min(values), max(values)
        above = max((high / low) ** (1.5 * share), 1.05)
        below = 2.0 if bars else max((high / low) ** (1.5 * _ROOM), 1.05)
        return {"type": "log", "domain": [low / below, high * above], "nice": False}
    low, high = min(values), max(values)
    if from_zero or 0 < low < 0.25 * high:
        low, high = min(low, 0.0), max(high, 0.0)
    elif 0 < high - low < _LEAST_SPAN * abs(high):
        missing = _LEAST_SPAN * abs(high) - (high - low)
        low, high = low - missing / 2, high + missing / 2
    span = high - low or abs(high) or 1.0
    touched = not bars and min(values) - low < 0.5 * _ROOM * span
    ends = [low - _ROOM * span * touched, high + share * span]
    return {"domain": [_near(end) for end in ends], "nice": False}


def _near(value: float) -> float:
    return float(f"{value:.6g}")
