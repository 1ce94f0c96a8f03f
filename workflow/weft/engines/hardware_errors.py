"""Why a point could not be measured."""

from __future__ import annotations

LOG_LINES = 20


class MeasurementError(Exception):
    """A point could not be measured: the reason in one line, and the last lines of output."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.log = log


def last_lines(text: str) -> str:
    """The lines of `text` worth keeping beside a failure."""
    return "\n".join(text.rstrip().splitlines()[-LOG_LINES:])
