"""Lines of a network's file, one at a time, and the limits that every such file keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from weft.config.graphs.model import GraphProblem

#: A fabric of a million links is smaller.
MOST_BYTES = 256 * 2**20
#: `iblinkinfo` prints a line for each port, also for those without a cable.
MOST_LINES = 2_000_000
MOST_CHARACTERS = 1_000


def check_size(size: int) -> None:
    """Raises GraphProblem for a file of too many bytes."""
    if size > MOST_BYTES:
        raise GraphProblem(f"the file has {size:,} bytes, must have at most {MOST_BYTES:,}")


def file_lines(path: Path, formats: str) -> Iterator[str]:
    """The lines of a text file in UTF-8, which must hold one of `formats`.

    Raises OSError, and GraphProblem with the line of the first mistake: bytes that are no text, a
    line that is too long, a line too many.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        number = 0
        try:
            while line := file.readline(MOST_CHARACTERS + 1):
                number += 1
                if problem := _problem(line, number):
                    raise GraphProblem(f"{problem}; a file must hold {formats}", number)
                yield line
        except UnicodeDecodeError:
            byte, bad = _not_text(path)
            message = f"the byte {byte:#04x} is not UTF-8; a file must hold {formats}"
            raise GraphProblem(message, bad) from None


def _problem(line: str, number: int) -> str | None:
    if len(line) > MOST_CHARACTERS:
        return f"the line has more than {MOST_CHARACTERS:,} characters"
    if "\0" in line:
        return "the line holds a zero byte, which no text has"
    if number > MOST_LINES:
        return f"the file has more than {MOST_LINES:,} lines"
    return None


def _not_text(path: Path) -> tuple[int, int]:
    """The first byte that is not UTF-8, and its line."""
    content = path.read_bytes()
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return content[error.start], content[: error.start].count(b"\n") + 1
    raise AssertionError("the text was not UTF-8 a moment ago")
