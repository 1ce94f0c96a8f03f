"""The view `answers`: results with every parameter beside them."""

from collections.abc import Iterable

import duckdb

from weft.database.sql import quoted
from weft.tables.metrics import DERIVED

_LAST_RUNS = """
CREATE OR REPLACE VIEW last_runs AS
SELECT * FROM runs
QUALIFY row_number() OVER (PARTITION BY experiment, point_id ORDER BY attempt DESC) = 1
"""

_METRICS = "SELECT experiment, point_id, metric, message_bytes, value, unit, flag FROM metrics"

# A point without a result has one row with an empty metric, so that gaps show.
_ANSWERS = """
CREATE OR REPLACE VIEW answers AS
SELECT p.experiment, p.point_id, p.engine, p.replicate, p.seed,
       coalesce(r.status, 'missing') AS status,
       m.metric, m.message_bytes, m.value, m.unit, m.flag{parameters}
FROM points AS p
JOIN parameters AS a USING (experiment, point_id, replicate)
LEFT JOIN last_runs AS r USING (experiment, point_id)
LEFT JOIN all_metrics AS m USING (experiment, point_id)
"""


def create_views(con: duckdb.DuckDBPyConnection, parameters: Iterable[str]) -> None:
    """Create the views `last_runs`, `all_metrics` and `answers`, this with these `parameters`."""
    con.execute(_LAST_RUNS)
    every = " UNION ALL ".join([_METRICS, *(each.sql() for each in DERIVED)])
    con.execute(f"CREATE OR REPLACE VIEW all_metrics AS {every}")
    listed = "".join(f", a.{quoted(name)}" for name in parameters)
    con.execute(_ANSWERS.format(parameters=listed))
