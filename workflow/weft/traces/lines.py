"""What readers of text formats share: lines with their numbers, and mistakes with file and line."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from weft.tables.traces import LONGEST_S, TraceError

#: The largest number of bytes and the largest tag that a trace can hold.
MOST, MOST_TAG = 2**63 - 1, 2**31 - 1


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a file."""

    path: Path
    number: int
    text: str

    def wrong(self, what: str) -> TraceError:
        """A mistake in this line."""
        return TraceError(f"{self.path} line {self.number}: {what}")

    def whole(self, word: str, what: str, least: int = 0, most: int = MOST) -> int:
        """A whole number of at least `least`, and no more than a trace can hold."""
        try:
            found = int(word)
        except ValueError:
            # SimGrid writes sizes as numbers with a point or an exponent, too.
            found = self._rounded(word, what)
        if found < least:
            raise self.wrong(f"{what} is {word}, must be {least} or more")
        if found > most:
            raise self.wrong(f"{what} is {word}, must be at most {most}")
        return found

    def _rounded(self, word: str, what: str) -> int:
        number = self.real(word, what)
        if number != int(number):
            raise self.wrong(f"{what} is {word}, must be a whole number")
        return int(number)

    def real(self, word: str, what: str) -> float:
        """A number of at least 0."""
        try:
            found = float(word)
        except ValueError:
            raise self.wrong(f"{what} is '{word}', must be a number") from None
        if not 0 <= found < 1e300:
            raise self.wrong(f"{what} is {word}, must be 0 or more")
        return found


def computing(wrong: Callable[[str], TraceError], seconds: float) -> float:
    """A time of computing, if a trace can hold it; `wrong` makes a mistake that names its place."""
    if seconds > LONGEST_S:
        raise wrong(f"it computes {seconds:g} s, must be at most {LONGEST_S:g} s")
    return seconds


def read_lines(path: Path) -> Iterator[TextLine]:
    """The lines of a text, also one of gzip, without the ends.

    Raises TraceError when it is no text.
    """
    try:
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
            for number, text in enumerate(file, start=1):
                yield TextLine(path, number, text.rstrip("\r\n"))
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise TraceError(f"{path} cannot be read: {error}") from error
