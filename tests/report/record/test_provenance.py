"""The report shows where numbers were made, and how to make the page again."""

import json
import shlex

import pytest
import report_samples
from report_samples import CONFIGS, point, run
from snakemake.cli import parse_args, parse_config
from weft.machine import MachineFile
from weft.plan import Plan, Points
from weft.prepare.request.request import read_request
from weft.report.data.source import open_study
from weft.report.pages.build import build_report
from weft.report.record.measured_on import MAX_ROWS, measured_on
from weft.report.record.provenance import calibration_facts, provenance
from weft.report.record.readable_facts import Fact
from weft.report.record.rerun_command import rerun_command

SPEC = {"topology": {}, "network": {}, "options": {}}
PINGPONG = SPEC | {"workload": {"kind": "program", "program": "pingpong", "ranks": 2}}
FLOW = point("flow", {}, PINGPONG)
SLURM = {"launcher": "/usr/bin/srun", "name": "mysite"}
SHA = "0123456789abcdef" * 4


def measurement(number=0, program="pingpong", engine="hardware"):
    workload = {"kind": "program", "program": program, "ranks": 2}
    return point(engine, {}, SPEC | {"workload": workload}, number)


@pytest.fixture
def asked(tmp_path):
    """What `question` says about a study with one run for each point and its facts."""

    def ask(question, runs, **plan):
        points = Points.of(at for at, _, _ in runs)
        rows = [
            {"experiment": "x", **run(at, environment=json.dumps(facts), **more)}
            for at, facts, more in runs
        ]
        made = Plan("x", "x", "?", points, (), **plan)
        database = report_samples.write(tmp_path, [made], {"runs": rows})
        with open_study(tmp_path / "results/x/plan.json", database, CONFIGS) as study:
            return question(study)

    return ask


NATIVE = (FLOW, {}, {})
IMAGE = (FLOW, {"image": "flow-1.sif"}, {"image_sha256": SHA})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("runs", "plan", "command"),
    [
        ([NATIVE], {}, ""),
        ([NATIVE], {"overrides": ("machine=mine",)}, " --config machine=mine"),
        ([NATIVE], {"stored_report": {"search_path": "/own"}}, " --config search_path=/own"),
        ([IMAGE], {}, " --sdm apptainer"),
        (
            [IMAGE],
            {"machine": MachineFile(**SLURM)},
            " --profile slurm --config machine=mysite",
        ),
        (
            [NATIVE],
            {"machine": MachineFile(**SLURM), "overrides": ("machine=mysite", "topology.k=4")},
            " --profile slurm --config machine=mysite 'overrides=[topology.k=4]'",
        ),
        ([(measurement(), {"image": "hardware-1.sif"}, {})], {}, ""),
    ],
)
def test_the_command_fits_how_the_numbers_were_made(asked, runs, plan, command):
    assert asked(rerun_command, runs, **plan) == "snakemake reports/x.html" + command


@pytest.mark.slow
def test_snakemake_reads_the_command_as_it_was_meant(asked):
    overrides = ("topology.k=[4, 8]", 'title=it\'s: a "test"', "machine=mine", "seed=3")
    words = shlex.split(asked(rerun_command, [IMAGE], overrides=overrides))
    _, arguments = parse_args(words[1:])
    assert arguments.targets == ["reports/x.html"]
    request = read_request(parse_config(arguments.config), arguments.targets)
    assert request.machine == "mine"
    assert request.overrides == tuple(o for o in overrides if not o.startswith("machine="))


def test_an_image_stands_beside_its_digest_which_is_shortened(asked):
    found = dict(asked(provenance, [IMAGE]))
    assert found["Images"] == [Fact("flow-1.sif, SHA-256 0123456789ab", SHA)]


@pytest.mark.slow
def test_slurm_jobs_are_listed_by_number(asked):
    runs = [(measurement(n), {"job": str(n)}, {}) for n in range(1, 16)]
    (jobs,) = dict(asked(provenance, runs))["Slurm jobs"]
    assert jobs.text == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 3 more"
    assert jobs.full.endswith("13, 14, 15")


@pytest.mark.slow
def test_a_program_shows_one_command_and_how_many_others_there_are(asked):
    runs = [(measurement(n), {"command": f"srun pingpong {n}"}, {}) for n in range(3)]
    runs.append((measurement(program="alltoall"), {"command": "srun alltoall"}, {}))
    commands = [fact.text for fact in dict(asked(provenance, runs))["Commands"]]
    assert commands[0] == "alltoall: srun alltoall"
    assert commands[1].startswith("pingpong: srun pingpong ")
    assert commands[1].endswith(" (and 2 more)")


@pytest.mark.slow
def test_cpus_of_ranks_are_not_those_of_the_machine(asked):
    found = dict(
        asked(provenance, [(measurement(), {"cpus": ["0", "1"]}, {}), (FLOW, {"cpus": 2}, {})])
    )
    assert found["CPUs by rank"] == [Fact("0, 1")]
    assert found["CPUs of the machine"] == [Fact("2")]


def test_many_loads_are_a_range(asked):
    loads = [(measurement(n), {"load_average": load}, {}) for n, load in enumerate((0.5, 9.8, 2.0))]
    assert dict(asked(provenance, loads))["Load average"] == [Fact("0.5 to 9.8 (3 values)")]


def test_a_calibration_shows_its_link_and_where_its_curves_are(asked, tmp_path):
    fit = {
        "latency_s": 1e-6, "method": "least squares", "machine": {"processors": 2},
        "warnings": ["two sizes are outliers"], "curves": {"inside_node": {"put": [1] * 1000}},
    }  # fmt: skip
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(fit))
    texts = [fact.text for fact in calibration_facts(path)]
    assert texts[:2] == ["Latency: 1 µs", "Method: least squares"]
    assert "Warning: two sizes are outliers" in texts
    assert texts[-1].endswith("/calibration.json")
    assert max(map(len, texts)) < 200


def test_each_distinct_place_of_measurements_is_a_row(asked):
    place = {
        "hosts": ["node2", "node1"],
        "mode": "hybrid",
        "mpi_library": "Open MPI v5.0.7, package: Debian",
        "switch_distance": 1,
        "fabric": {"node1": "ib0 100 Gbit/s", "node2": "ib0 100 Gbit/s"},
    }
    runs = [(measurement(n), place, {}) for n in range(2)]
    runs.append((measurement(2), place | {"switch_distance": 3}, {}))
    runs.append((measurement(3), place | {"mode": "bind"}, {"status": "failed"}))
    found = asked(measured_on, [*runs, NATIVE])
    assert found.columns == ["Nodes", "Mode", "MPI library", "Switch distance", "Fabric"]
    rows = [([fact.text for fact in facts], count) for facts, count in found.rows]
    same = ["node1, node2", "hybrid", "Open MPI v5.0.7"]
    assert sorted(rows) == [([*same, d, "ib0 100 Gbit/s"], n) for d, n in (("1", 2), ("3", 1))]


@pytest.mark.slow
def test_fabrics_that_differ_are_reported_by_node(asked):
    facts = {"hosts": ["a", "b"], "fabric": {"a": "ib0", "b": "eth0"}}
    ((row, _),) = asked(measured_on, [(measurement(), facts, {})]).rows
    assert row[-1] == Fact("a ib0, b eth0")


def test_many_places_are_cut_off_with_a_count(asked):
    runs = [(measurement(n), {"hosts": [f"node{n}"]}, {}) for n in range(MAX_ROWS + 2)]
    found = asked(measured_on, runs)
    assert (len(found.rows), found.left) == (MAX_ROWS, 2)


@pytest.mark.slow
def test_without_measurements_the_page_has_no_such_table(tmp_path):
    plans, database = report_samples.mfs(tmp_path)
    build_report(plans[0], database, CONFIGS, tmp_path / "x.html")
    assert "Measured on" not in (tmp_path / "x.html").read_text()
    plan, database = report_samples.quickstart(tmp_path / "q")
    build_report(plan, database, CONFIGS, tmp_path / "q.html")
    assert "<h2>Measured on</h2>" in (tmp_path / "q.html").read_text()
