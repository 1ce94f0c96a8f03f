"""The values that a question is about, as series along its axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.findings import Value
from weft.report.answers.best import filters_left, whose_engine
from weft.report.answers.grid import GridPlace, grid
from weft.report.answers.questions import Ask
from weft.report.data.fidelity import highest
from weft.report.data.source import Study


@dataclass(frozen=True, slots=True)
class AxisSeries:
    """Series by name and place, whose last key is the axis; the keys `among` distinguish them.

    `start` are the settings that all have in common, and `whose` names the engine, where others
    have values, too.
    """

    curves: Mapping[str, Mapping[GridPlace, Value]]
    among: Sequence[str]
    start: Sequence[tuple[str, object]]
    whose: str


def axis_series(study: Study, ask: Ask) -> AxisSeries | None:
    """The series, of one engine unless the question compares engines; None without an axis or
    values."""
    found = grid(study, ask.of, ask.wheres, (*ask.each, *ask.among, ask.over))
    if ask.over is None or not found.cells:
        return None
    whose = whose_engine(found, ask)
    if "engine" not in (*ask.among, *ask.each):
        found = found.of_engine(highest(study, found.engines))
    each = [key for key in found.varying(ask.each) if key != ask.over]
    among = [key for key in ask.among if key not in (*each, ask.over)]
    keys = [*(k for k in found.places(among, [*each, ask.over]) if k != ask.over), ask.over]
    return AxisSeries(found.curves(among, keys), among, filters_left(found, ask, each), whose)
