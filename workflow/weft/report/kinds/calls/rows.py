"""The calls in which the ranks of a program spend their time, from the table `calls`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from weft.config.model.program_figures import ProgramCalls
from weft.report.data.csv_text import csv_text
from weft.report.data.flagged import BUSY, MADE_UP, capitalized, reasons
from weft.report.data.point_groups import first, places
from weft.report.data.source import Study
from weft.report.data.units import listing

#: The call in which a rank computes: that is no time in calls for who looks at a program.
COMPUTES = "MGEN_Comp"
_CSV = ("call", "count", "time_s", "waiting_s", "least_s", "most_s")
_columns = attrgetter(*_CSV)
# Means over the ranks, and over runs that differ in nothing but their seed. A rank that never makes
# a call spends no time in it.
_CALLS = """
WITH mine AS (FROM calls WHERE experiment = getvariable('experiment')
                           AND list_contains($ids, point_id)),
     ranks AS (SELECT count(*) AS n FROM (SELECT DISTINCT point_id, rank FROM mine))
SELECT call, sum(count) / any_value(n) AS count, sum(time_s) / any_value(n) AS time_s,
  sum(waiting_s) / any_value(n) AS waiting_s,
  if(count(*) < any_value(n), 0.0, min(time_s)) AS least_s, max(time_s) AS most_s
FROM mine, ranks GROUP BY call HAVING sum(time_s) > 0 ORDER BY time_s DESC, call
"""
_PROGRAM = """
SELECT avg(value) AS time_s FROM measured
WHERE metric = 'program_time_s' AND list_contains($ids, point_id)
"""
# The run whose calls a machine recorded is not one of those that it measured.
_RECORDED = """
SELECT avg(time_s) AS time_s FROM (
  SELECT max(end_s) AS time_s FROM rank_timeline
  WHERE experiment = getvariable('experiment') AND list_contains($ids, point_id)
  GROUP BY point_id, rank)
"""
_FLAGS = (
    "SELECT DISTINCT flag FROM measured WHERE flag IS NOT NULL AND list_contains($ids, point_id)"
)


@dataclass(frozen=True, slots=True)
class CallTime:
    """One call in the mean of the ranks, with the times of the ranks of the least and the most."""

    call: str
    count: float
    """How often a rank makes it."""
    time_s: float
    waiting_s: float | None
    """The part of the time in which the rank waits; a machine does not know it."""
    least_s: float
    most_s: float


@dataclass(frozen=True, slots=True)
class CallTimes:
    """The calls of one setting, the longest first, in the mean of its ranks."""

    panel: str | None
    every: Sequence[CallTime]
    """The calls, and the computing among them."""
    program_s: float | None
    """How long the program takes in the run whose calls these are; None where nothing says."""
    is_measured: bool = False
    flags: Sequence[str] = ()
    """Why its values answer nothing: the machine was busy, or the point contradicts itself."""

    @property
    def is_flagged(self) -> bool:
        """Whether its values answer nothing."""
        return bool(self.flags)

    @property
    def computing_s(self) -> float:
        """How long a rank computes, as the program or a trace says."""
        return float(sum(one.time_s for one in self.every if one.call == COMPUTES))

    @property
    def calls(self) -> Sequence[CallTime]:
        """The calls without the computing."""
        return [one for one in self.every if one.call != COMPUTES]

    @property
    def inside_s(self) -> float:
        """The time that a rank spends in calls."""
        return float(sum(one.time_s for one in self.calls))

    @property
    def waiting_s(self) -> float:
        """The part of it in which the rank waits; a machine does not know it."""
        return float(sum(one.waiting_s or 0.0 for one in self.calls))


@dataclass(frozen=True, slots=True)
class Calls:
    """What a figure of calls shows, one part for each setting."""

    figure: ProgramCalls
    found: Sequence[CallTimes]
    left_out: Sequence[str] = ()
    legend: bool = True

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        if any(each.every for each in self.found):
            return None
        return "No call took time." if self.found else "No calls yet."

    @property
    def notes(self) -> list[str]:
        """What is counted, and what is left out."""
        notes = ["Means over all ranks. A collective counts as one call."]
        if not all(each.is_measured for each in self.found):
            notes.append(
                "Predicted times are simulated. Waiting is the time in which a rank cannot go on: "
                "its message is under way or is copied, or the other side has not called yet."
            )
        if any(each.is_measured for each in self.found):
            notes.append(
                "Measured times are those of one run in which the calls were recorded. A machine "
                "does not show what part of a call is waiting."
            )
        for why in (BUSY, MADE_UP):
            flagged = [
                each.panel or "this program" for each in self.found if why in reasons(each.flags)
            ]
            if flagged:
                notes.append(f"{capitalized(why)}, not to be trusted: {listing(flagged)}.")
        most = max(len(each.every) for each in self.found)
        if most > self.figure.count:
            notes.append(f"The {self.figure.count} calls that take most time, of {most}.")
        return [*notes, *self.left_out]

    def csv(self) -> str:
        """All calls, also those that are not drawn."""
        if self.nothing:
            return ""
        return csv_text(
            ["panel", *_CSV],
            ([each.panel, *_columns(one)] for each in self.found for one in each.every),
        )


def call_times(study: Study, figure: ProgramCalls) -> Calls:
    """The calls of each setting that the figure shows."""
    found = []
    drawn = first(places(study, figure, None, "calls"))
    for place in drawn:
        ids = {"ids": list(place.point_ids)}
        (program,) = study.query(_RECORDED if place.is_measured else _PROGRAM, ids)
        calls = [CallTime(**row) for row in study.query(_CALLS, ids)]
        flags = [row["flag"] for row in study.query(_FLAGS, ids)]
        panel, measured = place.panel(alone=True), place.is_measured
        found.append(CallTimes(panel, calls, program["time_s"], measured, flags))
    return Calls(figure, found, drawn.left_out)
