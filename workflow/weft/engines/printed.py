"""What programs have printed, by point: lines of a shard's log that begin with their point.

Snakemake removes the log before a job. So of points that the job will not compute, because the
journal knows them, the lines lie beside it until the job has begun.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

from weft.files import replace_bytes
from weft.files.layout import LOG, ExperimentFolder, ShardFolder

#: As `simulators/ranks` writes them.
_LINE = re.compile(rb"point (\w+): .*\n")


def printed_by_point(log: Path) -> Mapping[str, bytes]:
    """The lines of each point; none where there is no log."""
    found: defaultdict[str, bytearray] = defaultdict(bytearray)
    try:
        lines = log.read_bytes().splitlines(keepends=True)
    except OSError:
        return {}
    for line in lines:
        if match := _LINE.fullmatch(line):
            found[match[1].decode()] += line
    return {point_id: bytes(lines) for point_id, lines in found.items()}


def keep_all_printed(folder: ExperimentFolder) -> None:
    """Keep the lines of all shards that have begun and not ended: they will go on."""
    for path in folder.path.glob(f"*/*/{LOG}"):
        left = ShardFolder(path.parent)
        if left.journal.exists() and not left.status.exists():
            keep_printed(left, {**printed_by_point(left.printed), **printed_by_point(left.log)})


def keep_printed(left: ShardFolder, printed: Mapping[str, bytes]) -> None:
    """Keep these lines for the next job of a shard."""
    if printed:
        replace_bytes(left.printed, b"".join(printed.values()))


def print_again(left: ShardFolder, point_ids: Collection[str]) -> None:
    """Put the kept lines of these points into the log that a job has begun."""
    kept, there = printed_by_point(left.printed), printed_by_point(left.log)
    with left.log.open("ab") as file:
        file.writelines(kept[each] for each in point_ids if each in kept and each not in there)
    left.printed.unlink(missing_ok=True)
