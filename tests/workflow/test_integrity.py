"""What is deleted or altered is computed again, and what is kept is what was computed."""

import os
import random
import re
import shutil
from pathlib import Path

import duckdb
import pytest
from weft.engines import engine
from weft.engines.execute import run_shard
from weft.files import sealed
from weft.files.layout import ExperimentFolder
from weft.plan.outcome import DamagedError, read_outcome
from weft.prepare.state.collection_name import collection_name, rename_collection
from weft.tables import read_table

ROOT = Path(__file__).parents[2]
BINARY = ROOT / "simulators" / "target" / "release" / "weft-flow"
FLIPS = 25


def flipped(path, bit, keep_time=False):
    times = path.stat()
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << (bit % 8)
    path.write_bytes(content)
    if keep_time:
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


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


def answers(project, experiment="harmed"):
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        return con.execute(
            "SELECT point_id, metric, message_bytes, value FROM metrics"
            " WHERE experiment = ? ORDER BY ALL",
            [experiment],
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
        assert f"weft: harmed: {file.relative_to(project.folder)} " in ran.output
    assert answers(project) == before
    assert project.collect("harmed").jobs == {}


def test_a_damaged_name_of_a_collection_is_none_and_the_next_is_written(tmp_path):
    folder = ExperimentFolder(tmp_path / "tori")
    rename_collection(folder)
    whole = folder.collection.read_bytes()
    for damaged in (b"\xff\x00{", whole[:-4], whole.replace(b'"name": "', b'"name": "0')):
        folder.collection.write_bytes(damaged)
        assert not collection_name(folder)
    rename_collection(folder)
    assert collection_name(folder)


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_changed_digit_in_a_small_file_is_not_believed(project):
    """Counts of a stamp, shards of a plan: a look announces what the run then does."""
    path = project.small("believed", {"from": 3, "to": 5})
    path.write_text(path.read_text() + "engine: {flow: {shard_points: 1}}\n")
    page = "reports/believed.html"
    assert project.run(page).code == 0
    before, folder = answers(project, "believed"), project.folder / "results/believed"
    for name, old, new in (
        ("collected.json", '"done": 3', '"done": 2'),
        ("plan.json", "Does it run?", "Does it ruN?"),
        ("plan.json", '"shard_id":"', '"shard_id":"0'),
        ("collection", '"name": "', '"name": "0'),
    ):
        file = folder / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))
        looked, ran = project.run(page, "-n"), project.run(page)
        assert ran.code == 0, ran.output
        assert "believed: 3 points: 3 done" in ran.output
        assert looked.jobs == ran.jobs, (name, looked.output)
        assert "simulate" not in ran.jobs
        assert answers(project, "believed") == before
        assert project.run(page).jobs == {}


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


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_bit_that_no_time_shows_is_mended_by_the_run_that_reads_it(project):
    """The repair of one shard makes the collection read all of them."""
    path = project.small("silent", {"from": 3, "to": 6})
    path.write_text(path.read_text() + "engine: {flow: {shard_points: 1}}\n")
    assert project.collect("silent").code == 0
    before = answers(project, "silent")
    lacking, altered, *_whole = sorted((project.folder / "results/silent/flow").iterdir())
    flipped(altered / "metrics.parquet", 999, keep_time=True)
    assert project.collect("silent").jobs == {}, "nothing reads it"

    (lacking / "runs.parquet").unlink()
    looked = project.collect("silent", "-n")
    ran = project.collect("silent")
    assert ran.code == 0, ran.output
    assert looked.jobs == ran.jobs == {"simulate": 2, "collect": 1}
    metrics = (altered / "metrics.parquet").relative_to(project.folder)
    said = f"weft: silent: {metrics} was altered after it was written: shard {altered.name} is"
    assert ran.output.count(said) == 1, ran.output
    assert answers(project, "silent") == before


@pytest.mark.slow
@pytest.mark.long("runs")
def test_damage_that_only_the_collection_finds_is_mended_by_the_next_run(project):
    """The planner does not look: nothing but another experiment's page is asked for."""
    for name in ("left", "other"):
        path = project.small(name, {"from": 3, "to": 5})
        path.write_text(path.read_text() + "engine: {flow: {shard_points: 1}}\n")
        assert project.collect(name).code == 0
    before = answers(project, "left")
    altered, *_whole = sorted((project.folder / "results/left/flow").iterdir())
    flipped(altered / "metrics.parquet", 999, keep_time=True)
    (project.folder / "results/weft.duckdb").unlink()

    ran = project.collect("other")
    assert ran.code == 0, ran.output
    assert f"{altered.name}/metrics.parquet was altered after it was written" in ran.output
    assert 0 < len(answers(project, "left")) < len(before)
    ran = project.collect("left")
    assert ran.jobs == {"simulate": 1, "collect": 1}
    assert "left: 3 points: 3 done" in ran.output
    assert answers(project, "left") == before
