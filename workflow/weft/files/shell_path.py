"""Paths that a shell takes as one word although nobody quotes them."""

from __future__ import annotations

import re
from pathlib import Path

#: Where a shell ends a word, or takes it for something else.
_SPECIAL = re.compile(r"[\s\"'`$&;|<>(){}*?\[\]\\]")


def need_plain_path(python: Path) -> None:
    """Raise ValueError where Snakemake cannot start its jobs with this Python.

    It writes the path of Python into a command without quotes.
    """
    found = _SPECIAL.search(str(python))
    if found is not None:
        sign = "a blank" if found[0].isspace() else f"'{found[0]}'"
        raise ValueError(
            f"Snakemake cannot start jobs with {python}: there is {sign} in this path; move the "
            "clone to a folder without blanks, quotes and signs of the shell in its path"
        )
