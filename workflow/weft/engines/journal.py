"""The journal: one JSON line per finished point, safe against a kill in the middle of a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from weft.engines.base import EngineError

Line = dict[str, Any]


def read_journal(path: Path) -> list[Line]:
    """All whole lines of the journal at `path`, none if it does not exist.

    A torn last line is what a kill leaves, and is dropped; a torn line before the last means a
    damaged file and raises EngineError.
    """
    if not path.exists():
        return []
    return list(_parse(path, path.read_text(errors="replace")))


def _parse(path: Path, text: str) -> Iterator[Line]:
    *whole, _torn = text.split("\n")
    for number, raw in enumerate(whole, start=1):
        try:
            line = json.loads(raw)
            key = line["point_id"], line["digest"], line["status"]
        except (ValueError, TypeError, KeyError) as error:
            raise EngineError(
                f"{path}:{number} is damaged ({error}); delete the folder {path.parent} "
                "and run the same command again"
            ) from error
        if all(key):
            yield line


def drop_torn_line(path: Path) -> None:
    """Cut off what a kill left behind the last whole line, so that lines can be appended."""
    if not path.exists():
        return
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    if end < len(content):
        with path.open("r+b") as file:
            file.truncate(end)


def finished(path: Path) -> set[str]:
    """The digests that the journal holds: done, failed or skipped."""
    return {line["digest"] for line in read_journal(path)}


def append(path: Path, line: Mapping[str, Any]) -> None:
    """Append one line in a single write and flush it to the disk."""
    with path.open("a") as file:
        file.write(json.dumps(line, sort_keys=True) + "\n")
        file.flush()
