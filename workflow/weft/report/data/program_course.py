"""What the ranks of a program do over time, and what bounds its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.config.model.figure import Figure
from weft.config.model.program_figures import CriticalPath
from weft.report.data.csv_text import csv_text
from weft.report.data.point_groups import first, places
from weft.report.data.source import Row, Study

_WAITS = ("waiting_s", "waits for others")
#: A share of the time that is not worth a number.
_LITTLE = 0.01
#: The states in which a rank can be, with the names that a reader sees.
STATES = {
    "compute": "computes",
    "software": "works in calls",
    "network": "waits for the network",
    "waiting": "waits for another rank",
}
#: What a measured path is, and what it cannot show.
_MEASURED_PATH = (
    "Measured paths are those of one run in which the calls were recorded, and their parts add up "
    "to its time. At a call they go to "
    "the sender or the last rank of a collective, if that began later; the rest of the call is one "
    "part, because a machine shows neither links nor what a rank does in a call."
)
#: With that of a machine, which does not know what a rank does in a call.
LANE_STATES = {**STATES, "call": "is in a call"}
_MINE = "WHERE experiment = getvariable('experiment') AND point_id = $id"
# Ranks in their own order; of many, from the one that waits least to the one that waits most.
_TIMELINE = f"""
SELECT * EXCLUDE (experiment, point_id) FROM rank_timeline {_MINE}
ORDER BY quantile NULLS FIRST, rank, start_s
"""
_PATH = f"""
SELECT * EXCLUDE (experiment, point_id) FROM critical_path {_MINE}
ORDER BY time_s DESC, rank, call, state, source, destination
"""


@dataclass(frozen=True, slots=True)
class CoursePanel:
    """The rows of one setting."""

    panel: str | None
    rows: Sequence[Row]
    is_measured: bool = False

    @property
    def all_s(self) -> float:
        """The sum of all times of a path."""
        return float(sum(row["time_s"] for row in self.rows))


@dataclass(frozen=True, slots=True)
class ProgramCourse:
    """What a figure shows, one part for each setting."""

    found: Sequence[CoursePanel]
    notes: Sequence[str]
    count: int = 0
    """How many rows are drawn, of the longest ones; 0 for all."""
    legend: bool = True

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if any(each.rows for each in self.found) else "No time of a rank yet."

    def csv(self) -> str:
        """All rows."""
        if self.nothing:
            return ""
        names = [name for each in self.found for row in each.rows[:1] for name in row]
        names = list(dict.fromkeys(names))
        return csv_text(
            ["panel", *names],
            (
                [each.panel, *(row[name] for name in names)]
                for each in self.found
                for row in each.rows
            ),
        )


def rank_timeline(study: Study, figure: Figure) -> ProgramCourse:
    """The states of ranks, with a sentence about who waits how much."""
    found, notes = _found(study, figure, "rank_timeline", _TIMELINE)
    first_notes = ["Each rank is a lane. Where a rank is in several states within an interval, "
                   "they share the height of its lane."]  # fmt: skip
    if any(each.is_measured for each in found):
        first_notes.append(
            "Measured lanes are those of one run in which the calls were recorded, by the clock of "
            "each rank since the program began; what a rank does in a call is not known."
        )
    if not all(each.is_measured for each in found):
        first_notes.append("Predicted lanes are in simulated time.")
    notes = [*first_notes, *notes]
    if any(row["quantile"] is not None for each in found for row in each.rows):
        notes.append(
            "The lanes are ranks at quantiles of the time that ranks wait for others, where that "
            "is measured of the time in calls."
        )
    return ProgramCourse(found, [*notes, *filter(None, map(_waits, found))])


def critical_path(study: Study, figure: CriticalPath) -> ProgramCourse:
    """The parts of the path, the longest first, with a sentence about its shares."""
    found, notes = _found(study, figure, "critical_path", _PATH)
    first_notes = ["From the last rank to end back to the begin: through the rank's own work, and "
                   "at a wait to the rank that ended it. The parts add up to the time of the "
                   "program."]  # fmt: skip
    if any(each.is_measured for each in found):
        first_notes.append(_MEASURED_PATH)
    notes = [*first_notes, *notes]
    return ProgramCourse(found, [*notes, *filter(None, map(_shares, found))], figure.count)


def _found(
    study: Study, figure: Figure, table: str, query: str
) -> tuple[list[CoursePanel], list[str]]:
    groups = places(study, figure, None, table)
    drawn = first(groups)
    found = [
        CoursePanel(
            group.panel(alone=True),
            study.query(query, {"id": group.point_ids[0]}),
            group.is_measured,
        )
        for group in drawn
    ]
    notes = [*drawn.left_out]
    if any(len(group.point_ids) > 1 for group in groups):
        notes.append("Of runs that differ in their seed, the first is drawn.")
    return found, notes


def _named(panel: CoursePanel, text: str) -> str:
    return f"{panel.panel}: {text}" if panel.panel else text[:1].upper() + text[1:]


def _waits(panel: CoursePanel) -> str | None:
    state, does = ("call_s", "is in calls") if panel.is_measured else _WAITS
    waits: dict[int, float] = {}
    for row in panel.rows:
        waits[row["rank"]] = waits.get(row["rank"], 0.0) + row[state]
    end_s = max((row["end_s"] for row in panel.rows), default=0.0)
    if not end_s:
        return None
    most, least = max(waits, key=lambda rank: waits[rank]), min(waits, key=lambda r: waits[r])
    if waits[most] < _LITTLE * end_s:
        return _named(panel, f"every rank {does} for less than 1% of the time.")
    return _named(
        panel,
        f"rank {most} {does} for {waits[most] / end_s:.0%} of the time, "
        f"rank {least} for {waits[least] / end_s:.0%}.",
    )


def _shares(panel: CoursePanel) -> str | None:
    if not panel.all_s:
        return None
    shares = {
        name: sum(row["time_s"] for row in panel.rows if row["state"] == name) / panel.all_s
        for name in LANE_STATES
    }
    words = {"compute": "computing", "software": "work in calls", "network": "the network",
             "waiting": "waiting", "call": "calls"}  # fmt: skip
    parts = ", ".join(f"{words[name]} {share:.0%}" for name, share in shares.items() if share)
    return _named(panel, f"of the path, {parts}.")
