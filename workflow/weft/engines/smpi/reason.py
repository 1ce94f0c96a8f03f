"""Why a run in SMPI ended, as its output says."""

from __future__ import annotations

import re
from pathlib import Path

MOST_BYTES, MOST_CHARACTERS = 1 << 20, 200
#: What SimGrid logs when it gives up, or refuses an argument; the first sentence says what.
_LOGGED = re.compile(
    r"\[(?:\w+/CRITICAL|smpi_pmpi/WARNING)\] (.+?)(?:(?:\.| !) .*|\.?\s*)$", re.MULTILINE
)
#: What the C library prints before it ends a program.
_ASSERTED = re.compile(r": (Assertion .+ failed)\.$", re.MULTILINE)


def reason(log: Path) -> str | None:
    """The first reason in the output `log` of a run, in one line; None where there is none.

    Later lines follow from the first: where a rank has called MPI_Abort, the others wait for ever.
    """
    with log.open("rb") as file:
        text = file.read(MOST_BYTES).decode(errors="replace")
    found = [match for pattern in (_LOGGED, _ASSERTED) if (match := pattern.search(text))]
    if not found:
        return None
    first = min(found, key=re.Match.start)
    return str(first[1]).strip()[:MOST_CHARACTERS]
