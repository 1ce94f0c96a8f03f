"""Looking at a machine without changing it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

LONGEST_ANSWER_S = 10.0
VERSION = re.compile(r"\d+(?:\.\d+)+")


def which(*names: str) -> str | None:
    """The first of `names` that is on the PATH, as a path."""
    return next((path for name in names if (path := shutil.which(name))), None)


def answer(command: Sequence[str]) -> str | None:
    """What a command prints; None when it is missing, fails or hangs."""
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=LONGEST_ANSWER_S,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def version(*command: str) -> str | None:
    """The version that `command` prints, or its first line; None when it does not work."""
    text = answer(command)
    if text is None:
        return None
    found = VERSION.search(text)
    return found[0] if found else text.partition("\n")[0]


def at_least(text: str, *wanted: int) -> bool:
    """Whether the version in `text` is `wanted` or newer."""
    return tuple(int(part) for part in text.split(".") if part.isdigit()) >= wanted


def read(path: Path) -> str:
    """The file's text, empty when it cannot be read."""
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
