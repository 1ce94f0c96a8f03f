"""What each step along an axis of numbers costs, against the first value of the axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from weft.analysis.findings import ChangeFinding, Value, changes
from weft.report.answers.along.series import AxisSeries
from weft.report.data.axes import FAILURES, RANKS
from weft.report.data.settings_in_words import key_name, lowered, setting_in_words
from weft.report.data.units import (
    ROUNDING,
    factor,
    listing,
    prefixes,
    quantity,
    value_label,
)

#: How a change stands in a sentence.
Said = Callable[[float], str]
#: Changes that a page would show as 0.0 %.
_NONE = 5e-4
#: How far apart the changes for one unit of the axis may be, by a factor, to be worth a number.
_LINEAR = 2
#: So many changes a sentence names.
_MOST_NAMED = 3
#: Values that differ by at most this share are near each other.
_NEAR = 0.05
#: So many replicates leave larger changes open.
_FEW = 5
#: More ranks are worth their while where each of them does at least half of its work.
_EFFICIENT = 0.5


def change_sentences(found: AxisSeries) -> list[str]:
    """A sentence for each place beside the axis, and for each series."""
    numbered = found.numbered()
    every = [step for curves in numbered.values() for curve in curves.values()
             for step in changes(curve, found.confidence)]  # fmt: skip
    said = _unit_of(every)
    sentences = []
    for settings, curves in numbered.items():
        lost = _least_lost(found, curves, said)
        sentences += [found.sentence(settings, lost)] if lost else []
        sentences += [
            found.sentence(settings, (f"{label}: " if len(curves) > 1 else "") + text)
            for label, curve in curves.items()
            for text in _text(found, curve, said)
        ]
    return sentences


def _least_lost(
    found: AxisSeries, curves: Mapping[str, Mapping[float, Value]], said: Said
) -> str | None:
    """Along failures: which series loses least until the last of them, then the others."""
    better = {"lower": 1, "higher": -1}.get(found.metric.direction)
    if not found.over.startswith(FAILURES) or better is None or len(curves) < 2:
        return None
    last = {label: changes(curve, found.confidence)[-1:] for label, curve in curves.items()}
    if not all(last.values()) or len({steps[0].x for steps in last.values()}) > 1:
        return None
    ranked = sorted(last, key=lambda label: better * last[label][0].share)
    what = lowered(found.metric.label)
    lost = [f"{label} {said(last[label][0].share)}" for label in ranked]
    where = setting_in_words(found.over, last[ranked[0]][0].x)
    counts = max(steps[0].replicates for steps in last.values())
    unclear = [label for label in ranked if not last[label][0].is_clear]
    if counts > 1 and len(unclear) == len(ranked):
        # Who loses least is a matter of chance then.
        shares = listing(said(last[label][0].share) for label in ranked)
        alike = f"{listing(ranked)} lose alike with {where}, within the scatter of {counts}"
        return f"{alike} replicates: their {what} is {shares}"
    first = lost[0].removeprefix(ranked[0]).strip()
    text = f"{ranked[0]} loses least with {where}: its {what} is {first},"
    text += f" that of {listing(lost[1:])}"
    if counts > 1 and unclear:
        text += f" ({listing(unclear)} within the scatter of {counts} replicates)"
    return text


def _text(found: AxisSeries, curve: Mapping[float, Value], said: Said) -> list[str]:
    steps = changes(curve, found.confidence)
    if not steps:
        return []
    over, base, what = found.over, min(curve), lowered(found.metric.label)
    start = quantity(curve[base].mean, found.metric.unit)
    if all(abs(step.share) <= ROUNDING for step in steps):
        return [f"the {what} is {start} at all {len(steps) + 1} values of {key_name(over)}"]
    clear = [step for step in steps if step.is_clear]
    if clear and len(steps) > _MOST_NAMED:
        return [_whole_way(found, curve, steps, said)]
    text = f"against {start} at {setting_in_words(over, base)}, the {what}"
    spread = _legend(clear)
    if not clear and _are_too_few(steps):
        base_text = f"against {start} at {setting_in_words(over, base)}"
        return [f"{base_text}, {_too_few(found, steps, what)}"]
    if not clear:
        return [f"{text} does not differ by more than the scatter{_unclear(found, steps)}"]
    parts = [f"{_amount(step, said)} with {value_label(over, step.x)}" for step in clear]
    text = f"{text} is {listing(parts)}{spread}"
    left = [step for step in steps if not step.is_clear]
    if left and _are_too_few(left):
        return [f"{text}; {_too_few(found, left, 'it')}"]
    if left:
        return [f"{text}; it does not differ by more than the scatter{_unclear(found, left)}"]
    # A byte or a second is no step of an axis.
    rate = "" if prefixes(over) or said is _factor else _for_each(steps, base)
    return [f"{text}{rate}{_speed_up(found, curve)}"]


def _whole_way(
    found: AxisSeries, curve: Mapping[float, Value], steps: Sequence[ChangeFinding], said: Said
) -> str:
    """From the first value to that which differs most from it, and from where on it is near that:
    more changes than a reader can hold."""
    over, base, last = found.over, min(curve), max(curve)
    farthest = max((each for each in steps if each.is_clear), key=lambda each: abs(each.share))
    means = {x: curve[x].mean for x in sorted(curve)}
    there = means[farthest.x]
    goes = "rises" if farthest.share > 0 else "falls"
    unit, speed_up = found.metric.unit, _speed_up(found, curve)
    # What more ranks gain says the change already.
    amount = "" if speed_up and farthest.x == last else f" ({_amount(farthest, said, ', ')})"
    text = (
        f"the {lowered(found.metric.label)} {goes} from {quantity(means[base], unit)} at"
        f" {setting_in_words(over, base)} to {quantity(there, unit)} at"
        f" {value_label(over, farthest.x)}{amount}"
    )
    # The run of places around the farthest value at which it differs little from that.
    near = [x for x in means if abs(means[x] - there) <= _NEAR * abs(there)]
    before = [x for x in means if x < farthest.x and x not in near]
    from_here = min(x for x in means if not before or x > before[-1])
    stays = all(x in near for x in means if x > farthest.x)
    if before and from_here < farthest.x:
        until = "on" if stays else f"to {value_label(over, farthest.x)}"
        text += f" and is within {_NEAR:.0%} of that from {value_label(over, from_here)} {until}"
    else:
        text += "" if prefixes(over) or said is _factor else _for_each(steps, base)
        text += _first(found, steps, farthest, said) if amount else ""
    if not stays:
        text += f"; at {value_label(over, last)} it is {quantity(means[last], unit)}"
    other = [each for each in steps if each.is_clear and each.share * farthest.share < 0]
    if beyond := max(other, key=lambda each: abs(each.share), default=None):
        text += f"; with {value_label(over, beyond.x)} it is {said(beyond.share)}"
    left = [step for step in steps if not step.is_clear]
    if left and _are_too_few(left):
        text += f"; {_too_few(found, left, 'it')}"
    elif left:
        places = listing(value_label(over, step.x) for step in left)
        text += f"; with {places} it does not differ from the first by more than the scatter"
    return text + speed_up


def _first(
    found: AxisSeries, steps: Sequence[ChangeFinding], farthest: ChangeFinding, said: Said
) -> str:
    """`; with 1.25 it is 11.8% lower`: the first change, from which on the metric goes its way."""
    first = next(step for step in steps if step.is_clear)
    if first is farthest or first.share * farthest.share < 0 or abs(first.share) <= ROUNDING:
        return ""
    return f"; with {value_label(found.over, first.x)} it is {said(first.share)}"


def _legend(steps: Sequence[ChangeFinding]) -> str:
    """What stands in the brackets behind changes, if any have them."""
    scattered = [step.replicates for step in steps if _scatters(step)]
    return (
        f" (in brackets the least and the most of {max(scattered)} replicates)" if scattered else ""
    )


def _are_too_few(steps: Sequence[ChangeFinding]) -> bool:
    """Whether changes that are not clear are large: few replicates cannot tell them from none."""
    counts = max(step.replicates for step in steps)
    return 1 < counts <= _FEW and max(abs(step.share) for step in steps) > _NEAR


def _too_few(found: AxisSeries, steps: Sequence[ChangeFinding], what: str) -> str:
    """`2 replicates are too few to tell whether it differs with 8 (+63.0%)`."""
    counts = max(step.replicates for step in steps)
    places = listing(value_label(found.over, step.x) for step in steps)
    shares = listing(f"{step.share:+.1%}" for step in steps)
    what = what if what == "it" else f"the {what}"
    return (
        f"{counts} replicates are too few to tell whether {what} differs with {places} ({shares})"
    )


def _unclear(found: AxisSeries, steps: Sequence[ChangeFinding]) -> str:
    """` of 10 replicates with 1 and 2 (+0.6% and +1.2%)`."""
    places = listing(value_label(found.over, step.x) for step in steps)
    shares = listing(f"{step.share:+.1%}" for step in steps)
    return f" of {max(step.replicates for step in steps)} replicates with {places} ({shares})"


def _speed_up(found: AxisSeries, curve: Mapping[float, Value]) -> str:
    """`; 16 times the ranks make it ×10.6 faster, an efficiency of 66 %`, of a time that falls."""
    few, many = min(curve), max(curve)
    if found.over != RANKS or found.metric.unit != "s" or few <= 0 or curve[many].mean <= 0:
        return ""
    speed_up, more = curve[few].mean / curve[many].mean, many / few
    # A time that first grows is that of ranks with as much work each.
    second = sorted(curve)[1]
    if speed_up <= 1 or curve[second].mean > curve[few].mean:
        return ""
    good = [x for x in sorted(curve) if curve[few].mean * few / (curve[x].mean * x) >= _EFFICIENT]
    until = f", and of at least {_EFFICIENT:.0%} up to {good[-1]:,.0f}" if many not in good else ""
    return (
        f"; {more:.3g} times the ranks make it {factor(speed_up)} faster, an efficiency of"
        f" {speed_up / more:.0%}{until}"
    )


def _amount(step: ChangeFinding, said: Said, between: str = "") -> str:
    """`10.0% higher (+9.1% to +10.4%)`, or with a comma `between` the two."""
    if not _scatters(step):
        return said(step.share)
    spread = f"{step.low:+.1%} to {step.high:+.1%}"
    if said is _factor:
        spread = f"{factor(1 + step.low)} to {factor(1 + step.high)}"
    if between:
        return f"{said(step.share)}{between}{spread} of {step.replicates} replicates"
    return f"{said(step.share)} ({spread})"


def _unit_of(steps: Sequence[ChangeFinding]) -> Said:
    """A sentence gives all its changes as factors where one is of twice as much, else as shares."""
    return _factor if any(step.share >= 1 for step in steps) else _percent


def _factor(share: float) -> str:
    text = factor(1 + share)
    # A factor that two digits do not show.
    return text if text != factor(1.0) else _percent(share)


def _scatters(step: ChangeFinding) -> bool:
    return step.replicates > 1 and step.high - step.low >= _NONE


def _percent(share: float) -> str:
    if abs(share) <= ROUNDING:
        return "the same"
    if abs(share) < _NONE:
        return f"the same within {_NONE:.2%}"
    return f"{abs(share):.1%} {'higher' if share > 0 else 'lower'}"


def _for_each(steps: Sequence[ChangeFinding], base: float) -> str:
    """How much of the change one unit of the axis makes, on average up to each place; nothing
    where the change is so far from linear that no such number describes it."""
    places = [base, *(step.x for step in steps)]
    widths = [after - before for before, after in pairwise(places)]
    if max(widths) - min(widths) > ROUNDING * max(widths):
        return ""
    shares = sorted(step.share / (step.x - base) for step in steps)
    sizes = sorted(abs(share) for share in shares)
    if shares[0] * shares[-1] < 0 or sizes[-1] > _LINEAR * sizes[0]:
        return ""
    low, high = f"{shares[0]:+.1%}", f"{shares[-1]:+.1%}"
    share = low if low == high else f"{low} to {high}"
    return f"; that is {share} for each step of 1"
