"""How a shard ended: `status.json`, which lists its points and the digests of its files.

The file is one sealed line. Under `files` it lists all that values are made of, tables and the
journal, and what points leave beside them, such as traces. A shard counts as finished only while
all of them are there as they were written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from weft.files import replace_text, seal_of, sealed, sha256_of, unsealed
from weft.files.layout import JOURNAL, STATUS, ShardFolder

OUTCOMES = ("done", "failed", "skipped")
FLAGGED = "flagged"
#: Size and time of a file, as it was when its digest was compared.
Look = tuple[int, int]


class DamagedError(ValueError):
    """A file of results is missing, or not what was written.

    `what` says which, and a `remedy` what to do about it in a project.
    """

    def __init__(self, what: str, remedy: str = "") -> None:
        self.what = what
        super().__init__(f"{what}; {remedy}" if remedy else what)


@dataclass(frozen=True, slots=True)
class ShardOutcome:
    """A finished shard: its points by what became of them, and the digests of its files.

    `flagged` ones are done, and not to be trusted. `seal` names this state: it changes
    with any file.
    """

    done: tuple[str, ...]
    failed: tuple[str, ...]
    skipped: tuple[str, ...]
    image: str | None
    files: Mapping[str, str]
    seal: str
    flagged: tuple[str, ...] = ()


def write_outcome(folder: Path, points: Mapping[str, Iterable[str]], image: str | None) -> None:
    """Write `status.json` of the shard in `folder`, whose other files are complete."""
    names = [path.name for path in folder.glob("*.parquet")]
    names += [path.name for path in ShardFolder(folder).left()]
    names += [JOURNAL] if (folder / JOURNAL).exists() else []
    fields = {
        **{name: sorted(points.get(name, ())) for name in (*OUTCOMES, FLAGGED)},
        "image": image,
        "files": {name: sha256_of(folder / name) for name in sorted(names)},
    }
    replace_text(folder / STATUS, sealed(fields) + "\n")


def read_status(folder: Path) -> ShardOutcome | None:
    """How the shard in `folder` ended, by its `status.json` alone; None if it has not.

    Raises DamagedError when that is damaged.
    """
    try:
        line = (folder / STATUS).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return _parsed(folder / STATUS, line.rstrip(b"\n"))


def read_outcome(folder: Path, seen: Mapping[str, Look] | None = None) -> ShardOutcome | None:
    """As `read_status`, with a look at every file that it lists.

    Those that look as when they were `seen` are not read again. Raises DamagedError, naming the
    file, when one is missing or altered.
    """
    outcome = read_status(folder)
    for name, digest in outcome.files.items() if outcome else ():
        _check(folder / name, digest, (seen or {}).get(name))
    return outcome


def damage(folder: Path) -> Iterator[DamagedError]:
    """All that is missing or altered of what a shard has left in `folder`."""
    try:
        outcome = read_status(folder)
    except DamagedError as error:
        yield error
        return
    for name, digest in outcome.files.items() if outcome else ():
        try:
            _check(folder / name, digest, None)
        except DamagedError as error:
            yield error


def look_at(folder: Path, outcome: ShardOutcome) -> dict[str, Look]:
    """How the files of a shard look now."""
    return {name: _look(folder / name) for name in outcome.files}


def _parsed(path: Path, line: bytes) -> ShardOutcome:
    try:
        fields = unsealed(line, required=True)
        points = {name: tuple(fields[name]) for name in (*OUTCOMES, FLAGGED)}
        seal = seal_of(line) or ""
        return ShardOutcome(**points, image=fields["image"], files=dict(fields["files"]), seal=seal)
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedError(f"{path} is damaged ({error})") from error


def _check(path: Path, digest: str, seen: Look | None) -> None:
    try:
        if (seen is None or _look(path) != tuple(seen)) and sha256_of(path) != digest:
            raise DamagedError(f"{path} was altered after it was written")
    except OSError as error:
        raise DamagedError(f"{path} is missing ({error.strerror})") from error


def _look(path: Path) -> Look:
    status = path.stat()
    return status.st_size, status.st_mtime_ns
