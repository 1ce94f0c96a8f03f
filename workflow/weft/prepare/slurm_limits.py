"""The most that a job can ask of a cluster."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from weft.engines.slurm_state import ask_slurm

#: `[days-][[hours:]minutes:]seconds`, as sinfo writes it.
DURATION = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Limits:
    """Memory of the largest node, and the longest time limit; None where nobody tells."""

    memory_mb: int | None = None
    runtime_min: int | None = None


@cache
def slurm_limits(partitions: str | None) -> Limits:
    """Limits of `partitions` (names with commas between), else of all; asked once per process."""
    where = [f"--partition={partitions}"] if partitions else []
    # Without --exact different nodes are one line, with the smallest memory.
    answer = ask_slurm(["sinfo", "--noheader", "--exact", "--format=%m %l", *where])
    lines = [words for line in answer.splitlines() if len(words := line.split()) == 2]
    memories = [int(memory) for memory, _ in lines if memory.isdecimal()]
    times = [_minutes(time) for _, time in lines]
    known = [minutes for minutes in times if minutes]
    return Limits(
        max(memories, default=None), max(known) if known and len(known) == len(times) else None
    )


def _minutes(text: str) -> int | None:
    """Whole minutes of a time limit; None for `infinite` and what is not understood."""
    if not (match := DURATION.fullmatch(text)):
        return None
    days, hours, minutes, _ = (int(part or 0) for part in match.groups())
    return (days * 24 + hours) * 60 + minutes
