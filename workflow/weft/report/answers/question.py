"""A question to the values that a page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from weft.config.model.figure import Figure
from weft.report.answers.table import AnswerTable
from weft.report.data.settings import several
from weft.report.data.source import NOWHERE, Study, Where


@dataclass(frozen=True, slots=True)
class PageSources:
    """What a page answers from: its study, its figures, and the published items they overlay."""

    study: Study
    figures: Sequence[Figure]
    references: Sequence[str]


class Ask(Protocol):
    """A question to the values of the metric `of`; `wheres` choose them, any of them suffices.

    `over` is the axis along which is looked, None where there is none.
    """

    @property
    def of(self) -> str:
        """The metric."""

    @property
    def over(self) -> str | None:
        """The axis."""

    @property
    def wheres(self) -> tuple[Where, ...]:
        """Filters; none means all points."""

    def sentences(self, page: PageSources) -> list[str]:
        """The answer; nothing where the values give none."""

    def tables(self, page: PageSources) -> list[AnswerTable]:
        """The values behind the sentences, where a small table helps."""


@dataclass(frozen=True, slots=True)
class PlainAsk:
    """Base of questions whose sentences need no table."""

    def tables(self, _: PageSources) -> list[AnswerTable]:
        """None."""
        return []


@dataclass(frozen=True, slots=True)
class SeriesAsk(PlainAsk):
    """Base of questions about series along an axis.

    `among` are the keys whose values are the series, and each value of the keys `each` has a
    sentence of its own.
    """

    of: str
    over: str | None = None
    among: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    wheres: tuple[Where, ...] = (NOWHERE,)

    @property
    def has_engines(self) -> bool:
        """Whether engines are compared, or each has a sentence."""
        return "engine" in (*self.among, *self.each)

    def filters(self) -> list[tuple[str, object]]:
        """What all values have in common by the filter, where that is one value."""
        if len(self.wheres) != 1:
            return []
        return [
            (key, value) for key, value in self.wheres[0].items()
            if len(several(value)) == 1 and key not in ("engine", *self.among)
        ]  # fmt: skip
