"""Why a point could not be measured."""

from __future__ import annotations

import re
from dataclasses import dataclass

LOG_LINES, LINE_LETTERS = 20, 500
#: Errors of a compiler that a reason shows; of further ones it shows the number.
COMPILER_ERRORS = 3
#: A warning of older compilers, and an error of newer ones: the function is missing at the start.
UNDECLARED = "implicit declaration of function"
#: Flag of a program whose C is older than declarations.
ALLOWS_UNDECLARED = "-Wno-error=implicit-function-declaration"
_ERROR = re.compile(f"error:|undefined reference|multiple definition|cannot find -l|{UNDECLARED}")
_SUMMARY = re.compile(r"ld returned|some warnings being treated")


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """What a launch took; memory is that of its largest process."""

    wall_s: float
    cpu_s: float
    peak_rss_bytes: int

    def __add__(self, other: ProcessUsage) -> ProcessUsage:
        """What two launches took, one after the other."""
        peak = max(self.peak_rss_bytes, other.peak_rss_bytes)
        return ProcessUsage(self.wall_s + other.wall_s, self.cpu_s + other.cpu_s, peak)


class MeasurementError(Exception):
    """A point could not be measured: the reason in one line, and the last lines of output."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.log = log


class LaunchError(MeasurementError):
    """A program was launched and ended badly, after `usage`."""

    def __init__(self, reason: str, log: str, usage: ProcessUsage) -> None:
        super().__init__(reason, log)
        self.usage = usage


class OtherThreadsError(MeasurementError):
    """A program asks by `MPI_Init_thread` for `level`, with which MPI did not begin."""

    def __init__(self, level: str) -> None:
        super().__init__(f"the program asks for the level '{level}' of MPI_Init_thread")
        self.level = level


def last_lines(text: str) -> str:
    """The lines of `text` worth keeping beside a failure, each cut to what a person can read."""
    return "\n".join(line[:LINE_LETTERS] for line in text.rstrip().splitlines()[-LOG_LINES:])


def compiler_errors(text: str) -> str:
    """The errors of a compiler or linker, with file, line and its own words, in one line."""
    found = [
        line.strip()
        for line in dict.fromkeys(text.splitlines())
        if _ERROR.search(line) and not _SUMMARY.search(line)
    ] or text.splitlines()
    more = len(found) - COMPILER_ERRORS
    return "; ".join(found[:COMPILER_ERRORS]) + (f"; and {more} more" if more > 0 else "")


#: What a user can do about an error in a program of several files; the first that fits counts.
_HINTS = {
    "No such file or directory": "workload.program.include lists the folders of headers",
    UNDECLARED: "a header that declares it is missing, or workload.program.flags needs "
    + ALLOWS_UNDECLARED,
    "multiple definition of `main'": "only one of workload.program.sources may define main",
    "multiple definition": "two of workload.program.sources define it",
    "cannot find -l": "workload.program.flags names the library, which is not installed here",
    "undefined reference": "add the file that defines it to workload.program.sources, or its "
    "library to workload.program.flags, like -lblas",
}


def build_hint(text: str) -> str:
    """The end of a sentence about what a compiler or linker said of several files."""
    return next((f"; {hint}" for words, hint in _HINTS.items() if words in text), "")
