"""Between which loads networks stop keeping up."""

from __future__ import annotations

from collections.abc import Mapping

from weft.analysis.findings import SaturationFinding, Value, onset
from weft.report.answers.along.series import AxisSeries
from weft.report.answers.amounts import SATURATED
from weft.report.answers.grid import GridPlace, grid
from weft.report.answers.question import SeriesAsk
from weft.report.answers.wording import headed
from weft.report.data.intervals import confidence
from weft.report.data.settings_in_words import key_name, place_in_words
from weft.report.data.source import Study
from weft.report.data.units import listing, value_label

Named = Mapping[str, Mapping[float, Value]]


def onset_sentences(study: Study, ask: SeriesAsk) -> list[str]:
    """Where the series of each engine saturate; a sentence for each value of the keys `each`."""
    assert ask.over is not None
    found = grid(study, SATURATED, ask.wheres, (*ask.each, *ask.among))
    each = found.varying(ask.each)
    names = ["engine", *found.places(ask.among, [*each, ask.over]), *ask.among]
    names = [k for k in found.varying(names) if k not in each and k != ask.over]
    names = list(dict.fromkeys(names))
    start = found.filters_left(ask, each)
    curves = found.curves(names, [*each, ask.over])
    series = AxisSeries(
        study.metrics[SATURATED], ask.over, curves, names, start, None, confidence(study)
    )
    groups = series.numbered()
    if len(groups) > 1 and all(len(named) == 1 for named in groups.values()):
        joined = {_where(place): next(iter(named.values())) for place, named in groups.items()}
        return [headed(start, _text(ask.over, joined))]
    return [series.sentence(settings, _text(ask.over, named)) for settings, named in groups.items()]


def _where(place: GridPlace) -> str:
    return ", ".join(place_in_words(key, value) for key, value in place)


def _text(over: str, named: Named) -> str:
    states = {label: onset({x: v.mean > 0 for x, v in curve.items()})
              for label, curve in named.items()}  # fmt: skip
    said = {label: _between(over, state) for label, state in states.items() if state.first}
    kept = {
        label: f"up to {value_label(over, state.last)}"
        for label, state in states.items() if state.first is None
    }  # fmt: skip
    between, never = (_together(each, len(named) > 1) for each in (said, kept))
    axis = f"{key_name(over)}s" if len(between) > 1 else f"an {key_name(over)}"
    parts = [f"saturates at {axis} {listing(between)}"] if between else []
    parts += [f"keeps up with every {key_name(over)} tried, {listing(never)}"] if never else []
    return f"the network {' and '.join(parts)}"


def _together(said: Mapping[str, str], are_several: bool) -> list[str]:
    """Each text once, behind it the series of which it holds, if there `are_several`."""
    whose: dict[str, list[str]] = {}
    for label, text in said.items():
        whose.setdefault(text, []).append(label)
    return [f"{t} ({listing(labels)})" if are_several else t for t, labels in whose.items()]


def _between(over: str, state: SaturationFinding) -> str:
    first = value_label(over, state.first)
    if state.last is None:
        return f"of at most {first}, the lowest tried"
    return f"between {value_label(over, state.last)} and {first}"
