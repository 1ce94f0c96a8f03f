"""The values that a question is about, as series along its axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.findings import Value
from weft.report.answers.grid import GridPlace, grid
from weft.report.answers.question import SeriesAsk
from weft.report.answers.wording import headed
from weft.report.data.intervals import confidence
from weft.report.data.metrics import Metric
from weft.report.data.source import Study

#: A series along words or numbers, in planned order.
Curve = Mapping[object, Value]
Settings = Sequence[tuple[str, object]]


@dataclass(frozen=True, slots=True)
class AxisSeries:
    """Series by name and place, whose last key is the axis `over`.

    The keys `among` distinguish them; `start` are the settings that all have in common, and `whose`
    names the engine, where others have values, too.
    """

    metric: Metric
    over: str
    curves: Mapping[str, Mapping[GridPlace, Value]]
    among: Sequence[str]
    start: Settings
    whose: str | None
    #: That of its intervals, which the report asks for.
    confidence: float

    def along(self) -> dict[GridPlace, dict[str, dict[object, Value]]]:
        """Curves over the axis, words in planned order, by the rest of their places."""
        found: dict[GridPlace, dict[str, dict[object, Value]]] = {}
        for label, curve in self.curves.items():
            for place, value in curve.items():
                found.setdefault(place[:-1], {}).setdefault(label, {})[place[-1][1]] = value
        return found

    def numbered(self) -> dict[GridPlace, dict[str, dict[float, Value]]]:
        """Curves over the numbers of the axis, by the rest of their places; words are left out."""
        found: dict[GridPlace, dict[str, dict[float, Value]]] = {}
        for settings, curves in self.along().items():
            for label, curve in curves.items():
                numbers = {float(x): v for x, v in curve.items() if isinstance(x, int | float)}
                if numbers:
                    found.setdefault(settings, {})[label] = numbers
        return found

    @property
    def has_numbers(self) -> bool:
        """Whether all places of the axis are numbers."""
        places = {place[-1][1] for curve in self.curves.values() for place in curve}
        return all(isinstance(x, int | float) for x in places)

    @property
    def steps(self) -> int:
        """How many places the axis has."""
        return len({place[-1][1] for curve in self.curves.values() for place in curve})

    def sentence(self, settings: Settings, text: str) -> str:
        """A whole sentence: where it holds, what it says, and whose values it uses."""
        whose = f" ({self.whose})" if self.whose else ""
        return headed([*self.start, *settings], f"{text}{whose}")


def axis_series(study: Study, ask: SeriesAsk) -> AxisSeries | None:
    """The series, of one engine unless the question compares engines; None without an axis or
    values."""
    found = grid(study, ask.of, ask.wheres, (*ask.each, *ask.among, ask.over))
    if ask.over is None or not found.cells:
        return None
    whose = found.whose(ask)
    # Engines are series, also where each shall have a sentence of its own.
    engines = ["engine"] if ask.has_engines else []
    found = found if engines else found.nearest()
    each = [key for key in found.varying(ask.each) if key not in (*engines, ask.over)]
    among = [*engines, *(k for k in ask.among if k not in (*engines, *each, ask.over))]
    keys = [*(k for k in found.places(among, [*each, ask.over]) if k != ask.over), ask.over]
    start = found.filters_left(ask, each)
    metric = study.metrics[ask.of]
    curves = found.curves(among, keys)
    return AxisSeries(metric, ask.over, curves, among, start, whose, confidence(study))
