"""Whether predictions meet a bar, beside how far repeats of the measurement are from each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from weft.analysis.comparison import AnswerRatio, Comparison, canonical
from weft.report.answers.wording import at, name
from weft.report.data.distinguishing_settings import place
from weft.report.data.references import engine_of
from weft.report.data.source import Study
from weft.report.data.units import listing, value_label

Place = tuple[tuple[str, object], ...]
Values = tuple[object, ...]
#: By the keys that a reference has at a place, and by their values.
Scatters = Mapping[tuple[str, ...], Mapping[Values, float]]


@dataclass(frozen=True, slots=True)
class JudgedRatio:
    """A prediction: how far it is off, and how far the farthest repeat is from the mean of the
    repeats; 0 without repeats. Both are shares."""

    ratio: AnswerRatio
    error: float
    scatter: float


def bar_sentences(
    study: Study, found: Sequence[Comparison], within: float, worst: float, each: Sequence[str]
) -> list[str]:
    """`flow misses the bar for …` for each value of the keys `each`, of series that agree at once.

    The bar: half of the errors are at most `within` or the median scatter, and each one is at
    most `worst` or the scatter of its own repeats, whichever is larger. `found` has no
    values that a fit has seen.
    """
    said: dict[tuple[bool, str], list[str]] = {}
    for comparison in found:
        for verdict in _verdicts(study, comparison, within, worst, each):
            said.setdefault(verdict, []).append(comparison.of)
    return [_sentence(of, is_met, text) for (is_met, text), of in said.items()]


def _sentence(of: Sequence[str], is_met: bool, text: str) -> str:
    verb = "meet" if is_met else "miss"
    verb = verb if len(of) > 1 else {"meet": "meets", "miss": "misses"}[verb]
    return f"{listing(of)} {verb} {text}"


def _verdicts(
    study: Study, c: Comparison, within: float, worst: float, each: Sequence[str]
) -> list[tuple[bool, str]]:
    """By the values of the keys `each`: whether the bar is met, and the rest of the sentence."""
    scatters = _scatters(study, c)
    groups: dict[Place, list[JudgedRatio]] = {}
    for ratio in c.ratios:
        where = tuple((key, ratio.coordinates.get(key)) for key in each)
        error = abs(ratio.ratio - 1)
        groups.setdefault(where, []).append(JudgedRatio(ratio, error, _scatter(ratio, scatters)))
    return [_verdict(study, c, within, worst, where, judged) for where, judged in groups.items()]


def _verdict(
    study: Study,
    c: Comparison,
    within: float,
    most: float,
    where: Place,
    judged: Sequence[JudgedRatio],
) -> tuple[bool, str]:
    middle = median(each.error for each in judged)
    usual = median(each.scatter for each in judged)
    scattered = [each for each in judged if most < each.error <= each.scatter]
    far = [each for each in judged if each.error > max(most, each.scatter)]
    # One beyond its bar, if any: the farthest of all may lie within its own scatter.
    worst = max(far or judged, key=lambda each: each.error)
    is_met = middle <= max(within, usual) and not far
    label = ", ".join(value_label(key, value) for key, value in where)
    here = at(place(study, worst.ratio.coordinates))
    text = (
        f"the bar for the {name(study, c.metric)} of {c.to}"
        f"{f' ({label})' if label else ''}: {len(judged)} values that no fit has seen are off by"
        f" {middle:.1%} (median; allowed are {max(within, usual):.0%}) and {worst.error:.1%}"
        f" (worst{f' of {len(far)} too far off' if far else ''}{here}; allowed are"
        f" {max(most, worst.scatter):.0%})."
        f" Repeats are up to {usual:.1%} (median) and"
        f" {max(each.scatter for each in judged):.1%} (worst) from their mean."
    )
    if scattered:
        text += f" {len(scattered)} of the values are off by more than {most:.0%}, but within that."
    return is_met, text


def _scatters(study: Study, c: Comparison) -> Scatters:
    """How far the repeats of the reference are from each other, by the keys that a place has."""
    engine = engine_of(study, c.to)
    if engine is None:
        return {}
    keys = list(dict.fromkeys(key for ratio in c.ratios for key in ratio.coordinates))
    found: dict[tuple[str, ...], dict[Values, float]] = {}
    for row in study.replicates(c.metric, keys, {"engine": engine}):
        known = tuple(key for key in keys if row.place[key] is not None)
        found.setdefault(known, {})[_at(row.place, known)] = _farthest(row.values)
    return found


def _scatter(ratio: AnswerRatio, scatters: Scatters) -> float:
    here = ((by_place, _at(ratio.coordinates, known)) for known, by_place in scatters.items())
    return next((by_place[place] for by_place, place in here if place in by_place), 0.0)


def _at(values: Mapping[str, object], keys: Sequence[str]) -> Values:
    return tuple(canonical(values.get(key)) for key in keys)


def _farthest(values: Sequence[float]) -> float:
    """How far the farthest value is from the mean, as a share of it."""
    mean = fmean(values)
    return max(abs(value / mean - 1) for value in values) if mean > 0 else 0.0
