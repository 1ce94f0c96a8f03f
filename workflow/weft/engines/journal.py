"""The journal: one sealed JSON line per finished point.

A kill in the middle of a line leaves a torn one, and a disk may change a bit: neither counts, and
its point is computed again.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from weft.engines.base import EngineError
from weft.engines.order import ResolvedPoint
from weft.files import replacing, sealed, unsealed


class MetricLine(TypedDict):
    """One value of a point; `message_bytes` is None for one of all sizes."""

    metric: str
    message_bytes: int | None
    value: float
    unit: str
    flag: NotRequired[str]


class JournalLine(TypedDict):
    """A line of the journal; an engine may leave out what it does not know."""

    point_id: str
    digest: str
    status: str
    error: NotRequired[str | None]
    log: NotRequired[str | None]
    flag: NotRequired[str | None]
    started_at: NotRequired[str]
    wall_s: NotRequired[float]
    cpu_s: NotRequired[float]
    peak_rss_bytes: NotRequired[int | None]
    metrics: NotRequired[list[MetricLine]]
    environment: NotRequired[Mapping[str, object]]


NEEDED = ("point_id", "digest", "status")
#: Replaces a damaged line: a valid line for a point that no plan contains.
MENDED = sealed(dict.fromkeys(NEEDED, "")).encode()


def read_journal(path: Path) -> list[JournalLine]:
    """All whole lines of the journal at `path`, none if it does not exist.

    Raises EngineError for a damaged line before the last.
    """
    return [line for _, line in numbered_lines(path)]


def numbered_lines(path: Path) -> Iterator[tuple[int, JournalLine]]:
    """As `read_journal`, with the number of each line from 0, without mended ones."""
    for number, raw in enumerate(_whole_lines(path)):
        try:
            line = _parsed(raw)
        except ValueError as error:
            raise EngineError(
                f"{path}:{number + 1} is damaged ({error}); delete the folder {path.parent} "
                "and run the same command again"
            ) from error
        if line["digest"]:
            yield number, line


def mend(path: Path) -> None:
    """Cut off a torn last line and replace damaged ones, so that their points are computed again.

    They are not removed, because jobs remember how many lines they found. Names them on the
    terminal.
    """
    damaged = dict(damaged_lines(path))
    for number, reason in damaged.items():
        print(
            f"weft: {path}:{number} is damaged ({reason}); its point is computed again",
            file=sys.stderr,
            flush=True,
        )
    _replace(path, _whole_lines(path), [number - 1 for number in damaged])


def damaged_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The numbers, from 1, of lines that are not what was written, with the reason."""
    for number, raw in enumerate(_whole_lines(path), start=1):
        if reason := _reason(raw):
            yield number, reason


def forget(path: Path, digests: Container[str]) -> None:
    """Replace the lines of these points, so that they are computed again."""
    lines = _whole_lines(path)
    _replace(path, lines, [n for n, raw in enumerate(lines) if _parsed(raw)["digest"] in digests])


def _replace(path: Path, lines: list[bytes], numbers: Sequence[int]) -> None:
    for number in numbers:
        lines[number] = MENDED
    whole = b"".join(line + b"\n" for line in lines)
    if path.exists() and (numbers or path.stat().st_size != len(whole)):
        with replacing(path) as temporary:
            temporary.write_bytes(whole)


def finished(path: Path) -> set[str]:
    """The digests that the journal holds: done, failed or skipped."""
    return {line["digest"] for line in read_journal(path)}


def done_points(path: Path) -> set[str]:
    """The points that the journal holds as done; damaged lines do not count."""
    lines = (_parsed(raw) for raw in _whole_lines(path) if _reason(raw) is None)
    return {line["point_id"] for line in lines if line["status"] == "done"}


def append(path: Path, line: JournalLine) -> None:
    """Append one line in a single write and flush it to the disk."""
    with path.open("a") as file:
        file.write(sealed(line) + "\n")
        file.flush()


def unanswered(point: ResolvedPoint, reason: str) -> JournalLine:
    """The line of a point that fails before an engine has it; simulators read it, so it has all
    keys."""
    return {**skipped(point, reason), "status": "failed", "peak_rss_bytes": 0}


def skipped(point: ResolvedPoint, reason: str) -> JournalLine:
    """The line of a point that is not computed here."""
    return {
        "point_id": point["point_id"],
        "digest": point["digest"],
        "status": "skipped",
        "error": reason,
        "started_at": now(),
        "wall_s": 0.0,
        "cpu_s": 0.0,
        "metrics": [],
    }


def now() -> str:
    """This moment, as lines hold it: UTC to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _whole_lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def _reason(raw: bytes) -> str | None:
    try:
        _parsed(raw)
    except ValueError as error:
        return str(error)
    return None


def _parsed(raw: bytes) -> JournalLine:
    """Raises ValueError; engines of others may leave the checksum out."""
    line = unsealed(raw, required=False)
    if lacking := [name for name in NEEDED if name not in line]:
        raise ValueError(f"it has no {lacking[0]}")
    return cast("JournalLine", line)
