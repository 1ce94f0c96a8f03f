"""What quick looks at experiments found, kept by the content of all that decides it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from weft.config.compose.cache import Cache, Files, file_digest
from weft.tables.declared import CATALOGUE_FILE

EXPERIMENT = "experiment"
#: What editors read, and no check.
_UNREAD = "schema"


class KeptGlimpses:
    """What looks of one `kind`, under its overrides, found of the experiments of the trees
    `folders` that have no mistake."""

    def __init__(self, folders: Sequence[Path], kind: Sequence[str]) -> None:
        self._folders = folders
        self._kind = kind

    def get(self, name: str) -> object:
        """What was found, while nothing has changed that decides it; else None."""
        kept = self._place(name).get()
        return kept.found if kept else None

    def add(self, name: str, found: object, files: Files) -> None:
        """Keep what was `found` of an experiment without mistakes, composed of `files`."""
        self._place(name).put(found, files)

    def _place(self, name: str) -> Cache:
        folders = [str(folder) for folder in self._folders]
        return Cache(self._folders[0], [list(self._kind), folders, name, self._shared])

    @cached_property
    def _shared(self) -> list[object]:
        """What decides about every experiment: all files of the trees, and of other experiments
        that they are there."""
        found: list[object] = [file_digest(CATALOGUE_FILE)]
        for folder in self._folders:
            for file in sorted(folder.rglob("*")):
                inner = file.relative_to(folder)
                if inner.parts[0] == EXPERIMENT:
                    found.append(str(inner))
                elif inner.parts[0] != _UNREAD and file.is_file():
                    found.append([str(inner), file_digest(file)])
        return found
