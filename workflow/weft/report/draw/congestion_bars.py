"""Rankings of congested ports as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from weft.report.data.congestion import PortRanking
from weft.report.data.timelines import natural
from weft.report.data.units import greatest
from weft.report.draw.charts import blank, finish
from weft.report.draw.drawing import Chart
from weft.report.draw.palette import COLOURS
from weft.report.draw.series_looks import filtering, squares

_BAR = 22


def congestion_charts(rankings: Sequence[PortRanking], free: bool) -> list[Chart]:
    """A specification per ranking that has ports, with its name; the first has the legend."""
    shown = [ranking for ranking in rankings if ranking.rows]
    classes = sorted({str(row["port"]) for each in shown for row in each.rows}, key=natural)
    found: list[Chart] = []
    for ranking in shown:
        most = max(row["blocked_s"] for each in ([ranking] if free else shown) for row in each.rows)
        found.append((ranking.panel, _congestion(ranking, classes, most, labelled=not found)))
    return found


def _congestion(
    ranking: PortRanking, names: Sequence[str], most: float, labelled: bool
) -> dict[str, object]:
    """Horizontal bars, the worst port on top; colours by the class of the port."""
    scale = greatest("s", [most])
    drawn = [
        {
            "y": f"{row['router']} · {row['port']}",
            "x": float(f"{row['blocked_s'] / scale.factor:.4g}"),
            "series": row["port"],
            "share": None if row["share"] is None else float(f"{row['share']:.4g}"),
            "packets": row["packets"],
            "link": row["link"],
        }
        for row in ranking.rows
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
    order = [row["y"] for row in drawn]
    far = alt.Scale(domain=[0, 1.02 * most / scale.factor], nice=False)
    bars = blank().mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("x:Q", axis=alt.Axis(title=title, tickCount=5), scale=far),
        y=alt.Y("y:N", sort=order, axis=alt.Axis(title="Router · port", labelLimit=160)),
        color=squares(names, colours, labelled),
        tooltip=tooltip,
    )  # fmt: skip
    return finish([filtering(bars)], drawn) | {"height": _BAR * len(drawn)}
