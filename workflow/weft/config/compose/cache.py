"""Compositions of earlier runs, by the content of every file that Hydra looked at for them.

They lie in `.snakemake/weft/composed`. Nothing depends on them: what cannot be read, does not fit
its files, or cannot be written, is composed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from weft.files import replace_text

FOLDER = Path(".snakemake", "weft", "composed")
#: More than any campaign composes; beyond it the oldest half goes.
MOST = 4096
_CODE = (
    "atomic_values.py", "cache.py", "composition.py", "hydra_source.py", "hydra_tree.py",
    "machine_keys.py",
)  # fmt: skip


class Cache:
    """The place of one composition: `asked` is all that decides it beside files."""

    def __init__(self, configs_dir: Path, asked: Any) -> None:
        key = _digest(json.dumps([_versions(), str(configs_dir), asked], sort_keys=True))
        self._file = configs_dir.parent / FOLDER / f"{key}.json"

    def get(self) -> Any:
        """What was composed from files that are the same now; None when that is not known."""
        try:
            entry = json.loads(self._file.read_text())
            if _digest(json.dumps(entry["kept"])) != entry["digest"]:
                return None
            files, found = entry["kept"]
            same = all(_file_digest(Path(path)) == digest for path, digest in files.items())
            return found if same else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def put(self, found: Any, files: Mapping[str, str | None]) -> None:
        """Keep what was composed from `files`."""
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


def _file_digest(path: Path) -> str | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return _content_digest(path, stat.st_mtime_ns, stat.st_size, stat.st_ino)


@lru_cache(maxsize=4096)
def _content_digest(path: Path, *_stamp: int) -> str:
    return sha256(path.read_bytes()).hexdigest()


@lru_cache(maxsize=1)
def _versions() -> list[str]:
    here = Path(__file__).parent
    code = b"".join((here / name).read_bytes() for name in _CODE)
    return [version("hydra-core"), version("omegaconf"), sha256(code).hexdigest()]
