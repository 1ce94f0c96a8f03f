"""The files of a machine: an experiment, a multicast and its own MPI library read them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from packet_samples import stored, value
from report_samples import CONFIGS, make_plan, point, run
from weft.config import load_experiments
from weft.engines.hardware.site import find_mpicc, rank_environment
from weft.machine import MachineFile
from weft.tuning import write_tuning
from weft.tuning.mpich import ALGORITHMS

from tests.patience import PATIENCE_S

RANKS, SIZES = (2, 8), (64, 65536)
#: Seconds: with eight ranks, large broadcasts are best by `chain`, which MPICH lacks.
TIMES = {"binomial": (1.0, 3.0), "scatter_allgather": (2.0, 2.0), "chain": (3.0, 1.0)}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The folder of the tables of two maps: broadcasts, and a multicast with d = 2 or a ring."""
    points, values = [], []
    for ranks in RANKS:
        for name, times in TIMES.items():
            spec = {"workload": {"program": "bcast", "ranks": ranks},
                    "options": {"bcast_algorithm": name}}  # fmt: skip
            where = {"workload.ranks": ranks, "options.bcast_algorithm": name}
            points.append(point("model", where, spec))
            for size, seconds in zip(SIZES, times, strict=True):
                late = seconds if ranks == 8 else times[0]
                values.append(value(points[-1], "collective_time_s", late, "s", size))
        for n, d in enumerate(("2", "ring")):
            spec = {"workload": {"program": "group_multicast", "ranks": ranks},
                    "options": {"how": d}}  # fmt: skip
            points.append(point("model", {"workload.ranks": ranks, "options.how": d}, spec))
            for size in SIZES:
                values.append(value(points[-1], "multicast_time_s", 1.0 + n, "s", size))
    axes = {"x": "workload.ranks", "y": "message_bytes"}
    figures = [
        {"choice": {**axes, "value": "collective_time_s", "among": "options.bcast_algorithm"}},
        {"choice": {**axes, "value": "multicast_time_s", "among": "options.how"}},
    ]
    plan, database = stored(
        tmp_path, make_plan("tuning", points, figures), values, [run(at) for at in points]
    )
    plan.with_name("calibration.json").write_text(json.dumps({"latency_s": 1e-6, "curves": {}}))
    write_tuning(plan, database, CONFIGS, tmp_path / "tuning" / "mine.yaml")
    return tmp_path / "tuning"


@pytest.mark.slow
def test_an_experiment_takes_the_table_as_it_is(files: Path, tmp_path: Path) -> None:
    written = yaml.safe_load((files / "mine.yaml").read_text())
    # The curves stay where the calibration is.
    assert (written["machine"], written["fitted"]) == ("mine", {"latency_s": 1e-6})
    shutil.copytree(CONFIGS, tmp_path / "configs", ignore=shutil.ignore_patterns("experiment"))
    (tmp_path / "configs" / "experiment").mkdir()
    shutil.copytree(CONFIGS.parent / "programs", tmp_path / "programs")
    experiment = {
        "title": "x", "question": "?", "engines": ["flow"],
        "defaults": [{"override /topology": "crossbar"}, {"override /workload": "pingpong"}],
        "engine": {"flow": {"bcast_algorithm": written["bcast_algorithm"]}},
    }  # fmt: skip
    (tmp_path / "configs" / "experiment" / "x.yaml").write_text(yaml.safe_dump(experiment))
    (found,) = load_experiments(tmp_path / "configs", ["x"])
    assert found.settings.engine["flow"]["bcast_algorithm"] == written["bcast_algorithm"]
    assert [row["use"] for row in written["bcast_algorithm"]] == ["binomial", "binomial", "chain"]


@pytest.mark.slow
def test_a_multicast_has_the_rules_of_its_own_map(files: Path) -> None:
    lines = (files / "mine.multicast").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["2"]


@pytest.mark.slow
def test_open_mpi_gets_what_it_has(files: Path) -> None:
    rules = (files / "mine.openmpi.rules").read_text()
    assert "2049 2 0 0 # bytes, at least: chain" in rules


@pytest.mark.slow
def test_mpich_gets_the_best_of_its_own_algorithms_and_all_other_collectives(files: Path) -> None:
    tree = json.loads((files / "mine.mpich.json").read_text())
    assert tree["collective=bcast"]["comm_type=intra"]["comm_size=any"] == {
        "avg_msg_size<=2048": ALGORITHMS["bcast"]["binomial"],
        "avg_msg_size=any": ALGORITHMS["bcast"]["scatter_allgather"],
    }
    assert {"collective=barrier", "collective=iscan"} <= set(tree)


@pytest.mark.slow
def test_the_mpich_of_the_environment_runs_with_the_file(files: Path, tmp_path: Path) -> None:
    """Its functions are hidden; a name that it does not know would end it."""
    mpicc = find_mpicc(MachineFile(), rank_environment(MachineFile()))
    program = tmp_path / "program"
    subprocess.run([mpicc, Path(__file__).with_name("collectives.c"), "-o", program], check=True)
    for collective in ("bcast", "allgather"):
        command = [mpicc.with_name("mpiexec"), "-n", "8", "-env",
                   "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", files / "mine.mpich.json",
                   "-env", "MPIR_CVAR_DEVICE_COLLECTIVES", "none",
                   program, collective, "65536"]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0, done.stderr
