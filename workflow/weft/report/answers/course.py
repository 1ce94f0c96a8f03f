"""How a metric goes along an ordered axis: where it starts, and from where on it stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.analysis.findings import Value, settling
from weft.report.answers.axis import axis_series
from weft.report.answers.grid import GridPlace
from weft.report.answers.questions import Ask
from weft.report.answers.wording import headed, name
from weft.report.data.source import Study
from weft.report.data.units import listing, place_label, quantity

#: Values that differ by this share are the same, unless the question says.
NEAR = 0.01
_BETWEEN = ", "
Curve = Mapping[object, Value]


def course_sentences(study: Study, ask: Ask) -> list[str]:
    """A sentence for each value of the keys `each`, and for the series that go alike."""
    found = axis_series(study, ask)
    if found is None:
        return []
    sentences = []
    for settings, curves in along(found.curves).items():
        alike: dict[str, list[str]] = {}
        for label, curve in curves.items():
            alike.setdefault(_text(study, ask, curve), []).append(label)
        shared = shared_words(list(next(iter(curves.values()))))
        for text, labels in alike.items():
            named = [*([shared] if shared else []), *([listing(labels)] if found.among else [])]
            head = f"{_BETWEEN.join(named)}: " if named else ""
            sentences.append(headed([*found.start, *settings], f"{head}{text}{found.whose}"))
    return sentences


def along(
    curves: Mapping[str, Mapping[GridPlace, Value]],
) -> dict[GridPlace, dict[str, dict[object, Value]]]:
    """Curves over the last key of their places, words in planned order, by the rest of them."""
    found: dict[GridPlace, dict[str, dict[object, Value]]] = {}
    for label, curve in curves.items():
        for place, value in curve.items():
            found.setdefault(place[:-1], {}).setdefault(label, {})[place[-1][1]] = value
    return found


def _text(study: Study, ask: Ask, curve: Curve) -> str:
    places, means = list(curve), [value.mean for value in curve.values()]
    state = settling(means, NEAR if ask.within is None else ask.within)
    unit, what = study.metrics[ask.of].unit, f"the {name(study, ask.of)}"
    shown = [quantity(mean, unit) for mean in means]
    at = [place_text(ask, places, place) for place in places]
    if len(means) == 1:
        return f"{what} is {shown[0]} at {at[0]}"
    if state.start == 0:
        return f"{what} stays at {shown[-1]} from {at[0]} to {at[-1]}"
    goes = "falls" if means[0] > means[-1] else "rises"
    text = f"{what} {goes} from {shown[0]} at {at[0]} to {shown[state.start]} at {at[state.start]}"
    if means[0] == means[-1]:
        text = f"{what} is {shown[0]} at {at[0]} and again at {at[state.start]}"
    if state.peak is not None:
        text += f", with {shown[state.peak]} at {at[state.peak]} between them,"
    if state.start == len(means) - 1:
        return f"{text.rstrip(',')}; it has not settled there"
    return f"{text} and stays there to {at[-1]}"


def place_text(ask: Ask, places: Sequence[object], place: object) -> str:
    """A place of the axis without what the names of all of them begin with."""
    shared = shared_words(places)
    text = place_label(str(ask.over), place)
    return text.removeprefix(f"{shared}{_BETWEEN}") if shared else text


def shared_words(places: Sequence[object]) -> str:
    """What all names begin with, as parts before commas: `pattern 1` of `pattern 1, trip 1`."""
    if len(places) < 2 or not all(isinstance(place, str) for place in places):
        return ""
    parts = [str(place).split(_BETWEEN)[:-1] for place in places]
    kept: list[str] = []
    for each in zip(*parts, strict=False):
        if len(set(each)) > 1:
            break
        kept.append(each[0])
    return _BETWEEN.join(kept)
