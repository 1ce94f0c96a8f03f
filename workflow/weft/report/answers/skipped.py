"""Points that were skipped, and what is not answered without them."""

from __future__ import annotations

from itertools import groupby

from weft.config.model.answer import Agreement
from weft.report.data.source import Study
from weft.report.data.units import counted, listing
from weft.report.record.outcome import Coverage, skips


def unanswered_sentences(study: Study, coverage: Coverage) -> list[str]:
    """That an agreement is not answered, because its reference has no answer on this machine."""
    asked = [study.plan.report.reference]
    asked += [each.to for each in study.plan.report.answer if isinstance(each, Agreement)]
    lacking = {row["engine"] for row in coverage.engines if row["skipped"] == row["planned"] > 0}
    others = [engine for engine in study.engines if engine not in lacking]
    if not others:
        return []
    return [
        f"Whether {listing(others)} {'agrees' if len(others) == 1 else 'agree'} with {reference} is"
        f" not answered: {reference} could not run. What follows is that of {listing(others)}"
        " alone."
        for reference in dict.fromkeys(each for each in asked if each in lacking)
    ]


def skipped_sentences(study: Study, coverage: Coverage) -> list[str]:
    """What had nothing to compute, or no program on this machine; one reason for each engine."""
    found = []
    for engine, own in groupby(skips(study), key=lambda row: str(row["engine"])):
        rows = list(own)
        points = sum(row["points"] for row in rows)
        number = f"{points:,} of {counted(coverage.planned, 'point')}"
        which = "" if len(rows) == 1 else ", for example"
        reason = rows[0]["reason"]
        was = "was" if points == 1 else "were"
        found.append(f"{engine}: {number} {was} skipped{which}: {reason}.")
    return found
