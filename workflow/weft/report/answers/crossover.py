"""Where two alternatives change places."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from weft.analysis.findings import Better, Value, crossovers
from weft.report.answers.best import filters_left
from weft.report.answers.grid import grid, numbered
from weft.report.answers.questions import Ask
from weft.report.answers.wording import headed, key_name, name
from weft.report.data.fidelity import highest
from weft.report.data.intervals import confidence
from weft.report.data.source import Study
from weft.report.data.units import value_label

_MOST = 6


def crossover_sentences(study: Study, ask: Ask) -> list[str]:
    """Every crossing of two alternatives along the axis; or that there is none."""
    direction = study.metrics[ask.of].direction
    found = grid(study, ask.of, ask.wheres, (*ask.each, *ask.among))
    if direction == "neutral" or ask.over is None or not found.cells:
        return []
    if "engine" not in ask.among:
        found = found.of_engine(highest(study, found.engines))
    each = found.varying(ask.each)
    among = list(ask.among) or found.places([*each, ask.over])
    among = [key for key in among if key not in (*each, ask.over)]
    keys = [*(k for k in found.places(among, [*each, ask.over]) if k != ask.over), ask.over]
    groups = numbered(found.curves(among, keys))
    start = filters_left(found, ask, each)
    return [
        headed([*start, *settings], text)
        for settings, curves in groups.items()
        for text in _crossings(study, ask, direction, curves)
    ][:_MOST]


def _crossings(
    study: Study, ask: Ask, better: Better, curves: Mapping[str, Mapping[float, Value]]
) -> list[str]:
    over, sentences = str(ask.over), []
    for a, b in combinations(curves.items(), 2):
        for c in crossovers(a, b, better, confidence(study)):
            low, high, about = (value_label(over, x) for x in (c.low, c.high, c.at))
            sentences.append(
                f"{c.before} has the {better} {name(study, ask.of)} up to {key_name(over)} = {low},"
                f" {c.after} from {high} on (they meet at about {about})"
            )
    if sentences or len(curves) < 2:
        return sentences
    return [_uncrossed(over, curves)]


def _uncrossed(over: str, curves: Mapping[str, Mapping[float, Value]]) -> str:
    """The sentence for curves that do not cross in the range where all have values. It also names
    the curves that go on beyond it, for instance where the others have saturated."""
    names, key = " and ".join(curves), key_name(over)
    shared = sorted(set.intersection(*(set(curve) for curve in curves.values())))
    if not shared:
        return f"the curves of {names} have values at no common {key}"
    low, high = (value_label(over, x) for x in (shared[0], shared[-1]))
    text = f"the curves of {names} do not cross from {key} = {low} to {high}"
    if len(shared) == 1:
        text = f"the curves of {names} can be compared at {key} = {low} only"
    beyond = [each for each, curve in curves.items() if max(curve) > shared[-1]]
    go_on = "goes on" if len(beyond) == 1 else "go on"
    return f"{text}; above, only {' and '.join(beyond)} {go_on}" if beyond else text
