"""A plan and its points are replaced together, and neither is taken for another's."""

import json
import re
from dataclasses import replace

import pytest
from weft.files import Aside, unsealed
from weft.plan import Plan, Point, Points, Shard, read_plan, write_plan
from weft.plan.outcome import DamagedError
from weft.plan.stored import remove_old_points

SHARDS = (Shard("1", "flow", "1", ("a" * 12, "b" * 12)),)


def plan(*numbers):
    points = [
        Point(
            name * 12, "flow", 0, 1, {"engine": "flow", "topology": {"k": k}, "seed": 1}, {"k": k}
        )
        for k, name in enumerate(numbers)
    ]
    return Plan("x", "X", "?", Points.of(points), SHARDS)


@pytest.fixture
def path(tmp_path):
    return write_plan(plan("a", "b"), tmp_path / "x" / "plan.json")


def points_file(path):
    (found,) = path.parent.glob("points-*.parquet")
    return found


@pytest.mark.parametrize("survives", range(3))
def test_a_kill_between_the_files_leaves_one_whole_plan(path, monkeypatch, survives):
    """Whichever rename is the last one before the kill."""
    renames = []

    def killed(self, target):
        renames.append(target)
        if len(renames) > survives:
            raise KeyboardInterrupt
        return original(self, target)

    original = type(path).replace
    monkeypatch.setattr(type(path), "replace", killed)
    new = plan("a", "b", "c")
    if survives < 2:
        with pytest.raises(KeyboardInterrupt):
            write_plan(new, path)
    else:
        write_plan(new, path)
    monkeypatch.undo()
    assert read_plan(path) == (new if survives == 2 else plan("a", "b"))


def test_old_points_go_when_the_plan_does_not_need_them(path):
    write_plan(plan("a"), path)
    assert len(list(path.parent.glob("points-*"))) == 2
    remove_old_points(path)
    assert points_file(path)
    assert read_plan(path) == plan("a")


def test_a_reader_that_comes_between_sees_the_new_plan(path, monkeypatch):
    """Its points are gone when it has read the old plan.json."""
    original, seen = type(path).read_text, []

    def read(self, *arguments):
        text = original(self, *arguments)
        if not seen:
            seen.append(self)
            write_plan(plan("a"), path)
            remove_old_points(path)
        return text

    monkeypatch.setattr(type(path), "read_text", read)
    assert read_plan(path) == plan("a")


def test_missing_points_are_named(path):
    points_file(path).unlink()
    with pytest.raises(ValueError, match=r"points-.*\.parquet is missing; `snakemake"):
        read_plan(path)


def test_altered_points_are_named(path):
    file = points_file(path)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"points-.*\.parquet was altered"):
        read_plan(path)


def test_every_changed_bit_of_a_plan_is_seen(path):
    whole = path.read_bytes()
    for bit in range(len(whole.rstrip()) * 8):
        content = bytearray(whole)
        content[bit // 8] ^= 1 << (bit % 8)
        path.write_bytes(content)
        with pytest.raises(DamagedError, match=re.escape(str(path))):
            read_plan(path)


def test_a_plan_of_schema_2_had_no_checksum(path):
    old = unsealed(path.read_bytes().rstrip(), required=True) | {"schema": 2}
    path.write_text(json.dumps(old))
    assert read_plan(path) == plan("a", "b")


@pytest.mark.parametrize("harm", [lambda file: file.unlink(), lambda file: file.write_bytes(b"")])
def test_writing_the_same_plan_mends_its_points(path, harm):
    before = path.stat().st_mtime_ns
    harm(points_file(path))
    write_plan(plan("a", "b"), path)
    assert read_plan(path) == plan("a", "b")
    assert path.stat().st_mtime_ns == before


def test_who_looks_changes_nothing_and_gets_a_whole_plan(path):
    aside = Aside()
    before = {each: each.read_bytes() for each in path.parent.iterdir()}
    assert write_plan(plan("a", "b"), path, aside) == path
    for other in (plan("a"), replace(plan("a", "b"), title="Y")):
        placed = write_plan(other, path, aside)
        assert placed != path
        assert read_plan(placed) == other
    points_file(path).unlink()
    assert read_plan(write_plan(plan("a", "b"), path, aside)) == plan("a", "b")
    before = {each: content for each, content in before.items() if each == path}
    assert {each: each.read_bytes() for each in path.parent.iterdir()} == before


def test_a_plan_of_an_earlier_weft_is_read(tmp_path):
    """Its points stood in plan.json."""
    made = plan("a", "b")
    fields = ("point_id", "engine", "replicate", "seed", "spec", "coordinates")
    old = {
        "experiment": "x", "title": "X", "question": "?", "machine": {}, "report": {},
        "overrides": [], "schema": 1,
        "points": [{name: getattr(each, name) for name in fields} for each in made.points],
        "shards": [{"shard_id": "1", "engine": "flow", "engine_version": "1",
                    "point_ids": ["a" * 12, "b" * 12]}],
    }  # fmt: skip
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(old))
    assert read_plan(path) == made
    old["points"][0]["spec"]["topology"]["k"] = 2**63
    path.write_text(json.dumps(old))
    with pytest.raises(ValueError, match="9223372036854775808"):
        read_plan(path)
