"""How a metric goes along an ordered axis: where it starts, and from where on it stays."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.findings import settling
from weft.report.answers.along.series import AxisSeries, Curve
from weft.report.data.settings_in_words import key_name, lowered, place_in_words
from weft.report.data.units import listing, quantity
from weft.report.data.word_lists import words_of

#: Values that differ by this share are the same, unless the question says.
NEAR = 0.01
_BETWEEN = ", "


def course_sentences(found: AxisSeries, within: float | None = None) -> list[str]:
    """A sentence for each place beside the axis, and for the series that go alike."""
    sentences = []
    for settings, curves in found.along().items():
        alike: dict[str, list[str]] = {}
        for label, curve in curves.items():
            alike.setdefault(_text(found, curve, within or NEAR), []).append(label)
        shared = shared_words(list(next(iter(curves.values()))))
        for text, labels in alike.items():
            named = [*([shared] if shared else []), *([listing(labels)] if found.among else [])]
            head = f"{_BETWEEN.join(named)}: " if named else ""
            sentences.append(found.sentence(settings, f"{head}{text}"))
    return sentences


def _text(found: AxisSeries, curve: Curve, within: float) -> str:
    places, means = list(curve), [value.mean for value in curve.values()]
    state = settling(means, within)
    what = f"the {lowered(found.metric.label)}"
    shown = [quantity(mean, found.metric.unit) for mean in means]
    at = [place_text(found.over, places, place) for place in places]
    if len(means) == 1:
        return f"{what} is {shown[0]} at {at[0]}"
    if state.start == 0:
        return f"{what} stays at {shown[-1]} from {at[0]} to {at[-1]}"
    goes = "falls" if means[0] > means[-1] else "rises"
    text = f"{what} {goes} from {shown[0]} at {at[0]} to {shown[state.start]} at {at[state.start]}"
    if means[0] == means[-1]:
        text = f"{what} is {shown[0]} at {at[0]} and again at {at[state.start]}"
    settles = state.start < len(means) - 1
    end = f" and stays there to {at[-1]}" if settles else "; it has not settled there"
    if state.peak is None:
        return f"{text}{end}"
    peak = f", with {shown[state.peak]} at {at[state.peak]} between them"
    return f"{text}{peak}{',' if settles else ''}{end}"


def place_text(over: str, places: Sequence[object], place: object) -> str:
    """A place of the axis without what the names of all of them begin with; of lists of words that
    differ in one word, this word."""
    lists = [words for each in places if (words := words_of(each))]
    own = words_of(place)
    if own and len(lists) == len(places) and len({len(words) for words in lists}) == 1:
        differing = [n for n, values in enumerate(zip(*lists, strict=True)) if len({*values}) > 1]
        if len(differing) == 1:
            return f"{key_name(over).removesuffix('s')} {differing[0] + 1} = {own[differing[0]]}"
    shared = shared_words(places)
    text = place_in_words(over, place)
    return text.removeprefix(f"{shared}{_BETWEEN}") if shared else text


def shared_words(places: Sequence[object]) -> str:
    """What all names begin with, as parts before commas: `pattern 1` of `pattern 1, trip 1`."""
    if len(places) < 2 or not all(isinstance(each, str) and not words_of(each) for each in places):
        return ""
    parts = [str(place).split(_BETWEEN)[:-1] for place in places]
    kept: list[str] = []
    for each in zip(*parts, strict=False):
        if len(set(each)) > 1:
            break
        kept.append(each[0])
    return _BETWEEN.join(kept)
