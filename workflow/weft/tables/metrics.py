"""Metrics that no engine reports: what a run cost, and what follows from other metrics."""

from __future__ import annotations

from dataclasses import dataclass

#: What an engine spent on a point: columns of `runs`, never an answer.
COSTS = {"wall_s": "s", "cpu_s": "s", "peak_rss_bytes": "B"}
_SIZE = "message_bytes"
#: Jobs that may run at once; simulators refuse more.
MOST_JOBS = 8
#: How the flag of a simulated value begins whose point contradicts itself.
UNFITTING = "not what the network counted"


def of_each_job(name: str) -> list[str]:
    """The names for which a name stands: those of each job, if it holds `{n}`."""
    if "{n}" not in name:
        return [name]
    return [name.replace("{n}", str(job)) for job in range(1, MOST_JOBS + 1)]


def unit_by_name(name: str) -> str:
    """The unit of a metric that nobody describes, such as one that a program measures itself."""
    return "s" if name.endswith("_s") else "B" if name.endswith("_bytes") else "1"


@dataclass(frozen=True, slots=True)
class Quotient:
    """A metric that is one value over another of the same point and message size.

    `over` and `under` name metrics; `over` may be `message_bytes`, the size itself.
    """

    name: str
    unit: str
    over: str
    under: str

    @property
    def of(self) -> frozenset[str]:
        """The metrics that it follows from."""
        return frozenset({self.over, self.under} - {_SIZE})

    def sql(self) -> str:
        """A query for its rows, with the columns of the table `metrics`.

        A metric that follows from a flagged one is flagged.
        """
        if self.over == _SIZE:
            return (
                f"SELECT experiment, point_id, '{self.name}', {_SIZE}, {_SIZE} / value,"
                f" '{self.unit}', flag FROM metrics"
                f" WHERE metric = '{self.under}' AND {_SIZE} > 0 AND value > 0"
            )
        return (
            f"SELECT o.experiment, o.point_id, '{self.name}', o.{_SIZE}, o.value / u.value,"
            f" '{self.unit}', coalesce(o.flag, u.flag)"
            " FROM metrics AS o JOIN metrics AS u ON u.experiment = o.experiment"
            f" AND u.point_id = o.point_id AND u.{_SIZE} IS NOT DISTINCT FROM o.{_SIZE}"
            f" WHERE o.metric = '{self.over}' AND u.metric = '{self.under}' AND u.value > 0"
        )


DERIVED = (
    Quotient("bandwidth_bytes_per_s", "B/s", "message_bytes", "one_way_time_s"),
    Quotient("exposed_share", "1", "exposed_time_s", "program_time_s"),
)
#: By which share a predicted time may be off, because the runs that measured its computing differ.
COMPUTING_SPREAD = "computing_spread"
#: What never counts as an answer of its own: it repeats others, or depends on the machine.
NOT_ANSWERS = frozenset({*COSTS, COMPUTING_SPREAD, *(each.name for each in DERIVED)})
