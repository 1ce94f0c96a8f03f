"""The table of `weft applications`: on the console, and as a file from which a run goes on."""

from __future__ import annotations

import csv
import io
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weft.files.replace import replace_text
from weft.read.errors import ReadError
from weft.tables.spreadsheet import plain_text

HEADINGS = (
    "application", "engine", "ranks", "ran", "verified", "time_s", "took_s", "what stops it",
)  # fmt: skip
#: Of a point and of all that decides what its line says.
_KEY = "point"
_VERIFIED = {"-": None, "yes": True, "no": False}
_WORDS = {value: word for word, value in _VERIFIED.items()}


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of one application on one engine; `verified` is None where nothing says it.

    `refuted` says why it is False.
    """

    application: str
    engine: str = ""
    ranks: int = 0
    verified: bool | None = None
    program_time_s: float | None = None
    took_s: float = 0.0
    error: str | None = None
    refuted: str = ""

    @property
    def is_good(self) -> bool:
        """Whether it ran, and its own verification, if it has one, has passed."""
        return self.error is None and self.verified is not False

    def cells(self, *, exact: bool = False) -> tuple[str, ...]:
        """In the order of the headings; the time with six digits, unless `exact`."""
        time_s = "-" if self.program_time_s is None else f"{self.program_time_s:.6g}"
        if exact and self.program_time_s is not None:
            time_s = repr(self.program_time_s)
        return (
            self.application, self.engine or "-", str(self.ranks or "-"),
            "no" if self.error else "yes", _WORDS[self.verified], time_s, f"{self.took_s:.1f}",
            self.error or self.refuted,
        )  # fmt: skip


def spaced(cells: Sequence[str], names_width: int) -> str:
    """Cells in columns, so that lines can be printed one by one; the first has `names_width`."""
    widths = (names_width, 9, 6, 4, 9, 12, 8, 0)
    return " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


@dataclass
class KeptTable:
    """The same lines as CSV, by keys of points. The file is whole at every moment.

    Raises ReadError for a file that is no such table.
    """

    path: Path | None
    rows: dict[str, Ran] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path is None or not self.path.exists():
            return
        with self.path.open(newline="") as file:
            lines = csv.DictReader(file)
            if lines.fieldnames != [*HEADINGS, _KEY]:
                raise ReadError(f"{self.path} is no table of weft applications: name a new file")
            self.rows = {line[_KEY]: _read(line) for line in lines}

    def good(self, key: str) -> Ran | None:
        """What became of a point, if that was good."""
        ran = self.rows.get(key)
        return ran if ran and ran.is_good else None

    def keep(self, application: str, keys: Container[str]) -> None:
        """Drop lines of the application that have none of `keys`: they are of other sources."""
        old = [
            key
            for key, ran in self.rows.items()
            if ran.application == application and key not in keys
        ]
        for key in old:
            del self.rows[key]
        if old:
            self._write()

    def add(self, key: str, ran: Ran) -> None:
        """Keep a line; a new one of the same point replaces it."""
        self.rows[key] = ran
        self._write()

    def _write(self) -> None:
        if self.path is None:
            return
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow([*HEADINGS, _KEY])
        for key, ran in self.rows.items():
            lines.writerow([plain_text(cell) for cell in (*ran.cells(exact=True), key)])
        replace_text(self.path, text.getvalue())


def _read(line: dict[str, str]) -> Ran:
    application, engine, ranks, ran, verified, time_s, took_s, reason = (
        line[heading].removeprefix("'") for heading in HEADINGS
    )
    failed = ran == "no"
    return Ran(
        application,
        "" if engine == "-" else engine,
        0 if ranks == "-" else int(ranks),
        _VERIFIED[verified],
        None if time_s == "-" else float(time_s),
        float(took_s),
        reason if failed else None,
        "" if failed else reason,
    )
