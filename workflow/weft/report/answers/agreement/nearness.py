"""The sentence of how near a prediction is to its reference, where it suffices, what it saves."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from weft.analysis.comparison import Comparison, compare
from weft.report.answers.wording import at, name
from weft.report.data.distinguishing_settings import place
from weft.report.data.fidelity import MACHINE, fidelity
from weft.report.data.references import engine_of, engine_series
from weft.report.data.scatter import scatter_text
from weft.report.data.settings_in_words import key_name
from weft.report.data.source import Study
from weft.report.data.units import (
    ROUNDING,
    deviation,
    quantity,
    short,
    value_label,
)

#: Values that differ by less are said to be so near, and no more.
_VERY_NEAR = 5e-4


def nearness_text(study: Study, c: Comparison, near: float, *, is_one: bool) -> str:
    """What one series gives, or each of several, as the sentence goes on behind their names."""
    what, scatter = name(study, c.metric), scatter_text(c.worst)
    where = at(place(study, c.worst.coordinates)) + (f" ({scatter})" if scatter else "")
    unit = study.metrics[c.metric].unit
    recorded = "from the same recorded times of computing, " if _is_recorded(study, c) else ""
    all_values = f", at all {c.matched:,} values compared{_saving(study, c)}."
    if c.max_factor <= 1 + ROUNDING:
        alike = f"{recorded or 'exactly '}the same {what} as {c.to}"
        value = quantity(c.worst.of, unit)
        return f"{alike}{all_values if c.matched > 1 else f': {value}{_saving(study, c)}.'}"
    if c.matched == 1:
        both = f"{quantity(c.worst.of, unit)} against {quantity(c.worst.to, unit)}"
        off = deviation(c.max_factor)
        return f"{recorded}the {what} within {off} of {c.to}: {both}{where}."
    if c.max_factor <= 1 + _VERY_NEAR:
        return f"{recorded}the {what} within {_VERY_NEAR:.2%} of {c.to}{all_values}"
    close = [r for r in c.ratios if 1 / (1 + near) <= r.ratio <= 1 + near]
    share = f"within {near:.0%} at {len(close) or 'none'} of {c.matched:,} values"
    if len(close) == c.matched:
        return (
            f"the {what} within {near:.0%} of {c.to} at all {c.matched:,} values; the"
            f" worst is off by {deviation(c.max_factor)}{where}"
            f"{_enough(study, c, is_one)}{_saving(study, c)}."
        )
    return (
        f"the {what} within {deviation(c.median_factor)} (median) of {c.to}, {share}"
        f"{_from(c, close)}; the worst is off by {deviation(c.max_factor)}{where}."
    )


def _enough(study: Study, c: Comparison, is_one: bool) -> str:
    """`, so flow suffices here`, beside a reference that is an engine."""
    engine = engine_of(study, c.of)
    if not (engine and engine_of(study, c.to)):
        return ""
    return f", so {engine} suffices here" if is_one else ", so each of them suffices here"


def _is_recorded(study: Study, c: Comparison) -> bool:
    """Whether both read the same recorded times of computing: then being alike is no finding."""
    ends = [engine_of(study, label) for label in (c.of, c.to)]
    recorded = {
        s["engine"] for s in study.settings if s.get("options.compute") in ("measured", "sampled")
    }  # fmt: skip
    return None not in ends and set(ends) <= recorded


def _from(c: Comparison, close: Sequence[object]) -> str:
    """` (from 64 KiB on)`: where the values that are near stand together at one end of an axis."""
    keys = [
        key for key in {k for r in c.ratios for k in r.coordinates}
        if len({repr(r.coordinates.get(key)) for r in c.ratios}) > 1
    ]  # fmt: skip
    if len(keys) != 1 or not close:
        return ""
    (key,) = keys
    xs = [(r.coordinates.get(key), r in close) for r in c.ratios]
    numbers = sorted((x, near) for x, near in xs if isinstance(x, int | float))
    if len(numbers) < len(xs):
        return ""
    flags = [near for _, near in numbers]
    if flags == sorted(flags):
        return f" (from {key_name(key)} = {value_label(key, numbers[flags.index(True)][0])} on)"
    if flags == sorted(flags, reverse=True):
        return f" (up to {key_name(key)} = {value_label(key, numbers[flags.index(False) - 1][0])})"
    return ""


def _saving(study: Study, c: Comparison) -> str:
    """`; it takes 1/90 of the CPU time of rdma (median)` beside another simulator."""
    ends = [engine_of(study, label) for label in (c.of, c.to)]
    if None in ends or ends[0] == ends[1] or MACHINE in [fidelity(study, str(e)) for e in ends]:
        return ""
    series = engine_series(study, "cpu_s")
    both = compare("cpu_s", (c.of, series.get(c.of, [])), (c.to, series.get(c.to, [])))
    if not both.matched:
        return ""
    ratio = median(1 / each.ratio for each in both.ratios)
    # Of a much cheaper model a percentage would round to nothing.
    share = f"{1 / ratio:.0%}" if ratio < 10 else f"1/{short(float(f'{ratio:.2g}'))}"
    return f"; it takes {share} of the CPU time of {c.to} (median)" if ratio > 1 else ""
