"""The calls of a program as bars: time of waiting, and other time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from weft.report.data.units import Scale, greatest
from weft.report.draw.charts import blank, finish
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.palette import COLOURS
from weft.report.draw.series_looks import filtering, letters_room, squares
from weft.report.kinds.calls.rows import Calls, CallTime, CallTimes

_BAR = 22
#: What the name of a call may take, and what the title and a tick of the axis take, in pixels.
_LABEL, _BESIDE = 200, 40
#: The parts of a bar, from its foot on.
_WAITING, _OTHER, _INSIDE = "waiting", "its own work", "in the call"
_COLOURS = {_WAITING: COLOURS[1], _OTHER: COLOURS[0], _INSIDE: COLOURS[3]}


def call_charts(data: Calls) -> list[Chart]:
    """A specification per setting, with its name; the first has the legend."""
    count = data.figure.count
    shown = [each for each in data.found if each.every]
    found: list[Chart] = []
    for each in shown:
        alike = [each] if data.figure.free else shown
        most = max(one.time_s for times in alike for one in times.every)
        parts = list(dict.fromkeys(part for one in shown for part in _names(one)))
        found.append((each.panel, _bars(each, count, most, [] if found else parts)))
    return found


def _names(times: CallTimes) -> tuple[str, ...]:
    """The parts of a bar: a machine does not divide a call."""
    return (_INSIDE,) if times.is_measured else (_WAITING, _OTHER)


def _bars(times: CallTimes, count: int, most: float, labelled: Sequence[str]) -> VegaLite:
    """Horizontal bars, the longest call on top; with a legend of the parts in `labelled`."""
    scale = greatest("s", [most])
    drawn = [part for one in times.every[:count] for part in _parts(times, one, scale)]
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
    names = labelled or _names(times)
    axis = min(_LABEL, max(map(letters_room, order))) + _BESIDE
    bars = blank().mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("x:Q", stack="zero", axis=alt.Axis(title=title, tickCount=5), scale=far),
        y=alt.Y("y:N", sort=order, axis=alt.Axis(title="Call", labelLimit=_LABEL)),
        order=alt.Order("part:Q"),
        color=squares(names, [_COLOURS[name] for name in names], bool(labelled), axis),
        tooltip=tooltip,
    )  # fmt: skip
    return finish([filtering(bars)], drawn) | {"height": _BAR * len(order)}


def _parts(times: CallTimes, one: CallTime, scale: Scale) -> Iterator[VegaLite]:
    def shown(value: float) -> float:
        return float(f"{value / scale.factor:.4g}")

    whole = one.time_s
    waiting_s = one.waiting_s or 0.0
    values = (whole,) if times.is_measured else (waiting_s, whole - waiting_s)
    for place, (part, value) in enumerate(zip(_names(times), values, strict=True)):
        yield {
            "y": one.call,
            "series": part,
            "part": place,
            "x": shown(value),
            "share": None if not times.program_s else float(f"{value / times.program_s:.4g}"),
            "count": one.count,
            "each": shown(whole / one.count),
            "least": shown(one.least_s),
            "most": shown(one.most_s),
        }
