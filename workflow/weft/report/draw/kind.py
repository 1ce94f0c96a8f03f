"""What a kind of figure is: rows from the database, and charts from the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from weft.config.model.figure import Figure
from weft.report.data.settings_in_words import key_name
from weft.report.data.source import Study
from weft.report.draw.drawing import Chart
from weft.report.draw.palette import Palette


class Shown(Protocol):
    """What a figure shows, in stored units, before anything is drawn."""

    @property
    def nothing(self) -> str | None:
        """What the page says instead of a drawing; None where there are rows."""

    @property
    def notes(self) -> Sequence[str]:
        """What stands below the figure."""

    @property
    def legend(self) -> bool:
        """Whether the charts have legends whose entries can be clicked."""

    def csv(self) -> str:
        """All rows, to download."""


FigureT = TypeVar("FigureT", bound=Figure)
ShownT = TypeVar("ShownT", bound=Shown)


@dataclass(frozen=True, slots=True)
class Kind(Generic[FigureT, ShownT]):
    """How figures of one model are shown: first rows, then charts or a table of them."""

    model: type[FigureT]
    rows: Callable[[Study, FigureT], ShownT]
    title: Callable[[Study, FigureT], str]
    """The title of a figure to which the experiment gives none."""
    charts: Callable[[ShownT, Palette], list[Chart]] | None = None
    table: Callable[[ShownT], Mapping[str, object]] | None = None
    panel_notes: Callable[[ShownT], Sequence[str]] = lambda _: ()
    """What stands right below each panel; empty where nothing does."""
    hints: Callable[[FigureT], Sequence[str]] = lambda _: ()
    """What may distinguish figures of the same title."""
    finding: Callable[[Study, FigureT], Sequence[str]] = lambda _study, _figure: ()
    """Sentences of the answer box that no question asks for: what the figure shows by itself."""
    answers_alone: bool = False
    """Whether these are the whole answer of a page that asks no question."""


def metric_title(study: Study, metric: str, x: str, of: str | None, to: str | None) -> str:
    """`Makespan: flow ÷ packet by k`; without the engines where none are divided."""
    label = study.metrics[metric].label
    if of and to:
        label = f"{label}: {of} ÷ {to}"
    return f"{label} by {key_name(x)}" if x != "engine" else label
