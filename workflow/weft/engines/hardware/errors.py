"""Why a point could not be measured."""

from __future__ import annotations

from dataclasses import dataclass

LOG_LINES = 20


@dataclass(frozen=True, slots=True)
class Usage:
    """What a launch took; memory is that of its largest process."""

    wall_s: float
    cpu_s: float
    peak_rss_bytes: int


class MeasurementError(Exception):
    """A point could not be measured: the reason in one line, and the last lines of output."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.log = log


class LaunchError(MeasurementError):
    """A program was launched and ended badly, after `usage`."""

    def __init__(self, reason: str, log: str, usage: Usage) -> None:
        super().__init__(reason, log)
        self.usage = usage


def last_lines(text: str) -> str:
    """The lines of `text` worth keeping beside a failure."""
    return "\n".join(text.rstrip().splitlines()[-LOG_LINES:])
