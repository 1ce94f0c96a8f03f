"""Link parameters fitted from a measured ping-pong, or why there are none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from weft.analysis.hockney import Hockney, NoLineError, fit_pingpong
from weft.analysis.no_pingpong import no_pingpong
from weft.files import replace_text
from weft.tables.storage import read_table

METRIC = "one_way_time_s"
#: What to do where the measurement was no good.
AGAIN = "measure again on a quieter machine with --config retry_flagged=true"


def calibrate(metrics: Sequence[Path], output: Path, point_id: str | None = None) -> Hockney | None:
    """Fit the ping-pong found in `metrics` tables and write the link parameters to `output`.

    Without `point_id` the first point that has one-way times is taken. A fit stops no experiment:
    where there is no ping-pong, or no line follows from it, `output` holds the reason under
    `problem`, and the result is None. Raises ValueError for a damaged table.
    """
    rows = [row for path in metrics for row in read_table("metrics", path).to_pylist()]
    rows = [row for row in rows if row["metric"] == METRIC and row["message_bytes"] is not None]
    chosen = point_id or min((row["point_id"] for row in rows), default=None)
    rows = sorted((r for r in rows if r["point_id"] == chosen), key=lambda r: r["message_bytes"])
    if not rows:
        _write(output, {"problem": no_pingpong(metrics, METRIC)})
        return None
    source = {"source_point_id": chosen}
    try:
        fit = fit_pingpong([r["message_bytes"] for r in rows], [r["value"] for r in rows])
    except NoLineError as error:
        problem = f"the measured ping-pong gives no link parameters: {error}; {AGAIN}"
        _write(output, {"problem": problem, **source})
        return None
    _write(output, {**asdict(fit), **source})
    return fit


def _write(output: Path, content: Mapping[str, object]) -> None:
    known = {key: value for key, value in content.items() if value is not None}
    output.parent.mkdir(parents=True, exist_ok=True)
    replace_text(output, json.dumps(known, indent=1, sort_keys=True) + "\n")
