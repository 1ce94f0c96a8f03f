"""What a page leaves out, and in which order, where all of it would make the page too large."""

from __future__ import annotations

import csv
import io
import json
import re

from markupsafe import Markup

from weft.report.data.csv_text import csv_text
from weft.report.draw.drawing import VegaLite
from weft.report.html.compressed_text import packed

MOST_BYTES = 3_000_000
#: Rounded numbers have so many digits: their error is far below any tolerance of a comparison.
_DIGITS = 10
#: Specifications with more letters than that are compressed.
_LONG = 20_000
_FRACTION = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


class PageRoom:
    """The drawings and the CSV files of one page, as the templates ask for them.

    The CSV files of a page that would be too large have rounded numbers. If that is not enough, the
    largest files leave the page, one after the other, and then the largest drawings. Each leaves a
    note. `weft answers` has all of them.
    """

    def __init__(self) -> None:
        self.rounds = False
        self._gone: set[tuple[str, str]] = set()
        self._texts: dict[tuple[str, str], Markup] = {}

    def shrink(self, excess: int) -> bool:
        """Leave out what makes `excess` bytes; False if nothing is left that could go."""
        if not self.rounds and any(kind == "csv" for kind, _ in self._texts):
            self.rounds = True
            self._texts = {key: text for key, text in self._texts.items() if key[0] != "csv"}
            return True
        held = [key for key in self._texts if key not in self._gone]
        for kind in ("csv", "drawing"):
            mine = sorted((key for key in held if key[0] == kind), key=self._size, reverse=True)
            for key in mine:
                self._gone.add(key)
                excess -= self._size(key)
                if excess <= 0:
                    return True
            if mine:
                return True
        return False

    def _size(self, key: tuple[str, str]) -> int:
        return len(self._texts[key])

    def csv(self, identifier: str, text: str) -> Markup | None:
        """A `data:` address with the CSV `text`, compressed; the page's script saves it unpacked.

        None where the file has left the page.
        """
        key = ("csv", identifier)
        if key in self._gone:
            return None
        if key not in self._texts:
            held = packed(_rounded(text) if self.rounds else text)
            self._texts[key] = Markup(f"data:application/gzip;base64,{held}")
        return self._texts[key]

    def drawing(self, spec: VegaLite, target: str) -> Markup | None:
        """The script element that holds the specification of a drawing, compressed if it is long.

        None where the drawing has left the page.
        """
        key = ("drawing", target)
        if key in self._gone:
            return None
        if key not in self._texts:
            self._texts[key] = _script(spec, target)
        return self._texts[key]


def _script(spec: VegaLite, target: str) -> Markup:
    text = _embedded(spec)
    packs = len(text) > _LONG
    kind, held = ("gzip", packed(_json(spec))) if packs else ("json", text)
    return Markup(
        f'<script type="application/{kind}" class="spec" data-for="{target}">{held}</script>'
    )


def _embedded(value: object) -> Markup:
    """JSON that may stand inside a script element."""
    return Markup(_json(value).replace("<", "\\u003c"))


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _rounded(text: str) -> str:
    """A CSV file whose numbers have at most `_DIGITS` digits; whole numbers stay whole."""
    header, *rows = csv.reader(io.StringIO(text))
    return csv_text(header, ([_short(cell) for cell in row] for row in rows))


def _short(cell: str) -> str:
    if len(cell) <= _DIGITS or not _FRACTION.fullmatch(cell) or cell.lstrip("-").isdigit():
        return cell
    return f"{float(cell):.{_DIGITS}g}"
