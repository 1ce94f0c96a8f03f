"""Numbers of others that lie over a figure: published, derived, or measured with BookSim2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.analysis.comparison import canonical
from weft.config.model.figure import Figure
from weft.config.model.figures import Curves, Line
from weft.report.data.aggregates import PublishedValue
from weft.report.data.series_names import Naming
from weft.report.data.series_values import SeriesValue
from weft.report.data.settings import admits
from weft.report.data.source import Study
from weft.report.data.units import value_label

#: What the name of an item says about its numbers; any other name is of published ones.
_KINDS = {"derived": "derived", "booksim2": "measured"}


def kind_of(item: str) -> str:
    """`published`, `derived` from the paper's model, or `measured` with another program."""
    return _KINDS.get(item.partition("_")[0], "published")


def published_rows(
    study: Study,
    figure: Curves,
    naming: Naming,
    entries: Sequence[PublishedValue],
    answers: Sequence[SeriesValue],
) -> list[SeriesValue]:
    """The `entries` of others that belong in `figure`: its metric, its x, planned settings.

    In a line figure a measured value joins that series of ours which has its settings.
    """
    drawn = {row.series for row in answers} if isinstance(figure, Line) else set()
    rows = []
    for entry in entries:
        where, kind = entry.place, kind_of(entry.item)
        if entry.metric != figure.y or figure.x not in where:
            continue
        if not planned(study, where, but=figure.x) or not agree(figure.where, where):
            continue
        twin = naming.label(where) if kind == "measured" else ""
        rows.append(
            SeriesValue(
                twin if twin in drawn else _label(study, figure, entry, twin),
                kind,
                where[figure.x],
                entry.value,
                panel=_planned_value(study, figure.row, where),
                n=1,
            )
        )
    return [row for row in rows if row.kind == "published" or _within(row.x, answers)]


def _within(x: object, answers: Sequence[SeriesValue]) -> bool:
    """Whether an unpublished curve may have a point at `x`: not beyond our own answers."""
    ours = [row.x for row in answers if isinstance(row.x, int | float)]
    return not ours or not isinstance(x, int | float) or min(ours) <= x <= max(ours)


def overlays(figure: Figure) -> list[str]:
    """The figure's published items, each followed by the curve derived for it, if there is one."""
    names = []
    for reference in figure.overlaid:
        paper, _, item = reference.partition("/")
        names += [reference, f"{paper}/derived_{item}"]
    return names


def planned(study: Study, where: Mapping[str, object], but: str = "") -> bool:
    """Whether each setting in `where` (but one) is a planned value, if planned at all."""
    return all(
        key == but or _planned_value(study, key, where) is not None
        for key in where
        if key in study.values
    )


def agree(wanted: Mapping[str, object], where: Mapping[str, object]) -> bool:
    """Whether `where` does not contradict `wanted`."""
    return all(admits(value, where[key]) for key, value in wanted.items() if key in where)


def _planned_value(study: Study, key: str | None, where: Mapping[str, object]) -> object:
    wanted = canonical(where.get(key)) if key else None
    values = study.values.get(key, []) if key else []
    return next((v for v in values if canonical(v) == wanted), None)


def _label(study: Study, figure: Curves, entry: PublishedValue, twin: str) -> str:
    label = entry.series
    if twin:
        _, _, settings = twin.partition(" · ")
        return f"{label} · {settings}" if settings else label
    value = entry.place.get(figure.color)
    if value is not None and figure.color != "engine" and len(study.values[figure.color]) > 1:
        label += f" · {value_label(figure.color, value, study.scales.get(figure.color))}"
    return f"{label} · published" if kind_of(entry.item) == "published" else label
