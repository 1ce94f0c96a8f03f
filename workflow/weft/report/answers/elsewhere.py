"""Published values that an experiment overlays, and at none of whose settings it has answers."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.comparison import canonical
from weft.report.answers.questions import Ask
from weft.report.answers.wording import name
from weft.report.data.axes import SIZE
from weft.report.data.overlays import kind_of, planned
from weft.report.data.references import PUBLISHED
from weft.report.data.source import Study
from weft.report.data.units import listing, settings_label

_MOST_NAMED = 3


def elsewhere_sentences(study: Study, ask: Ask, references: Sequence[str]) -> list[str]:
    """That published values of the metric are at settings that this run leaves out.

    The short form of an experiment may have smaller messages than its paper, for instance.
    """
    if (ask.to or study.plan.report.reference) not in (None, PUBLISHED):
        return []
    theirs = [
        entry["coordinates"] for entry in study.published(references)
        if entry["metric"] == ask.of and kind_of(entry["item"]) == "published"
    ]  # fmt: skip
    sizes = {canonical(row["size"]) for row in study.query(_SIZES, [ask.of])}
    missing = [
        [
            (key, value) for key, value in where.items()
            if not (canonical(value) in sizes if key == SIZE else planned(study, {key: value}))
        ]
        for where in theirs
    ]  # fmt: skip
    if not missing or not all(missing):
        return []
    found = list(dict.fromkeys(settings_label(each) for each in missing))
    left = len(found) - _MOST_NAMED
    at = listing([*found[:_MOST_NAMED], *([f"{left:,} more"] if left > 0 else [])])
    return [
        f"Published values of the {name(study, ask.of)} are at {at}. This run has no such point, so"
        " nothing is compared with them."
    ]


_SIZES = "SELECT DISTINCT message_bytes AS size FROM measured WHERE metric = ?"
