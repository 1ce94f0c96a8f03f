"""Of several numeric keys: how much each of them changes a metric over the values tried."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from weft.analysis.findings import on_common_draws
from weft.report.answers.along.question import AlongAsk
from weft.report.answers.grid import ValueGrid, grid, numbered
from weft.report.answers.optimum import optimum_text
from weft.report.answers.question import PageSources, SeriesAsk
from weft.report.answers.wording import headed
from weft.report.data.metrics import Metric
from weft.report.data.settings_in_words import key_name, lowered, setting_in_words
from weft.report.data.units import ROUNDING, factor, listing, value_label

#: From this factor on a change is a factor, no share.
_LARGE = 2
#: A key that changes a metric by less is not what it follows.
_LITTLE = 0.05
#: A metric that goes so much farther between the ends of a key turns there.
_TURN = 1.05


@dataclass(frozen=True, slots=True)
class Effect:
    """What `key` multiplies the metric by from its least value to its greatest, all else equal: a
    factor for each setting of the other keys. `spreads` are the greatest value of the metric
    divided by its least one there, also between the ends."""

    key: str
    least: float
    greatest: float
    factors: tuple[float, ...]
    spreads: tuple[float, ...]

    @property
    def strength(self) -> float:
        """The median spread, as a logarithm."""
        return math.log(median(self.spreads))

    @property
    def turns(self) -> bool:
        """Whether somewhere the metric goes farther between the ends than from one to the other."""
        pairs = zip(self.factors, self.spreads, strict=True)
        return any(spread > _TURN * max(by, 1 / by) for by, spread in pairs)


@dataclass(frozen=True, slots=True)
class EffectsAsk(SeriesAsk):
    """How much each of the numeric keys `over` and `among` changes the metric."""

    within: float | None = None
    """As of the question `along`, which is asked where one key alone matters."""

    def _one_matters(self, effects: Sequence[Effect]) -> bool:
        """Whether the metric hardly follows any key but the first."""
        first, *others = effects
        little = math.log1p(_LITTLE)
        return bool(others) and first.strength > little >= max(
            math.log(max(each.spreads)) for each in others
        )

    def _course(self, page: PageSources, effects: Sequence[Effect]) -> list[str]:
        """How the metric goes along the key that alone matters, at the least value of the others,
        and that these change little; nothing where no point has these values."""
        first, *others = effects
        # As planned: a filter compares 1 and 1.0 as different settings.
        planned = page.study.values
        here = {e.key: next(v for v in planned[e.key] if v == e.least) for e in others}
        wheres = tuple({**where, **here} for where in self.wheres)
        course = AlongAsk(self.of, first.key, (), self.each, wheres, within=self.within)
        said = course.sentences(page)
        names = listing([key_name(each.key) for each in others])
        what = lowered(page.study.metrics[self.of].label)
        left = f"Other values of {names} change the {what} by at most {_LITTLE:.0%}."
        return [*said, left] if said else []

    def sentences(self, page: PageSources) -> list[str]:
        """How much each key changes the metric, that which changes most first; then the best
        values."""
        keys = [key for key in (self.over, *self.among) if key]
        found = grid(page.study, self.of, self.wheres, (*self.each, *keys))
        if not found.cells:
            return []
        values = found.nearest()
        effects = [each for key in keys if (each := _effect(values, key, keys))]
        if not effects:
            return []
        effects.sort(key=lambda each: each.strength, reverse=True)
        if self._one_matters(effects) and (course := self._course(page, effects)):
            return course
        whose = found.whose(self)
        metric, start = page.study.metrics[self.of], values.filters_left(self, self.each)
        said = [_text(metric, effects), optimum_text(values, metric, keys)]
        return [headed(start, text + (f" ({whose})" if whose else "")) for text in said if text]


def _effect(values: ValueGrid, key: str, keys: Sequence[str]) -> Effect | None:
    """None where no two values of `key` can be compared."""
    rest = [k for k in values.places([key], [k for k in keys if k != key]) if k != key]
    curves = [
        curve
        for named in numbered(values.curves([], [*rest, key])).values()
        for curve in named.values()
    ]
    ends = [x for curve in curves for x in curve]
    factors, spreads = [], []
    for curve in curves:
        # Where a sweep leaves an end out, the rest of it says nothing about the whole way.
        if len(curve) < 2 or not {min(ends), max(ends)} <= {*curve}:
            continue
        both = on_common_draws([curve[min(ends)], curve[max(ends)]])
        means = [value.mean for value in curve.values()]
        if both and min(*means, *(value.mean for value in both)) > 0:
            factors.append(both[1].mean / both[0].mean)
            spreads.append(max(means) / min(means))
    return Effect(key, min(ends), max(ends), tuple(factors), tuple(spreads)) if factors else None


def _text(metric: Metric, effects: Sequence[Effect]) -> str:
    first, *others = effects
    what = lowered(metric.label)
    if first.strength <= ROUNDING:
        names = " and ".join(key_name(each.key) for each in effects)
        return f"the {what} is the same for all values of {names}"
    # One unit in a sentence: factors where one is of twice as much.
    is_large = any(by >= _LARGE for each in effects for by in each.factors)
    spans = [_span(each, is_large) + _turn(each) for each in effects]
    text = f"the {what} follows {key_name(first.key)} most: {_range(first)} it is {spans[0]}"
    rest = zip(others, spans[1:], strict=True)
    return "; ".join([text, *(f"{_range(each)} it is {span}" for each, span in rest)])


def _range(effect: Effect) -> str:
    """`with a bandwidth of 2 GB/s instead of 1 GB/s`."""
    greatest, least = setting_in_words(effect.key, effect.greatest), effect.least
    return f"with {greatest} instead of {value_label(effect.key, least)}"


def _turn(effect: Effect) -> str:
    """What the ends do not show."""
    if not effect.turns:
        return ""
    return f", and between them values are up to {factor(max(effect.spreads))} apart"


def _span(effect: Effect, is_large: bool) -> str:
    """`31.2% to 45.9% lower (median 40.1%)`, or `×1.20 to ×4.00 (median ×2.00)`."""
    low, middle, high = min(effect.factors), median(effect.factors), max(effect.factors)
    if max(abs(math.log(low)), abs(math.log(high))) <= ROUNDING:
        return "no different"
    bare, amount = (factor, factor) if is_large else (_bare, _amount)
    ends = [amount(low), amount(high)]
    if ends[0] == ends[1]:
        return ends[0]
    if low < 1 < high:
        return f"between {ends[0]} and {ends[1]} (median {amount(middle)})"
    near, far = sorted((low, high), key=lambda each: abs(math.log(each)))
    return f"{bare(near)} to {amount(far)} (median {bare(middle)})"


def _amount(by: float) -> str:
    return f"{_bare(by)} {'higher' if by >= 1 else 'lower'}"


def _bare(by: float) -> str:
    return f"{abs(by - 1):.1%}"
