"""What a worker keeps of its tasks' points, and what leaves first."""

import json
import os
from pathlib import Path

import pytest
from weft.engines.journal import now, read_journal
from weft.files.layout import ExperimentFolder, Layout
from weft.plan import Plan, Points, Shard
from weft.service.worker.shared import KNOWN, PointCache

from tests.archive.conftest import demo_point, finish

BLOCK = 4096
PLENTY = 1 << 30


def planned(name: str, *sizes: int) -> Plan:
    points = [demo_point(k) for k in sizes]
    ids = tuple(point.point_id for point in points)
    shard = Shard(f"shard{len(ids)}", "flow", "1", ids)
    return Plan(name, "Demo", "Is it so?", Points.of(points), (shard,))


def folder_of(root: Path, name: str) -> ExperimentFolder:
    return Layout(root / name).results.experiment(name)


@pytest.fixture
def kept(tmp_path: Path) -> PointCache:
    """Three points of an earlier task; the first was asked for longest ago."""
    cache, plan = PointCache(tmp_path / "shared", PLENTY), planned("first", 3, 4, 5)
    folder = folder_of(tmp_path, "first")
    finish(plan, folder)
    cache.store(plan, folder)
    for k, path in paths(cache).items():
        os.utime(path, (1e9 + k, 1e9 + k))
    return cache


def paths(cache: PointCache) -> dict[int, Path]:
    """What the cache has, by the size of the points' topology, as its result gives it away."""
    found = {}
    for path in cache.folder.glob("??/*"):
        (metric,) = json.loads(path.read_bytes())["metrics"]
        found[round(1000 * metric["value"])] = path
    return found


def ask(root: Path, cache: PointCache, *wanted: int) -> int:
    """Of a later task: how many of its points are known."""
    plan, folder = planned("later", *wanted), folder_of(root, "later")
    finish(plan, folder)
    for path in folder.shard("flow", plan.shards[0].shard_id).path.iterdir():
        path.unlink()
    return cache.seed(plan, folder)


def test_what_no_task_has_asked_for_longest_leaves_first(tmp_path: Path, kept: PointCache) -> None:
    assert ask(tmp_path, kept, 3) == 1
    full = PointCache(kept.folder, 3 * BLOCK - 1)
    full.store(planned("first", 3, 4, 5), folder_of(tmp_path, "first"))
    assert paths(full).keys() == {3, 5}
    # A worker that goes on counts what it adds.
    full.store(planned("first", 3, 4, 5), folder_of(tmp_path, "first"))
    assert len(paths(full)) == 2
    assert 4 in paths(full)


def test_within_the_bound_everything_stays(tmp_path: Path, kept: PointCache) -> None:
    PointCache(kept.folder, 3 * BLOCK).store(planned("none"), folder_of(tmp_path, "none"))
    assert paths(kept).keys() == {3, 4, 5}
    PointCache(kept.folder, 0).store(planned("none"), folder_of(tmp_path, "none"))
    assert not paths(kept)


def test_a_known_point_looks_as_if_it_was_computed_but_for_one_note(
    tmp_path: Path, kept: PointCache
) -> None:
    del kept
    plan, first = planned("first", 3), folder_of(tmp_path / "one", "first")
    finish(plan, first)
    left = first.shard("flow", plan.shards[0].shard_id)
    (point,) = plan.points
    printed = f"point {point.point_id}: OK\npoint {point.point_id}: 3 steps\n"
    left.log.write_text(f"1 of 1 points\n{printed}point of no return\n")
    cache = PointCache(tmp_path / "other", PLENTY)
    cache.store(plan, first)
    computed = json.loads(left.journal.read_text())
    later = folder_of(tmp_path / "two", "first")
    finish(plan, later)
    mine = later.shard("flow", plan.shards[0].shard_id)
    for path in mine.path.iterdir():
        path.unlink()
    before = now()
    assert cache.seed(plan, later) == 1
    assert mine.printed.read_text() == printed
    (known,) = read_journal(mine.journal)
    assert known["started_at"] >= before
    assert known["environment"]["notes"] == [KNOWN]
    same = computed.keys() - {"crc32", "started_at", "environment"}
    assert {key: known[key] for key in same} == {key: computed[key] for key in same}
    # What was known does not come back as if it had been computed.
    again = PointCache(tmp_path / "third", PLENTY)
    again.store(plan, later)
    assert not paths(again)
