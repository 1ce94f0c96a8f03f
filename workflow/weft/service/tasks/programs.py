"""Whether an experiment brings code of its own, so that only a confined worker may have it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from weft.service.project import PROGRAM

#: A program of several files has sources and flags of its compiler.
#: A quoted or escaped key means the same, so these words anywhere count.
_OF_SEVERAL_FILES = re.compile(r"\b(sources|flags)\b|\\[xuU]")


def brings_program(experiment_yaml: str, files: Iterable[str]) -> bool:
    """Whether code comes with it; in doubt it does."""
    if any(path.endswith(PROGRAM) for path in files):
        return True
    return _OF_SEVERAL_FILES.search(experiment_yaml) is not None
