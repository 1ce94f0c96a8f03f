"""The rows of experiments in an open database: taken out, put in, one experiment at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import duckdb
import pyarrow as pa

from weft.database.found import Collected
from weft.database.parameters import (
    columns,
    create_parameters,
    kinds,
    kinds_table,
    write_parameters,
)
from weft.database.points import points_table
from weft.database.sql import create, insert
from weft.database.views import create_views
from weft.plan.points import Points
from weft.tables import SCHEMAS, SHARD_TABLES

#: Everything that has rows of experiments.
TABLES = ("points", "parameters", "parameter_kinds", "jobs", *SHARD_TABLES)
#: How many points are texts at a time.
BATCH = 50_000


def write(
    con: duckdb.DuckDBPyConnection,
    found: Iterable[Collected],
    published: Sequence[Mapping[str, object]],
    without: Collection[str] = (),
) -> None:
    """Take out the rows of the experiments `without`, then put in those that were `found`."""
    con.execute("BEGIN")
    _remove(con, without)
    fresh = {name: _batches(points) for name, points in (_insert(con, each) for each in found)}
    _replace_published(con, published)
    con.execute("COMMIT")
    con.execute("BEGIN")
    write_parameters(con, fresh)
    create_views(con, columns(con))
    con.execute("COMMIT")


def create_tables(con: duckdb.DuckDBPyConnection) -> None:
    """Create every table of rows that the database lacks."""
    for table in ("points", "published", "jobs"):
        create(con, table, SCHEMAS[table])
    create_parameters(con)
    for table in SHARD_TABLES:
        create(con, table, pa.schema([pa.field("experiment", pa.string()), *SCHEMAS[table]]))


def _remove(con: duckdb.DuckDBPyConnection, names: Collection[str]) -> None:
    for table in TABLES if names else ():
        con.execute(f"DELETE FROM {table} WHERE experiment IN (SELECT unnest(?))", [list(names)])


def _insert(con: duckdb.DuckDBPyConnection, each: Collected) -> tuple[str, Points]:
    """Put in all rows of an experiment but its parameters; returns its name and its points."""
    experiment = each.plan.experiment
    found: set[tuple[str, str]] = set()
    for points in _batches(each.plan.points):
        insert(con, "points", points_table(experiment, points))
        found |= kinds(points)
    insert(con, "parameter_kinds", kinds_table(experiment, found))
    insert(con, "jobs", pa.Table.from_pylist(list(each.jobs), schema=SCHEMAS["jobs"]))
    for table in SHARD_TABLES:
        _insert_files(con, table, experiment, each.files(table))
    return experiment, each.plan.points


def _batches(points: Points) -> Iterator[Points]:
    for start in range(0, len(points), BATCH):
        yield points[start : start + BATCH]


def _insert_files(
    con: duckdb.DuckDBPyConnection, table: str, experiment: str, files: Sequence[str]
) -> None:
    """Insert the rows of points that are still planned."""
    if files:
        con.execute(
            f"INSERT INTO {table} BY NAME SELECT $experiment AS experiment, rows.*"
            " FROM read_parquet($files, union_by_name = true, hive_partitioning = false) AS rows"
            " SEMI JOIN (SELECT point_id FROM points WHERE experiment = $experiment) AS planned"
            " ON rows.point_id = planned.point_id",
            {"experiment": experiment, "files": list(files)},
        )


def _replace_published(
    con: duckdb.DuckDBPyConnection, rows: Sequence[Mapping[str, object]]
) -> None:
    table = pa.Table.from_pylist(list(rows), schema=SCHEMAS["published"])
    if con.sql("FROM published").to_arrow_table() != table:
        con.execute("DELETE FROM published")
        insert(con, "published", table)
