"""The view `answers`: results with every parameter beside them."""

import duckdb

_LAST_RUNS = """
CREATE VIEW last_runs AS
SELECT * FROM runs
QUALIFY row_number() OVER (PARTITION BY experiment, point_id ORDER BY attempt DESC) = 1
"""

# A point without a result has one row with an empty metric, so that gaps show.
_ANSWERS = """
CREATE VIEW answers AS
SELECT p.experiment, p.point_id, p.engine, p.replicate, p.seed,
       coalesce(r.status, 'missing') AS status,
       m.metric, m.message_bytes, m.value, m.unit,
       a.* EXCLUDE (experiment, point_id, replicate)
FROM points AS p
JOIN parameters AS a USING (experiment, point_id, replicate)
LEFT JOIN last_runs AS r USING (experiment, point_id)
LEFT JOIN metrics AS m USING (experiment, point_id)
"""


def create_answers(con: duckdb.DuckDBPyConnection) -> None:
    """Create the views `last_runs` and `answers`."""
    con.execute(_LAST_RUNS)
    con.execute(_ANSWERS)
