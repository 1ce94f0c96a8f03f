"""Shards are sized by what earlier points cost."""

import math

import pytest
from weft.plan import build_plan, expand
from weft.plan.costs import Costs, Observed, kind, work
from weft.plan.pack import Packing

SWEEP = (
    "defaults: [override /topology: torus]\ntopology: {dimensions: 2}\n"
    "sweep: {topology.k: {from: 2, to: 21}}\nreplicates: 10\n"
)
FLOW = ("flow", "torus", "messages", "equal_share")


def observed(seconds, at_work=1.0, experiment="x", kind=FLOW, memory=0.0):
    return Observed(experiment, kind, at_work, 10, math.log(seconds), memory)


@pytest.fixture
def plan(tree):
    def planned(*rows, body=SWEEP, lanes=1, target="5 min", name="x"):
        tree.experiment(body + f"machine: {{shard_target: {target}}}\n")
        experiment = tree.load()
        packing = Packing(Costs(name, rows), lanes)
        return build_plan(experiment, expand(experiment), {"flow": "1"}, packing=packing)

    return planned


def sums(plan, costs):
    by_id = {point.point_id: point for point in plan.points}
    return [sum(costs.seconds(by_id[i]) for i in shard.point_ids) for shard in plan.shards]


def test_a_job_takes_about_the_target_on_its_threads(plan):
    row = observed(0.01)
    found = sums(plan(row, target="1 min"), Costs("x", [row]))
    assert len(found) > 20
    assert max(found) <= 120
    assert min(found[:-1]) > 70


def test_a_point_beyond_the_target_has_a_shard_of_its_own(plan):
    found = plan(observed(1e4, 1.0), target="1 min")
    assert [len(shard.point_ids) for shard in found.shards] == [1] * 200


def test_quick_points_share_one_job_on_a_cluster_and_are_spread_on_a_large_machine(plan):
    row = observed(0.01)
    total = sum(sums(plan(row), Costs("x", [row])))
    assert 40 < total < 10_000
    assert len(plan(row, target="10 h").shards) == 1
    assert len(plan(row, target="10 h", lanes=4).shards) in (4, 5, 6)


@pytest.mark.parametrize("history", [[], [observed(1e-3)]], ids=["unknown", "quick"])
def test_no_shard_is_larger_than_a_job_can_hold(plan, monkeypatch, history):
    monkeypatch.setattr("weft.plan.pack.MAX_POINTS", 30)
    sizes = [len(shard.point_ids) for shard in plan(*history).shards]
    assert (sum(sizes), max(sizes)) == (200, 30)


def test_without_history_the_number_of_points_decides(plan):
    assert len(plan().shards) == len(plan(observed(1.0, kind=("other", "", "", ""))).shards) == 7


def test_shard_points_beats_history(plan):
    body = SWEEP + "engine: {flow: {shard_points: 100}}\n"
    assert len(plan(observed(1e4), body=body).shards) == 2


def test_every_point_is_packed_once(plan):
    found = plan(observed(0.5), target="1 min")
    packed = [i for shard in found.shards for i in shard.point_ids]
    assert sorted(packed) == sorted(point.point_id for point in found.points)


def spec(nodes, **workload):
    workload = {"kind": "messages", "per_node": 10, "message_bytes": [1], **workload}
    return {
        "engine": "flow",
        "topology": {"kind": "torus", "nodes": nodes},
        "workload": workload,
        "options": {"model": "equal_share"},
    }


def asked(costs, nodes):
    point = type("P", (), {"spec": spec(nodes)})
    return costs.seconds(point), costs.memory_bytes(point)


def test_time_grows_with_a_power_of_the_work():
    costs = Costs("x", [observed(1.0, 100.0), observed(8.0, 400.0)])
    assert asked(costs, 160)[0] == pytest.approx(64.0)


def test_beyond_what_ran_time_grows_at_least_with_the_work():
    costs = Costs("x", [observed(1.0, 100.0), observed(1.0, 400.0)])
    assert asked(costs, 20)[0] < 1.5
    assert asked(costs, 80)[0] / asked(costs, 40)[0] == pytest.approx(2.0)


def test_memory_grows_only_beyond_the_largest_seen():
    costs = Costs("x", [observed(1.0, 100.0, memory=1e6), observed(1.0, 400.0, memory=2e6)])
    assert asked(costs, 20)[1] == 2e6
    assert asked(costs, 80)[1] == pytest.approx(2e6 + 400 * 1e6 / 300)
    assert asked(costs, 8000)[1] == pytest.approx(8e6)


def test_the_same_experiment_counts_first_then_the_same_kind_then_another_model():
    other_model = observed(100.0, kind=(*FLOW[:3], "max_min"))
    elsewhere, own = observed(10.0, experiment="y"), observed(1.0)
    assert asked(Costs("x", [other_model]), 0.1)[0] == pytest.approx(100.0)
    assert asked(Costs("x", [other_model, elsewhere]), 0.1)[0] == pytest.approx(10.0)
    assert asked(Costs("x", [other_model, elsewhere, own]), 0.1)[0] == pytest.approx(1.0)


def test_message_sizes_and_ranks_are_work():
    assert work(spec(8, message_bytes=[1, 2, 4])) == 240
    ranks = {"kind": "program", "program": "pingpong", "ranks": 2, "message_bytes": [0, 1]}
    assert work({**spec(64), "workload": ranks}) == 4
    assert kind({**spec(64), "workload": ranks}) == ("flow", "torus", "pingpong", "equal_share")


WIDE = """
defaults: [override /topology: torus, override /workload: alltoall]
topology: {k: 4, dimensions: 2}
engines: [hardware, flow]
sweep: {workload.ranks: [2, 16]}
replicates: 4
"""
NODES = {"scheduler": "slurm", "ranks": 64}


def measured(tree, body=WIDE, packing=None, previous=None, begun=lambda shard: False, **machine):
    """The shards of engine hardware, each as the ranks of its points."""
    lines = ", ".join(f"{key}: {value}" for key, value in {**NODES, **machine}.items())
    tree.experiment(f"{body}machine: {{{lines}}}\n")
    experiment = tree.load()
    packing = packing or Packing(measuring=frozenset({"hardware"}))
    plan = build_plan(
        experiment,
        expand(experiment),
        {"hardware": "1", "flow": "1"},
        previous,
        lambda shard: None,
        packing,
        begun=begun,
    )
    ranks = {point.point_id: point.spec["workload"]["ranks"] for point in plan.points}
    mine = [shard for shard in plan.shards if shard.engine == "hardware"]
    return plan, sorted([ranks[i] for i in shard.point_ids] for shard in mine)


def test_measurements_of_one_number_of_nodes_share_shards(tree):
    assert measured(tree, ranks_per_node=1)[1] == [[2] * 4, [16] * 4]
    assert measured(tree, ranks_per_node=8)[1] == [[2] * 4, [16] * 4]
    assert measured(tree, ranks_per_node=16)[1] == [[2] * 4 + [16] * 4]


def test_one_machine_has_no_nodes_to_pack_by(tree):
    assert measured(tree, ranks_per_node=1, scheduler="none")[1] == [[2] * 4 + [16] * 4]


def test_simulated_ranks_do_not_divide_shards(tree):
    plan, _ = measured(tree, ranks_per_node=1)
    assert len([shard for shard in plan.shards if shard.engine == "flow"]) == 1


def test_shards_without_a_result_follow_shard_points_and_nodes(tree):
    before, _ = measured(tree, ranks_per_node=16)
    asked = WIDE + "engine: {hardware: {shard_points: 2}}\n"
    for each, expected in (
        (1, [[2] * 2] * 2 + [[16] * 2] * 2),
        (16, [[2] * 2] * 2 + [[16] * 2] * 2),
    ):
        assert measured(tree, asked, previous=before, ranks_per_node=each)[1] == expected
    assert measured(tree, previous=before, ranks_per_node=1)[1] == [[2] * 4, [16] * 4]
    same, _ = measured(tree, previous=before, ranks_per_node=16)
    assert same.shards == before.shards


def test_shards_with_a_result_stay_as_they_are(tree):
    before, shards = measured(tree, ranks_per_node=16)
    asked = WIDE + "engine: {hardware: {shard_points: 2}}\n"
    assert measured(tree, asked, None, before, lambda _: True, ranks_per_node=1)[1] == shards


@pytest.mark.parametrize("allocation", ["one", 16, 3])
def test_one_allocation_has_all_measurements_whatever_their_nodes_and_number(
    tree, monkeypatch, allocation
):
    monkeypatch.setattr("weft.plan.pack.MAX_POINTS", 3)
    sized = WIDE + "engine: {hardware: {shard_points: 2}}\n"
    for body in (WIDE, sized):
        plan, shards = measured(tree, body, ranks_per_node=1, allocation=allocation)
        assert [sorted(each) for each in shards] == [[2] * 4 + [16] * 4]
    assert {len(s.point_ids) for s in plan.shards if s.engine == "flow"} == {2, 3}


def test_what_takes_long_does_not_divide_it(tree):
    plan, _ = measured(tree, ranks_per_node=1)
    mine = next(point for point in plan.points if point.engine == "hardware")
    hours = [observed(4e4, kind=kind(mine.spec))]
    packing = Packing(Costs("x", hours), measuring=frozenset({"hardware"}))
    _, packed = measured(tree, packing=packing, ranks_per_node=1)
    _, whole = measured(tree, packing=packing, ranks_per_node=1, allocation="one")
    assert (len(packed), len(whole)) == (8, 1)


def test_without_a_batch_system_nothing_changes(tree):
    machine = {"ranks_per_node": 1, "scheduler": "none"}
    before, _ = measured(tree, **machine)
    assert measured(tree, allocation="one", **machine)[0].shards == before.shards


def test_shards_without_a_result_become_one_and_divide_again(tree):
    packed, _ = measured(tree, ranks_per_node=1)
    whole, shards = measured(tree, previous=packed, ranks_per_node=1, allocation="one")
    assert len(shards) == 1
    again, _ = measured(tree, previous=whole, ranks_per_node=1, allocation="one")
    assert again.shards == whole.shards
    assert measured(tree, previous=whole, ranks_per_node=1)[1] == [[2] * 4, [16] * 4]


def test_what_has_begun_stays_one_shard_and_what_is_new_is_another(tree):
    whole, _ = measured(tree, ranks_per_node=1, allocation="one")
    more = WIDE.replace("[2, 16]", "[2, 8, 16]")
    _, shards = measured(
        tree, more, None, whole, lambda _: True, ranks_per_node=1, allocation="one"
    )
    assert [sorted(each) for each in shards] == [[2] * 4 + [16] * 4, [8] * 4]
