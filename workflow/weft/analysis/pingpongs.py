"""Measured ping-pongs as times by size, with the machine and the placement of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from weft.files import unsealed
from weft.files.layout import ShardFolder
from weft.machine import MachineIdentity
from weft.tables.storage import read_table

#: What a ping-pong measures, by the name of the curve through it.
METRICS = {
    "one_way": "one_way_time_s",
    "two_way": "exchange_time_s",
    "gap": "gap_time_s",
    "duplex": "duplex_time_s",
    "sent": "sent_time_s",
    "copying": "copy_time_s",
    "put": "put_time_s",
}
#: Operations between two looks at the clock, as `programs/pingpong.c` has them: a time of one of
#: them is known better than the clock's step. A stream has at least so many.
IN_ONE_LOOK = {"one_way_time_s": 2, "gap_time_s": 4, "duplex_time_s": 4, "put_time_s": 16}

Placement = Literal["between_nodes", "inside_node"]
#: A time with its size.
Timed = tuple[int, float]


@dataclass(frozen=True, slots=True)
class Pingpong:
    """All repetitions of one ping-pong in one placement.

    `times` are those of each metric by size, without values that were measured on a busy machine
    unless there are no others; `flagged` counts such values. A look at the clock is off by up to
    `look_s`.
    """

    point_ids: tuple[str, ...]
    times: Mapping[str, Sequence[Timed]]
    flagged: int
    look_s: float
    machine: MachineIdentity | None
    mpi: str | None
    date: str | None

    def resolution_s(self, metric: str) -> float:
        """How far the clock lets a time of `metric` be off."""
        return self.look_s / IN_ONE_LOOK.get(metric, 1)


def pingpongs(metrics: Sequence[Path], point_id: str | None) -> dict[Placement, Pingpong]:
    """The ping-pong of each placement that was asked for the most sizes, or the one of `point_id`.

    So an experiment may measure further sizes in another ping-pong, which no fit sees, however many
    sizes a search for jumps adds to it.

    Without a table `runs` beside the metrics nothing is known of the placement, and the ranks count
    as being on two nodes. Raises ValueError for a damaged table.
    """
    rows = [row for path in metrics for row in read_table("metrics", path).to_pylist()]
    rows = [row for row in rows if row["message_bytes"] is not None]
    one_way = {row["point_id"] for row in rows if row["metric"] == METRICS["one_way"]}
    runs = {str(row["point_id"]): row for path in metrics for row in _runs(path)}
    alike = {each: key for path in metrics for each, key in _asked(path).items()}
    measured = Counter(row["point_id"] for row in rows if row["metric"] == METRICS["one_way"])
    found: dict[Placement, list[str]] = {}
    asked = one_way if point_id is None else one_way & {point_id}
    sizes = {each: alike[each].sizes if each in alike else measured[each] for each in asked}
    for each in sorted(asked, key=lambda point: (-sizes[point], point)):
        group = found.setdefault(_placement(_environment(runs.get(each))), [])
        if not group or (each in alike and alike[each] == alike.get(group[0])):
            group.append(each)
    return {
        placement: _pingpong(ids, [row for row in rows if row["point_id"] in ids], runs)
        for placement, ids in found.items()
    }


def _pingpong(
    ids: Sequence[str], rows: Sequence[Mapping[str, object]], runs: Mapping[str, _Row]
) -> Pingpong:
    rows = [row for row in rows if row["metric"] in METRICS.values()]
    good = [row for row in rows if row.get("flag") is None]
    used = good if any(row["metric"] == METRICS["one_way"] for row in good) else rows
    times: dict[str, list[Timed]] = {}
    for row in used:
        timed = int(cast("int", row["message_bytes"])), float(cast("float", row["value"]))
        times.setdefault(str(row["metric"]), []).append(timed)
    run = runs.get(ids[0])
    environment = _environment(run)
    step = environment.get("clock_step_s")
    mpi = environment.get("mpi_library")
    dates = [str(runs[each]["started_at"]) for each in ids if each in runs]
    return Pingpong(
        tuple(ids),
        {metric: sorted(each) for metric, each in times.items()},
        len(rows) - len(good),
        step / 2 if isinstance(step, float) else 0.0,
        MachineIdentity.of_run(environment) if mpi else None,
        str(mpi) if mpi else None,
        max(dates, default=None),
    )


_Row = Mapping[str, object]


def _runs(metrics: Path) -> list[_Row]:
    """The last attempt of each point."""
    path = metrics.with_name("runs.parquet")
    if not path.is_file():
        return []
    rows = read_table("runs", path).to_pylist()
    return sorted(rows, key=lambda row: int(row["attempt"] or 0))


@dataclass(frozen=True, slots=True)
class _Question:
    """What a point asks, seeds left out: repetitions are alike."""

    text: str
    sizes: int


def _asked(metrics: Path) -> dict[str, _Question]:
    """What each point of the shard asks."""
    shard = ShardFolder(metrics.absolute().parent)
    try:
        order = unsealed(shard.experiment.order(shard.path.name).read_bytes(), required=False)
        points = order["points"]
        return {each["point_id"]: _question(each["workload"], each["options"]) for each in points}
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return {}


def _question(workload: Mapping[str, object], options: object) -> _Question:
    sizes = workload.get("message_bytes")
    text = json.dumps([workload, options], sort_keys=True)
    return _Question(text, len(sizes) if isinstance(sizes, list) else 0)


def _environment(run: _Row | None) -> Mapping[str, object]:
    text = run.get("environment") if run else None
    return cast("Mapping[str, object]", json.loads(text)) if isinstance(text, str) else {}


def _placement(environment: Mapping[str, object]) -> Placement:
    hosts = environment.get("hosts")
    is_inside = isinstance(hosts, list) and len(hosts) > 1 and len(set(hosts)) == 1
    return "inside_node" if is_inside else "between_nodes"
