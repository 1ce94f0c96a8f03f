"""Answers of one series against those of another, joined on the coordinates both have."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from weft.analysis.findings import Value, on_common_draws

Key = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One value (a mean over replicates) at its coordinates.

    `flag` is why one that was measured on a busy machine is not to be trusted. `drawn` has the
    replicates, which a published value lacks.
    """

    coordinates: Mapping[str, object]
    value: float
    flag: str | None = None
    drawn: Value | None = None

    @property
    def whole(self) -> Value:
        """The value with its replicates, if it has any."""
        return self.drawn or Value(self.value)


@dataclass(frozen=True, slots=True)
class AnswerRatio:
    """`of ÷ to` at one place of the parameter space; `scatter` is the larger one of both sides.

    `lacking` says whether one of them lacks draws that the other has, which count for neither.
    """

    coordinates: Mapping[str, object]
    of: float
    to: float
    flag: str | None = None
    scatter: float = 0.0
    lacking: bool = False

    @property
    def ratio(self) -> float:
        """The quotient."""
        return self.of / self.to


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two series side by side; factors are distances from 1, so 0.5 and 2 both count as 2.

    `flagged` are the ratios with a value that was measured on a busy machine. They are shown, but
    no judgement uses them.
    """

    metric: str
    of: str
    to: str
    ratios: tuple[AnswerRatio, ...]
    of_count: int
    to_count: int
    flagged: tuple[AnswerRatio, ...] = ()
    fitted: bool = False
    """Whether the network of `of` was fitted to what is compared: no prediction then."""

    def of_ratios(self, chosen: Callable[[AnswerRatio], bool], *, fitted: bool) -> Comparison:
        """Those of the ratios that are `chosen`."""
        ratios, flagged = (tuple(filter(chosen, each)) for each in (self.ratios, self.flagged))
        return replace(self, ratios=ratios, flagged=flagged, fitted=fitted)

    @property
    def shown(self) -> tuple[AnswerRatio, ...]:
        """All ratios, flagged ones last."""
        return (*self.ratios, *self.flagged)

    @property
    def matched(self) -> int:
        """How many places both series have a usable value for."""
        return len(self.ratios)

    @property
    def coverage(self) -> float:
        """Share of the reference's values that found a partner."""
        return len({_frozen(r.coordinates) for r in self.ratios}) / max(1, self.to_count)

    @property
    def geometric_mean(self) -> float:
        """Geometric mean of the ratios: the bias."""
        return math.exp(math.fsum(math.log(r.ratio) for r in self.ratios) / len(self.ratios))

    @property
    def median_factor(self) -> float:
        """Half of the values lie within this factor."""
        return median(_factor(r) for r in self.ratios)

    @property
    def worst(self) -> AnswerRatio:
        """The ratio farthest from 1; of equal ones the first."""
        return max(self.ratios, key=_factor)

    @property
    def max_factor(self) -> float:
        """How far the worst ratio is from 1."""
        return _factor(self.worst)


def reasons(*flags: str | None) -> str | None:
    """Why a number made from several values is not to be trusted; None if all of them are."""
    return "; ".join(dict.fromkeys(flag for flag in flags if flag)) or None


def compare(
    metric: str, of: tuple[str, Sequence[Answer]], to: tuple[str, Sequence[Answer]]
) -> Comparison:
    """Join two named series on the coordinates that both have and take the ratios.

    A coordinate that only one side has does not hinder a match. Of replicates those count whose
    draws both sides have. Zeros, negative and missing values cannot form a ratio and are left out;
    `coverage` counts them.
    """
    of_name, of_answers = of
    to_name, to_answers = to
    shared = sorted(_keys(of_answers) & _keys(to_answers))
    partners: dict[Key, list[Answer]] = {}
    for answer in to_answers:
        partners.setdefault(_place(answer.coordinates, shared), []).append(answer)
    pairs = [
        _ratio(answer, partner)
        for answer in of_answers
        for partner in partners.get(_place(answer.coordinates, shared), [])
    ]
    every = [ratio for ratio in pairs if ratio]
    ratios = tuple(ratio for ratio in every if not ratio.flag)
    flagged = tuple(ratio for ratio in every if ratio.flag)
    counts = len(of_answers), len(to_answers)
    return Comparison(metric, of_name, to_name, ratios, *counts, flagged)


def _ratio(answer: Answer, partner: Answer) -> AnswerRatio | None:
    whole = answer.whole, partner.whole
    both = on_common_draws(whole)
    if not both or min(value.mean for value in both) <= 0:
        return None
    of, to = both
    return AnswerRatio(
        {**answer.coordinates, **partner.coordinates},
        of.mean,
        to.mean,
        reasons(answer.flag, partner.flag),
        max(of.scatter, to.scatter),
        any(len(a.replicates) < len(b.replicates) for a, b in zip(both, whole, strict=True)),
    )


def _keys(answers: Iterable[Answer]) -> set[str]:
    return {
        key for answer in answers for key, value in answer.coordinates.items() if value is not None
    }


def _place(coordinates: Mapping[str, object], shared: Sequence[str]) -> Key:
    return tuple((key, canonical(coordinates.get(key))) for key in shared)


def _frozen(coordinates: Mapping[str, object]) -> Key:
    return _place(coordinates, sorted(coordinates))


def canonical(value: object) -> object:
    """Equal settings compare equal: 16, 16.0 and "16" are one."""
    if value is None or isinstance(value, bool):
        return None if value is None else str(value)
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return str(value)


def _factor(ratio: AnswerRatio) -> float:
    return max(ratio.ratio, 1 / ratio.ratio)
