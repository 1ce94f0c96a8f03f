"""Failed points as the terminal reports them: each with its own reason."""

from __future__ import annotations

import json

import duckdb

from weft.files.layout import page_name

#: The report lists more of them.
MOST = 10
_FAILED = """
SELECT p.engine, p.point_id, p.coordinates, r.error, count(*) OVER (),
       (SELECT count(*) FROM points WHERE experiment = $experiment)
FROM points AS p
SEMI JOIN (SELECT point_id FROM outcomes WHERE outcome = 'failed') AS o
ON p.point_id = o.point_id
LEFT JOIN last_runs AS r ON r.experiment = p.experiment AND r.point_id = p.point_id
WHERE p.experiment = $experiment
ORDER BY p.rowid LIMIT $most
"""


def failures_text(con: duckdb.DuckDBPyConnection, experiment: str) -> str | None:
    """The failed points of an experiment; None where none failed.

    `con` has the table `outcomes` of its points. Engine, id, swept values and reason of the first.
    """
    rows = con.execute(_FAILED, {"experiment": experiment, "most": MOST}).fetchall()
    if not rows:
        return None
    failed, points = rows[0][-2:]
    lines = [f"  {_place(*row[:3])}: {_reason(row[3])}" for row in rows]
    page = page_name(experiment)
    more = [f"  and {failed - MOST} more: {page} lists them"] if failed > MOST else []
    noun = "point" if points == 1 else "points"
    return "\n".join([f"weft: {experiment}: {failed} of {points} {noun} failed", *lines, *more])


def _reason(error: str | None) -> str:
    lines = (error or "").splitlines()
    return lines[0] if lines else "no reason was recorded"


def _place(engine: str, point_id: str, coordinates: str) -> str:
    values = ", ".join(f"{key}={value}" for key, value in json.loads(coordinates).items())
    return f"{engine} {point_id}" + (f" ({values})" if values else "")
