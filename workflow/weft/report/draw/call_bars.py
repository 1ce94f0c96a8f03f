"""The calls of a program as bars: time of waiting, and other time."""

from __future__ import annotations

from collections.abc import Iterator

import altair as alt

from weft.report.data.program_calls import Calls, CallTimes
from weft.report.data.source import Row
from weft.report.data.units import Scale, greatest
from weft.report.draw.charts import blank, finish
from weft.report.draw.drawing import Chart
from weft.report.draw.palette import COLOURS
from weft.report.draw.series_looks import filtering, squares

_BAR = 22
#: The parts of a bar, from its foot on.
_WAITING, _OTHER = "waiting", "its own work"
_PARTS = (_WAITING, _OTHER)


def call_charts(data: Calls) -> list[Chart]:
    """A specification per setting, with its name; the first has the legend."""
    count = data.figure.count
    shown = [each for each in data.found if each.rows]
    found: list[Chart] = []
    for each in shown:
        alike = [each] if data.figure.free else shown
        most = max(row["time_s"] for one in alike for row in one.rows)
        found.append((each.panel, _bars(each, count, most, labelled=not found)))
    return found


def _bars(times: CallTimes, count: int, most: float, labelled: bool) -> dict[str, object]:
    """Horizontal bars, the longest call on top."""
    scale = greatest("s", [most])
    drawn = [part for row in times.rows[:count] for part in _parts(times, row, scale)]
    title = f"Time of a rank [{scale.unit}]"
    tooltip = [
        alt.Tooltip("y:N", title="Call"),
        alt.Tooltip("series:N", title="Part"),
        alt.Tooltip("x:Q", title=title, format=".4~g"),
        alt.Tooltip("share:Q", title="Share of the program's time", format=".1%"),
        alt.Tooltip("count:Q", title="Calls of a rank", format=",.4~g"),
        alt.Tooltip("each:Q", title=f"One call [{scale.unit}]", format=".4~g"),
        alt.Tooltip("least:Q", title=f"The call, rank with least [{scale.unit}]", format=".4~g"),
        alt.Tooltip("most:Q", title=f"The call, rank with most [{scale.unit}]", format=".4~g"),
    ]
    far = alt.Scale(domain=[0, 1.02 * most / scale.factor], nice=False)
    order = list(dict.fromkeys(row["y"] for row in drawn))
    bars = blank().mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("x:Q", stack="zero", axis=alt.Axis(title=title, tickCount=5), scale=far),
        y=alt.Y("y:N", sort=order, axis=alt.Axis(title="Call", labelLimit=200)),
        order=alt.Order("part:Q"),
        color=squares(_PARTS, (COLOURS[1], COLOURS[0]), labelled),
        tooltip=tooltip,
    )  # fmt: skip
    return finish([filtering(bars)], drawn) | {"height": _BAR * len(order)}


def _parts(times: CallTimes, row: Row, scale: Scale) -> Iterator[Row]:
    def shown(value: float) -> float:
        return float(f"{value / scale.factor:.4g}")

    whole = row["time_s"]
    for place, (part, value) in enumerate(
        ((_WAITING, row["waiting_s"]), (_OTHER, whole - row["waiting_s"]))
    ):
        yield {
            "y": row["call"],
            "series": part,
            "part": place,
            "x": shown(value),
            "share": None if not times.program_s else float(f"{value / times.program_s:.4g}"),
            "count": row["count"],
            "each": shown(whole / row["count"]),
            "least": shown(row["least_s"]),
            "most": shown(row["most_s"]),
        }
