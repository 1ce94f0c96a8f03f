"""`expect:` of an experiment: what shall come out, stated before it runs.

A statement speaks the language of the questions of `answer:`, with a bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from weft.config.language.amounts import share_or_number
from weft.config.language.section import Settings
from weft.config.model.figure import Choice, Value

#: A number with the unit of what is held to it; it is read when that unit is known.
Amount = Annotated[
    float | str, WithJsonSchema({"type": ["number", "string"], "examples": ["2 ms"]})
]
#: The ends of a bound, with the words that messages and pages use.
ENDS = ("at_least", "above", "at_most", "below")


def _positive(given: float | str) -> float | str:
    if share_or_number(given) <= 0:
        raise ValueError(f"expected a share above 0, like '10 %', got {given!r}")
    return given


Share = Annotated[
    float | str,
    AfterValidator(_positive),
    WithJsonSchema({"type": ["number", "string"], "examples": ["10 %"]}),
]


class Expectation(Settings):
    """Base of all statements."""

    where: dict[str, Choice] = Field(default_factory=dict)
    """It is stated of answers with this value alone, or with one of these."""

    @property
    def of(self) -> str | None:
        """The metric that it is about; None where the figures say."""
        return None

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that it names, by field, without those of `where`."""
        return {}

    def engines(self) -> dict[str, str]:
        """The engines that it names, by field."""
        return {}


class OfEngine(Expectation):
    """Base of statements about the answers of one engine, or of each engine."""

    metric: str
    """The metric."""
    engine: str | None = None
    """The engine that answers; each engine that gives the metric unless given."""

    @property
    def of(self) -> str | None:
        """The metric."""
        return self.metric

    def engines(self) -> dict[str, str]:
        """The engine whose answers are meant, if one is named."""
        return {"engine": self.engine} if self.engine else {}


class Bounded(Settings):
    """Base of statements with a number that has to lie between ends."""

    at_least: Amount | None = None
    """The number is at least so high."""
    above: Amount | None = None
    """The number is higher."""
    at_most: Amount | None = None
    """The number is at most so high."""
    below: Amount | None = None
    """The number is lower."""

    def ends(self) -> dict[str, float | str]:
        """The ends that are given, as written."""
        found = {name: getattr(self, name) for name in ENDS}
        return {name: end for name, end in found.items() if end is not None}

    @model_validator(mode="after")
    def _one_end_a_side(self) -> Self:
        for pair in (ENDS[:2], ENDS[2:]):
            given = [name for name in pair if name in self.ends()]
            if len(given) > 1:
                raise ValueError(f"{' and '.join(given)} are two ends of one side; keep one")
        return self

    def _need_end(self) -> None:
        if not self.ends():
            raise ValueError(f"without a bound this can not fail: give one of {', '.join(ENDS)}")


class ValueExpected(OfEngine, Bounded):
    """Every value of a metric, which is the mean of its replicates, lies within a bound."""

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        self._need_end()
        return self


class BestExpected(OfEngine):
    """One alternative is better than each other one, at every place."""

    best: Value
    """The alternative: a value of a swept key."""
    among: str | None = None
    """The key whose values compete; the only swept key that has this value unless given."""
    by: Share | None = None
    """The least lead over the next one, like `10 %`; any that exceeds the scatter unless given."""

    def keys(self) -> dict[str, list[str]]:
        """The key whose values compete."""
        return {"among": [self.among]} if self.among else {}


class TwoEngines(Settings):
    """An engine, and the one that it is held against."""

    of: str
    """An engine."""
    to: str
    """The engine that is the reference, or `published`."""
    within: Share
    """How far off each value may be, like `10 %`."""


class AgreementExpected(Expectation):
    """One engine is near another one at every place that both answer."""

    agreement: TwoEngines
    """Two engines, `of` and `to`, which may be `published`, and how far apart each pair of values
    may be, `within: 10 %`."""
    metric: str | None = None
    """The metric; unless given, each metric of the figures that both engines give."""

    @property
    def of(self) -> str | None:
        """The metric, if one is named."""
        return self.metric

    def engines(self) -> dict[str, str]:
        """Both engines."""
        return {"agreement.of": self.agreement.of, "agreement.to": self.agreement.to}

    @model_validator(mode="after")
    def _two(self) -> Self:
        if self.agreement.of == self.agreement.to:
            raise ValueError(
                f"{self.agreement.of} agrees with itself, so this can not fail: name two engines"
            )
        return self


class AlongExpected(OfEngine, Bounded):
    """A metric grows or falls along an axis of numbers, or crosses a level there once.

    With `crosses` the ends bound where that is, in the unit of the axis. Without it they bound by
    which share the last value exceeds the first one, or falls below it."""

    along: str
    """The key that is the axis."""
    goes: Literal["grows", "falls"] | None = None
    """No step goes the other way by more than the scatter, and the last value differs from the
    first one."""
    crosses: Amount | None = None
    """The level, in the unit of the metric."""

    def keys(self) -> dict[str, list[str]]:
        """The axis."""
        return {"along": [self.along]}

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.goes is None and self.crosses is None:
            raise ValueError("say how it goes: grows or falls, or which level it crosses")
        return self


class Spending(Settings):
    """What an engine spends, alone or beside another one."""

    of: str
    """An engine."""
    to: str | None = None
    """Another engine: the bound is then for the share of its cost at the same points."""


class CostExpected(Expectation, Bounded):
    """What an engine spends on its points together lies within a bound."""

    cost: Spending
    """An engine, `of`; with `to` the bound is for the share of its cost in that of this engine at
    the same points."""
    metric: Literal["cpu_s", "wall_s"] = "cpu_s"
    """What is spent: CPU time unless given, or elapsed time."""

    @property
    def of(self) -> str | None:
        """The metric."""
        return self.metric

    def engines(self) -> dict[str, str]:
        """The engines."""
        given = {"cost.of": self.cost.of, "cost.to": self.cost.to}
        return {field: name for field, name in given.items() if name}

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        self._need_end()
        if self.cost.to == self.cost.of:
            raise ValueError(
                f"{self.cost.of} costs as much as itself, so this can not tell: name two engines"
            )
        return self


class ChoicesExpected(Expectation, Bounded):
    """What the maps of choices choose is right often enough, or loses little enough."""

    where: dict[str, Choice] = Field(default_factory=dict)
    """Refused: the maps themselves say which answers count."""
    choices: Literal["right", "lost"]
    """The bound is for the share of cells whose choice is `right`, or for the mean share that
    choices have `lost`."""
    metric: str | None = None
    """The metric; unless given, each metric of such maps."""

    @property
    def of(self) -> str | None:
        """The metric, if one is named."""
        return self.metric

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        self._need_end()
        if self.where:
            raise ValueError(
                "the maps say which answers count, so where has no effect here; give it to the"
                " figure of the kind choice"
            )
        return self


#: The kinds by the key that makes them; an entry with none of the first five is about values.
EXPECTATIONS: Mapping[str, type[Expectation]] = {
    "best": BestExpected,
    "along": AlongExpected,
    "agreement": AgreementExpected,
    "cost": CostExpected,
    "choices": ChoicesExpected,
    "metric": ValueExpected,
}
