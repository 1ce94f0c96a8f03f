"""Values of one metric as alternatives over places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from weft.analysis.comparison import canonical
from weft.analysis.findings import Value
from weft.report.answers.question import SeriesAsk
from weft.report.data.aggregates import Quartiles, ReplicateValues, Settings
from weft.report.data.axes import PROGRAM, SIZE, WORKLOAD
from weft.report.data.computing_errors import computing_errors
from weft.report.data.draws import value_of
from weft.report.data.fidelity import highest
from weft.report.data.fit_errors import fit_error, keys_of_fits
from weft.report.data.flagged import doubtful
from weft.report.data.settings import VARIANT, follows
from weft.report.data.settings import place as frozen
from weft.report.data.settings_in_words import lowered, setting_in_words
from weft.report.data.source import Study, Where
from weft.report.data.units import series_label, value_label
from weft.report.data.word_lists import holds_numbers

#: Keys with their values, in order.
GridPlace = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class GridCell:
    """One value with the settings that it has."""

    settings: Settings
    value: Value


@dataclass(frozen=True, slots=True)
class ValueGrid:
    """Every value of one metric that the figures show, and the settings of their points."""

    study: Study
    metric: str
    cells: Sequence[GridCell]
    chosen: Sequence[Settings]

    @property
    def engines(self) -> list[str]:
        """Engines with values, in the order of the plan."""
        found = {cell.settings["engine"] for cell in self.cells}
        return [engine for engine in self.study.engines if engine in found]

    def of_engine(self, engine: str) -> ValueGrid:
        """The values of one engine."""
        cells = [cell for cell in self.cells if cell.settings["engine"] == engine]
        chosen = [settings for settings in self.chosen if settings["engine"] == engine]
        return ValueGrid(self.study, self.metric, cells, chosen)

    def nearest(self) -> ValueGrid:
        """The values of the engine that is nearest to the machine."""
        return self.of_engine(highest(self.study, self.engines))

    def whose(self, ask: SeriesAsk) -> str | None:
        """The engine whose values a sentence uses, where others have some, too, or were left
        out."""
        chosen = any("engine" in where for where in ask.wheres) and len(self.study.engines) > 1
        if ask.has_engines or not (chosen or len(self.engines) > 1):
            return None
        return value_label("engine", highest(self.study, self.engines))

    def filters_left(self, ask: SeriesAsk, each: Sequence[str]) -> list[tuple[str, object]]:
        """The filter's settings that distinguish these values from others of the experiment, and
        their workload, where the others have metrics of their own."""
        found = [
            (key, setting) for key, setting in ask.filters()
            if key not in each and len(self.study.values.get(key, ())) > 1
        ]  # fmt: skip
        return [*found, *self._workload_left([*each, *(key for key, _ in found)])]

    def _workload_left(self, named: Sequence[str]) -> list[tuple[str, object]]:
        known = self.study.values
        for key in (WORKLOAD, PROGRAM):
            mine = {str(c.settings.get(key)): c.settings.get(key) for c in self.cells}
            if key not in named and len(known.get(key, ())) > len(mine) == 1:
                return list(zip([key], mine.values(), strict=True))
        return []

    def varying(self, keys: Sequence[str]) -> list[str]:
        """Those of `keys` that have several values here."""
        return [key for key in keys if len(self.values(key)) > 1]

    def values(self, key: str) -> set[str]:
        """The distinct values of `key`, as text."""
        return {repr(canonical(cell.settings.get(key))) for cell in self.cells}

    def places(self, among: Sequence[str], first: Sequence[str] = ()) -> list[str]:
        """Keys that distinguish the places of `among`: `first`, then what does not follow."""
        kept = list(dict.fromkeys(["engine", *among]))
        known = len(kept)
        for key in dict.fromkeys([*first, VARIANT, *self.study.swept, SIZE]):
            if key not in self.varying([key]) or key in kept:
                continue
            if key == SIZE or not follows(self.chosen, key, kept):
                kept.append(key)
        return kept[known:]

    def curves(
        self, among: Sequence[str], keys: Sequence[str]
    ) -> Mapping[str, Mapping[GridPlace, Value]]:
        """Values by alternative, which the keys `among` name, and place, in planned order."""
        found: dict[str, dict[GridPlace, Value]] = {}
        for cell in self.ordered([*among, *keys]):
            where = tuple((key, cell.settings.get(key)) for key in keys)
            found.setdefault(alternative_name(among, cell.settings), {})[where] = cell.value
        return found

    def ordered(self, keys: Sequence[str]) -> list[GridCell]:
        """Cells in the planned order of `keys`; numbers by size."""
        return sorted(
            self.cells, key=lambda cell: [_rank(self.study, k, cell.settings.get(k)) for k in keys]
        )


def alternative_name(among: Sequence[str], settings: Settings) -> str:
    """What an alternative is called: a key at its beginning in lower case, as in a sentence.

    Several numbers are one setting: `8 VC buffer flits with 2 virtual channels`.
    """
    text = series_label(among, settings)
    given = [(key, settings[key]) for key in among if settings.get(key) is not None]
    if len(given) > 1 and all(isinstance(number, int | float) for _, number in given):
        return " with ".join(setting_in_words(key, number) for key, number in given)
    first = next((value for _, value in given), None)
    return lowered(text) if holds_numbers(first) else text


def numbered(
    curves: Mapping[str, Mapping[GridPlace, Value]],
) -> dict[GridPlace, dict[str, dict[float, Value]]]:
    """Curves over the last key of their places, by the rest of them; words are no axis."""
    found: dict[GridPlace, dict[str, dict[float, Value]]] = {}
    for label, curve in curves.items():
        for place, value in curve.items():
            x = place[-1][1]
            if isinstance(x, int | float):
                found.setdefault(place[:-1], {}).setdefault(label, {})[float(x)] = value
    return found


def grid(
    study: Study, metric: str, wheres: Sequence[Where], also: Sequence[str | None] = ()
) -> ValueGrid:
    """Every value of `metric` that one of `wheres` lets through, also with the keys `also`.

    Values of a busy machine and of ranks that shared processors answer nothing.
    """
    variants = [VARIANT] if len(study.values.get(VARIANT, ())) > 1 else []
    named = [key for key in also if key]
    fitted = keys_of_fits(study)
    apart = _apart(study, named)
    keys = list(dict.fromkeys(["engine", *variants, *apart, *named, *fitted, SIZE]))
    errors: dict[tuple[str, ...], float] = {}
    cells: dict[tuple[str, ...], GridCell] = {}
    chosen: dict[int, Settings] = {}
    for where in wheres:
        left_out = {frozen(each.place, keys) for each in doubtful(study, metric, keys, where)}
        chosen.update((id(settings), settings) for settings in study.chosen(where))
        middles = {frozen(each.place, keys): each for each in study.quartiles(metric, keys, where)}
        computing = computing_errors(study, metric, keys, where)
        for row in study.replicates(metric, keys, where):
            at = frozen(row.place, keys)
            if at in left_out:
                continue
            fit = frozen(row.place, ["engine", *fitted])
            if fit not in errors:
                errors[fit] = fit_error(study, metric, row.place)
            off = errors[fit] + computing.get(at, 0.0)
            cells.setdefault(at, GridCell(row.place, _value(study, row, middles.get(at), off)))
    return ValueGrid(study, metric, list(cells.values()), list(chosen.values()))


def _apart(study: Study, named: Sequence[str]) -> list[str]:
    """The swept keys whose values are alternatives or places of their own.

    What one of the report's variants holds together, like the draws of a pattern, are its
    replicates where variants are asked about, as in a figure over variants.
    """
    if VARIANT not in named or not all(each.get(VARIANT) for each in study.settings):
        return list(study.swept)
    held = {key for _, wanted in study.plan.report.variants for key in wanted}
    return [key for key in study.swept if key not in held or key in named]


def _value(
    study: Study, replicates: ReplicateValues, middle: Quartiles | None, error: float
) -> Value:
    ends = (middle.low, middle.high) if middle and middle.n > 1 else None
    return replace(value_of(study, replicates, error), middle=ends)


def _rank(study: Study, key: str, value: object) -> tuple[float, str]:
    """Numbers by size, words as planned."""
    if isinstance(value, int | float):
        return float(value), ""
    known = [canonical(each) for each in study.values.get(key, ())]
    found = canonical(value)
    return float(known.index(found) if found in known else len(known)), str(value)
