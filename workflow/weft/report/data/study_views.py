"""The views through which a report sees the database: what counts of its own experiment."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from weft.tables.metrics import COSTS

_COSTS = " ".join(
    f"UNION ALL SELECT point_id, '{name}', CAST(NULL AS BIGINT), CAST({name} AS DOUBLE), '{unit}',"
    f" NULL FROM final_runs WHERE status = 'done' AND {name} IS NOT NULL"
    for name, unit in COSTS.items()
)
# Done beats failed, then the latest attempt counts. Few points have more than one run: only those
# are sorted. The view `answers` would join all parameters, which `axes` holds already.
_VIEWS = f"""
CREATE TEMP TABLE superseded AS
SELECT runs.rowid AS place FROM runs
WHERE experiment = getvariable('experiment') AND point_id IN (
  SELECT point_id FROM runs WHERE experiment = getvariable('experiment')
  GROUP BY point_id HAVING count(*) > 1)
QUALIFY row_number() OVER (
  PARTITION BY point_id ORDER BY (status = 'done') DESC, attempt DESC, started_at DESC) > 1;
CREATE TEMP VIEW final_runs AS
SELECT * FROM runs
WHERE experiment = getvariable('experiment') AND point_id IN (SELECT point_id FROM axes)
  AND rowid NOT IN (SELECT place FROM superseded);
CREATE TEMP VIEW measured AS
SELECT point_id, metric, message_bytes, value, unit, flag FROM all_metrics
WHERE experiment = getvariable('experiment') AND value IS NOT NULL
  AND point_id IN (SELECT point_id FROM final_runs WHERE status = 'done')
{_COSTS};
CREATE TEMP TABLE crowded AS
SELECT DISTINCT point_id FROM runs
WHERE experiment = getvariable('experiment') AND environment->>'oversubscribed' = 'true';
"""


def create_study_views(connection: duckdb.DuckDBPyConnection, experiment: str) -> None:
    """Create `final_runs`, `measured` and `crowded` of `experiment`; the table `axes` is there.

    One thread, because several add values in another order each time, and the last digits of a
    mean of many points then differ between two pages of the same results.
    """
    connection.execute("SET threads = 1")
    connection.execute("SET VARIABLE experiment = ?", [experiment])
    connection.execute(_VIEWS)


def planned_places(apart: Sequence[str], others: Sequence[str], filters: str = "") -> str:
    """The `nth` place of each point among those that agree in the columns `apart`, by `others`.

    Points that `filters` leave out do not count: another program may have more at one alternative.
    A size is no column of points, so no filter names it.
    """
    if not others:
        # A seed alone names the draw, and there may be millions of points to sort.
        return "SELECT point_id, 0 AS nth FROM axes LIMIT 0"
    window = f"PARTITION BY {', '.join(apart) or 1} ORDER BY {', '.join(others)}"
    return f"SELECT point_id, dense_rank() OVER ({window}) AS nth FROM axes WHERE true{filters}"
