"""Whether what a simulator answers about a program fits what its network counted.

A program runs in the process that answers. One that finds the simulator in its memory can answer in
its place, and what it makes up seldom fits together. So this process compares totals with the rows
that they are made of. A forgery in which everything fits is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.engines.native import NativeEngine
from weft.tables.metrics import UNFITTING

if TYPE_CHECKING:
    import pyarrow as pa

    from weft.engines.base import Engine
    from weft.engines.journal import JournalLine, MetricLine
    from weft.engines.order import ResolvedPoint

#: Sums of times and of fractions differ by so much of themselves.
_ROUNDING = 1e-6
_TIME, _MESSAGES, _PAYLOAD, _WIRE = "program_time_s", "messages", "payload_bytes", "wire_bytes"
_RATE = "effective_bandwidth_bytes_per_s"
#: What the simulator itself lets take longer than the program: packets that arrive when it has
#: ended, and jobs that run once more, alone.
_LONGER = re.compile(r"(network|communication)_latency_.*|job\d+_alone_.*")


@dataclass(frozen=True, slots=True)
class _Run:
    """What was counted in the run of one message size."""

    values: Mapping[str, float]
    ranks: int
    nodes: int

    @property
    def time_s(self) -> float:
        return self.values[_TIME]


def is_of_a_program(point: ResolvedPoint, found: Engine) -> bool:
    """Whether a simulator of weft has run a program for the point; closed forms run none."""
    workload = point["workload"]
    runs = workload["kind"] == "program" and ("source" in workload or "jobs" in workload)
    return runs and isinstance(found, NativeEngine) and found.program == "crate"


def judged(point: ResolvedPoint, line: JournalLine, tables: Mapping[str, pa.Table]) -> JournalLine:
    """The line of a point, flagged where its values or `tables` contradict each other.

    A time of the program that its run has no room for is flagged alone; anything else means that
    no value of the point is the network's.
    """
    metrics = line.get("metrics") or []
    runs = _runs(point, metrics)
    problem = next((each for run in runs.values() for each in _totals(run)), None)
    if problem is None and len(runs) == 1:
        [run] = runs.values()
        problem = next(_tables(run, tables), None)
    flagged: list[MetricLine] = []
    for row in metrics:
        reason = problem or _beyond(row, runs[row["message_bytes"]])
        flagged.append({**row, "flag": f"{UNFITTING}: {reason}"} if reason else row)
    flags = [row["flag"] for row in flagged if "flag" in row]
    return {**line, "metrics": flagged, "flag": flags[0]} if flags else line


def _runs(point: ResolvedPoint, metrics: list[MetricLine]) -> dict[int | None, _Run]:
    values: dict[int | None, dict[str, float]] = {}
    for row in metrics:
        values.setdefault(row["message_bytes"], {})[row["metric"]] = float(row["value"])
    ranks, nodes = point["workload"]["ranks"], point["topology"]["nodes"]
    return {size: _Run(found, ranks, nodes) for size, found in values.items()}


def _beyond(row: MetricLine, run: _Run) -> str | None:
    name, value = row["metric"], float(row["value"])
    if row["unit"] != "s" or _LONGER.fullmatch(name) or not _exceeds(value, run.time_s):
        return None
    return f"{name} is {value:g} s, but the run takes {run.time_s:g} s"


def _totals(run: _Run) -> Iterator[str]:
    """What a run of the simulator cannot count."""
    missing = [name for name in (_TIME, _MESSAGES, _PAYLOAD, _WIRE) if name not in run.values]
    if missing:
        yield f"{missing[0]} is missing"
        return
    for name, value in run.values.items():
        if value < 0:
            yield f"{name} is {value:g}"
    for name in (_MESSAGES, _PAYLOAD, _WIRE):
        if not run.values[name].is_integer():
            yield f"{name} is {run.values[name]:g}"
    rate = run.values.get(_RATE)
    if rate is not None and _differ(rate * run.time_s, run.values[_PAYLOAD]):
        yield f"{_RATE} is {rate:g} B/s, but {_PAYLOAD} is {run.values[_PAYLOAD]:g} B"


def _tables(run: _Run, tables: Mapping[str, pa.Table]) -> Iterator[str]:
    there = {name: table for name, table in tables.items() if table.num_rows}
    for name, check in _CHECKS.items():
        if name in there:
            for problem in check(run, there[name]):
                yield f"in the table {name} {problem}"
    if "messages" in there and "rank_pairs" in there:
        yield from _two_tables(there["messages"], there["rank_pairs"])


def _two_tables(messages: pa.Table, pairs: pa.Table) -> Iterator[str]:
    """Both are made of the same messages."""
    for what, one, other in (
        ("messages", float(messages.num_rows), _sum(pairs, "messages")),
        ("bytes", _sum(messages, "bytes"), _sum(pairs, "bytes")),
    ):
        if one != other:
            yield f"the table messages has {one:g} {what}, but rank_pairs {other:g}"


def _of_messages(run: _Run, table: pa.Table) -> Iterator[str]:
    """Messages that are under way when the program ends have no row; a multicast leaves its NIC
    once."""
    yield from _outside(table, ("src", "dst"), "node", run.nodes)
    yield from _more(run, table.num_rows, _sum(table, "bytes"))
    carried = _sum(_between_nodes(table), "bytes")
    if carried > run.ranks * run.values[_WIRE]:
        yield f"nodes send {carried:g} B, but {_WIRE} is {run.values[_WIRE]:g} B"
    start_s, last_s = _least(table, "start_s"), _most(table, "start_s")
    if start_s < 0 or _exceeds(last_s, run.time_s):
        yield f"a message starts at {last_s:g} s, but the run takes {run.time_s:g} s"
    if _any_less(table, "finish_s", "start_s"):
        yield "a message ends before it starts"


def _of_pairs(run: _Run, table: pa.Table) -> Iterator[str]:
    yield from _outside(table, ("source", "destination"), "rank", run.ranks)
    yield from _more(run, _sum(table, "messages"), _sum(table, "bytes"))


def _of_links(run: _Run, table: pa.Table) -> Iterator[str]:
    """Every byte on a link has left a NIC; a detour crosses a link twice at most."""
    most = _most(table, "bytes")
    if _least(table, "bytes") < 0 or most > 2 * run.values[_WIRE]:
        yield f"a link carries {most:g} B, but {_WIRE} is {run.values[_WIRE]:g} B"


def _of_calls(run: _Run, table: pa.Table) -> Iterator[str]:
    yield from _outside(table, ("rank",), "rank", run.ranks)
    if _any_less(table, "time_s", "waiting_s"):
        yield "a call waits for longer than it takes"


def _of_timeline(run: _Run, table: pa.Table) -> Iterator[str]:
    yield from _outside(table, ("rank",), "rank", run.ranks)
    yield from _ends(run, table)


def _of_path(run: _Run, table: pa.Table) -> Iterator[str]:
    yield from _outside(table, ("rank",), "rank", run.ranks)
    length_s = _sum(table, "time_s")
    if _differ(length_s, run.time_s):
        yield f"the path takes {length_s:g} s, but the run {run.time_s:g} s"


_CHECKS = {
    "messages": _of_messages,
    "rank_pairs": _of_pairs,
    "links": _of_links,
    "calls": _of_calls,
    "rank_timeline": _of_timeline,
    "critical_path": _of_path,
}


def _outside(table: pa.Table, names: tuple[str, ...], what: str, count: int) -> Iterator[str]:
    for name in names:
        for number in (_least(table, name), _most(table, name)):
            if not 0 <= number < count:
                yield f"there is a {what} {number:g}, but the point has {count}"


def _more(run: _Run, messages: float, carried: float) -> Iterator[str]:
    if messages > run.values[_MESSAGES]:
        yield f"there are {messages:g}, but {_MESSAGES} is {run.values[_MESSAGES]:g}"
    if carried > run.values[_PAYLOAD]:
        yield f"messages carry {carried:g} B, but {_PAYLOAD} is {run.values[_PAYLOAD]:g} B"


def _between_nodes(table: pa.Table) -> pa.Table:
    from pyarrow import compute as pc

    return table.filter(pc.not_equal(table["src"], table["dst"]))


def _ends(run: _Run, table: pa.Table) -> Iterator[str]:
    end_s = _most(table, "end_s")
    if _least(table, "start_s") < 0 or _exceeds(end_s, run.time_s):
        yield f"an interval ends at {end_s:g} s, but the run takes {run.time_s:g} s"


def _sum(table: pa.Table, name: str) -> float:
    from pyarrow import compute as pc

    return float(pc.sum(table[name]).as_py() or 0)


def _least(table: pa.Table, name: str) -> float:
    from pyarrow import compute as pc

    return float(pc.min(table[name]).as_py() or 0)


def _most(table: pa.Table, name: str) -> float:
    from pyarrow import compute as pc

    return float(pc.max(table[name]).as_py() or 0)


def _any_less(table: pa.Table, name: str, than: str) -> bool:
    from pyarrow import compute as pc

    return bool(pc.any(pc.less(table[name], table[than])).as_py())


def _exceeds(value: float, most: float) -> bool:
    return value > most * (1 + _ROUNDING)


def _differ(one: float, other: float) -> bool:
    return _exceeds(one, other) or _exceeds(other, one)
