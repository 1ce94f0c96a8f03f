"""Parameters of points as one typed column per dotted key.

The type of a column follows from the values of all experiments. `parameter_kinds` keeps which kinds
of values each experiment has, so that a change of one shows what becomes of the types without a
look at the points of the others.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping

import duckdb
import pyarrow as pa

from weft.database.points import spread
from weft.database.sql import batches, create, experiments, insert, quoted
from weft.database.values import Values, parameter_values
from weft.plan.model import Point
from weft.plan.points import Points

#: What stands in `parameters` before them.
KEYS = pa.schema(
    [("experiment", pa.string()), ("point_id", pa.string()), ("replicate", pa.int64())]
)
KINDS = pa.schema([("experiment", pa.string()), ("parameter", pa.string()), ("kind", pa.string())])
#: A parameter that a point has without a value.
EMPTY = "NULL"
_KIND_OF = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", str: "VARCHAR", type(None): EMPTY}
_ARROW = {
    "BOOLEAN": pa.bool_(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "VARCHAR": pa.string(),
}  # fmt: skip


def kinds(points: Points) -> set[tuple[str, str]]:
    """Each parameter with each kind of value that it has in `points`."""
    return {
        (key, _KIND_OF.get(type(value), "JSON"))
        for key, found in parameter_values(points).items()
        for value in found.values
    }


def kinds_table(experiment: str, found: Collection[tuple[str, str]]) -> pa.Table:
    """Rows of `parameter_kinds`."""
    listed = sorted(found)
    columns = [[experiment] * len(listed), [key for key, _ in listed], [kind for _, kind in listed]]
    return pa.table(columns, schema=KINDS)


def column_type(found: Collection[str]) -> str:
    """Integers, floats and booleans keep their type; anything mixed or nested becomes text."""
    present = set(found) - {EMPTY}
    for kind in ("BOOLEAN", "BIGINT"):
        if present == {kind}:
            return kind
    return "DOUBLE" if present and present <= {"BIGINT", "DOUBLE"} else "VARCHAR"


def create_parameters(con: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of parameters without any, unless they are there."""
    create(con, "parameters", KEYS)
    create(con, "parameter_kinds", KINDS)


def columns(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The parameters that have a column, sorted, with its type."""
    described = con.execute("SELECT name, type FROM pragma_table_info('parameters')").fetchall()
    return {name: kind for name, kind in sorted(described) if name not in KEYS.names}


def write_parameters(con: duckdb.DuckDBPyConnection, fresh: Mapping[str, Iterable[Points]]) -> None:
    """Bring `parameters` to what `points` and `parameter_kinds` say.

    It lacks the rows of the experiments `fresh`, given with their points, and holds those of all
    others. Where a column comes to another type, all are written anew.
    """
    listed = con.execute("SELECT parameter, list(kind) FROM parameter_kinds GROUP BY ALL")
    wanted = {key: column_type(found) for key, found in sorted(listed.fetchall())}
    present = columns(con)
    if any(wanted.get(key, kind) != kind for key, kind in present.items()):
        con.execute("DROP TABLE parameters")
        create_parameters(con)
        present = {}
        fresh = {name: fresh.get(name) or _stored(con, name) for name in experiments(con)}
    for key in wanted:
        if key not in present:
            con.execute(f"ALTER TABLE parameters ADD COLUMN {quoted(key)} {wanted[key]}")
    for key in present.keys() - wanted.keys():
        con.execute(f"ALTER TABLE parameters DROP COLUMN {quoted(key)}")
    for experiment, batch in fresh.items():
        for points in batch:
            insert(con, "parameters", _table(experiment, points, wanted))


def _stored(con: duckdb.DuckDBPyConnection, experiment: str) -> Iterator[Points]:
    """The points that the database holds of `experiment`."""
    query = (
        "SELECT point_id, engine, replicate, seed, spec, coordinates FROM points"
        " WHERE experiment = $experiment"
    )
    for rows in batches(con, query, {"experiment": experiment}):
        yield Points.of(
            Point(point_id, engine, replicate, seed, json.loads(spec), json.loads(where))
            for point_id, engine, replicate, seed, spec, where in rows
        )


def _table(experiment: str, points: Points, types: Mapping[str, str]) -> pa.Table:
    arrays = {
        "experiment": pa.array([experiment] * len(points), pa.string()),
        "point_id": points.ids,
        "replicate": points.column("replicate"),
    }
    for key, found in parameter_values(points).items():
        arrays[key] = spread(_typed(found, types[key]), found.places)
    return pa.table(arrays)


def _typed(found: Values, kind: str) -> pa.Array:
    values = list(found.values)
    if kind == "DOUBLE":
        values = [None if value is None else float(value) for value in values]
    elif kind == "VARCHAR":
        values = [_text(value) for value in values]
    return pa.array(values, _ARROW[kind])


def _text(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, sort_keys=True)
