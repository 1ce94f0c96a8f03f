"""`answer:` of an experiment: the questions that the box on top of its report answers."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from weft.config.language.section import Settings
from weft.config.model.figure import Choice

Keys = str | list[str]
Share = Annotated[float, Field(gt=0, lt=1)]


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
    """Which series is best, where, and by how much; where the lead changes."""


class Along(AmongSeries):
    """How a metric goes along an axis.

    Over loads: where the network saturates. Over a few numbers: by how much each changes the
    metric. Over words and many numbers: where it starts, and from where on it stays. The fields
    below ask for something else."""

    within: Share | None = None
    """From where on values stay: over numbers near the best one, over words near the last one.
    It is the share by which they may differ."""
    at_least: float | None = None
    """From where on values are at least so high, in the metric's unit."""
    at_most: float | None = None
    """From where on values are at most so high, in the metric's unit."""
    to: Literal["first"] | None = None
    """From where on the other series differ little from the first one; `within` 10 % unless
    given."""

    @model_validator(mode="after")
    def _one_level(self) -> Self:
        asked = [name for name in ("at_least", "at_most", "to") if getattr(self, name) is not None]
        if len(asked) > 1:
            raise ValueError(f"{' and '.join(asked)} ask for two things; write one along for each")
        if self.within is not None and asked and asked != ["to"]:
            raise ValueError(f"within has no effect beside {asked[0]}; leave it out")
        return self


class Agreement(AnswerRequest):
    """How close the engines are to their reference, and whether they suffice."""

    to: str | None = None
    """The engine that is the reference, or `published`, or `derived` for values derived from a
    paper's model; as `report.reference` unless given."""
    within: Share = 0.1
    """How far off an answer may be and still suffice."""
    worst: Share | None = None
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
    within: Share = 0.1
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


QUESTIONS: dict[str, type[AnswerRequest]] = {
    "best": Best,
    "along": Along,
    "agreement": Agreement,
    "cost": Cost,
    "choices": Choices,
}

#: Questions of earlier versions: what each is now, and the fields that it then has.
EARLIER: dict[str, tuple[str, dict[str, object]]] = {
    "saturation": ("along", {}),
    "change": ("along", {}),
    "course": ("along", {}),
    "threshold": ("along", {}),
    "convergence": ("along", {"to": "first"}),
    "crossover": ("best", {}),
}
#: A question that no other one replaces, and what to write instead.
REPLACED = {"pulses": "pulses: true in the figure {timeline: {graph: link_throughput}}"}


def listed(given: Keys | None) -> list[str]:
    """One name, or a list of names, as a list."""
    return [given] if isinstance(given, str) else list(given or ())
