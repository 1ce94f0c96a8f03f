"""When it was stated what is expected, and what changed after results were known."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from weft.plan.outcome import DamagedError
from weft.plan.stated import StatedVersion, read_stated
from weft.report.data.source import Study
from weft.report.data.units import day_and_time


def stated_notes(study: Study) -> list[str]:
    """When the expectations were stated, then each change after the first results, a line each.

    A change before them takes nothing from an expectation, so only the last one is dated.
    """
    try:
        versions = read_stated(study.folder)
    except DamagedError as error:
        return [f"Nobody knows when this was stated: {error.what}."]
    if not versions:
        return []
    before = [each for each in versions if not each.after_results]
    first = before[-1] if before else versions[0]
    when = "before" if before else "after"
    start = f"Stated on {_day(first)}, {when} the first results."
    later = versions[versions.index(first) :]
    return [start, *(line for old, new in pairwise(later) for line in _changes(old, new))]


def _changes(old: StatedVersion, new: StatedVersion) -> Iterator[str]:
    gone = [each for each in old.expectations if each not in new.expectations]
    added = [each for each in new.expectations if each not in old.expectations]
    when = f"on {_day(new)}, after the first results"
    if gone:
        verb = "Changed" if added else "Taken away"
        yield f"{verb} {when}. Before: {'; '.join(gone)}."
    else:
        yield f"Added {when}: {'; '.join(added)}."


def _day(version: StatedVersion) -> str:
    return day_and_time(datetime.fromisoformat(version.date))
