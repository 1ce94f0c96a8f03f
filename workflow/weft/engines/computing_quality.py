"""Whether a program had its processor while its computing was measured."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from weft.engines.hardware.machine_load import MachineLoad
from weft.engines.hardware.quality import MOST_STEAL, MOST_WAITING
from weft.engines.journal import JournalLine, MetricLine
from weft.plan.spec import OptionsSpec
from weft.tables.metrics import COMPUTING_SPREAD

#: A shorter wait is one for a process to begin, and the system counts idle time in hundredths of a
#: second.
_LEAST_S = 0.05
#: A busy machine is measured on so often at most: the go with the least disturbance counts.
MOST_GOES = 3
#: What the simulator says of a measurement, and the time of the program that uses it.
COMPUTED, SPREAD, _TIME = "computed_time_s", "computed_spread_s", "program_time_s"


class SizeSpread(TypedDict):
    """Half of the range of what the slowest rank computes in the runs."""

    message_bytes: int | None
    spread_s: float


def spreads_of(metrics: Sequence[MetricLine]) -> list[SizeSpread]:
    """How far the runs of a go differ, by message size."""
    return [
        {"message_bytes": row["message_bytes"], "spread_s": row["value"]}
        for row in metrics if row["metric"] == SPREAD
    ]  # fmt: skip


def with_spreads(
    line: JournalLine, spreads: Sequence[SizeSpread], options: OptionsSpec
) -> JournalLine:
    """The line of a point with the share by which its times may be off: the spread of its
    computing over the time of the program."""
    metrics = list(line.get("metrics") or ())
    by_size = {each["message_bytes"]: each["spread_s"] for each in spreads}
    factor = options.get("compute_factor", 1.0)
    more: list[MetricLine] = [
        {
            "metric": COMPUTING_SPREAD,
            "message_bytes": row["message_bytes"],
            "value": factor * by_size[row["message_bytes"]] / row["value"],
            "unit": "1",
        }
        for row in metrics
        if row["metric"] == _TIME and row["value"] > 0 and row["message_bytes"] in by_size
    ]
    return {**line, "metrics": [*metrics, *more]} if more else line


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What other programs took of one go: shares of its time, and how busy the machine was."""

    waiting_share: float
    steal_share: float
    load_average: float
    processors: int

    @classmethod
    def of(
        cls, wall_s: float, cpu_s: float, before: MachineLoad, after: MachineLoad
    ) -> Disturbance:
        """The disturbance of a go that took `wall_s`, between two looks at the machine.

        A program that sleeps or reads files has no processor either, but leaves one idle then.
        Waits of a short go are too few to judge by.
        """
        processors = len(os.sched_getaffinity(0))
        without = 1 - min(1.0, cpu_s / max(wall_s, 1e-9))
        waiting = max(0.0, without - after.idle_since(before) * (os.cpu_count() or processors))
        both = (waiting, after.steal_since(before))
        waiting, steal = (share if share * wall_s >= _LEAST_S else 0.0 for share in both)
        return cls(waiting, steal, before.load_average, processors)

    @property
    def share(self) -> float:
        """What makes one go worse than another."""
        return self.waiting_share + self.steal_share

    @property
    def flag(self) -> str | None:
        """Why the times are not to be trusted; None where they are."""
        if self.waiting_share > MOST_WAITING:
            what = f"had no processor for {self.waiting_share:.0%} of the time"
        elif self.steal_share > MOST_STEAL:
            what = f"lost {self.steal_share:.0%} of the processors to other machines"
        else:
            return None
        return (
            f"measuring its computing {what}; load average {self.load_average:g} on "
            f"{self.processors} processors"
        )


def with_span(flag: str | None, computed_s: Sequence[float]) -> str | None:
    """The flag, with what the goes measured where there are several."""
    if flag is None or len(computed_s) == 1:
        return flag
    span = f"{min(computed_s):.3g} s to {max(computed_s):.3g} s"
    return f"{flag}; {len(computed_s)} goes found {span} of computing"
