"""Findings as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from weft.doctor.finding import Finding

WIDTH = 100


def show(findings: Mapping[str, Sequence[Finding]]) -> str:
    """One line for each thing that is there, three for each that is missing."""
    subjects = [each.subject for group in findings.values() for each in group]
    column = max(map(len, subjects), default=0)
    return "\n".join(line for head in findings for line in _group(head, findings[head], column))


def _group(heading: str, group: Sequence[Finding], column: int) -> Iterator[str]:
    yield f"\n{heading}"
    for each in group:
        mark = "yes" if each.present else "NO "
        yield from _indented(f"  {mark}  {each.subject.ljust(column)}  ", each.found)
        if not each.present:
            blank = " " * (column + 7)
            yield from _indented(f"{blank}  costs: ", each.cost)
            yield from _indented(f"{blank}  get it: ", each.remedy)


def _indented(start: str, text: str) -> list[str]:
    return textwrap.wrap(
        start + " ".join(text.split()),
        WIDTH,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
