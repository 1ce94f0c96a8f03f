"""All measurements in one submission: who is refused, what it asks for, and what it costs."""

from types import SimpleNamespace

import pytest
from weft.engines.journal import append
from weft.engines.shards import read_shard, write_shards
from weft.files import replace_changed
from weft.files.layout import Results
from weft.plan import build_plan, expand
from weft.plan.costs import Costs
from weft.plan.pack import Packing
from weft.prepare.jobs.estimates import job_needs
from weft.prepare.jobs.resources import Resources
from weft.prepare.plans.refusals import refusals
from weft.scheduler import RequestLimits, Slurm

MIXED = """
defaults: [override /topology: crossbar, override /workload: alltoall]
engines: [hardware, flow]
engine: {hardware: {budget: 0.2 s}}
topology: {nodes: 16}
workload: {message_size: 8 B}
sweep: {workload.ranks: [2, 4, 16]}
replicates: 10
seed: %d
"""
PACKING = Packing(measuring=frozenset({"hardware"}))


def nobody(shard):
    return None


@pytest.fixture
def limits(monkeypatch):
    """What Slurm's partition allows."""

    def set_to(**given):
        monkeypatch.setattr(Slurm, "limits", lambda self, partition: RequestLimits(**given))

    set_to()
    return set_to


@pytest.fixture
def planned(tree):
    def make(seed=1, **machine):
        given = {"scheduler": "slurm", "ranks": 64, "ranks_per_node": 1, **machine}
        lines = ", ".join(f"{key}: {value}" for key, value in given.items())
        tree.experiment(f"{MIXED % seed}machine: {{{lines}}}\n")
        experiment = tree.load()
        versions = {"hardware": "1", "flow": "1"}
        found = build_plan(experiment, expand(experiment), versions, packing=PACKING)
        return experiment, found

    return make


def measured(plan):
    return [shard for shard in plan.shards if shard.engine == "hardware"]


def asked(plan, results, refused=(), shard=None):
    """Nodes, minutes and processors of the only measuring job."""
    (only,) = measured(plan)
    asking = Resources({"x": job_needs(plan, Costs(), results, refused)}, results)
    job = SimpleNamespace(experiment="x", engine="hardware", shard=only.shard_id)
    return asking.nodes(job), asking.measure_runtime_min(job, 1), asking.slots(job)


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ({"allocation": 8}, "machine.allocation allows 8; machine.allocation and"),
        ({"allocation": 8, "nodes": 12}, "machine.allocation allows 8;"),
        ({"allocation": 12, "nodes": 8}, "machine.nodes allows 8; machine.nodes and"),
        ({"allocation": "one", "nodes": 8}, "machine.nodes allows 8;"),
        ({"allocation": "one"}, "Slurm's default partition gives a job 8;"),
    ],
)
def test_what_needs_more_nodes_is_refused_with_the_key(
    planned, limits, tmp_path, capsys, machine, said
):
    limits(nodes=8)
    experiment, plan = planned(**machine)
    refused = refusals(experiment, plan, nobody, tmp_path)
    wide = {p.point_id for p in plan.points if p.spec["workload"]["ranks"] == 16}
    mine = {p.point_id for p in plan.points if p.engine == "hardware"}
    assert set(refused) == wide & mine
    assert said in capsys.readouterr().err
    assert asked(plan, tmp_path, refused)[0] == 4


def test_an_allocation_that_is_wide_enough_refuses_nothing(planned, limits, tmp_path):
    limits(nodes=8)
    experiment, plan = planned(allocation=16)
    assert refusals(experiment, plan, nobody, tmp_path) == {}


def test_the_job_asks_for_the_widest_point_and_the_sum_of_all_budgets(planned, limits, tmp_path):
    _, plan = planned(allocation="one", timeout="1 min")
    # 30 × (20 s + 0.6 s) + 60 s
    assert asked(plan, tmp_path) == (16, 15, 16)
    _, plan = planned(allocation="one", timeout="1 h")
    assert asked(plan, tmp_path)[1] == 71
    limits(runtime_min=50)
    assert asked(plan, tmp_path)[1] == 50


def test_every_node_has_as_many_processors_as_any(planned, limits, tmp_path):
    """Smaller points run on the first nodes; 16 ranks are on 3 nodes of 6."""
    _, plan = planned(allocation="one", ranks_per_node=6)
    assert (asked(plan, tmp_path)[0], asked(plan, tmp_path)[2]) == (3, 18)


def test_what_a_stopped_submission_has_measured_needs_no_more_time(planned, limits, tmp_path):
    _, plan = planned(allocation="one", timeout="1 h")
    (shard,) = measured(plan)
    left = Results(tmp_path).experiment("x").shard("hardware", shard.shard_id)
    left.path.mkdir(parents=True)
    done = sorted(shard.point_ids)[:25]
    for point in done:
        append(left.journal, {"point_id": point, "digest": point, "status": "done"})
    # 5 × 20.6 s + 1 h, and the nodes as before
    assert asked(plan, tmp_path) == (16, 62, 16)


def order_file(plan, results, shard):
    write_shards(plan, results, {}, replace_changed)
    return read_shard(Results(results).experiment("x").order(shard.shard_id))


@pytest.mark.parametrize("seed", [1, 12])
def test_the_shard_knows_the_seed_that_draws_its_order(planned, tmp_path, seed):
    _, plan = planned(seed=seed, allocation="one")
    for shard in plan.shards:
        found = order_file(plan, tmp_path, shard).get("order_seed")
        assert found == (seed if shard.engine == "hardware" else None)
    _, packed = planned(seed=seed)
    assert "order_seed" not in order_file(packed, tmp_path, measured(packed)[0])
