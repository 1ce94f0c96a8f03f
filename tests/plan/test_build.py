"""Points are packed into shards; a new plan keeps what an earlier one computed."""

import pytest
from weft.config import load_experiments
from weft.config.model.figures import Line
from weft.files import sealed, unsealed
from weft.plan import build_plan, expand, read_plan, summarise, write_plan
from weft.plan.outcome import write_outcome
from weft.plan.outcomes import Outcomes

TORUS = "defaults: [override /topology: torus]\n"
HEAD = "title: t\nquestion: q?\nengines: [flow]\n"
SMALL = TORUS + "sweep: {topology.k: [2, 3, 4]}\n"
VERSIONS = {"flow": "1", "hardware": "1"}


class Lab:
    """Plans experiments of a tree, and writes outcomes as the run stage does."""

    def __init__(self, tree):
        self.tree, self.results = tree, tree.root / "results"

    def plan(self, body, previous=None, versions=VERSIONS, **options):
        self.tree.experiment(body)
        experiment = self.tree.load()
        look_up = Outcomes(self.results / experiment.name)
        return build_plan(experiment, expand(experiment), versions, previous, look_up, **options)

    def ran(self, plan, shard, failed=()):
        folder = self.results / plan.experiment / shard.engine / shard.shard_id
        folder.mkdir(parents=True, exist_ok=True)
        done = [i for i in shard.point_ids if i not in failed]
        write_outcome(folder, {"done": done, "failed": failed}, None)


@pytest.fixture
def lab(tree):
    return Lab(tree)


def test_every_point_is_in_exactly_one_shard(lab):
    plan = lab.plan(TORUS + "sweep: {topology.k: {from: 2, to: 40}}\nreplicates: 9\n")
    packed = [i for shard in plan.shards for i in shard.point_ids]
    assert sorted(packed) == sorted(point.point_id for point in plan.points)
    assert len(set(packed)) == len(packed) == 351


def test_ten_thousand_points_make_tens_of_shards(lab):
    plan = lab.plan(TORUS + "sweep: {topology.k: {from: 2, to: 51}}\nreplicates: 200\n")
    assert len(plan.points) == 10_000
    assert 10 <= len(plan.shards) <= 99


def test_shard_points_sets_the_size(lab):
    plan = lab.plan(SMALL + "engine: {flow: {shard_points: 2}}\n")
    assert [len(shard.point_ids) for shard in plan.shards] == [2, 1]


def test_engines_do_not_share_shards(lab):
    plan = lab.plan("engines: [flow, hardware]\ndefaults: [override /workload: pingpong]\n")
    assert [shard.engine for shard in plan.shards] == ["flow", "hardware"]


def test_calibrated_points_have_shards_of_their_own(lab):
    plan = lab.plan(
        "engines: [flow, hardware]\ndefaults: [override /workload: pingpong]\n"
        "sweep: {network: [gigabit, measured]}\n"
    )
    assert [shard.engine for shard in plan.shards] == ["flow", "flow", "hardware"]


def test_adding_a_value_packs_only_the_new_points(lab):
    first = lab.plan(SMALL)
    second = lab.plan(SMALL.replace("[2, 3, 4]", "[2, 3, 4, 5]"), first)
    assert second.shards[: len(first.shards)] == first.shards
    (new,) = second.shards[len(first.shards) :]
    ((_, places),) = second.points.of_shards([new])
    (point,) = second.points.take(places)
    assert point.spec["topology"]["k"] == 5


def test_same_experiment_gives_the_same_plan(lab):
    first = lab.plan(SMALL)
    assert lab.plan("# a comment\n" + SMALL, first) == first


def test_new_engine_version_packs_everything_anew(lab):
    first = lab.plan(SMALL)
    second = lab.plan(SMALL, first, {"flow": "2"})
    assert not {s.shard_id for s in first.shards} & {s.shard_id for s in second.shards}
    assert {shard.engine_version for shard in second.shards} == {"2"}


def test_other_engines_keep_their_shards_when_one_changes(lab):
    body = "engines: [flow, hardware]\ndefaults: [override /workload: pingpong]\n"
    first = lab.plan(body)
    second = lab.plan(body, first, {"flow": "2", "hardware": "1"})
    assert [s for s in second.shards if s.engine == "hardware"] == [
        s for s in first.shards if s.engine == "hardware"
    ]


def test_taking_a_value_away_keeps_a_shard_that_ran(lab):
    first = lab.plan(SMALL)
    lab.ran(first, first.shards[0])
    second = lab.plan(SMALL.replace("[2, 3, 4]", "[2, 3]"), first)
    assert second.shards == first.shards
    ((_, places),) = second.placed()
    assert len(places) == 2


def test_taking_a_value_away_repacks_a_shard_that_never_ran(lab):
    first = lab.plan(SMALL)
    second = lab.plan(SMALL.replace("[2, 3, 4]", "[2, 3]"), first)
    assert [len(shard.point_ids) for shard in second.shards] == [2]


def test_shard_without_planned_points_goes(lab):
    first = lab.plan(SMALL)
    lab.ran(first, first.shards[0])
    second = lab.plan(SMALL.replace("[2, 3, 4]", "[7]"), first)
    assert first.shards[0] not in second.shards


def test_failed_points_stay_failed_without_retry(lab):
    first = lab.plan(SMALL)
    lab.ran(first, first.shards[0], failed=first.shards[0].point_ids)
    assert lab.plan(SMALL, first).shards == first.shards


def test_summary_counts_new_cached_and_failed(lab):
    first = lab.plan(SMALL)
    lab.ran(first, first.shards[0], failed=[first.shards[0].point_ids[0]])
    second = lab.plan(SMALL.replace("[2, 3, 4]", "[2, 3, 4, 5]"), first)
    (row,) = summarise(second, lab.results)
    assert (row.points, row.shards, row.new, row.cached, row.failed) == (4, 2, 1, 2, 1)


def test_plan_holds_machine_and_figures(lab):
    plan = lab.plan(
        SMALL + "machine: {timeout: 5 s}\nfigures:\n"
        "  - line: {x: network.latency, y: makespan_s, color: engine.flow.model}\n"
    )
    assert plan.machine.timeout_s == 5.0
    columns = Line(x="network.latency_s", y="makespan_s", color="options.model")
    assert plan.report.figures == (columns,)


def test_plan_reads_back_as_written(lab):
    plan = lab.plan(SMALL + "figures: [{line: {x: topology.k, y: makespan_s}}]\n")
    path = lab.results / "plan.json"
    write_plan(plan, path)
    assert read_plan(path) == plan


def test_unchanged_plan_leaves_its_file_untouched(lab):
    path = lab.results / "plan.json"
    write_plan(lab.plan(SMALL), path)
    before = path.stat().st_mtime_ns
    write_plan(lab.plan("# a comment\n" + SMALL), path)
    assert path.stat().st_mtime_ns == before


def test_plan_of_another_schema_is_refused(lab):
    path = lab.results / "plan.json"
    write_plan(lab.plan(SMALL), path)
    path.write_text(sealed(unsealed(path.read_bytes().rstrip(), required=True) | {"schema": 99}))
    with pytest.raises(ValueError, match="plan schema 99, and not 3"):
        read_plan(path)


def test_a_plan_knows_the_folder_of_its_own_that_an_experiment_lies_in(tree, tmp_path_factory):
    """A page prints a command that makes it again: without the folder nothing would be found."""
    mine = tmp_path_factory.mktemp("mine")
    (mine / "experiment").mkdir()
    for folder, name, known in ((tree.configs, "here", None), (mine, "there", str(mine))):
        (folder / "experiment" / f"{name}.yaml").write_text(HEAD + SMALL)
        (experiment,) = load_experiments(tree.configs, [name], search_path=[mine])
        plan = build_plan(experiment, expand(experiment), VERSIONS)
        assert plan.report.search_path == known
