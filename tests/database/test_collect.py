"""The database from plans and Parquet files, without Snakemake."""

import json
import os
import time

import duckdb
import pytest
from weft.database import collect, stamp_path
from weft.plan import Plan, Point, Points, Shard, write_plan
from weft.plan.outcome import DamagedError, read_outcome, write_outcome
from weft.plan.outcomes import read_held
from weft.plan.stored import points_file
from weft.tables import write_table


def point(number, experiment_key="k", value=None, **spec):
    value = number if value is None else value
    spec = {"engine": "flow", "topology": {"kind": "torus", experiment_key: value}, **spec}
    return Point(f"{number:012x}", "flow", 0, 1, spec, {f"topology.{experiment_key}": value})


def plan(name, points, shard="5" * 12):
    ids = tuple(p.point_id for p in points)
    return Plan(name, name, "?", Points.of(points), (Shard(shard, "flow", "1", ids),))


def finish(results, plan, failed=()):
    """Write what an engine leaves behind: one metric per point."""
    write_plan(plan, results / plan.experiment / "plan.json")
    [shard] = plan.shards
    folder = results / plan.experiment / "flow" / shard.shard_id
    folder.mkdir(parents=True, exist_ok=True)
    done = [i for i in shard.point_ids if i not in failed]
    runs = [
        {"point_id": i, "attempt": 1, "engine": "flow", "status": "done" if i in done else "failed"}
        for i in shard.point_ids
    ]
    metrics = [{"point_id": i, "metric": "makespan_s", "value": 1.5, "unit": "s"} for i in done]
    write_table("runs", runs, folder / "runs.parquet")
    write_table("metrics", metrics, folder / "metrics.parquet")
    write_outcome(folder, {"done": done, "failed": failed}, None)
    return folder


@pytest.fixture
def room(tmp_path):
    """The folders `results` and `papers`, and a function that collects and queries."""
    (tmp_path / "papers" / "mfs").mkdir(parents=True)
    results = tmp_path / "results"

    def collected(experiment, query=None):
        collect(experiment, results, tmp_path / "papers", results / "weft.duckdb")
        if query:
            with duckdb.connect(str(results / "weft.duckdb"), read_only=True) as con:
                return con.execute(query).fetchall()
        return json.loads(stamp_path(results, experiment).read_text())

    collected.results, collected.papers = results, tmp_path / "papers"
    return collected


@pytest.mark.slow
def test_answers_show_parameters_and_gaps(room):
    points = [point(1), point(2), point(3)]
    finish(room.results, plan("a", points[:2]), failed=[points[1].point_id])
    write_plan(
        Plan("a", "a", "?", Points.of(points), plan("a", points[:2]).shards),
        room.results / "a" / "plan.json",
    )
    rows = room(
        "a", 'SELECT "topology.k", status, metric, value FROM answers ORDER BY "topology.k"'
    )
    assert rows == [
        (1, "done", "makespan_s", 1.5),
        (2, "failed", None, None),
        (3, "missing", None, None),
    ]
    stamp = room("a")
    assert [stamp[key] for key in ("points", "done", "failed", "missing")] == [3, 1, 1, 1]


def test_bandwidth_follows_from_the_one_way_time(room):
    folder = finish(room.results, plan("a", [point(1)]))
    timed = {"point_id": f"{1:012x}", "metric": "one_way_time_s", "unit": "s"}
    rows = [{**timed, "message_bytes": size, "value": 2e-6} for size in (0, 4096)]
    write_table("metrics", rows, folder / "metrics.parquet")
    write_outcome(folder, {"done": [timed["point_id"]]}, None)
    query = "SELECT message_bytes, value, unit FROM answers WHERE metric = 'bandwidth_bytes_per_s'"
    assert room("a", query) == [(4096, pytest.approx(4096 / 2e-6), "B/s")]


def test_the_exposed_share_follows_from_the_program_time_of_the_same_size(room):
    folder = finish(room.results, plan("a", [point(1), point(2)]))
    times = [(1, None, 6.0, 1.5), (2, 8, 4.0, 3.0), (2, 16, 0.0, 0.0)]
    rows = [
        {"point_id": f"{p:012x}", "metric": name, "unit": "s", "message_bytes": size, "value": s}
        for p, size, *both in times
        for name, s in zip(("program_time_s", "exposed_time_s"), both, strict=True)
    ]
    write_table("metrics", rows, folder / "metrics.parquet")
    write_outcome(folder, {"done": [f"{1:012x}", f"{2:012x}"]}, None)
    query = "SELECT message_bytes, value, unit FROM answers WHERE metric = 'exposed_share'"
    assert sorted(room("a", query), key=str) == [(8, 0.75, "1"), (None, 0.25, "1")]


def test_a_point_of_two_experiments_counts_once_in_each(room):
    finish(room.results, plan("a", [point(1)]))
    finish(room.results, plan("b", [point(1)]))
    rows = room("a", "SELECT experiment, count(*) FROM answers GROUP BY ALL ORDER BY ALL")
    assert rows == [("a", 1), ("b", 1)]


def test_parameters_keep_their_types(room):
    points = [
        point(1, "k", 2, network={"latency_s": 0}),
        point(2, "k", 3, network={"latency_s": 0.5}),
        point(3, "sizes", [2, 3], options={"fast": True}),
    ]
    finish(room.results, plan("a", points))
    rows = room(
        "a",
        "SELECT column_name, data_type FROM duckdb_columns()"
        " WHERE table_name = 'parameters' AND column_name LIKE '%.%' ORDER BY ALL",
    )
    assert rows == [
        ("network.latency_s", "DOUBLE"),
        ("options.fast", "BOOLEAN"),
        ("topology.k", "BIGINT"),
        ("topology.kind", "VARCHAR"),
        ("topology.sizes", "VARCHAR"),
    ]


def test_rows_of_points_no_longer_planned_are_left_out(room):
    whole = plan("a", [point(1), point(2)])
    finish(room.results, whole)
    write_plan(
        Plan("a", "a", "?", whole.points[:1], whole.shards), room.results / "a" / "plan.json"
    )
    assert room("a", "SELECT count(*) FROM metrics") == [(1,)]


@pytest.mark.slow
def test_news_of_one_experiment_keep_the_stamps_of_others(room):
    finish(room.results, plan("a", [point(1)]))
    first = room("a")
    finish(room.results, plan("b", [point(2)]))
    room("b")
    assert room("a") == first


def flip(path, bit=999):
    """Change one bit; size and times stay."""
    times = path.stat()
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << (bit % 8)
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def two_shards(results, name, first):
    """An experiment of two finished shards, with a point each."""
    points = [point(first), point(first + 1)]
    each = [plan(name, [one], str(one.coordinates["topology.k"]) * 12) for one in points]
    folders = [finish(results, one) for one in each]
    shards = tuple(shard for one in each for shard in one.shards)
    write_plan(Plan(name, name, "?", Points.of(points), shards), results / name / "plan.json")
    return folders


ROWS = "SELECT experiment, point_id FROM metrics ORDER BY ALL"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["missing", "touched", "of other code"])
def test_what_is_damaged_of_another_experiment_is_named_and_the_rest_kept(
    room, how, capfd, monkeypatch
):
    damaged, _ = two_shards(room.results, "a", 1)
    finish(room.results, plan("b", [point(3)]))
    room("a")
    before = room("b", ROWS)
    flip(damaged / "metrics.parquet")
    database = room.results / "weft.duckdb"
    if how == "missing":
        database.unlink()
    elif how == "touched":
        os.utime(database)
    else:
        monkeypatch.setattr("weft.database.whole.writer", lambda: "other")
    capfd.readouterr()
    assert room("b", ROWS) == [row for row in before if row != ("a", f"{1:012x}")]
    said = capfd.readouterr().err
    assert said.count("\n") == 1 or how == "of other code"
    assert f"weft: a: {damaged / 'metrics.parquet'} was altered after it was written" in said
    assert "`snakemake reports/a.html` computes it again" in said
    assert not stamp_path(room.results, "a").exists()
    # The next plan looks at that shard alone, and sees it.
    assert read_held(room.results / "a").keys() == {"2" * 12}


@pytest.mark.slow
def test_an_experiment_whose_plan_is_damaged_is_named_and_not_held(room, capfd):
    two_shards(room.results, "a", 1)
    finish(room.results, plan("b", [point(3)]))
    room("a")
    points = points_file(room.results / "a" / "plan.json")
    flip(points)
    (room.results / "weft.duckdb").unlink()
    assert room("b", ROWS) == [("b", f"{3:012x}")]
    assert f"weft: a: {points} was altered after it was written" in capfd.readouterr().err
    assert not stamp_path(room.results, "a").exists()
    assert not read_held(room.results / "a")


@pytest.mark.slow
def test_a_damaged_shard_is_refused_and_the_others_are_kept(room):
    damaged, _ = two_shards(room.results, "a", 1)
    before = room("a", ROWS)
    flip(damaged / "metrics.parquet")
    with pytest.raises(DamagedError, match=r"metrics\.parquet was altered.*run again, computes"):
        room("a")
    with duckdb.connect(str(room.results / "weft.duckdb"), read_only=True) as con:
        assert con.execute(ROWS).fetchall() == before[1:]
    # What the note says the planner does not read: so the note must not say that it is there.
    assert read_held(room.results / "a").keys() == {"2" * 12}
    whole = finish(room.results, plan("a", [point(1)], "1" * 12))
    assert whole == damaged
    write_plan(
        Plan("a", "a", "?", Points.of([point(1), point(2)]), (
            *plan("a", [point(1)], "1" * 12).shards, *plan("a", [point(2)], "2" * 12).shards)),
        room.results / "a" / "plan.json",
    )  # fmt: skip
    assert room("a", ROWS) == before


@pytest.mark.slow
def test_a_shard_whose_table_nobody_can_read_has_not_ended(room):
    """Its checksum fits, so that no plan sees it."""
    folder = finish(room.results, plan("a", [point(1)]))
    (folder / "metrics.parquet").write_bytes(b"PAR1")
    write_outcome(folder, {"done": [f"{1:012x}"]}, None)
    with pytest.raises(DamagedError, match=r"metrics\.parquet is truncated"):
        room("a")
    assert read_outcome(folder) is None


def test_published_numbers(room):
    (room.papers / "mfs" / "table1.csv").write_text(
        "item,series,topology.k,routing,metric,value,unit,note\n"
        "table1,MFS,16,dmodk,makespan_s,3.2e-05,s,\n"
    )
    finish(room.results, plan("a", [point(1)]))
    rows = room("a", "SELECT paper, coordinates, value, note FROM published")
    assert rows == [("mfs", '{"routing": "dmodk", "topology.k": 16}', 3.2e-05, None)]


def test_a_bad_published_number_is_named_and_costs_others_nothing(room, capfd):
    """Experiments that show the file do not come so far: the plan refuses them."""
    (room.papers / "mfs" / "bad.csv").write_text(
        "item,series,metric,value,unit\nbad,MFS,makespan_s,fast,s\n"
    )
    (room.papers / "mfs" / "good.csv").write_text(
        "item,series,metric,value,unit\ngood,MFS,makespan_s,1,s\n"
    )
    finish(room.results, plan("a", [point(1)]))
    assert room("a", "SELECT item FROM published") == [("good",)]
    assert room("a", "SELECT metric, value FROM metrics") == [("makespan_s", 1.5)]
    assert "bad.csv:2: value 'fast' is not a finite number" in capfd.readouterr().err


@pytest.mark.slow
def test_the_time_of_a_collection_does_not_grow_faster_than_its_points(room):
    """Ten times as many points; a step for each pair would take a hundred times as long."""

    def cpu_s(name, count):
        points = [point(number, value=number) for number in range(count)]
        finish(room.results, plan(name, points))
        before = time.process_time()
        answered = f"SELECT count(*) FROM answers WHERE experiment = '{name}' AND value IS NOT NULL"
        assert room(name, answered) == [(count,)]
        return time.process_time() - before

    few = cpu_s("a", 1000)
    assert cpu_s("b", 10_000) < 40 * few
