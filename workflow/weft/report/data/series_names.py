"""Which settings make the series of a figure, and what a series is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from weft.analysis.comparison import canonical
from weft.config.model.figures import Curves
from weft.report.data.aggregates import MeanValue, Settings
from weft.report.data.axes import SIZE
from weft.report.data.fidelity import nearest_first
from weft.report.data.settings import VARIANT, follows, is_kind
from weft.report.data.source import Study
from weft.report.data.units import Scales, series_label, value_label

MAX_SPLIT = 4
#: A mean over kinds of networks says nothing about any.
MAX_NETWORKS = 12


@dataclass(frozen=True, slots=True)
class Naming:
    """Keys whose values make a series; of each engine only those that distinguish its series."""

    names: tuple[str, ...]
    by_engine: Mapping[str, tuple[str, ...]]
    planned: Mapping[str, Sequence[object]]
    #: Panels and x axis: words of these keys stand in planned order, too.
    places: tuple[str, ...] = ()
    scales: Scales = field(default_factory=dict)
    #: What a series is called that nothing distinguishes from others.
    alone: str = "all"

    def label(self, row: Settings) -> str:
        """The name of the series that answers with these settings belong to."""
        names = self.by_engine.get(str(row.get("engine")), self.names)
        distinguished = any(row.get(name) is not None for name in names)
        return series_label(names, row, self.scales) if distinguished else self.alone

    def ordered(self, rows: Iterable[MeanValue]) -> list[MeanValue]:
        """Rows with their series, panels and categories in planned order; numbers stay sorted."""
        # A figure has many rows, and a key many values.
        ranks = {key: self._ranks(key) for key in (*self.names, *self.places)}

        words = [key for key in self.places if key not in self.names]

        def rank(row: MeanValue) -> list[int]:
            place = row.place
            named = [_rank(ranks[name], place[name]) for name in self.names]
            return named + [
                _rank(ranks[key], place[key]) if isinstance(place[key], str) else 0 for key in words
            ]

        return sorted(rows, key=rank)

    def _ranks(self, key: str) -> dict[object, int]:
        """The place of every planned value."""
        found: dict[object, int] = {}
        for place, value in enumerate(self.planned.get(key, ())):
            found.setdefault(canonical(value), place)
        return found


def _rank(ranks: Mapping[object, int], value: object) -> int:
    """The planned place of `value`, or one behind all."""
    return ranks.get(canonical(value), len(ranks))


def split(study: Study, figure: Curves) -> tuple[Naming, list[str]]:
    """How the series of `figure` are named, and the keys that are averaged over."""
    chosen = study.chosen(figure.where)
    shown = [k for k in (figure.row, figure.x) if k]
    names = [k for k in dict.fromkeys(("engine", VARIANT, figure.color)) if k not in shown]
    always = (SIZE, figure.color, *([VARIANT] if len(study.values.get(VARIANT, ())) > 1 else []))
    names = [k for k in names if k in always or len(_values(chosen, k)) > 1]
    left = sorted((k for k in study.swept if k not in (*shown, *names)), key=is_kind, reverse=True)
    sizes = figure.where.get(SIZE)
    one_size = sizes is not None and not (isinstance(sizes, list | tuple) and len(sizes) > 1)
    if SIZE not in (*shown, *names) and study.answered.get(figure.y, 0) > 1 and not one_size:
        left.append(SIZE)
    averaged = []
    for key in left:
        if key != SIZE and follows(chosen, key, [*shown, *names]):
            continue
        most = MAX_NETWORKS if is_kind(key) else MAX_SPLIT
        if key == SIZE or len(_values(chosen, key) - {repr(None)}) > most:
            averaged.append(key)
        else:
            names.append(key)
    by_engine = {}
    for engine in study.engines:
        mine = [settings for settings in chosen if settings["engine"] == engine]
        kept = [k for k in names if k in ("engine", *always)]
        for key in (k for k in names if k not in kept):
            kept += [] if follows(mine, key, [*shown, *kept]) else [key]
        by_engine[engine] = tuple(kept)
    planned = {name: study.values.get(name, []) for name in (*names, *shown) if name != VARIANT}
    if figure.row == "engine":
        # The panel first whose engine the answer is about.
        planned["engine"] = [*nearest_first(study, study.engines)]
    planned[VARIANT] = [None, *(name for name, _ in study.plan.report.variants)]
    engines = {settings["engine"] for settings in chosen}
    alone = value_label("engine", engines.pop()) if len(engines) == 1 else "all"
    return Naming(tuple(names), by_engine, planned, tuple(shown), study.scales, alone), averaged


def _values(chosen: Sequence[Settings], key: str) -> set[str]:
    return {repr(settings.get(key)) for settings in chosen}
