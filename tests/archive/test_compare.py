"""`weft compare`: an archive of an earlier release, or what it left on the disk, beside now."""

import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from weft.command.commands import main
from weft.database import collect
from weft.plan import Plan, Shard, read_plan, short_digest
from weft.plan.outcome import write_outcome
from weft.tables import write_table

from .conftest import NAME, Made, finish

pytestmark = pytest.mark.slow


def weft(made: Made, *words: object) -> Result:
    (made.project.root / "Snakefile").touch()
    return CliRunner().invoke(main, ["--project", str(made.project.root), *map(str, words)])


def renewed(plan: Plan) -> Plan:
    """The plan of the next version of the simulator."""
    ids = plan.shards[0].point_ids
    shard = Shard(short_digest(["flow", "2", ids]), "flow", "2", ids)
    return replace(plan, shards=(shard,))


def upgrade(made: Made, factor: float = 2.0) -> None:
    """Answer all points by the next version, of which the second point has another value."""
    plan = renewed(read_plan(made.folder.plan))
    finish(plan, made.folder)
    (shard,) = plan.shards
    left = made.folder.shard("flow", shard.shard_id)
    rows = pq.read_table(left.table("metrics")).to_pylist()
    rows[1]["value"] *= factor
    left.table("metrics").unlink()
    write_table("metrics", rows, left.table("metrics"))
    write_outcome(left.path, {"done": shard.point_ids}, None)
    collect(
        NAME,
        made.project.results.path,
        made.project.configs / "paper",
        made.project.results.database,
    )


MOVED = ["Completion time: 1 moved, 2 did not", "  flow at k = 4: 4 ms → 8 ms (+100%, worse)"]


def test_an_archive_beside_the_results_of_now(made: Made, tmp_path: Path) -> None:
    old = shutil.copy(made.archive, tmp_path / "old.zip")
    upgrade(made)
    shown = weft(made, "compare", old, NAME, "--csv", tmp_path / "all.csv")
    assert shown.exit_code == 0, shown.output
    lines = shown.output.splitlines()
    assert lines[0] == "flow 1 → 2."
    assert f"1 of 3 values changed by more than the scatter from {old} to {NAME}." in lines
    assert lines[-3:-1] == MOVED
    rows = (tmp_path / "all.csv").read_text().splitlines()[1:]
    assert [row.rpartition(",")[2] for row in rows] == ["changed", *["within scatter"] * 2]
    back = weft(made, "compare", NAME, old)
    assert "  flow at k = 4: 8 ms → 4 ms (−50%, better)" in back.output.splitlines()


def test_results_that_an_earlier_version_left_beside_those_of_now(made: Made) -> None:
    upgrade(made)
    before = made.project.results.database.read_bytes()
    shown = weft(made, "compare", NAME)
    assert shown.output.splitlines()[0] == "flow 1 → 2."
    assert shown.output.splitlines()[-2:] == MOVED
    assert made.project.results.database.read_bytes() == before


def test_equal_answers_of_two_versions_have_not_moved(made: Made) -> None:
    upgrade(made, 1.0)
    shown = weft(made, "compare", NAME)
    assert "No change beyond scatter among the 3 values that both have." in shown.output
    assert shown.output.splitlines()[-1] == "Completion time: 0 moved, 3 did not"


def test_what_cannot_be_compared_is_one_sentence(made: Made, tmp_path: Path) -> None:
    for words, text in (
        ((NAME,), "no earlier version has left results of 'demo' here"),
        ((tmp_path / "none.zip", NAME), "none.zip cannot be read: No such file"),
        ((made.archive, "other"), f"{made.archive} holds demo: name one of them beside it"),
        (("other", NAME), "'other' has not been run"),
    ):
        shown = weft(made, "compare", *words)
        assert shown.exit_code == 1
        assert len(shown.output.splitlines()) == 1
        assert text in shown.output
