"""Heat maps: what one cell of a table of settings says, and how many cells agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from weft.analysis.comparison import canonical, reasons
from weft.analysis.findings import Value, on_common_draws
from weft.config.model.figures import Map
from weft.report.data.aggregates import MeanValue
from weft.report.data.csv_text import csv_text
from weft.report.data.draws import NOTE, value_of
from weft.report.data.flagged import cell_note
from weft.report.data.source import Study
from weft.report.data.units import Scales, key_label, value_label

_CSV = ("of", "to", "n", "flag")


@dataclass(frozen=True, slots=True)
class MapCell:
    """One place of the map; `value` is a mean, or the ratio of the means `of` and `to`."""

    at: tuple[tuple[str, object], ...]
    value: float
    of: float | None
    to: float | None
    n: int
    flag: str | None = None
    """Why the value is not to be trusted."""
    lacking: bool = False
    """Whether one of both sides lacks draws that the other has; they count for neither."""

    def setting(self, key: str) -> object:
        """The value of `key` here."""
        return dict(self.at)[key]

    @property
    def numbers(self) -> tuple[object, ...]:
        """What the CSV has of it behind its place: the value, and the columns of `_CSV`."""
        return (self.value, self.of, self.to, self.n, self.flag)


@dataclass
class MapData:
    """The cells of a map, in planned order."""

    figure: Map
    unit: str
    label: str
    cells: list[MapCell] = field(default_factory=list)
    scales: Scales = field(default_factory=dict)

    @property
    def legend(self) -> bool:
        """A map has a scale, but no series to distinguish."""
        return False

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if self.cells else f"No values of {self.label.lower()} yet."

    @property
    def notes(self) -> list[str]:
        """What the colours mean, how many cells agree, and what the sign of some means."""
        flags = cell_note(cell.flag for cell in self.cells if cell.flag)
        flags += [NOTE] if any(cell.lacking for cell in self.cells) else []
        within = self.figure.within
        if within is None:
            return flags
        close = sum(map(self.agrees, self.judged))
        return [
            f"Grey: within {within:.0%} of 1 ({close:,} of {len(self.judged):,} cells);"
            f" blue: {self.figure.of} is lower, orange: higher.",
            *flags,
        ]

    @property
    def judged(self) -> list[MapCell]:
        """The cells that may say how near engines are: those without a flag."""
        return [cell for cell in self.cells if not cell.flag]

    @property
    def panels(self) -> list[object]:
        """Values of the figure's `row`; `[None]` without one."""
        return list(dict.fromkeys(self.panel(cell) for cell in self.cells)) or [None]

    def panel(self, cell: MapCell) -> object:
        """The panel in which `cell` stands."""
        return cell.setting(self.figure.row) if self.figure.row else None

    @cached_property
    def names(self) -> dict[tuple[object, ...], str]:
        """The name of each row of the map; settings that it has not are left out where they may."""
        rows = dict.fromkeys(self._down(cell) for cell in self.cells)
        short = {row: self._name(row, None) for row in rows}
        return (
            short
            if len(set(short.values())) == len(rows)
            else {row: self._name(row, "–") for row in rows}
        )

    def name(self, cell: MapCell) -> str:
        """The row of the map in which `cell` stands."""
        return self.names[self._down(cell)]

    def _down(self, cell: MapCell) -> tuple[object, ...]:
        return tuple(cell.setting(key) for key in self.figure.y)

    def _name(self, row: Sequence[object], absent: str | None) -> str:
        parts = [
            self._key_text(key, value) if value is not None else absent
            for key, value in zip(self.figure.y, row, strict=True)
        ]
        return " · ".join(text for text in parts if text) or "–"

    def _key_text(self, key: str, value: object) -> str:
        text = value_label(key, value, self.scales.get(key))
        return text if isinstance(value, str) else f"{key_label(key)} {text}"

    def agrees(self, cell: MapCell) -> bool:
        """Whether the ratio in `cell` is as near to 1 as the figure asks."""
        within = self.figure.within or 0.0
        return abs(cell.value - 1) <= within + 1e-9

    def csv(self) -> str:
        """The cells, in stored units."""
        ratio = f"{self.figure.of} / {self.figure.to}" if self.figure.of else self.unit
        x = self.figure.x
        return csv_text(
            ["panel", x, "y", f"{self.figure.value} [{ratio}]", *_CSV],
            (
                (
                    self.panel(cell),
                    cell.setting(x),
                    self.name(cell),
                    cell.value,
                    cell.of,
                    cell.to,
                    cell.n,
                    cell.flag,
                )
                for cell in self.cells
            ),
        )


def map_data(study: Study, figure: Map) -> MapData:
    """The cells of `figure`; a ratio needs both engines to have an answer."""
    metric = study.metrics[figure.value]
    keys = list(dict.fromkeys([k for k in (figure.row, *figure.y, figure.x) if k]))
    unit = "" if figure.of else metric.unit
    data = MapData(figure, unit, metric.label, scales=study.scales)
    places: dict[tuple[object, ...], dict[str, MeanValue]] = {}
    for row in study.means(figure.value, ["engine", *keys], figure.where):
        if row.place[figure.x] is not None:
            here = tuple(row.place[key] for key in keys)
            places.setdefault(here, {})[row.place["engine"]] = row
    drawn = _drawn(study, figure, keys, places) if figure.of and figure.to else {}
    for place in sorted(places, key=lambda found: _order(study, keys, found)):
        at = tuple(zip(keys, place, strict=True))
        data.cells += _cell(figure, at, places[place], drawn.get(place, {}))
    return data


def _drawn(
    study: Study,
    figure: Map,
    keys: Sequence[str],
    places: Mapping[tuple[object, ...], Mapping[str, MeanValue]],
) -> dict[tuple[object, ...], dict[str, Value]]:
    """By place and engine what a mean is of, by what both of the figure's engines have drawn."""
    mine = [[s for s in study.settings if s["engine"] == name] for name in (figure.of, figure.to)]
    shared = [
        key for key in study.swept
        if key not in keys and all(any(s.get(key) is not None for s in own) for own in mine)
    ]  # fmt: skip
    drawn: dict[tuple[object, ...], dict[str, Value]] = {}
    for row in study.replicates(figure.value, ["engine", *keys], figure.where, shared):
        here, engine = tuple(row.place[key] for key in keys), row.place["engine"]
        if found := places.get(here, {}).get(engine):
            value = value_of(study, row)
            # As many values have the mean that a map without ratios shows, to the last digit.
            whole = len(row.values) == found.n and len(value.replicates) == found.n
            value = replace(value, mean=found.mean) if whole else value
            drawn.setdefault(here, {})[engine] = value
    return drawn


def _order(study: Study, keys: Sequence[str], place: Sequence[object]) -> list[int]:
    planned = [[canonical(value) for value in study.values.get(key, [])] for key in keys]
    found = [canonical(value) for value in place]
    return [
        known.index(value) if value in known else len(known)
        for known, value in zip(planned, found, strict=True)
    ]


def _cell(
    figure: Map,
    at: tuple[tuple[str, object], ...],
    found: Mapping[str, MeanValue],
    drawn: Mapping[str, Value],
) -> list[MapCell]:
    if not (figure.of and figure.to):
        return [MapCell(at, row.mean, None, None, row.n, row.flag) for row in found.values()][:1]
    of, to = found.get(figure.of), found.get(figure.to)
    if of is None or to is None:
        return []
    whole = [drawn[figure.of], drawn[figure.to]]
    common = on_common_draws(whole)
    if not common or common[1].mean <= 0:
        return []
    over, under = (each.mean for each in common)
    lacking = any(len(a.replicates) < len(b.replicates) for a, b in zip(common, whole, strict=True))
    n, flag = min(of.n, to.n), reasons(of.flag, to.flag)
    return [MapCell(at, over / under, over, under, n, flag, lacking)]
