"""The states of ranks as lanes over time, and the critical path as bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from weft.report.data.program_course import LANE_STATES, CoursePanel, ProgramCourse
from weft.report.data.source import Row
from weft.report.data.units import Scale, greatest
from weft.report.draw.charts import blank, finish
from weft.report.draw.drawing import Chart
from weft.report.draw.palette import COLOURS
from weft.report.draw.series_looks import filtering, letters_room, squares

_BAR = 22
#: What a label of a part may take, and a tick with the space around it, in pixels.
_LABEL, _TICK = 260, 20
_COLOURS = (COLOURS[2], COLOURS[0], COLOURS[4], COLOURS[1], COLOURS[3])
_LANES = dict(zip(LANE_STATES, _COLOURS, strict=True))
#: Lanes are so high at least and at most; an axis has so many labels at most.
_LOW, _HIGH, _LABELS = 7, 22, 16


def lanes(data: ProgramCourse) -> list[Chart]:
    """A specification per setting, with its name; the first has the legend."""
    shown = [each for each in data.found if each.rows]
    known = [state for state in LANE_STATES if any(_knows(each, state) for each in shown)]
    return [(each.panel, _lanes(each, known, not place)) for place, each in enumerate(shown)]


def _knows(panel: CoursePanel, state: str) -> bool:
    return any(row[f"{state}_s"] is not None for row in panel.rows)


def _lanes(panel: CoursePanel, known: Sequence[str], labelled: bool) -> dict[str, object]:
    scale = greatest("s", [row["end_s"] for row in panel.rows])
    ranks = list(dict.fromkeys(row["rank"] for row in panel.rows))
    drawn = [part for row in panel.rows for part in _parts(row, ranks.index(row["rank"]), scale)]
    step = -(-len(ranks) // _LABELS)
    marks = [place + 0.5 for place in range(0, len(ranks), step)]
    axis = alt.Axis(title="Rank", values=marks, labelExpr=f"{ranks}[floor(datum.value)]",
                    grid=False)  # fmt: skip
    title = f"Time [{scale.unit}]"
    tooltip = [
        alt.Tooltip("rank:Q", title="Rank"),
        alt.Tooltip("series:N", title="The rank"),
        alt.Tooltip("share:Q", title="Share of the interval", format=".0%"),
        alt.Tooltip("x:Q", title=f"From [{scale.unit}]", format=".4~g"),
        alt.Tooltip("x2:Q", title=f"To [{scale.unit}]", format=".4~g"),
    ]
    rects = blank().mark_rect(strokeWidth=0).encode(
        x=alt.X("x:Q", axis=alt.Axis(title=title, tickCount=6), scale=alt.Scale(nice=False)),
        x2="x2:Q",
        y=alt.Y("y:Q", axis=axis, scale=alt.Scale(domain=[len(ranks), 0], nice=False)),
        y2="y2:Q",
        color=squares(
            [LANE_STATES[state] for state in known], [_LANES[state] for state in known], labelled
        ),
        tooltip=tooltip,
    )  # fmt: skip
    height = len(ranks) * max(_LOW, min(_HIGH, 400 // len(ranks)))
    return finish([filtering(rects)], drawn) | {"height": height}


def _parts(row: Row, lane: int, scale: Scale) -> Iterator[Row]:
    length_s, foot = row["end_s"] - row["start_s"], lane + 0.08
    for state, name in LANE_STATES.items():
        share = (row[f"{state}_s"] or 0.0) / length_s
        if share < 0.005:
            continue
        top = min(foot + 0.84 * share, lane + 0.92)
        yield {
            "x": float(f"{row['start_s'] / scale.factor:.5g}"),
            "x2": float(f"{row['end_s'] / scale.factor:.5g}"),
            "y": round(foot, 3), "y2": round(top, 3),
            "series": name, "rank": row["rank"], "share": round(share, 3),
        }  # fmt: skip
        foot = top


def path_bars(data: ProgramCourse) -> list[Chart]:
    """Bars of the longest parts, with the share of the program's time that each takes."""
    shown = [each for each in data.found if each.rows]
    states = {row["state"] for each in shown for row in each.rows}
    known = [state for state in LANE_STATES if state in states]
    return [
        (each.panel, _bars(each, data.count, known, not place)) for place, each in enumerate(shown)
    ]


def _bars(
    panel: CoursePanel, count: int, known: Sequence[str], labelled: bool
) -> dict[str, object]:
    rows = panel.rows[:count]
    scale = greatest("s", [row["time_s"] for row in rows])
    drawn = [
        {"y": _part(row), "x": float(f"{row['time_s'] / scale.factor:.4g}"),
         "series": LANE_STATES[row["state"]], "share": round(row["time_s"] / panel.all_s, 4),
         "pieces": row["pieces"]}
        for row in rows
    ]  # fmt: skip
    title = f"Time of the path [{scale.unit}]"
    tooltip = [
        alt.Tooltip("y:N", title="Part"),
        alt.Tooltip("series:N", title="The rank"),
        alt.Tooltip("x:Q", title=title, format=".4~g"),
        alt.Tooltip("share:Q", title="Share of the program's time", format=".1%"),
        alt.Tooltip("pieces:Q", title="Pieces", format=","),
    ]
    order = list(dict.fromkeys(row["y"] for row in drawn))
    axis = min(_LABEL, max(map(letters_room, order))) + _TICK
    bars = blank().mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("x:Q", stack="zero", axis=alt.Axis(title=title, tickCount=5)),
        y=alt.Y("y:N", sort=order, axis=alt.Axis(title=None, labelLimit=_LABEL)),
        color=squares(
            [LANE_STATES[state] for state in known], [_LANES[state] for state in known],
            labelled, axis,
        ),
        tooltip=tooltip,
    )  # fmt: skip
    return finish([filtering(bars)], drawn) | {"height": _BAR * len(order)}


def _part(row: Row) -> str:
    where = row["call"] or "between calls"
    if row["source"] is None:
        return f"rank {row['rank']}, {where}"
    return f"{row['source']} to {row['destination']}, {where} of {row['rank']}"
