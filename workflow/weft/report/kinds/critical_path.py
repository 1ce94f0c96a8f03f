"""Bars of what bounds the time of a program, from the table `critical_path`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import altair as alt

from weft.config.model.program_figures import CriticalPath
from weft.report.data.csv_text import csv_text
from weft.report.data.point_groups import drawn_runs, of_panel
from weft.report.data.source import Study
from weft.report.data.units import greatest, listing, quantity
from weft.report.draw.charts import blank, finish
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette
from weft.report.draw.rank_states import STATE_COLOURS, STATES
from weft.report.draw.series_looks import filtering, letters_room, squares

_PATH = """
SELECT * EXCLUDE (experiment, point_id) FROM critical_path
WHERE experiment = getvariable('experiment') AND point_id = $id
ORDER BY time_s DESC, rank, call, state, source, destination
"""
#: What a path is; and what a measured one is, and what it cannot show.
_MEANING = (
    "From the last rank to end back to the begin: through the rank's own work, and at a wait to the"
    " rank that ended it. The parts add up to the time of the program."
)
_MEASURED = (
    "Measured paths are those of one run in which the calls were recorded, and their parts add up "
    "to its time. At a call they go to "
    "the sender or the last rank of a collective, if that began later; the rest of the call is one "
    "part, because a machine shows neither links nor what a rank does in a call."
)
#: The states within a sentence.
_WORDS = {
    "compute": "computing",
    "software": "work in calls",
    "network": "the network",
    "waiting": "waiting",
    "call": "calls",
}
_CSV = ("rank", "call", "state", "source", "destination", "pieces", "time_s")
_columns = attrgetter(*_CSV)
_BAR = 22
#: What a label of a part may take, and a tick with the space around it, in pixels.
_LABEL, _TICK = 260, 20


@dataclass(frozen=True, slots=True)
class PathPart:
    """What the path spends in one state of a rank, in one kind of call."""

    rank: int
    call: str | None
    """None between calls."""
    state: str
    """One of `STATES`."""
    source: int | None
    """The ranks of a message, where the network takes the time."""
    destination: int | None
    pieces: int
    """How many times the path is there."""
    time_s: float

    @property
    def name(self) -> str:
        """The part as its bar is labelled."""
        where = self.call or "between calls"
        if self.source is None:
            return f"rank {self.rank}, {where}"
        return f"{self.source} to {self.destination}, {where} of {self.rank}"

    @property
    def words(self) -> str:
        """The part within a sentence: `the network from rank 0 to 1, in MPI_Recv of rank 1`."""
        where = f"in {self.call}" if self.call else "between calls"
        if self.source is None:
            return f"{_WORDS[self.state]} of rank {self.rank} {where}"
        way = f"from rank {self.source} to {self.destination}"
        return f"{_WORDS[self.state]} {way}, {where} of rank {self.rank}"


@dataclass(frozen=True, slots=True)
class ProgramPath:
    """The path of one setting, the longest part first."""

    panel: str | None
    parts: Sequence[PathPart]
    is_measured: bool = False

    @property
    def all_s(self) -> float:
        """The sum of all times."""
        return float(sum(part.time_s for part in self.parts))


@dataclass(frozen=True, slots=True)
class ProgramPaths:
    """What a figure shows, one path for each setting."""

    figure: CriticalPath
    found: Sequence[ProgramPath]
    notes: Sequence[str]
    legend: bool = True

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if any(each.parts for each in self.found) else "No time of a rank yet."

    def csv(self) -> str:
        """All parts."""
        if self.nothing:
            return ""
        return csv_text(
            ["panel", *_CSV],
            ([each.panel, *_columns(part)] for each in self.found for part in each.parts),
        )


def critical_paths(study: Study, figure: CriticalPath) -> ProgramPaths:
    """The parts of the path in each setting, with a sentence about their shares."""
    runs, notes = drawn_runs(study, figure, "critical_path")
    found = [
        ProgramPath(
            run.panel(alone=True),
            [PathPart(**row) for row in study.query(_PATH, {"id": run.point_ids[0]})],
            run.is_measured,
        )
        for run in runs
    ]
    measured = [_MEASURED] if any(each.is_measured for each in found) else []
    shares = filter(None, map(_shares, found))
    return ProgramPaths(figure, found, [_MEANING, *measured, *notes, *shares])


def path_findings(study: Study, figure: CriticalPath) -> list[str]:
    """What bounds the time of each setting: shares of the states, and the longest part."""
    found = critical_paths(study, figure).found
    return [text for path in found if not path.is_measured and (text := _bound(path))]


def _bound(path: ProgramPath) -> str | None:
    shares = _by_state(path)
    if not shares:
        return None
    ranked = sorted(shares.items(), key=lambda item: item[1], reverse=True)
    parts = listing(f"{share:.0%} {_WORDS[state]}" for state, share in ranked)
    longest = path.parts[0]
    where = f"{path.panel}: the" if path.panel else "The"
    return (
        f"{where} critical path is {parts}; its longest part is {longest.words}"
        f" ({quantity(longest.time_s, 's')}, {longest.time_s / path.all_s:.0%})."
    )


def _by_state(path: ProgramPath) -> dict[str, float]:
    """The share of each state that takes time."""
    if not path.all_s:
        return {}
    shares = {
        state: sum(part.time_s for part in path.parts if part.state == state) / path.all_s
        for state in STATES
    }
    return {state: share for state, share in shares.items() if share}


def _shares(path: ProgramPath) -> str | None:
    shares = _by_state(path)
    if not shares:
        return None
    parts = ", ".join(f"{_WORDS[state]} {share:.0%}" for state, share in shares.items())
    return of_panel(path.panel, f"of the path, {parts}.")


def _title(_study: Study, _figure: CriticalPath) -> str:
    return "What bounds the time of the program"


def _charts(data: ProgramPaths, _: Palette) -> list[Chart]:
    """Bars of the longest parts, with the share of the program's time that each takes."""
    shown = [each for each in data.found if each.parts]
    states = {part.state for each in shown for part in each.parts}
    known = [state for state in STATES if state in states]
    return [
        (each.panel, _bars(each, data.figure.count, known, not place))
        for place, each in enumerate(shown)
    ]


def _bars(path: ProgramPath, count: int, known: Sequence[str], labelled: bool) -> VegaLite:
    parts = path.parts[:count]
    scale = greatest("s", [part.time_s for part in parts])
    drawn = [
        {
            "y": part.name,
            "x": float(f"{part.time_s / scale.factor:.4g}"),
            "series": STATES[part.state],
            "share": round(part.time_s / path.all_s, 4),
            "pieces": part.pieces,
        }
        for part in parts
    ]
    title = f"Time of the path [{scale.unit}]"
    tooltip = [
        alt.Tooltip("y:N", title="Part"),
        alt.Tooltip("series:N", title="The rank"),
        alt.Tooltip("x:Q", title=title, format=".4~g"),
        alt.Tooltip("share:Q", title="Share of the program's time", format=".1%"),
        alt.Tooltip("pieces:Q", title="Pieces", format=","),
    ]
    order = list(dict.fromkeys(part.name for part in parts))
    axis = min(_LABEL, max(map(letters_room, order))) + _TICK
    names, colours = [STATES[state] for state in known], [STATE_COLOURS[state] for state in known]
    bars = blank().mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("x:Q", stack="zero", axis=alt.Axis(title=title, tickCount=5)),
        y=alt.Y("y:N", sort=order, axis=alt.Axis(title=None, labelLimit=_LABEL)),
        color=squares(names, colours, labelled, axis),
        tooltip=tooltip,
    )  # fmt: skip
    return finish([filtering(bars)], drawn) | {"height": _BAR * len(order)}


KIND = Kind(CriticalPath, critical_paths, _title, _charts, finding=path_findings)
