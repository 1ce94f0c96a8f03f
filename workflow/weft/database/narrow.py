"""The database as seen by a page of a few experiments."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

_TABLES = """
SELECT table_name FROM information_schema.columns JOIN information_schema.tables
USING (table_catalog, table_schema, table_name)
WHERE column_name = 'experiment' AND table_catalog = current_database() AND table_schema = 'main'
  AND table_type = 'BASE TABLE'
"""


def narrow(connection: duckdb.DuckDBPyConnection, experiments: Sequence[str]) -> None:
    """Let every query of this connection see the rows of `experiments` alone.

    A variant, `x@quick`, appears under the name of its experiment, `x`: queries that were written
    for the experiment hold for it, too. The database's own views look for their tables among those
    of the connection first, so they follow.
    """
    database = connection.execute("SELECT current_database()").fetchall()[0][0]
    allowed = ", ".join("'" + name.replace("'", "''") + "'" for name in experiments) or "NULL"
    for (table,) in connection.execute(_TABLES).fetchall():
        connection.execute(
            f'CREATE OR REPLACE TEMP VIEW "{table}" AS'
            " SELECT * REPLACE (split_part(experiment, '@', 1) AS experiment)"
            f' FROM "{database}".main."{table}" WHERE experiment IN ({allowed})'
        )
