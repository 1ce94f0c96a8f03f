"""From where on along an ordered axis series differ little from the first one."""

from __future__ import annotations

from weft.analysis.findings import on_common_draws, settling
from weft.report.answers.along.course import place_text, shared_words
from weft.report.answers.along.series import AxisSeries, Curve
from weft.report.data.settings_in_words import lowered
from weft.report.data.units import listing

#: Values that differ by at most this share count as the same, unless the question says.
NEAR = 0.1


def convergence_sentences(found: AxisSeries, within: float | None = None) -> list[str]:
    """A sentence for each place beside the axis; the first series is what others are held to."""
    sentences, near = [], within or NEAR
    for settings, curves in found.along().items():
        (base, first), *others = curves.items()
        said = (_part(found.over, near, first, label, curve) for label, curve in others)
        parts = [part for part in said if part]
        if not parts:
            continue
        shared = shared_words(list(first))
        head = f"{shared}: " if shared else ""
        text = f"{head}against {base}, the {lowered(found.metric.label)} is {listing(parts)}"
        sentences.append(found.sentence(settings, text))
    return sentences


def _part(over: str, near: float, first: Curve, label: str, curve: Curve) -> str:
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
    # What settles is the ratio: behind it stands the 1 that it is held to.
    start = settling([*ratios, 1.0], near).start
    if start == 0:
        return f"within {near:.0%} throughout with {label}"
    if start < len(places):
        return (
            f"within {near:.0%} from {place_text(over, list(first), places[start])} on with {label}"
        )
    share = ratios[-1] - 1
    which = "higher" if share > 0 else "lower"
    at = place_text(over, list(first), places[-1])
    return f"still {abs(share):.1%} {which} at {at}, the last value, with {label}"
