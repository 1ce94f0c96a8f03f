"""What another version of an engine computes again is said before anything starts."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from weft.engines.journal import append
from weft.engines.native import NativeEngine
from weft.files.layout import ExperimentFolder, Results, ShardFolder
from weft.plan import Shard
from weft.plan.outcome import write_outcome
from weft.prepare.plans.planning import Planned, Planning
from weft.prepare.plans.upgrades import say_upgrades
from weft.tables import write_table

from tests.config.conftest import Tree, tree

__all__ = ["tree"]

TWO = """
engines: [flow, packet]
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
topology: {dimensions: 2}
sweep: {topology.k: [%s]}
"""


class Upgraded:
    """Plans of one experiment, under versions that a test gives to its engines."""

    def __init__(self, tree: Tree, versions: dict[str, str]) -> None:
        self.tree, self.versions = tree, versions
        self.folder: ExperimentFolder = Results(tree.root / "results").experiment("x")

    def plan(self, sizes: str = "3, 4", *, partial: bool = False) -> Planned:
        self.tree.experiment(TWO % sizes)
        planning = Planning(self.tree.root / "results", False, (), partial, None)
        return planning.plan(self.tree.load())

    def finish(self, engine: str, cpu_s: float | None = 90.0, **statuses: str) -> None:
        """End the open shards of an engine; `statuses` are those of points that are not done."""
        for shard in self.plan().plan.shards:
            if shard.engine == engine and not self.left(shard).status.exists():
                end(self.left(shard), shard, cpu_s, statuses)

    def left(self, shard: Shard) -> ShardFolder:
        return self.folder.shard(shard.engine, shard.shard_id)


def end(left: ShardFolder, shard: Shard, cpu_s: float | None, statuses: Mapping[str, str]) -> None:
    left.path.mkdir(parents=True)
    status = {each: statuses.get("of_all", "done") for each in shard.point_ids}
    facts = {"attempt": 1, "engine": shard.engine, "engine_version": shard.engine_version}
    rows = [
        {**facts, "point_id": each, "status": status[each], "cpu_s": cpu_s, "git_commit": "0"}
        for each in shard.point_ids
    ]
    write_table("runs", rows, left.table("runs"))
    for each in shard.point_ids:
        append(left.journal, {"point_id": each, "digest": "0", "status": status[each]})
    outcome = {name: [p for p in status if status[p] == name] for name in {*status.values()}}
    write_outcome(left.path, outcome, None)


@pytest.fixture
def upgraded(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Upgraded:
    monkeypatch.chdir(tree.root)
    versions = {"flow": "1.0.0+aaa", "packet": "1.0.0+bbb"}
    monkeypatch.setattr(NativeEngine, "version", lambda self, machine, image: versions[self.name])
    return Upgraded(tree, versions)


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[[Planned], list[str]]:
    def lines(*plans: Planned) -> list[str]:
        capsys.readouterr()
        say_upgrades([each for planned in plans for each in planned.upgrades])
        return capsys.readouterr().err.splitlines()

    return lines


def test_a_new_version_is_named_with_points_cost_and_both_versions(upgraded, said) -> None:
    upgraded.finish("flow")
    upgraded.finish("packet")
    upgraded.versions["packet"] = "1.1.0+ccc"
    line = (
        "weft: 2 points of packet are computed again (they took 3 min of CPU time last time):"
        " packet 1.0.0+bbb → 1.1.0+ccc"
    )
    assert said(upgraded.plan()) == [line]
    # The plan of the first run names no old shard: the disk does.
    assert said(upgraded.plan()) == [line]


def test_one_engine_of_two_experiments_has_one_line(upgraded, said) -> None:
    upgraded.finish("flow")
    upgraded.versions["flow"] = "2.0.0+ddd"
    planned = upgraded.plan()
    (line,) = said(planned, planned)
    assert line.startswith("weft: 4 points of flow are computed again (they took 6 min")


def test_nothing_is_printed_where_nothing_is_computed_again(upgraded, said) -> None:
    assert said(upgraded.plan()) == []
    upgraded.finish("flow")
    upgraded.finish("packet")
    assert said(upgraded.plan()) == []
    # New points are no upgrade.
    assert said(upgraded.plan("3, 4, 5")) == []
    upgraded.versions["flow"] = "2.0.0+ddd"
    upgraded.finish("flow")
    assert said(upgraded.plan()) == []
    # The results of the first version are still there.
    upgraded.versions["flow"] = "1.0.0+aaa"
    assert said(upgraded.plan()) == []


def test_only_what_the_old_version_computed_counts(upgraded, said) -> None:
    upgraded.finish("flow", of_all="skipped")
    upgraded.finish("packet")
    upgraded.versions |= {"flow": "2.0.0+ddd", "packet": "2.0.0+eee"}
    (line,) = said(upgraded.plan("4, 5, 6"))
    assert line.startswith("weft: 1 point of packet is computed again (they took 2 min of")
    assert said(upgraded.plan(partial=True)) == []


def test_what_the_new_version_has_in_its_journal_does_not_count(upgraded, said) -> None:
    upgraded.finish("flow")
    upgraded.versions["flow"] = "2.0.0+ddd"
    shard = next(each for each in upgraded.plan().plan.shards if each.engine == "flow")
    left = upgraded.left(shard)
    left.path.mkdir(parents=True)
    entry = {"point_id": shard.point_ids[0], "digest": "0", "status": "done"}
    append(left.journal, entry)
    (line,) = said(upgraded.plan())
    assert line.startswith("weft: 1 point of flow is computed again")


def test_a_lost_cost_is_not_guessed(upgraded, said) -> None:
    upgraded.finish("flow", None)
    upgraded.versions["flow"] = "2.0.0+ddd"
    assert said(upgraded.plan()) == [
        "weft: 2 points of flow are computed again: flow 1.0.0+aaa → 2.0.0+ddd"
    ]


def test_a_damaged_result_is_no_upgrade(upgraded, said) -> None:
    upgraded.finish("flow")
    upgraded.versions["flow"] = "2.0.0+ddd"
    upgraded.finish("flow")
    for shard in upgraded.plan().plan.shards:
        table: Path = upgraded.left(shard).table("runs")
        if shard.engine == "flow":
            table.write_bytes(b"other")
    assert said(upgraded.plan()) == []
