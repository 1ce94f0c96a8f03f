"""What the terminal is told of failed points: each with its own reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow.parquet as pq

from weft.database.files import FinishedShard
from weft.plan.model import Plan, Point

#: The report lists more of them.
MOST = 10


def failures_text(plan: Plan, shards: Iterable[FinishedShard]) -> str | None:
    """The failed points of `plan` by engine, id and swept values; None where none failed."""
    planned = {point.point_id: point for point in plan.points}
    reasons = {
        point_id: reason
        for shard in shards
        for point_id, reason in _reasons(shard)
        if point_id in planned
    }
    if not reasons:
        return None
    told = [f"  {_place(planned[each])}: {reasons[each]}" for each in planned if each in reasons]
    page = f"reports/{plan.experiment}.html"
    more = [f"  and {len(told) - MOST} more: {page} lists them"] if len(told) > MOST else []
    noun = "point" if len(planned) == 1 else "points"
    head = f"weft: {plan.experiment}: {len(told)} of {len(planned)} {noun} failed"
    return "\n".join([head, *told[:MOST], *more])


def _reasons(shard: FinishedShard) -> Iterator[tuple[str, str]]:
    """Each failed point with the first line that its last attempt left."""
    if not shard.outcome.failed or "runs" not in shard.tables:
        return
    columns = ["point_id", "attempt", "error"]
    rows = pq.read_table(shard.tables["runs"], columns=columns).to_pylist()
    last = {row["point_id"]: row for row in sorted(rows, key=lambda row: row["attempt"])}
    for point_id in shard.outcome.failed:
        lines = (last.get(point_id, {}).get("error") or "").splitlines()
        yield point_id, lines[0] if lines else "no reason was recorded"


def _place(point: Point) -> str:
    values = ", ".join(f"{key}={value}" for key, value in point.coordinates.items())
    return f"{point.engine} {point.point_id}" + (f" ({values})" if values else "")
