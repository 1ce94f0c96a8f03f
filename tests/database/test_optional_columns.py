"""Files of earlier versions, which lack a column, beside those of today."""

import duckdb
import pyarrow.parquet as pq
import pytest
from weft.database import collect
from weft.plan import Plan, Point, Points, Shard, write_plan
from weft.plan.outcome import write_outcome
from weft.tables import SCHEMAS, read_table, with_all_columns, write_table

SERIES = [{"point_id": "p", "metric": "m", "start_s": 0.0, "end_s": 1.0, "value": 2.0, "unit": "1"}]


def without_label(rows, path):
    """As an earlier version wrote it."""
    write_table("series", rows, path)
    pq.write_table(pq.read_table(path).drop_columns(["label"]), path)


def finished(results, point_id, shard, write):
    folder = results / "a" / "flow" / shard
    folder.mkdir(parents=True)
    write([{**SERIES[0], "point_id": point_id}], folder / "series.parquet")
    write_outcome(folder, {"done": [point_id]}, None)
    point = Point(point_id, "flow", 0, 1, {"engine": "flow"}, {})
    return point, Shard(shard, "flow", "1", (point_id,))


def labelled(rows, path):
    write_table("series", [{**row, "label": "x+"} for row in rows], path)


@pytest.mark.parametrize(
    ("writers", "labels"),
    [([without_label], [None]), ([without_label, labelled], [None, "x+"]), ([labelled], ["x+"])],
)
def test_series_without_labels_come_into_the_database(tmp_path, writers, labels):
    made = [
        finished(tmp_path, f"{number:012x}", f"{number}" * 12, write)
        for number, write in enumerate(writers, 1)
    ]
    points, shards = zip(*made, strict=True)
    write_plan(Plan("a", "a", "?", Points.of(points), shards), tmp_path / "a" / "plan.json")
    collect("a", tmp_path, tmp_path / "papers", tmp_path / "weft.duckdb")
    with duckdb.connect(str(tmp_path / "weft.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT value, label FROM series ORDER BY point_id").fetchall()
    assert rows == [(2.0, label) for label in labels]


def test_a_table_without_an_optional_column_reads_as_null(tmp_path):
    without_label(SERIES, tmp_path / "series.parquet")
    table = read_table("series", tmp_path / "series.parquet")
    assert table.schema == SCHEMAS["series"]
    assert table["label"].to_pylist() == [None]


def test_a_table_without_another_column_is_refused(tmp_path):
    path = tmp_path / "series.parquet"
    write_table("series", SERIES, path)
    pq.write_table(pq.read_table(path).drop_columns(["unit"]), path)
    with pytest.raises(ValueError, match="table series needs others"):
        read_table("series", path)
    with pytest.raises(KeyError, match="unit"):
        with_all_columns("series", pq.read_table(path))
