"""The communication matrix of a program, from the table `rank_pairs`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from weft.config.model.program_figures import RankPairs
from weft.report.data.csv_text import csv_text
from weft.report.data.point_groups import first, places
from weft.report.data.source import Study

#: What a figure can be about.
Sent = Literal["bytes", "messages"]
#: A matrix has so many rows and columns at most; more ranks are taken together.
MOST_CELLS = 64
_CSV = ("source", "destination", "messages", "bytes")
_columns = attrgetter(*_CSV)
# Means of runs that differ in nothing but their seed.
_PAIRS = """
SELECT source // $block AS source, destination // $block AS destination,
  sum(messages) / $runs AS messages, sum(bytes) / $runs AS bytes
FROM rank_pairs WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
GROUP BY ALL ORDER BY source, destination
"""
_RANKS = """
SELECT 1 + max(greatest(source, destination)) AS ranks
FROM rank_pairs WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
"""


@dataclass(frozen=True, slots=True)
class RankPair:
    """What one block of ranks sends to another one, in the mean of the runs."""

    source: int
    destination: int
    messages: float
    bytes: float

    def sent(self, of: Sent) -> float:
        """What the figure is about."""
        return self.bytes if of == "bytes" else self.messages


@dataclass(frozen=True, slots=True)
class Matrix:
    """What was sent in one setting, by source and destination; both count blocks of ranks."""

    panel: str | None
    pairs: Sequence[RankPair]
    ranks: int
    block: int
    """How many ranks a block has."""
    is_measured: bool = False


@dataclass(frozen=True, slots=True)
class Matrices:
    """The matrices of a figure, one for each setting."""

    figure: RankPairs
    found: Sequence[Matrix]
    left_out: Sequence[str] = ()
    legend: bool = False

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if self.found else "No messages between ranks yet."

    @property
    def notes(self) -> list[str]:
        """What is counted."""
        what = "bytes" if self.figure.of == "bytes" else "messages"
        notes = [f"The {what} that the source sends to the destination."]
        if not all(each.is_measured for each in self.found):
            notes.append("Predictions include those of puts, gets and the messages of collectives.")
        if any(each.is_measured for each in self.found):
            notes.append(
                "Measurements have what the program sends itself: the messages of which the MPI "
                "library makes a collective were not recorded."
            )
        notes.append("Pairs without a message are left blank.")
        block = max(each.block for each in self.found)
        if block > 1:
            notes.append(f"A cell adds up {block} sources and {block} destinations.")
        return [*notes, *self.left_out]

    def csv(self) -> str:
        """All that is drawn."""
        return csv_text(
            ["panel", "ranks_of_a_cell", *_CSV],
            (
                [each.panel, each.block, *_columns(pair)]
                for each in self.found
                for pair in each.pairs
            ),
        )


def matrices(study: Study, figure: RankPairs) -> Matrices:
    """The matrix of each setting that the figure shows."""
    found = []
    drawn = first(places(study, figure, None, "rank_pairs"))
    for place in drawn:
        ids = list(place.point_ids)
        (size,) = study.query(_RANKS, {"ids": ids})
        block = -(-size["ranks"] // MOST_CELLS)
        rows = study.query(_PAIRS, {"ids": ids, "runs": len(ids), "block": block})
        pairs = [RankPair(**row) for row in rows]
        panel, measured = place.panel(alone=True), place.is_measured
        found.append(Matrix(panel, pairs, size["ranks"], block, measured))
    return Matrices(figure, found, drawn.left_out)
