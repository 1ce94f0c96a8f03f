"""Failed points as the terminal reports them: a line for each reason."""

from __future__ import annotations

import json

import duckdb

from weft.files.layout import page_name

#: The report lists more of them.
MOST = 10
#: Points of one engine that failed for the same reason are one line. `first` is their first point.
_FAILED = """
WITH failed AS (
    SELECT p.engine, p.point_id, p.coordinates, p.rowid AS place,
           coalesce(nullif(split_part(r.error, chr(10), 1), ''), 'no reason was recorded') AS reason
    FROM points AS p
    SEMI JOIN (SELECT point_id FROM outcomes WHERE outcome = 'failed') AS o
    ON p.point_id = o.point_id
    LEFT JOIN last_runs AS r ON r.experiment = p.experiment AND r.point_id = p.point_id
    WHERE p.experiment = $experiment
)
SELECT engine, arg_min(point_id, place), arg_min(coordinates, place), reason, count(*)
FROM failed GROUP BY engine, reason ORDER BY min(place)
"""
_POINTS = "SELECT count(*) FROM points WHERE experiment = $experiment"


def failures_text(con: duckdb.DuckDBPyConnection, experiment: str) -> str | None:
    """The failed points of an experiment; None where none failed.

    `con` has the table `outcomes` of its points. A line for each reason: engine, id and swept
    values of the first point that failed for it, and how many others did.
    """
    rows = con.execute(_FAILED, {"experiment": experiment}).fetchall()
    if not rows:
        return None
    ((points,),) = con.execute(_POINTS, {"experiment": experiment}).fetchall()
    lines = [f"  {_place(*row[:3])}{_others(row[4] - 1)}: {row[3]}" for row in rows[:MOST]]
    unlisted = sum(row[4] for row in rows[MOST:])
    more = [f"  and {unlisted:,} more: {page_name(experiment)} lists them"] if unlisted else []
    noun = "point" if points == 1 else "points"
    failed = sum(row[4] for row in rows)
    return "\n".join([f"weft: {experiment}: {failed} of {points} {noun} failed", *lines, *more])


def _others(count: int) -> str:
    return f" and {count:,} other{'s' if count > 1 else ''}" if count else ""


def _place(engine: str, point_id: str, coordinates: str) -> str:
    values = ", ".join(f"{key}={value}" for key, value in json.loads(coordinates).items())
    return f"{engine} {point_id}" + (f" ({values})" if values else "")
