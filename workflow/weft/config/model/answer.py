"""`answer:` of an experiment: the questions that the box on top of its report answers."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from weft.config.language.section import Settings
from weft.config.model.figure import Choice

Keys = str | list[str]


class AnswerRequest(Settings):
    """Base of all questions. What is not given follows from the first figure of the metric."""

    of: str | None = None
    """A metric; unless given, each metric of the figures."""
    where: dict[str, Choice] = Field(default_factory=dict)
    """Use only answers with this value, or with one of these; unless given, those that the
    figures show."""

    def keys(self) -> dict[str, list[str]]:
        """The dotted keys that must vary, by field."""
        named = {field: getattr(self, field, None) for field in ("over", "among", "each")}
        return {field: listed(given) for field, given in named.items() if given}


class AmongSeries(AnswerRequest):
    """Base of questions about series along an axis."""

    over: str | None = None
    """The key along which series are compared; the x of the figure unless given."""
    among: Keys | None = None
    """The key, or keys, whose values are the series; those of the figure unless given."""
    each: Keys | None = None
    """Keys whose values get a sentence each; the rows of the figure unless given."""


class Best(AmongSeries):
    """Which series is best, where, and by how much."""


class Saturation(AmongSeries):
    """Between which loads a network saturates, or from where on a metric has levelled off."""

    within: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """How close to its best value a metric counts as levelled off."""


class Crossover(AmongSeries):
    """Where two series change places."""


class Change(AmongSeries):
    """By how much a metric changes along the axis, against the least value there."""


class Course(AmongSeries):
    """How a metric goes along an ordered axis: what it starts with, and from where on it stays."""

    within: Annotated[float, Field(gt=0, lt=1)] = 0.01
    """By which share values may differ and still count as the same."""


class Threshold(AmongSeries):
    """From where on along the axis a metric reaches a level, and stays there."""

    at_least: float | None = None
    """The level, in the metric's unit; higher values reach it, too. Either this or `at_most`."""
    at_most: float | None = None
    """The level, in the metric's unit; lower values reach it, too."""

    @model_validator(mode="after")
    def _one_level(self) -> Self:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("a threshold needs one level: either at_least or at_most")
        return self


class Convergence(AmongSeries):
    """From where on along an ordered axis series differ little from the first one."""

    within: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """By which share of the first series' value others may differ and still count as the same."""


class Agreement(AnswerRequest):
    """How close the engines are to their reference, and whether they suffice."""

    to: str | None = None
    """The engine that is the reference, or `published`, or `derived` for values derived from a
    paper's model; as `report.reference` unless given."""
    within: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """How far off an answer may be and still suffice."""
    worst: Annotated[float, Field(gt=0, lt=1)] | None = None
    """With it the answer says whether each series meets a bar: half of the values are within
    `within`, and all of them within `worst`, or within the scatter of repeated measurements where
    that is larger. Sizes that a fit has seen do not count."""
    each: Keys | None = None
    """Keys; of each of their values the answer names the simplest engine that suffices."""


class Cost(AnswerRequest):
    """What each engine costs for the same points, and the cheapest one that is good enough."""

    of: Literal["cpu_s", "wall_s"] | None = None
    """What is spent: CPU time unless given, or elapsed time."""
    to: str | None = None
    """The engine that says what is good enough, or `published`; as `report.reference` unless
    given."""
    within: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """How far off an answer may be and still be good enough."""


class Choices(AnswerRequest):
    """How often the maps of choices are right, and what their choices lose."""

    where: dict[str, Choice] = Field(default_factory=dict)
    """Refused: the maps themselves say which answers count."""

    @model_validator(mode="after")
    def _of_figures(self) -> Self:
        if self.where:
            raise ValueError(
                "the maps say which answers count, so where has no effect here; give it to the"
                " figure of the kind choice"
            )
        return self


class Pulses(AnswerRequest):
    """How often the throughput of links pulses in each dimension, beside published numbers."""

    of: str | None = None
    """Refused: the question is about the throughput of links."""
    where: dict[str, Choice] = Field(default_factory=dict)
    """Refused: the timelines themselves say which answers count."""

    @model_validator(mode="after")
    def _of_timelines(self) -> Self:
        if self.of or self.where:
            raise ValueError(
                "the timelines of link_throughput say what counts, so of and where have no effect"
                " here; give where to these figures"
            )
        return self


QUESTIONS: dict[str, type[AnswerRequest]] = {
    "best": Best,
    "saturation": Saturation,
    "crossover": Crossover,
    "change": Change,
    "course": Course,
    "convergence": Convergence,
    "threshold": Threshold,
    "agreement": Agreement,
    "cost": Cost,
    "choices": Choices,
    "pulses": Pulses,
}


def listed(given: Keys | None) -> list[str]:
    """One name, or a list of names, as a list."""
    return [given] if isinstance(given, str) else list(given or ())
