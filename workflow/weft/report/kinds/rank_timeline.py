"""Lanes of ranks: what each does over time, from the table `rank_timeline`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import altair as alt

from weft.config.model.program_figures import RankTimeline
from weft.report.data.csv_text import csv_text
from weft.report.data.point_groups import drawn_runs, of_panel
from weft.report.data.source import Study
from weft.report.data.units import Scale, greatest
from weft.report.draw.charts import blank, finish
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette
from weft.report.draw.rank_states import STATE_COLOURS, STATES
from weft.report.draw.series_looks import filtering, squares

# Ranks in their own order; of many, from the one that waits least to the one that waits most.
_TIMELINE = """
SELECT * EXCLUDE (experiment, point_id) FROM rank_timeline
WHERE experiment = getvariable('experiment') AND point_id = $id
ORDER BY quantile NULLS FIRST, rank, start_s
"""
_CSV = (
    "rank", "quantile", "start_s", "end_s", "compute_s", "software_s", "network_s", "waiting_s",
    "call_s",
)  # fmt: skip
_columns = attrgetter(*_CSV)
#: A share of the time that is not worth a number.
_LITTLE = 0.01
#: Lanes are so high at least and at most; an axis has so many labels at most.
_LOW, _HIGH, _LABELS = 7, 22, 16


@dataclass(frozen=True, slots=True)
class RankInterval:
    """How long a rank is in which state within an interval; None where nobody knows it."""

    rank: int
    quantile: float | None
    """Of many ranks: the rank's place by the time that ranks wait for others."""
    start_s: float
    end_s: float
    compute_s: float | None
    software_s: float | None
    network_s: float | None
    waiting_s: float | None
    call_s: float | None

    @property
    def by_state(self) -> Mapping[str, float | None]:
        """The times by state, in the order of `STATES`."""
        times = (self.compute_s, self.software_s, self.network_s, self.waiting_s, self.call_s)
        return dict(zip(STATES, times, strict=True))


@dataclass(frozen=True, slots=True)
class RankLanes:
    """The lanes of one setting."""

    panel: str | None
    intervals: Sequence[RankInterval]
    is_measured: bool = False


@dataclass(frozen=True, slots=True)
class RankTimelines:
    """What a figure shows, lanes for each setting."""

    found: Sequence[RankLanes]
    notes: Sequence[str]
    legend: bool = True

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if any(each.intervals for each in self.found) else "No time of a rank yet."

    def csv(self) -> str:
        """All intervals."""
        if self.nothing:
            return ""
        return csv_text(
            ["panel", *_CSV],
            ([each.panel, *_columns(one)] for each in self.found for one in each.intervals),
        )


def rank_timelines(study: Study, figure: RankTimeline) -> RankTimelines:
    """The states of ranks, with a sentence about who waits how much."""
    runs, left_out = drawn_runs(study, figure, "rank_timeline")
    found = [
        RankLanes(
            run.panel(alone=True),
            [RankInterval(**row) for row in study.query(_TIMELINE, {"id": run.point_ids[0]})],
            run.is_measured,
        )
        for run in runs
    ]
    notes = ["Each rank is a lane. Where a rank is in several states within an interval, "
             "they share the height of its lane."]  # fmt: skip
    if any(each.is_measured for each in found):
        notes.append(
            "Measured lanes are those of one run in which the calls were recorded, by the clock of "
            "each rank since the program began; what a rank does in a call is not known."
        )
    if not all(each.is_measured for each in found):
        notes.append("Predicted lanes are in simulated time.")
    notes += left_out
    if any(one.quantile is not None for each in found for one in each.intervals):
        notes.append(
            "The lanes are ranks at quantiles of the time that ranks wait for others, where that "
            "is measured of the time in calls."
        )
    return RankTimelines(found, [*notes, *filter(None, map(_waits, found))])


def _waits(lanes: RankLanes) -> str | None:
    does = "is in calls" if lanes.is_measured else "waits for others"
    waits: dict[int, float] = {}
    for one in lanes.intervals:
        waiting_s = one.call_s if lanes.is_measured else one.waiting_s
        waits[one.rank] = waits.get(one.rank, 0.0) + (waiting_s or 0.0)
    end_s = max((one.end_s for one in lanes.intervals), default=0.0)
    if not end_s:
        return None
    most, least = max(waits, key=lambda rank: waits[rank]), min(waits, key=lambda r: waits[r])
    if waits[most] < _LITTLE * end_s:
        return of_panel(lanes.panel, f"every rank {does} for less than 1% of the time.")
    return of_panel(
        lanes.panel,
        f"rank {most} {does} for {waits[most] / end_s:.0%} of the time, "
        f"rank {least} for {waits[least] / end_s:.0%}.",
    )


def _title(_study: Study, _figure: RankTimeline) -> str:
    return "What ranks do over time"


def _charts(data: RankTimelines, _: Palette) -> list[Chart]:
    """A specification per setting, with its name; the first has the legend."""
    shown = [each for each in data.found if each.intervals]
    known = [state for state in STATES if any(_knows(each, state) for each in shown)]
    return [(each.panel, _spec(each, known, not place)) for place, each in enumerate(shown)]


def _knows(lanes: RankLanes, state: str) -> bool:
    return any(one.by_state[state] is not None for one in lanes.intervals)


def _spec(lanes: RankLanes, known: Sequence[str], labelled: bool) -> VegaLite:
    scale = greatest("s", [one.end_s for one in lanes.intervals])
    ranks = list(dict.fromkeys(one.rank for one in lanes.intervals))
    drawn = [row for one in lanes.intervals for row in _rects(one, ranks.index(one.rank), scale)]
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
    names, colours = [STATES[state] for state in known], [STATE_COLOURS[state] for state in known]
    rects = blank().mark_rect(strokeWidth=0).encode(
        x=alt.X("x:Q", axis=alt.Axis(title=title, tickCount=6), scale=alt.Scale(nice=False)),
        x2="x2:Q",
        y=alt.Y("y:Q", axis=axis, scale=alt.Scale(domain=[len(ranks), 0], nice=False)),
        y2="y2:Q",
        color=squares(names, colours, labelled),
        tooltip=tooltip,
    )  # fmt: skip
    height = len(ranks) * max(_LOW, min(_HIGH, 400 // len(ranks)))
    return finish([filtering(rects)], drawn) | {"height": height}


def _rects(one: RankInterval, lane: int, scale: Scale) -> Iterator[VegaLite]:
    """One above the other, as high as the shares of the states."""
    foot = lane + 0.08
    for state, time_s in one.by_state.items():
        share = (time_s or 0.0) / (one.end_s - one.start_s)
        if share < 0.005:
            continue
        top = min(foot + 0.84 * share, lane + 0.92)
        yield {
            "x": float(f"{one.start_s / scale.factor:.5g}"),
            "x2": float(f"{one.end_s / scale.factor:.5g}"),
            "y": round(foot, 3), "y2": round(top, 3),
            "series": STATES[state], "rank": one.rank, "share": round(share, 3),
        }  # fmt: skip
        foot = top


KIND = Kind(RankTimeline, rank_timelines, _title, _charts)
