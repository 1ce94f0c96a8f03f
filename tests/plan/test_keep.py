"""Which earlier shards a plan keeps, from the previous plan and from the disk."""

import pytest
from weft.engines.shards import earlier_shards, shard_path
from weft.files import sealed
from weft.plan import Point, Points, Shard
from weft.plan.keep import kept_shards
from weft.plan.outcome import ShardOutcome, write_outcome

VERSIONS = {"flow": "1"}
ENDED = ShardOutcome((), (), (), None, {}, "")


def shard(name, points, version="1"):
    return Shard(name, "flow", version, tuple(points))


def points(names):
    return Points.of(Point(name, "flow", 0, 1, {}, {}) for name in sorted(names))


def kept(planned, previous=(), earlier=(), ended=None):
    """Names of the kept shards; all of them ended unless `ended` names those that did."""

    def status(each):
        return ENDED if ended is None or each.shard_id in ended else None

    found, held = kept_shards(points(planned), VERSIONS, status, previous, lambda _: earlier)
    holding = {name for each in found for name in each.point_ids}
    assert held.tolist() == [name in holding for name in sorted(planned)]
    return [each.shard_id for each in found]


def test_what_the_previous_plan_lacks_comes_from_earlier_ones():
    assert kept("abc", [shard("1", "ab")], [shard("2", "c")]) == ["1", "2"]


def test_the_previous_plan_goes_first():
    assert kept("abc", [shard("1", "a")], [shard("2", "abc"), shard("3", "bc")]) == ["1", "3"]


def test_a_planned_point_is_in_one_kept_shard():
    earlier = [shard("1", "ab"), shard("2", "bcd"), shard("3", "a")]
    assert kept("abcd", [], earlier) == ["2", "3"]


def test_shards_may_share_points_that_are_not_planned():
    assert kept("ac", [shard("1", "ab")], [shard("2", "bc")]) == ["1", "2"]


def test_the_order_of_files_does_not_matter():
    earlier = [shard("2", "ab"), shard("1", "ab")]
    assert kept("ab", [], earlier) == kept("ab", [], earlier[::-1]) == ["1"]


def test_an_ended_shard_goes_before_one_that_only_began():
    assert kept("ab", [], [shard("1", "ab"), shard("2", "a")], ended="2") == ["2"]


def test_a_shard_that_did_not_end_stays_only_whole():
    earlier = [shard("1", "ab"), shard("2", "cd")]
    assert kept("abc", [], earlier, ended="") == ["1"]


def test_another_version_of_the_engine_is_not_kept():
    assert kept("a", [], [shard("1", "a", version="2")]) == []


def test_nothing_is_looked_up_when_the_previous_plan_has_all():
    def fail(_):
        raise AssertionError("the disk was read")

    assert kept_shards(points("a"), VERSIONS, lambda _: ENDED, [shard("1", "a")], fail)


@pytest.fixture
def disk(tmp_path):
    """Writes a shard file, and what its job left."""

    def write(name, points, version="1", ended=True):
        path = shard_path(tmp_path, "x", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"schema": 1, "engine": "flow", "engine_version": version, "shard": name}
        content["points"] = [{"point_id": point} for point in points]
        path.write_text(sealed(content))
        folder = tmp_path / "x" / "flow" / name
        folder.mkdir(parents=True)
        (folder / "journal.jsonl").touch()
        if ended:
            write_outcome(folder, {"done": points[:1], "failed": points[1:]}, None)
        return path

    write.look_up = earlier_shards(tmp_path, "x", VERSIONS)
    return write


def test_shards_on_the_disk_that_hold_a_point_are_found(disk):
    disk("1", "ab")
    disk("2", "c")
    assert list(disk.look_up(points("b"))) == [shard("1", "ab")]


def test_shards_that_began_are_found(disk):
    disk("1", "ab", ended=False)
    assert list(disk.look_up(points("b"))) == [shard("1", "ab")]


def test_shards_of_another_version_are_not_found(disk):
    disk("1", "ab", version="2")
    assert list(disk.look_up(points("b"))) == []


def test_a_damaged_shard_file_counts_as_none(disk):
    path = disk("1", "ab")
    path.write_text(path.read_text()[:-9])
    assert list(disk.look_up(points("b"))) == []


def test_a_shard_without_its_file_counts_as_none(disk):
    disk("1", "ab").unlink()
    assert list(disk.look_up(points("b"))) == []
