"""What rules look up: images and resources of jobs, without Snakemake."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from weft.machine import MachineFile
from weft.plan import Plan, Point, Points, Shard
from weft.plan.costs import Costs, Observed
from weft.prepare.jobs.estimates import job_needs
from weft.prepare.jobs.resources import Resources
from weft.prepare.main import prepare
from weft.prepare.plans.history import learned_costs
from weft.prepare.request.request import read_request
from weft.prepare.rules.schedule import read_schedule, schedule
from weft.profile.command_line import CommandLine

SLURM = {"launcher": "srun", "ranks_per_node": 2, "exclusive": True, "timeout_s": 60.0}


def point(name, engine="flow", **workload):
    spec = {"engine": engine, "topology": {"kind": "torus", "nodes": 8}, "network": {}}
    spec |= {"workload": workload or {"kind": "messages"}, "options": {}, "seed": 1}
    return Point(name, engine, 0, 1, spec, {})


def plan(machine=None):
    points = (point("a"), point("b"), point("m", "hardware", kind="program", ranks=5))
    shards = (Shard("1", "flow", "1", ("a", "b")), Shard("2", "hardware", "1", ("m",)))
    return Plan("x", "x", "?", Points.of(points), shards, MachineFile.read(machine or {}))


def needs(tmp_path, machine=None, costs=None):
    return job_needs(plan(machine), costs or Costs(), tmp_path)


def resources(tmp_path, machine=None, costs=None):
    return Resources({"x": needs(tmp_path, machine, costs)})


AT = SimpleNamespace(experiment="x", engine="flow", shard="2")


@pytest.mark.parametrize(
    ("targets", "unplanned"),
    [
        (["containers", "--cores", "2"], True),
        (["doctor", "lock_packages"], True),
        (["containers", "reports/a.html"], False),
        (["containers", "all"], False),
        (["plan"], False),
        ([], False),
    ],
)
def test_targets_that_need_no_plan(targets, unplanned):
    assert read_request({}, targets).unplanned is unplanned


def test_without_a_plan_nothing_is_read_or_written(tmp_path):
    command = CommandLine(targets=("doctor",))
    found = prepare({}, command, configs=tmp_path / "absent", results=tmp_path / "results")
    assert (found.experiments, found.reports) == ((), [])
    assert found.resources.site == {}
    assert not (tmp_path / "results").exists()


def test_a_measurement_asks_for_its_nodes_and_ranks(tmp_path):
    asked = resources(tmp_path, SLURM)
    assert (asked.nodes(AT), asked.tasks(AT), asked.mpi(AT)) == (3, 5, "srun")
    assert asked.measure_extra(AT) == "--exclusive"


def test_on_one_machine_a_measurement_asks_for_nothing(tmp_path):
    asked = resources(tmp_path, {"launcher": "mpiexec", "ranks_per_node": 1})
    assert [asked.nodes(AT), asked.tasks(AT), asked.mpi(AT)] == [None] * 3
    assert asked.measure_extra(AT) is None


def test_earlier_runs_predict_memory_and_time(tmp_path):
    row = Observed("x", ("flow", "torus", "messages", ""), 8.0, 1, 8.0, 3e9)
    found = needs(tmp_path, costs=Costs("x", [row])).simulate
    assert found.memory_mb == 6000
    assert found.runtime_min == pytest.approx(3 * 2.981e3 / 60, abs=1)


def test_the_machine_file_may_set_the_memory(tmp_path):
    found = needs(tmp_path, {"memory_per_job_bytes": 5e8})
    assert {found.simulate.memory_mb, found.measure["2"].need.memory_mb} == {500}


def test_the_machine_file_may_set_the_time(tmp_path):
    found = needs(tmp_path, {"runtime_per_job_s": 2400.0})
    assert {found.simulate.runtime_min, found.measure["2"].need.runtime_min} == {40}


def test_site_keys_appear_only_where_a_machine_has_them(tmp_path):
    assert resources(tmp_path).site == {}
    asked = resources(tmp_path, {"account": "me", "reservation": "r", "slurm_extra": "--x=1"})
    assert {key: value(AT) for key, value in asked.site.items()} == {"slurm_account": "me"}
    assert asked.simulate_site["slurm_extra"](AT) == "--x=1 --reservation=r"


def planned(tmp_path, machine=None, containers=True):
    entry = (plan(machine), needs(tmp_path, machine))
    return schedule([entry], tmp_path, {}, partial=False, containers=containers)


def test_simulators_run_in_images_when_asked_and_measurements_when_the_machine_says(tmp_path):
    images = planned(tmp_path).lookup["x"]["images"]
    assert list(images) == ["1"]
    assert "flow-" in images["1"]
    hybrid = planned(tmp_path, {"mode": "hybrid"}, containers=False).lookup["x"]["images"]
    assert list(hybrid) == ["2"]
    assert "hardware-" in hybrid["2"]


def test_a_finished_shard_keeps_the_image_it_had(tmp_path):
    status = tmp_path / "x/flow/1/status.json"
    order = tmp_path / "x/shards/1.json"
    for path in (status, order):
        path.parent.mkdir(parents=True)
    order.write_text("{}")
    for image in ("old.sif", None):
        status.write_text(json.dumps({"done": [], "failed": [], "image": image}))
        assert planned(tmp_path).lookup["x"]["images"].get("1") == image
    os.utime(order, ns=(status.stat().st_mtime_ns + 1,) * 2)
    assert "flow-" in planned(tmp_path).lookup["x"]["images"]["1"]


@pytest.mark.parametrize(("engine", "read"), [("rdma", ["2"]), ("hardware", ["2"]), ("flow", [])])
def test_a_network_is_fitted_from_a_measurement_or_from_the_reference(tmp_path, engine, read):
    """Without hardware, from what the reference simulates on a network of its own."""
    fitted = {"engine": "rdma", "topology": {}, "network": {"calibrated_from": "pingpong"},
              "workload": {"kind": "program"}, "options": {}, "seed": 1}  # fmt: skip
    points = (Point("a", "rdma", 0, 1, fitted, {}), point("b", engine))
    shards = (Shard("1", "rdma", "1", ("a",)), Shard("2", engine, "1", ("b",)))
    report = {"reference": "rdma"}
    one = Plan("x", "x", "?", Points.of(points), shards, stored_report=report)
    entry = (one, job_needs(one, Costs(), tmp_path))
    found = schedule([entry], tmp_path, {}, partial=False, containers=False).lookup["x"]
    assert [path.split("/")[-2] for path in found["measured"]] == read
    assert list(found["calibration"]) == ["1"]


def test_a_job_claims_no_more_cores_than_its_shard_has_points(tmp_path):
    """Long points have shards of their own: two of them run at a time on two cores."""
    both, alone = point("a"), point("c")
    shards = (Shard("1", "flow", "1", ("a", "b")), Shard("2", "flow", "1", ("c",)))
    of_two = Plan("x", "x", "?", Points.of([both, point("b"), alone]), shards)
    entry = (of_two, job_needs(of_two, Costs(), tmp_path))
    found = schedule([entry], tmp_path, {}, partial=False, containers=False)
    asked = [found.threads(SimpleNamespace(experiment="x", shard=name)) for name in "12"]
    assert asked == [2, 1]


def test_jobs_elsewhere_read_what_the_main_process_wrote(tmp_path):
    mine = planned(tmp_path, SLURM)
    theirs = read_schedule(tmp_path)
    assert theirs.lookup == mine.lookup
    assert theirs.resources.nodes(AT) == 3


def test_a_damaged_database_teaches_nothing(tmp_path):
    (tmp_path / "weft.duckdb").write_text("nothing")
    assert learned_costs(tmp_path, "x").observed == []


PLANNING_ONLY = {"hydra", "pint", "pydantic", "duckdb"}
#: A job's Snakefile only looks up what to run; the script beside it writes tables.
TABLES = {"pyarrow", "numpy"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("job", "needless"),
    [
        ("import weft.engines.execute, weft.engines.native, weft.engines.step", PLANNING_ONLY),
        (
            "from weft.prepare import prepared\n"
            "from pathlib import Path\n"
            "prepared(Path(sys.argv[1])).simulators",
            PLANNING_ONLY | TABLES,
        ),
    ],
    ids=["script", "Snakefile"],
)
def test_a_job_loads_nothing_that_only_planning_needs(tmp_path, job, needless):
    planned(tmp_path)
    script = f"import sys\n{job}\nsys.exit(', '.join({needless} & {{*sys.modules}}))"
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_rules_find_what_their_wildcards_name(tmp_path):
    found = planned(tmp_path)
    assert found.find("{experiment}/plan")(AT) == found.lookup["x"]["plan"]
    assert found.find("{experiment}/calibration/{shard}", default=[])(AT) == []
    with pytest.raises(KeyError, match="flow"):
        found.find("{experiment}/obstacles/{engine}")(AT)


def test_rules_visit_no_other_experiment(tmp_path):
    """Else a campaign costs the square of its experiments."""

    class Untouched(dict):
        def __iter__(self):
            raise AssertionError("a rule visited an experiment that it does not name")

        items = keys = values = __iter__

    found = planned(tmp_path)
    found.entries["y"] = Untouched(plan="y.json")
    assert found.find("{experiment}/plan")(AT) == found.lookup["x"]["plan"]
