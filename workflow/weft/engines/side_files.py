"""Side files of points that were lost: `<table>-<point_id>.csv`, histories and traces.

The tables of a shard are made of them again when a point is tried once more, or when a table is
gone. By then somebody may have removed them for their size, and an archive brings none. Then the
point would lose its rows without a word: it is computed again instead.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

from weft.engines.base import SIDE_TABLES, ShardJob
from weft.engines.journal import forget, read_journal
from weft.files import replace_text, sealed, sha256_of, unsealed
from weft.files.layout import LEFT, ShardFolder

_NOTES = "side_files.json"
_ENDING = ".csv"
_LEFT = tuple(f"{kind}-" for kind in LEFT)


def note_side_files(folder: Path, point_ids: Iterable[str]) -> None:
    """Note what the side files of points hold; their tables are made of them."""
    present = _present(folder)
    names = sorted(name for point_id in point_ids for name in present.get(point_id, ()))
    files = {name: sha256_of(folder / name) for name in names}
    replace_text(folder / _NOTES, sealed({"files": files}) + "\n")


def side_files(folder: Path, point_ids: Iterable[str]) -> list[Path]:
    """Those of these points, by name."""
    present = _present(folder)
    return sorted(folder / name for point in point_ids for name in present.get(point, ()))


def altered_side_files(folder: Path) -> Iterator[Path]:
    """Those that are there and not as noted, and a damaged note; some may have been removed."""
    noted = _noted(folder)
    if not noted and (folder / _NOTES).exists() and not _is_empty(folder / _NOTES):
        yield folder / _NOTES
    for name, digest in noted.items():
        if (folder / name).is_file() and sha256_of(folder / name) != digest:
            yield folder / name


def _is_empty(notes: Path) -> bool:
    """Whether whole notes name no file."""
    return notes.read_bytes() == f"{sealed({'files': {}})}\n".encode()


def forget_points_without(job: ShardJob, measured: bool) -> None:
    """Let the points be computed again whose side files are gone or altered.

    Of `measured` points only what stays as it is counts: an archive brings that, and no other
    machine measures the same.
    """
    folder = job.directory
    noted = _noted(folder)
    if measured:
        noted = {name: digest for name, digest in noted.items() if name.startswith(_LEFT)}
    lost = dict(_lost(job, noted))
    for name in lost.values():
        print(
            f"weft: {folder / name} is gone or altered: its point is computed again",
            file=sys.stderr,
            flush=True,
        )
    if lost:
        forget(job.journal, lost.keys())


def _lost(job: ShardJob, noted: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Digests of points that lack a side file, each with the name of one."""
    folder, present = job.directory, _present(job.directory)
    of_point = defaultdict(list)
    for name in noted:
        of_point[_point_id(name)].append(name)
    done = {line["digest"] for line in read_journal(job.journal) if line["status"] == "done"}
    for point in job.shard["points"]:
        point_id = point["point_id"]
        if point["digest"] not in done:
            continue
        asked = [table for table in point["options"].get("tables") or () if table in SIDE_TABLES]
        wrong = [
            name
            for name in of_point[point_id]
            if name not in present.get(point_id, ()) or sha256_of(folder / name) != noted[name]
        ]
        if asked and not of_point[point_id] and point_id not in present:
            # Nothing was noted by an earlier weft, or where an archive brought the shard.
            wrong = [f"{asked[0]}-{point_id}{_ENDING}"]
        if wrong:
            yield point["digest"], wrong[0]


def _present(folder: Path) -> Mapping[str, list[str]]:
    """The names of side files by point."""
    found = defaultdict(list)
    for path in folder.glob(f"*-*{_ENDING}"):
        if path.name.partition("-")[0] in SIDE_TABLES:
            found[_point_id(path.name)].append(path.name)
    for path in ShardFolder(folder).left():
        found[_point_id(path.name)].append(path.name)
    return found


def _point_id(name: str) -> str:
    return name.partition("-")[2].partition(".")[0]


def _noted(folder: Path) -> Mapping[str, str]:
    try:
        noted = unsealed((folder / _NOTES).read_bytes().rstrip(b"\n"), required=True)
        return cast("Mapping[str, str]", noted["files"])
    except (OSError, ValueError, KeyError):
        return {}
