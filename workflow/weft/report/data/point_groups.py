"""Which points a figure of a side table shows, grouped by the settings in which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weft.config.model.engine import MEASURING
from weft.config.model.figure import Figure
from weft.report.data.settings import VARIANT
from weft.report.data.source import Row, Study
from weft.report.data.units import series_label, settings_label

#: A figure has a panel for each of so many settings.
MAX_PANELS = 8


@dataclass(frozen=True, slots=True)
class PointGroup:
    """Points that differ in nothing but their seed; `name` says how they differ from others."""

    row: str | None
    name: str
    point_ids: tuple[str, ...]
    is_measured: bool = False
    """Whether a machine has answered: its tables lack what it does not know."""

    def panel(self, alone: bool) -> str | None:
        """The panel of these points: `alone` in it, or together with others of the same `row`."""
        parts = [part for part in (self.row, self.name if alone else "") if part]
        return " · ".join(parts) or None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The settings that a figure has room for."""

    groups: Sequence[PointGroup]
    left_out: Sequence[str]
    """A note on how many are drawn, where that is not all of them."""

    def __iter__(self) -> Iterator[PointGroup]:
        return iter(self.groups)


def first(found: Sequence[PointGroup], most: int = MAX_PANELS) -> Drawn:
    """The first `most` of the settings found."""
    note = f"{most} of {len(found)} settings are drawn."
    return Drawn(found[:most], [note] if len(found) > most else [])


def drawn_runs(
    study: Study, figure: Figure, table: str
) -> tuple[Sequence[PointGroup], Sequence[str]]:
    """The settings of `table` of which the first run of each is drawn, and notes that say so."""
    groups = places(study, figure, None, table)
    drawn = first(groups)
    notes = [*drawn.left_out]
    if any(len(group.point_ids) > 1 for group in groups):
        notes.append("Of runs that differ in their seed, the first is drawn.")
    return drawn.groups, notes


def of_panel(panel: str | None, text: str) -> str:
    """A sentence about one panel, which the name of the panel begins where there are several."""
    return f"{panel}: {text}" if panel else text[:1].upper() + text[1:]


def places(study: Study, figure: Figure, metric: str | None, table: str) -> list[PointGroup]:
    """Places that have rows in `table` (of `metric`, if given), in planned order."""
    chosen = {id(settings) for settings in study.chosen(figure.where)}
    filled = study.settings_of(_filled(study, metric, table))
    mine = {point_id: s for point_id, s in filled.items() if id(s) in chosen}
    keys = _distinguishing(study, figure, list(mine.values()))
    found: dict[tuple[str | None, str, bool], list[str]] = {}
    for point_id, settings in mine.items():
        row = (
            settings_label([(figure.row, settings.get(figure.row))], study.scales)
            if figure.row
            else None
        )
        name = series_label(keys, settings, study.scales) if keys else ""
        is_measured = settings["engine"] in MEASURING
        found.setdefault((row, name, is_measured), []).append(point_id)
    return [PointGroup(row, name, tuple(ids), own) for (row, name, own), ids in found.items()]


def _filled(study: Study, metric: str | None, table: str) -> set[str]:
    test = " AND metric = ?" if metric else ""
    rows = study.query(
        f"SELECT DISTINCT point_id FROM {table} WHERE experiment = getvariable('experiment'){test}",
        [metric] if metric else [],
    )
    return {row["point_id"] for row in rows}


def _distinguishing(study: Study, figure: Figure, chosen: list[Row]) -> list[str]:
    named = (figure.row,) if figure.row else ()
    keys = ["engine", VARIANT, *study.distinguishing(named)]
    return [k for k in keys if k != figure.row and len({repr(s.get(k)) for s in chosen}) > 1]
