"""From a figure's description to the rows it shows: one row per series and x."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from weft.config.model.figures import Bar, Curves, Line, Table
from weft.report.curves.answers import FigureAnswers, figure_answers, where
from weft.report.curves.coinciding import coinciding
from weft.report.curves.log_axes import log_x
from weft.report.curves.saturation import saturation_notes, with_ends
from weft.report.data.csv_text import csv_text
from weft.report.data.flagged import note
from weft.report.data.intervals import confidence
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.source import Study
from weft.report.data.thinning import NOTE, NOTE_OF_BARS, at_fewer_places, thinned
from weft.report.data.units import Scales, factor, key_label, listing

_DASHED = {
    "derived": "Dashed series are derived from the paper's model; they were not published.",
    "measured": "Dashed lines with hollow marks: BookSim2 with the same settings.",
}
_DERIVED = "Derived from the paper's model, not published: {names}."
_OWN_RANGES = (
    "Each row has a range of its own, because the highest bars of two rows differ by"
    " {factor}: compare bars within a row."
)
#: A bar of less than this share of an axis cannot be compared with another one.
_LOWEST_BAR = 0.1
_CSV = ("panel", "series", "kind", "x", "y", "low", "high", "n", "flag")
_columns = attrgetter(*_CSV)


@dataclass(frozen=True, slots=True)
class FigureData:
    """The values of a figure in stored units, ready to draw."""

    figure: Curves
    unit: str
    label: str
    rows: Sequence[SeriesValue]
    about: Sequence[str]
    """What the page says of the rows."""
    scales: Scales
    one_engine: bool = False
    """Whether the experiment asks one engine alone."""
    around: float | None = None
    """The value that says that nothing differs, if the metric has one."""
    no_rows: str = ""
    """Why there are no rows, where that is known."""

    @property
    def legend(self) -> bool:
        """Whether there are series to distinguish."""
        return len({row.series for row in self.rows}) > 1

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if self.rows else self.no_rows or f"No values of {self.label.lower()} yet."

    @property
    def panels(self) -> list[object]:
        """Values of the figure's `row`, in order; `[None]` without one."""
        return list(dict.fromkeys(row.panel for row in self.rows)) or [None]

    @property
    def has_own_ranges(self) -> bool:
        """Whether each panel has its own ranges: as the figure says, else where the bars of one
        would be lost in the range of another."""
        return bool(self.figure.free) or self._between_panels * _LOWEST_BAR > 1

    @property
    def _between_panels(self) -> float:
        """How many times as high as in another panel bars are; 1 where the figure decides about
        ranges itself."""
        figure = self.figure
        if not isinstance(figure, Bar) or figure.log_y or figure.free is not None:
            return 1.0
        of_panels: dict[object, float] = {}
        for row in self.rows:
            if row.panel is not None:
                before = of_panels.get(row.panel, 0.0)
                of_panels[row.panel] = max(before, abs(row.y))
        highest = [each for each in of_panels.values() if each > 0]
        return max(highest) / min(highest) if highest else 1.0

    @property
    def drawn(self) -> list[SeriesValue]:
        """Those of the rows that a screen can show; a table does not use them."""
        if isinstance(self.figure, Line):
            return thinned(self.rows, log_x(self.figure))
        return at_fewer_places(self.rows)

    @property
    def notes(self) -> list[str]:
        """What stands below the figure."""
        apart = self._between_panels
        own = [_OWN_RANGES.format(factor=factor(apart))] if apart * _LOWEST_BAR > 1 else []
        return [*self.about, *own, *self.thinning]

    @property
    def thinning(self) -> list[str]:
        """What the page says of rows that are not drawn."""
        drawn = self.drawn
        if isinstance(self.figure, Table) or len(drawn) == len(self.rows):
            return []
        if isinstance(self.figure, Line):
            return [NOTE]
        xs, planned = ({row.x for row in rows} for rows in (drawn, self.rows))
        return [NOTE_OF_BARS.format(drawn=len(xs), planned=len(planned))]

    def csv(self) -> str:
        """The figure's data, values in stored units."""
        names = {"x": self.figure.x, "y": f"{self.figure.y} [{self.unit}]"}
        return csv_text(
            [names.get(name, name) for name in _CSV],
            map(_columns, self.rows),
        )


def figure_data(study: Study, figure: Curves) -> FigureData:
    """What `figure` shows, published values included."""
    found = figure_answers(study, figure)
    answers = with_ends(found.answers, found.missing)
    metric, rows = study.metrics[figure.y], [*answers, *found.others]
    notes = [
        *saturation_notes(study, figure, answers, found.missing),
        *(coinciding(study, figure, answers) if isinstance(figure, Line) else []),
        *_notes(study, figure, found, rows),
        *note(rows),
    ]
    one_engine = len(study.engines) == 1
    return FigureData(
        figure, metric.unit, metric.label, rows, notes, study.scales, one_engine, metric.around
    )


def _notes(
    study: Study, figure: Curves, found: FigureAnswers, rows: Sequence[SeriesValue]
) -> list[str]:
    """What the values are means of, what bands span, and whose numbers stand beside."""
    notes = []
    # Bars have lines across their ends.
    marks = "Lines" if isinstance(figure, Bar) else "Bands"
    answers = [row for row in rows if row.kind == ANSWER]
    band = figure.band if isinstance(figure, Line) else None
    if found.averaged and any((row.n or 0) > 1 for row in answers):
        names = ", ".join(key_label(key).lower() for key in found.averaged)
        notes.append(f"Each value is a mean over {names}.")
    if band:
        low, high = (study.metrics[name].label.lower() for name in band)
        notes.append(f"{marks} reach from the {low} to the {high}.")
    elif found.ranges:
        notes.append(f"{marks} of measurements span the middle half of all repetitions.")
    if found.drawn:
        notes.append(
            f"{marks} of random placements reach from the lowest to the highest of all draws."
        )
    means = [row for row in answers if row.low is not None and where(row) not in found.drawn]
    most = max((row.n or 0 for row in means), default=0)
    if most > 1 and not band:
        notes.append(
            f"{marks} of replicates span the {confidence(study):.0%} confidence interval of the"
            f" mean of up to {most:,} values."
        )
    if found.fit_error:
        notes.append(
            f"Intervals of predictions on the fitted network reach {found.fit_error:.0%} farther to"
            " both sides: the residuals of the fit."
        )
    if found.computing_error:
        notes.append(
            "Intervals of predictions with measured computing reach up to"
            f" {found.computing_error:.1%} farther to both sides: so far its runs differ."
        )
    if isinstance(figure, Line):
        kinds = {row.kind for row in rows}
        return [*notes, *(text for kind, text in _DASHED.items() if kind in kinds)]
    derived = dict.fromkeys(row.series for row in rows if row.kind == "derived")
    # Bars and columns have no dashes.
    named = listing(f"“{name}”" for name in derived) if derived else ""
    return [*notes, *([_DERIVED.format(names=named)] if named else [])]
