"""Points whose side files were lost are computed again before the tables are made anew."""

import json

import pytest
from weft.engines.execute import run_shard
from weft.engines.journal import append
from weft.engines.native import NativeEngine
from weft.plan.outcome import DamagedError, read_outcome
from weft.tables import read_table

from tests.engines.test_shards import POINT, journal_line, shard

HEADER = "message_id,src,dst,bytes,start_s,finish_s\n"
ROW = "0,0,1,500,1e-6,2e-6\n"
FIRST, SECOND = ("a" * 12, "b" * 12)


class Answers(NativeEngine):
    """Computes what the journal lacks, as a simulator does, and notes which points these were."""

    def __init__(self):
        super().__init__("flow", "crate", ("messages",))
        self.computed = []

    def run(self, job):
        known = job.journal.read_text() if job.journal.exists() else ""
        for point in json.loads(job.shard_file.read_text())["points"]:
            if point["digest"] not in known:
                (job.directory / f"messages-{point['point_id']}.csv").write_text(HEADER + ROW)
                append(job.journal, journal_line(point["digest"]) | {"point_id": point["point_id"]})
                self.computed.append(point["point_id"])


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a shard of two points with a table; the points that it computed."""
    found = Answers()
    for module in ("execute", "results"):
        monkeypatch.setattr(f"weft.engines.{module}.shard_engine", lambda _: found)
    asked = {"options": {**POINT["options"], "tables": ["messages"]}}
    points = [
        {**POINT, **asked, "point_id": each, "seed": seed}
        for seed, each in enumerate((FIRST, SECOND))
    ]
    content = shard(points) | {"declared": {"program": "crate"}}
    (tmp_path / "shard.json").write_text(json.dumps(content))

    def computed():
        found.computed.clear()
        out = tmp_path / "out"
        run_shard(tmp_path / "shard.json", None, None, out, 1, tmp_path / "run.log")
        rows = read_table("messages", out / "messages.parquet").to_pylist()
        assert sorted(row["point_id"] for row in rows) == [FIRST, SECOND]
        assert {row["finish_s"] for row in rows} == {2e-6}
        return found.computed.copy()

    assert computed() == [FIRST, SECOND]
    assert computed() == []
    return computed


def test_a_point_without_its_side_file_is_computed_again(tmp_path, run, capsys):
    (tmp_path / "out" / f"messages-{SECOND}.csv").unlink()
    assert run() == [SECOND]
    assert f"messages-{SECOND}.csv is gone or altered" in capsys.readouterr().err
    assert run() == []


def test_a_point_with_an_altered_side_file_is_computed_again(tmp_path, run):
    (tmp_path / "out" / f"messages-{FIRST}.csv").write_text(HEADER + ROW.replace("2e-6", "3e-6"))
    assert run() == [FIRST]


def test_where_nothing_was_noted_a_point_without_any_side_file_is_computed_again(tmp_path, run):
    (tmp_path / "out" / "side_files.json").unlink()
    for path in (tmp_path / "out").glob("messages-*.csv"):
        path.unlink()
    assert run() == [FIRST, SECOND]


def test_a_point_with_an_altered_file_of_its_own_is_computed_again(tmp_path, run):
    folder = tmp_path / "out"
    for point_id in (FIRST, SECOND):
        (folder / f"history-{point_id}.json").write_text("{}")
    assert run() == []
    assert f"history-{FIRST}.json" in read_outcome(folder).files
    (folder / f"history-{FIRST}.json").write_text("{ }")
    with pytest.raises(DamagedError, match=f"history-{FIRST}.json was altered"):
        read_outcome(folder)
    assert run() == [FIRST]
