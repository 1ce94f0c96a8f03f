"""CSV files and other files beside a journal become tables."""

import pytest
from weft.engines.base import ShardJob
from weft.engines.journal import append
from weft.engines.results import write_results
from weft.engines.shards import resolve
from weft.tables import read_table

from tests.engines.test_shards import POINT, journal_line, shard

ID = POINT["point_id"]


def written(folder, engine="packet"):
    """Writes the tables of a shard with one point that is done."""
    resolved = resolve({**shard([{**POINT, "engine": engine}]), "engine": engine}, None)
    job = ShardJob(resolved, folder / "input.json", folder, 1, folder / "run.log")
    append(job.journal, journal_line(resolved["points"][0]["digest"]))
    write_results(job, None)


def test_a_label_that_is_empty_or_has_no_column_is_null(tmp_path):
    row = "accepted_rate,0,1e-6,0.5,1"
    for name, header, line, label in [
        ("old", "metric,start_s,end_s,value,unit", row, None),
        ("empty", "metric,start_s,end_s,value,unit,label", f"{row},", None),
        ("new", "metric,start_s,end_s,value,unit,label", f"{row},x+", "x+"),
    ]:
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"series-{ID}.csv").write_text(f"{header}\n{line}\n")
        written(folder)
        [read] = read_table("series", folder / "series.parquet").to_pylist()
        assert (read["value"], read["label"]) == (0.5, label)


def test_a_history_is_found_by_the_table_of_files(tmp_path):
    folder = tmp_path / "results" / "x" / "packet" / "shard"
    folder.mkdir(parents=True)
    (folder / f"history-{ID}.json").write_text("{}")
    written(folder)
    [found] = read_table("files", folder / "files.parquet").to_pylist()
    place = f"x/packet/shard/history-{ID}.json"
    assert found == {"point_id": ID, "kind": "history", "path": place, "bytes": 2}
    assert (tmp_path / "results" / found["path"]).exists()


def test_without_such_files_there_is_no_table_of_them(tmp_path):
    written(tmp_path)
    assert not (tmp_path / "files.parquet").exists()


def test_every_message_has_its_rate(tmp_path):
    """500 bytes in a microsecond; a message within a node may take no time."""
    header = "message_id,src,dst,bytes,start_s,finish_s"
    lines = ["0,0,1,500,1e-6,2e-6", "1,0,0,500,1e-6,1e-6"]
    (tmp_path / f"messages-{ID}.csv").write_text("\n".join([header, *lines]) + "\n")
    written(tmp_path)
    read = read_table("messages", tmp_path / "messages.parquet").to_pylist()
    assert [row["rate_bytes_per_s"] for row in read] == [pytest.approx(5e8), None]


GARBAGE = {
    "text": b"it is mine\n" * 9,
    "bytes": bytes(range(256)) * 9,
    "cells": b"message_id,src,dst,bytes,start_s,finish_s\n0,0,1,x,1,2\n",
    "columns": b"message_id,src\n0,0\n",
    "empty": b"",
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_a_file_that_is_no_table_fails_its_point_alone(tmp_path, kind):
    other = {**POINT, "engine": "packet", "point_id": "f" * len(ID), "seed": 7}
    resolved = resolve({**shard([{**POINT, "engine": "packet"}, other]), "engine": "packet"}, None)
    job = ShardJob(resolved, tmp_path / "input.json", tmp_path, 1, tmp_path / "run.log")
    for point in resolved["points"]:
        append(job.journal, {**journal_line(point["digest"]), "point_id": point["point_id"]})
    header = "message_id,src,dst,bytes,start_s,finish_s"
    (tmp_path / f"messages-{ID}.csv").write_text(f"{header}\n0,0,1,500,1e-6,2e-6\n")
    (tmp_path / f"messages-{other['point_id']}.csv").write_bytes(GARBAGE[kind])
    write_results(job, None)
    [row] = read_table("messages", tmp_path / "messages.parquet").to_pylist()
    assert row["point_id"] == ID
    runs = read_table("runs", tmp_path / "runs.parquet").to_pylist()
    found = {run["point_id"]: run for run in runs}
    assert found[ID]["status"] == "done"
    assert found[other["point_id"]]["status"] == "failed"
    assert found[other["point_id"]]["error"].startswith("a table of the point cannot be read")
    metrics = read_table("metrics", tmp_path / "metrics.parquet").to_pylist()
    assert {metric["point_id"] for metric in metrics} == {ID}
