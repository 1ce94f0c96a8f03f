"""What a program printed before it ended with an error: mostly how it wants to be called."""

from __future__ import annotations

import re
from collections.abc import Mapping

from weft.engines.journal import JournalLine

#: As `simulators/mpi` says that a rank returned something else than 0.
_ENDED = re.compile(r"\bended with code \d+\b")
#: So many lines are kept beside the error; the last of them is in it.
_LINES = 5
_LONGEST = 200


def with_last_words(
    lines: Mapping[str, JournalLine], printed: Mapping[str, bytes]
) -> dict[str, JournalLine]:
    """The journal lines by point, those of failed points with what their programs `printed`."""
    return {point_id: _said(line, printed.get(point_id)) for point_id, line in lines.items()}


def _said(line: JournalLine, printed: bytes | None) -> JournalLine:
    if line["status"] != "failed" or not printed:
        return line
    words = [_words(each) for each in printed.decode(errors="replace").splitlines()]
    last = [each for each in words if each][-_LINES:]
    error = line.get("error") or ""
    if last and _ENDED.search(error):
        text = last[-1] if len(last[-1]) <= _LONGEST else f"{last[-1][:_LONGEST]}…"
        error = f"{error}; it printed: {text}"
    return {**line, "error": error, "log": line.get("log") or "\n".join(last)}


def _words(line: str) -> str:
    """A line of a shard's log without the point before it."""
    return line.partition(": ")[2].strip()
