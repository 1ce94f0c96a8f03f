"""How many links a file may list, and how many of them one name may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from weft.config.graphs.link_row import MOST_PORTS
from weft.config.graphs.model import GraphProblem, Link

#: Four times the cables of the largest fabrics; reading them takes about 10 s and 2 GB.
MOST_LINKS = 1_000_000


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
            raise GraphProblem(f"more than {MOST_LINKS:,} links, the most of a file", link.line)
        for end in link.ends:
            self.by_name[end.name] += count
            if self.by_name[end.name] > MOST_PORTS:
                message = f"{end.name} has more than {MOST_PORTS:,} links, the most of a switch"
                raise GraphProblem(message, link.line)
