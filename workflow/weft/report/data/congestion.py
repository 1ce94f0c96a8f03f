"""The ports at which packets waited longest, from the table `congestion`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.config.model.figures import Congestion
from weft.report.data.csv_text import csv_text
from weft.report.data.point_groups import first, places
from weft.report.data.source import Row, Study

_CSV = ("router", "port", "link", "blocked_s", "share", "packets")
# Waits of runs that differ in nothing but their seed are averaged; a run without one counts as 0.
_WORST = """
SELECT router, port, any_value(link) AS link, sum(blocked_s) / $runs AS blocked_s,
  sum(blocked_share) / $runs AS share, CAST(sum(packets_blocked) / $runs AS BIGINT) AS packets
FROM congestion WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
GROUP BY router, port HAVING sum(blocked_s) > 0
ORDER BY blocked_s DESC, router, port
"""


@dataclass(frozen=True, slots=True)
class PortRanking:
    """The worst ports of one setting, the worst first, and how many ports had to wait at all."""

    panel: str | None
    rows: Sequence[Row]
    waiting: int


@dataclass(frozen=True, slots=True)
class Rankings:
    """The rankings of a figure, one for each setting."""

    figure: Congestion
    found: Sequence[PortRanking]
    left_out: Sequence[str] = ()
    legend: bool = True

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        if any(ranking.rows for ranking in self.found):
            return None
        return "No packet had to wait." if self.found else "No values of congestion yet."

    @property
    def notes(self) -> list[str]:
        """How many ports there are, and how many settings."""
        most = max(ranking.waiting for ranking in self.found)
        notes = [
            f"The {min(self.figure.count, most)} ports where packets' heads waited longest, of "
            f"{most:,} with waits."
        ]
        return [*notes, *self.left_out]

    def csv(self) -> str:
        """All that is drawn."""
        if self.nothing:
            return ""
        return csv_text(
            ["panel", "rank", *_CSV],
            (
                [ranking.panel, rank, *(row[name] for name in _CSV)]
                for ranking in self.found
                for rank, row in enumerate(ranking.rows, 1)
            ),
        )


def rankings(study: Study, figure: Congestion) -> Rankings:
    """One ranking for each setting that the figure shows."""
    found = []
    drawn = first(places(study, figure, None, "congestion"))
    for place in drawn:
        ids = list(place.point_ids)
        rows = study.query(_WORST, {"ids": ids, "runs": len(ids)})
        found.append(PortRanking(place.panel(alone=True), rows[: figure.count], len(rows)))
    return Rankings(figure, found, drawn.left_out)
