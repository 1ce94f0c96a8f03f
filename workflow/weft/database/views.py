"""The view `answers`: results with every parameter beside them."""

from collections.abc import Iterable

import duckdb

from weft.database.sql import quoted

_LAST_RUNS = """
CREATE OR REPLACE VIEW last_runs AS
SELECT * FROM runs
QUALIFY row_number() OVER (PARTITION BY experiment, point_id ORDER BY attempt DESC) = 1
"""

# Bandwidth follows from the one-way time and the exposed share from two times, so no engine has to
# report them.
_WITH_DERIVED = """
CREATE OR REPLACE VIEW all_metrics AS
SELECT experiment, point_id, metric, message_bytes, value, unit, flag FROM metrics
UNION ALL
SELECT experiment, point_id, 'bandwidth_bytes_per_s', message_bytes, message_bytes / value, 'B/s',
       flag
FROM metrics WHERE metric = 'one_way_time_s' AND message_bytes > 0 AND value > 0
UNION ALL
SELECT e.experiment, e.point_id, 'exposed_share', e.message_bytes, e.value / p.value, '1',
       coalesce(e.flag, p.flag)
FROM metrics AS e
JOIN metrics AS p ON p.experiment = e.experiment AND p.point_id = e.point_id
    AND p.message_bytes IS NOT DISTINCT FROM e.message_bytes AND p.metric = 'program_time_s'
WHERE e.metric = 'exposed_time_s' AND p.value > 0
"""

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
    con.execute(_WITH_DERIVED)
    listed = "".join(f", a.{quoted(name)}" for name in parameters)
    con.execute(_ANSWERS.format(parameters=listed))
