"""Published values that an experiment overlays, and at none of whose settings it has answers."""

from __future__ import annotations

from weft.analysis.comparison import canonical
from weft.report.answers.question import PageSources
from weft.report.answers.wording import name
from weft.report.data.axes import SIZE
from weft.report.data.overlays import kind_of, planned
from weft.report.data.references import PUBLISHED
from weft.report.data.settings_in_words import in_words
from weft.report.data.units import listing

_MOST_NAMED = 3


def elsewhere_sentences(page: PageSources, metric: str, to: str | None) -> list[str]:
    """That published values of the metric are at settings that this run leaves out.

    The short form of an experiment may have smaller messages than its paper, for instance.
    """
    study = page.study
    if (to or study.plan.report.reference) not in (None, PUBLISHED):
        return []
    theirs = [
        entry.place for entry in study.published(page.references)
        if entry.metric == metric and kind_of(entry.item) == "published"
    ]  # fmt: skip
    sizes = {canonical(row["size"]) for row in study.query(_SIZES, [metric])}
    missing = [
        [
            (key, value) for key, value in where.items()
            if not (canonical(value) in sizes if key == SIZE else planned(study, {key: value}))
        ]
        for where in theirs
    ]  # fmt: skip
    if not missing or not all(missing):
        return []
    found = list(dict.fromkeys(in_words(each) for each in missing))
    left = len(found) - _MOST_NAMED
    at = listing([*found[:_MOST_NAMED], *([f"{left:,} more"] if left > 0 else [])])
    return [
        f"Published values of the {name(study, metric)} are at {at}. This run has no such point, so"
        " nothing is compared with them."
    ]


_SIZES = "SELECT DISTINCT message_bytes AS size FROM measured WHERE metric = ?"
