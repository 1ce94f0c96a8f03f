"""The hosts of every measured point, listed for the predictions that use the same nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from weft.engines.base import EngineError
from weft.engines.measured_nodes import MeasuredPoint
from weft.engines.shards import read_shard
from weft.files import replace_text, sealed_text, unsealed
from weft.files.layout import ShardFolder
from weft.plan.spec import Placement
from weft.tables.storage import read_table


def write_placements(folders: Sequence[Path], output: Path) -> None:
    """Write the measured points of these shards' folders to `output`, in the order of the shards.

    The file carries a checksum: a host that somebody changed would be simulated as if measured.

    Raises EngineError and ValueError for a damaged file.
    """
    found = [each for folder in folders for each in _of_shard(ShardFolder(folder))]
    output.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"measured": found}, indent=1, sort_keys=True)
    replace_text(output, sealed_text(text) + "\n")


def read_placements(file: Path) -> list[MeasuredPoint]:
    """What `write_placements` wrote.

    Raises EngineError, naming the file, when it is not what was written.
    """
    try:
        fields = unsealed(file.read_bytes().rstrip(b"\n"), required=True)
        return cast("list[MeasuredPoint]", fields["measured"])
    except (KeyError, ValueError) as error:
        raise EngineError(
            f"{file} is not what weft writes today ({error}); delete it, and run again: "
            "the nodes are listed anew"
        ) from error


def _of_shard(left: ShardFolder) -> Iterator[MeasuredPoint]:
    rows = sorted(read_table("runs", left.table("runs")).to_pylist(), key=lambda r: r["attempt"])
    last = {row["point_id"]: row for row in rows}
    order = read_shard(left.experiment.order(left.path.name))
    for point in order["points"]:
        row = last.get(point["point_id"])
        if row is not None:
            placement = _placement(row)
            yield {"seed": point["seed"], "workload": point["workload"], "placement": placement}


def _placement(row: Mapping[str, object]) -> Placement:
    """The hosts by rank, or why they are not known."""
    point_id = str(row["point_id"])
    if row["status"] != "done":
        problem = f"the measurement {point_id} {row['status']}: {row['error'] or 'no reason noted'}"
        return {"source_point_id": point_id, "problem": problem}
    hosts = json.loads(str(row["environment"] or "{}")).get("hosts") or []
    if not hosts:
        problem = f"the measurement {point_id} noted no hosts"
        return {"source_point_id": point_id, "problem": problem}
    return {"source_point_id": point_id, "hosts": hosts}
