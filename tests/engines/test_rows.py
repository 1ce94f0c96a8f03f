"""Rows become Arrow tables as pyarrow makes them, and a job needs no pandas for them."""

import subprocess
import sys

import pyarrow as pa
import pytest
from weft.tables.rows import column, table_of

SCHEMA = pa.schema([("a", pa.string()), ("b", pa.int64()), ("c", pa.float64())])
ROWS = [
    {"a": "x", "b": 1, "c": 0.1},
    {"a": "", "b": -(2**63), "c": float("inf")},
    {"a": "µ→é", "b": None, "c": 3},
    {"a": None, "b": 2**63 - 1},
    {},
] * 5


@pytest.mark.parametrize("rows", [ROWS, ROWS[:2], [], [{}], [{"b": 7}] * 9])
def test_a_table_is_that_of_pyarrow(rows):
    found = table_of(rows, SCHEMA)
    found.validate(full=True)
    assert found.equals(pa.Table.from_pylist(rows, schema=SCHEMA))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1.0, 2.0], pa.int64()),
        ([1.5], pa.int64()),
        (["1"], pa.int64()),
        ([2**63], pa.int64()),
        (["x"], pa.float64()),
        ([1], pa.string()),
        ([b"x"], pa.string()),
        (["\ud800"], pa.string()),
    ],
)
def test_what_hardly_fits_is_left_to_pyarrow(values, kind):
    def outcome(make):
        try:
            return make(values, kind).to_pylist()
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeError) as error:
            return type(error)

    assert outcome(column) == outcome(pa.array)


def test_a_column_that_no_table_has_is_refused():
    with pytest.raises(pa.ArrowInvalid, match="columns \\['d'\\] are not in the schema"):
        table_of([{"d": 1}], SCHEMA)


PROBE = """
import sys
from pathlib import Path
import weft.engines.execute
from weft.tables import SCHEMAS, write_table
from weft.tables.rows import table_of
write_table("runs", [{"point_id": "x", "attempt": 1, "flag": None}], Path(sys.argv[1]))
write_table("links", table_of([], SCHEMAS["links"]), Path(sys.argv[1]))
print(*sorted({"pandas", "pyarrow.compute", "pydantic", "duckdb", "hydra"} & set(sys.modules)))
"""


def test_the_tables_of_a_shard_need_no_pandas(tmp_path):
    command = [sys.executable, "-c", PROBE, str(tmp_path / "x.parquet")]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
