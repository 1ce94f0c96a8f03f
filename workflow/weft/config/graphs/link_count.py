"""How many links a file may list, and how many of them one name may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weft.config.graphs.link_row import MOST_PORTS
from weft.config.graphs.model import GraphProblem, Link

#: Four times the cables of the largest fabrics; reading them takes about 10 s and 2 GB.
MOST_LINKS = 1_000_000
#: Lines of an edge list that are read before the others are counted: most mistakes are in them.
_READ_FIRST = 100_000
_TOO_MANY = f"more than {MOST_LINKS:,} links, the most of a file"


@dataclass(slots=True)
class LinkCount:
    """Counts links as they are read, so that a file of too many is refused before it is stored."""

    links: int = 0
    by_name: Counter[str] = field(default_factory=Counter)

    def add(self, links: Sequence[Link]) -> None:
        """Count one link, or several equal ones. Raises GraphProblem at the first too many."""
        link, count = links[0], len(links)
        self.links += count
        if self.links > MOST_LINKS:
            raise GraphProblem(_TOO_MANY, link.line)
        for end in link.ends:
            self.by_name[end.name] += count
            if self.by_name[end.name] > MOST_PORTS:
                message = f"{end.name} has more than {MOST_PORTS:,} links, the most of a switch"
                raise GraphProblem(message, link.line)


def counted_rows(lines: Iterable[str], path: Path) -> Iterator[str]:
    """The lines of the edge list `path`, which is refused early if it has too many rows.

    To read a row takes a hundred times as long as to count it. Raises GraphProblem with the line of
    the first row that is too many.
    """
    for number, line in enumerate(lines, 1):
        if number == _READ_FIRST:
            _check_rows(path)
        yield line


def _check_rows(path: Path) -> None:
    # The first row holds the names of columns.
    rows = -1
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            text = line.lstrip()
            rows += bool(text) and not text.startswith(b"#")
            if rows > MOST_LINKS:
                raise GraphProblem(_TOO_MANY, number)
