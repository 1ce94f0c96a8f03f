"""Why an image does not start: Apptainer's reason, among other lines of its output."""

from __future__ import annotations

import re
from pathlib import Path

from weft.images.errors import ImageError

#: The last one is the cause; earlier ones describe what was tried.
COMPLAINT = re.compile(r"^(?:\x1b\[\d+m)?(?:FATAL|ERROR) *: *(.+?)\s*$", re.MULTILINE)
#: Then the image starts, and lacks the program.
NO_PROGRAM = "executable file not found"


def start_problem(stderr: str) -> str | None:
    """Apptainer's reason for not starting an image; None where the image started."""
    found = COMPLAINT.findall(stderr)
    return found[-1] if found and NO_PROGRAM not in found[-1] else None


def check_started(image: Path, stderr: str) -> None:
    """Raises ImageError where `stderr` says that the image did not start."""
    if problem := start_problem(stderr):
        raise ImageError(
            f"{image} does not start here: {problem}: `snakemake doctor` prints what works"
        )
