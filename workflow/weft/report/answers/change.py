"""What each step along an axis costs, against the first value of the axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.analysis.findings import ChangeFinding, Value, changes
from weft.report.answers.best import filters_left, whose_engine
from weft.report.answers.grid import grid, numbered
from weft.report.answers.questions import Ask
from weft.report.answers.wording import headed, key_name, name
from weft.report.data.fidelity import highest
from weft.report.data.source import Study
from weft.report.data.units import (
    ROUNDING,
    factor,
    listing,
    prefixes,
    quantity,
    settings_label,
    value_label,
)

#: Changes that a page would show as 0.0 %.
_NONE = 5e-4
#: How far apart the changes for one unit of the axis may be, by a factor, to be worth a number.
_LINEAR = 2


def change_sentences(study: Study, ask: Ask) -> list[str]:
    """A sentence for each value of the keys `each`, and for each series of the keys `among`."""
    found = grid(study, ask.of, ask.wheres, (*ask.each, *ask.among))
    if ask.over is None or not found.cells:
        return []
    # Engines are series, also where each shall have a sentence of its own.
    whose = whose_engine(found, ask)
    engines = ["engine"] if "engine" in (*ask.among, *ask.each) else []
    if not engines:
        found = found.of_engine(highest(study, found.engines))
    each = [key for key in found.varying(ask.each) if key not in engines]
    among = [*engines, *(k for k in ask.among if k not in (*engines, *each, ask.over))]
    keys = [*(k for k in found.places(among, [*each, ask.over]) if k != ask.over), ask.over]
    start = filters_left(found, ask, each)
    return [
        headed([*start, *settings], f"{series}{text}{whose}")
        for settings, curves in numbered(found.curves(among, keys)).items()
        for label, curve in curves.items()
        for series in [f"{label}: " if len(curves) > 1 else ""]
        for text in _sentence(study, ask, curve)
    ]


def _sentence(study: Study, ask: Ask, curve: Mapping[float, Value]) -> list[str]:
    steps = changes(curve)
    if not steps:
        return []
    over, base = str(ask.over), min(curve)
    start = quantity(curve[base].mean, study.metrics[ask.of].unit)
    if all(abs(step.share) <= ROUNDING for step in steps):
        places = f"all {len(steps) + 1} values of {key_name(over)}"
        return [f"the {name(study, ask.of)} is {start} at {places}"]
    text = f"against {start} at {settings_label([(over, base)])}, the {name(study, ask.of)} is"
    most = max(step.replicates for step in steps)
    spread = f" (in brackets the least and the most of {most} replicates)" if most > 1 else ""
    parts = [f"{_amount(step)} with {value_label(over, step.x)}" for step in steps]
    # A byte or a second is no step of an axis.
    rate = "" if prefixes(over) else _for_each(steps, base)
    return [f"{text} {listing(parts)}{spread}{rate}"]


def _amount(step: ChangeFinding) -> str:
    if step.replicates < 2 or step.high - step.low < _NONE:
        return _percent(step.share)
    return f"{_percent(step.share)} ({step.low:+.1%} to {step.high:+.1%})"


def _percent(share: float) -> str:
    if abs(share) <= ROUNDING:
        return "the same"
    if abs(share) < _NONE:
        return f"the same within {_NONE:.2%}"
    if share >= 1:
        return factor(1 + share)
    return f"{abs(share):.1%} {'higher' if share > 0 else 'lower'}"


def _for_each(steps: Sequence[ChangeFinding], base: float) -> str:
    """How much of the change one unit of the axis makes, on average up to each place; nothing
    where the change is so far from linear that no such number describes it."""
    shares = sorted(step.share / (step.x - base) for step in steps)
    sizes = sorted(abs(share) for share in shares)
    if shares[0] * shares[-1] < 0 or sizes[-1] > _LINEAR * sizes[0]:
        return ""
    low, high = f"{shares[0]:+.1%}", f"{shares[-1]:+.1%}"
    return f"; that is {low} for each" if low == high else f"; that is {low} to {high} for each"
