"""Where networks stop keeping up with the load, and where values stop growing."""

from __future__ import annotations

from collections.abc import Mapping

from weft.analysis.findings import SaturationFinding, Value, levelling, onset
from weft.report.answers.best import filters_left
from weft.report.answers.grid import GridPlace, ValueGrid, grid, numbered
from weft.report.answers.questions import LOAD, SATURATED, Ask
from weft.report.answers.wording import headed, key_name, name
from weft.report.data.source import Study
from weft.report.data.units import listing, place_label, quantity, settings_label, value_label

#: How near to the best value a curve has levelled off, unless the question says.
NEAR = 0.05
Named = Mapping[str, Mapping[float, Value]]


def saturation_sentences(study: Study, ask: Ask) -> list[str]:
    """Where each series saturates along the axis; a sentence for each value of the keys `each`."""
    if ask.over is None:
        return []
    flagged = ask.over == LOAD and SATURATED in study.answered
    found = grid(study, SATURATED if flagged else ask.of, ask.wheres, (*ask.each, *ask.among))
    each = found.varying(ask.each)
    series = ["engine", *found.places(ask.among, [*each, ask.over]), *ask.among]
    series = [k for k in found.varying(series) if k not in each and k != ask.over]
    groups = numbered(found.curves(list(dict.fromkeys(series)), [*each, ask.over]))
    if len(groups) > 1 and all(len(named) == 1 for named in groups.values()):
        groups = {
            (): {_where(place): next(iter(named.values())) for place, named in groups.items()}
        }
    say = _onsets if flagged else _levels
    start = filters_left(found, ask, each)
    return [
        headed([*start, *settings], text)
        for settings, named in groups.items()
        for text in say(found, ask, named)
    ]


def _where(place: GridPlace) -> str:
    return ", ".join(place_label(key, value) for key, value in place)


def _onsets(found: ValueGrid, ask: Ask, named: Named) -> list[str]:
    over = str(ask.over)
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
    return [f"the network {' and '.join(parts)}"]


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


def _levels(found: ValueGrid, ask: Ask, named: Named) -> list[str]:
    study, over = found.study, str(ask.over)
    metric = study.metrics[ask.of]
    near = NEAR if ask.within is None else ask.within
    best = "lowest" if metric.direction == "lower" else "highest"
    parts = []
    for label, curve in named.items():
        means = {x: value.mean for x, value in curve.items()}
        state = levelling(means, "lower" if best == "lowest" else "higher", near)
        whose = f"{label}: " if len(named) > 1 else ""
        top = quantity(state.value, metric.unit)
        if state.first is None:
            parts.append(
                f"{whose}the {name(study, ask.of)} does not level off; its {best}, {top}, is at the"
                f" last {key_name(over)}, {value_label(over, state.last)}"
            )
        else:
            parts.append(
                f"{whose}the {name(study, ask.of)} is within {near:.0%} of its {best}, {top}, from"
                f" {settings_label([(over, state.first)])}{_left(over, state)}"
            )
    return parts


def _left(over: str, state: SaturationFinding) -> str:
    """How far the curve stays near its best value."""
    if state.left is None:
        return " on"
    return f", but no longer at {settings_label([(over, state.left)])}"
