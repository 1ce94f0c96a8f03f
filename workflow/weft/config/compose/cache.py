"""What earlier runs found out about files, by the content of every file that they looked at.

It lies in `.snakemake/weft/composed`: compositions, and which experiments have no mistake. Nothing
depends on it: what cannot be read or written, or does not fit its files, is found out again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from weft.files import replace_text
from weft.files.layout import PACKAGE

FOLDER = Path(".snakemake", "weft", "composed")
#: More than any campaign needs; beyond it the oldest half goes.
MOST = 4096
#: Whose code decides what is found out.
_LIBRARIES = ("hydra-core", "omegaconf", "pint", "pydantic", "PyYAML")
_PACKAGES = ("config", "machine")

#: Files that were looked for: path -> digest, or None for one that is not there.
Files = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Kept:
    """What was `found` out from `files`."""

    found: Any
    files: Files


class Cache:
    """The place of one answer: `asked` is all that decides it beside files."""

    def __init__(self, configs_dir: Path, asked: Any) -> None:
        key = _digest(json.dumps([_versions(), str(configs_dir), asked], sort_keys=True))
        self._file = configs_dir.parent / FOLDER / f"{key}.json"

    def get(self) -> Kept | None:
        """What was found out from files that are the same now; None when that is not known."""
        try:
            entry = json.loads(self._file.read_text())
            if _digest(json.dumps(entry["kept"])) != entry["digest"]:
                return None
            files, found = entry["kept"]
            same = all(file_digest(Path(path)) == digest for path, digest in files.items())
            return Kept(found, files) if same else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def put(self, found: object, files: Files) -> None:
        """Keep what was found out from `files`."""
        with suppress(OSError, ValueError, TypeError):
            text = json.dumps([files, found])
            # Keys that are numbers would come back as texts.
            if json.loads(text)[1] == found:
                _make_room(self._file.parent)
                entry = {"digest": _digest(text), "kept": json.loads(text)}
                replace_text(self._file, json.dumps(entry))


def _make_room(folder: Path) -> None:
    files = list(folder.glob("*.json")) if folder.is_dir() else []
    if len(files) >= MOST:
        for file in sorted(files, key=lambda path: path.stat().st_mtime)[: MOST // 2]:
            file.unlink(missing_ok=True)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def file_digest(path: Path) -> str | None:
    """A digest of what is in a file; None for one that is not there."""
    try:
        stat = path.stat()
        return _content_digest(path, stat.st_mtime_ns, stat.st_size, stat.st_ino)
    except OSError:
        return None


@lru_cache(maxsize=4096)
def _content_digest(path: Path, *_stamp: int) -> str:
    return sha256(path.read_bytes()).hexdigest()


@lru_cache(maxsize=1)
def _versions() -> list[str]:
    code = sha256()
    for package in _PACKAGES:
        for file in sorted((PACKAGE / package).rglob("*.py")):
            code.update(file.read_bytes())
    return [*map(version, _LIBRARIES), code.hexdigest()]
