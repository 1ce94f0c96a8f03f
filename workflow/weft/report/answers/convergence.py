"""From where on along an ordered axis series differ little from the first one."""

from __future__ import annotations

from weft.analysis.findings import on_common_draws, settling
from weft.report.answers.axis import axis_series
from weft.report.answers.course import Curve, along, place_text, shared_words
from weft.report.answers.questions import Ask
from weft.report.answers.wording import headed, name
from weft.report.data.source import Study
from weft.report.data.units import listing

#: Values that differ by at most this share count as the same, unless the question says.
NEAR = 0.1


def convergence_sentences(study: Study, ask: Ask) -> list[str]:
    """A sentence for each value of the keys `each`; the first series is what others are held to."""
    found = axis_series(study, ask)
    if not ask.among or found is None:
        return []
    sentences = []
    for settings, curves in along(found.curves).items():
        (base, first), *others = curves.items()
        parts = [part for label, curve in others if (part := _part(ask, first, label, curve))]
        if not parts:
            continue
        shared = shared_words(list(first))
        head = f"{shared}: " if shared else ""
        text = f"{head}against {base}, the {name(study, ask.of)} is {listing(parts)}{found.whose}"
        sentences.append(headed([*found.start, *settings], text))
    return sentences


def _part(ask: Ask, first: Curve, label: str, curve: Curve) -> str:
    """`within 10% from 150 us on with message size 125 B`; nothing where no place is shared."""
    shared = {
        place: both for place in curve
        if place in first and (both := on_common_draws([curve[place], first[place]]))
    }  # fmt: skip
    shared = {place: both for place, both in shared.items() if both[1].mean}
    if not shared:
        return ""
    places = list(shared)
    ratios = [mine.mean / base.mean for mine, base in shared.values()]
    near = NEAR if ask.within is None else ask.within
    # What settles is the ratio: behind it stands the 1 that it is held to.
    start = settling([*ratios, 1.0], near).start
    if start == 0:
        return f"within {near:.0%} throughout with {label}"
    if start < len(places):
        return (
            f"within {near:.0%} from {place_text(ask, list(first), places[start])} on with {label}"
        )
    share = ratios[-1] - 1
    which = "higher" if share > 0 else "lower"
    at = place_text(ask, list(first), places[-1])
    return f"still {abs(share):.1%} {which} at {at}, the last value, with {label}"
