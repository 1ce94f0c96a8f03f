"""The data of the figures of a page, as the page itself offers them for download."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser

from weft.report.html.compressed_text import unpacked

_BEFORE, _ENDING = "data:application/gzip;base64,", ".csv.gz"
#: How far two numbers may lie apart: sums in another order differ in their last digits.
NEAR = 1e-9
_Row = tuple[str, ...]


class _Downloads(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name, address = given.get("download", ""), given.get("href", "")
        if tag == "a" and name.endswith(_ENDING) and address.startswith(_BEFORE):
            self.found[name.removesuffix(_ENDING)] = unpacked(address.removeprefix(_BEFORE))


def figure_data(page: str) -> dict[str, str]:
    """The CSV of every figure in the HTML of a page, by the figure's identifier."""
    reader = _Downloads()
    reader.feed(page)
    return reader.found


def differences(packed: Mapping[str, str], made: Mapping[str, str], *, more: bool) -> Iterator[str]:
    """In words, how the figures of a page that was `made` differ from those that were `packed`.

    With `more` allowed, rows and figures that were not packed are no difference.
    """
    for name in packed.keys() | made.keys() if not more else packed.keys():
        if name not in made:
            yield f"{name}: the new page lacks this figure"
        elif name not in packed:
            yield f"{name}: only the new page has this figure"
        else:
            yield from _rows_differ(name, packed[name], made[name], more=more)


def _rows_differ(name: str, packed: str, made: str, *, more: bool) -> Iterator[str]:
    (heads, ours), (others, theirs) = _table(packed), _table(made)
    if heads != others:
        yield f"{name}: its columns were {', '.join(heads)} and are {', '.join(others)}"
        return
    gone, new = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    _pair_near(gone, new)
    lost, added = list(gone.elements()), list(new.elements())
    if lost or (added and not more):
        counts = f"{len(lost)} of {len(ours)} rows differ" if lost else f"{len(added)} more rows"
        yield f"{name}: {counts}; {_example(heads, lost, added)}"


def _pair_near(gone: Counter[_Row], new: Counter[_Row]) -> None:
    """Take out of both the rows that have a near one in the other."""
    like: dict[_Row, list[_Row]] = {}
    for row in new:
        like.setdefault(_exact(row), []).append(row)
    for row in list(gone):
        for other in like.get(_exact(row), ()):
            if _near(row, other):
                count = min(gone[row], new[other])
                gone[row] -= count
                new[other] -= count


def _exact(row: _Row) -> _Row:
    """The cells of a row that are the same in a near one: texts and whole numbers."""
    return tuple("" if "." in cell or "e-" in cell else cell for cell in row)


def _example(heads: _Row, lost: Sequence[_Row], added: Sequence[_Row]) -> str:
    if not lost:
        return f"the first is {_words(heads, added[0])}"
    # The new row that has most in common with the packed one.
    like = max(added, key=lambda row: sum(map(str.__eq__, row, lost[0])), default=None)
    was = f"packed: {_words(heads, lost[0])}"
    return f"{was}; now: {_words(heads, like)}" if like else f"{was}; now this row is missing"


def _words(heads: _Row, row: _Row) -> str:
    return ", ".join(f"{head}={cell}" for head, cell in zip(heads, row, strict=False))


def _table(text: str) -> tuple[_Row, list[_Row]]:
    rows = [tuple(row) for row in csv.reader(text.splitlines())]
    return (rows[0], rows[1:]) if rows else ((), [])


def _near(one: _Row, other: _Row) -> bool:
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return math.isclose(float(one), float(other), rel_tol=NEAR)
    except ValueError:
        return False
