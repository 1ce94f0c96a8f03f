"""What is deleted or altered is computed again, and what is kept is what was computed."""

import random
import re
import shutil
from pathlib import Path

import duckdb
import pytest
from weft.engines import engine
from weft.engines.execute import run_shard
from weft.files import sealed
from weft.plan.outcome import DamagedError, read_outcome
from weft.prepare.collection_name import collection_name, rename_collection
from weft.tables import read_table

ROOT = Path(__file__).parents[2]
BINARY = ROOT / "simulators" / "target" / "release" / "weft-flow"
FLIPS = 25


def flipped(path, bit):
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << (bit % 8)
    path.write_bytes(content)


@pytest.fixture
def shard(tmp_path, monkeypatch):
    """A shard of three points that `weft-flow` has computed; called again, it computes again."""
    monkeypatch.setenv("WEFT_FLOW", str(BINARY))
    points = [
        {
            "point_id": f"{seed:012x}",
            "engine": "flow",
            "seed": seed,
            "topology": {"kind": "torus", "sizes": [3, 3], "ties": "plus", "nodes": 9},
            "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 0.0, "hop_latency_s": 0.0},
            "workload": {"kind": "messages", "pattern": "uniform", "per_node": 2, "outstanding": 1,
                         "message_bytes": [100], "include_self": False},
            "options": {"model": "equal_share", "tables": ["messages"]},
        }
        for seed in (1, 2, 3)
    ]  # fmt: skip
    version = engine("flow").describe()["version"]
    content = {"schema": 1, "engine": "flow", "engine_version": version, "shard": "b" * 12}
    path = tmp_path / "shard.json"
    path.write_text(sealed({**content, "attempts": {}, "points": points}))

    def compute():
        run_shard(path, None, None, tmp_path / "out", 1, tmp_path / "run.log")
        return tmp_path / "out"

    compute()
    return compute


def values(folder):
    rows = read_table("metrics", folder / "metrics.parquet").to_pylist()
    return sorted((row["point_id"], row["metric"], row["value"]) for row in rows)


def test_every_changed_bit_of_a_finished_shard_is_seen(shard):
    folder = shard()
    for path in [*folder.glob("*.parquet"), folder / "journal.jsonl", folder / "status.json"]:
        whole = path.read_bytes()
        for bit in random.Random(path.name).sample(range(len(whole) * 8), FLIPS):
            flipped(path, bit)
            with pytest.raises(DamagedError, match=re.escape(str(path))):
                read_outcome(folder)
            path.write_bytes(whole)
    assert read_outcome(folder).done


def test_every_changed_bit_of_the_seal_is_seen(shard):
    """All bits, because a shard whose seal no longer reads as one must not pass without it."""
    folder = shard()
    path = folder / "status.json"
    whole = path.read_bytes()
    start = whole.rindex(b',"crc32"')
    for bit in range(start * 8, len(whole.rstrip(b"\n")) * 8):
        flipped(path, bit)
        with pytest.raises(DamagedError):
            read_outcome(folder)
        path.write_bytes(whole)


@pytest.mark.slow
def test_a_point_whose_journal_line_has_changed_is_computed_again(shard, capfd):
    folder = shard()
    before, journal = values(folder), folder / "journal.jsonl"
    whole = journal.read_bytes()
    for bit in random.Random(1).sample(range(len(whole) * 8), FLIPS):
        journal.write_bytes(whole)
        flipped(journal, bit)
        (folder / "status.json").unlink()
        shard()
        assert values(folder) == before
        assert journal.read_bytes().count(b"\n") >= 3
    assert f"{journal}:" in capfd.readouterr().err


def answers(project):
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        return con.execute(
            "SELECT point_id, metric, message_bytes, value FROM metrics"
            " WHERE experiment = 'harmed' ORDER BY ALL"
        ).fetchall()


@pytest.mark.slow
@pytest.mark.long("runs")
def test_deleted_and_altered_shards_are_planned_and_computed_again(project):
    path = project.small("harmed", {"from": 3, "to": 8})
    path.write_text(path.read_text() + "engine: {flow: {shard_points: 1}}\n")
    assert project.collect("harmed").code == 0
    before = answers(project)
    deleted, lacking, altered, forgotten, cut, _whole = sorted(
        (project.folder / "results/harmed/flow").iterdir()
    )
    shutil.rmtree(deleted)
    (lacking / "runs.parquet").unlink()
    flipped(altered / "metrics.parquet", 999)
    (forgotten / "journal.jsonl").unlink()
    (cut / "status.json").write_bytes((cut / "status.json").read_bytes()[:-9])

    shown = project.run("plan", "--config", "experiments=[harmed]")
    assert re.search(r"^harmed +flow +6 +6 +5 +1 +0 +0 +0$", shown.output, re.MULTILINE), (
        shown.output
    )
    looked = project.collect("harmed", "-n")
    ran = project.collect("harmed")
    assert ran.code == 0, ran.output
    assert looked.jobs == ran.jobs == {"simulate": 5, "collect": 1}
    for file in (lacking / "runs.parquet", altered / "metrics.parquet"):
        assert f"weft: {file.relative_to(project.folder)} " in ran.output
    assert answers(project) == before
    assert project.collect("harmed").jobs == {}


def test_a_damaged_name_of_a_collection_is_none_and_the_next_is_written(tmp_path):
    rename_collection(tmp_path, "tori")
    file = tmp_path / "tori" / "collection"
    file.write_bytes(b"\xff\x00{")
    assert not collection_name(tmp_path, "tori")
    rename_collection(tmp_path, "tori")
    assert collection_name(tmp_path, "tori")


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_lost_shard_is_computed_again_also_without_the_notes_of_snakemake(project):
    project.small("lost", [3])
    assert project.run("reports/lost.html").code == 0
    for folder in (".snakemake", "results/lost/flow"):
        shutil.rmtree(project.folder / folder)
    jobs = {"simulate": 1, "collect": 1, "report": 1}
    assert project.run("reports/lost.html", "-n").jobs == jobs
    assert project.run("reports/lost.html").jobs == jobs
    assert project.run("reports/lost.html", "-n").jobs == {}


@pytest.mark.slow
@pytest.mark.long("runs")
def test_an_altered_database_is_collected_anew(project):
    project.small("rebuilt", [3])
    project.collect("rebuilt")
    database = project.folder / "results/weft.duckdb"
    flipped(database, database.stat().st_size * 4)
    assert project.collect("rebuilt", "-n").jobs == {"collect": 1}
    assert project.collect("rebuilt").jobs == {"collect": 1}
    assert project.collect("rebuilt").jobs == {}
