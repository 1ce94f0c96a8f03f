"""Rankings of the router ports at which packets waited longest, from the table `congestion`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import altair as alt

from weft.config.model.figures import Congestion
from weft.report.data.csv_text import csv_text
from weft.report.data.natural_order import natural
from weft.report.data.point_groups import first, places
from weft.report.data.source import Study
from weft.report.data.units import greatest, listing, quantity
from weft.report.draw.charts import blank, finish
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.kind import Kind
from weft.report.draw.palette import COLOURS, Palette
from weft.report.draw.series_looks import filtering, squares

# Waits of runs that differ in nothing but their seed are averaged; a run without one counts as 0.
_WORST = """
SELECT router, port, any_value(link) AS link, sum(blocked_s) / $runs AS blocked_s,
  sum(blocked_share) / $runs AS share, CAST(sum(packets_blocked) / $runs AS BIGINT) AS packets
FROM congestion WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
GROUP BY router, port HAVING sum(blocked_s) > 0
ORDER BY blocked_s DESC, router, port
"""
_CSV = ("router", "port", "link", "blocked_s", "share", "packets")
_columns = attrgetter(*_CSV)
_BAR = 22
#: So many settings, and so many classes of ports, have a part of the answer.
_MOST = 3


@dataclass(frozen=True, slots=True)
class BlockedPort:
    """A port of a router at which packets waited, in the mean of the runs."""

    router: int
    port: str
    """The class of the port, such as `x+`."""
    link: str | None
    blocked_s: float
    """How long the head of a packet waited there."""
    share: float | None
    """The same as a share of the simulated time."""
    packets: int

    @property
    def name(self) -> str:
        """The port as its bar is labelled."""
        return f"{self.router} · {self.port}"


@dataclass(frozen=True, slots=True)
class PortRanking:
    """The worst ports of one setting, the worst first, and how many ports had to wait at all."""

    panel: str | None
    ports: Sequence[BlockedPort]
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
        if any(ranking.ports for ranking in self.found):
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
                [ranking.panel, rank, *_columns(port)]
                for ranking in self.found
                for rank, port in enumerate(ranking.ports, 1)
            ),
        )


def rankings(study: Study, figure: Congestion) -> Rankings:
    """One ranking for each setting that the figure shows."""
    found = []
    drawn = first(places(study, figure, None, "congestion"))
    for place in drawn:
        ids = list(place.point_ids)
        rows = study.query(_WORST, {"ids": ids, "runs": len(ids)})
        ports = [BlockedPort(**row) for row in rows[: figure.count]]
        found.append(PortRanking(place.panel(alone=True), ports, len(rows)))
    return Rankings(figure, found, drawn.left_out)


def _title(_study: Study, _figure: Congestion) -> str:
    return "Ports at which packets waited longest"


def _charts(data: Rankings, _: Palette) -> list[Chart]:
    """A specification per ranking that has ports, with its name; the first has the legend."""
    shown = [ranking for ranking in data.found if ranking.ports]
    classes = sorted({port.port for each in shown for port in each.ports}, key=natural)
    found: list[Chart] = []
    for ranking in shown:
        alike = [ranking] if data.figure.free else shown
        most_s = max(port.blocked_s for each in alike for port in each.ports)
        found.append((ranking.panel, _bars(ranking, classes, most_s, labelled=not found)))
    return found


def _bars(ranking: PortRanking, names: Sequence[str], most_s: float, labelled: bool) -> VegaLite:
    """Horizontal bars, the worst port on top; colours by the class of the port."""
    scale = greatest("s", [most_s])
    drawn = [
        {
            "y": port.name,
            "x": float(f"{port.blocked_s / scale.factor:.4g}"),
            "series": port.port,
            "share": None if port.share is None else float(f"{port.share:.4g}"),
            "packets": port.packets,
            "link": port.link,
        }
        for port in ranking.ports
    ]
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
    title = f"Time in which packets waited [{scale.unit}]"
    tooltip = [
        alt.Tooltip("y:N", title="Router · port"),
        alt.Tooltip("link:N", title="Link"),
        alt.Tooltip("x:Q", title=title, format=".4~g"),
        alt.Tooltip("share:Q", title="Share of the time", format=".1%"),
        alt.Tooltip("packets:Q", title="Packets that waited", format=","),
    ]
    order = [port.name for port in ranking.ports]
    far = alt.Scale(domain=[0, 1.02 * most_s / scale.factor], nice=False)
    bars = blank().mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("x:Q", axis=alt.Axis(title=title, tickCount=5), scale=far),
        y=alt.Y("y:N", sort=order, axis=alt.Axis(title="Router · port", labelLimit=160)),
        color=squares(names, colours, labelled),
        tooltip=tooltip,
    )  # fmt: skip
    return finish([filtering(bars)], drawn) | {"height": _BAR * len(drawn)}


def _finding(study: Study, figure: Congestion) -> list[str]:
    """The worst port of each of the first settings."""
    ranked = [ranking for ranking in rankings(study, figure).found if ranking.ports]
    return [_worst(ranking) for ranking in ranked[:_MOST]]


def _worst(ranking: PortRanking) -> str:
    worst, classes = ranking.ports[0], Counter(port.port for port in ranking.ports)
    where = f"{ranking.panel}: packets" if ranking.panel else "Packets"
    listed = [f"{count:,} of class {port}" for port, count in classes.most_common(_MOST)]
    return (
        f"{where} wait longest at port {worst.port} of router {worst.router}, where"
        f" a packet waited for {worst.share:.0%} of the time"
        f" ({quantity(worst.blocked_s, 's')});"
        f" among the {len(ranking.ports):,} worst of {ranking.waiting:,} ports with waits are"
        f" {listing(listed)}."
    )


KIND = Kind(Congestion, rankings, _title, _charts, finding=_finding)
